// Working out the runs of a state. See cartesian.h.
//
// Steps of different runs may clash only if both are the last of their runs. Then whatever is done
// from the state: of the processes that execute, one is the first to finish its run, all that was
// done before was independent of it, so the whole run could have been made first.
//
// Choices and waiting, which the paper does not have:
//   - A step reads all on which the choice between the edges of its point depends.
//   - A process with several transitions has a run for each. On the way a run ends where several
//   transitions
//     are possible.
//   - A process that has no transition at the state is touched by a step that may give it one: such
//   a
//     step is the last of its run.
//   - A rendezvous is a step of both processes. It is a run of its own, and then neither has a
//     longer one; a run ends where a rendezvous may come next.
//   - A run ends with a step that starts or ends a process, or goes wrong. In a state where
//   something goes
//     wrong, or where only a timeout is enabled, all runs are single steps.
//
// A run that loops and clashes with nothing is not gone on from: the runs of the others cover the
// rest. Once a step clashes with the one that closes the loop, it is a run like any other, that
// ends there. (In the paper it stays one that loops; that its theorem then holds is not shown.) A
// run is *complete* if it ends where its process waits (be it for its end, until all younger ones
// have ended) and neither the run nor that clashes with anything. There the search goes on only to
// keep deadlocks: it is enough to do so for all runs of one process, and the one for which that is
// cheapest is taken.
#include "reduce/cartesian.h"

#include "reduce/dependence.h"
#include "reduce/point.h"

#include "base/hash.h"
#include "exec/system.h"

#include <stdlib.h>

enum { LONGEST = 1024 }; // steps of a run: to end one earlier is always sound

typedef struct course {
    uint32_t pid;
    uint64_t owners; // the processes that execute
    GY_VEC(uint32_t) ordinals;
    GY_VEC(gy_word) words;   // the states after its steps, all but the last of equal length
    GY_VEC(uint64_t) hashes; // of these
    uint32_t state_words, end_words;
    bool has_end, grows, clashes, rests, loops;
    gy_footprint inner, last, waits; // `waits`: of the point where it rests
} course;

struct gy_cartesian {
    const gy_reduction *r;
    gy_process_classes *classes;
    gy_arena *arena;
    gy_moves moves;
    uint8_t *written;
    GY_VEC(course) runs; // those beyond `count` are kept for their memory
    uint32_t count;
    GY_VEC(gy_footprint) waiting; // of processes without a transition, `waiters` of them
    uint32_t waiters;
    gy_footprint step;
    GY_VEC(gy_cartesian_run) given;
    gy_cartesian_visit *visit;
    void *user;
};

bool gy_cartesian_can(const gy_system *system, const char **why)
{
    *why = !system->model                 ? "the model is a shared object"
           : system->model->uses_priority ? "the model uses priorities"
           : gy_looks_far(system->model)  ? "the model uses enabled(), pc_value() or _last"
                                          : NULL;
    return !*why;
}

gy_cartesian *gy_cartesian_new(const gy_reduction *reduction)
{
    gy_cartesian *c = gy_alloc_zero(sizeof *c);
    c->r = reduction;
    c->classes = gy_process_classes_new(reduction);
    c->arena = gy_arena_new();
    c->written = GY_NEW_ARRAY(c->arena, uint8_t, reduction->model->var_count + 1);
    c->step = gy_footprint_new(reduction, c->arena);
    return c;
}

void gy_cartesian_free(gy_cartesian *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->runs.n; i++) {
        gy_vec_free(&c->runs.at[i].ordinals);
        gy_vec_free(&c->runs.at[i].words);
        gy_vec_free(&c->runs.at[i].hashes);
    }
    gy_vec_free(&c->runs);
    gy_vec_free(&c->waiting);
    gy_vec_free(&c->given);
    gy_moves_free(&c->moves);
    gy_process_classes_free(c->classes);
    gy_arena_free(c->arena);
    free(c);
}

static void clear(const gy_cartesian *c, gy_footprint footprint)
{
    memset(footprint.reads, 0, 3 * (size_t)c->r->words * sizeof *footprint.reads);
}

static gy_point point_of(const gy_cartesian *c, const gy_process_class *class, const gy_word *state,
                         uint32_t pid)
{
    return (gy_point){c->r, class, state, pid, c->written};
}

// ---- steps --------------------------------------------------------------------------

static bool is_single(uint64_t movers)
{
    return !(movers & (movers - 1));
}

static bool needs_timeout(const gy_cartesian *c, const gy_transition *transition)
{
    for (uint32_t i = 0; i < transition->step_count; i++)
        if (c->r->model->edges[transition->steps[i].edge].needs_timeout)
            return true;
    return false;
}

// What a transition touches, into c->step.
static void find_footprint(gy_cartesian *c, const gy_process_class *class, const gy_word *state,
                           const gy_transition *transition)
{
    const gy_step *step = &transition->steps[0];
    gy_point point = point_of(c, class, state, (uint32_t)step->pid);
    clear(c, c->step);
    gy_point_take(&point, step->edge, c->step);
    if (step->partner >= 0) {
        point.pid = (uint32_t)step->partner;
        gy_point_take(&point, step->partner_edge, c->step);
    }
}

static course *new_run(gy_cartesian *c)
{
    if (c->count == c->runs.n) {
        course fresh = {.inner = gy_footprint_new(c->r, c->arena),
                        .last = gy_footprint_new(c->r, c->arena),
                        .waits = gy_footprint_new(c->r, c->arena)};
        gy_vec_push(&c->runs, fresh);
    }
    course *new = &c->runs.at[c->count++];
    new->ordinals.n = new->words.n = new->hashes.n = 0;
    new->has_end = new->grows = new->clashes = new->rests = new->loops = false;
    clear(c, new->inner);
    clear(c, new->last);
    clear(c, new->waits);
    return new;
}

// Has the run been in the state that it ended with before? `from` is where it began.
static bool closes_loop(const course *run, const gy_word *from)
{
    size_t size = run->state_words * sizeof *from;
    uint32_t n = (uint32_t)run->hashes.n;
    const gy_word *end = run->words.at + (size_t)(n - 1) * run->state_words;
    if (memcmp(end, from, size) == 0)
        return true;
    for (uint32_t i = 0; i + 1 < n; i++)
        if (run->hashes.at[i] == run->hashes.at[n - 1] &&
            memcmp(end, run->words.at + (size_t)i * run->state_words, size) == 0)
            return true;
    return false;
}

// Appends a transition, and what it touches. It may grow further if nothing special happens.
static void append(gy_cartesian *c, course *run, const gy_transition *transition, uint32_t ordinal)
{
    gy_footprint_add(c->r, run->inner, run->last);
    clear(c, run->last);
    gy_footprint_add(c->r, run->last, c->step);
    gy_vec_push(&run->ordinals, ordinal);
    run->has_end = transition->state != NULL;
    run->end_words = transition->words;
    if (run->has_end) {
        gy_vec_reserve(&run->words, run->words.n + transition->words + 1);
        memcpy(run->words.at + run->words.n, transition->state,
               transition->words * sizeof *transition->state);
        run->words.n += transition->words;
        uint64_t hash = gy_hash_state(transition->state, transition->words);
        gy_vec_push(&run->hashes, hash);
    }
    if (c->visit)
        c->visit(c->user, (uint32_t)(run - c->runs.at), (uint32_t)run->ordinals.n - 1, transition);
}

static const gy_word *end_of(const course *run)
{
    return run->words.at + run->words.n - run->end_words;
}

// ---- clashes ------------------------------------------------------------------------

static bool clash(const gy_cartesian *c, gy_footprint a, gy_footprint b)
{
    return gy_footprint_conflict(c->r, a, b);
}

static bool clashes_with_waiting(const gy_cartesian *c, gy_footprint footprint)
{
    for (uint32_t i = 0; i < c->waiters; i++)
        if (clash(c, footprint, c->waiting.at[i]))
            return true;
    return false;
}

static void freeze(course *run)
{
    run->clashes = true;
    run->grows = false;
}

static void freeze_first_steps(gy_cartesian *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        course *a = &c->runs.at[i];
        if (clashes_with_waiting(c, a->last))
            freeze(a);
        for (uint32_t j = 0; j < i; j++) {
            course *b = &c->runs.at[j];
            if ((a->owners & b->owners) ? !is_single(a->owners | b->owners)
                                        : clash(c, a->last, b->last)) {
                freeze(a);
                freeze(b);
            }
        }
    }
}

// The process waits: does that, or its end, touch anything?
static void rest(gy_cartesian *c, course *run)
{
    run->grows = false;
    run->rests = !clashes_with_waiting(c, run->waits);
    for (uint32_t j = 0; j < c->count; j++) {
        course *other = &c->runs.at[j];
        if (other->owners & run->owners)
            continue;
        if (clash(c, run->waits, other->inner) || clash(c, run->waits, other->last))
            run->rests = false;
        if (clash(c, run->waits, other->waits))
            run->rests = other->rests = false;
    }
}

// ---- growing ------------------------------------------------------------------------

// May c->step become the next step of the run? If so, those that it clashes with end here.
static bool fits(gy_cartesian *c, course *run)
{
    bool clashing = clashes_with_waiting(c, c->step);
    for (uint32_t j = 0; j < c->count; j++) {
        const course *other = &c->runs.at[j];
        if (!(other->owners & run->owners) && clash(c, c->step, other->inner))
            return false;
    }
    for (uint32_t j = 0; j < c->count; j++) {
        course *other = &c->runs.at[j];
        if (other->owners & run->owners)
            continue;
        if (clash(c, c->step, other->last)) {
            freeze(other);
            other->loops = false; // it was once round, and ends there
            clashing = true;
        }
        if (clash(c, c->step, other->waits))
            other->rests = false;
    }
    if (clashing)
        freeze(run);
    return true;
}

// The only transition of the run's process, or NULL; *count says how many there are.
static const gy_transition *only_move(const gy_transition *all, uint32_t total, uint32_t pid,
                                      uint32_t *count)
{
    const gy_transition *found = NULL;
    *count = 0;
    for (uint32_t i = 0; i < total; i++)
        if (all[i].step_count && (uint32_t)all[i].steps[0].pid == pid) {
            found = &all[i];
            ++*count;
        }
    return *count == 1 ? found : NULL;
}

static void grow(gy_cartesian *c, course *run, gy_worker *worker, const gy_word *from)
{
    uint32_t total, count;
    const gy_word *state = end_of(run);
    const gy_process_class *class = gy_process_class_of(c->classes, state, run->end_words);
    gy_point point = point_of(c, class, state, run->pid);
    run->grows = false;
    if (gy_point_may_meet(&point) || run->ordinals.n >= LONGEST)
        return;
    const gy_transition *all = gy_moves_find(&c->moves, worker, state, run->end_words, &total);
    const gy_transition *move = only_move(all, total, run->pid, &count);
    if (count == 0) {
        gy_point_wait(&point, run->waits);
        rest(c, run);
        return;
    }
    if (!move || !is_single(gy_dependence_movers(move)) || needs_timeout(c, move))
        return;
    find_footprint(c, class, state, move);
    run->grows = true;
    if (!fits(c, run)) {
        run->grows = false;
        return;
    }
    append(c, run, move, (uint32_t)(move - all));
    if (move->fault || !move->state || move->state[0] != from[0])
        run->grows = false;
    else if (run->grows && closes_loop(run, from)) {
        run->loops = true;
        run->grows = false;
    }
}

// ---- the first steps ----------------------------------------------------------------

// Is every step to be a run of its own?
static bool is_plain(const gy_cartesian *c, const gy_process_class *class, const gy_transition *all,
                     uint32_t count)
{
    for (uint32_t i = 0; class && i < count; i++) {
        if (all[i].fault || !all[i].state || !all[i].step_count)
            return true;
        if (needs_timeout(c, &all[i]))
            return true;
    }
    return !class;
}

static void begin_run(gy_cartesian *c, const gy_process_class *class, const gy_word *state,
                      const gy_transition *move, uint32_t ordinal, bool plain)
{
    course *new = new_run(c);
    new->owners = gy_dependence_movers(move);
    new->pid = move->step_count ? (uint32_t)move->steps[0].pid : 0;
    new->state_words = move->words;
    clear(c, c->step);
    if (!plain)
        find_footprint(c, class, state, move);
    append(c, new, move, ordinal);
    if (plain)
        return;
    gy_point point = point_of(c, class, state, new->pid);
    new->grows = is_single(new->owners) && move->state[0] == state[0] && !gy_point_may_meet(&point);
}

static void find_short_loops(gy_cartesian *c, const gy_word *state)
{
    for (uint32_t i = 0; i < c->count; i++) {
        course *first = &c->runs.at[i];
        first->loops = first->grows && closes_loop(first, state);
        first->grows = first->grows && !first->loops;
    }
}

static void find_waiting(gy_cartesian *c, const gy_process_class *class, const gy_word *state)
{
    uint64_t moving = 0;
    c->waiters = 0;
    for (uint32_t i = 0; i < c->count; i++)
        moving |= c->runs.at[i].owners;
    for (uint32_t pid = 0; pid < class->count; pid++) {
        if (moving >> pid & 1)
            continue;
        if (c->waiters == c->waiting.n) {
            gy_footprint fresh = gy_footprint_new(c->r, c->arena);
            gy_vec_push(&c->waiting, fresh);
        }
        gy_footprint waits = c->waiting.at[c->waiters++];
        gy_point point = point_of(c, class, state, pid);
        clear(c, waits);
        gy_point_wait(&point, waits);
    }
}

// ---- where to go on -----------------------------------------------------------------

static bool is_complete(const course *run)
{
    return run->rests && !run->clashes;
}

// The process with the fewest complete runs.
static uint32_t cheapest(const gy_cartesian *c)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t pid = c->runs.at[i].pid, complete = 0;
        for (uint32_t j = 0; j < c->count; j++)
            complete += c->runs.at[j].pid == pid && is_complete(&c->runs.at[j]);
        if (complete < least) {
            least = complete;
            best = pid;
        }
    }
    return best;
}

static void give(gy_cartesian *c)
{
    uint32_t chosen = cheapest(c);
    c->given.n = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const course *run = &c->runs.at[i];
        bool goes_on = run->has_end && !run->loops && (!is_complete(run) || run->pid == chosen);
        gy_cartesian_run given = {.ordinals = run->ordinals.at,
                                  .length = (uint32_t)run->ordinals.n,
                                  .end = goes_on ? end_of(run) : NULL,
                                  .words = run->end_words};
        gy_vec_push(&c->given, given);
    }
}

const gy_cartesian_run *gy_cartesian_runs(gy_cartesian *c, gy_worker *worker, const gy_word *state,
                                          uint32_t words, gy_cartesian_visit *visit, void *user,
                                          uint32_t *count)
{
    uint32_t total;
    const gy_transition *all = gy_moves_find(&c->moves, worker, state, words, &total);
    const gy_process_class *class =
        total && words ? gy_process_class_of(c->classes, state, words) : NULL;
    bool plain = is_plain(c, class, all, total), growing = !plain;
    c->visit = visit;
    c->user = user;
    c->count = c->waiters = 0;
    for (uint32_t i = 0; i < total; i++)
        begin_run(c, class, state, &all[i], i, plain);
    if (!plain) {
        find_waiting(c, class, state);
        freeze_first_steps(c);
        find_short_loops(c, state);
    }
    while (growing) {
        growing = false;
        for (uint32_t i = c->count; i-- > 0;) // the last transitions are those of the first process
            if (c->runs.at[i].grows) {
                grow(c, &c->runs.at[i], worker, state);
                growing = true;
            }
    }
    give(c);
    *count = c->count;
    return c->given.at;
}
