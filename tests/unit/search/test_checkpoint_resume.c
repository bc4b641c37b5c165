// Searches of models that are stopped after so many states, repeatedly, and go on from the
// checkpoint that they left: figures are those of a search that was left alone, whatever the
// search, the store, the reductions and the number of threads.
//
// GYRE_TEST_SAMPLE=N: of the combinations, every Nth (3).
#include "gyre/gyre.h"
#include "search/search.h"

#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct model {
    const char *name, *text;
} model;

static const model models[] = {
    {"an array, and cycles that are expanded fully",
     "byte c[3]; active [3] proctype C() { end: do :: c[_pid-0] < 15 -> c[_pid-0]++\n"
     ":: c[_pid-0] > 3 -> c[_pid-0] = 0 od }"},
    {"channels",
     "mtype = { data, ack }; chan up[2] = [2] of { mtype, byte }; chan down = [0] of { byte };\n"
     "byte got[2];\n"
     "active [2] proctype S() { byte k; do :: up[_pid]!data,k; k = (k + 1) % 3\n"
     ":: down?eval(_pid); up[_pid]!ack,0 od }\n"
     "active proctype R() { byte v; do :: up[0]?data,v; got[0] = v :: up[1]?data,v; got[1] = v\n"
     ":: up[0]?ack,_ :: up[1]?ack,_ :: down!0 :: down!1 od }"},
    {"processes that start and end, and errors",
     "byte n, a[3]; chan q = [3] of { byte }; proctype W(byte me) { byte i;\n"
     "do :: i < 3 -> i++; a[me] = i :: i == 3 -> break od; q!me }\n"
     "init { byte x; run W(0); run W(1); run W(2); do :: q?x -> n++; assert(n < 3 || a[x] > 3)\n"
     ":: n == 3 -> break od }"},
    {"dear steps, and local cycles",
     "byte a, b, x[2]; chan r = [0] of { bit };\n"
     "active [2] proctype P() { bit l; do :: atomic { a < 3; a++; b = (b + a) % 3 }\n"
     ":: l = 1 - l; x[_pid] = l :: a > 2 -> r!1 :: a > 2 -> r?1; a-- od }\n"
     "active proctype Q() { byte m; do :: m = (m + 1) % 5 od }"},
    {"processes that may change places",
     "byte n; bit used; chan q = [2] of { byte }; active [4] proctype P() { byte i;\n"
     "do :: i < 5 -> i++ :: i == 5 -> break od;\n"
     "atomic { !used -> used = 1 }; n++; used = 0; q!i }\n"
     "active proctype R() { byte x, k; do :: k < 4 -> q?x; k++ :: k == 4 -> break od }"},
};
enum { MODELS = sizeof models / sizeof *models, LINKS = 5 };

typedef struct asked {
    const model *model;
    gy_system *system;
    gy_search_options options;
    bool exact; // the store is
} asked;

static gy_system *load(const model *m)
{
    char *problem = NULL;
    gy_system *system = gy_load_text("t.pml", m->text, strlen(m->text), NULL, &problem);
    if (!system)
        print_message("%s: %s\n", m->name, problem);
    free(problem);
    assert_non_null(system);
    return system;
}

static const char *difference(const gy_search_result *a, const gy_search_result *b)
{
    return a->completeness != b->completeness           ? "completeness"
           : a->states != b->states                     ? "states"
           : a->transitions != b->transitions           ? "transitions"
           : a->depth != b->depth                       ? "depth"
           : a->errors != b->errors                     ? "errors"
           : a->witness_count != b->witness_count       ? "witnesses"
           : a->not_kept != b->not_kept                 ? "errors of which no witness was kept"
           : a->expanded_reduced != b->expanded_reduced ? "states reduced"
           : a->expanded_fully != b->expanded_fully     ? "states in full"
           : a->symmetric_types != b->symmetric_types   ? "symmetric types"
           : memcmp(a->reached_edges, b->reached_edges, a->edge_count) ? "reached statements"
                                                                       : NULL;
}

static unsigned failures;

static void fail_with(const asked *a, const char *what, const gy_search_result *whole,
                      const gy_search_result *resumed)
{
    const gy_search_options *o = &a->options;
    print_message("%s: search %d, store %d, threads %u, reduce %d, symmetry %d, depth %llu, "
                  "hostile %d: %s: %llu states, %llu transitions, %llu errors; uninterrupted %llu, "
                  "%llu, %llu; %s\n",
                  a->model->name, (int)o->search, (int)o->store, o->threads, o->reduce, o->symmetry,
                  (unsigned long long)o->depth_limit, o->hostile, what,
                  (unsigned long long)resumed->states, (unsigned long long)resumed->transitions,
                  (unsigned long long)resumed->errors, (unsigned long long)whole->states,
                  (unsigned long long)whole->transitions, (unsigned long long)whole->errors,
                  resumed->failure ? resumed->failure : "");
    failures++;
}

// Stopped after every LINKS-th of the states, resumed each time. Returns how often it went on.
static unsigned stop_and_go_on(const asked *a, const gy_search_result *whole)
{
    gy_search_options options = a->options;
    unsigned resumed = 0;
    for (unsigned link = 1;; link++) {
        options.state_limit = link < LINKS ? whole->states * link / LINKS : 0;
        gy_search_result *result = gy_search(a->system, &options);
        if (result->completeness != GY_LIMIT_STATES) {
            const char *what = difference(whole, result);
            if (what)
                fail_with(a, what, whole, result);
            gy_search_result_free(result);
            return resumed;
        }
        if (!result->checkpoints)
            fail_with(a, "no checkpoint", whole, result);
        gy_search_result_free(result);
        options.resume_file = options.checkpoint_file;
        resumed++;
    }
}

static unsigned try_one(asked *a)
{
    char path[] = "/tmp/gyre-test-resume-XXXXXX";
    close(mkstemp(path));
    unlink(path);
    a->options.checkpoint_file = path;
    a->options.checkpoint_seconds = 1e9;
    gy_search_result *whole = gy_search(a->system, &a->options);
    assert_null(whole->failure);
    unsigned resumed = whole->states > 2000 ? stop_and_go_on(a, whole) : 0;
    gy_search_result_free(whole);
    a->options.checkpoint_file = NULL;
    unlink(path);
    return resumed;
}

static void set_up(asked *a, unsigned way)
{
    gy_search_options *o = &a->options;
    gy_search_defaults(o);
    o->max_errors = 0;
    o->bitstate_bytes = 1 << 16;
    o->search = way % 2 ? GY_SEARCH_DFS : GY_SEARCH_BFS;
    o->store = (gy_store_kind)(way / 2 % 5);
    o->reduce = way / 10 % 3 > 0;
    o->symmetry = way / 10 % 3 == 2;
    o->hostile = way / 30 % 2;
    o->threads = way / 60 % 2 ? 3 : 1;
    if (way >= 120)
        o->depth_limit = 25;
}

// With several threads and a store that gives states back once, or may miss some, which state is
// met first decides what is found. A depth limit goes without reductions, and depth-first only with
// a store that gives back.
static bool is_determined(const gy_search_options *o)
{
    const gy_store_traits *traits = &gy_store_kind_at(o->store)->traits;
    if (o->depth_limit &&
        (o->reduce || o->symmetry || (o->search == GY_SEARCH_DFS && !traits->gives_back)))
        return false;
    return o->threads == 1 || (traits->exact && (traits->gives_back || !o->reduce));
}

static void goes_on_to_the_same_figures(void **unused)
{
    (void)unused;
    const char *sample = getenv("GYRE_TEST_SAMPLE");
    unsigned every = sample && atoi(sample) > 0 ? (unsigned)atoi(sample) : 3;
    unsigned resumed = 0, tried = 0, reduced = 0;
    for (unsigned i = 0; i < MODELS; i++) {
        asked a = {.model = &models[i], .system = load(&models[i])};
        for (unsigned way = 0; way < 240; way++) {
            set_up(&a, way);
            if (!is_determined(&a.options) || tried++ % every)
                continue;
            resumed += try_one(&a);
            reduced += a.options.reduce;
        }
        gy_system_free(a.system);
    }
    assert_true(resumed > 50 / every && reduced > 10 / every);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_to_the_same_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
