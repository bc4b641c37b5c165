// The driver: templates with their graphs, properties, the model.
#include "lang/dve/lower/dve_lower.h"

#include "lang/dve/lower/dve_lower_internal.h"

#include <string.h>

// ---- templates ------------------------------------------------------------------------------

static void lower_nodes(dve_lowering *l, const dve_process *process, gy_template *tmpl)
{
    tmpl->node_count = process->state_count;
    tmpl->nodes = GY_NEW_ARRAY(l->arena, gy_node, process->state_count);
    tmpl->labels = GY_NEW_ARRAY(l->arena, gy_node_label, process->state_count);
    tmpl->label_count = process->state_count;
    tmpl->initial = process->init;
    tmpl->first_edge = (int32_t)l->edges.n;
    for (uint32_t s = 0; s < process->state_count; s++) {
        const dve_state *state = &process->states[s];
        gy_node *node = &tmpl->nodes[s];
        *node = (gy_node){.place = state->place, .label = state->name};
        if (process->is_property && state->accepting)
            node->flags = GY_NODE_ACCEPT;
        if (!process->is_property && state->committed)
            node->flags = GY_NODE_COMMITTED;
        tmpl->labels[s] = (gy_node_label){state->name, (int32_t)s};
        node->first_edge = (int32_t)l->edges.n;
        for (uint32_t t = 0; t < process->transition_count; t++)
            if (process->transitions[t].from == (int32_t)s)
                gy_vec_push(&l->edges, dve_lower_transition(l, process, &process->transitions[t]));
        node->edge_count = (int32_t)l->edges.n - node->first_edge;
    }
    tmpl->edge_count = (int32_t)l->edges.n - tmpl->first_edge;
}

static void declare(dve_lowering *l, dve_process *process, gy_template *tmpl)
{
    *tmpl = (gy_template){.name = process->name, .place = process->place, .priority = 1};
    tmpl->kind = process->is_property ? GY_TMPL_NEVER : GY_TMPL_PROCESS;
    tmpl->active = !process->is_property;
    tmpl->first_var = (int32_t)l->vars.n;
    dve_lower_vars(l, process->vars, process->var_count, process->lowered, NULL);
    tmpl->var_count = (int32_t)l->vars.n - tmpl->first_var;
}

static void start(dve_lowering *l)
{
    gy_model *model = l->model;
    model->started = GY_NEW_ARRAY(l->arena, int32_t, model->template_count);
    for (uint32_t i = 0; i < model->template_count; i++)
        if (model->templates[i].active)
            model->started[model->started_count++] = (int32_t)i;
}

// ---- properties -----------------------------------------------------------------------------

static void lower_assertion(dve_lowering *l, dve_process *process, const dve_assertion *assertion)
{
    dve_expr *at = GY_NEW(l->arena, dve_expr), *holds = GY_NEW(l->arena, dve_expr);
    dve_expr *always = GY_NEW(l->arena, dve_expr);
    *at = (dve_expr){.kind = DVE_X_AT, .place = assertion->at.place, .process = process};
    at->name = process->name;
    at->member = assertion->at.name;
    at->state = assertion->state;
    *holds = (dve_expr){.kind = DVE_X_IMPLY, .place = at->place, .a = at, .b = assertion->expr};
    *always = (dve_expr){.kind = DVE_X_ALWAYS, .place = at->place, .a = holds};
    gy_ltl_property *ltl = &l->model->ltls[l->model->ltl_count++];
    gy_text text = {0};
    dve_expr_text(always, &text);
    ltl->name = gy_arena_printf(l->arena, "assert_%s_%s", process->name, assertion->at.name);
    ltl->place = at->place;
    ltl->text = gy_arena_strdup(l->arena, gy_text_str(&text));
    gy_text_free(&text);
    ltl->formula = dve_lower_formula(l->model, always);
}

static void lower_assertions(dve_lowering *l)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < l->tree->process_count; p++)
        count += l->tree->processes[p]->assert_count;
    l->model->ltls = GY_NEW_ARRAY(l->arena, gy_ltl_property, count);
    for (uint32_t p = 0; p < l->tree->process_count; p++) {
        dve_process *process = l->tree->processes[p];
        for (uint32_t i = 0; i < process->assert_count; i++)
            lower_assertion(l, process, &process->asserts[i]);
    }
}

// ---- the model ------------------------------------------------------------------------------

static void number_processes(dve_model *tree)
{
    int32_t pid = 0;
    for (uint32_t i = 0; i < tree->process_count; i++) {
        dve_process *process = tree->processes[i];
        process->lowered = (int32_t)i;
        process->pid = process->is_property ? GY_NONE : pid++;
    }
}

static void lower_process(dve_lowering *l, dve_process *process, gy_template *tmpl)
{
    dve_action_list actions = {0};
    dve_lower_initial(l, process->vars, process->var_count, &actions);
    tmpl->init = dve_keep_program(l, &actions);
    lower_nodes(l, process, tmpl);
}

// All processes but the property as template 0. Their variables and states are global.
static void declare_synchronous(dve_lowering *l, dve_action_list *actions)
{
    for (uint32_t i = 0; i < l->tree->process_count; i++) {
        dve_process *process = l->tree->processes[i];
        process->lowered = process->is_property ? 1 : 0;
        if (process->is_property)
            continue;
        process->location = dve_add_location(l, process);
        dve_lower_vars(l, process->vars, process->var_count, GY_NONE, process->name);
        dve_lower_initial(l, process->vars, process->var_count, actions);
        if (process->init)
            gy_vec_push(actions, dve_assign(process->location, NULL,
                                            dve_new_const(l->arena, process->place, process->init),
                                            process->place));
    }
    dve_add_copies(l);
}

static void lower_synchronous(dve_lowering *l)
{
    gy_model *model = l->model;
    dve_process *property = l->tree->property;
    model->template_count = property ? 2 : 1;
    model->templates = GY_NEW_ARRAY(l->arena, gy_template, 2);
    if (!dve_lower_synchronous(l, &model->templates[0]) || !property)
        return;
    declare(l, property, &model->templates[1]);
    lower_process(l, property, &model->templates[1]);
}

static void lower_asynchronous(dve_lowering *l)
{
    dve_model *tree = l->tree;
    gy_model *model = l->model;
    model->template_count = tree->process_count;
    model->templates = GY_NEW_ARRAY(l->arena, gy_template, tree->process_count);
    for (uint32_t i = 0; i < tree->process_count; i++)
        declare(l, tree->processes[i], &model->templates[i]);
    for (uint32_t i = 0; i < tree->process_count; i++)
        lower_process(l, tree->processes[i], &model->templates[i]);
}

static void *keep(dve_lowering *l, const void *from, size_t bytes)
{
    void *kept = gy_arena_alloc(l->arena, bytes);
    if (bytes)
        memcpy(kept, from, bytes);
    return kept;
}

static void finish(dve_lowering *l)
{
    gy_model *model = l->model;
    model->var_count = (uint32_t)l->vars.n;
    model->vars = keep(l, l->vars.at, l->vars.n * sizeof *l->vars.at);
    model->channel_type_count = (uint32_t)l->channel_types.n;
    model->channel_types =
        keep(l, l->channel_types.at, l->channel_types.n * sizeof *l->channel_types.at);
    model->edge_count = (uint32_t)l->edges.n;
    model->edges = keep(l, l->edges.at, l->edges.n * sizeof *l->edges.at);
    gy_vec_free(&l->vars);
    gy_vec_free(&l->channel_types);
    gy_vec_free(&l->edges);
}

bool dve_lower(dve_model *tree, gy_model *model)
{
    dve_lowering l = {.tree = tree, .model = model, .arena = model->arena};
    dve_action_list actions = {0};
    model->syntax = tree;
    model->joint_rendezvous = true;
    model->may_stop = true;
    number_processes(tree);
    dve_lower_vars(&l, tree->vars, tree->var_count, GY_NONE, NULL);
    dve_lower_channels(&l, &actions);
    dve_lower_initial(&l, tree->vars, tree->var_count, &actions);
    if (tree->synchronous)
        declare_synchronous(&l, &actions);
    model->global_count = (uint32_t)l.vars.n;
    model->init = dve_keep_program(&l, &actions);
    if (tree->synchronous)
        lower_synchronous(&l);
    else
        lower_asynchronous(&l);
    start(&l);
    lower_assertions(&l);
    finish(&l);
    return gy_diags_errors(tree->diags) == 0;
}
