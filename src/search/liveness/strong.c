// Strong fairness by taking components apart: where a mark is asked for but no edge inside has it,
// a fair cycle can't pass the nodes that ask. Without them the component falls into smaller ones.
//
// A component is copied first, its nodes numbered from 0 and the edges that leave it dropped, so
// that nodes are made only once more and taking apart costs as much as the component is large.
#include "search/liveness/emptiness.h"

typedef struct part {
    const gy_graph *whole;
    GY_VEC(size_t) first; // of each node's edges; one entry more
    gy_graph_edges edges;
    GY_VEC(uint64_t) asks;
    uint8_t *left_out;
    uint32_t last; // node asked about
    size_t paid;   // bytes drawn from the budget
} part;

static bool part_tired(void *self)
{
    const part *p = self;
    return p->whole->tired && p->whole->tired(p->whole->self);
}

static void part_no_room(void *self)
{
    const part *p = self;
    if (p->whole->no_room)
        p->whole->no_room(p->whole->self);
}

static int part_edges(void *self, uint32_t node, gy_graph_edges *out)
{
    part *p = self;
    p->last = node;
    if (part_tired(p))
        return GY_GRAPH_STOP;
    for (size_t e = p->first.at[node]; e < p->first.at[node + 1]; e++)
        if (!p->left_out[p->edges.at[e].to])
            gy_vec_push(out, p->edges.at[e]);
    return 0;
}

static uint64_t part_asks(void *self)
{
    const part *p = self;
    return p->asks.at[p->last];
}

// For what the copy takes; twice that, as lists grow by doubling.
static bool pay(part *p)
{
    enum { MUCH = 1 << 20 };
    const gy_graph *whole = p->whole;
    size_t bytes = 2 * (p->edges.n * sizeof *p->edges.at +
                        p->first.n * (sizeof *p->first.at + sizeof *p->asks.at + 1));
    if (!whole->budget || bytes <= p->paid)
        return true;
    if (!gy_budget_take(whole->budget, bytes - p->paid + MUCH)) {
        part_no_room(p);
        return false;
    }
    p->paid = bytes + MUCH;
    return true;
}

// `rank` of a node in the component is its number in the copy; others rank at UINT32_MAX.
static bool copy(part *p, const gy_graph *graph, const gy_graph_nodes *component,
                 const gy_graph_ranks *ranks)
{
    for (size_t i = 0; i < component->n; i++) {
        size_t first = p->edges.n, kept = first;
        gy_vec_push(&p->first, first);
        if (graph->edges(graph->self, component->at[i], &p->edges))
            return false;
        uint64_t asks = graph->asks(graph->self);
        gy_vec_push(&p->asks, asks);
        for (size_t e = first; e < p->edges.n; e++) {
            uint32_t rank = ranks->rank(ranks->self, p->edges.at[e].to);
            gy_graph_edge edge = p->edges.at[e];
            edge.to = rank;
            if (rank != UINT32_MAX)
                p->edges.at[kept++] = edge;
        }
        p->edges.n = kept;
        if (!pay(p))
            return false;
    }
    gy_vec_push(&p->first, p->edges.n);
    p->left_out = gy_alloc_zero(component->n + 1);
    return true;
}

static void part_free(part *p)
{
    gy_vec_free(&p->first);
    gy_vec_free(&p->edges);
    gy_vec_free(&p->asks);
    free(p->left_out);
    if (p->paid)
        gy_budget_give(p->whole->budget, p->paid);
}

// Without the nodes that ask for one of the marks `missing`. Nodes found are those of the copy.
static bool search_rest(part *p, uint64_t all, uint64_t missing, gy_emptiness_result *result)
{
    gy_graph rest = {.self = p,
                     .edges = part_edges,
                     .asks = part_asks,
                     .all = all,
                     .budget = p->whole->budget,
                     .tired = part_tired,
                     .no_room = part_no_room};
    gy_graph_nodes nodes = {0};
    for (uint32_t i = 0; i < p->asks.n; i++) {
        p->left_out[i] = (p->asks.at[i] & missing) != 0;
        if (!p->left_out[i])
            gy_vec_push(&nodes, i);
    }
    gy_graph_search(&rest, nodes.at, (uint32_t)nodes.n, result);
    gy_vec_free(&nodes);
    if (result->full)
        part_no_room(p);
    return result->answer == GY_NONEMPTY;
}

static bool judge(part *p, const gy_graph *graph, const gy_graph_nodes *component,
                  gy_graph_nodes *found, uint64_t *all)
{
    uint64_t marks = 0, asks = 0;
    for (size_t e = 0; e < p->edges.n; e++)
        marks |= p->edges.at[e].marks;
    for (size_t i = 0; i < p->asks.n; i++)
        asks |= p->asks.at[i];
    if (p->edges.n == 0 || (marks & graph->all) != graph->all)
        return false;
    if (asks & ~marks) {
        gy_emptiness_result result;
        bool good = search_rest(p, graph->all, asks & ~marks, &result);
        for (size_t i = 0; i < result.component.n; i++)
            gy_vec_push(found, component->at[result.component.at[i]]);
        *all = result.all;
        gy_vec_free(&result.component);
        return good;
    }
    for (size_t i = 0; i < component->n; i++)
        gy_vec_push(found, component->at[i]);
    *all = graph->all | asks;
    return true;
}

bool gy_graph_strong(const gy_graph *graph, const gy_graph_nodes *component,
                     const gy_graph_ranks *ranks, gy_graph_nodes *found, uint64_t *all)
{
    part p = {.whole = graph};
    bool good = copy(&p, graph, component, ranks) && judge(&p, graph, component, found, all);
    part_free(&p);
    return good;
}
