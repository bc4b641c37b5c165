#include "search/liveness/space.h"

#include "base/fatal.h"

#include <sched.h>
#include <stdlib.h>

enum { LOOK = 256 }; // nodes between checks of limits

void gy_space_end(gy_space *space)
{
    atomic_store_explicit(&space->stop, true, memory_order_relaxed);
}

void gy_space_out_of_memory(gy_space *space)
{
    atomic_store_explicit(&space->no_memory, true, memory_order_relaxed);
    gy_space_end(space);
}

uint64_t gy_space_states(const gy_space *space)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < space->size; i++)
        sum += atomic_load_explicit(&space->views[i].states, memory_order_relaxed);
    return sum;
}

uint64_t gy_space_transitions(const gy_space *space)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < space->size; i++)
        sum += atomic_load_explicit(&space->views[i].transitions, memory_order_relaxed);
    return sum;
}

void gy_space_note_depth(gy_space *space, uint64_t depth)
{
    uint64_t most = atomic_load_explicit(&space->depth, memory_order_relaxed);
    while (depth > most && !atomic_compare_exchange_weak(&space->depth, &most, depth))
        ;
}

// ---- meetings -------------------------------------------------------------------------

// References change, if the store finds that this pays.
static void settle(gy_space *s, unsigned member)
{
    atomic_store_explicit(&s->unsettled, false, memory_order_relaxed);
    if (!gy_store_plan(s->store, s->team.size ? &s->team : NULL))
        return;
    for (size_t i = 0; i < s->initial.n; i++)
        gy_space_rename(s, member, &s->initial.at[i]);
    s->rename(s->rename_user, member);
    gy_store_settle(s->store);
}

// The store gets room, if it wants some; `clean`: no member keeps references elsewhere.
static void tend_store(gy_space *s, unsigned member, bool clean)
{
    if (gy_store_wants_room(s->store) && !gy_space_ends(s) && !gy_store_grow(s->store, &s->team))
        gy_space_out_of_memory(s);
    if (atomic_load_explicit(&s->unsettled, memory_order_relaxed) && clean && !gy_space_ends(s))
        settle(s, member);
}

// Nothing works. False: it is over.
static bool begin_turn(gy_space *s, unsigned member)
{
    if (!s->next || gy_space_ends(s))
        return false;
    s->solo = true;
    bool goes_on = s->next(s->next_user, &s->views[member]);
    s->solo = false;
    gy_store_tell(s->views[member].store);
    s->turns += goes_on;
    return goes_on;
}

static void lead(void *user, unsigned member)
{
    gy_space *s = user;
    tend_store(s, member, atomic_exchange(&s->clean, 0) == s->team.size);
    if (atomic_load(&s->finished) < s->team.size)
        return;
    atomic_store(&s->finished, 0);
    s->over = !begin_turn(s, member);
}

static void meet(gy_space_view *v, bool clean)
{
    gy_space *s = v->space;
    gy_store_tell(v->store);
    if (!s->team.size || s->solo) {
        tend_store(s, v->member, clean);
        return;
    }
    if (clean)
        atomic_fetch_add(&s->clean, 1);
    gy_team_meet(&s->team, lead, v->member);
}

static bool is_meeting_due(const gy_space *s)
{
    return gy_store_wants_room(s->store) ||
           atomic_load_explicit(&s->unsettled, memory_order_relaxed);
}

void gy_space_settle_slow(gy_space_view *v)
{
    if (!gy_space_ends(v->space))
        meet(v, true);
}

void gy_space_pause(gy_space_view *v)
{
    if (is_meeting_due(v->space) && !gy_space_ends(v->space))
        meet(v, true);
}

bool gy_space_rest(gy_space_view *v)
{
    if (gy_space_ends(v->space))
        return true;
    if (is_meeting_due(v->space))
        meet(v, true);
    else
        sched_yield();
    return gy_space_ends(v->space);
}

// Members that have nothing left to do are asleep, but for meetings.
static void begin(void *user, unsigned member)
{
    gy_space *s = user;
    do {
        uint64_t turn = s->turns;
        s->work(s->user, &s->views[member]);
        atomic_fetch_add(&s->finished, 1);
        do
            meet(&s->views[member], true);
        while (!s->over && s->turns == turn);
    } while (!s->over);
}

// From the first turn on, which is set.
static void run(gy_space *s)
{
    s->over = false;
    atomic_store(&s->finished, 0);
    atomic_store(&s->clean, 0);
    if (s->size > 1) { // if the system has fewer threads, the others have more to do
        gy_team_run(s->size, begin, s, &s->team);
        return;
    }
    do {
        s->work(s->user, &s->views[0]);
        gy_store_tell(s->views[0].store);
    } while (begin_turn(s, 0));
}

void gy_space_run_turns(gy_space *s, bool (*next)(void *user, gy_space_view *view), void *user)
{
    s->next = next;
    s->next_user = user;
    if (begin_turn(s, 0))
        run(s);
    s->next = NULL;
}

void gy_space_run(gy_space *s, void (*work)(void *user, gy_space_view *view), void *user)
{
    s->work = work;
    s->user = user;
    run(s);
}

// ---- entering -------------------------------------------------------------------------

void gy_space_items_make_room(gy_space_items *items, size_t room)
{
    room = room < 2 * items->room ? 2 * items->room : room;
    items->in = gy_realloc(items->in, room * sizeof *items->in);
    items->marks = gy_realloc(items->marks, room * sizeof *items->marks);
    items->origins = gy_realloc(items->origins, room * sizeof *items->origins);
    items->room = room;
}

bool gy_space_all_fit(gy_space *s, const gy_arrivals *in, uint32_t count)
{
    uint32_t any = 0; // the bits of all: no length is above that
    if (s->most_words == UINT32_MAX)
        return true;
    for (uint32_t i = 0; i < count; i++)
        any |= gy_arrival_words(in, i);
    for (uint32_t i = 0; i < count && any > s->most_words; i++)
        if (gy_arrival_words(in, i) > s->most_words) {
            atomic_store_explicit(&s->too_long, true, memory_order_relaxed);
            gy_space_out_of_memory(s);
            return false;
        }
    return true;
}

bool gy_space_take_in(gy_space_view *v)
{
    gy_space *s = v->space;
    while (!gy_store_enter(v->store)) {
        meet(v, false);
        if (gy_space_ends(s)) {
            gy_store_clear(v->store);
            return false;
        }
    }
    if (!s->together || s->short_refs)
        return true;
    uint64_t refs = 0;
    for (uint32_t i = 0; i < v->store->n; i++)
        refs |= v->store->refs[i];
    return gy_space_is_short(s, refs);
}

static bool enter_batch(gy_space_view *v, gy_ref parent, size_t at, uint32_t count, gy_arcs *out)
{
    gy_space *s = v->space;
    gy_store_view *store = v->store;
    gy_store_parent from = {parent, count};
    gy_arrivals arrivals = GY_ARRIVALS(gy_incoming, v->items.in + at);
    if (!gy_space_all_fit(s, &arrivals, count))
        return false;
    gy_store_add(store, &from, 1, &arrivals);
    if (!gy_space_take_in(v))
        return false;
    if (!s->together) // there a state may be several nodes
        gy_space_count_states(v, store->fresh_count);
    gy_vec_reserve(out, out->n + count);
    if (store->all_notes) {
        gy_vec_reserve(&v->notes, v->notes.n + count);
        memcpy(v->notes.at + v->notes.n, store->notes, count * sizeof *store->notes);
        v->notes.n += count;
    }
    gy_arc *arcs = out->at + out->n;
    const uint64_t *marks = v->items.marks + at;
    for (uint32_t i = 0; i < count; i++)
        arcs[i] = (gy_arc){store->refs[i], marks[i]};
    out->n += count;
    gy_store_clear(store);
    return true;
}

static bool enter(gy_space_view *v, gy_ref parent, gy_arcs *out)
{
    for (size_t at = 0; at < v->items.n; at += GY_STORE_BATCH) {
        size_t left = v->items.n - at;
        uint32_t count = left < GY_STORE_BATCH ? (uint32_t)left : GY_STORE_BATCH;
        if (!enter_batch(v, parent, at, count, out))
            return false;
    }
    return true;
}

static bool look_around(gy_space *s)
{
    const gy_space_maker *maker = s->maker;
    uint64_t states = gy_space_states(s);
    bool ends = maker->look && maker->look(maker->self, states, gy_space_transitions(s));
    if (s->limit && states >= s->limit)
        ends = s->broken_off = true;
    return ends;
}

void gy_space_look(gy_space_view *v)
{
    gy_space *s = v->space;
    bool glances = gy_limit_poll_glances(&v->pace);
    if (!glances)
        gy_limit_poll_look(&v->pace, s->hostile ? 0 : LOOK);
    if (!glances && s->rename && gy_store_unsettled(s->store))
        atomic_store_explicit(&s->unsettled, true, memory_order_relaxed);
    if (atomic_flag_test_and_set_explicit(&s->watch, memory_order_acquire))
        return;
    if (!glances ? look_around(s) : s->maker->glance && s->maker->glance(s->maker->self)) {
        atomic_store_explicit(&s->limited, true, memory_order_relaxed);
        gy_space_end(s);
    }
    atomic_flag_clear_explicit(&s->watch, memory_order_release);
}

void gy_space_saw(gy_space *s, gy_ref node)
{
    if (!atomic_flag_test_and_set(&s->told))
        s->seen = node;
    gy_space_end(s);
}

int gy_space_edges(gy_space_view *v, gy_ref node, gy_arcs *out)
{
    gy_space *s = v->space;
    uint32_t words;
    if (gy_store_wants_room(s->store))
        meet(v, false);
    if (gy_limit_poll_due(&v->pace))
        gy_space_look(v);
    if (gy_space_ends(s))
        return GY_GRAPH_STOP;
    v->notes.n = 0;
    if (s->together)
        return gy_space_edges_together(v, node, out);
    const uint32_t *state = gy_store_state(v->store, node, &words);
    v->items.n = 0;
    int answer = s->maker->successors(v->worker, state, words, &v->items);
    if (answer == GY_GRAPH_SEEN)
        gy_space_saw(s, node);
    if (answer)
        gy_space_end(s);
    else if (!enter(v, node, out))
        answer = GY_GRAPH_STOP;
    return answer;
}

static int known_apart(gy_space_view *v, gy_ref node, gy_arcs *out)
{
    uint32_t words;
    size_t kept = 0;
    const uint32_t *state = gy_store_state(v->store, node, &words);
    int answer = v->space->maker->successors(v->worker, state, words, &v->items);
    if (answer ==
        GY_GRAPH_STOP) // its marks cannot be determined, so it is on the path to a cycle only
        answer = 0;
    for (size_t i = 0; i < v->items.n && !answer; i++) {
        const gy_incoming *in = &v->items.in[i];
        gy_arc arc = {.marks = v->items.marks[i]};
        if (!gy_store_find(v->store, in->state, in->words, &arc.to))
            continue;
        gy_vec_push(out, arc);
        v->items.in[kept] = *in;
        v->items.marks[kept] = arc.marks;
        v->items.origins[kept++] = v->items.origins[i];
    }
    v->items.n = kept;
    return answer;
}

int gy_space_known_edges(gy_space_view *v, gy_ref node, gy_arcs *out)
{
    v->items.n = 0;
    int answer =
        v->space->together ? gy_space_known_together(v, node, out) : known_apart(v, node, out);
    if (gy_limit_poll_due(&v->pace))
        gy_space_look(v);
    if (atomic_load_explicit(&v->space->limited, memory_order_relaxed))
        answer = GY_GRAPH_STOP;
    return answer;
}

// ---- small things ---------------------------------------------------------------------

static uint64_t next_random(gy_space_view *v)
{
    v->random ^= v->random << 13;
    v->random ^= v->random >> 7;
    v->random ^= v->random << 17;
    return v->random;
}

static void exchange(gy_arc *arcs, size_t a, size_t b)
{
    gy_arc arc = arcs[a];
    arcs[a] = arcs[b];
    arcs[b] = arc;
}

void gy_space_shuffle(gy_space_view *v, gy_arc *arcs, size_t count)
{
    if (v->member == 0 || count < 2)
        return;
    for (size_t i = 0; v->member == 1 && i < count / 2; i++) // as far from the first as can be
        exchange(arcs, i, count - 1 - i);
    for (size_t i = count; v->member > 1 && i > 1; i--)
        exchange(arcs, i - 1, next_random(v) % i);
}

bool gy_space_found(gy_space_view *v)
{
    gy_space *s = v->space;
    bool first = !atomic_flag_test_and_set(&s->told);
    if (first)
        s->found = true;
    gy_space_end(s);
    return first;
}

void gy_space_look_back(gy_space *s)
{
    s->limit = 0;
    atomic_store(&s->limited, false); // it may have been broken off at the same time
}

// ---- life -----------------------------------------------------------------------------

static void open_view(gy_space *s, unsigned member)
{
    gy_space_view *v = &s->views[member];
    v->space = s;
    v->member = member;
    v->worker = s->maker->open(s->maker->self);
    v->store = gy_store_view_new(s->store);
    v->store->all_refs = true;
    v->random = 0x9e3779b97f4a7c15u * (member + 1);
    gy_limit_poll_begin(&v->pace, s->hostile ? 0 : LOOK);
}

static bool begin_with_initial(gy_space *s)
{
    gy_space_view *v = &s->views[0];
    gy_arcs arcs = {0};
    int answer = s->maker->initial(v->worker, &v->items);
    if (answer)
        gy_space_end(s);
    bool fine = answer || enter(v, GY_NO_REF, &arcs);
    gy_space_count(v, arcs.n);
    for (size_t i = 0; i < arcs.n; i++) {
        gy_ref to = arcs.at[i].to;
        if (s->together)
            to = gy_space_node_at(to, (uint32_t)arcs.at[i].marks);
        gy_vec_push(&s->initial, to);
        gy_vec_push(&s->origins, v->items.origins[i]);
    }
    gy_vec_free(&arcs);
    return fine;
}

gy_space *gy_space_new(const gy_space_options *options)
{
    gy_space *s = gy_alloc_zero(sizeof *s);
    gy_store_options wanted = {.budget = options->budget,
                               .threads = options->threads,
                               .note_bytes = options->note_bytes,
                               .hostile = options->hostile};
    s->waits = GY_NO_PLACE;
    if (options->places) {
        gy_space_place_fields(s, options);
        wanted.note_bytes =
            gy_space_bytes_together(options->places, options->place_bits, s->waits != GY_NO_PLACE);
    }
    s->maker = options->maker;
    s->budget = options->budget;
    s->limit = options->limit;
    s->all = options->all;
    s->uniform = options->uniform;
    s->hostile = options->hostile;
    s->seen = GY_NO_REF;
    s->size = options->threads;
    atomic_flag_clear(&s->watch);
    atomic_flag_clear(&s->told);
    s->store = gy_store_new(options->kind, &wanted);
    if (s->store) {
        const gy_store_traits *traits = gy_store_traits_of(s->store);
        s->most_words = traits->most_words ? traits->most_words : UINT32_MAX;
        s->short_refs = traits->ref_bits && traits->ref_bits <= GY_PLACE_SHIFT;
        s->views = gy_alloc_apart(s->size * sizeof *s->views);
        for (unsigned i = 0; i < s->size; i++)
            open_view(s, i);
    }
    if (!s->store || (!begin_with_initial(s) && !atomic_load(&s->too_long))) {
        gy_space_free(s);
        return NULL;
    }
    return s;
}

void gy_space_free(gy_space *s)
{
    if (!s)
        return;
    for (unsigned i = 0; i < s->size && s->views; i++) {
        gy_space_view *v = &s->views[i];
        s->maker->close(v->worker);
        gy_store_view_free(v->store);
        gy_vec_free(&v->notes);
        free(v->items.in);
        free(v->items.marks);
        free(v->items.origins);
    }
    gy_store_free(s->store);
    gy_vec_free(&s->initial);
    gy_vec_free(&s->origins);
    gy_vec_free(&s->component);
    free(s->views);
    free(s);
}
