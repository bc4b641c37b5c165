// Native code against the virtual machine on every model of tests/models, and the cache of
// compiled code under bad conditions.
#include "base/clock.h"
#include "exec/native/native.h"
#include "load/load.h"

#include "sample.h"
#include "successor_lists.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char counter[] = "byte x; active [2] proctype P() { do :: x < 40 -> x++ "
                              ":: x > 0 -> x-- od }";

// Enough states for the search to last a while.
static const char large[] = "byte x, y, z, w; active proctype P() { do :: x++ :: y++ :: z++ "
                            ":: w++ od }";

// Seconds for what always comes: only for when something is broken.
enum { PATIENCE = 300 };

static char cache[] = "/tmp/gyre-test-native-XXXXXX";
static char entries[64]; // the directory in it that holds compiled code

static gy_model *model_of(const char *text)
{
    gy_diags *diags;
    gy_model *model = gy_load_model_text("test.pml", text, strlen(text), NULL, &diags);
    gy_diags_free(diags);
    assert_non_null(model);
    return model;
}

static gy_system *open_text(const char *text, const gy_native_options *options, char **problem)
{
    gy_model *model = model_of(text);
    gy_system *system = gy_system_native(model, true, NULL, options, problem);
    if (!system)
        gy_model_free(model);
    return system;
}

static size_t count_states(gy_system *system)
{
    gy_worker *worker = gy_worker_new(system);
    state_set set = {0};
    gy_initial(worker, add_visit, &set);
    GY_VEC(gy_word) state = {0};
    for (size_t i = 0; i < set.states.n; i++) {
        gy_vec_reserve(&state, set.states.at[i].words);
        memcpy(state.at, set.words.at + set.states.at[i].at,
               set.states.at[i].words * sizeof(gy_word));
        gy_successors(worker, state.at, set.states.at[i].words, add_visit, &set);
    }
    size_t n = set.states.n;
    gy_vec_free(&state);
    free_set(&set);
    gy_worker_free(worker);
    return n;
}

static int ignore(void *user, const gy_transition *transition)
{
    (void)user;
    (void)transition;
    return 0;
}

static uint32_t files_in(const char *folder)
{
    uint32_t n = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        n += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

static void empty(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    assert_int_equal(system(command), 0);
}

static gy_native_status status_of(gy_system *system)
{
    gy_native_status status;
    assert_true(gy_native_look(system, &status));
    return status;
}

// ---- the same successors ------------------------------------------------------------------

static void compare(const char *name, gy_model *model, const gy_native_options *options)
{
    enum { STATES = 300 };
    char *problem = NULL;
    gy_system *system = gy_system_native(model, true, NULL, options, &problem);
    if (!system)
        fail_msg("%s: %s", name, problem);
    gy_worker *worker = gy_worker_new(system);
    state_set set = {0};
    collected machine = {0}, native = {0};
    explore(worker, &set, STATES);
    for (size_t i = 0; i < set.states.n; i++) {
        const gy_word *state = set.words.at + set.states.at[i].at;
        clear(&machine);
        clear(&native);
        native.source = state;
        native.source_words = set.states.at[i].words;
        gy_vm_successors(worker->impl, state, set.states.at[i].words, collect, &machine);
        gy_successors(worker, state, set.states.at[i].words, collect, &native);
        if (!same(&machine, &native))
            fail_msg("%s: successors of state %zu differ", name, i);
        if (native.untold)
            fail_msg("%s: a successor of state %zu changes words that it does not tell", name, i);
    }
    free_collected(&machine);
    free_collected(&native);
    free_set(&set);
    gy_worker_free(worker);
    gy_system_free(system);
}

// ---- successors of several states in one array --------------------------------------------

enum { APPEND_STATES = 300 };

// What a series of batch and append calls has given so far; all of it must stay where it is.
typedef struct series {
    const gy_transition *first;
    uint32_t count;
    size_t from; // the first state of the series
    uint32_t ends[APPEND_STATES * 2];
    uint32_t states;
} series;

static void collect_all(collected *c, const gy_transition *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        collect(c, &all[i]);
}

// All arrays of the series, read at its end: are they those of gy_successors?
static void check_series(const char *name, gy_worker *other, const state_set *set, const series *s)
{
    collected truth = {0}, got = {0};
    for (uint32_t i = 0, at = 0; i < s->states; at = s->ends[i++]) {
        const struct place *place = &set->states.at[s->from + i];
        clear(&truth);
        clear(&got);
        got.source = set->words.at + place->at;
        got.source_words = place->words;
        gy_successors(other, got.source, place->words, collect, &truth);
        collect_all(&got, s->first + at, s->ends[i] - at);
        if (!same(&truth, &got) || got.untold)
            fail_msg("%s: state %zu, number %u of a series of %u: successors differ", name,
                     s->from + i, i, s->states);
        for (size_t k = 0; k < got.all.n; k++)
            assert_int_equal(got.all.at[k].fault, GY_FAULT_NONE);
    }
    free_collected(&truth);
    free_collected(&got);
}

// Series of at most so many states. The states in a batch are examined only when it is complete,
// and by another worker, so that what is not valid any more is seen. Returns how many states there
// were in series of more than one.
static size_t append(const char *name, gy_system *system, const state_set *set, uint32_t most)
{
    gy_worker *worker = gy_worker_new(system), *other = gy_worker_new(system);
    size_t together = 0;
    series s = {0};
    for (size_t i = 0; i < set->states.n; i++) {
        const struct place *place = &set->states.at[i];
        uint32_t count = 0, words = place->words;
        gy_word *state = gy_alloc(words * sizeof *state + 1); // its memory is not needed later
        memcpy(state, set->words.at + place->at, words * sizeof *state);
        const gy_transition *all = NULL;
        if (s.states && s.states < most) {
            all = gy_successors_append(worker, state, words, &count);
            if (all && all != s.first + s.count)
                fail_msg("%s: state %zu: not behind the others", name, i);
        }
        if (!all) {
            check_series(name, other, set, &s);
            together += s.states > 1 ? s.states : 0;
            s = (series){.from = i};
            all = s.first = gy_successors_batch(worker, state, words, &count);
        }
        free(state);
        if (all) {
            s.count += count;
            s.ends[s.states++] = s.count;
        }
    }
    check_series(name, other, set, &s);
    together += s.states > 1 ? s.states : 0;
    gy_worker_free(worker);
    gy_worker_free(other);
    return together;
}

// The same by gy_successors_many, at most so many states at a time, and until there are as many
// successors.
static size_t at_once(const char *name, gy_system *system, const state_set *set, uint32_t most)
{
    gy_worker *worker = gy_worker_new(system), *other = gy_worker_new(system);
    GY_VEC(const gy_word *) states = {0};
    GY_VEC(uint32_t) words = {0};
    size_t together = 0;
    for (size_t i = 0; i < set->states.n; i++) {
        gy_vec_push(&states, set->words.at + set->states.at[i].at);
        gy_vec_push(&words, set->states.at[i].words);
    }
    for (size_t i = 0, left; (left = set->states.n - i) > 0;) {
        series s = {.from = i};
        gy_many many = {.states = states.at + i,
                        .words = words.at + i,
                        .count = left < most ? (uint32_t)left : most,
                        .enough = most,
                        .ends = s.ends};
        s.states = gy_successors_many(worker, &many);
        if (s.states > many.count || (s.states > 1 && s.ends[s.states - 2] >= most))
            fail_msg("%s: state %zu: of %u states, more than was asked for", name, i, s.states);
        s.first = many.all;
        check_series(name, other, set, &s);
        together += s.states > 1 ? s.states : 0;
        i += s.states ? s.states : 1;
    }
    gy_vec_free(&states);
    gy_vec_free(&words);
    gy_worker_free(worker);
    gy_worker_free(other);
    return together;
}

// Returns whether there was anything to append.
static bool append_model(const char *name, gy_model *model, const gy_native_options *options)
{
    static const uint32_t most[] = {2, 7, APPEND_STATES * 2};
    size_t together = 0, many = 0;
    char *problem = NULL;
    gy_system *system = gy_system_native(model, true, NULL, options, &problem);
    if (!system)
        fail_msg("%s: %s", name, problem);
    gy_worker *worker = gy_worker_new(system);
    state_set set = {0};
    explore(worker, &set, APPEND_STATES);
    if (set.states.n > APPEND_STATES * 2)
        set.states.n = APPEND_STATES * 2;
    for (unsigned i = 0; i < sizeof most / sizeof *most; i++) {
        together += append(name, system, &set, most[i]);
        many += at_once(name, system, &set, most[i]);
    }
    assert_int_equal(many > 0, together > 0);
    free_set(&set);
    gy_worker_free(worker);
    gy_system_free(system);
    return together > 0;
}

// States of so many words that there is room for the successors of a few only; and of so many
// successors that there never is for those of two.
static void append_with_little_room(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        bool appended;
    } models[] = {
        {"int a[2000]; byte i; active proctype P() { do :: a[i] = 1; i++ :: a[i + 9] = 2 od }", 1},
        {"byte x; int a[300]; active proctype P() { do :: atomic { select(x : 0 .. 12) -> "
         "a[x] = a[x] + 1 } od }",
         1},
        {"byte x; int a[300]; active proctype P() { do :: atomic { select(x : 0 .. 99) -> "
         "a[x] = a[x] + 1 } od }",
         0},
        {"byte n; proctype W() { int b[500]; byte x; do :: x < 3 -> b[x] = n; x++ :: n = !n od } "
         "init { do :: _nr_pr < 4 -> run W() :: n = !n od }",
         1},
    };
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .cache_dir = cache};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (append_model(models[i].text, model_of(models[i].text), &options) != models[i].appended)
            fail_msg("%s: is anything appended?", models[i].text);
}

static void compare_file(const char *path, const gy_native_options *options)
{
    gy_diags *diags;
    gy_model *model = gy_load_model(path, NULL, &diags);
    gy_diags_free(diags);
    if (model)
        compare(path, model, options);
}

// Found by random programs: one line each.
static void found_before(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        // pc_value is a signed number
        "byte x; active [2] proctype P() { do :: x - pc_value(0) < 0 -> x = (x + 1) % 5 od }",
    };
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .cache_dir = cache};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare(texts[i], model_of(texts[i]), &options);
}

// More than 64 words: a bit of `written` stands for several.
static void long_states(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "int a[65]; byte i; active [2] proctype P() { do :: a[i] = a[i] + 1; i = (i + 1) % 65 od }",
        "int a[1000]; short i; active proctype P() { do :: a[(i * 37) % 1000] = i + 1; i++ od }",
        "chan c = [90] of { int, byte }; active proctype P() { int i, x; "
        "do :: c!!(i * 7) % 5, i; i++ :: len(c) > 3 -> c??x, 9 :: c?x, _ od }",
        "byte g[20]; chan c = [0] of { byte }; active proctype P() { int a[70]; byte i; "
        "atomic { do :: i < 9 -> a[i * 7] = i; c!i; i++ :: else -> break od } } "
        "active proctype Q() { byte x; do :: c?x -> g[x] = 1 :: g[3] -> g[19]++ od }",
    };
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .cache_dir = cache};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare(texts[i], model_of(texts[i]), &options);
}

static void append_every_model(void **unused)
{
    (void)unused;
    glob_t found;
    size_t models = 0, appended = 0;
    bool quick = access("/usr/bin/tcc", X_OK) == 0;
    gy_native_options options = {
        .mode = GY_NATIVE_WAIT, .cache_dir = cache, .compiler = quick ? "tcc" : NULL};
    if (glob("tests/models/*/*.pml", 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i += (quick ? 1 : 20) * sample_every()) {
        gy_diags *diags;
        gy_model *model = gy_load_model(found.gl_pathv[i], NULL, &diags);
        gy_diags_free(diags);
        if (!model)
            continue;
        models++;
        appended += append_model(found.gl_pathv[i], model, &options);
    }
    globfree(&found);
    assert_true(appended > models / 2); // of some, no state is native, or there is but one
    empty(cache);
}

static void every_model(void **unused)
{
    (void)unused;
    glob_t found;
    bool quick = access("/usr/bin/tcc", X_OK) == 0;
    gy_native_options options = {
        .mode = GY_NATIVE_WAIT, .cache_dir = cache, .compiler = quick ? "tcc" : NULL};
    if (glob("tests/models/*/*.pml", 0, NULL, &found) != 0)
        return;
    size_t every = (quick ? 1 : 20) * sample_every();
    for (size_t i = every / 2; i < found.gl_pathc; i += every) // others than are appended
        compare_file(found.gl_pathv[i], &options);
    globfree(&found);
    empty(cache);
}

// ---- building and caching -----------------------------------------------------------------

static void compile_once(void **unused)
{
    (void)unused;
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .cache_dir = cache};
    for (int round = 0; round < 2; round++) {
        gy_system *system = open_text(counter, &options, NULL);
        assert_non_null(system);
        assert_int_equal(status_of(system).stage, GY_NATIVE_READY);
        assert_int_equal(status_of(system).from_cache, round == 1);
        assert_string_equal(gy_native_name(system), "native");
        size_t n = count_states(system);
        assert_true(status_of(system).native == n && status_of(system).machine == 0);
        gy_system_free(system);
        assert_int_equal(files_in(entries), 1);
    }
}

// Damages the one file in the cache; it must be compiled again.
static void damaged(void **unused)
{
    (void)unused;
    glob_t found;
    char pattern[128];
    snprintf(pattern, sizeof pattern, "%s/*.so", entries);
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .cache_dir = cache};
    for (int damage = 0; damage < 5; damage++) {
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        const char *path = found.gl_pathv[0];
        int fd = open(path, O_RDWR);
        if (damage == 0)
            assert_int_equal(ftruncate(fd, 5000), 0);
        else if (damage == 1)
            assert_int_equal(pwrite(fd, "xxxx", 4, 4096), 4);
        else if (damage == 2)
            assert_int_equal(ftruncate(fd, 0), 0);
        else if (damage == 3)
            assert_int_equal(fchmod(fd, 0666), 0);
        else {
            assert_int_equal(unlink(path), 0);
            assert_int_equal(symlink("/bin/ls", path), 0);
        }
        close(fd);
        globfree(&found);
        gy_system *system = open_text(counter, &options, NULL);
        assert_non_null(system);
        assert_false(status_of(system).from_cache);
        gy_system_free(system);
        system = open_text(counter, &options, NULL);
        assert_true(status_of(system).from_cache);
        gy_system_free(system);
    }
    assert_int_equal(files_in(entries), 1);
}

static void together(void **unused)
{
    (void)unused;
    empty(cache);
    pid_t children[4];
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .cache_dir = cache};
    for (int i = 0; i < 4; i++)
        if ((children[i] = fork()) == 0) {
            gy_system *system = open_text(counter, &options, NULL);
            size_t n = system ? count_states(system) : 0;
            gy_system_free(system);
            _exit(n == 0 ? 99 : n % 97);
        }
    int first = 0;
    for (int i = 0; i < 4; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 99);
        if (i == 0)
            first = status;
        assert_int_equal(status, first);
    }
    assert_int_equal(files_in(entries), 1);
}

static void unwritable(void **unused)
{
    (void)unused;
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .cache_dir = "/dev/null/cache"};
    gy_system *system = open_text(counter, &options, NULL);
    assert_non_null(system);
    assert_int_equal(status_of(system).stage, GY_NATIVE_READY);
    gy_system_free(system);
}

static void no_compiler(void **unused)
{
    (void)unused;
    char *problem = NULL;
    gy_native_options options = {
        .mode = GY_NATIVE_WAIT, .cache_dir = cache, .compiler = "/none/cc"};
    assert_null(open_text(counter, &options, &problem));
    assert_non_null(strstr(problem, "no C compiler"));
    free(problem);
    options.mode = GY_NATIVE_AUTO;
    options.delay = 1e-9;
    gy_system *system = open_text(large, &options, NULL);
    gy_worker *worker = gy_worker_new(system);
    state_set set = {0};
    double start = gy_clock();
    gy_initial(worker, add_visit, &set);
    while (status_of(system).stage != GY_NATIVE_FAILED && gy_clock() - start < PATIENCE)
        gy_successors(worker, set.words.at, set.states.at[0].words, ignore, NULL);
    assert_int_equal(status_of(system).stage, GY_NATIVE_FAILED);
    assert_non_null(strstr(status_of(system).message, "no C compiler"));
    assert_string_equal(gy_native_name(system), "vm");
    free_set(&set);
    gy_worker_free(worker);
    gy_system_free(system);
}

static void bad_compiler(void **unused)
{
    (void)unused;
    char *problem = NULL;
    gy_native_options options = {
        .mode = GY_NATIVE_WAIT, .cache_dir = cache, .compiler = "/bin/false"};
    assert_null(open_text(counter, &options, &problem));
    assert_non_null(strstr(problem, "/bin/false failed"));
    free(problem);
    options.compiler = "/bin/true"; // says that all is well, and writes nothing
    assert_null(open_text(counter, &options, &problem));
    free(problem);
    assert_int_equal(files_in(entries), 1);
}

// Code that does something else than the model is not used.
static void wrong_compiler(void **unused)
{
    (void)unused;
    char script[128], *problem = NULL;
    snprintf(script, sizeof script, "%s-wrong", cache);
    FILE *file = fopen(script, "w");
    fputs("#!/bin/sh\nsed -i 's/ + 1)/ + 2)/' model.c && exec cc \"$@\"\n", file);
    fclose(file);
    chmod(script, 0755);
    gy_native_options options = {
        .mode = GY_NATIVE_WAIT, .cache_dir = "/dev/null/none", .compiler = script};
    assert_null(open_text(counter, &options, &problem));
    assert_non_null(strstr(problem, "disagrees with the VM"));
    free(problem);
    unlink(script);
}

// A compiler that never ends must not keep the program from ending.
static void slow_compiler(void **unused)
{
    (void)unused;
    char script[128];
    snprintf(script, sizeof script, "%s-slow", cache);
    FILE *file = fopen(script, "w");
    fputs("#!/bin/sh\nsleep 400\n", file);
    fclose(file);
    chmod(script, 0755);
    gy_native_options options = {.cache_dir = cache, .compiler = script, .delay = 1e-9};
    gy_system *system = open_text(large, &options, NULL);
    gy_worker *worker = gy_worker_new(system);
    state_set set = {0};
    gy_initial(worker, add_visit, &set);
    double start = gy_clock();
    while (files_in(entries) < 2 && gy_clock() - start < PATIENCE)
        gy_successors(worker, set.words.at, set.states.at[0].words, ignore, NULL);
    assert_int_equal(status_of(system).stage, GY_NATIVE_BUILDING);
    start = gy_clock();
    free_set(&set);
    gy_worker_free(worker);
    gy_system_free(system);
    assert_true(gy_clock() - start < 200);
    assert_int_equal(files_in(entries), 1);
    unlink(script);
}

static void switches_over(void **unused)
{
    (void)unused;
    static const char text[] = "byte x, y, z; active [2] proctype P() { do :: x < 20 -> x++ "
                               ":: y < 20 -> y++ :: z < 20 -> z++ od }";
    gy_native_options options = {.cache_dir = cache, .delay = 1e-9};
    gy_system *system = open_text(text, &options, NULL);
    size_t n = count_states(system);
    gy_native_status status = status_of(system);
    gy_system *machine = gy_system_vm(model_of(text), true, NULL);
    assert_int_equal(n, count_states(machine));
    gy_system_free(machine);
    assert_true(status.native + status.machine == n);
    gy_system_free(system);

    // A search that is over before the delay starts no compiler at all.
    options.delay = 60;
    system = open_text(counter, &options, NULL);
    assert_true(count_states(system) > 0);
    assert_int_equal(status_of(system).stage, GY_NATIVE_IDLE);
    gy_system_free(system);
}

static uint32_t objects_in_cache(void)
{
    glob_t found;
    char pattern[128];
    snprintf(pattern, sizeof pattern, "%s/*.so", entries);
    uint32_t n = glob(pattern, 0, NULL, &found) == 0 ? (uint32_t)found.gl_pathc : 0;
    globfree(&found);
    return n;
}

// Quick code first, good code later: two objects in the cache. A second run finds the good one
// and makes do without the other.
static void quick_first(void **unused)
{
    (void)unused;
    if (access("/usr/bin/tcc", X_OK) != 0 || getenv("GYRE_CC"))
        skip();
    gy_native_options options = {.cache_dir = cache, .delay = 1e-9};
    empty(cache);
    for (uint32_t round = 0; round < 2; round++) {
        gy_system *system = open_text(large, &options, NULL);
        gy_worker *worker = gy_worker_new(system);
        state_set set = {0};
        gy_initial(worker, add_visit, &set);
        double start = gy_clock();
        uint32_t quick = 0;
        while ((status_of(system).stage != GY_NATIVE_READY || objects_in_cache() < 2) &&
               gy_clock() - start < PATIENCE) {
            for (int i = 0; i < 1000; i++)
                gy_successors(worker, set.words.at, set.states.at[0].words, ignore, NULL);
            quick += status_of(system).stage == GY_NATIVE_READY && objects_in_cache() == 1;
        }
        assert_int_equal(objects_in_cache(), 2);
        assert_true(round ? quick == 0 : quick > 0);
        assert_int_equal(status_of(system).from_cache, round);
        free_set(&set);
        gy_worker_free(worker);
        gy_system_free(system);
    }
    empty(cache);
}

// The shape that matters comes long after the start: the code is built again for it.
static void late_shape(void **unused)
{
    (void)unused;
    static const char text[] =
        "short n; proctype W() { byte i; do :: i < 250 -> i++ :: i > 0 -> i-- od } "
        "init { do :: n < 3000 -> n++ :: else -> break od; n = 0; atomic { run W(); run W() } }";
    gy_native_options options = {.mode = GY_NATIVE_WAIT, .cache_dir = cache};
    gy_system *system = open_text(text, &options, NULL);
    size_t n = 0;
    double start = gy_clock();
    uint64_t native = 0;
    while (native == 0 && gy_clock() - start < PATIENCE) {
        n = count_states(system);
        gy_native_status status = status_of(system);
        native = status.native > n / 2 ? status.native : 0;
    }
    gy_system *machine = gy_system_vm(model_of(text), true, NULL);
    assert_int_equal(n, count_states(machine));
    assert_true(native > n / 2);
    gy_system_free(machine);
    gy_system_free(system);
}

static void readable_source(void **unused)
{
    (void)unused;
    gy_model *model = model_of(counter);
    gy_text out = {0};
    gy_native_source(model, NULL, &out);
    assert_non_null(strstr(gy_text_str(&out), "test.pml:1: x < 40"));
    assert_non_null(strstr(gy_text_str(&out), "int gyre_shape_0("));
    gy_text_free(&out);
    gy_model_free(model);
}

static void *count_in_thread(void *system)
{
    return (void *)(uintptr_t)count_states(system);
}

static void many_threads(void **unused)
{
    (void)unused;
    gy_native_options options = {.cache_dir = cache, .delay = 1e-9};
    empty(cache);
    gy_system *system = open_text(counter, &options, NULL);
    pthread_t threads[4];
    void *counts[4];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, count_in_thread, system), 0);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], &counts[i]);
        for (int i = 1; i < 4; i++)
            assert_ptr_equal(counts[i], counts[0]);
    }
    gy_system_free(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compile_once),
        cmocka_unit_test(damaged),
        cmocka_unit_test(together),
        cmocka_unit_test(unwritable),
        cmocka_unit_test(no_compiler),
        cmocka_unit_test(bad_compiler),
        cmocka_unit_test(slow_compiler),
        cmocka_unit_test(switches_over),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(late_shape),
        cmocka_unit_test(readable_source),
        cmocka_unit_test(found_before),
        cmocka_unit_test(long_states),
        cmocka_unit_test(quick_first),
        cmocka_unit_test(append_with_little_room),
        cmocka_unit_test(append_every_model),
        cmocka_unit_test(every_model),
        cmocka_unit_test(wrong_compiler),
    };
    if (!mkdtemp(cache))
        return 1;
    snprintf(entries, sizeof entries, "%s/native", cache);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    empty(cache);
    rmdir(cache);
    return failed;
}
