// A lasso over ranks: a path to a node that lies on an accepting cycle, and one round the cycle.
// Each is found by a breadth-first search of its own, with parents.
//
// The cycle must have all marks that those at the goal have (rank_marks.c), and stay among the
// nodes that are left.
#include "dist/mpi/rank_parts.h"

#include "search/liveness/lasso_writer.h"

#include <stdlib.h>

// ---- reporting --------------------------------------------------------------------------

typedef struct telling {
    gy_rank_product *product;
    void *worker;
    gy_space_items items;
    GY_VEC(gy_word) node; // without a counter
    gy_lasso_writer writer;
} telling;

static void take_node(telling *t, uint32_t item)
{
    const gy_incoming *in = &t->items.in[item];
    gy_vec_reserve(&t->node, in->words + (size_t)1);
    memmove(t->node.at, in->state, in->words * sizeof *t->node.at);
    t->node.n = in->words;
}

// False: there is no such arc.
static bool tell_turn(telling *t, uint32_t item)
{
    t->items.n = 0;
    if (t->product->maker.maker.successors(t->worker, t->node.at, (uint32_t)t->node.n, &t->items) ||
        item >= t->items.n)
        return false;
    gy_product_origin origin = gy_product_origin_of(t->worker, t->items.origins[item]);
    gy_turn turn = {.from = origin.at,
                    .to = origin.move->to,
                    .marks = t->items.marks[item],
                    .observer_edge = origin.move->edge,
                    .ordinal = origin.ordinal};
    GY_VEC(gy_word) next = {0}; // asking for steps changes what the items are
    gy_vec_reserve(&next, t->items.in[item].words + (size_t)1);
    memcpy(next.at, t->items.in[item].state, t->items.in[item].words * sizeof *next.at);
    next.n = t->items.in[item].words;
    gy_lasso_add_turn(&t->writer, turn, origin.system, t->node.at, origin.words);
    gy_vec_reserve(&t->node, next.n + 1);
    memcpy(t->node.at, next.at, next.n * sizeof *next.at);
    t->node.n = next.n;
    gy_vec_free(&next);
    return true;
}

static bool tell_sight(telling *t, gy_lasso_witness *lasso)
{
    t->items.n = 0;
    if (t->product->maker.maker.successors(t->worker, t->node.at, (uint32_t)t->node.n, &t->items) !=
        GY_GRAPH_SEEN)
        return false;
    gy_product_origin origin = gy_product_sight_of(t->worker);
    gy_lasso_add_sight(&t->writer, origin.at, origin.move, lasso);
    return true;
}

// Both paths as a witness; NULL: they cannot be replayed. No cycle: an error at the end.
static gy_lasso_witness *tell_lasso(gy_rank_product *p, const gy_route *stem, const gy_route *cycle)
{
    telling t = {.product = p, .worker = p->maker.maker.open(&p->maker)};
    gy_lasso_witness *lasso = gy_alloc_zero(sizeof *lasso);
    p->maker.maker.initial(t.worker, &t.items);
    bool good = stem->n > 0 && stem->at[0] < t.items.n;
    if (good) {
        lasso->initial = t.items.origins[stem->at[0]];
        take_node(&t, stem->at[0]);
    }
    for (size_t i = 1; i < stem->n && good; i++)
        good = tell_turn(&t, stem->at[i]);
    gy_lasso_add_cycle(&t.writer, lasso);
    for (size_t i = 1; i < cycle->n && good; i++) // the first is that of the node itself
        good = tell_turn(&t, cycle->at[i]);
    if (good && !cycle->n)
        good = tell_sight(&t, lasso);
    gy_lasso_writer_end(&t.writer, lasso);
    p->maker.maker.close(t.worker);
    free(t.items.in);
    free(t.items.marks);
    free(t.items.origins);
    gy_vec_free(&t.node);
    if (good)
        return lasso;
    gy_lasso_witness_free(lasso);
    return NULL;
}

// ---- ways -----------------------------------------------------------------------------

// A path to the goal, or back to it; without a goal, to an error that the observer sees at once.
// False: there is none, or the search has ended.
static bool find_way(gy_rank_search *outer, bool back, gy_route *route)
{
    gy_run *run = outer->run;
    gy_rank_product *p = outer->product;
    gy_rank_trace trace;
    p->start = back ? p->goal : (gy_rank_state){0};
    p->counts = back;
    p->inside = back && p->nonempty ? outer : NULL;
    p->route.n = 0;
    gy_rank_trace_init(&trace, run, false);
    gy_rank_pass(run, &trace, false, p, NULL);
    gy_rank_trace_free(&trace);
    p->start = (gy_rank_state){0};
    p->counts = false;
    p->inside = NULL;
    route->n = 0;
    for (size_t i = 0; i < p->route.n; i++)
        gy_vec_push(route, p->route.at[i]);
    return route->n > 0;
}

// Collective: a node that some rank suspects becomes the goal. False: none does.
static bool take_suspect(gy_rank_search *s)
{
    gy_rank_product *p = s->product;
    gy_transport *t = s->transport;
    uint64_t owner = p->suspect.words ? t->rank : UINT64_MAX;
    t->reduce(t, &owner, 1, GY_TRANSPORT_LEAST);
    if (owner == UINT64_MAX)
        return false;
    bool mine = owner == t->rank;
    uint32_t words = p->suspect.words;
    t->broadcast(t, (unsigned)owner, &words, sizeof words);
    p->goal = (gy_rank_state){gy_alloc_zero((words + (size_t)1) * sizeof(gy_word)), words};
    if (mine)
        memcpy(p->goal.at, p->suspect.at, words * sizeof(gy_word));
    t->broadcast(t, (unsigned)owner, p->goal.at, (uint32_t)(words * sizeof(gy_word)));
    return true;
}

static void order_marks(gy_rank_product *p)
{
    uint64_t needed = p->general ? p->needed : p->all;
    p->order_n = 0;
    for (unsigned bit = 0; bit < 64; bit++)
        if (needed >> bit & 1)
            p->order[p->order_n++] = (uint8_t)bit;
}

// True: there is an accepting cycle, or an error was seen, and both ways are known.
static bool find_ways(gy_rank_search *s, gy_route *stem, gy_route *cycle)
{
    gy_rank_product *p = s->product;
    uint64_t met[] = {atomic_load(&p->seen), gy_fair_too_many(&p->maker.fair)};
    s->transport->reduce(s->transport, met, 2, GY_TRANSPORT_SUM);
    p->too_many = met[1] != 0;
    atomic_store(&p->seen, met[0] && !p->too_many);
    if (p->too_many)
        return false;
    if (atomic_load(&p->seen)) {
        p->nonempty = false;
        return find_way(s, false, stem);
    }
    bool suspected = take_suspect(s);
    if (!suspected && !p->nonempty)
        return false;
    order_marks(p);
    bool found = p->goal.words && find_way(s, true, cycle) && find_way(s, false, stem);
    p->again = suspected && !found && !s->run->stopped;
    p->nonempty = p->nonempty || (suspected && found);
    return found;
}

void gy_rank_find_lasso(gy_rank_search *s)
{
    gy_run *run = s->run;
    gy_rank_product *p = s->product;
    gy_search_result *result = run->result, kept = *result;
    gy_route stem = {0}, cycle = {0};
    uint64_t states = run->states_so_far;
    if (find_ways(s, &stem, &cycle))
        p->lasso = tell_lasso(p, &stem, &cycle);
    result->transitions = kept.transitions; // those of the search itself
    result->depth = kept.depth;
    result->by_transitions = kept.by_transitions;
    run->states_so_far = states;
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    free(p->goal.at);
    p->goal = (gy_rank_state){0};
    gy_vec_free(&p->route);
}
