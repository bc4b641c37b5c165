// Simulation by Spin's own command line: at random, guided by a trail, or as the user chooses.
#ifndef GYRE_SPIN_SPIN_SIMULATE_H
#define GYRE_SPIN_SPIN_SIMULATE_H

#include "base/vec.h"
#include "spin/pan_options.h"
#include "spin/simulate/simulate.h"

typedef struct gy_simulation {
    pml_sim_options sim;
    const char *trail;         // -k; NULL: the model's own
    unsigned long long number; // -tN; 0: none
    bool seeded, tells_seed;   // -n, -h
    GY_VEC(int) hidden;        // -qN
} gy_simulation;

// Takes an option of a simulation. False: it is none.
bool gy_simulation_option(gy_simulation *simulation, const char *option);
int gy_simulation_run(const gy_pan *pan, gy_simulation *simulation);
void gy_simulation_free(gy_simulation *simulation);
// The text of a trail: the file's if there is one, else of error `number` of the model (0: the
// first), by the names that Spin tries. *name is the file that it was found in. NULL: there is
// none.
char *gy_find_trail(const gy_pan *pan, const char *file, unsigned long long number, gy_text *name,
                    size_t *bytes);

// Writes MODEL.tcl and has it shown where there is a display. Returns the exit status.
int gy_write_chart(pml_sim *sim, const char *model, uint32_t seed);

#endif
