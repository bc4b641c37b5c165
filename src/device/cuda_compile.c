#include "device/cuda_compile.h"

#include "device/cuda_library.h"
#include "device/device_cache.h"

#include "base/cache_folder.h"
#include "base/child_process.h"
#include "base/fatal.h"
#include "base/file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool is_given_up(const gy_cuda_build *build)
{
    return build->given_up && build->given_up(build->of);
}

// The first line that speaks of an error, or the first one.
static void first_error(gy_cuda_build *build, const char *log)
{
    const char *line = strstr(log, "error");
    while (line && line > log && line[-1] != '\n')
        line--;
    line = line ? line : log;
    snprintf(build->problem, sizeof build->problem, "the GPU compiler reports: %.*s",
             (int)strcspn(line, "\n"), line);
}

// ---- NVRTC ----------------------------------------------------------------------------------

// All return 0 or the number of an error. Programs are pointers.
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
typedef struct compiler {
    COMPILER_FUNCTIONS
} compiler;
#undef FUNCTION

#define FUNCTION(name, parameters) #name,
static const char *const compiler_names[] = {COMPILER_FUNCTIONS};
#undef FUNCTION

// From CUDA 12.8 on: asks `callback` from time to time whether to go on (0).
typedef int flow_function(void *program, int (*callback)(void *user, void *), void *user);

static int asks_to_stop(void *user, void *unused)
{
    (void)unused;
    return is_given_up(user);
}

static void *open_library(compiler *rtc)
{
    static const char *const places[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                         "/usr/local/cuda/lib64/libnvrtc.so"};
    const char *own = getenv("GYRE_NVRTC"); // its path; empty: there is none
    void *library = NULL;
    if (own)
        library = *own ? dlopen(own, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; !own && !library && i < sizeof places / sizeof *places; i++)
        library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
    if (library &&
        gy_cuda_find(library, compiler_names, sizeof compiler_names / sizeof *compiler_names, rtc))
        library = NULL;
    return library;
}

// An older compiler than CUDA 12.8's does not know how to be quick: it is asked without that.
#define QUICK_OPTION "--Ofast-compile=min"

static int compile_program(const gy_cuda_build *build, const compiler *rtc, void *program)
{
    char architecture[48];
    const char *options[] = {architecture, "--std=c++17", QUICK_OPTION};
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", build->major,
             build->minor);
    int error = build->hasty ? rtc->nvrtcCompileProgram(program, 3, options) : -1;
    return error && !is_given_up(build) ? rtc->nvrtcCompileProgram(program, 2, options) : error;
}

static void *compile_by_library(gy_cuda_build *build, void *library, const compiler *rtc,
                                size_t *bytes)
{
    void *program = NULL, *code = NULL;
    size_t size = 0;
    if (rtc->nvrtcCreateProgram(&program, build->source, "model.cu", 0, NULL, NULL)) {
        snprintf(build->problem, sizeof build->problem, "the GPU compiler cannot be started");
        return NULL;
    }
    flow_function *flow;
    *(void **)&flow = dlsym(library, "nvrtcSetFlowCallback");
    if (flow)
        flow(program, asks_to_stop, build);
    if (!compile_program(build, rtc, program) && !rtc->nvrtcGetCUBINSize(program, &size) && size) {
        code = gy_alloc_zero(size);
        rtc->nvrtcGetCUBIN(program, code);
        *bytes = size;
    } else if (!rtc->nvrtcGetProgramLogSize(program, &size) && size) {
        char *log = gy_alloc_zero(size + 1);
        rtc->nvrtcGetProgramLog(program, log);
        first_error(build, log);
        free(log);
    }
    rtc->nvrtcDestroyProgram(&program);
    return code;
}

// ---- nvcc -----------------------------------------------------------------------------------

#define SOURCE_FILE "model.cu"
#define CODE_FILE "model.cubin"
#define LOG_FILE "log"

static char *find_program(void)
{
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    const char *own = getenv("GYRE_NVCC"); // its path; empty: there is none
    if (own)
        return *own ? gy_process_find(own) : NULL;
    char *found = gy_process_find("nvcc");
    return found ? found : gy_process_find(usual);
}

// In the directory `work`. False: it failed, or was given up.
static bool run_program(gy_cuda_build *build, const char *program, const char *work, bool hasty)
{
    char architecture[32];
    const char *arguments[] = {program, "-cubin",  "-std=c++17", architecture,
                               "-o",    CODE_FILE, SOURCE_FILE,  hasty ? QUICK_OPTION : NULL,
                               NULL};
    struct timespec nap = {.tv_nsec = 20 * 1000 * 1000};
    char *log = gy_path_join(work, LOG_FILE);
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), status = -1;
    gy_process_start start = {.program = program,
                              .arguments = arguments,
                              .folder = work,
                              .in = -1,
                              .out = out,
                              .err = out};
    gy_process process;
    snprintf(architecture, sizeof architecture, "-arch=sm_%d%d", build->major, build->minor);
    bool good = gy_process_run(&start, &process);
    if (!good)
        snprintf(build->problem, sizeof build->problem, "%s cannot be started: %s", program,
                 strerror(errno));
    while (good && !gy_process_ended(&process, &status)) {
        if (is_given_up(build))
            gy_process_kill(&process);
        nanosleep(&nap, NULL);
    }
    if (good)
        gy_process_release(&process);
    if (out >= 0)
        close(out);
    free(log);
    return good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void remove_work(const char *work)
{
    static const char *const names[] = {SOURCE_FILE, CODE_FILE, LOG_FILE};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = gy_path_join(work, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(work);
}

static void *compile_by_program(gy_cuda_build *build, const char *program, size_t *bytes)
{
    char *work = gy_path_join(gy_temporary_folder(), "gyre-XXXXXX");
    void *code = NULL;
    if (mkdtemp(work)) {
        char *source = gy_path_join(work, SOURCE_FILE), *object = gy_path_join(work, CODE_FILE);
        char *log_path = gy_path_join(work, LOG_FILE), *log;
        size_t length = 0;
        if (!gy_write_whole(source, build->source, strlen(build->source), O_CREAT | O_EXCL))
            snprintf(build->problem, sizeof build->problem, "%s cannot be written: %s", source,
                     strerror(errno));
        else if ((build->hasty && run_program(build, program, work, true)) ||
                 run_program(build, program, work, false))
            code = gy_read_whole(object, false, bytes);
        else if (!build->problem[0] && (log = gy_read_whole(log_path, false, &length))) {
            first_error(build, log);
            free(log);
        }
        remove_work(work);
        free(source);
        free(object);
        free(log_path);
    } else
        snprintf(build->problem, sizeof build->problem,
                 "cannot create a temporary directory in %s: %s", gy_temporary_folder(),
                 strerror(errno));
    free(work);
    return code;
}

// ---- either of them ---------------------------------------------------------------------------

static void *compile(gy_cuda_build *build, char **compiler_file, size_t *bytes)
{
    compiler rtc;
    Dl_info info;
    void *code = NULL, *library = open_library(&rtc), *symbol = NULL;
    if (library) {
        memcpy(&symbol, &rtc.nvrtcCompileProgram, sizeof symbol);
        if (dladdr(symbol, &info) && info.dli_fname)
            *compiler_file = realpath(info.dli_fname, NULL);
        build->made_by = "NVRTC";
        code = compile_by_library(build, library, &rtc, bytes); // it may not be unloaded
    } else if ((*compiler_file = find_program())) {
        build->made_by = "nvcc";
        code = compile_by_program(build, *compiler_file, bytes);
    } else
        snprintf(build->problem, sizeof build->problem,
                 "neither NVIDIA's run-time compiler (libnvrtc.so) nor nvcc was found: install "
                 "NVIDIA's cuda-nvrtc");
    if (!code && is_given_up(build))
        snprintf(build->problem, sizeof build->problem, "compiling for the GPU was cancelled");
    else if (!code && !build->problem[0])
        snprintf(build->problem, sizeof build->problem, "the GPU compiler failed");
    return code;
}

void *gy_cuda_compile(gy_cuda_build *build)
{
    gy_text recipe = {0};
    char *file = NULL;
    size_t bytes = 0;
    build->problem[0] = 0;
    build->made_by = "";
    gy_text_printf(&recipe, "sm_%d%d c++17%s\n%s", build->major, build->minor,
                   build->hasty ? " quick" : "", build->source);
    void *code = gy_device_cache_find(&recipe);
    if (!code) {
        code = compile(build, &file, &bytes);
        if (code && file)
            gy_device_cache_keep(&recipe, file, code, bytes);
    }
    free(file);
    gy_text_free(&recipe);
    return code;
}
