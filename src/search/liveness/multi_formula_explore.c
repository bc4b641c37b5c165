// The exploration: level by level, the steps of many states at a time, as a search for safety does.
// Next to each state in the store is its number, given by the first thread to reach it.
#include "search/liveness/multi_formula_parts.h"

#include "base/clock.h"

#include <stdlib.h>

enum { PIECE = 64, FEW = 1000, PARENTS = 64, ARRIVALS = 64, NUMBERS = 64 };
enum { MOST_ROWS = 1 << 20 };

// ---- numbers and rows -----------------------------------------------------------------

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

uint32_t gy_shared_number(gy_shared *s, gy_space_view *view, gy_ref ref)
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
        part->words.at[part->words.n++] =
            gy_shared_number(a->shared, a->view, a->view->store->refs[i]);
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
    if (gy_limit_poll_due(&v->pace))
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

bool gy_shared_is_over(const gy_shared *s)
{
    return gy_space_ends(s->space) || gy_deadline_over(s->until);
}

static void work(void *user, gy_space_view *view)
{
    gy_shared *s = user;
    size_t count = s->now.n, piece = s->space->hostile ? 1 : PIECE, from;
    batch *a = gy_alloc_zero(sizeof *a);
    a->shared = s;
    a->view = view;
    while (!gy_shared_is_over(s) &&
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

void gy_shared_take_levels(gy_shared *s)
{
    s->space->rename = rename_all;
    s->space->rename_user = s;
    while (!gy_shared_is_over(s)) {
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

bool gy_shared_index(gy_shared *s)
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
