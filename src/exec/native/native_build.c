// Compiling and caching.
//
// A cached object is named by the hash of source, compiler (path, size, time) and flags. Behind
// the ELF image stands a trailer with the length and the hash of everything before it; the
// loader ignores it. A file is used only if it is a plain file of this user's that nobody else
// may write, and the trailer fits: anything else is compiled again and replaced.
//
// Runs that share the cache never see half a file: objects are written in a folder of their own
// and moved into place. Nothing is left behind, whatever goes wrong.
#include "exec/native/native_build.h"

#include "base/fatal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

extern char **environ;

static const char flags_text[] = "-fno-jump-tables -fwrapv -fPIC -shared -w -std=gnu11";

enum { MOST_CACHED = 300, STALE_SECONDS = 3600 };

typedef struct trailer {
    char magic[16];
    uint64_t length;
    XXH128_canonical_t hash;
} trailer;

static const char magic[16] = "gyre-native-obj";

// ---- files ------------------------------------------------------------------------------

static char *join(const char *folder, const char *name)
{
    gy_text path = {0};
    gy_text_printf(&path, "%s/%s", folder, name);
    return gy_text_take(&path);
}

// Everything in the file; NULL if it can't be read or is not safely ours.
static char *read_own_file(const char *path, size_t *bytes)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return NULL;
    char *content = NULL;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        !(info.st_mode & (S_IWGRP | S_IWOTH)) && info.st_size > 0) {
        size_t got = 0, want = (size_t)info.st_size;
        content = gy_alloc(want);
        while (got < want) {
            ssize_t n = read(fd, content + got, want - got);
            if (n <= 0)
                break;
            got += (size_t)n;
        }
        *bytes = got;
        if (got < want) {
            free(content);
            content = NULL;
        }
    }
    close(fd);
    return content;
}

static bool write_file(const char *path, const char *content, size_t bytes, int flags)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0600);
    if (fd < 0)
        return false;
    bool good = true;
    while (bytes && good) {
        ssize_t n = write(fd, content, bytes);
        good = n > 0;
        if (good) {
            content += n;
            bytes -= (size_t)n;
        }
    }
    return close(fd) == 0 && good;
}

// Creates a folder and those above it.
static bool make_folder(const char *path)
{
    struct stat info;
    char *copy = strdup(path);
    for (char *at = copy + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(copy, 0700);
            *at = '/';
        }
    mkdir(copy, 0700);
    free(copy);
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           !(info.st_mode & (S_IWGRP | S_IWOTH)) && access(path, W_OK | X_OK) == 0;
}

static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

static char *cache_folder(const char *given)
{
    const char *own = given ? given : getenv("GYRE_CACHE");
    if (own && *own)
        return strdup(own);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return join(cache, "gyre");
    return home && *home == '/' ? join(home, ".cache/gyre") : NULL;
}

// Removes the objects that were not used for longest, and what crashed runs left.
static void prune(const char *cache)
{
    DIR *folder = opendir(cache);
    struct dirent *entry;
    struct stat info;
    uint32_t count = 0;
    time_t oldest = 0, now = time(NULL);
    char *victim = NULL;
    while (folder && (entry = readdir(folder))) {
        if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISDIR(info.st_mode) && !strncmp(entry->d_name, "tmp-", 4) &&
            now - info.st_mtime > STALE_SECONDS) {
            char *stale = join(cache, entry->d_name);
            remove_folder(stale);
            free(stale);
        }
        if (!S_ISREG(info.st_mode) || !strstr(entry->d_name, ".so"))
            continue;
        count++;
        if (!victim || info.st_mtime < oldest) {
            free(victim);
            victim = join(cache, entry->d_name);
            oldest = info.st_mtime;
        }
    }
    if (folder)
        closedir(folder);
    if (count > MOST_CACHED)
        unlink(victim);
    free(victim);
}

// ---- the compiler -------------------------------------------------------------------------

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

// Comments name the lines of the model; code that differs in them alone is the same code.
static void add_without_comments(gy_text *out, const char *source)
{
    while (*source) {
        size_t n = strcspn(source, "\n");
        n += source[n] == '\n';
        size_t indent = strspn(source, " ");
        if (strncmp(source + indent, "//", 2) != 0)
            gy_text_bytes(out, source, n);
        source += n;
    }
}

static char *key_of(const gy_native_build *build, const char *compiler)
{
    struct stat info = {0};
    char *real = realpath(compiler, NULL);
    stat(compiler, &info);
    gy_text about = {0};
    gy_text_printf(&about, "%s %lld %lld %s %d\n", real ? real : compiler, (long long)info.st_size,
                   (long long)info.st_mtime, flags_text, build->hasty);
    add_without_comments(&about, build->source);
    XXH128_hash_t hash = XXH3_128bits(about.at, about.n);
    gy_text_clear(&about);
    gy_text_printf(&about, "%016llx%016llx.so", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64);
    free(real);
    return gy_text_take(&about);
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

// Runs the compiler in the folder `work`. False: it failed, or was killed.
static bool run_compiler(gy_native_build *build, const char *compiler, const char *work)
{
    char *const arguments[] = {(char *)compiler,
                               build->hasty ? "-O1" : "-O2",
                               "-fno-jump-tables",
                               "-fwrapv",
                               "-fPIC",
                               "-shared",
                               "-w",
                               "-std=gnu11",
                               "-o",
                               "model.so",
                               "model.c",
                               NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addchdir_np(&actions, work);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t pid;
    int status = -1, expected = 0;
    int error = posix_spawn(&pid, compiler, &actions, &attributes, arguments, environ);
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
    char *log_path = join(work, "log");
    size_t bytes = 0;
    char *log = read_own_file(log_path, &bytes);
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

static bool seal(const char *path)
{
    size_t bytes = 0;
    char *content = read_own_file(path, &bytes);
    if (!content)
        return false;
    trailer end = {.length = bytes};
    memcpy(end.magic, magic, sizeof end.magic);
    XXH128_canonicalFromHash(&end.hash, XXH3_128bits(content, bytes));
    free(content);
    return write_file(path, (char *)&end, sizeof end, O_APPEND);
}

static bool is_sound(const char *path)
{
    size_t bytes = 0;
    char *content = read_own_file(path, &bytes);
    bool good = false;
    if (content && bytes > sizeof(trailer)) {
        trailer end;
        size_t length = bytes - sizeof end;
        memcpy(&end, content + length, sizeof end);
        XXH128_canonical_t hash;
        XXH128_canonicalFromHash(&hash, XXH3_128bits(content, length));
        good = !memcmp(end.magic, magic, sizeof end.magic) && end.length == length &&
               !memcmp(&hash, &end.hash, sizeof hash);
    }
    free(content);
    return good;
}

static void *load(gy_native_build *build, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle && !build->problem.n)
        gy_text_printf(&build->problem, "the compiled code can't be loaded: %s", dlerror());
    return handle;
}

static const char *temporary_folder(void)
{
    const char *given = getenv("TMPDIR");
    return given && *given ? given : "/tmp";
}

// The loader tells objects apart by their file: a copy that is removed at once is one of its own.
static void *load_copy(gy_native_build *build, const char *path)
{
    size_t bytes = 0;
    char *content = read_own_file(path, &bytes), *work = join(temporary_folder(), "gyre-XXXXXX");
    void *handle = NULL;
    if (content && mkdtemp(work)) {
        char *copy = join(work, "model.so");
        if (write_file(copy, content, bytes, O_CREAT | O_EXCL))
            handle = load(build, copy);
        remove_folder(work);
        free(copy);
    }
    if (!handle && !build->problem.n)
        gy_text_printf(&build->problem, "no room in %s: %s", temporary_folder(), strerror(errno));
    free(content);
    free(work);
    return handle;
}

static void *load_final(gy_native_build *build, const char *path)
{
    return build->own_copy ? load_copy(build, path) : load(build, path);
}

// Compiles in a new folder below `where`, and moves the object to `target` if that is not NULL.
static bool compile_in(gy_native_build *build, const char *compiler, const char *where,
                       const char *target)
{
    char *work = join(where, "tmp-XXXXXX");
    bool good = false;
    if (mkdtemp(work)) {
        char *source = join(work, "model.c"), *object = join(work, "model.so");
        if (!write_file(source, build->source, strlen(build->source), O_CREAT | O_EXCL))
            gy_text_printf(&build->problem, "%s can't be written: %s", source, strerror(errno));
        else if (run_compiler(build, compiler, work)) {
            chmod(object, 0600);
            bool kept = target && seal(object) && rename(object, target) == 0;
            build->handle = kept ? load_final(build, target) : load(build, object);
            good = build->handle != NULL;
        }
        free(source);
        free(object);
        remove_folder(work);
    } else
        gy_text_printf(&build->problem, "no temporary folder in %s: %s", where, strerror(errno));
    free(work);
    return good;
}

bool gy_native_compile(gy_native_build *build)
{
    char *compiler = find_compiler(build->compiler);
    if (!compiler) {
        gy_text_add(&build->problem, "no C compiler found (cc, gcc, clang or tcc)");
        return false;
    }
    char *cache = cache_folder(build->cache_dir);
    bool usable = cache && make_folder(cache);
    bool good = false;
    if (usable) {
        char *key = key_of(build, compiler), *path = join(cache, key);
        if (is_sound(path) && (build->handle = load_final(build, path))) {
            build->from_cache = good = true;
            utimensat(AT_FDCWD, path, NULL, 0); // used just now
        } else if (!build->only_cached) {
            gy_text_clear(&build->problem);
            prune(cache);
            good = compile_in(build, compiler, cache, path);
        }
        free(key);
        free(path);
    } else if (!build->only_cached)
        good = compile_in(build, compiler, temporary_folder(), NULL);
    free(cache);
    free(compiler);
    return good;
}
