// The exploration: level by level, the steps of many states at a time, as a search for safety does.
// Beside each state in the store is its number, given by whoever comes first.
#include "search/liveness/shared_parts.h"

#include "base/clock.h"

#include <stdlib.h>

enum { PIECE = 64, FEW = 1000, PARENTS = 64, ARRIVALS = 64, NUMBERS = 64, MOST_ATOMS = 16 };
enum { MOST_ROWS = 1 << 20, MORE_REDUCED = 20000 };

// ---- the observer that sees nothing ---------------------------------------------------

static const gy_observer_move *go_along(void *self, gy_worker *worker, const gy_word *state,
                                        uint32_t words, uint32_t at, uint32_t *count)
{
    static const gy_observer_move stay = {.edge = -1};
    (void)self;
    (void)worker;
    (void)state;
    (void)words;
    (void)at;
    *count = 1;
    return &stay;
}

const char *gy_shared_cant(const gy_observer *observer)
{
    return !observer->letter_moves || !observer->letter || observer->watched_count > MOST_ATOMS
               ? "its automaton is large, or looks at more than values"
           : observer->strong || observer->changes || observer->passed || !observer->stutters ||
                   !observer->bounded
               ? "its automaton looks at more than values"
               : NULL;
}

// ---- numbers and rows -----------------------------------------------------------------

static void fail(gy_shared *s, const char *why)
{
    if (!s->why)
        s->why = why;
}

static void pay(gy_shared *s, gy_shared_part *part)
{
    uint64_t bytes = part->words.room * sizeof *part->words.at +
                     part->fresh.room * sizeof *part->fresh.at +
                     part->rows.room * sizeof *part->rows.at;
    if (bytes <= part->paid)
        return;
    if (gy_budget_take(&s->run.budget, bytes - part->paid))
        part->paid = bytes;
    else
        gy_space_out_of_memory(s->space);
}

// The number of a state, which is a new one if nobody has met it.
static uint32_t number_of(gy_shared *s, gy_space_view *view, gy_ref ref)
{
    gy_shared_part *part = &s->parts[view->member];
    uint64_t note = gy_store_note(view->store, ref);
    if (note)
        return (uint32_t)note - 1;
    if (part->next == part->end) {
        part->next = atomic_fetch_add_explicit(&s->count, NUMBERS, memory_order_relaxed);
        part->end = part->next + NUMBERS;
        if (part->end > UINT32_MAX - (uint32_t)NUMBERS * GY_MOST_PLACES)
            gy_space_out_of_memory(s->space);
    }
    if (!gy_store_swap_note(view->store, ref, &note, part->next + (uint64_t)1))
        return (uint32_t)note - 1;
    gy_vec_push(&part->fresh, ref);
    gy_space_count_states(view, 1);
    return part->next++;
}

static uint32_t row_at(gy_shared_rows *rows, gy_map *map, uint32_t width, const uint16_t *row)
{
    uint64_t hash = gy_hash_bytes(row, width * sizeof *row, 0);
    for (gy_map_probe p = gy_map_first(map, hash); p.found; gy_map_next(map, &p))
        if (memcmp(rows->at + (size_t)p.number * width, row, width * sizeof *row) == 0)
            return p.number;
    uint32_t number = (uint32_t)(rows->n / width);
    gy_vec_reserve(rows, rows->n + width);
    memcpy(rows->at + rows->n, row, width * sizeof *row);
    rows->n += width;
    gy_map_add(map, hash, number);
    return number;
}

// What all formulas see in a state.
static uint32_t row_of(gy_shared *s, gy_space_view *view, const uint32_t *state, uint32_t words)
{
    gy_shared_part *part = &s->parts[view->member];
    gy_worker *worker = gy_product_system_of(view->worker);
    uint32_t width = s->observer_count;
    uint16_t *row = part->row;
    for (uint32_t i = 0; i < width; i++) {
        const gy_observer *observer = s->observers[i];
        uint64_t letter = 0;
        if (!observer->letter(observer->self, worker, state, words, &letter)) {
            atomic_store_explicit(&s->unknown, true, memory_order_relaxed);
            gy_space_end(s->space);
        }
        row[i] = (uint16_t)letter;
    }
    if (part->rows.n &&
        memcmp(part->rows.at + (size_t)part->last_row * width, row, width * sizeof *row) == 0)
        return part->last_row;
    part->last_row = row_at(&part->rows, &part->row_map, width, row);
    if (part->last_row > MOST_ROWS)
        gy_space_out_of_memory(s->space);
    return part->last_row;
}

// ---- expanding ------------------------------------------------------------------------

// States whose steps are under way.
typedef struct batch {
    gy_shared *shared;
    gy_space_view *view;
    gy_store_parent parents[PARENTS];
    uint32_t states[PARENTS], rows[PARENTS];
    uint32_t count;
    const gy_transition *steps;
} batch;

static void begin_record(batch *a, uint32_t state, uint32_t row, uint32_t count)
{
    gy_shared_part *part = &a->shared->parts[a->view->member];
    gy_vec_reserve(&part->words, part->words.n + GY_RECORD_HEAD + count);
    uint32_t *record = part->words.at + part->words.n;
    record[GY_RECORD_STATE] = state;
    record[GY_RECORD_ROW] = row;
    record[GY_RECORD_COUNT] = count;
    part->words.n += GY_RECORD_HEAD;
    gy_space_count(a->view, count);
}

// The successors are in the store. There is room in the record.
static void record_those(batch *a, uint32_t from, uint32_t to)
{
    gy_shared_part *part = &a->shared->parts[a->view->member];
    for (uint32_t i = from; i < to; i++)
        part->words.at[part->words.n++] = number_of(a->shared, a->view, a->view->store->refs[i]);
}

static void enter_by_portions(batch *a, gy_ref ref, gy_arrivals steps, uint32_t count)
{
    gy_store_view *store = a->view->store;
    if (!gy_space_all_fit(a->shared->space, &steps, count))
        return;
    for (uint32_t from = 0; from < count; from += GY_STORE_BATCH) {
        uint32_t some = count - from < GY_STORE_BATCH ? count - from : GY_STORE_BATCH;
        gy_store_parent parent = {ref, some};
        gy_store_add(store, &parent, 1, &steps);
        if (!gy_space_take_in(a->view))
            return;
        record_those(a, 0, some);
        gy_store_clear(store);
        steps.first += some * steps.stride;
    }
}

static void flush(batch *a)
{
    gy_store_view *store = a->view->store;
    uint32_t total = a->count ? a->parents[a->count - 1].end : 0, count = a->count, from = 0;
    gy_arrivals steps = GY_ARRIVALS(gy_transition, a->steps);
    a->count = 0;
    if (!total || !gy_space_all_fit(a->shared->space, &steps, total))
        return;
    if (total > GY_STORE_BATCH) {
        for (uint32_t p = 0; p < count; p++) {
            uint32_t own = a->parents[p].end - from;
            begin_record(a, a->states[p], a->rows[p], own);
            enter_by_portions(a, a->parents[p].ref, steps, own);
            steps.first += own * steps.stride;
            from = a->parents[p].end;
        }
        return;
    }
    gy_store_add(store, a->parents, count, &steps);
    if (!gy_space_take_in(a->view))
        return;
    for (uint32_t p = 0; p < count; p++) {
        begin_record(a, a->states[p], a->rows[p], a->parents[p].end - from);
        record_those(a, from, a->parents[p].end);
        from = a->parents[p].end;
    }
    gy_store_clear(store);
}

// Steps that do not come as an array with those of other states.
static void expand_alone(batch *a, gy_ref ref, uint32_t state, uint32_t row)
{
    gy_arrivals steps;
    uint32_t count = a->shared->space->maker->steps(a->view->worker, &steps);
    begin_record(a, state, row, count);
    enter_by_portions(a, ref, steps, count);
}

static void expand(batch *a, gy_ref ref)
{
    gy_shared *s = a->shared;
    gy_space_view *v = a->view;
    const gy_space_maker *maker = s->space->maker;
    const gy_observer_move *moves;
    const gy_transition *steps = NULL;
    uint32_t words, move_count, count = 0, before = a->count ? a->parents[a->count - 1].end : 0;
    if (v->countdown-- == 0)
        gy_space_look(v);
    uint32_t number = (uint32_t)gy_store_note(v->store, ref) - 1;
    const uint32_t *state = gy_store_state(v->store, ref, &words);
    uint32_t row = row_of(s, v, state, words);
    maker->observe(v->worker, state, words, 0, &moves, &move_count);
    if (a->count)
        steps = maker->append(v->worker, false, &count);
    if (!steps) {
        flush(a);
        before = 0;
        steps = a->steps = maker->append(v->worker, true, &count);
    }
    if (!steps) {
        expand_alone(a, ref, number, row);
    } else if (!count) { // it stays
        gy_shared_part *part = &s->parts[v->member];
        begin_record(a, number, row, 1);
        part->words.at[part->words.n++] = number;
    } else {
        a->states[a->count] = number;
        a->rows[a->count] = row;
        a->parents[a->count++] = (gy_store_parent){ref, before + count};
        if (!v->store->joins || a->count == PARENTS || before + count >= ARRIVALS)
            flush(a);
    }
}

// ---- levels ---------------------------------------------------------------------------

static bool is_over(const gy_shared *s)
{
    return gy_space_ends(s->space) || (s->until > 0 && gy_clock() >= s->until);
}

static void work(void *user, gy_space_view *view)
{
    gy_shared *s = user;
    size_t count = s->now.n, piece = s->space->hostile ? 1 : PIECE, from;
    batch *a = gy_alloc_zero(sizeof *a);
    a->shared = s;
    a->view = view;
    while (!is_over(s) &&
           (from = atomic_fetch_add_explicit(&s->cursor, piece, memory_order_relaxed)) < count) {
        size_t to = from + piece < count ? from + piece : count;
        gy_space_pause(view);
        gy_store_prefetch(view->store, s->now.at + from, (uint32_t)(to - from));
        for (size_t i = from; i < to && !gy_space_ends(s->space); i++)
            expand(a, s->now.at[i]);
        if (!gy_space_ends(s->space))
            flush(a);
        pay(s, &s->parts[view->member]);
    }
    free(a);
}

// What was found becomes the next level. False: there is nothing.
static bool next_level(gy_shared *s)
{
    s->now.n = 0;
    for (unsigned i = 0; i < s->space->size; i++) {
        gy_refs *fresh = &s->parts[i].fresh;
        gy_vec_reserve(&s->now, s->now.n + fresh->n);
        if (fresh->n)
            memcpy(s->now.at + s->now.n, fresh->at, fresh->n * sizeof *fresh->at);
        s->now.n += fresh->n;
        fresh->n = 0;
    }
    atomic_store(&s->cursor, 0);
    return s->now.n > 0;
}

static void rename_all(void *user, unsigned leader)
{
    gy_shared *s = user;
    for (size_t i = 0; i < s->now.n; i++)
        gy_space_rename(s->space, leader, &s->now.at[i]);
    for (unsigned m = 0; m < s->space->size; m++)
        for (size_t i = 0; i < s->parts[m].fresh.n; i++)
            gy_space_rename(s->space, leader, &s->parts[m].fresh.at[i]);
}

static void take_levels(gy_shared *s)
{
    s->space->rename = rename_all;
    s->space->rename_user = s;
    while (!is_over(s)) {
        if (atomic_load(&s->cursor) >= s->now.n && !next_level(s))
            break;
        if (s->now.n < (s->space->hostile ? 2 : FEW))
            work(s, &s->space->views[0]);
        else
            gy_space_run(s->space, work, s);
    }
    s->space->rename = NULL;
}

// ---- the end --------------------------------------------------------------------------

// Where each state's record is; rows of all threads become rows of one table.
static bool index_records(gy_shared *s)
{
    uint32_t count = atomic_load(&s->count), width = s->observer_count;
    gy_map map = {0};
    s->first_paid = (uint64_t)count * sizeof *s->first;
    if (!gy_budget_take(&s->run.budget, s->first_paid)) {
        s->first_paid = 0;
        return false;
    }
    s->first = gy_alloc((count + (size_t)1) * sizeof *s->first);
    memset(s->first, 0xff, (count + (size_t)1) * sizeof *s->first);
    for (unsigned m = 0; m < s->space->size; m++) {
        gy_shared_part *part = &s->parts[m];
        uint32_t *now = gy_alloc((part->rows.n / width + 1) * sizeof *now);
        for (size_t r = 0; r * width < part->rows.n; r++)
            now[r] = row_at(&s->rows, &map, width, part->rows.at + r * width);
        for (size_t at = 0; at < part->words.n;) {
            uint32_t *record = part->words.at + at;
            record[GY_RECORD_ROW] = now[record[GY_RECORD_ROW]];
            s->first[record[GY_RECORD_STATE]] = (uint64_t)m << GY_SHARED_MEMBER_SHIFT | at;
            at += GY_RECORD_HEAD + record[GY_RECORD_COUNT];
        }
        free(now);
    }
    s->row_count = (uint32_t)(s->rows.n / width);
    gy_map_free(&map);
    return true;
}

static const char *failure_of(const gy_shared *s)
{
    if (atomic_load(&s->unknown))
        return "a part of a formula can't be told in every state";
    if (atomic_load(&s->space->no_memory) || s->run.result->completeness == GY_LIMIT_MEMORY)
        return "memory is short for a graph";
    return "a limit was reached";
}

// ---- life -----------------------------------------------------------------------------

// With what all of them look at.
static void set_reductions_up(gy_shared *s)
{
    GY_VEC(const struct gy_expr *) watched = {0};
    bool blind = true;
    for (uint32_t i = 0; i < s->observer_count; i++) {
        const gy_observer *observer = s->observers[i];
        blind = blind && observer->blind;
        for (uint32_t k = 0; k < observer->watched_count; k++)
            gy_vec_push(&watched, observer->watched[k]);
    }
    if (s->options.symmetry)
        s->run.symmetry = gy_symmetry_new_observed(s->run.system, watched.at, (uint32_t)watched.n,
                                                   &s->figures.not_symmetric);
    s->run.worker = gy_run_new_worker(&s->run);
    gy_reduce_needs needs = {.observed = watched.at, .observed_count = (uint32_t)watched.n};
    if (s->options.reduce && !blind)
        s->figures.not_reduced = "the formula sees how often a state is repeated";
    else if (s->options.reduce)
        s->run.reduction = gy_reduction_new(s->run.system, &needs, &s->figures.not_reduced);
    if (s->run.reduction)
        s->reduced = gy_reduced_graph_new(&s->run, s->run.reduction);
    gy_vec_free(&watched);
}

gy_shared *gy_shared_new(gy_system *system, const gy_observer *const *observers, uint32_t count,
                         const gy_search_options *options, uint64_t most_reduced)
{
    gy_shared *s = gy_alloc_zero(sizeof *s);
    s->most_reduced = most_reduced;
    s->options = *options;
    s->options.time_limit = 0; // whoever explores says how long
    s->options.checkpoint_file = s->options.resume_file = NULL;
    if (options->any_store && !options->memory_limit)
        s->options.store = GY_STORE_PLAIN;
    s->figures.endless_edge = -1;
    s->run = (gy_run){.system = system, .options = &s->options, .result = &s->figures};
    s->run.started = gy_clock();
    s->run.next_progress = s->run.started + 1;
    s->run.state_limit = options->state_limit;
    gy_budget_init(&s->run.budget, options->memory_limit);
    s->observers = gy_alloc(count * sizeof *s->observers);
    memcpy(s->observers, observers, count * sizeof *s->observers);
    s->observer_count = count;
    s->everything = (gy_observer){
        .states = 1, .bounded = true, .stutters = true, .weak = true, .all_moves = go_along};
    set_reductions_up(s);
    return s;
}

static bool open_space(gy_shared *s)
{
    gy_product_maker_init(&s->product, &s->run, &s->everything, GY_FAIRNESS_NONE);
    s->product.reduced = s->reduced;
    s->product.together = true;
    gy_space_options wanted = {.maker = &s->product.maker,
                               .kind = gy_store_kind_at(s->options.store),
                               .budget = &s->run.budget,
                               .threads = s->options.threads ? s->options.threads : 1,
                               .uniform = true,
                               .hostile = s->options.hostile,
                               .places = 1,
                               .place_bits = 32,
                               .waits = GY_NO_PLACE};
    s->space = gy_space_new(&wanted);
    if (!s->space)
        return false;
    s->parts = gy_alloc_zero(s->space->size * sizeof *s->parts);
    for (unsigned m = 0; m < s->space->size; m++)
        s->parts[m].row = gy_alloc(s->observer_count * sizeof *s->parts[m].row);
    for (size_t i = 0; i < s->space->initial.n; i++) {
        gy_vec_push(&s->initial, number_of(s, &s->space->views[0], s->space->initial.at[i]));
        gy_vec_push(&s->ordinals, s->space->origins.at[i]);
    }
    return true;
}

// The reduced graph comes first. False: not yet, or never.
static bool make_reduced(gy_shared *s)
{
    uint64_t limit = 0;
    while (s->reduced && !s->reduced_ready && !s->run.stopped) {
        if (s->until > 0 && gy_clock() >= s->until)
            return false;
        if (s->most_reduced && limit >= s->most_reduced) {
            fail(s, "a graph that hides nothing from any of them is too large");
            return false;
        }
        limit += MORE_REDUCED;
        s->reduced_ready = gy_reduced_graph_make(s->reduced, limit);
    }
    return !s->run.stopped;
}

static gy_shared_progress explore(gy_shared *s)
{
    if (s->done)
        return GY_SHARED_DONE;
    if (!make_reduced(s)) {
        if (!s->run.stopped && !s->why)
            return GY_SHARED_PAUSED;
        fail(s, "a limit was reached");
        return GY_SHARED_FAILED;
    }
    if (!s->space && !open_space(s)) {
        fail(s, "memory is short for a graph");
        return GY_SHARED_FAILED;
    }
    take_levels(s);
    if (gy_space_ends(s->space) || s->run.stopped) {
        fail(s, failure_of(s));
        return GY_SHARED_FAILED;
    }
    if (is_over(s))
        return GY_SHARED_PAUSED;
    s->done = index_records(s);
    if (s->reduced)
        gy_reduced_graph_count(s->reduced, &s->figures.expanded_reduced,
                               &s->figures.expanded_fully);
    if (!s->done)
        fail(s, "memory is short for a graph");
    return s->done ? GY_SHARED_DONE : GY_SHARED_FAILED;
}

gy_shared_progress gy_shared_explore(gy_shared *s, double seconds)
{
    double started = gy_clock();
    s->until = seconds > 0 ? started + seconds : 0;
    gy_shared_progress progress = s->why ? GY_SHARED_FAILED : explore(s);
    s->seconds += gy_clock() - started;
    return progress;
}

bool gy_shared_is_symmetric(const gy_shared *s)
{
    return s->run.symmetry != NULL;
}

const char *gy_shared_why(const gy_shared *s)
{
    return s->why;
}

void gy_shared_free(gy_shared *s)
{
    if (!s)
        return;
    for (unsigned m = 0; s->parts && m < s->space->size; m++) {
        gy_vec_free(&s->parts[m].words);
        gy_vec_free(&s->parts[m].rows);
        free(s->parts[m].row);
        gy_vec_free(&s->parts[m].fresh);
        gy_map_free(&s->parts[m].row_map);
    }
    free(s->parts);
    gy_space_free(s->space);
    if (s->product.run)
        gy_product_maker_free(&s->product);
    gy_reduced_graph_free(s->reduced);
    gy_reduction_free(s->run.reduction);
    gy_worker_free(s->run.worker);
    gy_symmetry_free(s->run.symmetry);
    free(s->figures.not_symmetric);
    gy_vec_free(&s->now);
    gy_vec_free(&s->rows);
    gy_vec_free(&s->initial);
    gy_vec_free(&s->ordinals);
    free(s->first);
    free(s->observers);
    free(s->figures.failure);
    free(s);
}
