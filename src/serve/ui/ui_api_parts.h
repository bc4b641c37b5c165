// What the files of the API share: see ui_api.h. Private to serve/ui.
#ifndef GYRE_SERVE_UI_UI_API_PARTS_H
#define GYRE_SERVE_UI_UI_API_PARTS_H

#include "base/vec.h"
#include "serve/job/session.h"
#include "serve/ui/folder.h"
#include "serve/ui/ui_api.h"

#include <pthread.h>

// A verification that runs, or has ended and can still be examined.
typedef struct gy_ui_api_job {
    gy_ui_api *api;
    unsigned id;
    char *name;      // of the model
    json_t *options; // as they were asked for
    char *page;      // where the child writes the report as a page
    char *record;    // its name in the history, once it has ended
    gy_job *job;
} gy_ui_api_job;

// A simulation that a user steps through.
typedef struct gy_sim {
    unsigned id;
    gy_session *session;
    bool busy;   // a call waits for its answer
    bool leaves; // it is ended when that is there
    double used; // when it was asked something, on gy_clock
} gy_sim;

struct gy_ui_api {
    gy_ui_api_options options;
    gy_ui_directory folder;
    char *scratch; // a directory of our own for what children write
    // Guarded by the lock. Threads of jobs take it when they call back.
    pthread_mutex_t lock;
    bool stopping;
    unsigned ids; // given so far
    GY_VEC(gy_ui_api_job *) jobs;
    GY_VEC(gy_sim *) sims;
    unsigned checks; // that run
};

// The answer is JSON.
void gy_ui_api_tell(gy_call *call, unsigned status, json_t *value);
// The answer is that it cannot be done.
void gy_ui_api_refuse(gy_call *call, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Refuses because of errno.
void gy_ui_api_refuse_file(gy_call *call, const char *name, int why);

// The body as an object with a text `name` that is one of a model; NULL after having refused.
json_t *gy_ui_api_body(gy_call *call, const char **name);
// The same, and the model must be there as a file: who verifies must not wait for a pipe.
json_t *gy_ui_api_saved_body(gy_ui_api *api, gy_call *call, const char **name);
// What a child is called with. The owner frees it.
typedef GY_VEC(char *) gy_ui_api_arguments;
void gy_ui_api_add(gy_ui_api_arguments *list, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// -D for each of the texts in `defines` of the body. False: refused.
bool gy_ui_api_add_defines(gy_ui_api_arguments *list, const json_t *body, gy_call *call);
void gy_ui_api_arguments_free(gy_ui_api_arguments *list);
const char *gy_ui_api_query(const gy_call *call, const char *name); // "" if it is not there

// Each begins an answer. True: it is there; false: it comes later.
typedef bool gy_route(gy_ui_api *api, gy_call *call);
gy_route gy_route_verify, gy_route_jobs, gy_route_job, gy_route_stop; // ui_api_jobs.c
gy_route gy_route_sim, gy_route_ask, gy_route_leave;                  // ui_api_sims.c
gy_route gy_route_history, gy_route_record, gy_route_forget;          // history.c

// Writes a record of a job that has ended; its name there, to be freed, or NULL.
char *gy_history_add(gy_ui_api *api, const gy_ui_api_job *job);

void gy_ui_api_jobs_free(gy_ui_api *api);
void gy_ui_api_sims_free(gy_ui_api *api);

#endif
