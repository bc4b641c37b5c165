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

// ---- ranges ---------------------------------------------------------------------------
//
// A task is a range of numbers. Whoever does it goes through the whole source and keeps what is in
// the range. If that turns out to be more than there is room for, it does the lower part first and
// comes back for the rest.

typedef struct collection {
    uint64_t low, high; // both included
    gy_sortable list, spare;
    size_t n, room;
} collection;

typedef struct work {
    gy_disk_set *set;
    const gy_disk_source *source;
    GY_VEC(uint64_t) ends; // the last number of each task but the last
    // Of what is added:
    const uint64_t *but;
    uint32_t but_count;
    gy_disk_run *to;
    size_t merged_from;      // the first of the runs that are merged
    gy_disk_writer *writers; // by task
} work;

// The lower half stays.
static void narrow(collection *c)
{
    gy_sort(c->list, c->spare, c->n);
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

static collection new_collection(const gy_disk_set *set, unsigned member, bool with_places)
{
    unsigned lists = with_places ? 4 : 2;
    collection c = {.room = set->part / lists / sizeof(uint64_t)};
    uint64_t *at = (uint64_t *)((char *)set->room.at + set->part * member);
    c.list.number = at;
    c.spare.number = at + c.room;
    if (with_places) {
        c.list.beside = at + 2 * c.room;
        c.spare.beside = at + 3 * c.room;
    }
    return c;
}

// Some of what is in [low, high], sorted, all of it up to c->high.
static void fill(collection *c, const gy_disk_source *source, uint64_t low, uint64_t high)
{
    c->low = low;
    c->high = high;
    c->n = 0;
    for (uint64_t i = 0; i < source->pieces; i++)
        source->each(source->of, i, collect, c);
    gy_sort(c->list, c->spare, c->n);
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

// As many tasks as it takes for each to fit, a few more for luck, and one for each member.
static void plan_tasks(work *w, bool with_places)
{
    const gy_disk_source *source = w->source;
    sampling s = {0};
    uint64_t room = new_collection(w->set, 0, with_places).room;
    uint64_t tasks = source->count / (room - room / 8) + 1;
    tasks = (tasks + w->set->threads - 1) / w->set->threads * w->set->threads;
    if (source->count < EASY && source->count < room && !w->set->hostile)
        tasks = 1;
    uint64_t step = source->pieces / SAMPLED_PIECES + 1;
    for (uint64_t i = 0; i < source->pieces && tasks > 1; i += step) {
        s.of_piece = 0;
        source->each(source->of, i, take_some, &s);
    }
    if (s.taken.n)
        qsort(s.taken.at, s.taken.n, sizeof *s.taken.at, compare);
    for (uint64_t i = 1; i < tasks && s.taken.n; i++) {
        uint64_t end = s.taken.at[s.taken.n * i / tasks];
        if (end < UINT64_MAX && (!w->ends.n || end > w->ends.at[w->ends.n - 1]))
            gy_vec_push(&w->ends, end);
    }
    gy_vec_free(&s.taken);
}

static uint64_t task_low(const work *w, uint64_t task)
{
    return task ? w->ends.at[task - 1] + 1 : 0;
}

static uint64_t task_high(const work *w, uint64_t task)
{
    return task < w->ends.n ? w->ends.at[task] : UINT64_MAX;
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

static void find_range(void *user, unsigned member, uint64_t task)
{
    const work *w = user;
    const gy_disk_set *set = w->set;
    collection c = new_collection(set, member, true);
    uint64_t low = task_low(w, task), high = task_high(w, task);
    for (;;) {
        fill(&c, w->source, low, high);
        for (size_t i = 0; i < set->runs.n && !gy_disk_failed(&set->traffic); i++)
            find_in(set->runs.at[i], &c, w->source);
        if (c.high == high || gy_disk_failed(&set->traffic))
            break;
        low = c.high + 1;
    }
}

bool gy_disk_set_find(gy_disk_set *set, const gy_disk_source *source, gy_team *team)
{
    work w = {.set = set, .source = source};
    if (!set->runs.n || !source->count)
        return !gy_disk_failed(&set->traffic);
    set->passes++;
    plan_tasks(&w, true);
    gy_team_share(team, w.ends.n + 1, find_range, &w);
    gy_vec_free(&w.ends);
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
    const uint64_t *new = c->list.number, *end = new + c->n;
    for (gy_disk_reader *old = least(m, c->high); old || new < end;) {
        if (old && (new == end || old->number <= *new)) {
            new += new < end &&*new == old->number;
            gy_disk_put(m->to, old->number);
            gy_disk_next(old);
            old = least(m, c->high);
        } else {
            if (!stays_out(m, *new))
                gy_disk_put(m->to, *new);
            new ++;
        }
    }
}

static void add_range(void *user, unsigned member, uint64_t task)
{
    const work *w = user;
    const gy_disk_set *set = w->set;
    collection c = new_collection(set, member, false);
    merging m = {.kept = w->merged_from,
                 .n = set->runs.n,
                 .but = w->but,
                 .but_end = w->but + w->but_count,
                 .to = &w->writers[task]};
    uint64_t low = task_low(w, task), high = task_high(w, task);
    gy_disk_writer_init(m.to, w->to);
    m.readers = gy_alloc((m.n + 1) * sizeof *m.readers);
    for (size_t i = 0; i < m.n; i++) {
        gy_disk_reader_init(&m.readers[i], set->runs.at[i]);
        gy_disk_seek(&m.readers[i], low);
    }
    for (;;) {
        fill(&c, w->source, low, high);
        merge(&m, &c);
        if (c.high == high || gy_disk_failed(&set->traffic))
            break;
        low = c.high + 1;
    }
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
    work w = {.set = set, .source = source, .but = but, .but_count = but_count};
    gy_disk_run *run = gy_disk_run_new(set->folder, &set->traffic);
    if (!run)
        return false;
    set->passes++;
    w.merged_from = choose_merged(set, source->count);
    plan_tasks(&w, false);
    size_t tasks = w.ends.n + 1;
    w.to = run;
    w.writers = gy_alloc_zero(tasks * sizeof *w.writers);
    gy_team_share(team, tasks, add_range, &w);
    for (size_t i = 0; i < tasks; i++) {
        gy_disk_index *index = &w.writers[i].index;
        for (size_t k = 0; k < index->n; k++)
            gy_vec_push(&run->index, index->at[k]);
        run->count += w.writers[i].count;
        gy_vec_free(index);
    }
    free(w.writers);
    gy_vec_free(&w.ends);
    if (gy_disk_failed(&set->traffic)) {
        gy_disk_run_free(run);
        return false;
    }
    replace(set, w.merged_from, run);
    return true;
}
