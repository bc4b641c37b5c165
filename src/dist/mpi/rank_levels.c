// The search over ranks: what the members of all ranks do next is decided here, at meetings.
#include "dist/mpi/rank_parts.h"

#include "search/checkpoint.h"

#include "base/assert.h"

// ---- lists ----------------------------------------------------------------------------

void gy_rank_list_init(gy_rank_list *list, gy_budget *budget)
{
    *list = (gy_rank_list){0};
    gy_region_init(&list->refs, budget);
    gy_region_init(&list->numbers, budget);
    gy_region_init(&list->from, budget);
}

void gy_rank_list_free(gy_rank_list *list)
{
    gy_region_free(&list->refs);
    gy_region_free(&list->numbers);
    gy_region_free(&list->from);
    list->n = 0;
}

bool gy_rank_list_put(gy_rank_list *list, gy_ref ref, uint64_t number)
{
    size_t bytes = (list->n + 1) * sizeof(uint64_t);
    if ((bytes > list->refs.room && !gy_region_reserve(&list->refs, bytes)) ||
        (bytes > list->numbers.room && !gy_region_reserve(&list->numbers, bytes)))
        return false;
    ((gy_ref *)list->refs.at)[list->n] = ref;
    ((uint64_t *)list->numbers.at)[list->n++] = number;
    return true;
}

static void clear_shares(gy_rank_search *s)
{
    for (size_t i = 0; i < s->shares.n; i++) {
        gy_rank_list_free(&s->shares.at[i]->list);
        free(s->shares.at[i]);
    }
    s->shares.n = 0;
}

static void add_share(gy_rank_search *s, gy_rank_list list)
{
    gy_rank_share *share = gy_alloc_apart(sizeof *share);
    share->list = list;
    gy_vec_push(&s->shares, share);
}

void gy_rank_share_list(gy_rank_search *s, gy_rank_list list)
{
    clear_shares(s);
    add_share(s, list);
}

// ---- references change ----------------------------------------------------------------

static void reencode_list(gy_rank_search *s, gy_rank_list *list)
{
    gy_ref *refs = list->refs.at;
    for (uint64_t i = 0; i < list->n; i++)
        refs[i] = gy_store_reencode(s->store, 0, refs[i]);
}

static void settle(gy_rank_search *s)
{
    if (!gy_store_plan(s->store, &s->team))
        return;
    for (size_t i = 0; i < s->shares.n; i++) // those that were done, too: they are known as well
        reencode_list(s, &s->shares.at[i]->list);
    gy_ref *unsaved = s->unsaved.at, *failed = s->failed.at, *nodes = s->nodes.at;
    for (uint64_t i = 0; i < s->node_count; i++)
        nodes[i] = gy_store_reencode(s->store, 0, nodes[i]);
    for (uint64_t i = 0; i < s->unsaved_n; i++)
        unsaved[i] = gy_store_reencode(s->store, 0, unsaved[i]);
    gy_number_set_clear(&s->full);
    for (uint64_t i = 0; i < s->failed_n; i++) {
        failed[i] = gy_store_reencode(s->store, 0, failed[i]);
        if (!gy_number_set_add(&s->full, failed[i]))
            gy_rank_out_of_memory(s);
    }
    for (unsigned i = 0; i < s->size; i++) {
        gy_rank_member *m = &s->members[i];
        reencode_list(s, &m->found);
        reencode_list(s, &m->doubtful);
        for (size_t k = 0; k < m->due.n; k++)
            reencode_list(s, &m->due.at[k]);
    }
    gy_store_settle(s->store);
}

static void grow(gy_rank_search *s)
{
    if (!gy_store_grow(s->store, &s->team))
        gy_rank_out_of_memory(s);
}

// ---- phases ---------------------------------------------------------------------------

// What all ranks have to know of each other between two phases.
typedef struct agreement {
    uint64_t found, states, transitions, stops, errors, snapshots, doubtful; // sums
    uint64_t due, best, fewest, most; // the least; `most` as what is left to UINT64_MAX
} agreement;

static agreement agree(gy_rank_search *s)
{
    agreement a = {.due = UINT64_MAX, .best = UINT64_MAX};
    for (unsigned i = 0; i < s->size; i++) {
        a.found += s->members[i].found.n;
        a.states += s->members[i].states;
        a.transitions += s->members[i].transitions;
    }
    s->own_states = a.states;
    s->own_transitions = a.transitions;
    a.stops = gy_rank_is_up(&s->stop);
    a.errors = gy_rank_is_up(&s->error);
    a.snapshots = s->run->checkpoint_due;
    a.doubtful = gy_rank_count_doubtful(s);
    if (s->trace) {
        a.due = gy_rank_next_due(s);
        a.best = s->trace->best;
    }
    a.fewest = a.states;
    a.most = UINT64_MAX - a.states;
    s->transport->reduce(s->transport, &a.found, 7, GY_TRANSPORT_SUM);
    s->transport->reduce(s->transport, &a.due, 4, GY_TRANSPORT_LEAST);
    a.most = UINT64_MAX - a.most;
    s->all_states = a.states;
    s->all_transitions = a.transitions;
    if (a.errors)
        gy_rank_raise(&s->error);
    if (a.stops)
        gy_rank_raise(&s->stop);
    return a;
}

static bool keeps_files(const gy_rank_search *s)
{
    return s->run->options->checkpoint_file && !s->trace;
}

static void begin_level(gy_rank_search *s)
{
    clear_shares(s);
    for (unsigned i = 0; i < s->size; i++) {
        gy_rank_list *found = &s->members[i].found;
        if (s->trace && !gy_rank_number_level(s, found))
            gy_rank_out_of_memory(s);
        add_share(s, *found);
        gy_rank_list_init(found, &s->run->budget);
    }
    s->chore = GY_RANK_EXPAND;
    s->boundary = (gy_rank_boundary){s->level, s->all_states, s->all_transitions, s->failed_n};
    s->level++;
    if ((keeps_files(s) && !gy_rank_keep_unsaved(s)) ||
        (s->product && !s->trace && !gy_rank_keep_nodes(s)))
        gy_rank_out_of_memory(s);
}

static void share_found(gy_rank_search *s)
{
    clear_shares(s);
    for (unsigned i = 0; i < s->size; i++) {
        gy_rank_list *found = &s->members[i].found;
        add_share(s, *found);
        gy_rank_list_init(found, &s->run->budget);
    }
}

static void begin_due(gy_rank_search *s)
{
    clear_shares(s);
    for (unsigned i = 0; i < s->size; i++) {
        gy_rank_member *m = &s->members[i];
        for (size_t k = 0; k < m->due.n; k++)
            if (m->due.at[k].at == s->trace->cost) {
                add_share(s, m->due.at[k]);
                m->due.at[k--] = m->due.at[--m->due.n];
            }
    }
}

// Levels by cost: true if there is one. Transitions that are due come first, and add to it.
static bool choose_cost(gy_rank_search *s, const agreement *a)
{
    gy_rank_trace *t = s->trace;
    bool one = s->run->options->max_errors == 1;
    if (s->chore == GY_RANK_EXPAND) {
        uint64_t next = a->found ? t->cost + 1 : UINT64_MAX;
        next = a->due < next ? a->due : next;
        if (next == UINT64_MAX || (one && a->best <= next))
            return false;
        t->cost = next;
    }
    s->chore = a->due == t->cost ? GY_RANK_TAKE_DUE : GY_RANK_EXPAND;
    return true;
}

static void begin_phase(gy_rank_search *s)
{
    atomic_store(&s->idle, 0);
    atomic_store(&s->over, false);
    for (unsigned i = 0; i < s->size; i++)
        s->members[i].idle = false;
    gy_exchange_begin(&s->exchange);
}

// States that are in doubt become what is to be worked on, numbered through all members.
static void share_doubts(gy_rank_search *s)
{
    uint64_t first = 0;
    clear_shares(s);
    for (unsigned i = 0; i < s->size; i++) {
        gy_rank_list *list = &s->members[i].doubtful;
        list->first = first;
        first += list->n;
        add_share(s, *list);
        gy_rank_list_init(list, &s->run->budget);
    }
}

// With a reduction: is there more to be done before the next level? Collective.
static bool resolve_doubts(gy_rank_search *s, const agreement *a)
{
    uint64_t failed = 0;
    if (s->chore == GY_RANK_EXPAND && a->doubtful) {
        if (!gy_rank_begin_questions(s))
            gy_rank_out_of_memory(s);
        share_doubts(s);
        s->chore = GY_RANK_ASK;
        return true;
    }
    if (s->chore == GY_RANK_ASK) {
        s->chore = GY_RANK_ANSWER; // the shares are used up, and stay
        return true;
    }
    if (s->chore == GY_RANK_EDGES || s->chore == GY_RANK_REPORT || s->chore == GY_RANK_DEAL)
        return gy_rank_next_proviso(s);
    if (s->chore != GY_RANK_ANSWER)
        return false;
    for (size_t i = 0; i < s->shares.n; i++) {
        gy_rank_share *share = s->shares.at[i];
        failed += gy_rank_keep_failed(&share->list, s, share->list.first);
        atomic_store(&share->cursor, 0);
    }
    s->transport->reduce(s->transport, &failed, 1, GY_TRANSPORT_SUM);
    s->chore = GY_RANK_EXPAND;
    if (failed)
        gy_rank_begin_proviso(s);
    return failed != 0;
}

// Was it stopped by a limit or by the user, on some rank, and by nothing else on any? What is
// written is the beginning of the level, which memory that ends later does not change.
static bool wants_last(gy_rank_search *s)
{
    const gy_run *run = s->run;
    bool wanted = gy_checkpoint_last_wanted(run) || (gy_rank_is_up(&s->no_memory) && !run->stopped);
    bool other = gy_rank_is_up(&s->error) || gy_rank_is_up(&s->unfit) || (run->stopped && !wanted);
    uint64_t counts[] = {wanted, other};
    s->transport->reduce(s->transport, counts, 2, GY_TRANSPORT_SUM);
    return counts[0] && !counts[1];
}

// The phase is over on this rank: what do all of them do next?
static void go_on(gy_rank_search *s)
{
    agreement a = agree(s);
    gy_rank_trace *t = s->trace;
    if (a.stops) {
        s->done = true;
        bool writes = keeps_files(s) && s->boundary.states && s->chore < GY_RANK_REACH;
        s->run->last_written = writes && wants_last(s);
        if (s->run->last_written)
            gy_rank_write(s);
    } else if (resolve_doubts(s, &a)) {
        begin_phase(s);
        return;
    } else if (s->product && !t && (s->chore != GY_RANK_EXPAND || !a.found)) {
        if (s->chore == GY_RANK_EXPAND && keeps_files(s))
            gy_rank_write(s); // what follows is not written
        s->done = !gy_rank_next_round(s, a.found);
        if (!s->done)
            share_found(s);
        if (!s->done)
            begin_phase(s);
        return;
    } else if (t && t->by_cost) {
        s->done = !choose_cost(s, &a);
    } else {
        s->done = !a.found || (t && a.best != UINT64_MAX && s->run->options->max_errors == 1);
        if (t && !s->done)
            t->cost++;
    }
    if (!s->done && !t && !s->product && gy_rank_rebalance(s, a.fewest, a.most))
        s->done = s->anew = true;
    if (s->done)
        return;
    if (t && t->by_cost && s->chore == GY_RANK_TAKE_DUE)
        begin_due(s);
    else
        begin_level(s);
    if (t && s->chore == GY_RANK_EXPAND && a.found)
        t->depth = t->cost;
    if (a.snapshots && keeps_files(s))
        gy_rank_write(s);
    begin_phase(s);
}

// ---- meetings -------------------------------------------------------------------------

static void lead(void *user, unsigned number)
{
    gy_rank_search *s = user;
    (void)number;
    bool wanted = atomic_exchange(&s->room_wanted, false), stop = gy_rank_is_up(&s->stop);
    // A member that came for room is in the middle of things and must go on first.
    if (wanted || (!stop && gy_store_wants_room(s->store))) {
        if (!stop)
            grow(s);
        return;
    }
    atomic_store_explicit(&s->pause, false, memory_order_relaxed);
    bool asked = s->chore >= GY_RANK_ASK && s->chore <= GY_RANK_DEAL; // of references
    if (gy_store_unsettled(s->store) && !gy_rank_is_up(&s->stop) && !asked)
        settle(s);
    if (gy_rank_is_up(&s->over))
        go_on(s);
}

static void meet(gy_rank_member *m)
{
    gy_store_tell(m->view);
    gy_team_meet(&m->search->team, lead, (unsigned)(m - m->search->members));
}

bool gy_rank_make_room(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    if (gy_rank_is_up(&s->stop))
        return false;
    if (!s->team.size) { // the beginning: nothing else is there yet
        gy_store_tell(m->view);
        grow(s);
    } else {
        gy_rank_raise(&s->room_wanted);
        meet(m);
    }
    return !gy_rank_is_up(&s->stop);
}

static void work(void *user, unsigned number)
{
    gy_rank_search *s = user;
    while (!s->done) {
        gy_rank_explore(&s->members[number]);
        if (!s->done)
            meet(&s->members[number]);
    }
}

void gy_rank_explore_all(gy_rank_search *s)
{
    s->level = UINT64_MAX; // that of the initial states is 0
    if (keeps_files(s))
        gy_rank_begin_files(s);
    if (!s->trace && s->run->options->resume_file) {
        if (!gy_rank_resume(s))
            return;
    } else {
        gy_rank_begin(&s->members[0]);
    }
    gy_store_tell(s->members[0].view);
    go_on(s);
    if (!s->done)
        gy_team_run(s->size, work, s, &s->team);
}
