#include "search/safety/reach.h"

#include "search/safety/reach_parts.h"

#include <stdlib.h>

bool gy_reach_applies(const gy_engine *engine, const gy_search_options *options)
{
    return engine->threads &&
           (options->store == GY_STORE_TREE || options->store == GY_STORE_PLAIN) &&
           !options->depth_limit && !options->checkpoint_file && !options->resume_file &&
           !(options->reduce && engine->deep) && !options->check_reduction && !options->known_error;
}

void gy_reach_out_of_memory(gy_reach *r)
{
    gy_reach_raise(&r->no_memory);
    gy_reach_raise(&r->stop);
}

static uint64_t sum_transitions(const gy_reach *r)
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
    return sum;
}

void gy_reach_tell_counts(gy_reach *r)
{
    r->run->result->transitions = sum_transitions(r);
    r->run->states_so_far = gy_reach_states(r);
    r->run->result->depth = r->depth_first ? 0 : r->level;
}

static void init_member(gy_reach *r, gy_reach_member *m)
{
    m->reach = r;
    m->worker = gy_run_new_worker(r->run);
    m->endless_edge = -1;
    m->countdown = GY_REACH_LOOK;
    m->edge_count = r->run->result->edge_count;
    m->reached = gy_alloc_zero(m->edge_count + 1);
    gy_sightings_init(&m->sightings, &r->run->budget);
    if (r->run->reduction)
        m->reducer = gy_reducer_new(r->run->reduction);
    if (r->forest)
        gy_forest_view_init(&m->forest, r->forest);
    else
        gy_pile_view_init(&m->pile, r->pile);
}

static void free_member(gy_reach *r, gy_reach_member *m)
{
    gy_run_free_worker(r->run, m->worker);
    if (r->forest)
        gy_forest_view_free(&m->forest);
    gy_reach_free_blocks(r, &m->open);
    gy_reach_free_blocks(r, &m->full);
    gy_reach_free_blocks(r, &m->spare);
    gy_reach_free_blocks(r, &m->asked);
    gy_sightings_free(&m->sightings);
    gy_reach_free_blocks(r, &m->convicts);
    gy_reducer_free(m->reducer);
    gy_moves_free(&m->moves);
    gy_vec_free(&m->groups);
    gy_vec_free(&m->leads);
    gy_vec_free(&m->words);
    free(m->reached);
}

static void sum_up(gy_reach *r)
{
    gy_search_result *result = r->run->result;
    gy_reach_tell_counts(r);
    result->threads = r->size;
    for (unsigned i = 0; i < r->size; i++) {
        const gy_reach_member *m = &r->members[i];
        for (uint32_t e = 0; e < result->edge_count; e++)
            result->reached_edges[e] |= m->reached[e];
        if (result->endless_edge < 0)
            result->endless_edge = m->endless_edge;
        result->expanded_reduced += m->expanded_reduced; // one member may have mended what
        result->expanded_fully += m->expanded_fully;     // another left out: sums alone count
    }
}

gy_reach_answer gy_search_reach(gy_run *run)
{
    gy_reach *r = gy_alloc_zero(sizeof *r);
    r->run = run;
    r->depth_first = run->engine->deep;
    r->size = run->options->threads ? run->options->threads : 1;
    atomic_flag_clear(&r->watch);
    gy_names_init(&r->next, &run->budget);
    gy_names_init(&r->full, &run->budget);
    gy_trial_init(&r->trial, &run->budget);
    if (run->options->store == GY_STORE_TREE)
        r->forest = gy_forest_new(&run->budget, r->size == 1, run->options->hostile);
    else
        r->pile = gy_pile_new(&run->budget, r->size == 1, run->options->hostile);
    if (r->forest || r->pile) {
        r->members = gy_alloc_apart(r->size * sizeof *r->members);
        r->shares = gy_alloc_apart(r->size * sizeof *r->shares);
        for (unsigned i = 0; i < r->size; i++)
            init_member(r, &r->members[i]);
        gy_reach_search(r);
        sum_up(r);
        for (unsigned i = 0; i < r->size; i++) {
            free_member(r, &r->members[i]);
            gy_reach_free_blocks(r, &r->shares[i].blocks);
        }
    } else {
        gy_reach_out_of_memory(r);
    }
    if (gy_reach_is_up(&r->no_memory))
        gy_run_stop(run, GY_LIMIT_MEMORY);
    gy_reach_answer answer = gy_reach_is_up(&r->error)   ? GY_REACH_MET_ERROR
                             : gy_reach_is_up(&r->unfit) ? GY_REACH_UNFIT
                                                         : GY_REACH_DONE;
    gy_reach_free_blocks(r, &r->convicts);
    gy_names_free(&r->next);
    gy_names_free(&r->full);
    gy_trial_free(&r->trial);
    gy_forest_free(r->forest);
    gy_pile_free(r->pile);
    free(r->members);
    free(r->shares);
    free(r);
    return answer;
}
