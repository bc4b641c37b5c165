// Variables: where the parts of a value live in the model, and storing one.
#include "lang/common/variable_parts.h"
#include "lang/riscal/lower/rsc_value.h"

// On the path to a leaf.
typedef struct way {
    gy_part part;
    bool hidden;
} way;

static gy_type type_of(const rsc_type *type)
{
    if (type->kind == RSC_BOOL || type->kind == RSC_SET)
        return gy_type_of(GY_BOOL);
    if (type->kind == RSC_ENUM)
        return (gy_type){GY_MTYPE, 8, false, type->name};
    return gy_type_between(type->low, type->high);
}

static rsc_store *new_leaf(rsc_lowering *l, const rsc_type *type, const way *w)
{
    rsc_store *store = GY_NEW(l->arena, rsc_store);
    gy_variable var = gy_part_variable(&w->part, l->model->arena, type_of(type));
    var.hidden = var.momentary = w->hidden;
    var.is_set = type->kind == RSC_SET;
    if (type->kind == RSC_INT || type->kind == RSC_ENUM)
        gy_variable_between(&var, type->low, type->high);
    *store = (rsc_store){.type = type, .count = w->part.count};
    store->var = gy_build_add_variable(l->b, &var);
    return store;
}

// What selects the parts of this type, where it is more than a number from 0 on.
static const char *const *index_names(rsc_lowering *l, const rsc_type *type)
{
    const rsc_type *by = type->kind == RSC_MAP ? type->key : type->item;
    if (type->kind == RSC_ARRAY || (by->kind == RSC_INT && by->low == 0))
        return NULL;
    const char **names = GY_NEW_ARRAY(l->model->arena, const char *, type->count);
    for (uint32_t i = 0; i < type->count; i++) {
        gy_text text = {0};
        rsc_code_text(by, i, &text);
        names[i] = gy_arena_strdup(l->model->arena, gy_text_str(&text));
        gy_text_free(&text);
    }
    return names;
}

static way deeper(rsc_lowering *l, const way *w, const rsc_type *type)
{
    way in = *w;
    if (in.part.dim_count == GY_PART_MOST_DIMS ||
        (uint64_t)in.part.count * type->count > RSC_MOST_LEAVES) {
        rsc_too_large(l, in.part.place, "this variable has too many parts");
        return in;
    }
    gy_part_add_dimension(&in.part, l->model->arena, type->count, index_names(l, type),
                          type->kind != RSC_SET);
    return in;
}

static rsc_store *new_store(rsc_lowering *l, const rsc_type *type, const way *w)
{
    if (rsc_is_scalar(type))
        return new_leaf(l, type, w);
    way in = *w;
    if (type->kind != RSC_TUPLE && type->kind != RSC_RECORD)
        in = deeper(l, w, type);
    if (type->kind == RSC_SET)
        return new_leaf(l, type, &in);
    rsc_store *store = GY_NEW(l->arena, rsc_store);
    store->type = type;
    store->part_count = rsc_is_list(type) ? 1 : type->count;
    store->parts = GY_NEW_ARRAY(l->arena, rsc_store *, store->part_count);
    if (rsc_is_list(type)) {
        store->parts[0] = new_store(l, type->item, &in);
        return store;
    }
    for (uint32_t i = 0; i < type->count; i++) {
        const char *member =
            type->names ? type->names[i] : gy_arena_printf(l->model->arena, "%u", i + 1);
        in.part = gy_part_member(&w->part, l->model->arena, member);
        store->parts[i] = new_store(l, type->items[i], &in);
    }
    return store;
}

rsc_store *rsc_new_store(rsc_lowering *l, const rsc_type *type, const char *name, gy_location place,
                         bool hidden)
{
    way w = {{.name = name, .format = name, .count = 1, .place = place}, hidden};
    return new_store(l, type, &w);
}

// ---- storing ------------------------------------------------------------------------------------

typedef GY_VEC(gy_field) field_list;

// Is this just what is there already?
static bool reads_itself(const gy_expr *value, int32_t var, const gy_expr *index)
{
    return value->op == GY_E_VAR && value->var == var &&
           (value->a == index || (value->a && index && value->a->op == GY_E_CONST &&
                                  index->op == GY_E_CONST && value->a->value == index->value));
}

static void store_leaf(rsc_lowering *l, field_list *fields, const rsc_store *store, gy_expr *at,
                       gy_expr *value)
{
    gy_expr *index = at ? rsc_check_index(l, at, store->count) : NULL;
    if (reads_itself(value, store->var, index))
        return;
    gy_field field = {.kind = GY_FIELD_STORE, .var = store->var};
    field.expr = rsc_own(l, value);
    field.index = index ? rsc_own(l, index) : NULL;
    gy_vec_push(fields, field);
}

static gy_expr *part_index(rsc_lowering *l, gy_expr *at, uint32_t count, uint32_t i)
{
    gy_expr *k = rsc_const(l, (int32_t)i);
    if (!at)
        return k;
    return rsc_binary(l, GY_E_ADD, rsc_binary(l, GY_E_MUL, at, rsc_const(l, (int32_t)count)), k);
}

static void store_parts(rsc_lowering *l, field_list *fields, const rsc_store *store, gy_expr *at,
                        const rsc_value *value)
{
    const rsc_type *type = store->type;
    if (rsc_is_scalar(type)) {
        store_leaf(l, fields, store, at, value->scalar);
        return;
    }
    for (uint32_t i = 0; i < type->count && !l->failed; i++) {
        const rsc_value *part = rsc_part(l, value, i);
        if (type->kind == RSC_SET)
            store_leaf(l, fields, store, part_index(l, at, type->count, i), part->scalar);
        else if (rsc_is_list(type))
            store_parts(l, fields, store->parts[0], part_index(l, at, type->count, i), part);
        else
            store_parts(l, fields, store->parts[i], at, part);
    }
}

void rsc_store_value(rsc_lowering *l, const rsc_store *store, gy_expr *at, const rsc_value *value)
{
    field_list fields = {0};
    store_parts(l, &fields, store, at, rsc_convert(l, value, store->type));
    l->b->place = l->place;
    if (fields.n == 1) {
        gy_action *action = gy_build_action_in(l->b, l->effect, GY_A_ASSIGN);
        action->var = fields.at[0].var;
        action->index = fields.at[0].index;
        action->expr = fields.at[0].expr;
    } else if (fields.n) {
        gy_action *action = gy_build_action_in(l->b, l->effect, GY_A_ASSIGN_ALL);
        action->field_count = (uint32_t)fields.n;
        action->fields = GY_NEW_ARRAY(l->model->arena, gy_field, fields.n);
        memcpy(action->fields, fields.at, fields.n * sizeof *action->fields);
    }
    gy_vec_free(&fields);
}
