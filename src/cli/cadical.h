// The SAT solver that the program was built with, for --cover (base/sat.h).
#ifndef GYRE_CLI_CADICAL_H
#define GYRE_CLI_CADICAL_H

#include "base/sat.h"

const gy_sat *gy_cadical(void); // NULL: none

#endif
