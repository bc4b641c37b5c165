// Runs of gyre for a document, and what they have found. Called by lens.c and documents.c.
#ifndef GYRE_SERVE_LSP_VERIFYING_H
#define GYRE_SERVE_LSP_VERIFYING_H

#include "serve/job/job.h"
#include "serve/lsp/server.h"

typedef struct lsp_run {
    char *property; // the name of a formula; NULL: all that the model states
    gy_job *job;    // NULL: it has ended
    json_t *report; // once it has ended; NULL: there is none, `problem` says why
    char *problem;  // or NULL
    gy_job_view view;
    double shown; // when its figures were shown last
    char *file;   // with the counterexample as text, or NULL
} lsp_run;

typedef struct lsp_runs {
    GY_VEC(lsp_run) list;
} lsp_runs;

// Starts it, or again. `property` may be NULL.
void lsp_run_start(lsp_server *server, lsp_document *document, const char *property);
void lsp_run_stop(lsp_document *document, const char *property);
// Takes over what the jobs report. True: something is to be shown.
bool lsp_runs_look(lsp_server *server, lsp_document *document);
// Ends all of them without waiting, and forgets what they found. True: there was something.
bool lsp_runs_drop(lsp_server *server, lsp_document *document);
// Frees the jobs that were dropped and have ended by now; at the end of the server, all, and waits.
void lsp_runs_sweep(lsp_server *server, bool all);

lsp_run *lsp_run_of(const lsp_document *document, const char *property); // NULL: none
// What is known of a property ("safety", a formula), in the report of its own run or of the whole.
const json_t *lsp_run_property(const lsp_document *document, const char *name);

#endif
