// The UI API: what a page in the browser can ask of Gyre, without the wire it comes over (http.h).
//
// An API is opened for one directory. Calls are answered at once or later, when a child process has
// answered; none of them waits. What is verified, simulated or checked runs in children
// (serve/job), so that it goes on whatever a model does. docs/ui.md says what can be asked.
//
// gy_ui_api_call and gy_ui_api_answer may be called from any thread, for different calls at the
// same time.
#ifndef GYRE_SERVE_UI_UI_API_H
#define GYRE_SERVE_UI_UI_API_H

#include "base/text.h"
#include "serve/job/job.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct gy_ui_api_options {
    const char *folder;
    const char *model;         // to be shown first: a name in the directory; NULL: none
    bool allow_c;              // C code in models may be run
    unsigned most_jobs;        // verifications at the same time
    double most_seconds;       // for each
    uint64_t most_memory;      // for each
    const char *program;       // what children run; NULL: the program that runs now
    void (*ready)(void *from); // an answer is there: see gy_ui_api_call
} gy_ui_api_options;

typedef struct gy_ui_api gy_ui_api;

typedef struct gy_call {
    // What is asked.
    const char *method, *path; // "GET", "api/folder"
    const char *(*query)(void *from, const char *name);
    void *from; // whoever waits
    gy_text body;
    // The answer.
    unsigned status;  // of HTTP
    const char *type; // of `text`
    gy_text text;
    // Its own.
    void (*finish)(gy_ui_api *api, struct gy_call *call);
    gy_ui_api *api;
    gy_job *job;
    struct gy_sim *sim;
    json_t *reply;
} gy_call;

// NULL: errno says why the directory cannot be opened.
gy_ui_api *gy_ui_api_new(const gy_ui_api_options *options);
// Stops all that runs; calls that wait are answered.
void gy_ui_api_stop(gy_ui_api *api);
void gy_ui_api_free(gy_ui_api *api);

// Calls options.ready(call->from), at once or later, on any thread; then gy_ui_api_answer fills in
// the answer. The call must stay where it is until then.
void gy_ui_api_call(gy_ui_api *api, gy_call *call);
void gy_ui_api_answer(gy_ui_api *api, gy_call *call);
void gy_call_free(gy_call *call);

#endif
