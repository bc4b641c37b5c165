#include "search/liveness/short_lasso.h"

#include "search/liveness/shortest.h"

#include "base/scc.h"

#include <stdlib.h>

#define NOBODY UINT32_MAX
enum { MOST_COST = 1 << 16, MOST_LOOKS = 1 << 24, LOOKS_PER_TICK = 1 << 12, EXACT_PART = 16 };

// A node of the graph that was read, numbered from 0 as they were reached.
typedef struct spot {
    uint32_t number; // in the graph
    uint32_t from, edge;
    uint64_t depth; // cost of reaching it
    size_t first;   // its edges are links[first .. first + count - 1]
    uint32_t count;
    uint32_t component; // NOBODY: no cycle passes it
    bool read;
} spot;

typedef struct link {
    gy_arc_graph_edge edge; // to a spot
    uint64_t asks;
} link;

typedef GY_VEC(uint32_t) spot_list;

typedef struct search {
    const gy_arc_graph *graph;
    gy_short_lasso *out;
    uint64_t all; // marks that a cycle needs in any case
    GY_VEC(spot) spots;
    GY_VEC(link) links;
    GY_VEC(uint32_t) spot_of; // by number: 1 + the spot; 0: not reached
    spot_list order;          // those that were read, cheapest first
    spot_list *due;           // by cost
    uint64_t best;            // only what costs less is of interest
    bool whole;               // all that this can pass was read
    // Looking for cycles:
    uint64_t looks;
    uint32_t round;
    GY_VEC(uint32_t) seen;    // by spot: the round in which it was reached …
    gy_arc_graph_path origin; // … and how
    spot_list queue;
} search;

// ---- reading ------------------------------------------------------------------------------

static uint32_t spot_at(search *s, uint32_t number)
{
    if (number >= s->spot_of.n) {
        size_t old = s->spot_of.n;
        gy_vec_reserve(&s->spot_of, (size_t)number + 1);
        memset(s->spot_of.at + old, 0, (s->spot_of.room - old) * sizeof *s->spot_of.at);
        s->spot_of.n = s->spot_of.room;
    }
    if (!s->spot_of.at[number]) {
        spot fresh = {.number = number, .depth = UINT64_MAX, .component = NOBODY, .from = NOBODY};
        gy_vec_push(&s->spots, fresh);
        s->spot_of.at[number] = (uint32_t)s->spots.n;
    }
    return s->spot_of.at[number] - 1;
}

static void come(search *s, uint32_t to, uint64_t cost, uint32_t from, uint32_t edge)
{
    spot *at = &s->spots.at[to];
    if (cost >= at->depth || cost >= s->best)
        return;
    at->depth = cost;
    at->from = from;
    at->edge = edge;
    gy_vec_push(&s->due[cost], to);
}

// A lasso without a cycle: the observer sees an error there. What is left costs at least as much.
static void see(search *s, uint32_t at)
{
    s->out->found = true;
    s->best = s->out->cost = s->spots.at[at].depth;
    s->out->end = s->spots.at[at].number;
    s->out->cycle.n = 0;
}

// False: reading is to end.
static bool read_spot(search *s, uint32_t at, gy_arc_graph_edges *edges)
{
    const gy_arc_graph *graph = s->graph;
    edges->n = 0;
    int answer = graph->edges(graph->self, s->spots.at[at].number, edges);
    if (answer == GY_GRAPH_SEEN)
        see(s, at);
    if (answer)
        return answer == GY_GRAPH_SEEN;
    s->spots.at[at].first = s->links.n;
    s->spots.at[at].count = (uint32_t)edges->n;
    s->spots.at[at].read = true;
    for (uint32_t e = 0; e < edges->n; e++) {
        link l = {.edge = edges->at[e], .asks = graph->asks ? graph->asks(graph->self, e) : 0};
        l.edge.to = spot_at(s, edges->at[e].to);
        gy_vec_push(&s->links, l);
        come(s, l.edge.to, s->spots.at[at].depth + edges->at[e].cost, at, e);
    }
    gy_vec_push(&s->order, at);
    return true;
}

static void read_graph(search *s, const gy_arc_graph_nodes *initial, uint64_t most)
{
    gy_arc_graph_edges edges = {0};
    uint64_t bound = s->best;
    s->due = gy_alloc_zero(bound * sizeof *s->due);
    for (size_t i = 0; i < initial->n; i++)
        come(s, spot_at(s, initial->at[i]), 0, NOBODY, 0);
    s->whole = true;
    for (uint64_t cost = 0; cost < s->best && s->whole; cost++) {
        for (size_t i = 0; i < s->due[cost].n && cost < s->best && s->whole; i++) {
            uint32_t at = s->due[cost].at[i];
            if (!s->spots.at[at].read && s->spots.at[at].depth == cost)
                s->whole = s->order.n < most && read_spot(s, at, &edges);
        }
    }
    for (uint64_t cost = 0; cost < bound; cost++)
        gy_vec_free(&s->due[cost]);
    free(s->due);
    gy_vec_free(&edges);
}

// What edges ask for, and that no process is enabled there whom others meet later, may have become
// known since a node was read.
static void read_again(search *s)
{
    const gy_arc_graph *graph = s->graph;
    gy_arc_graph_edges edges = {0};
    for (size_t i = 0; i < s->order.n && s->whole; i++) {
        const spot *here = &s->spots.at[s->order.at[i]];
        edges.n = 0;
        s->whole = !graph->edges(graph->self, here->number, &edges) && edges.n == here->count;
        for (uint32_t e = 0; e < here->count && s->whole; e++) {
            s->links.at[here->first + e].edge.marks = edges.at[e].marks;
            s->links.at[here->first + e].asks = graph->asks(graph->self, e);
        }
    }
    gy_vec_free(&edges);
}

// ---- components -------------------------------------------------------------------------------

static uint32_t next_spot(void *self, uint32_t at, uint64_t nth)
{
    const search *s = self;
    const spot *here = &s->spots.at[at];
    return nth < here->count ? s->links.at[here->first + nth].edge.to : GY_SCC_END;
}

static bool stays(const search *s, uint32_t from, const link *l)
{
    return s->spots.at[from].component != NOBODY &&
           s->spots.at[from].component == s->spots.at[l->edge.to].component;
}

// Strikes components out that have no edge or whose edges lack a mark. Marks that all edges of
// components have need not be looked for: those are returned.
static uint64_t strike_out(search *s)
{
    uint64_t *marks = gy_alloc_zero((s->spots.n + 1) * sizeof *marks), common = ~(uint64_t)0;
    bool *any = gy_alloc_zero((s->spots.n + 1) * sizeof *any);
    for (uint32_t at = 0; at < s->spots.n; at++) {
        const spot *here = &s->spots.at[at];
        for (uint32_t e = 0; e < here->count; e++) {
            const link *l = &s->links.at[here->first + e];
            if (!stays(s, at, l))
                continue;
            any[here->component] = true;
            marks[here->component] |= l->edge.marks;
            common &= l->edge.marks;
        }
    }
    for (uint32_t at = 0; at < s->spots.n; at++) {
        uint32_t component = s->spots.at[at].component;
        if (!any[component] || (s->all & ~marks[component]))
            s->spots.at[at].component = NOBODY;
    }
    free(marks);
    free(any);
    return common;
}

static uint64_t find_components(search *s)
{
    uint32_t n = (uint32_t)s->spots.n;
    gy_scc scc = {.nodes = n, .self = s, .next = next_spot};
    scc.number = gy_alloc_zero((n + (size_t)1) * sizeof *scc.number);
    for (uint32_t i = 0; i < n; i++)
        gy_scc_from(&scc, i);
    for (uint32_t i = 0; i < n; i++)
        s->spots.at[i].component = gy_scc_of(&scc, i);
    free(scc.number);
    gy_scc_free(&scc);
    return strike_out(s);
}

// ---- cycles ---------------------------------------------------------------------------------

static bool is_tired(search *s)
{
    const gy_arc_graph *graph = s->graph;
    return s->looks > MOST_LOOKS ||
           (s->looks % LOOKS_PER_TICK == 0 && graph->tired && graph->tired(graph->self));
}

static const link *link_of(const search *s, gy_arc_graph_hop hop)
{
    return &s->links.at[s->spots.at[hop.node].first + hop.edge];
}

// Appends the hops that led from `start` to `at`.
static void tell(const search *s, uint32_t start, uint32_t at, gy_arc_graph_path *path)
{
    size_t first = path->n;
    for (; at != start; at = s->origin.at[at].node)
        gy_vec_push(path, s->origin.at[at]);
    for (size_t a = first, b = path->n; a + 1 < b; a++, b--) {
        gy_arc_graph_hop hop = path->at[a];
        path->at[a] = path->at[b - 1];
        path->at[b - 1] = hop;
    }
}

// Appends a path with fewest edges, one at least, whose last edge has one of the marks `wanted` or,
// if that is 0, leads to `goal`. Within a component.
static bool go(search *s, uint32_t from, uint64_t wanted, uint32_t goal, gy_arc_graph_path *path)
{
    s->round++;
    s->queue.n = 0;
    s->seen.at[from] = s->round;
    gy_vec_push(&s->queue, from);
    for (size_t i = 0; i < s->queue.n; i++) {
        uint32_t at = s->queue.at[i];
        for (uint32_t e = 0; e < s->spots.at[at].count; e++) {
            gy_arc_graph_hop hop = {at, e};
            const link *l = link_of(s, hop);
            s->looks++;
            if (is_tired(s))
                return false;
            if (!stays(s, at, l))
                continue;
            if (wanted ? (l->edge.marks & wanted) != 0 : l->edge.to == goal) {
                tell(s, from, at, path);
                gy_vec_push(path, hop);
                return true;
            }
            if (s->seen.at[l->edge.to] == s->round)
                continue;
            s->seen.at[l->edge.to] = s->round;
            s->origin.at[l->edge.to] = hop;
            gy_vec_push(&s->queue, l->edge.to);
        }
    }
    return false;
}

// A cycle from `start` that costs less than `most`. *cost is set.
static bool go_round(search *s, uint32_t start, uint64_t most, gy_arc_graph_path *path,
                     uint64_t *cost)
{
    uint64_t got = 0, asked = 0, missing = s->all;
    uint32_t at = start;
    *cost = 0;
    path->n = 0;
    while (path->n == 0 || missing || at != start) {
        size_t first = path->n;
        if (!go(s, at, missing, start, path))
            return false;
        for (size_t i = first; i < path->n; i++) {
            const link *l = link_of(s, path->at[i]);
            got |= l->edge.marks;
            asked |= l->asks;
            *cost += l->edge.cost;
            at = l->edge.to;
        }
        missing = (s->all | asked) & ~got;
        if (*cost >= most || path->n > MOST_COST)
            return false;
    }
    return true;
}

static void find_cycles(search *s)
{
    gy_arc_graph_path path = {0};
    uint64_t cost;
    gy_vec_reserve(&s->seen, s->spots.n + 1);
    gy_vec_reserve(&s->origin, s->spots.n + 1);
    memset(s->seen.at, 0, (s->spots.n + 1) * sizeof *s->seen.at);
    for (size_t i = 0; i < s->order.n && !is_tired(s); i++) {
        uint32_t start = s->order.at[i];
        const spot *here = &s->spots.at[start];
        if (here->depth >= s->best)
            break;
        if (here->component == NOBODY || !go_round(s, start, s->best - here->depth, &path, &cost))
            continue;
        s->out->found = true;
        s->best = s->out->cost = here->depth + cost;
        s->out->end = here->number;
        s->out->cycle.n = 0;
        for (size_t h = 0; h < path.n; h++)
            gy_vec_push(&s->out->cycle, path.at[h]);
    }
    gy_vec_free(&path);
}

// ---- a shortest one ---------------------------------------------------------------------------

// A cycle answers to what its edges ask for if there is a set of marks of which it has all, and its
// edges ask for no others. So a shortest lasso is looked for with each set: all edges may be on the
// stem, but only those on the cycle that ask for nothing else. For that the graph is there twice, a
// spot of the cycle having a number that is higher by the number of spots.
typedef struct trial {
    const search *s;
    uint64_t answered; // the set
    uint64_t inside;   // a mark of the edges on the cycle; 0: nothing asks, the graph is there once
} trial;

static bool may_be_inside(const trial *t, const link *l)
{
    return !(l->asks & ~t->answered);
}

static int trial_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    const trial *t = self;
    const search *s = t->s;
    uint32_t spots = (uint32_t)s->spots.n;
    const spot *here = &s->spots.at[node % spots];
    for (uint32_t e = 0; e < here->count; e++) {
        const link *l = &s->links.at[here->first + e];
        gy_arc_graph_edge edge = {.to = l->edge.to, .cost = l->edge.cost};
        if (t->inside && node < spots) {
            gy_vec_push(out, edge);
            edge.to += spots;
            gy_vec_push(out, edge);
        } else if (may_be_inside(t, l)) {
            edge.to += t->inside ? spots : 0;
            edge.marks = l->edge.marks | t->inside;
            gy_vec_push(out, edge);
        }
    }
    return 0;
}

static bool trial_tired(void *self)
{
    const trial *t = self;
    const gy_arc_graph *graph = t->s->graph;
    return graph->tired && graph->tired(graph->self);
}

// The hop in terms of spots and of all their edges.
static gy_arc_graph_hop hop_inside(const trial *t, gy_arc_graph_hop hop)
{
    const search *s = t->s;
    gy_arc_graph_hop own = {hop.node % (uint32_t)s->spots.n, 0};
    const spot *here = &s->spots.at[own.node];
    for (uint32_t nth = hop.edge; own.edge < here->count; own.edge++)
        if (may_be_inside(t, &s->links.at[here->first + own.edge]) && nth-- == 0)
            break;
    return own;
}

static void keep_shortest(search *s, const trial *t, const gy_shortest *shortest)
{
    s->out->found = true;
    s->best = s->out->cost = shortest->cost;
    s->out->end = s->spots.at[shortest->end % s->spots.n].number;
    s->out->cycle.n = 0;
    for (size_t i = 0; i < shortest->cycle.n; i++)
        gy_vec_push(&s->out->cycle, hop_inside(t, shortest->cycle.at[i]));
}

// False: it is not known whether there is a cheaper one.
static bool try_set(search *s, uint64_t answered, uint64_t common,
                    const gy_arc_graph_nodes *initial)
{
    uint64_t wanted = (s->all | answered) & ~common;
    trial t = {.s = s, .answered = answered};
    if (s->graph->asks)
        t.inside = ~wanted & (wanted + 1); // the lowest that is not wanted
    gy_arc_graph kept = {.self = &t,
                         .edges = trial_edges,
                         .all = wanted | t.inside,
                         .budget = s->graph->budget,
                         .tired = trial_tired};
    gy_arc_graph_nodes starts = {0};
    gy_shortest shortest;
    for (size_t i = 0; i < initial->n; i++) {
        uint32_t at = spot_at(s, initial->at[i]);
        gy_vec_push(&starts, at);
        if (t.inside)
            gy_vec_push(&starts, at + (uint32_t)s->spots.n);
    }
    gy_arc_graph_shortest(&kept, starts.at, (uint32_t)starts.n, s->best, 1, &shortest);
    if (shortest.found)
        keep_shortest(s, &t, &shortest);
    gy_vec_free(&shortest.stem);
    gy_vec_free(&shortest.cycle);
    gy_vec_free(&starts);
    return shortest.proved;
}

// `common`: marks that every edge on a cycle has.
static void find_shortest(search *s, uint64_t common, const gy_arc_graph_nodes *initial)
{
    enum { MOST_ASKED = 5 };
    uint64_t asked = 0;
    for (uint32_t at = 0; at < s->spots.n; at++)
        for (uint32_t e = 0; e < s->spots.at[at].count; e++) {
            const link *l = &s->links.at[s->spots.at[at].first + e];
            asked |= stays(s, at, l) ? l->asks & ~common : 0;
        }
    if (__builtin_popcountll(asked) > MOST_ASKED)
        return;
    s->out->proved = true;
    for (uint64_t set = asked;; set = (set - 1) & asked) {
        s->out->proved = try_set(s, set | common, common, initial) && s->out->proved;
        if (set == 0 || is_tired(s))
            break;
    }
}

static void tell_stem(search *s)
{
    gy_arc_graph_path *stem = &s->out->stem;
    for (uint32_t at = s->spot_of.at[s->out->end] - 1; s->spots.at[at].from != NOBODY;) {
        const spot *here = &s->spots.at[at];
        gy_arc_graph_hop hop = {s->spots.at[here->from].number, here->edge};
        gy_vec_push(stem, hop);
        at = here->from;
    }
    for (size_t a = 0, b = stem->n; a + 1 < b; a++, b--) {
        gy_arc_graph_hop hop = stem->at[a];
        stem->at[a] = stem->at[b - 1];
        stem->at[b - 1] = hop;
    }
    for (size_t i = 0; i < s->out->cycle.n; i++)
        s->out->cycle.at[i].node = s->spots.at[s->out->cycle.at[i].node].number;
}

void gy_arc_graph_short_lasso(const gy_arc_graph *graph, const gy_arc_graph_nodes *initial,
                              uint64_t (*all)(void *self), uint64_t bound, uint64_t most,
                              gy_short_lasso *out)
{
    search s = {.graph = graph, .out = out, .best = bound < MOST_COST ? bound : MOST_COST};
    *out = (gy_short_lasso){0};
    read_graph(&s, initial, most);
    if (graph->asks)
        read_again(&s);
    s.all = all ? graph->all & all(graph->self) : graph->all;
    uint64_t common = find_components(&s);
    find_cycles(&s);
    bool small = most == UINT64_MAX || s.order.n <= most / EXACT_PART;
    if (s.whole && bound <= MOST_COST && small)
        find_shortest(&s, common, initial);
    if (out->found)
        tell_stem(&s);
    gy_vec_free(&s.spots);
    gy_vec_free(&s.links);
    gy_vec_free(&s.spot_of);
    gy_vec_free(&s.order);
    gy_vec_free(&s.seen);
    gy_vec_free(&s.origin);
    gy_vec_free(&s.queue);
}
