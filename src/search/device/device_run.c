// A search on a device, from the opening of the device to its closing.
#include "search/device/device_search.h"

#include "reduce/build_stubborn_table.h"
#include "search/safety/reach_parts.h"

#include "base/clock.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_STATE = 4 }; // 64-bit numbers: with more, good code takes the compiler too long

static gy_device_address take(gy_device_search *d, uint64_t bytes)
{
    gy_device_address at = d->run->stopped ? 0 : d->device->alloc(d->device, bytes);
    if (!at && !d->run->stopped)
        gy_device_fail(d);
    d->device->memory -= bytes < d->device->memory ? bytes : d->device->memory;
    return at;
}

// An eighth of the memory for the ring, a tenth for pieces, most of the rest for the table. Where
// the ring holds states, there are no pieces, and it gets a third.
static void set_up(gy_device_search *d)
{
    uint32_t parts = d->code->parts;
    uint64_t memory = d->device->memory / 16 * 15, piece = (parts + 1) / 2 * sizeof(uint64_t);
    gy_device_job *job = &d->job;
    job->buckets = d->run->options->hostile ? 1 : d->device->buckets;
    while (job->buckets > 1 && job->buckets * GY_DEVICE_BUCKET * sizeof(uint64_t) > memory / 4)
        job->buckets /= 2;
    d->table_bytes = job->buckets * GY_DEVICE_BUCKET * sizeof(uint64_t);
    job->table = take(d, d->table_bytes);
    uint64_t each = (d->code->compact ? parts : 1) * sizeof(uint64_t);
    job->ring_size = memory / (d->code->compact ? 3 : 8) / each;
    d->ring_bytes = job->ring_size * each;
    job->ring = take(d, d->ring_bytes);
    for (int i = 0; i < 2 && parts > 1 && !d->code->compact; i++) {
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
    uint64_t each = (d->code->compact ? d->code->parts : 1) * sizeof(uint64_t);
    uint64_t ring = d->tally[GY_TALLY_NEW] * each, pieces = 0;
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
    gy_vec_free(&d->target);
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
    gy_device_search d = {
        .run = run, .device = device, .code = code, .product = run->options->device_product};
    gy_store_options wanted = {.budget = &run->budget, .hostile = run->options->hostile};
    d.others = gy_numbered_new(gy_store_kind_at(gy_store_kind_quick()), &wanted);
    d.walker = gy_run_new_worker(run);
    if (!d.others)
        gy_run_stop(run, GY_LIMIT_MEMORY);
    else if (code->chooses && !gy_device_proviso_init(&d))
        gy_run_stop(run, GY_LIMIT_MEMORY);
    else
        set_up(&d);
    if (!run->stopped) {
        gy_device_search_levels(&d, UINT64_MAX);
        take_coverage(&d);
        if (d.astray)
            gy_run_overflow(run, "the GPU had to search again for the path to the error that was "
                                 "found: other errors were not searched for");
    }
    run->budget.peak += device_bytes(&d); // for the report
    if (code->compact) {
        double n = (double)d.tally[GY_TALLY_NEW];
        run->seen.omission_probability = -expm1(-n * n / 2 / ldexp(1, GY_DEVICE_HASH_BITS));
    }
    clear_up(&d);
    gy_worker_free(d.walker);
    gy_device_proviso_free(&d);
    gy_numbered_free(d.others);
    return d.launches;
}

// May be asked by any thread.
static bool is_over(void *of)
{
    return gy_run_is_late(of);
}

// Less than half of what the device has was free: the next program may not have left much.
static bool lacks_memory(const gy_run *run, const gy_device *device)
{
    return run->result->completeness == GY_LIMIT_MEMORY && !run->options->memory_limit &&
           device->free_at_start < device->all_memory / 2;
}

// What became of it, for people.
static void note_outcome(gy_run *run, const gy_device *device, uint64_t launches)
{
    gy_search_result *result = run->result;
    gy_text note = {0};
    if (lacks_memory(run, device)) {
        result->no_device = true;
        gy_text_printf(&note,
                       "the GPU ran out of memory (%llu of its %llu MB were free) "
                       "after %llu states",
                       (unsigned long long)device->free_at_start >> 20,
                       (unsigned long long)device->all_memory >> 20,
                       (unsigned long long)run->states_so_far);
    } else if (result->no_device)
        gy_text_printf(&note, "the GPU failed after %llu states: %s",
                       (unsigned long long)run->states_so_far, device->problem);
    else
        gy_text_printf(&note, "searched on %s (code for it %sin %.2f s; %llu launches)",
                       device->name, device->from_cache ? "from the cache " : "",
                       device->compile_seconds, (unsigned long long)launches);
    result->device_note = gy_text_take(&note);
}

static gy_device *prepare(gy_run *run, const gy_device_code *code, char **problem)
{
    gy_device *device = gy_device_open(run->options->memory_limit, problem);
    if (!device)
        return NULL;
    device->given_up = is_over;
    device->of = run;
    // With choices there is more of it, and the time goes elsewhere.
    bool hasty = code->parts > LONG_STATE || code->chooses;
    if (device->compile(device, gy_text_str(&code->source), hasty))
        return device;
    *problem = strdup(device->problem);
    gy_device_close(device);
    return NULL;
}

void gy_search_device(gy_run *run)
{
    gy_search_result *result = run->result;
    char *problem = NULL;
    const gy_device_product *product = run->options->device_product;
    bool compact = gy_store_kind_at(run->options->store)->traits.hashes;
    struct gy_choice_maker *choices =
        run->reducer && !compact
            ? gy_choice_maker_new(run->reduction, GY_REACH_BATCH, &result->not_reduced)
            : NULL;
    gy_device_wants wants = {
        .monitor = product ? &product->monitor->table : NULL,
        .orbits = run->symmetry ? run->symmetry->orbits : NULL,
        .choices = choices,
        .compact = compact,
    };
    gy_device_code *code = gy_device_code_new(run->system, &wants, &problem);
    gy_device *device = code ? prepare(run, code, &problem) : NULL;
    gy_choice_maker_free(choices);
    result->reduced = code && code->chooses;
    if (run->reducer && compact)
        result->not_reduced = "not on a GPU with --store compact";
    if (run->reducer && choices && code && !code->chooses)
        result->not_reduced = "on a GPU: the states that its code supports have one process, or "
                              "the dependence of processes differs from state to state";
    free(result->device_note);
    result->device_note = NULL;
    if (device) {
        result->on_device = true;
        uint64_t launches = search_on(run, device, code);
        note_outcome(run, device, launches);
    } else if (!gy_run_tick_slow(run)) {
        gy_text note = {0};
        result->no_device = true;
        gy_text_printf(&note, "no GPU was used: %s", problem);
        result->device_note = gy_text_take(&note);
        gy_run_overflow(run, problem);
    }
    free(problem);
    gy_device_code_free(code);
    gy_device_close(device);
}
