// Depth-first search. No depth limit unless the user wants one.
//
// Representation: `frames` is the path, one frame per state on it; `stack` holds, frame after
// frame, the successors that were not in the store when the state was expanded. A successor is
// entered in the store when its turn comes, so this is true depth-first order. Each is kept as
// its key (20 bytes), with the state after it if the store needs that. Both grow on the heap.
//
// With a limit and a store that gives back, a state reached again by a cheaper path is expanded
// again, so that everything within the limit is found: `costs` holds the least cost so far for
// each id. States reached beyond the limit are in the store with a cost above it; `beyond` counts
// them. Invariant: a state was expanded if and only if costs[id] <= limit.
// With a store that does not give back, states beyond the limit are not entered, and no state is
// expanded twice: then something may be left out, and the search says so.
#include "search/safety/dfs.h"

#include "search/checkpoint.h"

#include "reduce/proviso.h"

#include <stdlib.h>

typedef struct frame {
    uint64_t begin;   // its successors in `stack`, in words; they end where the next frame begins
    uint32_t next;    // the first that was not explored yet, in words from `begin`
    uint32_t ordinal; // of the successor that is being explored
    uint32_t cost;    // statements on the path to its state
    uint64_t id;      // of its state, if the store gives back
} __attribute__((packed)) frame;

typedef struct record { // a successor; the state follows
    uint32_t words, ordinal, cost;
} record;

enum { RECORD_WORDS = sizeof(record) / sizeof(uint32_t) };

typedef struct dfs {
    gy_run *run;
    bool gives_back; // the store does
    bool revisits;   // costs[] is kept
    bool cut;
    uint64_t limit;
    uint64_t beyond, faults_beyond; // states and faults found so far only beyond the limit
    gy_region frames, stack, costs;
    gy_region on_path; // with a reduction: a byte for each id
    uint64_t depth;    // frames
    uint64_t top;      // words
    GY_VEC(gy_word) state;
    // while a state is expanded
    uint32_t ordinal;
    uint64_t before; // the cost at which it was expanded before; NEVER: this is the first time
} dfs;

#define NEVER UINT64_MAX

static frame *top_frame(const dfs *d)
{
    return (frame *)d->frames.at + d->depth - 1;
}

// In the middle of a step.
static bool full(dfs *d)
{
    d->run->torn = true;
    gy_run_stop(d->run, GY_LIMIT_MEMORY);
    return false;
}

static uint32_t cost_of(const dfs *d, uint64_t id)
{
    return ((const uint32_t *)d->costs.at)[id];
}

// ---- expanding ----------------------------------------------------------------------

static bool push_successor(dfs *d, const gy_word *state, uint32_t words, uint64_t cost)
{
    uint64_t room = RECORD_WORDS + (uint64_t)words;
    if (!gy_region_reserve(&d->stack, (d->top + room) * sizeof(uint32_t)))
        return full(d);
    record r = {.words = words, .ordinal = d->ordinal, .cost = (uint32_t)cost};
    uint32_t *at = (uint32_t *)d->stack.at + d->top;
    memcpy(at, &r, sizeof r);
    if (words)
        memcpy(at + RECORD_WORDS, state, words * sizeof *state);
    d->top += room;
    return true;
}

static bool take(dfs *d, const gy_transition *transition, uint64_t cost)
{
    gy_run *run = d->run;
    uint64_t id, total = top_frame(d)->cost + cost;
    bool known = gy_numbered_find(run->store, transition->state, transition->words, &id);
    if (d->limit && total > d->limit && !d->revisits) {
        d->cut = d->cut || !known;
        if (!known)
            return true;
    }
    if (d->before == NEVER)
        run->result->transitions++;
    if (known && !(d->revisits && total < cost_of(d, id)))
        return true;
    return push_successor(d, transition->state, transition->words, cost);
}

// A fault counts once, when it is first reached within the limit.
static void take_fault(dfs *d, const gy_fault *fault, uint64_t cost)
{
    bool within = !d->limit || top_frame(d)->cost + cost <= d->limit;
    if (d->before == NEVER)
        d->faults_beyond += !within;
    else if (!within || d->before + cost <= d->limit)
        return;
    else
        d->faults_beyond--;
    if (within)
        gy_run_note_fault(d->run, fault, d->ordinal, cost);
}

static int visit(void *user, const gy_transition *transition)
{
    dfs *d = user;
    uint64_t cost = gy_run_note(d->run, transition);
    if (d->depth == 1)
        cost = 0; // an initial state
    if (transition->fault)
        take_fault(d, transition->fault, cost);
    if (transition->state && !take(d, transition, cost))
        return 1;
    d->ordinal++;
    return 0;
}

static bool mark_path(dfs *d, uint64_t id, uint8_t mark)
{
    if (!d->run->reducer || !d->gives_back)
        return true;
    if (!gy_region_reserve(&d->on_path, id + 1))
        return full(d);
    ((uint8_t *)d->on_path.at)[id] = mark;
    return true;
}

// Was this state left already, so that by induction it leads to a fully expanded one, or is it one?
static bool leads_on_already(const dfs *d, uint64_t id)
{
    return !((const uint8_t *)d->on_path.at)[id] || gy_run_is_full(d->run, id);
}

static bool push_frame(dfs *d, uint64_t cost, uint64_t id)
{
    if (!gy_region_reserve(&d->frames, (d->depth + 1) * sizeof(frame)))
        return full(d);
    d->depth++;
    *top_frame(d) = (frame){.begin = d->top, .cost = (uint32_t)cost, .id = id};
    d->ordinal = 0;
    return true;
}

// The path to the state of the top frame, and one transition more if ordinal >= 0.
static void report(dfs *d, int64_t ordinal, gy_fault_kind kind)
{
    gy_route path = {0};
    for (uint64_t i = 0; i + 1 < d->depth; i++)
        gy_vec_push(&path, ((const frame *)d->frames.at)[i].ordinal);
    if (ordinal >= 0)
        gy_vec_push(&path, (uint32_t)ordinal);
    gy_run_report(d->run, &path, kind, false);
    gy_vec_free(&path);
}

static void handle_faults(dfs *d)
{
    for (size_t i = 0; i < d->run->faults.n; i++) {
        const gy_run_fault *fault = &d->run->faults.at[i];
        if (gy_run_fault_is_new(d->run, fault))
            report(d, fault->ordinal, fault->kind);
    }
    d->run->faults.n = 0;
}

static bool is_done(void *user, const gy_word *state, uint32_t words)
{
    dfs *d = user;
    uint64_t id = 0;
    return gy_numbered_find(d->run->store, state, words, &id) && leads_on_already(d, id);
}

// Does some kept successor lead on? One that is new will be left before this state is.
static bool leads_on(dfs *d, const gy_transition *all, uint32_t count, const uint8_t *keep)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t id = 0;
        if (!keep[i])
            continue;
        if (!gy_numbered_find(d->run->store, all[i].state, all[i].words, &id) ||
            (d->gives_back && leads_on_already(d, id)))
            return true;
    }
    return false;
}

// The moves to be taken, in run->moves. Returns how many of *count are kept.
static uint32_t choose(dfs *d, const gy_word *state, uint32_t words, const gy_transition **all,
                       uint32_t *count)
{
    gy_run *run = d->run;
    gy_moves *moves = &run->moves;
    *all = gy_moves_find(moves, run->worker, state, words, count);
    uint32_t kept = gy_reduce_choose(run->reducer, state, words, *all, *count, moves->keep.at);
    if (kept == *count || leads_on(d, *all, *count, moves->keep.at))
        return kept;
    bool fine = d->gives_back && gy_proviso_leads_on(run->reducer, run->worker, moves, state, words,
                                                     GY_PROVISO_LIMIT, is_done, d);
    *all = gy_moves_find(moves, run->worker, state, words, count); // those are gone
    if (fine)
        return gy_reduce_choose(run->reducer, state, words, *all, *count, moves->keep.at);
    memset(moves->keep.at, 1, *count);
    return *count;
}

static void expand_reduced(dfs *d, const gy_word *state, uint32_t words)
{
    gy_run *run = d->run;
    const gy_transition *all;
    uint32_t count, kept = choose(d, state, words, &all, &count);
    *(kept < count ? &run->result->expanded_reduced : &run->result->expanded_fully) += 1;
    if (d->gives_back && !gy_run_note_full(run, top_frame(d)->id, kept == count)) {
        full(d);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        d->ordinal = i;
        if (run->moves.keep.at[i] && visit(d, &all[i]))
            break;
    }
    d->ordinal = count;
}

static void expand(dfs *d, const gy_word *state, uint32_t words, uint64_t id, uint64_t cost,
                   uint64_t before)
{
    gy_run *run = d->run;
    if (!push_frame(d, cost, id) || !mark_path(d, id, 1))
        return;
    d->before = before;
    if (cost > run->result->depth)
        run->result->depth = cost;
    if (run->reducer)
        expand_reduced(d, state, words);
    else
        gy_successors(run->worker, state, words, visit, d);
    if (!run->stopped && d->ordinal == 0 && before == NEVER && gy_run_bad_end(run, state, words))
        report(d, -1, GY_FAULT_NONE);
    handle_faults(d);
}

// ---- the order ----------------------------------------------------------------------

static bool set_cost(dfs *d, uint64_t id, uint64_t cost)
{
    if (!gy_region_reserve(&d->costs, (id + 1) * sizeof(uint32_t)))
        return full(d);
    ((uint32_t *)d->costs.at)[id] = (uint32_t)cost;
    return true;
}

// Is the state that was just entered, or found again, to be expanded? *before as in dfs.
static bool to_be_expanded(dfs *d, gy_store_answer answer, uint64_t id, uint64_t cost,
                           uint64_t *before)
{
    *before = NEVER;
    if (!d->revisits)
        return answer == GY_STORE_NEW;
    if (answer == GY_STORE_NEW) {
        d->beyond += cost > d->limit;
    } else {
        uint32_t least = cost_of(d, id);
        if (cost >= least)
            return false;
        if (least <= d->limit)
            *before = least;
        else
            d->beyond -= cost <= d->limit;
    }
    return set_cost(d, id, cost) && cost <= d->limit;
}

// Takes the next successor of the top frame.
static void advance(dfs *d)
{
    gy_run *run = d->run;
    frame *f = top_frame(d);
    const uint32_t *at = (const uint32_t *)d->stack.at + f->begin + f->next;
    record r;
    uint64_t id = 0, cost, before;
    uint32_t words;
    memcpy(&r, at, sizeof r);
    f->next += RECORD_WORDS + r.words;
    f->ordinal = r.ordinal;
    cost = (uint64_t)f->cost + r.cost;
    gy_store_answer answer = gy_numbered_enter(run->store, at + RECORD_WORDS, r.words, &id);
    if (answer == GY_STORE_FULL) { // the step was not begun
        f->next -= RECORD_WORDS + r.words;
        gy_run_stop(run, GY_LIMIT_MEMORY);
        return;
    }
    if (!to_be_expanded(d, answer, id, cost, &before))
        return;
    if (d->gives_back) {
        const gy_word *state = gy_numbered_state(run->store, id, &words);
        expand(d, state, words, id, cost, before);
        return;
    }
    gy_vec_reserve(&d->state, (size_t)r.words + 1); // the stack moves when it grows
    if (r.words)
        memcpy(d->state.at, at + RECORD_WORDS, r.words * sizeof *at);
    expand(d, d->state.at, r.words, id, cost, before);
}

// Of run->full, for so many states; none without a reduction.
static size_t bytes_of_full(const gy_run *run, uint64_t states)
{
    size_t bytes = states / 8 + 1;
    return bytes < run->full.room ? bytes : run->full.room;
}

static void save(const void *engine, gy_writer *writer)
{
    const dfs *d = engine;
    gy_store_figures figures;
    gy_numbered_look(d->run->store, &figures);
    gy_write_u64(writer, d->run->result->expanded_reduced);
    gy_write_u64(writer, d->run->result->expanded_fully);
    gy_write_u64(writer, d->cut);
    gy_write_u64(writer, d->beyond);
    gy_write_u64(writer, d->faults_beyond);
    gy_write_u64(writer, d->depth);
    gy_write_u64(writer, d->top);
    gy_write_region(writer, &d->frames, d->depth * sizeof(frame));
    gy_write_region(writer, &d->stack, d->top * sizeof(uint32_t));
    gy_write_region(writer, &d->costs, d->revisits ? figures.states * sizeof(uint32_t) : 0);
    gy_write_region(writer, &d->run->full, bytes_of_full(d->run, figures.states));
}

// Do the successors of a frame end where the next one's begin, and does the search stand before
// one of them?
static bool is_sound(const dfs *d, const frame *f, uint64_t end)
{
    const uint32_t *stack = d->stack.at;
    uint64_t at = f->begin;
    bool next = at > end ? false : f->next == end - at;
    while (at < end) {
        record r;
        next |= at - f->begin == f->next;
        if (end - at < RECORD_WORDS)
            return false;
        memcpy(&r, stack + at, sizeof r);
        at += RECORD_WORDS + (uint64_t)r.words;
        if (at > end || !gy_is_state(d->run->worker, stack + at - r.words, r.words))
            return false;
    }
    return next && at == end;
}

static bool all_is_sound(const dfs *d)
{
    const frame *frames = d->frames.at;
    gy_store_figures figures;
    gy_numbered_look(d->run->store, &figures);
    if (d->depth > d->frames.room / sizeof(frame) || d->top > d->stack.room / sizeof(uint32_t) ||
        (d->revisits && figures.states > d->costs.room / sizeof(uint32_t)))
        return false;
    for (uint64_t i = 0; i < d->depth; i++) {
        uint64_t end = i + 1 < d->depth ? frames[i + 1].begin : d->top;
        if (end > d->top || !is_sound(d, &frames[i], end) ||
            (i && d->gives_back && frames[i].id >= figures.states))
            return false;
    }
    return true;
}

static bool load(void *engine, gy_reader *reader)
{
    dfs *d = engine;
    gy_store_figures figures;
    gy_numbered_look(d->run->store, &figures);
    d->run->result->expanded_reduced = gy_read_u64(reader);
    d->run->result->expanded_fully = gy_read_u64(reader);
    d->cut = gy_read_u64(reader) != 0;
    d->beyond = gy_read_u64(reader);
    d->faults_beyond = gy_read_u64(reader);
    d->depth = gy_read_u64(reader);
    d->top = gy_read_u64(reader);
    if (!gy_read_region(reader, &d->frames) || !gy_read_region(reader, &d->stack) ||
        !gy_read_region(reader, &d->costs) || !gy_read_region(reader, &d->run->full) ||
        !all_is_sound(d) || (figures.states && !mark_path(d, figures.states - 1, 0)))
        return false;
    for (uint64_t i = 1; i < d->depth; i++)
        if (!mark_path(d, ((const frame *)d->frames.at)[i].id, 1))
            return false;
    return true;
}

static void begin(dfs *d)
{
    if (!push_frame(d, 0, 0))
        return;
    d->before = NEVER;
    gy_initial(d->run->worker, visit, d);
    handle_faults(d);
}

static void search(dfs *d, bool resumable)
{
    gy_run *run = d->run;
    if (resumable && run->options->resume_file) {
        if (!gy_checkpoint_read(run, load, d))
            return;
    } else {
        begin(d);
    }
    while (d->depth && !gy_run_tick(run)) {
        const frame *f = top_frame(d);
        if (resumable && run->checkpoint_due)
            gy_checkpoint_write(run, save, d);
        gy_run_settle(run);
        if (f->begin + f->next < d->top) {
            advance(d);
        } else {
            if (d->depth > 1) // the first frame is no state: it holds the initial ones
                mark_path(d, f->id, 0);
            d->top = f->begin;
            d->depth--;
        }
        run->pending = d->depth;
    }
    if (resumable && gy_checkpoint_last_wanted(run))
        gy_checkpoint_write(run, save, d);
}

bool gy_dfs(gy_run *run, uint64_t limit, bool resumable)
{
    const gy_store_traits *traits = gy_numbered_traits(run->store);
    dfs d = {.run = run, .limit = limit < UINT32_MAX ? limit : 0};
    d.gives_back = traits->gives_back;
    d.revisits = d.limit && d.gives_back;
    gy_region_init(&d.frames, &run->budget);
    gy_region_init(&d.stack, &run->budget);
    gy_region_init(&d.costs, &run->budget);
    gy_region_init(&d.on_path, &run->budget);
    search(&d, resumable);
    run->left_out = d.beyond;
    gy_region_free(&d.frames);
    gy_region_free(&d.stack);
    gy_region_free(&d.costs);
    gy_region_free(&d.on_path);
    gy_vec_free(&d.state);
    return d.cut || d.beyond || d.faults_beyond;
}

void gy_search_dfs(gy_run *run)
{
    if (gy_dfs(run, run->options->depth_limit, true))
        gy_run_stop(run, GY_LIMIT_DEPTH);
}
