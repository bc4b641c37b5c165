// The product over ranks: the life of its search.
//
// Passes: all nodes are found (rank_nodes.c), and those that cannot lie on an accepting cycle are
// taken away (rank_cycles.c, rank_marks.c), or cycles are looked for by rank_map.c. If there is
// one, paths to it and round it follow (rank_lasso.c).
#include "dist/mpi/rank_product.h"

#include "dist/mpi/rank_parts.h"

#include "search/checkpoint.h"

#include "base/clock.h"

#include <stdlib.h>

static void set_up(gy_rank_product *p, gy_run *run, const gy_observer *observer,
                   gy_fairness fairness)
{
    gy_product_maker_init(&p->maker, run, observer, fairness);
    bool fair = gy_fair_any(&p->maker.fair) || p->maker.fair.asks;
    p->uniform = (observer->weak || observer->sets == 0) && !fair;
    p->general = fair || (observer->sets > 1 && !p->uniform);
    p->all = gy_fair_all(&p->maker.fair);
    p->content = observer->bounded ? 0 : observer->content_words;
    p->map = run->options->cycles == GY_CYCLES_MAP && !p->general;
    p->early = !p->general;
    pthread_mutex_init(&p->lock, NULL);
}

static void clear(gy_rank_product *p)
{
    free(p->suspect.at);
    pthread_mutex_destroy(&p->lock);
    gy_product_maker_free(&p->maker);
}

const char *gy_ranks_cant(const gy_observer *observer)
{
    return observer->changes ? "--mpi cannot be used: the claim changes variables of processes"
           : !observer->bounded && !observer->content
               ? "--mpi cannot be used: the states of this automaton are numbered during the "
                 "search, differently on each rank"
               : NULL;
}

static void conclude(gy_rank_product *p, gy_run *run, gy_product_result *result)
{
    gy_search_result *figures = run->result;
    figures->states = run->states_so_far;
    result->lasso = p->lasso;
    if (p->too_many)
        gy_run_fail(run, "fairness of more than %u processes or statements",
                    64 - p->maker.observer->sets - p->maker.observer->strong);
    figures->error_met = p->nonempty || atomic_load(&p->seen);
    figures->errors = p->lasso != NULL;
    if (p->lasso)
        gy_run_stop(run, GY_STOPPED_AT_ERROR);
    else if (figures->error_met && !run->stopped)
        gy_run_fail_internally(run, "the path to a cycle cannot be found again");
    figures->errors = figures->errors || (figures->error_met && figures->failure);
}

gy_product_result *gy_ranks_product_search(gy_system *system, const gy_observer *observer,
                                           gy_fairness fairness, const gy_search_options *given)
{
    gy_search_options options = *given;
    options.max_errors = 1;
    options.store = gy_store_kind_giving_back(options.store);
    gy_product_result *result = gy_alloc_zero(sizeof *result);
    gy_run run;
    gy_rank_product product = {0};
    gy_run_begin(&run, system, &options);
    run.engine = &gy_ranks_engine;
    result->figures = run.result;
    result->store = options.store;
    result->cycles_why = "--mpi";
    set_up(&product, &run, observer, fairness);
    result->cycles = gy_cycles_name(product.map ? GY_CYCLES_MAP : GY_CYCLES_OWCTY);
    if (product.general && options.cycles == GY_CYCLES_MAP)
        result->cycles_why = "it needs one acceptance set";
    const char *why = gy_ranks_cant(observer);
    if (why)
        gy_run_fail(&run, "%s", why);
    else
        gy_rank_search_product(&run, &product);
    conclude(&product, &run, result);
    clear(&product);
    gy_run_end(&run);
    return result;
}
