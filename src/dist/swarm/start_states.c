#include "dist/swarm/start_states.h"

#include "base/file.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t MAGIC = 0x7365656473310a00ull; // and the order of bytes

struct gy_start_state_writer {
    char *path, *beside;
    FILE *file;
    int error;
    uint64_t at;
    GY_VEC(gy_start_state_section) sections;
};

static void put(gy_start_state_writer *w, const void *bytes, size_t n)
{
    if (!w->error && fwrite(bytes, 1, n, w->file) != n)
        w->error = errno ? errno : EIO;
    w->at += n;
}

gy_start_state_writer *gy_start_state_writer_open(const char *path)
{
    gy_start_state_writer *w = gy_alloc_zero(sizeof *w);
    gy_text beside = {0};
    gy_text_printf(&beside, "%s.%d", path, (int)getpid());
    w->path = strdup(path);
    w->beside = gy_text_take(&beside);
    int file = gy_file_fresh(w->beside, 0666);
    w->file = file >= 0 ? fdopen(file, "wb") : NULL;
    if (!w->file)
        w->error = errno;
    put(w, &MAGIC, sizeof MAGIC);
    return w;
}

void gy_start_state_write(gy_start_state_writer *w, uint32_t part, const gy_word *state,
                          uint32_t words)
{
    if (w->sections.n == 0 || w->sections.at[w->sections.n - 1].part != part)
        gy_vec_push(&w->sections, ((gy_start_state_section){.part = part, .at = w->at}));
    gy_start_state_section *section = &w->sections.at[w->sections.n - 1];
    section->count++;
    section->hash = gy_hash_words(state, words, section->hash + words);
    put(w, &words, sizeof words);
    put(w, state, words * sizeof *state);
    section->bytes = w->at - section->at;
}

bool gy_start_state_writer_close(gy_start_state_writer *w, uint64_t *print)
{
    uint64_t tail[] = {
        w->at, w->sections.n,
        gy_hash_bytes(w->sections.at, w->sections.n * sizeof *w->sections.at, MAGIC)};
    put(w, w->sections.at, w->sections.n * sizeof *w->sections.at);
    put(w, tail, sizeof tail);
    *print = tail[2];
    if (w->file) {
        if (!w->error && (fflush(w->file) != 0 || fsync(fileno(w->file)) != 0))
            w->error = errno;
        if (fclose(w->file) != 0 && !w->error)
            w->error = errno;
        if (!w->error && rename(w->beside, w->path) != 0)
            w->error = errno;
        if (w->error)
            unlink(w->beside);
    }
    int error = w->error;
    free(w->path);
    free(w->beside);
    gy_vec_free(&w->sections);
    free(w);
    errno = error;
    return !error;
}

// ---- reading -------------------------------------------------------------------------------

static bool read_at(int file, void *bytes, size_t n, uint64_t at)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(file, (char *)bytes + done, n - done, (off_t)(at + done));
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool read_index(gy_start_state_reader *reader)
{
    uint64_t tail[3], magic = 0;
    struct stat about;
    if (fstat(reader->file, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size < (off_t)(sizeof tail + sizeof magic))
        return false;
    reader->size = (uint64_t)about.st_size;
    if (!read_at(reader->file, &magic, sizeof magic, 0) || magic != MAGIC ||
        !read_at(reader->file, tail, sizeof tail, reader->size - sizeof tail))
        return false;
    uint64_t bytes = reader->size - sizeof tail - tail[0];
    if (tail[0] > reader->size - sizeof tail || tail[1] > bytes / sizeof(gy_start_state_section) ||
        bytes != tail[1] * sizeof(gy_start_state_section))
        return false;
    gy_vec_reserve(&reader->sections, tail[1] + 1);
    reader->sections.n = tail[1];
    reader->print = tail[2];
    return read_at(reader->file, reader->sections.at, bytes, tail[0]) &&
           gy_hash_bytes(reader->sections.at, bytes, MAGIC) == tail[2];
}

bool gy_start_state_reader_open(gy_start_state_reader *reader, const char *path, const char **why)
{
    *reader =
        (gy_start_state_reader){.file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    *why = "it cannot be read";
    if (reader->file < 0)
        return false;
    if (read_index(reader))
        return true;
    *why = "it is damaged";
    gy_start_state_reader_close(reader);
    return false;
}

void gy_start_state_reader_close(gy_start_state_reader *reader)
{
    if (reader->file >= 0)
        close(reader->file);
    gy_vec_free(&reader->sections);
    *reader = (gy_start_state_reader){.file = -1};
}

bool gy_start_state_read(gy_start_state_reader *reader, const gy_start_state_section *section,
                         gy_see_start_state *see, void *user)
{
    if (section->bytes > reader->size) // nothing in a file is believed
        return false;
    gy_word *bytes = gy_alloc(section->bytes + 1);
    bool good = read_at(reader->file, bytes, section->bytes, section->at);
    uint64_t hash = 0, room = section->bytes / sizeof *bytes, at = 0, count = 0;
    for (; good && at < room; at += 1 + bytes[at], count++) {
        good = bytes[at] < room - at;
        if (good)
            hash = gy_hash_words(bytes + at + 1, bytes[at], hash + bytes[at]);
    }
    good = good && at == room && count == section->count && hash == section->hash;
    for (at = 0; good && at < room; at += 1 + bytes[at])
        good = see(user, (uint32_t)section->part, bytes + at + 1, bytes[at]);
    free(bytes);
    return good;
}
