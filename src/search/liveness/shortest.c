#include "search/liveness/shortest.h"

#include "base/scc.h"
#include "base/team.h"

#include <stdlib.h>

#define NEVER UINT64_MAX
#define NOBODY UINT32_MAX
#define ROOT (UINT32_MAX - 1)
enum { MOST_SPOTS = 1 << 26, FIRST_NODES = 4 };

// The graph as far as it was read: the edges of a node are links[first .. first + count - 1].
typedef struct link {
    uint32_t to;
    uint32_t cost : 26, marks : 6; // marks: those that matter, without gaps
} link;
_Static_assert(GY_SHORTEST_MARKS == 6, "as wide as link.marks");

typedef struct place {
    uint64_t depth; // cost of reaching it
    uint64_t first;
    uint32_t count;
    uint32_t component; // NOBODY: none that matters
} place;

// How a search came to a spot. A spot is a node, or, within a search for cycles, a node and the
// marks on the path to it but for that of roots, which is always there: node << s->shift | marks.
// Of another round: not yet.
typedef struct arrival {
    uint64_t cost;
    uint32_t round, from, edge; // from (a spot) NOBODY: a source; ROOT: the root
} arrival;

typedef struct due {
    uint64_t cost;
    uint32_t spot;
} due;

typedef GY_VEC(due) heap;

typedef struct search {
    const gy_arc_graph *graph;
    gy_shortest *out;
    _Atomic uint64_t best; // only what costs less is of interest
    GY_VEC(place) nodes;
    GY_VEC(link) links;
    GY_VEC(arrival) reached; // from an initial node
    uint32_t marks;          // that a cycle needs: how many
    uint32_t root_mark;      // the last of them, as a bit: cycles are looked for by it. 0: none
    uint32_t swapped;        // it was this one before
    uint32_t shift, full;    // how many others, and all of these
    heap heap;               // while the graph is read
    size_t enough;           // nodes: then it is time to look for lassos among them
    uint64_t radius;         // what costs less to reach was read. NEVER: all that is wanted was
    atomic_bool tired;       // it is to end
    GY_VEC(due) roots;       // nodes that cycles are looked for from, cheapest first
    _Atomic size_t next;     // of these
    pthread_mutex_t lock;    // of `out`, while several threads may find something
    struct seeker *seekers;  // by thread
} search;

// A thread that looks for cycles, from one root after the other.
typedef struct seeker {
    search *s;
    bool first;                 // it asks whether the search is to end
    arrival *around, *back;     // after an edge of a node with it; from there back to it
    gy_arc_graph_nodes touched; // spots, by the way around
    heap heap;
    uint32_t round;
    uint64_t depth; // of the current root
} seeker;

static uint64_t best_of(const search *s)
{
    return atomic_load_explicit(&s->best, memory_order_relaxed);
}

static bool is_tired(seeker *k)
{
    search *s = k->s;
    if (k->first && s->graph->tired && !s->tired && s->graph->tired(s->graph->self))
        s->tired = true;
    return atomic_load_explicit(&s->tired, memory_order_relaxed);
}

// ---- a heap of nodes, cheapest first --------------------------------------------------------

static void put(heap *h, uint32_t spot, uint64_t cost)
{
    due item = {cost, spot};
    gy_vec_push(h, item);
    size_t at = h->n - 1;
    while (at > 0 && h->at[(at - 1) / 2].cost > cost) {
        h->at[at] = h->at[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->at[at] = item;
}

static due take(heap *h)
{
    due first = h->at[0], last = h->at[--h->n];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < h->n && h->at[child + 1].cost < h->at[child].cost)
            child++;
        if (child >= h->n || h->at[child].cost >= last.cost)
            break;
        h->at[at] = h->at[child];
        at = child;
    }
    h->at[at] = last;
    return first;
}

// ---- reading the graph ------------------------------------------------------------------------

static place *place_of(search *s, uint32_t number)
{
    while (s->nodes.n <= number) {
        place fresh = {.depth = NEVER, .component = NOBODY};
        gy_vec_push(&s->nodes, fresh);
        gy_vec_push(&s->reached, (arrival){0});
    }
    return &s->nodes.at[number];
}

static void come(search *s, uint32_t number, uint64_t cost, uint32_t from, uint32_t edge)
{
    place *n = place_of(s, number);
    if (cost >= n->depth || cost >= best_of(s))
        return;
    n->depth = cost;
    s->reached.at[number] = (arrival){cost, 0, from, edge};
    put(&s->heap, number, cost);
}

// The marks that count, without gaps.
static uint32_t compact(uint64_t marks, uint64_t all)
{
    uint32_t bits = 0, at = 0;
    for (; all; all &= all - 1, at++)
        bits |= (uint32_t)((marks & all & -all) != 0) << at;
    return bits;
}

// False: a step that is beyond all measure.
static bool keep_edges(search *s, uint32_t number, const gy_arc_graph_edges *edges)
{
    place *n = &s->nodes.at[number];
    n->first = s->links.n;
    n->count = (uint32_t)edges->n;
    for (size_t e = 0; e < edges->n; e++) {
        const gy_arc_graph_edge *edge = &edges->at[e];
        if (edge->cost >= 1u << 26)
            return false;
        link l = {.to = edge->to, .cost = edge->cost & 0x3ffffff};
        l.marks = compact(edge->marks, s->graph->all) & 0x3f;
        gy_vec_push(&s->links, l);
    }
    return true;
}

// All that a lasso cheaper than the best can pass, or, when there is enough, than the radius.
// False: broken off.
static bool read_graph(search *s)
{
    gy_arc_graph_edges edges = {0};
    bool whole = true, seen = false;
    uint64_t before = NEVER;
    s->radius = NEVER;
    while (s->heap.n > 0 && whole && !seen) {
        due next = take(&s->heap);
        if (next.cost > s->nodes.at[next.spot].depth)
            continue;
        if (s->nodes.n >= s->enough && before != NEVER && next.cost > before) {
            put(&s->heap, next.spot, s->radius = next.cost);
            break;
        }
        before = next.cost;
        edges.n = 0;
        int answer = s->graph->edges(s->graph->self, next.spot, &edges);
        whole = answer == 0 || answer == GY_GRAPH_SEEN;
        seen = answer == GY_GRAPH_SEEN;
        if (seen) { // what is left in the heap costs at least as much
            s->best = s->out->cost = next.cost;
            s->out->end = next.spot;
            s->out->found = true;
        } else if (whole) {
            whole = keep_edges(s, next.spot, &edges);
            for (size_t e = 0; e < edges.n && whole; e++)
                come(s, edges.at[e].to, next.cost + edges.at[e].cost, next.spot, (uint32_t)e);
        }
    }
    gy_vec_free(&edges);
    return whole;
}

// ---- components -------------------------------------------------------------------------------

static uint32_t next_node(void *self, uint32_t node, uint64_t nth)
{
    const search *s = self;
    const place *n = &s->nodes.at[node];
    return nth < n->count ? s->links.at[n->first + nth].to : GY_SCC_END;
}

static void find_components(search *s)
{
    uint32_t n = (uint32_t)s->nodes.n;
    gy_scc scc = {.nodes = n, .self = s, .next = next_node};
    scc.number = gy_alloc_zero((n + (size_t)1) * sizeof *scc.number);
    for (uint32_t i = 0; i < n; i++)
        gy_scc_from(&scc, i);
    for (uint32_t i = 0; i < n; i++)
        s->nodes.at[i].component = gy_scc_of(&scc, i);
    free(scc.number);
    gy_scc_free(&scc);
}

// ---- lassos -----------------------------------------------------------------------------------

// What a lasso costs at least, besides the path that has led here. Its stem and the path from the
// end of that back to the root are a path to the root, which costs its depth or more: all of that
// is to come on the way around, and the part after this spot on the path back.
static uint64_t rest_of(const seeker *k, const arrival *at, uint32_t spot)
{
    if (at == k->around)
        return k->depth;
    uint64_t depth = k->s->nodes.at[spot >> k->s->shift].depth;
    return k->depth > depth ? k->depth - depth : 0;
}

static void arrive(seeker *k, arrival *at, uint32_t spot, arrival how)
{
    if (how.cost + rest_of(k, at, spot) >= best_of(k->s) ||
        (at[spot].round == k->round && at[spot].cost <= how.cost))
        return;
    how.round = k->round;
    at[spot] = how;
    put(&k->heap, spot, how.cost);
}

static bool is_due(const seeker *k, const arrival *at, due next)
{
    return at[next.spot].round == k->round && at[next.spot].cost == next.cost;
}

static void follow_edges(seeker *k, arrival *at, due next)
{
    const search *s = k->s;
    const place *n = &s->nodes.at[next.spot >> s->shift];
    uint32_t marks = next.spot & s->full;
    for (uint32_t e = 0; e < n->count; e++) {
        const link *l = &s->links.at[n->first + e];
        if (s->nodes.at[l->to].component == n->component)
            arrive(k, at, l->to << s->shift | marks | (l->marks & s->full),
                   (arrival){next.cost + l->cost, 0, next.spot, e});
    }
}

static bool is_root_edge(const search *s, const place *from, const link *l)
{
    return (l->marks & s->root_mark) == s->root_mark &&
           s->nodes.at[l->to].component == from->component;
}

// The cost of the path from r over one of its edges with the mark of roots to each spot. Beyond r
// itself, with all marks, nothing can be gained.
static void go_around(seeker *k, uint32_t r)
{
    const search *s = k->s;
    const place *n = &s->nodes.at[r];
    k->touched.n = 0;
    for (uint32_t e = 0; e < n->count; e++) {
        const link *l = &s->links.at[n->first + e];
        if (is_root_edge(s, n, l))
            arrive(k, k->around, l->to << s->shift | (l->marks & s->full),
                   (arrival){l->cost, 0, ROOT, e});
    }
    while (k->heap.n > 0 && !is_tired(k)) {
        due next = take(&k->heap);
        if (!is_due(k, k->around, next))
            continue;
        gy_vec_push(&k->touched, next.spot);
        if (next.spot != (r << s->shift | s->full))
            follow_edges(k, k->around, next);
    }
}

static void reverse(gy_arc_graph_path *path, size_t first)
{
    for (size_t a = first, b = path->n; a + 1 < b; a++, b--) {
        gy_arc_graph_hop hop = path->at[a];
        path->at[a] = path->at[b - 1];
        path->at[b - 1] = hop;
    }
}

// Appends the hops that led to `spot`, from a source or the root on. Returns the source. `shift`:
// of nodes in spots.
static uint32_t tell(const arrival *at, uint32_t spot, uint32_t root, uint32_t shift,
                     gy_arc_graph_path *path)
{
    size_t first = path->n;
    while (at[spot].from != NOBODY) {
        bool end = at[spot].from == ROOT;
        gy_arc_graph_hop hop = {end ? root : at[spot].from >> shift, at[spot].edge};
        gy_vec_push(path, hop);
        if (end)
            break;
        spot = at[spot].from;
    }
    reverse(path, first);
    return spot;
}

// A cycle through r was closed at this cost, unless another thread has a cheaper one.
static void keep_lasso(seeker *k, uint32_t r, uint32_t goal)
{
    search *s = k->s;
    gy_shortest *out = s->out;
    pthread_mutex_lock(&s->lock);
    if (k->back[goal].cost < s->best) {
        s->best = out->cost = k->back[goal].cost;
        out->found = true;
        out->cycle.n = 0;
        uint32_t entry = tell(k->back, goal, NOBODY, s->shift, &out->cycle);
        tell(k->around, entry, r, s->shift, &out->cycle);
        out->end = entry >> s->shift;
    }
    pthread_mutex_unlock(&s->lock);
}

// From all spots that lie after the edge with the mark of roots, back to r.
static void go_back(seeker *k, uint32_t r)
{
    const search *s = k->s;
    uint32_t goal = r << s->shift | s->full;
    bool closed = false;
    for (size_t i = 0; i < k->touched.n; i++) {
        uint32_t spot = k->touched.at[i];
        uint64_t cost = s->nodes.at[spot >> s->shift].depth + k->around[spot].cost;
        arrive(k, k->back, spot, (arrival){cost, 0, NOBODY, 0});
    }
    while (k->heap.n > 0 && !closed && !is_tired(k)) {
        due next = take(&k->heap);
        closed = next.spot == goal && next.cost < best_of(s);
        if (!closed && is_due(k, k->back, next))
            follow_edges(k, k->back, next);
    }
    if (closed)
        keep_lasso(k, r, goal);
}

static bool is_root(const search *s, uint32_t number)
{
    const place *n = &s->nodes.at[number];
    for (uint32_t e = 0; e < n->count; e++)
        if (is_root_edge(s, n, &s->links.at[n->first + e]))
            return true;
    return false;
}

// Two marks change their numbers.
static void swap_marks(search *s, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < s->links.n && a != b; i++) {
        uint32_t marks = s->links.at[i].marks;
        uint32_t differ = (marks >> a ^ marks >> b) & 1;
        s->links.at[i].marks = (marks ^ (differ << a | differ << b)) & 0x3f;
    }
}

// Makes the mark that the fewest edges on cycles have the last one.
static void choose_root_mark(search *s)
{
    uint64_t count[GY_SHORTEST_MARKS] = {0};
    uint32_t best = 0, last = s->marks - 1;
    if (!s->marks)
        return;
    for (size_t i = 0; i < s->nodes.n; i++) {
        const place *n = &s->nodes.at[i];
        for (uint32_t e = 0; e < n->count; e++) {
            const link *l = &s->links.at[n->first + e];
            for (uint32_t m = 0; m < s->marks && s->nodes.at[l->to].component == n->component; m++)
                count[m] += l->marks >> m & 1;
        }
    }
    for (uint32_t m = 1; m < s->marks; m++)
        best = count[m] < count[best] ? m : best;
    swap_marks(s, best, last);
    s->swapped = best;
    s->root_mark = 1u << last;
    s->shift = last;
    s->full = (1u << last) - 1;
}

static int by_cost(const void *a, const void *b)
{
    const due *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->spot > y->spot) - (x->spot < y->spot);
}

static void list_roots(search *s)
{
    s->roots.n = 0;
    s->next = 0;
    for (uint32_t i = 0; i < s->nodes.n; i++) {
        due root = {s->nodes.at[i].depth, i};
        if (is_root(s, i))
            gy_vec_push(&s->roots, root);
    }
    if (s->roots.n)
        qsort(s->roots.at, s->roots.n, sizeof *s->roots.at, by_cost);
}

// Roots are shared out: whatever one thread finds bounds what the others look for.
static void try_roots(void *user, unsigned member)
{
    search *s = user;
    seeker *k = &s->seekers[member];
    size_t i;
    while (!is_tired(k) && (i = atomic_fetch_add(&s->next, 1)) < s->roots.n &&
           s->roots.at[i].cost < best_of(s)) {
        k->round++;
        k->depth = s->roots.at[i].cost;
        go_around(k, s->roots.at[i].spot);
        go_back(k, s->roots.at[i].spot);
        k->heap.n = 0; // if it was broken off
    }
}

// Room for so many threads, or for as many as there is memory for. Returns how many.
static unsigned make_seekers(search *s, unsigned threads)
{
    size_t spots = (s->nodes.n + 1) << s->shift;
    uint64_t bytes = 2 * spots * sizeof(arrival);
    unsigned made = 1;
    if (threads > s->roots.n)
        threads = s->roots.n ? (unsigned)s->roots.n : 1;
    while (made < threads && (made + 1) * spots <= MOST_SPOTS &&
           (!s->graph->budget || gy_budget_take(s->graph->budget, bytes)))
        made++;
    s->seekers = gy_alloc_zero(made * sizeof *s->seekers);
    for (unsigned m = 0; m < made; m++) {
        s->seekers[m] = (seeker){.s = s, .first = m == 0};
        s->seekers[m].around = gy_alloc_zero(spots * sizeof(arrival));
        s->seekers[m].back = gy_alloc_zero(spots * sizeof(arrival));
    }
    return made;
}

static void free_seekers(search *s, unsigned made)
{
    uint64_t bytes = 2 * ((s->nodes.n + 1) << s->shift) * sizeof(arrival);
    for (unsigned m = 0; m < made; m++) {
        free(s->seekers[m].around);
        free(s->seekers[m].back);
        gy_vec_free(&s->seekers[m].touched);
        gy_vec_free(&s->seekers[m].heap);
    }
    if (s->graph->budget)
        gy_budget_give(s->graph->budget, bytes * (made - 1));
    free(s->seekers);
}

static void find_lasso(search *s, unsigned threads)
{
    gy_shortest *out = s->out;
    find_components(s);
    choose_root_mark(s);
    out->proved = s->nodes.n <= (size_t)MOST_SPOTS >> s->shift;
    if (out->proved) {
        list_roots(s);
        unsigned made = make_seekers(s, threads);
        gy_team team;
        if (made > 1)
            gy_team_run(made, try_roots, s, &team);
        else
            try_roots(s, 0);
        free_seekers(s, made);
        out->proved = !s->tired;
    }
    swap_marks(s, s->swapped,
               s->marks ? s->marks - 1 : 0); // as edges that are read later have them
}

// The bound may be far above what there is, and a graph grows fast with it: each time that there
// are twice as many nodes, lassos are looked for among them. One that costs less than the radius
// passes none but nodes that were read, and so does every cheaper one.
static bool read_and_look(search *s, unsigned threads)
{
    uint64_t bound = s->best;
    bool whole;
    while ((whole = read_graph(s)) && s->radius != NEVER && !s->out->found) {
        s->enough = 2 * s->nodes.n;
        s->best = s->radius;
        find_lasso(s, threads);
        if (s->out->found || !s->out->proved)
            return s->out->proved;
        s->best = bound;
    }
    if (whole)
        find_lasso(s, threads);
    return whole && s->out->proved;
}

void gy_arc_graph_shortest(const gy_arc_graph *graph, const uint32_t *initial,
                           uint32_t initial_count, uint64_t bound, unsigned threads,
                           gy_shortest *out)
{
    search s = {.graph = graph, .out = out, .best = bound, .enough = FIRST_NODES};
    pthread_mutex_init(&s.lock, NULL);
    s.marks = (uint32_t)__builtin_popcountll(graph->all);
    *out = (gy_shortest){.cost = NEVER};
    for (uint32_t i = 0; i < initial_count; i++)
        come(&s, initial[i], 0, NOBODY, 0);
    out->proved = s.marks <= GY_SHORTEST_MARKS && read_and_look(&s, threads);
    if (out->found)
        tell(s.reached.at, out->end, NOBODY, 0, &out->stem);
    gy_vec_free(&s.nodes);
    gy_vec_free(&s.links);
    gy_vec_free(&s.reached);
    gy_vec_free(&s.heap);
    gy_vec_free(&s.roots);
    pthread_mutex_destroy(&s.lock);
}
