#include "store/disk_set.h"

#include "store/disk_pass.h"

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
    MERGE = 2,              // runs up to so many times as large as what is added are merged
};

struct gy_disk_set {
    char *folder;
    unsigned threads;
    bool hostile;
    gy_region room;             // in equal parts, by member
    size_t part;                // bytes
    GY_VEC(gy_disk_run *) runs; // the oldest first
    gy_disk_traffic traffic;
    uint64_t most;
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
        .most = set->most,
        .written = atomic_load_explicit(&set->traffic.written, memory_order_relaxed),
        .read = atomic_load_explicit(&set->traffic.read, memory_order_relaxed),
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
        gy_text_add(out, "the data that was read differs from the data that was written");
}

bool gy_disk_set_interrupted(const gy_disk_set *set)
{
    return atomic_load_explicit(&set->traffic.error, memory_order_relaxed) == EINTR;
}

bool gy_disk_set_late(const gy_disk_set *set)
{
    return atomic_load_explicit(&set->traffic.error, memory_order_relaxed) == ETIME;
}

static gy_disk_pass new_pass(gy_disk_set *set, const gy_disk_source *source, gy_team *team)
{
    return (gy_disk_pass){.source = source,
                          .team = team,
                          .threads = set->threads,
                          .room = set->room.at,
                          .bytes = set->part * set->threads,
                          .hostile = set->hostile,
                          .traffic = &set->traffic};
}

// ---- finding --------------------------------------------------------------------------

typedef struct looking {
    const gy_disk_set *set;
    const gy_disk_source *source;
} looking;

static void find_in(const gy_disk_run *run, const gy_disk_portion *p, const gy_disk_source *source)
{
    gy_disk_reader r;
    gy_disk_reader_init(&r, run);
    for (size_t i = 0; i < p->n && !r.done; i++) {
        gy_disk_seek(&r, p->list.number[i]);
        if (!r.done && r.number == p->list.number[i])
            source->found(source->of, p->list.beside[i]);
    }
    gy_disk_reader_free(&r);
}

static void find_portion(void *user, const gy_disk_portion *p)
{
    const looking *l = user;
    const gy_disk_set *set = l->set;
    for (size_t i = 0; i < set->runs.n && p->n && !gy_disk_failed(&set->traffic); i++)
        find_in(set->runs.at[i], p, l->source);
}

bool gy_disk_set_find(gy_disk_set *set, const gy_disk_source *source, gy_team *team)
{
    looking l = {set, source};
    if (!set->runs.n || !source->count)
        return !gy_disk_failed(&set->traffic);
    gy_disk_pass pass = new_pass(set, source, team);
    pass.with_places = true;
    pass.job = find_portion;
    pass.user = &l;
    gy_disk_pass_plan(&pass);
    gy_disk_pass_run(&pass);
    return !gy_disk_failed(&set->traffic);
}

// ---- adding ---------------------------------------------------------------------------

typedef struct adding {
    const gy_disk_set *set;
    const uint64_t *but;
    uint32_t but_count;
    size_t merged_from; // the first of the runs that are merged
    gy_disk_run *made;
    gy_disk_writer *writers; // by range
} adding;

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

static void merge(merging *m, const gy_disk_portion *p)
{
    const uint64_t *next = p->list.number, *end = next + p->n;
    for (gy_disk_reader *old = least(m, p->high); old || next < end;) {
        if (old && (next == end || old->number <= *next)) {
            next += next < end && *next == old->number;
            gy_disk_put(m->to, old->number);
            gy_disk_next(old);
            old = least(m, p->high);
        } else {
            if (!stays_out(m, *next))
                gy_disk_put(m->to, *next);
            next++;
        }
    }
}

static void add_portion(void *user, const gy_disk_portion *p)
{
    const adding *a = user;
    const gy_disk_set *set = a->set;
    merging m = {.kept = a->merged_from,
                 .n = set->runs.n,
                 .but = a->but,
                 .but_end = a->but + a->but_count,
                 .to = &a->writers[p->range]};
    if (!m.to->to)
        gy_disk_writer_init(m.to, a->made);
    m.readers = gy_alloc((m.n + 1) * sizeof *m.readers);
    for (size_t i = 0; i < m.n; i++) {
        gy_disk_reader_init(&m.readers[i], set->runs.at[i]);
        gy_disk_seek(&m.readers[i], p->low);
    }
    merge(&m, p);
    if (p->last || gy_disk_failed(&set->traffic))
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
    adding a = {.set = set, .but = but, .but_count = but_count};
    a.made = gy_disk_run_new(set->folder, &set->traffic);
    if (!a.made)
        return false;
    a.merged_from = choose_merged(set, source->count);
    gy_disk_pass pass = new_pass(set, source, team);
    pass.job = add_portion;
    pass.user = &a;
    size_t ranges = gy_disk_pass_plan(&pass);
    a.writers = gy_alloc_zero(ranges * sizeof *a.writers);
    gy_disk_pass_run(&pass);
    for (size_t i = 0; i < ranges; i++) {
        gy_disk_index *index = &a.writers[i].index;
        for (size_t k = 0; k < index->n; k++)
            gy_vec_push(&a.made->index, index->at[k]);
        a.made->count += a.writers[i].count;
        gy_vec_free(index);
    }
    free(a.writers);
    if (gy_disk_failed(&set->traffic)) {
        gy_disk_run_free(a.made);
        return false;
    }
    replace(set, a.merged_from, a.made);
    return true;
}
