// Accepting cycles by depth-first search with four colours, two bits per node: nested depth-first
// search as by Schwoon and Esparza (TACAS 2005), with the marks on edges. For graphs whose cycles
// need one and the same set of marks on a single edge, and no fairness.
//
// White: not reached. Cyan: on the path of the search. Blue: left behind. Red: left behind, and no
// cyan node can be reached from it. When an accepting edge s -> t has been followed and t is left
// after, a second search from t looks for a node on the path: it closes a cycle with that edge.
// What it passes without success stays red for good, so that it passes every node once.
//
// If in every cycle all edges agree (gy_arc_graph.uniform), one search is enough: the edge that
// closes a cycle shows it.
#include "search/liveness/emptiness.h"

enum { WHITE, CYAN, BLUE, RED };

typedef struct frame {
    uint32_t node;
    size_t first, next; // in `edges`; up to the first of the next frame or the end
    uint64_t depth;     // as gy_arc_graph.depth_limit has it
} frame;

typedef struct path {
    GY_VEC(frame) frames;
    gy_arc_graph_edges edges;
} path;

typedef struct search {
    const gy_arc_graph *graph;
    gy_emptiness_result *result;
    GY_VEC(uint8_t) colours; // four nodes to a byte
    path blue, red;
} search;

static unsigned colour_of(search *s, uint32_t node)
{
    return node / 4 < s->colours.n ? s->colours.at[node / 4] >> node % 4 * 2 & 3 : WHITE;
}

static void paint(search *s, uint32_t node, unsigned colour)
{
    if (node / 4 >= s->colours.n) {
        size_t old = s->colours.n;
        gy_vec_reserve(&s->colours, (size_t)node / 4 + 1);
        memset(s->colours.at + old, 0, s->colours.room - old);
        s->colours.n = s->colours.room;
    }
    uint8_t *four = &s->colours.at[node / 4];
    unsigned shift = node % 4 * 2;
    *four = (uint8_t)((*four & ~(3u << shift)) | colour << shift);
}

static bool is_accepting(const search *s, const gy_arc_graph_edge *edge)
{
    return (edge->marks & s->graph->all) == s->graph->all;
}

// Non-zero: the graph wants to end here.
static int push(search *s, path *p, uint32_t node, uint64_t depth)
{
    frame top = {node, p->edges.n, p->edges.n, depth};
    gy_vec_push(&p->frames, top);
    return s->graph->edges(s->graph->self, node, &p->edges);
}

static void pop(path *p)
{
    p->edges.n = p->frames.at[--p->frames.n].first;
}

// The cycle: the path from `node` on, and what the second search went through.
static gy_emptiness found(search *s, uint32_t node)
{
    size_t i = s->blue.frames.n;
    do
        gy_vec_push(&s->result->component, s->blue.frames.at[--i].node);
    while (s->blue.frames.at[i].node != node);
    for (i = 0; i < s->red.frames.n; i++)
        gy_vec_push(&s->result->component, s->red.frames.at[i].node);
    s->result->all = s->graph->all;
    return GY_NONEMPTY;
}

// From a blue node, to which an accepting edge leads from the end of the path.
static gy_emptiness search_red(search *s, uint32_t start)
{
    path *p = &s->red;
    paint(s, start, RED);
    if (push(s, p, start, 0))
        return GY_BROKEN_OFF;
    while (p->frames.n > 0) {
        frame *top = &p->frames.at[p->frames.n - 1];
        if (top->next == p->edges.n) {
            pop(p);
            continue;
        }
        uint32_t to = p->edges.at[top->next++].to;
        unsigned colour = colour_of(s, to);
        if (colour == CYAN)
            return found(s, to);
        if (colour != BLUE)
            continue;
        paint(s, to, RED);
        if (push(s, p, to, 0))
            return GY_BROKEN_OFF;
    }
    return GY_EMPTY;
}

static gy_emptiness look_again(search *s, const gy_arc_graph_edge *edge)
{
    if (s->graph->uniform || !is_accepting(s, edge) || colour_of(s, edge->to) != BLUE)
        return GY_EMPTY;
    if (s->graph->again)
        s->graph->again(s->graph->self, true);
    gy_emptiness answer = search_red(s, edge->to);
    if (s->graph->again)
        s->graph->again(s->graph->self, false);
    return answer;
}

// Edges that cannot matter any more are not kept: long paths would need much memory for them.
static void drop_idle_edges(search *s, size_t first)
{
    gy_arc_graph_edges *edges = &s->blue.edges;
    size_t kept = first;
    for (size_t e = first; e < edges->n; e++) {
        unsigned colour = colour_of(s, edges->at[e].to);
        if (colour == WHITE || (is_accepting(s, &edges->at[e]) &&
                                (colour == CYAN || (colour == BLUE && !s->graph->uniform))))
            edges->at[kept++] = edges->at[e];
    }
    edges->n = kept;
}

static int enter(search *s, uint32_t node, uint64_t depth)
{
    path *p = &s->blue;
    paint(s, node, CYAN);
    s->result->nodes++;
    if (depth > s->result->depth)
        s->result->depth = depth;
    if (s->graph->depth_limit && depth >= s->graph->depth_limit) {
        frame top = {node, p->edges.n, p->edges.n, depth};
        gy_vec_push(&p->frames, top);
        s->result->cut = true;
        return 0;
    }
    size_t first = p->edges.n;
    int stop = push(s, p, node, depth);
    drop_idle_edges(s, first);
    return stop;
}

// The node at the end of the path is done with; so is the edge that led to it.
static gy_emptiness leave(search *s)
{
    path *p = &s->blue;
    paint(s, p->frames.at[p->frames.n - 1].node, BLUE);
    pop(p);
    if (p->frames.n == 0)
        return GY_EMPTY;
    const frame *top = &p->frames.at[p->frames.n - 1];
    gy_arc_graph_edge edge = p->edges.at[top->next - 1];
    return look_again(s, &edge);
}

static gy_emptiness search_from(search *s, uint32_t initial)
{
    path *p = &s->blue;
    if (colour_of(s, initial) != WHITE)
        return GY_EMPTY;
    if (enter(s, initial, 0))
        return GY_BROKEN_OFF;
    while (p->frames.n > 0) {
        frame *top = &p->frames.at[p->frames.n - 1];
        gy_emptiness answer = GY_EMPTY;
        if (top->next == p->edges.n) {
            answer = leave(s);
        } else {
            gy_arc_graph_edge edge = p->edges.at[top->next++];
            unsigned colour = colour_of(s, edge.to);
            if (colour == CYAN && is_accepting(s, &edge))
                answer = found(s, edge.to);
            else if (colour == WHITE)
                answer = enter(s, edge.to, top->depth + gy_arc_graph_length(s->graph, &edge))
                             ? GY_BROKEN_OFF
                             : GY_EMPTY;
            else
                answer = look_again(s, &edge);
        }
        if (answer != GY_EMPTY)
            return answer;
    }
    return GY_EMPTY;
}

void gy_arc_graph_nested(const gy_arc_graph *graph, const uint32_t *initial, uint32_t initial_count,
                         gy_emptiness_result *result)
{
    search s = {.graph = graph, .result = result};
    *result = (gy_emptiness_result){.answer = GY_EMPTY};
    for (uint32_t i = 0; i < initial_count && result->answer == GY_EMPTY; i++)
        result->answer = search_from(&s, initial[i]);
    gy_vec_free(&s.colours);
    gy_vec_free(&s.blue.frames);
    gy_vec_free(&s.blue.edges);
    gy_vec_free(&s.red.frames);
    gy_vec_free(&s.red.edges);
}
