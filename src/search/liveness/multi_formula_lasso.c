// A lasso on the graph that was kept, as a witness: the system goes along it once more, from its
// initial state, and of each state's steps one is taken that leads to the next one.
#include "search/liveness/lasso_lift.h"
#include "search/liveness/lasso_writer.h"
#include "search/liveness/multi_formula_parts.h"

#include <stdlib.h>

typedef struct telling {
    gy_shared *shared;
    gy_store_view *store;
    gy_worker *worker;
    const gy_observer *observer;
    const uint16_t *letters;
    uint32_t wanted; // the state to come to
    uint32_t ordinal, taken;
    bool found;
    GY_VEC(gy_word) state, next;
    gy_lasso_writer writer;
} telling;

static int visit(void *user, const gy_transition *transition)
{
    telling *t = user;
    gy_ref ref;
    uint32_t ordinal = t->ordinal++;
    if (!transition->state ||
        !gy_store_find(t->store, transition->state, transition->words, &ref) ||
        gy_store_note(t->store, ref) != t->wanted + (uint64_t)1)
        return 0;
    t->found = true;
    t->taken = ordinal;
    gy_vec_reserve(&t->next, transition->words + (size_t)1);
    memcpy(t->next.at, transition->state, transition->words * sizeof *t->next.at);
    t->next.n = transition->words;
    gy_lasso_add_steps(&t->writer, transition);
    return 1;
}

static void go_on(telling *t)
{
    gy_vec_reserve(&t->state, t->next.n + 1);
    if (t->next.n)
        memcpy(t->state.at, t->next.at, t->next.n * sizeof *t->state.at);
    t->state.n = t->next.n;
}

static const gy_observer_move *moves_at(const telling *t, uint32_t node, uint32_t *count)
{
    const gy_observer *observer = t->observer;
    gy_shared_view view = gy_shared_look(t->shared, node / observer->states);
    return observer->letter_moves(observer->self, t->letters[view.row], node % observer->states,
                                  count);
}

// False: the path cannot be found again.
static bool tell_hop(telling *t, gy_arc_graph_hop hop)
{
    uint32_t count, states = t->observer->states;
    const gy_observer_move *moves = moves_at(t, hop.node, &count);
    const gy_observer_move *move = &moves[hop.edge % count];
    size_t before = t->writer.steps.n;
    t->wanted = gy_shared_look(t->shared, hop.node / states).to[hop.edge / count];
    t->ordinal = 0;
    t->found = false;
    gy_successors(t->worker, t->state.at, (uint32_t)t->state.n, visit, t);
    bool stays = t->ordinal == 0 && t->wanted == hop.node / states;
    if (!t->found && !stays)
        return false;
    if (t->found)
        go_on(t);
    gy_turn turn = {.from = hop.node % states,
                    .to = move->to,
                    .marks = move->marks,
                    .observer_edge = move->edge,
                    .ordinal = stays ? GY_STUTTER : t->taken,
                    .step_count = t->writer.steps.n - before};
    gy_vec_push(&t->writer.turns, turn);
    return true;
}

static void tell_sight(telling *t, uint32_t node, gy_lasso_witness *lasso)
{
    uint32_t count;
    const gy_observer_move *move = moves_at(t, node, &count);
    while (move->sight == GY_SEES_NOTHING)
        move++;
    gy_lasso_add_sight(&t->writer, node % t->observer->states, move, lasso);
}

static bool tell_path(telling *t, const gy_arc_graph_path *path)
{
    for (size_t i = 0; i < path->n; i++)
        if (!tell_hop(t, path->at[i]))
            return false;
    return true;
}

static bool tell(telling *t, const gy_shared_walk *walk, gy_lasso_witness *lasso)
{
    uint32_t first = walk->stem.n > 0 ? walk->stem.at[0].node : walk->end;
    t->wanted = first / t->observer->states;
    gy_initial(t->worker, visit, t);
    if (!t->found)
        return false;
    lasso->initial = t->taken;
    t->writer.steps.n = 0;
    go_on(t);
    if (!tell_path(t, &walk->stem))
        return false;
    gy_lasso_add_cycle(&t->writer, lasso);
    if (!tell_path(t, &walk->cycle))
        return false;
    if (walk->cycle.n == 0)
        tell_sight(t, walk->end, lasso);
    return true;
}

gy_lasso_witness *gy_shared_tell(gy_shared *s, unsigned member, const gy_observer *observer,
                                 const uint16_t *letters, const gy_shared_walk *walk)
{
    gy_space_view *view = &s->space->views[member];
    telling t = {.shared = s,
                 .store = view->store,
                 .worker = gy_product_system_of(view->worker),
                 .observer = observer,
                 .letters = letters};
    gy_lasso_witness *lasso = gy_alloc_zero(sizeof *lasso);
    bool told = tell(&t, walk, lasso);
    gy_vec_free(&t.state);
    gy_vec_free(&t.next);
    if (!told) {
        gy_lasso_writer_free(&t.writer);
        free(lasso);
        return NULL;
    }
    gy_lasso_writer_end(&t.writer, lasso);
    if (s->run.symmetry) {
        gy_lasso_witness *folded = lasso;
        lasso = gy_lasso_lift(s->run.system, s->run.symmetry, folded);
        gy_lasso_witness_free(folded);
    }
    return lasso;
}
