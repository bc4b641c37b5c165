// Inside the language server: what its parts share. No other file includes this.
//
//   lsp.c          the loop: messages in, answers out, debounce, what the analyser and jobs report
//   methods.c      the table of methods, and how messages become calls; capabilities.c
//   documents.c    open texts and their changes; which analysis is of which text
//   analysis.h     reading texts in a thread of its own; index.h  names by place
//   diagnostics.c  problems; actions.c  how to fix them
//   navigate.c     definition, references, highlight; rename.c; outline.c  symbols; extent.h
//   hover.c        hover; describe.h  symbols in words; keywords.h  what keywords mean
//   complete.c     completion; signature.c; completion_context.h  what is before the cursor
//   folding.c, colours.c (semantic tokens), inlay.c, formatting.c, lens.c; verifying.h  gyre in the
//   background reply.h        values of the protocol
//
// Everything here runs in the thread of the server. A method answers from values that are there,
// and never waits: one that needs an analysis is called when that has come.
#ifndef GYRE_SERVE_LSP_SERVER_H
#define GYRE_SERVE_LSP_SERVER_H

#include "serve/document/lexical.h"
#include "serve/lsp/analysis.h"
#include "serve/lsp/lsp.h"
#include "serve/lsp/reply.h"

typedef struct lsp_document {
    char *uri, *path;
    lsp_text *text;
    gy_lines lines;
    gy_lexical lexical;
    int64_t version;
    uint64_t serial;        // of its last change
    lsp_analysis *analysis; // the newest; NULL: none yet
    lsp_analysis *clean;    // the newest that was parsed without errors, if that is another one
    bool wanted;            // there is a change that no analysis was started for
    double due;             // when to start one
    double seconds;         // that the last one took
    json_t *reported;       // {URI: diagnostics} as published of this model
    struct lsp_runs *runs;  // verifications that were asked for here; NULL: none
} lsp_document;

// A request that waits for an analysis.
typedef struct lsp_waiting {
    json_t *id;
    const struct lsp_method *method;
    json_t *params;
    lsp_document *document;
} lsp_waiting;

struct lsp_server {
    int in, out;
    int wake[2];
    const lsp_settings *given;
    char **defines, **include_dirs; // of settings and initialization
    bool allow_c, client_commands;
    unsigned most_seconds; // of a verification
    bool initialized, shut_down, exited, broken;
    gy_encoding encoding;
    struct { // what the client can do
        bool related, snippets, lens_refresh, inlay_refresh, label_offsets;
        bool show_document;
    } can;
    GY_VEC(lsp_document *) documents;
    GY_VEC(lsp_waiting) waiting;
    lsp_analyser *analyser;
    GY_VEC(struct gy_job *) dropped; // jobs that were stopped and have not ended yet
    uint64_t serial;
    int64_t next_id; // of requests to the client
};

typedef struct lsp_server lsp_server;

// A method: its result, a new reference, or NULL after lsp_refuse. Those of notifications are
// ignored.
typedef json_t *lsp_call(lsp_server *server, lsp_document *document, const json_t *params,
                         lsp_refusal *refusal);

typedef enum {
    LSP_NEEDS_NOTHING,  // not even a document
    LSP_NEEDS_DOCUMENT, // an open one
    LSP_NEEDS_INDEX,    // the names of the text as it is now
    LSP_NEEDS_ALL,      // a complete analysis of it
} lsp_needs;

typedef struct lsp_method {
    const char *name;
    lsp_call *call;
    lsp_needs needs;
    bool notification;
} lsp_method;

// lsp.c
void lsp_send(lsp_server *server, json_t *message); // drops it
void lsp_notify(lsp_server *server, const char *method, json_t *params);
void lsp_request(lsp_server *server, const char *method, json_t *params);
void lsp_answer(lsp_server *server, const json_t *id, json_t *result, const lsp_refusal *refusal);
void lsp_call_waiting(lsp_server *server); // those whose analysis is there

// methods.c
void lsp_dispatch(lsp_server *server, const json_t *message);

// documents.c
lsp_document *lsp_document_of(lsp_server *server, const json_t *params); // params.textDocument.uri
lsp_document *lsp_document_at(lsp_server *server, const char *path);
void lsp_documents_free(lsp_server *server);
// All that has to be read, after the settings changed.
void lsp_read_all(lsp_server *server);
void lsp_start_due(lsp_server *server, double now); // starts analyses that are due
double lsp_next_due(const lsp_server *server);      // -1: none
void lsp_take_analysis(lsp_server *server, lsp_analysis *analysis);
lsp_work *lsp_work_for(const lsp_server *server, const char *path);
lsp_call lsp_did_open, lsp_did_change, lsp_did_close, lsp_did_save;

// What is known of a document: its own analysis, or that of a model that includes it.
typedef struct lsp_view {
    const lsp_document *model;    // whose analysis it is
    const lsp_analysis *analysis; // NULL: there is none, and no index
    const lsp_index *index;
    uint32_t file; // of the document in the index
} lsp_view;

lsp_view lsp_view_of(const lsp_server *server, const lsp_document *document);
// Is it of the text as it is now?
bool lsp_view_is_current(const lsp_view *view, const lsp_document *document, bool complete);
// params.position as an offset in the document; false after lsp_refuse.
bool lsp_offset_in(const lsp_server *server, const lsp_document *document, const json_t *params,
                   size_t *offset, lsp_refusal *refusal);
// params.range, the same; without one, all of the document.
bool lsp_range_in(const lsp_server *server, const lsp_document *document, const json_t *params,
                  size_t *from, size_t *to, lsp_refusal *refusal);

// diagnostics.c
json_t *lsp_diagnostic(const lsp_server *server, const lsp_document *document,
                       const lsp_problem *problem); // one that its view reports
void lsp_publish(lsp_server *server, lsp_document *document);
void lsp_unpublish(lsp_server *server, lsp_document *document); // it is being closed

// Values of the protocol about texts.
json_t *lsp_range(const lsp_server *server, const gy_lines *lines, size_t from, size_t to);
json_t *lsp_location(const lsp_server *server, const lsp_index *index, uint32_t file, size_t from,
                     size_t to);

#endif
