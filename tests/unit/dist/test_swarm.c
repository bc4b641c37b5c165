// Swarms: weighted automata against the numbers of the paper's examples and against counting one by
// one; intervals against a filter of all traces; journals that were torn; seeds that were damaged.
#include "dist/swarm/journal.h"
#include "dist/swarm/sketch.h"
#include "dist/swarm/start_states.h"
#include "dist/swarm/weights.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static gy_weights *automaton(uint32_t nodes, const uint32_t (*edges)[2], size_t count)
{
    gy_weights *w = gy_weights_new(nodes);
    for (size_t i = 0; i < count; i++)
        gy_weights_edge(w, edges[i][0], edges[i][1]);
    return w;
}

static void assert_big(const gy_bigint *x, const char *digits)
{
    gy_text text = {0};
    gy_bigint_text(x, &text);
    assert_string_equal(gy_text_str(&text), digits);
    gy_text_free(&text);
}

// The user of the beverage machine: coffee or tea, twice, then away. Four traces; the weights in
// the paper's figure.
static void user_of_a_beverage_machine(void **state)
{
    static const uint32_t edges[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4},
                                        {3, 5}, {4, 6}, {5, 6}, {6, 7}};
    static const char *const weights[] = {"4", "2", "2", "2", "1", "1", "1", "1"};
    static const uint32_t traces[][5] = {
        {0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {1, 0, 0, 0, 0}, {1, 0, 1, 0, 0}};
    gy_weights *w = automaton(8, edges, sizeof edges / sizeof *edges);
    gy_trace trace = {0};
    gy_bigint number;
    (void)state;
    assert_true(gy_weights_count(w));
    for (uint32_t i = 0; i < 8; i++)
        assert_big(&w->weight[i], weights[i]);
    gy_bigint_init(&number);
    for (uint32_t i = 0; i < 4; i++) {
        gy_bigint_set_u64(&number, i);
        gy_trace_of(w, &number, &trace);
        assert_int_equal(trace.n, 5);
        assert_memory_equal(trace.at, traces[i], sizeof traces[i]);
    }
    gy_bigint_free(&number);
    gy_vec_free(&trace);
    gy_weights_free(w);
}

static void parallel_edges_are_traces(void **state)
{
    static const uint32_t edges[][2] = {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {1, 2}};
    static const uint32_t round[][2] = {{0, 1}, {1, 2}, {2, 0}};
    gy_weights *w = automaton(3, edges, 5), *cycle = automaton(3, round, 3);
    (void)state;
    assert_true(gy_weights_count(w));
    assert_big(&w->weight[0], "6");
    assert_false(gy_weights_count(cycle));
    gy_weights_free(w);
    gy_weights_free(cycle);
}

// A ladder of 200 choices: 2^200 traces.
static void counts_without_bound(void **state)
{
    gy_weights *w = gy_weights_new(401);
    gy_trace trace = {0};
    gy_bigint low, count, number;
    (void)state;
    for (uint32_t i = 0; i < 200; i++) {
        gy_weights_edge(w, 2 * i, 2 * i + 1);
        gy_weights_edge(w, 2 * i, 2 * i + 2);
        gy_weights_edge(w, 2 * i + 1, 2 * i + 2);
    }
    assert_true(gy_weights_count(w));
    assert_big(&w->weight[0], "1606938044258990275541962092341162602522202993782792835301376");
    gy_bigint_init(&low);
    gy_bigint_init(&count);
    gy_bigint_init(&number);
    gy_bigint_set(&number, &w->weight[0]);
    gy_bigint_scale(&number, 1, 3);
    gy_trace_of(w, &number, &trace);
    // The range of all but the last step of a trace begins at the trace, or at the one before it.
    gy_trace_range(w, &trace, trace.n - 1, trace.at[trace.n - 1], &low, &count);
    assert_int_equal(gy_bigint_compare(&low, &number), 0);
    assert_big(&count, "1");
    gy_text told = {0};
    gy_bigint_tell(&w->weight[0], &told);
    assert_string_equal(gy_text_str(&told), "1.60e60");
    gy_text_free(&told);
    gy_bigint_free(&low);
    gy_bigint_free(&count);
    gy_bigint_free(&number);
    gy_vec_free(&trace);
    gy_weights_free(w);
}

// Walks all traces of a small automaton in order and compares numbers, traces and ranges.
static uint64_t walk(const gy_weights *w, uint32_t node, gy_trace *prefix, uint64_t number)
{
    gy_bigint at, low, count;
    uint64_t first = number;
    if (!gy_weights_degree(w, node)) {
        gy_trace trace = {0};
        gy_bigint_init(&at);
        gy_bigint_set_u64(&at, number);
        gy_trace_of(w, &at, &trace);
        assert_int_equal(trace.n, prefix->n);
        if (trace.n)
            assert_memory_equal(trace.at, prefix->at, trace.n * sizeof *trace.at);
        gy_bigint_free(&at);
        gy_vec_free(&trace);
        return 1;
    }
    for (uint32_t e = 0; e < gy_weights_degree(w, node); e++) {
        gy_bigint_init(&low);
        gy_bigint_init(&count);
        gy_bigint_init(&at);
        gy_trace_range(w, prefix, prefix->n, e, &low, &count);
        gy_bigint_set_u64(&at, number);
        assert_int_equal(gy_bigint_compare(&low, &at), 0);
        gy_vec_push(prefix, e);
        uint64_t found = walk(w, gy_weights_target(w, node, e), prefix, number);
        prefix->n--;
        gy_bigint_set_u64(&at, found);
        assert_int_equal(gy_bigint_compare(&count, &at), 0);
        number += found;
        gy_bigint_free(&low);
        gy_bigint_free(&count);
        gy_bigint_free(&at);
    }
    return number - first;
}

static void numbers_of_random_automata(void **state)
{
    gy_random random;
    (void)state;
    gy_random_seed(&random, 5);
    for (int round = 0; round < 60; round++) {
        uint32_t nodes = 2 + (uint32_t)gy_random_below(&random, 8);
        gy_weights *w = gy_weights_new(nodes);
        gy_trace prefix = {0};
        gy_bigint all;
        for (uint32_t from = 0; from + 1 < nodes; from++)
            for (uint64_t n = gy_random_below(&random, 4); n > 0; n--)
                gy_weights_edge(w, from,
                                from + 1 + (uint32_t)gy_random_below(&random, nodes - from - 1));
        assert_true(gy_weights_count(w));
        uint64_t found = walk(w, 0, &prefix, 0);
        gy_bigint_init(&all);
        gy_bigint_set_u64(&all, found);
        assert_int_equal(gy_bigint_compare(&all, &w->weight[0]), 0);
        gy_bigint_free(&all);
        gy_vec_free(&prefix);
        gy_weights_free(w);
    }
}

// ---- files -----------------------------------------------------------------------------------

static char *new_folder(void)
{
    char *folder = strdup("/tmp/gyre-test-swarm-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static void remove_folder(char *folder)
{
    gy_text command = {0};
    gy_text_printf(&command, "rm -r '%s'", folder);
    assert_int_equal(system(gy_text_str(&command)), 0);
    gy_text_free(&command);
    free(folder);
}

static void path_of(gy_text *path, const char *folder, const char *name)
{
    gy_text_clear(path);
    gy_text_printf(path, "%s/%s", folder, name);
}

// Cut after every byte: what is read is always a beginning of what was written, and it can go on.
static void torn_journals(void **state)
{
    static const char *const records[] = {"begin 1 a b", "done 0", "done 17", "done 3"};
    char *folder = new_folder();
    gy_journal journal;
    gy_text why = {0}, path = {0};
    (void)state;
    // Another manager was killed before it had written a whole record.
    path_of(&path, folder, GY_JOURNAL_DRAFT);
    FILE *file = fopen(gy_text_str(&path), "wb");
    fputs("0123456789abc", file);
    fclose(file);
    gy_text_clear(&path);
    assert_true(gy_journal_create(&journal, folder, records[0], &why));
    for (size_t i = 1; i < 4; i++)
        assert_true(gy_journal_add(&journal, records[i]));
    gy_journal_close(&journal);
    assert_false(gy_journal_create(&journal, folder, records[0], &why)); // there is one
    path_of(&path, folder, "journal");
    file = fopen(gy_text_str(&path), "rb");
    char all[512];
    size_t bytes = fread(all, 1, sizeof all, file);
    fclose(file);
    for (size_t n = 0; n <= bytes; n++) {
        file = fopen(gy_text_str(&path), "wb");
        fwrite(all, 1, n, file);
        fclose(file);
        assert_true(gy_journal_open(&journal, folder, &why));
        size_t good = journal.records.n;
        size_t ends = 0;
        for (size_t i = 0; i < n; i++)
            ends += all[i] == '\n';
        assert_int_equal(good, ends);
        for (size_t i = 0; i < good; i++)
            assert_string_equal(journal.records.at[i], records[i]);
        assert_true(gy_journal_add(&journal, "more"));
        gy_journal_close(&journal);
        assert_true(gy_journal_look(&journal, folder, &why));
        assert_int_equal(journal.records.n, good + 1);
        assert_false(journal.torn);
        gy_journal_close(&journal);
    }
    gy_text_free(&why);
    gy_text_free(&path);
    remove_folder(folder);
}

// A byte that is another one: no record from there on is believed.
static void damaged_journals(void **state)
{
    char *folder = new_folder();
    gy_journal journal;
    gy_text why = {0}, path = {0};
    (void)state;
    assert_true(gy_journal_create(&journal, folder, "done 5", &why));
    for (size_t i = 1; i < 3; i++)
        assert_true(gy_journal_add(&journal, "done 5"));
    gy_journal_close(&journal);
    path_of(&path, folder, "journal");
    for (long at = 0; at < 3 * 24; at += 5) {
        FILE *file = fopen(gy_text_str(&path), "r+b");
        fseek(file, at, SEEK_SET);
        int was = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(was ^ 2, file);
        fclose(file);
        assert_true(gy_journal_look(&journal, folder, &why));
        assert_true(journal.records.n <= (size_t)at / 24);
        gy_journal_close(&journal);
        file = fopen(gy_text_str(&path), "r+b");
        fseek(file, at, SEEK_SET);
        fputc(was, file);
        fclose(file);
    }
    gy_text_free(&why);
    gy_text_free(&path);
    remove_folder(folder);
}

typedef struct seen {
    uint32_t count;
    uint32_t sum;
} seen;

static bool see(void *user, uint32_t part, const gy_word *words, uint32_t n)
{
    seen *s = user;
    s->count++;
    for (uint32_t i = 0; i < n; i++)
        s->sum += part * words[i];
    return true;
}

// As many as were written, or a complaint: whatever byte is flipped, wherever the file ends.
static void damaged_seeds(void **state)
{
    char *folder = new_folder();
    gy_text path = {0};
    uint64_t print;
    (void)state;
    path_of(&path, folder, "s");
    gy_start_state_writer *writer = gy_start_state_writer_open(gy_text_str(&path));
    for (uint32_t i = 0; i < 10; i++) {
        gy_word words[3] = {i, i * i, 7};
        gy_start_state_write(writer, 1 + i / 4, words, 1 + i % 3);
    }
    assert_true(gy_start_state_writer_close(writer, &print));
    FILE *file = fopen(gy_text_str(&path), "rb");
    char all[1024];
    long bytes = (long)fread(all, 1, sizeof all, file);
    fclose(file);
    seen whole = {0};
    for (long at = -1; at < 2 * bytes; at++) {
        gy_start_state_reader reader;
        const char *why;
        seen now = {0};
        bool good;
        file = fopen(gy_text_str(&path), "wb");
        if (at >= 0 && at < bytes)
            all[at] ^= 4;
        fwrite(all, 1, (size_t)(at >= bytes ? at - bytes : bytes), file);
        if (at >= 0 && at < bytes)
            all[at] ^= 4;
        fclose(file);
        good = gy_start_state_reader_open(&reader, gy_text_str(&path), &why);
        if (good) {
            for (size_t i = 0; i < reader.sections.n && good; i++)
                good = gy_start_state_read(&reader, &reader.sections.at[i], see, &now);
            gy_start_state_reader_close(&reader);
        }
        if (at < 0) {
            assert_true(good);
            assert_int_equal(now.count, 10);
            whole = now;
        } else if (good) { // nothing that matters
            assert_int_equal(now.sum, whole.sum);
        }
        if (at >= bytes)
            assert_false(good);
    }
    gy_text_free(&path);
    remove_folder(folder);
}

static void sketches(void **state)
{
    static uint8_t a[GY_SKETCH_BYTES], b[GY_SKETCH_BYTES];
    (void)state;
    for (uint64_t i = 0; i < 100000; i++)
        gy_sketch_add(i < 60000 ? a : b, gy_hash_number(i % 80000));
    gy_sketch_join(a, b);
    assert_true(gy_sketch_count(a) > 0.93 * 80000 && gy_sketch_count(a) < 1.07 * 80000);
    memset(a, 0, sizeof a);
    for (uint64_t i = 0; i < 30; i++)
        gy_sketch_add(a, gy_hash_number(i));
    assert_true(gy_sketch_count(a) > 28 && gy_sketch_count(a) < 32);
}

int main(void)
{
    const struct CMUnitTest counting[] = {
        cmocka_unit_test(user_of_a_beverage_machine),
        cmocka_unit_test(parallel_edges_are_traces),
        cmocka_unit_test(counts_without_bound),
        cmocka_unit_test(numbers_of_random_automata),
    };
    const struct CMUnitTest files[] = {
        cmocka_unit_test(torn_journals),
        cmocka_unit_test(damaged_journals),
        cmocka_unit_test(damaged_seeds),
        cmocka_unit_test(sketches),
    };
    int failed = gy_bigint_is_there() ? cmocka_run_group_tests(counting, NULL, NULL) : 0;
    return failed + cmocka_run_group_tests(files, NULL, NULL);
}
