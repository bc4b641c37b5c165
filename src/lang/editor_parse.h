// How a text is read for an editor in which it is still being written. Front ends get it with their
// input, and do without if it is NULL.
#ifndef GYRE_LANG_EDITOR_PARSE_H
#define GYRE_LANG_EDITOR_PARSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct gy_names;

typedef struct gy_reading {
    // The text that stands for the file of this path, or NULL: the file itself. It must live until
    // the model is read. NULL: no file has one.
    const char *(*overlay)(void *user, const char *path, size_t *bytes);
    // The text was parsed, if not without errors, and all names are recorded; what is still to come
    // is made of that. May be NULL.
    void (*parsed)(void *user);
    void *user;
    const atomic_bool
        *stop; // once it is true, reading ends soon, with or without an error; may be NULL
    struct gy_names *names; // NULL: nothing asks
} gy_reading;

#endif
