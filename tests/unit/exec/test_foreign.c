// Systems that are no virtual machine: a shared object with predicates, groups and guards, which
// has the states and verdicts of the same model in Promela; random systems of groups, whose reduced
// form has the verdicts of the full one; and objects of the first version of the interface.
#include "exec/observe/observe.h"
#include "load/load.h"
#include "load/property.h"
#include "search/liveness/product.h"
#include "search/search.h"

#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/gyre-test-foreign-XXXXXX";

static gy_system *build_object(const char *source, const char *options)
{
    char path[128], command[512], *problem = NULL;
    static int number;
    snprintf(path, sizeof path, "%s/object%d.so", folder, number++);
    snprintf(command, sizeof command,
             "cc -shared -fPIC -Wall -Wextra -Werror -Iinclude %s %s -o %s", options, source, path);
    assert_int_equal(system(command), 0);
    gy_system *object = gy_load(path, NULL, &problem);
    if (!object)
        fail_msg("%s", problem);
    gy_free(problem);
    return object;
}

// ---- questions ----------------------------------------------------------------------------

typedef struct answer {
    bool violated;
    uint64_t states;
    bool reduced;
} answer;

static answer ask_safety(gy_system *system, gy_search_kind kind, bool faults, bool reduce)
{
    gy_search_options options;
    gy_search_defaults(&options);
    options.search = kind;
    options.threads = 1;
    options.reduce = reduce;
    options.check_reduction = reduce;
    options.check_faults = options.check_assertions = faults;
    options.check_end_states = !faults;
    gy_search_result *result = gy_search(system, &options);
    answer a = {result->witness_count > 0, result->states, result->reduced};
    assert_true(result->completeness == GY_COMPLETE ||
                (a.violated && result->completeness == GY_STOPPED_AT_ERROR));
    const char *why;
    if (a.violated)
        assert_true(gy_witness_check(system, &result->witnesses[0], false, &why));
    gy_search_result_free(result);
    return a;
}

static gy_formula *formula_of(gy_system *system, const char *text)
{
    gy_diags *diags;
    gy_formula *formula = system->owned_model ? gy_load_formula(system->owned_model, text, &diags)
                                              : gy_load_named_formula(system, text, &diags);
    if (!formula)
        fail_msg("%s is no formula: %s", text, gy_diags_at(diags, 0)->message);
    gy_diags_free(diags);
    return formula;
}

static answer ask_ltl(gy_system *system, const char *text, bool reduce)
{
    gy_vacuity vacuity;
    gy_text problem = {0};
    gy_observer *observer =
        gy_observe_ltl(system->owned_model, formula_of(system, text), false, 0, &vacuity, &problem);
    assert_non_null(observer);
    gy_search_options options;
    gy_search_defaults(&options);
    options.reduce = reduce;
    options.hostile = reduce; // else small systems are searched without
    options.check_reduction = reduce;
    gy_product_result *result = gy_product_search(system, observer, GY_FAIRNESS_NONE, &options);
    answer a = {result->lasso != NULL, result->figures->states, result->figures->reduced};
    const char *why;
    if (result->lasso)
        assert_true(gy_lasso_check(system, observer, GY_FAIRNESS_NONE, result->lasso, &why));
    assert_int_not_equal(result->figures->completeness, GY_FAILED);
    gy_product_result_free(result);
    gy_observer_free(observer);
    gy_text_free(&problem);
    return a;
}

// ---- a shared object and the same in Promela ------------------------------------------------

typedef struct both {
    const char *object, *promela;
    bool violated[2]; // by hand: as it is, and if one is polite
} both;

static const both formulas[] = {
    {"[] !(eating0 && eating1)", "[] !(Phil[0]@eating && Phil[1]@eating)", {false, false}},
    {"[] (hungry0 -> <> eating0)", "[] (Phil[0]@hungry -> <> Phil[0]@eating)", {true, true}},
    {"<> [] !eating2", "<> [] !(Phil[2]@eating)", {true, true}},
    // Somebody gets hungry or eats repeatedly, unless all wait for each other.
    {"[] <> (hungry0 || eating0 || hungry1 || eating1 || hungry2 || eating2 || hungry3 || eating3)",
     "[] <> (Phil[0]@hungry || Phil[0]@eating || Phil[1]@hungry || Phil[1]@eating || "
     "Phil[2]@hungry || Phil[2]@eating || Phil[3]@hungry || Phil[3]@eating)",
     {true, false}},
};

static void philosophers(void **unused)
{
    (void)unused;
    for (int polite = 0; polite < 2; polite++) {
        const char *defines[] = {polite ? "POLITE" : "RUDE", NULL};
        gy_load_options options = {.defines = defines};
        gy_system *object = build_object("examples/embed/philosophers.c", polite ? "-DPOLITE" : "");
        gy_system *promela = gy_load("examples/embed/philosophers.pml", &options, NULL);
        assert_non_null(promela);
        for (int dfs = 0; dfs < 2; dfs++) {
            gy_search_kind kind = dfs ? GY_SEARCH_DFS : GY_SEARCH_BFS;
            answer full = ask_safety(object, kind, false, false);
            answer small = ask_safety(object, kind, false, true);
            assert_true(full.violated == !polite && small.violated == !polite);
            // Only a search that finds nothing sees all states.
            if (polite) {
                assert_int_equal(full.states, ask_safety(promela, kind, false, false).states);
                assert_true(small.reduced && small.states * 3 < full.states);
            }
        }
        for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
            answer full = ask_ltl(object, formulas[i].object, false);
            answer small = ask_ltl(object, formulas[i].object, true);
            answer other = ask_ltl(promela, formulas[i].promela, false);
            assert_true(full.violated == formulas[i].violated[polite]);
            assert_true(small.violated == full.violated && other.violated == full.violated);
            assert_int_equal(full.states, other.states);
            assert_true(small.reduced);
            if (!full.violated && i == 0)
                assert_true(small.states < full.states);
        }
        gy_system_free(promela);
        gy_system_free(object);
    }
}

static void predicates(void **unused)
{
    (void)unused;
    gy_system *object = build_object("examples/embed/philosophers.c", "");
    char *problem = NULL;
    gy_word state[8] = {1, 1, 0, 0, 3, 0, 1, 0}; // 0 eats, 2 is hungry
    gy_worker *worker = gy_worker_new(object);
    int eating = gy_predicate(object, "eating0", NULL),
        hungry = gy_predicate(object, "hungry2", NULL);
    assert_true(gy_holds(worker, state, 8, eating) && gy_holds(worker, state, 8, hungry));
    assert_false(gy_holds(worker, state, 8, gy_predicate(object, "hungry1", NULL)));
    assert_int_equal(gy_predicate(object, "sleeping0", &problem), -1);
    assert_non_null(strstr(problem, "`hungry0`")); // the names that there are
    gy_free(problem);
    gy_access_info touches[8];
    assert_int_equal(gy_edge_count(object), 16);
    // Taking the first fork: the fork and what the philosopher does, each tested and written.
    assert_int_equal(gy_edge_accesses(object, 1, touches, 8), 4);
    assert_true(!touches[0].write && touches[0].first == 0 && touches[1].write);
    gy_worker_free(worker);
    gy_system_free(object);
}

// As a stranger's object that was built long ago has it.
static const char old_object[] =
    "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    "struct step { const uint32_t *state; int32_t process, edge; const char *fault; };\n"
    "typedef int emit_step(void *user, const struct step *step);\n"
    "static int first(void *s, emit_step *emit, void *user)\n"
    "{ uint32_t x = 0; struct step t = {&x, 0, 0, 0}; (void)s; return emit(user, &t); }\n"
    "static int next(void *s, const uint32_t *at, emit_step *emit, void *user)\n"
    "{ uint32_t x = (*at + 1) % 7; struct step t = {&x, 0, 0, 0}; (void)s; return emit(user, &t); "
    "}\n"
    "struct { uint32_t abi; const char *name; uint32_t words; size_t scratch; void *f[5]; }\n"
    "gyre_system = {1, \"old\", 1, 0, {first, next, 0, 0, 0}};\n"
    "char behind[200] = {1};\n";

static void old_objects(void **unused)
{
    (void)unused;
    char path[128];
    snprintf(path, sizeof path, "%s/old.c", folder);
    FILE *file = fopen(path, "w");
    fputs(old_object, file);
    fclose(file);
    gy_system *object = build_object(path, "-Wno-pedantic");
    assert_string_equal(gy_system_name(object), "old");
    assert_int_equal(ask_safety(object, GY_SEARCH_BFS, false, true).states, 7);
    assert_int_equal(gy_predicate(object, "x", NULL), -1);
    assert_null(gy_access_table_new(object)); // it tells of no groups
    gy_system_free(object);
}

// ---- random systems of groups -----------------------------------------------------------------

enum { PROCESSES = 4, SHARED = 4, WORDS = PROCESSES + SHARED, VALUES = 3, GROUPS = 20 };
enum { PREDICATES = WORDS * VALUES };

typedef enum { NONE, ALONE, SET, ADD, COPY, EFFECTS } effect; // the first two: of its control only

typedef struct group {
    uint32_t process, from, to; // control: word `process`
    int32_t guard;              // a shared word that must have a value, or -1
    uint32_t guard_value;
    effect effect;
    uint32_t target, operand;
    int32_t fault; // the value of word `target` with which this is an error, or -1
} group;

typedef struct machine {
    group groups[GROUPS];
    uint8_t access[GROUPS][WORDS], reads[PREDICATES][WORDS], guards[GROUPS][PREDICATES];
    char text[PREDICATES][8];
    const char *names[PREDICATES];
} machine;

static uint32_t below(uint64_t *random, uint32_t n)
{
    *random = gy_hash_number(*random + 0x9e3779b97f4a7c15ull);
    return (uint32_t)(*random % n);
}

static void make_group(machine *m, uint32_t number, uint64_t *random, bool tell_guards)
{
    group *g = &m->groups[number];
    *g = (group){.process = number % PROCESSES,
                 .from = below(random, VALUES),
                 .to = below(random, VALUES),
                 .guard = below(random, 3) ? -1 : (int32_t)(PROCESSES + below(random, SHARED)),
                 .guard_value = below(random, VALUES),
                 .effect = (effect)below(random, EFFECTS),
                 .target = PROCESSES + below(random, SHARED),
                 .operand = PROCESSES + below(random, SHARED),
                 .fault = below(random, 8) ? -1 : (int32_t)below(random, VALUES)};
    uint8_t *access = m->access[number];
    access[g->process] |= GY_GROUP_TESTS | GY_GROUP_MAY_WRITE | GY_GROUP_MUST_WRITE;
    if (g->effect > ALONE)
        access[g->target] |= GY_GROUP_MAY_WRITE | GY_GROUP_MUST_WRITE;
    if (g->effect == ADD || g->fault >= 0)
        access[g->target] |= GY_GROUP_READS;
    if (g->effect == COPY)
        access[g->operand] |= GY_GROUP_READS;
    if (g->guard >= 0)
        access[g->guard] |= GY_GROUP_TESTS;
    if (tell_guards)
        m->guards[number][g->process * VALUES + g->from] = 1;
    if (tell_guards && g->guard >= 0)
        m->guards[number][(uint32_t)g->guard * VALUES + g->guard_value] = 1;
}

static void make_machine(machine *m, uint64_t seed)
{
    uint64_t random = seed;
    memset(m, 0, sizeof *m);
    bool tell_guards = below(&random, 2);
    for (uint32_t g = 0; g < GROUPS; g++)
        make_group(m, g, &random, tell_guards);
    for (uint32_t p = 0; p < PREDICATES; p++) {
        snprintf(m->text[p], sizeof m->text[p], "w%uis%u", p / VALUES, p % VALUES);
        m->names[p] = m->text[p];
        m->reads[p][p / VALUES] = 1;
    }
}

static int machine_initial(void *worker, gy_visit *visit, void *user)
{
    (void)worker;
    gy_word start[WORDS] = {0};
    gy_transition t = {.state = start, .words = WORDS, .exclusive = -1, .written = GY_WRITTEN_ALL};
    return visit(user, &t);
}

static int machine_successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                              void *user)
{
    const machine *m = worker;
    int stop = 0;
    for (uint32_t i = 0; i < GROUPS && !stop; i++) {
        const group *g = &m->groups[i];
        if (state[g->process] != g->from || (g->guard >= 0 && state[g->guard] != g->guard_value))
            continue;
        gy_word next[WORDS];
        memcpy(next, state, sizeof next);
        gy_step step = {(int32_t)g->process, (int32_t)i, -1, -1, 0, 0};
        gy_fault fault = {GY_FAULT_ASSERTION,
                          step.pid,
                          step.edge,
                          "wrong",
                          gy_fault_row_of(NULL, GY_FAULT_ASSERTION),
                          NULL};
        bool wrong = g->fault >= 0 && state[g->target] == (uint32_t)g->fault;
        next[g->target] = g->effect == SET    ? g->to
                          : g->effect == ADD  ? (state[g->target] + 1) % VALUES
                          : g->effect == COPY ? state[g->operand]
                                              : state[g->target];
        next[g->process] = g->to;
        gy_transition t = {.state = next,
                           .words = words,
                           .steps = &step,
                           .step_count = 1,
                           .fault = wrong ? &fault : NULL,
                           .exclusive = -1,
                           .written = GY_WRITTEN_ALL};
        stop = visit(user, &t);
    }
    return stop;
}

static bool machine_holds(void *worker, const gy_word *state, uint32_t words, gy_atom atom)
{
    (void)worker, (void)words;
    return state[(atom - 1) / VALUES] == (atom - 1) % VALUES;
}

static uint64_t machine_truths(void *worker, const gy_word *state, uint32_t words,
                               const gy_atom *atoms, uint32_t count, uint64_t *unknown)
{
    uint64_t truths = 0;
    *unknown = 0;
    for (uint32_t i = 0; i < count; i++)
        truths |= (uint64_t)machine_holds(worker, state, words, atoms[i]) << i;
    return truths;
}

static bool machine_names(void *impl, gy_predicate_names *names)
{
    machine *m = impl;
    *names = (gy_predicate_names){m->names, PREDICATES};
    return true;
}

static bool machine_dependencies(void *impl, gy_dependencies *d)
{
    const machine *m = impl;
    *d = (gy_dependencies){.groups = GROUPS,
                           .words = WORDS,
                           .predicates = PREDICATES,
                           .access = m->access[0],
                           .predicate_reads = m->reads[0],
                           .guards = m->guards[0]};
    return true;
}

static bool never_ends(void *worker, const gy_word *state, uint32_t words, bool empty)
{
    (void)worker, (void)state, (void)words, (void)empty;
    return false;
}

static void *same(void *impl)
{
    return impl;
}

static void nothing(void *impl)
{
    (void)impl;
}

static const gy_backend machine_backend = {
    .name = "groups",
    .free_system = nothing,
    .new_worker = same,
    .free_worker = nothing,
    .initial = machine_initial,
    .successors = machine_successors,
    .is_end_state = never_ends,
    .holds = machine_holds,
    .truths = machine_truths,
    .names = machine_names,
    .dependencies = machine_dependencies,
};

// What the object says of its groups, in the table that every system gives.
static void table_of_groups(void **unused)
{
    (void)unused;
    machine m;
    make_machine(&m, 5);
    gy_system *system = gy_alloc_zero(sizeof *system);
    system->backend = &machine_backend;
    system->impl = &m;
    system->name = "groups";
    gy_access_table *table = gy_access_table_new(system);
    assert_int_equal(table->edges, GROUPS);
    assert_int_equal(table->slots, WORDS);
    assert_string_equal(table->names[1], "word 1");
    for (uint32_t g = 0; g < GROUPS; g++)
        for (uint32_t w = 0; w < WORDS; w++) {
            bool reads = m.access[g][w] & (GY_GROUP_TESTS | GY_GROUP_READS);
            bool writes = m.access[g][w] & GY_GROUP_MAY_WRITE;
            assert_int_equal(table->cells[g * WORDS + w],
                             (reads ? GY_ACCESS_READS : 0) | (writes ? GY_ACCESS_WRITES : 0));
        }
    gy_access_table_free(table);
    gy_system_free(system);
}

static void random_groups(void **unused)
{
    (void)unused;
    static const char *const forms[] = {"[] !w%uis%u || <> w%uis%u", "[] (w%uis%u -> <> w%uis%u)",
                                        "<> [] w%uis%u || [] <> w%uis%u", "!w%uis%u U w%uis%u",
                                        "[] <> w%uis%u -> <> w%uis%u"};
    uint32_t smaller = 0, violated = 0, held = 0, shorter = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        machine m;
        make_machine(&m, seed);
        gy_system *system = gy_alloc_zero(sizeof *system);
        system->backend = &machine_backend;
        system->impl = &m;
        system->name = "groups";
        for (int kind = 0; kind < 4; kind++) {
            gy_search_kind search = kind & 1 ? GY_SEARCH_DFS : GY_SEARCH_BFS;
            answer full = ask_safety(system, search, kind & 2, false);
            answer small = ask_safety(system, search, kind & 2, true);
            if (full.violated != small.violated)
                fail_msg("seed %llu, kind %d: %s without, %s with reduction",
                         (unsigned long long)seed, kind, full.violated ? "violated" : "holds",
                         small.violated ? "violated" : "holds");
            smaller += !full.violated && small.states < full.states;
            violated += full.violated;
        }
        uint64_t random = seed * 77;
        for (int k = 0; k < 4; k++) {
            char text[80];
            snprintf(text, sizeof text, forms[below(&random, 5)], below(&random, WORDS),
                     below(&random, VALUES), below(&random, WORDS), below(&random, VALUES));
            answer full = ask_ltl(system, text, false), small = ask_ltl(system, text, true);
            if (full.violated != small.violated)
                fail_msg("seed %llu, %s: %s without, %s with reduction", (unsigned long long)seed,
                         text, full.violated ? "violated" : "holds",
                         small.violated ? "violated" : "holds");
            held += !full.violated;
            shorter += !full.violated && small.states < full.states;
        }
        gy_system_free(system);
    }
    print_message("%u smaller, %u violated, %u formulas hold, %u of them smaller\n", smaller,
                  violated, held, shorter);
    assert_true(smaller > 50 && violated > 50 && held > 50 && shorter > 20); // it is a test
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philosophers),  cmocka_unit_test(predicates),
        cmocka_unit_test(old_objects),   cmocka_unit_test(table_of_groups),
        cmocka_unit_test(random_groups),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) || failed;
}
