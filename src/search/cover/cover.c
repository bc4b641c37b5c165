// The search for a trace cover: depth-first over runs, with the reduction of Flanagan and
// Godefroid, sleep sets and cut-offs.
//
// In each state one process is chosen to execute, with all the transitions that it has. What else
// must be tried there shows later: where something that a process might do next, possible or not,
// depends on an earlier event that does not come before it, the other order may be another trace.
// Then the process, or one whose transitions lead to that, is to be tried before that event as
// well. Processes that may meet in a rendezvous are tried together. A transition whose runs were
// all seen sleeps until something happens that it depends on, so that no trace is run twice to its
// end. A run all of whose transitions sleep is given up; that is rare (docs/verify/search.md has
// figures), so there are no wakeup trees.
//
// A process whose last event is cut off (cutoffs.h) stays where it is, so every run ends.
//
// Where no process is enabled without a timeout, all transitions are tried; they depend on
// everything.
#include "search/cover/cover.h"

#include "search/cover/cutoffs.h"
#include "search/cover/detect.h"

#include <stdlib.h>

enum { SPLIT_LIMIT = 1024 }; // indices are known in each state, so larger arrays pay as well

// Something that a process might do next, possible or not.
typedef struct next {
    int32_t pid, edge;
    gy_half half;
    size_t print; // its footprint, in next_prints
} next;

typedef struct cover {
    gy_run *run;
    gy_trace trace;
    gy_records records;
    gy_detector *detector;
    gy_cover *answers;
    gy_route path;
    gy_trace_words state;
    GY_VEC(next) nexts;
    GY_VEC(uint64_t) next_prints, both, wide;
    GY_VEC(uint64_t) ends; // hashes of the invalid end states
    gy_map by_end;
} cover;

void gy_cover_free(gy_cover *answers)
{
    for (uint32_t i = 0; i < answers->count; i++)
        free(answers->questions[i].route);
}

static gy_trace_node *top(const cover *c)
{
    return &c->trace.nodes.at[c->trace.nodes.n - 1];
}

// ---- errors -------------------------------------------------------------------------------

static bool has_enough(const cover *c)
{
    return c->answers->one_error && c->run->result->witness_count > 0;
}

// The path to the last node, and on by one transition (or not: UINT32_MAX).
static void report(cover *c, uint32_t ordinal, gy_fault_kind kind)
{
    if (has_enough(c))
        return;
    c->path.n = 0;
    gy_vec_push(&c->path, c->trace.root);
    for (size_t i = 0; i < c->trace.events.n; i++)
        gy_vec_push(&c->path, gy_trace_taken(&c->trace, i)->ordinal);
    if (ordinal != UINT32_MAX)
        gy_vec_push(&c->path, ordinal);
    gy_run_report(c->run, &c->path, kind, false);
}

// Many traces may end in the same state, which is one error.
static bool is_new_end(cover *c, const gy_word *state, uint32_t words)
{
    uint64_t hash = gy_hash_state(state, words);
    for (gy_map_probe p = gy_map_first(&c->by_end, hash); p.found; gy_map_next(&c->by_end, &p))
        if (c->ends.at[p.number] == hash)
            return false;
    gy_map_add(&c->by_end, hash, (uint32_t)c->ends.n);
    gy_vec_push(&c->ends, hash);
    return true;
}

static void look_for_errors(cover *c)
{
    gy_run *run = c->run;
    const gy_trace_node *node = top(c);
    for (size_t i = 0; i < run->faults.n; i++)
        if (gy_run_fault_is_new(run, &run->faults.at[i]))
            report(c, run->faults.at[i].ordinal, run->faults.at[i].kind);
    run->faults.n = 0;
    const gy_word *state = gy_trace_state(&c->trace, c->trace.nodes.n - 1);
    if (node->all_moves || !gy_run_bad_end(run, state, node->words))
        return;
    if (is_new_end(c, state, node->words))
        report(c, UINT32_MAX, GY_FAULT_NONE);
    else
        run->result->errors--;
}

// ---- what else is to be tried -----------------------------------------------------------------

// Those who may meet are tried together.
static void add_to_backtrack(cover *c, gy_trace_node *node, uint64_t processes)
{
    const gy_trace_move *moves = c->trace.moves.at + node->first_move;
    for (uint64_t before = 0; before != processes;) {
        before = processes;
        for (uint32_t i = 0; i < node->move_count; i++)
            if (moves[i].movers & processes)
                processes |= moves[i].movers;
    }
    node->backtrack |= processes;
}

// Something that a process might do next, or two that might meet.
typedef struct racer {
    cover *c;
    int32_t pid, edge, partner, partner_edge; // -1: there is no partner
    const uint64_t *footprint;
    gy_clock clock; // of the processes
} racer;

// Of the events after `event` that the clock counts, which process executes in those that could be
// the first; 0: there are none.
static uint64_t first_movers(const gy_trace *trace, size_t event, const gy_clock *clock)
{
    uint64_t movers = 0;
    for (size_t j = event + 1; j < trace->events.n; j++) {
        bool first = gy_trace_before(trace, j, clock);
        for (size_t k = event + 1; k < j && first; k++)
            first = !gy_trace_before(trace, k, &trace->events.at[j].clock);
        movers |= first ? gy_trace_taken(trace, j)->movers : 0;
    }
    return movers;
}

static int find_edge(void *user, const gy_transition *t)
{
    const racer *r = user;
    const gy_step *step = &t->steps[0];
    if (!t->step_count)
        return 0;
    if (r->partner >= 0)
        return step->pid == r->pid && step->edge == r->edge && step->partner == r->partner &&
               step->partner_edge == r->partner_edge;
    return (step->pid == r->pid && step->edge == r->edge) ||
           (step->partner == r->pid && step->partner_edge == r->edge);
}

// Could it be done where `event` was, after all that must come before it?
static bool is_possible(racer *r, size_t event, const gy_clock *clock)
{
    cover *c = r->c;
    return gy_trace_replay_from(&c->trace, event, clock, &c->state) &&
           gy_successors(c->run->worker, c->state.at, (uint32_t)c->state.n, find_edge, r);
}

// Events after `event`, and not because of it, that have a say in whether it can be done; at most
// MOST_HELPERS, and how many there are.
enum { MOST_HELPERS = 4 };

// What it might touch without the event: if that has written an index, more than in the current
// state.
static const uint64_t *print_without(const racer *r, size_t event)
{
    cover *c = r->c;
    const gy_dependence *d = c->trace.dependence;
    uint32_t words = c->trace.print_words;
    if (!gy_dependence_diverts(d, gy_trace_print(&c->trace, gy_trace_taken(&c->trace, event)),
                               r->footprint))
        return r->footprint;
    gy_vec_reserve(&c->wide, words);
    memcpy(c->wide.at, r->footprint, words * sizeof *c->wide.at);
    gy_dependence_anywhere(d, (uint32_t)r->pid, r->edge, c->wide.at);
    if (r->partner >= 0)
        gy_dependence_anywhere(d, (uint32_t)r->partner, r->partner_edge, c->wide.at);
    return c->wide.at;
}

static uint32_t find_helpers(const racer *r, size_t event, size_t *helpers)
{
    const gy_trace *trace = &r->c->trace;
    const uint64_t *footprint = print_without(r, event);
    uint32_t count = 0;
    for (size_t j = event + 1; j < trace->events.n; j++)
        if (!gy_trace_before(trace, j, &r->clock) &&
            !gy_trace_before(trace, event, &trace->events.at[j].clock) &&
            gy_dependence_meet(trace->dependence, gy_trace_print(trace, gy_trace_taken(trace, j)),
                               footprint)) {
            if (count < MOST_HELPERS)
                helpers[count] = j;
            count++;
        }
    return count;
}

// With these events before it, and all that comes before them: the process that executes first on
// the path is to be tried where the event was, unless one of them is.
static void try_way(racer *r, size_t event, const gy_clock *clock)
{
    gy_trace_node *node = &r->c->trace.nodes.at[event];
    uint64_t first = first_movers(&r->c->trace, event, clock);
    uint64_t self = UINT64_C(1) << r->pid | (r->partner >= 0 ? UINT64_C(1) << r->partner : 0);
    first = (first ? first : self) & node->enabled;
    if (first && !(first & node->backtrack) && is_possible(r, event, clock))
        add_to_backtrack(r->c, node, first & -first);
}

// The event and what the process might do depend on each other, and neither comes before the other.
// The other order is another trace, if it can be done without the event: with any of the others
// that have a say in that, or without them.
static void try_before(racer *r, size_t event)
{
    const gy_trace *trace = &r->c->trace;
    gy_trace_node *node = &trace->nodes.at[event];
    size_t helpers[MOST_HELPERS];
    uint32_t count = find_helpers(r, event, helpers);
    if (!(node->enabled & ~node->backtrack))
        return;
    if (count > MOST_HELPERS) {
        add_to_backtrack(r->c, node, node->enabled);
        return;
    }
    for (uint32_t some = 0; some < 1u << count; some++) {
        gy_clock clock = r->clock;
        for (uint32_t h = 0; h < count; h++)
            if (some >> h & 1)
                gy_clock_join(&clock, &trace->events.at[helpers[h]].clock, trace->most_processes);
        try_way(r, event, &clock);
    }
}

static void look_for_race(racer *r)
{
    const gy_trace *trace = &r->c->trace;
    for (size_t i = trace->events.n; i-- > 0 && !r->c->run->stopped;) {
        const gy_trace_move *move = gy_trace_taken(trace, i);
        if (!gy_trace_before(trace, i, &r->clock) &&
            gy_dependence_meet(trace->dependence, gy_trace_print(trace, move), r->footprint))
            try_before(r, i);
    }
}

typedef struct next_finder {
    cover *c;
    int32_t pid;
} next_finder;

static void note_next(void *user, const uint64_t *footprint, int32_t edge, gy_half half)
{
    next_finder *f = user;
    cover *c = f->c;
    gy_vec_push(&c->nexts, ((next){f->pid, edge, half, c->next_prints.n}));
    gy_vec_reserve(&c->next_prints, c->next_prints.n + c->trace.print_words);
    memcpy(c->next_prints.at + c->next_prints.n, footprint,
           c->trace.print_words * sizeof *footprint);
    c->next_prints.n += c->trace.print_words;
}

static void find_nexts(cover *c)
{
    gy_trace *trace = &c->trace;
    const gy_trace_node *node = top(c);
    uint32_t processes;
    c->nexts.n = c->next_prints.n = 0;
    gy_dependence_look(trace->dependence, gy_trace_state(trace, trace->nodes.n - 1), node->words,
                       &processes);
    for (uint32_t pid = 0; pid < processes; pid++) {
        next_finder f = {c, (int32_t)pid};
        if (!(node->frozen >> pid & 1))
            gy_dependence_next(trace->dependence, pid, note_next, &f);
    }
}

static void join_clock(const cover *c, int32_t pid, gy_clock *clock)
{
    int32_t source = top(c)->source[pid];
    if (source >= 0)
        gy_clock_join(clock, &c->trace.events.at[source].clock, c->trace.most_processes);
}

// Half of a rendezvous is examined alone, for those whose other half is not there, and with each
// other half.
static void look_for_meeting(cover *c, const next *sends, const next *receives)
{
    uint32_t words = c->trace.print_words;
    racer r = {.c = c,
               .pid = sends->pid,
               .edge = sends->edge,
               .partner = receives->pid,
               .partner_edge = receives->edge};
    gy_vec_reserve(&c->both, words);
    for (uint32_t w = 0; w < words; w++)
        c->both.at[w] =
            c->next_prints.at[sends->print + w] | c->next_prints.at[receives->print + w];
    r.footprint = c->both.at;
    join_clock(c, r.pid, &r.clock);
    join_clock(c, r.partner, &r.clock);
    look_for_race(&r);
}

static void look_for_races(cover *c)
{
    if (!c->trace.events.n)
        return;
    find_nexts(c);
    for (size_t i = 0; i < c->nexts.n; i++) {
        const next *one = &c->nexts.at[i];
        racer r = {.c = c, .pid = one->pid, .edge = one->edge, .partner = -1, .partner_edge = -1};
        r.footprint = c->next_prints.at + one->print;
        join_clock(c, r.pid, &r.clock);
        look_for_race(&r);
        for (size_t k = 0; one->half == GY_HALF_SENDS && k < c->nexts.n; k++)
            if (c->nexts.at[k].half == GY_HALF_RECEIVES && c->nexts.at[k].pid != one->pid)
                look_for_meeting(c, one, &c->nexts.at[k]);
    }
}

// ---- the search -----------------------------------------------------------------------------

static bool is_same(const gy_trace *trace, const gy_trace_move *a, const gy_trace_move *b)
{
    return a->step_count == b->step_count &&
           memcmp(trace->steps.at + a->steps, trace->steps.at + b->steps,
                  a->step_count * sizeof(gy_step)) == 0;
}

// What was tried, or slept, in the node before still sleeps if the last event left it alone.
static void put_to_sleep(cover *c)
{
    const gy_trace *trace = &c->trace;
    const gy_trace_node *from = &trace->nodes.at[trace->nodes.n - 2], *node = top(c);
    const gy_trace_move *taken = gy_trace_taken(trace, trace->nodes.n - 2);
    for (uint32_t i = 0; i < from->move_count; i++) {
        const gy_trace_move *old = &trace->moves.at[from->first_move + i];
        if (!(old->done || old->asleep) || !gy_trace_independent(trace, old, taken))
            continue;
        for (uint32_t k = 0; k < node->move_count; k++) {
            gy_trace_move *move = &trace->moves.at[node->first_move + k];
            if (is_same(trace, old, move))
                move->asleep = true;
        }
    }
}

// A process with several transitions sleeps with all of them or not at all, and so do those that
// may meet: what has to go before a transition that sleeps would not be seen where another one of
// the process is taken in its place.
static void wake(cover *c)
{
    const gy_trace_node *node = top(c);
    gy_trace_move *moves = c->trace.moves.at + node->first_move;
    uint64_t awake = 0;
    for (bool woken = true; woken;) {
        woken = false;
        for (uint32_t i = 0; i < node->move_count; i++) {
            if (moves[i].asleep && !(moves[i].movers & awake))
                continue;
            woken |= moves[i].asleep || (moves[i].movers & ~awake);
            moves[i].asleep = false;
            awake |= moves[i].movers;
        }
    }
}

static void end_of_trace(cover *c)
{
    c->answers->traces++;
    if (c->trace.events.n > c->answers->longest)
        c->answers->longest = c->trace.events.n;
    if (c->answers->complete)
        c->answers->complete(c->answers->user, &c->trace);
    gy_detector_ask(c->detector);
    bool more = c->run->options->check_faults || c->run->options->check_end_states;
    if (c->answers->count && gy_detector_done(c->detector) && (!more || has_enough(c)))
        gy_run_stop(c->run, GY_STOPPED_AT_ERROR);
}

static void enter_node(cover *c)
{
    look_for_errors(c);
    look_for_races(c);
    gy_trace_node *node = top(c);
    const gy_trace_move *moves = c->trace.moves.at + node->first_move, *first = NULL;
    bool waits = false;
    for (uint32_t i = 0; i < node->move_count; i++) {
        waits |= moves[i].waits;
        if (!first && !moves[i].asleep)
            first = &moves[i];
    }
    if (node->move_count == 0)
        end_of_trace(c);
    else if (!first)
        c->answers->redundant++;
    else
        add_to_backtrack(c, node, waits ? node->enabled : first->movers & -first->movers);
}

// The next transition to take in the last node; UINT32_MAX: there is none.
static uint32_t next_move(const cover *c)
{
    const gy_trace_node *node = top(c);
    const gy_trace_move *moves = c->trace.moves.at + node->first_move;
    for (uint32_t i = 0; i < node->move_count; i++)
        if (!moves[i].done && !moves[i].asleep && (moves[i].movers & node->backtrack))
            return i;
    return UINT32_MAX;
}

static bool take(cover *c, uint32_t move)
{
    gy_trace *trace = &c->trace;
    gy_clock before;
    gy_trace_take(trace, move, &before);
    c->run->result->transitions++;
    if (!gy_records_note(&c->records, &before))
        return false;
    const gy_trace_event *event = &trace->events.at[trace->events.n - 1];
    uint64_t frozen = top(c)->frozen;
    if (event->cut_off)
        frozen |= gy_trace_taken(trace, trace->events.n - 1)->movers;
    if (!gy_trace_arrive(trace, frozen))
        return false;
    put_to_sleep(c);
    wake(c);
    enter_node(c);
    return true;
}

static bool has_room(cover *c)
{
    uint64_t bytes = gy_records_bytes(&c->records), limit = c->run->options->memory_limit;
    c->run->budget.peak = bytes;
    c->run->states_so_far = c->records.state_at.n;
    if (limit && bytes > limit)
        gy_run_stop(c->run, GY_LIMIT_MEMORY);
    return !gy_run_tick(c->run);
}

static void search(cover *c)
{
    gy_trace *trace = &c->trace;
    enter_node(c);
    while (has_room(c)) {
        uint32_t move = next_move(c);
        if (move != UINT32_MAX) {
            if (!take(c, move))
                return;
        } else if (trace->events.n) {
            gy_trace_back(trace);
            gy_trace_taken(trace, trace->events.n)->done = true;
        } else {
            return;
        }
    }
}

// An initial state, by its ordinal.
typedef struct start {
    gy_run *run;
    uint32_t wanted, at;
    gy_trace_words state;
    bool has_state;
} start;

static int find_start(void *user, const gy_transition *initial)
{
    start *s = user;
    if (s->at++ < s->wanted)
        return 0;
    gy_run_note(s->run, initial);
    if (initial->fault)
        gy_run_note_fault(s->run, initial->fault, s->wanted, 0);
    s->has_state = initial->state != NULL;
    gy_vec_reserve(&s->state, (size_t)initial->words + 1);
    if (s->has_state)
        memcpy(s->state.at, initial->state, initial->words * sizeof *initial->state);
    s->state.n = initial->words;
    return 1;
}

static void report_start(cover *c)
{
    gy_run *run = c->run;
    c->path.n = 0;
    gy_vec_push(&c->path, c->trace.root);
    for (size_t i = 0; i < run->faults.n; i++)
        if (gy_run_fault_is_new(run, &run->faults.at[i]) && !has_enough(c))
            gy_run_report(run, &c->path, run->faults.at[i].kind, false);
    run->faults.n = 0;
}

// False: there is no such initial state.
static bool search_from(cover *c, uint32_t root)
{
    start s = {.run = c->run, .wanted = root};
    bool found = gy_initial(c->run->worker, find_start, &s);
    c->trace.root = root;
    report_start(c);
    if (s.has_state && gy_trace_begin(&c->trace, s.state.at, (uint32_t)s.state.n, root)) {
        gy_records_begin(&c->records);
        if (!c->detector)
            c->detector = gy_detector_new(&c->trace, c->answers);
        search(c);
    }
    gy_trace_clear(&c->trace);
    gy_vec_free(&s.state);
    return found;
}

void gy_search_cover(gy_run *run)
{
    const char *why = NULL;
    const gy_reduce_needs needs = {.split_limit = SPLIT_LIMIT};
    gy_cover none = {0};
    cover c = {.run = run, .answers = run->options->cover ? run->options->cover : &none};
    if (gy_dependence_can(run->system, &why))
        run->reduction = gy_reduction_new(run->system, &needs, &why);
    if (!run->reduction) {
        gy_run_fail(run, "--cover cannot be used: %s", why);
        return;
    }
    c.trace.run = run;
    c.trace.dependence = gy_dependence_new(run->reduction);
    c.trace.print_words = gy_dependence_words(c.trace.dependence);
    c.records.trace = &c.trace;
    for (uint32_t root = 0; !run->stopped && search_from(&c, root);)
        root++;
    run->result->traces = c.answers->traces;
    run->result->given_up = c.answers->redundant;
    run->result->events = c.records.list.n;
    run->result->states = c.records.state_at.n;
    run->result->depth = c.answers->longest;
    run->result->by_transitions = true;
    gy_detector_free(c.detector);
    gy_trace_free(&c.trace);
    gy_records_free(&c.records);
    gy_vec_free(&c.path);
    gy_vec_free(&c.state);
    gy_vec_free(&c.nexts);
    gy_vec_free(&c.next_prints);
    gy_vec_free(&c.both);
    gy_vec_free(&c.wide);
    gy_vec_free(&c.ends);
    gy_map_free(&c.by_end);
    gy_dependence_free(c.trace.dependence);
}
