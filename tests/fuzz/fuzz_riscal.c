// Fuzz target: any bytes as a RISCAL model.
#define FUZZ_FILE "fuzz.riscal"
#include "fuzz_whole.h"
