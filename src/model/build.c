#include "model/build_internal.h"

#include "base/assert.h"
#include "model/visit.h"

gy_builder *gy_build_new(gy_model *model)
{
    gy_builder *b = gy_alloc_zero(sizeof *b);
    b->model = model;
    return b;
}

// ---- variables and channels -------------------------------------------------------------

gy_type gy_type_of(gy_type_kind kind)
{
    static const uint8_t widths[] = {
        [GY_BIT] = 1,  [GY_BOOL] = 1,      [GY_BYTE] = 8,  [GY_PID] = 8, [GY_SHORT] = 16,
        [GY_INT] = 32, [GY_UNSIGNED] = 32, [GY_MTYPE] = 8, [GY_CHAN] = 8};
    return (gy_type){kind, widths[kind], kind == GY_SHORT || kind == GY_INT, NULL};
}

gy_type gy_type_bits(uint8_t width, bool is_signed)
{
    gy_type_kind kind = !is_signed ? GY_UNSIGNED : width > 16 ? GY_INT : GY_SHORT;
    return (gy_type){kind, width, is_signed, NULL};
}

int32_t gy_build_add_variable(gy_builder *b, const gy_variable *variable)
{
    gy_variable *var = GY_NEW(b->model->arena, gy_variable);
    *var = *variable;
    gy_assert(var->owner == GY_NONE ? b->templates.n == 0
                                    : var->owner == (int32_t)b->templates.n - 1);
    if (var->owner == GY_NONE)
        b->model->global_count++;
    else {
        gy_template *tmpl = gy_built_template(b, var->owner);
        tmpl->var_count++;
        tmpl->param_count += var->is_param;
    }
    gy_vec_push(&b->vars, var);
    return (int32_t)b->vars.n - 1;
}

int32_t gy_build_variable(gy_builder *b, int32_t owner, const char *name, gy_type type,
                          uint32_t count)
{
    gy_arena *arena = b->model->arena;
    gy_variable var = {.name = gy_arena_strdup(arena, name), .place = b->place, .type = type};
    var.owner = owner;
    var.count = count ? count : 1;
    var.is_array = count > 0;
    var.format = count ? gy_arena_printf(arena, "%s[%%]", name) : var.name;
    var.dims = GY_NEW_ARRAY(arena, uint32_t, 1);
    var.dims[0] = var.count;
    var.dim_count = count > 0;
    gy_type_range(type, &var.min, &var.max);
    return gy_build_add_variable(b, &var);
}

int32_t gy_build_parameter(gy_builder *b, int32_t tmpl, const char *name, gy_type type)
{
    int32_t var = gy_build_variable(b, tmpl, name, type, 0);
    gy_built_variable(b, var)->is_param = true;
    gy_built_template(b, tmpl)->param_count++;
    return var;
}

gy_variable *gy_built_variable(gy_builder *b, int32_t var)
{
    return b->vars.at[var];
}

int32_t gy_build_channel_type(gy_builder *b, int32_t owner, const char *name, uint32_t capacity,
                              const gy_type *fields, uint32_t count)
{
    gy_arena *arena = b->model->arena;
    gy_channel_type *type = GY_NEW(arena, gy_channel_type);
    *type = (gy_channel_type){.name = gy_arena_strdup(arena, name),
                              .place = b->place,
                              .owner = owner,
                              .capacity = capacity,
                              .field_count = count};
    type->fields = GY_NEW_ARRAY(arena, gy_type, count + 1);
    if (count)
        memcpy(type->fields, fields, count * sizeof *fields);
    gy_vec_push(&b->channel_types, type);
    return (int32_t)b->channel_types.n - 1;
}

int32_t gy_build_channel(gy_builder *b, const char *name, int32_t type)
{
    int32_t var = gy_build_variable(b, GY_NONE, name, gy_type_of(GY_CHAN), 0);
    gy_action *action = gy_build_action_in(b, &b->init, GY_A_NEW_CHANNEL);
    action->var = var;
    action->channel_type = type;
    return var;
}

// ---- templates --------------------------------------------------------------------------

int32_t gy_build_template(gy_builder *b, const char *name, gy_template_kind kind)
{
    built_template *built = GY_NEW(b->model->arena, built_template);
    built->tmpl = (gy_template){.name = gy_arena_strdup(b->model->arena, name),
                                .place = b->place,
                                .kind = kind,
                                .priority = 1,
                                .first_var = (int32_t)b->vars.n};
    gy_vec_push(&b->templates, built);
    return (int32_t)b->templates.n - 1;
}

gy_template *gy_built_template(gy_builder *b, int32_t tmpl)
{
    return &b->templates.at[tmpl]->tmpl;
}

gy_action_list *gy_built_template_init(gy_builder *b, int32_t tmpl)
{
    return &b->templates.at[tmpl]->init;
}

int32_t gy_build_node(gy_builder *b, int32_t tmpl, const char *label)
{
    built_template *built = b->templates.at[tmpl];
    gy_node node = {.place = b->place};
    gy_vec_push(&built->nodes, node);
    int32_t number = (int32_t)built->nodes.n - 1;
    if (label) {
        gy_build_label(b, tmpl, number, label);
        built->nodes.at[number].label = built->labels.at[built->labels.n - 1].name;
    }
    return number;
}

gy_node *gy_built_node(gy_builder *b, int32_t tmpl, int32_t node)
{
    return &b->templates.at[tmpl]->nodes.at[node];
}

void gy_build_label(gy_builder *b, int32_t tmpl, int32_t node, const char *label)
{
    gy_node_label made = {gy_arena_strdup(b->model->arena, label), node};
    gy_vec_push(&b->templates.at[tmpl]->labels, made);
}

gy_edge *gy_build_edge(gy_builder *b, int32_t tmpl, int32_t from, int32_t to)
{
    built_edge *built = GY_NEW(b->model->arena, built_edge);
    built->edge = (gy_edge){.tmpl = tmpl, .from = from, .to = to, .place = b->place};
    built->event = GY_NONE;
    gy_vec_push(&b->edges, built);
    return &built->edge;
}

gy_edge *gy_build_end(gy_builder *b, int32_t tmpl, int32_t from)
{
    gy_edge *edge = gy_build_edge(b, tmpl, from, GY_NONE);
    edge->kind = GY_EDGE_END;
    gy_built_node(b, tmpl, from)->flags |= GY_NODE_END | GY_NODE_FINAL;
    return edge;
}

void gy_build_start(gy_builder *b, int32_t tmpl)
{
    gy_vec_push(&b->started, tmpl);
    gy_built_template(b, tmpl)->active++;
}

// ---- expressions ------------------------------------------------------------------------

gy_expr *gy_build_expr(gy_builder *b, gy_expr_op op)
{
    return gy_expr_new(b->model->arena, op, b->place);
}

gy_expr *gy_build_const(gy_builder *b, int32_t value)
{
    gy_expr *expr = gy_build_expr(b, GY_E_CONST);
    expr->value = value;
    return expr;
}

gy_expr *gy_build_unary(gy_builder *b, gy_expr_op op, gy_expr *operand)
{
    gy_expr *expr = gy_build_expr(b, op);
    expr->a = operand;
    return expr;
}

gy_expr *gy_build_binary(gy_builder *b, gy_expr_op op, gy_expr *left, gy_expr *right)
{
    gy_expr *expr = gy_build_unary(b, op, left);
    expr->b = right;
    return expr;
}

gy_expr *gy_build_index(gy_builder *b, int32_t var, gy_expr *index)
{
    uint32_t count = gy_built_variable(b, var)->count;
    if (index->op == GY_E_CONST && index->value >= 0 && (uint32_t)index->value < count)
        return index;
    gy_expr *expr = gy_build_unary(b, GY_E_INDEX, index);
    expr->value = (int32_t)count;
    return expr;
}

gy_expr *gy_build_read(gy_builder *b, int32_t var, gy_expr *index)
{
    gy_expr *expr = gy_build_expr(b, GY_E_VAR);
    expr->var = var;
    expr->a = index ? gy_build_index(b, var, index) : NULL;
    return expr;
}

gy_expr *gy_build_at(gy_builder *b, int32_t tmpl, gy_expr *pid, int32_t node)
{
    gy_expr *expr = gy_build_unary(b, GY_E_REMOTE_LABEL, pid);
    expr->tmpl = tmpl;
    expr->node = node;
    return expr;
}

// ---- effects ----------------------------------------------------------------------------

gy_action *gy_build_action_in(gy_builder *b, gy_action_list *list, gy_action_kind kind)
{
    gy_action action = {.kind = kind, .place = b->place};
    action.var = action.tmpl = action.channel_type = GY_NONE;
    gy_vec_push(list, action);
    return &list->at[list->n - 1];
}

gy_action *gy_build_action(gy_builder *b, gy_edge *edge, gy_action_kind kind)
{
    return gy_build_action_in(b, gy_built_effect(edge), kind);
}

gy_edge *gy_build_assign(gy_builder *b, gy_edge *edge, int32_t var, gy_expr *index, gy_expr *value)
{
    gy_action *action = gy_build_action(b, edge, GY_A_ASSIGN);
    action->var = var;
    action->index = index ? gy_build_index(b, var, index) : NULL;
    action->expr = value;
    return edge;
}

gy_edge *gy_build_assert(gy_builder *b, gy_edge *edge, gy_expr *condition, const char *text)
{
    gy_action *action = gy_build_action(b, edge, GY_A_ASSERT);
    action->expr = condition;
    action->text = text;
    return edge;
}

void gy_build_target(gy_builder *b, gy_action *all, int32_t var, gy_expr *index, gy_expr *value)
{
    size_t bytes = all->field_count * sizeof *all->fields;
    all->fields = gy_arena_grow(b->model->arena, all->fields, bytes, bytes + sizeof *all->fields);
    all->fields[all->field_count++] =
        (gy_field){.kind = GY_FIELD_STORE,
                   .expr = value,
                   .var = var,
                   .index = index ? gy_build_index(b, var, index) : NULL};
}

gy_action_list *gy_built_effect(gy_edge *edge)
{
    return &((built_edge *)edge)->actions;
}

void gy_build_choose(gy_builder *b, gy_action_list *list, int32_t var, gy_expr *index,
                     gy_expr *first, gy_expr *last)
{
    gy_action *action = gy_build_action_in(b, list, GY_A_CHOOSE);
    action->var = var;
    action->index = index ? gy_build_index(b, var, index) : NULL;
    action->fields = gy_build_fields(b, 2);
    action->field_count = 2;
    action->fields[0].expr = first;
    action->fields[1].expr = last;
}

gy_field *gy_build_fields(gy_builder *b, uint32_t count)
{
    gy_field *fields = GY_NEW_ARRAY(b->model->arena, gy_field, count + 1);
    for (uint32_t f = 0; f < count; f++)
        fields[f].var = GY_NONE;
    return fields;
}

static gy_edge *synchronise(gy_edge *edge, gy_sync sync, gy_expr *chan, gy_field *fields,
                            uint32_t count)
{
    edge->sync = sync;
    edge->chan = chan;
    edge->fields = fields;
    edge->field_count = count;
    return edge;
}

gy_edge *gy_build_send(gy_builder *b, gy_edge *edge, gy_expr *chan, gy_field *fields,
                       uint32_t count)
{
    (void)b;
    return synchronise(edge, GY_SYNC_SEND, chan, fields, count);
}

gy_edge *gy_build_receive(gy_builder *b, gy_edge *edge, gy_expr *chan, gy_field *fields,
                          uint32_t count)
{
    (void)b;
    return synchronise(edge, GY_SYNC_RECV, chan, fields, count);
}

// ---- the whole --------------------------------------------------------------------------

static void *keep(gy_builder *b, const void *from, size_t bytes)
{
    void *kept = gy_arena_alloc(b->model->arena, bytes + 1);
    if (bytes)
        memcpy(kept, from, bytes);
    return kept;
}

gy_program *gy_build_program(gy_builder *b, gy_action_list *list)
{
    gy_program *program = NULL;
    if (list->n) {
        program = GY_NEW(b->model->arena, gy_program);
        program->count = (uint32_t)list->n;
        program->actions = keep(b, list->at, list->n * sizeof *list->at);
    }
    gy_vec_free(list);
    return program;
}

// Counts the edges of each node, gives each node its share of the numbers, and puts every edge at
// the next free one of its node.
static void place_edges(gy_builder *b)
{
    gy_model *model = b->model;
    int32_t next = 0;
    model->edge_count = (uint32_t)b->edges.n;
    model->edges = GY_NEW_ARRAY(model->arena, gy_edge, b->edges.n + 1);
    for (size_t i = 0; i < b->edges.n; i++) {
        const gy_edge *edge = &b->edges.at[i]->edge;
        gy_built_node(b, edge->tmpl, edge->from)->edge_count++;
    }
    for (size_t t = 0; t < b->templates.n; t++) {
        built_template *built = b->templates.at[t];
        built->tmpl.first_edge = next;
        for (size_t n = 0; n < built->nodes.n; n++) {
            built->nodes.at[n].first_edge = next;
            next += built->nodes.at[n].edge_count;
            built->nodes.at[n].edge_count = 0;
        }
        built->tmpl.edge_count = next - built->tmpl.first_edge;
    }
    for (size_t i = 0; i < b->edges.n; i++) {
        built_edge *built = b->edges.at[i];
        gy_node *node = gy_built_node(b, built->edge.tmpl, built->edge.from);
        built->edge.id = node->first_edge + node->edge_count++;
        if (built->actions.n)
            built->edge.effect = gy_build_program(b, &built->actions);
        model->edges[built->edge.id] = built->edge;
    }
}

static void place_templates(gy_builder *b)
{
    gy_model *model = b->model;
    model->template_count = (uint32_t)b->templates.n;
    model->templates = GY_NEW_ARRAY(model->arena, gy_template, b->templates.n + 1);
    for (size_t t = 0; t < b->templates.n; t++) {
        built_template *built = b->templates.at[t];
        gy_template *tmpl = &built->tmpl;
        if (built->init.n)
            tmpl->init = gy_build_program(b, &built->init);
        tmpl->node_count = (uint32_t)built->nodes.n;
        tmpl->nodes = keep(b, built->nodes.at, built->nodes.n * sizeof *built->nodes.at);
        tmpl->label_count = (uint32_t)built->labels.n;
        tmpl->labels = keep(b, built->labels.at, built->labels.n * sizeof *built->labels.at);
        model->templates[t] = *tmpl;
    }
}

static gy_visit_next note_use(void *user, const gy_expr *expr)
{
    gy_model *model = user;
    model->uses_last |= expr->op == GY_E_LAST;
    model->uses_np |= expr->op == GY_E_NP;
    model->uses_enabled |= expr->op == GY_E_ENABLED;
    return GY_VISIT_PARTS;
}

static bool chooses(const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_CHOOSE)
            return true;
    return false;
}

static void find_uses(gy_model *model)
{
    model->uses_choice |= chooses(model->init);
    for (uint32_t t = 0; t < model->template_count; t++)
        model->uses_choice |= chooses(model->templates[t].init);
    gy_visit_model(&(gy_visitor){.user = model, .expr = note_use}, model);
    for (uint32_t e = 0; e < model->edge_count; e++) {
        gy_edge *edge = &model->edges[e];
        edge->needs_timeout |= gy_expr_mentions(edge->guard, GY_E_TIMEOUT);
        model->uses_timeout |= edge->needs_timeout;
        model->has_escapes |= edge->escape > 0;
        model->uses_choice |= chooses(edge->effect);
    }
}

static void release(gy_builder *b)
{
    for (size_t t = 0; t < b->templates.n; t++) {
        gy_vec_free(&b->templates.at[t]->nodes);
        gy_vec_free(&b->templates.at[t]->labels);
        gy_vec_free(&b->templates.at[t]->init);
    }
    for (size_t e = 0; e < b->edges.n; e++)
        gy_vec_free(&b->edges.at[e]->actions);
    gy_vec_free(&b->init);
    gy_vec_free(&b->vars);
    gy_vec_free(&b->channel_types);
    gy_vec_free(&b->templates);
    gy_vec_free(&b->edges);
    gy_vec_free(&b->started);
    gy_vec_free(&b->events);
    free(b);
}

void gy_build_finish(gy_builder *b)
{
    gy_model *model = b->model;
    gy_assert(!gy_build_events_wrong(b));
    gy_build_expand_events(b);
    model->var_count = (uint32_t)b->vars.n;
    model->vars = GY_NEW_ARRAY(model->arena, gy_variable, b->vars.n + 1);
    for (size_t v = 0; v < b->vars.n; v++)
        model->vars[v] = *b->vars.at[v];
    model->channel_type_count = (uint32_t)b->channel_types.n;
    model->channel_types = GY_NEW_ARRAY(model->arena, gy_channel_type, b->channel_types.n + 1);
    for (size_t t = 0; t < b->channel_types.n; t++)
        model->channel_types[t] = *b->channel_types.at[t];
    if (b->init.n)
        model->init = gy_build_program(b, &b->init);
    place_edges(b);
    place_templates(b);
    model->started_count = (uint32_t)b->started.n;
    model->started = keep(b, b->started.at, b->started.n * sizeof *b->started.at);
    find_uses(model);
    release(b);
}

void gy_build_abandon(gy_builder *b)
{
    if (b)
        release(b);
}
