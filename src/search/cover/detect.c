#include "search/cover/detect.h"

#include "search/cover/detect_sat.h"

#include "base/map.h"

enum { MOST_CUTS = 1 << 18 }; // of one trace

struct gy_detector {
    gy_trace *trace;
    gy_cover *cover;
    gy_arena *arena;
    gy_disjunction *parts; // by question
    GY_VEC(gy_course) courses;
    gy_trace_words state, next;
    gy_general general;
};

// ---- the shape of a question ----------------------------------------------------------------

// Of one process, or of one variable or channel.
static bool is_own(const gy_condition *c)
{
    return c->processes != 0;
}

static gy_cover_shape shape_of_conjunction(const gy_detector *d, const gy_conjunction *c)
{
    bool own = true;
    for (uint32_t k = 0; k < c->count; k++) {
        if (!gy_condition_is_local(d->trace->dependence, &c->list[k]))
            return GY_SHAPE_GENERAL;
        own &= is_own(&c->list[k]);
    }
    return !own ? GY_SHAPE_LINEAR : c->count > 1 ? GY_SHAPE_CONJUNCTIVE : GY_SHAPE_LOCAL;
}

static void classify(const gy_detector *d, gy_cover_question *q, const gy_disjunction *p)
{
    q->shape = shape_of_conjunction(d, &p->list[0]);
    q->parts = p->list[0].count;
    for (uint32_t i = 1; i < p->count; i++) {
        bool general = shape_of_conjunction(d, &p->list[i]) == GY_SHAPE_GENERAL;
        q->shape =
            general || q->shape == GY_SHAPE_GENERAL ? GY_SHAPE_GENERAL : GY_SHAPE_DISJUNCTIVE;
        q->parts = p->count;
    }
    if (!q->atom && q->shape != GY_SHAPE_GENERAL)
        q->shape = GY_SHAPE_SUM;
}

static void prepare(gy_detector *d, uint32_t number)
{
    gy_cover_question *q = &d->cover->questions[number];
    const gy_dependence *dependence = d->trace->dependence;
    bool known;
    d->parts[number] =
        q->atom ? gy_conditions_of(dependence, d->arena, q->atom, &known)
                : gy_conditions_of_terms(dependence, d->arena, q->terms, q->term_count, &known);
    if (!known)
        q->problem = "it depends on more than variables, channels and control locations";
    classify(d, q, &d->parts[number]);
    if (!q->atom && q->shape != GY_SHAPE_SUM)
        q->problem = "each term of a sum must depend on one process only";
}

gy_detector *gy_detector_new(gy_trace *trace, gy_cover *cover)
{
    gy_detector *d = gy_alloc_zero(sizeof *d);
    d->trace = trace;
    d->cover = cover;
    d->arena = gy_arena_new();
    d->parts = GY_NEW_ARRAY(d->arena, gy_disjunction, cover->count + 1);
    const gy_trace_node *first = &trace->nodes.at[0];
    uint32_t processes;
    gy_dependence_look(trace->dependence, gy_trace_state(trace, 0), first->words, &processes);
    for (uint32_t i = 0; i < cover->count; i++)
        prepare(d, i);
    return d;
}

void gy_detector_free(gy_detector *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->courses.n; i++) {
        gy_vec_free(&d->courses.at[i].events);
        gy_vec_free(&d->courses.at[i].truth);
    }
    gy_vec_free(&d->courses);
    gy_general_free(&d->general);
    gy_vec_free(&d->state);
    gy_vec_free(&d->next);
    gy_arena_free(d->arena);
    free(d);
}

bool gy_detector_done(const gy_detector *d)
{
    for (uint32_t i = 0; i < d->cover->count; i++)
        if (!d->cover->questions[i].found && !d->cover->questions[i].problem)
            return false;
    return true;
}

// ---- along the trace ------------------------------------------------------------------------

static bool is_true(const gy_detector *d, gy_atom atom, const gy_word *state, uint32_t words)
{
    return gy_atom_holds(d->trace->run->worker, atom, state, words);
}

static bool starts(const gy_trace *trace, size_t event, uint64_t processes)
{
    uint32_t from = trace->nodes.at[event].processes, to = trace->nodes.at[event + 1].processes;
    for (uint32_t p = from; p < to; p++)
        if (processes >> p & 1)
            return true;
    return false;
}

bool gy_trace_changes(const gy_trace *trace, size_t event, const gy_condition *c)
{
    const gy_trace_move *move = gy_trace_taken(trace, event);
    return (move->movers & c->processes) || starts(trace, event, c->processes) ||
           gy_dependence_changes(trace->dependence, gy_trace_print(trace, move), c->cells);
}

static void note_truth(const gy_detector *d, const gy_condition *c, gy_course *course, size_t node)
{
    const gy_trace *trace = d->trace;
    bool truth = is_true(d, c->atom, gy_trace_state(trace, node), trace->nodes.at[node].words);
    gy_vec_push(&course->truth, truth != c->negated);
}

// False: the events that change it are not in a row.
static bool follow(const gy_detector *d, const gy_condition *c, gy_course *course)
{
    const gy_trace *trace = d->trace;
    course->events.n = course->truth.n = 0;
    note_truth(d, c, course, 0);
    for (size_t i = 0; i < trace->events.n; i++) {
        if (!gy_trace_changes(trace, i, c))
            continue;
        size_t n = course->events.n;
        if (n && !gy_trace_before(trace, course->events.at[n - 1], &trace->events.at[i].clock))
            return false;
        gy_vec_push(&course->events, (uint32_t)i);
        note_truth(d, c, course, i + 1);
    }
    return true;
}

static bool follow_all(gy_detector *d, const gy_conjunction *p)
{
    while (d->courses.n < p->count)
        gy_vec_push(&d->courses, (gy_course){0});
    for (uint32_t i = 0; i < p->count; i++)
        if (!follow(d, &p->list[i], &d->courses.at[i]))
            return false;
    return true;
}

// The least ideal where all of the first `count` courses are true; false: there is none.
static bool find_least(const gy_detector *d, uint32_t count, gy_clock *ideal)
{
    const gy_trace *trace = d->trace;
    *ideal = (gy_clock){{0}};
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = 0; i < count; i++) {
            const gy_course *course = &d->courses.at[i];
            size_t at = 0;
            while (at < course->events.n && gy_trace_before(trace, course->events.at[at], ideal))
                at++;
            if (course->truth.at[at])
                continue;
            if (at == course->events.n)
                return false;
            gy_clock_join(ideal, &trace->events.at[course->events.at[at]].clock,
                          trace->most_processes);
            grew = true;
        }
    }
    return true;
}

// ---- ideal after ideal ------------------------------------------------------------------------

typedef struct cuts {
    GY_VEC(gy_clock) list;
    GY_VEC(size_t) state;
    GY_VEC(uint32_t) words;
    GY_VEC(gy_word) states;
    gy_map map;
} cuts;

static bool add_cut(cuts *c, const gy_clock *cut, uint32_t processes, const gy_word *state,
                    size_t words)
{
    uint64_t hash = gy_hash_bytes(cut->of, processes * sizeof *cut->of, 0);
    for (gy_map_probe p = gy_map_first(&c->map, hash); p.found; gy_map_next(&c->map, &p))
        if (memcmp(c->list.at[p.number].of, cut->of, processes * sizeof *cut->of) == 0)
            return false;
    gy_map_add(&c->map, hash, (uint32_t)c->list.n);
    gy_vec_push(&c->list, *cut);
    gy_vec_push(&c->state, c->states.n);
    gy_vec_push(&c->words, (uint32_t)words);
    gy_vec_reserve(&c->states, c->states.n + words + 1);
    memcpy(c->states.at + c->states.n, state, words * sizeof *state);
    c->states.n += words;
    return true;
}

// May the event be added? All that comes before it must be there.
static bool can_follow(const gy_trace *trace, const gy_clock *cut, uint32_t event)
{
    uint64_t movers = gy_trace_taken(trace, event)->movers;
    const gy_clock *clock = &trace->events.at[event].clock;
    for (uint32_t p = 0; p < trace->most_processes; p++)
        if (clock->of[p] > cut->of[p] + (movers >> p & 1))
            return false;
    return true;
}

static bool extend(gy_detector *d, cuts *c, size_t at)
{
    gy_trace *trace = d->trace;
    for (uint32_t p = 0; p < trace->most_processes; p++) {
        gy_clock cut = c->list.at[at];
        if (cut.of[p] >= trace->chains[p].n)
            continue;
        uint32_t event = trace->chains[p].at[cut.of[p]];
        const gy_trace_move *move = gy_trace_taken(trace, event);
        if ((uint32_t)__builtin_ctzll(move->movers) != p || !can_follow(trace, &cut, event))
            continue;
        d->state.n = 0;
        gy_vec_reserve(&d->state, (size_t)c->words.at[at] + 1);
        memcpy(d->state.at, c->states.at + c->state.at[at], c->words.at[at] * sizeof(gy_word));
        d->state.n = c->words.at[at];
        if (!gy_trace_make(trace, move, &d->state, &d->next, NULL))
            return false;
        for (uint64_t left = move->movers; left; left &= left - 1)
            cut.of[__builtin_ctzll(left)]++;
        add_cut(c, &cut, trace->most_processes, d->state.at, d->state.n);
    }
    return true;
}

// Goes through all ideals until `is_it` says so; false: it never does, or there are too many
// (*many), or the run was ended.
typedef bool cut_test(gy_detector *d, const void *user, const gy_word *state, uint32_t words);

static bool try_all(gy_detector *d, cut_test *is_it, const void *user, gy_clock *ideal, bool *many)
{
    const gy_trace *trace = d->trace;
    cuts c = {0};
    bool found = false;
    gy_clock none = {{0}};
    add_cut(&c, &none, trace->most_processes, gy_trace_state(trace, 0), trace->nodes.at[0].words);
    for (size_t i = 0; i < c.list.n && !found && !gy_run_tick(trace->run); i++) {
        found = is_it(d, user, c.states.at + c.state.at[i], c.words.at[i]);
        *ideal = c.list.at[i];
        *many = c.list.n > MOST_CUTS;
        if (found || *many || !extend(d, &c, i))
            break;
    }
    gy_vec_free(&c.list);
    gy_vec_free(&c.state);
    gy_vec_free(&c.words);
    gy_vec_free(&c.states);
    gy_map_free(&c.map);
    return found;
}

static bool is_asked_for(gy_detector *d, const void *user, const gy_word *state, uint32_t words)
{
    const gy_cover_question *q = user;
    return is_true(d, q->atom, state, words);
}

static bool show(gy_detector *d, const void *user, const gy_word *state, uint32_t words)
{
    (void)user;
    d->cover->visit(d->cover->user, state, words);
    return false;
}

// ---- questions --------------------------------------------------------------------------------

// By a solver, for the parts that have no structure on this trace; BEYOND: not by it.
static gy_general_answer ask_solver(gy_detector *d, gy_cover_question *q, const gy_disjunction *p,
                                    const uint8_t *open, gy_clock *ideal)
{
    if (!d->cover->sat)
        return GY_GENERAL_BEYOND;
    q->solved = true;
    for (uint32_t i = 0; i < p->count; i++) {
        gy_general_answer answer =
            open[i] ? gy_general_ask(&d->general, d->trace, d->cover->sat, &p->list[i], ideal)
                    : GY_GENERAL_NO;
        if (answer != GY_GENERAL_NO)
            return answer;
    }
    return GY_GENERAL_NO;
}

static bool ask_all_cuts(gy_detector *d, gy_cover_question *q, gy_clock *ideal)
{
    bool many = false, found = try_all(d, is_asked_for, q, ideal, &many);
    q->enumerated = true;
    if (many)
        q->problem = "it has no structure that can be used, and a trace has too many cuts";
    return found;
}

static bool ask(gy_detector *d, gy_cover_question *q, const gy_disjunction *p, gy_clock *ideal)
{
    uint8_t open[GY_MOST_PARTS] = {0}; // parts that are not answered by chains of events
    bool some = false;
    if (!q->atom)
        return follow_all(d, &p->list[0]) &&
               gy_courses_overlap(d->trace, d->courses.at, p->list[0].count, q->over, ideal);
    for (uint32_t i = 0; i < p->count; i++) {
        open[i] = !follow_all(d, &p->list[i]);
        if (!open[i] && find_least(d, p->list[i].count, ideal))
            return true;
        some |= open[i];
    }
    gy_general_answer answer = some ? ask_solver(d, q, p, open, ideal) : GY_GENERAL_NO;
    return answer == GY_GENERAL_BEYOND && !d->trace->run->stopped ? ask_all_cuts(d, q, ideal)
                                                                  : answer == GY_GENERAL_YES;
}

static void answer(gy_detector *d, gy_cover_question *q, const gy_clock *ideal)
{
    gy_route route = {0};
    if (!gy_trace_replay(d->trace, ideal, NULL, &d->state, &route)) {
        gy_vec_free(&route);
        return;
    }
    q->found = true;
    q->route = route.at;
    q->route_length = (uint32_t)route.n;
    // What was reasoned about the order of events is seen to be so.
    bool good = !q->atom || is_true(d, q->atom, d->state.at, (uint32_t)d->state.n);
    uint32_t held = 0;
    for (uint32_t i = 0; i < q->term_count; i++)
        held += is_true(d, q->terms[i], d->state.at, (uint32_t)d->state.n);
    if (!good || (!q->atom && held <= q->over))
        gy_run_fail_internally(d->trace->run, "a cut does not show what it should");
}

void gy_detector_ask(gy_detector *d)
{
    gy_clock last;
    bool many;
    if (d->cover->visit)
        try_all(d, show, NULL, &last, &many);
    for (uint32_t i = 0; i < d->cover->count; i++) {
        gy_cover_question *q = &d->cover->questions[i];
        gy_clock ideal;
        if (!q->found && !q->problem && !d->trace->run->stopped && ask(d, q, &d->parts[i], &ideal))
            answer(d, q, &ideal);
    }
}
