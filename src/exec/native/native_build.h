// Compiling generated C, and the cache of what was compiled. For native_*.c only.
#ifndef GYRE_EXEC_NATIVE_NATIVE_BUILD_H
#define GYRE_EXEC_NATIVE_NATIVE_BUILD_H

#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>

// Compiles C into a shared object and loads it, or finds it in the cache. `child`, if not NULL,
// holds the compiler's process group while it runs, for the code that wants to kill it; set it to
// -1 to have the build given up.
typedef struct gy_native_build {
    const char *source;
    const char *cache_dir, *compiler; // or NULL; see native.h
    _Atomic int *child;
    const atomic_int *interrupt; // not 0: give up; or NULL
    bool hasty;                  // a quick compilation rather than fast code
    bool only_cached;            // not there: give up
    bool own_copy; // the object has variables: share it with nothing, not even in this process
    void *handle;  // result: from dlopen
    bool from_cache;
    gy_text problem; // one line, if there is no handle
} gy_native_build;

bool gy_native_compile(gy_native_build *build);

#endif
