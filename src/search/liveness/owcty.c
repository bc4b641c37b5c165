// Accepting cycles by taking away what lies on none: OWCTY ("one way catch them young") of
// I. Cerna, R. Pelanek, "Distributed explicit fair cycle detection" (SPIN 2003), forwards, and with
// early ending as in J. Barnat, L. Brim, P. Rockai, "A time-optimal on-the-fly parallel algorithm
// for model checking of weak LTL properties" (ICFEM 2009).
//
// All nodes are found first; on the way, each knows the largest accepting node by which it was
// first reached, and where that is reached again, there is a cycle. Then, in rounds: what cannot be
// reached from an accepting node is left out, then what has no predecessor left. It ends when a
// round leaves everything; what is left then, if anything, holds an accepting cycle.
//
// Different here: marks are on arcs. The accepting nodes are those that an accepting arc leads to
// from a node that is left. If on every cycle all arcs agree (gy_space.uniform), the other arcs are
// left out, and one round shows it.
//
//   note:  while nodes are found:  found | accepting | largest accepting node, plus one
//          in rounds:              left | visited | arcs to it (30 bits) | accepting ones (30)
#include "search/liveness/space_graph.h"
#include "search/liveness/worklist.h"

#define FOUND (1ull << 63)
#define ACCEPTING (1ull << 62)
#define LARGEST (ACCEPTING - 1)

enum { LEFT = 1, VISITED = 2, ARC_SHIFT = 2, ACCEPTING_SHIFT = 32 };
#define ARC (1ull << ARC_SHIFT)
#define ACCEPTING_ARC (1ull << ACCEPTING_SHIFT)
#define ARCS_OF(note) ((uint32_t)(note) >> ARC_SHIFT)
#define ACCEPTING_ARCS_OF(note) ((note) >> ACCEPTING_SHIFT)

static bool is_accepting(const gy_space *s, uint64_t marks)
{
    return (marks & s->all) == s->all;
}

// Adds to a note; returns what it was before.
static uint64_t add(gy_space_view *view, gy_ref node, uint64_t what)
{
    uint64_t note = gy_store_note(view->store, node);
    while (!gy_store_swap_note(view->store, node, &note, note + what))
        ;
    return note;
}

// ---- all nodes ------------------------------------------------------------------------

static void find(gy_sweep *sweep, gy_space_view *view, gy_ref node)
{
    gy_space *s = sweep->space;
    gy_arcs *arcs = &sweep->arcs[view->member];
    uint64_t largest = gy_store_note(view->store, node) & LARGEST;
    arcs->n = 0;
    if (gy_space_edges(view, node, arcs))
        return;
    gy_space_count(view, arcs->n);
    for (size_t i = 0; i < arcs->n; i++) {
        gy_ref to = arcs->at[i].to;
        bool accepting = is_accepting(s, arcs->at[i].marks);
        uint64_t note = 0, own = accepting ? to + 1 : 0;
        if (to + 1 > LARGEST) { // does not fit into a note
            gy_space_out_of_memory(s);
            return;
        }
        own = own > largest ? own : largest;
        if (gy_store_swap_note(view->store, to, &note, FOUND | own)) {
            gy_sweep_push(sweep, view, to);
            gy_sweep_keep(sweep, view, to);
        }
        if (accepting && !(note & ACCEPTING))
            gy_store_change_note(view->store, to, 0, ACCEPTING);
        // An accepting arc to the node that was the largest on the way here closes a cycle.
        if (accepting && (to == node || largest == to + 1) && gy_space_found(view)) {
            s->needs = s->all;
            gy_vec_push(&s->component, to);
        }
    }
}

static bool find_all(gy_sweep *sweep, gy_refs *all)
{
    gy_space *s = sweep->space;
    gy_space_view *view = &s->views[0];
    for (size_t i = 0; i < s->initial.n; i++)
        if (!(gy_store_change_note(view->store, s->initial.at[i], 0, FOUND) & FOUND))
            gy_vec_push(all, s->initial.at[i]);
    gy_sweep_run(sweep, all, find);
    gy_sweep_take_kept(sweep, all);
    return !gy_space_ends(s);
}

// ---- rounds ---------------------------------------------------------------------------

// The arcs that count, to nodes with these bits.
static bool list_arcs(gy_sweep *sweep, gy_space_view *view, gy_ref node)
{
    gy_space *s = sweep->space;
    gy_arcs *arcs = &sweep->arcs[view->member];
    size_t kept = 0;
    arcs->n = 0;
    if (gy_space_edges(view, node, arcs))
        return false;
    for (size_t i = 0; i < arcs->n; i++)
        if (!s->uniform || is_accepting(s, arcs->at[i].marks))
            arcs->at[kept++] = arcs->at[i];
    arcs->n = kept;
    return true;
}

static uint64_t weight(const gy_space *s, const gy_arc *arc)
{
    return ARC + (is_accepting(s, arc->marks) ? ACCEPTING_ARC : 0);
}

static void reach(gy_sweep *sweep, gy_space_view *view, gy_ref node)
{
    if (!list_arcs(sweep, view, node))
        return;
    const gy_arcs *arcs = &sweep->arcs[view->member];
    for (size_t i = 0; i < arcs->n; i++) {
        gy_ref to = arcs->at[i].to;
        if (!(gy_store_note(view->store, to) & LEFT))
            continue;
        add(view, to, weight(sweep->space, &arcs->at[i]));
        if (!(gy_store_change_note(view->store, to, 0, VISITED) & VISITED))
            gy_sweep_push(sweep, view, to);
    }
}

static void remove_node(gy_sweep *sweep, gy_space_view *view, gy_ref node)
{
    gy_store_change_note(view->store, node, LEFT | VISITED, 0);
    if (!list_arcs(sweep, view, node))
        return;
    const gy_arcs *arcs = &sweep->arcs[view->member];
    for (size_t i = 0; i < arcs->n; i++) {
        gy_ref to = arcs->at[i].to;
        uint64_t much = weight(sweep->space, &arcs->at[i]);
        // Only arcs from visited nodes were counted, and this was one.
        if ((gy_store_note(view->store, to) & VISITED) && ARCS_OF(add(view, to, -much)) == 1)
            gy_sweep_push(sweep, view, to);
    }
}

// Nodes of `all` that pass. `all` gets smaller: those that are not left are dropped.
static void round_begins(gy_space_view *view, gy_refs *all, bool first, gy_refs *seeds)
{
    size_t kept = 0;
    seeds->n = 0;
    for (size_t i = 0; i < all->n; i++) {
        gy_ref node = all->at[i];
        uint64_t note = gy_store_note(view->store, node);
        bool left = first || (note & VISITED);
        bool seed = first ? (note & ACCEPTING) != 0 : left && ACCEPTING_ARCS_OF(note);
        if (left)
            all->at[kept++] = node;
        gy_store_set_note(view->store, node, seed ? LEFT | VISITED : left ? LEFT : 0);
        if (seed)
            gy_vec_push(seeds, node);
    }
    all->n = kept;
}

static uint64_t list_visited(gy_space_view *view, const gy_refs *all, gy_refs *without)
{
    uint64_t visited = 0;
    without->n = 0;
    for (size_t i = 0; i < all->n; i++) {
        uint64_t note = gy_store_note(view->store, all->at[i]);
        visited += (note & VISITED) != 0;
        if ((note & VISITED) && !ARCS_OF(note))
            gy_vec_push(without, all->at[i]);
    }
    return visited;
}

// Returns how many are left.
static uint64_t make_round(gy_sweep *sweep, gy_refs *all, bool first)
{
    gy_space_view *view = &sweep->space->views[0];
    gy_refs list = {0};
    round_begins(view, all, first, &list);
    gy_sweep_run(sweep, &list, reach);
    list_visited(view, all, &list);
    gy_sweep_run(sweep, &list, remove_node);
    uint64_t left = list_visited(view, all, &list);
    gy_vec_free(&list);
    return left;
}

// ---- what is left ---------------------------------------------------------------------

static bool is_left(gy_space_view *view, gy_ref ref)
{
    return gy_store_note(view->store, ref) & VISITED;
}

// A component with an accepting arc, reachable from one of these nodes.
static void keep_component(gy_space *s, const gy_refs *from,
                           bool (*inside)(gy_space_view *view, gy_ref ref))
{
    gy_space_graph g;
    gy_arc_graph_nodes initial = {0};
    gy_emptiness_result result;
    gy_space_look_back(s);
    gy_space_graph_init(&g, &s->views[0]);
    g.inside = inside;
    for (size_t i = 0; i < from->n; i++)
        if (!inside || inside(&s->views[0], from->at[i]))
            gy_vec_push(&initial, gy_space_graph_number(&g, from->at[i]));
    gy_arc_graph_search(&g.graph, initial.at, (uint32_t)initial.n, &result);
    s->component.n = 0;
    for (size_t i = 0; i < result.component.n; i++)
        gy_vec_push(&s->component, g.refs.at[result.component.at[i]]);
    gy_emptiness_result_free(&result);
    gy_vec_free(&initial);
    gy_space_graph_free(&g);
}

void gy_space_keep_component(gy_space *space, gy_ref node)
{
    gy_refs from = {0};
    gy_vec_push(&from, node);
    keep_component(space, &from, NULL);
    gy_vec_free(&from);
}

void gy_space_owcty(gy_space *space)
{
    gy_refs all = {0};
    gy_sweep sweep;
    gy_sweep_init(&sweep, space);
    if (find_all(&sweep, &all)) {
        uint64_t left = all.n, before;
        do {
            before = left;
            left = make_round(&sweep, &all, space->rounds == 0);
            space->rounds++;
        } while (left && left < before && !space->uniform && !gy_space_ends(space));
        if (left && !gy_space_ends(space) && gy_space_found(&space->views[0])) {
            space->needs = space->all;
            keep_component(space, &all, is_left);
        }
    } else if (space->found) {
        gy_space_keep_component(space, space->component.at[0]);
    }
    gy_sweep_free(&sweep);
    gy_vec_free(&all);
}

unsigned gy_owcty_note_bytes(unsigned threads, bool uniform)
{
    (void)threads, (void)uniform;
    return 8;
}
