// pan -r, -C, -g, -S, -P: a trail replayed by the verifier, in its own format; embedded C runs.
#ifndef GYRE_SPIN_PAN_REPLAY_H
#define GYRE_SPIN_PAN_REPLAY_H

#include "spin/pan_options.h"

int gy_pan_replay(const gy_pan *pan);

#endif
