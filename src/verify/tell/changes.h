// What a step changed: the difference between two states, element by element.
//
// The list owns its strings; gy_changes_free releases them.
#ifndef GYRE_VERIFY_TELL_CHANGES_H
#define GYRE_VERIFY_TELL_CHANGES_H

#include "base/vec.h"
#include "verify/tell/naming.h"

typedef enum {
    GY_CHANGE_VALUE,       // a variable: old and new value
    GY_CHANGE_CONTENTS,    // of a channel: old and new messages
    GY_CHANGE_STARTS,      // a process
    GY_CHANGE_ENDS,        // a process
    GY_CHANGE_NEW_CHANNEL, // a local channel was made
} gy_change_kind;

typedef struct gy_change {
    gy_change_kind kind;
    char *name;         // x, user(1):x, q, user(2)
    const char *bare;   // the same without the process, inside `name`
    int32_t pid;        // the process that owns the variable, or -1
    gy_type_kind type;  // VALUE
    char *before, *now; // VALUE and CONTENTS: as text
    int32_t old_value, new_value;
} gy_change;

typedef struct gy_changes {
    GY_VEC(gy_change) list;
} gy_changes;

void gy_changes_find(gy_changes *changes, const gy_scene *before, const gy_scene *now);
void gy_changes_clear(gy_changes *changes);
void gy_changes_free(gy_changes *changes);
// "x: 1 → 2" as process `reader` would say it.
void gy_change_text(const gy_change *change, int32_t reader, gy_text *out);

#endif
