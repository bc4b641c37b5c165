// Writing a search down and taking it up again. Private to src/search.
//
// A checkpoint holds a fingerprint (model and the options that decide the outcome), what all
// engines share (counters, errors so far, reached edges), the store, and what the engine adds.
// It is written between two states, so that nothing is half done in it.
#ifndef GYRE_SEARCH_CHECKPOINT_H
#define GYRE_SEARCH_CHECKPOINT_H

#include "search/run.h"

#include "base/atomic_file.h"

// Tells models apart: statements, where they lead, initial states.
uint64_t gy_checkpoint_model(gy_system *system, gy_worker *worker);
// The same, with what is known already: what a hash of the model begins with.
uint64_t gy_checkpoint_hash_model(gy_system *system, gy_worker *worker, uint64_t hash);
// Tells apart what is asked of a search, as far as it has to do with the outcome.
uint64_t gy_checkpoint_options(const gy_run *run);

typedef void gy_engine_save(const void *engine, gy_writer *writer);
typedef bool gy_engine_load(void *engine, gy_reader *reader);

// Says when the next one is due.
void gy_checkpoint_plan(gy_run *run);
// Writes options->checkpoint_file. A file that cannot be written is no reason to stop: the
// result says so.
void gy_checkpoint_write(gy_run *run, gy_engine_save *save, const void *engine);
// The engine has ended: should it be written once more, because only a limit or the user stopped
// it?
bool gy_checkpoint_last_wanted(const gy_run *run);
// What is left of the memory limit is needed to bring the search to a point where it can be written
// down: it should end now.
bool gy_checkpoint_memory_low(const gy_run *run);
// The search is over: the result says if a last checkpoint was wanted and could not be made.
void gy_checkpoint_end(gy_run *run);
// Reads options->resume_file into a run that has not begun. False: the run has failed, and why.
bool gy_checkpoint_read(gy_run *run, gy_engine_load *load, void *engine);

#endif
