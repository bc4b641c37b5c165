// A record of names: what a text defines, and each place where it is used. For those who show a
// model to people while they write it (src/serve); a front end fills it only if its input asks for
// that (gy_front_end_input.names), and reading a model for anything else costs nothing more.
//
// A definition is found again by a key, any address that belongs to it while the model is read.
// What a macro or an inline stands for is recorded once for each of its uses, with places that tell
// so: one and the same written word may stand for several things. A name that a definition with
// errors leaves behind may be missing; nothing here is trusted for the meaning of a model. Owner:
// the record owns its texts; places are those of the sources that the model was read with. One
// thread at a time.
#ifndef GYRE_LANG_NAMES_H
#define GYRE_LANG_NAMES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/source.h"
#include "base/vec.h"

typedef enum {
    GY_NAME_MACRO,
    GY_NAME_TYPE,
    GY_NAME_FIELD,
    GY_NAME_CONSTANT, // of an mtype
    GY_NAME_GLOBAL,
    GY_NAME_PARAMETER,
    GY_NAME_LOCAL,
    GY_NAME_BUILTIN, // predefined: it has no place
    GY_NAME_PROCESS,
    GY_NAME_CLAIM, // never, trace
    GY_NAME_INLINE,
    GY_NAME_ARGUMENT, // a parameter of an inline
    GY_NAME_LABEL,
    GY_NAME_PROPERTY, // ltl
    GY_NAME_KINDS
} gy_name_kind;

enum { GY_NO_NAME = UINT32_MAX };

typedef struct gy_name {
    gy_name_kind kind;
    const char *text;
    gy_location place;
    const char
        *type; // how it would be declared, its own name left out after it: "byte", "proctype"
    const char
        *suffix; // what follows the name there: "[4]", "(byte id; chan c)", " 4" of a macro; or ""
    const char **params; // of what is called or sent to: one text each, as declared
    uint32_t param_count;
    uint32_t owner; // number of the process, type or inline that it belongs to, or GY_NO_NAME
    bool channel;
    bool called; // an inline that was
} gy_name;

typedef enum {
    GY_USE_DEFINED,
    GY_USE_READ,
    GY_USE_WRITTEN,
    GY_USE_SENT, // to a channel
    GY_USE_RECEIVED,
    GY_USE_CALLED, // run, an inline, a macro, a label that is gone to
} gy_name_role;

typedef struct gy_name_use {
    uint32_t name; // number
    gy_location place;
    uint32_t length;
    gy_name_role role;
    uint32_t process; // in which it is: number, or GY_NO_NAME
    bool guessed;     // in text that nothing calls: what it seems to mean
} gy_name_use;

// What an argument is given for: the name or type of a parameter or of a field of a message.
typedef struct gy_name_argument {
    gy_location place;
    const char *label;
} gy_name_argument;

typedef struct gy_names {
    gy_arena *arena;
    GY_VEC(gy_name) list;
    GY_VEC(const void *) keys; // of each
    GY_VEC(gy_name_use) uses;
    GY_VEC(gy_name_argument) arguments;
    gy_map map;
    uint32_t process; // being read, or GY_NO_NAME
} gy_names;

void gy_names_init(gy_names *names);
void gy_names_free(gy_names *names);

// Its number. `name` is copied but for its texts, which must live as long as the record (its
// arena).
uint32_t gy_names_define(gy_names *names, const void *key, const gy_name *name, uint32_t length);
// GY_NO_NAME: nothing was defined under this key.
uint32_t gy_names_find(const gy_names *names, const void *key);
void gy_names_use(gy_names *names, const void *key, gy_location place, uint32_t length,
                  gy_name_role role);
// The use at this place, recorded shortly before, has turned out to be this.
void gy_names_become(gy_names *names, gy_location place, gy_name_role role);

#endif
