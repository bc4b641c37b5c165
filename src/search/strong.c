// Strong fairness by taking components apart: where a mark is asked for but no edge inside has it,
// a fair cycle can't pass the nodes that ask. Without them the component falls into smaller ones.
#include "search/emptiness.h"

typedef struct part {
    const gy_graph *whole;
    uint8_t *inside;
    uint32_t room;
} part;

static bool is_inside(const part *p, uint32_t node)
{
    return node < p->room && p->inside[node];
}

static int edges_inside(void *self, uint32_t node, gy_graph_edges *out)
{
    const part *p = self;
    size_t kept = out->n, first = out->n;
    if (p->whole->edges(p->whole->self, node, out))
        return 1;
    for (size_t i = first; i < out->n; i++)
        if (is_inside(p, out->at[i].to))
            out->at[kept++] = out->at[i];
    out->n = kept;
    return 0;
}

static uint64_t asks_inside(void *self)
{
    const part *p = self;
    return p->whole->asks(p->whole->self);
}

static part part_of(const gy_graph *whole, const gy_graph_nodes *nodes)
{
    part p = {.whole = whole};
    for (size_t i = 0; i < nodes->n; i++)
        p.room = nodes->at[i] >= p.room ? nodes->at[i] + 1 : p.room;
    p.inside = gy_alloc_zero((size_t)p.room + 1);
    for (size_t i = 0; i < nodes->n; i++)
        p.inside[nodes->at[i]] = 1;
    return p;
}

bool gy_graph_strong(const gy_graph *graph, const gy_graph_nodes *component, gy_graph_nodes *found,
                     uint64_t *all)
{
    part p = part_of(graph, component);
    gy_graph inside = {.self = &p, .edges = edges_inside, .asks = asks_inside, .all = graph->all};
    gy_graph_edges edges = {0};
    GY_VEC(uint64_t) asked = {0};
    uint64_t marks = 0, asks = 0;
    bool cycle = false, good = false;
    for (size_t i = 0; i < component->n; i++) {
        edges.n = 0;
        edges_inside(&p, component->at[i], &edges);
        uint64_t here = asks_inside(&p);
        gy_vec_push(&asked, here);
        asks |= here;
        cycle = cycle || edges.n > 0;
        for (size_t e = 0; e < edges.n; e++)
            marks |= edges.at[e].marks;
    }
    uint64_t missing = asks & ~marks;
    if (cycle && (marks & graph->all) == graph->all && !missing) {
        for (size_t i = 0; i < component->n; i++)
            gy_vec_push(found, component->at[i]);
        *all = graph->all | asks;
        good = true;
    } else if (cycle && (marks & graph->all) == graph->all) {
        gy_graph_nodes rest = {0};
        gy_emptiness_result result;
        for (size_t i = 0; i < component->n; i++) {
            if (asked.at[i] & missing)
                p.inside[component->at[i]] = 0;
            else
                gy_vec_push(&rest, component->at[i]);
        }
        gy_graph_search(&inside, rest.at, (uint32_t)rest.n, &result);
        good = result.answer == GY_NONEMPTY;
        for (size_t i = 0; i < result.component.n; i++)
            gy_vec_push(found, result.component.at[i]);
        *all = result.all;
        gy_vec_free(&result.component);
        gy_vec_free(&rest);
    }
    gy_vec_free(&asked);
    gy_vec_free(&edges);
    free(p.inside);
    return good;
}
