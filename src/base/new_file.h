// New files that are whole or not there: what has their name stays as it is until all is written.
//
// The text is collected in a file of its own in the same directory, which then takes the name. That
// file has no name before, where the file system can do that: a process that is killed leaves
// nothing behind. Elsewhere it is called .gyre-PROCESS-NUMBER.new; what has such a name already is
// neither written to nor removed. Devices and pipes, and files in a directory where nothing can be
// made, are written to directly. Not forced to disk, but for GY_SOURCE.
#ifndef GYRE_BASE_NEW_FILE_H
#define GYRE_BASE_NEW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct gy_new_file {
    FILE *file;      // to write to; NULL: it is not open
    char *path;      // what it will be called
    char *temporary; // what it is called now; NULL: it has no name, or its own
    bool nameless;   // it has no name yet
    bool source;     // GY_SOURCE
} gy_new_file;

// GY_NAMED: by the user, who may name a link or a device, and means what that leads to. GY_IMPLIED:
// another user may have put a link there, which is replaced; devices and pipes are refused.
// GY_SOURCE: named by the user, and what is there cannot be made again: it is replaced by a file
// that is on disk, or stays; it is never written to.
typedef enum gy_file_origin { GY_NAMED, GY_IMPLIED, GY_SOURCE } gy_file_origin;

// False: errno says why not, and nothing is open.
bool gy_new_file_open(gy_new_file *file, const char *path, gy_file_origin origin);
// It takes its name, and stays open: for what is added to it later. False: gy_new_file_drop.
bool gy_new_file_publish(gy_new_file *file);
// Closes the file; it takes its name unless it has it. False: errno says why; it is gone then.
bool gy_new_file_close(gy_new_file *file);
// Closes the file. If it has not taken its name yet, it is gone. errno stays.
void gy_new_file_drop(gy_new_file *file);

// All at once. False: errno says why not.
bool gy_new_file_put(const char *path, gy_file_origin origin, const char *text, size_t bytes);

#endif
