// Every kind of store in the table of kinds, through the one interface: each state is new once, is
// where it is said to be, and stays there, whatever grows meanwhile and whoever else enters it.
//
// Bitstate and compact may miss states; with so few of them in so large a table, that would take
// more luck than there is (less than one in a million), and here they may not.
#include "store/kinds.h"

#include "crowd.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "sample.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Alone: enters one state at once, growing the store as need be.
static gy_store_answer enter_state(gy_store_view *view, const uint32_t *state, uint32_t words,
                                   gy_ref *ref)
{
    bool fine, all = view->all_refs;
    view->all_refs = true;
    gy_store_add_state(view, state, words);
    while (!(fine = gy_store_enter(view))) {
        gy_store_tell(view);
        if (!gy_store_grow(view->store, NULL))
            break;
    }
    bool fresh = fine && view->fresh_count;
    *ref = view->refs[0];
    view->all_refs = all;
    gy_store_clear(view);
    return !fine ? GY_STORE_FULL : fresh ? GY_STORE_NEW : GY_STORE_FOUND;
}

#ifdef __SANITIZE_THREAD__
enum { SLOW = 8 };
#else
enum { SLOW = 1 };
#endif

enum { MOST_WORDS = 200 };

static const uint32_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 64, 65, 1, 2, 3, 5, 6, MOST_WORDS};

// State i, of several lengths, all of those used here different: returns how long it is.
static uint32_t make_state(uint32_t *state, uint32_t i)
{
    uint32_t words = lengths[i % 16];
    for (uint32_t k = 0; k < words; k++)
        state[k] = k * k;
    state[i % words] = i; // often not the first word
    state[words - 1] ^= i << 1;
    return words;
}

static gy_store *make_store(const gy_store_kind_row *kind, gy_budget *budget, unsigned threads,
                            unsigned note_bytes, bool hostile)
{
    gy_store_options options = {.budget = budget,
                                .threads = threads,
                                .note_bytes = kind->traits.takes_notes ? note_bytes : 0,
                                .bitstate_bytes = 1 << 22,
                                .hostile = hostile};
    gy_store *store = gy_store_new(kind, &options);
    assert_non_null(store);
    return store;
}

// ---- one thread -------------------------------------------------------------------------

typedef struct rig {
    const gy_store_kind_row *kind;
    gy_budget budget;
    gy_store *store;
    gy_store_view *view;
    uint32_t states[GY_STORE_BATCH][MOST_WORDS], which[GY_STORE_BATCH];
    gy_ref *refs; // of each state that was entered; GY_NO_REF: it was not
    uint32_t n;   // states that there are refs for
    uint32_t grown, reencoded;
} rig;

static rig *rig_new(const gy_store_kind_row *kind, unsigned threads, unsigned note_bytes,
                    bool hostile, uint64_t limit, uint32_t most)
{
    rig *r = gy_alloc_zero(sizeof *r);
    r->kind = kind;
    gy_budget_init(&r->budget, limit);
    r->budget.other = 0;
    r->store = make_store(kind, &r->budget, threads, note_bytes, hostile);
    r->view = gy_store_view_new(r->store);
    r->view->all_refs = true;
    r->n = most;
    r->refs = gy_alloc(most * sizeof *r->refs);
    memset(r->refs, 0xff, most * sizeof *r->refs);
    return r;
}

static void rig_free(rig *r)
{
    gy_store_view_free(r->view);
    gy_store_free(r->store);
    assert_int_equal(r->budget.used, 0);
    free(r->refs);
    free(r);
}

static bool grow(rig *r)
{
    gy_store_tell(r->view);
    r->grown++;
    return gy_store_grow(r->store, NULL);
}

// Nothing is under way.
static void reencode(rig *r)
{
    gy_store_tell(r->view);
    if (!gy_store_unsettled(r->store) || !gy_store_plan(r->store, NULL))
        return;
    for (uint32_t i = 0; i < r->n; i++)
        if (r->refs[i] != GY_NO_REF)
            r->refs[i] = gy_store_reencode(r->store, 0, r->refs[i]);
    gy_store_settle(r->store);
    r->reencoded++;
}

static void add(rig *r, uint32_t i)
{
    uint32_t at = r->view->n, words = make_state(r->states[at], i);
    r->which[at] = i;
    gy_store_add_state(r->view, r->states[at], words);
    if (i % 3 == 0) { // its memory goes away
        gy_store_hold(r->view);
        memset(r->states[at], 0xee, sizeof r->states[at]);
    }
}

static bool found(rig *r, uint32_t i, gy_ref *ref)
{
    uint32_t state[MOST_WORDS], words = make_state(state, i);
    return gy_store_find(r->view, state, words, ref);
}

static void check_state(rig *r, uint32_t i)
{
    uint32_t state[MOST_WORDS], words = make_state(state, i), kept;
    gy_ref ref = GY_NO_REF;
    assert_true(found(r, i, &ref));
    assert_int_equal(ref, r->refs[i]);
    if (!r->kind->traits.gives_back)
        return;
    assert_true(gy_store_holds(r->store, ref));
    gy_store_prefetch(r->view, &ref, 1);
    const uint32_t *given = gy_store_state(r->view, ref, &kept);
    assert_int_equal(kept, words);
    assert_memory_equal(given, state, words * sizeof *state);
    if (gy_store_states(r->view, &ref, 1, &given, &kept)) {
        assert_int_equal(kept, words);
        assert_memory_equal(given, state, words * sizeof *state);
    } else {
        assert_string_not_equal(r->kind->traits.name, "plain");
    }
}

// States 0 .. n-1 are there, those after them are not.
static void check_all(rig *r, uint32_t n)
{
    gy_ref ref;
    gy_store_figures figures;
    gy_store_tell(r->view);
    gy_store_look(r->store, &figures);
    assert_int_equal(figures.states, n);
    for (uint32_t i = 0; i < n; i++)
        check_state(r, i);
    for (uint32_t i = n; i < n + 100; i++)
        assert_false(found(r, i, &ref));
}

// What is under way is entered; those that are new are new for the first time. False: no memory.
static bool enter_batch(rig *r)
{
    gy_store_view *view = r->view;
    bool expected[GY_STORE_BATCH] = {0};
    uint32_t expected_count = 0;
    for (uint32_t k = 0; k < view->n; k++) {
        bool before = r->refs[r->which[k]] != GY_NO_REF;
        for (uint32_t j = 0; j < k; j++)
            before = before || r->which[j] == r->which[k];
        expected[k] = !before;
        expected_count += !before;
    }
    while (!gy_store_enter(view)) {
        assert_true(gy_store_wants_room(r->store));
        if (!grow(r))
            return false;
    }
    assert_int_equal(view->fresh_count, expected_count);
    uint64_t fresh_of[GY_STORE_BATCH] = {0};
    for (uint32_t k = 0; k < view->fresh_count;
         k++) // of several equal ones, any may be the new one
        fresh_of[k] = r->which[view->fresh[k]];
    for (uint32_t k = 0; k < view->n; k++) {
        uint32_t times = 0;
        for (uint32_t j = 0; j < view->fresh_count; j++)
            times += fresh_of[j] == r->which[k];
        if (expected[k])
            assert_int_equal(times, 1);
        gy_ref *ref = &r->refs[r->which[k]];
        assert_true(*ref == GY_NO_REF || *ref == view->refs[k]);
        *ref = view->refs[k];
    }
    gy_store_clear(view);
    return true;
}

// New ones, some that were there before, some twice in a batch. Returns how many there are then.
static uint32_t enter_many(rig *r, uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t batch = 0; n < most; batch++) {
        uint32_t size = 1 + batch * 31 % GY_STORE_BATCH;
        while (r->view->n < size) {
            if (r->view->n % 5 == 1)
                add(r, r->which[r->view->n - 1]);
            else if (r->view->n % 5 == 3)
                add(r, n * 7 / 11);
            else
                add(r, n++);
        }
        assert_true(enter_batch(r));
        if (gy_store_wants_room(r->store))
            assert_true(grow(r));
        if (batch % 10 == 9)
            reencode(r);
        if (batch % 50 == 49)
            check_all(r, n);
    }
    check_all(r, n);
    return n;
}

// All are forgotten, and then come again, and some more.
static void enter_after_reset(rig *r, uint32_t before, uint32_t most)
{
    gy_ref ref;
    gy_store_figures figures;
    gy_store_view_free(r->view);
    bool can = gy_store_reset(r->store);
    r->view = gy_store_view_new(r->store);
    r->view->all_refs = true;
    if (!can)
        return;
    gy_store_look(r->store, &figures);
    assert_int_equal(figures.states, 0);
    for (uint32_t i = 0; i < before; i++)
        assert_false(found(r, i, &ref));
    memset(r->refs, 0xff, r->n * sizeof *r->refs);
    r->grown = 0;
    enter_many(r, before - GY_STORE_BATCH);
    assert_int_equal(r->grown, 0); // its room has stayed
    memset(r->refs, 0xff, r->n * sizeof *r->refs);
    gy_store_view_free(r->view);
    assert_true(gy_store_reset(r->store));
    r->view = gy_store_view_new(r->store);
    r->view->all_refs = true;
    enter_many(r, most);
}

static void enter_alone(const gy_store_kind_row *kind, unsigned threads, bool hostile)
{
    enum { N = 12000 / SLOW };
    rig *r = rig_new(kind, threads, 0, hostile, 0, N + GY_STORE_BATCH);
    uint32_t n = enter_many(r, N / 4 * 3);
    enter_after_reset(r, n, N);
    if (hostile && kind->traits.reencodes)
        assert_true(r->reencoded > 2);
    rig_free(r);
}

static void alone(void **unused)
{
    (void)unused;
    const gy_store_kind_row *kind;
    for (unsigned i = 0; (kind = gy_store_kind_at(i)); i++)
        for (unsigned round = 0; round < 4; round++)
            enter_alone(kind, round & 1 ? 4 : 1, round & 2);
}

// ---- successors -------------------------------------------------------------------------

// A traversal of states of `words` words: each is expanded into those that differ from it in one or
// two words, mostly among the first `moving`; the oracle is a store of another kind that is
// given nothing of what was written.
typedef struct walk {
    rig *r;
    gy_store *oracle;
    gy_store_view *oracle_view;
    uint32_t words, moving, shift;
    uint64_t seed;
    gy_ref *queue;
    uint32_t head, tail;
} walk;

static uint32_t draw(walk *w, uint32_t below)
{
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(w->seed >> 33) % below;
}

static void make_successor(walk *w, const uint32_t *state, uint32_t *to, gy_incoming *in)
{
    memcpy(to, state, w->words * sizeof *to);
    *in = (gy_incoming){.state = to, .words = w->words};
    for (uint32_t times = 1 + draw(w, 2); times > 0; times--) {
        uint32_t at = draw(w, draw(w, 50) ? w->moving : w->words);
        to[at] = draw(w, 5);
        in->written |= 1ull << (at >> w->shift);
    }
    if (draw(w, 10) == 0) { // shorter than its parent
        in->words -= w->words > 1;
        in->written = GY_INCOMING_ANY;
    }
}

enum { EACH = 12, PARENTS = 8 };
static uint32_t made[EACH * PARENTS][MOST_WORDS]; // what arrives, in order

static void enter_successors(walk *w)
{
    gy_store_view *view = w->r->view;
    gy_ref ref;
    while (!gy_store_enter(view))
        assert_true(grow(w->r));
    for (uint32_t k = 0; k < view->fresh_count; k++)
        w->queue[w->tail++] = view->refs[view->fresh[k]];
    for (uint32_t k = 0; k < view->fresh_count; k++) {
        uint32_t words;
        uint32_t copy[MOST_WORDS];
        const uint32_t *state = gy_store_state(view, view->refs[view->fresh[k]], &words);
        memcpy(copy, state, words * sizeof *copy);
        assert_int_equal(enter_state(w->oracle_view, copy, words, &ref), GY_STORE_NEW);
    }
    for (uint32_t k = 0; k < view->n; k++) {
        uint32_t words;
        const uint32_t *state = gy_store_state(view, view->refs[k], &words);
        assert_memory_equal(state, made[k], words * sizeof *state);
        assert_true(gy_store_find(w->oracle_view, state, words, &ref));
    }
    gy_store_clear(view);
}

// Several parents in one call where they join.
static void expand_some(walk *w)
{
    static uint32_t states[EACH * PARENTS][MOST_WORDS];
    gy_incoming in[EACH * PARENTS];
    gy_store_parent parents[PARENTS];
    gy_store_view *view = w->r->view;
    uint32_t n = 0, count = 0, words;
    do {
        gy_ref ref = w->queue[w->head++];
        const uint32_t *state = gy_store_state(view, ref, &words);
        uint32_t copy[MOST_WORDS];
        memcpy(copy, state, words * sizeof *copy);
        if (words != w->words)
            break;
        for (uint32_t k = 0; k < EACH; k++, n++)
            make_successor(w, copy, states[n], &in[n]);
        parents[count++] = (gy_store_parent){ref, n};
    } while (view->joins && count < PARENTS && w->head < w->tail);
    if (!count)
        return;
    for (uint32_t k = view->joins && !draw(w, 8) ? GY_STORE_BATCH + 1 : 0; k > 0; k--)
        gy_store_state(view, w->queue[draw(w, w->tail)],
                       &words); // so many that parents are long ago
    memcpy(made, states, sizeof made);
    gy_store_add(view, parents, count, &GY_ARRIVALS(gy_incoming, in));
    if (draw(w, 2)) {
        gy_store_hold(view);
        memset(states, 0xdd, sizeof states);
    }
    enter_successors(w);
}

static void walk_about(const gy_store_kind_row *kind, uint32_t words, uint32_t moving, bool hostile)
{
    enum { N = 6000 / SLOW };
    walk w = {.words = words, .moving = moving, .seed = words};
    gy_budget budget;
    gy_budget_init(&budget, 0);
    while ((words - 1) >> w.shift >= 64)
        w.shift++;
    w.r = rig_new(kind, hostile ? 3 : 1, 0, hostile, 0, 1);
    bool is_plain = !strcmp(kind->traits.name, "plain");
    w.oracle = make_store(gy_store_kind_named(is_plain ? "tree" : "plain"), &budget, 1, 0, false);
    w.oracle_view = gy_store_view_new(w.oracle);
    w.queue = gy_alloc(4 * N * sizeof *w.queue);
    uint32_t first[MOST_WORDS] = {0};
    memset(made, 0, sizeof made);
    gy_store_add_state(w.r->view, first, words);
    enter_successors(&w);
    while (w.head < w.tail && w.tail < N) {
        expand_some(&w);
        gy_store_tell(w.r->view);
        if (gy_store_unsettled(w.r->store) && gy_store_plan(w.r->store, NULL)) {
            for (uint32_t i = 0; i < w.tail; i++)
                w.queue[i] = gy_store_reencode(w.r->store, 0, w.queue[i]);
            gy_store_settle(w.r->store);
        }
    }
    gy_store_figures here, there;
    gy_store_tell(w.oracle_view);
    gy_store_look(w.r->store, &here);
    gy_store_look(w.oracle, &there);
    assert_int_equal(here.states, there.states);
    assert_int_equal(here.states, w.tail);
    gy_store_view_free(w.oracle_view);
    gy_store_free(w.oracle);
    free(w.queue);
    rig_free(w.r);
}

static void successors(void **unused)
{
    (void)unused;
    const gy_store_kind_row *kind;
    for (unsigned i = 0; (kind = gy_store_kind_at(i)); i++)
        for (uint32_t k = 0; kind->traits.gives_back && k < 10; k++) {
            static const uint32_t of[] = {1, 2, 5, 6, 7, 30, 65, 100, 130, MOST_WORDS};
            walk_about(kind, of[k], of[k], k % 2);
            walk_about(kind, of[k], of[k], k % 2 == 0);
            if (of[k] > 30)
                walk_about(kind, of[k], 9, true);
        }
}

// ---- memory -----------------------------------------------------------------------------

// Nothing is said to be there that is not, and nothing is lost, when memory runs out.
static void fill_up(const gy_store_kind_row *kind, bool hostile, uint64_t limit)
{
    rig *r = rig_new(kind, 1, 0, hostile, limit, 1 << 20);
    uint32_t n = 0;
    bool room = true;
    while (room && n < (1 << 17) / (SLOW * SLOW)) {
        uint32_t before = n;
        while (r->view->n < GY_STORE_BATCH)
            add(r, n + r->view->n);
        while (!(room = gy_store_enter(r->view)) && grow(r))
            ;
        for (uint32_t k = 0; k < r->view->fresh_count; k++)
            r->refs[r->which[r->view->fresh[k]]] = r->view->refs[r->view->fresh[k]];
        while (n < before + GY_STORE_BATCH && r->refs[n] != GY_NO_REF)
            n++;
        for (uint32_t i = n; !room && i < before + GY_STORE_BATCH; i++)
            r->refs[i] = GY_NO_REF; // of a batch that was not finished, some may be there
        gy_store_clear(r->view);
    }
    gy_store_tell(r->view);
    assert_true(r->budget.peak <= limit);
    for (uint32_t i = 0; i < n; i++)
        check_state(r, i);
    rig_free(r);
}

static void small_budgets(void **unused)
{
    (void)unused;
    const gy_store_kind_row *kind;
    for (unsigned i = 0; (kind = gy_store_kind_at(i)); i++)
        for (uint64_t limit = 1 << 23; kind->traits.exact && limit < 1 << 25; limit *= 2) {
            fill_up(kind, false, limit);
            fill_up(kind, true, limit);
        }
}

// ---- many threads -----------------------------------------------------------------------

typedef struct part {
    gy_store_view *view;
    uint32_t next;
    uint32_t states[GY_STORE_BATCH][MOST_WORDS], which[GY_STORE_BATCH];
    gy_ref *refs; // told, by state
    uint64_t entered, wrong;
    char apart[128];
} part;

typedef struct shared {
    const gy_store_kind_row *kind;
    gy_store *store;
    crowd c;
    uint32_t n;
    unsigned threads;
    bool full;      // there was no memory
    bool noted;     // notes, which all stay zero, or
    uint64_t claim; // have this bit, which the threads claim
    part of[CROWD_MOST];
} shared;

static void note_refs(part *p)
{
    for (uint32_t k = 0; k < p->view->n; k++) {
        gy_ref *told = &p->refs[p->which[k]];
        p->wrong += *told != GY_NO_REF && *told != p->view->refs[k];
        *told = p->view->refs[k];
    }
    for (uint32_t k = 0, fresh = 0; k < p->view->n && p->view->claim; k++) {
        bool is_fresh = fresh < p->view->fresh_count && p->view->fresh[fresh] == k;
        p->wrong += is_fresh == ((p->view->notes[k] & p->view->claim) != 0);
        fresh += is_fresh;
    }
    p->entered += p->view->fresh_count;
    gy_store_clear(p->view);
}

// All threads have the same states, most in the same order, so that they meet all the time.
static bool fill(void *user, unsigned member)
{
    shared *s = user;
    part *p = &s->of[member];
    uint32_t size = member % 2 ? GY_STORE_BATCH : 1 + member;
    for (;;) {
        while (p->view->n < size && p->next < s->n) {
            uint32_t at = p->view->n, i = member % 4 == 3 ? s->n - 1 - p->next : p->next;
            p->next++;
            p->which[at] = i;
            gy_store_add_state(p->view, p->states[at], make_state(p->states[at], i));
        }
        if (!p->view->n)
            return true;
        if (gy_store_wants_room(s->store) || !gy_store_enter(p->view))
            return false;
        note_refs(p);
    }
}

// Some are in the middle of a batch.
static void grow_shared(void *user)
{
    shared *s = user;
    bool under_way = false;
    for (unsigned i = 0; i < s->threads; i++) {
        gy_store_tell(s->of[i].view);
        under_way = under_way || s->of[i].view->n;
    }
    if (!gy_store_grow(s->store, &s->c.team))
        abort();
    if (under_way || !gy_store_unsettled(s->store) || !gy_store_plan(s->store, &s->c.team))
        return;
    for (unsigned t = 0; t < s->threads; t++)
        for (uint32_t i = 0; i < s->n; i++)
            if (s->of[t].refs[i] != GY_NO_REF)
                s->of[t].refs[i] = gy_store_reencode(s->store, 0, s->of[t].refs[i]);
    gy_store_settle(s->store);
}

static void check_shared(shared *s)
{
    uint64_t entered = 0;
    rig r = {.kind = s->kind, .store = s->store, .refs = s->of[0].refs, .n = s->n};
    r.view = gy_store_view_new(s->store);
    for (unsigned t = 0; t < s->threads; t++) {
        gy_store_tell(s->of[t].view);
        entered += s->of[t].entered;
        assert_int_equal(s->of[t].wrong, 0);
        assert_memory_equal(s->of[t].refs, r.refs, s->n * sizeof *r.refs);
    }
    assert_int_equal(entered, s->n);
    check_all(&r, s->n);
    for (uint32_t i = 0; i < s->n && s->noted; i++)
        assert_int_equal(gy_store_note(r.view, r.refs[i]), s->claim);
    gy_store_view_free(r.view);
}

// As in a search, one state is there before the threads begin.
static void enter_first(shared *s)
{
    part *p = &s->of[0];
    gy_store_add_state(p->view, p->states[0], make_state(p->states[0], 0));
    p->which[0] = 0;
    while (!gy_store_enter(p->view))
        assert_true(gy_store_grow(s->store, NULL));
    note_refs(p);
}

static void share(const gy_store_kind_row *kind, unsigned threads, bool hostile,
                  unsigned note_bytes, uint64_t claim)
{
    shared *s = gy_alloc_apart(sizeof *s);
    gy_budget budget;
    gy_budget_init(&budget, 0);
    s->kind = kind;
    s->threads = threads;
    s->n = 4000 / SLOW;
    s->noted = note_bytes && kind->traits.takes_notes;
    s->claim = s->noted ? claim : 0;
    s->store = make_store(kind, &budget, threads, note_bytes, hostile);
    s->c = (crowd){.user = s, .fill = fill, .begin = grow_shared};
    for (unsigned t = 0; t < threads; t++) {
        s->of[t].view = gy_store_view_new(s->store);
        s->of[t].view->all_refs = true;
        s->of[t].view->claim = s->claim;
        s->of[t].refs = gy_alloc(s->n * sizeof(gy_ref));
        memset(s->of[t].refs, 0xff, s->n * sizeof(gy_ref));
    }
    enter_first(s);
    assert_true(crowd_run(&s->c, threads));
    check_shared(s);
    for (unsigned t = 0; t < threads; t++) {
        gy_store_view_free(s->of[t].view);
        free(s->of[t].refs);
    }
    gy_store_free(s->store);
    assert_int_equal(budget.used, 0);
    free(s);
}

static void many_threads(void **unused)
{
    (void)unused;
    const gy_store_kind_row *kind;
    for (unsigned i = 0; (kind = gy_store_kind_at(i)); i++)
        for (unsigned round = 0; round < 24 / SLOW; round++)
            share(kind, round % 2 ? 2 : 2 + round / 2 % 6, round % 4 < 3,
                  (const unsigned[]){0, 8, 1}[round % 3], round % 5 ? 4 : 0);
}

// ---- notes ------------------------------------------------------------------------------

static uint64_t note_for(uint32_t i, unsigned bytes)
{
    uint64_t note = gy_hash_number(i + 1);
    return bytes == 8 ? note : note & ((1ull << 8 * bytes) - 1);
}

// A note is zero at first, stays with its state through growth and re-encoding, and is swapped
// only if it is what was expected.
static void keep_notes(const gy_store_kind_row *kind, unsigned bytes, bool hostile)
{
    enum { N = 6000 / SLOW };
    rig *r = rig_new(kind, hostile ? 2 : 1, bytes, hostile, 0, N + GY_STORE_BATCH);
    uint32_t n = 0, noted = 0;
    while (n < N) {
        while (r->view->n < GY_STORE_BATCH)
            add(r, n++);
        assert_true(enter_batch(r));
        for (; noted < n; noted++) {
            assert_int_equal(gy_store_note(r->view, r->refs[noted]), 0);
            gy_store_set_note(r->view, r->refs[noted], note_for(noted, bytes));
        }
        reencode(r);
        for (uint32_t i = noted % 7; i < noted; i += 7)
            assert_int_equal(gy_store_note(r->view, r->refs[i]), note_for(i, bytes));
    }
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(gy_store_note(r->view, r->refs[i]), note_for(i, bytes));
    check_all(r, n);
    rig_free(r);
}

// A batch of states that are all there: how many are fresh, if `claim` is claimed. All notes must
// have been `before`.
static uint32_t claim_again(rig *r, uint32_t from, uint64_t claim, uint64_t before)
{
    r->view->claim = claim;
    r->view->all_notes = true;
    while (r->view->n < GY_STORE_BATCH)
        add(r, from + r->view->n);
    assert_true(gy_store_enter(r->view));
    for (uint32_t k = 0; k < GY_STORE_BATCH; k++) {
        assert_int_equal(r->view->notes[k], before);
        assert_int_equal(r->view->refs[k], r->refs[from + k]);
    }
    uint32_t fresh = r->view->fresh_count;
    gy_store_clear(r->view);
    r->view->claim = 0;
    r->view->all_notes = false;
    return fresh;
}

// Bits are claimed once for each state, each for itself, whether or not the state was there.
static void claim(const gy_store_kind_row *kind, unsigned bytes, bool hostile)
{
    enum { N = 20 * GY_STORE_BATCH };
    rig *r = rig_new(kind, hostile ? 2 : 1, bytes, hostile, 0, N);
    for (uint32_t n = 0; n < N;) {
        while (r->view->n < GY_STORE_BATCH)
            add(r, n++);
        assert_true(enter_batch(r));
    }
    for (uint32_t from = 0; from < N; from += GY_STORE_BATCH) {
        assert_int_equal(claim_again(r, from, 2, 0), GY_STORE_BATCH);
        assert_int_equal(claim_again(r, from, 2, 2), 0);
        assert_int_equal(claim_again(r, from, 16, 2), GY_STORE_BATCH);
        assert_int_equal(claim_again(r, from, 0, 18), 0);
    }
    check_all(r, N);
    rig_free(r);
}

static void notes(void **unused)
{
    (void)unused;
    const gy_store_kind_row *kind;
    for (unsigned i = 0; (kind = gy_store_kind_at(i)); i++)
        for (unsigned bytes = 1; kind->traits.takes_notes && bytes <= 8; bytes *= 2) {
            keep_notes(kind, bytes, false);
            keep_notes(kind, bytes, true);
            claim(kind, bytes, false);
            claim(kind, bytes, true);
        }
}

// ---- states that are given back once ------------------------------------------------------

// As a search does it: new states are given back, by another view at times, and forgotten. With
// `hostile`, all of them go through a file.
static void give_once(const gy_store_kind_row *kind, bool hostile)
{
    enum { N = 20000 / SLOW };
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_store_options options = {
        .budget = &budget, .threads = 2, .once = true, .bitstate_bytes = 1 << 22};
    options.hostile = hostile;
    gy_store *store = gy_store_new(kind, &options);
    gy_store_view *views[] = {gy_store_view_new(store), gy_store_view_new(store)};
    static gy_ref refs[N];
    uint32_t state[MOST_WORDS], words, taken = 0;
    for (uint32_t i = 0; i < N; i++) {
        gy_store_view *view = views[i % 2];
        words = make_state(state, i);
        assert_int_equal(enter_state(view, state, words, &refs[i]), GY_STORE_NEW);
        if (i % 1000 != 999)
            continue;
        gy_store_tell(views[0]); // a meeting
        gy_store_tell(views[1]);
        for (; taken + (i < N - 1 ? 500 : 0) < i + 1; taken++) { // some stay for a while
            uint32_t length;
            const uint32_t *given = gy_store_state(views[taken % 3 == 0], refs[taken], &length);
            words = make_state(state, taken);
            assert_int_equal(length, words);
            assert_memory_equal(given, state, words * sizeof *state);
            gy_store_forget(views[taken % 2], refs[taken]);
        }
    }
    gy_store_view_free(views[0]);
    gy_store_view_free(views[1]);
    gy_store_free(store);
    assert_int_equal(budget.used, 0);
}

// One after the other, all through the same place in the file: none is taken for the one before.
static void spill_each(const gy_store_kind_row *kind)
{
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_store_options options = {
        .budget = &budget, .once = true, .bitstate_bytes = 1 << 22, .hostile = true};
    gy_store *store = gy_store_new(kind, &options);
    gy_store_view *view = gy_store_view_new(store);
    for (uint32_t i = 0; i < 50; i++) {
        uint32_t state[MOST_WORDS], words = make_state(state, i), length;
        gy_ref ref;
        assert_int_equal(enter_state(view, state, words, &ref), GY_STORE_NEW);
        gy_store_tell(view);
        const uint32_t *given = gy_store_state(view, ref, &length);
        assert_int_equal(length, words);
        assert_memory_equal(given, state, words * sizeof *state);
        gy_store_forget(view, ref);
    }
    gy_store_view_free(view);
    gy_store_free(store);
}

// Those that wait come back into a store that was loaded, and only what it has does.
static void put_back(const gy_store_kind_row *kind)
{
    enum { N = 500 };
    char path[] = "/tmp/gyre-test-store-XXXXXX";
    const char *why;
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_store_options options = {.budget = &budget, .once = true, .bitstate_bytes = 1 << 22};
    gy_store *stores[] = {gy_store_new(kind, &options), gy_store_new(kind, &options)};
    gy_store_view *from = gy_store_view_new(stores[0]), *to = gy_store_view_new(stores[1]);
    uint32_t state[MOST_WORDS], words, length;
    gy_ref refs[N], ref;
    for (uint32_t i = 0; i < N; i++) {
        words = make_state(state, i);
        assert_int_equal(enter_state(from, state, words, &ref), GY_STORE_NEW);
    }
    gy_store_tell(from);
    close(mkstemp(path));
    gy_writer *writer = gy_writer_open(path);
    gy_store_save(stores[0], writer);
    assert_true(gy_writer_commit(writer));
    gy_reader *reader = gy_reader_open(path, &why);
    assert_true(gy_store_load(stores[1], reader));
    gy_reader_close(reader);
    unlink(path);
    for (uint32_t i = 0; i < N; i++) {
        words = make_state(state, i);
        assert_true(gy_store_put_back(to, state, words, &refs[i]));
        words = make_state(state, N + i);
        assert_false(gy_store_put_back(to, state, words, &ref));
    }
    gy_store_tell(to);
    for (uint32_t i = 0; i < N; i++) {
        words = make_state(state, i);
        const uint32_t *given = gy_store_state(to, refs[i], &length);
        assert_int_equal(length, words);
        assert_memory_equal(given, state, words * sizeof *state);
        assert_int_equal(enter_state(to, state, words, &ref), GY_STORE_FOUND);
        gy_store_forget(to, refs[i]);
    }
    gy_store_view_free(from);
    gy_store_view_free(to);
    gy_store_free(stores[0]);
    gy_store_free(stores[1]);
    assert_int_equal(budget.used, 0);
}

static void given_once(void **unused)
{
    (void)unused;
    const gy_store_kind_row *kind;
    for (unsigned i = 0; (kind = gy_store_kind_at(i)); i++)
        if (kind->traits.gives_once) {
            give_once(kind, false);
            give_once(kind, true);
            spill_each(kind);
            put_back(kind);
        }
}

// ---- files ------------------------------------------------------------------------------

enum { FILED = 1500 };

static rig *filled_rig(const gy_store_kind_row *kind, unsigned note_bytes, uint32_t n)
{
    rig *r = rig_new(kind, 1, note_bytes, false, 0, 2 * FILED + GY_STORE_BATCH);
    for (uint32_t i = 0; i < n;) {
        while (r->view->n < GY_STORE_BATCH && i < n)
            add(r, i++);
        assert_true(enter_batch(r));
    }
    gy_store_tell(r->view);
    return r;
}

static bool load_into(rig *r, const char *path)
{
    const char *why;
    gy_reader *reader = gy_reader_open(path, &why);
    assert_non_null(reader);
    bool fine = gy_store_load(r->store, reader);
    gy_reader_close(reader);
    return fine;
}

static void save_to(const rig *r, const char *path)
{
    gy_writer *writer = gy_writer_open(path);
    gy_store_save(r->store, writer);
    assert_true(gy_writer_commit(writer));
}

// What was saved is what is loaded, references and notes included, and the store goes on from
// there.
static void survives_a_file(void **unused)
{
    (void)unused;
    const gy_store_kind_row *kind;
    for (unsigned i = 0; (kind = gy_store_kind_at(i)); i++) {
        char path[] = "/tmp/gyre-test-store-XXXXXX";
        close(mkstemp(path));
        rig *r = filled_rig(kind, 4, FILED), *twin = filled_rig(kind, 4, 0);
        for (uint32_t k = 0; kind->traits.takes_notes && k < FILED; k++)
            gy_store_set_note(r->view, r->refs[k], note_for(k, 4));
        save_to(r, path);
        assert_true(load_into(twin, path));
        memcpy(twin->refs, r->refs, FILED * sizeof *r->refs);
        check_all(twin, FILED);
        for (uint32_t k = 0; kind->traits.takes_notes && k < FILED; k++)
            assert_int_equal(gy_store_note(twin->view, twin->refs[k]), note_for(k, 4));
        for (uint32_t n = FILED; n < 2 * FILED;) {
            while (twin->view->n < GY_STORE_BATCH && n < 2 * FILED)
                add(twin, n++);
            assert_true(enter_batch(twin));
        }
        check_all(twin, 2 * FILED);
        rig_free(r);
        rig_free(twin);
        unlink(path);
    }
}

// A file whose checksum is right and whose contents are not. It is refused, or what was loaded can
// be used without harm: every reference that the store says it holds leads somewhere.
static void use_what_was_loaded(rig *r, const gy_ref *refs)
{
    uint32_t words, state[MOST_WORDS];
    for (uint32_t i = 0; i < FILED; i++) {
        gy_ref ref;
        words = make_state(state, i);
        gy_store_find(r->view, state, words, &ref);
        if (gy_store_holds(r->store, refs[i]))
            gy_store_state(r->view, refs[i], &words);
        if (gy_store_holds(r->store, gy_hash_number(i)))
            gy_store_state(r->view, gy_hash_number(i), &words);
        enter_state(r->view, state, words = make_state(state, FILED + i), &ref);
    }
}

static void damage_does_no_harm(void **unused)
{
    (void)unused;
    const gy_store_kind_row *kind;
    for (unsigned i = 0; (kind = gy_store_kind_at(i)); i++) {
        char path[] = "/tmp/gyre-test-store-XXXXXX";
        const char *why;
        uint32_t refused = 0;
        close(mkstemp(path));
        rig *r = filled_rig(kind, 4, FILED);
        save_to(r, path);
        gy_reader *reader = gy_reader_open(path, &why);
        size_t size = gy_reader_left(reader);
        unsigned char *bytes = gy_alloc(size);
        assert_true(gy_read(reader, bytes, size));
        gy_reader_close(reader);
        uint32_t most = SLOW == 1 && sample_every() > 1 ? 30 : 150 / SLOW;
        for (uint32_t times = 0; times < most; times++) {
            unsigned char *wrong = gy_alloc(size);
            uint64_t random = gy_hash_number(times * 31 + i), value = gy_hash_number(random);
            memcpy(wrong, bytes, size);
            // Most of what is an index is at the beginning; some is small, some is huge.
            size_t at = random % (times % 3 ? 400 : size - 8) / 4 * 4;
            value = times % 2 ? value : value % 5000;
            memcpy(wrong + at, &value, times % 4 < 2 ? 4 : 8);
            gy_writer *writer = gy_writer_open(path);
            gy_write(writer, wrong, times % 5 ? size : size - random % 100);
            assert_true(gy_writer_commit(writer));
            rig *twin = rig_new(kind, 1, 4, false, 1ull << 30, 1);
            if (load_into(twin, path))
                use_what_was_loaded(twin, r->refs);
            else
                refused++;
            rig_free(twin);
            free(wrong);
        }
        assert_true(refused > most / 20);
        free(bytes);
        rig_free(r);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),           cmocka_unit_test(successors),
        cmocka_unit_test(small_budgets),   cmocka_unit_test(many_threads),
        cmocka_unit_test(notes),           cmocka_unit_test(given_once),
        cmocka_unit_test(survives_a_file), cmocka_unit_test(damage_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
