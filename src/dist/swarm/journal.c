#include "dist/swarm/journal.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const NAME = "journal";
enum { SUM = 17 }; // a checksum and a space

static uint64_t next_hash(uint64_t hash, const char *text)
{
    return gy_hash_bytes(text, strlen(text), hash + 1);
}

static int open_file(const char *folder, int flags)
{
    gy_text path = {0};
    gy_text_printf(&path, "%s/%s", folder, NAME);
    struct stat about;
    int file = open(gy_text_str(&path), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    int error = errno;
    if (file >= 0 && (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))) {
        close(file); // a link or a device would lead elsewhere
        file = -1;
        error = EINVAL;
    }
    gy_text_free(&path);
    errno = error;
    return file;
}

static bool lock(gy_journal *journal, const char *folder, gy_text *why)
{
    if (flock(journal->file, LOCK_EX | LOCK_NB) == 0)
        return true;
    gy_text_printf(why, "another manager uses %s", folder);
    close(journal->file);
    journal->file = -1;
    return false;
}

static bool sync_folder(const char *folder)
{
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return good;
}

bool gy_journal_exists(const char *folder)
{
    int file = open_file(folder, O_RDONLY);
    if (file >= 0)
        close(file);
    return file >= 0;
}

// A manager that was killed before there was a whole record has left at most a draft, which the
// next one overwrites.
bool gy_journal_create(gy_journal *journal, const char *folder, const char *record, gy_text *why)
{
    gy_text draft = {0}, path = {0};
    gy_text_printf(&draft, "%s/%s", folder, GY_JOURNAL_DRAFT);
    gy_text_printf(&path, "%s/%s", folder, NAME);
    *journal = (gy_journal){.file = -1};
    errno = 0;
    if (mkdir(folder, 0777) == 0 || errno == EEXIST)
        journal->file =
            open(gy_text_str(&draft), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    bool good = journal->file >= 0;
    if (good && !lock(journal, folder, why)) {
        good = false;
    } else if (good && access(gy_text_str(&path), F_OK) == 0) {
        gy_text_printf(why,
                       "%s contains a swarm\n  hint: use gyre swarm --resume %s to continue it",
                       folder, folder);
        unlink(gy_text_str(&draft));
        good = false;
    } else if (!good || ftruncate(journal->file, 0) != 0 || !gy_journal_add(journal, record) ||
               rename(gy_text_str(&draft), gy_text_str(&path)) != 0 || !sync_folder(folder)) {
        gy_text_printf(why, "cannot write to %s: %s", folder, strerror(errno));
        if (good)
            unlink(gy_text_str(&draft));
        good = false;
    }
    if (!good)
        gy_journal_close(journal);
    gy_text_free(&draft);
    gy_text_free(&path);
    return good;
}

// All of the file; malloc'ed.
static char *read_all(int file, size_t *bytes)
{
    gy_text all = {0};
    char piece[65536];
    ssize_t got;
    while ((got = read(file, piece, sizeof piece)) > 0)
        gy_text_bytes(&all, piece, (size_t)got);
    *bytes = all.n;
    char *text = gy_text_take(&all);
    return text ? text : gy_alloc_zero(1);
}

// The records, up to the first that does not fit; returns the bytes that they take.
static size_t take_records(gy_journal *journal, char *text, size_t bytes)
{
    size_t at = 0;
    for (;;) {
        char *end = memchr(text + at, '\n', bytes - at);
        if (!end || end - (text + at) < SUM)
            return at;
        *end = 0;
        char *rest;
        uint64_t sum = strtoull(text + at, &rest, 16);
        const char *record = text + at + SUM;
        if (rest != record - 1 || *rest != ' ' || strlen(record) != (size_t)(end - record) ||
            sum != next_hash(journal->hash, record))
            return at;
        journal->hash = sum;
        gy_vec_push(&journal->records, strdup(record));
        at = (size_t)(end - text) + 1;
    }
}

static bool open_as(gy_journal *journal, const char *folder, bool write, gy_text *why)
{
    *journal = (gy_journal){.file = open_file(folder, write ? O_RDWR | O_APPEND : O_RDONLY)};
    if (journal->file < 0) {
        gy_text_printf(why, "no swarm in %s: %s", folder, strerror(errno));
        return false;
    }
    if (write && !lock(journal, folder, why))
        return false;
    size_t bytes;
    char *text = read_all(journal->file, &bytes);
    size_t good = take_records(journal, text, bytes);
    free(text);
    journal->torn = good < bytes;
    if (journal->torn && write &&
        (ftruncate(journal->file, (off_t)good) != 0 || fsync(journal->file) != 0)) {
        gy_text_printf(why, "cannot write to %s: %s", folder, strerror(errno));
        gy_journal_close(journal);
        return false;
    }
    return true;
}

bool gy_journal_open(gy_journal *journal, const char *folder, gy_text *why)
{
    return open_as(journal, folder, true, why);
}

bool gy_journal_look(gy_journal *journal, const char *folder, gy_text *why)
{
    return open_as(journal, folder, false, why);
}

bool gy_journal_add(gy_journal *journal, const char *text)
{
    gy_text line = {0};
    uint64_t hash = next_hash(journal->hash, text);
    off_t before = lseek(journal->file, 0, SEEK_END);
    gy_text_printf(&line, "%016" PRIx64 " %s\n", hash, text);
    ssize_t put = write(journal->file, line.at, line.n);
    bool good = put == (ssize_t)line.n && fdatasync(journal->file) == 0;
    int error = put >= 0 && put != (ssize_t)line.n ? ENOSPC : errno;
    gy_text_free(&line);
    if (good) {
        journal->hash = hash;
        return true;
    }
    if (before >= 0 && ftruncate(journal->file, before) != 0)
        error = error ? error : errno;
    errno = error;
    return false;
}

bool gy_journal_cut(gy_journal *journal, size_t count)
{
    uint64_t hash = 0;
    off_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        hash = next_hash(hash, journal->records.at[i]);
        bytes += (off_t)strlen(journal->records.at[i]) + SUM + 1;
    }
    journal->hash = hash;
    while (journal->records.n > count)
        free(journal->records.at[--journal->records.n]);
    return ftruncate(journal->file, bytes) == 0 && fsync(journal->file) == 0;
}

void gy_journal_close(gy_journal *journal)
{
    for (size_t i = 0; i < journal->records.n; i++)
        free(journal->records.at[i]);
    gy_vec_free(&journal->records);
    if (journal->file >= 0)
        close(journal->file);
    journal->file = -1;
}
