#include "dist/swarm/weights.h"

#include "base/assert.h"

gy_weights *gy_weights_new(uint32_t nodes)
{
    gy_weights *w = gy_alloc_zero(sizeof *w);
    w->node_count = nodes;
    w->first = gy_alloc_zero((nodes + (size_t)2) * sizeof *w->first);
    return w;
}

void gy_weights_free(gy_weights *w)
{
    if (!w)
        return;
    for (uint32_t i = 0; w->weight && i < w->node_count; i++)
        gy_bigint_free(&w->weight[i]);
    free(w->weight);
    free(w->first);
    gy_vec_free(&w->targets);
    free(w);
}

// Edges of all nodes below this one are complete.
static void close_below(gy_weights *w, uint32_t node)
{
    while (w->open < node)
        w->first[++w->open] = (uint32_t)w->targets.n;
}

void gy_weights_edge(gy_weights *w, uint32_t from, uint32_t to)
{
    gy_assert(from >= w->open && from < w->node_count && to < w->node_count);
    close_below(w, from);
    gy_vec_push(&w->targets, to);
}

uint32_t gy_weights_find(const gy_weights *w, uint32_t from, uint32_t to)
{
    for (uint32_t e = 0, n = gy_weights_degree(w, from); e < n; e++)
        if (gy_weights_target(w, from, e) == to)
            return e;
    return UINT32_MAX;
}

static void weigh(gy_weights *w, uint32_t node)
{
    uint32_t degree = gy_weights_degree(w, node);
    if (!degree)
        gy_bigint_set_u64(&w->weight[node], 1);
    for (uint32_t e = 0; e < degree; e++)
        gy_bigint_add(&w->weight[node], &w->weight[gy_weights_target(w, node, e)]);
}

// Depth first: a node is weighed when all that it leads to were.
bool gy_weights_count(gy_weights *w)
{
    enum { UNSEEN, OPEN, DONE };
    typedef struct at {
        uint32_t node, edge;
    } at;
    GY_VEC(at) path = {0};
    uint8_t *seen = gy_alloc_zero(w->node_count + (size_t)1);
    bool acyclic = true;
    close_below(w, w->node_count);
    w->weight = gy_alloc_zero((w->node_count + (size_t)1) * sizeof *w->weight);
    for (uint32_t i = 0; i < w->node_count; i++)
        gy_bigint_init(&w->weight[i]);
    for (uint32_t root = 0; root < w->node_count && acyclic; root++) {
        if (seen[root] == UNSEEN)
            gy_vec_push(&path, ((at){root, 0}));
        seen[root] = seen[root] == UNSEEN ? OPEN : seen[root];
        while (path.n && acyclic) {
            at *top = &path.at[path.n - 1];
            if (top->edge == gy_weights_degree(w, top->node)) {
                weigh(w, top->node);
                seen[top->node] = DONE;
                path.n--;
                continue;
            }
            uint32_t next = gy_weights_target(w, top->node, top->edge++);
            acyclic = seen[next] != OPEN;
            if (seen[next] == UNSEEN) {
                seen[next] = OPEN;
                gy_vec_push(&path, ((at){next, 0}));
            }
        }
    }
    gy_vec_free(&path);
    free(seen);
    return acyclic;
}

void gy_trace_of(const gy_weights *w, const gy_bigint *number, gy_trace *trace)
{
    gy_bigint left;
    gy_bigint_init(&left);
    gy_bigint_set(&left, number);
    gy_assert(gy_bigint_compare(number, &w->weight[0]) < 0);
    trace->n = 0;
    for (uint32_t node = 0; gy_weights_degree(w, node);) {
        uint32_t e = 0;
        for (; gy_bigint_compare(&left, &w->weight[gy_weights_target(w, node, e)]) >= 0; e++)
            gy_bigint_sub(&left, &w->weight[gy_weights_target(w, node, e)]);
        gy_vec_push(trace, e);
        node = gy_weights_target(w, node, e);
    }
    gy_bigint_free(&left);
}

void gy_trace_range(const gy_weights *w, const gy_trace *trace, size_t length, uint32_t edge,
                    gy_bigint *low, gy_bigint *count)
{
    uint32_t node = 0;
    gy_bigint_set_u64(low, 0);
    for (size_t i = 0; i <= length; i++) {
        uint32_t taken = i < length ? trace->at[i] : edge;
        for (uint32_t e = 0; e < taken; e++)
            gy_bigint_add(low, &w->weight[gy_weights_target(w, node, e)]);
        node = gy_weights_target(w, node, taken);
    }
    gy_bigint_set(count, &w->weight[node]);
}
