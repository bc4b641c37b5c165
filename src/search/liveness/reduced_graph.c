// Depth-first search with the colour proviso of Evangelista and Pajault, "Some solutions to the
// ignoring problem" (SPIN 2007), figure 3, with the line that is missing there: a state that is
// expanded fully after all counts as such for those above it on the path.
//
// A state is ORANGE while it is on the path and reduced; GREEN if it is expanded fully, or if all
// that it leads to are green; RED if it was left reduced and leads to one that is not green. A
// reduced state must not lead to a red one, nor to an orange one without a fully expanded state
// between the two on the path: `full_above` counts those on the path so far. Then every cycle has
// a fully expanded state.
//
// Representation: as in dfs.c, `frames` is the path and `words` holds, frame after frame, the
// successors still to be visited: length, then the state. `colours` and `depths` (full_above when
// the state was reached) are by id.
#include "search/liveness/reduced_graph.h"

#include <stdlib.h>

enum { WHITE, ORANGE, GREEN, RED };

typedef struct frame {
    uint64_t id;
    size_t begin, next; // in `words`; its successors end where those of the next frame begin
    bool full, all_green;
    bool returning; // from the current successor: it was new
} frame;

struct gy_reduced_graph {
    gy_run *run;
    const gy_reduction *reduction;
    gy_reducer *reducer;
    gy_numbered *store;
    gy_moves moves;
    GY_VEC(uint8_t) colours;
    GY_VEC(uint32_t) depths;
    GY_VEC(uint8_t) full; // by id
    GY_VEC(frame) frames;
    GY_VEC(gy_word) words;
    uint32_t full_above;
};

static bool stop_full(gy_reduced_graph *g)
{
    gy_run_stop(g->run, GY_LIMIT_MEMORY);
    return false;
}

static bool find(gy_reduced_graph *g, const gy_word *state, uint32_t words, uint64_t *id)
{
    return gy_numbered_find(g->store, state, words, id);
}

// The proviso, for a reduced state that was just reached.
static bool is_fine(gy_reduced_graph *g, const gy_transition *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t id;
        if (!g->moves.keep.at[i] || !find(g, all[i].state, all[i].words, &id))
            continue;
        if (g->colours.at[id] == RED ||
            (g->colours.at[id] == ORANGE && g->depths.at[id] == g->full_above))
            return false;
    }
    return true;
}

static void push_those(gy_reduced_graph *g, const gy_transition *all, uint32_t count, uint8_t kept)
{
    for (uint32_t i = 0; i < count; i++) {
        if (g->moves.keep.at[i] != kept || !all[i].state)
            continue;
        gy_vec_reserve(&g->words, g->words.n + all[i].words + 2);
        g->words.at[g->words.n++] = all[i].words;
        memcpy(g->words.at + g->words.n, all[i].state, all[i].words * sizeof *all[i].state);
        g->words.n += all[i].words;
    }
}

static void make_full(gy_reduced_graph *g, frame *f)
{
    f->full = true;
    g->full.at[f->id] = 1;
    g->colours.at[f->id] = GREEN;
    g->full_above++;
}

static void enter(gy_reduced_graph *g, const gy_word *state, uint32_t words, uint64_t id)
{
    uint32_t count;
    const gy_transition *all = gy_moves_find(&g->moves, g->run->worker, state, words, &count);
    frame fresh = {.id = id, .begin = g->words.n, .next = g->words.n, .all_green = true};
    gy_vec_push(&g->colours, ORANGE);
    gy_vec_push(&g->depths, g->full_above);
    gy_vec_push(&g->full, 0);
    gy_vec_push(&g->frames, fresh);
    if (gy_reduce_choose(g->reducer, state, words, all, count, g->moves.keep.at) == count ||
        !is_fine(g, all, count)) {
        memset(g->moves.keep.at, 1, count);
        make_full(g, &g->frames.at[g->frames.n - 1]);
    }
    push_those(g, all, count, 1);
}

// The state on top was reduced, but leads to a red one: the rest of its successors, too.
static void restart(gy_reduced_graph *g, frame *top)
{
    uint32_t words, count;
    const gy_word *state = gy_numbered_state(g->store, top->id, &words);
    const gy_transition *all = gy_moves_find(&g->moves, g->run->worker, state, words, &count);
    gy_reduce_choose(g->reducer, state, words, all, count, g->moves.keep.at);
    make_full(g, top);
    push_those(g, all, count, 0);
}

// Takes the next successor of the state on top. One that was new may be red when it is left: all
// that it leads back to was on the path then.
static bool advance(gy_reduced_graph *g)
{
    frame *top = &g->frames.at[g->frames.n - 1];
    uint32_t words = g->words.at[top->next];
    const gy_word *state = g->words.at + top->next + 1;
    uint64_t id;
    switch (gy_numbered_enter(g->store, state, words, &id)) {
    case GY_STORE_FULL:
        return stop_full(g);
    case GY_STORE_NEW: // examined again when it has been left
        top->returning = true;
        enter(g, gy_numbered_state(g->store, id, &words), words, id);
        return true;
    case GY_STORE_FOUND:
        break;
    }
    top->next += 1 + words;
    if (!top->full && !top->returning && g->colours.at[id] == RED)
        restart(g, top);
    top->returning = false;
    top->all_green &= g->colours.at[id] == GREEN;
    return true;
}

static void leave(gy_reduced_graph *g)
{
    frame top = g->frames.at[--g->frames.n];
    g->words.n = top.begin;
    if (top.full)
        g->full_above--;
    else
        g->colours.at[top.id] = top.all_green ? GREEN : RED;
}

static int visit_initial(void *user, const gy_transition *transition)
{
    gy_reduced_graph *g = user;
    uint64_t id;
    uint32_t words;
    if (!transition->state)
        return 0;
    if (gy_numbered_enter(g->store, transition->state, transition->words, &id) == GY_STORE_FULL)
        return !stop_full(g);
    if (id < g->colours.n)
        return 0;
    const gy_word *state = gy_numbered_state(g->store, id, &words);
    enter(g, state, words, id);
    return 1; // the initial state of a model is one
}

bool gy_reduced_graph_make(gy_reduced_graph *g, uint64_t limit)
{
    while (g->frames.n && g->full.n < limit && !gy_run_tick(g->run)) {
        const frame *top = &g->frames.at[g->frames.n - 1];
        if (top->next == g->words.n)
            leave(g);
        else if (!advance(g))
            break;
    }
    return !g->frames.n && !g->run->stopped;
}

gy_reduced_graph *gy_reduced_graph_new(gy_run *run, const gy_reduction *reduction)
{
    gy_reduced_graph *g = gy_alloc_zero(sizeof *g);
    gy_store_options options = {.budget = &run->budget};
    g->run = run;
    g->reduction = reduction;
    g->reducer = gy_reducer_new(reduction);
    g->store = gy_numbered_new(gy_store_kind_at(gy_store_kind_dense()), &options);
    if (g->store)
        gy_initial(run->worker, visit_initial, g);
    else
        stop_full(g);
    return g;
}

void gy_reduced_graph_free(gy_reduced_graph *g)
{
    if (!g)
        return;
    gy_numbered_free(g->store);
    gy_reducer_free(g->reducer);
    gy_moves_free(&g->moves);
    gy_vec_free(&g->colours);
    gy_vec_free(&g->depths);
    gy_vec_free(&g->full);
    gy_vec_free(&g->frames);
    gy_vec_free(&g->words);
    free(g);
}

struct gy_reduced_view {
    const gy_reduced_graph *graph;
    gy_numbered_reader *reader;
    gy_reducer *reducer;
    gy_moves moves;
};

gy_reduced_view *gy_reduced_view_new(gy_reduced_graph *graph)
{
    gy_reduced_view *v = gy_alloc_zero(sizeof *v);
    v->graph = graph;
    v->reader = gy_numbered_reader_new(graph->store);
    v->reducer = gy_reducer_new(graph->reduction);
    return v;
}

void gy_reduced_view_free(gy_reduced_view *v)
{
    if (!v)
        return;
    gy_numbered_reader_free(v->reader);
    gy_reducer_free(v->reducer);
    gy_moves_free(&v->moves);
    free(v);
}

const gy_transition *gy_reduced_view_moves(gy_reduced_view *v, gy_worker *worker,
                                           const gy_word *state, uint32_t words, uint32_t *count,
                                           const uint8_t **keep)
{
    uint64_t id;
    const gy_transition *all = gy_moves_find(&v->moves, worker, state, words, count);
    *keep = v->moves.keep.at;
    if (*count > 1 && gy_numbered_reader_find(v->reader, state, words, &id) &&
        !v->graph->full.at[id])
        gy_reduce_choose(v->reducer, state, words, all, *count, v->moves.keep.at);
    else
        memset(v->moves.keep.at, 1, *count);
    return all;
}

void gy_reduced_graph_count(const gy_reduced_graph *g, uint64_t *reduced, uint64_t *full)
{
    *full = 0;
    for (size_t i = 0; i < g->full.n; i++)
        *full += g->full.at[i];
    *reduced = g->full.n - *full;
}

// ---- checking -----------------------------------------------------------------------------

// Peels states off: one that is fully expanded, or leads only to states that are off, is off. What
// is left when no more come off holds a cycle of reduced states.
bool gy_reduced_graph_check(gy_reduced_graph *g, gy_worker *worker)
{
    GY_VEC(uint8_t) off = {0};
    gy_reduced_view *view = gy_reduced_view_new(g);
    size_t left = 0, before = SIZE_MAX;
    for (size_t i = 0; i < g->full.n; i++) {
        gy_vec_push(&off, g->full.at[i]);
        left += !g->full.at[i];
    }
    while (left && left < before && !g->run->stopped) {
        before = left;
        for (size_t id = g->full.n; id-- > 0 && !gy_run_tick(g->run);) {
            uint32_t words, count;
            const uint8_t *keep;
            bool all_off = true;
            if (off.at[id])
                continue;
            const gy_word *state = gy_numbered_state(g->store, id, &words);
            const gy_transition *all =
                gy_reduced_view_moves(view, worker, state, words, &count, &keep);
            for (uint32_t i = 0; i < count && all_off; i++) {
                uint64_t to;
                if (keep[i])
                    all_off = find(g, all[i].state, all[i].words, &to) && off.at[to];
            }
            off.at[id] = all_off;
            left -= all_off;
        }
    }
    gy_vec_free(&off);
    gy_reduced_view_free(view);
    return left == 0;
}
