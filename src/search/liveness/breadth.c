#include "search/liveness/breadth.h"

#include "base/fatal.h"

#include <stdlib.h>

enum {
    PIECE = 64,
    FEW = 256,
    PARENTS = 64,
    ARRIVALS = 64,
    LEAST_OUT = 1024,
    MOST_OUT = 1 << 12,
    LEAST_ROOM = 128
};

// States whose steps are under way, and the moves by which the observer leaves its place there.
typedef struct batch {
    gy_breadth *b;
    gy_space_view *view;
    gy_store_parent parents[PARENTS];
    uint32_t moves[PARENTS + 1]; // by parent: its moves begin there in `to`
    uint32_t count;
    const gy_transition *steps;
    GY_VEC(uint32_t) to;         // places
    const gy_observer_move *own; // of the state at hand: all moves
    uint32_t own_count;
} batch;

// Lists are as long as levels, so they grow by little: by doubling, much of what is beside the
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
static void pay(gy_space *s, uint64_t *paid, const gy_refs *a, const gy_refs *b)
{
    uint64_t bytes = (a->room + b->room) * sizeof(gy_ref);
    if (bytes > *paid && !gy_budget_take(s->budget, bytes - *paid)) {
        gy_space_out_of_memory(s);
        return;
    }
    if (bytes < *paid)
        gy_budget_give(s->budget, *paid - bytes);
    *paid = bytes;
}

// ---- arriving -------------------------------------------------------------------------

// What a state's note has if it was met with the observer at its place.
static uint64_t waits_bit(const gy_space *s)
{
    return 1ull << s->shift[s->waits];
}

// States that are new there.
static void arrive(batch *a)
{
    const gy_store_view *store = a->view->store;
    gy_refs *next = &a->b->next[a->view->member];
    uint32_t count = store->fresh_count;
    make_room(next, count);
    for (uint32_t k = 0; k < count; k++)
        next->at[next->n + k] = store->refs[store->fresh[k]];
    next->n += count;
    gy_space_count_states(a->view, count);
}

// A node behind it, and the note of its state: does nobody know it?
static void leave_to(batch *a, gy_ref node, uint64_t note)
{
    const gy_space *s = a->b->space;
    if (!(note >> s->shift[gy_space_place_of(node)] & s->field) &&
        !gy_space_change_note(a->view, node, 0, a->b->queued)) {
        gy_refs *left = &a->b->left[a->view->member];
        make_room(left, 1);
        left->at[left->n++] = node;
    }
}

// The arrivals of a parent, for each of its moves.
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

// The next parent, whose successors end at `end`; its moves are `own`.
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
    if (v->countdown-- == 0)
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

// ---- levels ---------------------------------------------------------------------------

void gy_breadth_work(void *user, gy_space_view *view)
{
    gy_breadth *b = user;
    gy_space *s = b->space;
    batch *a = gy_alloc_zero(sizeof *a);
    size_t count = b->now.n, piece = s->hostile ? 1 : PIECE, from;
    a->b = b;
    a->view = view;
    view->store->claim = waits_bit(s);
    view->store->all_notes = true;
    while (!gy_space_ends(s) &&
           (from = atomic_fetch_add_explicit(&b->cursor, piece, memory_order_relaxed)) < count) {
        size_t to = from + piece < count ? from + piece : count;
        gy_space_pause(view);
        gy_store_prefetch(view->store, b->now.at + from, (uint32_t)(to - from));
        for (size_t i = from; i < to && !gy_space_ends(s); i++)
            expand(a, b->now.at[i]);
        if (!gy_space_ends(s))
            flush(a);
        pay(s, &b->paid[view->member], &b->next[view->member], &b->left[view->member]);
    }
    view->store->claim = 0;
    view->store->all_notes = false;
    gy_vec_free(&a->to);
    free(a);
}

static void append(gy_refs *to, gy_refs *from)
{
    if (from->n) {
        make_room(to, from->n);
        memcpy(to->at + to->n, from->at, from->n * sizeof *to->at);
        to->n += from->n;
    }
    from->n = 0;
}

// What the members have found becomes the next level.
static void end_level(gy_breadth *b)
{
    gy_space *s = b->space;
    gy_refs done = b->now;
    b->now = b->next[0]; // mostly all of them
    b->next[0] = done;
    b->next[0].n = 0;
    for (unsigned i = 0; i < s->size; i++) {
        if (i)
            append(&b->now, &b->next[i]);
        append(&b->out, &b->left[i]);
    }
    trim(&b->now, 0);
    trim(&b->out, 0);
    for (unsigned i = 0; i < s->size; i++) {
        trim(&b->next[i], b->now.n / s->size);
        trim(&b->left[i], 0);
        pay(s, &b->paid[i], &b->next[i], &b->left[i]);
    }
    pay(s, &b->paid_now, &b->now, &b->out);
}

// All that was left has been searched.
static void end_search(gy_breadth *b)
{
    b->enough = b->handed < LEAST_OUT ? LEAST_OUT : b->handed < MOST_OUT ? b->handed : MOST_OUT;
    if (b->space->hostile)
        b->enough = 1;
    b->handed += b->out.n;
    b->out.n = 0;
    atomic_store(&b->searched, 0);
}

gy_breadth_turn gy_breadth_next(gy_breadth *b, gy_space_view *view)
{
    gy_space *s = b->space;
    size_t few = s->size == 1 ? SIZE_MAX : s->hostile ? 2 : FEW;
    if (b->turn == GY_BREADTH_LEVEL)
        end_level(b);
    else
        end_search(b);
    b->turn = GY_BREADTH_OVER;
    while (b->now.n && b->out.n < b->enough && !gy_space_ends(s)) {
        atomic_store(&b->cursor, 0);
        b->levels++;
        if (b->now.n >= few)
            return b->turn = GY_BREADTH_LEVEL;
        gy_breadth_work(b, view);
        end_level(b);
    }
    gy_space_note_depth(s, b->levels);
    if (b->out.n && !gy_space_ends(s))
        b->turn = GY_BREADTH_SEARCH;
    return b->turn;
}

gy_ref gy_breadth_take(gy_breadth *b)
{
    size_t i = atomic_fetch_add_explicit(&b->searched, 1, memory_order_relaxed);
    return i < b->out.n ? b->out.at[i] : GY_NO_REF;
}

static void rename_list(gy_breadth *b, unsigned leader, gy_refs *list)
{
    for (size_t i = 0; i < list->n; i++)
        gy_space_rename(b->space, leader, &list->at[i]);
}

void gy_breadth_rename(gy_breadth *b, unsigned leader)
{
    rename_list(b, leader, &b->now);
    rename_list(b, leader, &b->out);
    for (unsigned i = 0; i < b->space->size; i++) {
        rename_list(b, leader, &b->next[i]);
        rename_list(b, leader, &b->left[i]);
    }
}

void gy_breadth_init(gy_breadth *b, gy_space *space, uint64_t queued)
{
    *b = (gy_breadth){.space = space, .queued = queued};
    b->next = gy_alloc_zero(space->size * sizeof *b->next);
    b->left = gy_alloc_zero(space->size * sizeof *b->left);
    b->paid = gy_alloc_zero(space->size * sizeof *b->paid);
    gy_space_view *v = &space->views[0];
    uint64_t waits = waits_bit(space);
    for (size_t i = 0; i < space->initial.n; i++) {
        gy_ref state = gy_space_state_of(space, space->initial.at[i]);
        if (gy_store_change_note(v->store, state, 0, waits) & waits)
            continue;
        gy_space_count_states(v, 1);
        gy_vec_push(&b->now, state);
    }
}

void gy_breadth_free(gy_breadth *b)
{
    for (unsigned i = 0; i < b->space->size; i++) {
        gy_vec_free(&b->next[i]);
        gy_vec_free(&b->left[i]);
        gy_budget_give(b->space->budget, b->paid[i]);
    }
    gy_budget_give(b->space->budget, b->paid_now);
    free(b->paid);
    free(b->next);
    free(b->left);
    gy_vec_free(&b->now);
    gy_vec_free(&b->out);
}
