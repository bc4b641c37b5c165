#include "exec/observe.h"

#include "exec/vm.h"

uint32_t gy_state_flags(gy_worker *worker, const gy_word *state, uint32_t words)
{
    gy_machine *m = worker->impl;
    uint32_t flags = 0;
    gy_machine_look(m, state, gy_shape_of(m->vm, state, words));
    for (uint32_t pid = 0; pid < m->shape->process_count; pid++) {
        const gy_vm_template *tmpl = &m->program->templates[m->shape->process[pid].tmpl];
        flags |= tmpl->nodes[gy_machine_node(m, (int32_t)pid)].flags;
    }
    return flags;
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

static gy_observer *observer_of(gy_observer observer)
{
    gy_observer *copy = gy_alloc(sizeof *copy);
    *copy = observer;
    return copy;
}

// ---- labels of processes ------------------------------------------------------------------

static void acceptance_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                             uint32_t at, gy_observer_visit *visit, void *user)
{
    (void)self, (void)at;
    bool accepts = gy_state_flags(worker, state, words) & GY_NODE_ACCEPT;
    gy_observer_move move = {.marks = accepts, .edge = -1};
    visit(user, &move);
}

gy_observer *gy_observe_acceptance(void)
{
    return observer_of(
        (gy_observer){.states = 1, .sets = 1, .stutters = true, .moves = acceptance_moves});
}

// State 0 waits; state 1 has guessed that no progress will be seen any more. A system that has
// stopped is no cycle: no stuttering.
static void progress_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                           uint32_t at, gy_observer_visit *visit, void *user)
{
    (void)self;
    bool progress = gy_state_flags(worker, state, words) & GY_NODE_PROGRESS;
    gy_observer_move wait = {.to = 0, .edge = -1}, guess = {.to = 1, .marks = at, .edge = -1};
    if (!progress)
        visit(user, &guess);
    if (at == 0)
        visit(user, &wait);
}

gy_observer *gy_observe_progress(void)
{
    return observer_of((gy_observer){.states = 2, .sets = 1, .moves = progress_moves});
}

// ---- never claims -------------------------------------------------------------------------

typedef struct claim {
    const gy_model *model;
    int32_t tmpl;
    bool others_accept; // processes have accept labels too
    bool uses_timeout;
} claim;

// A list that takes no memory from the heap while it is short.
typedef struct short_list {
    int32_t few[30], *at;
    uint32_t n, room;
} short_list;

static void list_add(short_list *list, int32_t number)
{
    if (list->n == list->room) {
        list->room *= 2;
        bool first = list->at == list->few;
        list->at = gy_realloc(first ? NULL : list->at, list->room * sizeof *list->at);
        if (first)
            memcpy(list->at, list->few, sizeof list->few);
    }
    list->at[list->n++] = number;
}

static void list_begin(short_list *list)
{
    list->at = list->few;
    list->n = 0;
    list->room = sizeof list->few / sizeof *list->few;
}

static void list_end(short_list *list)
{
    if (list->at != list->few)
        free(list->at);
}

static int keep_edge(void *user, int32_t edge)
{
    list_add(user, edge);
    return 0;
}

static int stop_if_moves(void *user, const gy_transition *transition)
{
    const gy_model *model = user;
    return transition->step_count > 0 && !model->edges[transition->steps[0].edge].needs_timeout;
}

static bool assertions_hold(const gy_edge *edge, gy_worker *worker, const gy_word *state,
                            uint32_t words)
{
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        const gy_action *action = &edge->effect->actions[i];
        if (action->kind == GY_A_ASSERT &&
            !worker->system->backend->holds(worker->impl, state, words, action->expr))
            return false;
    }
    return true;
}

// `inside`: nodes inside an atomic sequence of the claim, still to be left.
static void claim_from(const claim *c, gy_worker *worker, const gy_word *state, uint32_t words,
                       int32_t node, uint64_t marks, short_list *inside, gy_observer_visit *visit,
                       void *user)
{
    const gy_template *tmpl = &c->model->templates[c->tmpl];
    short_list enabled;
    list_begin(&enabled);
    gy_claim_moves(worker, state, words, c->tmpl, node, keep_edge, &enabled);
    for (uint32_t i = 0; i < enabled.n; i++) {
        const gy_edge *edge = &c->model->edges[enabled.at[i]];
        gy_observer_move move = {.to = (uint32_t)edge->to, .marks = marks, .edge = edge->id};
        if (!assertions_hold(edge, worker, state, words)) {
            move.sight = GY_SEES_ASSERTION;
        } else if (tmpl->nodes[edge->to].flags & (GY_NODE_END | GY_NODE_FINAL)) {
            move.sight = GY_SEES_END;
        } else if (edge->keeps_atomic) {
            bool known = false;
            for (uint32_t k = 0; k < inside->n; k++)
                known = known || inside->at[k] == edge->to;
            if (!known)
                list_add(inside, edge->to);
            continue;
        }
        visit(user, &move);
    }
    list_end(&enabled);
}

static void claim_moves(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                        uint32_t at, gy_observer_visit *visit, void *user)
{
    const claim *c = self;
    short_list inside;
    gy_machine *m = worker->impl;
    uint64_t marks = c->model->templates[c->tmpl].nodes[at].flags & GY_NODE_ACCEPT ? 1 : 0;
    bool timeout = false;
    if (!marks && c->others_accept)
        marks = gy_state_flags(worker, state, words) & GY_NODE_ACCEPT ? 1 : 0;
    if (c->uses_timeout)
        timeout = !gy_successors(worker, state, words, stop_if_moves, (void *)c->model);
    list_begin(&inside);
    m->timeout = timeout;
    claim_from(c, worker, state, words, (int32_t)at, marks, &inside, visit, user);
    for (uint32_t i = 0; i < inside.n; i++) {
        m->timeout = timeout;
        claim_from(c, worker, state, words, inside.at[i], marks, &inside, visit, user);
    }
    m->timeout = false;
    list_end(&inside);
}

static bool has_side_effects(const gy_edge *edge)
{
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        gy_action_kind kind = edge->effect->actions[i].kind;
        if (kind != GY_A_ASSERT && kind != GY_A_PRINTF && kind != GY_A_PRINTM)
            return true;
    }
    return edge->sync != GY_SYNC_NONE;
}

gy_observer *gy_observe_claim(const gy_model *model, int32_t number, gy_text *problem)
{
    const gy_template *tmpl = &model->templates[number];
    bool uses_timeout = false;
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &model->edges[tmpl->first_edge + k];
        uses_timeout = uses_timeout || edge->needs_timeout;
        if (edge->kind != GY_EDGE_END && has_side_effects(edge)) {
            gy_place_info place = gy_place_user(model->sources, edge->place);
            gy_text_printf(problem, "line %u: a never claim that changes something (%s)",
                           place.line, edge->text ? edge->text : "");
            return NULL;
        }
    }
    claim *c = gy_alloc_zero(sizeof *c);
    c->model = model;
    c->tmpl = number;
    c->others_accept = gy_model_has_flag(model, GY_NODE_ACCEPT);
    c->uses_timeout = uses_timeout;
    return observer_of((gy_observer){.self = c,
                                     .states = tmpl->node_count,
                                     .initial = (uint32_t)tmpl->initial,
                                     .sets = 1,
                                     .stutters = true,
                                     .moves = claim_moves,
                                     .free = free});
}
