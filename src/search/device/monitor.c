#include "search/device/monitor.h"

#include "base/fatal.h"

#include <stdlib.h>

enum { MOST_OBSERVED = 64, MOST_STATES = 256, MOST_WATCHED = 10, MOST_ROWS = 1 << 16 };

// ---- does it decide in the end? ---------------------------------------------------------------

// By state: the states that moves which see nothing lead to; and the marks of such transitions.
typedef struct move_graph {
    uint64_t to[MOST_OBSERVED];
    uint64_t marks[MOST_OBSERVED][MOST_OBSERVED];
} move_graph;

static void read_moves(const gy_observer *observer, move_graph *graph)
{
    for (uint32_t at = 0; at < observer->states; at++)
        for (uint64_t letter = 0; letter >> observer->watched_count == 0; letter++) {
            uint32_t count;
            const gy_observer_move *moves =
                observer->letter_moves(observer->self, letter, at, &count);
            for (uint32_t i = 0; i < count; i++)
                if (moves[i].sight == GY_SEES_NOTHING) {
                    graph->to[at] |= 1ull << moves[i].to;
                    graph->marks[at][moves[i].to] |= moves[i].marks;
                }
        }
}

// Everything that can be reached from each state, in one step or more.
static void close_over(const move_graph *graph, uint32_t states, uint64_t *reach)
{
    for (uint32_t at = 0; at < states; at++)
        reach[at] = graph->to[at];
    for (uint32_t via = 0; via < states; via++)
        for (uint32_t at = 0; at < states; at++)
            if (reach[at] >> via & 1)
                reach[at] |= reach[via];
}

// Could a run be accepted without an error being seen? Then there is a component, of states that
// reach each other, whose moves have all marks.
static bool may_accept(const gy_observer *observer)
{
    uint64_t reach[MOST_OBSERVED], all = observer->sets < 64 ? (1ull << observer->sets) - 1 : ~0ull;
    move_graph *graph = gy_alloc_zero(sizeof *graph);
    bool accepts = false;
    read_moves(observer, graph);
    close_over(graph, observer->states, reach);
    for (uint32_t at = 0; at < observer->states && !accepts; at++) {
        uint64_t component = 0, marks = 0;
        for (uint32_t i = 0; i < observer->states; i++)
            if ((reach[at] >> i & 1) && (reach[i] >> at & 1))
                component |= 1ull << i;
        for (uint32_t i = 0; i < observer->states; i++)
            for (uint32_t k = 0; k < observer->states && (component >> i & 1); k++)
                if (component >> k & 1)
                    marks |= graph->marks[i][k];
        accepts = component && (marks & all) == all;
    }
    free(graph);
    return accepts;
}

// ---- sets of states ---------------------------------------------------------------------------

static uint32_t number_of(const gy_monitor *m, uint64_t set)
{
    for (size_t i = 0; i < m->sets.n; i++)
        if (m->sets.at[i] == set)
            return (uint32_t)i;
    return GY_MONITOR_BAD;
}

// The set after a letter; *seen: an error.
static uint64_t set_after(const gy_monitor *m, uint64_t set, uint64_t letter, bool *seen)
{
    const gy_observer *observer = m->observer;
    uint64_t after = 0;
    for (uint32_t at = 0; at < observer->states; at++) {
        uint32_t count = 0;
        const gy_observer_move *moves =
            set >> at & 1 ? observer->letter_moves(observer->self, letter, at, &count) : NULL;
        for (uint32_t i = 0; i < count; i++) {
            *seen = *seen || moves[i].sight != GY_SEES_NOTHING;
            after |= 1ull << moves[i].to;
        }
    }
    return after;
}

// All sets that there can be. False: too many.
static bool find_sets(gy_monitor *m)
{
    const gy_observer *observer = m->observer;
    uint64_t first = 1ull << observer->initial;
    for (uint32_t i = 0; observer->initials && i < observer->initial_count; i++)
        first |= 1ull << observer->initials[i];
    gy_vec_push(&m->sets, first);
    for (size_t i = 0; i < m->sets.n; i++)
        for (uint64_t letter = 0; letter >> observer->watched_count == 0; letter++) {
            bool seen = false;
            uint64_t after = set_after(m, m->sets.at[i], letter, &seen);
            if (seen || !after || number_of(m, after) != GY_MONITOR_BAD)
                continue;
            if (m->sets.n == MOST_STATES)
                return false;
            gy_vec_push(&m->sets, after);
        }
    return true;
}

static bool make_table(gy_monitor *m)
{
    const gy_observer *observer = m->observer;
    uint32_t bits = 1;
    while (m->sets.n > 1ull << bits)
        bits++;
    if (1ull << (bits + observer->watched_count) > MOST_ROWS)
        return false;
    size_t rows = (size_t)1 << (bits + observer->watched_count);
    uint16_t *next = gy_alloc_zero(rows * sizeof *next);
    for (size_t row = 0; row < rows; row++) {
        uint64_t state = row >> observer->watched_count;
        uint64_t letter = row & ((1ull << observer->watched_count) - 1);
        bool seen = state >= m->sets.n; // there is no such state
        uint64_t after = seen ? 0 : set_after(m, m->sets.at[state], letter, &seen);
        next[row] = seen ? GY_MONITOR_BAD : after ? (uint16_t)number_of(m, after) : GY_MONITOR_DEAD;
    }
    m->table = (gy_device_monitor){.bits = bits,
                                   .watched = observer->watched,
                                   .watched_count = observer->watched_count,
                                   .next = next};
    return true;
}

gy_monitor *gy_monitor_new(const gy_observer *observer, const char **why)
{
    *why = NULL;
    if (!observer->letter_moves || observer->passed || observer->strong || observer->changes ||
        !observer->bounded)
        *why = "its automaton depends on more than states and values";
    else if (observer->states > MOST_OBSERVED || observer->watched_count > MOST_WATCHED)
        *why = "its automaton is too large";
    else if (may_accept(observer))
        *why = "a violation may be a cycle, which only the CPU search finds";
    if (*why)
        return NULL;
    gy_monitor *m = gy_alloc_zero(sizeof *m);
    m->observer = observer;
    if (find_sets(m) && make_table(m))
        return m;
    *why = "its automaton is too large";
    gy_monitor_free(m);
    return NULL;
}

void gy_monitor_free(gy_monitor *m)
{
    if (!m)
        return;
    gy_vec_free(&m->sets);
    free((void *)(uintptr_t)m->table.next);
    free(m);
}

// ---- one step -----------------------------------------------------------------------------------

typedef struct gathering {
    uint64_t after;
    bool seen;
} gathering;

static void gather(void *user, const gy_observer_move *move)
{
    gathering *g = user;
    g->seen = g->seen || move->sight != GY_SEES_NOTHING;
    g->after |= 1ull << move->to;
}

uint32_t gy_monitor_next(const gy_monitor *m, gy_worker *worker, const gy_word *state,
                         uint32_t words, uint32_t number)
{
    const gy_observer *observer = m->observer;
    gathering g = {0};
    for (uint64_t left = m->sets.at[number]; left; left &= left - 1)
        observer->moves(observer->self, worker, state, words, (uint32_t)__builtin_ctzll(left),
                        gather, &g);
    return g.seen ? GY_MONITOR_BAD : g.after ? number_of(m, g.after) : GY_MONITOR_DEAD;
}
