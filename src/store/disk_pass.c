#include "store/disk_pass.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLED_PIECES = 256,  // to see where ranges should end
    SAMPLES_OF_PIECE = 64, //
    EASY = 4096,           // so few numbers are one range
    RANGES = 8,            // for each member, at least
    MOST_RANGES = 1024,    //
    CHUNKS = 16,           // parts of the source, for each member
    STAGE = 32,            // numbers that go to a range together
};

typedef struct gy_disk_staging { // numbers of a range on their way, of one member
    uint32_t n;
    uint64_t number[STAGE], place[STAGE];
} staging;

// How many numbers there is room for.
static size_t room_of(const gy_disk_pass *w)
{
    return w->bytes / sizeof(uint64_t) / (w->with_places ? 2 : 1);
}

static gy_sortable list_at(const gy_disk_pass *w, uint64_t at)
{
    return (gy_sortable){w->room + at, w->with_places ? w->room + room_of(w) + at : NULL};
}

static uint64_t range_low(const gy_disk_pass *w, size_t range)
{
    return range ? w->ends.at[range - 1] + 1 : 0;
}

static uint64_t range_high(const gy_disk_pass *w, size_t range)
{
    return range < w->ends.n ? w->ends.at[range] : UINT64_MAX;
}

static size_t range_of(const gy_disk_pass *w, uint64_t number)
{
    size_t low = 0, high = w->ends.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (w->ends.at[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct sampling {
    GY_VEC(uint64_t) taken;
    uint32_t of_piece;
} sampling;

static void take_some(void *to, const uint64_t *numbers, uint32_t count, uint64_t where)
{
    sampling *s = to;
    (void)where;
    for (uint32_t i = 0; i < count && s->of_piece < SAMPLES_OF_PIECE; i += 1 + count / 16) {
        gy_vec_push(&s->taken, numbers[i]);
        s->of_piece++;
    }
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// So many that each is a small part of the room, and that members are done at about the same time.
static void choose_ranges(gy_disk_pass *w)
{
    const gy_disk_source *source = w->source;
    sampling s = {0};
    uint64_t each = room_of(w) / w->threads / 4 + 1, step = source->pieces / SAMPLED_PIECES + 1;
    uint64_t ranges = source->count / each + 1;
    if (ranges < (uint64_t)w->threads * RANGES)
        ranges = (uint64_t)w->threads * RANGES;
    ranges = ranges < MOST_RANGES ? ranges : MOST_RANGES;
    for (uint64_t i = 0; i < source->pieces; i += step) {
        s.of_piece = 0;
        source->each(source->of, i, take_some, &s);
    }
    if (s.taken.n)
        qsort(s.taken.at, s.taken.n, sizeof *s.taken.at, compare);
    for (uint64_t i = 1; i < ranges && s.taken.n; i++) {
        uint64_t end = s.taken.at[s.taken.n * i / ranges];
        if (end < UINT64_MAX && (!w->ends.n || end > w->ends.at[w->ends.n - 1]))
            gy_vec_push(&w->ends, end);
    }
    gy_vec_free(&s.taken);
}

static void each_of_chunk(const gy_disk_pass *w, uint64_t chunk, gy_disk_take *take, void *to)
{
    const gy_disk_source *source = w->source;
    for (uint64_t i = chunk; i < source->pieces; i += w->chunks)
        source->each(source->of, i, take, to);
}

// ---- counting and filling -------------------------------------------------------------

typedef struct counting {
    const gy_disk_pass *w;
    uint64_t n[MOST_RANGES];
} counting;

static void count_some(void *to, const uint64_t *numbers, uint32_t count, uint64_t where)
{
    counting *c = to;
    (void)where;
    for (uint32_t i = 0; i < count; i++)
        c->n[range_of(c->w, numbers[i])]++;
}

static void count_chunk(void *user, unsigned member, uint64_t chunk)
{
    const gy_disk_pass *w = user;
    counting c = {.w = w};
    (void)member;
    each_of_chunk(w, chunk, count_some, &c);
    for (size_t i = 0; i < w->ranges; i++)
        atomic_fetch_add_explicit(&w->count[i], c.n[i], memory_order_relaxed);
}

typedef struct filling {
    const gy_disk_pass *w;
    staging *stages;
} filling;

static void put_stage(const gy_disk_pass *w, staging *stage, size_t range)
{
    uint64_t at = atomic_fetch_add_explicit(&w->filled[range], stage->n, memory_order_relaxed);
    gy_sortable to = list_at(w, w->start[range] + at);
    memcpy(to.number, stage->number, stage->n * sizeof *stage->number);
    if (to.beside)
        memcpy(to.beside, stage->place, stage->n * sizeof *stage->place);
    stage->n = 0;
}

static void fill_some(void *to, const uint64_t *numbers, uint32_t count, uint64_t where)
{
    const filling *f = to;
    const gy_disk_pass *w = f->w;
    uint64_t low = range_low(w, w->from), high = range_high(w, w->to - 1);
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] - low > high - low)
            continue;
        size_t range = range_of(w, numbers[i]);
        staging *stage = &f->stages[range];
        stage->number[stage->n] = numbers[i];
        stage->place[stage->n++] = where + i;
        if (stage->n == STAGE)
            put_stage(w, stage, range);
    }
}

static void fill_chunk(void *user, unsigned member, uint64_t chunk)
{
    const gy_disk_pass *w = user;
    filling f = {w, w->stages + member * w->ranges};
    each_of_chunk(w, chunk, fill_some, &f);
    for (size_t i = w->from; i < w->to; i++)
        if (f.stages[i].n)
            put_stage(w, &f.stages[i], i);
}

static void do_filled(void *user, unsigned member, uint64_t i)
{
    const gy_disk_pass *w = user;
    size_t range = w->from + i;
    (void)member;
    gy_disk_portion p = {.low = range_low(w, range),
                         .high = range_high(w, range),
                         .list = list_at(w, w->start[range]),
                         .n = w->count[range],
                         .range = range,
                         .last = true};
    gy_sort(p.list, p.n);
    w->job(w->user, &p);
}

// ---- a range that is too large --------------------------------------------------------

typedef struct collection {
    gy_disk_portion p;
    size_t room;
} collection;

// The lower half stays.
static void narrow(gy_disk_portion *p)
{
    gy_sort(p->list, p->n);
    p->n /= 2;
    p->high = p->list.number[p->n] - 1;
}

static void collect(void *to, const uint64_t *numbers, uint32_t count, uint64_t where)
{
    collection *c = to;
    gy_disk_portion *p = &c->p;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = numbers[i];
        if (number - p->low > p->high - p->low)
            continue;
        if (p->n == c->room) {
            narrow(p);
            if (number > p->high)
                continue;
        }
        p->list.number[p->n] = number;
        if (p->list.beside)
            p->list.beside[p->n] = where + i;
        p->n++;
    }
}

static void do_alone(const gy_disk_pass *w, size_t range)
{
    uint64_t high = range_high(w, range);
    collection c = {.room = room_of(w)};
    gy_disk_portion *p = &c.p;
    *p = (gy_disk_portion){.low = range_low(w, range), .list = list_at(w, 0), .range = range};
    for (; !p->last && !gy_disk_failed(w->traffic); p->low = p->high + 1) {
        p->high = high;
        p->n = 0;
        for (uint64_t i = 0; i < w->source->pieces; i++)
            w->source->each(w->source->of, i, collect, &c);
        gy_sort(p->list, p->n);
        p->last = p->high == high;
        w->job(w->user, p);
    }
}

// ---- all of it ------------------------------------------------------------------------

// The next ranges for which there is room, from w->from on; none: the first is too large.
static void choose_group(gy_disk_pass *w)
{
    uint64_t used = 0, room = room_of(w);
    for (w->to = w->from; w->to < w->ranges && used + w->count[w->to] <= room; w->to++) {
        w->start[w->to] = used;
        atomic_store_explicit(&w->filled[w->to], 0, memory_order_relaxed);
        used += w->count[w->to];
    }
}

static void do_groups(gy_disk_pass *w)
{
    unsigned members = w->threads;
    w->count = gy_alloc_zero(w->ranges * sizeof *w->count);
    w->filled = gy_alloc_zero(w->ranges * sizeof *w->filled);
    w->start = gy_alloc_zero(w->ranges * sizeof *w->start);
    w->stages = gy_alloc_zero(members * w->ranges * sizeof *w->stages);
    w->chunks = (uint64_t)members * CHUNKS;
    gy_team_share(w->team, w->chunks, count_chunk, w);
    for (w->from = 0; w->from < w->ranges && !gy_disk_failed(w->traffic); w->from = w->to) {
        choose_group(w);
        if (w->to == w->from) {
            do_alone(w, w->to++);
            continue;
        }
        gy_team_share(w->team, w->chunks, fill_chunk, w);
        gy_team_share(w->team, w->to - w->from, do_filled, w);
    }
    free(w->count);
    free(w->filled);
    free(w->start);
    free(w->stages);
}

void gy_disk_pass_run(gy_disk_pass *w)
{
    if (w->ranges == 1)
        do_alone(w, 0);
    else
        do_groups(w);
    gy_vec_free(&w->ends);
}

size_t gy_disk_pass_plan(gy_disk_pass *w)
{
    bool easy = w->source->count < EASY && w->source->count < room_of(w);
    if (!easy || w->hostile)
        choose_ranges(w);
    return w->ranges = w->ends.n + 1;
}
