#include "base/file.h"

#include "base/assert.h"
#include "base/fatal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 65536 };

static bool refuse(gy_file *file, const char *problem)
{
    snprintf(file->problem, sizeof file->problem, "%s", problem);
    return false;
}

static bool refuse_with(gy_file *file, int error)
{
    char room[100];
    file->error = error;
    return refuse(file, strerror_r(error, room, sizeof room));
}

static bool is_too_large(gy_file *file, const gy_file_rules *rules, uint64_t bytes)
{
    if (!rules->most_bytes || bytes <= rules->most_bytes)
        return false;
    snprintf(
        file->problem, sizeof file->problem, "it is larger than %llu %s",
        (unsigned long long)(rules->most_bytes >> 20 ? rules->most_bytes >> 20 : rules->most_bytes),
        rules->most_bytes >> 20 ? "MB" : "bytes");
    return true;
}

static bool look_at(int fd, const gy_file_rules *rules, gy_file *file, struct stat *info)
{
    if (fstat(fd, info) != 0)
        return refuse_with(file, errno);
    file->device = info->st_dev;
    file->inode = info->st_ino;
    bool regular = S_ISREG(info->st_mode);
    if (S_ISDIR(info->st_mode)) {
        file->error = EISDIR;
        return refuse(file, "it is a directory");
    }
    if ((rules->regular_only || rules->own_only) && !regular) {
        file->error = EINVAL;
        return refuse(file, "it is not a regular file");
    }
    if (rules->own_only && (info->st_uid != geteuid() || info->st_mode & (S_IWGRP | S_IWOTH)))
        return refuse(file, "other users can write to it");
    return !regular || !is_too_large(file, rules, (uint64_t)info->st_size);
}

// All there is; `room` is how much that will probably be.
static bool read_all(int fd, const gy_file_rules *rules, gy_file *file, size_t room)
{
    file->text = gy_alloc(room + 1);
    for (;;) {
        if (file->bytes == room)
            file->text = gy_realloc(file->text, (room += room / 2 + PIECE) + 1);
        ssize_t got = read(fd, file->text + file->bytes, room - file->bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return refuse_with(file, errno);
        if (got == 0)
            break;
        file->bytes += (size_t)got;
        if (is_too_large(file, rules, file->bytes))
            return false;
    }
    gy_assert(file->bytes <= room);
    file->text[file->bytes] = '\0';
    return true;
}

static const gy_file_rules none = {0};

// GYRE_WITHIN in the environment: nothing outside of that directory is read, whatever links lead
// there; nor what has no place in a directory, since /proc gives a path to that of other processes.
static const char *reading_within(void)
{
    const char *within = getenv("GYRE_WITHIN");
    return within && *within ? within : NULL;
}

static bool is_allowed(int fd, gy_file *file)
{
    const char *within = reading_within();
    if (!within)
        return true;
    char link[40], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    size_t length = strlen(within);
    if (strncmp(path, within, length) == 0 && (path[length] == '/' || within[length - 1] == '/'))
        return true;
    file->error = EACCES;
    return refuse(file, "it is outside of the directory that may be read (GYRE_WITHIN)");
}

bool gy_file_read(const char *path, const gy_file_rules *rules, gy_file *file)
{
    gy_file_rules all = rules ? *rules : none;
    *file = (gy_file){0};
    if (reading_within()) // others may have put a pipe there
        all.regular_only = true;
    int flags = O_RDONLY | O_CLOEXEC | (all.own_only ? O_NOFOLLOW : 0) |
                (all.own_only || all.regular_only ? O_NONBLOCK : 0);
    int fd = open(path, flags);
    if (fd < 0)
        return refuse_with(file, errno);
    bool good = is_allowed(fd, file) && gy_file_read_open(fd, &all, file);
    close(fd);
    return good;
}

bool gy_file_read_open(int fd, const gy_file_rules *rules, gy_file *file)
{
    struct stat info;
    *file = (gy_file){0};
    rules = rules ? rules : &none;
    bool good = look_at(fd, rules, file, &info);
    if (good)
        good =
            read_all(fd, rules, file,
                     S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size + 1 : PIECE);
    if (!good) {
        free(file->text);
        file->text = NULL;
        file->bytes = 0;
    }
    return good;
}

void gy_file_free(gy_file *file)
{
    free(file->text);
    *file = (gy_file){0};
}

bool gy_file_resemble(int fd, const struct stat *old)
{
    bool owned = fchown(fd, old->st_uid, old->st_gid) == 0;
    return fchmod(fd, old->st_mode & (owned ? 07777 : 0777)) == 0;
}

bool gy_is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    if (stat(a, &first) != 0 || stat(b, &second) != 0)
        return strcmp(a, b) == 0;
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool gy_folder_is_writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : NULL;
    bool good = access(folder ? folder : ".", W_OK | X_OK) == 0;
    int error = errno;
    free(folder);
    errno = error;
    return good;
}

bool gy_file_is_writable(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return errno == ENOENT && gy_folder_is_writable(path);
    if (!S_ISDIR(about.st_mode))
        return access(path, W_OK) == 0;
    errno = EISDIR;
    return false;
}

const char *gy_temporary_folder(void)
{
    const char *given = getenv("TMPDIR");
    return given && *given ? given : "/tmp";
}

int gy_temporary_file_in(const char *folder)
{
    char path[4096];
#ifdef O_TMPFILE // never has a name: not even a process that is killed leaves one behind
    int unnamed = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (unnamed >= 0)
        return unnamed;
#endif
    int n = snprintf(path, sizeof path, "%s/gyre-XXXXXX", folder);
    if (n < 0 || (size_t)n >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

int gy_file_fresh(const char *path, unsigned mode)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return -1;
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

int gy_temporary_file(void)
{
    return gy_temporary_file_in(gy_temporary_folder());
}
