#include "base/cache_folder.h"

#include "base/fatal.h"
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { KEY_DIGITS = 32 };

// ---- files ----------------------------------------------------------------------------------

char *gy_path_join(const char *folder, const char *name)
{
    gy_text path = {0};
    gy_text_printf(&path, "%s/%s", folder, name);
    return gy_text_take(&path);
}

static bool is_safe(const struct stat *info)
{
    return info->st_uid == geteuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

char *gy_read_whole(const char *path, bool own, size_t *bytes)
{
    gy_file file;
    if (!gy_file_read(path, &(gy_file_rules){.regular_only = true, .own_only = own}, &file))
        return NULL;
    *bytes = file.bytes;
    return file.text;
}

bool gy_write_whole(const char *path, const char *content, size_t bytes, int flags)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
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

// ---- the directory -----------------------------------------------------------------------------

// Can another user put another directory in the place of this one, or of one above it?
static bool others_may_move(const char *path)
{
    struct stat info;
    char *real = realpath(path, NULL);
    bool unsafe = !real;
    for (char *slash; !unsafe && (slash = strrchr(real, '/')) && slash > real;) {
        *slash = 0;
        unsafe = stat(real, &info) != 0 || ((info.st_mode & S_IWOTH) && !(info.st_mode & S_ISVTX));
    }
    free(real);
    return unsafe;
}

static bool is_usable(const char *path, bool may_be_link)
{
    struct stat info;
    return (may_be_link ? stat(path, &info) : lstat(path, &info)) == 0 && S_ISDIR(info.st_mode) &&
           is_safe(&info) && access(path, R_OK | W_OK | X_OK) == 0;
}

static void make_folders(const char *path)
{
    char *copy = strdup(path);
    for (char *at = copy + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(copy, 0700);
            *at = '/';
        }
    mkdir(copy, 0700);
    free(copy);
}

static char *user_folder(const char *given)
{
    const char *own = given ? given : getenv("GYRE_CACHE");
    if (own && *own)
        return strdup(own);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return gy_path_join(cache, "gyre");
    return home && *home == '/' ? gy_path_join(home, ".cache/gyre") : NULL;
}

char *gy_cache_folder(const char *given, const char *kind)
{
    char *above = user_folder(given);
    if (!above)
        return NULL;
    char *folder = gy_path_join(above, kind);
    make_folders(folder);
    bool usable = is_usable(above, true) && is_usable(folder, false) && !others_may_move(above);
    free(above);
    if (usable)
        return folder;
    free(folder);
    return NULL;
}

// ---- entries --------------------------------------------------------------------------------

static bool is_entry_name(const char *name, const char *suffix)
{
    return strspn(name, "0123456789abcdef") == KEY_DIGITS && !strcmp(name + KEY_DIGITS, suffix);
}

char *gy_cache_entry(const char *folder, const gy_text *recipe, const char *suffix)
{
    XXH128_hash_t hash = XXH3_128bits(recipe->at, recipe->n);
    gy_text path = {0};
    gy_text_printf(&path, "%s/%016llx%016llx%s", folder, (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64, suffix);
    return gy_text_take(&path);
}

void gy_cache_prune(const char *path, const char *suffix, uint32_t most,
                    void (*other)(const char *path, const char *name, const struct stat *info))
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    struct stat info;
    uint32_t count = 0;
    time_t oldest = 0;
    char *victim = NULL;
    while (folder && (entry = readdir(folder))) {
        const char *name = entry->d_name;
        if (fstatat(dirfd(folder), name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !is_safe(&info))
            continue;
        if (!S_ISREG(info.st_mode) || !is_entry_name(name, suffix)) {
            if (other)
                other(path, name, &info);
            continue;
        }
        count++;
        if (!victim || info.st_mtime < oldest) {
            free(victim);
            victim = strdup(name);
            oldest = info.st_mtime;
        }
    }
    if (count > most)
        unlinkat(dirfd(folder), victim, 0);
    if (folder)
        closedir(folder);
    free(victim);
}
