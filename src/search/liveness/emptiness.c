#include "search/liveness/emptiness_parts.h"

// Room for the numbers of these nodes. False: none.
static bool make_room(gy_arc_graph_stack *s, const gy_arc_graph_edge *edges, size_t count)
{
    uint32_t most = 0;
    for (size_t e = 0; e < count; e++)
        most = edges[e].to > most ? edges[e].to : most;
    size_t bytes = ((size_t)most + 1) * sizeof *s->number;
    if (bytes > s->numbers.room) {
        s->result->full = !gy_region_reserve(&s->numbers, bytes);
        s->number = s->numbers.at;
    }
    for (size_t e = 0; e < count && !s->result->full; e++)
        __builtin_prefetch(&s->number[edges[e].to], 1);
    return !s->result->full;
}

// The graph did not give the edges of the node on top: as it was before that was reached.
static void take_back(gy_arc_graph_stack *s, uint32_t node)
{
    s->number[node] = GY_GRAPH_UNSEEN;
    s->edges.n = s->frames.at[--s->frames.n].first;
    s->live.n--;
    s->roots.n--;
    s->counter--;
    s->refused = node;
    if (s->frames.n)
        s->frames.at[s->frames.n - 1].next--;
}

// False: the graph wants to end here, or there is no room.
static bool enter(gy_arc_graph_stack *s, uint32_t node, uint64_t depth, uint64_t entry)
{
    gy_arc_graph_root component = {.number = ++s->counter, .entry = entry};
    gy_arc_graph_frame top = {node, s->edges.n, s->edges.n, depth};
    s->number[node] = s->counter;
    gy_vec_push(&s->live, node);
    gy_vec_push(&s->roots, component);
    gy_vec_push(&s->frames, top);
    if (depth > s->result->depth)
        s->result->depth = depth;
    if (s->graph->depth_limit && depth >= s->graph->depth_limit) {
        s->result->cut = true;
        return true;
    }
    int answer = s->graph->edges(s->graph->self, node, &s->edges);
    if (answer == GY_GRAPH_STOP && s->graph->keeper)
        take_back(s, node);
    return !answer && make_room(s, s->edges.at + top.first, s->edges.n - top.first);
}

static void keep_component(gy_arc_graph_stack *s, uint32_t first, gy_arc_graph_nodes *nodes)
{
    for (size_t i = s->live.n; i-- > 0 && s->number[s->live.at[i]] >= first;)
        gy_vec_push(nodes, s->live.at[i]);
}

static uint32_t rank_at_top(void *self, uint32_t node)
{
    gy_arc_graph_stack *s = self;
    uint32_t first = s->roots.at[s->roots.n - 1].number;
    if ((size_t)node >= s->numbers.room / sizeof *s->number)
        return UINT32_MAX;
    uint32_t number = s->number[node];
    return number == GY_GRAPH_DEAD || number < first ? UINT32_MAX : number - first;
}

// A component that is complete, with all marks: does it have a strongly fair cycle? Its nodes are
// numbered again, without gaps: nothing asks for their old numbers any more.
static bool is_strong(gy_arc_graph_stack *s)
{
    const gy_arc_graph_root *top = &s->roots.at[s->roots.n - 1];
    if (!s->graph->asks || (top->marks & s->graph->all) != s->graph->all)
        return false;
    gy_arc_graph_nodes nodes = {0};
    gy_arc_graph_ranks ranks = {s, rank_at_top};
    size_t first = s->live.n;
    while (first > 0 && s->number[s->live.at[first - 1]] >= top->number)
        first--;
    for (size_t i = first; i < s->live.n; i++) {
        s->number[s->live.at[i]] = top->number + (uint32_t)(i - first);
        gy_vec_push(&nodes, s->live.at[i]);
    }
    bool found = gy_arc_graph_strong(s->graph, &nodes, &ranks, s->result);
    gy_vec_free(&nodes);
    return found;
}

// Whether a component has a strongly fair cycle was not found out: it is to be asked once more.
static bool gave_up(const gy_arc_graph_stack *s)
{
    const gy_arc_graph *graph = s->graph;
    return graph->keeper && graph->asks && graph->tired && graph->tired(graph->self);
}

// What was on top is left; what is found then is a component that answers the question.
static gy_emptiness leave(gy_arc_graph_stack *s)
{
    gy_arc_graph_frame top = s->frames.at[s->frames.n - 1];
    if (s->roots.at[s->roots.n - 1].number == s->number[top.node]) {
        if (is_strong(s))
            return GY_NONEMPTY;
        if (gave_up(s))
            return GY_BROKEN_OFF;
    }
    s->frames.n--;
    s->edges.n = top.first;
    if (s->roots.at[s->roots.n - 1].number != s->number[top.node])
        return GY_EMPTY;
    s->roots.n--;
    s->result->components++;
    uint32_t node;
    do {
        node = s->live.at[--s->live.n];
        s->number[node] = GY_GRAPH_DEAD;
    } while (node != top.node);
    return GY_EMPTY;
}

// An edge back to a live node closes a cycle: joins all components on it.
static bool join(gy_arc_graph_stack *s, uint32_t number, uint64_t marks)
{
    while (s->roots.at[s->roots.n - 1].number > number) {
        const gy_arc_graph_root *top = &s->roots.at[--s->roots.n];
        marks |= top->entry | top->marks;
    }
    gy_arc_graph_root *joined = &s->roots.at[s->roots.n - 1];
    joined->marks |= marks;
    return !s->graph->asks && (joined->marks & s->graph->all) == s->graph->all;
}

// Until everything that can be reached from the path was seen.
static gy_emptiness go_on(gy_arc_graph_stack *s)
{
    const gy_arc_graph_keeper *keeper = s->graph->keeper;
    while (s->frames.n > 0) {
        gy_arc_graph_frame *top = &s->frames.at[s->frames.n - 1];
        if (top->next == s->edges.n) {
            gy_emptiness found = leave(s);
            if (found != GY_EMPTY)
                return found;
            continue;
        }
        gy_arc_graph_edge edge = s->edges.at[top->next++];
        uint32_t number = s->number[edge.to];
        if (number == GY_GRAPH_UNSEEN) {
            if (!enter(s, edge.to, top->depth + gy_arc_graph_length(s->graph, &edge), edge.marks))
                return GY_BROKEN_OFF;
            if (keeper && *keeper->due)
                keeper->save(s->graph->self, s);
        } else if (number != GY_GRAPH_DEAD && join(s, number, edge.marks)) {
            keep_component(s, s->roots.at[s->roots.n - 1].number, &s->result->component);
            s->result->all = s->graph->all;
            return GY_NONEMPTY;
        }
    }
    return GY_EMPTY;
}

static gy_emptiness search_from(gy_arc_graph_stack *s, uint32_t initial)
{
    gy_arc_graph_edge start = {.to = initial};
    if (!make_room(s, &start, 1))
        return GY_BROKEN_OFF;
    if (s->number[initial] != GY_GRAPH_UNSEEN)
        return GY_EMPTY;
    if (!enter(s, initial, 0, 0))
        return GY_BROKEN_OFF;
    return go_on(s);
}

void gy_emptiness_result_free(gy_emptiness_result *result)
{
    gy_vec_free(&result->component);
    gy_vec_free(&result->more);
}

void gy_arc_graph_search(const gy_arc_graph *graph, const uint32_t *initial, uint32_t initial_count,
                         gy_emptiness_result *result)
{
    gy_arc_graph_stack s = {.graph = graph, .result = result, .refused = UINT32_MAX};
    const gy_arc_graph_keeper *keeper = graph->keeper;
    gy_budget unlimited = {0};
    gy_region_init(&s.numbers, graph->budget ? graph->budget : &unlimited);
    *result = (gy_emptiness_result){.answer = GY_EMPTY};
    if (keeper && keeper->restore)
        result->answer = keeper->restore(graph->self, &s) ? go_on(&s) : GY_BROKEN_OFF;
    for (uint32_t i = 0; i < initial_count && result->answer == GY_EMPTY; i++)
        result->answer = search_from(&s, initial[i]);
    if (keeper && result->answer == GY_BROKEN_OFF)
        keeper->broken_off(graph->self, &s, s.refused);
    result->nodes = s.counter;
    gy_region_free(&s.numbers);
    gy_vec_free(&s.live);
    gy_vec_free(&s.roots);
    gy_vec_free(&s.frames);
    gy_vec_free(&s.edges);
}
