#include "search/safety/reach.h"

#include "search/safety/reach_parts.h"

#include "store/kinds.h"

#include <stdlib.h>

bool gy_reach_applies(const gy_engine *engine, const gy_search_options *options)
{
    return engine->threads && !options->depth_limit && !options->checkpoint_file &&
           !options->resume_file && !options->check_reduction && !options->known_error;
}

void gy_reach_out_of_memory(gy_reach *r)
{
    gy_reach_raise(&r->no_memory); // something was under way
    gy_reach_raise(&r->stop);
}

void gy_reach_too_long(gy_reach *r)
{
    gy_reach_raise(&r->unfit);
    gy_reach_raise(&r->stop);
}

uint64_t gy_reach_transitions(const gy_reach *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < r->size; i++)
        sum += atomic_load_explicit(&r->members[i].transitions, memory_order_relaxed);
    return sum;
}

uint64_t gy_reach_states(const gy_reach *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < r->size; i++)
        sum += atomic_load_explicit(&r->members[i].states, memory_order_relaxed);
    return sum - (r->disk ? r->disk->known : 0);
}

void gy_reach_tell_counts(gy_reach *r)
{
    r->run->result->transitions = gy_reach_transitions(r);
    r->run->states_so_far = gy_reach_states(r);
    r->run->result->depth = r->trace ? r->trace->depth : r->depth_first ? 0 : r->level;
    r->run->result->by_transitions = r->trace ? !r->trace->by_cost : !r->depth_first;
}

static void init_member(gy_reach *r, gy_reach_member *m)
{
    m->reach = r;
    m->worker = gy_run_new_worker(r->run);
    m->endless_edge = -1;
    gy_limit_poll_begin(&m->pace, GY_REACH_LOOK);
    m->edge_count = r->run->result->edge_count;
    m->reached = gy_alloc_zero(m->edge_count + 1);
    gy_proviso_reports_init(&m->reports, &r->run->budget);
    if (r->run->reducer)
        m->reducer = gy_reducer_new(r->run->reduction);
    m->view = gy_store_view_new(r->store);
    m->view->all_refs = m->reducer != NULL; // what states lead to
}

static void free_member(gy_reach *r, gy_reach_member *m)
{
    gy_run_free_worker(r->run, m->worker);
    gy_store_view_free(m->view);
    gy_reach_close_block(m);
    gy_reach_free_blocks(&m->full);
    gy_reach_free_blocks(&m->sure);
    gy_reach_free_blocks(&m->spare);
    gy_reach_free_blocks(&m->asked);
    gy_proviso_reports_free(&m->reports);
    gy_reach_free_blocks(&m->failed);
    gy_reducer_free(m->reducer);
    gy_moves_free(&m->moves);
    for (size_t i = 0; i < m->due.n; i++)
        gy_reach_free_blocks(&m->due.at[i].states);
    gy_vec_free(&m->due);
    gy_vec_free(&m->dear);
    gy_vec_free(&m->groups);
    gy_vec_free(&m->leads);
    free(m->reached);
}

static void sum_up(gy_reach *r)
{
    gy_search_result *result = r->run->result;
    gy_reach_tell_counts(r);
    gy_store_look(r->store, &r->run->seen);
    result->threads = r->size;
    for (unsigned i = 0; i < r->size; i++) {
        const gy_reach_member *m = &r->members[i];
        for (uint32_t e = 0; e < result->edge_count; e++)
            result->reached_edges[e] |= m->reached[e];
        if (result->endless_edge < 0)
            result->endless_edge = m->endless_edge;
        result->expanded_reduced += m->expanded_reduced; // one member may have fixed what
        result->expanded_fully += m->expanded_fully;     // another left out: sums alone count
    }
}

// The one that the search before this has left, if there is one: it need not grow and learn again.
static gy_store *take_store(gy_reach *r)
{
    const gy_search_options *options = r->run->options;
    gy_store *reused = r->run->reused;
    r->run->reused = NULL;
    if (reused)
        return reused;
    gy_store_options wanted = {.budget = &r->run->budget,
                               .threads = r->size,
                               .once = true,
                               .few_successors = r->run->reducer != NULL,
                               .hash_functions = options->hash_functions,
                               .bitstate_bytes = options->bitstate_bytes,
                               .seed = options->seed,
                               .hostile = options->hostile};
    return gy_store_new(gy_store_kind_at(options->store), &wanted);
}

// When all views of it are gone. The path to an error that was found will be searched for
// (gy_search_bfs).
static void leave_store(gy_reach *r)
{
    bool wanted = !r->trace && gy_reach_is_up(&r->error) && !r->disk &&
                  r->run->engine->search == gy_search_bfs;
    if (r->store && wanted && gy_store_reset(r->store))
        r->run->reused = r->store;
    else
        gy_store_free(r->store);
}

static gy_reach_answer search(gy_run *run, gy_reach_trace *trace)
{
    gy_reach *r = gy_alloc_zero(sizeof *r);
    r->run = run;
    r->trace = trace;
    r->depth_first = run->engine->deep && !trace;
    r->size = run->options->threads ? run->options->threads : 1;
    atomic_flag_clear(&r->watch);
    gy_number_set_init(&r->next, &run->budget);
    gy_number_set_init(&r->full, &run->budget);
    gy_level_proviso_init(&r->proviso, &run->budget);
    r->proviso.interrupted = gy_reach_interrupted;
    r->proviso.is_full = gy_reach_is_full;
    r->proviso.of = r;
    gy_reach_init_blocks(r);
    r->store = take_store(r);
    if (r->store && gy_reach_disk_open(r)) {
        uint32_t most = gy_store_traits_of(r->store)->most_words;
        r->most_words = most ? most : UINT32_MAX;
        r->once = !gy_store_traits_of(r->store)->gives_back;
        r->members = gy_alloc_apart(r->size * sizeof *r->members);
        r->shares = gy_alloc_apart(r->size * sizeof *r->shares);
        for (unsigned i = 0; i < r->size; i++)
            init_member(r, &r->members[i]);
        gy_reach_search(r);
        sum_up(r);
        if (gy_reach_is_up(&r->no_memory))
            gy_run_stop(run, GY_LIMIT_MEMORY);
        if (gy_reach_is_up(&r->unfit) && !r->depth_first)
            gy_run_too_long(run);
        if (trace)
            gy_reach_report(r);
        if (trace && run->options->check_reduction && run->reducer && !r->once && !run->stopped)
            gy_reach_check_reduction(r);
        for (unsigned i = 0; i < r->size; i++) {
            free_member(r, &r->members[i]);
            gy_reach_free_blocks(&r->shares[i].blocks);
        }
    } else {
        gy_reach_out_of_memory(r);
    }
    if (gy_reach_is_up(&r->no_memory))
        gy_run_stop(run, GY_LIMIT_MEMORY);
    bool unfit = gy_reach_is_up(&r->unfit) && r->depth_first;
    gy_reach_answer answer = gy_reach_is_up(&r->error) ? GY_REACH_MET_ERROR
                             : unfit                   ? GY_REACH_UNFIT
                                                       : GY_REACH_DONE;
    leave_store(r);
    gy_reach_disk_close(r);
    gy_reach_free_blocks(&r->failed);
    gy_spill_blocks_free(&r->pages);
    gy_number_set_free(&r->next);
    gy_number_set_free(&r->full);
    gy_level_proviso_free(&r->proviso);
    free(r->members);
    free(r->shares);
    free(r);
    return answer;
}

gy_reach_answer gy_search_reach(gy_run *run)
{
    return search(run, NULL);
}

void gy_search_bfs(gy_run *run)
{
    gy_reach_trace trace;
    gy_reach_trace_init(&trace, run);
    search(run, &trace);
    gy_reach_trace_free(&trace);
}
