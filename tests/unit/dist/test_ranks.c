// One search over many ranks, as threads of one process: counts, verdicts and shortest errors are
// those that toy.h computes, for any number of ranks and threads and whatever order messages come
// in. Ranks that end for different reasons, and batches that are damaged.
#include "rank_run.h"
#include "sample.h"

#include "dist/mpi/in_process.h"
#include "dist/mpi/packing.h"
#include "dist/mpi/ranks.h"

#include "toy.h"

#include "base/text.h"
#include "store/kinds.h"

#include <dirent.h>
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_RANKS = 8 };

typedef struct crew {
    unsigned ranks, threads;
    uint64_t seed;
    gy_search_options options;
    uint64_t limit_of_last; // bytes, of the last rank; 0: none
} crew;

// What rank 0 says, after all of them were seen to say the same.
static gy_search_result *search_together(gy_system *system, const crew *c)
{
    rank_run runs[MOST_RANKS];
    gy_in_process *all = gy_in_process_new(c->ranks, c->seed);
    for (unsigned i = 0; i < c->ranks; i++) {
        runs[i] = (rank_run){.system = system, .options = c->options};
        runs[i].options.engine = &gy_ranks_engine;
        runs[i].options.transport = gy_in_process_rank(all, i);
        runs[i].options.threads = c->threads;
        if (i + 1 == c->ranks && c->limit_of_last)
            runs[i].options.memory_limit = c->limit_of_last;
        assert_int_equal(pthread_create(&runs[i].thread, NULL, run_rank, &runs[i]), 0);
    }
    for (unsigned i = 0; i < c->ranks; i++)
        pthread_join(runs[i].thread, NULL);
    gy_in_process_free(all);
    gy_search_result *first = runs[0].result;
    for (unsigned i = 1; i < c->ranks; i++) {
        gy_search_result *other = runs[i].result;
        assert_int_equal(other->completeness, first->completeness);
        assert_int_equal(other->errors, first->errors);
        assert_int_equal(other->witness_count, first->witness_count);
        if (first->completeness == GY_COMPLETE) {
            assert_int_equal(other->states, first->states);
            assert_int_equal(other->transitions, first->transitions);
            assert_int_equal(other->depth, first->depth);
        }
        gy_search_result_free(other);
    }
    return first;
}

static crew crew_of(unsigned ranks, unsigned threads, uint64_t seed)
{
    crew c = {.ranks = ranks, .threads = threads, .seed = seed};
    gy_search_defaults(&c.options);
    return c;
}

static void counts_are_those_of_one_process(void **unused)
{
    (void)unused;
    unsigned rounds = sample_every() > 1 ? 3 : 8;
    for (unsigned n = 0; n < TOY_SHAPES * rounds; n++) {
        toy t = toy_shapes[n % TOY_SHAPES];
        t.seed = n / TOY_SHAPES;
        gy_system *system = toy_system(&t);
        toy_truth truth = toy_solve(&t);
        crew c = crew_of(1 + n % MOST_RANKS, 1 + n % 3, n % 5);
        c.options.store = n % 2 ? GY_STORE_TREE : GY_STORE_PLAIN;
        c.options.max_errors = 0;
        c.options.hostile = n % 4 == 1;
        gy_search_result *result = search_together(system, &c);
        assert_int_equal(result->completeness, GY_COMPLETE);
        assert_int_equal(result->states, truth.states);
        assert_int_equal(result->transitions, truth.transitions);
        assert_int_equal(result->errors, truth.errors);
        assert_int_equal(result->depth, truth.errors ? truth.depth : truth.levels);
        assert_int_equal(result->ranks.ranks, c.ranks);
        for (uint32_t i = 0; i < result->witness_count; i++) {
            const char *why;
            assert_true(gy_witness_check(system, &result->witnesses[i], false, &why));
        }
        gy_search_result_free(result);
        gy_system_free(system);
        free(truth.costs);
    }
}

static void first_error_is_a_shortest(void **unused)
{
    (void)unused;
    unsigned violated = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        toy t = {.seed = seed,
                 .nodes = 600,
                 .degree = 3,
                 .reach = 6 + (uint32_t)seed % 20,
                 .weighted = seed % 2,
                 .varied = seed % 3 == 0,
                 .fault_rate = 100 + 50 * (uint32_t)(seed % 5),
                 .dead_rate = 100 + 50 * (uint32_t)(seed % 7)};
        gy_system *system = toy_system(&t);
        toy_truth truth = toy_solve(&t);
        crew c = crew_of(1 + seed % MOST_RANKS, 1 + seed % 2, seed);
        gy_search_result *result = search_together(system, &c);
        if (truth.shortest == UINT64_MAX) {
            assert_int_equal(result->witness_count, 0);
        } else {
            const char *why = "";
            violated++;
            assert_int_equal(result->witness_count, 1);
            assert_int_equal(result->completeness, GY_STOPPED_AT_ERROR);
            assert_true(gy_witness_check(system, result->witnesses, false, &why));
            assert_int_equal(toy_cost(result->witnesses), truth.shortest);
            assert_true(result->witnesses->shortest);
        }
        gy_search_result_free(result);
        gy_system_free(system);
        free(truth.costs);
    }
    assert_true(violated > 20);
}

static void compare_with_one(gy_system *system, const char *name, unsigned n, bool all_errors)
{
    enum { MOST_STATES = 20000 };
    crew c = crew_of(2 + n % 3, 1 + n % 2, n);
    c.options.max_errors = all_errors ? 0 : 1;
    c.options.state_limit = MOST_STATES;
    c.options.symmetry = n % 4 == 3;
    gy_search_options alone = c.options;
    gy_search_result *expected = gy_search(system, &alone);
    if (expected->completeness == GY_COMPLETE || expected->completeness == GY_STOPPED_AT_ERROR) {
        gy_search_result *result = search_together(system, &c);
        bool same = result->completeness == expected->completeness &&
                    result->witness_count == expected->witness_count;
        if (all_errors || !expected->errors)
            same = same && result->states == expected->states &&
                   result->transitions == expected->transitions &&
                   result->errors == expected->errors && result->depth == expected->depth;
        if (!all_errors && expected->witness_count && same)
            same = toy_cost(result->witnesses) == toy_cost(expected->witnesses);
        for (uint32_t e = 0; e < result->edge_count && (all_errors || !expected->errors); e++)
            same = same && result->reached_edges[e] == expected->reached_edges[e];
        if (!same)
            fail_msg(
                "%s: %llu states, %llu transitions, %llu errors over %u ranks, not %llu, "
                "%llu, %llu",
                name, (unsigned long long)result->states, (unsigned long long)result->transitions,
                (unsigned long long)result->errors, c.ranks, (unsigned long long)expected->states,
                (unsigned long long)expected->transitions, (unsigned long long)expected->errors);
        gy_search_result_free(result);
    }
    gy_search_result_free(expected);
}

// Every model of the tests, compared with the search of one process, which is compared with
// Spin.
static void models_are_as_in_one_process(void **unused)
{
    (void)unused;
    glob_t found;
    unsigned looked_at = 0, every = sample_every();
    assert_int_equal(glob("tests/models/*/*.pml", 0, NULL, &found), 0);
    for (unsigned i = 0; i < found.gl_pathc; i += every) {
        gy_load_options no_c = {.no_c = true};
        gy_system *system = gy_load(found.gl_pathv[i], &no_c, NULL);
        if (!system)
            continue;
        compare_with_one(system, found.gl_pathv[i], i / every, i / every % 3 == 0);
        looked_at++;
        gy_system_free(system);
    }
    globfree(&found);
    assert_true(looked_at > 400 / every);
}

// By one process alone, or over ranks.
static gy_search_result *search_reduced(gy_system *system, unsigned ranks, unsigned threads)
{
    crew c = crew_of(ranks, threads, ranks);
    c.options.reduce = true;
    c.options.state_limit = 20000;
    return ranks ? search_together(system, &c) : gy_search(system, &c.options);
}

// With partial-order reduction: the verdict of the whole, from the same states as in one process
// for any number of ranks and threads.
static void reductions_do_not_depend_on_ranks(void **unused)
{
    (void)unused;
    glob_t found;
    unsigned reduced = 0, every = sample_every();
    assert_int_equal(glob("tests/models/*/*.pml", 0, NULL, &found), 0);
    for (unsigned k = 0, i = every / 2; i < found.gl_pathc; i += every, k++) {
        gy_load_options no_c = {.no_c = true};
        gy_system *system = gy_load(found.gl_pathv[i], &no_c, NULL);
        gy_search_options whole;
        gy_search_defaults(&whole);
        whole.state_limit = 20000;
        gy_search_result *all = system ? gy_search(system, &whole) : NULL;
        if (all && (all->completeness == GY_COMPLETE || all->errors)) {
            gy_search_result *one = search_reduced(system, 0, 1);
            gy_search_result *some = search_reduced(system, 1 + k % 4, 1 + k % 2);
            bool same = one->completeness == all->completeness &&
                        some->completeness == all->completeness &&
                        (one->witness_count == 0) == (all->witness_count == 0) &&
                        (some->witness_count == 0) == (all->witness_count == 0);
            if (same && all->completeness == GY_COMPLETE)
                same = one->states == some->states && one->transitions == some->transitions &&
                       one->states <= all->states;
            if (!same)
                fail_msg("%s: %llu states in one process, %llu over %u, %llu without reduction",
                         found.gl_pathv[i], (unsigned long long)one->states,
                         (unsigned long long)some->states, 1 + k % 4,
                         (unsigned long long)all->states);
            reduced += one->states < all->states;
            gy_search_result_free(one);
            gy_search_result_free(some);
        }
        gy_search_result_free(all);
        if (system)
            gy_system_free(system);
    }
    globfree(&found);
    assert_true(reduced > 50 / every);
}

// The states are spread evenly, and what was sent is reported.
static void ranks_get_equal_parts(void **unused)
{
    (void)unused;
    toy t = {.seed = 4, .nodes = 40000, .degree = 3, .reach = 4000, .padding = 3};
    gy_system *system = toy_system(&t);
    crew c = crew_of(4, 1, 0);
    gy_search_result *result = search_together(system, &c);
    assert_true(result->states > 30000);
    assert_true((double)result->ranks.most < 1.05 * (double)result->ranks.fewest);
    assert_true(result->ranks.states > result->states / 2);
    assert_true(result->ranks.states <= result->transitions);
    assert_true(result->ranks.bytes > result->ranks.states);
    gy_search_result_free(result);
    gy_system_free(system);
}

// A limit that one rank reaches is the end for all, and none of them waits for ever.
static void limits_end_all_ranks(void **unused)
{
    (void)unused;
    toy t = {.seed = 1, .nodes = 60000, .degree = 3, .reach = 3000, .padding = 60};
    gy_system *system = toy_system(&t);
    for (unsigned n = 0; n < 6; n++) {
        crew c = crew_of(2 + n % 3, 1 + n % 2, n);
        gy_completeness expected = GY_LIMIT_STATES;
        c.options.store = GY_STORE_PLAIN;
        if (n < 3) {
            c.options.state_limit = 5000;
        } else {
            c.limit_of_last = 1; // not even the empty tables
            expected = GY_LIMIT_MEMORY;
        }
        gy_search_result *result = search_together(system, &c);
        assert_int_equal(result->completeness, expected);
        gy_search_result_free(result);
    }
    gy_system_free(system);
}

// A stop that comes while a thread waits for the others to give the store room: they must come.
static void stops_come_beside_growth(void **unused)
{
    (void)unused;
    toy t = {.seed = 2, .nodes = 4000, .degree = 3, .reach = 3000, .padding = 3};
    gy_system *system = toy_system(&t);
    unsigned step = sample_every() > 1 ? 3 : 1; // of 150 limits
    for (unsigned n = 0; n < 150; n += step) {
        crew c = crew_of(1 + n / step % 2, 3, n);
        c.options.hostile = true;
        c.options.state_limit = 1 + 20 * n;
        gy_search_result *result = search_together(system, &c);
        assert_int_equal(result->completeness, GY_LIMIT_STATES);
        gy_search_result_free(result);
    }
    gy_system_free(system);
}

static void remove_folder(const char *folder)
{
    gy_text command = {0};
    gy_text_printf(&command, "rm -rf '%s'", folder);
    assert_int_equal(system(gy_text_str(&command)), 0);
    gy_text_free(&command);
}

// A search that ended early goes on over another number of ranks, from any of its checkpoints, and
// counts what the whole search counts.
static void snapshots_go_on(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/test_ranks_XXXXXX", others[64];
    assert_non_null(mkdtemp(folder));
    snprintf(others, sizeof others, "%s/of-somebody.states", folder); // is nothing of ours
    assert_int_equal(mkfifo(others, 0600), 0);
    for (unsigned n = 0; n < 10; n++) {
        toy t = toy_shapes[2 + n % (TOY_SHAPES - 3)];
        t.seed = n;
        t.fault_rate = t.dead_rate = 0;
        t.reach = 400; // few levels
        gy_system *system = toy_system(&t);
        toy_truth truth = toy_solve(&t);
        crew c = crew_of(1 + n % 4, 1 + n % 2, n);
        c.options.hostile = n % 3 == 1;
        c.options.checkpoint_file = folder;
        c.options.checkpoint_seconds = 1e-9; // after every level, nearly
        c.options.state_limit = truth.states / 2;
        c.options.store = n % 2 ? GY_STORE_TREE : GY_STORE_PLAIN;
        atomic_int now = 1;
        bool ended = n % 3 == 2; // by the user, in the middle of a level: written once more
        if (ended) {
            c.options.interrupt = &now;
            c.options.checkpoint_seconds = 1e9;
        }
        gy_search_result *first = search_together(system, &c);
        assert_int_equal(first->completeness, ended ? GY_LIMIT_INTERRUPT : GY_LIMIT_STATES);
        c.options.interrupt = NULL;
        assert_true(first->checkpoints > 0);
        assert_null(first->checkpoint_problem);
        c.ranks = 1 + n / 2 % 5;
        c.options.resume_file = folder;
        c.options.state_limit = 0;
        gy_search_result *second = search_together(system, &c);
        assert_int_equal(second->completeness, GY_COMPLETE);
        assert_int_equal(second->states, truth.states);
        assert_int_equal(second->transitions, truth.transitions);
        assert_int_equal(second->depth, truth.levels);
        gy_search_result_free(first);
        gy_search_result_free(second);
        gy_system_free(system);
        free(truth.costs);
    }
    assert_int_equal(access(others, F_OK), 0);
    remove_folder(folder);
}

// Where a checkpoint cannot be read as it was written, the search fails and says so: it never goes
// on from a part.
static void damaged_snapshots_are_refused(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/test_ranks_XXXXXX";
    toy t = {.seed = 3, .nodes = 3000, .degree = 3, .reach = 600, .padding = 3};
    gy_system *system = toy_system(&t);
    crew c = crew_of(2, 1, 0);
    unsigned refused = 0;
    assert_non_null(mkdtemp(folder));
    c.options.checkpoint_file = folder;
    c.options.checkpoint_seconds = 1e-9;
    c.options.state_limit = 1500;
    gy_search_result_free(search_together(system, &c));
    c.options.state_limit = 0;
    c.options.checkpoint_file = NULL;
    c.options.resume_file = folder;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; (entry = readdir(dir));) {
        gy_text path = {0};
        struct stat about;
        if (entry->d_name[0] == '.')
            continue;
        gy_text_printf(&path, "%s/%s", folder, entry->d_name);
        assert_int_equal(stat(gy_text_str(&path), &about), 0);
        char *bytes = malloc((size_t)about.st_size);
        FILE *file = fopen(gy_text_str(&path), "rb");
        assert_int_equal(fread(bytes, 1, (size_t)about.st_size, file), about.st_size);
        fclose(file);
        for (int harm = 0; harm < 3; harm++) { // cut short, a bit turned, gone
            if (harm == 0)
                assert_int_equal(truncate(gy_text_str(&path), about.st_size / 2), 0);
            else if (harm == 2)
                assert_int_equal(unlink(gy_text_str(&path)), 0);
            if (harm == 1) {
                file = fopen(gy_text_str(&path), "r+b");
                fseek(file, about.st_size / 2, SEEK_SET);
                fputc(bytes[about.st_size / 2] ^ 4, file);
                fclose(file);
            }
            gy_search_result *result = search_together(system, &c);
            assert_int_equal(result->completeness, GY_FAILED);
            assert_non_null(result->failure);
            refused++;
            gy_search_result_free(result);
            file = fopen(gy_text_str(&path), "wb");
            assert_int_equal(fwrite(bytes, 1, (size_t)about.st_size, file), about.st_size);
            fclose(file);
        }
        free(bytes);
        gy_text_free(&path);
    }
    closedir(dir);
    assert_true(refused >= 9);
    gy_search_result *whole = search_together(system, &c); // as it was
    assert_int_equal(whole->completeness, GY_COMPLETE);
    gy_search_result_free(whole);
    // Nor can it be written where there is no directory: the search goes on without.
    c.options.resume_file = NULL;
    c.options.checkpoint_file = "/nowhere/at/all";
    gy_search_result *without = search_together(system, &c);
    assert_int_equal(without->completeness, GY_COMPLETE);
    assert_int_equal(without->checkpoints, 0);
    assert_non_null(without->checkpoint_problem);
    gy_search_result_free(without);
    gy_system_free(system);
    remove_folder(folder);
}

// With a reduction, too: who had to be expanded fully after all is remembered.
static void reduced_searches_go_on(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/test_ranks_XXXXXX";
    glob_t found;
    unsigned went_on = 0;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(glob("tests/models/*/*.pml", 0, NULL, &found), 0);
    for (unsigned i = 0; i < found.gl_pathc; i += 2) {
        gy_load_options no_c = {.no_c = true};
        gy_system *system = gy_load(found.gl_pathv[i], &no_c, NULL);
        gy_search_result *whole = system ? search_reduced(system, 0, 1) : NULL;
        if (whole && whole->completeness == GY_COMPLETE && whole->expanded_reduced &&
            whole->states > 20) {
            crew c = crew_of(1 + i % 3, 1, i);
            c.options.reduce = true;
            c.options.checkpoint_file = folder;
            c.options.checkpoint_seconds = 1e-9;
            c.options.state_limit = whole->states / 2;
            gy_search_result *first = search_together(system, &c);
            bool written = first->checkpoints > 0; // small ones are done before
            c.ranks = 1 + (i + 1) % 3;
            c.options.resume_file = written ? folder : NULL;
            c.options.checkpoint_file = NULL;
            c.options.state_limit = 0;
            gy_search_result *rest = search_together(system, &c);
            if (rest->states != whole->states || rest->transitions != whole->transitions)
                fail_msg("%s: %llu states, not %llu", found.gl_pathv[i],
                         (unsigned long long)rest->states, (unsigned long long)whole->states);
            went_on += written;
            gy_search_result_free(first);
            gy_search_result_free(rest);
        }
        gy_search_result_free(whole);
        if (system)
            gy_system_free(system);
    }
    globfree(&found);
    remove_folder(folder);
    assert_true(went_on > 5);
}

static void packed_states_come_back(void **unused)
{
    (void)unused;
    gy_packer p = {0};
    gy_unpacker u = {0};
    uint32_t states[40][30], words[40];
    uint64_t tags[2];
    gy_packer_begin(&p, 5);
    for (uint32_t i = 0; i < 40; i++) {
        words[i] = (uint32_t)(gy_hash_number(i) % 30);
        for (uint32_t k = 0; k < words[i]; k++)
            states[i][k] = (uint32_t)gy_hash_pair(i / 4, k) >> gy_hash_pair(i, k) % 32;
        gy_packer_add(&p, states[i], words[i], (uint64_t[]){gy_hash_number(i), i}, 2);
    }
    gy_unpacker_begin(&u, p.bytes.at + 5, p.bytes.n - 5);
    for (uint32_t i = 0; i < 40; i++) {
        assert_true(gy_unpacker_next(&u, tags, 2));
        assert_int_equal(u.words, words[i]);
        assert_memory_equal(u.state.at, states[i], words[i] * sizeof(uint32_t));
        assert_int_equal(tags[0], gy_hash_number(i));
        assert_int_equal(tags[1], i);
    }
    assert_false(gy_unpacker_next(&u, tags, 2));
    assert_false(u.damaged);
    // Cut short at any byte, it ends, and never reads beyond the end.
    for (size_t n = 0; n < p.bytes.n - 5; n++) {
        char *part = malloc(n + 1);
        memcpy(part, p.bytes.at + 5, n);
        gy_unpacker_begin(&u, part, n);
        while (gy_unpacker_next(&u, tags, 2))
            ;
        free(part);
    }
    // A length that nothing could have meant.
    uint8_t long_state[] = {255, 255, 255, 255, 255, 255, 255, 127, 1};
    gy_unpacker_begin(&u, long_state, sizeof long_state);
    assert_false(gy_unpacker_next(&u, tags, 0));
    assert_true(u.damaged);
    gy_packer_free(&p);
    gy_unpacker_free(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_states_come_back),
        cmocka_unit_test(counts_are_those_of_one_process),
        cmocka_unit_test(first_error_is_a_shortest),
        cmocka_unit_test(models_are_as_in_one_process),
        cmocka_unit_test(reductions_do_not_depend_on_ranks),
        cmocka_unit_test(ranks_get_equal_parts),
        cmocka_unit_test(limits_end_all_ranks),
        cmocka_unit_test(stops_come_beside_growth),
        cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(damaged_snapshots_are_refused),
        cmocka_unit_test(reduced_searches_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
