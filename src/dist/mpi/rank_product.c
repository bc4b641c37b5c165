// The product over ranks: its nodes, and the life of its search.
//
// A node is a state of the system and the observer's state behind it. If more than one mark is
// needed, a counter follows: marks are waited for one after the other, and an arc that brings the
// last one is accepting. Otherwise an arc is accepting if it has the mark. So a cycle is accepting
// if it has an accepting arc, and one bit says all about an arc.
//
// Passes: all nodes are found, and those that can't lie on an accepting cycle are taken away
// (rank_cycles.c). If some are left, ways are looked for in breadth, with parents: from a node that
// an accepting arc leads to, back to it by such an arc; and from the beginning to that node.
#include "dist/mpi/rank_product.h"

#include "dist/mpi/rank_parts.h"

#include "base/clock.h"

#include <stdlib.h>

// ---- nodes ----------------------------------------------------------------------------

// Counts the marks that an arc brings; true: it is accepting.
static bool count_marks(const gy_rank_product *p, uint64_t marks, uint32_t *counter)
{
    if (!p->counts)
        return (marks & p->all) == p->all;
    uint32_t k = *counter;
    while (k < p->needed && marks >> p->order[k] & 1)
        k++;
    *counter = k == p->needed ? 0 : k;
    return k == p->needed;
}

// The node that an item leads to, in m->node. Returns how many words it has.
static uint32_t make_node(gy_rank_member *m, const gy_incoming *in, uint32_t counter)
{
    bool counts = m->search->product->counts;
    gy_vec_reserve(&m->node, in->words + (size_t)1);
    memcpy(m->node.at, in->state, in->words * sizeof *m->node.at);
    if (counts)
        m->node.at[in->words] = counter;
    return in->words + counts;
}

static bool is_goal(const gy_rank_member *m, uint32_t words, bool accepting)
{
    const gy_rank_product *p = m->search->product;
    return p->goal.words == words && (accepting || p->start.words == 0) &&
           !memcmp(p->goal.at, m->node.at, words * sizeof *m->node.at);
}

static void arrive(gy_rank_member *m, uint32_t words, uint64_t number, uint32_t ordinal,
                   bool accepting)
{
    gy_rank_search *s = m->search;
    unsigned owner = gy_rank_owner(s, m->node.at, words);
    uint64_t flag = accepting;
    if (words > s->most_words) {
        gy_rank_too_long(s);
        return;
    }
    if (owner != s->transport->rank && s->trace) {
        gy_rank_send(m, owner, m->node.at, words, (uint64_t[]){number, ordinal}, 2);
        return;
    }
    if (owner != s->transport->rank) {
        if (accepting || !gy_rank_was_sent(m, m->node.at, words))
            gy_rank_send(m, owner, m->node.at, words, &flag, 1);
        return;
    }
    if (m->view->n >= GY_RANK_BATCH)
        gy_rank_flush(m);
    uint64_t rank = s->transport->rank;
    bool first = number == GY_RANK_NOWHERE;
    m->from_of[m->view->n] =
        (gy_rank_from){first ? GY_RANK_NOWHERE : rank << GY_RANK_NUMBER_BITS | number, ordinal};
    m->group_of[m->view->n] = 0;
    m->accepting_of[m->view->n] = accepting;
    gy_store_add_state(m->view, m->node.at, words);
    gy_store_hold(m->view);
}

// ---- expanding ------------------------------------------------------------------------

void gy_rank_begin_product(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    const gy_rank_product *p = s->product;
    if (p->start.words) { // a way back to this node is looked for
        gy_vec_reserve(&m->node, p->start.words);
        memcpy(m->node.at, p->start.at, p->start.words * sizeof *m->node.at);
        if (gy_rank_owner(s, m->node.at, p->start.words) == s->transport->rank)
            arrive(m, p->start.words, GY_RANK_NOWHERE, 0, false);
        gy_rank_flush(m);
        return;
    }
    m->items.n = 0;
    p->maker.maker.initial(m->product, &m->items);
    for (uint32_t i = 0; i < m->items.n; i++) {
        uint32_t words = make_node(m, &m->items.in[i], 0);
        if (gy_rank_owner(s, m->node.at, words) != s->transport->rank)
            continue;
        gy_rank_add_to(&m->transitions, 1);
        if (s->trace && is_goal(m, words, true)) {
            m->number = GY_RANK_NOWHERE;
            gy_rank_note_site(m, (gy_rank_site){.kind = GY_FAULT_ASSERTION, .ordinal = i},
                              m->node.at, words);
        }
        arrive(m, words, GY_RANK_NOWHERE, i, false);
    }
    gy_rank_flush(m);
}

static void break_off(gy_rank_search *s)
{
    gy_rank_raise(&s->stop);
    gy_exchange_stop(&s->exchange);
}

// The observer sees an error at once.
static void note_sight(gy_rank_member *m, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    if (s->trace && !s->product->goal.words) {
        gy_rank_note_site(m, (gy_rank_site){.kind = GY_FAULT_NONE, .cost = s->trace->cost}, state,
                          words);
    } else if (!s->trace) {
        atomic_store(&s->product->seen, true);
        break_off(s);
    }
}

void gy_rank_expand_product(gy_rank_member *m, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    gy_rank_product *p = s->product;
    uint32_t own = words - p->counts, before = p->counts ? state[own] : 0;
    m->items.n = 0;
    int end = p->maker.maker.successors(m->product, state, own, &m->items);
    if (end) {
        if (end == GY_GRAPH_SEEN)
            note_sight(m, state, words);
        else
            break_off(s); // what it leads to is not known: nothing can be said
        return;
    }
    if (s->chore == GY_RANK_EXPAND)
        gy_rank_add_to(&m->transitions, m->items.n);
    for (uint32_t i = 0; i < m->items.n && !gy_rank_is_up(&s->stop); i++) {
        uint32_t counter = before;
        bool accepting = count_marks(p, m->items.marks[i], &counter);
        uint32_t length = make_node(m, &m->items.in[i], counter);
        if (s->chore != GY_RANK_EXPAND) {
            gy_rank_follow_arc(m, m->node.at, length, accepting);
            continue;
        }
        if (s->trace && p->goal.words && is_goal(m, length, accepting))
            gy_rank_note_site(m,
                              (gy_rank_site){.kind = GY_FAULT_ASSERTION,
                                             .ordinal = i,
                                             .cost = s->trace->cost + 1,
                                             .step = 1},
                              m->node.at, length);
        arrive(m, length, m->number, i, accepting);
    }
}

// ---- a lasso --------------------------------------------------------------------------

typedef struct telling {
    gy_rank_product *product;
    void *worker;
    gy_space_items items;
    GY_VEC(gy_word) node; // without a counter
    GY_VEC(gy_turn) turns;
    GY_VEC(gy_step) steps;
    uint32_t wanted, seen;
} telling;

static int visit_steps(void *user, const gy_transition *transition)
{
    telling *t = user;
    if (t->seen++ != t->wanted)
        return 0;
    for (uint32_t i = 0; i < transition->step_count; i++)
        gy_vec_push(&t->steps, transition->steps[i]);
    return 1;
}

static void take_node(telling *t, uint32_t item)
{
    const gy_incoming *in = &t->items.in[item];
    gy_vec_reserve(&t->node, in->words + (size_t)1);
    memmove(t->node.at, in->state, in->words * sizeof *t->node.at);
    t->node.n = in->words;
}

// False: there is no such arc.
static bool tell_turn(telling *t, uint32_t item)
{
    t->items.n = 0;
    if (t->product->maker.maker.successors(t->worker, t->node.at, (uint32_t)t->node.n, &t->items) ||
        item >= t->items.n)
        return false;
    gy_product_origin origin = gy_product_origin_of(t->worker, t->items.origins[item]);
    gy_turn turn = {.from = origin.at,
                    .to = origin.move->to,
                    .marks = t->items.marks[item],
                    .observer_edge = origin.move->edge,
                    .ordinal = origin.ordinal};
    uint64_t before = t->steps.n;
    GY_VEC(gy_word) next = {0}; // asking for steps changes what the items are
    gy_vec_reserve(&next, t->items.in[item].words + (size_t)1);
    memcpy(next.at, t->items.in[item].state, t->items.in[item].words * sizeof *next.at);
    next.n = t->items.in[item].words;
    t->wanted = origin.ordinal;
    t->seen = 0;
    if (origin.ordinal != GY_STUTTER)
        gy_successors(origin.system, t->node.at, origin.words, visit_steps, t);
    turn.step_count = t->steps.n - before;
    gy_vec_push(&t->turns, turn);
    gy_vec_reserve(&t->node, next.n + 1);
    memcpy(t->node.at, next.at, next.n * sizeof *next.at);
    t->node.n = next.n;
    gy_vec_free(&next);
    return true;
}

static bool tell_sight(telling *t, gy_lasso_witness *lasso)
{
    t->items.n = 0;
    if (t->product->maker.maker.successors(t->worker, t->node.at, (uint32_t)t->node.n, &t->items) !=
        GY_GRAPH_SEEN)
        return false;
    gy_product_origin origin = gy_product_sight_of(t->worker);
    gy_turn last = {.from = origin.at,
                    .to = origin.move->to,
                    .marks = origin.move->marks,
                    .observer_edge = origin.move->edge,
                    .ordinal = GY_STUTTER};
    gy_vec_push(&t->turns, last);
    lasso->sight = origin.move->sight;
    lasso->cycle_turn = t->turns.n;
    return true;
}

// Both ways as a witness; NULL: they can't be walked again. No cycle: an error at the end.
gy_lasso_witness *gy_rank_tell_lasso(gy_rank_product *p, const gy_route *stem,
                                     const gy_route *cycle)
{
    telling t = {.product = p, .worker = p->maker.maker.open(&p->maker)};
    gy_lasso_witness *lasso = gy_alloc_zero(sizeof *lasso);
    p->maker.maker.initial(t.worker, &t.items);
    bool good = stem->n > 0 && stem->at[0] < t.items.n;
    if (good) {
        lasso->initial = t.items.origins[stem->at[0]];
        take_node(&t, stem->at[0]);
    }
    for (size_t i = 1; i < stem->n && good; i++)
        good = tell_turn(&t, stem->at[i]);
    lasso->cycle_turn = t.turns.n;
    lasso->cycle_start = t.steps.n;
    for (size_t i = 1; i < cycle->n && good; i++) // the first is that of the node itself
        good = tell_turn(&t, cycle->at[i]);
    if (good && !cycle->n)
        good = tell_sight(&t, lasso);
    lasso->turns = t.turns.at;
    lasso->turn_count = t.turns.n;
    lasso->steps = t.steps.at;
    lasso->step_count = t.steps.n;
    for (uint64_t i = 0; i < lasso->step_count; i++)
        lasso->cost += 1 + (lasso->steps[i].partner >= 0);
    p->maker.maker.close(t.worker);
    free(t.items.in);
    free(t.items.marks);
    free(t.items.origins);
    gy_vec_free(&t.node);
    if (!good) {
        free(lasso->turns);
        free(lasso->steps);
        free(lasso);
    }
    return good ? lasso : NULL;
}

// ---- the search -----------------------------------------------------------------------

// On all ranks the same bit is the same process: they are given away before anything is found.
static void give_bits(gy_rank_product *p)
{
    unsigned room = 64 - p->maker.observer->sets - p->maker.observer->strong;
    gy_fair fair = p->maker.fair;
    if (!gy_fair_any(&fair))
        return;
    gy_fair_begin(&fair);
    for (int32_t pid = 0; pid < (int32_t)room; pid++) {
        gy_step step = {.pid = pid, .edge = -1, .partner = -1, .partner_edge = -1};
        gy_transition transition = {.steps = &step, .step_count = 1};
        gy_fair_note(&fair, &transition);
    }
}

static void set_up(gy_rank_product *p, gy_run *run, const gy_observer *observer,
                   gy_fairness fairness)
{
    gy_product_maker_init(&p->maker, run, observer, fairness);
    give_bits(p);
    p->all = gy_fair_all(&p->maker.fair);
    for (unsigned bit = 0; bit < 64; bit++)
        if (p->all >> bit & 1)
            p->order[p->needed++] = (uint8_t)bit;
    p->uniform = (observer->weak || observer->sets == 0) && !gy_fair_any(&p->maker.fair);
    p->counts = p->needed > 1 && !p->uniform;
}

const char *gy_ranks_cant(const gy_observer *observer, gy_fairness fairness)
{
    return fairness == GY_FAIRNESS_STRONG
               ? "--mpi knows no strong fairness: use --fairness weak or none"
           : fairness == GY_FAIRNESS_ACTIONS
               ? "--mpi knows no fairness of labelled statements: add --fairness none"
           : observer->strong   ? "--mpi: the formula has several premises of strong fairness "
                                  "([]<>a -> []<>b), which need a search of one process"
           : !observer->bounded ? "--mpi: the states of this claim are numbered while it is "
                                  "searched, which ranks would do differently"
           : observer->changes  ? "--mpi: the claim changes variables of processes"
                                : NULL;
}

static void conclude(gy_rank_product *p, gy_run *run, gy_product_result *result)
{
    gy_search_result *figures = run->result;
    figures->states = run->states_so_far;
    result->lasso = p->lasso;
    if (p->too_many)
        gy_run_fail(run, "--mpi: fairness of more than %u processes", 64 - p->maker.observer->sets);
    figures->error_met = p->nonempty || atomic_load(&p->seen);
    figures->errors = p->lasso != NULL;
    if (p->lasso)
        gy_run_stop(run, GY_STOPPED_AT_ERROR);
    else if (figures->error_met && !run->stopped)
        gy_run_fail(run, "internal error: the way to a cycle can't be found again");
}

gy_product_result *gy_ranks_product_search(gy_system *system, const gy_observer *observer,
                                           gy_fairness fairness, const gy_search_options *given)
{
    gy_search_options options = *given;
    options.checkpoint_file = options.resume_file = NULL;
    options.max_errors = 1;
    if (options.store != GY_STORE_PLAIN)
        options.store = GY_STORE_TREE;
    gy_product_result *result = gy_alloc_zero(sizeof *result);
    gy_search_result *figures = gy_alloc_zero(sizeof *figures);
    gy_run run = {.system = system, .options = &options, .result = figures};
    gy_rank_product product = {0};
    result->figures = figures;
    result->store = options.store;
    result->cycles = "owcty";
    result->cycles_why = "--mpi";
    figures->endless_edge = -1;
    figures->coverage = 1;
    figures->threads = 1;
    run.started = gy_clock();
    run.next_progress = run.started + 1;
    run.worker = gy_worker_new(system);
    gy_budget_init(&run.budget, options.memory_limit);
    run.state_limit = options.state_limit;
    set_up(&product, &run, observer, fairness);
    const char *why =
        gy_ranks_cant(observer, product.maker.fair.actions ? GY_FAIRNESS_ACTIONS : fairness);
    if (why)
        gy_run_fail(&run, "%s", why);
    else
        gy_rank_search_product(&run, &product);
    conclude(&product, &run, result);
    figures->matched =
        figures->transitions > figures->states ? figures->transitions - figures->states : 0;
    figures->memory = run.budget.peak + run.elsewhere;
    figures->bytes_per_state =
        figures->states ? (double)figures->memory / (double)figures->states : 0;
    figures->seconds = gy_clock() - run.started;
    gy_product_maker_free(&product.maker);
    gy_worker_free(run.worker);
    return result;
}
