// Ranks as threads of one process: one of them, and what it runs.
#ifndef GYRE_TESTS_RANK_RUN_H
#define GYRE_TESTS_RANK_RUN_H

#include "search/search.h"

#include <pthread.h>

typedef struct rank_run {
    gy_system *system;
    gy_search_options options;
    gy_search_result *result;
    pthread_t thread;
} rank_run;

static inline void *run_rank(void *user)
{
    rank_run *r = user;
    r->result = gy_search(r->system, &r->options);
    return NULL;
}

#endif
