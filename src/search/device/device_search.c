#include "search/device/device_search.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NEW_EACH = 64, USUAL_NEW_EACH = 4, BATCH = 1 << 14 };
enum { MOST_PROBES = 1024, FEW_PROBES = 64 };
enum { TIMES = 8 };      // a table grows so many times as large
enum { LONG_STATE = 4 }; // 64-bit numbers: with more, good code takes the compiler too long
enum { THIN = 2048 };    // states of a level that one block does by itself

void gy_device_fail(gy_device_search *d)
{
    gy_run_fail(d->run, "the device failed: %s", d->device->problem);
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

uint64_t gy_device_others(const gy_device_search *d)
{
    gy_store_figures figures = {0};
    gy_numbered_look(d->others, &figures);
    return figures.states;
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
    d->tally[GY_TALLY_FULL_TABLE] = 0;
    if (!gy_device_write_tally(d) || !launch(d, GY_KERNEL_REHASH, &job, job.count) ||
        !gy_device_read(d))
        return false;
    if (d->tally[GY_TALLY_FULL_TABLE]) { // a name has no place: far too many are alike
        d->device->free(d->device, table, bytes);
        d->full_size = true;
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

// Room for what a part of a level may bring: more than it usually does. Where a table can't grow
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

uint64_t gy_device_part(gy_device_search *d, uint64_t number, uint64_t count, bool looking)
{
    if (count > d->device->chunk)
        count = d->device->chunk;
    for (;;) {
        if (!looking)
            count = fitting(d, number, count);
        if (!count) {
            gy_run_stop(d->run, GY_LIMIT_MEMORY);
            return 0;
        }
        if (!looking)
            prepare_table(d, count);
        if (d->run->stopped)
            return 0;
        uint64_t transitions = d->tally[GY_TALLY_TRANSITIONS];
        gy_device_job job = d->job;
        job.from = number % job.ring_size;
        job.count = count;
        job.limit = d->kept_from + job.ring_size;
        job.looking = looking;
        d->tally[GY_TALLY_LEFT] = d->tally[GY_TALLY_FULL_TABLE] = 0;
        d->launches++;
        if (!gy_device_write_tally(d) || !launch(d, GY_KERNEL_EXPAND, &job, count) ||
            !gy_device_read(d))
            return 0;
        bool again = d->tally[GY_TALLY_FULL_TABLE] || d->tally[GY_TALLY_LEFT] > GY_DEVICE_LEFT;
        if (d->tally[GY_TALLY_FULL_RING] || d->tally[GY_TALLY_FULL_PIECES] ||
            (d->tally[GY_TALLY_FULL_TABLE] && !grow_after_all(d))) {
            gy_run_stop(d->run, GY_LIMIT_MEMORY);
            return 0;
        }
        if (!again)
            break;
        // What was found stays found; what was counted is counted once more.
        d->tally[GY_TALLY_TRANSITIONS] = transitions;
        if (d->tally[GY_TALLY_LEFT] > GY_DEVICE_LEFT)
            count = count > GY_DEVICE_LEFT ? GY_DEVICE_LEFT : count;
    }
    return take_left(d) ? count : 0;
}

// Levels from a small one on, [from, to), done in one go; how many were. d->left holds what was
// handed back from the last one. 0: it is for gy_device_part.
static uint64_t several_levels(gy_device_search *d, uint64_t from, uint64_t to, uint64_t most)
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
    job.looking = 0;
    d->tally[GY_TALLY_LEFT] = d->tally[GY_TALLY_FULL_TABLE] = d->tally[GY_TALLY_LEVELS] = 0;
    d->launches++;
    if (!gy_device_write_tally(d) || !launch(d, GY_KERNEL_EXPAND, &job, 1) || !gy_device_read(d))
        return 0;
    uint64_t done = d->tally[GY_TALLY_LEVELS];
    if (d->tally[GY_TALLY_FULL_RING] || d->tally[GY_TALLY_FULL_PIECES])
        gy_run_stop(d->run, GY_LIMIT_MEMORY);
    bool again = d->tally[GY_TALLY_FULL_TABLE]; // the level behind these, some of which is there
    if (again)
        d->tally[GY_TALLY_LEFT] = 0;
    if (d->run->stopped || !done)
        return 0;
    if (!d->device->download(d->device, d->ends, job.ends, done * sizeof *d->ends)) {
        gy_device_fail(d);
        return 0;
    }
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
    job.ring = d->names;
    job.from = 0;
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

// ---- the host's part ----------------------------------------------------------------------------

static void flush(gy_device_search *d)
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
        d->tally[GY_TALLY_FULL_TABLE] = 0;
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
        memmove(d->batch.at, d->batch.at + now * parts,
                (d->batch.n - now * parts) * sizeof *d->batch.at);
        d->batch.n -= now * parts;
        n -= now;
    }
}

static int visit(void *user, const gy_transition *transition)
{
    gy_device_search *d = user;
    uint64_t packed[GY_DEVICE_MOST_PARTS], cost = gy_run_note(d->run, transition), id;
    d->any = true;
    if (transition->fault)
        gy_run_note_fault(d->run, transition->fault, d->ordinal, cost);
    d->ordinal++;
    if (!transition->state)
        return 0;
    d->transitions++;
    if (d->code->pack(d->code, transition->state, transition->words, packed)) {
        for (uint32_t k = 0; k < d->code->parts; k++)
            gy_vec_push(&d->batch, packed[k]);
    } else if (gy_numbered_enter(d->others, transition->state, transition->words, &id) ==
               GY_STORE_FULL)
        gy_run_stop(d->run, GY_LIMIT_MEMORY);
    return d->run->stopped;
}

// The state at hand is done by the virtual machine.
static void expand_here(gy_device_search *d, uint64_t level)
{
    gy_run *run = d->run;
    d->ordinal = 0;
    d->any = false;
    gy_successors(run->worker, d->state.at, (uint32_t)d->state.n, visit, d);
    if (d->silent)
        run->faults.n = 0;
    if (run->faults.n)
        gy_device_report(d, level, GY_FAULT_ATOMIC_LOOP);
    if (!d->any && !d->silent && gy_run_bad_end(run, d->state.at, (uint32_t)d->state.n))
        gy_device_report(d, level, GY_FAULT_NONE);
    if (d->batch.n >= (size_t)BATCH * d->code->parts)
        flush(d);
}

// What a part of a level handed back.
static void do_left(gy_device_search *d, uint64_t level)
{
    uint32_t parts = d->code->parts;
    if (!d->left.n || !gy_device_spell(d))
        return;
    // Reporting an error looks for a way to it, and so uses the lists.
    GY_VEC(uint64_t) left = {0}, bits = {0};
    gy_vec_reserve(&left, d->left.n);
    gy_vec_reserve(&bits, d->spelled.n);
    memcpy(left.at, d->left.at, d->left.n * sizeof *left.at);
    memcpy(bits.at, d->spelled.at, d->spelled.n * sizeof *bits.at);
    left.n = d->left.n;
    for (size_t i = 0; i < left.n && !d->run->stopped && !gy_run_tick(d->run); i++) {
        gy_device_recall(d, bits.at + i * parts);
        expand_here(d, level);
        if (d->any && (left.at[i] & GY_DEVICE_STUCK))
            gy_run_fail(d->run, "internal error: the device and the virtual machine disagree");
    }
    gy_vec_free(&left);
    gy_vec_free(&bits);
}

static void do_others(gy_device_search *d, uint64_t level)
{
    uint64_t end = gy_device_others(d);
    for (uint64_t id = d->other_levels.at[level]; id < end && !gy_run_tick(d->run); id++) {
        uint32_t words;
        const gy_word *state = gy_numbered_state(d->others, id, &words);
        gy_vec_reserve(&d->state, words);
        memcpy(d->state.at, state, words * sizeof *state);
        d->state.n = words;
        expand_here(d, level);
    }
}

// The figures of the search proper.
static void tell(gy_device_search *d)
{
    gy_run *run = d->run;
    if (d->silent || d->astray)
        return;
    run->states_so_far = d->tally[GY_TALLY_NEW] + gy_device_others(d);
    run->result->transitions = d->transitions + d->tally[GY_TALLY_TRANSITIONS];
    run->result->depth = d->levels.n ? d->levels.n - 1 : 0;
    run->result->by_transitions = true;
}

// The states [from, to) of a level.
static void do_level(gy_device_search *d, uint64_t level, uint64_t from, uint64_t to)
{
    gy_run *run = d->run;
    for (uint64_t at = from, done; at < to && !run->stopped && !d->astray; at += done) {
        done = gy_device_part(d, at, to - at, false);
        tell(d);
        do_left(d, level);
        tell(d);
        run->pending = d->tally[GY_TALLY_NEW] - at;
        if (gy_run_tick_slow(run))
            break;
    }
}

static void note_level(gy_device_search *d, uint64_t from, uint64_t other)
{
    gy_vec_push(&d->levels, from);
    gy_vec_push(&d->other_levels, other);
}

// Several levels, the first of which, [from, to), is noted already; none of them has states that
// the host keeps. Returns where the last one ends, or 0: nothing was done.
static uint64_t do_small_levels(gy_device_search *d, uint64_t from, uint64_t to, uint64_t most)
{
    uint64_t done = several_levels(d, from, to, most), others = gy_device_others(d);
    if (!done)
        return 0;
    for (uint64_t i = 0; i + 1 < done; i++) {
        note_level(d, to, others);
        to = d->ends[i];
    }
    tell(d);
    do_left(d, d->levels.n - 1);
    tell(d);
    d->run->pending = d->tally[GY_TALLY_NEW] - to;
    gy_run_tick_slow(d->run);
    return to;
}

// One level after the other, the initial states first, up to a level.
static void search_levels(gy_device_search *d, uint64_t last)
{
    gy_run *run = d->run;
    d->ordinal = 0;
    gy_initial(run->worker, visit, d);
    if (d->silent)
        run->faults.n = 0;
    if (run->faults.n)
        gy_device_report(d, 0, GY_FAULT_ATOMIC_LOOP);
    uint64_t from = 0, other = 0;
    while (!run->stopped && !d->astray) {
        flush(d);
        uint64_t to = d->level_end ? d->level_end : d->tally[GY_TALLY_NEW];
        uint64_t others = gy_device_others(d), level = d->levels.n;
        if (from == to && other == others)
            break;
        note_level(d, from, other);
        if (level == last)
            break;
        uint64_t end = 0;
        bool begun = d->level_end != 0;
        d->level_end = 0;
        if (from < to && other == others && !begun && !run->stopped)
            end = do_small_levels(d, from, to, last - level);
        if (!end && !run->stopped) {
            do_others(d, level);
            do_level(d, level, from, to);
            end = to;
        }
        from = end;
        other = others;
    }
    tell(d);
}

bool gy_device_again(gy_device_search *d, uint64_t level)
{
    gy_store_options wanted = {.budget = &d->run->budget, .hostile = d->run->options->hostile};
    uint64_t transitions = d->transitions;
    gy_numbered_free(d->others);
    d->others = gy_numbered_new(gy_store_kind_at(GY_STORE_PLAIN), &wanted);
    memset(d->tally, 0, sizeof d->tally);
    d->levels.n = d->other_levels.n = d->batch.n = 0;
    d->kept_from = d->level_end = 0;
    d->silent = d->astray = false;
    if (!d->others || !d->device->zero(d->device, d->job.table, d->table_bytes))
        return false;
    d->silent = true;
    search_levels(d, level);
    d->silent = false;
    d->astray = true;
    d->transitions = transitions;
    return !d->run->stopped && d->levels.n > level;
}

// ---- setting up
// -----------------------------------------------------------------------------------

static gy_device_address take(gy_device_search *d, uint64_t bytes)
{
    gy_device_address at = d->run->stopped ? 0 : d->device->alloc(d->device, bytes);
    if (!at && !d->run->stopped)
        gy_device_fail(d);
    d->device->memory -= bytes < d->device->memory ? bytes : d->device->memory;
    return at;
}

// An eighth of the memory for the ring, a tenth for pieces, most of the rest for the table.
static void set_up(gy_device_search *d)
{
    uint32_t parts = d->code->parts;
    uint64_t memory = d->device->memory / 16 * 15, piece = (parts + 1) / 2 * sizeof(uint64_t);
    gy_device_job *job = &d->job;
    job->buckets = d->run->options->hostile ? 1 : d->device->buckets;
    d->table_bytes = job->buckets * GY_DEVICE_BUCKET * sizeof(uint64_t);
    job->table = take(d, d->table_bytes);
    job->ring_size = memory / 8 / sizeof(uint64_t);
    d->ring_bytes = job->ring_size * sizeof(uint64_t);
    job->ring = take(d, d->ring_bytes);
    for (int i = 0; i < 2 && parts > 1; i++) {
        uint64_t count = memory / 20 / (piece + sizeof(uint32_t)), most = (1ull << 31) - 1;
        job->pieces[i] = count < most ? count : most;
        d->tag_bytes[i] = job->pieces[i] * sizeof(uint32_t);
        d->piece_bytes[i] = job->pieces[i] * piece;
        job->tag[i] = take(d, d->tag_bytes[i]);
        job->piece[i] = take(d, d->piece_bytes[i]);
    }
    job->left_room = GY_DEVICE_LEFT;
    job->left = take(d, GY_DEVICE_LEFT * sizeof(uint64_t));
    d->names = take(d, GY_DEVICE_LEFT * sizeof(uint64_t));
    d->bits = take(d, (uint64_t)GY_DEVICE_LEFT * parts * sizeof(uint64_t));
    job->tally = take(d, sizeof d->tally);
    job->cover = take(d, d->run->result->edge_count + 1);
    job->ends = take(d, sizeof d->ends);
}

// Of the ring, what was written.
static uint64_t device_bytes(const gy_device_search *d)
{
    uint64_t ring = d->tally[GY_TALLY_NEW] * sizeof(uint64_t), pieces = 0;
    for (int i = 0; i < 2; i++)
        pieces += d->tag_bytes[i] + d->piece_bytes[i];
    return d->table_bytes + (ring < d->ring_bytes ? ring : d->ring_bytes) + pieces;
}

static void clear_up(gy_device_search *d)
{
    gy_device *device = d->device;
    gy_device_job *job = &d->job;
    uint32_t parts = d->code->parts;
    device->free(device, job->table, d->table_bytes);
    device->free(device, job->ring, d->ring_bytes);
    for (int i = 0; i < 2; i++) {
        device->free(device, job->tag[i], d->tag_bytes[i]);
        device->free(device, job->piece[i], d->piece_bytes[i]);
    }
    device->free(device, job->left, GY_DEVICE_LEFT * sizeof(uint64_t));
    device->free(device, d->names, GY_DEVICE_LEFT * sizeof(uint64_t));
    device->free(device, d->bits, (uint64_t)GY_DEVICE_LEFT * parts * sizeof(uint64_t));
    device->free(device, job->tally, sizeof d->tally);
    device->free(device, job->cover, d->run->result->edge_count + 1);
    device->free(device, job->ends, sizeof d->ends);
    gy_vec_free(&d->levels);
    gy_vec_free(&d->other_levels);
    gy_vec_free(&d->batch);
    gy_vec_free(&d->left);
    gy_vec_free(&d->spelled);
    gy_vec_free(&d->state);
}

static void take_coverage(gy_device_search *d)
{
    uint32_t count = d->run->result->edge_count;
    uint8_t *cover = gy_alloc_zero(count + 1);
    if (d->device->download(d->device, cover, d->job.cover, count))
        for (uint32_t e = 0; e < count; e++)
            d->run->result->reached_edges[e] |= cover[e];
    free(cover);
}

// Returns how many times kernels were started to expand states.
static uint64_t search_on(gy_run *run, gy_device *device, gy_device_code *code)
{
    gy_device_search d = {.run = run, .device = device, .code = code};
    gy_store_options wanted = {.budget = &run->budget, .hostile = run->options->hostile};
    d.others = gy_numbered_new(gy_store_kind_at(GY_STORE_PLAIN), &wanted);
    if (!d.others)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    else
        set_up(&d);
    if (!run->stopped) {
        search_levels(&d, UINT64_MAX);
        take_coverage(&d);
        if (d.astray)
            gy_run_overflow(run,
                            "after an error, the device did not hold the way to it any more, and "
                            "had to search again for that: other errors were not looked for");
    }
    run->budget.peak += device_bytes(&d); // for the report
    clear_up(&d);
    gy_numbered_free(d.others);
    return d.launches;
}

// May be asked by any thread.
static bool is_over(void *of)
{
    const gy_run *run = of;
    const gy_search_options *options = run->options;
    return (options->interrupt && *options->interrupt) ||
           (options->time_limit > 0 && gy_clock() - run->started >= options->time_limit);
}

// Without a device, the processors do it; the report says why.
void gy_search_device(gy_run *run)
{
    char *problem = NULL;
    gy_text note = {0};
    gy_device_code *code = gy_device_code_new(run->system, &problem);
    gy_device *device = code ? gy_device_open(run->options->memory_limit, &problem) : NULL;
    if (device) {
        device->given_up = is_over;
        device->of = run;
    }
    bool hasty = code && code->parts > LONG_STATE;
    if (device && !device->compile(device, gy_text_str(&code->source), hasty)) {
        problem = strdup(device->problem);
        gy_device_close(device);
        device = NULL;
    }
    free(run->result->device_note);
    if (device) {
        run->result->on_device = true;
        uint64_t launches = search_on(run, device, code);
        gy_text_printf(&note, "searched on %s (code for it %sin %.2f s; %llu launches)",
                       device->name, device->from_cache ? "from the cache " : "",
                       device->compile_seconds, (unsigned long long)launches);
    } else
        gy_text_printf(&note, "no graphics processor was used: %s", problem);
    run->result->device_note = gy_text_take(&note);
    if (!device)
        gy_search_bfs(run);
    free(problem);
    gy_device_code_free(code);
    gy_device_close(device);
}
