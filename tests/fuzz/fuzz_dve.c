// Fuzz target: any bytes as a DVE model.
#define FUZZ_FILE "fuzz.dve"
#include "fuzz_whole.h"
