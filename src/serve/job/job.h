// A job: one run of gyre in the background (a verification, `gyre info`), with limits, that can be
// examined and stopped. For the page in the browser and for the language server.
//
// A thread of its own starts the child, reads what it prints and waits for its end; the functions
// here never wait for the child, but for gy_job_wait and gy_job_free, and may be called from any
// thread at the same time. What they give out is copied, but for gy_job_result. The owner calls
// gy_job_free once, when no other call is under way.
//
//     const char *arguments[] = {"model.pml", "--events", NULL};
//     gy_job *job = gy_job_start(&(gy_job_request){.arguments = arguments, .folder = "/models"});
//     while (!gy_job_wait(job, 0.5))
//         gy_job_look(job, &view); // figures so far
//     use(gy_job_result(job));     // the report, as docs/json.md says
//     gy_job_free(job);
#ifndef GYRE_SERVE_JOB_JOB_H
#define GYRE_SERVE_JOB_JOB_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gy_job_request {
    const char *const *arguments; // of gyre, NULL-terminated; with --events or --json
    const char *program;          // NULL: the one that runs now
    const char *folder;           // where it runs; NULL: here
    const char *within; // files of models are read below this directory only; NULL: anywhere
    const char *input;            // what standard input has (for the model `-`); NULL: nothing
    size_t input_bytes;
    double most_seconds;  // then it is stopped, and says what it knows; 0: no limit
    double patience;      // seconds it has to end when it was stopped; then it is killed; 0: 10
    uint64_t most_memory; // bytes of address space; 0: no limit. Verifications have --memory.
    uint64_t most_output; // bytes; 0: 64 MB
    double progress;      // seconds between figures; 0: as usual
    void (*changed)(void *user); // called by the job's thread after each event; may be NULL
    void *user;
} gy_job_request; // copied by gy_job_start

// What a search has done so far (the event `progress`).
typedef struct gy_job_figures {
    double seconds;
    uint64_t states, transitions, pending, depth, memory;
    uint64_t search;   // its number, from 1
    char property[64]; // that it is about, perhaps cut; "": none alone
} gy_job_figures;

typedef enum { GY_JOB_RUNS, GY_JOB_ENDED } gy_job_phase;

typedef struct gy_job_view {
    gy_job_phase phase;
    bool stopped;      // gy_job_stop was called
    const char *limit; // NULL, or which of the request's limits ended it: "time", "output"
    int status;        // once it has ended: its exit status; -1: killed; 127: could not be started
    double seconds;    // so far, or in all
    gy_job_figures now;
    size_t verdicts; // how many are known (gy_job_verdicts)
} gy_job_view;

typedef struct gy_job gy_job;

gy_job *gy_job_start(const gy_job_request *request);
// Asks the search to end and to say what it knows; a child that does not is killed.
void gy_job_stop(gy_job *job);
// True: it has ended. Waits that many seconds at most.
bool gy_job_wait(gy_job *job, double seconds);
void gy_job_look(gy_job *job, gy_job_view *view);
// The events `verdict` so far: an array, a new reference that shares nothing.
json_t *gy_job_verdicts(gy_job *job);
// Figures of the current search over time, a few hundred at most however long it runs; to be freed.
gy_job_figures *gy_job_history(gy_job *job, size_t *count);
// Once it has ended: the report (of the event `end`, or what was printed as a whole), NULL if there
// is none (killed, or not JSON). Borrowed: lives as long as the job; one thread at a time reads it.
const json_t *gy_job_result(gy_job *job);
// Once it has ended: what it has printed, if that was no JSON. Borrowed in the same way.
const char *gy_job_text(gy_job *job, size_t *bytes);
// Stops it and waits.
void gy_job_free(gy_job *job);

#endif
