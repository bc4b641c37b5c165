// All stores against a reference set: same answers, ids dense and stable, states given back,
// growth from tiny sizes, saving and loading, memory limits.
#include "store/numbered.h"

#include "base/atomic_file.h"
#include "base/fatal.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct kind {
    const char *name;
    unsigned size; // how many states a test may ask for, in thousands
} kind;

static const kind kinds[] = {
    {"plain", 200}, {"tree", 200}, {"compact", 200}, {"bitstate", 50}, {"automaton", 5},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// ---- a reference set: sorted by nothing, found by chaining ----------------------------

typedef struct reference {
    GY_VEC(uint32_t *) states; // [0] is the length
    GY_VEC(uint32_t) next;
    uint32_t heads[1 << 16];
} reference;

static uint32_t *slot_for(reference *set, const uint32_t *state, uint32_t words)
{
    uint64_t hash = words;
    for (uint32_t i = 0; i < words; i++)
        hash = (hash ^ state[i]) * 0x100000001b3ull + (hash >> 29);
    return &set->heads[(hash ^ hash >> 32) & 0xffff];
}

// The number of the state; adds it if it is not there.
static uint32_t reference_enter(reference *set, const uint32_t *state, uint32_t words, bool *is_new)
{
    uint32_t *head = slot_for(set, state, words);
    for (uint32_t i = *head; i; i = set->next.at[i - 1]) {
        const uint32_t *other = set->states.at[i - 1];
        if (other[0] == words && (!words || !memcmp(other + 1, state, words * sizeof *state))) {
            *is_new = false;
            return i - 1;
        }
    }
    uint32_t *copy = gy_alloc((words + 1) * sizeof *copy);
    copy[0] = words;
    if (words)
        memcpy(copy + 1, state, words * sizeof *state);
    gy_vec_push(&set->states, copy);
    gy_vec_push(&set->next, *head);
    *head = (uint32_t)set->states.n;
    *is_new = true;
    return *head - 1;
}

static void reference_free(reference *set)
{
    for (size_t i = 0; i < set->states.n; i++)
        free(set->states.at[i]);
    gy_vec_free(&set->states);
    gy_vec_free(&set->next);
    free(set);
}

// ---- states to enter ------------------------------------------------------------------

enum { MOST_WORDS = 3000 };

typedef enum { RANDOM_LENGTHS, FIXED, SUCCESSORS, DENSE, LONG, PATTERNS } pattern;

// The next state of a stream with many repetitions.
static uint32_t next_state(gy_random *random, pattern stream, uint32_t *state, uint32_t words)
{
    switch (stream) {
    case RANDOM_LENGTHS: // 0 to 40 words of small values
        words = (uint32_t)gy_random_below(random, 41);
        for (uint32_t i = 0; i < words; i++)
            state[i] = (uint32_t)gy_random_below(random, words < 5 ? 7 : 2);
        return words;
    case FIXED:
        words = 9;
        for (uint32_t i = 0; i < words; i++)
            state[i] = (uint32_t)gy_random_below(random, 4);
        return words;
    case SUCCESSORS: // one word changes, at times the length does
        if (gy_random_below(random, 50) == 0) {
            uint32_t longer = 10 + (uint32_t)gy_random_below(random, 20);
            for (uint32_t i = words; i < longer; i++)
                state[i] = 0;
            words = longer;
        }
        state[gy_random_below(random, words ? words : 1)] = (uint32_t)gy_random_below(random, 5);
        return words ? words : 10;
    case DENSE: // one word counts
        state[0] = (uint32_t)gy_random_below(random, 100000);
        return 1;
    default: // thousands of words, few of which change
        if (!words)
            memset(state, 0, MOST_WORDS * sizeof *state);
        state[gy_random_below(random, MOST_WORDS)] ^= 1u << gy_random_below(random, 3);
        return MOST_WORDS - (uint32_t)gy_random_below(random, 2);
    }
}

// Lets the store encode its states again: ids stay.
static void settle(gy_numbered *store, const uint32_t *state, uint32_t words)
{
    uint64_t id, after;
    if (!gy_numbered_unsettled(store))
        return;
    assert_true(gy_numbered_find(store, state, words, &id));
    gy_numbered_settle(store);
    assert_true(gy_numbered_find(store, state, words, &after));
    assert_int_equal(id, after);
}

static void drive(const kind *k, pattern stream, bool hostile, uint64_t steps)
{
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_store_options options = {.budget = &budget, .hostile = hostile, .seed = 7};
    options.bitstate_bytes = 64 << 20;
    gy_numbered *store = gy_numbered_new(gy_store_kind_named(k->name), &options);
    const gy_store_traits *traits = gy_numbered_traits(store);
    reference *set = gy_alloc_zero(sizeof *set);
    gy_random random;
    static uint32_t state[MOST_WORDS + 1];
    uint32_t words = 0;
    gy_random_seed(&random, 42 + stream);
    memset(state, 0, sizeof state);
    assert_string_equal(traits->name, k->name);
    for (uint64_t i = 0; i < steps; i++) {
        uint64_t id = UINT64_MAX, found = UINT64_MAX;
        bool is_new;
        words = next_state(&random, stream, state, words);
        uint32_t number = reference_enter(set, state, words, &is_new);
        assert_int_equal(gy_numbered_find(store, state, words, &found), !is_new);
        gy_store_answer answer = gy_numbered_enter(store, state, words, &id);
        assert_int_equal(answer, is_new ? GY_STORE_NEW : GY_STORE_FOUND);
        if (is_new || traits->gives_back)
            assert_int_equal(id, number);
        assert_true(gy_numbered_find(store, state, words, &found));
        settle(store, state, words);
        if (traits->gives_back && gy_random_below(&random, 3) == 0) {
            uint32_t length, any = (uint32_t)gy_random_below(&random, set->states.n);
            const uint32_t *back = gy_numbered_state(store, any, &length);
            assert_int_equal(length, set->states.at[any][0]);
            if (length)
                assert_memory_equal(back, set->states.at[any] + 1, length * sizeof *back);
        }
    }
    settle(store, state, words);
    gy_store_figures figures;
    gy_numbered_look(store, &figures);
    assert_int_equal(figures.states, set->states.n);
    for (uint32_t i = 0; traits->gives_back && i < set->states.n; i++) {
        uint32_t length;
        const uint32_t *back = gy_numbered_state(store, i, &length);
        assert_int_equal(length, set->states.at[i][0]);
        if (length)
            assert_memory_equal(back, set->states.at[i] + 1, length * sizeof *back);
    }
    gy_numbered_free(store);
    assert_int_equal(budget.used, 0);
    reference_free(set);
}

static void answers_as_a_set(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < KINDS; k++)
        for (pattern stream = 0; stream < PATTERNS; stream++) {
            uint64_t steps = kinds[k].size * (sample_every() > 1 ? 250 : 1000);
            if (stream == LONG)
                steps /= 100;
            drive(&kinds[k], stream, false, steps);
        }
}

static void answers_as_a_set_with_tiny_tables(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < KINDS; k++)
        for (pattern stream = 0; stream < PATTERNS; stream++) {
            uint64_t steps = kinds[k].size * 250;
            if (stream == LONG)
                steps /= 100;
            drive(&kinds[k], stream, true, steps);
        }
}

// ---- many at once -----------------------------------------------------------------------

enum { MOST_AT_ONCE = 9, AT_ONCE_WORDS = 41 };

// Also with states that are twice in a batch.
static void enter_batches(const kind *k, pattern stream, bool hostile, unsigned batches)
{
    gy_budget budget;
    gy_random random;
    uint32_t words = 0, state[AT_ONCE_WORDS] = {0}, copies[MOST_AT_ONCE][AT_ONCE_WORDS];
    gy_budget_init(&budget, 0);
    gy_store_options options = {
        .budget = &budget, .hostile = hostile, .bitstate_bytes = 64 << 20, .seed = 7};
    gy_numbered *store = gy_numbered_new(gy_store_kind_named(k->name), &options);
    bool gives_back = gy_numbered_traits(store)->gives_back;
    reference *set = gy_alloc_zero(sizeof *set);
    gy_random_seed(&random, 99 + stream);
    for (unsigned b = 0; b < batches; b++) {
        gy_numbered_entry entries[MOST_AT_ONCE];
        uint64_t numbers[MOST_AT_ONCE];
        bool is_new[MOST_AT_ONCE];
        uint32_t count = (uint32_t)gy_random_below(&random, MOST_AT_ONCE + 1);
        for (uint32_t i = 0; i < count; i++) {
            words = next_state(&random, stream, state, words);
            numbers[i] = reference_enter(set, state, words, &is_new[i]);
            memcpy(copies[i], state, sizeof state);
            entries[i] = (gy_numbered_entry){.state = copies[i], .words = words};
        }
        assert_int_equal(gy_numbered_enter_all(store, entries, count), count);
        for (uint32_t i = 0; i < count; i++)
            if (is_new[i] || gives_back)
                assert_int_equal(entries[i].id, numbers[i]);
    }
    gy_store_figures figures;
    gy_numbered_look(store, &figures);
    assert_int_equal(figures.states, set->states.n);
    gy_numbered_free(store);
    reference_free(set);
}

static void enters_many_at_once(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < KINDS; k++)
        for (pattern stream = RANDOM_LENGTHS; stream <= DENSE; stream++) {
            enter_batches(&kinds[k], stream, false, kinds[k].size * 100);
            enter_batches(&kinds[k], stream, true, kinds[k].size * 25);
        }
}

// Those for which there is no room are the last ones, and what was there stays.
static void leaves_out_the_last_ones_when_full(void **unused)
{
    (void)unused;
    gy_budget budget;
    uint32_t states[MOST_AT_ONCE][16] = {0}, entered = MOST_AT_ONCE, length;
    uint64_t total = 0, next = 0;
    gy_budget_init(&budget, 0);
    budget.other = 0;
    budget.limit = 1 << 20;
    gy_store_options options = {.budget = &budget};
    gy_numbered *store = gy_numbered_new(gy_store_kind_named("plain"), &options);
    while (entered == MOST_AT_ONCE) {
        gy_numbered_entry entries[MOST_AT_ONCE];
        for (uint32_t i = 0; i < MOST_AT_ONCE; i++) {
            states[i][0] = (uint32_t)next++;
            entries[i] = (gy_numbered_entry){.state = states[i], .words = 16};
        }
        entered = gy_numbered_enter_all(store, entries, MOST_AT_ONCE);
        for (uint32_t i = 0; i < entered; i++)
            assert_int_equal(entries[i].id, total + i);
        total += entered;
        assert_true(total < 1 << 20);
    }
    assert_true(total > 1000);
    for (uint64_t id = 0; id < total; id++)
        assert_int_equal(gy_numbered_state(store, id, &length)[0], id);
    gy_numbered_free(store);
}

// ---- saving -----------------------------------------------------------------------------

static void survives_a_file(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < KINDS; k++) {
        char path[] = "/tmp/gyre-test-store-XXXXXX";
        const char *why;
        gy_budget budget;
        gy_random random;
        uint64_t id;
        uint32_t state[64] = {0}, words = 0;
        close(mkstemp(path));
        gy_budget_init(&budget, 0);
        gy_store_options options = {.budget = &budget, .bitstate_bytes = 1 << 20};
        gy_numbered *store = gy_numbered_new(gy_store_kind_named(kinds[k].name), &options);
        gy_random_seed(&random, 3);
        for (unsigned i = 0; i < 3000; i++) {
            words = next_state(&random, SUCCESSORS, state, words);
            gy_numbered_enter(store, state, words, &id);
        }
        gy_writer *writer = gy_writer_open(path);
        gy_numbered_save(store, writer);
        assert_true(gy_writer_commit(writer));
        gy_numbered *twin = gy_numbered_new(gy_store_kind_named(kinds[k].name), &options);
        gy_reader *reader = gy_reader_open(path, &why);
        assert_non_null(reader);
        assert_true(gy_numbered_load(twin, reader));
        gy_reader_close(reader);
        for (unsigned i = 0; i < 6000; i++) {
            uint64_t other = 1;
            id = 1;
            words = next_state(&random, SUCCESSORS, state, words);
            assert_int_equal(gy_numbered_enter(store, state, words, &id),
                             gy_numbered_enter(twin, state, words, &other));
            assert_int_equal(id, other);
        }
        gy_numbered_free(store);
        gy_numbered_free(twin);
        unlink(path);
    }
}

// Batches of states with little in common, until there is no room for one.
static void fill(gy_numbered *store)
{
    uint32_t states[MOST_AT_ONCE][16] = {0}, entered = MOST_AT_ONCE;
    gy_random random;
    gy_random_seed(&random, 7);
    while (entered == MOST_AT_ONCE) {
        gy_numbered_entry entries[MOST_AT_ONCE];
        for (uint32_t i = 0; i < MOST_AT_ONCE; i++) {
            states[i][0] = (uint32_t)gy_random_next(&random) % 50000;
            states[i][9] = (uint32_t)gy_random_next(&random) % 50000;
            entries[i] = (gy_numbered_entry){.state = states[i], .words = 16};
        }
        entered = gy_numbered_enter_all(store, entries, MOST_AT_ONCE);
    }
}

// Wherever the room ended: what is written can be read, and every state has its number.
static void survives_a_file_when_full(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < 2; k++)
        for (uint64_t limit = 1 << 20; limit < 3 << 19; limit += 1 << 15) {
            char path[] = "/tmp/gyre-test-store-XXXXXX";
            const char *why;
            gy_budget budget, enough;
            gy_store_figures figures, read;
            close(mkstemp(path));
            gy_budget_init(&budget, 0);
            gy_budget_init(&enough, 0);
            budget.other = 0;
            budget.limit = limit;
            gy_store_options options = {.budget = &budget};
            gy_numbered *store = gy_numbered_new(gy_store_kind_named(kinds[k].name), &options);
            fill(store);
            gy_writer *writer = gy_writer_open(path);
            gy_numbered_save(store, writer);
            assert_true(gy_writer_commit(writer));
            options.budget = &enough;
            gy_numbered *twin = gy_numbered_new(gy_store_kind_named(kinds[k].name), &options);
            gy_reader *reader = gy_reader_open(path, &why);
            assert_non_null(reader);
            assert_true(gy_numbered_load(twin, reader));
            gy_reader_close(reader);
            gy_numbered_look(store, &figures);
            gy_numbered_look(twin, &read);
            assert_int_equal(figures.states, read.states);
            gy_numbered_free(store);
            gy_numbered_free(twin);
            unlink(path);
        }
}

// ---- limits -----------------------------------------------------------------------------

static void says_full_and_keeps_what_it_has(void **unused)
{
    (void)unused;
    for (unsigned k = 0; k < KINDS; k++) {
        gy_budget budget;
        gy_random random;
        uint64_t id, entered = 0;
        uint32_t state[16];
        bool full = false;
        gy_budget_init(&budget, 0);
        budget.other = 0;
        budget.limit = 6 << 20;
        gy_store_options options = {.budget = &budget, .bitstate_bytes = 1 << 20};
        gy_numbered *store = gy_numbered_new(gy_store_kind_named(kinds[k].name), &options);
        const gy_store_traits *traits = gy_numbered_traits(store);
        gy_random_seed(&random, 5);
        for (unsigned i = 0; i < 2000000 && !full; i++) {
            for (unsigned j = 0; j < 16; j++)
                state[j] = j % 4 ? 0 : (uint32_t)gy_random_next(&random);
            gy_store_answer answer = gy_numbered_enter(store, state, 16, &id);
            full = answer == GY_STORE_FULL;
            entered += answer == GY_STORE_NEW;
            assert_true(budget.used <= budget.limit);
            if (k == 4 && i > 30000)
                break; // slow
        }
        gy_store_figures figures;
        gy_numbered_look(store, &figures);
        assert_int_equal(figures.states, entered);
        if (k < 3)
            assert_true(full);
        gy_random_seed(&random, 5);
        for (uint64_t i = 0; i < entered && traits->exact; i++) {
            for (unsigned j = 0; j < 16; j++)
                state[j] = j % 4 ? 0 : (uint32_t)gy_random_next(&random);
            if (traits->gives_back) {
                uint32_t words;
                const uint32_t *back = gy_numbered_state(store, i, &words);
                assert_int_equal(words, 16);
                assert_memory_equal(back, state, sizeof state);
            } else {
                assert_true(gy_numbered_find(store, state, 16, NULL));
            }
        }
        gy_numbered_free(store);
    }
}

// ---- what lossy stores say about themselves -----------------------------------------------

static void bitstate_knows_its_coverage(void **unused)
{
    (void)unused;
    // 200,000 different states, and arrays from ample to far too small.
    for (unsigned functions = 1; functions <= 4; functions++)
        for (uint64_t bytes = 1 << 20; bytes >= 1 << 14; bytes /= 2) {
            gy_budget budget;
            gy_budget_init(&budget, 0);
            gy_store_options options = {
                .budget = &budget, .bitstate_bytes = bytes, .hash_functions = functions};
            gy_numbered *store = gy_numbered_new(gy_store_kind_named("bitstate"), &options);
            uint64_t id, total = 200000, seen = 0;
            for (uint64_t i = 0; i < total; i++) {
                uint32_t state[3] = {(uint32_t)i, 1, 2};
                seen += gy_numbered_enter(store, state, sizeof state / sizeof *state, &id) ==
                        GY_STORE_NEW;
            }
            gy_store_figures figures;
            gy_numbered_look(store, &figures);
            double truth = (double)seen / (double)total;
            assert_int_equal(figures.states, seen);
            assert_true(figures.coverage > truth * 0.97 && figures.coverage < truth * 1.03);
            assert_true(figures.fill > 0 && figures.fill <= 1);
            gy_numbered_free(store);
        }
}

static void compact_states_its_risk(void **unused)
{
    (void)unused;
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_store_options options = {.budget = &budget};
    gy_numbered *store = gy_numbered_new(gy_store_kind_named("compact"), &options);
    uint64_t id, n = 1000000;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t state[2] = {(uint32_t)i, (uint32_t)(i >> 32)};
        assert_int_equal(gy_numbered_enter(store, state, sizeof state / sizeof *state, &id),
                         GY_STORE_NEW);
    }
    gy_store_figures figures;
    gy_numbered_look(store, &figures);
    assert_true(figures.omission_probability > 4.3e-7 && figures.omission_probability < 4.4e-7);
    assert_true((double)budget.peak / (double)n < 12);
    gy_numbered_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_as_a_set),
        cmocka_unit_test(answers_as_a_set_with_tiny_tables),
        cmocka_unit_test(enters_many_at_once),
        cmocka_unit_test(leaves_out_the_last_ones_when_full),
        cmocka_unit_test(survives_a_file),
        cmocka_unit_test(survives_a_file_when_full),
        cmocka_unit_test(says_full_and_keeps_what_it_has),
        cmocka_unit_test(bitstate_knows_its_coverage),
        cmocka_unit_test(compact_states_its_risk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
