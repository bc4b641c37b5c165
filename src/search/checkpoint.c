// See checkpoint.h. Order in the file: version, fingerprint, what engines share,
// store, engine.
#include "search/checkpoint.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 7 };

// ---- fingerprints -------------------------------------------------------------------

static int hash_initial(void *user, const gy_transition *transition)
{
    uint64_t *hash = user;
    if (transition->state)
        *hash = gy_hash_words(transition->state, transition->words, *hash + 1);
    return 0;
}

uint64_t gy_checkpoint_hash_model(gy_system *system, gy_worker *worker, uint64_t hash)
{
    for (uint32_t i = 0; i < gy_edge_count(system); i++) {
        gy_edge_facts facts;
        if (!gy_edge_info(system, (int32_t)i, &facts))
            continue;
        int64_t where[] = {facts.from, facts.to, facts.keeps_atomic, facts.line};
        hash = gy_hash_bytes(where, sizeof where, hash);
        if (facts.text)
            hash = gy_hash_bytes(facts.text, strlen(facts.text), hash);
    }
    gy_initial(worker, hash_initial, &hash);
    uint64_t content = gy_system_content(system);
    return content ? gy_hash_bytes(&content, sizeof content, hash) : hash;
}

uint64_t gy_checkpoint_model(gy_system *system, gy_worker *worker)
{
    const char *name = gy_system_name(system);
    uint64_t hash = gy_edge_count(system);
    if (name)
        hash = gy_hash_bytes(name, strlen(name), hash);
    return gy_checkpoint_hash_model(system, worker, hash);
}

// Only what changes the outcome: limits of memory and time may differ from run to run.
uint64_t gy_checkpoint_options(const gy_run *run)
{
    const gy_search_options *options = run->options;
    const gy_store_traits *store = &gy_store_kind_at(options->store)->traits;
    const char *engine = run->engine ? run->engine->name : "product";
    uint64_t facts[] = {gy_hash_bytes(engine, strlen(engine), 1),
                        options->variant,
                        options->store,
                        options->depth_limit,
                        options->max_errors,
                        options->check_end_states,
                        options->check_faults,
                        options->check_assertions,
                        options->empty_channels,
                        options->reduce,
                        store->bits ? options->hash_functions : 0,
                        store->exact ? 0 : options->seed};
    return gy_hash_bytes(facts, sizeof facts, VERSION);
}

// ---- what engines share -------------------------------------------------------------

static void save_witness(gy_writer *writer, const gy_witness *witness)
{
    size_t length = strlen(witness->message);
    gy_write_u64(writer, witness->error);
    gy_write_u64(writer, witness->fault);
    gy_write_u64(writer, witness->depth);
    gy_write_u64(writer, witness->where);
    gy_write_u64(writer, witness->stretched);
    gy_write_u64(writer, length);
    gy_write(writer, witness->message, length);
    gy_write_u64(writer, witness->step_count);
    gy_write(writer, witness->steps, witness->step_count * sizeof *witness->steps);
}

// What was read belongs to the witness, also if the rest makes no sense.
static bool load_witness(gy_reader *reader, gy_witness *witness)
{
    *witness = (gy_witness){0};
    witness->error = (gy_error_kind)gy_read_u64(reader);
    witness->fault = (gy_fault_kind)gy_read_u64(reader);
    witness->depth = gy_read_u64(reader);
    witness->where = gy_read_u64(reader);
    witness->stretched = gy_read_u64(reader) != 0;
    uint64_t length = gy_read_u64(reader);
    if (length > gy_reader_left(reader))
        return false;
    witness->message = gy_alloc_zero(length + 1);
    gy_read(reader, witness->message, length);
    uint64_t steps = gy_read_u64(reader);
    if (steps > gy_reader_left(reader) / sizeof *witness->steps)
        return false;
    witness->step_count = steps;
    witness->steps = gy_alloc_zero(witness->step_count * sizeof *witness->steps);
    return gy_read(reader, witness->steps, witness->step_count * sizeof *witness->steps);
}

static void save_run(const gy_run *run, gy_writer *writer)
{
    const gy_search_result *result = run->result;
    double seconds = gy_clock() - run->started + run->earlier;
    gy_write(writer, &seconds, sizeof seconds);
    gy_write_u64(writer, result->transitions);
    gy_write_u64(writer, result->depth);
    gy_write_u64(writer, result->errors);
    gy_write_u64(writer, result->not_kept);
    gy_write_u64(writer, (uint64_t)(int64_t)result->endless_edge);
    gy_write_u64(writer, result->edge_count);
    gy_write(writer, result->reached_edges, result->edge_count);
    gy_write_u64(writer, run->kinds_seen.n);
    gy_write(writer, run->kinds_seen.at, run->kinds_seen.n * sizeof *run->kinds_seen.at);
    gy_write_u64(writer, result->witness_count);
    for (uint32_t i = 0; i < result->witness_count; i++)
        save_witness(writer, &result->witnesses[i]);
}

static bool load_run(gy_run *run, gy_reader *reader)
{
    gy_search_result *result = run->result;
    gy_read(reader, &run->earlier, sizeof run->earlier);
    result->transitions = gy_read_u64(reader);
    result->depth = gy_read_u64(reader);
    result->errors = gy_read_u64(reader);
    result->not_kept = gy_read_u64(reader);
    int64_t endless = (int64_t)gy_read_u64(reader);
    if (endless < -1 || endless >= (int64_t)result->edge_count)
        return false;
    result->endless_edge = (int32_t)endless;
    if (gy_read_u64(reader) != result->edge_count)
        return false;
    gy_read(reader, result->reached_edges, result->edge_count);
    uint64_t kinds = gy_read_u64(reader);
    for (uint64_t i = 0; i < kinds && !gy_reader_failed(reader); i++)
        gy_vec_push(&run->kinds_seen, gy_read_u64(reader));
    uint64_t witnesses = gy_read_u64(reader);
    for (uint64_t i = 0; i < witnesses; i++) {
        if (gy_reader_failed(reader))
            return false;
        result->witnesses = gy_realloc(result->witnesses, (i + 1) * sizeof *result->witnesses);
        result->witness_count = (uint32_t)i + 1;
        if (!load_witness(reader, &result->witnesses[i]))
            return false;
    }
    return !gy_reader_failed(reader);
}

// ---- the file -----------------------------------------------------------------------

void gy_checkpoint_plan(gy_run *run)
{
    enum { USUAL_SECONDS = 300 };
    double pause = run->options->checkpoint_seconds;
    run->checkpoint_due = false;
    run->next_checkpoint = gy_clock() + (pause > 0 ? pause : USUAL_SECONDS);
}

void gy_checkpoint_write(gy_run *run, gy_engine_save *save, const void *engine)
{
    const gy_search_options *options = run->options;
    gy_writer *writer = gy_writer_open(options->checkpoint_file);
    if (run->symmetry)
        gy_symmetry_note_ends(run->symmetry, run->worker, run->result->reached_edges);
    gy_write_u64(writer, VERSION);
    gy_write_u64(writer, gy_checkpoint_model(run->system, run->worker));
    gy_write_u64(writer, gy_checkpoint_options(run));
    save_run(run, writer);
    if (run->store) // else the engine has another, and saves that
        gy_numbered_save(run->store, writer);
    save(engine, writer);
    bool written = gy_writer_commit(writer);
    free(run->result->checkpoint_problem);
    run->result->checkpoint_problem = written ? NULL : strdup(strerror(errno));
    run->last_written = run->stopped;
    run->result->checkpoints += written;
    gy_checkpoint_plan(run);
}

static bool read_all(gy_run *run, gy_reader *reader, gy_engine_load *load, void *engine)
{
    const char *file = run->options->resume_file;
    uint64_t version = gy_read_u64(reader);
    if (version != VERSION) {
        gy_run_fail(run, "%s: this checkpoint was written by another version of Gyre", file);
    } else if (gy_read_u64(reader) != gy_checkpoint_model(run->system, run->worker)) {
        gy_run_fail(run, "%s: this checkpoint belongs to another model", file);
    } else if (gy_read_u64(reader) != gy_checkpoint_options(run)) {
        gy_run_fail(run,
                    "%s: this checkpoint was written with other options (search, store, depth, "
                    "reductions or properties)",
                    file);
    } else if (!load_run(run, reader) || (run->store && !gy_numbered_load(run->store, reader)) ||
               !load(engine, reader) || gy_reader_failed(reader)) {
        if (gy_budget_room(&run->budget) < gy_reader_left(reader))
            gy_run_fail(run, "%s: the memory limit is too small for this checkpoint", file);
        else
            gy_run_fail(run, "%s: the contents of this checkpoint are invalid", file);
    }
    return !run->stopped;
}

bool gy_checkpoint_read(gy_run *run, gy_engine_load *load, void *engine)
{
    const char *why, *file = run->options->resume_file;
    gy_reader *reader = gy_reader_open(file, &why);
    if (!reader) {
        gy_run_fail(run, "%s: %s", file, why);
        return false;
    }
    bool fine = read_all(run, reader, load, engine);
    gy_reader_close(reader);
    return fine;
}

bool gy_checkpoint_last_wanted(const gy_run *run)
{
    gy_completeness why = run->result->completeness;
    return run->options->checkpoint_file && run->stopped && !run->torn &&
           (why == GY_LIMIT_TIME || why == GY_LIMIT_STATES || why == GY_LIMIT_INTERRUPT ||
            why == GY_LIMIT_MEMORY);
}

bool gy_checkpoint_memory_low(const gy_run *run)
{
    enum { PART = 16, MOST = 1 << 26 };
    uint64_t reserve = run->budget.limit / PART;
    return run->options->checkpoint_file && run->budget.limit &&
           gy_budget_room(&run->budget) < (reserve < MOST ? reserve : MOST);
}

void gy_checkpoint_end(gy_run *run)
{
    gy_search_result *result = run->result;
    if (!run->options->checkpoint_file || result->completeness != GY_LIMIT_MEMORY ||
        run->last_written || result->checkpoint_problem)
        return;
    result->checkpoint_problem =
        strdup("out of memory before the search reached a point where it can be saved");
}
