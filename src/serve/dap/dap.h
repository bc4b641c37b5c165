// The debug adapter: steps through counterexamples and simulations for any editor that speaks the
// Debug Adapter Protocol. docs/dap.md says what it understands.
#ifndef GYRE_SERVE_DAP_DAP_H
#define GYRE_SERVE_DAP_DAP_H

#include <stdbool.h>

typedef struct gy_dap_options {
    bool embedded_c; // models may run their C code; else each launch has to ask for that
} gy_dap_options;

// Serves one client until it disconnects or its stream ends. False: its messages made no sense.
bool gy_dap_serve(const gy_dap_options *options, int in, int out);

#endif
