// Variables: where the parts of a value live in the model, and what they hold at first.
#include "lang/if/lower/if_lower.h"

enum { MOST_DIMS = 8 };

// On the way to a scalar: the text so far, and the dimensions.
typedef struct way {
    const char *name, *format;
    uint32_t dims[MOST_DIMS], dim_count, count;
    const char *const *names[MOST_DIMS]; // of the indices, or NULL: numbers from 0
    bool named;
    gy_place place;
    if_home home;
    int32_t tmpl;
} way;

static uint8_t bits_for(int64_t low, int64_t high)
{
    uint8_t bits = 1;
    while (bits < 32 &&
           (low < 0 ? (low < -(INT64_C(1) << (bits - 1)) || high >= INT64_C(1) << (bits - 1))
                    : high >= INT64_C(1) << bits))
        bits++;
    return bits;
}

static const char *subtype_of(if_lowering *l, const if_type *type)
{
    for (size_t i = 0; i < l->named.n; i++)
        if (l->named.at[i] == type)
            return l->subtypes.at[i];
    const char *name = type->name ? type->name : "enum";
    for (size_t i = 0; i < l->subtypes.n; i++)
        if (strcmp(l->subtypes.at[i], name) == 0)
            name = gy_arena_printf(l->model->arena, "%s'", name);
    gy_vec_push(&l->named, type);
    gy_vec_push(&l->subtypes, name);
    for (uint32_t i = 0; type->kind == IF_ENUM && i < type->count; i++) {
        gy_mtype_name member = {type->names[i].name, name, (int32_t)i + 1};
        gy_vec_push(&l->names, member);
    }
    return name;
}

gy_type if_scalar_type(if_lowering *l, const if_type *type)
{
    switch (type->kind) {
    case IF_BOOLEAN:
        return gy_type_of(GY_BOOL);
    case IF_ENUM:
        return (gy_type){GY_MTYPE, 8, false, subtype_of(l, type)};
    case IF_PID:
        return (gy_type){GY_MTYPE, 8, false, "pid"};
    default:
        return gy_type_bits(bits_for(type->low, type->high), type->low < 0);
    }
}

static if_store *new_scalar(if_lowering *l, const if_type *type, const way *w)
{
    gy_arena *arena = l->model->arena;
    if_store *store = GY_NEW(arena, if_store);
    gy_variable var = {.name = w->name, .format = w->format, .place = w->place};
    var.type = if_scalar_type(l, type);
    var.owner = w->home == IF_LOCAL ? w->tmpl : GY_NONE;
    var.count = w->count;
    var.is_array = w->dim_count > 0;
    var.dims = GY_NEW_ARRAY(arena, uint32_t, w->dim_count + 1);
    memcpy(var.dims, w->dims, w->dim_count * sizeof *var.dims);
    var.dims[w->dim_count] = 1;
    var.dim_count = w->dim_count;
    var.hidden = var.momentary = w->home == IF_HIDDEN;
    if (w->named) {
        var.index_names = GY_NEW_ARRAY(arena, const char *const *, w->dim_count);
        memcpy(var.index_names, w->names, w->dim_count * sizeof *var.index_names);
    }
    gy_type_range(var.type, &var.min, &var.max);
    if (type->kind != IF_BOOLEAN) { // 0 is there before the first assignment
        var.min = type->low < 0 ? type->low : 0;
        var.max = type->high > 0 ? type->high : 0;
    }
    *store = (if_store){.type = type, .count = w->count};
    store->var = gy_build_add_variable(l->b, &var);
    return store;
}

static const char *const *index_names(if_lowering *l, const if_type *type)
{
    if (type->low == 0)
        return NULL;
    const char **names = GY_NEW_ARRAY(l->model->arena, const char *, type->count);
    for (uint32_t i = 0; i < type->count; i++)
        names[i] = gy_arena_printf(l->model->arena, "%d", type->low + (int32_t)i);
    return names;
}

static if_store *new_store(if_lowering *l, const if_type *type, const way *w)
{
    if (type->kind != IF_ARRAY && type->kind != IF_RECORD)
        return new_scalar(l, type, w);
    if_store *store = GY_NEW(l->model->arena, if_store);
    store->type = type;
    way in = *w;
    if (type->kind == IF_ARRAY) {
        store->parts = GY_NEW_ARRAY(l->model->arena, if_store *, 1);
        if (w->dim_count == MOST_DIMS) {
            if_too_large(l, w->place);
            in.dim_count--;
        }
        in.names[in.dim_count] = index_names(l, type);
        in.named = in.named || in.names[in.dim_count];
        in.dims[in.dim_count++] = type->count;
        in.count *= type->count;
        in.format = gy_arena_printf(l->model->arena, "%s[%%]", w->format);
        store->parts[0] = new_store(l, type->item, &in);
        return store;
    }
    store->parts = GY_NEW_ARRAY(l->model->arena, if_store *, type->count + 1);
    for (uint32_t i = 0; i < type->count; i++) {
        in.name = gy_arena_printf(l->model->arena, "%s.%s", w->name, type->names[i].name);
        in.format = gy_arena_printf(l->model->arena, "%s.%s", w->format, type->names[i].name);
        store->parts[i] = new_store(l, type->types[i], &in);
    }
    return store;
}

if_store *if_new_store(if_lowering *l, const if_type *type, const char *name, gy_place place,
                       if_home home, int32_t tmpl)
{
    way w = {.name = gy_arena_strdup(l->model->arena, name), .place = place, .count = 1};
    w.format = w.name;
    w.home = home;
    w.tmpl = tmpl;
    return new_store(l, type, &w);
}

int32_t if_new_variable(if_lowering *l, const char *name, gy_type type, uint32_t count,
                        gy_range range)
{
    l->b->place = l->place;
    int32_t var = gy_build_variable(l->b, GY_NONE, name, type, count);
    gy_built_variable(l->b, var)->min = range.min;
    gy_built_variable(l->b, var)->max = range.max;
    return var;
}

int32_t if_default(const if_type *type)
{
    if (type->kind == IF_BOOLEAN)
        return 0;
    return type->low > 0 ? type->low : type->high < 0 ? type->low : 0;
}

void if_reset(if_lowering *l, const if_store *store, const if_symbol *symbol, bool all)
{
    for (uint32_t k = 0; k < store->type->cells; k++) {
        int32_t value = symbol && symbol->value ? symbol->value->value
                                                : if_default(if_cell_type(store->type, k));
        if (!value && !all)
            continue;
        gy_field field = if_store_cell(l, store, k);
        gy_action *action = if_action(l, GY_A_ASSIGN);
        action->var = field.var;
        action->index = field.index;
        action->expr = if_const(l, value);
    }
}
