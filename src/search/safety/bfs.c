// Breadth-first search: the default. The first error found is a shortest one.
//
// "Shortest" counts executed statements, as a person and Spin's trails do, although a
// transition may execute several (an atomic sequence, a rendezvous). So the search goes by cost:
// a level is all states whose cheapest path has the same cost. A transition of cost 1 leads to
// the next level at once. A dearer one waits in a bucket, its target not yet entered in the
// store, until its cost is due: Dial's algorithm with states entered when they are reached for
// good. Models without atomic and rendezvous never touch the buckets.
//
// Ids are therefore ordered by level, and ids are handed out in the order in which states are
// to be expanded: if the store gives states back, the queue is a range of numbers. If it does
// not, `now` and `later` hold the states of this and the next level, in the order of their ids.
//
// Arrivals go through a small batch, so that the store can fetch what it needs for one while
// the next ones are generated.
//
// With max_errors == 1, an error met on the way is only a candidate until no shorter one is
// possible: the rest of its level may hold an invalid end state, one statement shorter.
#include "search/run.h"

#include "search/checkpoint.h"
#include "search/liveness/buckets.h"
#include "search/safety/origins.h"
#include "search/safety/suspects.h"

#include <stddef.h>
#include <stdlib.h>

enum { BATCH = 32 };

typedef struct arrival {
    uint64_t parent;
    uint32_t ordinal, words;
    size_t at; // of the state in batch_words
} arrival;

typedef struct candidate {
    bool exists;
    gy_fault_kind kind;
    uint64_t parent, cost;
    uint32_t ordinal;
} candidate;

typedef struct bfs {
    gy_run *run;
    bool exact, gives_back; // of the store
    gy_origins origins;
    uint64_t next, level_end; // ids of this level that are still to be expanded
    uint64_t cost;            // of this level
    gy_queue now, later;
    gy_buckets due;
    arrival batch[BATCH];
    uint32_t batched;
    GY_VEC(gy_word) batch_words;
    candidate best;
    bool cut; // a state beyond the depth limit was left out
    gy_suspects suspects;
    // while a state is expanded
    uint64_t parent;
    uint32_t ordinal;
} bfs;

static uint64_t stored(const bfs *b)
{
    return b->origins.n;
}

// ---- arrivals -----------------------------------------------------------------------

// A state is new.
static bool keep(bfs *b, const arrival *a, const gy_word *state)
{
    if (!gy_origins_add(&b->origins, a->parent, a->ordinal))
        return false;
    if (b->gives_back)
        return true;
    uint32_t *record = gy_queue_push(&b->later, a->words);
    if (record && a->words)
        memcpy(record, state, a->words * sizeof *state);
    return record != NULL;
}

static bool flush(bfs *b)
{
    gy_numbered_entry entries[BATCH];
    for (uint32_t i = 0; i < b->batched; i++)
        entries[i] = (gy_numbered_entry){b->batch_words.at + b->batch[i].at, b->batch[i].words,
                                         GY_ORIGINS_START};
    uint32_t entered = gy_numbered_enter_all(b->run->store, entries, b->batched);
    bool fine = entered == b->batched;
    for (uint32_t i = 0; i < entered && fine; i++)
        if (entries[i].id == stored(b)) // ids are handed out in this order
            fine = keep(b, &b->batch[i], entries[i].state);
    b->batched = 0;
    b->batch_words.n = 0;
    if (!fine)
        gy_run_stop(b->run, GY_LIMIT_MEMORY);
    return fine;
}

static bool arrive(bfs *b, const gy_word *state, uint32_t words, uint64_t parent, uint32_t ordinal)
{
    b->batch[b->batched++] = (arrival){parent, ordinal, words, b->batch_words.n};
    gy_vec_reserve(&b->batch_words, b->batch_words.n + words + 1);
    if (words)
        memcpy(b->batch_words.at + b->batch_words.n, state, words * sizeof *state);
    b->batch_words.n += words;
    return b->batched < BATCH || flush(b);
}

// ---- transitions that cost more than one statement ----------------------------------

typedef struct waiting { // a record of a bucket; the state follows
    uint32_t parent[2];
    uint32_t words, ordinal;
} waiting;

enum { WAITING_WORDS = sizeof(waiting) / sizeof(uint32_t) };

static bool wait(bfs *b, const gy_word *state, uint32_t words, uint64_t cost)
{
    if (gy_numbered_find(b->run->store, state, words, NULL))
        return true;
    waiting w = {.words = words, .ordinal = b->ordinal};
    memcpy(w.parent, &b->parent, sizeof w.parent);
    uint32_t *record = gy_queue_push(gy_buckets_at(&b->due, cost), WAITING_WORDS + words);
    if (!record) {
        gy_run_stop(b->run, GY_LIMIT_MEMORY);
        return false;
    }
    memcpy(record, &w, sizeof w);
    if (words)
        memcpy(record + WAITING_WORDS, state, words * sizeof *state);
    return true;
}

// Everything that has waited for the cost of this level arrives.
static bool arrive_waiting(bfs *b)
{
    if (gy_buckets_least(&b->due) != b->cost)
        return true;
    gy_queue *queue = gy_buckets_at(&b->due, b->cost);
    while (queue->n) {
        uint32_t length;
        const uint32_t *record = gy_queue_front(queue, &length);
        waiting w;
        uint64_t parent;
        memcpy(&w, record, sizeof w);
        memcpy(&parent, w.parent, sizeof parent);
        if (!arrive(b, record + WAITING_WORDS, w.words, parent, w.ordinal))
            return false;
        gy_queue_drop(queue);
    }
    gy_buckets_drop_least(&b->due);
    return flush(b);
}

// ---- expanding ----------------------------------------------------------------------

static bool take(bfs *b, const gy_transition *transition, uint64_t cost)
{
    gy_run *run = b->run;
    run->result->transitions++;
    if (cost <= 1 || b->parent == GY_ORIGINS_START)
        return arrive(b, transition->state, transition->words, b->parent, b->ordinal);
    return wait(b, transition->state, transition->words, b->cost + cost);
}

// A transition that goes beyond the depth limit: does it matter?
static bool look_beyond(bfs *b, const gy_transition *transition)
{
    gy_run *run = b->run;
    if (!flush(b))
        return false;
    if (gy_numbered_find(run->store, transition->state, transition->words, NULL))
        run->result->transitions++;
    else
        b->cut = true;
    return true;
}

static int visit(void *user, const gy_transition *transition)
{
    bfs *b = user;
    gy_run *run = b->run;
    uint64_t cost = gy_run_note(run, transition), limit = run->options->depth_limit;
    bool beyond = limit && b->parent != GY_ORIGINS_START && b->cost + cost > limit;
    if (transition->fault && beyond)
        b->cut = true;
    else if (transition->fault)
        gy_run_note_fault(run, transition->fault, b->ordinal, cost);
    if (transition->state && !(beyond ? look_beyond(b, transition) : take(b, transition, cost)))
        return 1;
    b->ordinal++;
    return 0;
}

static int visit_any(void *user, const gy_transition *transition)
{
    (void)user;
    (void)transition;
    return 1;
}

// ---- errors -------------------------------------------------------------------------

static void report(bfs *b, uint64_t id, int64_t ordinal, gy_fault_kind kind, bool shortest)
{
    bool proved = shortest && b->exact && !b->run->reducer;
    gy_origins_report(&b->origins, b->run, id, ordinal, kind, proved);
}

static void report_best(bfs *b)
{
    if (b->best.exists)
        report(b, b->best.parent, b->best.ordinal, b->best.kind, !b->run->stopped);
    b->best.exists = false;
}

static void handle_faults(bfs *b)
{
    for (size_t i = 0; i < b->run->faults.n; i++) {
        const gy_run_fault *fault = &b->run->faults.at[i];
        bool is_new = gy_run_fault_is_new(b->run, fault);
        uint64_t cost = b->cost + fault->cost;
        if (b->run->options->max_errors != 1) {
            if (is_new)
                report(b, b->parent, fault->ordinal, fault->kind, fault->cost <= 1);
        } else if (!b->best.exists || cost < b->best.cost) {
            b->best = (candidate){.exists = true,
                                  .kind = fault->kind,
                                  .parent = b->parent,
                                  .ordinal = fault->ordinal,
                                  .cost = cost};
        }
    }
    b->run->faults.n = 0;
}

// Does some kept successor lie in a later level? All states of this level and of those before it
// are in the store, with ids below level_end, so this does not depend on the order in which the
// states of a level are expanded.
static bool leads_on(bfs *b, const gy_transition *all, uint32_t count, const uint8_t *keep)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t id = 0;
        if (!keep[i])
            continue;
        if (!gy_numbered_find(b->run->store, all[i].state, all[i].words, &id) ||
            (b->gives_back && id >= b->level_end))
            return true;
    }
    return false;
}

static void take_those(bfs *b, const gy_transition *all, uint32_t count, uint8_t kept)
{
    const uint8_t *keep = b->run->moves.keep.at;
    for (uint32_t i = 0; i < count; i++) {
        b->ordinal = i;
        if (keep[i] == kept && visit(b, &all[i]))
            break;
    }
    b->ordinal = count;
}

static void expand_reduced(bfs *b, const gy_word *state, uint32_t words)
{
    gy_run *run = b->run;
    uint32_t count;
    const gy_transition *all = gy_moves_find(&run->moves, run->worker, state, words, &count);
    uint8_t *keep = run->moves.keep.at;
    uint32_t kept = gy_reduce_choose(run->reducer, state, words, all, count, keep);
    if (kept < count && !leads_on(b, all, count, keep)) {
        if (b->gives_back) {
            gy_vec_push(&b->suspects.list, b->parent);
        } else {
            memset(keep, 1, count);
            kept = count;
        }
    }
    *(kept < count ? &run->result->expanded_reduced : &run->result->expanded_fully) += 1;
    if (b->gives_back && !gy_run_note_full(run, b->parent, kept == count))
        gy_run_stop(run, GY_LIMIT_MEMORY);
    take_those(b, all, count, 1);
}

// The level is over: suspects that lead nowhere are expanded fully after all.
static void expand_suspects(bfs *b)
{
    gy_run *run = b->run;
    if (!b->suspects.list.n || run->stopped || !flush(b))
        return;
    if (run->reducer) // else the search goes on, without, from where one with a reduction was
        gy_suspects_judge(&b->suspects, b->level_end);
    for (size_t i = 0; i < b->suspects.list.n && !gy_run_tick(run); i++) {
        uint32_t words, count;
        b->parent = b->suspects.list.at[i];
        const gy_word *state = gy_numbered_state(run->store, b->parent, &words);
        const gy_transition *all = gy_moves_find(&run->moves, run->worker, state, words, &count);
        memset(run->moves.keep.at, 0, count);
        if (run->reducer)
            gy_reduce_choose(run->reducer, state, words, all, count, run->moves.keep.at);
        take_those(b, all, count, 0);
        handle_faults(b);
        gy_run_note_full(run, b->parent, true);
        run->result->expanded_reduced -= run->reducer != NULL;
        run->result->expanded_fully++;
    }
    b->suspects.list.n = 0;
    flush(b);
}

static void expand(bfs *b, const gy_word *state, uint32_t words)
{
    gy_run *run = b->run;
    if (b->best.exists && b->best.cost <= b->cost + 1) {
        // Nothing but an invalid end state would be shorter.
        if (!gy_successors(run->worker, state, words, visit_any, b) &&
            gy_run_bad_end(run, state, words)) {
            b->best.exists = false;
            report(b, b->next, -1, GY_FAULT_NONE, true);
        }
        return;
    }
    b->parent = b->next;
    b->ordinal = 0;
    if (run->reducer)
        expand_reduced(b, state, words);
    else
        gy_successors(run->worker, state, words, visit, b);
    if (!run->stopped && b->ordinal == 0 && gy_run_bad_end(run, state, words)) {
        b->best.exists = false;
        report(b, b->next, -1, GY_FAULT_NONE, true);
    }
    handle_faults(b);
}

// ---- levels -------------------------------------------------------------------------

static void save(const void *engine, gy_writer *writer)
{
    const bfs *b = engine;
    gy_origins_save(&b->origins, writer);
    gy_write_u64(writer, b->next);
    gy_write_u64(writer, b->level_end);
    gy_write_u64(writer, b->cost);
    gy_write_u64(writer, b->cut);
    gy_write(writer, &b->best, sizeof b->best);
    gy_queue_save(&b->now, writer);
    gy_queue_save(&b->later, writer);
    gy_buckets_save(&b->due, writer);
    gy_suspects_save(&b->suspects, b->next, writer);
}

static bool is_known(const bfs *b, uint64_t parent)
{
    return parent == GY_ORIGINS_START || parent < stored(b);
}

typedef struct check {
    const bfs *b;
    bool fine;
} check;

static void check_waiting(void *user, uint32_t *record, uint32_t length)
{
    check *c = user;
    waiting w;
    uint64_t parent;
    if (!c->fine || length < WAITING_WORDS) {
        c->fine = false;
        return;
    }
    memcpy(&w, record, sizeof w);
    memcpy(&parent, w.parent, sizeof parent);
    c->fine = w.words == length - WAITING_WORDS && is_known(c->b, parent);
}

// Does what was read fit together, and point at nothing that is not there?
static bool is_sound(bfs *b)
{
    gy_store_figures figures;
    gy_numbered_look(b->run->store, &figures);
    check c = {b,
               stored(b) == figures.states && b->next <= b->level_end && b->level_end <= stored(b)};
    if (!b->gives_back) // the states of this level and of the next wait in queues
        c.fine &= b->now.n == b->level_end - b->next && b->later.n == stored(b) - b->level_end;
    for (size_t i = 0; i < b->due.by_cost.n; i++) {
        c.fine &= b->due.by_cost.at[i].cost > b->cost;
        gy_queue_each(&b->due.by_cost.at[i].queue, check_waiting, &c);
    }
    for (size_t i = 0; i < b->suspects.list.n; i++)
        c.fine &= b->suspects.list.at[i] < stored(b);
    return c.fine && (!b->best.exists ||
                      (is_known(b, b->best.parent) && (unsigned)b->best.kind < GY_FAULT_COUNT));
}

static bool load(void *engine, gy_reader *reader)
{
    bfs *b = engine;
    bool fine = gy_origins_load(&b->origins, reader);
    b->next = gy_read_u64(reader);
    b->level_end = gy_read_u64(reader);
    b->cost = gy_read_u64(reader);
    b->cut = gy_read_u64(reader) != 0;
    unsigned char best[sizeof b->best];
    gy_read(reader, best, sizeof best);
    if (!fine || best[offsetof(candidate, exists)] > 1)
        return false;
    memcpy(&b->best, best, sizeof best);
    return gy_queue_load(&b->now, reader) && gy_queue_load(&b->later, reader) &&
           gy_buckets_load(&b->due, reader) && gy_suspects_load(&b->suspects, reader) &&
           is_sound(b);
}

static void begin(bfs *b)
{
    b->parent = GY_ORIGINS_START;
    b->ordinal = 0;
    gy_initial(b->run->worker, visit, b);
    flush(b);
    handle_faults(b);
}

// Moves on to the next level that may have states. False: there is none.
static bool next_level(bfs *b)
{
    uint64_t due = gy_buckets_least(&b->due);
    gy_queue empty = b->now;
    if (stored(b) > b->level_end && due > b->cost + 1)
        due = b->cost + 1;
    if (due == UINT64_MAX)
        return false;
    b->cost = due;
    if (!arrive_waiting(b))
        return false;
    b->now = b->later;
    b->later = empty;
    b->level_end = stored(b);
    if (b->next < b->level_end && b->cost > b->run->result->depth)
        b->run->result->depth = b->cost;
    return true;
}

static void expand_level(bfs *b)
{
    gy_run *run = b->run;
    while (b->next < b->level_end && !gy_run_tick(run)) {
        uint32_t words;
        if (run->checkpoint_due && flush(b))
            gy_checkpoint_write(run, save, b);
        if (run->settle_due && flush(b))
            gy_run_settle(run);
        const gy_word *state = b->gives_back ? gy_numbered_state(run->store, b->next, &words)
                                             : gy_queue_front(&b->now, &words);
        expand(b, state, words);
        if (!b->gives_back)
            gy_queue_drop(&b->now);
        b->next++;
        run->pending = stored(b) - b->next;
    }
    if (!run->stopped)
        flush(b);
    expand_suspects(b);
}

static void search(bfs *b)
{
    gy_run *run = b->run;
    if (run->options->resume_file) {
        if (!gy_checkpoint_read(run, load, b))
            return;
    } else {
        begin(b);
        b->now = b->later;
        gy_queue_init(&b->later, &run->budget);
        b->level_end = stored(b);
    }
    do {
        if (b->best.exists && b->best.cost <= b->cost)
            break;
        expand_level(b);
    } while (!run->stopped && next_level(b) && !run->stopped);
    if (gy_checkpoint_last_wanted(run) && flush(b))
        gy_checkpoint_write(run, save, b);
    report_best(b);
    if (b->cut)
        gy_run_stop(run, GY_LIMIT_DEPTH);
}

void gy_search_bfs(gy_run *run)
{
    const gy_store_traits *traits = gy_numbered_traits(run->store);
    bfs *b = gy_alloc_zero(sizeof *b);
    b->run = run;
    b->exact = traits->exact;
    b->gives_back = traits->gives_back;
    gy_origins_init(&b->origins, &run->budget);
    gy_queue_init(&b->now, &run->budget);
    gy_queue_init(&b->later, &run->budget);
    gy_buckets_init(&b->due, &run->budget);
    gy_suspects_init(&b->suspects, run);
    search(b);
    gy_origins_free(&b->origins);
    gy_queue_free(&b->now);
    gy_queue_free(&b->later);
    gy_buckets_free(&b->due);
    gy_suspects_free(&b->suspects);
    gy_vec_free(&b->batch_words);
    free(b);
}
