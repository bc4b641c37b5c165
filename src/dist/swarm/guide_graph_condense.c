// Strongly connected components of a guide's graph, and what follows from them: the acyclic graph
// of parts, their order and levels.
#include "base/scc.h"
#include "dist/swarm/guide_graph_parts.h"

// The graph with its edges by node, and the part of each node as it was found: edges go from higher
// to lower numbers.
typedef struct graph {
    uint32_t n, parts;
    uint32_t *first, *to, *part;
} graph;

static uint32_t next(void *self, uint32_t node, uint64_t nth)
{
    const graph *g = self;
    uint64_t edge = g->first[node] + nth;
    return edge < g->first[node + 1] ? g->to[edge] : GY_SCC_END;
}

static void find_parts(graph *g)
{
    gy_scc scc = {.nodes = g->n, .self = g, .next = next};
    scc.number = g->part;
    for (uint32_t i = 0; i < g->n; i++)
        gy_scc_from(&scc, i);
    for (uint32_t i = 0; i < g->n; i++)
        g->part[i] = gy_scc_of(&scc, i);
    g->parts = scc.count;
    gy_scc_free(&scc);
}

// Edges sorted by the node that they come from: *first has n + 1 entries.
static void sort_edges(uint32_t n, const uint32_t *from, const uint32_t *to, size_t count,
                       uint32_t **first, uint32_t **next)
{
    *first = gy_alloc_zero((n + (size_t)2) * sizeof **first);
    *next = gy_alloc_zero((count + 1) * sizeof **next);
    for (size_t i = 0; i < count; i++)
        (*first)[from[i] + 2]++;
    for (uint32_t i = 1; i <= n; i++)
        (*first)[i + 1] += (*first)[i];
    for (size_t i = 0; i < count; i++)
        (*next)[(*first)[from[i] + 1]++] = to[i];
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Each edge once, rising.
static void tidy(gy_guide *guide)
{
    uint32_t n = 0;
    for (uint32_t p = 0, begin = 0; p < guide->part_count; p++) {
        uint32_t end = guide->first[p + 1], kept = n;
        qsort(guide->next + begin, end - begin, sizeof *guide->next, compare);
        for (uint32_t i = begin; i < end; i++)
            if (n == kept || guide->next[n - 1] != guide->next[i])
                guide->next[n++] = guide->next[i];
        begin = end;
        guide->first[p + 1] = n;
    }
}

// The order: by level, then as they were found.
static uint32_t *order_parts(gy_guide *guide, const graph *t)
{
    uint32_t parts = t->parts, *level = gy_alloc_zero((parts + (size_t)1) * sizeof *level);
    uint32_t *place = gy_alloc_zero((parts + (size_t)1) * sizeof *place);
    uint32_t *first = gy_alloc_zero((parts + (size_t)1) * sizeof *first);
    // Edges of the parts, by their old numbers: from the highest on, levels are final.
    GY_VEC(uint32_t) from = {0}, to = {0};
    for (uint32_t node = 0; node < t->n; node++)
        for (uint32_t i = t->first[node]; i < t->first[node + 1]; i++)
            if (t->part[node] != t->part[t->to[i]]) {
                gy_vec_push(&from, t->part[node]);
                gy_vec_push(&to, t->part[t->to[i]]);
            }
    uint32_t *begin, *next;
    sort_edges(parts, from.at, to.at, from.n, &begin, &next);
    guide->level_count = 1;
    for (uint32_t p = parts; p-- > 0;) {
        guide->level_count = level[p] + 1 > guide->level_count ? level[p] + 1 : guide->level_count;
        for (uint32_t i = begin[p]; i < begin[p + 1]; i++)
            if (level[next[i]] < level[p] + 1)
                level[next[i]] = level[p] + 1;
    }
    for (uint32_t p = 0; p < parts; p++)
        first[level[p]]++;
    for (uint32_t l = 0, sum = 0; l < guide->level_count; l++) {
        uint32_t here = first[l];
        first[l] = sum;
        sum += here;
    }
    for (uint32_t p = parts; p-- > 0;)
        place[p] = first[level[p]]++;
    guide->level = gy_alloc_zero((parts + (size_t)1) * sizeof *guide->level);
    for (uint32_t p = 0; p < parts; p++)
        guide->level[place[p]] = level[p];
    gy_vec_free(&from);
    gy_vec_free(&to);
    free(begin);
    free(next);
    free(level);
    free(first);
    return place;
}

void gy_guide_condense(gy_guide *guide)
{
    const gy_guide_graph *given = &guide->graph;
    size_t n = given->node_count, bytes = (n + 2) * sizeof(uint32_t);
    graph t = {.n = given->node_count, .part = gy_alloc_zero(bytes)};
    sort_edges(t.n, given->from.at, given->to.at, given->from.n, &t.first, &t.to);
    find_parts(&t);
    uint32_t *place = order_parts(guide, &t);
    guide->part_count = t.parts;
    guide->part_of = gy_alloc_zero(bytes);
    guide->rank = gy_alloc_zero(bytes);
    guide->ranks = gy_alloc_zero(bytes);
    guide->sample = gy_alloc_zero(bytes);
    guide->cyclic = gy_alloc_zero(n + 1);
    guide->root = gy_alloc_zero(n + 1);
    GY_VEC(uint32_t) from = {0}, to = {0};
    for (uint32_t i = t.n; i-- > 0;) {
        guide->part_of[i] = place[t.part[i]];
        guide->sample[guide->part_of[i]] = i;
    }
    for (uint32_t i = 0; i < t.n; i++)
        guide->rank[i] = guide->ranks[guide->part_of[i]]++;
    for (size_t i = 0; i < given->roots.n; i++)
        guide->root[guide->part_of[given->roots.at[i]]] = 1;
    for (size_t i = 0; i < given->from.n; i++) {
        uint32_t a = guide->part_of[given->from.at[i]], b = guide->part_of[given->to.at[i]];
        if (a == b)
            guide->cyclic[a] = 1;
        if (a == b)
            continue;
        gy_vec_push(&from, a);
        gy_vec_push(&to, b);
    }
    sort_edges(t.parts, from.at, to.at, from.n, &guide->first, &guide->next);
    tidy(guide);
    gy_vec_free(&from);
    gy_vec_free(&to);
    free(place);
    free(t.first);
    free(t.to);
    free(t.part);
}
