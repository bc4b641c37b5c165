// See level_proviso.h. Nodes are states, edges kept transitions: these stay the same from level to
// level. Who leads to the next level is another matter at each level; who leads to a fully expanded
// state does for ever. Both spread backwards along the edges.
//
// Candidates that lead on in a few steps are many, and should not keep those busy that look for the
// others. So candidates look one step ahead; those that are left, four steps; then 16, and so on.
// In each pass, states are come by in layers. To be independent of the order within a layer, first
// all who see a cleared one are cleared; then the others step ahead.
#include "search/safety/level_proviso.h"

#include <stdlib.h>

enum {
    FURTHER = 4, // times, in each pass
    AHEAD = 16,  // reports: what is in memory takes that long to come
    COST_PER_STATE = 8,
    COST_AT_LEAST = 1 << 16,
    REMEMBERED = 1 << 14,
};

#define NO_EDGE UINT32_MAX
#define NOT_SEEN (UINT32_MAX - 1)
#define FOR_EVER UINT32_MAX

typedef struct node {
    gy_ref state;
    uint32_t in;      // the first of a list of edges
    uint32_t out;     // the first of its edges, which lie together, or NO_EDGE, or NOT_SEEN
    uint32_t pass;    // in which it was last come by
    uint32_t cleared; // in which check, or FOR_EVER; 0: not yet
} node;

typedef struct edge {
    uint32_t from, to;
    uint32_t next_in;
} edge;

static node *nodes_of(const gy_level_proviso *t)
{
    return t->nodes.at;
}

static edge *edges_of(const gy_level_proviso *t)
{
    return t->edges.at;
}

// ---- reports ----------------------------------------------------------------------------

void gy_proviso_reports_init(gy_proviso_reports *s, gy_budget *budget)
{
    *s = (gy_proviso_reports){0};
    gy_region_init(&s->list, budget);
}

void gy_proviso_reports_free(gy_proviso_reports *s)
{
    gy_region_free(&s->list);
}

bool gy_proviso_reports_add(gy_proviso_reports *s, gy_proviso_report_kind what, gy_ref state)
{
    size_t bytes = (s->n + 1) * sizeof(gy_proviso_report);
    if (bytes > s->list.room && !gy_region_reserve(&s->list, bytes))
        return false;
    ((gy_proviso_report *)s->list.at)[s->n++] = (gy_proviso_report){state, what};
    return true;
}

void gy_proviso_reports_reencode(gy_proviso_reports *s, gy_level_proviso_reencode *reencode,
                                 void *user)
{
    gy_proviso_report *list = s->list.at;
    for (size_t i = 0; i < s->n; i++)
        list[i].state = reencode(user, list[i].state);
}

// ---- nodes ------------------------------------------------------------------------------

void gy_level_proviso_init(gy_level_proviso *t, gy_budget *budget)
{
    *t = (gy_level_proviso){0};
    gy_region_init(&t->nodes, budget);
    gy_region_init(&t->edges, budget);
    gy_region_init(&t->slots, budget);
}

void gy_level_proviso_free(gy_level_proviso *t)
{
    gy_region_free(&t->nodes);
    gy_region_free(&t->edges);
    gy_region_free(&t->slots);
    gy_vec_free(&t->candidates);
    gy_vec_free(&t->layer);
    gy_vec_free(&t->ahead);
    gy_vec_free(&t->stack);
}

uint64_t gy_level_proviso_allowance(uint64_t states)
{
    return COST_AT_LEAST + COST_PER_STATE * states;
}

uint64_t gy_level_proviso_memory(const gy_level_proviso *t, uint64_t states)
{
    bool pays = t->looks > states / 4; // else most are examined once, and not again
    return REMEMBERED + (pays ? states : 0);
}

void gy_level_proviso_begin(gy_level_proviso *t, uint64_t remembered)
{
    if (t->node_count > remembered) { // the memory is kept: the next level may need as much
        t->node_count = t->edge_count = 0;
        memset(t->slots.at, 0, ((size_t)t->slot_mask + 1) * sizeof(uint64_t));
    }
    t->candidates.n = t->layer.n = 0;
    t->candidates_heard = false;
    t->number++;
}

static uint64_t hash_of(gy_ref state)
{
    return gy_number_set_hash(state);
}

// A slot has half of the hash, so that nodes that are another's need not be fetched, and the number
// of the node, plus one.
static uint64_t slot_for(uint64_t hash, uint32_t number)
{
    return hash >> 32 << 32 | ((uint64_t)number + 1);
}

static uint64_t *slot_of(const gy_level_proviso *t, gy_ref state, uint64_t hash)
{
    uint64_t *slots = t->slots.at;
    const node *nodes = nodes_of(t);
    uint64_t i = hash & t->slot_mask;
    for (; slots[i]; i = (i + 1) & t->slot_mask)
        if ((slots[i] ^ hash) >> 32 == 0 && nodes[(uint32_t)slots[i] - 1].state == state)
            break;
    return &slots[i];
}

// Its slot was expected: so is the node that is there.
static void expect_node(const gy_level_proviso *t, gy_ref state)
{
    uint64_t hash = hash_of(state);
    uint64_t slot = t->slot_mask ? ((const uint64_t *)t->slots.at)[hash & t->slot_mask] : 0;
    if (slot && (slot ^ hash) >> 32 == 0)
        __builtin_prefetch(&nodes_of(t)[(uint32_t)slot - 1]);
}

static void fill_slots(gy_level_proviso *t)
{
    memset(t->slots.at, 0, ((size_t)t->slot_mask + 1) * sizeof(uint64_t));
    for (uint32_t n = 0; n < t->node_count; n++) {
        if (n + AHEAD < t->node_count)
            gy_level_proviso_expect(t, nodes_of(t)[n + AHEAD].state);
        uint64_t hash = hash_of(nodes_of(t)[n].state);
        *slot_of(t, nodes_of(t)[n].state, hash) = slot_for(hash, n);
    }
}

static bool make_slots(gy_level_proviso *t)
{
    uint32_t mask = t->slot_mask ? t->slot_mask * 2 + 1 : 1023;
    while (t->node_count >= mask / 4 * 3) // they were read
        mask = mask * 2 + 1;
    if (!gy_region_reserve(&t->slots, ((size_t)mask + 1) * sizeof(uint64_t)))
        return false;
    t->slot_mask = mask;
    fill_slots(t);
    return true;
}

void gy_level_proviso_reencode_all(gy_level_proviso *t, gy_level_proviso_reencode *reencode,
                                   void *user)
{
    for (uint32_t n = 0; n < t->node_count; n++)
        nodes_of(t)[n].state = reencode(user, nodes_of(t)[n].state);
    if (t->node_count)
        fill_slots(t);
}

static bool find(gy_level_proviso *t, gy_ref state, uint32_t *number, bool *is_new)
{
    if (t->node_count >= t->slot_mask / 4 * 3 && !make_slots(t))
        return false;
    uint64_t hash = hash_of(state), *slot = slot_of(t, state, hash);
    *is_new = !*slot;
    if (*is_new) {
        size_t bytes = ((size_t)t->node_count + 1) * sizeof(node);
        if (t->node_count == NOT_SEEN ||
            (bytes > t->nodes.room && !gy_region_reserve(&t->nodes, bytes)))
            return false;
        nodes_of(t)[t->node_count] = (node){.state = state, .in = NO_EDGE, .out = NOT_SEEN};
        *slot = slot_for(hash, t->node_count++);
    }
    *number = (uint32_t)*slot - 1;
    return true;
}

// One that a transition leads to. If it is in the next level, it was not heard of before.
static bool find_lead(gy_level_proviso *t, gy_ref state, const gy_number_set *next,
                      const gy_number_set *full, uint32_t *number)
{
    bool is_new;
    if (!find(t, state, number, &is_new))
        return false;
    if (is_new && gy_number_set_has(full, state))
        nodes_of(t)[*number].cleared = FOR_EVER;
    else if (is_new && gy_number_set_has(next, state))
        nodes_of(t)[*number].cleared = t->number;
    return true;
}

static bool connect(gy_level_proviso *t, uint32_t from, uint32_t to)
{
    size_t bytes = ((size_t)t->edge_count + 1) * sizeof(edge);
    if (t->edge_count == NOT_SEEN ||
        (bytes > t->edges.room && !gy_region_reserve(&t->edges, bytes)))
        return false;
    edges_of(t)[t->edge_count] = (edge){from, to, nodes_of(t)[to].in};
    nodes_of(t)[to].in = t->edge_count++;
    return true;
}

// ---- clearing ---------------------------------------------------------------------------

static bool is_cleared(const gy_level_proviso *t, const node *n)
{
    return n->cleared == t->number || n->cleared == FOR_EVER;
}

// This one leads on, and so do all that lead to it, as far as this pass came by.
static void clear(gy_level_proviso *t, uint32_t number, uint32_t cleared)
{
    node *nodes = nodes_of(t);
    const edge *edges = edges_of(t);
    nodes[number].cleared = cleared;
    t->stack.n = 0;
    gy_vec_push(&t->stack, number);
    while (t->stack.n) {
        uint32_t n = t->stack.at[--t->stack.n];
        for (uint32_t e = nodes[n].in; e != NO_EDGE; e = edges[e].next_in) {
            node *from = &nodes[edges[e].from];
            if (from->pass != t->pass || from->cleared == FOR_EVER || from->cleared == cleared)
                continue;
            from->cleared = cleared;
            gy_vec_push(&t->stack, edges[e].from);
        }
    }
}

// ---- hearing ----------------------------------------------------------------------------

static bool any_leads_on(const gy_proviso_report *leads, size_t count, const gy_number_set *next,
                         const gy_number_set *full)
{
    for (size_t i = 0; i < count; i++)
        if (gy_number_set_has(next, leads[i].state) || gy_number_set_has(full, leads[i].state))
            return true;
    return false;
}

static bool hear_one(gy_level_proviso *t, const gy_proviso_report *seen, size_t leads,
                     const gy_number_set *next, const gy_number_set *full)
{
    uint32_t number, to;
    bool is_new;
    if (!t->candidates_heard && any_leads_on(seen + 1, leads, next, full))
        return true; // most are not worth remembering
    if (!t->candidates_heard && seen->what == GY_PROVISO_ALONE && t->is_full(t->of, seen->state))
        return true;
    if (!find(t, seen->state, &number, &is_new))
        return false;
    if (!t->candidates_heard)
        gy_vec_push(&t->candidates, number);
    if (seen->what == GY_PROVISO_FULL)
        nodes_of(t)[number].cleared = FOR_EVER;
    if (nodes_of(t)[number].out != NOT_SEEN)
        return true;
    nodes_of(t)[number].out = leads ? t->edge_count : NO_EDGE;
    for (size_t i = 1; i <= leads; i++)
        if (!find_lead(t, seen[i].state, next, full, &to) || !connect(t, number, to))
            return false;
    return true;
}

static void expect(const gy_level_proviso *t, const gy_proviso_reports *reports, size_t from,
                   size_t count, const gy_number_set *next)
{
    const gy_proviso_report *list = reports->list.at;
    for (size_t i = from; i < from + count && i < reports->n; i++) {
        if (list[i].what == GY_PROVISO_LEAD)
            gy_number_set_expect(next, list[i].state);
        gy_level_proviso_expect(t, list[i].state);
        if (i >= AHEAD / 2)
            expect_node(t, list[i - AHEAD / 2].state);
    }
}

bool gy_level_proviso_hear(gy_level_proviso *t, const gy_proviso_reports *reports,
                           const gy_number_set *next, const gy_number_set *full)
{
    const gy_proviso_report *list = reports->list.at;
    for (size_t i = 0, leads; i < reports->n; i += 1 + leads) {
        leads = 0;
        while (i + 1 + leads < reports->n && list[i + 1 + leads].what == GY_PROVISO_LEAD)
            leads++;
        expect(t, reports, i + AHEAD, 1 + leads, next);
        if (!hear_one(t, &list[i], leads, next, full))
            return false;
    }
    return true;
}

// ---- looking ahead ----------------------------------------------------------------------

static void drop_cleared(gy_level_proviso *t)
{
    size_t left = 0;
    for (size_t i = 0; i < t->candidates.n; i++)
        if (!is_cleared(t, &nodes_of(t)[t->candidates.at[i]]))
            t->candidates.at[left++] = t->candidates.at[i];
    t->candidates.n = left;
}

static void begin_pass(gy_level_proviso *t, uint32_t depth_limit)
{
    t->pass++;
    t->depth = 0;
    t->depth_limit = depth_limit;
    t->layer.n = 0;
    t->unseen = 0; // of candidates it is known what they lead to
    t->spent += t->candidates.n;
    for (size_t i = 0; i < t->candidates.n; i++) {
        nodes_of(t)[t->candidates.at[i]].pass = t->pass;
        gy_vec_push(&t->layer, t->candidates.at[i]);
    }
}

// Clears those of the layer that see a cleared one, or are so themselves.
static void clear_layer(gy_level_proviso *t)
{
    const node *nodes = nodes_of(t);
    const edge *edges = edges_of(t);
    const uint32_t *layer = t->layer.at;
    uint32_t now = t->number, edge_count = t->edge_count;
    for (size_t i = 0, n = t->layer.n; i < n; i++) {
        uint32_t number = layer[i], best = nodes[number].cleared;
        if (best != now && best != FOR_EVER)
            best = 0;
        for (uint32_t e = nodes[number].out; e < edge_count && edges[e].from == number; e++) {
            uint32_t cleared = nodes[edges[e].to].cleared;
            if (best != FOR_EVER && (cleared == now || cleared == FOR_EVER))
                best = cleared;
        }
        if (best)
            clear(t, number, best);
    }
}

// The next layer, and how many of it were not examined.
static void step_ahead(gy_level_proviso *t)
{
    node *nodes = nodes_of(t);
    const edge *edges = edges_of(t);
    uint32_t now = t->number, pass = t->pass, edge_count = t->edge_count;
    uint64_t unseen = 0;
    t->ahead.n = 0;
    for (size_t i = 0, n = t->layer.n; i < n; i++) {
        uint32_t number = t->layer.at[i], cleared = nodes[number].cleared;
        if (cleared == now || cleared == FOR_EVER)
            continue;
        for (uint32_t e = nodes[number].out; e < edge_count && edges[e].from == number; e++) {
            node *to = &nodes[edges[e].to];
            if (to->pass == pass)
                continue;
            to->pass = pass;
            unseen += to->out == NOT_SEEN;
            gy_vec_push(&t->ahead, edges[e].to);
        }
    }
    t->unseen = unseen;
    gy_level_proviso_layer done = t->layer;
    t->layer = t->ahead;
    t->ahead = done;
    t->depth++;
}

// One layer further, or back to the beginning to look much further. False: there is no more to see.
static bool go_ahead(gy_level_proviso *t)
{
    if (!t->layer.n)
        return false;
    clear_layer(t);
    step_ahead(t);
    t->spent += t->layer.n;
    if (t->layer.n && t->depth <= t->depth_limit)
        return true;
    bool all_seen = !t->layer.n;
    drop_cleared(t);
    if (!t->candidates.n || all_seen)
        return false;
    begin_pass(t, t->depth_limit < UINT32_MAX / FURTHER ? t->depth_limit * FURTHER : UINT32_MAX);
    return true;
}

// The function that is asked checks the clock: not for every few states.
static bool is_interrupted(gy_level_proviso *t)
{
    enum { NOW_AND_THEN = 1 << 12 };
    if (!t->interrupted || t->spent < t->interrupted_at)
        return false;
    if (t->interrupted(t->of)) // to be reported again
        return true;
    t->interrupted_at = t->spent + NOW_AND_THEN;
    return false;
}

void gy_level_proviso_ask(gy_level_proviso *t, uint64_t allowance, gy_level_proviso_visit *visit,
                          void *user)
{
    uint64_t unseen = 0;
    if (!t->candidates_heard) {
        t->candidates_heard = true;
        begin_pass(t, 1);
    }
    do {
        if (is_interrupted(t) || !go_ahead(t))
            return;
        unseen = t->unseen;
        if (t->spent + unseen * GY_LEVEL_PROVISO_LOOK > allowance)
            return;
    } while (!unseen);
    t->looks += unseen;
    t->spent += unseen * GY_LEVEL_PROVISO_LOOK;
    for (size_t i = 0; i < t->layer.n; i++)
        if (nodes_of(t)[t->layer.at[i]].out == NOT_SEEN)
            visit(user, nodes_of(t)[t->layer.at[i]].state);
}

// ---- those that fail --------------------------------------------------------------------

typedef struct ranked {
    uint64_t rank;
    uint32_t number;
} ranked;

static int by_rank(const void *a, const void *b)
{
    uint64_t x = ((const ranked *)a)->rank, y = ((const ranked *)b)->rank;
    return (x > y) - (x < y);
}

void gy_level_proviso_fail(gy_level_proviso *t, gy_level_proviso_rank *rank,
                           gy_level_proviso_visit *visit, void *user)
{
    GY_VEC(ranked) left = {0};
    drop_cleared(t);
    for (size_t i = 0; i < t->candidates.n; i++) {
        uint32_t number = t->candidates.at[i];
        gy_vec_push(&left, ((ranked){rank(user, nodes_of(t)[number].state), number}));
    }
    if (left.n)
        qsort(left.at, left.n, sizeof *left.at, by_rank);
    for (size_t i = 0; i < left.n; i++) {
        if (is_cleared(t, &nodes_of(t)[left.at[i].number]))
            continue;
        visit(user, nodes_of(t)[left.at[i].number].state);
        clear(t, left.at[i].number, FOR_EVER);
    }
    t->candidates.n = 0;
    gy_vec_free(&left);
}

// ---- files ------------------------------------------------------------------------------

void gy_level_proviso_save(const gy_level_proviso *t, gy_writer *writer)
{
    uint64_t numbers[] = {t->node_count, t->edge_count, t->number, t->pass, t->looks, t->spent};
    gy_write(writer, numbers, sizeof numbers);
    gy_write_region(writer, &t->nodes, t->node_count * sizeof(node));
    gy_write_region(writer, &t->edges, t->edge_count * sizeof(edge));
}

// Lists of edges end: each goes on with an older one.
static bool lists_are_sound(const gy_level_proviso *t)
{
    for (uint32_t n = 0; n < t->node_count; n++) {
        const node *at = &nodes_of(t)[n];
        if ((at->in >= t->edge_count && at->in != NO_EDGE) ||
            (at->out > t->edge_count && at->out < NOT_SEEN))
            return false;
    }
    for (uint32_t e = 0; e < t->edge_count; e++) {
        const edge *at = &edges_of(t)[e];
        if (at->from >= t->node_count || at->to >= t->node_count ||
            (at->next_in >= e && at->next_in != NO_EDGE))
            return false;
    }
    return true;
}

bool gy_level_proviso_load(gy_level_proviso *t, gy_reader *reader, gy_level_proviso_holds *holds,
                           void *user)
{
    uint64_t n[6];
    if (!gy_read(reader, n, sizeof n) || !gy_read_region(reader, &t->nodes) ||
        !gy_read_region(reader, &t->edges) || n[0] >= NOT_SEEN || n[1] >= NOT_SEEN ||
        n[0] > t->nodes.room / sizeof(node) || n[1] > t->edges.room / sizeof(edge))
        return false;
    t->node_count = (uint32_t)n[0];
    t->edge_count = (uint32_t)n[1];
    t->number = (uint32_t)n[2];
    t->pass = (uint32_t)n[3];
    t->looks = n[4];
    t->spent = t->interrupted_at = n[5];
    if (!lists_are_sound(t))
        return false;
    for (uint32_t i = 0; i < t->node_count; i++)
        if (!holds(user, nodes_of(t)[i].state))
            return false;
    return !t->node_count || make_slots(t);
}
