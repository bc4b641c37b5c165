// Strongly connected components and the height of their quotient graph. Components are completed in
// an order in which all that can be reached from one are completed before it, so that its height is
// known at once.
#include "base/scc.h"
#include "graph/structure.h"

typedef struct component {
    uint32_t height, nontrivial_height;
    bool trivial;
} component;

typedef struct search {
    gy_structure *s;
    const gy_graph *graph;
    gy_graph_limits *limits;
    gy_scc scc;
    GY_VEC(component) components;
    gy_map size_map;
} search;

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
static bool look_beyond(const search *t, uint32_t state, uint32_t own, component *c)
{
    bool leaves = false;
    for (uint64_t e = t->graph->first[state]; e < t->graph->first[state + 1]; e++) {
        uint32_t other = gy_scc_of(&t->scc, t->graph->targets[e]);
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

static bool complete(void *self, const uint32_t *states, uint32_t size)
{
    search *t = self;
    gy_structure *s = t->s;
    bool leaves = false, initial = false;
    component c = {.trivial = size == 1};
    for (uint32_t i = 0; i < size; i++) {
        initial |= states[i] < t->graph->initial;
        leaves |= look_beyond(t, states[i], t->scc.count - 1, &c);
    }
    gy_vec_push(&t->components, c);
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
    return true;
}

static uint32_t next(void *self, uint32_t state, uint64_t nth)
{
    const search *t = self;
    uint64_t edge = t->graph->first[state] + nth;
    if (gy_graph_tick(t->limits))
        return GY_SCC_STOP;
    return edge < t->graph->first[state + 1] ? t->graph->targets[edge] : GY_SCC_END;
}

static int by_size(const void *a, const void *b)
{
    const gy_component_size *x = a, *y = b;
    return x->size < y->size ? -1 : x->size > y->size;
}

void gy_structure_components(gy_structure *s, const gy_graph *graph, gy_graph_limits *limits)
{
    search t = {.s = s, .graph = graph, .limits = limits};
    gy_region room;
    t.scc = (gy_scc){.nodes = graph->states, .self = &t, .next = next, .done = complete};
    t.scc.number = gy_graph_array(limits, &room, graph->states);
    bool good = t.scc.number != NULL;
    for (uint32_t root = 0; good && root < graph->initial; root++)
        good = gy_scc_from(&t.scc, root);
    s->components = t.components.n;
    s->has_components = good;
    if (good)
        qsort(s->sizes.at, s->sizes.n, sizeof *s->sizes.at, by_size);
    gy_scc_free(&t.scc);
    gy_map_free(&t.size_map);
    gy_vec_free(&t.components);
    gy_region_free(&room);
}
