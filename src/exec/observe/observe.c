#include "exec/observe/observe.h"

#include "base/fatal.h"

#include <stdlib.h>

uint32_t gy_state_flags(gy_worker *worker, const gy_word *state, uint32_t words)
{
    const gy_backend *backend = worker->system->backend;
    return backend->flags ? backend->flags(worker->impl, state, words) : 0;
}

bool gy_model_has_flag(const gy_model *model, uint32_t flags)
{
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        if (tmpl->kind != GY_TMPL_PROCESS && tmpl->kind != GY_TMPL_INIT)
            continue;
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            if (tmpl->nodes[n].flags & flags)
                return true;
    }
    return false;
}

void gy_observer_free(gy_observer *observer)
{
    if (!observer)
        return;
    if (observer->free)
        observer->free(observer->self);
    free(observer);
}

gy_observer *gy_observer_of(gy_observer observer)
{
    gy_observer *copy = gy_alloc(sizeof *copy);
    *copy = observer;
    return copy;
}

// ---- labels of processes ------------------------------------------------------------------

static uint32_t flags_before(const gy_model *model, int32_t edge)
{
    if (edge < 0)
        return 0;
    const gy_edge *e = &model->edges[edge];
    return model->templates[e->tmpl].nodes[e->from].flags;
}

uint32_t gy_passed_flags(const gy_model *model, const gy_transition *transition)
{
    uint32_t flags = 0;
    for (uint32_t i = 1; i < transition->step_count; i++) {
        const gy_step *step = &transition->steps[i];
        flags |= flags_before(model, step->edge) | flags_before(model, step->partner_edge);
    }
    return flags;
}

bool gy_model_passes_flag(const gy_model *model, uint32_t flags)
{
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        const gy_template *tmpl = &model->templates[edge->tmpl];
        bool inside = edge->keeps_atomic || edge->sync != GY_SYNC_NONE; // may hand control over
        if ((tmpl->kind == GY_TMPL_PROCESS || tmpl->kind == GY_TMPL_INIT) && inside &&
            edge->to != GY_NONE && (tmpl->nodes[edge->to].flags & flags))
            return true;
    }
    return false;
}

static uint64_t passed_accept(const void *self, const gy_transition *transition)
{
    return gy_passed_flags(self, transition) & GY_NODE_ACCEPT ? 1 : 0;
}

static void acceptance_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                             uint32_t at, gy_observer_visit *visit, void *user)
{
    (void)self, (void)at;
    bool accepts = gy_state_flags(worker, state, words) & GY_NODE_ACCEPT;
    gy_observer_move move = {.marks = accepts, .edge = -1};
    visit(user, &move);
}

gy_observer *gy_observe_acceptance(const gy_model *model)
{
    bool inside = gy_model_passes_flag(model, GY_NODE_ACCEPT);
    return gy_observer_of((gy_observer){.self = (void *)model,
                                        .states = 1,
                                        .bounded = true,
                                        .sets = 1,
                                        .stutters = true,
                                        .passed = inside ? passed_accept : NULL,
                                        .moves = acceptance_moves});
}

enum { PASSED_PROGRESS = 2 }; // no acceptance set has this mark

typedef struct progress {
    const gy_model *model;
    gy_observer
        tight; // the same, but it may have guessed from the start, and before what it guessed
} progress;

static uint64_t passed_progress(const void *self, const gy_transition *transition)
{
    const progress *p = self;
    return gy_passed_flags(p->model, transition) & GY_NODE_PROGRESS ? PASSED_PROGRESS : 0;
}

// State 0 waits; state 1 has guessed that no progress will be seen any more. A system that has
// stopped is no cycle: no stuttering.
static void progress_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                           uint32_t at, gy_observer_visit *visit, void *user)
{
    (void)self;
    bool is_progress = gy_state_flags(worker, state, words) & GY_NODE_PROGRESS;
    gy_observer_move wait = {.to = 0, .edge = -1};
    gy_observer_move guess = {.to = 1, .marks = at, .edge = -1, .unless = PASSED_PROGRESS};
    if (!is_progress)
        visit(user, &guess);
    if (at == 0)
        visit(user, &wait);
}

// State 1: no progress from here on.
static void tight_progress_moves(void *self, gy_worker *worker, const gy_word *state,
                                 uint32_t words, uint32_t at, gy_observer_visit *visit, void *user)
{
    (void)self;
    gy_observer_move wait = {.to = 0, .edge = -1}, guess = {.to = 1, .edge = -1};
    gy_observer_move stay = {.to = 1, .marks = 1, .edge = -1, .unless = PASSED_PROGRESS};
    if (at == 0) {
        visit(user, &guess);
        visit(user, &wait);
    } else if (!(gy_state_flags(worker, state, words) & GY_NODE_PROGRESS)) {
        visit(user, &stay);
    }
}

gy_observer *gy_observe_progress(const gy_model *model)
{
    static const uint32_t both[] = {0, 1};
    progress *p = gy_alloc_zero(sizeof *p);
    bool inside = gy_model_passes_flag(model, GY_NODE_PROGRESS);
    p->model = model;
    p->tight = (gy_observer){.self = p,
                             .states = 2,
                             .bounded = true,
                             .sets = 1,
                             .weak = true,
                             .passed = inside ? passed_progress : NULL,
                             .moves = progress_moves};
    gy_observer usual = p->tight;
    usual.free = free;
    usual.tight = &p->tight;
    p->tight.moves = tight_progress_moves;
    p->tight.initials = both;
    p->tight.initial_count = 2;
    return gy_observer_of(usual);
}
