// A running simulation: what `gyre sim` does in all its three modes.
#ifndef GYRE_CLI_SIMULATION_H
#define GYRE_CLI_SIMULATION_H

#include "cli/command.h"
#include "report/steps/msc.h"
#include "report/steps/story.h"

typedef struct gy_simulation {
    const gy_arguments *arguments;
    gy_path *path;
    gy_choices choices;
    gy_step_layout layout;
    gy_step_show show;
    gy_style style;
    gy_msc msc;
    bool draws, json;
    uint64_t seed, random;
    uint64_t limit;
    gy_text out;
} gy_simulation;

// Shows the last step of the path. False: nobody reads any more.
bool gy_simulation_show(gy_simulation *simulation);
// Takes a random step of those in `choices` and shows it.
bool gy_simulation_random(gy_simulation *simulation);

// The menu. Returns when the user has had enough, or at the end of the input.
void gy_simulation_interactive(gy_simulation *simulation);

#endif
