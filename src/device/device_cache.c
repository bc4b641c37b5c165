#include "device/device_cache.h"

#include "base/cache_folder.h"
#include "base/fatal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_ENTRIES = 300, STALE_SECONDS = 3600 };

static const char suffix[] = ".cubin", magic[16] = "gyre-device-1";

// At the end of an entry.
typedef struct trailer {
    char magic[16];
    uint64_t code, recipe, compiler; // bytes of each
    XXH128_canonical_t hash;         // of everything before it
} trailer;

// One line that is another if the file is. False: it is not there.
static bool describe(const char *path, gy_text *out)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    gy_text_printf(out, "%lld bytes, %lld.%09ld, %s", (long long)info.st_size,
                   (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec, path);
    return true;
}

// The text that describe made then is what it would make now.
static bool is_unchanged(const char *text, size_t bytes)
{
    gy_text now = {0};
    char *then = strndup(text, bytes), *path = strchr(then, '/');
    bool same = path && describe(path, &now) && !strcmp(gy_text_str(&now), then);
    gy_text_free(&now);
    free(then);
    return same;
}

static bool is_whole(const char *content, size_t bytes, trailer *end)
{
    XXH128_canonical_t hash;
    if (bytes < sizeof *end)
        return false;
    memcpy(end, content + bytes - sizeof *end, sizeof *end);
    XXH128_canonicalFromHash(&hash, XXH3_128bits(content, bytes - sizeof hash));
    uint64_t rest = bytes - sizeof *end;
    return !memcmp(end->magic, magic, sizeof magic) && !memcmp(&hash, &end->hash, sizeof hash) &&
           end->code <= rest && end->recipe <= rest - end->code &&
           end->compiler == rest - end->code - end->recipe;
}

void *gy_device_cache_find(const gy_text *recipe)
{
    char *folder = gy_cache_folder(NULL, "device");
    char *entry = folder ? gy_cache_entry(folder, recipe, suffix) : NULL;
    size_t bytes = 0;
    char *content = entry ? gy_read_whole(entry, true, &bytes) : NULL;
    trailer end;
    bool good = content && is_whole(content, bytes, &end) && end.recipe == recipe->n &&
                !memcmp(content + end.code, recipe->at, recipe->n) &&
                is_unchanged(content + end.code + end.recipe, end.compiler);
    if (good)
        utimensat(AT_FDCWD, entry, NULL, 0); // used just now
    else {
        free(content);
        content = NULL;
    }
    free(entry);
    free(folder);
    return content; // the code comes first
}

// What a run that crashed has left.
static void remove_if_stale(const char *folder, const char *name, const struct stat *info)
{
    if (!S_ISREG(info->st_mode) || strncmp(name, "tmp-", 4) != 0 || strlen(name) != 10 ||
        time(NULL) - info->st_mtime <= STALE_SECONDS)
        return;
    char *path = gy_path_join(folder, name);
    unlink(path);
    free(path);
}

void gy_device_cache_keep(const gy_text *recipe, const char *compiler, const void *code,
                          size_t bytes)
{
    gy_text by = {0}, all = {0};
    char *folder = gy_cache_folder(NULL, "device");
    if (folder && describe(compiler, &by)) {
        trailer end = {.code = bytes, .recipe = recipe->n, .compiler = by.n};
        memcpy(end.magic, magic, sizeof magic);
        gy_text_bytes(&all, code, bytes);
        gy_text_bytes(&all, recipe->at, recipe->n);
        gy_text_bytes(&all, by.at, by.n);
        gy_text_bytes(&all, (const char *)&end, offsetof(trailer, hash));
        XXH128_canonicalFromHash(&end.hash, XXH3_128bits(all.at, all.n));
        gy_text_bytes(&all, (const char *)&end.hash, sizeof end.hash);
        char *entry = gy_cache_entry(folder, recipe, suffix);
        char *path = gy_path_join(folder, "tmp-XXXXXX");
        int fd = mkstemp(path);
        if (fd >= 0) {
            close(fd);
            if (!gy_write_whole(path, all.at, all.n, O_TRUNC) || rename(path, entry) != 0)
                unlink(path);
        }
        free(path);
        free(entry);
        gy_cache_prune(folder, suffix, MOST_ENTRIES, remove_if_stale);
    }
    free(folder);
    gy_text_free(&by);
    gy_text_free(&all);
}
