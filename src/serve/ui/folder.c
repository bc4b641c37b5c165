#include "serve/ui/folder.h"

#include "base/fatal.h"
#include "base/file.h"
#include "base/vec.h"
#include "load/front_ends.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 6, MOST_FILES = 5000, MOST_LOOKED = 30000, MOST_NAME = 1000 };

static const char OWN[] = ".gyre";
static const char *const other_suffixes[] = {".h", ".inc", ".ltl", ".prp", ".md", NULL};

// ---- names ------------------------------------------------------------------------------

static bool ends_with(const char *name, const char *const *suffixes)
{
    size_t n = strlen(name);
    for (; *suffixes; suffixes++) {
        size_t m = strlen(*suffixes);
        if (n > m && strcmp(name + n - m, *suffixes) == 0)
            return true;
    }
    return false;
}

// Parts that are neither empty nor hidden, of characters that people see.
static bool is_clean(const char *name)
{
    bool begins = true;
    if (!*name || strlen(name) > MOST_NAME)
        return false;
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < 32 || *c == 127 || *c == '\\' ||
            (begins && (*c == '.' || *c == '/')))
            return false;
        begins = *c == '/';
    }
    return !begins;
}

bool gy_ui_directory_is_model(const char *name)
{
    return is_clean(name) && gy_front_end_may_read(name);
}

bool gy_ui_directory_is_name(const char *name)
{
    return gy_ui_directory_is_model(name) || (is_clean(name) && ends_with(name, other_suffixes));
}

const char *gy_ui_directory_base(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

char *gy_ui_directory_place(const gy_ui_directory *folder, const char *name)
{
    gy_text path = {0};
    const char *slash = strrchr(name, '/');
    gy_text_add(&path, folder->path);
    if (slash)
        gy_text_printf(&path, "/%.*s", (int)(slash - name), name);
    return gy_text_take(&path);
}

// ---- the path to a file ------------------------------------------------------------------

bool gy_ui_directory_open(gy_ui_directory *folder, const char *path)
{
    folder->path = realpath(path, NULL);
    folder->file = folder->path ? open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder->file >= 0)
        return true;
    int why = errno;
    free(folder->path);
    folder->path = NULL;
    errno = why;
    return false;
}

void gy_ui_directory_close(gy_ui_directory *folder)
{
    close(folder->file);
    free(folder->path);
}

static int enter(int from, const char *part, bool make)
{
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int to = openat(from, part, flags);
    if (to < 0 && errno == ENOENT && make && (mkdirat(from, part, 0755) == 0 || errno == EEXIST))
        to = openat(from, part, flags);
    return to;
}

// The directory that holds the last part of `name`, open; -1: errno says why.
static int walk(const gy_ui_directory *folder, const char *name, bool own, bool make)
{
    char part[NAME_MAX + 1];
    if (!is_clean(name)) {
        errno = EINVAL;
        return -1;
    }
    int at = own ? enter(folder->file, OWN, make) : fcntl(folder->file, F_DUPFD_CLOEXEC, 3);
    for (const char *slash; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        size_t n = (size_t)(slash - name);
        int next = -1;
        if (n < sizeof part) {
            memcpy(part, name, n);
            part[n] = '\0';
            next = enter(at, part, make);
        } else {
            errno = ENAMETOOLONG;
        }
        int why = errno;
        close(at);
        errno = why;
        at = next;
    }
    return at;
}

// ---- reading and writing ----------------------------------------------------------------

static char *read_all(int file, size_t most, size_t *bytes)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return NULL;
    if (!S_ISREG(info.st_mode) || (uint64_t)info.st_size > most) {
        errno = S_ISREG(info.st_mode) ? EFBIG : EINVAL;
        return NULL;
    }
    size_t room = (size_t)info.st_size;
    char *text = gy_alloc(room + 1);
    for (*bytes = 0; *bytes < room;) {
        ssize_t n = read(file, text + *bytes, room - *bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        *bytes += (size_t)n;
    }
    text[*bytes] = '\0';
    return text;
}

static char *read_file(const gy_ui_directory *folder, const char *name, bool own, size_t most,
                       size_t *bytes)
{
    char *text = NULL;
    int place = walk(folder, name, own, false);
    if (place < 0)
        return NULL;
    // A pipe must not be waited for.
    int file =
        openat(place, gy_ui_directory_base(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0)
        text = read_all(file, most, bytes);
    int why = errno;
    if (file >= 0)
        close(file);
    close(place);
    errno = why;
    return text;
}

static bool write_all(int file, const char *text, size_t bytes)
{
    while (bytes) {
        ssize_t n = write(file, text, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        bytes -= (size_t)n;
    }
    return true;
}

// Something else than a file that may be replaced (a link, a directory, a file that is not to be
// written)? Else *old is what is there, of mode 0 if nothing is.
static bool is_in_the_way(int place, const char *base, struct stat *old)
{
    if (fstatat(place, base, old, AT_SYMLINK_NOFOLLOW) != 0) {
        old->st_mode = 0;
        return errno != ENOENT;
    }
    if (!S_ISREG(old->st_mode))
        errno = S_ISLNK(old->st_mode) ? ELOOP : EINVAL;
    return !S_ISREG(old->st_mode) || faccessat(place, base, W_OK, 0) != 0;
}

static bool write_file(const gy_ui_directory *folder, const char *name, bool own, const char *text,
                       size_t bytes)
{
    char other[40];
    uint64_t number = 0;
    struct stat old;
    const char *base = gy_ui_directory_base(name);
    int place = walk(folder, name, own, own);
    if (place < 0)
        return false;
    if (is_in_the_way(place, base, &old) || getrandom(&number, sizeof number, 0) < 0) {
        int why = errno;
        close(place);
        errno = why;
        return false;
    }
    snprintf(other, sizeof other, ".gyre-%016llx", (unsigned long long)number);
    int file = openat(place, other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      old.st_mode ? 0600 : 0644);
    bool good =
        file >= 0 && write_all(file, text, bytes) && (!old.st_mode || gy_file_resemble(file, &old));
    good = file >= 0 && close(file) == 0 && good;
    good = good && renameat(place, other, place, base) == 0;
    int why = errno;
    if (file >= 0 && !good)
        unlinkat(place, other, 0);
    close(place);
    errno = why;
    return good;
}

char *gy_ui_directory_read(const gy_ui_directory *folder, const char *name, size_t *bytes)
{
    errno = EINVAL;
    return gy_ui_directory_is_name(name)
               ? read_file(folder, name, false, GY_FOLDER_MOST_BYTES, bytes)
               : NULL;
}

bool gy_ui_directory_has(const gy_ui_directory *folder, const char *name)
{
    size_t bytes;
    char *text = gy_ui_directory_read(folder, name, &bytes);
    int why = errno;
    free(text);
    errno = why;
    return text != NULL;
}

bool gy_ui_directory_write(const gy_ui_directory *folder, const char *name, const char *text,
                           size_t bytes)
{
    errno = bytes > GY_FOLDER_MOST_BYTES ? EFBIG : EINVAL;
    return gy_ui_directory_is_name(name) && bytes <= GY_FOLDER_MOST_BYTES &&
           write_file(folder, name, false, text, bytes);
}

char *gy_ui_directory_own_read(const gy_ui_directory *folder, const char *name, size_t most,
                               size_t *bytes)
{
    return read_file(folder, name, true, most, bytes);
}

bool gy_ui_directory_own_write(const gy_ui_directory *folder, const char *name, const char *text,
                               size_t bytes)
{
    return write_file(folder, name, true, text, bytes);
}

bool gy_ui_directory_own_remove(const gy_ui_directory *folder, const char *name)
{
    int place = walk(folder, name, true, false);
    if (place < 0)
        return false;
    bool good = unlinkat(place, gy_ui_directory_base(name), 0) == 0;
    close(place);
    return good;
}

void gy_ui_directory_own_hide(const gy_ui_directory *folder)
{
    static const char name[] = ".gitignore", text[] = "*\n";
    int place = enter(folder->file, OWN, false);
    int file =
        place < 0 ? -1
                  : openat(place, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file >= 0 && !write_all(file, text, sizeof text - 1))
        unlinkat(place, name, 0);
    if (file >= 0)
        close(file);
    if (place >= 0)
        close(place);
}

// ---- what there is ----------------------------------------------------------------------

typedef struct listing {
    GY_VEC(char *) names;
    GY_VEC(long long) sizes;
    unsigned looked; // a directory may be full of other things
} listing;

static void list_folder(listing *list, int file, const char *prefix, unsigned depth);

static void list_entry(listing *list, int folder, const char *prefix, const char *base,
                       unsigned depth)
{
    struct stat info;
    gy_text name = {0};
    if (!is_clean(base) || fstatat(folder, base, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    gy_text_printf(&name, "%s%s", prefix, base);
    if (S_ISREG(info.st_mode) && gy_ui_directory_is_name(name.at)) {
        gy_vec_push(&list->names, gy_text_take(&name));
        gy_vec_push(&list->sizes, (long long)info.st_size);
    } else if (S_ISDIR(info.st_mode) && depth < MOST_DEPTH) {
        int inner = openat(folder, base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        gy_text_char(&name, '/');
        if (inner >= 0)
            list_folder(list, inner, name.at, depth + 1);
    }
    gy_text_free(&name);
}

// Closes the file.
static void list_folder(listing *list, int file, const char *prefix, unsigned depth)
{
    DIR *folder = fdopendir(file);
    if (!folder) {
        close(file);
        return;
    }
    for (struct dirent *entry;
         (entry = readdir(folder)) && list->names.n < MOST_FILES && list->looked++ < MOST_LOOKED;)
        list_entry(list, dirfd(folder), prefix, entry->d_name, depth);
    closedir(folder);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(json_string_value(json_object_get(*(json_t *const *)a, "name")),
                  json_string_value(json_object_get(*(json_t *const *)b, "name")));
}

json_t *gy_ui_directory_list(const gy_ui_directory *folder)
{
    listing list = {0};
    json_t *array = json_array();
    GY_VEC(json_t *) items = {0};
    int again = openat(folder->file, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (again >= 0)
        list_folder(&list, again, "", 0);
    for (size_t i = 0; i < list.names.n; i++) {
        json_t *item = json_pack("{s:s, s:I, s:b}", "name", list.names.at[i], "bytes",
                                 (json_int_t)list.sizes.at[i], "model",
                                 gy_ui_directory_is_model(list.names.at[i]));
        if (item) // a name that is not UTF-8 cannot be asked for
            gy_vec_push(&items, item);
        free(list.names.at[i]);
    }
    if (items.n)
        qsort(items.at, items.n, sizeof *items.at, by_name);
    for (size_t i = 0; i < items.n; i++)
        json_array_append_new(array, items.at[i]);
    gy_vec_free(&items);
    gy_vec_free(&list.names);
    gy_vec_free(&list.sizes);
    return array;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

json_t *gy_ui_directory_own_list(const gy_ui_directory *folder, const char *name)
{
    json_t *array = json_array();
    GY_VEC(char *) names = {0};
    int place = walk(folder, name, true, false);
    int inner = place < 0 ? -1 : enter(place, gy_ui_directory_base(name), false);
    DIR *open = inner < 0 ? NULL : fdopendir(inner);
    for (struct dirent *entry; open && (entry = readdir(open)) && names.n < MOST_FILES;)
        if (entry->d_name[0] != '.')
            gy_vec_push(&names, strdup(entry->d_name));
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, by_text);
    for (size_t i = 0; i < names.n; i++) {
        json_t *text = json_string(names.at[i]);
        if (text)
            json_array_append_new(array, text);
        free(names.at[i]);
    }
    gy_vec_free(&names);
    if (open)
        closedir(open);
    else if (inner >= 0)
        close(inner);
    if (place >= 0)
        close(place);
    return array;
}
