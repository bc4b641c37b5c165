// The search over ranks: its passes. The first says whether there is an error. Only if there is
// one the search is made again, to find a shortest path to it (rank_trace.c).
#include "dist/mpi/rank_parts.h"

#include "search/findings.h"

#include "store/kinds.h"

void gy_rank_out_of_memory(gy_rank_search *s)
{
    gy_rank_raise(&s->no_memory);
    gy_rank_raise(&s->stop);
    gy_exchange_stop(&s->exchange);
}

void gy_rank_too_long(gy_rank_search *s)
{
    gy_rank_raise(&s->unfit);
    gy_rank_raise(&s->stop);
    gy_exchange_stop(&s->exchange);
}

void gy_rank_tell_counts(gy_rank_search *s)
{
    uint64_t states = s->all_states - s->own_states;
    uint64_t transitions = s->all_transitions - s->own_transitions;
    for (unsigned i = 0; i < s->size; i++) {
        states += atomic_load_explicit(&s->members[i].states, memory_order_relaxed);
        transitions += atomic_load_explicit(&s->members[i].transitions, memory_order_relaxed);
    }
    s->run->states_so_far = states;
    s->run->result->transitions = transitions;
    s->run->result->depth = s->trace ? s->trace->depth : s->level == UINT64_MAX ? 0 : s->level;
    s->run->result->by_transitions = !s->trace || !s->trace->by_cost;
}

// ---- members --------------------------------------------------------------------------

static void init_member(gy_rank_search *s, gy_rank_member *m)
{
    m->search = s;
    m->worker = gy_run_new_worker(s->run);
    m->view = gy_store_view_new(s->store);
    m->endless_edge = -1;
    gy_limit_poll_begin(&m->pace, GY_RANK_LOOK);
    m->edge_count = s->run->result->edge_count;
    m->reached = gy_alloc_zero(m->edge_count + 1);
    m->out = gy_alloc_zero(s->transport->size * sizeof *m->out);
    m->recent = gy_alloc_zero(GY_RANK_RECENT * sizeof *m->recent);
    m->recent_state = gy_alloc_zero(GY_RANK_RECENT * sizeof *m->recent_state);
    gy_rank_list_init(&m->found, &s->run->budget);
    gy_rank_list_init(&m->doubtful, &s->run->budget);
    if (s->product) {
        m->product = s->product->maker.maker.open(&s->product->maker);
        m->view->all_refs = true;
    }
    if (s->reduces) {
        m->reducer = gy_reducer_new(s->run->reduction);
        m->asker = gy_run_new_worker(s->run);
    }
}

static void free_member(gy_rank_search *s, gy_rank_member *m)
{
    gy_store_view_free(m->view);
    gy_rank_list_free(&m->found);
    gy_rank_list_free(&m->doubtful);
    gy_moves_free(&m->moves);
    gy_moves_free(&m->asked);
    gy_vec_free(&m->groups);
    gy_vec_free(&m->answers);
    gy_vec_free(&m->reports);
    gy_vec_free(&m->dealt);
    gy_reducer_free(m->reducer);
    if (m->product)
        s->product->maker.maker.close(m->product);
    free(m->items.in);
    free(m->items.marks);
    free(m->items.origins);
    gy_vec_free(&m->node);
    gy_vec_free(&m->numbered);
    if (m->asker)
        gy_worker_free(m->asker);
    for (unsigned i = 0; i < s->transport->size; i++)
        gy_packer_free(&m->out[i]);
    for (unsigned i = 0; i < GY_RANK_RECENT; i++)
        free(m->recent_state[i]);
    for (size_t i = 0; i < m->due.n; i++)
        gy_rank_list_free(&m->due.at[i]);
    gy_vec_free(&m->due);
    gy_vec_free(&m->arrived);
    gy_unpacker_free(&m->in);
    free(m->out);
    free(m->recent);
    free(m->recent_state);
    free(m->reached);
}

// ---- what all ranks agree on at the end -----------------------------------------------

void gy_rank_agree_on_edges(gy_rank_search *s)
{
    gy_search_result *result = s->run->result;
    uint64_t *reached = gy_alloc_zero((result->edge_count + (size_t)1) * sizeof *reached);
    uint64_t endless = UINT64_MAX;
    for (uint32_t e = 0; e < result->edge_count; e++)
        reached[e] = result->reached_edges[e];
    for (unsigned i = 0; i < s->size; i++) {
        const gy_rank_member *m = &s->members[i];
        for (uint32_t e = 0; e < result->edge_count; e++)
            reached[e] |= m->reached[e];
        if (m->endless_edge >= 0 && (uint64_t)m->endless_edge < endless)
            endless = (uint64_t)m->endless_edge;
    }
    s->transport->reduce(s->transport, reached, result->edge_count + 1, GY_TRANSPORT_SUM);
    s->transport->reduce(s->transport, &endless, 1, GY_TRANSPORT_LEAST);
    for (uint32_t e = 0; e < result->edge_count; e++)
        result->reached_edges[e] |= reached[e] != 0;
    result->endless_edge = endless == UINT64_MAX ? -1 : (int32_t)endless;
    free(reached);
}

static void agree_on_figures(gy_rank_search *s)
{
    gy_rank_figures *f = &s->run->result->ranks;
    const gy_exchange_figures *sent = &s->exchange.figures;
    uint64_t peak = s->run->budget.peak;
    uint64_t reduced = 0, fully = 0;
    for (unsigned i = 0; i < s->size; i++) { // one member may have fixed what another left out
        reduced += s->members[i].expanded_reduced;
        fully += s->members[i].expanded_fully;
    }
    uint64_t sums[] = {sent->states,           sent->bytes, sent->batches, peak,
                       s->run->result->folded, reduced,     fully};
    uint64_t least[] = {s->own_states, UINT64_MAX - s->own_states};
    s->transport->reduce(s->transport, sums, 7, GY_TRANSPORT_SUM);
    s->transport->reduce(s->transport, least, 2, GY_TRANSPORT_LEAST);
    *f = (gy_rank_figures){.ranks = s->transport->size,
                           .fewest = least[0],
                           .most = UINT64_MAX - least[1],
                           .states = sums[0],
                           .bytes = sums[1],
                           .batches = sums[2]};
    s->run->elsewhere = sums[3] - peak;
    s->run->result->folded = sums[4];
    s->run->result->expanded_reduced = sums[5];
    s->run->result->expanded_fully = sums[6];
}

// Which limit was reached: the least of those that were.
static void agree_on_memory(gy_rank_search *s, bool met)
{
    uint64_t own = s->run->options->memory_limit, limit = met && own ? own : UINT64_MAX;
    s->transport->reduce(s->transport, &limit, 1, GY_TRANSPORT_LEAST);
    s->run->result->ranks.memory_limit = limit == UINT64_MAX ? 0 : limit;
}

// If one rank has reached a limit, all have.
static void agree_on_end(gy_rank_search *s)
{
    gy_run *run = s->run;
    if (gy_rank_is_up(&s->no_memory))
        gy_run_stop(run, GY_LIMIT_MEMORY);
    if (gy_rank_is_up(&s->unfit))
        gy_run_too_long(run);
    agree_on_memory(s, run->stopped && run->result->completeness == GY_LIMIT_MEMORY);
    uint64_t rank = s->transport->rank;
    uint64_t why = run->stopped ? (uint64_t)run->result->completeness << 32 | rank : UINT64_MAX;
    s->transport->reduce(s->transport, &why, 1, GY_TRANSPORT_LEAST);
    if (why == UINT64_MAX)
        return;
    char text[256] = "";
    if ((uint32_t)why == rank && run->result->failure)
        strncpy(text, run->result->failure, sizeof text - 1);
    s->transport->broadcast(s->transport, (uint32_t)why, text, sizeof text);
    run->stopped = true;
    run->result->completeness = (gy_completeness)(why >> 32);
    free(run->result->failure);
    run->result->failure = *text ? strdup(text) : NULL;
}

// ---- passes ---------------------------------------------------------------------------

static gy_store *new_store(gy_rank_search *s)
{
    const gy_search_options *options = s->run->options;
    gy_store_options wanted = {.budget = &s->run->budget,
                               .threads = s->size,
                               .note_bytes = s->product && !s->trace ? 8 : 0,
                               .seed = options->seed,
                               .hostile = options->hostile};
    return gy_store_new(gy_store_kind_at(options->store), &wanted);
}

static void explore(gy_rank_search *s)
{
    gy_run *run = s->run;
    uint32_t most = gy_store_traits_of(s->store)->most_words;
    s->most_words = most ? most : UINT32_MAX;
    gy_region_init(&s->unsaved, &run->budget);
    gy_region_init(&s->failed, &run->budget);
    gy_region_init(&s->nodes, &run->budget);
    gy_number_set_init(&s->next, &run->budget);
    gy_number_set_init(&s->full, &run->budget);
    s->members = gy_alloc_apart(s->size * sizeof *s->members);
    for (unsigned i = 0; i < s->size; i++)
        init_member(s, &s->members[i]);
    gy_rank_explore_all(s);
    gy_rank_tell_counts(s);
    if (s->product && !s->trace)
        gy_rank_find_lasso(s);
    run->result->threads = s->size;
    for (unsigned i = 0; i < s->size; i++) // they have seen what symmetry has done
        gy_run_free_worker(run, s->members[i].worker);
    gy_rank_agree_on_edges(s);
    agree_on_figures(s);
    agree_on_end(s);
    if (s->trace)
        gy_rank_report(s);
    for (unsigned i = 0; i < s->size; i++)
        free_member(s, &s->members[i]);
    for (size_t i = 0; i < s->shares.n; i++) {
        gy_rank_list_free(&s->shares.at[i]->list);
        free(s->shares.at[i]);
    }
    gy_vec_free(&s->shares);
    gy_vec_free(&s->files);
    gy_region_free(&s->unsaved);
    gy_region_free(&s->failed);
    gy_region_free(&s->nodes);
    gy_number_set_free(&s->next);
    gy_number_set_free(&s->full);
    gy_rank_free_proviso(s);
    gy_vec_free(&s->candidates);
    free(s->cleared);
    free(s->members);
}

// What the first pass has counted is not what the second one does.
static void forget(gy_run *run)
{
    gy_search_result *result = run->result;
    run->stopped = false;
    run->states_so_far = 0;
    result->completeness = GY_COMPLETE;
    result->transitions = result->depth = result->folded = result->not_kept = 0;
    result->endless_edge = -1;
    if (result->edge_count)
        memset(result->reached_edges, 0, result->edge_count);
}

// True: it has to begin again. *error: one was found.
static bool try_pass(gy_run *run, gy_rank_trace *trace, bool reduce, gy_rank_product *product,
                     gy_owner *owner, bool *error)
{
    gy_rank_search *s = gy_alloc_zero(sizeof *s);
    s->run = run;
    s->transport = run->options->transport;
    s->owner = owner;
    s->trace = trace;
    s->product = product;
    s->tags = trace ? GY_PACKING_TAGS : product ? 1 : 0;
    s->reduces = reduce && run->reducer;
    run->result->reduced = s->reduces;
    if (run->reducer && !reduce)
        run->result->not_reduced = "an error was found, but a shortest path to it is required";
    s->size = run->options->threads ? run->options->threads : 1;
    atomic_flag_clear(&s->watch);
    gy_exchange_init(&s->exchange, s->transport);
    s->store = new_store(s);
    uint64_t without = s->store == NULL;
    s->transport->reduce(s->transport, &without, 1, GY_TRANSPORT_SUM);
    if (without) {
        agree_on_memory(s, !s->store);
        gy_run_stop(run, GY_LIMIT_MEMORY);
    } else {
        explore(s);
    }
    *error = gy_rank_is_up(&s->error);
    bool anew = s->anew;
    gy_vec_free(&s->known.content);
    gy_vec_free(&s->known.lengths);
    if (s->store)
        gy_store_free(s->store);
    gy_exchange_free(&s->exchange);
    free(s);
    return anew;
}

bool gy_rank_pass(gy_run *run, gy_rank_trace *trace, bool reduce, gy_rank_product *product,
                  gy_owner *owner)
{
    bool error;
    gy_owner own;
    gy_owner_init(&own, run->options->transport->size);
    while (try_pass(run, trace, reduce, product, owner ? owner : &own, &error))
        forget(run);
    gy_owner_free(&own);
    return error;
}

static void search_ways(gy_run *run, bool by_cost, bool reduce, gy_owner *owner)
{
    gy_rank_trace trace;
    gy_rank_trace_init(&trace, run, by_cost);
    gy_rank_pass(run, &trace, reduce, NULL, owner);
    gy_rank_trace_free(&trace);
}

// Without the reduction, whose ways need not be shortest ones. It is given up if it takes far more
// states than were needed to know of the error. True: it was not.
static bool search_in_full(gy_run *run, uint64_t states, gy_owner *owner)
{
    enum { LEAST = 200000, TIMES = 2 };
    bool one = run->options->max_errors == 1;
    uint64_t asked = run->options->state_limit, effort = one ? states * TIMES : 0;
    effort = effort > LEAST ? effort : LEAST;
    bool may_give_up = run->reducer && (!asked || effort < asked);
    run->state_limit = may_give_up ? effort : asked;
    search_ways(run, !run->options->any_way, false, owner);
    run->state_limit = asked;
    if (may_give_up && !one && run->states_so_far > effort) // whether it was noticed or not
        run->result->completeness = GY_LIMIT_STATES;
    if (!may_give_up || run->result->completeness != GY_LIMIT_STATES)
        return true;
    if (run->options->max_errors == 1 && run->result->witness_count) { // that will do
        run->result->completeness = GY_STOPPED_AT_ERROR;
        return true;
    }
    for (uint32_t i = 0; i < run->result->witness_count; i++)
        gy_witness_free(&run->result->witnesses[i]);
    run->result->witness_count = 0;
    forget(run);
    return false;
}

static void search_and_trace(gy_run *run, gy_owner *owner)
{
    bool known = run->options->known_error;
    if (!known && !gy_rank_pass(run, NULL, true, NULL, owner))
        return;
    uint64_t states = run->states_so_far;
    if (!known)
        forget(run);
    run->result->error_met = true;
    bool any_way = run->options->any_way && run->reducer;
    if (any_way || !search_in_full(run, states, owner))
        search_ways(run, false, true, owner);
    if (!run->result->errors && !run->symmetry && !known)
        run->result->errors = 1; // whatever kept this pass from a path to it
}

static void search_over_ranks(gy_run *run)
{
    gy_owner owner;
    gy_owner_init(&owner, run->options->transport->size);
    search_and_trace(run, &owner);
    gy_owner_free(&owner);
}

void gy_rank_search_product(gy_run *run, gy_rank_product *product)
{
    gy_rank_pass(run, NULL, false, product, NULL);
    if (!product->again)
        return;
    forget(run); // what was noticed early was nothing
    product->early = product->map = product->again = false;
    free(product->suspect.at);
    product->suspect = (gy_rank_state){0};
    product->rounds = 0;
    gy_rank_pass(run, NULL, false, product, NULL);
}

const gy_engine gy_ranks_engine = {
    .name = "ranks",
    .title = "--mpi",
    .search = search_over_ranks,
    .complete = true,
    .reduces = true,
    .symmetric = true,
    .checkpoints = true,
    .needs_states = true,
    .own_store = true,
};
