// Functions of a library that was loaded. For cuda*.c only.
#ifndef GYRE_DEVICE_CUDA_LIBRARY_H
#define GYRE_DEVICE_CUDA_LIBRARY_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// Into a structure of pointers to functions, in the order of the names. NULL, or the name of the
// first one that is missing.
static inline const char *gy_cuda_find(void *library, const char *const *names, size_t count,
                                       void *functions)
{
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, names[i]);
        if (!function)
            return names[i];
        memcpy((char *)functions + i * sizeof function, &function, sizeof function);
    }
    return NULL;
}

#endif
