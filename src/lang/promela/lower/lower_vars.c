// Variables: structures are flattened into one array per scalar member.
#include "lang/promela/lower/lower_internal.h"

#include <string.h>

gy_type lower_type(const pml_type *type)
{
    static const gy_type_kind kinds[] = {
        [PML_TY_BIT] = GY_BIT,     [PML_TY_BOOL] = GY_BOOL,   [PML_TY_BYTE] = GY_BYTE,
        [PML_TY_PID] = GY_PID,     [PML_TY_SHORT] = GY_SHORT, [PML_TY_INT] = GY_INT,
        [PML_TY_MTYPE] = GY_MTYPE, [PML_TY_CHAN] = GY_CHAN,
    };
    if (type->kind == PML_TY_UNSIGNED)
        return gy_type_bits(type->width, false);
    if (type->kind == PML_TY_STRUCT)
        return gy_type_of(GY_BYTE);
    gy_type lowered = gy_type_of(kinds[type->kind]);
    lowered.subtype = type->kind == PML_TY_MTYPE ? type->subtype : NULL;
    return lowered;
}

// What a variable can hold. Only a scalar bit of the state is a single bit: the elements of an
// array of bits, and what is hidden, are whole bytes in Spin's verifier.
static gy_type variable_type(const pml_var *var, bool hidden)
{
    gy_type type = lower_type(&var->type);
    bool is_bit = type.kind == GY_BIT || type.kind == GY_BOOL;
    if ((is_bit && (var->is_array || hidden)) || (hidden && type.kind == GY_UNSIGNED))
        type.width = 8;
    return type;
}

// Values that the variables of all processes and globals may have together: more would not fit
// any search, and nested structures can make any number of them.
enum { MAX_ELEMENTS = 1000000 };

// The way down from a variable to a leaf: names, and dimensions where there are arrays.
typedef struct path {
    const char *name, *format, *records;
    uint32_t dims[32];
    uint32_t dim_count, count;
} path;

static path extend(lowering *l, const path *parent, const pml_var *var)
{
    path p = parent ? *parent : (path){"", "", NULL, {0}, 0, 1};
    const char *dot = parent ? "." : "";
    p.name = gy_arena_printf(l->arena, "%s%s%s", p.name, dot, var->name);
    p.format =
        gy_arena_printf(l->arena, "%s%s%s%s", p.format, dot, var->name, var->is_array ? "[%]" : "");
    if (var->is_array && p.dim_count < 32) {
        p.dims[p.dim_count++] = var->count;
        p.count *= var->count;
    }
    if (p.count > MAX_ELEMENTS)
        p.count = MAX_ELEMENTS + 1;
    return p;
}

static lowered_var *flatten(lowering *l, const pml_var *var, const pml_var *root, int32_t owner,
                            const path *parent)
{
    lowered_var *lowered = GY_NEW(l->arena, lowered_var);
    lowered->decl = var;
    lowered->var = GY_NONE;
    if (l->too_large)
        return lowered;
    path p = extend(l, parent, var);
    l->elements += p.count;
    if (l->elements > MAX_ELEMENTS) {
        gy_error(l->tree->diags, root->place,
                 "`%s` makes the state too large (more than %d values)", root->name, MAX_ELEMENTS);
        l->too_large = true;
        return lowered;
    }
    if (var->type.kind == PML_TY_STRUCT) {
        const pml_typedef *record = var->type.record;
        p.records =
            p.records ? gy_arena_printf(l->arena, "%s.%s", p.records, record->name) : record->name;
        lowered->members = GY_NEW_ARRAY(l->arena, lowered_var *, record->member_count);
        for (uint32_t i = 0; i < record->member_count; i++)
            lowered->members[i] = flatten(l, record->members[i], root, owner, &p);
        return lowered;
    }
    gy_variable v = {.name = p.name,
                     .format = p.format,
                     .records = p.records,
                     .place = root->place,
                     .owner = owner};
    v.type = variable_type(var, root->visibility == PML_VIS_HIDDEN);
    v.count = p.count;
    v.is_array = p.dim_count > 0;
    v.dim_count = p.dim_count;
    v.dims = GY_NEW_ARRAY(l->arena, uint32_t, p.dim_count);
    memcpy(v.dims, p.dims, p.dim_count * sizeof *v.dims);
    v.is_param = root->role == PML_VAR_PARAM;
    v.hidden = root->visibility == PML_VIS_HIDDEN;
    gy_type_range(v.type, &v.min, &v.max);
    lowered->var = gy_build_add_variable(l->build, &v);
    return lowered;
}

void lower_variable(lowering *l, pml_var *var, int32_t owner)
{
    var->lowered = flatten(l, var, var, owner, NULL);
}

// ---- initialisers ---------------------------------------------------------------------

// Messages with structures carry all their members.
static void flatten_fields(const pml_type *type, uint32_t times, gy_type **fields, uint32_t *n,
                           gy_arena *arena)
{
    for (uint32_t t = 0; t < times; t++) {
        if (type->kind == PML_TY_STRUCT) {
            for (uint32_t i = 0; i < type->record->member_count; i++) {
                const pml_var *member = type->record->members[i];
                flatten_fields(&member->type, member->count, fields, n, arena);
            }
            continue;
        }
        *fields = gy_arena_grow(arena, *fields, *n * sizeof **fields, (*n + 1) * sizeof **fields);
        (*fields)[(*n)++] = lower_type(type);
    }
}

static int32_t channel_type(lowering *l, const pml_var *var, const char *name, int32_t owner)
{
    const pml_chan_init *init = var->chan;
    gy_channel_type type = {0};
    type.capacity = init->capacity > 0 ? (uint32_t)init->capacity : 0;
    for (uint32_t i = 0; i < init->field_count; i++)
        flatten_fields(&init->fields[i], 1, &type.fields, &type.field_count, l->arena);
    // The only field of a message is a byte at least, in Spin's verifier.
    if (type.field_count == 1 && type.fields[0].width < 8)
        type.fields[0].width = 8;
    if ((uint64_t)type.capacity * (type.field_count ? type.field_count : 1) > MAX_ELEMENTS) {
        gy_error(l->tree->diags, init->place, "channel `%s` is too large (more than %d values)",
                 var->name, MAX_ELEMENTS);
        type.capacity = 1;
    }
    l->build->place = init->place;
    return gy_build_channel_type(l->build, owner, name, type.capacity, type.fields,
                                 type.field_count);
}

static bool is_zero(const gy_expr *expr)
{
    return expr->op == GY_E_CONST && expr->value == 0;
}

// Elements first, first + step … of one leaf: `count` of them share the initialiser.
static void init_leaf(lowering *l, const lowered_var *leaf_var, uint32_t first, uint32_t count,
                      action_list *actions)
{
    const pml_var *decl = leaf_var->decl;
    const gy_variable *v = gy_built_variable(l->build, leaf_var->var);
    bool is_array = v->is_array;
    int32_t type = GY_NONE;
    if (decl->chan)
        type = channel_type(l, decl, v->name, v->owner);
    for (uint32_t i = 0; i < count; i++) {
        gy_action action = {.place = decl->place, .var = leaf_var->var, .tmpl = GY_NONE};
        action.index = is_array ? new_const(l, decl->place, (int32_t)(first + i)) : NULL;
        if (decl->chan) {
            action.kind = GY_A_NEW_CHANNEL;
            action.channel_type = type;
        } else {
            const pml_expr *init = decl->init;
            if (decl->list && decl->list_count) // a short list repeats its last value
                init = decl->list[i < decl->list_count ? i : decl->list_count - 1];
            if (!init)
                return;
            action.kind = GY_A_ASSIGN;
            action.expr = lower_expr(l, init);
            if (is_zero(action.expr))
                continue;
        }
        gy_vec_push(actions, action);
    }
}

static void init_tree(lowering *l, const lowered_var *lowered, uint32_t first, action_list *actions)
{
    uint32_t count = lowered->decl->is_array ? lowered->decl->count : 1;
    if (lowered->var != GY_NONE) {
        init_leaf(l, lowered, first * count, count, actions);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 0; m < lowered->decl->type.record->member_count; m++)
            init_tree(l, lowered->members[m], first * count + i, actions);
}

void lower_initialiser(lowering *l, const pml_var *var, action_list *actions)
{
    if (var->role != PML_VAR_BUILTIN)
        init_tree(l, var->lowered, 0, actions);
}
