// Accepting cycles by strongly connected components, with several threads: UFSCC of V. Bloemen,
// A. Laarman, J. van de Pol, "Multi-core on-the-fly SCC decomposition" (PPoPP 2016), with marks on
// arcs as in V. Bloemen, J. van de Pol, "Multi-core SCC-based LTL model checking" (HVC 2016).
//
// Each thread searches in depth. Where an arc leads back to a set that it has reached, what lies
// between on its path is one component as far as known: these sets are united (union_find.h), for
// all threads. A node is done with when one thread has followed all of its arcs; a thread that
// leaves a set for which others are not done helps them out. A set without nodes to be done is a
// component, and dead. As soon as a set has all marks on its arcs, there is an accepting cycle;
// with strong fairness, components are taken apart when they are complete (strong.c).
//
//   note:  the element of the node in the union-find structure, plus one
#include "search/liveness/space_graph.h"
#include "search/liveness/union_find.h"

typedef struct hop {
    uint32_t to;
    uint64_t marks;
} hop;

typedef struct frame {
    uint32_t node;
    uint32_t next;
    size_t first; // in `hops`; up to the first of the next frame or the end
    size_t root;  // its set is this one of `roots`, unless that was joined with those before
} frame;

// The sets on the path, as this thread has reached them.
typedef struct root {
    uint32_t node;
    uint64_t marks; // of the arc that leads to it
} root;

typedef struct search {
    gy_space *space;
    gy_uf uf;
    uint32_t found; // an element of a set with all marks
} search;

typedef struct thread {
    search *s;
    gy_space *space;
    gy_space_view *view;
    gy_uf *uf;
    gy_uf_spare spare;
    GY_VEC(frame) frames;
    GY_VEC(root) roots;
    GY_VEC(hop) hops;
    gy_arcs arcs; // scratch
    uint64_t depth;
} thread;

static bool is_complete(const thread *t, uint64_t marks)
{
    return (marks & t->space->all) == t->space->all;
}

// An arc inside the set of a node. False: the search is over.
static bool add_inner(thread *t, uint32_t node, uint64_t marks)
{
    uint64_t all = gy_uf_add_marks(t->uf, node, marks);
    if (t->space->maker->asks || !is_complete(t, all))
        return true;
    if (gy_space_found(t->view)) {
        t->s->found = node; // the others may still be at unions
        t->space->needs = t->space->all;
    }
    return false;
}

// ---- strong fairness ------------------------------------------------------------------

static uint32_t rank_of(void *self, uint32_t node)
{
    const size_t *members = self; // they were numbered first
    return node < *members ? node : UINT32_MAX;
}

// A component that is complete. False: the search is over.
static bool judge(thread *t, uint32_t node)
{
    uint32_t top = gy_uf_find(t->uf, node);
    const gy_uf_element *e = gy_uf_at(t->uf, top);
    bool trivial = atomic_load(&e->child) == GY_UF_NONE && !atomic_load(&e->looped);
    if (!t->space->maker->asks || trivial || !is_complete(t, atomic_load(&e->marks)))
        return true;
    gy_space_graph g;
    gy_refs members = {0};
    gy_arc_graph_nodes component = {0};
    gy_emptiness_result part = {0};
    gy_space_graph_init(&g, t->view);
    gy_uf_members(t->uf, top, &members);
    gy_space_graph_numbers(&g, &members, &component);
    gy_arc_graph_ranks ranks = {&members.n, rank_of};
    bool found = gy_arc_graph_strong(&g.graph, &component, &ranks, &part);
    if (found && gy_space_found(t->view)) {
        t->space->needs = part.all;
        for (size_t i = 0; i < part.component.n; i++)
            gy_vec_push(&t->space->component, g.refs.at[part.component.at[i]]);
    }
    gy_vec_free(&members);
    gy_vec_free(&component);
    gy_emptiness_result_free(&part);
    gy_space_graph_free(&g);
    return !found;
}

// ---- the search -----------------------------------------------------------------------

// The elements that a node leads to. False: the search is over.
static bool expand(thread *t, uint32_t node)
{
    gy_uf_element *e = gy_uf_at(t->uf, node);
    t->arcs.n = 0;
    if (gy_space_edges(t->view, e->ref, &t->arcs))
        return false;
    if (!atomic_exchange(&e->expanded, true))
        gy_space_count(t->view, t->arcs.n);
    gy_space_shuffle(t->view, t->arcs.at, t->arcs.n);
    gy_vec_reserve(&t->hops, t->hops.n + t->arcs.n);
    for (size_t i = 0; i < t->arcs.n; i++) {
        uint32_t to = gy_uf_element_of(t->uf, &t->spare, t->view->store, t->arcs.at[i].to);
        if (to == GY_UF_NONE) {
            gy_space_out_of_memory(t->space);
            return false;
        }
        t->hops.at[t->hops.n++] = (hop){to, t->arcs.at[i].marks};
    }
    return true;
}

static bool push(thread *t, uint32_t node, size_t its_root)
{
    frame top = {.node = node, .first = t->hops.n, .root = its_root};
    if (t->frames.n > t->depth)
        t->depth = t->frames.n;
    gy_vec_push(&t->frames, top);
    return expand(t, node);
}

static bool enter(thread *t, uint32_t node, uint64_t marks)
{
    gy_vec_push(&t->roots, ((root){node, marks}));
    return push(t, node, t->roots.n - 1);
}

static bool follow(thread *t, uint32_t from, hop arc)
{
    uint64_t marks = arc.marks;
    switch (gy_uf_make_claim(t->uf, arc.to, t->view->member)) {
    case GY_UF_DEAD:
        return true;
    case GY_UF_NEW:
        return enter(t, arc.to, marks);
    case GY_UF_MET:
        break;
    }
    while (!gy_uf_same(t->uf, arc.to, from)) {
        root top = t->roots.at[--t->roots.n];
        marks |= top.marks;
        gy_uf_unite(t->uf, top.node, t->roots.at[t->roots.n - 1].node);
    }
    return add_inner(t, from, marks);
}

static bool leave(thread *t)
{
    frame top = t->frames.at[--t->frames.n];
    const frame *before = t->frames.n ? &t->frames.at[t->frames.n - 1] : NULL;
    t->hops.n = top.first;
    gy_uf_done(t->uf, top.node);
    bool apart = !before || !gy_uf_same(t->uf, before->node, top.node);
    if (apart) {
        bool died;
        uint32_t next = gy_uf_pick(t->uf, top.node, &died);
        if (next != GY_UF_NONE)
            return push(t, next, top.root);
        if (died && !judge(t, top.node))
            return false;
    }
    if (t->roots.n != top.root + 1)
        return true;
    root own = t->roots.at[--t->roots.n];
    return apart || add_inner(t, before->node, own.marks);
}

static bool search_from(thread *t, gy_ref initial)
{
    uint32_t node = gy_uf_element_of(t->uf, &t->spare, t->view->store, initial);
    if (node == GY_UF_NONE) {
        gy_space_out_of_memory(t->space);
        return false;
    }
    if (gy_uf_make_claim(t->uf, node, t->view->member) != GY_UF_NEW)
        return true;
    bool fine = enter(t, node, 0);
    while (fine && t->frames.n > 0) {
        frame *top = &t->frames.at[t->frames.n - 1];
        if (top->first + top->next == t->hops.n)
            fine = leave(t);
        else {
            hop arc = t->hops.at[top->first + top->next++];
            fine = follow(t, top->node, arc);
        }
    }
    return fine;
}

static void work(void *user, gy_space_view *view)
{
    search *s = user;
    gy_space *space = s->space;
    thread t = {.s = s, .space = space, .view = view, .uf = &s->uf};
    for (size_t i = 0; i < space->initial.n && !gy_space_ends(space); i++)
        if (!search_from(&t, space->initial.at[(i + view->member) % space->initial.n]))
            break;
    gy_space_note_depth(space, t.depth);
    gy_vec_free(&t.frames);
    gy_vec_free(&t.roots);
    gy_vec_free(&t.hops);
    gy_vec_free(&t.arcs);
}

void gy_space_ufscc(gy_space *space)
{
    search s = {.space = space, .found = GY_UF_NONE};
    gy_uf_init(&s.uf, space->budget);
    gy_space_run(space, work, &s);
    if (s.found != GY_UF_NONE)
        gy_uf_members(&s.uf, s.found, &space->component);
    gy_uf_free(&s.uf);
}

unsigned gy_ufscc_note_bytes(unsigned threads, bool uniform)
{
    (void)threads, (void)uniform;
    return 4;
}

unsigned gy_ufscc_most_threads(bool uniform)
{
    (void)uniform;
    return GY_UF_WORKERS;
}
