// Files of a swarm's directory that a stranger has made, with checksums that fit: what they say is
// checked before anything is looked up by it.
#include "dist/swarm/cells.h"
#include "dist/swarm/job_checks.h"
#include "dist/swarm/journal.h"
#include "dist/swarm/start_states.h"

#include "base/atomic_file.h"
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PARTS = 3 };

static char folder[] = "/tmp/gyre-test-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static gy_answer answer_with(gy_part_count seed, gy_part_count known)
{
    gy_answer a = {.problem = strdup("")};
    gy_vec_push(&a.seeds, ((gy_part_count){0, 1}));
    gy_vec_push(&a.seeds, seed);
    if (known.count)
        gy_vec_push(&a.known, known);
    return a;
}

static bool makes_sense(gy_part_count seed, gy_part_count known, bool cells)
{
    gy_swarm_task task = {.cells = cells};
    gy_answer a = answer_with(seed, known);
    bool good = gy_answer_makes_sense(&a, &task, false, PARTS, NULL);
    gy_answer_free(&a);
    return good;
}

static void parts_of_answers(void **unused)
{
    static const gy_part_count none = {0, 0};
    (void)unused;
    assert_true(makes_sense((gy_part_count){2, 7}, none, false));
    assert_false(makes_sense((gy_part_count){PARTS, 7}, none, false));
    assert_false(makes_sense((gy_part_count){UINT32_MAX, 7}, none, false));
    assert_false(makes_sense((gy_part_count){0, 7}, none, false)); // twice
    assert_true(makes_sense((gy_part_count){PARTS + GY_CELLS - 1, 7}, none, true));
    assert_false(makes_sense((gy_part_count){PARTS + GY_CELLS, 7}, none, true));
    assert_true(makes_sense((gy_part_count){1, 7}, (gy_part_count){PARTS, 1}, true));
    assert_false(makes_sense((gy_part_count){1, 7}, (gy_part_count){PARTS - 1, 1}, true));
    assert_false(makes_sense((gy_part_count){1, 7}, (gy_part_count){PARTS, 1}, false));
}

static void kinds_of_answers(void **unused)
{
    gy_swarm_task task = {0};
    gy_answer a = {.problem = strdup(""), .kind = GY_ANSWER_WAY};
    (void)unused;
    assert_false(gy_answer_makes_sense(&a, &task, false, PARTS, NULL));
    assert_true(gy_answer_makes_sense(&a, &task, true, PARTS, NULL));
    a.kind = GY_ANSWER_DONE;
    assert_true(gy_answer_makes_sense(&a, &task, false, PARTS, NULL));
    assert_false(gy_answer_makes_sense(&a, &task, true, PARTS, NULL));
    a.kind = GY_ANSWER_WAY + 1;
    assert_false(gy_answer_makes_sense(&a, &task, false, PARTS, NULL));
    assert_false(gy_answer_makes_sense(&a, &task, true, PARTS, NULL));
    a.kind = GY_ANSWER_ERROR;
    a.error_fault = GY_FAULT_COUNT;
    assert_false(gy_answer_makes_sense(&a, &task, false, PARTS, NULL));
    gy_answer_free(&a);
}

// ---- seeds --------------------------------------------------------------------------------------

static bool see_none(void *user, uint32_t part, const gy_word *state, uint32_t words)
{
    (void)user, (void)part, (void)state, (void)words;
    return true;
}

// One section that says that it has so many bytes; its table has a checksum that fits.
static void write_seeds(const char *path, uint64_t bytes)
{
    static const uint64_t magic = 0x7365656473310a00ull;
    gy_word state[] = {1, 5, 0, 0};
    gy_start_state_section section = {
        .count = 1, .at = 8, .bytes = bytes, .hash = gy_hash_words(state + 1, 1, 1)};
    uint64_t tail[] = {8 + sizeof state, 1, gy_hash_bytes(&section, sizeof section, magic)};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(&magic, sizeof magic, 1, file);
    fwrite(state, sizeof state, 1, file);
    fwrite(&section, sizeof section, 1, file);
    fwrite(tail, sizeof tail, 1, file);
    assert_int_equal(fclose(file), 0);
}

static bool reads_seeds(uint64_t bytes)
{
    gy_start_state_reader reader;
    const char *why, *path = path_of("seeds");
    write_seeds(path, bytes);
    assert_true(gy_start_state_reader_open(&reader, path, &why));
    bool good = gy_start_state_read(&reader, &reader.sections.at[0], see_none, NULL);
    gy_start_state_reader_close(&reader);
    unlink(path);
    return good;
}

static void lengths_of_seeds(void **unused)
{
    (void)unused;
    assert_true(reads_seeds(2 * sizeof(gy_word)));
    assert_false(reads_seeds(3 * sizeof(gy_word)));
    assert_false(reads_seeds(UINT64_MAX)); // one more byte than that is none
    assert_false(reads_seeds(UINT64_MAX - 1));
    assert_false(reads_seeds((uint64_t)1 << 60));
}

// ---- files that are none ------------------------------------------------------------------------

// Nothing writes into it: the code that opens it as a file waits for ever.
static void pipes_are_no_files(void **unused)
{
    gy_start_state_reader seeds;
    gy_journal journal;
    gy_text why = {0};
    const char *told;
    (void)unused;
    assert_int_equal(mkfifo(path_of("journal"), 0600), 0);
    assert_null(gy_reader_open(path_of("journal"), &told));
    assert_false(gy_start_state_reader_open(&seeds, path_of("journal"), &told));
    assert_false(gy_journal_look(&journal, folder, &why));
    gy_writer *writer = gy_writer_open(path_of("answer"));
    assert_true(gy_writer_commit(writer));
    unlink(path_of("answer"));
    assert_int_equal(mkfifo(path_of("answer" GY_WRITER_TEMPORARY), 0600), 0);
    assert_false(gy_writer_commit(gy_writer_open(path_of("answer"))));
    unlink(path_of("answer" GY_WRITER_TEMPORARY));
    unlink(path_of("journal"));
    gy_text_free(&why);
}

static void links_are_not_followed(void **unused)
{
    gy_journal journal;
    gy_text why = {0};
    (void)unused;
    assert_true(gy_journal_create(&journal, folder, "begin", &why));
    gy_journal_close(&journal);
    assert_true(gy_journal_look(&journal, folder, &why));
    gy_journal_close(&journal);
    char *to = strdup(path_of("elsewhere"));
    assert_int_equal(rename(path_of("journal"), to), 0);
    assert_int_equal(symlink(to, path_of("journal")), 0);
    assert_false(gy_journal_look(&journal, folder, &why));
    assert_false(gy_journal_open(&journal, folder, &why));
    unlink(path_of("journal"));
    unlink(to);
    free(to);
    gy_text_free(&why);
}

static int make_folder(void **unused)
{
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
    (void)unused;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_answers),       cmocka_unit_test(kinds_of_answers),
        cmocka_unit_test(lengths_of_seeds),       cmocka_unit_test(pipes_are_no_files),
        cmocka_unit_test(links_are_not_followed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
