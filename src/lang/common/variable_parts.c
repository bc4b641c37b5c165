#include "lang/common/variable_parts.h"

#include "model/build.h"

#include <string.h>

void gy_part_add_dimension(gy_part *part, gy_arena *arena, uint32_t count, const char *const *names,
                           bool shown)
{
    part->names[part->dim_count] = names;
    part->named = part->named || names;
    part->dims[part->dim_count++] = count;
    part->count *= count;
    if (shown)
        part->format = gy_arena_printf(arena, "%s[%%]", part->format);
}

gy_part gy_part_member(const gy_part *of, gy_arena *arena, const char *member)
{
    gy_part part = *of;
    part.name = gy_arena_printf(arena, "%s.%s", of->name, member);
    part.format = gy_arena_printf(arena, "%s.%s", of->format, member);
    return part;
}

gy_variable gy_part_variable(const gy_part *part, gy_arena *arena, gy_type type)
{
    uint32_t n = part->dim_count;
    gy_variable var = {.name = part->name,
                       .format = part->format,
                       .place = part->place,
                       .type = type,
                       .owner = GY_NONE,
                       .count = part->count,
                       .is_array = n > 0,
                       .dim_count = n};
    var.dims = GY_NEW_ARRAY(arena, uint32_t, n + 1);
    memcpy(var.dims, part->dims, n * sizeof *var.dims);
    var.dims[n] = 1;
    if (part->named) {
        var.index_names = GY_NEW_ARRAY(arena, const char *const *, n);
        memcpy(var.index_names, part->names, n * sizeof *var.index_names);
    }
    gy_type_range(type, &var.min, &var.max);
    return var;
}

gy_type gy_type_between(int64_t low, int64_t high)
{
    uint8_t bits = 1;
    while (bits < 32 &&
           (low < 0 ? (low < -(INT64_C(1) << (bits - 1)) || high >= INT64_C(1) << (bits - 1))
                    : high >= INT64_C(1) << bits))
        bits++;
    return gy_type_bits(bits, low < 0);
}

void gy_variable_between(gy_variable *var, int64_t low, int64_t high)
{
    var->min = low < 0 ? (int32_t)low : 0;
    var->max = high > 0 ? (int32_t)high : 0;
}
