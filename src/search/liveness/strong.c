// Strong fairness by taking components apart: where a mark is asked for but no edge inside has it,
// a fair cycle cannot pass the edges that ask. Without them the component falls into smaller ones.
//
// A component is copied first, its nodes numbered from 0 and the edges that leave it dropped, so
// that nodes are made only once more (for each window of marks) and taking apart costs as much as
// the component is large. Edges of the copy have, for their cost, the row of what they ask for.
#include "search/liveness/emptiness.h"

typedef struct part {
    const gy_arc_graph *whole;
    uint32_t windows, window;
    GY_VEC(size_t) first;     // of each node's edges; one entry more
    gy_arc_graph_edges edges; // with the marks of the first window
    gy_arc_graph_marks more;  // of the others, edge by edge
    gy_arc_graph_marks asks;  // rows: a word for each window
    gy_arc_graph_edges told;  // scratch: of a node, as given in a window
    uint8_t *left_out;        // by row: its edges are
    GY_VEC(uint32_t) last;    // rows of the edges that were reported last
    size_t paid;              // bytes drawn from the budget
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

// ---- the copy as a graph --------------------------------------------------------------

static uint64_t marks_of(const part *p, size_t e, uint32_t window)
{
    return window ? p->more.at[e * (p->windows - 1) + window - 1] : p->edges.at[e].marks;
}

static int part_edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    part *p = self;
    if (part_tired(p))
        return GY_GRAPH_STOP;
    p->last.n = 0;
    for (size_t e = p->first.at[node]; e < p->first.at[node + 1]; e++) {
        gy_arc_graph_edge edge = p->edges.at[e];
        if (p->left_out[edge.cost])
            continue;
        gy_vec_push(&p->last, edge.cost);
        edge.marks = marks_of(p, e, p->window);
        gy_vec_push(out, edge);
    }
    return 0;
}

static uint64_t part_asks(void *self, size_t edge)
{
    const part *p = self;
    return p->asks.at[(size_t)p->last.at[edge] * p->windows + p->window];
}

static uint32_t part_windows(void *self)
{
    return ((const part *)self)->windows;
}

static void part_look(void *self, uint32_t window)
{
    ((part *)self)->window = window;
}

// ---- copying --------------------------------------------------------------------------

// For what the copy takes; twice that, as lists grow by doubling.
static bool pay(part *p)
{
    enum { MUCH = 1 << 20 };
    const gy_arc_graph *whole = p->whole;
    size_t bytes = 2 * (p->edges.n * sizeof *p->edges.at + p->more.n * sizeof *p->more.at +
                        p->first.n * sizeof *p->first.at + p->asks.n * (sizeof *p->asks.at + 1));
    if (!whole->budget || bytes <= p->paid)
        return true;
    if (!gy_budget_take(whole->budget, bytes - p->paid + MUCH)) {
        part_no_room(p);
        return false;
    }
    p->paid = bytes + MUCH;
    return true;
}

// The edges of a node from `first` on: what they ask for in the current window. False: they are not
// those that were reported before.
static bool add_asks(part *p, uint32_t window, size_t first, size_t count)
{
    const gy_arc_graph *whole = p->whole;
    if (count != p->edges.n - first)
        return false;
    for (size_t e = 0; e < count; e++) {
        size_t row = (size_t)p->edges.at[first + e].cost * p->windows;
        p->asks.at[row + window] = whole->asks(whole->self, e);
    }
    return true;
}

// In all windows, and their marks in those after the first. False: the graph wants to end.
static bool look_at_windows(part *p, uint32_t node, size_t first)
{
    const gy_arc_graph *whole = p->whole;
    uint32_t more = p->windows - 1;
    size_t rows = p->asks.n / p->windows, count = p->edges.n - first;
    for (size_t e = 0; e < count; e++)
        p->edges.at[first + e].cost = (uint32_t)(rows + e);
    gy_vec_reserve(&p->asks, (rows + count) * p->windows + 1);
    p->asks.n = (rows + count) * p->windows;
    gy_vec_reserve(&p->more, p->edges.n * more + 1);
    p->more.n = p->edges.n * more;
    bool fine = add_asks(p, 0, first, count);
    for (uint32_t w = 1; w <= more && fine; w++) {
        p->told.n = 0;
        whole->look(whole->self, w);
        fine = !whole->edges(whole->self, node, &p->told) && add_asks(p, w, first, p->told.n);
        for (size_t e = 0; e < count && fine; e++)
            p->more.at[(first + e) * more + w - 1] = p->told.at[e].marks;
    }
    if (more)
        whole->look(whole->self, 0);
    return fine;
}

// One row for all edges of the node that follow each other and ask for the same.
static void join_rows(part *p, size_t first)
{
    size_t last = 0, bytes = p->windows * sizeof *p->asks.at;
    for (size_t e = first; e < p->edges.n; e++) {
        size_t row = p->edges.at[e].cost;
        const uint64_t *asks = p->asks.at + row * p->windows;
        if (e == first)
            last = row;
        else if (memcmp(p->asks.at + last * p->windows, asks, bytes))
            memmove(p->asks.at + ++last * p->windows, asks, bytes);
        p->edges.at[e].cost = (uint32_t)last;
    }
    if (first < p->edges.n)
        p->asks.n = (last + 1) * p->windows;
}

// Keeps those that stay in the component.
static void drop_leaving(part *p, const gy_arc_graph_ranks *ranks, size_t first)
{
    uint32_t more = p->windows - 1;
    size_t kept = first;
    for (size_t e = first; e < p->edges.n; e++) {
        uint32_t rank = ranks->rank(ranks->self, p->edges.at[e].to);
        gy_arc_graph_edge edge = p->edges.at[e];
        if (rank == UINT32_MAX)
            continue;
        edge.to = rank;
        p->edges.at[kept] = edge;
        for (uint32_t w = 0; w < more; w++)
            p->more.at[kept * more + w] = p->more.at[e * more + w];
        kept++;
    }
    p->edges.n = kept;
    p->more.n = kept * more;
}

// `rank` of a node in the component is its number in the copy; others rank at UINT32_MAX.
static bool copy(part *p, const gy_arc_graph_nodes *component, const gy_arc_graph_ranks *ranks)
{
    const gy_arc_graph *whole = p->whole;
    p->windows = gy_arc_graph_windows(whole);
    for (size_t i = 0; i < component->n; i++) {
        size_t first = p->edges.n;
        gy_vec_push(&p->first, first);
        if (whole->edges(whole->self, component->at[i], &p->edges))
            return false;
        if (!look_at_windows(p, component->at[i], first))
            return false;
        join_rows(p, first);
        drop_leaving(p, ranks, first);
        if (!pay(p))
            return false;
    }
    gy_vec_push(&p->first, p->edges.n);
    p->left_out = gy_alloc_zero(p->asks.n / p->windows + 1);
    return true;
}

static void part_free(part *p)
{
    gy_vec_free(&p->first);
    gy_vec_free(&p->edges);
    gy_vec_free(&p->more);
    gy_vec_free(&p->asks);
    gy_vec_free(&p->told);
    gy_vec_free(&p->last);
    free(p->left_out);
    if (p->paid)
        gy_budget_give(p->whole->budget, p->paid);
}

// ---- judging --------------------------------------------------------------------------

// Without the edges that are left out. Nodes found are those of the copy.
static bool search_rest(part *p, gy_emptiness_result *result)
{
    gy_arc_graph rest = {.self = p,
                         .edges = part_edges,
                         .asks = part_asks,
                         .windows = part_windows,
                         .look = part_look,
                         .all = p->whole->all,
                         .budget = p->whole->budget,
                         .tired = part_tired,
                         .no_room = part_no_room};
    gy_arc_graph_nodes nodes = {0};
    for (uint32_t i = 0; i + 1 < p->first.n; i++) {
        bool any = false;
        for (size_t e = p->first.at[i]; e < p->first.at[i + 1] && !any; e++)
            any = !p->left_out[p->edges.at[e].cost];
        if (any)
            gy_vec_push(&nodes, i);
    }
    gy_arc_graph_search(&rest, nodes.at, (uint32_t)nodes.n, result);
    gy_vec_free(&nodes);
    if (result->full)
        part_no_room(p);
    return result->answer == GY_NONEMPTY;
}

// Leaves the edges out that ask for a mark of this window that no edge has. *asks: those that are
// asked for. True: there are such edges.
static bool leave_out(part *p, uint32_t window, uint64_t *asks)
{
    uint64_t marks = 0;
    bool any = false;
    *asks = 0;
    for (size_t e = 0; e < p->edges.n; e++) {
        marks |= marks_of(p, e, window);
        *asks |= p->asks.at[(size_t)p->edges.at[e].cost * p->windows + window];
    }
    for (size_t e = 0; e < p->edges.n && (*asks & ~marks); e++) {
        uint32_t row = p->edges.at[e].cost;
        if (p->asks.at[(size_t)row * p->windows + window] & ~marks) {
            p->left_out[row] = 1;
            any = true;
        }
    }
    return any;
}

static bool judge(part *p, const gy_arc_graph_nodes *component, gy_emptiness_result *found)
{
    uint64_t marks = 0, all = p->whole->all, asks;
    bool apart = false;
    for (size_t e = 0; e < p->edges.n; e++)
        marks |= p->edges.at[e].marks;
    if (p->edges.n == 0 || (marks & all) != all)
        return false;
    found->more.n = 0;
    for (uint32_t w = 0; w < p->windows; w++) {
        apart = leave_out(p, w, &asks) || apart;
        if (w == 0)
            found->all = all | asks;
        else
            gy_vec_push(&found->more, asks);
    }
    if (!apart) {
        for (size_t i = 0; i < component->n; i++)
            gy_vec_push(&found->component, component->at[i]);
        return true;
    }
    gy_emptiness_result result;
    bool good = search_rest(p, &result);
    for (size_t i = 0; i < result.component.n; i++)
        gy_vec_push(&found->component, component->at[result.component.at[i]]);
    found->all = result.all;
    found->more.n = 0;
    for (size_t i = 0; i < result.more.n; i++)
        gy_vec_push(&found->more, result.more.at[i]);
    gy_emptiness_result_free(&result);
    return good;
}

bool gy_arc_graph_strong(const gy_arc_graph *graph, const gy_arc_graph_nodes *component,
                         const gy_arc_graph_ranks *ranks, gy_emptiness_result *found)
{
    part p = {.whole = graph};
    bool good = copy(&p, component, ranks);
    while (good && gy_arc_graph_windows(graph) != p.windows) { // more have turned up meanwhile
        part_free(&p);
        p = (part){.whole = graph};
        good = copy(&p, component, ranks);
    }
    good = good && judge(&p, component, found);
    part_free(&p);
    return good;
}
