// The trail of a run that violates a formula, with the transitions of the formula's claim: a run of
// the claim along the states of the lasso, found as an accepting cycle of the two together.
#include "model/spin_numbers.h"
#include "search/liveness/emptiness.h"
#include "verify/trail/trail.h"

typedef struct pairing {
    const gy_path *path;
    const gy_lasso_witness *lasso;
    const gy_observer *claim;
    uint64_t *moment; // of the state before each turn
    uint32_t turns, loop;
    gy_arc_graph_edges *out;
    GY_VEC(int32_t) guards; // of the edges of the node asked about last
    bool seen;
    int32_t seen_guard;
} pairing;

// A node is a turn and a state of the claim.
static uint32_t node_of(const pairing *p, uint32_t turn, uint32_t at)
{
    return turn * p->claim->states + at;
}

static void add_move(void *user, const gy_observer_move *move)
{
    pairing *p = user;
    gy_arc_graph_edge edge = {.to = move->to, .marks = move->marks};
    if (move->sight != GY_SEES_NOTHING && !p->seen) {
        p->seen = true;
        p->seen_guard = move->edge;
    }
    gy_vec_push(p->out, edge);
    gy_vec_push(&p->guards, move->edge);
}

static int edges_of(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    pairing *p = self;
    uint32_t turn = node / p->claim->states, next = turn + 1 < p->turns ? turn + 1 : p->loop;
    const gy_path_state *moment = &p->path->moments.at[p->moment[turn]];
    size_t first = out->n;
    p->out = out;
    p->seen = false;
    p->guards.n = 0;
    p->claim->moves(p->claim->self, p->path->worker, moment->state, moment->words,
                    node % p->claim->states, add_move, p);
    for (size_t i = first; i < out->n; i++)
        out->at[i].to = node_of(p, next, out->at[i].to);
    return p->seen ? GY_GRAPH_SEEN : 0;
}

static void write_guard(const pairing *p, int32_t guard, unsigned long long *depth, gy_text *out)
{
    gy_text_printf(out, "%llu:0:%d\n", ++*depth,
                   gy_spin_next_transition(p->path->system->model) + guard);
}

// False: the run has reported what there is to report.
static bool write_hop(pairing *p, gy_arc_graph_hop hop, unsigned long long *depth, gy_text *out)
{
    gy_arc_graph_edges edges = {0};
    uint32_t turn = hop.node / p->claim->states;
    edges_of(p, hop.node, &edges);
    gy_vec_free(&edges);
    write_guard(p, p->guards.at[hop.edge], depth, out);
    for (uint64_t k = 1; k <= p->lasso->turns[turn].step_count; k++)
        gy_trail_step(p->path, p->moment[turn] + k, 1, depth, out);
    return p->lasso->sight == GY_SEES_NOTHING || turn + 1 < p->turns;
}

static void write_run(pairing *p, const gy_arc_graph_path *stem, uint32_t end,
                      const gy_arc_graph_path *cycle, gy_text *out)
{
    unsigned long long depth = 0;
    bool more = true;
    gy_text_printf(out, "-2:%u:-2\n", p->path->system->model->template_count);
    for (size_t i = 0; i < stem->n && more; i++)
        more = write_hop(p, stem->at[i], &depth, out);
    if (more && cycle->n == 0) { // here the claim is at its end
        gy_arc_graph_edges edges = {0};
        edges_of(p, end, &edges);
        gy_vec_free(&edges);
        write_guard(p, p->seen_guard, &depth, out);
    }
    if (more && p->lasso->sight == GY_SEES_NOTHING && cycle->n > 0)
        gy_text_add(out, "-1:-1:-1\n");
    for (size_t i = 0; i < cycle->n && more; i++)
        more = write_hop(p, cycle->at[i], &depth, out);
}

static bool find_run(pairing *p, gy_text *out)
{
    gy_arc_graph graph = {.self = p, .edges = edges_of, .all = p->claim->sets ? 1 : 0};
    gy_emptiness_result result;
    gy_arc_graph_path stem = {0}, cycle = {0};
    uint32_t initial = node_of(p, 0, p->claim->initial), end = 0;
    gy_arc_graph_search(&graph, &initial, 1, &result);
    bool found = result.answer != GY_EMPTY &&
                 gy_arc_graph_stem(&graph, &initial, 1, &result.component, &stem, &end) &&
                 (result.component.n == 0 || gy_arc_graph_cycle(&graph, &result, end, &cycle));
    if (found)
        write_run(p, &stem, end, &cycle, out);
    gy_emptiness_result_free(&result);
    gy_vec_free(&stem);
    gy_vec_free(&cycle);
    return found;
}

bool gy_trail_formula(const gy_path *path, const gy_lasso_witness *lasso, const gy_observer *claim,
                      gy_text *out)
{
    pairing p = {.path = path, .lasso = lasso, .claim = claim};
    if (lasso->sight == GY_SEES_FAULT || lasso->turn_count == 0 ||
        lasso->turn_count > UINT32_MAX / (claim->states + 1))
        return false;
    uint64_t step = 0;
    p.turns = (uint32_t)lasso->turn_count;
    p.loop = lasso->cycle_turn < p.turns ? (uint32_t)lasso->cycle_turn : p.turns - 1;
    p.moment = gy_alloc(p.turns * sizeof *p.moment);
    for (uint32_t i = 0; i < p.turns; i++) {
        p.moment[i] = step;
        step += lasso->turns[i].step_count;
    }
    bool found = find_run(&p, out);
    gy_vec_free(&p.guards);
    free(p.moment);
    return found;
}
