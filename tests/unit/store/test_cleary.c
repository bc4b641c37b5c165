// The table of pairs of the tree store: exactly what was entered is there, before and after every
// kind of growth, by one thread and by several, in lines, stash and spill.
#include "store/cleary.h"

#include "crowd.h"
#include "sample.h"

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

typedef GY_VEC(uint64_t) pairs; // left in the lower half

typedef struct rig {
    gy_budget budget;
    gy_cleary table;
    pairs set;            // all that was entered
    uint64_t left, right; // they are not larger
    unsigned in_place, moved;
} rig;

static void rig_init(rig *r, bool alone, bool hostile, unsigned bits)
{
    *r = (rig){.left = (1ull << bits) - 1, .right = (1ull << bits) - 1};
    gy_budget_init(&r->budget, 0);
    r->budget.other = 0;
    gy_cleary_init(&r->table, &r->budget, alone, hostile);
}

static void rig_free(rig *r)
{
    gy_cleary_free(&r->table);
    assert_int_equal(r->budget.used, 0);
    gy_vec_free(&r->set);
}

static gy_cleary_answer enter(gy_cleary *table, uint64_t pair)
{
    uint32_t left = (uint32_t)pair, right = (uint32_t)(pair >> 32);
    if (!gy_cleary_fits(table, left, right))
        return GY_CLEARY_NO_ROOM;
    gy_cleary_key key = gy_cleary_key_of(table, left, right);
    return gy_cleary_enter(table, &key);
}

// Pair i of 2^(2 * bits), all different: a bijection.
static uint64_t pair_at(uint64_t i, unsigned bits)
{
    uint64_t mask = (1ull << 2 * bits) - 1, x = i * 0x9e3779b97f4a7c15ull & mask;
    x ^= x >> bits;
    x = x * 0xbf58476d1ce4e5b9ull & mask;
    x ^= x >> bits;
    return (x >> bits) << 32 | (x & ((1ull << bits) - 1));
}

// ---- what is there ----------------------------------------------------------------------

static void collect(void *user, uint32_t left, uint32_t right)
{
    pairs *found = user;
    gy_vec_push(found, (uint64_t)right << 32 | left);
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// Next to each pair there is a note that it knows, if there are notes.
static void *note_of(rig *r, uint64_t pair, uint64_t *wanted)
{
    uint64_t position;
    gy_cleary_key key = gy_cleary_key_of(&r->table, (uint32_t)pair, (uint32_t)(pair >> 32));
    assert_true(gy_cleary_find(&r->table, &key, &position));
    *wanted = (pair * 0x9e3779b97f4a7c15ull >> 40) | 1;
    return gy_cleary_note(&r->table, position);
}

static void write_note(rig *r, uint64_t pair)
{
    uint64_t wanted, zero = 0;
    void *note = note_of(r, pair, &wanted);
    assert_memory_equal(note, &zero, r->table.note_bytes);
    memcpy(note, &wanted, r->table.note_bytes);
}

static void check_notes(rig *r)
{
    for (size_t i = 0; i < r->set.n && r->table.note_bytes; i++) {
        uint64_t wanted;
        const void *note = note_of(r, r->set.at[i], &wanted);
        assert_memory_equal(note, &wanted, r->table.note_bytes);
    }
}

static void check_set(rig *r)
{
    check_notes(r);
    pairs found = {0};
    for (uint64_t piece = 0; gy_cleary_each(&r->table, piece, collect, &found); piece++)
        ;
    assert_int_equal(found.n, r->set.n);
    if (found.n) {
        qsort(found.at, found.n, sizeof *found.at, ascending);
        qsort(r->set.at, r->set.n, sizeof *r->set.at, ascending);
        assert_memory_equal(found.at, r->set.at, found.n * sizeof *found.at);
    }
    for (size_t i = 0; i < r->set.n; i++)
        assert_int_equal(enter(&r->table, r->set.at[i]), GY_CLEARY_FOUND);
    gy_vec_free(&found);
}

// ---- growth -----------------------------------------------------------------------------

static void help(void *user, unsigned member)
{
    rig *r = user;
    (void)member;
    while (gy_cleary_move(&r->table))
        ;
}

static bool step(void *user)
{
    rig *r = user;
    return gy_cleary_step(&r->table);
}

static void help_until_done(void *user, unsigned member)
{
    crowd *c = user;
    while (c->phase == CROWD_GROWS) {
        c->help(c->user, member);
        gy_team_meet(&c->team, crowd_lead, member);
    }
}

static void move_all(gy_cleary *table)
{
    do
        while (gy_cleary_move(table))
            ;
    while (gy_cleary_step(table));
}

// By so many threads; 0: without a team.
static void grow(rig *r, unsigned threads)
{
    assert_true(gy_cleary_begin(&r->table, r->left, r->right));
    r->in_place += r->table.in_place;
    r->moved += !r->table.in_place;
    if (threads) {
        crowd c = {.user = r, .help = help, .step = step, .phase = CROWD_GROWS, .size = threads};
        assert_int_equal(gy_team_run(threads, help_until_done, &c, &c.team), threads);
    } else {
        move_all(&r->table);
    }
    assert_true(gy_cleary_end(&r->table));
}

// Enters a pair that was not there, and looks for it again.
static void enter_new(rig *r, uint64_t pair, unsigned threads)
{
    gy_cleary_answer answer = GY_CLEARY_NO_ROOM;
    if (r->table.now.lines && !gy_cleary_wants_room(&r->table, r->left, r->right))
        answer = enter(&r->table, pair);
    while (answer == GY_CLEARY_NO_ROOM) {
        grow(r, threads);
        check_set(r);
        answer = enter(&r->table, pair);
    }
    assert_int_equal(answer, GY_CLEARY_NEW);
    assert_int_equal(enter(&r->table, pair), GY_CLEARY_FOUND);
    atomic_fetch_add(&r->table.count, 1);
    gy_vec_push(&r->set, pair);
    if (r->table.note_bytes)
        write_note(r, pair);
}

static void what_is_entered_is_there(void **unused)
{
    (void)unused;
    for (unsigned kind = 0; kind < 4; kind++)
        for (unsigned bits = 9; bits <= 29; bits += 5) {
            rig r;
            rig_init(&r, kind & 1, kind & 2, bits);
            uint64_t most = bits < 10 ? 1ull << 2 * bits : 30000 / SLOW; // all there are, once
            if (bits < 10 && SLOW > 1)
                most /= 16;
            for (uint64_t i = 0; i < most; i++)
                enter_new(&r, pair_at(i, bits), 0);
            check_set(&r);
            rig_free(&r);
        }
}

// Numbers become larger on the way, and with them the keys.
static void keys_become_longer(void **unused)
{
    (void)unused;
    for (unsigned threads = 0; threads < 4; threads++) {
        rig r;
        rig_init(&r, threads < 2, threads & 1, 6);
        for (uint64_t i = 1; i < 8000 / SLOW; i++) {
            r.left = i;
            r.right = i * 100;
            enter_new(&r, (i * 100) << 32 | i, threads);
            enter_new(&r, (i * 100 - 1) << 32 | i / 2, threads);
        }
        check_set(&r);
        rig_free(&r);
    }
}

// One number needs nearly all of its bits, the other few of them: a growth that is due anyway deals
// them out again, before there is no way but to move everything.
static void bits_are_dealt_out_again(void **unused)
{
    enum { MANY = 1 << 17, LARGE_LEFT = 22, SMALL_RIGHT = 5 };
    (void)unused;
    rig r;
    rig_init(&r, true, false, SMALL_RIGHT);
    r.left = (1 << 12) - 1;
    for (uint64_t i = 0; r.set.n < 2 * MANY; i++) {
        uint64_t left = i >> SMALL_RIGHT, right = i & ((1 << SMALL_RIGHT) - 1);
        if (i >= MANY) {
            r.left = (1 << LARGE_LEFT) - 1;
            left = r.left - left;
        }
        if (i == MANY + MANY / 8)
            r.table.wanted = i; // as in a table that was made for so many
        gy_vec_push(&r.set, right << 32 | left);
        if (!r.table.now.lines || gy_cleary_wants_room(&r.table, r.left, r.right))
            grow(&r, 0);
        assert_true(gy_cleary_fits(&r.table, (uint32_t)r.left, (uint32_t)r.right));
        assert_int_equal(enter(&r.table, r.set.at[i]), GY_CLEARY_NEW);
        atomic_fetch_add(&r.table.count, 1);
    }
    assert_in_range(r.table.now.left_bits, LARGE_LEFT + 4, 31);
    check_set(&r);
    rig_free(&r);
}

// The same where there is no memory for two tables: then it grows where it is, with the bits it
// has.
static void no_memory_to_deal_bits_out(void **unused)
{
    enum { MANY = 1 << 17, LARGE_LEFT = 22, SMALL_RIGHT = 5 };
    (void)unused;
    rig r;
    rig_init(&r, true, false, SMALL_RIGHT);
    r.left = (1 << 12) - 1;
    for (uint64_t i = 0; i < MANY || !gy_cleary_wants_room(&r.table, r.left, r.right); i++) {
        gy_vec_push(&r.set, (i & ((1 << SMALL_RIGHT) - 1)) << 32 | i >> SMALL_RIGHT);
        r.left = r.left > i >> SMALL_RIGHT ? r.left : i >> SMALL_RIGHT;
        if (!r.table.now.lines || (i < MANY && gy_cleary_wants_room(&r.table, r.left, r.right)))
            grow(&r, 0);
        assert_int_equal(enter(&r.table, r.set.at[i]), GY_CLEARY_NEW);
        atomic_fetch_add(&r.table.count, 1);
    }
    unsigned left_bits = r.table.now.left_bits;
    uint64_t lines = r.table.now.lines;
    r.left = (1 << LARGE_LEFT) - 1;
    assert_in_range(left_bits, LARGE_LEFT, LARGE_LEFT + 3);
    r.budget.limit = r.budget.used + r.table.now.slots.room / 2;
    assert_true(gy_cleary_grow(&r.table, r.left, r.right, NULL));
    assert_int_equal(r.table.now.left_bits, left_bits);
    assert_true(r.table.now.lines > lines);
    check_set(&r);
    rig_free(&r);
}

// Growth by little and by much, at all sizes: with keys of the same length most of it is done in
// place.
static void growth_in_place(void **unused)
{
    (void)unused;
    unsigned step = sample_every() > 1 ? 2 : 1;
    for (unsigned threads = 0; threads < 5; threads += step)
        for (unsigned hostile = 0; hostile < 2; hostile++) {
            enum { BITS = 18 };
            rig r;
            rig_init(&r, threads < 2, hostile, BITS);
            r.table.note_bytes = (threads + hostile) % 3;
            uint64_t n = 0, most = 200000 / SLOW;
            grow(&r, threads);
            for (unsigned round = 0; n < most; round++) {
                uint64_t more = 500 + n * (1 + round % 3) / 4;
                for (uint64_t end = n + more; n < end; n++)
                    enter_new(&r, pair_at(n, BITS), threads);
                grow(&r, threads);
                check_set(&r);
            }
            assert_true(r.in_place > (SLOW > 1 ? 0 : 3));
            assert_true(r.moved > 3);
            rig_free(&r);
        }
}

// ---- many threads -----------------------------------------------------------------------

typedef struct shared {
    rig r;
    crowd c;
    uint64_t n;
    unsigned bits;
    struct {
        uint64_t next, fresh;
        char apart[112];
    } of[CROWD_MOST];
} shared;

// Even members go forwards, odd ones backwards, all over the same pairs; or all the same way.
static uint64_t pair_of(const shared *s, unsigned member, uint64_t i)
{
    return pair_at(member % 4 == 3 ? s->n - 1 - i : i, s->bits);
}

static bool fill(void *user, unsigned member)
{
    shared *s = user;
    gy_cleary *table = &s->r.table;
    for (uint64_t *i = &s->of[member].next; *i < s->n; ++*i) {
        gy_cleary_answer answer = GY_CLEARY_NO_ROOM;
        if (!atomic_load_explicit(&s->c.room_wanted, memory_order_relaxed) && table->now.lines)
            answer = enter(table, pair_of(s, member, *i));
        if (answer == GY_CLEARY_NO_ROOM) {
            atomic_store_explicit(&s->c.room_wanted, true, memory_order_relaxed);
            return false;
        }
        if (answer == GY_CLEARY_FOUND)
            continue;
        s->of[member].fresh++;
        if (atomic_fetch_add(&table->count, 1) + 1 >= table->wanted)
            atomic_store_explicit(&s->c.room_wanted, true, memory_order_relaxed);
    }
    return true;
}

static void begin_shared(void *user)
{
    shared *s = user;
    if (!gy_cleary_begin(&s->r.table, s->r.left, s->r.right))
        abort();
}

static void help_shared(void *user, unsigned member)
{
    help(&((shared *)user)->r, member);
}

static bool step_shared(void *user)
{
    shared *s = user;
    bool more = step(&s->r);
    if (!more && !gy_cleary_end(&s->r.table))
        abort();
    return more;
}

static void many_threads(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 60 / SLOW; round++) {
        unsigned threads = 2 + round % 6;
        shared *s = gy_alloc_apart(sizeof *s);
        s->bits = round % 3 ? 17 : 28; // narrow slots and wide ones
        rig_init(&s->r, false, round % 2, s->bits);
        s->n = 20000 / SLOW;
        s->c = (crowd){.user = s,
                       .fill = fill,
                       .begin = begin_shared,
                       .help = help_shared,
                       .step = step_shared};
        assert_true(crowd_run(&s->c, threads));
        uint64_t fresh = 0;
        for (unsigned i = 0; i < threads; i++)
            fresh += s->of[i].fresh;
        assert_int_equal(fresh, s->n);
        for (uint64_t i = 0; i < s->n; i++)
            gy_vec_push(&s->r.set, pair_at(i, s->bits));
        check_set(&s->r);
        rig_free(&s->r);
        free(s);
    }
}

// ---- collisions -------------------------------------------------------------------------

static uint64_t inverse_of(uint64_t odd)
{
    uint64_t x = 1;
    for (unsigned i = 0; i < 63; i++) // odd^(2^63 - 1) = odd^-1, the group having 2^62 elements
        x = x * x * odd;
    return x;
}

// The pair that a table puts at h: gy_cleary_mix, undone.
static uint64_t pair_behind(const gy_cleary_table *t, uint64_t h)
{
    h ^= h >> t->shift;
    h = h * inverse_of(GY_CLEARY_SECOND) & t->mask;
    h ^= h >> t->shift;
    h = h * inverse_of(GY_CLEARY_FIRST) & t->mask;
    return h >> t->left_bits << 32 | (h & ((1ull << t->left_bits) - 1));
}

static bool within(uint64_t pair, uint64_t left, uint64_t right)
{
    return (uint32_t)pair <= left && pair >> 32 <= right;
}

// So many pairs that a table puts from h on, one next to the other.
static void cluster(const gy_cleary_table *t, uint64_t h, uint32_t n, uint64_t left, uint64_t right,
                    pairs *out)
{
    while (n > 0) {
        uint64_t pair = pair_behind(t, h & t->mask);
        gy_cleary_key key = gy_cleary_key_in(t, (uint32_t)pair, (uint32_t)(pair >> 32));
        assert_int_equal(key.line * t->share + key.rest, h & t->mask);
        h++;
        if (!within(pair, left, right))
            continue;
        gy_vec_push(out, pair);
        n--;
    }
}

static bool is_among(const pairs *list, uint64_t pair)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == pair)
            return true;
    return false;
}

// Far more entries in some places than there is room for: they go to the stash, also while the
// table grows in place. The first place, one in the
// middle, and the last.
static void stash(void **unused)
{
    (void)unused;
    for (unsigned threads = 0; threads < 4; threads++) {
        enum { BITS = 18, PLACES = 3, EACH = 190, ROOM = 8 * 16 };
        rig r;
        rig_init(&r, threads < 2, false, BITS);
        uint64_t n = 0;
        for (; n < 3500; n++)
            enter_new(&r, pair_at(n, BITS), threads);
        grow(&r, threads);
        gy_cleary_table then = r.table.now;
        assert_false(then.wide);
        pairs crowded = {0};
        cluster(&then, 1, EACH, r.left, r.right, &crowded); // 0 is there: pair 0
        cluster(&then, then.mask / 2, EACH, r.left, r.right, &crowded);
        cluster(&then, then.mask - 10 * EACH, EACH, r.left, r.right, &crowded);
        for (size_t i = 0; i < crowded.n; i++)
            enter_new(&r, crowded.at[i], threads);
        assert_true(r.table.stashed >= PLACES * (EACH - ROOM));
        for (; n < 5500; n++)
            if (!is_among(&crowded, pair_at(n, BITS)))
                enter_new(&r, pair_at(n, BITS), threads);
        check_set(&r);
        unsigned in_place = r.in_place;
        grow(&r, threads);
        assert_int_equal(r.in_place, in_place + 1);
        assert_true(r.table.now.left_bits == then.left_bits);
        assert_true(r.table.stashed >= PLACES * (EACH - ROOM)); // they are together still
        check_set(&r);
        gy_vec_free(&crowded);
        rig_free(&r);
    }
}

// The stash is full, long before the table is: growth helps, soon, also if the entries are no more
// than when it last grew.
static void full_stash(void **unused)
{
    (void)unused;
    enum { BITS = 14, SOON = 10 };
    for (unsigned hostile = 0; hostile < 2; hostile++)
        for (uint64_t n = 1; n < 5000; n = n * 2 + 3) {
            rig r;
            pairs crowded = {0};
            rig_init(&r, true, hostile, BITS);
            for (uint64_t i = 0; i < n; i++)
                enter_new(&r, pair_at(i, BITS), 0);
            grow(&r, 0);
            gy_cleary_table then = r.table.now;
            cluster(&then, then.mask / 3, 400, r.left, r.right, &crowded);
            for (size_t i = 0; i < crowded.n; i++) {
                unsigned before = r.moved + r.in_place;
                gy_cleary_answer answer;
                while ((answer = enter(&r.table, crowded.at[i])) == GY_CLEARY_NO_ROOM &&
                       r.moved + r.in_place < before + SOON)
                    grow(&r, 0);
                assert_true(answer != GY_CLEARY_NO_ROOM);
                if (answer == GY_CLEARY_NEW)
                    gy_vec_push(&r.set, crowded.at[i]); // not counted: as if not reported yet
            }
            check_set(&r);
            gy_vec_free(&crowded);
            rig_free(&r);
        }
}

// Pairs that are far apart in one table and all in one line of the next: more than that and its
// stash can take.
static void spill(void **unused)
{
    (void)unused;
    enum { N = 300, BITS = 20, BITS_THEN = 22 };
    for (unsigned threads = 0; threads < 4; threads++) {
        rig r, next;
        pairs crowded = {0};
        rig_init(&next, true, true, BITS_THEN);
        next.table.count = N; // what the table will be depends on that, not on what is in it
        grow(&next, 0);
        rig_init(&r, threads < 2, true, BITS);
        cluster(&next.table.now, next.table.now.share * 7, N, r.left, r.right, &crowded);
        for (uint32_t i = 0; i < N; i++)
            enter_new(&r, crowded.at[i], threads);
        r.left = r.right = (1ull << BITS_THEN) - 1;
        assert_true(gy_cleary_begin(&r.table, r.left, r.right));
        move_all(&r.table);
        assert_true(r.table.spilled.n > 0);
        r.budget.limit = r.budget.used; // no memory for a larger stash
        assert_false(gy_cleary_end(&r.table));
        r.budget.limit = 0;
        assert_true(gy_cleary_end(&r.table)); // nothing was lost
        assert_int_equal(r.table.spilled.n, 0);
        check_set(&r);
        for (uint64_t i = 0; i < 500; i++)
            enter_new(&r, pair_at(i, BITS_THEN) | 1ull << (32 + BITS_THEN - 1), threads);
        check_set(&r);
        gy_vec_free(&crowded);
        rig_free(&next);
        rig_free(&r);
    }
}

// ---- budgets ----------------------------------------------------------------------------

// Without memory, the table is filled a little further, and then growth is refused; nothing
// changes by that. (It is refused at once if the numbers do not fit.)
static void small_budgets(void **unused)
{
    (void)unused;
    enum { BITS = 17 };
    for (unsigned hostile = 0; hostile < 2; hostile++)
        for (uint64_t limit = 1 << 12; limit < 1 << 21; limit *= 2) {
            rig r;
            rig_init(&r, true, hostile, BITS);
            r.budget.limit = limit;
            uint64_t n = 0;
            bool refused = false;
            while (!refused) {
                gy_cleary_answer answer = GY_CLEARY_NO_ROOM;
                if (!gy_cleary_wants_room(&r.table, r.left, r.right))
                    answer = enter(&r.table, pair_at(n, BITS));
                if (answer == GY_CLEARY_NO_ROOM) {
                    refused = !gy_cleary_begin(&r.table, r.left, r.right);
                    if (!refused) {
                        move_all(&r.table);
                        refused = !gy_cleary_end(&r.table);
                    }
                    continue;
                }
                assert_int_equal(answer, GY_CLEARY_NEW);
                atomic_fetch_add(&r.table.count, 1);
                gy_vec_push(&r.set, pair_at(n++, BITS));
            }
            assert_true(r.budget.peak <= limit);
            check_set(&r);
            assert_true(n > limit / 64); // it was of use
            assert_false(gy_cleary_begin(&r.table, r.left << 3, r.right));
            check_set(&r);
            r.budget.limit = 0;
            for (uint64_t end = n + 1000; n < end; n++)
                enter_new(&r, pair_at(n, BITS), 0);
            check_set(&r);
            rig_free(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_entered_is_there),
        cmocka_unit_test(keys_become_longer),
        cmocka_unit_test(bits_are_dealt_out_again),
        cmocka_unit_test(no_memory_to_deal_bits_out),
        cmocka_unit_test(growth_in_place),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(stash),
        cmocka_unit_test(full_stash),
        cmocka_unit_test(spill),
        cmocka_unit_test(small_budgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
