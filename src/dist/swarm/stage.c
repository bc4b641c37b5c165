#include "dist/swarm/stage.h"

gy_stage *gy_stage_new(gy_guide *guide, uint32_t from, uint32_t to, const uint32_t *entries,
                       uint32_t count)
{
    gy_stage *stage = gy_alloc_zero(sizeof *stage);
    uint32_t parts = gy_guide_parts(guide), p = 0;
    *stage = (gy_stage){.from = from, .to = to};
    while (p < parts && gy_guide_level(guide, p) < from)
        p++;
    stage->first_part = p;
    while (p < parts && gy_guide_level(guide, p) < to)
        p++;
    stage->end_part = p;
    stage->weights = gy_weights_new(stage->end_part - stage->first_part + 1);
    for (uint32_t i = 0; i < count; i++)
        gy_weights_edge(stage->weights, 0, gy_stage_node(stage, entries[i]));
    for (p = stage->first_part; p < stage->end_part; p++) {
        uint32_t edges;
        const uint32_t *next = gy_guide_next(guide, p, &edges);
        for (uint32_t e = 0; e < edges; e++)
            if (next[e] < stage->end_part)
                gy_weights_edge(stage->weights, gy_stage_node(stage, p),
                                gy_stage_node(stage, next[e]));
    }
    gy_weights_count(stage->weights);
    return stage;
}

void gy_stage_free(gy_stage *stage)
{
    if (!stage)
        return;
    gy_weights_free(stage->weights);
    free(stage);
}

void gy_interval_init(gy_interval *interval)
{
    gy_bigint_init(&interval->from);
    gy_bigint_init(&interval->to);
}

void gy_interval_free(gy_interval *interval)
{
    gy_bigint_free(&interval->from);
    gy_bigint_free(&interval->to);
}

// ---- fences ----------------------------------------------------------------------------------

static uint32_t *edges_of(const gy_weights *w, const gy_trace *trace)
{
    uint32_t *edge = gy_alloc((w->node_count + (size_t)1) * sizeof *edge);
    memset(edge, 0xff, (w->node_count + (size_t)1) * sizeof *edge);
    for (uint32_t i = 0, node = 0; i < trace->n; i++) {
        edge[node] = trace->at[i];
        node = gy_weights_target(w, node, trace->at[i]);
    }
    return edge;
}

gy_fence *gy_fence_new(const gy_stage *stage, const gy_interval *interval)
{
    const gy_weights *w = stage->weights;
    gy_fence *fence = gy_alloc_zero(sizeof *fence);
    gy_bigint one, last;
    gy_bigint_init(&one);
    gy_bigint_init(&last);
    gy_bigint_set_u64(&one, 1);
    gy_bigint_set(&last, &interval->to);
    gy_bigint_sub(&last, &one);
    fence->stage = stage;
    gy_trace_of(w, &interval->from, &fence->first);
    gy_trace_of(w, &last, &fence->last);
    fence->first_edge = edges_of(w, &fence->first);
    fence->last_edge = edges_of(w, &fence->last);
    fence->seen_first = gy_alloc_zero(w->targets.n + 1);
    fence->seen_last = gy_alloc_zero(w->targets.n + 1);
    gy_bigint_free(&one);
    gy_bigint_free(&last);
    return fence;
}

void gy_fence_free(gy_fence *fence)
{
    if (!fence)
        return;
    gy_vec_free(&fence->first);
    gy_vec_free(&fence->last);
    free(fence->first_edge);
    free(fence->last_edge);
    free(fence->seen_first);
    free(fence->seen_last);
    free(fence);
}

// One edge of the automaton.
static int follow(gy_fence *fence, int place, uint32_t node, uint32_t target)
{
    const gy_weights *w = fence->stage->weights;
    if (place == GY_PLACE_FREE)
        return place;
    uint32_t edge = gy_weights_find(w, node, target), at = w->first[node] + edge;
    int next = GY_PLACE_FREE;
    if (edge == UINT32_MAX)
        return GY_PLACE_OUTSIDE;
    if (place & GY_PLACE_FIRST) {
        fence->seen_first[at] = 1;
        if (edge < fence->first_edge[node])
            return GY_PLACE_OUTSIDE;
        next |= edge == fence->first_edge[node] ? GY_PLACE_FIRST : 0;
    }
    if (place & GY_PLACE_LAST) {
        fence->seen_last[at] = 1;
        if (edge > fence->last_edge[node])
            return GY_PLACE_OUTSIDE;
        next |= edge == fence->last_edge[node] ? GY_PLACE_LAST : 0;
    }
    return next;
}

int gy_fence_enter(gy_fence *fence, uint32_t part)
{
    return follow(fence, GY_PLACE_FIRST | GY_PLACE_LAST, 0, gy_stage_node(fence->stage, part));
}

int gy_fence_step(gy_fence *fence, int place, uint32_t from, const uint32_t *way, uint32_t count)
{
    for (uint32_t i = 0; i < count && place > GY_PLACE_FREE; i++) {
        place = follow(fence, place, gy_stage_node(fence->stage, from),
                       gy_stage_node(fence->stage, way[i]));
        from = way[i];
    }
    return place;
}

// Along one of the two traces: edges on the far side of it that no state took. Both traces are one
// as long as they agree; then an edge was taken if it was at either place.
static void tell_side(const gy_fence *fence, const gy_trace *trace, const uint8_t *seen,
                      bool before, void (*found)(void *user, const gy_interval *range), void *user)
{
    const gy_weights *w = fence->stage->weights;
    gy_interval range;
    gy_interval_init(&range);
    for (uint32_t i = 0, node = 0; i < trace->n; i++) {
        uint32_t taken = trace->at[i], degree = gy_weights_degree(w, node);
        for (uint32_t e = before ? 0 : taken + 1; e < (before ? taken : degree); e++) {
            if (node == 0 || seen[w->first[node] + e])
                continue; // a job examines no entries but its own
            gy_trace_range(w, trace, i, e, &range.from, &range.to);
            gy_bigint_add(&range.to, &range.from);
            found(user, &range);
        }
        node = gy_weights_target(w, node, taken);
    }
    gy_interval_free(&range);
}

void gy_fence_feedback(const gy_fence *fence, void (*found)(void *user, const gy_interval *range),
                       void *user)
{
    tell_side(fence, &fence->first, fence->seen_first, true, found, user);
    tell_side(fence, &fence->last, fence->seen_last, false, found, user);
}
