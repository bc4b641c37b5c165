#include "search/liveness/waiting_bfs.h"

#include "base/fatal.h"

#include <stdlib.h>

enum {
    LEAST_PIECE = 16,
    MOST_PIECE = 256,
    FEW = 256,
    PARENTS = GY_GROUP,
    ARRIVALS = 64,
    LEAST_OUT = 1024,
    MOST_OUT = 1 << 12,
    LEAST_ROOM = 128
};

// States whose steps are under way, and the transitions by which the observer leaves its place
// there.
typedef struct batch {
    gy_breadth *b;
    gy_space_view *view;
    gy_store_parent parents[PARENTS];
    uint32_t moves[PARENTS + 1]; // by parent: its transitions begin there in `to`
    uint32_t count;
    const gy_transition *steps;
    GY_VEC(uint32_t) to;         // places
    const gy_observer_move *own; // of the current state: all transitions
    uint32_t own_count;
    gy_space_group group;
} batch;

// Lists are as long as levels, so they grow by little: by doubling, much of what is next to the
// states would be room that is not used.
static void resize(gy_refs *list, size_t n)
{
    enum { PART = 16 };
    list->room = n + n / PART + LEAST_ROOM;
    list->at = gy_realloc(list->at, list->room * sizeof *list->at);
}

static void make_room(gy_refs *list, size_t more)
{
    if (list->n + more > list->room)
        resize(list, list->n + more);
}

// The last levels are small, and the store is largest then.
static void trim(gy_refs *list, size_t wanted)
{
    size_t n = list->n > wanted ? list->n : wanted;
    if (list->room > 2 * (n + LEAST_ROOM))
        resize(list, n);
}

// What they take is drawn from the budget. No memory: the search ends.
static void pay(gy_space *s, gy_breadth_share *mine)
{
    uint64_t bytes = (mine->now.room + mine->next.room + mine->left.room) * sizeof(gy_ref);
    if (bytes > mine->paid && !gy_budget_take(s->budget, bytes - mine->paid)) {
        gy_space_out_of_memory(s);
        return;
    }
    if (bytes < mine->paid)
        gy_budget_give(s->budget, mine->paid - bytes);
    mine->paid = bytes;
}

// ---- arriving -------------------------------------------------------------------------

// What a state's note has if it was reached with the observer at its place.
static uint64_t waits_bit(const gy_space *s)
{
    return 1ull << s->shift[s->waits];
}

// States that are new there.
static void arrive(batch *a)
{
    const gy_store_view *store = a->view->store;
    gy_refs *next = &a->b->shares[a->view->member].next;
    uint32_t count = store->fresh_count;
    make_room(next, count);
    for (uint32_t k = 0; k < count; k++)
        next->at[next->n + k] = store->refs[store->fresh[k]];
    next->n += count;
    gy_space_count_states(a->view, count);
}

// A node after it, and the note of its state: does nothing know it?
static void leave_to(batch *a, gy_ref node, uint64_t note)
{
    const gy_space *s = a->b->space;
    if (!(note >> s->shift[gy_space_place_of(node)] & s->field) &&
        !gy_space_change_note(a->view, node, 0, a->b->queued)) {
        gy_refs *left = &a->b->shares[a->view->member].left;
        make_room(left, 1);
        left->at[left->n++] = node;
    }
}

// The arrivals of a parent, for each of its transitions.
static void leave(batch *a, uint32_t parent, uint32_t from)
{
    const gy_store_view *store = a->view->store;
    for (uint32_t m = a->moves[parent]; m < a->moves[parent + 1]; m++)
        for (uint32_t i = from; i < a->parents[parent].end; i++)
            leave_to(a, gy_space_node_at(store->refs[i], a->to.at[m]), store->notes[i]);
}

// What is under way, successors of the parents from `first` on, ends in the store.
static void enter(batch *a, uint32_t first)
{
    gy_store_view *store = a->view->store;
    if (!gy_space_take_in(a->view))
        return;
    arrive(a);
    for (uint32_t parent = first, from = 0; from < store->n && a->to.n; parent++) {
        leave(a, parent, from);
        from = a->parents[parent].end;
    }
    gy_store_clear(store);
}

// One parent with more steps than the store takes at once, or one of several.
static void enter_by_portions(batch *a, uint32_t parent, gy_arrivals steps, uint32_t count)
{
    gy_store_parent whole = a->parents[parent];
    for (uint32_t from = 0; from < count && !gy_space_ends(a->b->space); from += GY_STORE_BATCH) {
        uint32_t some = count - from < GY_STORE_BATCH ? count - from : GY_STORE_BATCH;
        a->parents[parent].end = some;
        gy_store_add(a->view->store, &a->parents[parent], 1, &steps);
        enter(a, parent);
        steps.first += some * steps.stride;
    }
    a->parents[parent] = whole;
}

static void forget(batch *a)
{
    a->count = 0;
    a->to.n = 0;
}

static void flush(batch *a)
{
    uint32_t total = a->count ? a->parents[a->count - 1].end : 0;
    gy_arrivals steps = GY_ARRIVALS(gy_transition, a->steps);
    if (total && gy_space_all_fit(a->b->space, &steps, total)) {
        if (total <= GY_STORE_BATCH) {
            gy_store_add(a->view->store, a->parents, a->count, &steps);
            enter(a, 0);
        } else {
            for (uint32_t p = 0, from = 0; p < a->count; p++) {
                uint32_t count = a->parents[p].end - from;
                from = a->parents[p].end;
                enter_by_portions(a, p, steps, count);
                steps.first += count * steps.stride;
            }
        }
    }
    forget(a);
}

// ---- expanding ------------------------------------------------------------------------

// The next parent, whose successors end at `end`; its transitions are `own`.
static void add_parent(batch *a, gy_ref ref, uint32_t end)
{
    uint32_t waits = a->b->space->waits;
    a->moves[a->count] = (uint32_t)a->to.n;
    a->parents[a->count++] = (gy_store_parent){ref, end};
    for (uint32_t k = 0; k < a->own_count; k++)
        if (a->own[k].to != waits)
            gy_vec_push(&a->to, a->own[k].to);
    a->moves[a->count] = (uint32_t)a->to.n;
}

// Steps that do not come as an array with those of other states.
static void expand_alone(batch *a, gy_ref ref)
{
    gy_arrivals steps;
    uint32_t count = a->b->space->maker->steps(a->view->worker, &steps);
    gy_space_count(a->view, (uint64_t)count * a->own_count);
    add_parent(a, ref, count);
    if (gy_space_all_fit(a->b->space, &steps, count))
        enter_by_portions(a, 0, steps, count);
    forget(a);
}

// The observer goes on alone.
static void stay(batch *a, gy_ref ref)
{
    gy_space_count(a->view, a->own_count);
    for (uint32_t k = 0; k < a->own_count; k++)
        if (a->own[k].to != a->b->space->waits)
            leave_to(a, gy_space_node_at(ref, a->own[k].to), gy_store_note(a->view->store, ref));
}

static void expand(batch *a, gy_ref ref)
{
    gy_space *s = a->b->space;
    gy_space_view *v = a->view;
    const gy_space_maker *maker = s->maker;
    const gy_transition *steps = NULL;
    uint32_t words, count, before = a->count ? a->parents[a->count - 1].end : 0;
    if (gy_limit_poll_due(&v->pace))
        gy_space_look(v);
    const uint32_t *state = gy_store_state(v->store, ref, &words);
    if (maker->observe(v->worker, state, words, s->waits, &a->own, &a->own_count)) {
        gy_space_saw(s, gy_space_node_at(ref, s->waits));
        return;
    }
    if (a->count && maker->append)
        steps = maker->append(v->worker, false, &count);
    if (!steps) {
        flush(a);
        before = 0;
        if (maker->append)
            steps = a->steps = maker->append(v->worker, true, &count);
    }
    if (!steps) {
        expand_alone(a, ref);
    } else if (!count) {
        if (maker->stutters)
            stay(a, ref);
    } else {
        gy_space_count(v, (uint64_t)count * a->own_count);
        add_parent(a, ref, before + count);
        if (!v->store->joins || a->count == PARENTS || before + count >= ARRIVALS)
            flush(a);
    }
}

// The first ones of a group, which have their steps: nothing else is under way. As expand.
static void expand_done(batch *a, const gy_space_group *g, const gy_ref *refs, uint32_t done)
{
    const gy_observer_move *waiting = NULL; // moves of which none leads away: nearly always
    uint64_t arcs = 0;
    a->steps = g->states.all;
    for (uint32_t i = 0, before = 0; i < done; before = g->ends[i++]) {
        a->own = g->moves[i];
        a->own_count = g->move_counts[i];
        arcs += (uint64_t)(g->ends[i] - before) * a->own_count;
        if (g->ends[i] == before) {
            if (a->b->space->maker->stutters)
                stay(a, refs[i]);
        } else if (a->own == waiting) {
            a->parents[a->count++] = (gy_store_parent){refs[i], g->ends[i]};
            a->moves[a->count] = a->moves[a->count - 1];
        } else {
            add_parent(a, refs[i], g->ends[i]);
            bool leads_away = a->moves[a->count] > a->moves[a->count - 1];
            waiting =
                a->own_count && !leads_away ? a->own : NULL; // no transitions may lie anywhere
        }
    }
    gy_space_count(a->view, arcs);
    flush(a);
}

// The first ones, many at once if that can be. Returns how many.
static uint32_t expand_some(batch *a, const gy_ref *refs, uint32_t count)
{
    const gy_space *s = a->b->space;
    gy_space_view *v = a->view;
    const uint32_t *states[PARENTS];
    uint32_t words[PARENTS], done = 0;
    if (v->store->joins && s->maker->many &&
        gy_store_states(v->store, refs, count, states, words)) {
        a->group.states = (gy_many){states, words, count, ARRIVALS, NULL, NULL};
        a->group.at = s->waits;
        flush(a);
        done = s->maker->many(v->worker, &a->group);
    }
    if (!done) {
        expand(a, refs[0]);
        return 1;
    }
    expand_done(a, &a->group, refs, done);
    if (gy_limit_poll_due_after(&v->pace, done))
        gy_space_look(v);
    return done;
}

// ---- levels ---------------------------------------------------------------------------

// What comes soon is fetched while what is there is expanded.
static void expand_piece(batch *a, const gy_ref *states, size_t count)
{
    enum { AHEAD = 2 * PARENTS };
    gy_space *s = a->b->space;
    size_t fetched = 0;
    for (size_t i = 0; i < count && !gy_space_ends(s);) {
        size_t soon = count - i < AHEAD ? count : i + AHEAD, some = count - i;
        if (soon > fetched)
            gy_store_prefetch(a->view->store, states + fetched, (uint32_t)(soon - fetched));
        fetched = soon > fetched ? soon : fetched;
        i += expand_some(a, states + i, some < PARENTS ? (uint32_t)some : PARENTS);
    }
    if (!gy_space_ends(s))
        flush(a);
}

// Pieces that are large while there is much.
static void expand_share(batch *a, gy_breadth_share *of)
{
    gy_space *s = a->b->space;
    size_t count = of->now.n, piece = count / (8 * (size_t)s->size), from;
    piece = piece < LEAST_PIECE ? LEAST_PIECE : piece > MOST_PIECE ? MOST_PIECE : piece;
    if (s->hostile)
        piece = 1;
    while (!gy_space_ends(s) &&
           atomic_load_explicit(&of->taken, memory_order_relaxed) < count && // no race to nothing
           (from = atomic_fetch_add_explicit(&of->taken, piece, memory_order_relaxed)) < count) {
        gy_space_pause(a->view);
        expand_piece(a, of->now.at + from, from + piece < count ? piece : count - from);
        pay(s, &a->b->shares[a->view->member]);
    }
}

void gy_breadth_work(void *user, gy_space_view *view)
{
    gy_breadth *b = user;
    gy_space *s = b->space;
    batch *a = gy_alloc_zero(sizeof *a);
    a->b = b;
    a->view = view;
    view->store->claim = waits_bit(s);
    view->store->all_notes = true;
    for (unsigned i = 0; i < s->size; i++)
        expand_share(a, &b->shares[(view->member + i) % s->size]);
    view->store->claim = 0;
    view->store->all_notes = false;
    gy_vec_free(&a->to);
    free(a);
}

// What the members have found becomes the next level. Returns how much that is, and in *left the
// nodes after.
static size_t end_level(gy_breadth *b, size_t *left)
{
    gy_space *s = b->space;
    size_t now = 0;
    *left = 0;
    for (unsigned i = 0; i < s->size; i++) {
        gy_breadth_share *share = &b->shares[i];
        gy_refs done = share->now;
        share->now = share->next;
        share->next = done;
        share->next.n = 0;
        trim(&share->now, 0);
        trim(&share->next, share->now.n);
        trim(&share->left, 0);
        pay(s, share);
        atomic_store(&share->taken, 0);
        now += share->now.n;
        *left += share->left.n;
    }
    return now;
}

// All that was left has been searched.
static void end_search(gy_breadth *b)
{
    b->enough = b->handed < LEAST_OUT ? LEAST_OUT : b->handed < MOST_OUT ? b->handed : MOST_OUT;
    if (b->space->hostile)
        b->enough = 1;
    for (unsigned i = 0; i < b->space->size; i++) {
        b->handed += b->shares[i].left.n;
        b->shares[i].left.n = 0;
        atomic_store(&b->shares[i].searched, 0);
    }
}

static size_t states_now(const gy_breadth *b)
{
    size_t sum = 0;
    for (unsigned i = 0; i < b->space->size; i++)
        sum += b->shares[i].now.n;
    return sum;
}

gy_breadth_turn gy_breadth_next(gy_breadth *b, gy_space_view *view)
{
    gy_space *s = b->space;
    size_t few = s->size == 1 ? SIZE_MAX : s->hostile ? 2 : FEW, now, left = 0;
    if (b->turn == GY_BREADTH_LEVEL) {
        now = end_level(b, &left);
    } else {
        end_search(b);
        now = states_now(b);
    }
    b->turn = GY_BREADTH_OVER;
    while (now && left < b->enough && !gy_space_ends(s)) {
        b->levels++;
        if (now >= few)
            return b->turn = GY_BREADTH_LEVEL;
        gy_breadth_work(b, view);
        now = end_level(b, &left);
    }
    gy_space_note_depth(s, b->levels);
    if (left && !gy_space_ends(s))
        b->turn = GY_BREADTH_SEARCH;
    return b->turn;
}

gy_ref gy_breadth_take(gy_breadth *b, unsigned member)
{
    for (unsigned i = 0; i < b->space->size; i++) {
        gy_breadth_share *of = &b->shares[(member + i) % b->space->size];
        if (atomic_load_explicit(&of->searched, memory_order_relaxed) >= of->left.n)
            continue;
        size_t at = atomic_fetch_add_explicit(&of->searched, 1, memory_order_relaxed);
        if (at < of->left.n)
            return of->left.at[at];
    }
    return GY_NO_REF;
}

static void rename_list(gy_breadth *b, unsigned leader, gy_refs *list)
{
    for (size_t i = 0; i < list->n; i++)
        gy_space_rename(b->space, leader, &list->at[i]);
}

void gy_breadth_rename(gy_breadth *b, unsigned leader)
{
    for (unsigned i = 0; i < b->space->size; i++) {
        rename_list(b, leader, &b->shares[i].now);
        rename_list(b, leader, &b->shares[i].next);
        rename_list(b, leader, &b->shares[i].left);
    }
}

void gy_breadth_init(gy_breadth *b, gy_space *space, uint64_t queued)
{
    *b = (gy_breadth){.space = space, .queued = queued};
    b->shares = gy_alloc_apart(space->size * sizeof *b->shares);
    gy_space_view *v = &space->views[0];
    uint64_t waits = waits_bit(space);
    for (size_t i = 0; i < space->initial.n; i++) {
        gy_ref state = gy_space_state_of(space, space->initial.at[i]);
        if (gy_store_change_note(v->store, state, 0, waits) & waits)
            continue;
        gy_space_count_states(v, 1);
        gy_vec_push(&b->shares[0].now, state);
    }
}

void gy_breadth_free(gy_breadth *b)
{
    for (unsigned i = 0; i < b->space->size; i++) {
        gy_breadth_share *share = &b->shares[i];
        gy_vec_free(&share->now);
        gy_vec_free(&share->next);
        gy_vec_free(&share->left);
        gy_budget_give(b->space->budget, share->paid);
    }
    free(b->shares);
}
