// A search on a device in parallel with one by the CPU threads that takes long. Private to
// src/search.
//
// The CPU threads begin. When they have been at it for some time, have found many states and have
// many before them, or are out of memory, the same search is begun on a device, if there is one
// that can do it. The one with an answer first ends the other. Nothing is lost if the device fails
// or its memory is too small: the CPU threads go on all the while. A search whose levels are thin
// stays with the CPU threads: a device is no faster there.
#ifndef GYRE_SEARCH_DEVICE_BESIDE_H
#define GYRE_SEARCH_DEVICE_BESIDE_H

#include "search/search.h"

typedef gy_search_result *gy_search_function(gy_system *system, const gy_search_options *options);

// `search` makes either search.
gy_search_result *gy_search_beside(gy_system *system, const gy_search_options *options,
                                   gy_search_function *search);
// Is it time to try the device?
bool gy_beside_is_large(const gy_search_options *options, const gy_search_progress *progress);

#endif
