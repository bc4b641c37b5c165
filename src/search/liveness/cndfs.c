// Accepting cycles by nested depth-first search with several threads: CNDFS of S. Evangelista,
// A. Laarman, L. Petrucci, J. van de Pol, "Improved multi-core nested depth-first search" (ATVA
// 2012). Each thread searches in depth from the initial nodes, in an order of its own, and leaves
// out what another one has left behind (blue). After an accepting node a second search looks for
// a path back to the thread's own path (cyan). What it has passed without success (pink) becomes
// red for all, when all accepting nodes among it are: other threads may still be at work there.
//
// Different here: marks are on arcs. An accepting arc s -> t counts as s -> t' -> t with an
// accepting node t' that has no other successor and is shared by all accepting arcs to t. Nodes t'
// are not in the store: a note has the colours of t and of t'.
//
// If on every cycle all arcs agree (gy_space.uniform), the first search is enough: of the nodes of
// an accepting cycle, consider the first to become blue. Its successor on the cycle was not blue
// when the thread examined it; had it not been cyan, it would have been searched, and become blue
// before. So it was cyan, and the arc to it reported.
//
// Where the observer waits (gy_space.waits) there is no cycle to be found: that part is searched in
// breadth (waiting_bfs.h), and what it leads to, in depth.
//
//   note:  queued | blue | red | blue' | red' | expanded | for each thread: cyan | cyan' | pink |
//          pink'
//   uniform:  queued | blue | for each thread: cyan
//
// One thread needs no pink: what its second search has passed is red at once.
//
// A node is queued if the search in breadth has handed it over; expanded, if its arcs were counted:
// with one thread, or if uniform, that is so when it has any other colour.
#include "search/liveness/waiting_bfs.h"

#include <stdlib.h>

enum { QUEUED = 1, BLUE = 2, RED = 4, BLUE_ = 8, RED_ = 16, EXPANDED = 32 }; // with _: of t'
enum { SHARED_BITS = 6, UNIFORM_BITS = 2, OWN_BITS = 4 };

typedef struct frame {
    gy_ref node;
    size_t first; // in `arcs`; up to the first of the next frame or the end
    uint32_t next;
    bool accepting; // stands for t' and t
} frame;

typedef struct path {
    GY_VEC(frame) frames;
    gy_arcs arcs;
} path;

typedef struct thread {
    gy_space *space;
    gy_space_view *view;
    uint64_t cyan, cyan_, pink, pink_;
    uint64_t expanded; // EXPANDED, or 0: not needed
    path blue, red;
    gy_ref seed;             // of the second search; GY_NO_REF: it is not under way
    gy_refs passed, passed_; // by that search: nodes, and nodes t'
    uint64_t depth;
} thread;

// Of which the first is used by thread 0.
static unsigned shared_bits(unsigned threads, bool uniform)
{
    return uniform ? UNIFORM_BITS : threads > 1 ? SHARED_BITS : SHARED_BITS - 1;
}

static unsigned own_bits(unsigned threads, bool uniform)
{
    return uniform ? 1 : threads > 1 ? OWN_BITS : OWN_BITS / 2;
}

unsigned gy_cndfs_most_threads(bool uniform)
{
    return (64 - SHARED_BITS) / (uniform ? 1 : OWN_BITS);
}

unsigned gy_cndfs_place_bits(unsigned threads, bool uniform)
{
    return shared_bits(threads, uniform) + threads * own_bits(threads, uniform);
}

unsigned gy_cndfs_note_bytes(unsigned threads, bool uniform)
{
    unsigned bits = gy_cndfs_place_bits(threads, uniform);
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

static bool is_accepting(const thread *t, uint64_t marks)
{
    return (marks & t->space->all) == t->space->all;
}

static uint64_t colours(thread *t, gy_ref node)
{
    return gy_space_note(t->view, node);
}

static uint64_t paint(thread *t, gy_ref node, uint64_t clear, uint64_t set)
{
    return gy_space_change_note(t->view, node, clear, set);
}

static bool push(thread *t, path *p, gy_ref node, bool accepting)
{
    frame top = {node, p->arcs.n, 0, accepting};
    gy_vec_push(&p->frames, top);
    return gy_space_edges(t->view, node, &p->arcs) == 0;
}

static void pop(path *p)
{
    p->arcs.n = p->frames.at[--p->frames.n].first;
}

// The cycle: the path from `node` on (GY_NO_REF: nothing of it), and what the second search went
// through.
static bool found(thread *t, gy_ref node)
{
    gy_refs *component = &t->space->component;
    if (!gy_space_found(t->view))
        return false;
    t->space->needs = t->space->all;
    for (size_t i = t->blue.frames.n; i-- > 0 && node != GY_NO_REF;) {
        gy_vec_push(component, t->blue.frames.at[i].node);
        if (t->blue.frames.at[i].node == node)
            break;
    }
    for (size_t i = 0; i < t->red.frames.n; i++)
        gy_vec_push(component, t->red.frames.at[i].node);
    return false;
}

// ---- the second search ----------------------------------------------------------------

// To be made red when that is allowed; by one thread it is already.
static void keep_passed(const thread *t, gy_refs *list, gy_ref node)
{
    if (t->space->size > 1)
        gy_vec_push(list, node);
}

// An arc of it. False: the search is over.
static bool follow_red(thread *t, gy_ref to, bool accepting)
{
    uint64_t is = colours(t, to);
    if (accepting) {
        if (is & t->cyan_)
            return found(t, to == t->seed ? GY_NO_REF : to);
        if (is & (t->pink_ | RED_))
            return true;
        paint(t, to, 0, t->pink_);
        keep_passed(t, &t->passed_, to);
    }
    if (is & t->cyan)
        return found(t, to);
    if (is & (t->pink | RED))
        return true;
    paint(t, to, 0, t->pink);
    keep_passed(t, &t->passed, to);
    return push(t, &t->red, to, false);
}

// What was passed becomes red, when all accepting nodes but the seed have.
static bool make_red(thread *t)
{
    for (size_t i = 0; i < t->passed_.n; i++)
        while (t->passed_.at[i] != t->seed && !(colours(t, t->passed_.at[i]) & RED_))
            if (gy_space_rest(t->view))
                return false;
    for (size_t i = 0; i < t->passed.n; i++)
        paint(t, t->passed.at[i], t->pink, RED);
    for (size_t i = 0; i < t->passed_.n; i++)
        paint(t, t->passed_.at[i], t->pink_, RED_);
    t->passed.n = t->passed_.n = 0;
    return true;
}

// From t', which is cyan and blue; `seed` is t.
static bool search_red(thread *t, gy_ref seed)
{
    path *p = &t->red;
    t->seed = seed;
    uint64_t is = paint(t, seed, 0, t->pink_);
    keep_passed(t, &t->passed_, seed);
    if (is & t->cyan)
        return found(t, seed);
    if (!(is & RED)) {
        paint(t, seed, 0, t->pink);
        keep_passed(t, &t->passed, seed);
        if (!push(t, p, seed, false))
            return false;
    }
    while (p->frames.n > 0) {
        gy_space_settle(t->view);
        frame *top = &p->frames.at[p->frames.n - 1];
        if (top->first + top->next == p->arcs.n) {
            pop(p);
            continue;
        }
        gy_arc arc = p->arcs.at[top->first + top->next++];
        if (!follow_red(t, arc.to, is_accepting(t, arc.marks)))
            return false;
    }
    if (!make_red(t))
        return false;
    paint(t, t->seed, t->cyan_, 0);
    t->seed = GY_NO_REF;
    return true;
}

// ---- the first search -----------------------------------------------------------------

// Of the arcs from `first` on, which were just made, those that cannot matter any more are not
// kept: long paths would need much memory for them.
static void drop_idle_arcs(thread *t, size_t first)
{
    gy_arcs *arcs = &t->blue.arcs;
    const uint64_t *notes = t->view->notes.at;
    size_t kept = first;
    for (size_t i = first; i < arcs->n; i++) {
        gy_arc arc = arcs->at[i];
        uint64_t is = notes[i - first];
        bool accepting = is_accepting(t, arc.marks);
        uint64_t idle = t->space->uniform || !accepting ? BLUE : BLUE_;
        if (!(is & idle) && (accepting || !(is & t->cyan)))
            arcs->at[kept++] = arc;
    }
    arcs->n = kept;
}

static bool enter(thread *t, gy_ref node, bool accepting)
{
    path *p = &t->blue;
    size_t from = p->arcs.n;
    uint64_t own = t->cyan | (accepting && !t->space->uniform ? t->cyan_ : 0);
    uint64_t before = paint(t, node, 0, own | t->expanded);
    bool first = !(before & (t->expanded ? t->expanded : ~(uint64_t)QUEUED));
    if (p->frames.n > t->depth)
        t->depth = p->frames.n;
    if (first && t->space->together)
        gy_space_count_states(t->view, 1);
    if (!push(t, p, node, accepting))
        return false;
    if (first)
        gy_space_count(t->view, p->arcs.n - from);
    drop_idle_arcs(t, from);
    gy_space_shuffle(t->view, p->arcs.at + from, p->arcs.n - from);
    return true;
}

static bool leave(thread *t)
{
    path *p = &t->blue;
    frame top = p->frames.at[p->frames.n - 1];
    pop(p);
    if (!top.accepting || t->space->uniform) {
        paint(t, top.node, t->cyan, BLUE);
        return true;
    }
    paint(t, top.node, t->cyan, BLUE | BLUE_);
    return search_red(t, top.node);
}

static bool follow(thread *t, gy_arc arc)
{
    uint64_t is = colours(t, arc.to);
    bool accepting = is_accepting(t, arc.marks), uniform = t->space->uniform;
    if (is & t->cyan)
        return accepting ? found(t, arc.to) : true;
    if (!(is & BLUE))
        return enter(t, arc.to, accepting);
    if (!accepting || uniform || (is & BLUE_))
        return true;
    paint(t, arc.to, 0, t->cyan_ | BLUE_);
    return search_red(t, arc.to);
}

static bool search_from(thread *t, gy_ref initial)
{
    path *p = &t->blue;
    if (!follow(t, (gy_arc){.to = initial, .marks = 0}))
        return false;
    while (p->frames.n > 0) {
        gy_space_settle(t->view);
        frame *top = &p->frames.at[p->frames.n - 1];
        bool fine;
        if (top->first + top->next == p->arcs.n) {
            fine = leave(t);
        } else {
            gy_arc arc = p->arcs.at[top->first + top->next++];
            fine = follow(t, arc);
        }
        if (!fine)
            return false;
    }
    return true;
}

// ---- all threads ----------------------------------------------------------------------

typedef struct search {
    gy_space *space;
    thread **threads;    // by member; NULL: not at work
    gy_breadth *breadth; // where the observer waits; NULL: nowhere
} search;

static void rename_path(gy_space *s, unsigned leader, path *p)
{
    for (size_t i = 0; i < p->frames.n; i++)
        gy_space_rename(s, leader, &p->frames.at[i].node);
    for (size_t i = 0; i < p->arcs.n; i++)
        gy_space_rename(s, leader, &p->arcs.at[i].to);
}

static void rename_all(void *user, unsigned leader)
{
    search *all = user;
    gy_space *s = all->space;
    if (all->breadth)
        gy_breadth_rename(all->breadth, leader);
    for (unsigned m = 0; m < s->size; m++) {
        thread *t = all->threads[m];
        if (!t)
            continue;
        rename_path(s, leader, &t->blue);
        rename_path(s, leader, &t->red);
        for (size_t i = 0; i < t->passed.n; i++)
            gy_space_rename(s, leader, &t->passed.at[i]);
        for (size_t i = 0; i < t->passed_.n; i++)
            gy_space_rename(s, leader, &t->passed_.at[i]);
        if (t->seed != GY_NO_REF)
            gy_space_rename(s, leader, &t->seed);
    }
}

static void search_all(thread *t)
{
    const gy_refs *initial = &t->space->initial;
    for (size_t i = 0; i < initial->n && !gy_space_ends(t->space); i++)
        if (!search_from(t, initial->at[(i + t->view->member) % initial->n]))
            return;
}

// Each node by one of the threads: those that others are at are searched by this one, too, if they
// come in its way.
static void search_behind(thread *t, gy_breadth *breadth)
{
    gy_ref node;
    while (!gy_space_ends(t->space) &&
           (node = gy_breadth_take(breadth, t->view->member)) != GY_NO_REF)
        if (!search_from(t, node))
            return;
}

static void work(void *user, gy_space_view *view)
{
    search *all = user;
    gy_space *s = all->space;
    unsigned shift =
        shared_bits(s->size, s->uniform) + view->member * own_bits(s->size, s->uniform);
    thread t = {.space = s, .view = view, .cyan = 1ull << shift, .seed = GY_NO_REF};
    t.expanded = s->size > 1 && !s->uniform ? EXPANDED : 0;
    if (!s->uniform) {
        t.cyan_ = 2ull << shift;
        t.pink = s->size > 1 ? 4ull << shift : RED;
        t.pink_ = s->size > 1 ? 8ull << shift : RED_;
    }
    all->threads[view->member] = &t;
    view->store->all_notes = true;
    if (all->breadth)
        search_behind(&t, all->breadth);
    else
        search_all(&t);
    view->store->all_notes = false;
    all->threads[view->member] = NULL;
    gy_space_note_depth(s, t.depth);
    gy_vec_free(&t.blue.frames);
    gy_vec_free(&t.blue.arcs);
    gy_vec_free(&t.red.frames);
    gy_vec_free(&t.red.arcs);
    gy_vec_free(&t.passed);
    gy_vec_free(&t.passed_);
}

static bool next(void *user, gy_space_view *view)
{
    search *all = user;
    gy_breadth_turn turn = gy_breadth_next(all->breadth, view);
    all->space->work = turn == GY_BREADTH_LEVEL ? gy_breadth_work : work;
    all->space->user = turn == GY_BREADTH_LEVEL ? (void *)all->breadth : all;
    return turn != GY_BREADTH_OVER;
}

void gy_space_cndfs(gy_space *space)
{
    search all = {.space = space};
    all.threads = gy_alloc_zero(space->size * sizeof *all.threads);
    space->rename = rename_all;
    space->rename_user = &all;
    if (space->waits == GY_NO_PLACE) {
        gy_space_run(space, work, &all);
    } else {
        gy_breadth breadth;
        all.breadth = &breadth;
        gy_breadth_init(&breadth, space, QUEUED);
        gy_space_run_turns(space, next, &all);
        gy_breadth_free(&breadth);
    }
    space->rename = NULL;
    free(all.threads);
}
