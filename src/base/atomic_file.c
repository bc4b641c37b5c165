// See atomic_file.h. Layout of a file: MAGIC, the bytes, XXH3 of both.
#include "base/atomic_file.h"

#include "base/assert.h"
#include "base/fatal.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { BUFFER = 1 << 18 };
static const uint64_t MAGIC = 0x0131706e53657947ull; // "GyeSnp1\1" on a little-endian machine

struct gy_writer {
    int fd;
    int error; // errno of the first failure
    char *path, *temporary;
    XXH3_state_t *sum;
    size_t n;
    unsigned char buffer[BUFFER];
};

struct gy_reader {
    int fd;
    bool failed;
    uint64_t left; // bytes not handed out yet, checksum not counted
    size_t n, next;
    unsigned char buffer[BUFFER];
};

static void put(gy_writer *writer, const unsigned char *bytes, size_t n)
{
    while (n && !writer->error) {
        ssize_t done = write(writer->fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            writer->error = errno;
            return;
        }
        bytes += done;
        n -= (size_t)done;
    }
}

static void flush(gy_writer *writer)
{
    put(writer, writer->buffer, writer->n);
    writer->n = 0;
}

// One name for all: what a kill left behind is overwritten by the next, and does not add up.
static char *temporary_of(const char *path)
{
    gy_text name = {0};
    gy_text_printf(&name, "%s" GY_WRITER_TEMPORARY, path);
    return gy_text_take(&name);
}

// Nothing yet, or begun by a writer.
static bool is_ours(int fd, const struct stat *facts)
{
    uint64_t magic = 0;
    return S_ISREG(facts->st_mode) &&
           (!facts->st_size ||
            (pread(fd, &magic, sizeof magic, 0) == sizeof magic && magic == MAGIC));
}

static bool is_foreign(const char *path)
{
    struct stat facts;
    if (stat(path, &facts))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool ours = fd >= 0 ? is_ours(fd, &facts) : S_ISREG(facts.st_mode) && !facts.st_size;
    if (fd >= 0)
        close(fd);
    return !ours;
}

char *gy_writer_obstacle(const char *path)
{
    gy_text name = {0};
    char *temporary = temporary_of(path);
    const char *obstacle = is_foreign(path) ? path : is_foreign(temporary) ? temporary : NULL;
    if (obstacle)
        gy_text_add(&name, obstacle);
    free(temporary);
    return obstacle ? gy_text_take(&name) : NULL;
}

// 0: empty, and this writer's alone until it is closed. Else errno; EAGAIN: it has got another name
// since it was opened, by the writer before.
static int take(int fd, const char *name)
{
    struct stat facts, named;
    if (fstat(fd, &facts) || !is_ours(fd, &facts))
        return EEXIST;
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return EBUSY; // other errors: a file system without locks
    if (lstat(name, &named) || named.st_dev != facts.st_dev || named.st_ino != facts.st_ino)
        return EAGAIN;
    return ftruncate(fd, 0) ? errno : 0;
}

static int open_temporary(const char *name, int *error)
{
    for (;;) {
        int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        *error = fd < 0 ? errno : take(fd, name);
        if (!*error || fd < 0)
            return fd;
        close(fd);
        if (*error != EAGAIN)
            return -1;
    }
}

gy_writer *gy_writer_open(const char *path)
{
    gy_writer *writer = gy_alloc(sizeof *writer);
    writer->n = 0;
    writer->path = strdup(path);
    writer->temporary = temporary_of(path);
    writer->sum = XXH3_createState();
    if (!writer->path || !writer->sum)
        gy_fatal_memory(sizeof *writer);
    XXH3_64bits_reset(writer->sum);
    writer->fd = open_temporary(writer->temporary, &writer->error);
    gy_write_u64(writer, MAGIC);
    return writer;
}

void gy_write(gy_writer *writer, const void *bytes, size_t n)
{
    if (!n)
        return;
    XXH3_64bits_update(writer->sum, bytes, n);
    if (n > BUFFER - writer->n)
        flush(writer);
    if (n > BUFFER) {
        put(writer, bytes, n);
        return;
    }
    gy_assert(writer->n <= BUFFER && n <= BUFFER - writer->n);
    memcpy(writer->buffer + writer->n, bytes, n);
    writer->n += n;
}

void gy_write_u64(gy_writer *writer, uint64_t value)
{
    gy_write(writer, &value, sizeof value);
}

static void close_writer(gy_writer *writer)
{
    if (writer->fd >= 0)
        close(writer->fd);
    free(writer->path);
    free(writer->temporary);
    XXH3_freeState(writer->sum);
    free(writer);
}

// The rename itself must survive a power cut too.
static void sync_folder(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        return;
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)!fsync(fd);
        close(fd);
    }
    free(copy);
}

bool gy_writer_commit(gy_writer *writer)
{
    uint64_t sum = XXH3_64bits_digest(writer->sum);
    gy_write_u64(writer, sum);
    flush(writer);
    if (!writer->error && fsync(writer->fd) && errno != EINVAL)
        writer->error = errno;
    if (!writer->error && is_foreign(writer->path)) // put there since somebody looked
        writer->error = EEXIST;
    if (!writer->error && rename(writer->temporary, writer->path))
        writer->error = errno;
    if (writer->error && writer->fd >= 0)
        unlink(writer->temporary);
    else
        sync_folder(writer->path);
    int error = writer->error;
    close_writer(writer);
    errno = error;
    return error == 0;
}

static size_t get(gy_reader *reader, unsigned char *bytes, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t some = read(reader->fd, bytes + done, n - done);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            break;
        done += (size_t)some;
    }
    return done;
}

// Reads the whole file once: is the checksum at its end the right one?
static const char *check(gy_reader *reader, uint64_t size)
{
    const char *why = NULL;
    uint64_t sum = 0, magic = 0;
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        gy_fatal_memory(sizeof *state);
    XXH3_64bits_reset(state);
    for (uint64_t left = size - sizeof sum; left;) {
        size_t n = left < BUFFER ? (size_t)left : BUFFER;
        if (get(reader, reader->buffer, n) != n) {
            why = "the file cannot be read";
            break;
        }
        if (left == size - sizeof sum) {
            memcpy(&magic, reader->buffer, sizeof magic);
            if (magic != MAGIC) {
                why = "this is not a checkpoint of Gyre on this kind of computer";
                break;
            }
        }
        XXH3_64bits_update(state, reader->buffer, n);
        left -= n;
    }
    if (!why && (get(reader, (unsigned char *)&sum, sizeof sum) != sizeof sum ||
                 sum != XXH3_64bits_digest(state)))
        why = "the file is damaged or was cut short (wrong checksum)";
    XXH3_freeState(state);
    return why;
}

gy_reader *gy_reader_open(const char *path, const char **why)
{
    struct stat facts;
    gy_reader *reader = gy_alloc(sizeof *reader);
    *reader =
        (gy_reader){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)}; // a FIFO: no waiting
    *why = NULL;
    if (reader->fd < 0 || fstat(reader->fd, &facts))
        *why = errno == ENOENT ? "the file does not exist" : "the file cannot be opened";
    else if (!S_ISREG(facts.st_mode))
        *why = "it is not a regular file";
    else if (facts.st_size < 24)
        *why = "the file is too short for a checkpoint";
    else
        *why = check(reader, (uint64_t)facts.st_size);
    if (!*why && lseek(reader->fd, sizeof MAGIC, SEEK_SET) < 0)
        *why = "the file cannot be read";
    if (*why) {
        gy_reader_close(reader);
        return NULL;
    }
    reader->left = (uint64_t)facts.st_size - sizeof MAGIC - sizeof(uint64_t);
    return reader;
}

bool gy_read(gy_reader *reader, void *bytes, size_t n)
{
    unsigned char *out = bytes;
    if (reader->failed || n > reader->left) {
        reader->failed = true;
        if (n)
            memset(bytes, 0, n);
        return false;
    }
    reader->left -= n;
    while (n) {
        if (reader->next == reader->n) {
            if (n >= BUFFER) {
                reader->failed = get(reader, out, n) != n;
                return !reader->failed;
            }
            size_t want = reader->left + n < BUFFER ? (size_t)(reader->left + n) : BUFFER;
            reader->next = 0;
            reader->n = get(reader, reader->buffer, want);
            if (reader->n != want) {
                reader->failed = true;
                memset(out, 0, n);
                return false;
            }
        }
        size_t some = reader->n - reader->next < n ? reader->n - reader->next : n;
        gy_assert(some && reader->next + some <= reader->n && reader->n <= BUFFER);
        memcpy(out, reader->buffer + reader->next, some);
        reader->next += some;
        out += some;
        n -= some;
    }
    return true;
}

uint64_t gy_read_u64(gy_reader *reader)
{
    uint64_t value = 0;
    gy_read(reader, &value, sizeof value);
    return value;
}

bool gy_reader_failed(const gy_reader *reader)
{
    return reader->failed;
}

uint64_t gy_reader_left(const gy_reader *reader)
{
    return reader->left;
}

void gy_reader_close(gy_reader *reader)
{
    if (reader->fd >= 0)
        close(reader->fd);
    free(reader);
}

void gy_write_region(gy_writer *writer, const gy_region *region, size_t bytes)
{
    gy_assert(bytes <= region->room);
    gy_write_u64(writer, bytes);
    gy_write(writer, region->at, bytes);
}

bool gy_read_region(gy_reader *reader, gy_region *region)
{
    uint64_t bytes = gy_read_u64(reader);
    if (reader->failed || bytes > reader->left) {
        reader->failed = true;
        return false;
    }
    return gy_region_resize(region, (size_t)bytes) && gy_read(reader, region->at, (size_t)bytes);
}
