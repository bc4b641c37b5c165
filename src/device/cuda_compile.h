// From CUDA's C++ to the machine code of a device: by NVIDIA's run-time compiler (NVRTC), a library
// that is loaded if it is there, else by nvcc, a program; or from the cache of what was compiled
// before. For cuda.c only.
//
// An entry of the cache is used only if it was made from the very same source, for the same kind of
// device, by a compiler that is still there as it was.
#ifndef GYRE_DEVICE_CUDA_COMPILE_H
#define GYRE_DEVICE_CUDA_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gy_cuda_build {
    const char *source;
    bool hasty;                 // a quick compilation rather than fast code
    int major, minor;           // of the device's architecture
    bool (*given_up)(void *of); // NULL, or asked from time to time: true ends it
    void *of;                   //
    const char *made_by;        // result: static text, "" if it was in the cache
    char problem[256];          // result, if there is none: one line
} gy_cuda_build;

// The machine code, or NULL. Free it.
void *gy_cuda_compile(gy_cuda_build *build);

#endif
