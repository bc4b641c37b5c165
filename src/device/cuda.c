// NVIDIA's graphics processors, through the driver's own interface; code is compiled at run time by
// NVRTC. Both are libraries that are loaded here, if they are there.
#include "device/device.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The parts of cuda.h and nvrtc.h that are used here: FUNCTION(name, parameters), all of which
// return 0 or the number of an error. Contexts, modules, programs … are pointers; addresses of the
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

#define COMPILER_FUNCTIONS                                                                         \
    FUNCTION(nvrtcCreateProgram, (void **program, const char *source, const char *name, int n,     \
                                  const char *const *headers, const char *const *names))           \
    FUNCTION(nvrtcDestroyProgram, (void **program))                                                \
    FUNCTION(nvrtcCompileProgram, (void *program, int n, const char *const *options))              \
    FUNCTION(nvrtcGetProgramLogSize, (void *program, size_t *size))                                \
    FUNCTION(nvrtcGetProgramLog, (void *program, char *log))                                       \
    FUNCTION(nvrtcGetCUBINSize, (void *program, size_t *size))                                     \
    FUNCTION(nvrtcGetCUBIN, (void *program, char *code))

#define FUNCTION(name, parameters) int(*name) parameters;
typedef struct driver {
    DRIVER_FUNCTIONS
} driver;
typedef struct compiler {
    COMPILER_FUNCTIONS
} compiler;
#undef FUNCTION

// In the order of the structures, which are arrays of pointers as far as the loader cares.
#define FUNCTION(name, parameters) #name,
static const char *const driver_names[] = {DRIVER_FUNCTIONS};
static const char *const compiler_names[] = {COMPILER_FUNCTIONS};
#undef FUNCTION

// NULL, or the name of the first one that is missing.
static const char *find_all(void *library, const char *const *names, size_t count, void *functions)
{
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, names[i]);
        if (!function)
            return names[i];
        memcpy((char *)functions + i * sizeof function, &function, sizeof function);
    }
    return NULL;
}

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

static void *open_compiler(void)
{
    static const char *const places[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                         "/usr/local/cuda/lib64/libnvrtc.so"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof places / sizeof *places; i++)
        library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static void first_error(gy_device *device, const char *log)
{
    const char *line = strstr(log, "error");
    while (line && line > log && line[-1] != '\n')
        line--;
    line = line ? line : log;
    snprintf(device->problem, sizeof device->problem, "the compiler for the device says: %.*s",
             (int)strcspn(line, "\n"), line);
}

// The machine code; NULL: `problem` says why. Free it.
static void *compile_with(cuda_device *cuda, const compiler *rtc, const char *source)
{
    char architecture[48];
    const char *options[] = {architecture, "--std=c++17"};
    void *program = NULL, *code = NULL;
    size_t size = 0;
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", cuda->major,
             cuda->minor);
    if (rtc->nvrtcCreateProgram(&program, source, "model.cu", 0, NULL, NULL)) {
        snprintf(cuda->device.problem, sizeof cuda->device.problem,
                 "the compiler for the device can't be started");
        return NULL;
    }
    if (!rtc->nvrtcCompileProgram(program, 2, options) && !rtc->nvrtcGetCUBINSize(program, &size) &&
        size) {
        code = gy_alloc_zero(size);
        rtc->nvrtcGetCUBIN(program, code);
    } else if (!rtc->nvrtcGetProgramLogSize(program, &size) && size) {
        char *log = gy_alloc_zero(size + 1);
        rtc->nvrtcGetProgramLog(program, log);
        first_error(&cuda->device, log);
        free(log);
    }
    rtc->nvrtcDestroyProgram(&program);
    return code;
}

static bool load_module(cuda_device *cuda, const void *code)
{
    bool good = has(cuda, "the compiled code can't be loaded",
                    cuda->cu.cuModuleLoadData(&cuda->module, code));
    for (int i = 0; good && i < GY_KERNELS; i++)
        good = has(cuda, gy_device_kernel_names[i],
                   cuda->cu.cuModuleGetFunction(&cuda->kernels[i], cuda->module,
                                                gy_device_kernel_names[i]));
    return good;
}

static bool cuda_compile(gy_device *device, const char *source)
{
    cuda_device *cuda = (cuda_device *)device;
    compiler rtc;
    double start = gy_clock();
    void *library = open_compiler();
    bool good = library && !find_all(library, compiler_names,
                                     sizeof compiler_names / sizeof *compiler_names, &rtc);
    if (!good) {
        snprintf(
            device->problem, sizeof device->problem,
            "NVIDIA's run-time compiler (libnvrtc.so) is not there: install NVIDIA's cuda-nvrtc");
        return false;
    }
    void *code = compile_with(cuda, &rtc, source);
    good = code && load_module(cuda, code);
    free(code);
    device->compile_seconds = gy_clock() - start;
    return good; // the library stays: it may not be unloaded
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
    cuda_zero(device, at, bytes);
    return at;
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
                 "there is no driver for NVIDIA's devices (libcuda.so.1)");
        return false;
    }
    const char *missing = find_all(cuda->library, driver_names,
                                   sizeof driver_names / sizeof *driver_names, &cuda->cu);
    if (missing) {
        snprintf(device->problem, sizeof device->problem,
                 "the driver for NVIDIA's devices is too old: it has no %s", missing);
        return false;
    }
    if (!has(cuda, "the driver does not start", cuda->cu.cuInit(0u)) ||
        !has(cuda, "counting devices", cuda->cu.cuDeviceGetCount(&count)))
        return false;
    if (!count) {
        snprintf(device->problem, sizeof device->problem, "there is no device");
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
    device->memory = left;
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
