#include "cli/spin/spin_trace.h"

#include <stdio.h>

bool gy_trace_option(gy_trace *trace, const char *option)
{
    (void)trace;
    (void)option;
    return false;
}

int gy_trace_run(const gy_pan *pan, const gy_trace *trace)
{
    (void)trace;
    printf("spin: simulation is not supported by gyre spin: use gyre sim %s\n", pan->model);
    return 1;
}
