// The one directory that a page may see: its models, read and written by names that cannot lead out
// of it.
//
// A name is relative, with `/` between its parts; none of them begins with a dot, and no symbolic
// link is followed on the way. Only files with the suffix of a model, or of what models include,
// are read or written; what Gyre keeps for itself is in `.gyre` (names of its own:
// gy_ui_directory_own_…). Writing replaces a file as a whole. All calls may overlap.
#ifndef GYRE_SERVE_UI_FOLDER_H
#define GYRE_SERVE_UI_FOLDER_H

#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct gy_ui_directory {
    int file;
    char *path; // without links
} gy_ui_directory;

enum { GY_FOLDER_MOST_BYTES = 4 << 20 }; // of a file that is edited

// False: errno says why.
bool gy_ui_directory_open(gy_ui_directory *folder, const char *path);
void gy_ui_directory_close(gy_ui_directory *folder);

bool gy_ui_directory_is_name(const char *name);  // of what may be read and written
bool gy_ui_directory_is_model(const char *name); // such a name, of a model
char *gy_ui_directory_place(const gy_ui_directory *folder,
                            const char *name);      // the directory it is in; to be freed
const char *gy_ui_directory_base(const char *name); // the last part

// The text, to be freed; NULL: errno says why (EINVAL: not such a name; EFBIG: too large).
char *gy_ui_directory_read(const gy_ui_directory *folder, const char *name, size_t *bytes);
// Is there a file of that name that could be read? Else errno says why not.
bool gy_ui_directory_has(const gy_ui_directory *folder, const char *name);
bool gy_ui_directory_write(const gy_ui_directory *folder, const char *name, const char *text,
                           size_t bytes);
// The names of what is there, sorted: [{name, bytes, model}]; at most some thousand, some levels
// deep.
json_t *gy_ui_directory_list(const gy_ui_directory *folder);

// The same below `.gyre`, where all suffixes are allowed. Directories are made as they are needed.
char *gy_ui_directory_own_read(const gy_ui_directory *folder, const char *name, size_t most,
                               size_t *bytes);
bool gy_ui_directory_own_write(const gy_ui_directory *folder, const char *name, const char *text,
                               size_t bytes);
bool gy_ui_directory_own_remove(const gy_ui_directory *folder, const char *name);
// Git and its kin need not see what is kept there.
void gy_ui_directory_own_hide(const gy_ui_directory *folder);
// What is in such a directory: an array of names, sorted; empty if it is not there.
json_t *gy_ui_directory_own_list(const gy_ui_directory *folder, const char *name);

#endif
