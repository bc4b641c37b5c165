#include "search/liveness/emptiness.h"

// A node has the number under which it was met (from 1), 0: not met yet, or DEAD: its component
// is done with. `live` are the nodes met and not dead, in the order of their numbers; `roots`
// splits them into components as far as known.
enum { UNSEEN = 0 };
#define DEAD UINT32_MAX

typedef struct root {
    uint32_t number;
    uint64_t entry; // marks of the edge from the component before to this one
    uint64_t marks; // of the edges inside
} root;

typedef struct frame {
    uint32_t node;
    size_t first, next; // in `edges`; up to the first of the next frame or the end
    uint64_t depth;     // as gy_graph.depth_limit has it
} frame;

typedef struct search {
    const gy_graph *graph;
    gy_emptiness_result *result;
    gy_region numbers; // of the nodes, uint32_t each
    uint32_t *number;  // there
    gy_graph_nodes live;
    GY_VEC(root) roots;
    GY_VEC(frame) frames;
    gy_graph_edges edges;
    uint32_t counter;
} search;

// Room for the numbers of these nodes. False: none.
static bool make_room(search *s, const gy_graph_edge *edges, size_t count)
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

// False: the graph wants to end here, or there is no room.
static bool enter(search *s, uint32_t node, uint64_t depth, uint64_t entry)
{
    root component = {.number = ++s->counter, .entry = entry};
    frame top = {node, s->edges.n, s->edges.n, depth};
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
    return !s->graph->edges(s->graph->self, node, &s->edges) &&
           make_room(s, s->edges.at + top.first, s->edges.n - top.first);
}

static void keep_component(search *s, uint32_t first, gy_graph_nodes *nodes)
{
    for (size_t i = s->live.n; i-- > 0 && s->number[s->live.at[i]] >= first;)
        gy_vec_push(nodes, s->live.at[i]);
}

static uint32_t rank_at_top(void *self, uint32_t node)
{
    search *s = self;
    uint32_t first = s->roots.at[s->roots.n - 1].number;
    if ((size_t)node >= s->numbers.room / sizeof *s->number)
        return UINT32_MAX;
    uint32_t number = s->number[node];
    return number == DEAD || number < first ? UINT32_MAX : number - first;
}

// A component that is complete, with all marks: does it have a strongly fair cycle? Its nodes are
// numbered anew, without gaps: nobody asks for their old numbers any more.
static bool is_strong(search *s)
{
    const root *top = &s->roots.at[s->roots.n - 1];
    if (!s->graph->asks || (top->marks & s->graph->all) != s->graph->all)
        return false;
    gy_graph_nodes nodes = {0};
    gy_graph_ranks ranks = {s, rank_at_top};
    size_t first = s->live.n;
    while (first > 0 && s->number[s->live.at[first - 1]] >= top->number)
        first--;
    for (size_t i = first; i < s->live.n; i++) {
        s->number[s->live.at[i]] = top->number + (uint32_t)(i - first);
        gy_vec_push(&nodes, s->live.at[i]);
    }
    bool found = gy_graph_strong(s->graph, &nodes, &ranks, &s->result->component, &s->result->all);
    gy_vec_free(&nodes);
    return found;
}

// True: what is left is a component that answers the question.
static bool leave(search *s)
{
    frame top = s->frames.at[--s->frames.n];
    s->edges.n = top.first;
    if (s->roots.at[s->roots.n - 1].number != s->number[top.node])
        return false;
    if (is_strong(s))
        return true;
    s->roots.n--;
    s->result->components++;
    uint32_t node;
    do {
        node = s->live.at[--s->live.n];
        s->number[node] = DEAD;
    } while (node != top.node);
    return false;
}

// An edge back to a live node closes a cycle: joins all components on it.
static bool join(search *s, uint32_t number, uint64_t marks)
{
    while (s->roots.at[s->roots.n - 1].number > number) {
        const root *top = &s->roots.at[--s->roots.n];
        marks |= top->entry | top->marks;
    }
    root *joined = &s->roots.at[s->roots.n - 1];
    joined->marks |= marks;
    return !s->graph->asks && (joined->marks & s->graph->all) == s->graph->all;
}

static gy_emptiness search_from(search *s, uint32_t initial)
{
    gy_graph_edge start = {.to = initial};
    if (!make_room(s, &start, 1))
        return GY_BROKEN_OFF;
    if (s->number[initial] != UNSEEN)
        return GY_EMPTY;
    if (!enter(s, initial, 0, 0))
        return GY_BROKEN_OFF;
    while (s->frames.n > 0) {
        frame *top = &s->frames.at[s->frames.n - 1];
        if (top->next == s->edges.n) {
            if (leave(s))
                return GY_NONEMPTY;
            continue;
        }
        gy_graph_edge edge = s->edges.at[top->next++];
        uint32_t number = s->number[edge.to];
        if (number == UNSEEN) {
            if (!enter(s, edge.to, top->depth + gy_graph_length(s->graph, &edge), edge.marks))
                return GY_BROKEN_OFF;
        } else if (number != DEAD && join(s, number, edge.marks)) {
            keep_component(s, s->roots.at[s->roots.n - 1].number, &s->result->component);
            s->result->all = s->graph->all;
            return GY_NONEMPTY;
        }
    }
    return GY_EMPTY;
}

void gy_graph_search(const gy_graph *graph, const uint32_t *initial, uint32_t initial_count,
                     gy_emptiness_result *result)
{
    search s = {.graph = graph, .result = result};
    gy_budget unlimited = {0};
    gy_region_init(&s.numbers, graph->budget ? graph->budget : &unlimited);
    *result = (gy_emptiness_result){.answer = GY_EMPTY};
    for (uint32_t i = 0; i < initial_count && result->answer == GY_EMPTY; i++)
        result->answer = search_from(&s, initial[i]);
    result->nodes = s.counter;
    gy_region_free(&s.numbers);
    gy_vec_free(&s.live);
    gy_vec_free(&s.roots);
    gy_vec_free(&s.frames);
    gy_vec_free(&s.edges);
}
