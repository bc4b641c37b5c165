// Compiling generated C, or finding it compiled. See native_build.h and native_cache.h.
//
// The compiler works in a directory of its own, which is removed whatever happens. The recipe of an
// object is all that decides what the compiler makes of it, but for the files that the C includes:
// these are the compiler's to list (-MD), and the cache's to check.
#include "exec/native/native_build.h"

#include "base/child_process.h"
#include "base/fatal.h"
#include "base/file.h"
#include "exec/native/native_cache.h"
#include "exec/native/native_object.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// The compiler's command line, but for its name and how hard it tries.
static const char *const flags[] = {"-fno-jump-tables",
                                    "-fwrapv",
                                    "-fPIC",
                                    "-shared",
                                    "-w",
                                    "-std=gnu11",
                                    "-MD",
                                    "-MF",
                                    GY_BUILD_DEPENDENCIES,
                                    "-o",
                                    GY_BUILD_OBJECT,
                                    GY_BUILD_SOURCE};

// ---- the compiler -------------------------------------------------------------------------

static const char *effort(const gy_native_build *build)
{
    return build->hasty ? "-O1" : "-O2";
}

static char *find_compiler(const char *given)
{
    static const char *const names[] = {"cc", "gcc", "clang", "tcc"};
    const char *own = given ? given : getenv("GYRE_CC");
    if (own && *own)
        return gy_process_find(own);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = gy_process_find(names[i]);
        if (path)
            return path;
    }
    return NULL;
}

// Settings that change what a compiler does.
static const char *const settings[] = {
    "CPATH",        "C_INCLUDE_PATH",  "GCC_EXEC_PREFIX",   "COMPILER_PATH",
    "LIBRARY_PATH", "LD_LIBRARY_PATH", "SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS",
};

static void write_recipe(const gy_native_build *build, const char *compiler, gy_text *out)
{
    struct stat info = {0};
    char *real = realpath(compiler, NULL);
    stat(compiler, &info);
    gy_text_printf(out, "%s (%s), %lld bytes, %lld.%09ld\n", compiler, real ? real : "",
                   (long long)info.st_size, (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    free(real);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (getenv(settings[i]))
            gy_text_printf(out, "%s=%s\n", settings[i], getenv(settings[i]));
    gy_text_add(out, effort(build));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        gy_text_printf(out, " %s", flags[i]);
    gy_text_printf(out, "\n%s", build->source);
}

// The first line that speaks of an error, or the first one.
static void add_first_error(gy_text *out, const char *log, size_t bytes)
{
    const char *end = log + bytes, *best = NULL;
    for (const char *line = log, *next; line < end && !best; line = next) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        next = stop ? stop + 1 : end;
        if (memmem(line, (size_t)(next - line), "error:", 6)) // a path may have the word too
            best = line;
    }
    best = best ? best : log;
    const char *stop = memchr(best, '\n', (size_t)(end - best));
    gy_text_bytes(out, best, (size_t)((stop ? stop : end) - best));
}

// Ours, but for where the compiler puts what it needs meanwhile: into a directory that is removed
// also if it is killed. To be freed, not its lines.
static const char **compiler_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    const char **list = gy_alloc((n + 2) * sizeof *list);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            list[kept++] = environ[i];
    list[kept++] = "TMPDIR=" GY_BUILD_SCRATCH;
    list[kept] = NULL;
    return list;
}

// Starts the compiler, whose files are in the directory `work`. False: build->problem says why not.
static bool start_compiler(gy_native_build *build, const char *compiler, const char *work,
                           gy_process *process)
{
    const char *arguments[3 + sizeof flags / sizeof *flags] = {compiler, effort(build)};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        arguments[2 + i] = flags[i];
    const char **environment = compiler_environment();
    char *scratch = gy_path_join(work, GY_BUILD_SCRATCH), *log = gy_path_join(work, GY_BUILD_LOG);
    mkdir(scratch, 0700); // else it takes another one
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    gy_process_start start = {
        .program = compiler,
        .arguments = arguments,
        .environment = environment,
        .folder = work,
        .in = -1,
        .out = out,
        .err = out,
    };
    bool good = gy_process_run(&start, process);
    if (!good)
        gy_text_printf(&build->problem, "%s cannot be started: %s", compiler, strerror(errno));
    if (out >= 0)
        close(out);
    free(environment);
    free(scratch);
    free(log);
    return good;
}

static void tell_failure(gy_native_build *build, const char *compiler, const char *work)
{
    char *log_path = gy_path_join(work, GY_BUILD_LOG);
    size_t bytes = 0;
    char *log = gy_read_whole(log_path, true, &bytes);
    gy_text_printf(&build->problem, "%s failed: ", compiler);
    if (log)
        add_first_error(&build->problem, log, bytes);
    else
        gy_text_add(&build->problem, "it says nothing");
    free(log);
    free(log_path);
}

// Runs the compiler in the directory `work`. False: it failed, or was killed.
static bool run_compiler(gy_native_build *build, const char *compiler, const char *work)
{
    gy_process process;
    int expected = 0;
    if (!start_compiler(build, compiler, work, &process))
        return false;
    int group = (int)process.group;
    if (build->child && !atomic_compare_exchange_strong(build->child, &expected, group))
        gy_process_kill(&process); // given up meanwhile
    int status = gy_process_wait(&process, 0, build->interrupt);
    expected = group;
    if (build->child)
        atomic_compare_exchange_strong(build->child, &expected, 0);
    gy_process_release(&process);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (build->interrupt && atomic_load(build->interrupt))
        gy_text_printf(&build->problem, "%s was interrupted", compiler);
    else
        tell_failure(build, compiler, work);
    return false;
}

// ---- objects --------------------------------------------------------------------------------

static void *load(gy_native_build *build, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle && !build->problem.n)
        gy_text_printf(&build->problem, "the compiled code cannot be loaded: %s", dlerror());
    return handle;
}

// The loader tells objects apart by their file: a copy that is removed at once is one of its own.
static void *load_copy(gy_native_build *build, const char *path)
{
    size_t bytes = 0;
    char *content = gy_read_whole(path, true, &bytes);
    char *work = gy_path_join(gy_temporary_folder(), "gyre-XXXXXX");
    void *handle = NULL;
    if (content && mkdtemp(work)) {
        char *copy = gy_path_join(work, GY_BUILD_OBJECT);
        if (gy_write_whole(copy, content, bytes, O_CREAT | O_EXCL))
            handle = load(build, copy);
        gy_native_remove_build(work);
        free(copy);
    }
    if (!handle && !build->problem.n)
        gy_text_printf(&build->problem, "no room in %s: %s", gy_temporary_folder(),
                       strerror(errno));
    free(content);
    free(work);
    return handle;
}

static void *load_final(gy_native_build *build, const char *path)
{
    return build->own_copy ? load_copy(build, path) : load(build, path);
}

static double time_of_day(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Some compilers end well where the disk was full.
static bool is_there(gy_native_build *build, const char *compiler, const char *object)
{
    bool good = gy_native_object_is_whole(object);
    if (!good)
        gy_text_printf(&build->problem, "%s has not written all of %s: the disk may be full",
                       compiler, object);
    return good;
}

// Compiles in a new directory below `where`, and makes an entry of the cache of it unless that is
// NULL.
static bool compile_in(gy_native_build *build, const char *compiler, const char *where,
                       const char *entry, const gy_text *recipe)
{
    char *work = gy_path_join(where, "tmp-XXXXXX");
    double start = time_of_day();
    if (mkdtemp(work)) {
        char *source = gy_path_join(work, GY_BUILD_SOURCE);
        char *object = gy_path_join(work, GY_BUILD_OBJECT);
        char *dependencies = gy_path_join(work, GY_BUILD_DEPENDENCIES);
        if (!gy_write_whole(source, build->source, strlen(build->source), O_CREAT | O_EXCL))
            gy_text_printf(&build->problem, "%s cannot be written: %s", source, strerror(errno));
        else if (run_compiler(build, compiler, work) && is_there(build, compiler, object)) {
            chmod(object, 0600);
            chmod(dependencies, 0600);
            bool kept = entry && gy_native_cache_keep(entry, recipe, object, dependencies, start);
            build->handle = kept ? load_final(build, entry) : load(build, object);
        }
        free(source);
        free(object);
        free(dependencies);
        gy_native_remove_build(work);
    } else
        gy_text_printf(&build->problem, "no temporary directory in %s: %s", where, strerror(errno));
    free(work);
    return build->handle != NULL;
}

bool gy_native_compile(gy_native_build *build)
{
    char *compiler = find_compiler(build->compiler);
    if (!compiler) {
        gy_text_add(&build->problem, "no C compiler found (cc, gcc, clang or tcc)");
        return false;
    }
    char *cache = gy_cache_folder(build->cache_dir, "native");
    bool good = false;
    if (cache) {
        gy_text recipe = {0};
        write_recipe(build, compiler, &recipe);
        char *entry = gy_cache_entry(cache, &recipe, ".so");
        if (gy_native_cache_has(entry, &recipe) && (build->handle = load_final(build, entry))) {
            build->from_cache = good = true;
            utimensat(AT_FDCWD, entry, NULL, 0); // used just now
        } else if (!build->only_cached) {
            gy_text_clear(&build->problem);
            gy_native_cache_prune(cache);
            good = compile_in(build, compiler, cache, entry, &recipe);
        }
        free(entry);
        gy_text_free(&recipe);
    } else if (!build->only_cached)
        good = compile_in(build, compiler, gy_temporary_folder(), NULL, NULL);
    free(cache);
    free(compiler);
    return good;
}
