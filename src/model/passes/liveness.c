// Rounds over all edges, last first, until nothing is added: sets only grow. The program of an
// edge is a small graph of its own, treated in the same way.
#include "model/passes/liveness.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

typedef struct analysis {
    const gy_model *model;
    const uint64_t *own; // NULL: every value that is computed counts as wanted
    uint32_t words;
} analysis;

// `set` is what is live after a step of computation; each function makes it what is live before.

static void wants(const analysis *a, const gy_expr *expr, uint64_t *set)
{
    gy_expr_reads(a->model, expr, set);
}

// A value that matters only if `needed`.
static void computes(const analysis *a, const gy_expr *expr, bool needed, uint64_t *set)
{
    if (needed || !a->own)
        gy_expr_reads(a->model, expr, set);
    else
        gy_expr_fault_reads(a->model, expr, set);
}

// A store: true if the value may be read.
static bool stores(const analysis *a, int32_t var, const gy_expr *index, uint64_t *set)
{
    if (var == GY_NONE)
        return false;
    bool needed = !a->own || !gy_bits_has(a->own, var) || gy_bits_has(set, var);
    if (a->model->vars[var].count == 1) // of an array, the other elements stay
        gy_bits_drop(set, var);
    wants(a, index, set);
    return needed;
}

static void receives(const analysis *a, const gy_field *fields, uint32_t count, uint64_t *set)
{
    for (uint32_t f = count; f-- > 0;) { // one after the other: an index sees earlier stores
        if (fields[f].kind == GY_FIELD_STORE)
            stores(a, fields[f].var, fields[f].index, set);
    }
    for (uint32_t f = 0; f < count; f++)
        if (fields[f].kind == GY_FIELD_MATCH)
            wants(a, fields[f].expr, set);
}

static void sends(const analysis *a, const gy_field *fields, uint32_t count, uint64_t *set)
{
    for (uint32_t f = 0; f < count; f++)
        wants(a, fields[f].expr, set);
}

// All targets are stored at once: what they read is what was there before.
static void stores_all(const analysis *a, const gy_field *fields, uint32_t count, uint64_t *set)
{
    for (uint32_t f = 0; f < count; f++)
        stores(a, fields[f].var, NULL, set);
    for (uint32_t f = 0; f < count; f++) {
        wants(a, fields[f].index, set);
        wants(a, fields[f].expr, set);
    }
}

static void all_variables(const analysis *a, uint64_t *set)
{
    for (uint32_t v = 0; v < a->model->var_count; v++)
        gy_bits_add(set, (int32_t)v);
}

static void act(const analysis *a, const gy_action *action, uint64_t *set)
{
    switch (action->kind) {
    case GY_A_ASSIGN:
        computes(a, action->expr, stores(a, action->var, action->index, set) || action->checked,
                 set);
        break;
    case GY_A_RECV:
        receives(a, action->fields, action->field_count, set);
        wants(a, action->chan, set);
        break;
    case GY_A_SEND:
        sends(a, action->fields, action->field_count, set);
        wants(a, action->chan, set);
        break;
    case GY_A_RUN:
        stores(a, action->var, action->index, set);
        sends(a, action->fields, action->field_count, set);
        break;
    case GY_A_NEW_CHANNEL:
        stores(a, action->var, action->index, set);
        break;
    case GY_A_PRINTF:
        for (uint32_t f = 0; f < action->field_count; f++)
            computes(a, action->fields[f].expr, false, set);
        break;
    case GY_A_PRINTM:
        computes(a, action->expr, false, set);
        break;
    case GY_A_ASSERT:
    case GY_A_TEST:
        wants(a, action->expr, set);
        break;
    case GY_A_SET_PRIORITY:
        wants(a, action->expr, set);
        wants(a, action->index, set);
        break;
    case GY_A_C:
        all_variables(a, set);
        break;
    case GY_A_SELECT:
        for (uint32_t i = 0; i < action->option_count; i++)
            wants(a, action->options[i].when, set);
        break;
    case GY_A_JUMP:
        break;
    case GY_A_ASSIGN_ALL:
        stores_all(a, action->fields, action->field_count, set);
        break;
    case GY_A_CHOOSE: // how many successors there are depends on the bounds
        stores(a, action->var, action->index, set);
        sends(a, action->fields, action->field_count, set);
        break;
    }
}

static void run_straight(const analysis *a, const gy_program *program, uint64_t *set)
{
    for (uint32_t i = program ? program->count : 0; i-- > 0;)
        act(a, &program->actions[i], set);
}

static const uint64_t *behind(const analysis *a, const uint64_t *before, uint32_t at)
{
    return before + (size_t)at * a->words;
}

static void run_graph(const analysis *a, const gy_program *program, uint64_t *set)
{
    size_t bytes = a->words * sizeof *set;
    uint64_t *before = gy_alloc_zero((program->count + 1) * bytes), *now = gy_alloc(bytes);
    memcpy(before + (size_t)program->count * a->words, set, bytes);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = program->count; i-- > 0;) {
            const gy_action *action = &program->actions[i];
            memset(now, 0, bytes);
            if (action->kind == GY_A_SELECT)
                for (uint32_t o = 0; o < action->option_count; o++)
                    gy_bits_join(now, behind(a, before, action->options[o].target), a->words);
            else
                gy_bits_join(now,
                             behind(a, before, action->kind == GY_A_JUMP ? action->target : i + 1),
                             a->words);
            act(a, action, now);
            grew |= gy_bits_join(before + (size_t)i * a->words, now, a->words);
        }
    }
    memcpy(set, before, bytes);
    free(before);
    free(now);
}

static void pass_step(const analysis *a, const gy_edge *edge, uint64_t *set)
{
    if (gy_program_is_straight(edge->effect))
        run_straight(a, edge->effect, set);
    else
        run_graph(a, edge->effect, set);
    if (edge->sync == GY_SYNC_RECV)
        receives(a, edge->fields, edge->field_count, set);
    else
        sends(a, edge->fields, edge->field_count, set);
    wants(a, edge->chan, set);
}

static void pass_edge(const analysis *a, const gy_edge *edge, uint64_t *set)
{
    pass_step(a, edge, set);
    wants(a, edge->guard, set);
}

void gy_liveness_pass(const gy_model *model, const gy_edge *edge, const uint64_t *own,
                      uint64_t *set)
{
    analysis a = {model, own, gy_bits_words(model->var_count)};
    pass_step(&a, edge, set);
}

void gy_liveness_find(const gy_model *model, const gy_template *tmpl, const uint64_t *own,
                      gy_liveness *liveness)
{
    analysis a = {model, own, gy_bits_words(model->var_count)};
    size_t bytes = a.words * sizeof(uint64_t);
    uint64_t *now = gy_alloc(bytes), *sets = gy_alloc_zero((tmpl->node_count + 1) * bytes);
    for (bool grew = true; grew;) {
        grew = false;
        for (int32_t e = tmpl->edge_count; e-- > 0;) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + e];
            memset(now, 0, bytes);
            if (edge->to != GY_NONE)
                memcpy(now, sets + (size_t)edge->to * a.words, bytes);
            pass_edge(&a, edge, now);
            grew |= gy_bits_join(sets + (size_t)edge->from * a.words, now, a.words);
        }
    }
    free(now);
    *liveness = (gy_liveness){a.words, sets};
}

void gy_liveness_free(gy_liveness *liveness)
{
    free(liveness->sets);
    liveness->sets = NULL;
}
