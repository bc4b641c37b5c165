#include "base/new_file.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file that was not there, in the directory of `path`. -1: errno says why not.
static int open_beside(const char *path, char **name)
{
    enum { MOST_TAKEN = 1000 };
    const char *slash = strrchr(path, '/');
    int file = -1;
    for (int i = 0; file < 0 && i < MOST_TAKEN; i++) {
        gy_text text = {0};
        gy_text_bytes(&text, path, slash ? (size_t)(slash + 1 - path) : 0);
        gy_text_printf(&text, ".gyre-%d-%d.new", (int)getpid(), i);
        file = open(gy_text_str(&text), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0) {
            *name = gy_text_take(&text);
        } else {
            int error = errno;
            gy_text_free(&text);
            errno = error;
            if (error != EEXIST)
                break;
        }
    }
    return file;
}

// What is to be replaced: the end of a chain of links if the user named it.
static char *real_name(const char *path, gy_file_origin origin)
{
    char *real = origin == GY_NAMED ? realpath(path, NULL) : NULL;
    return real ? real : strdup(path); // there is none yet
}

// What is open already: `/dev/stdout` may lead to a file that others write to.
static bool is_open(const struct stat *old, const char *asked)
{
    struct stat info;
    for (int file = 1; file <= 2; file++)
        if (fstat(file, &info) == 0 && info.st_dev == old->st_dev && info.st_ino == old->st_ino)
            return true;
    return !strncmp(asked, "/dev/", 5) || !strncmp(asked, "/proc/", 6);
}

static int open_new(gy_new_file *file, const char *asked, gy_file_origin origin)
{
    struct stat old;
    bool there = origin == GY_NAMED ? stat(file->path, &old) == 0
                                    : lstat(file->path, &old) == 0 && !S_ISLNK(old.st_mode);
    if (there && origin == GY_IMPLIED && !S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : EEXIST;
        return -1;
    }
    int direct = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (origin == GY_NAMED ? 0 : O_NOFOLLOW);
    if (there && (!S_ISREG(old.st_mode) || is_open(&old, asked)))
        return open(asked, direct, 0666);
    if (there && access(file->path, W_OK) != 0)
        return -1;
    int made = open_beside(file->path, &file->temporary);
    if (made < 0 && there && (errno == EACCES || errno == EROFS || errno == EPERM))
        return open(asked, direct, 0666);
    if (made >= 0 && there)
        (void)gy_file_resemble(made, &old);
    return made;
}

bool gy_new_file_open(gy_new_file *file, const char *path, gy_file_origin origin)
{
    *file = (gy_new_file){.path = real_name(path, origin)};
    int opened = file->path ? open_new(file, path, origin) : -1;
    file->file = opened >= 0 ? fdopen(opened, file->temporary ? "w+" : "w") : NULL;
    if (file->file)
        return true;
    int error = errno;
    if (opened >= 0)
        close(opened);
    errno = error;
    gy_new_file_drop(file);
    return false;
}

// A file that something is mounted on cannot be replaced: it is written to after all.
static bool write_through(gy_new_file *file)
{
    char piece[65536];
    size_t n;
    FILE *out = fopen(file->path, "w");
    bool good = out && fseek(file->file, 0, SEEK_SET) == 0;
    while (good && (n = fread(piece, 1, sizeof piece, file->file)) > 0)
        good = fwrite(piece, 1, n, out) == n;
    if (!good || ferror(file->file) || fflush(out) != 0) {
        int error = errno;
        if (out)
            fclose(out);
        errno = error;
        return false;
    }
    fclose(file->file);
    file->file = out;
    return unlink(file->temporary) == 0;
}

bool gy_new_file_publish(gy_new_file *file)
{
    if (fflush(file->file) != 0 || ferror(file->file))
        return false;
    if (file->temporary && rename(file->temporary, file->path) != 0 &&
        (errno != EBUSY || !write_through(file)))
        return false;
    free(file->temporary);
    file->temporary = NULL;
    return true;
}

bool gy_new_file_close(gy_new_file *file)
{
    bool good = gy_new_file_publish(file);
    FILE *open = good ? file->file : NULL;
    if (good)
        file->file = NULL;
    good = good && fclose(open) == 0;
    gy_new_file_drop(file);
    return good;
}

void gy_new_file_drop(gy_new_file *file)
{
    int error = errno;
    if (file->file)
        fclose(file->file);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    *file = (gy_new_file){0};
    errno = error;
}

bool gy_new_file_put(const char *path, gy_file_origin origin, const char *text, size_t bytes)
{
    gy_new_file file;
    if (!gy_new_file_open(&file, path, origin))
        return false;
    if (fwrite(text, 1, bytes, file.file) == bytes)
        return gy_new_file_close(&file);
    gy_new_file_drop(&file);
    return false;
}
