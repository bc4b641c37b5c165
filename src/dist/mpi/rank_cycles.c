// Accepting cycles over ranks, by taking away what lies on none: OWCTY ("one way catch them young")
// of I. Cerna, R. Pelanek, "Distributed explicit fair cycle detection" (SPIN 2003), forwards. As
// search/liveness/owcty.c, in phases.
//
// When all nodes were found, in rounds: what cannot be reached from a node that an accepting arc
// leads to is left out, then what has no predecessor left. It ends when a round leaves everything;
// what is left then, if anything, holds an accepting cycle or hangs below one. If on every cycle
// all arcs agree (uniform), the others are left out, and one round shows it.
//
// In a phase each node at hand is expanded, and what goes along with its arcs is sent to the nodes
// that they lead to. What other ways to look for cycles do in that manner goes through here, too.
//
//   note in rounds:  left | visited | arcs to it (30 bits) | accepting ones (30)
#include "dist/mpi/rank_parts.h"

#include <stdlib.h>

enum { ARC_SHIFT = GY_RANK_VALUE, ACCEPTING_SHIFT = 32 };
#define ARC (1ull << ARC_SHIFT)
#define ACCEPTING_ARC (1ull << ACCEPTING_SHIFT)
#define ARCS_OF(note) ((uint32_t)(note) >> ARC_SHIFT)
#define ACCEPTING_ARCS_OF(note) ((note) >> ACCEPTING_SHIFT)

// ---- notes ----------------------------------------------------------------------------

static uint64_t add(gy_store_view *view, gy_ref node, uint64_t what)
{
    uint64_t note = gy_store_note(view, node);
    while (!gy_store_swap_note(view, node, &note, note + what))
        ;
    return note;
}

void gy_rank_push(gy_rank_member *m, gy_ref ref)
{
    size_t bytes = (m->found.n + 1) * sizeof ref;
    if (bytes > m->found.refs.room && !gy_region_reserve(&m->found.refs, bytes))
        gy_rank_out_of_memory(m->search);
    else
        ((gy_ref *)m->found.refs.at)[m->found.n++] = ref;
}

bool gy_rank_raise_note(gy_rank_member *m, gy_ref ref, uint64_t value, bool bits)
{
    uint64_t note = gy_store_note(m->view, ref);
    uint64_t flags = GY_RANK_LEFT | GY_RANK_QUEUED;
    for (;;) {
        uint64_t known = note >> GY_RANK_VALUE, now = bits            ? known | value
                                                      : known < value ? value
                                                                      : known;
        if (!(note & GY_RANK_LEFT) || now == known)
            return false;
        if (gy_store_swap_note(m->view, ref, &note, now << GY_RANK_VALUE | flags))
            return !(note & GY_RANK_QUEUED);
    }
}

// ---- where an arc leads ---------------------------------------------------------------

static void take_round(gy_rank_member *m, gy_ref to, bool accepting)
{
    uint64_t note = gy_store_note(m->view, to);
    uint64_t much = ARC + (accepting ? ACCEPTING_ARC : 0);
    if (m->search->chore == GY_RANK_REACH) {
        if (!(note & GY_RANK_LEFT))
            return;
        add(m->view, to, much);
        if (!(gy_store_change_note(m->view, to, 0, GY_RANK_VISITED) & GY_RANK_VISITED))
            gy_rank_push(m, to);
    } else if (m->search->chore == GY_RANK_COUNT) {
        if (note & GY_RANK_VISITED)
            add(m->view, to, much);
    } else if ((note & GY_RANK_VISITED) && ARCS_OF(add(m->view, to, -much)) == 1) {
        gy_rank_push(m, to); // only arcs from visited nodes were counted, and this was one
    }
}

// Of a node that belongs here.
static void take_arc(gy_rank_member *m, const gy_word *node, uint32_t words, uint64_t tag)
{
    gy_ref to;
    if (!gy_store_find(m->view, node, words, &to))
        return; // only if the search is to end
    switch (m->search->chore) {
    case GY_RANK_MARK:
    case GY_RANK_LABEL:
        if (gy_rank_raise_note(m, to, tag, m->search->chore == GY_RANK_MARK))
            gy_rank_push(m, to);
        break;
    case GY_RANK_MAP:
        gy_rank_take_map(m, to, node, words, tag);
        break;
    default:
        take_round(m, to, tag != 0);
    }
}

void gy_rank_hear_arcs(gy_rank_member *m)
{
    uint64_t tag;
    while (!gy_rank_is_up(&m->search->stop) && gy_unpacker_next(&m->in, &tag, 1))
        take_arc(m, m->in.state.at, m->in.words, tag);
}

// ---- where it comes from --------------------------------------------------------------

// A node is worked on: its note, as it was.
static uint64_t begin_node(gy_rank_member *m, gy_ref ref)
{
    switch (m->search->chore) {
    case GY_RANK_CUT:
        return gy_store_change_note(m->view, ref, GY_RANK_LEFT | GY_RANK_VISITED, 0);
    case GY_RANK_MARK:
    case GY_RANK_LABEL:
    case GY_RANK_MAP:
        return gy_store_change_note(m->view, ref, GY_RANK_QUEUED, 0);
    default:
        return 0;
    }
}

// What goes along with an arc; `carried`: with all arcs of the node.
static uint64_t tag_of(const gy_rank_search *s, uint64_t carried, uint64_t marks, bool accepting)
{
    switch (s->chore) {
    case GY_RANK_MARK:
        return carried | gy_rank_marks_of(s->product, marks);
    case GY_RANK_LABEL:
        return carried;
    case GY_RANK_MAP:
        return carried << 1 | accepting;
    default:
        return accepting;
    }
}

void gy_rank_follow_arcs(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    const gy_rank_product *p = s->product;
    uint64_t note = begin_node(m, ref), carried = note >> GY_RANK_VALUE;
    if (s->chore == GY_RANK_MAP)
        carried = gy_rank_map_of(note, state, words);
    if (gy_rank_successors(m, state, words)) {
        gy_rank_break_off(s); // it was expanded before: only if the search is to end
        return;
    }
    if (s->chore == GY_RANK_JUDGE) {
        gy_rank_judge(m, ref);
        return;
    }
    for (uint32_t i = 0; i < m->items.n && !gy_rank_is_up(&s->stop); i++) {
        bool accepting = !p->general && (m->items.marks[i] & p->all) == p->all;
        uint64_t tag = tag_of(s, carried, m->items.marks[i], accepting);
        if ((p->uniform && !accepting) || (s->chore == GY_RANK_MARK && !tag))
            continue;
        uint32_t length = gy_rank_make_node(m, &m->items.in[i], 0);
        unsigned owner = gy_rank_owner(s, m->node.at, length);
        if (owner == s->transport->rank)
            take_arc(m, m->node.at, length, tag);
        else
            gy_rank_send(m, owner, m->node.at, length, &tag, 1);
    }
}

// ---- rounds, at meetings --------------------------------------------------------------

static void begin_round(gy_rank_search *s, bool first)
{
    gy_rank_member *m = &s->members[0];
    gy_ref *all = s->nodes.at;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < s->node_count; i++) {
        uint64_t note = gy_store_note(m->view, all[i]);
        bool left = first || (note & GY_RANK_VISITED);
        bool seed = first ? (note & GY_RANK_ACCEPTING) != 0 : left && ACCEPTING_ARCS_OF(note);
        gy_store_set_note(m->view, all[i],
                          seed   ? GY_RANK_LEFT | GY_RANK_VISITED
                          : left ? GY_RANK_LEFT
                                 : 0);
        if (seed)
            gy_rank_push(m, all[i]);
        if (left)
            all[kept++] = all[i];
    }
    s->node_count = kept;
    s->chore = GY_RANK_REACH;
}

// With `keep`, those without arcs to them are to be taken away.
uint64_t gy_rank_list_visited(gy_rank_search *s, bool keep)
{
    gy_rank_member *m = &s->members[0];
    const gy_ref *all = s->nodes.at;
    uint64_t visited = 0;
    for (uint64_t i = 0; i < s->node_count; i++) {
        uint64_t note = gy_store_note(m->view, all[i]);
        visited += (note & GY_RANK_VISITED) != 0;
        if (keep && (note & GY_RANK_VISITED) && !ARCS_OF(note))
            gy_rank_push(m, all[i]);
    }
    return visited;
}

// All ranks give the same marks to the same processes.
static bool agree_on_marks(gy_rank_search *s)
{
    gy_fair *fair = &s->product->maker.fair;
    uint32_t n = gy_fair_places(fair);
    if (!gy_fair_any(fair))
        return true;
    uint64_t *places = gy_alloc_zero(n * sizeof *places);
    gy_fair_tell(fair, places);
    s->transport->reduce(s->transport, places, n, GY_TRANSPORT_SUM);
    gy_fair_adopt(fair, places);
    free(places);
    return !gy_fair_too_many(fair);
}

// All nodes were found.
static bool begin_rounds(gy_rank_search *s)
{
    gy_rank_product *p = s->product;
    p->left = s->all_states;
    if (!agree_on_marks(s))
        return false;
    if (p->general)
        return gy_rank_begin_marks(s);
    if (p->map)
        return gy_rank_begin_map(s, true);
    begin_round(s, true);
    return true;
}

static bool end_round(gy_rank_search *s)
{
    gy_rank_product *p = s->product;
    uint64_t left = gy_rank_list_visited(s, false);
    s->transport->reduce(s->transport, &left, 1, GY_TRANSPORT_SUM);
    p->rounds++;
    p->nonempty = left && (left == p->left || p->uniform);
    bool more = left && !p->nonempty;
    p->left = left;
    if (more)
        begin_round(s, false);
    else if (p->nonempty)
        gy_rank_begin_labels(s);
    return more || p->nonempty;
}

// What is in the lists is worked on. The chore and what is found decide what comes next.
bool gy_rank_next_round(gy_rank_search *s, uint64_t found)
{
    gy_rank_product *p = s->product;
    if (s->chore == GY_RANK_EXPAND)
        return begin_rounds(s);
    if (found)
        return true;
    switch (s->chore) {
    case GY_RANK_REACH:
        gy_rank_list_visited(s, true);
        s->chore = GY_RANK_CUT;
        return true;
    case GY_RANK_MAP:
        return gy_rank_next_map(s);
    case GY_RANK_LABEL:
        gy_rank_choose_goal(s);
        p->at_last = true;
        return p->general && gy_rank_begin_marks(s);
    case GY_RANK_CUT:
        return p->general ? gy_rank_next_marks(s) : end_round(s);
    default:
        return gy_rank_next_marks(s);
    }
}
