// Strongly connected components and the height of their quotient graph.
//
// Tarjan's algorithm (1972) without recursion. Components are completed in an order in which all
// that can be reached from one are completed before it, so that its height is known at once.
#include "graph/structure.h"

typedef struct component {
    uint32_t height, nontrivial_height;
    bool trivial;
} component;

typedef struct frame {
    uint32_t state;
    uint64_t edge; // next to be looked at
} frame;

typedef struct tarjan {
    gy_structure *s;
    const gy_graph *graph;
    gy_graph_limits *limits;
    // of each state: 0 not met yet; while it is in a component under way, its index; then the
    // number of its component | DONE. `low` is the least index that was found to be reachable.
    uint32_t *number, *low;
    gy_region number_room, low_room;
    uint32_t next;
    GY_VEC(frame) path;
    GY_VEC(uint32_t) open; // states that are in no complete component yet
    GY_VEC(component) components;
    gy_map size_map;
} tarjan;

#define DONE 0x80000000u // at most 2^31 - 1 states: see gy_structure_components

static void meet(tarjan *t, uint32_t state)
{
    frame f = {state, t->graph->first[state]};
    t->number[state] = t->low[state] = ++t->next;
    gy_vec_push(&t->path, f);
    gy_vec_push(&t->open, state);
}

static void count_size(gy_structure *s, gy_map *map, uint64_t size)
{
    for (gy_map_probe p = gy_map_first(map, size); p.found; gy_map_next(map, &p)) {
        if (s->sizes.at[p.number].size == size) {
            s->sizes.at[p.number].count++;
            return;
        }
    }
    gy_component_size first = {size, 1};
    gy_map_add(map, size, (uint32_t)s->sizes.n);
    gy_vec_push(&s->sizes, first);
}

// What edges from a state of a component that is just complete say about its height. True: some
// edge leaves it.
static bool look_beyond(const tarjan *t, uint32_t state, uint32_t own, component *c)
{
    bool leaves = false;
    for (uint64_t e = t->graph->first[state]; e < t->graph->first[state + 1]; e++) {
        uint32_t other = t->number[t->graph->targets[e]] & ~DONE;
        if (other == own)
            continue;
        const component *below = &t->components.at[other];
        uint32_t step = !c->trivial || !below->trivial;
        leaves = true;
        if (below->height + 1 > c->height)
            c->height = below->height + 1;
        if (below->nontrivial_height + step > c->nontrivial_height)
            c->nontrivial_height = below->nontrivial_height + step;
    }
    return leaves;
}

static void complete(tarjan *t, uint32_t root)
{
    gy_structure *s = t->s;
    size_t from = t->open.n;
    uint32_t own = (uint32_t)t->components.n;
    bool leaves = false, initial = false;
    do {
        from--;
        t->number[t->open.at[from]] = own | DONE;
        initial |= t->open.at[from] < t->graph->initial;
    } while (t->open.at[from] != root);
    uint64_t size = t->open.n - from;
    component c = {.trivial = size == 1};
    for (size_t i = from; i < t->open.n; i++)
        leaves |= look_beyond(t, t->open.at[i], own, &c);
    gy_vec_push(&t->components, c);
    t->open.n = from;
    s->trivial += c.trivial;
    s->terminal += !leaves;
    s->height = c.height > s->height ? c.height : s->height;
    s->nontrivial_height =
        c.nontrivial_height > s->nontrivial_height ? c.nontrivial_height : s->nontrivial_height;
    count_size(s, &t->size_map, size);
    if (size > s->largest) { // the first of several
        s->largest = size;
        s->largest_is_initial = initial;
        s->largest_is_terminal = !leaves;
    }
}

// All that can be reached from a state. False: a limit.
static bool search(tarjan *t, uint32_t from)
{
    meet(t, from);
    while (t->path.n > 0) {
        frame *f = &t->path.at[t->path.n - 1];
        uint32_t state = f->state;
        if (gy_graph_tick(t->limits))
            return false;
        if (f->edge < t->graph->first[state + 1]) {
            uint32_t target = t->graph->targets[f->edge++];
            if (!t->number[target])
                meet(t, target);
            else if (!(t->number[target] & DONE) && t->number[target] < t->low[state])
                t->low[state] = t->number[target];
            continue;
        }
        t->path.n--;
        if (t->path.n > 0) {
            uint32_t parent = t->path.at[t->path.n - 1].state;
            if (t->low[state] < t->low[parent])
                t->low[parent] = t->low[state];
        }
        if (t->low[state] == t->number[state])
            complete(t, state);
    }
    return true;
}

static int by_size(const void *a, const void *b)
{
    const gy_component_size *x = a, *y = b;
    return x->size < y->size ? -1 : x->size > y->size;
}

void gy_structure_components(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits)
{
    tarjan t = {.s = s, .graph = graph, .limits = limits};
    t.number = gy_graph_array(limits, &t.number_room, graph->states);
    t.low = gy_graph_array(limits, &t.low_room, graph->states);
    bool good = t.number && t.low;
    if (graph->states >= DONE) {
        gy_graph_stop(limits, GY_GRAPH_TOO_LARGE);
        good = false;
    }
    for (uint32_t root = 0; good && root < graph->initial; root++)
        if (!t.number[root])
            good = search(&t, root);
    s->components = t.components.n;
    s->has_components = good;
    if (good)
        qsort(s->sizes.at, s->sizes.n, sizeof *s->sizes.at, by_size);
    gy_map_free(&t.size_map);
    gy_vec_free(&t.path);
    gy_vec_free(&t.open);
    gy_vec_free(&t.components);
    gy_region_free(&t.number_room);
    gy_region_free(&t.low_room);
}
