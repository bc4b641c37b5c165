#include "lang/riscal/check/rsc_type.h"

#include <string.h>

const rsc_type rsc_bool = {.kind = RSC_BOOL, .high = 1, .values = 2, .leaves = 1};

static uint64_t times(uint64_t a, uint64_t b)
{
    return a && b > RSC_MANY / a ? RSC_MANY : a * b;
}

static uint64_t to_the(uint64_t base, uint64_t exponent)
{
    uint64_t power = 1;
    for (uint64_t i = 0; i < exponent && power < RSC_MANY && base != 1; i++)
        power = times(power, base);
    return power;
}

const rsc_type *rsc_int_type(gy_arena *arena, int64_t low, int64_t high)
{
    rsc_type *type = GY_NEW(arena, rsc_type);
    *type = (rsc_type){.kind = RSC_INT, .low = low, .high = high, .leaves = 1};
    type->values = high < low ? 0 : (uint64_t)(high - low) + 1;
    return type;
}

static rsc_type *list_type(gy_arena *arena, rsc_type_kind kind, const rsc_type *item,
                           uint64_t count)
{
    uint64_t leaves =
        count > RSC_MOST_PARTS ? RSC_MANY : count * (kind == RSC_SET ? 1 : item->leaves);
    if (leaves > RSC_MOST_LEAVES)
        return NULL;
    rsc_type *type = GY_NEW(arena, rsc_type);
    *type = (rsc_type){.kind = kind, .item = item, .count = (uint32_t)count};
    type->leaves = (uint32_t)leaves;
    type->values = to_the(kind == RSC_SET ? 2 : item->values, count);
    return type;
}

const rsc_type *rsc_array_type(gy_arena *arena, const rsc_type *item, uint64_t count)
{
    return list_type(arena, RSC_ARRAY, item, count);
}

const rsc_type *rsc_map_type(gy_arena *arena, const rsc_type *key, const rsc_type *item)
{
    rsc_type *type = list_type(arena, RSC_MAP, item, key->values);
    if (type)
        type->key = key;
    return type;
}

const rsc_type *rsc_set_type(gy_arena *arena, const rsc_type *item)
{
    return list_type(arena, RSC_SET, item, item->values);
}

const rsc_type *rsc_tuple_type(gy_arena *arena, const rsc_type **items, const char **names,
                               uint32_t count)
{
    rsc_type *type = GY_NEW(arena, rsc_type);
    *type = (rsc_type){.kind = names ? RSC_RECORD : RSC_TUPLE, .items = items, .count = count};
    type->names = names;
    type->values = 1;
    for (uint32_t i = 0; i < count; i++) {
        type->values = times(type->values, items[i]->values);
        type->leaves += items[i]->leaves;
        if (type->leaves > RSC_MOST_LEAVES)
            return NULL;
    }
    return type;
}

const rsc_type *rsc_part_type(const rsc_type *type, uint32_t i)
{
    return type->kind == RSC_SET ? &rsc_bool : rsc_is_list(type) ? type->item : type->items[i];
}

int32_t rsc_find_member(const rsc_type *type, const char *name)
{
    for (uint32_t i = 0; type->names && i < type->count; i++)
        if (strcmp(type->names[i], name) == 0)
            return (int32_t)i;
    return -1;
}

// ---- comparing --------------------------------------------------------------------------------

typedef enum { SORT, WITHIN, SAME } comparison;

static bool compare(const rsc_type *a, const rsc_type *b, comparison how)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case RSC_BOOL:
        return true;
    case RSC_INT:
        return how == SORT || (how == WITHIN && a->low >= b->low && a->high <= b->high) ||
               (a->low == b->low && a->high == b->high);
    case RSC_ENUM:
        return false; // each is one of its own
    case RSC_SET:     // the codes of members must agree
        return compare(a->item, b->item, how == SORT ? SORT : SAME);
    case RSC_MAP:
        return compare(a->key, b->key, SAME) && compare(a->item, b->item, how);
    case RSC_ARRAY:
        return a->count == b->count && compare(a->item, b->item, how);
    case RSC_TUPLE:
    case RSC_RECORD:
        if (a->count != b->count)
            return false;
        for (uint32_t i = 0; i < a->count; i++)
            if (!compare(a->items[i], b->items[i], how) ||
                (a->names && strcmp(a->names[i], b->names[i]) != 0))
                return false;
        return true;
    }
    return false;
}

bool rsc_same_sort(const rsc_type *a, const rsc_type *b)
{
    return compare(a, b, SORT);
}

bool rsc_is_within(const rsc_type *a, const rsc_type *b)
{
    return compare(a, b, WITHIN);
}

bool rsc_same_type(const rsc_type *a, const rsc_type *b)
{
    return compare(a, b, SAME);
}

static const rsc_type *join_items(gy_arena *arena, const rsc_type *a, const rsc_type *b)
{
    const rsc_type **items = GY_NEW_ARRAY(arena, const rsc_type *, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        if (!(items[i] = rsc_join(arena, a->items[i], b->items[i])))
            return NULL;
    return rsc_tuple_type(arena, items, a->names, a->count);
}

const rsc_type *rsc_join(gy_arena *arena, const rsc_type *a, const rsc_type *b)
{
    const rsc_type *item;
    if (rsc_is_within(b, a))
        return a;
    if (rsc_is_within(a, b))
        return b;
    switch (a->kind) {
    case RSC_INT:
        return rsc_int_type(arena, a->low < b->low ? a->low : b->low,
                            a->high > b->high ? a->high : b->high);
    case RSC_SET:
        item = rsc_join(arena, a->item, b->item);
        return item ? rsc_set_type(arena, item) : NULL;
    case RSC_MAP:
        item = rsc_join(arena, a->item, b->item);
        return item ? rsc_map_type(arena, a->key, item) : NULL;
    case RSC_ARRAY:
        item = rsc_join(arena, a->item, b->item);
        return item ? rsc_array_type(arena, item, a->count) : NULL;
    case RSC_TUPLE:
    case RSC_RECORD:
        return join_items(arena, a, b);
    default:
        return a;
    }
}

// ---- for people -------------------------------------------------------------------------------

static void items_text(const rsc_type *type, gy_text *out)
{
    gy_text_add(out, type->names ? "Record[" : "Tuple[");
    for (uint32_t i = 0; i < type->count; i++) {
        gy_text_add(out, i ? ", " : "");
        if (type->names)
            gy_text_printf(out, "%s:", type->names[i]);
        rsc_type_text(type->items[i], out);
    }
    gy_text_char(out, ']');
}

void rsc_type_text(const rsc_type *type, gy_text *out)
{
    switch (type->kind) {
    case RSC_BOOL:
        gy_text_add(out, "Bool");
        return;
    case RSC_INT:
        if (type->low == 0)
            gy_text_printf(out, "ℕ[%lld]", (long long)type->high);
        else
            gy_text_printf(out, "ℤ[%lld,%lld]", (long long)type->low, (long long)type->high);
        return;
    case RSC_ENUM:
        gy_text_add(out, type->name);
        return;
    case RSC_TUPLE:
    case RSC_RECORD:
        items_text(type, out);
        return;
    case RSC_ARRAY:
        gy_text_printf(out, "Array[%u,", type->count);
        break;
    case RSC_MAP:
        gy_text_add(out, "Map[");
        rsc_type_text(type->key, out);
        gy_text_char(out, ',');
        break;
    case RSC_SET:
        gy_text_add(out, "Set[");
        break;
    }
    rsc_type_text(type->item, out);
    gy_text_char(out, ']');
}

static void set_text(const rsc_type *type, uint64_t code, gy_text *out)
{
    bool any = false;
    gy_text_char(out, '{');
    for (uint32_t i = 0; i < type->count && i < 64; i++)
        if (code >> i & 1) {
            gy_text_add(out, any ? "," : "");
            rsc_code_text(type->item, i, out);
            any = true;
        }
    gy_text_char(out, '}');
}

void rsc_code_text(const rsc_type *type, uint64_t code, gy_text *out)
{
    switch (type->kind) {
    case RSC_BOOL:
        gy_text_add(out, code ? "true" : "false");
        return;
    case RSC_INT:
        gy_text_printf(out, "%lld", (long long)(type->low + (int64_t)code));
        return;
    case RSC_ENUM:
        gy_text_add(out, type->names[code]);
        return;
    case RSC_SET:
        set_text(type, code, out);
        return;
    default:
        break;
    }
    const char *const brackets = rsc_is_list(type) ? "[]" : NULL;
    gy_text_add(out, brackets ? "[" : "⟨");
    for (uint32_t i = 0; i < type->count; i++) { // the first part counts least
        const rsc_type *part = rsc_part_type(type, i);
        gy_text_add(out, i ? "," : "");
        if (type->kind == RSC_RECORD)
            gy_text_printf(out, "%s:", type->names[i]);
        rsc_code_text(part, code % part->values, out);
        code /= part->values;
    }
    gy_text_add(out, brackets ? "]" : "⟩");
}
