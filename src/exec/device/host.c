// This machine as a device: the kernels as plain C, by the system's compiler, one thread.
#include "device/device.h"

#include "exec/native/native_build.h"

#include "base/clock.h"
#include "base/fatal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void host_kernel(gy_device_job job);

typedef struct host_device {
    gy_device device; // first
    void *handle;
    host_kernel *kernels[GY_KERNELS];
} host_device;

static bool host_compile(gy_device *device, const char *source, bool hasty)
{
    host_device *host = (host_device *)device;
    gy_native_build build = {.source = source, .hasty = hasty};
    double start = gy_clock();
    bool good = gy_native_compile(&build);
    if (!good)
        snprintf(device->problem, sizeof device->problem, "%s", gy_text_str(&build.problem));
    host->handle = build.handle;
    for (int i = 0; good && i < GY_KERNELS; i++) {
        *(void **)&host->kernels[i] = dlsym(host->handle, gy_device_kernel_names[i]);
        good = host->kernels[i] != NULL;
    }
    gy_text_free(&build.problem);
    device->compile_seconds = gy_clock() - start;
    device->from_cache = build.from_cache;
    return good;
}

// Anonymous memory: zero, and not there before it is used.
static gy_device_address host_alloc(gy_device *device, uint64_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED)
        return (gy_device_address)(uintptr_t)at;
    snprintf(device->problem, sizeof device->problem, "no memory for %llu bytes",
             (unsigned long long)bytes);
    return 0;
}

static void host_free(gy_device *device, gy_device_address at, uint64_t bytes)
{
    (void)device;
    if (at)
        munmap((void *)(uintptr_t)at, bytes);
}

static bool host_zero(gy_device *device, gy_device_address at, uint64_t bytes)
{
    (void)device;
    memset((void *)(uintptr_t)at, 0, bytes);
    return true;
}

static bool host_upload(gy_device *device, gy_device_address to, const void *from, uint64_t bytes)
{
    (void)device;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return true;
}

static bool host_download(gy_device *device, void *to, gy_device_address from, uint64_t bytes)
{
    (void)device;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return true;
}

static bool host_launch(gy_device *device, gy_device_kernel kernel, const gy_device_job *job,
                        uint64_t things)
{
    (void)things;
    ((host_device *)device)->kernels[kernel](*job);
    return true;
}

static void host_close(gy_device *device)
{
    host_device *host = (host_device *)device;
    if (host->handle)
        dlclose(host->handle);
    free(host);
}

gy_device *gy_device_open_host(char **problem)
{
    host_device *host = gy_alloc_zero(sizeof *host);
    (void)problem;
    host->device = (gy_device){
        .name = "this computer, as a device",
        .memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4,
        .chunk = 1 << 14,
        .buckets = 1 << 12,
        .compile = host_compile,
        .alloc = host_alloc,
        .free = host_free,
        .zero = host_zero,
        .upload = host_upload,
        .download = host_download,
        .launch = host_launch,
        .close = host_close,
    };
    host->device.free_at_start = host->device.all_memory = host->device.memory;
    return &host->device;
}
