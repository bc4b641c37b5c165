#include "search/cover/detect_sat.h"

#include "base/hash.h"

enum { MOST_OBJECTS = 8, MOST_COMBINATIONS = 1 << 14 };

// An object, or a process, by the events that change it.
typedef GY_VEC(uint32_t) chain;

typedef struct asking {
    gy_general *general;
    gy_trace *trace;
    const gy_sat *sat;
    void *solver;
    int variables;
    const gy_condition *condition; // at hand
    chain chains[MOST_OBJECTS];
    uint32_t count;                 // of its chains
    uint32_t version[MOST_OBJECTS]; // how many events of each were chosen
    GY_VEC(int) ways;               // variables of the combinations that make it true
    uint32_t tried;
    bool beyond;
    gy_trace_words state;
} asking;

void gy_general_free(gy_general *g)
{
    gy_vec_free(&g->keys);
    gy_vec_free(&g->at);
    gy_vec_free(&g->truth);
    gy_map_free(&g->map);
}

static void clause(asking *a, int one, int other)
{
    a->sat->add(a->solver, one);
    if (other)
        a->sat->add(a->solver, other);
    a->sat->add(a->solver, 0);
}

static int event_variable(uint32_t event)
{
    return (int)event + 1;
}

// ---- the order --------------------------------------------------------------------------------

static void add_order(asking *a)
{
    const gy_trace *trace = a->trace;
    for (uint32_t i = 0; i < trace->events.n; i++) {
        uint64_t movers = gy_trace_taken(trace, i)->movers;
        for (uint32_t p = 0; p < trace->most_processes; p++) {
            uint32_t before = trace->events.at[i].clock.of[p] - (movers >> p & 1);
            if (before)
                clause(a, -event_variable(i), event_variable(trace->chains[p].at[before - 1]));
        }
    }
    a->variables = (int)trace->events.n;
}

// ---- the objects ------------------------------------------------------------------------------

static void add_chain(asking *a, const gy_condition *object)
{
    const gy_trace *trace = a->trace;
    if (a->count == MOST_OBJECTS) {
        a->beyond = true;
        return;
    }
    chain *c = &a->chains[a->count++];
    c->n = 0;
    for (uint32_t i = 0; i < trace->events.n; i++) {
        if (!gy_trace_changes(trace, i, object))
            continue;
        a->beyond |= c->n && !gy_trace_before(trace, c->at[c->n - 1], &trace->events.at[i].clock);
        gy_vec_push(c, i);
    }
}

static void find_chains(asking *a)
{
    const gy_dependence *d = a->trace->dependence;
    uint32_t words = gy_dependence_cell_words(d);
    gy_arena *arena = gy_arena_new();
    uint64_t *cells = GY_NEW_ARRAY(arena, uint64_t, words + 1);
    gy_condition object = {.cells = cells};
    a->count = 0;
    for (uint64_t left = a->condition->processes; left && !a->beyond; left &= left - 1) {
        object.processes = left & -left;
        add_chain(a, &object);
    }
    object.processes = 0;
    for (uint32_t n = 0; !a->beyond && gy_dependence_object(d, a->condition->cells, n, cells); n++)
        add_chain(a, &object);
    gy_arena_free(arena);
}

// ---- combinations -----------------------------------------------------------------------------

// Of the events that were chosen; the condition is identified by where it is kept.
static size_t write_key(asking *a)
{
    gy_general *g = a->general;
    size_t begin = g->keys.n;
    uint64_t condition = (uint64_t)(uintptr_t)a->condition;
    gy_vec_push(&g->keys, (uint32_t)condition);
    gy_vec_push(&g->keys, (uint32_t)(condition >> 32));
    gy_vec_push(&g->keys, a->trace->root);
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t v = a->version[i];
        gy_vec_push(&g->keys, v ? a->trace->events.at[a->chains[i].at[v - 1]].number : UINT32_MAX);
    }
    return begin;
}

static bool is_true_at(asking *a, const gy_clock *cut)
{
    gy_general *g = a->general;
    size_t key = write_key(a), bytes = (g->keys.n - key) * sizeof *g->keys.at;
    uint64_t hash = gy_hash_bytes(g->keys.at + key, bytes, 0);
    for (gy_map_probe p = gy_map_first(&g->map, hash); p.found; gy_map_next(&g->map, &p))
        if (memcmp(g->keys.at + g->at.at[p.number], g->keys.at + key, bytes) == 0) {
            g->keys.n = key;
            return g->truth.at[p.number];
        }
    if (!gy_trace_replay(a->trace, cut, NULL, &a->state, NULL)) {
        a->beyond = true;
        g->keys.n = key;
        return false;
    }
    bool truth = gy_atom_holds(a->trace->run->worker, a->condition->atom, a->state.at,
                               (uint32_t)a->state.n) != a->condition->negated;
    gy_map_add(&g->map, hash, (uint32_t)g->at.n);
    gy_vec_push(&g->at, key);
    gy_vec_push(&g->truth, truth);
    return truth;
}

// All that were chosen are the last ones in this ideal.
static bool are_last(const asking *a, uint32_t count, const gy_clock *cut)
{
    for (uint32_t i = 0; i < count; i++)
        if (a->version[i] < a->chains[i].n &&
            gy_trace_before(a->trace, a->chains[i].at[a->version[i]], cut))
            return false;
    return true;
}

static void add_way(asking *a)
{
    int way = ++a->variables;
    for (uint32_t i = 0; i < a->count; i++) {
        const chain *c = &a->chains[i];
        if (a->version[i])
            clause(a, -way, event_variable(c->at[a->version[i] - 1]));
        if (a->version[i] < c->n)
            clause(a, -way, -event_variable(c->at[a->version[i]]));
    }
    gy_vec_push(&a->ways, way);
}

static void combine(asking *a, uint32_t number, const gy_clock *cut)
{
    if (number == a->count) {
        a->beyond |= ++a->tried > MOST_COMBINATIONS || gy_run_tick(a->trace->run);
        if (!a->beyond && is_true_at(a, cut))
            add_way(a);
        return;
    }
    const chain *c = &a->chains[number];
    for (uint32_t v = 0; v <= c->n && !a->beyond; v++) {
        gy_clock joined = *cut;
        a->version[number] = v;
        if (v)
            gy_clock_join(&joined, &a->trace->events.at[c->at[v - 1]].clock,
                          a->trace->most_processes);
        if (are_last(a, number + 1, &joined))
            combine(a, number + 1, &joined);
    }
}

// One of its combinations is that of the ideal. False: none makes it true.
static bool add_condition(asking *a, const gy_condition *condition)
{
    const gy_clock none = {{0}};
    a->condition = condition;
    a->ways.n = 0;
    find_chains(a);
    if (!a->beyond)
        combine(a, 0, &none);
    if (!a->ways.n)
        return false;
    for (size_t i = 0; i < a->ways.n; i++)
        a->sat->add(a->solver, a->ways.at[i]);
    a->sat->add(a->solver, 0);
    return true;
}

// ---- the question -----------------------------------------------------------------------------

static int leave(void *user)
{
    const asking *a = user;
    return gy_run_tick(a->trace->run);
}

static gy_general_answer solve(asking *a, gy_clock *ideal)
{
    int said = a->sat->solve(a->solver, leave, a);
    *ideal = (gy_clock){{0}};
    for (uint32_t i = 0; said == GY_SAT_YES && i < a->trace->events.n; i++)
        if (a->sat->value(a->solver, event_variable(i)) > 0)
            gy_clock_join(ideal, &a->trace->events.at[i].clock, a->trace->most_processes);
    return said == GY_SAT_YES  ? GY_GENERAL_YES
           : said == GY_SAT_NO ? GY_GENERAL_NO
                               : GY_GENERAL_BEYOND;
}

gy_general_answer gy_general_ask(gy_general *general, gy_trace *trace, const gy_sat *sat,
                                 const gy_conjunction *parts, gy_clock *ideal)
{
    asking a = {.general = general, .trace = trace, .sat = sat, .solver = sat->begin()};
    bool possible = true;
    add_order(&a);
    for (uint32_t i = 0; i < parts->count && possible && !a.beyond; i++)
        possible = add_condition(&a, &parts->list[i]);
    gy_general_answer answer = a.beyond    ? GY_GENERAL_BEYOND
                               : !possible ? GY_GENERAL_NO
                                           : solve(&a, ideal);
    sat->end(a.solver);
    for (uint32_t i = 0; i < MOST_OBJECTS; i++)
        gy_vec_free(&a.chains[i]);
    gy_vec_free(&a.ways);
    gy_vec_free(&a.state);
    return answer;
}
