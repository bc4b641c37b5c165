// NVIDIA's GPUs, through the driver's own interface: a library that is loaded here,
// if it is there. Code is compiled at run time (cuda_compile.h).
#include "device/cuda_compile.h"
#include "device/cuda_library.h"
#include "device/device.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The parts of cuda.h that are used here: FUNCTION(name, parameters), all of which
// return 0 or the number of an error. Contexts, modules … are pointers; addresses of the
// device and sizes are 64 bits.
#define DRIVER_FUNCTIONS                                                                           \
    FUNCTION(cuInit, (unsigned flags))                                                             \
    FUNCTION(cuDeviceGetCount, (int *count))                                                       \
    FUNCTION(cuDeviceGet, (int *device, int number))                                               \
    FUNCTION(cuDeviceGetName, (char *name, int room, int device))                                  \
    FUNCTION(cuDeviceGetAttribute, (int *value, int attribute, int device))                        \
    FUNCTION(cuDevicePrimaryCtxRetain, (void **context, int device))                               \
    FUNCTION(cuDevicePrimaryCtxRelease_v2, (int device))                                           \
    FUNCTION(cuCtxSetCurrent, (void *context))                                                     \
    FUNCTION(cuCtxSynchronize, (void))                                                             \
    FUNCTION(cuCtxSetLimit, (int limit, size_t value))                                             \
    FUNCTION(cuModuleLoadData, (void **module, const void *image))                                 \
    FUNCTION(cuModuleUnload, (void *module))                                                       \
    FUNCTION(cuModuleGetFunction, (void **function, void *module, const char *name))               \
    FUNCTION(cuLaunchKernel, (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,   \
                              unsigned block_x, unsigned block_y, unsigned block_z,                \
                              unsigned shared, void *stream, void **parameters, void **extra))     \
    FUNCTION(cuMemGetInfo_v2, (size_t * left, size_t * all))                                       \
    FUNCTION(cuMemAlloc_v2, (gy_device_address * at, size_t bytes))                                \
    FUNCTION(cuMemFree_v2, (gy_device_address at))                                                 \
    FUNCTION(cuMemsetD8_v2, (gy_device_address at, unsigned char value, size_t bytes))             \
    FUNCTION(cuMemcpyHtoD_v2, (gy_device_address to, const void *from, size_t bytes))              \
    FUNCTION(cuMemcpyDtoH_v2, (void *to, gy_device_address from, size_t bytes))                    \
    FUNCTION(cuGetErrorString, (int error, const char **text))

#define FUNCTION(name, parameters) int(*name) parameters;
typedef struct driver {
    DRIVER_FUNCTIONS
} driver;
#undef FUNCTION

// In the order of the structure, which is an array of pointers as far as the loader cares.
#define FUNCTION(name, parameters) #name,
static const char *const driver_names[] = {DRIVER_FUNCTIONS};
#undef FUNCTION

enum { MULTIPROCESSORS = 16, MAJOR = 75, MINOR = 76, STACK_LIMIT = 0 };
enum { BLOCK = 512, BLOCKS_EACH = 8, STACK = 8192 };

typedef struct cuda_device {
    gy_device device; // first
    void *library;
    driver cu;
    int number;
    int multiprocessors, major, minor;
    void *context, *module;
    void *kernels[GY_KERNELS];
} cuda_device;

static bool has(cuda_device *cuda, const char *what, int error)
{
    const char *text = NULL;
    if (!error)
        return true;
    cuda->cu.cuGetErrorString(error, &text);
    snprintf(cuda->device.problem, sizeof cuda->device.problem, "%s: %s", what,
             text ? text : "unknown error");
    return false;
}

// ---- compiling ------------------------------------------------------------------------------

static bool load_module(cuda_device *cuda, const void *code)
{
    bool good = has(cuda, "the compiled code cannot be loaded",
                    cuda->cu.cuModuleLoadData(&cuda->module, code));
    for (int i = 0; good && i < GY_KERNELS; i++)
        good = has(cuda, gy_device_kernel_names[i],
                   cuda->cu.cuModuleGetFunction(&cuda->kernels[i], cuda->module,
                                                gy_device_kernel_names[i]));
    return good;
}

static bool cuda_compile(gy_device *device, const char *source, bool hasty)
{
    cuda_device *cuda = (cuda_device *)device;
    double start = gy_clock();
    gy_cuda_build build = {.source = source,
                           .hasty = hasty,
                           .major = cuda->major,
                           .minor = cuda->minor,
                           .given_up = device->given_up,
                           .of = device->of};
    void *code = gy_cuda_compile(&build);
    if (!code)
        snprintf(device->problem, sizeof device->problem, "%s", build.problem);
    bool good = code && load_module(cuda, code);
    free(code);
    device->compile_seconds = gy_clock() - start;
    device->from_cache = good && !build.made_by[0];
    return good;
}

// ---- memory -----------------------------------------------------------------------------------

static bool cuda_zero(gy_device *device, gy_device_address at, uint64_t bytes)
{
    cuda_device *cuda = (cuda_device *)device;
    return has(cuda, "zeroing memory", cuda->cu.cuMemsetD8_v2(at, 0, (size_t)bytes));
}

static gy_device_address cuda_alloc(gy_device *device, uint64_t bytes)
{
    cuda_device *cuda = (cuda_device *)device;
    gy_device_address at = 0;
    if (!has(cuda, "memory of the device", cuda->cu.cuMemAlloc_v2(&at, (size_t)bytes)))
        return 0;
    if (cuda_zero(device, at, bytes))
        return at;
    cuda->cu.cuMemFree_v2(at);
    return 0;
}

static void cuda_free(gy_device *device, gy_device_address at, uint64_t bytes)
{
    (void)bytes;
    if (at)
        ((cuda_device *)device)->cu.cuMemFree_v2(at);
}

static bool cuda_upload(gy_device *device, gy_device_address to, const void *from, uint64_t bytes)
{
    cuda_device *cuda = (cuda_device *)device;
    return has(cuda, "copying to the device", cuda->cu.cuMemcpyHtoD_v2(to, from, (size_t)bytes));
}

static bool cuda_download(gy_device *device, void *to, gy_device_address from, uint64_t bytes)
{
    cuda_device *cuda = (cuda_device *)device;
    return has(cuda, "copying from the device", cuda->cu.cuMemcpyDtoH_v2(to, from, (size_t)bytes));
}

// ---- running ----------------------------------------------------------------------------------

static bool cuda_launch(gy_device *device, gy_device_kernel kernel, const gy_device_job *job,
                        uint64_t things)
{
    cuda_device *cuda = (cuda_device *)device;
    gy_device_job copy = *job;
    void *parameters[] = {&copy};
    uint64_t blocks = (things + BLOCK - 1) / BLOCK;
    uint64_t most = (uint64_t)cuda->multiprocessors * BLOCKS_EACH;
    unsigned grid = (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most);
    return has(cuda, "starting a kernel",
               cuda->cu.cuLaunchKernel(cuda->kernels[kernel], grid, 1u, 1u, (unsigned)BLOCK, 1u, 1u,
                                       0u, NULL, parameters, NULL)) &&
           has(cuda, "running a kernel", cuda->cu.cuCtxSynchronize());
}

static void cuda_close(gy_device *device)
{
    cuda_device *cuda = (cuda_device *)device;
    if (cuda->module)
        cuda->cu.cuModuleUnload(cuda->module);
    if (cuda->context)
        cuda->cu.cuDevicePrimaryCtxRelease_v2(cuda->number);
    free(cuda); // the driver stays loaded
}

// ---- opening ----------------------------------------------------------------------------------

static bool start_driver(cuda_device *cuda)
{
    gy_device *device = &cuda->device;
    int count = 0;
    size_t left = 0, all = 0;
    cuda->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!cuda->library) {
        snprintf(device->problem, sizeof device->problem,
                 "the NVIDIA driver (libcuda.so.1) is not installed");
        return false;
    }
    const char *missing = gy_cuda_find(cuda->library, driver_names,
                                       sizeof driver_names / sizeof *driver_names, &cuda->cu);
    if (missing) {
        snprintf(device->problem, sizeof device->problem,
                 "the NVIDIA driver is too old: it has no %s", missing);
        return false;
    }
    if (!has(cuda, "starting the driver", cuda->cu.cuInit(0u)) ||
        !has(cuda, "counting devices", cuda->cu.cuDeviceGetCount(&count)))
        return false;
    if (!count) {
        snprintf(device->problem, sizeof device->problem, "no GPU was found");
        return false;
    }
    bool good =
        has(cuda, "the device", cuda->cu.cuDeviceGet(&cuda->number, 0)) &&
        has(cuda, "the device's name",
            cuda->cu.cuDeviceGetName(device->name, (int)sizeof device->name, cuda->number)) &&
        has(cuda, "the device",
            cuda->cu.cuDeviceGetAttribute(&cuda->multiprocessors, MULTIPROCESSORS, cuda->number)) &&
        has(cuda, "the device", cuda->cu.cuDeviceGetAttribute(&cuda->major, MAJOR, cuda->number)) &&
        has(cuda, "the device", cuda->cu.cuDeviceGetAttribute(&cuda->minor, MINOR, cuda->number)) &&
        has(cuda, "the device is in use",
            cuda->cu.cuDevicePrimaryCtxRetain(&cuda->context, cuda->number)) &&
        has(cuda, "the device is in use", cuda->cu.cuCtxSetCurrent(cuda->context)) &&
        has(cuda, "the device's stack", cuda->cu.cuCtxSetLimit(STACK_LIMIT, (size_t)STACK)) &&
        has(cuda, "the device's memory", cuda->cu.cuMemGetInfo_v2(&left, &all));
    device->memory = device->free_at_start = left;
    device->all_memory = all;
    return good;
}

gy_device *gy_device_open_cuda(char **problem)
{
    cuda_device *cuda = gy_alloc_zero(sizeof *cuda);
    cuda->device = (gy_device){
        .chunk = 1 << 26,
        .buckets = 1 << 24,
        .compile = cuda_compile,
        .alloc = cuda_alloc,
        .free = cuda_free,
        .zero = cuda_zero,
        .upload = cuda_upload,
        .download = cuda_download,
        .launch = cuda_launch,
        .close = cuda_close,
    };
    if (start_driver(cuda))
        return &cuda->device;
    *problem = strdup(cuda->device.problem);
    if (cuda->context)
        cuda->cu.cuDevicePrimaryCtxRelease_v2(cuda->number);
    free(cuda);
    return NULL;
}
