// Types of RISCAL with all bounds known: finite sets of values, each value of which has a code from
// 0 to one less than their number. Immutable once made; in the arena of the file.
#ifndef GYRE_LANG_RISCAL_CHECK_RSC_TYPE_H
#define GYRE_LANG_RISCAL_CHECK_RSC_TYPE_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    RSC_BOOL,
    RSC_INT,
    RSC_ENUM,
    RSC_ARRAY,
    RSC_MAP,
    RSC_SET,
    RSC_TUPLE,
    RSC_RECORD,
} rsc_type_kind;

typedef struct rsc_type {
    rsc_type_kind kind;
    int64_t low, high;           // INT; ENUM: 1 .. count (0 is none of its values)
    const struct rsc_type *key;  // MAP
    const struct rsc_type *item; // ARRAY, MAP, SET
    const struct rsc_type **items;
    const char **names; // RECORD, ENUM
    uint32_t count;     // parts of a value: elements, fields, possible members; ENUM: values
    const char *name;   // ENUM
    uint64_t values;    // how many there are; RSC_MANY: more than anybody counts
    uint32_t leaves;    // scalars that a value is made of
} rsc_type;

#define RSC_MANY (UINT64_C(1) << 40)
enum {
    RSC_MOST_PARTS = 4096,   // of an array, map or set
    RSC_MOST_LEAVES = 16384, // of any value
    RSC_MOST_VALUES = 65536, // that a quantifier, loop or choice goes through
};

extern const rsc_type rsc_bool;

static inline bool rsc_is_scalar(const rsc_type *type)
{
    return type->kind <= RSC_ENUM;
}
static inline bool rsc_is_list(const rsc_type *type)
{
    return type->kind == RSC_ARRAY || type->kind == RSC_MAP;
}

const rsc_type *rsc_int_type(gy_arena *arena, int64_t low, int64_t high);
// NULL: more parts or leaves than there may be.
const rsc_type *rsc_array_type(gy_arena *arena, const rsc_type *item, uint64_t count);
const rsc_type *rsc_map_type(gy_arena *arena, const rsc_type *key, const rsc_type *item);
const rsc_type *rsc_set_type(gy_arena *arena, const rsc_type *item);
// A tuple; with names a record.
const rsc_type *rsc_tuple_type(gy_arena *arena, const rsc_type **items, const char **names,
                               uint32_t count);

// Is a value of one sort with a value of the other? Bounds of numbers do not matter.
bool rsc_same_sort(const rsc_type *a, const rsc_type *b);
// Is every value of `a` one of `b`, and written alike?
bool rsc_is_within(const rsc_type *a, const rsc_type *b);
bool rsc_same_type(const rsc_type *a, const rsc_type *b);
// The least type with the values of both, which are of one sort. NULL: too large.
const rsc_type *rsc_join(gy_arena *arena, const rsc_type *a, const rsc_type *b);
// Of part number i of a value.
const rsc_type *rsc_part_type(const rsc_type *type, uint32_t i);
// -1: there is none of that name.
int32_t rsc_find_member(const rsc_type *type, const char *name);
void rsc_type_text(const rsc_type *type, gy_text *out); // "ℕ[3]", "Set[ℕ[2]]"
// The value with this code, as it is written.
void rsc_code_text(const rsc_type *type, uint64_t code, gy_text *out);

#endif
