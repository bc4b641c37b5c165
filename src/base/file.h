// Reading a whole file into memory, and what else is asked of files.
//
// Pipes and devices can be read, too, unless they are refused; a limit keeps an endless one from
// filling the memory. If GYRE_WITHIN is in the environment, only files in that directory (a path
// without links) and what is open already are read: a server sets it for its children. What was
// read belongs to the caller: gy_file_free. Callable from any thread.
#ifndef GYRE_BASE_FILE_H
#define GYRE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gy_file {
    char *text;   // with a 0 after it
    size_t bytes; // without that
    uint64_t device, inode;
    int error;         // errno, where there is one for it; 0: it is too large
    char problem[120]; // words to put after "cannot read NAME: "; "" if it went well
} gy_file;

typedef struct gy_file_rules {
    uint64_t most_bytes; // 0: no limit
    bool regular_only;   // no pipes, no devices: those are not even waited for
    bool own_only;       // regular, ours, writable by no other user, not through a symbolic link
} gy_file_rules;

// False: see file->problem; there is no text then. `rules` may be NULL: none.
bool gy_file_read(const char *path, const gy_file_rules *rules, gy_file *file);
// What is open already, and stays so: standard input may be a socket, which has no name to open.
bool gy_file_read_open(int fd, const gy_file_rules *rules, gy_file *file);
void gy_file_free(gy_file *file);

// Do both names mean the same file, and no device? Where there is none of one name, if the names
// are equal.
bool gy_is_same_file(const char *a, const char *b);

// Could a file of that name be written? Nothing is opened or made. False: errno says why not.
bool gy_file_is_writable(const char *path);
// Could files be made in the directory of that name's file? Likewise.
bool gy_folder_is_writable(const char *path);

// Where files that are soon removed go: TMPDIR, or /tmp.
const char *gy_temporary_folder(void);
// A new file there, which has no name any more: it is gone when it is closed. -1: there is none.
int gy_temporary_file(void);
// The same in another directory. -1: errno says why not.
int gy_temporary_file_in(const char *folder);

// A new file of this name, in place of what had it (a link goes, not what it leads to). -1: errno.
int gy_file_fresh(const char *path, unsigned mode);

// A new file that is to take the place of an old one gets its permissions, and its owner where that
// is allowed. False: errno says why not.
struct stat;
bool gy_file_resemble(int fd, const struct stat *old);

#endif
