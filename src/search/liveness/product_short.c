// A short lasso of the product: short_lasso.h on the graph of product_graph.h.
#include "search/liveness/product_graph.h"
#include "search/liveness/short_lasso.h"

static bool is_tired(void *self)
{
    const gy_product *p = self;
    return gy_run_tick(p->run);
}

// The marks of all owners that were reached.
static uint64_t owned(void *self)
{
    const gy_product *p = self;
    return gy_fair_owned(&p->fair);
}

static gy_lasso_witness *find(gy_product *p, uint64_t bound, uint64_t most, bool *proved)
{
    gy_arc_graph graph = {
        .self = p, .edges = gy_product_edges, .budget = &p->run->budget, .tired = is_tired};
    gy_product_start start = {0};
    gy_short_lasso found;
    gy_lasso_witness *lasso = NULL;
    p->costs = p->counting = true;
    gy_product_set_asks(p, &graph);
    gy_product_begin(p, &start);
    gy_arc_graph_short_lasso(&graph, &start.nodes, owned, bound, most, &found);
    bool usable = !gy_fair_too_many(&p->fair) && !p->full && !p->overflow;
    *proved = found.proved && usable && !p->run->stopped;
    if (found.found && usable)
        lasso = gy_product_tell(p, &start, &found.stem, found.end, &found.cycle);
    gy_vec_free(&found.stem);
    gy_vec_free(&found.cycle);
    gy_vec_free(&start.nodes);
    gy_vec_free(&start.ordinals);
    return lasso;
}

gy_lasso_witness *gy_product_short_lasso(gy_system *system, const gy_observer *observer,
                                         gy_fairness fairness, const gy_search_options *given,
                                         uint64_t bound, bool *proved)
{
    gy_search_options options = *given;
    gy_lasso_witness *lasso = NULL;
    gy_run run;
    gy_product p;
    uint64_t most = options.state_limit ? options.state_limit : UINT64_MAX;
    options.store = gy_store_kind_dense();
    options.checkpoint_file = options.resume_file = NULL;
    options.state_limit = 0;
    options.threads = 1;
    *proved = false;
    gy_run_begin(&run, system, &options);
    gy_product_init(&p, &run, observer, fairness);
    if (gy_run_new_store(&run) && gy_product_restart(&p))
        lasso = find(&p, bound, most, proved);
    gy_product_free(&p);
    gy_run_end(&run);
    gy_search_result_free(run.result);
    return lasso;
}
