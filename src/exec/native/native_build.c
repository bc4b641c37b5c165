// Compiling generated C, or finding it compiled. See native_build.h and native_cache.h.
//
// The compiler works in a folder of its own, which is removed whatever happens. The recipe of an
// object is all that decides what the compiler makes of it, but for the files that the C includes:
// these are the compiler's to list (-MD), and the cache's to check.
#include "exec/native/native_build.h"

#include "base/fatal.h"
#include "base/file.h"
#include "exec/native/native_cache.h"
#include "exec/native/native_object.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
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

static char *find_on_path(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? strdup(name) : NULL;
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        gy_text full = {0};
        gy_text_bytes(&full, path, n);
        gy_text_printf(&full, "%s%s", n ? "/" : "./", name);
        if (access(gy_text_str(&full), X_OK) == 0)
            return gy_text_take(&full);
        gy_text_free(&full);
        path += n + (path[n] == ':');
    }
    return NULL;
}

static char *find_compiler(const char *given)
{
    static const char *const names[] = {"cc", "gcc", "clang", "tcc"};
    const char *own = given ? given : getenv("GYRE_CC");
    if (own && *own)
        return find_on_path(own);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = find_on_path(names[i]);
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
        if (memmem(line, (size_t)(next - line), "error", 5))
            best = line;
    }
    best = best ? best : log;
    const char *stop = memchr(best, '\n', (size_t)(end - best));
    gy_text_bytes(out, best, (size_t)((stop ? stop : end) - best));
}

// Ours, but for where the compiler puts what it needs meanwhile: into a folder that is removed also
// if it is killed. To be freed, not its lines.
static char **compiler_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **list = gy_alloc((n + 2) * sizeof *list);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            list[kept++] = environ[i];
    list[kept++] = (char *)"TMPDIR=" GY_BUILD_SCRATCH;
    list[kept] = NULL;
    return list;
}

// Runs the compiler in the folder `work`. False: it failed, or was killed.
static bool run_compiler(gy_native_build *build, const char *compiler, const char *work)
{
    char *arguments[3 + sizeof flags / sizeof *flags] = {(char *)compiler, (char *)effort(build)};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        arguments[2 + i] = (char *)flags[i];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addchdir_np(&actions, work);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, GY_BUILD_LOG, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t pid;
    int status = -1, expected = 0;
    char **environment = compiler_environment(), *scratch = gy_path_join(work, GY_BUILD_SCRATCH);
    mkdir(scratch, 0700); // else it takes another one
    free(scratch);
    int error = posix_spawn(&pid, compiler, &actions, &attributes, arguments, environment);
    free(environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error) {
        gy_text_printf(&build->problem, "%s can't be started: %s", compiler, strerror(error));
        return false;
    }
    if (build->child && !atomic_compare_exchange_strong(build->child, &expected, (int)pid))
        kill(-pid, SIGKILL); // given up meanwhile
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    expected = (int)pid;
    if (build->child)
        atomic_compare_exchange_strong(build->child, &expected, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
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
    return false;
}

// ---- objects --------------------------------------------------------------------------------

static void *load(gy_native_build *build, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle && !build->problem.n)
        gy_text_printf(&build->problem, "the compiled code can't be loaded: %s", dlerror());
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

// Compiles in a new folder below `where`, and makes an entry of the cache of it unless that is
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
            gy_text_printf(&build->problem, "%s can't be written: %s", source, strerror(errno));
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
        gy_text_printf(&build->problem, "no temporary folder in %s: %s", where, strerror(errno));
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
