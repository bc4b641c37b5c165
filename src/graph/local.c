// Local structure: diamonds, and what is at most a few steps away. Of large graphs, states at equal
// distances (in breadth-first order) are examined.
#include "graph/structure.h"

enum { MOST_STATES = 1000000 };

typedef struct looker {
    const gy_graph *graph;
    // Marks of states: what was marked for an earlier state counts as not marked.
    uint32_t *mark;
    uint32_t last; // mark that was given out last
    GY_VEC(uint32_t) successors, near;
} looker;

// The next mark, of which at least `spare` more follow.
static uint32_t fresh_mark(looker *l, uint64_t spare)
{
    if (l->last > UINT32_MAX - spare - 2) {
        memset(l->mark, 0, (size_t)l->graph->states * sizeof *l->mark);
        l->last = 0;
    }
    return ++l->last;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// The distinct successors of a state, ascending.
static void list_successors(looker *l, uint32_t state)
{
    size_t n = 0;
    l->successors.n = 0;
    for (uint64_t e = l->graph->first[state]; e < l->graph->first[state + 1]; e++)
        gy_vec_push(&l->successors, l->graph->targets[e]);
    if (l->successors.n > 1)
        qsort(l->successors.at, l->successors.n, sizeof *l->successors.at, by_number);
    for (size_t i = 0; i < l->successors.n; i++)
        if (n == 0 || l->successors.at[n - 1] != l->successors.at[i])
            l->successors.at[n++] = l->successors.at[i];
    l->successors.n = n;
}

// Do two successors lead to one common state? Each marks what it leads to with a number of its own.
static bool is_diamond(looker *l, uint32_t state)
{
    list_successors(l, state);
    uint32_t base = fresh_mark(l, l->successors.n);
    for (size_t i = 0; i < l->successors.n; i++) {
        uint32_t by = l->successors.at[i], own = fresh_mark(l, 0);
        for (uint64_t e = l->graph->first[by]; e < l->graph->first[by + 1]; e++) {
            uint32_t target = l->graph->targets[e];
            if (l->mark[target] > base && l->mark[target] != own)
                return true;
            l->mark[target] = own;
        }
    }
    return false;
}

// States at most GY_NEIGHBOURHOOD_STEPS away are in l->near. Returns the edges met on the way.
static uint64_t look_around(looker *l, uint32_t state)
{
    uint32_t own = fresh_mark(l, 0);
    uint64_t met = 0;
    size_t from = 0;
    l->near.n = 0;
    gy_vec_push(&l->near, state);
    l->mark[state] = own;
    for (unsigned step = 0; step < GY_NEIGHBOURHOOD_STEPS; step++) {
        size_t to = l->near.n;
        for (; from < to; from++) {
            uint32_t at = l->near.at[from];
            met += gy_graph_degree(l->graph, at);
            for (uint64_t e = l->graph->first[at]; e < l->graph->first[at + 1]; e++) {
                uint32_t target = l->graph->targets[e];
                if (l->mark[target] == own)
                    continue;
                l->mark[target] = own;
                gy_vec_push(&l->near, target);
            }
        }
    }
    return met;
}

void gy_structure_local(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits)
{
    gy_region room;
    looker l = {.graph = graph};
    uint64_t stride = graph->states / MOST_STATES + 1, sum = 0;
    double clustering = 0;
    l.mark = gy_graph_array(limits, &room, graph->states);
    bool good = l.mark != NULL;
    for (uint64_t state = 0; good && state < graph->states; state += stride) {
        limits->countdown /= 8; // this takes longer than a step of other searches
        if (gy_graph_tick(limits)) {
            good = false;
            break;
        }
        s->looked_at++;
        s->diamonds += is_diamond(&l, (uint32_t)state);
        uint64_t met = look_around(&l, (uint32_t)state);
        sum += l.near.n;
        clustering += l.near.n > 1 ? (double)met / (double)(l.near.n - 1) : 1;
    }
    if (good) {
        s->neighbourhood = (double)sum / (double)s->looked_at;
        s->clustering = clustering / (double)s->looked_at;
    }
    s->has_local = good;
    gy_vec_free(&l.successors);
    gy_vec_free(&l.near);
    gy_region_free(&room);
}
