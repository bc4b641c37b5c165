// The set of signatures of the compact store: exactly what was entered is there, by one thread and by
// several, before and after every growth, also where lines get more slots; and it is as small as a
// store must be that is chosen for the sake of memory.
#include "store/signatures.h"

#include "store/kinds.h"

#include "crowd.h"

#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef __SANITIZE_THREAD__
enum { SLOW = 8 };
#else
enum { SLOW = 1 };
#endif

enum { PERCENT = 92 };

typedef struct rig {
    gy_budget budget;
    gy_signatures set;
} rig;

static void rig_init(rig *r, bool alone)
{
    gy_budget_init(&r->budget, 0);
    assert_true(gy_signatures_init(&r->set, &r->budget, alone));
}

static void rig_free(rig *r)
{
    gy_signatures_free(&r->set);
    assert_int_equal(r->budget.used, 0);
}

// All different: a bijection on 64 bits, and a pair of its results that agree in 60 would be
// two states of one signature, which 10^6 of them have with a chance of one in two million.
static uint64_t signature_at(uint64_t i)
{
    return gy_hash_number(i) >> (64 - GY_SIGNATURE_BITS);
}

static void make_room(rig *r, uint64_t entered)
{
    if (entered >= gy_signatures_capacity(&r->set, PERCENT) || gy_signatures_crowded(&r->set))
        assert_true(gy_signatures_grow(&r->set, r->set.lines + r->set.lines / 12));
}

// Alone: grows as need be.
static gy_signature_answer enter(rig *r, uint64_t signature)
{
    gy_signature_answer answer = gy_signatures_enter(&r->set, signature);
    if (answer != GY_SIGNATURE_NO_ROOM)
        return answer;
    assert_true(gy_signatures_crowded(&r->set));
    assert_true(gy_signatures_grow(&r->set, r->set.lines + r->set.lines / 12));
    return gy_signatures_enter(&r->set, signature);
}

// Enough for lines to get an eleventh slot on the way.
static void is_what_was_entered(void **state)
{
    enum { MANY = 1000000 / SLOW };
    rig r;
    (void)state;
    rig_init(&r, true);
    unsigned slots = r.set.slots;
    for (uint64_t i = 0; i < MANY; i++) {
        make_room(&r, i);
        assert_false(gy_signatures_has(&r.set, signature_at(i)));
        assert_int_equal(gy_signatures_enter(&r.set, signature_at(i)), GY_SIGNATURE_NEW);
        assert_int_equal(gy_signatures_enter(&r.set, signature_at(i)), GY_SIGNATURE_FOUND);
    }
    for (uint64_t i = 0; i < 2 * MANY; i++)
        assert_int_equal(gy_signatures_has(&r.set, signature_at(i)), i < MANY);
    if (SLOW == 1)
        assert_true(r.set.slots > slots);
    rig_free(&r);
}

// Signatures that agree in the bits which a slot keeps, in lines next to each other.
static void tells_neighbours_apart(void **state)
{
    rig r;
    (void)state;
    for (unsigned bits = 30; bits < GY_SIGNATURE_BITS; bits++) {
        rig_init(&r, true);
        uint64_t count = 1ull << (GY_SIGNATURE_BITS - bits);
        count = count < 2000 ? count : 2000;
        for (uint64_t i = 0; i < count; i++)
            assert_int_equal(enter(&r, i << bits | 5), GY_SIGNATURE_NEW);
        for (unsigned k = 0; k < 3; k++)
            assert_true(gy_signatures_grow(&r.set, r.set.lines + r.set.lines / 3));
        for (uint64_t i = 0; i < count; i++)
            assert_true(gy_signatures_has(&r.set, i << bits | 5));
        for (uint64_t i = 0; i < count; i++)
            assert_false(gy_signatures_has(&r.set, i << bits | 6));
        rig_free(&r);
    }
}

// A crowd at one place goes to the stash, which says when it is full, and then grows.
static void survives_a_crowd(void **state)
{
    enum { CROWD = 5000 };
    rig r;
    (void)state;
    rig_init(&r, true);
    uint64_t lines = r.set.lines;
    for (uint64_t i = 0; i < CROWD; i++)
        assert_int_equal(enter(&r, i), GY_SIGNATURE_NEW);
    assert_true(r.set.lines > lines);
    for (uint64_t i = 0; i < 2 * CROWD; i++)
        assert_int_equal(gy_signatures_has(&r.set, i), i < CROWD);
    rig_free(&r);
}

enum { THREADS = 4, EACH = 30000 / SLOW };

typedef struct shared {
    rig rig;
    _Atomic uint64_t entered;
    uint64_t next[THREADS];
} shared;

// Half of what one enters another enters, too.
static bool enter_some(void *user, unsigned member)
{
    shared *s = user;
    for (uint64_t *i = &s->next[member]; *i < EACH; ++*i) {
        uint64_t signature = signature_at(member * (EACH / 2) + *i);
        gy_signature_answer answer = GY_SIGNATURE_NO_ROOM;
        if (atomic_load(&s->entered) < gy_signatures_capacity(&s->rig.set, PERCENT))
            answer = gy_signatures_enter(&s->rig.set, signature);
        if (answer == GY_SIGNATURE_NO_ROOM)
            return false;
        if (answer == GY_SIGNATURE_NEW)
            atomic_fetch_add(&s->entered, 1);
    }
    return true;
}

static void grow(void *user)
{
    shared *s = user;
    gy_signatures_grow(&s->rig.set, s->rig.set.lines + s->rig.set.lines / 4);
}

static bool no_step(void *user)
{
    (void)user;
    return false;
}

static void is_new_once(void **state)
{
    shared s = {0};
    crowd c = {.user = &s, .fill = enter_some, .begin = grow, .step = no_step};
    (void)state;
    rig_init(&s.rig, false);
    crowd_run(&c, THREADS);
    assert_int_equal(s.entered, (THREADS + 1) * (EACH / 2));
    for (uint64_t i = 0; i < (THREADS + 1) * (EACH / 2); i++)
        assert_true(gy_signatures_has(&s.rig.set, signature_at(i)));
    rig_free(&s.rig);
}

// What the documents promise of the store: 60 bits, and no more than 7.5 bytes for a state,
// whenever it is examined after the first growths. (States that are pending come on top of that.)
static void is_small(void **state)
{
    enum { FROM = 300000, MOST = 1500000 };
    gy_budget budget;
    (void)state;
    gy_budget_init(&budget, 0);
    gy_store_options options = {.budget = &budget};
    gy_store *store = gy_compact_store(&options);
    gy_store_view *view = gy_store_view_new(store);
    for (uint32_t i = 0; i < MOST / SLOW; i++) {
        gy_store_add_state(view, &i, 1);
        while (!gy_store_enter(view)) {
            gy_store_tell(view);
            assert_true(gy_store_grow(store, NULL));
        }
        assert_int_equal(view->fresh_count, 1);
        gy_store_clear(view);
        if (i >= FROM)
            assert_true((double)budget.used <= (i < 700000 ? 8.0 : 7.5) * i);
    }
    gy_store_view_free(view);
    gy_store_free(store);
    assert_int_equal(budget.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_what_was_entered), cmocka_unit_test(tells_neighbours_apart),
        cmocka_unit_test(survives_a_crowd),    cmocka_unit_test(is_new_once),
        cmocka_unit_test(is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
