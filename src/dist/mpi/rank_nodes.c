// The product over ranks: its nodes, and how all of them are found.
//
// A node is a state of the system and the observer's state after it: its number or, where numbers
// are given as states turn up, what it is. It belongs to the rank that these words belong to.
// While a way round a cycle is looked for, a counter of marks is after that (rank_lasso.c).
//
// Ending early, as in J. Barnat, L. Brim, P. Rockai, "A time-optimal on-the-fly parallel algorithm
// for model checking of weak LTL properties" (ICFEM 2009): each node knows the largest accepting
// one by which it was first reached, by a part of its hash. If an accepting arc leads to that one,
// it may lie on a cycle, and a path back to it is looked for. If there is none, two nodes had the
// same part, and all is searched again without this.
//
//   note while nodes are found:  - | accepting | the largest one's part of a hash
#include "dist/mpi/rank_parts.h"

#include <stdlib.h>

// ---- nodes ----------------------------------------------------------------------------

static uint32_t observer_words(const gy_rank_product *p)
{
    return p->content ? p->content : 1;
}

uint32_t gy_rank_make_node(gy_rank_member *m, const gy_incoming *in, uint32_t counter)
{
    const gy_rank_product *p = m->search->product;
    const gy_observer *observer = p->maker.observer;
    uint32_t system = in->words - 1, own = system + observer_words(p);
    gy_vec_reserve(&m->node, own + (size_t)1);
    memcpy(m->node.at, in->state, in->words * sizeof *m->node.at);
    if (p->content)
        observer->content(observer->self, m->worker, in->state, system, in->state[system],
                          m->node.at + system);
    if (p->counts)
        m->node.at[own] = counter;
    return own + p->counts;
}

int gy_rank_successors(gy_rank_member *m, const gy_word *node, uint32_t words)
{
    const gy_rank_product *p = m->search->product;
    const gy_observer *observer = p->maker.observer;
    m->items.n = 0;
    if (!p->content)
        return p->maker.maker.successors(m->product, node, words, &m->items);
    uint32_t system = words - p->content;
    gy_vec_reserve(&m->numbered, system + (size_t)1);
    memcpy(m->numbered.at, node, system * sizeof *node);
    m->numbered.at[system] = observer->number(observer->self, node + system);
    return p->maker.maker.successors(m->product, m->numbered.at, system + 1, &m->items);
}

static unsigned owner_of(const gy_rank_search *s, const gy_word *node, uint32_t words)
{
    return gy_rank_owner(s, node, words - s->product->counts);
}

// So many marks have come, one after the other, when an arc brings these.
static uint32_t count_marks(const gy_rank_product *p, uint64_t marks, uint32_t counter)
{
    while (p->counts && counter < p->order_n && marks >> p->order[counter] & 1)
        counter++;
    return counter;
}

static bool is_goal(const gy_rank_member *m, uint32_t words, uint32_t counter)
{
    const gy_rank_product *p = m->search->product;
    return p->goal.words && p->goal.words == words - p->counts &&
           (!p->counts || counter == p->order_n) &&
           !memcmp(p->goal.at, m->node.at, p->goal.words * sizeof *m->node.at);
}

// Is it one of those that are searched?
static bool is_inside(const gy_rank_member *m, const gy_word *node, uint32_t words)
{
    const gy_rank_search *outer = m->search->product->inside;
    gy_ref ref;
    if (!outer)
        return true;
    gy_store_view *view = outer->members[m - m->search->members].view;
    return gy_store_find(view, node, words - m->search->product->counts, &ref) &&
           (gy_store_note(view, ref) & GY_RANK_LEFT);
}

// ---- noticing early -------------------------------------------------------------------

static uint64_t label_mask(const gy_rank_search *s)
{
    return s->run->options->hostile ? 7 : ((uint64_t)1 << 40) - 1;
}

static uint64_t label_of(const gy_rank_search *s, const gy_word *node, uint32_t words)
{
    return (gy_rank_name_of(node, words) & label_mask(s)) | 1;
}

void gy_rank_break_off(gy_rank_search *s)
{
    gy_rank_raise(&s->stop);
    gy_exchange_stop(&s->exchange);
}

void gy_rank_suspect(gy_rank_member *m, const gy_word *node, uint32_t words)
{
    gy_rank_product *p = m->search->product;
    pthread_mutex_lock(&p->lock);
    if (!p->suspect.words) {
        p->suspect.at = gy_alloc_zero((words + (size_t)1) * sizeof *node);
        memcpy(p->suspect.at, node, words * sizeof *node);
        p->suspect.words = words;
    }
    pthread_mutex_unlock(&p->lock);
    gy_rank_break_off(m->search);
}

void gy_rank_note_arrivals(gy_rank_member *m)
{
    gy_store_view *view = m->view;
    const gy_rank_product *p = m->search->product;
    if (p->general)
        return;
    for (uint32_t k = 0; k < view->fresh_count && p->early; k++) {
        uint32_t i = view->fresh[k];
        uint64_t largest = m->own_of[i] > m->label_of[i] ? m->own_of[i] : m->label_of[i];
        gy_store_change_note(view, view->refs[i], 0, largest);
    }
    for (uint32_t i = 0; i < view->n; i++) {
        if (!m->own_of[i])
            continue;
        gy_store_change_note(view, view->refs[i], 0, GY_RANK_ACCEPTING);
        if (p->early && m->own_of[i] == m->label_of[i]) {
            uint32_t words;
            const gy_word *node = gy_store_state(view, view->refs[i], &words);
            gy_rank_suspect(m, node, words);
        }
    }
}

// ---- on their way ---------------------------------------------------------------------

bool gy_rank_admit(gy_rank_member *m, const gy_word *node, uint32_t words, uint64_t tag, uint32_t i)
{
    gy_rank_search *s = m->search;
    if (s->trace)
        return is_inside(m, node, words);
    m->own_of[i] = tag & 1 ? label_of(s, node, words) : 0;
    m->label_of[i] = tag >> 1;
    return true;
}

static void arrive(gy_rank_member *m, uint32_t words, uint64_t number, uint32_t ordinal,
                   bool accepting)
{
    gy_rank_search *s = m->search;
    unsigned owner = owner_of(s, m->node.at, words);
    uint64_t tag = m->label << 1 | accepting;
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
            gy_rank_send(m, owner, m->node.at, words, &tag, 1);
        return;
    }
    if (m->view->n >= GY_RANK_BATCH)
        gy_rank_flush(m);
    uint64_t rank = s->transport->rank;
    bool first = number == GY_RANK_NOWHERE;
    if (!gy_rank_admit(m, m->node.at, words, tag, m->view->n))
        return;
    m->from_of[m->view->n] =
        (gy_rank_from){first ? GY_RANK_NOWHERE : rank << GY_RANK_NUMBER_BITS | number, ordinal};
    m->group_of[m->view->n] = 0;
    gy_store_add_state(m->view, m->node.at, words);
    gy_store_hold(m->view);
}

bool gy_rank_is_node(const gy_rank_member *m, const gy_word *node, uint32_t words)
{
    const gy_rank_product *p = m->search->product;
    const gy_observer *observer = p->maker.observer;
    uint32_t own = observer_words(p);
    return words > own && gy_is_state(m->worker, node, words - own) &&
           (p->content ? observer->number(observer->self, node + words - own) != UINT32_MAX
                       : node[words - 1] < observer->states);
}

void gy_rank_number_first(gy_rank_member *m)
{
    const gy_rank_product *p = m->search->product;
    m->items.n = 0;
    p->maker.maker.initial(m->product, &m->items);
    for (uint32_t i = 0; i < m->items.n; i++)
        gy_rank_make_node(m, &m->items.in[i], 0);
}

void gy_rank_arrive_node(gy_rank_member *m, const gy_word *node, uint32_t words)
{
    gy_vec_reserve(&m->node, words + (size_t)1);
    memcpy(m->node.at, node, words * sizeof *node);
    m->label = 0;
    arrive(m, words, 0, 0, false);
}

// ---- expanding ------------------------------------------------------------------------

// A path back to this node is looked for.
static void begin_at(gy_rank_member *m, const gy_rank_state *start)
{
    gy_rank_search *s = m->search;
    uint32_t words = start->words + s->product->counts;
    gy_vec_reserve(&m->node, words);
    memcpy(m->node.at, start->at, start->words * sizeof *m->node.at);
    m->node.at[words - 1] = s->product->counts ? 0 : m->node.at[words - 1];
    if (owner_of(s, m->node.at, words) == s->transport->rank)
        arrive(m, words, GY_RANK_NOWHERE, 0, false);
}

void gy_rank_begin_product(gy_rank_member *m)
{
    gy_rank_search *s = m->search;
    const gy_rank_product *p = s->product;
    m->items.n = 0;
    m->label = 0;
    if (p->start.words)
        begin_at(m, &p->start);
    else
        p->maker.maker.initial(m->product, &m->items);
    for (uint32_t i = 0; i < m->items.n; i++) {
        uint32_t words = gy_rank_make_node(m, &m->items.in[i], 0);
        if (owner_of(s, m->node.at, words) != s->transport->rank)
            continue;
        gy_rank_add_to(&m->transitions, 1);
        if (s->trace && is_goal(m, words, 0)) {
            m->number = GY_RANK_NOWHERE;
            gy_rank_note_site(m, (gy_rank_site){.kind = GY_FAULT_ASSERTION, .ordinal = i},
                              m->node.at, words);
        }
        arrive(m, words, GY_RANK_NOWHERE, i, false);
    }
    gy_rank_flush(m);
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
        gy_rank_break_off(s);
    }
}

static void note_goal(gy_rank_member *m, uint32_t ordinal, uint32_t words)
{
    gy_rank_site site = {.kind = GY_FAULT_ASSERTION,
                         .ordinal = ordinal,
                         .cost = m->search->trace->cost + 1,
                         .step = 1};
    gy_rank_note_site(m, site, m->node.at, words);
}

void gy_rank_expand_product(gy_rank_member *m, gy_ref ref, const gy_word *state, uint32_t words)
{
    gy_rank_search *s = m->search;
    const gy_rank_product *p = s->product;
    uint32_t own = words - p->counts, before = p->counts ? state[own] : 0;
    bool notices = p->early && !s->trace;
    m->label = notices ? gy_store_note(m->view, ref) & label_mask(s) : 0;
    int end = gy_rank_successors(m, state, own);
    if (end) {
        if (end == GY_GRAPH_SEEN)
            note_sight(m, state, words);
        else
            gy_rank_break_off(s); // what it leads to is not known: nothing can be said
        return;
    }
    gy_rank_add_to(&m->transitions, m->items.n);
    for (uint32_t i = 0; i < m->items.n && !gy_rank_is_up(&s->stop); i++) {
        uint32_t counter = count_marks(p, m->items.marks[i], before);
        bool accepting = !p->general && (m->items.marks[i] & p->all) == p->all;
        uint32_t length = gy_rank_make_node(m, &m->items.in[i], counter);
        if (s->trace && is_goal(m, length, counter))
            note_goal(m, i, length);
        if (notices && accepting && length == words &&
            !memcmp(m->node.at, state, words * sizeof *state))
            gy_rank_suspect(m, state, words);
        arrive(m, length, m->number, i, accepting);
    }
}
