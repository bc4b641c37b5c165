// Words that may be a state: all that a system makes are, and those that it takes for one can be
// expanded. So a checkpoint whose states were tampered with, and whose checksum is right
// nevertheless, does no harm.
#include "gyre/gyre.h"
#include "search/search.h"

#include "base/atomic_file.h"
#include "base/fatal.h"
#include "base/file.h"
#include "base/random.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char model[] = "byte a[3]; short left = 5; mtype = { red, green }; mtype m = red;\n"
                            "chan q = [2] of { mtype, byte }; chan r = [0] of { bit };\n"
                            "proctype S(byte me) { byte k; q?m,k; a[k] = me; r!1 }\n"
                            "active [2] proctype P() { byte i;\n"
                            "  do :: i < 3 && left > 0 -> q!green,i; left--; i++\n"
                            "     :: _nr_pr < 5 -> run S(i); r?_ \n"
                            "     :: i == 3 -> break od }\n";

static gy_system *load(void)
{
    char *problem = NULL;
    gy_system *system = gy_load_text("t.pml", model, sizeof model - 1, NULL, &problem);
    if (!system)
        print_message("%s\n", problem);
    free(problem);
    assert_non_null(system);
    return system;
}

typedef GY_VEC(gy_word) word_list;
typedef struct walk {
    gy_worker *worker;
    word_list next;
    gy_random random;
    uint32_t seen;
} walk;

static int choose(void *user, const gy_transition *t)
{
    walk *w = user;
    if (!t->state)
        return 0;
    assert_true(t->words > 0);
    if (gy_random_below(&w->random, ++w->seen) == 0) {
        w->next.n = 0;
        for (uint32_t i = 0; i < t->words; i++)
            gy_vec_push(&w->next, t->state[i]);
    }
    return 0;
}

static int ignore(void *user, const gy_transition *t)
{
    (void)user, (void)t;
    return 0;
}

static void states_are_and_what_is_taken_for_one_does_no_harm(void **unused)
{
    (void)unused;
    gy_system *system = load();
    walk w = {.worker = gy_worker_new(system)};
    word_list at = {0};
    uint32_t taken = 0, refused = 0;
    gy_random_seed(&w.random, 3);
    for (unsigned step = 0; step < 3000; step++) {
        w.seen = 0;
        if (!at.n)
            gy_initial(w.worker, choose, &w);
        else
            gy_successors(w.worker, at.at, (uint32_t)at.n, choose, &w);
        word_list swap = at;
        at = w.next;
        w.next = swap;
        w.next.n = 0;
        if (!w.seen) {
            at.n = 0;
            continue;
        }
        assert_true(gy_is_state(w.worker, at.at, (uint32_t)at.n));
        gy_word *word = &at.at[gy_random_below(&w.random, at.n)], before = *word;
        *word ^=
            step % 3 ? 1u << gy_random_below(&w.random, 32) : (gy_word)gy_random_next(&w.random);
        if (gy_is_state(w.worker, at.at, (uint32_t)at.n)) {
            taken++;
            gy_successors(w.worker, at.at, (uint32_t)at.n, ignore, NULL);
            gy_is_end_state(w.worker, at.at, (uint32_t)at.n, true);
            gy_free(gy_state_text(w.worker, at.at, (uint32_t)at.n));
        } else {
            refused++;
        }
        *word = before;
        assert_false(gy_is_state(w.worker, at.at, (uint32_t)gy_random_below(&w.random, at.n)));
    }
    assert_true(taken > 100 && refused > 100);
    gy_vec_free(&at);
    gy_vec_free(&w.next);
    gy_worker_free(w.worker);
    gy_system_free(system);
}

// Every seventh word of the file in turn, among them those of states.
static void tampered_checkpoints_do_no_harm(void **unused)
{
    (void)unused;
    char path[] = "/tmp/gyre-test-is-state-XXXXXX";
    gy_system *system = load();
    gy_search_options options;
    gy_file file;
    uint32_t failed = 0;
    close(mkstemp(path));
    gy_search_defaults(&options);
    options.max_errors = 0;
    options.threads = 1;
    options.checkpoint_file = path;
    options.checkpoint_seconds = 1e-9;
    options.state_limit = 500;
    gy_search_result_free(gy_search(system, &options));
    assert_true(gy_file_read(path, NULL, &file) && file.bytes > 1000);
    options.checkpoint_file = NULL;
    options.state_limit = 1500;
    options.resume_file = path;
    size_t from = 8, bytes = file.bytes - 16; // between the magic number and the checksum
    for (size_t at = 0; at + 4 <= bytes; at += 28) {
        char *place = file.text + from + at;
        uint32_t before, now = (uint32_t)(at * 2654435761u) | 1u << at % 32;
        memcpy(&before, place, sizeof before);
        now ^= before;
        memcpy(place, &now, sizeof now);
        gy_writer *writer = gy_writer_open(path);
        gy_write(writer, file.text + from, bytes);
        assert_true(gy_writer_commit(writer));
        gy_search_result *result = gy_search(system, &options);
        failed += result->completeness == GY_FAILED;
        gy_search_result_free(result);
        memcpy(place, &before, sizeof before);
    }
    assert_true(failed > bytes / 28 / 4);
    gy_file_free(&file);
    unlink(path);
    gy_system_free(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_and_what_is_taken_for_one_does_no_harm),
        cmocka_unit_test(tampered_checkpoints_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
