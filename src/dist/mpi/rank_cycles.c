// Accepting cycles over ranks, by taking away what lies on none: OWCTY ("one way catch them young")
// of I. Cerna, R. Pelanek, "Distributed explicit fair cycle detection" (SPIN 2003), forwards. As
// search/liveness/owcty.c, in phases.
//
// When all nodes were found, in rounds: what can't be reached from a node that an accepting arc
// leads to is left out, then what has no predecessor left. It ends when a round leaves everything;
// what is left then, if anything, holds an accepting cycle or hangs below one. If on every cycle
// all arcs agree (uniform), the others are left out, and one round tells.
//
//   note:  while nodes are found:  accepting: such an arc leads to it
//          in rounds:              left | visited | arcs to it (30 bits) | accepting ones (30)
#include "dist/mpi/rank_parts.h"

#include <stdlib.h>

#define ACCEPTING (1ull << 62)
enum { LEFT = 1, VISITED = 2, ARC_SHIFT = 2, ACCEPTING_SHIFT = 32 };
#define ARC (1ull << ARC_SHIFT)
#define ACCEPTING_ARC (1ull << ACCEPTING_SHIFT)
#define ARCS_OF(note) ((uint32_t)(note) >> ARC_SHIFT)
#define ACCEPTING_ARCS_OF(note) ((note) >> ACCEPTING_SHIFT)

void gy_rank_note_accepting(gy_rank_member *m)
{
    for (uint32_t i = 0; i < m->view->n; i++)
        if (m->accepting_of[i])
            gy_store_change_note(m->view, m->view->refs[i], 0, ACCEPTING);
}

// ---- arcs -----------------------------------------------------------------------------

static uint64_t add(gy_store_view *view, gy_ref node, uint64_t what)
{
    uint64_t note = gy_store_note(view, node);
    while (!gy_store_swap_note(view, node, &note, note + what))
        ;
    return note;
}

static void push(gy_rank_member *m, gy_ref ref)
{
    size_t bytes = (m->found.n + 1) * sizeof ref;
    if (bytes > m->found.refs.room && !gy_region_reserve(&m->found.refs, bytes))
        gy_rank_out_of_memory(m->search);
    else
        ((gy_ref *)m->found.refs.at)[m->found.n++] = ref;
}

// Of a node that belongs here.
static void take_arc(gy_rank_member *m, const gy_word *node, uint32_t words, bool accepting)
{
    gy_ref to;
    uint64_t much = ARC + (accepting ? ACCEPTING_ARC : 0);
    if (!gy_store_find(m->view, node, words, &to))
        return; // only if the search is to end
    uint64_t note = gy_store_note(m->view, to);
    if (m->search->chore == GY_RANK_REACH) {
        if (!(note & LEFT))
            return;
        add(m->view, to, much);
        if (!(gy_store_change_note(m->view, to, 0, VISITED) & VISITED))
            push(m, to);
    } else if ((note & VISITED) && ARCS_OF(add(m->view, to, -much)) == 1) {
        push(m, to); // only arcs from visited nodes were counted, and this was one
    }
}

void gy_rank_follow_arc(gy_rank_member *m, const gy_word *node, uint32_t words, bool accepting)
{
    gy_rank_search *s = m->search;
    uint64_t flag = accepting;
    if (s->product->uniform && !accepting)
        return;
    unsigned owner = gy_rank_owner(s, node, words);
    if (owner == s->transport->rank)
        take_arc(m, node, words, accepting);
    else
        gy_rank_send(m, owner, node, words, &flag, 1);
}

void gy_rank_hear_arcs(gy_rank_member *m)
{
    uint64_t accepting;
    while (!gy_rank_is_up(&m->search->stop) && gy_unpacker_next(&m->in, &accepting, 1))
        take_arc(m, m->in.state.at, m->in.words, accepting != 0);
}

void gy_rank_cut(gy_rank_member *m, gy_ref ref)
{
    gy_store_change_note(m->view, ref, LEFT | VISITED, 0);
}

// ---- rounds, at meetings --------------------------------------------------------------

static void begin_round(gy_rank_search *s, bool first)
{
    gy_rank_member *m = &s->members[0];
    gy_ref *all = s->unsaved.at;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < s->unsaved_n; i++) {
        uint64_t note = gy_store_note(m->view, all[i]);
        bool left = first || (note & VISITED);
        bool seed = first ? (note & ACCEPTING) != 0 : left && ACCEPTING_ARCS_OF(note);
        gy_store_set_note(m->view, all[i], seed ? LEFT | VISITED : left ? LEFT : 0);
        if (seed)
            push(m, all[i]);
        if (left)
            all[kept++] = all[i];
    }
    s->unsaved_n = kept;
}

// Those without arcs to them are to be taken away. Returns how many were visited.
static uint64_t list_visited(gy_rank_search *s, bool keep)
{
    gy_rank_member *m = &s->members[0];
    const gy_ref *all = s->unsaved.at;
    uint64_t visited = 0;
    for (uint64_t i = 0; i < s->unsaved_n; i++) {
        uint64_t note = gy_store_note(m->view, all[i]);
        visited += (note & VISITED) != 0;
        if (keep && (note & VISITED) && !ARCS_OF(note))
            push(m, all[i]);
    }
    return visited;
}

// What is in the lists is worked on. The chore and what is found decide what comes next.
bool gy_rank_next_round(gy_rank_search *s, uint64_t found)
{
    gy_rank_product *p = s->product;
    if (s->chore == GY_RANK_EXPAND) {
        p->left = s->all_states;
        begin_round(s, true);
        s->chore = GY_RANK_REACH;
        return true;
    }
    if (found)
        return true;
    if (s->chore == GY_RANK_REACH) {
        list_visited(s, true);
        s->chore = GY_RANK_CUT;
        return true;
    }
    uint64_t left = list_visited(s, false);
    s->transport->reduce(s->transport, &left, 1, GY_TRANSPORT_SUM);
    p->rounds++;
    p->nonempty = left && (left == p->left || p->uniform);
    bool more = left && !p->nonempty;
    p->left = left;
    if (more) {
        begin_round(s, false);
        s->chore = GY_RANK_REACH;
    }
    return more;
}

// ---- who to begin with ----------------------------------------------------------------

bool gy_rank_next_candidate(gy_rank_search *s, uint64_t *last)
{
    gy_rank_member *m = &s->members[0];
    gy_rank_product *p = s->product;
    const gy_ref *all = s->unsaved.at;
    uint64_t best = UINT64_MAX, where = 0;
    uint32_t words;
    for (uint64_t i = 0; i < s->unsaved_n; i++) {
        uint64_t note = gy_store_note(m->view, all[i]);
        if (!(note & VISITED) || !ACCEPTING_ARCS_OF(note))
            continue;
        const gy_word *node = gy_store_state(m->view, all[i], &words);
        uint64_t hash = gy_hash_words(node, words, 1) | 1;
        if (hash > *last && hash < best) {
            best = hash;
            where = i;
        }
    }
    uint64_t least = best;
    s->transport->reduce(s->transport, &least, 1, GY_TRANSPORT_LEAST);
    if (least == UINT64_MAX)
        return false;
    *last = least;
    uint64_t owner = best == least ? s->transport->rank : UINT64_MAX;
    s->transport->reduce(s->transport, &owner, 1, GY_TRANSPORT_LEAST);
    bool mine = owner == s->transport->rank;
    const gy_word *node = mine ? gy_store_state(m->view, all[where], &words) : NULL;
    uint32_t count = mine ? words : 0;
    s->transport->broadcast(s->transport, (unsigned)owner, &count, sizeof count);
    free(p->goal.at);
    p->goal.at = gy_alloc_zero((count + (size_t)1) * sizeof *p->goal.at);
    p->goal.words = count;
    if (mine)
        memcpy(p->goal.at, node, count * sizeof *node);
    s->transport->broadcast(s->transport, (unsigned)owner, p->goal.at,
                            (uint32_t)(count * sizeof *p->goal.at));
    return true;
}
