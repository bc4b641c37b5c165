// Which rank a state belongs to. The system is a row of wheels, of which a step turns one: its
// states are all words of so many bits, so that a sum (modulo two) of some of these bits is 0 in
// exactly half of them, and sums none of which is a sum of others have every combination of values
// equally often. How many states a rank has follows from that, and from the number of ranks.
#include "rank_run.h"

#include "dist/mpi/in_process.h"
#include "dist/mpi/owner.h"
#include "dist/mpi/rank_parts.h"
#include "dist/mpi/ranks.h"

#include "exec/system.h"

#include "base/fatal.h"
#include "base/random.h"
#include "base/text.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    WHEELS = 4,
    PLACES = 16,
    BITS = 4,
    STATES = 1 << (WHEELS * BITS),
    INITIAL = 1024,
    MOST_RANKS = 8
};

typedef enum {
    TURNS,     // a step turns one wheel by a place
    RESTS,     // a step changes nothing
    STOPS,     // there is no step
    SHUFFLES,  // a step may lead anywhere
    MOVES,     // a step changes two neighbours of the bits of a wheel, or, from time to time, one
    LENGTHENS, // the first wheel says how many words there are after, all of them 0
    LONG,      // there are so many words after that nothing examines such states
    KINDS
} behaviour;

typedef struct wheels {
    behaviour kind;
    gy_word state[2048];
} wheels;

static uint32_t write_state(const wheels *w, uint32_t number, gy_word *state)
{
    uint32_t words = WHEELS;
    for (uint32_t i = 0; i < WHEELS; i++)
        state[i] = number >> i * BITS & (PLACES - 1);
    if (w->kind == LENGTHENS)
        words += state[0];
    if (w->kind == LONG)
        words += 1100;
    if (words > WHEELS)
        memset(state + WHEELS, 0, (words - WHEELS) * sizeof *state);
    return words;
}

// Different ones, anywhere.
static uint32_t spread(uint32_t i)
{
    return i * 40503u % STATES;
}

static uint32_t number_of(const gy_word *state)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < WHEELS; i++)
        number |= state[i] << i * BITS;
    return number;
}

static uint32_t turn(uint32_t number, uint32_t wheel)
{
    uint32_t place = ((number >> wheel * BITS) + 1) & (PLACES - 1);
    return (number & ~((uint32_t)(PLACES - 1) << wheel * BITS)) | place << wheel * BITS;
}

static uint32_t step(behaviour kind, uint32_t number, uint32_t i)
{
    if (kind == RESTS)
        return number;
    if (kind == SHUFFLES)
        return (uint32_t)gy_hash_number(number * (uint64_t)WHEELS + i + 1) % STATES;
    if (kind == MOVES) {
        uint64_t chance = gy_hash_number(number * (uint64_t)WHEELS + i + 1);
        uint32_t dice = (uint32_t)(chance >> 32) % 6, bit = dice < 3 ? 0 : dice < 5 ? 1 : 2;
        return number ^ (uint32_t)(chance & 63 ? 3 : 1) << bit << BITS * (chance >> 6 & 3);
    }
    return turn(number, i);
}

static int initial(void *worker, gy_visit *visit, void *user)
{
    wheels *w = worker;
    int stop = 0;
    for (uint32_t i = 0; i < INITIAL && !stop; i++) {
        gy_transition t = {.state = w->state, .exclusive = -1, .written = GY_WRITTEN_ALL};
        t.words = write_state(w, spread(i), w->state);
        stop = visit(user, &t);
    }
    return stop;
}

static int successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                      void *user)
{
    wheels *w = worker;
    uint32_t number = number_of(state);
    int stop = 0;
    (void)words;
    for (uint32_t i = 0; i < WHEELS && w->kind != STOPS && !stop; i++) {
        gy_transition t = {.state = w->state, .exclusive = -1, .written = GY_WRITTEN_ALL};
        t.words = write_state(w, step(w->kind, number, i), w->state);
        stop = visit(user, &t);
    }
    return stop;
}

static bool is_end_state(void *worker, const gy_word *state, uint32_t words, bool empty)
{
    (void)worker, (void)state, (void)words, (void)empty;
    return true;
}

static void *new_worker(void *impl)
{
    wheels *w = gy_alloc_zero(sizeof *w);
    w->kind = *(const behaviour *)impl;
    return w;
}

static void free_system(void *impl)
{
    (void)impl;
}

static const gy_backend backend = {.name = "wheels",
                                   .free_system = free_system,
                                   .new_worker = new_worker,
                                   .free_worker = free,
                                   .initial = initial,
                                   .successors = successors,
                                   .is_end_state = is_end_state};

static gy_system *new_system(behaviour *kind)
{
    gy_system *system = gy_alloc_zero(sizeof *system);
    system->backend = &backend;
    system->impl = kind;
    system->name = "wheels";
    return system;
}

// `count` of the states, spread evenly, the last `newest` of them being those found last. Each of
// the two parts begins somewhere else in it, if `turned`.
static gy_owner_states states_of(behaviour kind, uint32_t count, uint32_t newest, bool turned)
{
    gy_owner_states known = {.count = count, .newest = count - newest, .of = 1};
    wheels w = {.kind = kind};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = i < known.newest ? 0 : known.newest;
        uint32_t n = i < known.newest ? known.newest : newest;
        uint32_t k = turned ? from + (i - from + n / 3) % n : i;
        uint32_t words = write_state(&w, spread(k), w.state);
        gy_vec_reserve(&known.content, known.content.n + words + 1);
        memcpy(known.content.at + known.content.n, w.state, words * sizeof *w.state);
        known.content.n += words;
        gy_vec_push(&known.lengths, words);
    }
    return known;
}

static void choose(gy_owner *o, unsigned size, behaviour kind, const gy_owner_states *known)
{
    gy_system *system = new_system(&kind);
    gy_worker *worker = gy_worker_new(system);
    gy_owner_init(o, size);
    gy_owner_choose(o, worker, known);
    gy_worker_free(worker);
    gy_system_free(system);
}

static void choose_by(gy_owner *o, unsigned size, behaviour kind, uint32_t count, uint32_t newest)
{
    gy_owner_states known = states_of(kind, count, newest, false);
    choose(o, size, kind, &known);
    gy_vec_free(&known.content);
    gy_vec_free(&known.lengths);
}

static unsigned owner_of(const gy_owner *o, behaviour kind, uint32_t number)
{
    wheels w = {.kind = kind};
    uint32_t words = write_state(&w, number, w.state);
    unsigned rank = gy_owner_of(o, w.state, words);
    assert_true(rank < o->size);
    return rank;
}

static uint64_t *count_states(const gy_owner *o, behaviour kind)
{
    uint64_t *counts = gy_alloc_zero(o->size * sizeof *counts);
    for (uint32_t i = 0; i < STATES; i++)
        counts[owner_of(o, kind, i)]++;
    return counts;
}

// ---- forms ------------------------------------------------------------------------------

// One bit after the other.
static unsigned sum_by_hand(const gy_owner *o, const gy_word *state)
{
    uint64_t sums = 0;
    for (uint32_t k = 0; k < o->forms; k++)
        for (uint32_t bit = 0; bit < o->words * 32; bit++)
            sums ^= (uint64_t)(o->masks[k * o->words + bit / 32] >> bit % 32 & 1 &
                               state[bit / 32] >> bit % 32)
                    << k;
    return (unsigned)(sums * o->size / (1u << o->forms));
}

static void random_owner(gy_owner *o, gy_random *random, unsigned size, uint32_t words,
                         uint32_t forms)
{
    gy_owner_init(o, size);
    o->words = words;
    o->forms = forms;
    o->masks = gy_alloc_zero((size_t)words * forms * sizeof *o->masks);
    for (uint32_t k = 0; k < 3 * forms; k++) // few words count
        o->masks[k % forms * words + gy_random_next(random) % words] =
            (gy_word)gy_random_next(random);
    gy_owner_set(o);
}

static void random_state(gy_random *random, gy_word *state, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        state[i] = (gy_word)gy_random_next(random);
}

static void sums_are_linear(void **unused)
{
    (void)unused;
    gy_word a[300], b[300], both[300];
    gy_random random;
    gy_random_seed(&random, 1);
    for (unsigned round = 0; round < 200; round++) {
        uint32_t words = 1 + gy_random_next(&random) % 150, forms = 1 + round % 12;
        uint32_t more = words + gy_random_next(&random) % 150; // what is after does not count
        gy_owner o;
        random_owner(&o, &random, 1u << forms, words, forms);
        random_state(&random, a, more);
        random_state(&random, b, more);
        for (uint32_t i = 0; i < more; i++)
            both[i] = a[i] ^ b[i];
        assert_int_equal(gy_owner_of(&o, a, more), sum_by_hand(&o, a));
        assert_int_equal(gy_owner_of(&o, both, more),
                         gy_owner_of(&o, a, more) ^ gy_owner_of(&o, b, more));
        o.size = 1 + (unsigned)gy_random_next(&random) % (1u << forms);
        assert_int_equal(gy_owner_of(&o, b, more), o.size == 1 ? 0 : sum_by_hand(&o, b));
        gy_owner_free(&o);
    }
}

// What was written in words that do not count cannot take a state elsewhere; that is seen of some.
static void stays_where_nothing_counts(void **unused)
{
    (void)unused;
    gy_word a[200], b[200];
    gy_random random;
    unsigned stayed = 0, left = 0;
    gy_random_seed(&random, 2);
    for (unsigned round = 0; round < 4000; round++) {
        uint32_t words = round % 3 ? 1 + gy_random_next(&random) % 200 : 64 + round % 2, shift = 0;
        gy_owner o;
        random_owner(&o, &random, 4, words, 2);
        random_state(&random, a, words);
        memcpy(b, a, sizeof b);
        uint32_t at = gy_random_next(&random) % words;
        b[at] ^= 1u << gy_random_next(&random) % 32;
        while ((words - 1) >> shift >= 64) // as gy_incoming has it
            shift++;
        bool same = gy_owner_of(&o, a, words) == gy_owner_of(&o, b, words);
        bool stays = gy_owner_stays(&o, 1ull << (at >> shift), words);
        assert_true(same || !stays);
        stayed += stays;
        left += !same;
        assert_false(gy_owner_stays(&o, 0, words + 1)); // of another length: it may be hashed
        gy_owner_free(&o);
    }
    assert_true(stayed > 1000 && left > 20);
}

static void shorter_states_are_hashed(void **unused)
{
    (void)unused;
    gy_word state[8] = {0};
    gy_random random;
    gy_owner o, hash;
    gy_random_seed(&random, 3);
    random_owner(&o, &random, 5, 8, 7);
    gy_owner_init(&hash, 5);
    for (uint32_t i = 0; i < 1000; i++) {
        state[i % 7] += i;
        assert_int_equal(gy_owner_of(&o, state, 7), gy_owner_of(&hash, state, 7));
    }
    gy_owner_free(&o);
    gy_owner_free(&hash);
}

// ---- what is chosen -----------------------------------------------------------------------

// As many values of the sums belong to a rank, and each is that of as many states as any other.
static void assert_exactly_even(const gy_owner *o, behaviour kind)
{
    uint64_t *counts = count_states(o, kind);
    uint64_t *values = gy_alloc_zero(o->size * sizeof *values);
    for (uint64_t v = 0; v < 1ull << o->forms; v++)
        values[v * o->size >> o->forms]++;
    for (unsigned i = 0; i < o->size; i++)
        assert_int_equal(counts[i], values[i] * STATES >> o->forms);
    free(values);
    free(counts);
}

// As chance would have it: each is within six times what it is wrong by on average.
static void assert_about_even(const gy_owner *o, behaviour kind)
{
    uint64_t *counts = count_states(o, kind);
    double mean = STATES / (double)o->size;
    for (unsigned i = 0; i < o->size; i++) {
        double off = (double)counts[i] - mean;
        assert_true(off * off <= 36 * mean);
    }
    free(counts);
}

static double share_of_leaving_steps(const gy_owner *o, behaviour kind)
{
    uint64_t leaving = 0;
    for (uint32_t i = 0; i < STATES; i++)
        for (uint32_t k = 0; k < WHEELS; k++)
            leaving += owner_of(o, kind, i) != owner_of(o, kind, step(kind, i, k));
    return (double)leaving / ((double)STATES * WHEELS);
}

// The highest bit of a wheel changes at two of its places: in 1/32 of all steps. There are four
// such bits; two of them suffice for a bit of the rank that is a sum of two. Twice that is allowed.
static void ranks_are_even_and_steps_stay(void **unused)
{
    (void)unused;
    static const struct {
        unsigned size;
        double most;
    } cases[] = {{2, 4 / 32.0}, {4, 8 / 32.0}, {8, 0.5}, {3, 0.6}, {5, 0.7}, {6, 0.7},
                 {7, 0.7},      {12, 0.7},     {16, 1},  {31, 1},  {64, 1},  {100, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gy_owner o;
        choose_by(&o, cases[i].size, TURNS, 20000, 5000);
        if (cases[i].most < 0.6)
            assert_true(o.forms && 1u << o.forms == cases[i].size);
        if (o.forms)
            assert_exactly_even(&o, TURNS);
        else
            assert_about_even(&o, TURNS);
        if (o.forms)
            assert_true(share_of_leaving_steps(&o, TURNS) < cases[i].most);
        gy_owner_free(&o);
    }
}

// Of the four bits of a wheel, the first two change in 3/24 of the steps, those in the middle in
// 2/24 and the last two in 1/24. So the last bit changes in 1/24, and a bit or a sum of two in no
// fewer; but the sum of all four changes in 1/256, and the sum of two such in 1/128.
static void sums_are_found_that_few_steps_change(void **unused)
{
    (void)unused;
    gy_owner o;
    choose_by(&o, 2, MOVES, 20000, 5000);
    assert_int_equal(o.forms, 1);
    assert_exactly_even(&o, MOVES);
    assert_true(share_of_leaving_steps(&o, MOVES) < 2 / 128.0);
    gy_owner_free(&o);
}

// Some states are longer, by words that say nothing.
static void lengths_do_not_matter(void **unused)
{
    (void)unused;
    gy_owner o;
    choose_by(&o, 4, LENGTHENS, 20000, 5000);
    assert_true(o.forms == 2 && o.words == WHEELS);
    assert_exactly_even(&o, LENGTHENS);
    gy_owner_free(&o);
}

static void chosen_alike_in_any_order(void **unused)
{
    (void)unused;
    for (unsigned size = 2; size < 10; size++) {
        gy_owner_states some = states_of(TURNS, 9000, 2000, false);
        gy_owner_states same = states_of(TURNS, 9000, 2000, true);
        assert_memory_not_equal(some.content.at, same.content.at, some.content.n * sizeof(gy_word));
        gy_owner a, b;
        choose(&a, size, TURNS, &some);
        choose(&b, size, TURNS, &same);
        assert_int_equal(a.forms, b.forms);
        assert_int_equal(a.words, b.words);
        if (a.forms)
            assert_memory_equal(a.masks, b.masks, (size_t)a.forms * a.words * sizeof *a.masks);
        gy_owner_free(&a);
        gy_owner_free(&b);
        gy_vec_free(&some.content);
        gy_vec_free(&some.lengths);
        gy_vec_free(&same.content);
        gy_vec_free(&same.lengths);
    }
}

static void hash_stays_where_nothing_helps(void **unused)
{
    (void)unused;
    static const struct {
        behaviour kind;
        uint32_t count, newest;
    } cases[] = {
        {RESTS, 5000, 1000},    // nothing ever changes
        {STOPS, 5000, 1000},    //
        {SHUFFLES, 5000, 1000}, // everything does, each time
        {LONG, 2000, 1000},     // it would take too long
        {TURNS, 0, 0},          // nothing is known
        {TURNS, 5000, 0},       // nor where to begin
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned size = 1; size < 130; size = size * 3 / 2 + 1) {
            gy_owner o;
            choose_by(&o, size, cases[i].kind, cases[i].count, cases[i].newest);
            assert_true(!o.forms || (cases[i].kind == SHUFFLES && size == 2) || size == 1);
            if (!o.forms)
                assert_about_even(&o, cases[i].kind);
            assert_false(!o.forms && gy_owner_stays(&o, 0, WHEELS));
            gy_owner_free(&o);
        }
}

// A handful of states says little; what comes of it is an owner nevertheless.
static void few_states_do_no_harm(void **unused)
{
    (void)unused;
    for (uint32_t count = 1; count < 300; count = count * 2 + 1)
        for (unsigned size = 2; size < 40; size += 7) {
            gy_owner o;
            choose_by(&o, size, TURNS, count, count / 2 + 1);
            uint64_t *counts = count_states(&o, TURNS), sum = 0;
            for (unsigned i = 0; i < size; i++)
                sum += counts[i];
            assert_int_equal(sum, STATES);
            free(counts);
            gy_owner_free(&o);
        }
}

// ---- many ranks ---------------------------------------------------------------------------

// It is looked early, or is broken off as soon as it can be, with a checkpoint, or goes on from
// there.
typedef struct wish {
    bool early, ends;
    const char *folder, *resume;
} wish;

static gy_search_result *search_together(behaviour kind, unsigned ranks, const wish *wanted)
{
    _Atomic int now = wanted->ends;
    rank_run runs[MOST_RANKS];
    gy_in_process *all = gy_in_process_new(ranks, 0);
    gy_system *system = new_system(&kind);
    for (unsigned i = 0; i < ranks; i++) {
        runs[i] = (rank_run){.system = system};
        gy_search_defaults(&runs[i].options);
        runs[i].options.engine = &gy_ranks_engine;
        runs[i].options.transport = gy_in_process_rank(all, i);
        runs[i].options.threads = 1;
        runs[i].options.hostile = wanted->early;
        runs[i].options.interrupt = &now;
        runs[i].options.checkpoint_file = wanted->folder;
        runs[i].options.checkpoint_seconds = 1e9;
        runs[i].options.resume_file = wanted->resume;
        assert_int_equal(pthread_create(&runs[i].thread, NULL, run_rank, &runs[i]), 0);
    }
    for (unsigned i = 0; i < ranks; i++)
        pthread_join(runs[i].thread, NULL);
    gy_in_process_free(all);
    for (unsigned i = 1; i < ranks; i++)
        gy_search_result_free(runs[i].result);
    gy_system_free(system);
    return runs[0].result;
}

// If ranks did not agree whose a state is, it would be counted twice, or never. With so few states
// the hash decides, unless it is looked early: then few successors are sent.
static void all_ranks_choose_the_same(void **unused)
{
    (void)unused;
    for (unsigned ranks = 2; ranks <= MOST_RANKS; ranks++) {
        uint64_t sent[2];
        for (int early = 0; early < 2; early++) {
            gy_search_result *result = search_together(TURNS, ranks, &(wish){.early = early});
            assert_int_equal(result->completeness, GY_COMPLETE);
            assert_int_equal(result->states, STATES);
            assert_int_equal(result->transitions, STATES * WHEELS + INITIAL);
            sent[early] = result->ranks.states;
            gy_search_result_free(result);
        }
        if (ranks == 2 || ranks == 4)
            assert_true(sent[1] * (ranks == 2 ? 4 : 1) < sent[0]);
    }
}

// As many ranks go on with what was chosen; others begin with the hash. In both cases every state
// is found once. What belongs to others is sent: of 1/16 of the steps, or of half of them and more.
static void goes_on_with_the_same(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/gyre-owner-XXXXXX";
    gy_text command = {0};
    assert_non_null(mkdtemp(folder));
    gy_search_result *first =
        search_together(TURNS, 2, &(wish){.early = true, .ends = true, .folder = folder});
    assert_int_equal(first->completeness, GY_LIMIT_INTERRUPT);
    assert_int_equal(first->checkpoints, 1);
    gy_search_result_free(first);
    for (unsigned ranks = 2; ranks < 4; ranks++) {
        gy_search_result *rest = search_together(TURNS, ranks, &(wish){.resume = folder});
        assert_int_equal(rest->completeness, GY_COMPLETE);
        assert_int_equal(rest->states, STATES);
        assert_int_equal(rest->transitions, STATES * WHEELS + INITIAL);
        if (ranks == 2)
            assert_in_range(rest->ranks.states, 1, STATES * WHEELS / 8);
        else
            assert_in_range(rest->ranks.states, STATES * WHEELS / 4, STATES * WHEELS);
        gy_search_result_free(rest);
    }
    gy_text_printf(&command, "rm -r %s", folder);
    assert_int_equal(system(gy_text_str(&command)), 0);
    gy_text_free(&command);
}

// ---- back to the hash ---------------------------------------------------------------------

// A search in which `at` states were found, with ranks that differ by so many thousandths of an
// even share; `before`: what they differed by when it was last looked.
static bool begins_anew(uint64_t at, uint64_t before, uint64_t now, uint64_t sequence)
{
    enum { RANKS = 4 };
    gy_in_process *all = gy_in_process_new(RANKS, 0);
    gy_search_options options;
    gy_random random;
    gy_owner o;
    gy_run run = {.options = &options};
    gy_search_defaults(&options);
    gy_random_seed(&random, 4);
    random_owner(&o, &random, RANKS, 3, 2);
    o.chosen = true;
    gy_rank_search *s = gy_alloc_zero(sizeof *s);
    s->run = &run;
    s->transport = gy_in_process_rank(all, 1);
    s->owner = &o;
    s->all_states = at;
    s->uneven = before;
    s->sequence = sequence;
    uint64_t share = at / RANKS, off = share * now / 1000;
    bool anew = gy_rank_rebalance(s, share - off / 2, share - off / 2 + off);
    assert_int_equal(o.forms, anew ? 0 : 2);
    assert_true(o.chosen);
    free(s);
    gy_owner_free(&o);
    gy_in_process_free(all);
    return anew;
}

static void uneven_ranks_go_back_to_the_hash(void **unused)
{
    (void)unused;
    const uint64_t M = 1 << 20;
    assert_false(begins_anew(2 * M, 10, 20, 0));   // even
    assert_true(begins_anew(2 * M, 50, 60, 0));    // not, and less and less so
    assert_false(begins_anew(2 * M, 90, 60, 0));   // it becomes better
    assert_false(begins_anew(2 * M, 0, 60, 0));    // nothing knows yet
    assert_false(begins_anew(2 * M, 300, 200, 0)); // young
    assert_true(begins_anew(5 * M, 300, 200, 0));  // far too much by then
    assert_false(begins_anew(9 * M, 50, 200, 0));  // too much would be done again
    assert_false(begins_anew(M / 2, 50, 200, 0));  // there is next to nothing
    assert_false(begins_anew(5 * M, 50, 200, 1));  // it is in files
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_linear),
        cmocka_unit_test(stays_where_nothing_counts),
        cmocka_unit_test(shorter_states_are_hashed),
        cmocka_unit_test(ranks_are_even_and_steps_stay),
        cmocka_unit_test(sums_are_found_that_few_steps_change),
        cmocka_unit_test(lengths_do_not_matter),
        cmocka_unit_test(chosen_alike_in_any_order),
        cmocka_unit_test(hash_stays_where_nothing_helps),
        cmocka_unit_test(few_states_do_no_harm),
        cmocka_unit_test(all_ranks_choose_the_same),
        cmocka_unit_test(goes_on_with_the_same),
        cmocka_unit_test(uneven_ranks_go_back_to_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
