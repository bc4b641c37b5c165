// The plain store for many threads: each state once, where it is said to be, whatever grows
// meanwhile and whoever else enters it.
#include "store/pile.h"

#include "crowd.h"

#include "base/fatal.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#ifdef __SANITIZE_THREAD__
enum { SLOW = 8 };
#else
enum { SLOW = 1 };
#endif

enum { MOST_WORDS = 200 };

// State i, of several lengths, all of those used here different: returns how long it is.
static uint32_t make_state(uint32_t *state, uint32_t i)
{
    static const uint32_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 64, 65, 1, 2, 3, 5, 6, MOST_WORDS};
    uint32_t words = lengths[i % 16];
    for (uint32_t k = 0; k < words; k++)
        state[k] = k * k;
    state[i % words] = i; // often not the first word
    state[words - 1] ^= i << 1;
    return words;
}

// ---- one thread -------------------------------------------------------------------------

typedef struct rig {
    gy_budget budget;
    gy_pile *pile;
    gy_pile_view view;
    gy_pile_batch batch;
    uint32_t states[GY_PILE_BATCH][MOST_WORDS], which[GY_PILE_BATCH];
    uint64_t *places; // of each state that was entered
} rig;

static rig *rig_new(bool alone, bool hostile, uint64_t limit, uint32_t most)
{
    rig *r = gy_alloc_zero(sizeof *r);
    gy_budget_init(&r->budget, limit);
    r->budget.other = 0;
    r->pile = gy_pile_new(&r->budget, alone, hostile);
    assert_non_null(r->pile);
    gy_pile_view_init(&r->view, r->pile);
    r->places = gy_alloc(most * sizeof *r->places);
    memset(r->places, 0xff, most * sizeof *r->places);
    return r;
}

static void rig_free(rig *r)
{
    gy_pile_note(&r->view); // what it has paid for is given back by the pile
    gy_pile_free(r->pile);
    assert_int_equal(r->budget.used, 0);
    free(r->places);
    free(r);
}

static bool grow(rig *r)
{
    gy_pile_note(&r->view);
    return gy_pile_grow(r->pile, NULL);
}

static void add(rig *r, uint32_t i)
{
    uint32_t at = r->batch.n, words = make_state(r->states[at], i);
    r->which[at] = i;
    gy_pile_add(&r->batch, r->pile, r->states[at], words);
}

static bool found(const rig *r, uint32_t i, uint64_t *place)
{
    uint32_t state[MOST_WORDS], words = make_state(state, i);
    return gy_pile_find(r->pile, gy_pile_head(state, words), state, place);
}

static void check_state(const rig *r, uint32_t i)
{
    uint32_t state[MOST_WORDS], words = make_state(state, i), kept;
    uint64_t place = 0;
    assert_true(found(r, i, &place));
    assert_int_equal(place, r->places[i]);
    const uint32_t *spelled = gy_pile_spell(r->pile, place, &kept);
    assert_int_equal(kept, words);
    assert_memory_equal(spelled, state, words * sizeof *state);
}

// States 0 .. n-1 are there, those after them are not.
static void check_all(rig *r, uint32_t n)
{
    uint64_t place;
    gy_pile_note(&r->view);
    assert_int_equal(gy_pile_count(r->pile), n);
    for (uint32_t i = 0; i < n; i++)
        check_state(r, i);
    for (uint32_t i = n; i < n + 100; i++)
        assert_false(found(r, i, &place));
}

// False: no memory.
static bool enter_batch(rig *r)
{
    uint32_t fresh[GY_PILE_BATCH], n = 0;
    bool expected[GY_PILE_BATCH] = {0};
    uint32_t expected_count = 0;
    for (uint32_t k = 0; k < r->batch.n; k++) // new: not there before, nor earlier in the batch
        if (r->places[r->which[k]] == UINT64_MAX) {
            bool before = false;
            for (uint32_t j = 0; j < k; j++)
                before = before || r->which[j] == r->which[k];
            expected[k] = !before;
            expected_count += !before;
        }
    while (!gy_pile_enter_all(&r->view, &r->batch, fresh, &n)) {
        assert_true(gy_pile_wants_room(r->pile));
        if (!grow(r))
            return false;
    }
    assert_int_equal(r->batch.entered, r->batch.n);
    assert_int_equal(n, expected_count);
    for (uint32_t k = 0; k < n; k++) {
        assert_true(expected[fresh[k]]);
        r->places[r->which[fresh[k]]] = r->batch.places[fresh[k]];
    }
    for (uint32_t k = 0; k < r->batch.n; k++)
        assert_int_equal(r->batch.places[k], r->places[r->which[k]]);
    gy_pile_batch_clear(&r->batch);
    return true;
}

// New ones, some that were there before, some twice in a batch.
static void alone(void **unused)
{
    (void)unused;
    enum { N = 30000 };
    for (unsigned kind = 0; kind < 4; kind++) {
        rig *r = rig_new(kind & 1, kind & 2, 0, N + GY_PILE_BATCH);
        uint32_t n = 0, grown = 0;
        for (uint32_t batch = 0; n < N; batch++) {
            uint32_t size = 1 + batch * 31 % GY_PILE_BATCH;
            while (r->batch.n < size) {
                if (r->batch.n % 5 == 1)
                    add(r, r->which[r->batch.n - 1]);
                else if (r->batch.n % 5 == 3)
                    add(r, n * 7 / 11);
                else
                    add(r, n++);
            }
            assert_true(enter_batch(r));
            if (gy_pile_wants_room(r->pile)) {
                assert_true(grow(r));
                grown++;
                assert_false(gy_pile_wants_room(r->pile));
                check_all(r, n);
            }
        }
        check_all(r, n);
        assert_true(grown > 2);
        rig_free(r);
    }
}

// Growth in the middle of a batch, at any place of it: the same call goes on.
static void growth_within_a_batch(void **unused)
{
    (void)unused;
    rig *r = rig_new(true, true, 0, 100000);
    uint32_t n = 0, early = 0;
    while (n < 100000 / 2) {
        uint32_t fresh[GY_PILE_BATCH], count = 0;
        while (r->batch.n < GY_PILE_BATCH)
            add(r, n++);
        while (!gy_pile_enter_all(&r->view, &r->batch, fresh, &count)) {
            assert_int_equal(count, r->batch.entered); // all so far are new
            early++;
            assert_true(grow(r));
        }
        assert_int_equal(count, GY_PILE_BATCH);
        for (uint32_t k = 0; k < count; k++)
            r->places[r->which[k]] = r->batch.places[k];
        gy_pile_batch_clear(&r->batch);
    }
    check_all(r, n);
    assert_true(early > 0);
    rig_free(r);
}

// States that have the same tag, and so the same slots to look at: only their contents tell them
// apart.
static int by_tag(const void *a, const void *b)
{
    uint64_t x = gy_pile_tag(gy_pile_head(a, 2)), y = gy_pile_tag(gy_pile_head(b, 2));
    return x < y ? -1 : x > y;
}

static void same_tags(void **unused)
{
    (void)unused;
    enum { N = 60000 };
    uint32_t(*states)[2] = gy_alloc(N * sizeof *states), pairs = 0, same_lines = 0;
    for (uint32_t i = 0; i < N; i++) {
        states[i][0] = i;
        states[i][1] = i / 2;
    }
    qsort(states, N, sizeof *states, by_tag);
    rig *r = rig_new(true, true, 0, 1);
    for (uint32_t i = 0; i + 1 < N; i++) {
        uint64_t a = gy_pile_head(states[i], 2), b = gy_pile_head(states[i + 1], 2), place;
        if (gy_pile_tag(a) != gy_pile_tag(b))
            continue;
        for (uint32_t k = i; k < i + 2; k++) { // the second one while the first one is there
            uint32_t fresh[1], n = 0, words;
            gy_pile_add(&r->batch, r->pile, states[k], 2);
            assert_true(gy_pile_enter_all(&r->view, &r->batch, fresh, &n));
            assert_int_equal(n, 1);
            const uint32_t *kept = gy_pile_spell(r->pile, r->batch.places[0], &words);
            assert_memory_equal(kept, states[k], sizeof states[k]);
            assert_true(gy_pile_find(r->pile, k == i ? a : b, states[k], &place));
            assert_int_equal(place, r->batch.places[0]);
            gy_pile_batch_clear(&r->batch);
        }
        pairs++;
        same_lines += gy_pile_home(r->pile, a) == gy_pile_home(r->pile, b);
        i++;
    }
    assert_in_range(pairs, 20, 500);
    assert_true(same_lines > 5);
    rig_free(r);
    free(states);
}

// Nothing is said to be there that is not, and nothing is lost, when memory runs out.
static void small_budgets(void **unused)
{
    (void)unused;
    for (unsigned hostile = 0; hostile < 2; hostile++)
        for (uint64_t limit = 1 << 18; limit < 1 << 22; limit *= 2) {
            rig *r = rig_new(true, hostile, limit, 1 << 20);
            uint32_t fresh[GY_PILE_BATCH], count, n = 0;
            bool room = true;
            while (room) {
                count = 0;
                while (r->batch.n < GY_PILE_BATCH)
                    add(r, n + r->batch.n);
                room = gy_pile_enter_all(&r->view, &r->batch, fresh, &count);
                for (uint32_t tries = 0; !room && tries < 3; tries++) {
                    uint64_t lines = r->pile->lines;
                    // A table that could not grow is good for nothing any more.
                    if (gy_budget_room(&r->budget) < 2 * lines * GY_PILE_LINE + (1 << 16) ||
                        !grow(r))
                        break;
                    room = gy_pile_enter_all(&r->view, &r->batch, fresh, &count);
                }
                assert_int_equal(count, r->batch.entered);
                for (uint32_t k = 0; k < count; k++)
                    r->places[r->which[k]] = r->batch.places[k];
                n += count;
                gy_pile_batch_clear(&r->batch);
            }
            assert_true(r->budget.peak <= limit);
            assert_true(n > limit / 2000);
            check_all(r, n);
            r->budget.limit = r->budget.used;
            assert_false(gy_pile_grow(r->pile, NULL));
            rig_free(r);
        }
}

// ---- many threads -----------------------------------------------------------------------

typedef struct part {
    gy_pile_view view;
    gy_pile_batch batch;
    uint32_t next;
    uint32_t states[GY_PILE_BATCH][MOST_WORDS], which[GY_PILE_BATCH];
    uint32_t fresh[GY_PILE_BATCH], fresh_count; // of this batch
    uint64_t *places;                           // told, by state
    uint64_t entered, wrong;
    char apart[128];
} part;

typedef struct shared {
    gy_pile *pile;
    crowd c;
    uint32_t n;
    unsigned threads;
    part of[CROWD_MOST];
} shared;

static void note_places(part *p)
{
    for (uint32_t k = 0; k < p->batch.n; k++) {
        uint64_t *told = &p->places[p->which[k]];
        p->wrong += *told != UINT64_MAX && *told != p->batch.places[k];
        *told = p->batch.places[k];
    }
    p->entered += p->fresh_count;
    p->fresh_count = 0;
    gy_pile_batch_clear(&p->batch);
}

// All threads have the same states, most in the same order, so that they meet all the time.
static bool fill(void *user, unsigned member)
{
    shared *s = user;
    part *p = &s->of[member];
    uint32_t size = member % 2 ? GY_PILE_BATCH : 1 + member;
    for (;;) {
        while (p->batch.n < size && p->next < s->n) {
            uint32_t at = p->batch.n, i = member % 4 == 3 ? s->n - 1 - p->next : p->next;
            p->next++;
            p->which[at] = i;
            uint32_t words = make_state(p->states[at], i);
            gy_pile_add(&p->batch, s->pile, p->states[at], words);
        }
        if (!p->batch.n)
            return true;
        if (gy_pile_wants_room(s->pile) ||
            !gy_pile_enter_all(&p->view, &p->batch, p->fresh, &p->fresh_count))
            return false;
        note_places(p);
    }
}

static void grow_shared(void *user)
{
    shared *s = user;
    for (unsigned i = 0; i < s->threads; i++)
        gy_pile_note(&s->of[i].view);
    if (!gy_pile_grow(s->pile, &s->c.team))
        abort();
}

static void check_shared(shared *s)
{
    uint64_t entered = 0;
    rig r = {.pile = s->pile, .places = s->of[0].places};
    gy_pile_view_init(&r.view, s->pile);
    for (unsigned t = 0; t < s->threads; t++) {
        gy_pile_note(&s->of[t].view);
        entered += s->of[t].entered;
        assert_int_equal(s->of[t].wrong, 0);
        assert_memory_equal(s->of[t].places, r.places, s->n * sizeof *r.places);
    }
    assert_int_equal(entered, s->n);
    check_all(&r, s->n);
}

// As in a search, one state is there before the threads begin: whoever looks for one that is not
// there fetches the first record, and that must not be on its way just then.
static void enter_first(shared *s)
{
    part *p = &s->of[0];
    uint32_t words = make_state(p->states[0], 0);
    gy_pile_add(&p->batch, s->pile, p->states[0], words);
    assert_true(gy_pile_enter_all(&p->view, &p->batch, p->fresh, &p->fresh_count));
    note_places(p);
}

static void many_threads(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 200 / SLOW; round++) {
        shared *s = gy_alloc_apart(sizeof *s);
        gy_budget budget;
        gy_budget_init(&budget, 0);
        s->threads = round % 2 ? 2 : 2 + round / 2 % 6;
        s->n = 4000 / SLOW;
        s->pile = gy_pile_new(&budget, false, round % 4 < 3);
        s->c = (crowd){.user = s, .fill = fill, .begin = grow_shared};
        for (unsigned t = 0; t < s->threads; t++) {
            gy_pile_view_init(&s->of[t].view, s->pile);
            s->of[t].places = gy_alloc(s->n * sizeof(uint64_t));
            memset(s->of[t].places, 0xff, s->n * sizeof(uint64_t));
        }
        enter_first(s);
        assert_true(crowd_run(&s->c, s->threads));
        check_shared(s);
        for (unsigned t = 0; t < s->threads; t++)
            free(s->of[t].places);
        gy_pile_free(s->pile);
        assert_int_equal(budget.used, 0);
        free(s);
    }
}

// ---- at the same time -------------------------------------------------------------------

// Two threads that enter the same few states at the same moment, again and again. Between what one
// reads and what it writes are a few instructions: that is where the other one has to come.
typedef struct duel {
    gy_pile *pile;
    _Atomic uint32_t arrived;
    uint32_t turns;
    _Atomic uint64_t entered, wrong;
    _Atomic uint64_t places[2][GY_PILE_BATCH]; // told last
} duel;

static void wait_for_both(duel *d, uint32_t meeting)
{
    atomic_fetch_add(&d->arrived, 1);
    for (uint32_t looks = 0; atomic_load(&d->arrived) < 2 * meeting; looks++)
        if (looks > 2000)
            sched_yield();
}

static void fight(void *user, unsigned member)
{
    duel *d = user;
    gy_pile_view view;
    gy_pile_batch *batch = gy_alloc_zero(sizeof *batch);
    uint32_t meeting = 0;
    gy_pile_view_init(&view, d->pile);
    for (uint32_t turn = 0; turn < d->turns; turn++) {
        uint32_t states[GY_PILE_BATCH][2], fresh[GY_PILE_BATCH], n = 0;
        uint32_t size = 1 + turn % 7, random = (uint32_t)gy_hash_number(turn * 2 + member);
        for (uint32_t k = 0; k < size; k++) { // one goes forwards, the other one backwards
            states[k][0] = turn;
            states[k][1] = member ? size - 1 - k : k;
            gy_pile_add(batch, d->pile, states[k], 2);
        }
        wait_for_both(d, ++meeting);
        for (volatile uint32_t i = random % 64; i > 0; i--)
            ;
        // There is room: it was made before it was needed.
        d->wrong += !gy_pile_enter_all(&view, batch, fresh, &n);
        d->entered += n;
        for (uint32_t k = 0; k < size; k++)
            d->places[member][member ? size - 1 - k : k] = batch->places[k];
        gy_pile_batch_clear(batch);
        gy_pile_note(&view);
        wait_for_both(d, ++meeting);
        for (uint32_t k = 0; k < size; k++)
            d->wrong += d->places[0][k] != d->places[1][k];
        if (member == 0 && gy_pile_count(d->pile) >= d->pile->wanted) {
            if (!gy_pile_grow(d->pile, NULL))
                abort();
        }
        wait_for_both(d, ++meeting);
    }
    free(batch);
}

static void at_the_same_time(void **unused)
{
    (void)unused;
    gy_team team;
    gy_budget budget;
    gy_budget_init(&budget, 0);
    duel d = {.turns = 200000 / SLOW};
    uint64_t states = 0;
    for (uint32_t turn = 0; turn < d.turns; turn++)
        states += 1 + turn % 7;
    d.pile = gy_pile_new(&budget, false, false);
    const uint32_t first[] = {d.turns, 0}; // as in enter_first
    gy_pile_view view;
    gy_pile_batch *batch = gy_alloc_zero(sizeof *batch);
    gy_pile_view_init(&view, d.pile);
    gy_pile_add(batch, d.pile, first, 2);
    uint32_t fresh[1], n = 0;
    assert_true(gy_pile_enter_all(&view, batch, fresh, &n));
    gy_pile_note(&view);
    free(batch);
    assert_int_equal(gy_team_run(2, fight, &d, &team), 2);
    assert_int_equal(d.wrong, 0);
    assert_int_equal(d.entered, states);
    assert_int_equal(gy_pile_count(d.pile), states + 1);
    gy_pile_free(d.pile);
    assert_int_equal(budget.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),        cmocka_unit_test(growth_within_a_batch),
        cmocka_unit_test(same_tags),    cmocka_unit_test(small_budgets),
        cmocka_unit_test(many_threads), cmocka_unit_test(at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
