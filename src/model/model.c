#include "model/model.h"

#include "base/fatal.h"
#include "model/atoms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

gy_model *gy_model_new(void)
{
    gy_arena *arena = gy_arena_new();
    gy_model *model = GY_NEW(arena, gy_model);
    model->arena = arena;
    model->sources = gy_sources_new();
    model->atoms = gy_atoms_new(arena);
    model->trace = GY_NONE;
    return model;
}

void gy_model_free(gy_model *model)
{
    if (!model)
        return;
    gy_sources_free(model->sources);
    gy_atoms_free(model->atoms);
    gy_arena_free(model->arena); // the model itself lives in it
}

gy_expr *gy_expr_new(gy_arena *arena, gy_expr_op op, gy_location place)
{
    gy_expr *expr = GY_NEW(arena, gy_expr);
    expr->op = op;
    expr->place = place;
    expr->var = expr->tmpl = expr->node = GY_NONE;
    return expr;
}

const char *gy_mtype_text(const gy_model *model, const char *subtype, int32_t value)
{
    for (uint32_t i = 0; i < model->mtype_count; i++) {
        const gy_mtype_name *mtype = &model->mtypes[i];
        bool same_set = subtype ? mtype->subtype && strcmp(subtype, mtype->subtype) == 0
                                : mtype->subtype == NULL;
        if (same_set && mtype->value == value)
            return mtype->name;
    }
    return NULL;
}

static void add_index(const gy_variable *var, uint32_t dim, uint32_t index, gy_text *out)
{
    if (var->index_names && var->index_names[dim])
        gy_text_add(out, var->index_names[dim][index]);
    else
        gy_text_printf(out, "%u", index);
}

void gy_variable_name(const gy_variable *var, uint32_t element, gy_text *out)
{
    // The index of each dimension, last one fastest.
    uint32_t left = var->count;
    uint32_t dim = 0;
    for (const char *c = var->format ? var->format : var->name; *c; c++) {
        if (*c != '%' || dim >= var->dim_count) {
            gy_text_char(out, *c);
            continue;
        }
        left /= var->dims[dim] ? var->dims[dim] : 1;
        add_index(var, dim, element / left, out);
        element %= left;
        dim++;
    }
    if (var->is_set) {
        gy_text_add(out, " ∋ ");
        add_index(var, dim, element, out);
    }
}

int32_t gy_type_truncate(gy_type type, int32_t value)
{
    if (type.width >= 32)
        return value;
    uint32_t kept = (uint32_t)value & ((1u << type.width) - 1);
    if (type.is_signed && (kept >> (type.width - 1)) & 1)
        kept |= ~0u << type.width;
    return (int32_t)kept;
}

void gy_type_range(gy_type type, int32_t *min, int32_t *max)
{
    if (type.is_signed || type.width >= 32) {
        *min = type.width >= 32 ? INT32_MIN : -(1 << (type.width - 1));
        *max = type.width >= 32 ? INT32_MAX : (1 << (type.width - 1)) - 1;
    } else {
        *min = 0;
        *max = (int32_t)((1u << type.width) - 1);
    }
}

bool gy_program_is_straight(const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_SELECT || program->actions[i].kind == GY_A_JUMP)
            return false;
    return true;
}

const char *gy_type_text(gy_type type)
{
    static const char *const names[] = {"bit", "bool", "byte",  "pid", "short",
                                        "int", NULL,   "mtype", "chan"};
    static const char *const widths[] = {
        "unsigned : 0",  "unsigned : 1",  "unsigned : 2",  "unsigned : 3",  "unsigned : 4",
        "unsigned : 5",  "unsigned : 6",  "unsigned : 7",  "unsigned : 8",  "unsigned : 9",
        "unsigned : 10", "unsigned : 11", "unsigned : 12", "unsigned : 13", "unsigned : 14",
        "unsigned : 15", "unsigned : 16", "unsigned : 17", "unsigned : 18", "unsigned : 19",
        "unsigned : 20", "unsigned : 21", "unsigned : 22", "unsigned : 23", "unsigned : 24",
        "unsigned : 25", "unsigned : 26", "unsigned : 27", "unsigned : 28", "unsigned : 29",
        "unsigned : 30", "unsigned : 31", "unsigned : 32"};
    if (type.kind == GY_UNSIGNED)
        return widths[type.width <= 32 ? type.width : 32];
    return names[type.kind];
}

bool gy_is_matched(const gy_c_unit *unit)
{
    return unit->kind != GY_C_UNIT_TRACK || !unit->extra || !strcmp(unit->extra, "Matched");
}

bool gy_all_matched(const gy_model *model)
{
    for (uint32_t i = 0; i < model->c_unit_count; i++)
        if (!gy_is_matched(&model->c_units[i]))
            return false;
    return true;
}

static bool has_c_name(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; at && (at = strstr(at, name)); at += n) {
        char before = at > text ? at[-1] : ' ';
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)at[n]) &&
            at[n] != '_')
            return true;
    }
    return false;
}

const char *gy_c_allocator(const gy_model *model)
{
    static const char *const names[] = {"malloc", "calloc",  "realloc", "aligned_alloc",
                                        "strdup", "strndup", "mmap"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        for (uint32_t i = 0; i < model->c_unit_count; i++)
            if (has_c_name(model->c_units[i].text, names[k]) ||
                has_c_name(model->c_units[i].extra, names[k]))
                return names[k];
        for (uint32_t i = 0; i < model->c_code_count; i++)
            if (has_c_name(model->c_codes[i]->code, names[k]))
                return names[k];
    }
    return NULL;
}
