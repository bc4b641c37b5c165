// Products on the graph that was kept: node n * states + c is state n with the observer in c. One
// thread for each of the observers; the graph is only read.
#include "search/liveness/multi_formula_parts.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK = 4096 }; // nodes between checks of the clock

typedef struct search {
    gy_shared *shared;
    const gy_observer *observer;
    unsigned member;
    uint16_t *letters; // by row
    uint64_t transitions, nodes;
    uint32_t countdown;
    double until;         // on the clock; 0: no limit
    bool counting, ended; // transitions; by a limit
} search;

typedef struct queue {
    gy_shared *shared;
    const gy_observer *const *observers;
    gy_product_result **results;
    uint32_t count;
    _Atomic uint32_t next;
    double until;
} queue;

// ---- the product as a graph -----------------------------------------------------------

static bool look(search *r)
{
    const gy_search_options *options = &r->shared->options;
    r->countdown = LOOK;
    if (gy_deadline_over(r->until) || (options->interrupt && *options->interrupt) ||
        !gy_budget_measure(&r->shared->run.budget))
        r->ended = true;
    return r->ended;
}

static bool is_tired(void *self)
{
    search *r = self;
    return r->ended || (r->countdown-- == 0 && look(r));
}

static int edges(void *self, uint32_t node, gy_arc_graph_edges *out)
{
    search *r = self;
    const gy_observer *observer = r->observer;
    uint32_t states = observer->states, count, at = node % states;
    if (is_tired(r))
        return GY_GRAPH_STOP;
    gy_shared_view state = gy_shared_look(r->shared, node / states);
    const gy_observer_move *moves =
        observer->letter_moves(observer->self, r->letters[state.row], at, &count);
    uint64_t most = r->shared->options.state_limit;
    if (r->counting && most && ++r->nodes > most) {
        r->ended = true;
        return GY_GRAPH_STOP;
    }
    for (uint32_t k = 0; k < count; k++)
        if (moves[k].sight != GY_SEES_NOTHING)
            return GY_GRAPH_SEEN;
    gy_vec_reserve(out, out->n + (size_t)state.count * count);
    gy_arc_graph_edge *edge = out->at + out->n;
    for (uint32_t i = 0; i < state.count; i++)
        for (uint32_t k = 0; k < count; k++)
            *edge++ = (gy_arc_graph_edge){
                .to = state.to[i] * states + moves[k].to, .cost = 1, .marks = moves[k].marks};
    out->n += (size_t)state.count * count;
    if (r->counting)
        r->transitions += (uint64_t)state.count * count;
    return 0;
}

static void search_again(void *self, bool on)
{
    search *r = self;
    r->counting = !on;
}

// ---- letters --------------------------------------------------------------------------

// Where in a row the value of an atom is: the observer, and the bit. False: nowhere.
static bool find_column(const gy_shared *s, gy_atom atom, uint32_t *column, uint32_t *bit)
{
    for (*column = 0; *column < s->observer_count; ++*column)
        for (*bit = 0; *bit < s->observers[*column]->watched_count; ++*bit)
            if (s->observers[*column]->watched[*bit] == atom)
                return true;
    return false;
}

// What an observer sees, by row. NULL: it reads something else.
static uint16_t *letters_of(const gy_shared *s, const gy_observer *observer)
{
    uint16_t *letters = gy_alloc_zero((s->row_count + (size_t)1) * sizeof *letters);
    for (uint32_t i = 0; i < observer->watched_count; i++) {
        uint32_t column, bit;
        if (!find_column(s, observer->watched[i], &column, &bit)) {
            free(letters);
            return NULL;
        }
        for (uint32_t r = 0; r < s->row_count; r++) {
            uint32_t value = s->rows.at[(size_t)r * s->observer_count + column] >> bit & 1;
            letters[r] = (uint16_t)(letters[r] | value << i);
        }
    }
    return letters;
}

// ---- one search -----------------------------------------------------------------------

static gy_lasso_witness *lasso_of(search *r, const gy_arc_graph *graph,
                                  const gy_arc_graph_nodes *start, const gy_emptiness_result *found)
{
    gy_shared_walk walk = {0};
    gy_lasso_witness *lasso = NULL;
    if (gy_arc_graph_stem(graph, start->at, (uint32_t)start->n, &found->component, &walk.stem,
                          &walk.end) &&
        (found->component.n == 0 || gy_arc_graph_cycle(graph, found, walk.end, &walk.cycle)))
        lasso = gy_shared_tell(r->shared, r->member, r->observer, r->letters, &walk);
    gy_vec_free(&walk.stem);
    gy_vec_free(&walk.cycle);
    return lasso;
}

// NULL: it was ended, or what was found cannot be determined.
static gy_product_result *conclude(search *r, const gy_arc_graph *graph,
                                   const gy_arc_graph_nodes *start,
                                   const gy_emptiness_result *found)
{
    const gy_shared *s = r->shared;
    bool seen = found->answer == GY_BROKEN_OFF && !r->ended && !found->full;
    gy_lasso_witness *lasso = NULL;
    if (found->answer == GY_NONEMPTY || seen) {
        lasso = lasso_of(r, graph, start, found);
        if (!lasso)
            return NULL;
    } else if (found->answer == GY_BROKEN_OFF) {
        return NULL;
    }
    gy_product_result *result = gy_alloc_zero(sizeof *result);
    gy_search_result *figures = gy_alloc_zero(sizeof *figures);
    result->figures = figures;
    result->store = s->options.store;
    result->lasso = lasso;
    result->shared = s->observer_count;
    figures->endless_edge = s->run.result->endless_edge;
    figures->threads = s->space->size;
    figures->coverage = 1;
    figures->states = found->nodes;
    figures->transitions = r->transitions + start->n;
    figures->matched =
        figures->transitions > figures->states ? figures->transitions - figures->states : 0;
    figures->depth = found->depth;
    figures->by_transitions = true;
    figures->reduced = s->reduced != NULL;
    figures->expanded_reduced = s->run.result->expanded_reduced;
    figures->expanded_fully = s->run.result->expanded_fully;
    figures->not_reduced = s->run.result->not_reduced;
    if (s->run.result->not_symmetric)
        figures->not_symmetric = strdup(s->run.result->not_symmetric);
    figures->symmetric_types = s->run.symmetry ? s->run.symmetry->types : 0;
    figures->error_met = lasso != NULL;
    figures->errors = lasso != NULL;
    figures->completeness = lasso ? GY_STOPPED_AT_ERROR : GY_COMPLETE;
    return result;
}

static gy_product_result *search_one(search *r)
{
    const gy_observer *observer = r->observer;
    gy_shared *s = r->shared;
    bool uniform = observer->weak || observer->sets == 0;
    bool nested = uniform || observer->sets == 1;
    gy_arc_graph graph = {.self = r,
                          .edges = edges,
                          .all = ((uint64_t)1 << observer->sets) - 1,
                          .budget = &s->run.budget,
                          .uniform = uniform,
                          .again = search_again,
                          .tired = is_tired};
    gy_emptiness_result found;
    gy_arc_graph_nodes start = {0};
    for (size_t i = 0; i < s->initial.n; i++) {
        for (uint32_t k = 0; k < observer->initial_count && observer->initials; k++)
            gy_vec_push(&start, s->initial.at[i] * observer->states + observer->initials[k]);
        if (!observer->initials)
            gy_vec_push(&start, s->initial.at[i] * observer->states + observer->initial);
    }
    r->counting = true;
    if (nested)
        gy_arc_graph_nested(&graph, start.at, (uint32_t)start.n, &found);
    else
        gy_arc_graph_search(&graph, start.at, (uint32_t)start.n, &found);
    r->counting = false;
    gy_product_result *result = conclude(r, &graph, &start, &found);
    if (result) {
        result->cycles = nested ? "nested" : "components";
        result->cycles_why = "on the state graph, which was explored once for all formulas";
    }
    gy_emptiness_result_free(&found);
    gy_vec_free(&start);
    return result;
}

static bool fits(const gy_shared *s, const gy_observer *observer)
{
    uint64_t states = atomic_load(&s->count);
    return !gy_shared_cant(observer) && observer->sets < 64 &&
           states * observer->states <= UINT32_MAX && (!s->reduced || observer->blind);
}

static void work(void *user, unsigned member)
{
    queue *q = user;
    gy_shared *s = q->shared;
    uint32_t i;
    while ((i = atomic_fetch_add(&q->next, 1)) < q->count) {
        double started = gy_clock();
        search r = {.shared = s, .observer = q->observers[i], .member = member, .until = q->until};
        if (!fits(s, r.observer) || !(r.letters = letters_of(s, r.observer)))
            continue;
        q->results[i] = search_one(&r);
        if (q->results[i])
            q->results[i]->figures->seconds =
                gy_clock() - started + s->seconds / (double)s->observer_count;
        free(r.letters);
    }
}

void gy_shared_search(gy_shared *s, const gy_observer *const *observers, uint32_t count,
                      double seconds, gy_product_result **results)
{
    queue q = {.shared = s, .observers = observers, .results = results, .count = count};
    gy_team team;
    unsigned threads = s->space->size < count ? s->space->size : count;
    q.until = gy_deadline(seconds);
    for (uint32_t i = 0; i < count; i++)
        results[i] = NULL;
    if (threads > 1)
        gy_team_run(threads, work, &q, &team);
    else
        work(&q, 0);
    for (uint32_t i = 0; i < count; i++) {
        gy_search_result *figures = results[i] ? results[i]->figures : NULL;
        if (!figures)
            continue;
        figures->memory = s->run.budget.peak;
        figures->bytes_per_state =
            figures->states ? (double)figures->memory / (double)figures->states : 0;
    }
}
