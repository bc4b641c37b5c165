// What kernels do: parts of a level, several small levels, states that the host has made; and the
// room for it. See device_search.h.
#include "search/device/device_search.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NEW_EACH = 64, USUAL_NEW_EACH = 4 };
enum { MOST_PROBES = 1024, FEW_PROBES = 64 };
enum { TIMES = 8 };   // a table grows so many times as large
enum { THIN = 2048 }; // states of a level that one block does by itself

// The CPU threads can still do it.
void gy_device_fail(gy_device_search *d)
{
    d->run->result->no_device = true;
    gy_run_overflow(d->run, d->device->problem);
}

bool gy_device_read(gy_device_search *d)
{
    if (d->device->download(d->device, d->tally, d->job.tally, sizeof d->tally))
        return true;
    gy_device_fail(d);
    return false;
}

bool gy_device_write_tally(gy_device_search *d)
{
    if (d->device->upload(d->device, d->job.tally, d->tally, sizeof d->tally))
        return true;
    gy_device_fail(d);
    return false;
}

// A device that has not done all that it was asked to do cannot be relied on.
bool gy_device_has_done(gy_device_search *d, uint64_t things)
{
    if (d->tally[GY_TALLY_DONE] == things)
        return true;
    snprintf(d->device->problem, sizeof d->device->problem,
             "it has done %llu things where there were %llu",
             (unsigned long long)d->tally[GY_TALLY_DONE], (unsigned long long)things);
    gy_device_fail(d);
    return false;
}

static bool launch(gy_device_search *d, gy_device_kernel kernel, const gy_device_job *job,
                   uint64_t things)
{
    if (d->device->launch(d->device, kernel, job, things))
        return true;
    gy_device_fail(d);
    return false;
}

// ---- room -----------------------------------------------------------------------------------

static uint64_t slots(const gy_device_search *d)
{
    return d->job.buckets * GY_DEVICE_BUCKET;
}

// Names that the table takes without being short of room. For tests: it finds out when it is full.
static uint64_t enough_names(const gy_device_search *d)
{
    return d->run->options->hostile ? UINT64_MAX : slots(d) / 8 * 5;
}

// A larger table, for so many names. False: there is no room for one. While the old one is still
// there, no more than what is left can be had; so the last step but one takes all of it.
static bool grow_table(gy_device_search *d, uint64_t names)
{
    uint64_t bucket = GY_DEVICE_BUCKET * sizeof(uint64_t);
    uint64_t bytes = d->table_bytes * (d->run->options->hostile ? 2 : TIMES),
             room = d->device->memory / 32 * 31;
    while (bytes / sizeof(uint64_t) / 2 < names)
        bytes *= 2;
    if (bytes > room / 4)
        bytes = room;
    gy_device_address table = 0;
    bytes -= bytes % bucket;
    while (bytes > d->table_bytes && !(table = d->device->alloc(d->device, bytes)))
        bytes = (bytes - bytes / 8) / bucket * bucket;
    d->full_size = !table;
    if (!table)
        return false;
    gy_device_job job = d->job;
    job.table = table;
    job.buckets = bytes / bucket;
    job.left = d->job.table;
    job.count = slots(d);
    job.probes = MOST_PROBES;
    d->tally[GY_TALLY_FULL_TABLE] = d->tally[GY_TALLY_DONE] = 0;
    if (!gy_device_write_tally(d) || !launch(d, GY_KERNEL_REHASH, &job, job.count) ||
        !gy_device_read(d))
        return false;
    if (d->tally[GY_TALLY_FULL_TABLE]) { // a name has no place: far too many are alike
        d->device->free(d->device, table, bytes);
        d->full_size = true;
        return false;
    }
    if (!gy_device_has_done(d, d->tally[GY_TALLY_NEW])) {
        d->device->free(d->device, table, bytes);
        return false;
    }
    d->device->memory =
        d->device->memory + d->table_bytes > bytes ? d->device->memory + d->table_bytes - bytes : 0;
    d->device->free(d->device, d->job.table, d->table_bytes);
    d->job.table = table;
    d->job.buckets = job.buckets;
    d->table_bytes = bytes;
    return true;
}

// Room for what a part of a level may bring: more than it usually does. Where a table cannot grow
// any more, names look further for a slot.
static void prepare_table(gy_device_search *d, uint64_t count)
{
    uint64_t wanted = d->tally[GY_TALLY_NEW] + count * USUAL_NEW_EACH;
    if (wanted > enough_names(d) && !d->full_size)
        grow_table(d, wanted);
    d->job.probes = d->full_size ? MOST_PROBES : d->run->options->hostile ? 1 : FEW_PROBES;
}

// How many states of a part of a level may be done at once: each may bring many new ones. When the
// ring gets full, the older half of what it holds goes, but nothing that is still to be done.
static uint64_t fitting(gy_device_search *d, uint64_t number, uint64_t count)
{
    uint64_t tail = d->tally[GY_TALLY_NEW], size = d->job.ring_size;
    uint64_t least = count < size / 16 / MOST_NEW_EACH ? count : size / 16 / MOST_NEW_EACH;
    uint64_t room = (d->kept_from + size - tail) / MOST_NEW_EACH;
    if (room < least) {
        uint64_t half = tail > size / 2 ? tail - size / 2 : 0;
        half = half < number ? half : number;
        d->kept_from = half > d->kept_from ? half : d->kept_from;
        room = (d->kept_from + size - tail) / MOST_NEW_EACH;
    }
    return count < room ? count : room;
}

// A name found no slot. False: there never will be one.
static bool grow_after_all(gy_device_search *d)
{
    if (d->job.probes < MOST_PROBES && d->full_size) {
        d->job.probes = MOST_PROBES;
        return true;
    }
    return !d->full_size && (grow_table(d, d->tally[GY_TALLY_NEW]) || !d->run->stopped);
}

// ---- parts of a level -------------------------------------------------------------------------

static bool take_left(gy_device_search *d)
{
    d->left.n = d->tally[GY_TALLY_LEFT];
    gy_vec_reserve(&d->left, d->left.n + 1);
    if (!d->left.n ||
        d->device->download(d->device, d->left.at, d->job.left, d->left.n * sizeof *d->left.at))
        return true;
    gy_device_fail(d);
    return false;
}

uint64_t gy_device_part(gy_device_search *d, uint64_t number, uint64_t count, gy_device_mode mode,
                        gy_device_address list)
{
    bool enters = mode == GY_DEVICE_SEARCH || mode == GY_DEVICE_REST;
    uint64_t room = mode == GY_DEVICE_REPORT ? GY_DEVICE_LEFT / 2 : GY_DEVICE_LEFT;
    if (count > d->device->chunk)
        count = d->device->chunk;
    for (;;) {
        if (enters)
            count = fitting(d, number, count);
        if (!count) {
            gy_run_stop(d->run, GY_LIMIT_MEMORY);
            return 0;
        }
        if (enters)
            prepare_table(d, count);
        if (d->run->stopped)
            return 0;
        uint64_t transitions = d->tally[GY_TALLY_TRANSITIONS];
        uint64_t reduced = d->tally[GY_TALLY_REDUCED], folded = d->tally[GY_TALLY_FOLDED];
        gy_device_job job = d->job;
        job.from = number % job.ring_size;
        job.count = count;
        job.limit = d->kept_from + job.ring_size;
        job.mode = mode;
        job.list = list;
        d->tally[GY_TALLY_LEFT] = d->tally[GY_TALLY_FULL_TABLE] = d->tally[GY_TALLY_DONE] = 0;
        d->launches++;
        if (!gy_device_write_tally(d) || !launch(d, GY_KERNEL_EXPAND, &job, count) ||
            !gy_device_read(d))
            return 0;
        bool again = d->tally[GY_TALLY_FULL_TABLE] || d->tally[GY_TALLY_LEFT] > room;
        if (d->tally[GY_TALLY_FULL_RING] || d->tally[GY_TALLY_FULL_PIECES] ||
            (d->tally[GY_TALLY_FULL_TABLE] && !grow_after_all(d))) {
            gy_run_stop(d->run, GY_LIMIT_MEMORY);
            return 0;
        }
        if (!again && !gy_device_has_done(d, count))
            return 0;
        if (!again)
            break;
        // What was found stays found; what was counted is counted once more.
        d->tally[GY_TALLY_TRANSITIONS] = transitions;
        d->tally[GY_TALLY_REDUCED] = reduced;
        d->tally[GY_TALLY_FOLDED] = folded;
        if (d->tally[GY_TALLY_LEFT] > room) {
            if (mode == GY_DEVICE_REPORT && count == 1) { // more than can be reported of one
                gy_run_stop(d->run, GY_LIMIT_MEMORY);
                return 0;
            }
            count = mode == GY_DEVICE_REPORT ? (count + 1) / 2 : count > room ? room : count;
        }
    }
    if (mode == GY_DEVICE_REPORT)
        d->tally[GY_TALLY_LEFT] *= 2;
    return take_left(d) ? count : 0;
}

uint64_t gy_device_several(gy_device_search *d, uint64_t from, uint64_t to, uint64_t most)
{
    uint64_t ring = d->kept_from + d->job.ring_size, margin = (uint64_t)THIN * MOST_NEW_EACH;
    uint64_t enough = ring > margin ? ring - margin : 0; // what the ring has no room for is lost
    enough = enough < enough_names(d) ? enough : enough_names(d);
    if (to - from > THIN || to > enough)
        return 0;
    gy_device_job job = d->job;
    job.from = from % job.ring_size;
    job.count = to - from;
    job.first = from;
    job.limit = ring;
    job.levels = most < GY_DEVICE_LEVELS ? most : GY_DEVICE_LEVELS;
    job.thin = THIN;
    job.enough = enough;
    job.mode = GY_DEVICE_SEARCH;
    d->tally[GY_TALLY_LEFT] = d->tally[GY_TALLY_FULL_TABLE] = d->tally[GY_TALLY_LEVELS] = 0;
    d->tally[GY_TALLY_DONE] = 0;
    d->launches++;
    if (!gy_device_write_tally(d) || !launch(d, GY_KERNEL_EXPAND, &job, 1) || !gy_device_read(d))
        return 0;
    uint64_t done = d->tally[GY_TALLY_LEVELS];
    if (d->tally[GY_TALLY_FULL_RING] || d->tally[GY_TALLY_FULL_PIECES])
        gy_run_stop(d->run, GY_LIMIT_MEMORY);
    bool again = d->tally[GY_TALLY_FULL_TABLE]; // the level after these, some of which is there
    if (again)
        d->tally[GY_TALLY_LEFT] = 0;
    if (!done && !again && !d->run->stopped)
        gy_device_has_done(d, to - from); // nothing was
    if (d->run->stopped || !done)
        return 0;
    if (!d->device->download(d->device, d->ends, job.ends, done * sizeof *d->ends)) {
        gy_device_fail(d);
        return 0;
    }
    if (!gy_device_has_done(d, (done > 1 ? d->ends[done - 2] : to) - from))
        return 0;
    d->level_end = again ? d->ends[done - 1] : 0;
    return take_left(d) ? done : 0;
}

bool gy_device_spell(gy_device_search *d)
{
    uint32_t parts = d->code->parts;
    uint64_t n = d->left.n;
    gy_vec_reserve(&d->spelled, n * parts + 1);
    d->spelled.n = n * parts;
    if (!n)
        return true;
    GY_VEC(uint64_t) names = {0};
    gy_vec_reserve(&names, n);
    for (uint64_t i = 0; i < n; i++)
        names.at[i] = d->left.at[i] & ~GY_DEVICE_STUCK;
    gy_device_job job = d->job;
    job.list = d->names;
    job.count = n;
    job.left = d->bits;
    bool good = d->device->upload(d->device, d->names, names.at, n * sizeof *names.at) &&
                d->device->launch(d->device, GY_KERNEL_SPELL, &job, n) &&
                d->device->download(d->device, d->spelled.at, d->bits,
                                    d->spelled.n * sizeof *d->spelled.at);
    gy_vec_free(&names);
    if (!good)
        gy_device_fail(d);
    return good;
}

void gy_device_recall(gy_device_search *d, const uint64_t *bits)
{
    gy_vec_reserve(&d->state, d->code->most_words);
    d->state.n = d->code->unpack(d->code, bits, d->state.at);
}

// ---- states that the host has made --------------------------------------------------------------

void gy_device_flush(gy_device_search *d)
{
    uint32_t parts = d->code->parts;
    uint64_t n = d->batch.n / parts, room = GY_DEVICE_LEFT;
    while (d->batch.n && !d->run->stopped) {
        uint64_t now = n < room ? n : room;
        prepare_table(d, now);
        gy_device_job job = d->job;
        job.left = d->bits;
        job.count = now;
        job.limit = d->kept_from + job.ring_size;
        d->tally[GY_TALLY_FULL_TABLE] = d->tally[GY_TALLY_DONE] = 0;
        if (!d->device->upload(d->device, d->bits, d->batch.at, now * parts * sizeof(uint64_t))) {
            gy_device_fail(d);
            return;
        }
        if (!gy_device_write_tally(d) || !launch(d, GY_KERNEL_INSERT, &job, now) ||
            !gy_device_read(d))
            return;
        bool again = d->tally[GY_TALLY_FULL_TABLE];
        if (d->tally[GY_TALLY_FULL_RING] || d->tally[GY_TALLY_FULL_PIECES] ||
            (again && !grow_after_all(d))) {
            gy_run_stop(d->run, GY_LIMIT_MEMORY);
            return;
        }
        if (again)
            continue; // once more, into the larger one
        if (!gy_device_has_done(d, now))
            return;
        memmove(d->batch.at, d->batch.at + now * parts,
                (d->batch.n - now * parts) * sizeof *d->batch.at);
        d->batch.n -= now * parts;
        n -= now;
    }
}
