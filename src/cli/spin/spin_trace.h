// Simulation in Spin's format: guided by a trail, or at random.
#ifndef GYRE_CLI_SPIN_SPIN_TRACE_H
#define GYRE_CLI_SPIN_SPIN_TRACE_H

#include "cli/spin/pan_options.h"

typedef struct gy_trace {
    bool guided;                    // -t, -k
    const char *file;               // -k; NULL: the model's own
    unsigned long long number;      // -tN; 0: none
    bool statements;                // -p
    bool globals;                   // -g
    bool locals;                    // -l
    bool receives;                  // -r
    bool sends;                     // -s
    bool verbose;                   // -v
    bool no_printf;                 // -b
    bool no_final;                  // -B
    bool no_indent;                 // -T
    unsigned long long seed, limit; // -nN, -uN; limit 0: none
    bool seeded;
} gy_trace;

// Takes an option of a simulation. False: it is none.
bool gy_trace_option(gy_trace *trace, const char *option);
int gy_trace_run(const gy_pan *pan, const gy_trace *trace);

#endif
