// Fuzz target: any bytes as an IF system.
#define FUZZ_FILE "fuzz.if"
#include "fuzz_whole.h"
