// Short names for the builder of MODELs (model/build.h), for unit tests of what runs and reads
// them.
//
//     builder *b = b_new();
//     int32_t x = b_global(b, "x", GY_BYTE);
//     int32_t p = b_template(b, "P", 3);             // three nodes; node 0 is the first
//     b_assign(b, b_edge(b, p, 0, 1), x, b_const(b, 1));
//     b_end(b, p, 1);                                // the process ends after node 1
//     b_start(b, p);
//     gy_system *system = b_system(b);               // owns everything; frees the builder
//
// Globals come before templates, and the locals of a template before the next template.
#ifndef GYRE_TESTS_BUILD_MODEL_H
#define GYRE_TESTS_BUILD_MODEL_H

#include "exec/system.h"
#include "model/access.h"
#include "model/build.h"
#include "model/committed.h"
#include "model/layout.h"
#include "model/validate.h"

#include <stdarg.h>

typedef gy_builder builder;

static inline builder *b_new(void)
{
    gy_model *model = gy_model_new();
    model->name = "by hand";
    model->language = "none";
    return gy_build_new(model);
}

static inline gy_type b_type(gy_type_kind kind)
{
    return kind == GY_UNSIGNED ? gy_type_bits(3, false) : gy_type_of(kind);
}

// ---- variables ------------------------------------------------------------------------

static inline int32_t b_array(builder *b, const char *name, gy_type_kind kind, uint32_t count)
{
    return gy_build_variable(b, GY_NONE, name, b_type(kind), count);
}

static inline int32_t b_global(builder *b, const char *name, gy_type_kind kind)
{
    return b_array(b, name, kind, 0);
}

static inline int32_t b_local(builder *b, int32_t tmpl, const char *name, gy_type_kind kind)
{
    return gy_build_variable(b, tmpl, name, b_type(kind), 0);
}

static inline int32_t b_param(builder *b, int32_t tmpl, const char *name, gy_type_kind kind)
{
    return gy_build_parameter(b, tmpl, name, b_type(kind));
}

static inline int32_t b_channel_type(builder *b, const char *name, int32_t owner, uint32_t capacity,
                                     uint32_t count, gy_type_kind kind)
{
    gy_type fields[8];
    for (uint32_t f = 0; f < count; f++)
        fields[f] = b_type(kind);
    return gy_build_channel_type(b, owner, name, capacity, fields, count);
}

// A global channel whose messages have `fields` fields of one kind.
static inline int32_t b_channel(builder *b, const char *name, uint32_t capacity, uint32_t fields,
                                gy_type_kind kind)
{
    return gy_build_channel(b, name, b_channel_type(b, name, GY_NONE, capacity, fields, kind));
}

// ---- expressions ----------------------------------------------------------------------

static inline gy_expr *b_expr(builder *b, gy_expr_op op, gy_expr *x, gy_expr *y)
{
    return gy_build_binary(b, op, x, y);
}

static inline gy_expr *b_const(builder *b, int32_t value)
{
    return gy_build_const(b, value);
}

static inline gy_expr *b_var(builder *b, int32_t var)
{
    return gy_build_read(b, var, NULL);
}

static inline gy_expr *b_index(builder *b, int32_t var, gy_expr *index)
{
    gy_expr *check = b_expr(b, GY_E_INDEX, index, NULL);
    check->value = (int32_t)gy_built_variable(b, var)->count;
    return check;
}

static inline gy_expr *b_element(builder *b, int32_t var, gy_expr *index)
{
    gy_expr *expr = b_var(b, var);
    expr->a = b_index(b, var, index);
    return expr;
}

// ---- templates, edges, effects ------------------------------------------------------------

static inline int32_t b_template(builder *b, const char *name, uint32_t nodes)
{
    int32_t tmpl = gy_build_template(b, name, GY_TMPL_PROCESS);
    for (uint32_t n = 0; n < nodes; n++)
        gy_build_node(b, tmpl, NULL);
    return tmpl;
}

// Edges of a node keep the order in which they are made.
static inline gy_edge *b_edge(builder *b, int32_t tmpl, int32_t from, int32_t to)
{
    gy_edge *edge = gy_build_edge(b, tmpl, from, to);
    edge->text = gy_arena_printf(b->model->arena, "%d -> %d", from, to);
    return edge;
}

static inline gy_edge *b_end(builder *b, int32_t tmpl, int32_t from)
{
    return gy_build_end(b, tmpl, from);
}

static inline gy_action *b_action(builder *b, gy_edge *edge, gy_action_kind kind)
{
    return gy_build_action(b, edge, kind);
}

static inline gy_edge *b_assign(builder *b, gy_edge *edge, int32_t var, gy_expr *value)
{
    return gy_build_assign(b, edge, var, NULL, value);
}

static inline gy_field *b_fields(builder *b, uint32_t count)
{
    return gy_build_fields(b, count);
}

static inline gy_edge *b_send(builder *b, gy_edge *edge, int32_t chan, uint32_t count, ...)
{
    va_list args;
    gy_field *fields = gy_build_fields(b, count);
    va_start(args, count);
    for (uint32_t f = 0; f < count; f++)
        fields[f] = (gy_field){
            .kind = GY_FIELD_VALUE, .expr = va_arg(args, gy_expr *), .var = GY_NONE};
    va_end(args);
    return gy_build_send(b, edge, b_var(b, chan), fields, count);
}

// Each field a variable that stores it, or, if it is negative, a constant -k - 1 to match.
static inline gy_edge *b_receive(builder *b, gy_edge *edge, int32_t chan, uint32_t count, ...)
{
    va_list args;
    gy_field *fields = gy_build_fields(b, count);
    va_start(args, count);
    for (uint32_t f = 0; f < count; f++) {
        int32_t var = va_arg(args, int);
        fields[f].kind = var >= 0 ? GY_FIELD_STORE : GY_FIELD_MATCH;
        if (var >= 0)
            fields[f].var = var;
        else
            fields[f].expr = b_const(b, -var - 1);
    }
    va_end(args);
    return gy_build_receive(b, edge, b_var(b, chan), fields, count);
}

#define B_MATCH(k) (-(k)-1)

static inline void b_start(builder *b, int32_t tmpl)
{
    gy_build_start(b, tmpl);
}

// ---- done -----------------------------------------------------------------------------

// The finished model; the builder is gone.
static inline gy_model *b_model(builder *b)
{
    gy_model *model = b->model;
    gy_build_finish(b);
    gy_model_must_be_valid(model, GY_STAGE_BUILT, "building");
    gy_model_lower_committed(model);
    gy_model_layout(model);
    gy_model_access(model);
    gy_model_must_be_valid(model, GY_STAGE_COMPLETE, "building");
    return model;
}

static inline gy_system *b_system(builder *b)
{
    return gy_system_vm(b_model(b), true, NULL);
}

#endif
