// spin -a: a pan.c that, compiled and run, has Gyre verify the model.
#ifndef GYRE_SPIN_PAN_SOURCE_H
#define GYRE_SPIN_PAN_SOURCE_H

#include "spin/pan_options.h"

// Reads the model first: what is wrong with it is reported, and nothing is written. `passed` are -D
// and -I options for the model; `program` is this one. Returns the exit status.
int gy_pan_generate(const gy_pan *pan, const char *const *passed, size_t count,
                    const char *program);

#endif
