#include "search/cover/cutoffs.h"

#include "base/bits.h"

#include <stdlib.h>

#define NO_EVENT UINT32_MAX

void gy_records_free(gy_records *r)
{
    gy_vec_free(&r->list);
    gy_vec_free(&r->keys);
    gy_map_free(&r->by_key);
    gy_vec_free(&r->state_at);
    gy_vec_free(&r->state_words);
    gy_vec_free(&r->fewest);
    gy_vec_free(&r->last);
    gy_vec_free(&r->writes);
    gy_vec_free(&r->mine);
    gy_vec_free(&r->other);
    gy_vec_free(&r->words);
    gy_map_free(&r->by_state);
    gy_vec_free(&r->scratch);
}

uint64_t gy_records_bytes(const gy_records *r)
{
    return r->list.room * sizeof *r->list.at + r->keys.room * sizeof *r->keys.at +
           r->words.room * sizeof *r->words.at + r->writes.room * sizeof *r->writes.at +
           (uint64_t)r->by_key.room * sizeof(uint64_t) +
           (uint64_t)r->by_state.room * sizeof(uint64_t) +
           r->state_at.room * (sizeof(size_t) + 3 * sizeof(uint32_t));
}

// ---- states -----------------------------------------------------------------------------

// The number of a state, and whether it is new: then `size` events lead there.
static uint32_t number_of(gy_records *r, const gy_word *state, uint32_t words, uint32_t size,
                          bool *new)
{
    uint64_t hash = gy_hash_state(state, words);
    *new = false;
    for (gy_map_probe p = gy_map_first(&r->by_state, hash); p.found; gy_map_next(&r->by_state, &p))
        if (r->state_words.at[p.number] == words &&
            memcmp(r->words.at + r->state_at.at[p.number], state, words * sizeof *state) == 0)
            return p.number;
    uint32_t number = (uint32_t)r->state_at.n;
    gy_vec_push(&r->state_at, r->words.n);
    gy_vec_push(&r->state_words, words);
    gy_vec_push(&r->fewest, size);
    gy_vec_push(&r->last, NO_EVENT);
    gy_vec_reserve(&r->words, r->words.n + words + 1);
    memcpy(r->words.at + r->words.n, state, words * sizeof *state);
    r->words.n += words;
    gy_map_add(&r->by_state, hash, number);
    *new = true;
    return number;
}

void gy_records_begin(gy_records *r)
{
    bool new;
    uint32_t words = r->trace->nodes.at[0].words;
    number_of(r, gy_trace_state(r->trace, 0), words, 0, &new);
}

// ---- events -----------------------------------------------------------------------------

static void push_key(gy_records *r, const void *from, size_t words)
{
    gy_vec_reserve(&r->keys, r->keys.n + words + 1);
    memcpy(r->keys.at + r->keys.n, from, words * sizeof *r->keys.at);
    r->keys.n += words;
}

// What it does, and the last event of each process before it.
static void write_key(gy_records *r, const gy_clock *before)
{
    const gy_trace *trace = r->trace;
    const gy_trace_move *move = gy_trace_taken(trace, trace->events.n - 1);
    uint64_t own = gy_dependence_own(trace->dependence, trace->words.at + move->state, move->words,
                                     move->movers);
    uint32_t head[4] = {trace->root, move->step_count, (uint32_t)own, (uint32_t)(own >> 32)};
    push_key(r, head, 4);
    push_key(r, trace->steps.at + move->steps, move->step_count * sizeof(gy_step) / 4);
    for (uint32_t p = 0; p < trace->most_processes; p++)
        if (before->of[p]) {
            uint32_t last = trace->chains[p].at[before->of[p] - 1];
            uint32_t part[2] = {p, trace->events.at[last].number};
            push_key(r, part, 2);
        }
}

// ---- which is less --------------------------------------------------------------------------

// The last event of a process before this one.
static uint32_t last_before(const gy_records *r, const gy_record *event, uint32_t process)
{
    const uint32_t *key = r->keys.at + event->key;
    for (uint32_t i = event->steps; i < event->key_words; i += 2)
        if (key[i] == process)
            return key[i + 1];
    return NO_EVENT;
}

// The events of a process up to this one (which may be about to get its number), the last one
// first.
static void list_events(const gy_records *r, const gy_record *event, uint32_t number,
                        uint32_t process, gy_event_list *list)
{
    bool moves = event->movers >> process & 1;
    uint32_t at = moves ? number : last_before(r, event, process);
    for (list->n = 0; at != NO_EVENT;) {
        gy_vec_push(list, at);
        at = last_before(r, at == number ? event : &r->list.at[at], process);
    }
}

static int compare_steps(const gy_records *r, const gy_record *a, const gy_record *b)
{
    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    return memcmp(r->keys.at + a->key, r->keys.at + b->key, a->steps * sizeof *r->keys.at);
}

static const gy_record *record_of(const gy_records *r, uint32_t number, const gy_record *event)
{
    return number == r->list.n ? event : &r->list.at[number];
}

// Two lists of events, the last ones first.
static int compare_lists(const gy_records *r, const gy_record *event)
{
    if (r->other.n != r->mine.n)
        return r->other.n < r->mine.n ? -1 : 1;
    for (size_t i = r->mine.n; i-- > 0;) {
        uint32_t a = r->other.at[i], b = r->mine.at[i];
        int order = a == b ? 0 : compare_steps(r, record_of(r, a, event), record_of(r, b, event));
        if (order)
            return order;
    }
    return 0;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x > y ? -1 : x < y; // the last ones first
}

// All events up to this one. Each comes after those before it, since it was met after them.
static void list_all(gy_records *r, const gy_record *event, uint32_t number, gy_event_list *list)
{
    gy_event_list all = {0};
    for (uint32_t p = 0; p < r->trace->most_processes; p++) {
        list_events(r, event, number, p, list);
        for (size_t i = 0; i < list->n; i++)
            gy_vec_push(&all, list->at[i]);
    }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, compare_numbers);
    list->n = 0;
    for (size_t i = 0; i < all.n; i++) // a rendezvous was met twice
        if (i == 0 || all.at[i] != all.at[i - 1])
            gy_vec_push(list, all.at[i]);
    gy_vec_free(&all);
}

// Those of a list that write to a cell.
static void pick(const gy_records *r, const gy_event_list *all, uint32_t cell, gy_event_list *list)
{
    uint32_t words = gy_dependence_cell_words(r->trace->dependence);
    list->n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (gy_bits_has(r->writes.at + (size_t)all->at[i] * words, cell))
            gy_vec_push(list, all->at[i]);
}

static int compare_writes(gy_records *r, uint32_t known, const gy_record *event)
{
    gy_event_list mine = {0}, other = {0};
    uint32_t cells = 64 * gy_dependence_cell_words(r->trace->dependence);
    int order = 0;
    list_all(r, &r->list.at[known], known, &other);
    list_all(r, event, (uint32_t)r->list.n, &mine);
    for (uint32_t c = 0; c < cells && !order; c++) {
        pick(r, &other, c, &r->other);
        pick(r, &mine, c, &r->mine);
        order = compare_lists(r, event);
    }
    gy_vec_free(&mine);
    gy_vec_free(&other);
    return order;
}

// Is the set of events up to `known` less than that up to `event`, which has as many?
static bool is_less(gy_records *r, uint32_t known, const gy_record *event)
{
    int order = 0;
    for (uint32_t p = 0; p < r->trace->most_processes && !order; p++) {
        list_events(r, &r->list.at[known], known, p, &r->other);
        list_events(r, event, (uint32_t)r->list.n, p, &r->mine);
        order = compare_lists(r, event);
    }
    return order ? order < 0 : compare_writes(r, known, event) < 0;
}

// Of the last event of the trace, whose record is about to be added.
static bool decide(gy_records *r, const gy_clock *before, gy_record *event)
{
    gy_trace *trace = r->trace;
    size_t last = trace->events.n - 1;
    uint32_t size = 1;
    bool new;
    for (size_t i = 0; i < last; i++)
        size += gy_trace_before(trace, i, before);
    const gy_trace_move *move = gy_trace_taken(trace, last);
    const gy_word *state = trace->words.at + move->state;
    uint32_t words = move->words;
    if (size <= last) { // others were made before it that do not come before it
        if (!gy_trace_replay(trace, before, move, &r->scratch, NULL))
            return false;
        state = r->scratch.at;
        words = (uint32_t)r->scratch.n;
    }
    uint32_t number = number_of(r, state, words, size, &new);
    uint32_t fewest = r->fewest.at[number], known = r->last.at[number];
    event->cut_off = !new && (fewest < size ||
                              (fewest == size && known != NO_EVENT && is_less(r, known, event)));
    if (!event->cut_off) { // it is less, or none is
        r->fewest.at[number] = size;
        r->last.at[number] = (uint32_t)r->list.n;
    }
    return true;
}

static void note_writes(gy_records *r, const gy_trace_move *move)
{
    uint32_t words = gy_dependence_cell_words(r->trace->dependence);
    const uint64_t *writes =
        gy_dependence_writes(r->trace->dependence, gy_trace_print(r->trace, move));
    gy_vec_reserve(&r->writes, r->writes.n + words);
    memcpy(r->writes.at + r->writes.n, writes, words * sizeof *writes);
    r->writes.n += words;
}

bool gy_records_note(gy_records *r, const gy_clock *before)
{
    gy_trace_event *event = &r->trace->events.at[r->trace->events.n - 1];
    const gy_trace_move *move = gy_trace_taken(r->trace, r->trace->events.n - 1);
    gy_record fresh = {.key = r->keys.n,
                       .steps = 4 + move->step_count * (uint32_t)(sizeof(gy_step) / 4),
                       .movers = move->movers};
    write_key(r, before);
    fresh.key_words = (uint32_t)(r->keys.n - fresh.key);
    size_t bytes = fresh.key_words * sizeof *r->keys.at;
    uint64_t hash = gy_hash_bytes(r->keys.at + fresh.key, bytes, 0);
    for (gy_map_probe p = gy_map_first(&r->by_key, hash); p.found; gy_map_next(&r->by_key, &p)) {
        const gy_record *known = &r->list.at[p.number];
        if (known->key_words == fresh.key_words &&
            memcmp(r->keys.at + known->key, r->keys.at + fresh.key, bytes) == 0) {
            r->keys.n = fresh.key;
            event->number = p.number;
            event->cut_off = known->cut_off;
            return true;
        }
    }
    note_writes(r, move);
    if (!decide(r, before, &fresh))
        return false;
    event = &r->trace->events.at[r->trace->events.n - 1];
    event->number = (uint32_t)r->list.n;
    event->cut_off = fresh.cut_off;
    gy_map_add(&r->by_key, hash, event->number);
    gy_vec_push(&r->list, fresh);
    return true;
}
