// What the analysis of ranges knows and finds: shared by its five files, and theirs alone.
//
// An environment is a row of spans: one for each global, then one for each variable of the
// template. There is one per node. In a node where others may execute, what they write counts with
// all values that it ever has (gy_facts.var), not with what the row says.
#ifndef GYRE_MODEL_PASSES_RANGE_FACTS_H
#define GYRE_MODEL_PASSES_RANGE_FACTS_H

#include "model/passes/interval.h"
#include "model/sharing.h"

typedef struct gy_facts {
    gy_interval *var;   // by variable: all values that are ever stored
    gy_interval *given; // by variable: what a parameter is given when a process is made
    gy_interval *field; // by channel type (gy_ranging.first_field), by field: what is sent
    gy_interval *env;   // by template (first_env), by node: its environment
    bool *reached;      // by template (first_node), by node
    bool *running;      // by template: instances are made
} gy_facts;

typedef struct gy_ranging {
    const gy_model *model;
    gy_sharing *sharing;
    int32_t *channel_types; // of the channels that a variable can hold
    uint32_t *first_field, *first_node, *width;
    size_t *first_env;
    size_t env_cells;
    uint32_t field_cells, node_cells;
    bool *stable;         // by node: others may execute while a process is there
    bool **own;           // by template, by global: only its instance writes it
    gy_interval *pid;     // by template
    gy_interval *initial; // by global: the values at the start
    gy_interval live;     // numbers of live processes
    int32_t *limits;      // sorted: where widening may stop
    size_t limit_count;
    gy_facts now;   // what is read
    gy_facts *next; // what is written: `now` itself on the way up
    bool widening, giving_up;
    bool changed;
    int32_t made; // channels that the start has made so far
} gy_ranging;

// NULL: the model is too large to be examined.
gy_ranging *gy_ranging_new(const gy_model *model);
void gy_ranging_free(gy_ranging *r); // but for r->now

static inline bool gy_is_tracked(const gy_ranging *r, int32_t tmpl, int32_t var)
{
    const gy_variable *v = &r->model->vars[var];
    return !v->hidden && (v->owner == GY_NONE || v->owner == tmpl);
}

// Where a variable is in an environment.
static inline uint32_t gy_env_index(const gy_ranging *r, int32_t tmpl, int32_t var)
{
    if ((uint32_t)var < r->model->global_count)
        return (uint32_t)var;
    return r->model->global_count + (uint32_t)(var - r->model->templates[tmpl].first_var);
}

// More is known to be possible: joined into what is written, widened if it is time.
void gy_facts_add(gy_ranging *r, gy_interval *cell, gy_interval more, gy_type type);

// `wide` with its new ends moved out to the next limit.
gy_interval gy_interval_widen(const gy_ranging *r, gy_interval narrow, gy_interval wide,
                              gy_type type);

// ---- expressions (range_expr.c); tmpl GY_NONE: no process evaluates ------------------------

gy_interval gy_range_of(const gy_ranging *r, int32_t tmpl, const gy_interval *env,
                        const gy_expr *expr);
// Narrows env to where the expression holds (or fails). False: nowhere.
bool gy_range_assume(const gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_expr *expr,
                     bool holds);

// ---- steps (range_step.c) ------------------------------------------------------------------

// Runs a program on env, in place. False: it never gets to its end.
bool gy_range_program(gy_ranging *r, int32_t tmpl, gy_interval *env, const gy_program *program);
// From the node that it leaves to the one it leads to.
void gy_range_edge(gy_ranging *r, const gy_edge *edge, gy_interval *env);
// Control comes to a node with these values.
void gy_range_arrive(gy_ranging *r, int32_t tmpl, int32_t node, const gy_interval *env);

// ---- faults (range_faults.c) ---------------------------------------------------------------

// Can the edge end in a fault that leaves no successor, with these values where it begins? Works
// on env, and adds to what is written.
bool gy_range_edge_can_fail(gy_ranging *r, const gy_edge *edge, gy_interval *env);

#endif
