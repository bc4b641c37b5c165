// Invariant that the resets establish: where a variable is dead, it has its reset value. It holds
// at the initial node (the initialisers end with resets), and an edge to a node where the variable
// is dead resets it if it could have another value: if it was live before or the edge writes it.
#include "model/passes/dead.h"

#include "base/fatal.h"
#include "model/instances.h"
#include "model/passes/dead_paths.h"
#include "model/passes/liveness.h"
#include "model/passes/resets.h"
#include "model/watched.h"

#include <stdlib.h>
#include <string.h>

typedef struct pass {
    gy_model *model;
    gy_saved *saved;
    uint32_t words;
    uint64_t *watched;  // variables that another process reads
    uint64_t *assigned; // by an edge
    int32_t *user;      // by global: the only template that uses it, GY_NONE: none, MANY: more
} pass;

enum { MANY = -2 };

// ---- which variables ------------------------------------------------------------------

// Which template uses which globals, and what is assigned after its initialisation.
static void find_users(pass *p)
{
    uint64_t *touched = gy_alloc(p->words * sizeof *touched);
    for (uint32_t t = 0; t < p->model->template_count; t++) {
        const gy_template *tmpl = &p->model->templates[t];
        if (!gy_is_process(tmpl))
            continue;
        memset(touched, 0, p->words * sizeof *touched);
        gy_program_reads(p->model, tmpl->init, touched);
        gy_program_writes(tmpl->init, touched);
        for (int32_t e = 0; e < tmpl->edge_count; e++) {
            const gy_edge *edge = &p->model->edges[tmpl->first_edge + e];
            gy_edge_reads(p->model, edge, touched);
            gy_edge_writes(edge, touched);
            gy_edge_writes(edge, p->assigned);
        }
        for (uint32_t v = 0; v < p->model->global_count; v++)
            if (gy_bits_has(touched, (int32_t)v))
                p->user[v] = p->user[v] == GY_NONE ? (int32_t)t : MANY;
    }
    free(touched);
}

// Is it given a channel when its process begins? Which one that is depends on the channels and
// processes that there are, so it tells no states apart; and reductions ask whose channel it is.
static bool names_own_channel(const pass *p, int32_t var)
{
    const gy_variable *v = &p->model->vars[var];
    const gy_program *init = v->owner == GY_NONE ? NULL : p->model->templates[v->owner].init;
    bool found = false;
    for (uint32_t i = 0; init && i < init->count && !v->is_array; i++)
        found |= init->actions[i].kind == GY_A_NEW_CHANNEL && init->actions[i].var == var;
    return found && !gy_bits_has(p->assigned, var);
}

// The template in whose graph the variable is to be followed, or GY_NONE. A variable that keeps
// what it was given at the start tells states apart only where processes come and go.
static int32_t follower(const pass *p, int32_t var)
{
    const gy_variable *v = &p->model->vars[var];
    if (v->hidden || v->count > GY_MOST_RESETS || gy_bits_has(p->watched, var) ||
        names_own_channel(p, var))
        return GY_NONE;
    if (v->owner == GY_NONE) {
        int32_t user = p->user[var];
        bool alone = user >= 0 && gy_template_is_single(p->model, user);
        return alone && gy_bits_has(p->assigned, var) ? user : GY_NONE;
    }
    bool changes = gy_bits_has(p->assigned, var) || gy_template_is_respawned(p->model, v->owner);
    return gy_is_process(&p->model->templates[v->owner]) && changes ? v->owner : GY_NONE;
}

// ---- resets ---------------------------------------------------------------------------

static uint32_t reset_on_edges(pass *p, const gy_template *tmpl, const gy_liveness *live,
                               int32_t var, uint64_t *writes)
{
    uint32_t resets = 0;
    for (int32_t e = 0; e < tmpl->edge_count; e++) {
        gy_edge *edge = &p->model->edges[tmpl->first_edge + e];
        if (edge->to == GY_NONE || gy_live_at(live, edge->to, var))
            continue;
        memset(writes, 0, p->words * sizeof *writes);
        gy_edge_writes(edge, writes);
        if (!gy_live_at(live, edge->from, var) && !gy_bits_has(writes, var))
            continue;
        edge->effect = gy_program_with_reset(p->model, edge->effect, var, edge->place);
        resets++;
    }
    return resets;
}

static bool reset_at_start(pass *p, gy_template *tmpl, int32_t var, uint64_t *writes)
{
    const gy_variable *v = &p->model->vars[var];
    gy_program **init = v->owner == GY_NONE ? &p->model->init : &tmpl->init;
    memset(writes, 0, p->words * sizeof *writes);
    gy_program_writes(*init, writes);
    if (!v->is_param && !gy_bits_has(writes, var))
        return false;
    *init = gy_program_with_reset(p->model, *init, var, v->place);
    return true;
}

static void follow(pass *p, int32_t number, const int32_t *followers)
{
    gy_template *tmpl = &p->model->templates[number];
    uint64_t *writes = gy_alloc(p->words * sizeof *writes);
    uint64_t *own = gy_alloc_zero(p->words * sizeof *own);
    uint64_t *followed = gy_alloc_zero(p->words * sizeof *followed);
    gy_liveness live;
    for (uint32_t v = 0; v < p->model->var_count; v++) {
        if (followers[v] == number)
            gy_bits_add(followed, (int32_t)v);
        if (followers[v] == number || p->model->vars[v].removed)
            gy_bits_add(own, (int32_t)v);
    }
    gy_liveness_find(p->model, tmpl, own, &live);
    gy_dead_paths *paths = gy_dead_paths_find(p->model, number, own, followed, &live);
    for (uint32_t v = 0; v < p->model->var_count; v++) {
        if (followers[v] != number)
            continue;
        uint32_t resets = reset_on_edges(p, tmpl, &live, (int32_t)v, writes);
        if (!gy_live_at(&live, tmpl->initial, (int32_t)v))
            resets += reset_at_start(p, tmpl, (int32_t)v, writes);
        p->saved->dead_variables += resets > 0;
        p->saved->dead_resets += resets;
    }
    gy_dead_paths_reset(paths, p->model, p->saved);
    gy_liveness_free(&live);
    free(own);
    free(followed);
    free(writes);
}

void gy_model_dead(gy_model *model, const gy_watched *watched, gy_saved *saved)
{
    pass p = {.model = model, .saved = saved, .words = gy_bits_words(model->var_count)};
    p.watched = gy_alloc_zero(p.words * sizeof *p.watched);
    p.assigned = gy_alloc_zero(p.words * sizeof *p.assigned);
    p.user = gy_alloc((model->global_count + 1) * sizeof *p.user);
    int32_t *followers = gy_alloc((model->var_count + 1) * sizeof *followers);
    bool *wanted = gy_alloc_zero((model->template_count + 1) * sizeof *wanted);
    for (uint32_t v = 0; v < model->global_count; v++)
        p.user[v] = GY_NONE;
    gy_watched_reads(model, watched, p.watched);
    gy_model_remote_reads(p.model, p.watched);
    find_users(&p);
    for (uint32_t v = 0; v < model->var_count; v++) {
        followers[v] = follower(&p, (int32_t)v);
        if (followers[v] != GY_NONE)
            wanted[followers[v]] = true;
    }
    for (uint32_t t = 0; t < model->template_count; t++)
        if (wanted[t])
            follow(&p, (int32_t)t, followers);
    free(p.watched);
    free(p.assigned);
    free(p.user);
    free(followers);
    free(wanted);
}
