// Short lassos: breadth-first search to a component and round in it. See emptiness.h.
#include "search/liveness/emptiness.h"

// A breadth-first search. A node's entry says from where it was reached.
typedef struct origin {
    uint32_t from, edge; // from UINT32_MAX: a start
    bool seen;
} origin;

typedef struct walk {
    GY_VEC(origin) origins;
    gy_arc_graph_nodes queue;
    gy_arc_graph_edges edges;
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
static void tell(walk *w, uint32_t node, gy_arc_graph_path *path)
{
    size_t first = path->n;
    for (origin *o = origin_of(w, node); o->from != UINT32_MAX; o = origin_of(w, node)) {
        gy_arc_graph_hop hop = {o->from, o->edge};
        gy_vec_push(path, hop);
        node = o->from;
    }
    for (size_t a = first, b = path->n; a + 1 < b; a++, b--) {
        gy_arc_graph_hop hop = path->at[a];
        path->at[a] = path->at[b - 1];
        path->at[b - 1] = hop;
    }
}

typedef struct node_set {
    uint8_t *has;
    uint32_t room;
} node_set;

static node_set set_of(const gy_arc_graph_nodes *nodes)
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

bool gy_arc_graph_stem(const gy_arc_graph *graph, const uint32_t *initial, uint32_t initial_count,
                       const gy_arc_graph_nodes *goals, gy_arc_graph_path *path, uint32_t *end)
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

// ---- cycles ---------------------------------------------------------------------------

// What a cycle is looked for in, and by which window of marks.
typedef struct round {
    const gy_arc_graph *graph;
    const gy_emptiness_result *found;
    node_set inside;
    uint32_t window;
    gy_arc_graph_edges edges; // of the current node
    GY_VEC(uint8_t) barred;   // of these: they ask for marks that neither they nor the part have
} round;

static uint64_t needed(const gy_emptiness_result *found, uint32_t window)
{
    return window ? found->more.at[window - 1] : found->all;
}

// The edges of a node, with their marks in the current window, which comes last, and which of them
// are barred. False: the graph wants to end.
static bool read_edges(round *r, uint32_t node)
{
    const gy_arc_graph *graph = r->graph;
    uint32_t windows = (uint32_t)r->found->more.n + 1;
    for (uint32_t i = 1; i <= windows; i++) {
        uint32_t w = (r->window + i) % windows;
        if (windows > 1)
            graph->look(graph->self, w);
        r->edges.n = 0;
        if (graph->edges(graph->self, node, &r->edges) == GY_GRAPH_STOP)
            return false;
        gy_vec_reserve(&r->barred, r->edges.n + 1);
        if (i == 1)
            memset(r->barred.at, 0, r->edges.n);
        for (size_t e = 0; e < r->edges.n && graph->asks; e++)
            r->barred.at[e] |=
                (graph->asks(graph->self, e) & ~r->edges.at[e].marks & ~needed(r->found, w)) != 0;
    }
    return true;
}

// Appends a shortest path from `from` whose last edge has one of the marks `wanted` or, if that
// is 0, ends in `goal`. At least one edge. *to is where it ends.
static bool go(round *r, uint32_t from, uint64_t wanted, uint32_t goal, gy_arc_graph_path *path,
               uint32_t *to)
{
    walk w = {0};
    bool found = false, stopped = false;
    reach(&w, from, UINT32_MAX, 0);
    for (size_t at = 0; at < w.queue.n && !found && !stopped; at++) {
        uint32_t node = w.queue.at[at];
        stopped = !read_edges(r, node);
        for (size_t e = 0; e < r->edges.n && !found && !stopped; e++) {
            gy_arc_graph_edge edge = r->edges.at[e];
            if (!has(&r->inside, edge.to) || r->barred.at[e])
                continue;
            found = wanted ? (edge.marks & wanted) != 0 : edge.to == goal;
            if (!found) {
                reach(&w, edge.to, node, (uint32_t)e);
                continue;
            }
            gy_arc_graph_hop last = {node, (uint32_t)e};
            tell(&w, node, path);
            gy_vec_push(path, last);
            *to = edge.to;
        }
    }
    walk_free(&w);
    return found;
}

// The marks on a path from hop `first` on, in the current window.
static uint64_t marks_on(round *r, const gy_arc_graph_path *path, size_t first)
{
    uint64_t marks = 0;
    for (size_t i = first; i < path->n; i++)
        if (read_edges(r, path->at[i].node))
            marks |= r->edges.at[path->at[i].edge].marks;
    return marks;
}

// Goes on from *at until the path has all marks of the current window.
static bool gather(round *r, gy_arc_graph_path *path, uint32_t *at)
{
    uint64_t all = needed(r->found, r->window), got = marks_on(r, path, 0);
    bool found = true;
    while (found && (got & all) != all) {
        size_t first = path->n;
        found = go(r, *at, all & ~got, 0, path, at);
        got |= marks_on(r, path, first);
    }
    return found;
}

bool gy_arc_graph_cycle(const gy_arc_graph *graph, const gy_emptiness_result *found, uint32_t start,
                        gy_arc_graph_path *path)
{
    round r = {.graph = graph, .found = found, .inside = set_of(&found->component)};
    uint32_t at = start;
    bool fine = true;
    for (; r.window <= found->more.n && fine; r.window++)
        fine = gather(&r, path, &at);
    r.window = 0;
    if (fine && (at != start || path->n == 0))
        fine = go(&r, at, 0, start, path, &at);
    if (found->more.n)
        graph->look(graph->self, 0);
    free(r.inside.has);
    gy_vec_free(&r.edges);
    gy_vec_free(&r.barred);
    return fine;
}
