// The cache of compiled C: shared objects in a directory of the user's own. For native_build.c
// only.
//
// An entry is one file: the object, then everything that it was made from (the recipe: compiler,
// flags and the whole source; the dependencies: each file that the compiler read, with its
// contents as a hash), then a checksum of all that. The loader ignores what follows the
// object. An entry is used only if recipe and dependencies are what they would be now, byte by
// byte; its name, a hash of the recipe, merely says where to look.
//
// The entries live in the directory `native` below the user's cache directory
// (base/cache_folder.h).
#ifndef GYRE_EXEC_NATIVE_NATIVE_CACHE_H
#define GYRE_EXEC_NATIVE_NATIVE_CACHE_H

#include "base/cache_folder.h"

#include <stdbool.h>

// Names of files in a directory in which something is compiled, and of the directory that the
// compiler may use meanwhile: whatever else turns up there, nothing removes it.
#define GY_BUILD_SOURCE "model.c"
#define GY_BUILD_OBJECT "model.so"
#define GY_BUILD_LOG "log"
#define GY_BUILD_DEPENDENCIES "model.d"
#define GY_BUILD_SCRATCH "scratch"

// Is there an entry, whole, safely ours, of this very recipe, and are the files that it depends on
// as they were?
bool gy_native_cache_has(const char *entry, const gy_text *recipe);
// Turns an object into an entry and moves it to its place. `dependencies`: the compiler's, usually
// of make; `start`: the clock (CLOCK_REALTIME) before it started. False: the object cannot be kept,
// or it is not clear what it depends on; it is still there and can be loaded.
bool gy_native_cache_keep(const char *entry, const gy_text *recipe, const char *object,
                          const char *dependencies, double start);
// Removes the entry that was not used for longest if there are too many, and what runs that
// crashed left.
void gy_native_cache_prune(const char *folder);

// Removes a directory that something was compiled in. What is not ours stays, and the directory
// too.
void gy_native_remove_build(const char *path);

#endif
