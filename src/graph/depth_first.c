// The profile of depth-first search: how large the stack is, and what its edges are.
#include "graph/structure.h"

enum { SAMPLES = 200 };

typedef struct frame {
    uint32_t state;
    uint64_t edge; // next to be examined
} frame;

typedef struct search {
    gy_structure *s;
    const gy_graph *graph;
    gy_graph_limits *limits;
    uint32_t *place; // of each state: 0 not reached yet, LEFT, or its place on the stack from 1
    uint64_t found, interval;
    GY_VEC(frame) stack;
} search;

#define LEFT UINT32_MAX

static void meet(search *d, uint32_t state)
{
    frame f = {state, d->graph->first[state]};
    gy_vec_push(&d->stack, f);
    d->place[state] = (uint32_t)d->stack.n;
    d->found++;
    if (d->stack.n > d->s->most_stack)
        d->s->most_stack = d->stack.n;
    if (d->found % d->interval == 0) {
        gy_sample sample = {d->found, 100.0 * (double)d->stack.n / d->graph->states};
        gy_vec_push(&d->s->stack, sample);
    }
}

static void look_at_edge(search *d, uint32_t target)
{
    gy_structure *s = d->s;
    if (d->place[target] == LEFT) {
        s->cross++;
    } else if (d->place[target]) {
        uint64_t length = d->stack.n - d->place[target] + 1;
        s->back++;
        if (!s->shortest_cycle || length < s->shortest_cycle)
            s->shortest_cycle = length;
    } else {
        s->front++;
        meet(d, target);
    }
}

static bool run(search *d, uint32_t from)
{
    meet(d, from);
    while (d->stack.n > 0) {
        frame *f = &d->stack.at[d->stack.n - 1];
        if (gy_graph_tick(d->limits))
            return false;
        if (f->edge < d->graph->first[f->state + 1]) {
            look_at_edge(d, d->graph->targets[f->edge++]);
        } else {
            d->place[f->state] = LEFT;
            d->stack.n--;
        }
    }
    return true;
}

void gy_structure_depth_first(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits)
{
    gy_region room;
    search d = {.s = s, .graph = graph, .limits = limits, .interval = graph->states / SAMPLES};
    d.interval += d.interval == 0;
    d.place = gy_graph_array(limits, &room, graph->states);
    bool good = d.place != NULL;
    for (uint32_t root = 0; good && root < graph->initial; root++)
        if (!d.place[root])
            good = run(&d, root);
    s->has_depth_first = good;
    gy_vec_free(&d.stack);
    gy_region_free(&room);
}
