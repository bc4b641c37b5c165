#include "search/cover/cover_trace.h"

#include "base/assert.h"

void gy_trace_free(gy_trace *trace)
{
    gy_vec_free(&trace->nodes);
    gy_vec_free(&trace->events);
    gy_vec_free(&trace->moves);
    gy_vec_free(&trace->words);
    gy_vec_free(&trace->steps);
    gy_vec_free(&trace->prints);
    for (uint32_t p = 0; p < GY_TRACE_PROCESSES; p++)
        gy_vec_free(&trace->chains[p]);
    gy_moves_free(&trace->found);
}

// ---- nodes ------------------------------------------------------------------------------

#define APPEND(vec, source, count)                                                                 \
    do {                                                                                           \
        gy_vec_reserve((vec), (vec)->n + (count) + 1);                                             \
        memcpy((vec)->at + (vec)->n, (source), (count) * sizeof *(vec)->at);                       \
        (vec)->n += (count);                                                                       \
    } while (0)

static void add_move(gy_trace *trace, gy_trace_node *node, const gy_transition *t, uint32_t ordinal)
{
    gy_trace_move move = {.ordinal = ordinal,
                          .movers = gy_dependence_movers(t),
                          .state = trace->words.n,
                          .words = t->words,
                          .steps = trace->steps.n,
                          .step_count = t->step_count,
                          .footprint = trace->prints.n,
                          .waits = gy_dependence_waits(trace->dependence, t)};
    if (move.movers & node->frozen)
        return;
    APPEND(&trace->words, t->state, t->words);
    APPEND(&trace->steps, t->steps, t->step_count);
    gy_vec_reserve(&trace->prints, trace->prints.n + trace->print_words);
    gy_dependence_taken(trace->dependence, t, trace->prints.at + trace->prints.n);
    trace->prints.n += trace->print_words;
    gy_vec_push(&trace->moves, move);
    node->move_count++;
    node->enabled |= move.movers;
}

// The transitions of a node that is about to be added. Those with a fault are noted; where they
// leave no state, there is nothing to go on with.
static bool find_moves(gy_trace *trace, gy_trace_node *node, const gy_transition **all,
                       uint32_t *count)
{
    // A copy: the state that the dependence examines stays in its place.
    GY_VEC(gy_word) state = {0};
    APPEND(&state, trace->words.at + node->state, node->words);
    *all = gy_moves_find(&trace->found, trace->run->worker, state.at, node->words, count);
    node->all_moves = *count;
    bool fits = gy_dependence_look(trace->dependence, state.at, node->words, &node->processes);
    for (uint32_t i = 0; i < *count && fits; i++) {
        uint64_t cost = gy_run_note(trace->run, &(*all)[i]);
        if ((*all)[i].fault)
            gy_run_note_fault(trace->run, (*all)[i].fault, i, cost);
        if ((*all)[i].state)
            add_move(trace, node, &(*all)[i], i);
    }
    gy_vec_free(&state);
    return fits;
}

static bool add_node(gy_trace *trace, gy_trace_node node)
{
    const gy_transition *all;
    uint32_t count;
    node.first_move = trace->moves.n;
    node.steps_before = trace->steps.n;
    node.prints_before = trace->prints.n;
    if (!find_moves(trace, &node, &all, &count)) {
        gy_run_overflow(trace->run, "a trace cover supports at most 64 processes");
        return false;
    }
    if (node.processes > trace->most_processes)
        trace->most_processes = node.processes;
    gy_vec_push(&trace->nodes, node);
    return true;
}

bool gy_trace_begin(gy_trace *trace, const gy_word *state, uint32_t words, uint32_t root)
{
    gy_trace_node node = {.words = words};
    trace->root = root;
    APPEND(&trace->words, state, words);
    node.words_before = words;
    for (uint32_t p = 0; p < GY_TRACE_PROCESSES; p++)
        node.source[p] = -1;
    return add_node(trace, node);
}

// ---- events -----------------------------------------------------------------------------

void gy_trace_take(gy_trace *trace, uint32_t number, gy_clock *before)
{
    gy_trace_node *node = &trace->nodes.at[trace->nodes.n - 1];
    node->current = number;
    const gy_trace_move *move = gy_trace_taken(trace, trace->nodes.n - 1);
    gy_trace_event event = {0};
    uint32_t n = trace->most_processes;
    for (uint64_t left = move->movers; left; left &= left - 1) {
        int32_t source = node->source[__builtin_ctzll(left)];
        if (source >= 0)
            gy_clock_join(&event.clock, &trace->events.at[source].clock, n);
    }
    for (size_t i = trace->events.n; i-- > 0;)
        if (!gy_trace_before(trace, i, &event.clock) &&
            gy_dependence_meet(trace->dependence, gy_trace_print(trace, gy_trace_taken(trace, i)),
                               gy_trace_print(trace, move)))
            gy_clock_join(&event.clock, &trace->events.at[i].clock, n);
    *before = event.clock;
    for (uint64_t left = move->movers; left; left &= left - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(left);
        gy_vec_push(&trace->chains[p], (uint32_t)trace->events.n);
        event.clock.of[p] = (uint32_t)trace->chains[p].n;
    }
    gy_vec_push(&trace->events, event);
}

bool gy_trace_arrive(gy_trace *trace, uint64_t frozen)
{
    size_t last = trace->nodes.n - 1;
    const gy_trace_node *from = &trace->nodes.at[last];
    const gy_trace_move *move = gy_trace_taken(trace, last);
    gy_trace_node node = {.state = move->state,
                          .words = move->words,
                          .frozen = frozen,
                          .words_before = trace->words.n};
    uint32_t had = from->processes;
    memcpy(node.source, from->source, sizeof node.source);
    for (uint64_t left = move->movers; left; left &= left - 1)
        node.source[__builtin_ctzll(left)] = (int32_t)last;
    if (!add_node(trace, node)) {
        trace->words.n = node.words_before;
        return false;
    }
    gy_trace_node *added = &trace->nodes.at[last + 1];
    for (uint32_t p = had; p < added->processes; p++) // it has started them
        added->source[p] = (int32_t)last;
    return true;
}

void gy_trace_back(gy_trace *trace)
{
    gy_assert(trace->nodes.n == trace->events.n + 1);
    const gy_trace_node *node = &trace->nodes.at[trace->nodes.n - 1];
    trace->words.n = node->words_before;
    trace->steps.n = node->steps_before;
    trace->prints.n = node->prints_before;
    trace->moves.n = node->first_move;
    trace->nodes.n--;
    if (!trace->events.n)
        return;
    uint64_t movers = gy_trace_taken(trace, trace->events.n - 1)->movers;
    for (uint64_t left = movers; left; left &= left - 1)
        trace->chains[__builtin_ctzll(left)].n--;
    trace->events.n--;
}

void gy_trace_clear(gy_trace *trace)
{
    trace->nodes.n = trace->events.n = trace->moves.n = 0;
    trace->words.n = trace->steps.n = trace->prints.n = 0;
    for (uint32_t p = 0; p < GY_TRACE_PROCESSES; p++)
        trace->chains[p].n = 0;
}

// ---- again ------------------------------------------------------------------------------

typedef struct again {
    const gy_step *steps;
    uint32_t step_count, ordinal, found;
    gy_trace_words *state;
    bool there;
} again;

static int find_same(void *user, const gy_transition *t)
{
    again *a = user;
    uint32_t ordinal = a->ordinal++;
    if (!t->state || t->step_count != a->step_count ||
        memcmp(t->steps, a->steps, t->step_count * sizeof *t->steps) != 0)
        return 0;
    a->state->n = 0;
    APPEND(a->state, t->state, t->words);
    a->there = true;
    a->found = ordinal;
    return 1;
}

bool gy_trace_make(gy_trace *trace, const gy_trace_move *move, gy_trace_words *state,
                   gy_trace_words *next, gy_route *route)
{
    again a = {
        .steps = trace->steps.at + move->steps, .step_count = move->step_count, .state = next};
    gy_successors(trace->run->worker, state->at, (uint32_t)state->n, find_same, &a);
    if (!a.there) {
        gy_run_fail_internally(trace->run, "an event depends on more than is known");
        return false;
    }
    if (route)
        gy_vec_push(route, a.found);
    gy_trace_words made = *next;
    *next = *state;
    *state = made;
    return true;
}

bool gy_trace_replay(gy_trace *trace, const gy_clock *ideal, const gy_trace_move *last,
                     gy_trace_words *state, gy_route *route)
{
    gy_trace_words next = {0};
    size_t first = 0;
    bool good = true;
    if (route)
        gy_vec_push(route, trace->root);
    // As long as all belong to it, they lead where they did.
    while (first < trace->events.n && gy_trace_before(trace, first, ideal)) {
        if (route)
            gy_vec_push(route, gy_trace_taken(trace, first)->ordinal);
        first++;
    }
    state->n = 0;
    APPEND(state, gy_trace_state(trace, first), trace->nodes.at[first].words);
    for (size_t i = first; i < trace->events.n && good; i++)
        if (gy_trace_before(trace, i, ideal))
            good = gy_trace_make(trace, gy_trace_taken(trace, i), state, &next, route);
    if (last && good)
        good = gy_trace_make(trace, last, state, &next, route);
    gy_vec_free(&next);
    return good;
}

bool gy_trace_replay_from(gy_trace *trace, size_t from, const gy_clock *ideal,
                          gy_trace_words *state)
{
    gy_trace_words next = {0};
    bool good = true;
    state->n = 0;
    APPEND(state, gy_trace_state(trace, from), trace->nodes.at[from].words);
    for (size_t i = from; i < trace->events.n && good; i++)
        if (gy_trace_before(trace, i, ideal))
            good = gy_trace_make(trace, gy_trace_taken(trace, i), state, &next, NULL);
    gy_vec_free(&next);
    return good;
}
