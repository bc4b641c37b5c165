#include "store/disk_set.h"

#include "store/sort.h"

#include "base/fatal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    SHARE = 4,              // of the budget, a part of it is to work with
    LEAST_ROOM = 1 << 16,   // bytes for each member
    HOSTILE_ROOM = 1 << 10, //
    SAMPLED_PIECES = 256,   // to see where ranges should end
    SAMPLES_OF_PIECE = 64,  //
    MERGE = 2,              // runs up to so many times as large as what is added are merged
    EASY = 4096,            // so few numbers are one range
    RANGES = 8,             // for each member, at least
    MOST_RANGES = 1024,     //
    CHUNKS = 16,            // parts of the source, for each member
    STAGE = 32,             // numbers that go to a range together
};

struct gy_disk_set {
    char *folder;
    unsigned threads;
    bool hostile;
    gy_region room;             // in equal parts, by member
    size_t part;                // bytes
    GY_VEC(gy_disk_run *) runs; // the oldest first
    gy_disk_traffic traffic;
    uint64_t most, passes;
};

// ---- life -----------------------------------------------------------------------------

gy_disk_set *gy_disk_set_new(const char *folder, gy_budget *budget, unsigned threads,
                             const atomic_int *interrupt, bool hostile)
{
    gy_disk_set *set = gy_alloc_zero(sizeof *set);
    uint64_t left = gy_budget_room(budget);
    set->folder = strdup(folder);
    if (!set->folder)
        gy_fatal("out of memory");
    set->threads = threads ? threads : 1;
    set->hostile = hostile;
    set->traffic.interrupt = interrupt;
    gy_region_init(&set->room, budget);
    left = left == UINT64_MAX ? gy_memory_physical() / 2 : left;
    set->part = left / SHARE / set->threads / LEAST_ROOM * LEAST_ROOM;
    if (set->part < LEAST_ROOM)
        set->part = LEAST_ROOM;
    if (hostile)
        set->part = HOSTILE_ROOM;
    if (!gy_region_resize(&set->room, set->part * set->threads)) {
        gy_disk_set_free(set);
        return NULL;
    }
    return set;
}

void gy_disk_set_free(gy_disk_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->runs.n; i++)
        gy_disk_run_free(set->runs.at[i]);
    gy_vec_free(&set->runs);
    gy_region_free(&set->room);
    free(set->folder);
    free(set);
}

void gy_disk_set_deadline(gy_disk_set *set, double deadline)
{
    set->traffic.deadline = deadline;
}

static uint64_t bytes_of(const gy_disk_set *set, size_t from)
{
    uint64_t bytes = 0;
    for (size_t i = from; i < set->runs.n; i++)
        bytes += gy_disk_run_bytes(set->runs.at[i]);
    return bytes;
}

void gy_disk_set_look(const gy_disk_set *set, gy_disk_figures *figures)
{
    *figures = (gy_disk_figures){
        .bytes = bytes_of(set, 0),
        .most = set->most,
        .written = atomic_load_explicit(&set->traffic.written, memory_order_relaxed),
        .read = atomic_load_explicit(&set->traffic.read, memory_order_relaxed),
        .passes = set->passes,
        .runs = set->runs.n,
    };
    for (size_t i = 0; i < set->runs.n; i++)
        figures->states += set->runs.at[i]->count;
}

void gy_disk_set_problem(const gy_disk_set *set, gy_text *out)
{
    char room[100];
    int error = atomic_load_explicit(&set->traffic.error, memory_order_relaxed);
    if (error)
        gy_text_add(out, strerror_r(error, room, sizeof room));
    else if (atomic_load_explicit(&set->traffic.damaged, memory_order_relaxed))
        gy_text_add(out, "what was read is not what was written");
}

bool gy_disk_set_interrupted(const gy_disk_set *set)
{
    return atomic_load_explicit(&set->traffic.error, memory_order_relaxed) == EINTR;
}

bool gy_disk_set_late(const gy_disk_set *set)
{
    return atomic_load_explicit(&set->traffic.error, memory_order_relaxed) == ETIME;
}

// ---- ranges ---------------------------------------------------------------------------
//
// The numbers are cut into ranges, by a sample. All members count together how many there are in
// each; then as many ranges as there is room for are filled, by all members together, sorted and
// done, a range by one member; and so on. A range that is too large for that is done by one member,
// who goes through the source and keeps the lower part of what is there, as much as there is room
// for, and comes back for the rest.

typedef struct collection {
    uint64_t low, high; // both included
    gy_sortable list;
    size_t n, room;
} collection;

typedef struct staging { // numbers of a range on their way, of one member
    uint32_t n;
    uint64_t number[STAGE], place[STAGE];
} staging;

typedef struct work work;
typedef void do_range(const work *w, const collection *c, size_t range);

struct work {
    gy_disk_set *set;
    const gy_disk_source *source;
    gy_team *team;
    do_range *job;
    bool with_places;
    size_t ranges;
    GY_VEC(uint64_t) ends;    // the last number of each range but the last
    _Atomic uint64_t *count;  // by range
    size_t from, to;          // ranges that are in memory
    uint64_t *start;          // of these, where they begin
    _Atomic uint64_t *filled; // and how far
    uint64_t chunks;          // parts of the source that are handed out
    staging *stages;          // by member and range
    // Of what is added:
    const uint64_t *but;
    uint32_t but_count;
    size_t merged_from; // the first of the runs that are merged
    gy_disk_run *made;
    gy_disk_writer *writers; // by range
};

// How many numbers there is room for.
static size_t room_of(const work *w)
{
    return w->set->part * w->set->threads / sizeof(uint64_t) / (w->with_places ? 2 : 1);
}

static gy_sortable list_at(const work *w, uint64_t at)
{
    uint64_t *room = w->set->room.at;
    return (gy_sortable){room + at, w->with_places ? room + room_of(w) + at : NULL};
}

static uint64_t range_low(const work *w, size_t range)
{
    return range ? w->ends.at[range - 1] + 1 : 0;
}

static uint64_t range_high(const work *w, size_t range)
{
    return range < w->ends.n ? w->ends.at[range] : UINT64_MAX;
}

static size_t range_of(const work *w, uint64_t number)
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
static void choose_ranges(work *w)
{
    const gy_disk_source *source = w->source;
    sampling s = {0};
    uint64_t each = room_of(w) / w->set->threads / 4 + 1,
             step = source->pieces / SAMPLED_PIECES + 1;
    uint64_t ranges = source->count / each + 1;
    if (ranges < (uint64_t)w->set->threads * RANGES)
        ranges = (uint64_t)w->set->threads * RANGES;
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

static void each_of_chunk(const work *w, uint64_t chunk, gy_disk_take *take, void *to)
{
    const gy_disk_source *source = w->source;
    for (uint64_t i = chunk; i < source->pieces; i += w->chunks)
        source->each(source->of, i, take, to);
}

// ---- counting and filling -------------------------------------------------------------

typedef struct counting {
    const work *w;
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
    const work *w = user;
    counting c = {.w = w};
    (void)member;
    each_of_chunk(w, chunk, count_some, &c);
    for (size_t i = 0; i < w->ranges; i++)
        atomic_fetch_add_explicit(&w->count[i], c.n[i], memory_order_relaxed);
}

typedef struct filling {
    const work *w;
    staging *stages;
} filling;

static void put_stage(const work *w, staging *stage, size_t range)
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
    const work *w = f->w;
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
    const work *w = user;
    filling f = {w, w->stages + member * w->ranges};
    each_of_chunk(w, chunk, fill_some, &f);
    for (size_t i = w->from; i < w->to; i++)
        if (f.stages[i].n)
            put_stage(w, &f.stages[i], i);
}

static void do_filled(void *user, unsigned member, uint64_t i)
{
    const work *w = user;
    size_t range = w->from + i;
    (void)member;
    collection c = {.low = range_low(w, range),
                    .high = range_high(w, range),
                    .list = list_at(w, w->start[range]),
                    .n = w->count[range]};
    gy_sort(c.list, c.n);
    w->job(w, &c, range);
}

// ---- a range that is too large --------------------------------------------------------

// The lower half stays.
static void narrow(collection *c)
{
    gy_sort(c->list, c->n);
    c->n /= 2;
    c->high = c->list.number[c->n] - 1;
}

static void collect(void *to, const uint64_t *numbers, uint32_t count, uint64_t where)
{
    collection *c = to;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = numbers[i];
        if (number - c->low > c->high - c->low)
            continue;
        if (c->n == c->room) {
            narrow(c);
            if (number > c->high)
                continue;
        }
        c->list.number[c->n] = number;
        if (c->list.beside)
            c->list.beside[c->n] = where + i;
        c->n++;
    }
}

static void do_alone(const work *w, size_t range)
{
    uint64_t high = range_high(w, range);
    collection c = {.low = range_low(w, range), .room = room_of(w), .list = list_at(w, 0)};
    for (;; c.low = c.high + 1) {
        c.high = high;
        c.n = 0;
        for (uint64_t i = 0; i < w->source->pieces; i++)
            w->source->each(w->source->of, i, collect, &c);
        gy_sort(c.list, c.n);
        w->job(w, &c, range);
        if (c.high == high || gy_disk_failed(&w->set->traffic))
            break;
    }
}

// ---- all of it ------------------------------------------------------------------------

// The next ranges for which there is room, from w->from on; none: the first is too large.
static void choose_group(work *w)
{
    uint64_t used = 0, room = room_of(w);
    for (w->to = w->from; w->to < w->ranges && used + w->count[w->to] <= room; w->to++) {
        w->start[w->to] = used;
        atomic_store_explicit(&w->filled[w->to], 0, memory_order_relaxed);
        used += w->count[w->to];
    }
}

static void do_groups(work *w)
{
    unsigned members = w->set->threads;
    w->count = gy_alloc_zero(w->ranges * sizeof *w->count);
    w->filled = gy_alloc_zero(w->ranges * sizeof *w->filled);
    w->start = gy_alloc_zero(w->ranges * sizeof *w->start);
    w->stages = gy_alloc_zero(members * w->ranges * sizeof *w->stages);
    w->chunks = (uint64_t)members * CHUNKS;
    gy_team_share(w->team, w->chunks, count_chunk, w);
    for (w->from = 0; w->from < w->ranges && !gy_disk_failed(&w->set->traffic); w->from = w->to) {
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

static void do_all(work *w)
{
    w->set->passes++;
    if (w->ranges == 1)
        do_alone(w, 0);
    else
        do_groups(w);
    gy_vec_free(&w->ends);
}

static void plan(work *w)
{
    bool easy = w->source->count < EASY && w->source->count < room_of(w);
    if (!easy || w->set->hostile)
        choose_ranges(w);
    w->ranges = w->ends.n + 1;
}

// ---- finding --------------------------------------------------------------------------

static void find_in(const gy_disk_run *run, const collection *c, const gy_disk_source *source)
{
    gy_disk_reader r;
    gy_disk_reader_init(&r, run);
    for (size_t i = 0; i < c->n && !r.done; i++) {
        gy_disk_seek(&r, c->list.number[i]);
        if (!r.done && r.number == c->list.number[i])
            source->found(source->of, c->list.beside[i]);
    }
    gy_disk_reader_free(&r);
}

static void find_range(const work *w, const collection *c, size_t range)
{
    const gy_disk_set *set = w->set;
    (void)range;
    for (size_t i = 0; i < set->runs.n && c->n && !gy_disk_failed(&set->traffic); i++)
        find_in(set->runs.at[i], c, w->source);
}

bool gy_disk_set_find(gy_disk_set *set, const gy_disk_source *source, gy_team *team)
{
    work w = {.set = set, .source = source, .team = team, .job = find_range, .with_places = true};
    if (!set->runs.n || !source->count)
        return !gy_disk_failed(&set->traffic);
    plan(&w);
    do_all(&w);
    return !gy_disk_failed(&set->traffic);
}

// ---- adding ---------------------------------------------------------------------------

typedef struct merging {
    gy_disk_reader *readers; // of all runs
    size_t kept, n;          // those before `kept` stay; the others become one
    const uint64_t *but, *but_end;
    gy_disk_writer *to;
} merging;

static bool stays_out(merging *m, uint64_t number)
{
    while (m->but < m->but_end && *m->but < number)
        m->but++;
    if (m->but < m->but_end && *m->but == number)
        return true;
    for (size_t i = 0; i < m->kept; i++) {
        gy_disk_seek(&m->readers[i], number);
        if (!m->readers[i].done && m->readers[i].number == number)
            return true;
    }
    return false;
}

// The reader that is at the least number up to `high`; NULL: none is.
static gy_disk_reader *least(const merging *m, uint64_t high)
{
    gy_disk_reader *best = NULL;
    for (size_t i = m->kept; i < m->n; i++) {
        gy_disk_reader *r = &m->readers[i];
        if (!r->done && r->number <= high && (!best || r->number < best->number))
            best = r;
    }
    return best;
}

static void merge(merging *m, const collection *c)
{
    const uint64_t *next = c->list.number, *end = next + c->n;
    for (gy_disk_reader *old = least(m, c->high); old || next < end;) {
        if (old && (next == end || old->number <= *next)) {
            next += next < end && *next == old->number;
            gy_disk_put(m->to, old->number);
            gy_disk_next(old);
            old = least(m, c->high);
        } else {
            if (!stays_out(m, *next))
                gy_disk_put(m->to, *next);
            next++;
        }
    }
}

static void add_range(const work *w, const collection *c, size_t range)
{
    const gy_disk_set *set = w->set;
    merging m = {.kept = w->merged_from,
                 .n = set->runs.n,
                 .but = w->but,
                 .but_end = w->but + w->but_count,
                 .to = &w->writers[range]};
    if (!m.to->to)
        gy_disk_writer_init(m.to, w->made);
    m.readers = gy_alloc((m.n + 1) * sizeof *m.readers);
    for (size_t i = 0; i < m.n; i++) {
        gy_disk_reader_init(&m.readers[i], set->runs.at[i]);
        gy_disk_seek(&m.readers[i], c->low);
    }
    merge(&m, c);
    if (c->high == range_high(w, range) || gy_disk_failed(&set->traffic))
        gy_disk_writer_end(m.to);
    for (size_t i = 0; i < m.n; i++)
        gy_disk_reader_free(&m.readers[i]);
    free(m.readers);
}

// Is there room for a copy of these runs, besides what else will be written?
static bool has_room(const gy_disk_set *set, size_t from)
{
    struct statvfs about;
    if (statvfs(set->folder, &about) != 0)
        return true; // it will be seen
    return bytes_of(set, from) < (uint64_t)about.f_bavail * about.f_frsize / 2;
}

// Which runs become one with what is added.
static size_t choose_merged(const gy_disk_set *set, uint64_t count)
{
    size_t from = set->runs.n;
    for (; from > 0 && set->runs.at[from - 1]->count <= MERGE * count; from--)
        count += set->runs.at[from - 1]->count;
    while (from < set->runs.n && !has_room(set, from))
        from++;
    return from;
}

// The new run takes the place of those that were merged.
static void replace(gy_disk_set *set, size_t from, gy_disk_run *run)
{
    uint64_t bytes = bytes_of(set, 0) + gy_disk_run_bytes(run);
    set->most = bytes > set->most ? bytes : set->most;
    for (size_t i = from; i < set->runs.n; i++)
        gy_disk_run_free(set->runs.at[i]);
    set->runs.n = from;
    if (run->count)
        gy_vec_push(&set->runs, run);
    else
        gy_disk_run_free(run);
}

bool gy_disk_set_add(gy_disk_set *set, const gy_disk_source *source, const uint64_t *but,
                     uint32_t but_count, gy_team *team)
{
    work w = {.set = set,
              .source = source,
              .team = team,
              .job = add_range,
              .but = but,
              .but_count = but_count};
    w.made = gy_disk_run_new(set->folder, &set->traffic);
    if (!w.made)
        return false;
    w.merged_from = choose_merged(set, source->count);
    plan(&w);
    w.writers = gy_alloc_zero(w.ranges * sizeof *w.writers);
    do_all(&w);
    for (size_t i = 0; i < w.ranges; i++) {
        gy_disk_index *index = &w.writers[i].index;
        for (size_t k = 0; k < index->n; k++)
            gy_vec_push(&w.made->index, index->at[k]);
        w.made->count += w.writers[i].count;
        gy_vec_free(index);
    }
    free(w.writers);
    if (gy_disk_failed(&set->traffic)) {
        gy_disk_run_free(w.made);
        return false;
    }
    replace(set, w.merged_from, w.made);
    return true;
}
