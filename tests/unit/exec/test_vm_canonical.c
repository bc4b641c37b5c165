// The words of a state mean the same in every process that loads the same model: what one finds in
// one order, another finds in another order, word by word, and a third can go on with.
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "gyre/gyre.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_STATES = 5000 };

typedef struct known_state {
    uint32_t words;
    gy_word *at;
} known_state;

typedef struct explored {
    GY_VEC(known_state) states;
    gy_map numbers; // of the states
    bool too_many;
} explored;

static bool same(const known_state *a, const known_state *b)
{
    return a->words == b->words && !memcmp(a->at, b->at, a->words * sizeof *a->at);
}

static int compare(const void *a, const void *b)
{
    const known_state *x = a, *y = b;
    if (x->words != y->words)
        return x->words < y->words ? -1 : 1;
    return memcmp(x->at, y->at, x->words * sizeof *x->at);
}

static int add(void *user, const gy_transition *transition)
{
    explored *e = user;
    known_state state = {transition->words, NULL};
    if (!transition->state)
        return 0;
    state.at = malloc(state.words * sizeof *state.at);
    memcpy(state.at, transition->state, state.words * sizeof *state.at);
    uint64_t hash = gy_hash_words(state.at, state.words, 0);
    gy_map_probe probe = gy_map_first(&e->numbers, hash);
    for (; probe.found; gy_map_next(&e->numbers, &probe))
        if (same(&e->states.at[probe.number], &state)) {
            free(state.at);
            return 0;
        }
    gy_map_add(&e->numbers, hash, (uint32_t)e->states.n);
    gy_vec_push(&e->states, state);
    return e->too_many = e->states.n > MOST_STATES;
}

// All states. `last_first`: those found last are expanded first.
static void explore(gy_system *system, bool last_first, explored *e)
{
    gy_worker *worker = gy_worker_new(system);
    uint8_t done[MOST_STATES + 2] = {0};
    gy_initial(worker, add, e);
    for (size_t left = 1; left && !e->too_many;) {
        left = 0;
        for (size_t i = 0; i < e->states.n && !e->too_many; i++) {
            size_t at = last_first ? e->states.n - 1 - i : i;
            if (done[at])
                continue;
            done[at] = 1;
            left++;
            gy_successors(worker, e->states.at[at].at, e->states.at[at].words, add, e);
            if (last_first)
                break;
        }
    }
    gy_worker_free(worker);
}

static void release(explored *e)
{
    for (size_t i = 0; i < e->states.n; i++)
        free(e->states.at[i].at);
    gy_vec_free(&e->states);
    gy_map_free(&e->numbers);
}

static gy_system *open_model(const char *name, const char *text)
{
    gy_load_options options = {.no_c = true};
    return text ? gy_load_text(name, text, strlen(text), &options, NULL)
                : gy_load(name, &options, NULL);
}

// In a child: explores the other way round and writes what it found, in order.
static void find_and_write(const char *name, const char *text, FILE *out)
{
    gy_system *system = open_model(name, text);
    if (!system)
        _exit(2);
    explored e = {0};
    explore(system, true, &e);
    qsort(e.states.at, e.states.n, sizeof *e.states.at, compare);
    for (size_t i = 0; i < e.states.n; i++) {
        fwrite(&e.states.at[i].words, sizeof(uint32_t), 1, out);
        fwrite(e.states.at[i].at, sizeof(gy_word), e.states.at[i].words, out);
    }
    fclose(out);
    _exit(e.too_many);
}

typedef struct listed {
    GY_VEC(gy_word) words;
} listed;

static int list(void *user, const gy_transition *t)
{
    listed *l = user;
    gy_vec_push(&l->words, t->step_count);
    for (uint32_t i = 0; i < t->step_count; i++) {
        gy_vec_push(&l->words, (gy_word)t->steps[i].pid);
        gy_vec_push(&l->words, (gy_word)t->steps[i].edge);
    }
    gy_vec_push(&l->words, t->words);
    for (uint32_t i = 0; i < t->words; i++)
        gy_vec_push(&l->words, t->state[i]);
    return 0;
}

// A system that has made no state itself expands these as the first one does.
static void go_on_elsewhere(const char *name, const char *text, gy_system *first, const explored *e)
{
    gy_system *other = open_model(name, text);
    gy_worker *workers[2] = {gy_worker_new(first), gy_worker_new(other)};
    for (size_t i = e->states.n; i-- > 0;) {
        listed lists[2] = {0};
        const known_state *state = &e->states.at[i * 7919 % e->states.n];
        for (int k = 0; k < 2; k++)
            gy_successors(workers[k], state->at, state->words, list, &lists[k]);
        if (lists[0].words.n != lists[1].words.n ||
            (lists[0].words.n &&
             memcmp(lists[0].words.at, lists[1].words.at, lists[0].words.n * sizeof(gy_word)) != 0))
            fail_msg("%s: a state has other successors elsewhere", name);
        gy_vec_free(&lists[0].words);
        gy_vec_free(&lists[1].words);
    }
    gy_worker_free(workers[0]);
    gy_worker_free(workers[1]);
    gy_system_free(other);
}

// Returns how many states there are, 0 if too many to examine.
static size_t check(const char *name, const char *text)
{
    // Before anything is open here: whoever forks next to a thread may leave a lock of the memory
    // taken in the child for ever.
    FILE *out = tmpfile();
    pid_t child = fork();
    if (child == 0)
        find_and_write(name, text, out);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    gy_system *system = open_model(name, text);
    if (!system) {
        fclose(out);
        return 0;
    }
    explored e = {0};
    explore(system, false, &e);
    size_t n = e.too_many ? 0 : e.states.n;
    if (n) {
        assert_int_equal(status, 0);
        go_on_elsewhere(name, text, system, &e);
        qsort(e.states.at, n, sizeof *e.states.at, compare);
        rewind(out);
        for (size_t i = 0; i < n; i++) {
            known_state read = {0};
            if (fread(&read.words, sizeof read.words, 1, out) != 1)
                fail_msg("%s: another process found fewer states", name);
            read.at = malloc(read.words * sizeof *read.at);
            assert_int_equal(fread(read.at, sizeof *read.at, read.words, out), read.words);
            if (!same(&read, &e.states.at[i]))
                fail_msg("%s: another process found other states", name);
            free(read.at);
        }
        assert_int_equal(fgetc(out), EOF);
    }
    fclose(out);
    release(&e);
    gy_system_free(system);
    return n;
}

static void shipped_models(void **unused)
{
    (void)unused;
    glob_t found;
    assert_int_equal(glob("tests/models/*/*.pml", 0, NULL, &found), 0);
    size_t looked_at = 0;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!strstr(found.gl_pathv[i], "/rejected/"))
            looked_at += check(found.gl_pathv[i], NULL) > 1;
    assert_true(looked_at > 100);
    globfree(&found);
}

// Processes and channels that come and go in many orders.
static void many_layouts(void **unused)
{
    (void)unused;
    static const char branching[] =
        "proctype A() { chan own = [1] of { byte }; own!1 } proctype B() { skip } "
        "byte n; proctype C() { chan one = [2] of { bit }; chan two = [0] of { byte, int }; one!1 "
        "} "
        "active proctype Old() { skip } "
        "init { do :: n < 3 -> n++; if :: run A() :: run B() :: run C() fi :: else -> break od }";
    assert_true(check("branching.pml", branching) > 100);
    // Children that start children, and a start that dies in parts.
    static const char nested[] =
        "byte n; proctype Leaf(byte k) { chan c = [1] of { byte }; c!k } "
        "proctype Node() { do :: n < 2 -> n++; run Leaf(n) :: n < 2 -> n++; run Node() "
        ":: break od } active proctype First() { chan f = [1] of { byte }; f!1 } "
        "init { run Node() }";
    assert_true(check("nested.pml", nested) > 100);
}

// More processes of more kinds than one word can tell.
static void long_layouts(void **unused)
{
    (void)unused;
    gy_text text = {0};
    for (int t = 0; t < 12; t++)
        gy_text_printf(&text, "proctype P%d(byte k) { chan c%d = [1] of { byte }; k == 255 } ", t,
                       t);
    gy_text_add(&text, "byte n; init { do :: n < 40 -> atomic { n++; if ");
    for (int t = 0; t < 12; t++)
        gy_text_printf(&text, ":: n %% 12 == %d -> run P%d(n) ", t, t);
    gy_text_add(&text, ":: n == 30 || n == 35 -> run P3(n) fi } :: else -> break od }");
    assert_true(check("long.pml", gy_text_str(&text)) > 80);
    gy_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_layouts),
        cmocka_unit_test(long_layouts),
        cmocka_unit_test(shipped_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
