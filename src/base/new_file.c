#include "base/new_file.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TAKEN = 1000 };

static void add_folder(gy_text *text, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash)
        gy_text_bytes(text, path, (size_t)(slash + 1 - path));
    else
        gy_text_add(text, "./");
}

static bool add_link(gy_text *text, int file)
{
    gy_text_printf(text, "/proc/self/fd/%d", file);
    return access(gy_text_str(text), F_OK) == 0;
}

// A file without a name in the directory of `path`: however this process ends, nothing stays
// behind. -1: the file system has none, or no name could be given to it later.
static int open_nameless(const char *path)
{
    int file = -1;
#ifdef O_TMPFILE
    gy_text folder = {0}, link = {0};
    add_folder(&folder, path);
    file = open(gy_text_str(&folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (file >= 0 && !add_link(&link, file)) {
        close(file);
        file = -1;
    }
    gy_text_free(&folder);
    gy_text_free(&link);
#endif
    return file;
}

// Calls make(user, NAME) with names in the directory of `path` until one is not taken. The name, or
// NULL: errno says why not.
static char *find_name(const char *path, bool (*make)(void *user, const char *name), void *user)
{
    for (int i = 0; i < MOST_TAKEN; i++) {
        gy_text text = {0};
        add_folder(&text, path);
        gy_text_printf(&text, ".gyre-%d-%d.new", (int)getpid(), i);
        if (make(user, gy_text_str(&text)))
            return gy_text_take(&text);
        int error = errno;
        gy_text_free(&text);
        errno = error;
        if (error != EEXIST)
            break;
    }
    return NULL;
}

static bool make_file(void *file, const char *name)
{
    *(int *)file = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return *(int *)file >= 0;
}

static bool make_link(void *file, const char *name)
{
    gy_text link = {0};
    bool good = add_link(&link, *(int *)file) &&
                linkat(AT_FDCWD, gy_text_str(&link), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    int error = errno;
    gy_text_free(&link);
    errno = error;
    return good;
}

// A file that was not there, in the directory of `path`. -1: errno says why not.
static int open_next_to(gy_new_file *new, const char *path)
{
    int file = open_nameless(path);
    new->nameless = file >= 0;
    if (file < 0)
        new->temporary = find_name(path, make_file, &file);
    return file;
}

// Where a chain of links that lead to nothing ends: a link is never replaced by what it should lead
// to. /dev/stdout is one if standard output is closed.
static char *end_of_links(const char *path)
{
    enum { MOST_LINKS = 40, LONGEST = 4096 };
    char *name = strdup(path), to[LONGEST];
    for (int i = 0; name && i < MOST_LINKS; i++) {
        gy_text next = {0};
        ssize_t n = readlink(name, to, sizeof to - 1);
        if (n < 0)
            return name;
        if (to[0] != '/')
            add_folder(&next, name);
        gy_text_bytes(&next, to, (size_t)n);
        free(name);
        name = gy_text_take(&next);
    }
    free(name);
    errno = ELOOP;
    return NULL;
}

// What is to be replaced: the end of a chain of links if the user named it.
static char *real_name(const char *path, gy_file_origin origin)
{
    struct stat info;
    if (origin == GY_IMPLIED)
        return strdup(path);
    if (stat(path, &info) != 0)
        return errno == ENOENT ? end_of_links(path) : NULL;
    char *real = realpath(path, NULL);
    return real ? real : strdup(path); // a pipe or a file that was deleted has none
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
    bool there = origin == GY_IMPLIED ? lstat(file->path, &old) == 0 && !S_ISLNK(old.st_mode)
                                      : stat(file->path, &old) == 0;
    if (there && origin != GY_NAMED && !S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : EEXIST;
        return -1;
    }
    int direct = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (origin == GY_NAMED ? 0 : O_NOFOLLOW);
    if (there && origin != GY_SOURCE && (!S_ISREG(old.st_mode) || is_open(&old, asked)))
        return open(asked, direct, 0666);
    if (there && access(file->path, W_OK) != 0)
        return -1;
    int made = open_next_to(file, file->path);
    if (made < 0 && there && origin != GY_SOURCE &&
        (errno == EACCES || errno == EROFS || errno == EPERM))
        return open(asked, direct, 0666);
    if (made >= 0 && there)
        (void)gy_file_resemble(made, &old);
    return made;
}

static bool is_direct(const gy_new_file *file)
{
    return !file->temporary && !file->nameless;
}

bool gy_new_file_open(gy_new_file *file, const char *path, gy_file_origin origin)
{
    *file = (gy_new_file){.path = real_name(path, origin), .source = origin == GY_SOURCE};
    int opened = file->path ? open_new(file, path, origin) : -1;
    file->file = opened >= 0 ? fdopen(opened, is_direct(file) ? "w" : "w+") : NULL;
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

static bool give_name(gy_new_file *file)
{
    int made = fileno(file->file);
    if (file->nameless && !(file->temporary = find_name(file->path, make_link, &made)))
        return false;
    file->nameless = false;
    return !file->temporary || rename(file->temporary, file->path) == 0 ||
           (errno == EBUSY && !file->source && write_through(file));
}

bool gy_new_file_publish(gy_new_file *file)
{
    if (fflush(file->file) != 0 || ferror(file->file) ||
        (file->source && fsync(fileno(file->file)) != 0) || !give_name(file))
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
