// The cache of compiled code for devices: the directory `device` of the user's
// (base/cache_folder.h). For cuda_compile.c only.
//
// An entry is one file: the code, the recipe (all that it was made from), which compiler made it
// (path, size and time of its file), and a checksum of all that. It is used only if the recipe is
// the same, byte by byte, and the compiler's file is as it was.
#ifndef GYRE_DEVICE_DEVICE_CACHE_H
#define GYRE_DEVICE_DEVICE_CACHE_H

#include "base/text.h"

// NULL: there is none. Free it.
void *gy_device_cache_find(const gy_text *recipe);
// Quietly does nothing if that is not possible.
void gy_device_cache_keep(const gy_text *recipe, const char *compiler, const void *code,
                          size_t bytes);

#endif
