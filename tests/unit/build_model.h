// A small builder of MODELs by hand, for unit tests of what runs and reads them.
//
//     builder *b = b_new();
//     int32_t x = b_global(b, "x", GY_BYTE);
//     int32_t p = b_template(b, "P", 3);             // three nodes; node 0 is the first
//     b_assign(b, b_edge(b, p, 0, 1), x, b_const(b, 1));
//     b_end(b, p, 1);                                // the process ends behind node 1
//     b_start(b, p);
//     gy_system *system = b_system(b);               // owns everything; frees the builder
//
// Globals come before templates, and the locals of a template before the next template.
#ifndef GYRE_TESTS_BUILD_MODEL_H
#define GYRE_TESTS_BUILD_MODEL_H

#include "base/vec.h"
#include "exec/system.h"
#include "model/access.h"
#include "model/layout.h"
#include "model/model.h"

#include <stdarg.h>

enum { B_MAX = 512 };

typedef struct builder {
    gy_model *m;
    gy_variable vars[B_MAX];
    gy_channel_type types[B_MAX];
    gy_template templates[B_MAX];
    gy_edge edges[B_MAX];
    gy_action init[B_MAX];
    int32_t started[B_MAX];
    uint32_t init_count;
} builder;

static inline builder *b_new(void)
{
    builder *b = gy_alloc_zero(sizeof *b);
    b->m = gy_model_new();
    b->m->trace = GY_NONE;
    b->m->name = "by hand";
    b->m->language = "none";
    b->m->vars = b->vars;
    b->m->channel_types = b->types;
    b->m->templates = b->templates;
    b->m->edges = b->edges;
    b->m->started = b->started;
    return b;
}

static inline gy_type b_type(gy_type_kind kind)
{
    static const uint8_t widths[] = {
        [GY_BIT] = 1,  [GY_BOOL] = 1,     [GY_BYTE] = 8,  [GY_PID] = 8, [GY_SHORT] = 16,
        [GY_INT] = 32, [GY_UNSIGNED] = 3, [GY_MTYPE] = 8, [GY_CHAN] = 8};
    return (gy_type){kind, widths[kind], kind == GY_SHORT || kind == GY_INT, NULL};
}

// ---- variables ------------------------------------------------------------------------

static inline int32_t b_variable(builder *b, int32_t owner, const char *name, gy_type_kind kind,
                                 uint32_t count)
{
    gy_variable *var = &b->vars[b->m->var_count];
    *var = (gy_variable){.name = name, .type = b_type(kind), .owner = owner, .count = count};
    var->is_array = count > 1;
    var->format = count > 1 ? gy_arena_printf(b->m->arena, "%s[%%]", name) : name;
    var->dims = GY_NEW_ARRAY(b->m->arena, uint32_t, 1);
    var->dims[0] = count;
    var->dim_count = count > 1;
    gy_type_range(var->type, &var->min, &var->max);
    return (int32_t)b->m->var_count++;
}

static inline int32_t b_array(builder *b, const char *name, gy_type_kind kind, uint32_t count)
{
    b->m->global_count++;
    return b_variable(b, GY_NONE, name, kind, count);
}

static inline int32_t b_global(builder *b, const char *name, gy_type_kind kind)
{
    return b_array(b, name, kind, 1);
}

static inline int32_t b_local(builder *b, int32_t tmpl, const char *name, gy_type_kind kind)
{
    if (b->templates[tmpl].var_count++ == 0)
        b->templates[tmpl].first_var = (int32_t)b->m->var_count;
    return b_variable(b, tmpl, name, kind, 1);
}

static inline int32_t b_param(builder *b, int32_t tmpl, const char *name, gy_type_kind kind)
{
    b->templates[tmpl].param_count++;
    int32_t var = b_local(b, tmpl, name, kind);
    b->vars[var].is_param = true;
    return var;
}

static inline int32_t b_channel_type(builder *b, const char *name, int32_t owner, uint32_t capacity,
                                     uint32_t fields, gy_type_kind kind)
{
    gy_channel_type *type = &b->types[b->m->channel_type_count];
    *type = (gy_channel_type){
        .name = name, .owner = owner, .capacity = capacity, .field_count = fields};
    type->fields = GY_NEW_ARRAY(b->m->arena, gy_type, fields);
    for (uint32_t f = 0; f < fields; f++)
        type->fields[f] = b_type(kind);
    return (int32_t)b->m->channel_type_count++;
}

// A global channel whose messages have `fields` fields of one kind.
static inline int32_t b_channel(builder *b, const char *name, uint32_t capacity, uint32_t fields,
                                gy_type_kind kind)
{
    int32_t type = b_channel_type(b, name, GY_NONE, capacity, fields, kind);
    int32_t var = b_global(b, name, GY_CHAN);
    b->init[b->init_count++] =
        (gy_action){.kind = GY_A_NEW_CHANNEL, .var = var, .channel_type = type, .tmpl = GY_NONE};
    return var;
}

// ---- expressions ----------------------------------------------------------------------

static inline gy_expr *b_expr(builder *b, gy_expr_op op, gy_expr *x, gy_expr *y)
{
    gy_expr *expr = GY_NEW(b->m->arena, gy_expr);
    *expr = (gy_expr){.op = op, .a = x, .b = y, .var = GY_NONE, .tmpl = GY_NONE, .node = GY_NONE};
    return expr;
}

static inline gy_expr *b_const(builder *b, int32_t value)
{
    gy_expr *expr = b_expr(b, GY_E_CONST, NULL, NULL);
    expr->value = value;
    return expr;
}

static inline gy_expr *b_var(builder *b, int32_t var)
{
    gy_expr *expr = b_expr(b, GY_E_VAR, NULL, NULL);
    expr->var = var;
    return expr;
}

static inline gy_expr *b_index(builder *b, int32_t var, gy_expr *index)
{
    gy_expr *check = b_expr(b, GY_E_INDEX, index, NULL);
    check->value = (int32_t)b->vars[var].count;
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
    gy_template *tmpl = &b->templates[b->m->template_count];
    *tmpl = (gy_template){.name = name, .kind = GY_TMPL_PROCESS, .priority = 1};
    tmpl->node_count = nodes;
    tmpl->nodes = GY_NEW_ARRAY(b->m->arena, gy_node, nodes);
    tmpl->first_var = (int32_t)b->m->var_count;
    return (int32_t)b->m->template_count++;
}

// Edges of a node keep the order in which they are made.
static inline gy_edge *b_edge(builder *b, int32_t tmpl, int32_t from, int32_t to)
{
    gy_edge *edge = &b->edges[b->m->edge_count++];
    *edge = (gy_edge){.tmpl = tmpl, .from = from, .to = to};
    edge->text = gy_arena_printf(b->m->arena, "%d -> %d", from, to);
    return edge;
}

static inline gy_edge *b_end(builder *b, int32_t tmpl, int32_t from)
{
    gy_edge *edge = b_edge(b, tmpl, from, GY_NONE);
    edge->kind = GY_EDGE_END;
    b->templates[tmpl].nodes[from].flags |= GY_NODE_END | GY_NODE_FINAL;
    return edge;
}

static inline gy_action *b_action(builder *b, gy_edge *edge, gy_action_kind kind)
{
    if (!edge->effect) {
        edge->effect = GY_NEW(b->m->arena, gy_program);
        edge->effect->actions = GY_NEW_ARRAY(b->m->arena, gy_action, 32);
    }
    gy_action *action = &edge->effect->actions[edge->effect->count++];
    *action = (gy_action){.kind = kind, .var = GY_NONE, .tmpl = GY_NONE, .channel_type = GY_NONE};
    return action;
}

static inline gy_edge *b_assign(builder *b, gy_edge *edge, int32_t var, gy_expr *value)
{
    gy_action *action = b_action(b, edge, GY_A_ASSIGN);
    action->var = var;
    action->expr = value;
    return edge;
}

static inline gy_field *b_fields(builder *b, uint32_t count)
{
    gy_field *fields = GY_NEW_ARRAY(b->m->arena, gy_field, count);
    for (uint32_t f = 0; f < count; f++)
        fields[f].var = GY_NONE;
    return fields;
}

static inline gy_edge *b_send(builder *b, gy_edge *edge, int32_t chan, uint32_t count, ...)
{
    va_list args;
    va_start(args, count);
    edge->sync = GY_SYNC_SEND;
    edge->chan = b_var(b, chan);
    edge->fields = b_fields(b, count);
    edge->field_count = count;
    for (uint32_t f = 0; f < count; f++)
        edge->fields[f] = (gy_field){GY_FIELD_VALUE, va_arg(args, gy_expr *), GY_NONE, NULL};
    va_end(args);
    return edge;
}

// Each field a variable that stores it, or, if it is negative, a constant -k - 1 to match.
static inline gy_edge *b_receive(builder *b, gy_edge *edge, int32_t chan, uint32_t count, ...)
{
    va_list args;
    va_start(args, count);
    edge->sync = GY_SYNC_RECV;
    edge->chan = b_var(b, chan);
    edge->fields = b_fields(b, count);
    edge->field_count = count;
    for (uint32_t f = 0; f < count; f++) {
        int32_t var = va_arg(args, int);
        edge->fields[f].kind = var >= 0 ? GY_FIELD_STORE : GY_FIELD_MATCH;
        if (var >= 0)
            edge->fields[f].var = var;
        else
            edge->fields[f].expr = b_const(b, -var - 1);
    }
    va_end(args);
    return edge;
}

#define B_MATCH(k) (-(k)-1)

static inline void b_start(builder *b, int32_t tmpl)
{
    b->started[b->m->started_count++] = tmpl;
}

// ---- done -----------------------------------------------------------------------------

static inline int b_by_node(const void *x, const void *y)
{
    const gy_edge *a = x, *b = y;
    if (a->tmpl != b->tmpl)
        return a->tmpl < b->tmpl ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->id - b->id;
}

static inline void *b_keep(builder *b, const void *from, size_t bytes)
{
    void *kept = gy_arena_alloc(b->m->arena, bytes + 1);
    memcpy(kept, from, bytes);
    return kept;
}

// The finished model; the builder is gone.
static inline gy_model *b_model(builder *b)
{
    gy_model *m = b->m;
    for (uint32_t i = 0; i < m->edge_count; i++)
        b->edges[i].id = (int32_t)i;
    qsort(b->edges, m->edge_count, sizeof *b->edges, b_by_node);
    for (uint32_t i = 0; i < m->edge_count; i++) {
        gy_edge *edge = &b->edges[i];
        gy_template *tmpl = &b->templates[edge->tmpl];
        gy_node *node = &tmpl->nodes[edge->from];
        edge->id = (int32_t)i;
        if (tmpl->edge_count++ == 0)
            tmpl->first_edge = (int32_t)i;
        if (node->edge_count++ == 0)
            node->first_edge = (int32_t)i;
        m->has_escapes = m->has_escapes || edge->escape;
    }
    m->init = GY_NEW(m->arena, gy_program);
    m->init->actions = b_keep(b, b->init, b->init_count * sizeof *b->init);
    m->init->count = b->init_count;
    m->vars = b_keep(b, b->vars, m->var_count * sizeof *b->vars);
    m->channel_types = b_keep(b, b->types, m->channel_type_count * sizeof *b->types);
    m->templates = b_keep(b, b->templates, m->template_count * sizeof *b->templates);
    m->edges = b_keep(b, b->edges, m->edge_count * sizeof *b->edges);
    m->started = b_keep(b, b->started, m->started_count * sizeof *b->started);
    free(b);
    gy_model_layout(m);
    gy_model_access(m);
    return m;
}

static inline gy_system *b_system(builder *b)
{
    return gy_system_vm(b_model(b), true, NULL);
}

#endif
