// Reading the text of a model in the background while it is being written.
//
// A few threads read texts as `gyre info` would: no embedded C is compiled or
// run. What it finds comes as values that need nothing of it: first the names, as soon as the text
// is parsed, then the problems, exactly those that `gyre info` reports, and facts about variables.
// To ask for a path again ends what is being done for it: only the newest text matters. Who may
// call: the thread of the server alone.
#ifndef GYRE_SERVE_LSP_ANALYSIS_H
#define GYRE_SERVE_LSP_ANALYSIS_H

#include "serve/lsp/index.h"

#include <stdatomic.h>

// A text that several threads read; the last one that lets it go frees it.
typedef struct lsp_text {
    atomic_uint holders;
    size_t bytes;
    char at[]; // with a 0 after it
} lsp_text;

lsp_text *lsp_text_new(const char *bytes, size_t n); // held once
lsp_text *lsp_text_hold(lsp_text *text);
void lsp_text_drop(lsp_text *text);

typedef struct lsp_overlay {
    char *path;
    lsp_text *text;
} lsp_overlay;

typedef GY_VEC(lsp_overlay) lsp_overlays;

// What is to be read. The analyser takes it over.
typedef struct lsp_work {
    char *path;
    lsp_overlays overlays;          // all open files, the one of that path among them
    char **defines, **include_dirs; // NULL-terminated
    uint64_t serial;                // of the newest change in them
} lsp_work;

typedef enum { LSP_ERROR = 1, LSP_WARNING, LSP_INFORMATION, LSP_HINT } lsp_severity;

typedef struct lsp_problem {
    lsp_severity severity; // INFORMATION: it belongs to the one before it
    uint32_t file;         // of the index, or LSP_NOWHERE: the model as a whole
    uint32_t offset, length;
    char *message, *hint; // hint may be NULL
} lsp_problem;

typedef struct lsp_fact {
    uint32_t symbol;
    int32_t min, max; // values that it can hold, where that is less than its type allows
} lsp_fact;

typedef struct lsp_analysis {
    char *path;
    uint64_t serial;
    lsp_index *index;
    bool complete; // false: the names alone, the rest is to come
    bool clean;    // it was parsed without errors
    bool has_c;    // embedded C
    bool expands;  // the text that was parsed may not be the one that is open
    GY_VEC(lsp_problem) problems;
    GY_VEC(lsp_fact) facts; // by symbol
    double seconds;
} lsp_analysis;

void lsp_analysis_free(lsp_analysis *analysis);
const lsp_fact *lsp_analysis_fact(const lsp_analysis *analysis, uint32_t symbol);

typedef struct lsp_analyser lsp_analyser;

// Whenever there is something to be taken, a byte is written to `wake`.
lsp_analyser *lsp_analyser_new(int wake);
void lsp_analyser_start(lsp_analyser *analyser, lsp_work *work);
// Nothing wants to know about this path any more.
void lsp_analyser_forget(lsp_analyser *analyser, const char *path);
// Is something to be expected about this path?
bool lsp_analyser_expects(lsp_analyser *analyser, const char *path);
// What was found, the oldest first; NULL: nothing new. The caller frees it.
lsp_analysis *lsp_analyser_take(lsp_analyser *analyser);
// Ends what is being done. What does not end in time is left alone: the program must end then.
void lsp_analyser_free(lsp_analyser *analyser);

// One text, in the thread of the caller. `partial` gets the names as soon as they are there (NULL:
// nothing waits); NULL: it was stopped (`stop` may be NULL).
lsp_analysis *lsp_analyse(const lsp_work *work, const atomic_bool *stop,
                          void (*partial)(void *user, lsp_analysis *analysis), void *user);
void lsp_work_free(lsp_work *work);

#endif
