// Files that spare the work of making something again: a directory of the user's own, with entries
// in it that are named by a hash of what they were made from (the recipe). What an entry holds, and
// how it is checked, is for whoever keeps it: a name merely says where to look.
//
// A directory must belong to the user and be writable by no other user, since what is found there
// is executed. Nothing but files with names of our own making is ever examined or removed.
//
// Any number of threads and processes may share a directory: entries are moved into place whole.
#ifndef GYRE_BASE_CACHE_FOLDER_H
#define GYRE_BASE_CACHE_FOLDER_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

// The directory `kind` below the user's cache directory, as a path, made if it is not there. NULL:
// it cannot be used, or not safely. `given`: the user's cache directory; NULL: GYRE_CACHE,
// $XDG_CACHE_HOME/gyre or ~/.cache/gyre. Free it.
char *gy_cache_folder(const char *given, const char *kind);
// The path of the entry for this recipe, whether or not there is one. Free it.
char *gy_cache_entry(const char *folder, const gy_text *recipe, const char *suffix);
// Removes the entry that was not used for longest if there are more than `most`. `other`, if not
// NULL, is shown whatever else is in the directory and safely the user's.
void gy_cache_prune(const char *folder, const char *suffix, uint32_t most,
                    void (*other)(const char *path, const char *name, const struct stat *info));

// ---- files ----------------------------------------------------------------------------------

char *gy_path_join(const char *folder, const char *name); // free it
// A file's contents, malloc'ed, or NULL. `own`: only a plain file of this user's that no other user
// may write.
char *gy_read_whole(const char *path, bool own, size_t *bytes);
bool gy_write_whole(const char *path, const char *content, size_t bytes, int flags);

#endif
