// Cycles that need several marks, or all that are asked for at their nodes (fairness, strong or
// not): what lies on none is taken away, in rounds.
//
// A round: each node that is left is sent the marks of arcs from whose end it can be
// reached (MARK). It goes if a mark that every cycle needs is not among them, or one that it asks
// for itself (JUDGE). Then goes what has no predecessor left (COUNT, CUT). It ends when nothing
// goes any more.
//
// No node of a cycle that has all marks it needs, and all that its nodes ask for, ever goes: its
// own arcs reach it. If something is left at the end, take a strongly connected part of it that
// nothing else that is left leads to. It has arcs, as each of its nodes has a predecessor, which
// must be one of its own; and the arcs that bring its nodes marks are its own, too. So a way
// round all of it has the marks that its nodes need and ask for. (The hull of Y. Kesten,
// A. Pnueli, L. Raviv, "Algorithmic verification of linear temporal logic specifications",
// ICALP 1998, forwards.)
//
// A note has room for 62 marks; if there are more, rounds examine one group after the other.
//
//   note:  left | queued | marks          and then, as in rank_cycles.c, left | visited | arcs
#include "dist/mpi/rank_parts.h"

enum { GROUP = 64 - GY_RANK_VALUE };

static uint64_t owned(const gy_rank_product *p)
{
    return gy_fair_owned(&p->maker.fair);
}

static unsigned group_count(const gy_rank_product *p)
{
    return owned(p) >> (GROUP - 1) >> 1 ? 2 : 1;
}

static unsigned shift_of(const gy_rank_product *p)
{
    return p->group * GROUP;
}

uint64_t gy_rank_marks_of(const gy_rank_product *p, uint64_t marks)
{
    uint64_t some = (marks & owned(p)) >> shift_of(p);
    return some & (UINT64_MAX >> GY_RANK_VALUE);
}

// ---- while they work ------------------------------------------------------------------

// Its successors were just asked for.
void gy_rank_judge(gy_rank_member *m, gy_ref ref)
{
    const gy_rank_product *p = m->search->product;
    uint64_t asked = gy_fair_all(&p->maker.fair);
    if (p->maker.maker.asks)
        asked |= p->maker.maker.asks(m->product);
    uint64_t has = gy_store_note(m->view, ref) >> GY_RANK_VALUE;
    bool stays = !(gy_rank_marks_of(p, asked) & ~has);
    gy_store_set_note(m->view, ref, stays ? GY_RANK_LEFT | GY_RANK_VISITED : 0);
}

// ---- at meetings ----------------------------------------------------------------------

// All nodes that are left become what is worked on; the others are forgotten.
static uint64_t push_left(gy_rank_search *s, uint64_t bit, bool first)
{
    gy_rank_member *m = &s->members[0];
    gy_ref *all = s->nodes.at;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < s->node_count; i++)
        if (first || (gy_store_note(m->view, all[i]) & bit)) {
            gy_rank_push(m, all[i]);
            all[kept++] = all[i];
        }
    s->node_count = kept;
    return kept;
}

bool gy_rank_begin_marks(gy_rank_search *s)
{
    gy_rank_member *m = &s->members[0];
    gy_rank_product *p = s->product;
    bool first = s->chore == GY_RANK_EXPAND;
    uint64_t n = push_left(s, GY_RANK_LEFT, first);
    const gy_ref *all = s->nodes.at;
    for (uint64_t i = 0; i < n; i++)
        gy_store_set_note(m->view, all[i], GY_RANK_LEFT | GY_RANK_QUEUED);
    if (s->chore != GY_RANK_MARK)
        p->group = p->at_last ? 0 : p->group;
    s->chore = GY_RANK_MARK;
    return true;
}

// Marks are reported: of the node that is the goal, they are wanted.
static bool note_goal(gy_rank_search *s)
{
    gy_rank_product *p = s->product;
    gy_rank_member *m = &s->members[0];
    gy_ref ref;
    uint64_t marks = 0;
    if (gy_rank_owner(s, p->goal.at, p->goal.words) == s->transport->rank &&
        gy_store_find(m->view, p->goal.at, p->goal.words, &ref))
        marks = gy_store_note(m->view, ref) >> GY_RANK_VALUE;
    s->transport->reduce(s->transport, &marks, 1, GY_TRANSPORT_SUM);
    p->needed |= marks << shift_of(p);
    return ++p->group < group_count(p) && gy_rank_begin_marks(s);
}

// Those that stay were told apart. True: some are to be counted; false: none has gone.
static bool begin_count(gy_rank_search *s)
{
    gy_rank_product *p = s->product;
    uint64_t left = push_left(s, GY_RANK_VISITED, false);
    s->transport->reduce(s->transport, &left, 1, GY_TRANSPORT_SUM);
    s->chore = GY_RANK_COUNT;
    if (left < p->left || !p->rounds)
        return true;
    s->members[0].found.n = 0;
    return false;
}

static bool end_round(gy_rank_search *s)
{
    gy_rank_product *p = s->product;
    uint64_t left = gy_rank_list_visited(s, false);
    s->transport->reduce(s->transport, &left, 1, GY_TRANSPORT_SUM);
    p->rounds++;
    p->unchanged = left == p->left ? p->unchanged + 1 : 0;
    p->left = left;
    if (!left)
        return false;
    p->group = (p->group + 1) % group_count(p);
    if (p->unchanged < group_count(p))
        return gy_rank_begin_marks(s);
    p->nonempty = true;
    gy_rank_begin_labels(s);
    return true;
}

bool gy_rank_next_marks(gy_rank_search *s)
{
    switch (s->chore) {
    case GY_RANK_MARK:
        if (s->product->at_last)
            return note_goal(s);
        push_left(s, GY_RANK_LEFT, false);
        s->chore = GY_RANK_JUDGE;
        return true;
    case GY_RANK_JUDGE:
        return begin_count(s) || end_round(s);
    case GY_RANK_COUNT:
        gy_rank_list_visited(s, true);
        s->chore = GY_RANK_CUT;
        return true;
    default:
        return end_round(s);
    }
}
