// A toy transition system for tests of the engines: a pseudo-random graph whose reachable part,
// transitions, errors and shortest error are computed by a plain Dijkstra next to it.
#ifndef GYRE_TESTS_TOY_H
#define GYRE_TESTS_TOY_H

#include "exec/system.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "base/vec.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct toy {
    uint64_t seed;
    uint32_t nodes;
    uint32_t degree;     // most transitions of a node
    uint32_t reach;      // a transition leads at most so far ahead
    uint32_t padding;    // further words in a state
    bool varied;         // states differ in length
    bool weighted;       // transitions of several steps and rendezvous
    uint32_t fault_rate; // one transition in so many is a fault; 0: none
    uint32_t dead_rate;  // one node in so many has no transitions; 0: none
    uint32_t busy;       // turns of a useless loop per expansion, to take time
    bool empty_states;   // one state, of no words
} toy;

typedef struct toy_edge {
    uint32_t target;
    gy_step steps[6];
    uint32_t step_count, cost;
    gy_fault_kind fault;
    bool has_target;
} toy_edge;

enum { TOY_MOST_WORDS = 4096 };

typedef struct toy_worker {
    const toy *t;
    gy_word state[TOY_MOST_WORDS];
} toy_worker;

static inline uint64_t toy_hash(const toy *t, uint64_t node, uint64_t what)
{
    return gy_hash_number(gy_hash_pair(node + t->seed * 1000003, what + 1));
}

static inline uint32_t toy_degree(const toy *t, uint32_t node)
{
    if (t->dead_rate && node && toy_hash(t, node, 900) % t->dead_rate == 0)
        return 0;
    return t->degree ? 1 + (uint32_t)(toy_hash(t, node, 901) % t->degree) : 0;
}

static inline bool toy_good_end(const toy *t, uint32_t node)
{
    return toy_hash(t, node, 902) % 2 == 0;
}

static inline toy_edge toy_edge_at(const toy *t, uint32_t node, uint32_t i)
{
    uint64_t h = toy_hash(t, node, i);
    toy_edge e = {.step_count = 1, .has_target = true};
    // Mostly ahead, sometimes back: long paths, cycles, and many ways to the same place.
    e.target = (uint32_t)((node + (h % 7 ? 1 + h / 7 % t->reach : t->nodes - h / 7 % t->reach)) %
                          t->nodes);
    uint64_t w = h >> 40;
    if (t->weighted && w % 4 == 0)
        e.step_count = 2 + (uint32_t)(w / 4 % 4);
    for (uint32_t k = 0; k < e.step_count; k++)
        e.steps[k] = (gy_step){
            .pid = (int32_t)i, .edge = (int32_t)(h >> 20 & 31), .partner = -1, .partner_edge = -1};
    e.cost = e.step_count;
    if (t->weighted && w % 4 == 1) {
        e.steps[0].partner = 99;
        e.steps[0].partner_edge = 33;
        e.cost++;
    }
    if (t->fault_rate && toy_hash(t, node, 1000 + i) % t->fault_rate == 0) {
        e.fault = h >> 63 ? GY_FAULT_ASSERTION : GY_FAULT_INDEX;
        e.has_target = e.fault == GY_FAULT_ASSERTION;
    }
    return e;
}

static inline uint32_t toy_write(const toy *t, uint32_t node, gy_word *state)
{
    uint32_t words = 1 + t->padding;
    if (t->empty_states)
        return 0;
    state[0] = node;
    for (uint32_t i = 1; i < words; i++)
        state[i] = node >> i % 17 & 3;
    if (t->varied)
        for (uint32_t i = 0; i < node % 3; i++)
            state[words++] = 0;
    return words;
}

static int toy_initial(void *worker, gy_visit *visit, void *user)
{
    toy_worker *w = worker;
    gy_transition transition = {.state = w->state, .exclusive = -1, .written = GY_WRITTEN_ALL};
    transition.words = toy_write(w->t, 0, w->state);
    return w->t->nodes ? visit(user, &transition) : 0;
}

static int toy_successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                          void *user)
{
    toy_worker *w = worker;
    uint32_t node = words ? state[0] : 0, degree = toy_degree(w->t, node);
    for (volatile uint32_t i = 0; i < w->t->busy; i++)
        ;
    for (uint32_t i = 0; i < degree; i++) {
        toy_edge e = toy_edge_at(w->t, node, i);
        gy_fault fault = {.kind = e.fault,
                          .pid = (int32_t)i,
                          .edge = e.steps[0].edge,
                          .message = "toy fault",
                          .row = gy_fault_row_of(NULL, e.fault)};
        gy_transition transition = {.state = e.has_target ? w->state : NULL,
                                    .steps = e.steps,
                                    .step_count = e.step_count,
                                    .fault = e.fault ? &fault : NULL,
                                    .exclusive = -1,
                                    .written = GY_WRITTEN_ALL};
        transition.words = e.has_target ? toy_write(w->t, e.target, w->state) : 0;
        int stop = visit(user, &transition);
        if (stop)
            return stop;
    }
    return 0;
}

static bool toy_is_end_state(void *worker, const gy_word *state, uint32_t words, bool empty)
{
    toy_worker *w = worker;
    (void)empty;
    return toy_good_end(w->t, words ? state[0] : 0);
}

static void *toy_new_worker(void *impl)
{
    toy_worker *w = gy_alloc_zero(sizeof *w);
    w->t = impl;
    return w;
}

static void toy_free_worker(void *worker)
{
    free(worker);
}

static void toy_free_system(void *impl)
{
    (void)impl;
}

static const gy_backend toy_backend = {.name = "toy",
                                       .free_system = toy_free_system,
                                       .new_worker = toy_new_worker,
                                       .free_worker = toy_free_worker,
                                       .initial = toy_initial,
                                       .successors = toy_successors,
                                       .is_end_state = toy_is_end_state};

static inline gy_system *toy_system(toy *t)
{
    gy_system *system = gy_alloc_zero(sizeof *system);
    system->backend = &toy_backend;
    system->impl = t;
    system->name = "toy";
    return system;
}

// ---- the truth ------------------------------------------------------------------------

typedef struct toy_truth {
    uint64_t states, transitions, errors;
    uint64_t shortest; // cost of a shortest error; UINT64_MAX: none
    uint64_t depth;    // cost of the most expensive cheapest path
    uint64_t levels;   // transitions to the state that is furthest away
    uint64_t *costs;   // by node; UINT64_MAX: not reachable
} toy_truth;

// Breadth-first, by hand.
static inline uint64_t toy_levels(const toy *t)
{
    GY_VEC(uint32_t) work = {0};
    uint64_t levels = 0, *level = gy_alloc_zero(t->nodes * sizeof *level + 8);
    level[0] = 1;
    gy_vec_push(&work, 0);
    for (size_t next = 0; next < work.n; next++) {
        uint32_t node = work.at[next];
        levels = level[node] - 1;
        for (uint32_t i = 0; i < toy_degree(t, node); i++) {
            toy_edge e = toy_edge_at(t, node, i);
            if (!e.has_target || level[e.target])
                continue;
            level[e.target] = level[node] + 1;
            gy_vec_push(&work, e.target);
        }
    }
    gy_vec_free(&work);
    free(level);
    return levels;
}

// Costs by repeated relaxation: slow, simple, right.
static inline toy_truth toy_solve(const toy *t)
{
    toy_truth truth = {.shortest = UINT64_MAX};
    GY_VEC(uint32_t) work = {0};
    truth.costs = gy_alloc(t->nodes * sizeof *truth.costs + 8);
    for (uint32_t i = 0; i < t->nodes; i++)
        truth.costs[i] = UINT64_MAX;
    if (!t->nodes)
        return truth;
    truth.costs[0] = 0;
    gy_vec_push(&work, 0);
    for (size_t next = 0; next < work.n; next++) {
        uint32_t node = work.at[next];
        for (uint32_t i = 0; i < toy_degree(t, node); i++) {
            toy_edge e = toy_edge_at(t, node, i);
            if (e.has_target && truth.costs[node] + e.cost < truth.costs[e.target]) {
                truth.costs[e.target] = truth.costs[node] + e.cost;
                gy_vec_push(&work, e.target);
            }
        }
    }
    gy_vec_free(&work);
    truth.levels = toy_levels(t);
    truth.transitions = 1;
    for (uint32_t node = 0; node < t->nodes; node++) {
        if (truth.costs[node] == UINT64_MAX)
            continue;
        truth.states++;
        uint32_t degree = toy_degree(t, node);
        uint64_t error = UINT64_MAX;
        if (truth.costs[node] > truth.depth)
            truth.depth = truth.costs[node];
        if (!degree && !toy_good_end(t, node)) {
            truth.errors++;
            error = truth.costs[node];
        }
        for (uint32_t i = 0; i < degree; i++) {
            toy_edge e = toy_edge_at(t, node, i);
            truth.transitions += e.has_target;
            truth.errors += e.fault != GY_FAULT_NONE;
            if (e.fault && truth.costs[node] + e.cost < error)
                error = truth.costs[node] + e.cost;
        }
        if (error < truth.shortest)
            truth.shortest = error;
    }
    return truth;
}

// What the statements of a witness cost: a rendezvous counts twice.
static inline uint64_t toy_cost(const gy_witness *witness)
{
    uint64_t cost = witness->step_count;
    for (uint64_t i = 0; i < witness->step_count; i++)
        cost += witness->steps[i].partner >= 0;
    return cost;
}

// Small and large, with and without errors, of all forms.
static const toy toy_shapes[] = {
    {.nodes = 1, .degree = 0, .reach = 1},
    {.nodes = 1, .degree = 2, .reach = 1, .empty_states = true},
    {.nodes = 3000, .degree = 3, .reach = 40},
    {.nodes = 3000, .degree = 4, .reach = 12, .varied = true, .padding = 5},
    {.nodes = 2000, .degree = 3, .reach = 20, .weighted = true, .padding = 9},
    {.nodes = 2000, .degree = 3, .reach = 9, .weighted = true, .varied = true, .dead_rate = 50},
    {.nodes = 2500, .degree = 5, .reach = 30, .fault_rate = 60, .dead_rate = 90, .padding = 2},
    {.nodes = 2500, .degree = 5, .reach = 3, .fault_rate = 40, .weighted = true, .varied = true},
    {.nodes = 60, .degree = 3, .reach = 5, .padding = 4000, .fault_rate = 30},
};
enum { TOY_SHAPES = sizeof toy_shapes / sizeof *toy_shapes };

#endif
