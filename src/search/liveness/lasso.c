// Short lassos: breadth-first search to a component and round in it. See emptiness.h.
#include "search/liveness/emptiness.h"

// A breadth-first search. A node's entry tells from where it was reached.
typedef struct origin {
    uint32_t from, edge; // from UINT32_MAX: a start
    bool seen;
} origin;

typedef struct walk {
    GY_VEC(origin) origins;
    gy_graph_nodes queue;
    gy_graph_edges edges;
} walk;

static origin *origin_of(walk *w, uint32_t node)
{
    if (node >= w->origins.n) {
        size_t old = w->origins.n;
        gy_vec_reserve(&w->origins, (size_t)node + 1);
        memset(w->origins.at + old, 0, (w->origins.room - old) * sizeof *w->origins.at);
        w->origins.n = w->origins.room;
    }
    return &w->origins.at[node];
}

static void reach(walk *w, uint32_t node, uint32_t from, uint32_t edge)
{
    origin *o = origin_of(w, node);
    if (o->seen)
        return;
    *o = (origin){from, edge, true};
    gy_vec_push(&w->queue, node);
}

static void walk_free(walk *w)
{
    gy_vec_free(&w->origins);
    gy_vec_free(&w->queue);
    gy_vec_free(&w->edges);
}

// Appends the hops from a start to `node`.
static void tell(walk *w, uint32_t node, gy_graph_path *path)
{
    size_t first = path->n;
    for (origin *o = origin_of(w, node); o->from != UINT32_MAX; o = origin_of(w, node)) {
        gy_graph_hop hop = {o->from, o->edge};
        gy_vec_push(path, hop);
        node = o->from;
    }
    for (size_t a = first, b = path->n; a + 1 < b; a++, b--) {
        gy_graph_hop hop = path->at[a];
        path->at[a] = path->at[b - 1];
        path->at[b - 1] = hop;
    }
}

typedef struct node_set {
    uint8_t *has;
    uint32_t room;
} node_set;

static node_set set_of(const gy_graph_nodes *nodes)
{
    node_set set = {0};
    for (size_t i = 0; i < nodes->n; i++)
        set.room = nodes->at[i] >= set.room ? nodes->at[i] + 1 : set.room;
    set.has = gy_alloc_zero(set.room + 1);
    for (size_t i = 0; i < nodes->n; i++)
        set.has[nodes->at[i]] = 1;
    return set;
}

static bool has(const node_set *set, uint32_t node)
{
    return node < set->room && set->has[node];
}

bool gy_graph_stem(const gy_graph *graph, const uint32_t *initial, uint32_t initial_count,
                   const gy_graph_nodes *goals, gy_graph_path *path, uint32_t *end)
{
    walk w = {0};
    node_set wanted = set_of(goals);
    bool found = false, stopped = false;
    for (uint32_t i = 0; i < initial_count; i++)
        reach(&w, initial[i], UINT32_MAX, 0);
    for (size_t at = 0; at < w.queue.n && !found && !stopped; at++) {
        uint32_t node = w.queue.at[at];
        w.edges.n = 0;
        found = has(&wanted, node);
        int answer = found ? 0 : graph->edges(graph->self, node, &w.edges);
        found = found || (answer == GY_GRAPH_SEEN && goals->n == 0);
        stopped = answer == GY_GRAPH_STOP;
        for (size_t e = 0; e < w.edges.n && !found; e++)
            reach(&w, w.edges.at[e].to, node, (uint32_t)e);
        if (found) {
            *end = node;
            tell(&w, node, path);
        }
    }
    free(wanted.has);
    walk_free(&w);
    return found;
}

// Appends a shortest path from `from` whose last edge has one of the marks `wanted` or, if that
// is 0, ends in `goal`. At least one edge. *to is where it ends; *got are the marks on it.
static bool go(const gy_graph *graph, const node_set *inside, uint32_t from, uint64_t wanted,
               uint32_t goal, gy_graph_path *path, uint32_t *to, uint64_t *got)
{
    walk w = {0};
    bool found = false, stopped = false;
    reach(&w, from, UINT32_MAX, 0);
    for (size_t at = 0; at < w.queue.n && !found && !stopped; at++) {
        uint32_t node = w.queue.at[at];
        w.edges.n = 0;
        stopped = graph->edges(graph->self, node, &w.edges) == GY_GRAPH_STOP;
        for (size_t e = 0; e < w.edges.n && !found; e++) {
            gy_graph_edge edge = w.edges.at[e];
            if (!has(inside, edge.to))
                continue;
            found = wanted ? (edge.marks & wanted) != 0 : edge.to == goal;
            if (!found) {
                reach(&w, edge.to, node, (uint32_t)e);
                continue;
            }
            gy_graph_hop last = {node, (uint32_t)e};
            tell(&w, node, path);
            gy_vec_push(path, last);
            *to = edge.to;
        }
    }
    walk_free(&w);
    if (!found)
        return false;
    // The marks of the edges on the way count as well.
    gy_graph_edges edges = {0};
    for (size_t i = path->n; i-- > 0;) {
        edges.n = 0;
        graph->edges(graph->self, path->at[i].node, &edges);
        *got |= edges.at[path->at[i].edge].marks;
        if (path->at[i].node == from)
            break;
    }
    gy_vec_free(&edges);
    return true;
}

bool gy_graph_cycle(const gy_graph *graph, const gy_graph_nodes *component, uint64_t all,
                    uint32_t start, gy_graph_path *path)
{
    node_set inside = set_of(component);
    uint64_t got = 0;
    uint32_t at = start;
    bool found = true;
    while (found && (got & all) != all)
        found = go(graph, &inside, at, all & ~got, 0, path, &at, &got);
    if (found && (at != start || path->n == 0))
        found = go(graph, &inside, at, 0, start, path, &at, &got);
    free(inside.has);
    return found;
}
