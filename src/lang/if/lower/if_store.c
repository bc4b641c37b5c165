// Variables: where the parts of a value live in the model, and what they hold at first.
#include "lang/common/variable_parts.h"
#include "lang/if/lower/if_lower.h"

// On the path to a scalar.
typedef struct way {
    gy_part part;
    if_home home;
    int32_t tmpl;
} way;

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
        return gy_type_between(type->low, type->high);
    }
}

static if_store *new_scalar(if_lowering *l, const if_type *type, const way *w)
{
    if_store *store = GY_NEW(l->model->arena, if_store);
    gy_variable var = gy_part_variable(&w->part, l->model->arena, if_scalar_type(l, type));
    if (w->home == IF_LOCAL)
        var.owner = w->tmpl;
    var.hidden = var.momentary = w->home == IF_HIDDEN;
    if (type->kind != IF_BOOLEAN)
        gy_variable_between(&var, type->low, type->high);
    *store = (if_store){.type = type, .count = w->part.count};
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
    gy_arena *arena = l->model->arena;
    way in = *w;
    if (type->kind == IF_ARRAY) {
        store->parts = GY_NEW_ARRAY(arena, if_store *, 1);
        if (in.part.dim_count == GY_PART_MOST_DIMS) {
            if_too_large(l, in.part.place);
            in.part.dim_count--;
        }
        gy_part_add_dimension(&in.part, arena, type->count, index_names(l, type), true);
        store->parts[0] = new_store(l, type->item, &in);
        return store;
    }
    store->parts = GY_NEW_ARRAY(arena, if_store *, type->count + 1);
    for (uint32_t i = 0; i < type->count; i++) {
        in.part = gy_part_member(&w->part, arena, type->names[i].name);
        store->parts[i] = new_store(l, type->types[i], &in);
    }
    return store;
}

if_store *if_new_store(if_lowering *l, const if_type *type, const char *name, gy_location place,
                       if_home home, int32_t tmpl)
{
    const char *own = gy_arena_strdup(l->model->arena, name);
    way w = {{.name = own, .format = own, .place = place, .count = 1}, home, tmpl};
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
