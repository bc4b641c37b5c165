// See native_cache.h. Layout of an entry: object, recipe, dependencies, trailer.
//
// Dependencies are lines "HASH SIZE PATH". Objects are not kept where the compiler's list may not
// be all: C that asks whether files exist, includes bytes past the preprocessor or checks the
// clock; files that changed while the compiler ran.
#include "exec/native/native_cache.h"

#include "base/fatal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_ENTRIES = 300, STALE_SECONDS = 3600, MOST_DEPENDENCIES = 4096 };

static const double CLOCK_SLACK = 0.1; // seconds: the clock of file systems is coarse

static const char magic[16] = "gyre-native-2";

typedef struct trailer {
    char magic[16];
    uint64_t object, recipe, dependencies; // bytes of each
    XXH128_canonical_t hash;               // of everything before it
} trailer;

// ---- files ----------------------------------------------------------------------------------

// What a compiler that was killed has left.
static void remove_scratch(int build)
{
    int file = openat(build, GY_BUILD_SCRATCH, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = file < 0 ? NULL : fdopendir(file);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(file, entry->d_name, 0);
    if (folder)
        closedir(folder);
    else if (file >= 0)
        close(file);
    unlinkat(build, GY_BUILD_SCRATCH, AT_REMOVEDIR);
}

void gy_native_remove_build(const char *path)
{
    static const char *const names[] = {GY_BUILD_SOURCE, GY_BUILD_OBJECT, GY_BUILD_LOG,
                                        GY_BUILD_DEPENDENCIES};
    int error = errno;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        errno = error;
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlinkat(folder, names[i], 0);
    remove_scratch(folder);
    close(folder);
    rmdir(path);
    errno = error;
}

// ---- the directory -----------------------------------------------------------------------------

// As mkdtemp makes them of tmp-XXXXXX.
static bool is_build_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return !strncmp(name, "tmp-", 4) && strlen(name) == 10 && strspn(name + 4, letters) == 6;
}

static void remove_if_stale(const char *path, const char *name, const struct stat *info)
{
    if (!S_ISDIR(info->st_mode) || !is_build_name(name) ||
        time(NULL) - info->st_mtime <= STALE_SECONDS)
        return;
    char *stale = gy_path_join(path, name);
    gy_native_remove_build(stale);
    free(stale);
}

void gy_native_cache_prune(const char *path)
{
    gy_cache_prune(path, ".so", MOST_ENTRIES, remove_if_stale);
}

// ---- dependencies ---------------------------------------------------------------------------

// The next word of a rule of make, unquoted. False: there is none.
static bool next_word(const char **at, gy_text *word)
{
    const char *s = *at;
    gy_text_clear(word);
    while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r' ||
           (s[0] == '\\' && (s[1] == '\n' || s[1] == '\r')))
        s++;
    for (; *s && *s != ' ' && *s != '\t' && *s != '\n' && *s != '\r'; s++) {
        if (s[0] == '\\' && (s[1] == '\n' || s[1] == '\r'))
            break;
        if ((s[0] == '\\' && (s[1] == ' ' || s[1] == '#' || s[1] == '\\')) ||
            (s[0] == '$' && s[1] == '$'))
            s++;
        gy_text_char(word, *s);
    }
    *at = s;
    return word->n > 0;
}

// Words of C whose meaning depends on more than the files that the compiler lists.
static bool looks_around(const char *code)
{
    static const char *const words[] = {"__has_include", "__has_embed", "__DATE__",
                                        "__TIME__",      "incbin",      "__TIMESTAMP__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(code, words[i]))
            return true;
    return false;
}

static bool is_system_header(const char *path)
{
    return !strncmp(path, "/usr/", 5) && strncmp(path, "/usr/local/", 11) != 0;
}

static void add_dependency(gy_text *out, const char *content, size_t bytes, const char *path)
{
    XXH128_hash_t hash = XXH3_128bits(content, bytes);
    gy_text_printf(out, "%016llx%016llx %zu %s\n", (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64, bytes, path);
}

static double seconds(struct timespec time)
{
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// One file that the compiler read, as it is now. False: who knows what the compiler has seen.
static bool note_file(const char *path, double start, gy_text *out)
{
    struct stat info;
    size_t bytes = 0;
    if (*path != '/' || strchr(path, '\n'))
        return false;
    char *content = gy_read_whole(path, false, &bytes);
    bool good = content && stat(path, &info) == 0 && seconds(info.st_ctim) < start - CLOCK_SLACK &&
                (is_system_header(path) || !looks_around(content));
    if (good)
        add_dependency(out, content, bytes, path);
    free(content);
    return good;
}

// The files of a rule of make, as lines. False: they cannot be determined for sure.
static bool note_files(const char *rule, double start, gy_text *out)
{
    gy_text word = {0};
    const char *at = strstr(rule, ": ");
    bool good = at != NULL && rule[strlen(rule) - 1] == '\n'; // else it was cut off
    uint32_t count = 0;
    if (good)
        at += 2;
    while (good && next_word(&at, &word)) {
        const char *path = gy_text_str(&word);
        good = ++count <= MOST_DEPENDENCIES && path[word.n - 1] != ':' &&
               (!strcmp(path, GY_BUILD_SOURCE) || note_file(path, start, out));
    }
    gy_text_free(&word);
    return good;
}

static bool files_unchanged(const char *lines, size_t bytes)
{
    gy_text now = {0};
    bool same = true;
    for (const char *line = lines, *end = lines + bytes; line < end && same;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const char *size = stop ? memchr(line, ' ', (size_t)(stop - line)) : NULL;
        const char *path = size ? memchr(size + 1, ' ', (size_t)(stop - size - 1)) : NULL;
        same = path != NULL;
        if (!same)
            break;
        char *name = strndup(path + 1, (size_t)(stop - path - 1));
        size_t length = 0;
        char *content = gy_read_whole(name, false, &length);
        gy_text_clear(&now);
        if (content)
            add_dependency(&now, content, length, name);
        same = now.n == (size_t)(stop + 1 - line) && !memcmp(now.at, line, now.n);
        free(content);
        free(name);
        line = stop + 1;
    }
    gy_text_free(&now);
    return same;
}

// ---- entries --------------------------------------------------------------------------------

bool gy_native_cache_has(const char *entry, const gy_text *recipe)
{
    size_t bytes = 0;
    char *content = gy_read_whole(entry, true, &bytes);
    trailer end = {0};
    bool good = content && bytes >= sizeof end;
    if (good) {
        size_t hashed = bytes - sizeof end.hash;
        XXH128_canonical_t hash;
        memcpy(&end, content + bytes - sizeof end, sizeof end);
        XXH128_canonicalFromHash(&hash, XXH3_128bits(content, hashed));
        uint64_t rest = bytes - sizeof end;
        good = !memcmp(end.magic, magic, sizeof magic) && !memcmp(&hash, &end.hash, sizeof hash) &&
               end.object <= rest && end.recipe <= rest - end.object &&
               end.dependencies == rest - end.object - end.recipe && end.recipe == recipe->n &&
               !memcmp(content + end.object, recipe->at, recipe->n) &&
               files_unchanged(content + end.object + end.recipe, end.dependencies);
    }
    free(content);
    return good;
}

bool gy_native_cache_keep(const char *entry, const gy_text *recipe, const char *object,
                          const char *dependencies, double start)
{
    size_t bytes = 0, rule_bytes = 0;
    char *rule = gy_read_whole(dependencies, true, &rule_bytes), *content = NULL;
    gy_text files = {0}, all = {0};
    bool good = rule && !looks_around(gy_text_str(recipe)) && note_files(rule, start, &files) &&
                (content = gy_read_whole(object, true, &bytes)) != NULL;
    if (good) {
        trailer end = {.object = bytes, .recipe = recipe->n, .dependencies = files.n};
        memcpy(end.magic, magic, sizeof magic);
        gy_text_bytes(&all, content, bytes);
        gy_text_bytes(&all, recipe->at, recipe->n);
        gy_text_bytes(&all, gy_text_str(&files), files.n);
        gy_text_bytes(&all, (const char *)&end, offsetof(trailer, hash));
        XXH128_canonicalFromHash(&end.hash, XXH3_128bits(all.at, all.n));
        gy_text_bytes(&all, (const char *)&end.hash, sizeof end.hash);
        good = gy_write_whole(object, all.at + bytes, all.n - bytes, O_APPEND) &&
               rename(object, entry) == 0;
    }
    free(rule);
    free(content);
    gy_text_free(&files);
    gy_text_free(&all);
    return good;
}
