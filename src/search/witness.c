// Checking a witness: replaying its steps on a fresh worker.
//
// Steps name processes and edges, not states, and two transitions may carry the same steps (a
// choice inside an atomic sequence). So the path follows every state that fits: a candidate is a
// state with the number of steps that led there. Candidates are taken in the order of that number.
#include "search/replay.h"

#include <stdlib.h>
#include <string.h>

// A transition that fits, and the one before it.
typedef struct footstep {
    uint32_t before; // plus one; 0: it leads to an initial state
    uint32_t ordinal;
} footstep;

typedef struct candidate {
    uint64_t steps; // taken so far
    gy_word *state;
    uint32_t words;
    uint32_t last; // footstep, plus one
} candidate;

typedef struct check {
    const gy_witness *witness;
    GY_VEC(candidate) open;
    GY_VEC(footstep) footsteps;
    uint32_t last; // of the state examined, or, once it was shown, of the error
    uint64_t position;
    uint32_t transitions; // of the state examined
    bool shown;           // the error was seen at the right place
} check;

static bool same_step(const gy_step *a, const gy_step *b)
{
    return a->pid == b->pid && a->edge == b->edge && a->partner == b->partner &&
           a->partner_edge == b->partner_edge && a->choice == b->choice &&
           a->partner_choice == b->partner_choice;
}

static bool steps_fit(const check *c, const gy_transition *transition)
{
    if (transition->step_count > c->witness->step_count - c->position)
        return false;
    for (uint32_t i = 0; i < transition->step_count; i++)
        if (!same_step(&transition->steps[i], &c->witness->steps[c->position + i]))
            return false;
    return true;
}

static bool is_open(const check *c, uint64_t steps, const gy_transition *transition)
{
    for (size_t i = 0; i < c->open.n; i++) {
        const candidate *other = &c->open.at[i];
        if (other->steps == steps && other->words == transition->words &&
            (!other->words ||
             !memcmp(other->state, transition->state, other->words * sizeof *transition->state)))
            return true;
    }
    return false;
}

static int visit(void *user, const gy_transition *transition)
{
    check *c = user;
    const gy_witness *witness = c->witness;
    uint32_t ordinal = c->transitions++;
    if (!steps_fit(c, transition))
        return 0;
    uint64_t steps = c->position + transition->step_count;
    if (witness->error == GY_ERROR_FAULT && steps == witness->step_count &&
        gy_fault_find(transition->fault, witness->fault)) {
        gy_vec_push(&c->footsteps, ((footstep){c->last, ordinal}));
        c->last = (uint32_t)c->footsteps.n;
        c->shown = true;
        return 1;
    }
    if (!transition->state || is_open(c, steps, transition))
        return 0;
    gy_vec_push(&c->footsteps, ((footstep){c->last, ordinal}));
    candidate new = {.steps = steps, .words = transition->words, .last = (uint32_t)c->footsteps.n};
    new.state = gy_alloc((size_t) new.words * sizeof *new.state);
    if (new.words)
        memcpy(new.state, transition->state, new.words * sizeof *new.state);
    gy_vec_push(&c->open, new);
    return 0;
}

static candidate take_nearest(check *c)
{
    size_t best = 0;
    for (size_t i = 1; i < c->open.n; i++)
        if (c->open.at[i].steps < c->open.at[best].steps)
            best = i;
    candidate taken = c->open.at[best];
    c->open.at[best] = c->open.at[--c->open.n];
    return taken;
}

static void list_footsteps(const check *c, gy_route *route)
{
    for (uint32_t i = c->last; i; i = c->footsteps.at[i - 1].before)
        gy_vec_push(route, c->footsteps.at[i - 1].ordinal);
    for (size_t i = 0; i + i + 1 < route->n; i++) {
        uint32_t other = route->at[route->n - 1 - i];
        route->at[route->n - 1 - i] = route->at[i];
        route->at[i] = other;
    }
}

bool gy_witness_route(gy_system *system, const gy_witness *witness, bool empty_channels,
                      gy_route *route, const char **why)
{
    check c = {.witness = witness};
    gy_worker *worker = gy_worker_new(system);
    bool reached_end = false;
    gy_initial(worker, visit, &c);
    while (c.open.n && !c.shown) {
        candidate at = take_nearest(&c);
        c.position = at.steps;
        c.last = at.last;
        c.transitions = 0;
        if (at.steps < witness->step_count) {
            gy_successors(worker, at.state, at.words, visit, &c);
        } else {
            reached_end = true;
            if (witness->error == GY_ERROR_END_STATE) {
                gy_successors(worker, at.state, at.words, visit, &c);
                c.shown = c.transitions == 0 &&
                          !gy_is_end_state(worker, at.state, at.words, empty_channels);
            }
        }
        free(at.state);
    }
    for (size_t i = 0; i < c.open.n; i++)
        free(c.open.at[i].state);
    if (c.shown && route)
        list_footsteps(&c, route);
    gy_vec_free(&c.open);
    gy_vec_free(&c.footsteps);
    gy_worker_free(worker);
    if (why)
        *why = c.shown        ? ""
               : !reached_end ? "a step of the witness cannot be taken"
                              : "the last step of the witness does not show the error";
    return c.shown;
}

bool gy_witness_check(gy_system *system, const gy_witness *witness, bool empty_channels,
                      const char **why)
{
    return gy_witness_route(system, witness, empty_channels, NULL, why);
}
