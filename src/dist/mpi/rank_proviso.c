// The search over ranks with partial-order reduction: states that lead nowhere new at once, nor to
// one that is expanded fully (rank_reduced.c). As one process does, what they lead to is examined,
// step by step (search/safety/level_proviso.h says how, and which of them fail in the end): so the
// same states fail, and are then expanded fully.
//
// Rank 0 leads. It knows a state by a number of its own, which stands for a rank and a reference
// there. In turns:
//
//   EDGES   the current states are expanded again; what they keep is named to whom it belongs
//   REPORT  the edges there are are sent to rank 0
//   DEAL    rank 0 says which states to examine next: or, at the end, which have failed
//
// One process remembers what it has seen from level to level. Here that begins again: names of
// states change as stores learn. What is allowed to cost so much in all levels is used up sooner
// then, and only then more states fail.
#include "dist/mpi/rank_parts.h"

#include <stdlib.h>

enum { REDUCED = 1, FULL, LEAD, LEAD_TO_NEXT, LEAD_TO_FULL };

typedef struct named { // by rank 0
    uint64_t rank;
    gy_ref ref;
    uint64_t hash; // of its content, if it is reduced
} named;

typedef struct lead {
    uint32_t from, to; // numbers of states
} lead;

struct gy_rank_proviso {
    gy_level_proviso table;
    gy_number_set next, full; // by number
    GY_VEC(named) states;
    gy_map numbers;
    GY_VEC(lead) leads;
    GY_VEC(uint32_t) reduced, fully;
    GY_VEC(uint32_t) dealt; // what is to be examined, or has failed
};

// ---- while they work ------------------------------------------------------------------

static void report(gy_rank_member *m, gy_rank_seen r)
{
    gy_vec_push(&m->reports, r);
}

static void report_lead(gy_rank_member *m, uint64_t rank, gy_ref from, const gy_word *state,
                        uint32_t words)
{
    gy_rank_search *s = m->search;
    gy_ref to;
    if (!gy_store_find(m->view, state, words, &to))
        return; // only if the search is to end
    uint64_t what = gy_number_set_has(&s->next, to)   ? LEAD_TO_NEXT
                    : gy_number_set_has(&s->full, to) ? LEAD_TO_FULL
                                                      : LEAD;
    report(m, (gy_rank_seen){what, rank, from, s->transport->rank, to});
}

void gy_rank_find_edges(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    uint32_t count;
    uint64_t rank = s->transport->rank, name = ref;
    const gy_transition *all = gy_rank_find_all(m, state, words, &count);
    bool reduced = all && gy_rank_choose(m, state, words, all, count) < count;
    report(m, (gy_rank_seen){reduced ? REDUCED : FULL, rank, ref, gy_hash_state(state, words), 0});
    for (uint32_t i = 0; reduced && i < count; i++) {
        if (!m->moves.keep.at[i] || !all[i].state)
            continue;
        unsigned owner = gy_rank_owner(s, all[i].state, all[i].words);
        if (owner == rank)
            report_lead(m, rank, ref, all[i].state, all[i].words);
        else
            gy_rank_send(m, owner, all[i].state, all[i].words, &name, 1);
    }
}

void gy_rank_hear_edges(gy_rank_member *m, unsigned from)
{
    uint64_t name;
    while (!gy_rank_is_up(&m->search->stop) && gy_unpacker_next(&m->in, &name, 1))
        report_lead(m, from, name, m->in.state.at, m->in.words);
}

enum { REPORT_WORDS = sizeof(gy_rank_seen) / sizeof(gy_word) };

void gy_rank_send_reports(gy_rank_member *m)
{
    bool here = m->search->transport->rank == 0;
    for (size_t i = 0; i < m->reports.n && !here; i++) {
        gy_word words[REPORT_WORDS];
        memcpy(words, &m->reports.at[i], sizeof words);
        gy_rank_send(m, 0, words, REPORT_WORDS, NULL, 0);
    }
    if (!here)
        m->reports.n = 0;
}

void gy_rank_hear_reports(gy_rank_member *m)
{
    gy_rank_seen r;
    while (gy_unpacker_next(&m->in, NULL, 0) && m->in.words == REPORT_WORDS) {
        memcpy(&r, m->in.state.at, sizeof r);
        report(m, r);
    }
}

void gy_rank_send_dealt(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    struct gy_rank_proviso *p = s->proviso;
    if (s->transport->rank != 0 || m != &s->members[0])
        return;
    for (size_t i = 0; i < p->dealt.n; i++) {
        const named *state = &p->states.at[p->dealt.at[i]];
        uint64_t name = state->ref;
        if (state->rank == 0)
            gy_vec_push(&m->dealt, state->ref);
        else
            gy_rank_send(m, (unsigned)state->rank, NULL, 0, &name, 1);
    }
    p->dealt.n = 0;
}

void gy_rank_hear_dealt(gy_rank_member *m)
{
    uint64_t name;
    while (gy_unpacker_next(&m->in, &name, 1))
        gy_vec_push(&m->dealt, name);
}

// ---- rank 0, at meetings --------------------------------------------------------------

static uint32_t number_of(struct gy_rank_proviso *p, uint64_t rank, gy_ref ref)
{
    uint64_t hash = gy_hash_pair(rank, ref);
    for (gy_map_probe i = gy_map_first(&p->numbers, hash); i.found; gy_map_next(&p->numbers, &i))
        if (p->states.at[i.number].ref == ref && p->states.at[i.number].rank == rank)
            return i.number;
    uint32_t number = (uint32_t)p->states.n;
    gy_vec_push(&p->states, ((named){rank, ref, 0}));
    gy_map_add(&p->numbers, hash, number);
    return number;
}

static int by_from(const void *a, const void *b)
{
    const lead *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

static bool take_report(struct gy_rank_proviso *p, const gy_rank_seen *r)
{
    uint32_t from = number_of(p, r->rank, r->from);
    if (r->what == REDUCED || r->what == FULL) {
        p->states.at[from].hash = r->other;
        if (r->what == REDUCED)
            gy_vec_push(&p->reduced, from);
        else
            gy_vec_push(&p->fully, from);
        return true;
    }
    uint32_t to = number_of(p, r->other, r->to);
    gy_vec_push(&p->leads, ((lead){from, to}));
    return r->what == LEAD || gy_number_set_add(r->what == LEAD_TO_NEXT ? &p->next : &p->full, to);
}

// What all ranks have reported, as the proviso wants to hear it. False: no memory.
static bool hear_all(gy_rank_search *s, struct gy_rank_proviso *p)
{
    gy_proviso_reports reports;
    bool good = true;
    p->leads.n = p->reduced.n = p->fully.n = 0;
    for (unsigned i = 0; i < s->size; i++) {
        for (size_t k = 0; k < s->members[i].reports.n; k++)
            good = good && take_report(p, &s->members[i].reports.at[k]);
        s->members[i].reports.n = 0;
    }
    if (p->leads.n)
        qsort(p->leads.at, p->leads.n, sizeof *p->leads.at, by_from);
    gy_proviso_reports_init(&reports, &s->run->budget);
    for (size_t i = 0; i < p->reduced.n && good; i++) {
        uint32_t from = p->reduced.at[i];
        size_t low = 0, high = p->leads.n;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (p->leads.at[middle].from < from)
                low = middle + 1;
            else
                high = middle;
        }
        good = gy_proviso_reports_add(&reports, GY_PROVISO_REDUCED, from);
        for (; low < p->leads.n && p->leads.at[low].from == from && good; low++)
            good = gy_proviso_reports_add(&reports, GY_PROVISO_LEAD, p->leads.at[low].to);
    }
    for (size_t i = 0; i < p->fully.n && good; i++)
        good = gy_proviso_reports_add(&reports, GY_PROVISO_FULL, p->fully.at[i]);
    good = good && gy_level_proviso_hear(&p->table, &reports, &p->next, &p->full);
    gy_proviso_reports_free(&reports);
    return good;
}

static void deal(void *user, gy_ref number)
{
    struct gy_rank_proviso *p = user;
    gy_vec_push(&p->dealt, (uint32_t)number);
}

static uint64_t hash_of(void *user, gy_ref number)
{
    struct gy_rank_proviso *p = user;
    return p->states.at[number].hash;
}

static void think(gy_rank_search *s)
{
    struct gy_rank_proviso *p = s->proviso;
    if (!hear_all(s, p)) {
        gy_rank_out_of_memory(s);
        return;
    }
    gy_level_proviso_ask(&p->table, gy_level_proviso_allowance(s->all_states), deal, p);
    s->failing = !p->dealt.n;
    if (s->failing)
        gy_level_proviso_fail(&p->table, hash_of, deal, p);
}

static void begin_to_think(gy_rank_search *s)
{
    struct gy_rank_proviso *p = s->proviso;
    if (!p) {
        p = s->proviso = gy_alloc_zero(sizeof *p);
        gy_level_proviso_init(&p->table, &s->run->budget);
        gy_number_set_init(&p->next, &s->run->budget);
        gy_number_set_init(&p->full, &s->run->budget);
    }
    gy_level_proviso_begin(&p->table, 0);
    gy_number_set_clear(&p->next);
    gy_number_set_clear(&p->full);
    gy_map_clear(&p->numbers);
    p->states.n = 0;
}

void gy_rank_free_proviso(gy_rank_search *s)
{
    struct gy_rank_proviso *p = s->proviso;
    if (!p)
        return;
    gy_level_proviso_free(&p->table);
    gy_number_set_free(&p->next);
    gy_number_set_free(&p->full);
    gy_vec_free(&p->states);
    gy_map_free(&p->numbers);
    gy_vec_free(&p->leads);
    gy_vec_free(&p->reduced);
    gy_vec_free(&p->fully);
    gy_vec_free(&p->dealt);
    free(p);
}

// ---- all ranks, at meetings -----------------------------------------------------------

static int by_state(const void *a, const void *b)
{
    gy_ref x = ((const gy_rank_group *)a)->state, y = ((const gy_rank_group *)b)->state;
    return (x > y) - (x < y);
}

// Their numbers, where paths are asked for, are those that they had as candidates.
static uint64_t number_among(const gy_rank_search *s, gy_ref ref)
{
    const gy_rank_group wanted = {.state = ref}, *found = NULL;
    if (s->candidates.n)
        found = bsearch(&wanted, s->candidates.at, s->candidates.n, sizeof wanted, by_state);
    return found ? found->number : 0;
}

bool gy_rank_add_failed(gy_rank_search *s, gy_ref ref)
{
    size_t bytes = (s->failed_n + 1) * sizeof ref;
    if (bytes > s->failed.room && !gy_region_reserve(&s->failed, bytes))
        return false;
    ((gy_ref *)s->failed.at)[s->failed_n++] = ref;
    return gy_number_set_add(&s->full, ref);
}

void gy_rank_begin_proviso(gy_rank_search *s)
{
    s->candidates.n = 0;
    for (size_t i = 0; s->trace && i < s->shares.n; i++) {
        const gy_rank_list *list = &s->shares.at[i]->list;
        for (uint64_t k = 0; k < list->n; k++)
            gy_vec_push(&s->candidates,
                        ((gy_rank_group){((const gy_ref *)list->refs.at)[k],
                                         ((const uint64_t *)list->numbers.at)[k], false}));
    }
    if (s->candidates.n)
        qsort(s->candidates.at, s->candidates.n, sizeof *s->candidates.at, by_state);
    if (s->transport->rank == 0)
        begin_to_think(s);
    s->chore = GY_RANK_EDGES;
}

// What was dealt becomes what is worked on.
static void take_dealt(gy_rank_search *s)
{
    gy_rank_list list;
    gy_rank_list_init(&list, &s->run->budget);
    for (unsigned i = 0; i < s->size; i++) {
        gy_rank_member *m = &s->members[i];
        for (size_t k = 0; k < m->dealt.n; k++)
            if (!gy_rank_list_put(&list, m->dealt.at[k], number_among(s, m->dealt.at[k])) ||
                (s->failing && !gy_rank_add_failed(s, m->dealt.at[k])))
                gy_rank_out_of_memory(s);
        m->dealt.n = 0;
    }
    gy_rank_share_list(s, list);
    s->chore = s->failing ? GY_RANK_TAKE_REST : GY_RANK_EDGES;
}

bool gy_rank_next_proviso(gy_rank_search *s)
{
    if (s->chore == GY_RANK_EDGES) {
        s->chore = GY_RANK_REPORT; // the shares are used up, and stay
        return true;
    }
    if (s->chore == GY_RANK_DEAL) {
        take_dealt(s);
        return true;
    }
    uint64_t say[2] = {0};
    if (s->transport->rank == 0) {
        think(s);
        say[0] = s->failing;
        say[1] = s->proviso->dealt.n;
    }
    s->transport->broadcast(s->transport, 0, say, sizeof say);
    s->failing = say[0];
    s->chore = say[1] ? GY_RANK_DEAL : GY_RANK_EXPAND;
    return say[1] != 0;
}
