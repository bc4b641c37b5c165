// Accepting cycles by maximal accepting predecessors: MAP of L. Brim, I. Cerna, P. Moravec,
// J. Simsa, "Accepting predecessors are better than back edges in distributed LTL model-checking"
// (FMCAD 2004).
//
// Each node is given the largest accepting node (by its reference) from which it can be reached;
// one that is given itself lies on a cycle. If there is none, then no accepting node that was told
// to anybody lies on a cycle: these cease to be accepting, and it begins again.
//
// Different here: marks are on arcs. An accepting arc s -> t counts as s -> t' -> t with an
// accepting node t' that is known by the reference of t.
//
//   note:  not accepting any more | seen in this turn | expanded before | largest, plus one
#include "search/liveness/worklist.h"

#define REMOVED (1ull << 63)
#define SEEN (1ull << 62)
#define EXPANDED (1ull << 61)
#define LARGEST (EXPANDED - 1)

// A node is informed of an accepting one. True: it did not know.
static bool tell(gy_space_view *view, gy_ref node, uint64_t largest)
{
    uint64_t note = gy_store_note(view->store, node);
    for (;;) {
        uint64_t known = note & LARGEST;
        if ((note & SEEN) && known >= largest)
            return false;
        uint64_t now = (note & ~LARGEST) | SEEN | (known > largest ? known : largest);
        if (gy_store_swap_note(view->store, node, &note, now))
            return true;
    }
}

static void pass_on(gy_sweep *sweep, gy_space_view *view, gy_ref node)
{
    gy_space *s = sweep->space;
    gy_arcs *arcs = &sweep->arcs[view->member];
    uint64_t note = gy_store_change_note(view->store, node, 0, EXPANDED);
    uint64_t largest = note & LARGEST;
    arcs->n = 0;
    if (gy_space_edges(view, node, arcs))
        return;
    if (!(note & EXPANDED)) {
        gy_space_count(view, arcs->n);
        gy_sweep_keep(sweep, view, node);
    }
    for (size_t i = 0; i < arcs->n; i++) {
        gy_ref to = arcs->at[i].to;
        bool accepting =
            (arcs->at[i].marks & s->all) == s->all && !(gy_store_note(view->store, to) & REMOVED);
        if (to + 1 > LARGEST) { // does not fit into a note
            gy_space_out_of_memory(s);
            return;
        }
        if (accepting && (to == node || largest == to + 1)) {
            if (gy_space_found(view)) {
                s->needs = s->all;
                gy_vec_push(&s->component, to);
            }
            return;
        }
        if (tell(view, to, accepting && to + 1 > largest ? to + 1 : largest))
            gy_sweep_push(sweep, view, to);
    }
}

// True: some were removed.
static bool remove_told(gy_space_view *view, const gy_refs *all)
{
    bool some = false;
    for (size_t i = 0; i < all->n; i++) {
        uint64_t largest =
            gy_store_change_note(view->store, all->at[i], SEEN | LARGEST, 0) & LARGEST;
        if (!largest)
            continue;
        gy_store_change_note(view->store, largest - 1, 0, REMOVED);
        some = true;
    }
    return some;
}

void gy_space_map(gy_space *space)
{
    gy_space_view *view = &space->views[0];
    gy_refs all = {0};
    gy_sweep sweep;
    gy_sweep_init(&sweep, space);
    do {
        space->rounds++;
        for (size_t i = 0; i < space->initial.n; i++)
            tell(view, space->initial.at[i], 0);
        gy_sweep_run(&sweep, &space->initial, pass_on);
        gy_sweep_take_kept(&sweep, &all);
    } while (!gy_space_ends(space) && remove_told(view, &all));
    if (space->found)
        gy_space_keep_component(space, space->component.at[0]);
    gy_sweep_free(&sweep);
    gy_vec_free(&all);
}
