#include "search/reach.h"

#include "search/trial.h"

#include "reduce/moves.h"
#include "store/forest.h"
#include "store/pile.h"

#include "base/crew.h"

#include <stdlib.h>

enum {
    BLOCK = 504, // names in a block
    PIECE = 63,  // of them, what a thread takes at a time
    PIECES = BLOCK / PIECE,
    BATCH = 64, // arrivals that are under way at once, before they are entered
    FEW = 256,  // states of a level that are not worth waking the others for
    LOOK = 256, // states between looks at the clock
    POPPED = 8, // depth first: states taken at a time
    PARENTS = 64,
    RECENT = 8, // blocks among which one with room for a state is looked for
    // What all suspects may cost, in terms of trial.h, and what is remembered of them.
    COST_PER_STATE = 32,
    COST_AT_LEAST = 1 << 16,
    REMEMBERED = 1 << 14,
};

// What is to be done with a state. With a reduction, a state of which not all successors are taken
// is suspect if none of those taken is new: at the end of the level it is judged, and if need be
// the rest of its successors is taken after all (see search/trial.h). "The end of the level"
// makes the outcome independent of the order within it, and so of the number of threads.
typedef enum { EXPAND, JUDGE, TAKE_REST } chore;

// States that wait to be expanded. Those of a forest are all of one length.
typedef struct block {
    gy_wood *wood;
    uint32_t n;
    uint64_t at[BLOCK];
} block;

typedef GY_VEC(block *) blocks;

typedef enum { WORKING, GROWING, DONE } phase;

// A state of which not all successors were taken, those being under way.
typedef struct group {
    gy_wood *wood;
    uint64_t name;
    bool leads_on; // to a new state
} group;

typedef struct lead_of {
    uint32_t group; // plus one
    gy_named to;
} lead_of;

struct reach;

typedef struct member {
    struct reach *reach;
    gy_worker *worker;
    gy_forest_view forest;
    gy_pile_view pile;
    blocks open;            // being filled, one for each wood
    blocks full;            // and those that are
    blocks spare;           // empty
    gy_sightings sightings; // of suspects of this level, and of what they lead to
    blocks asked, convicts; // to be looked at for them; to be expanded fully
    gy_reducer *reducer;    // NULL: no reduction
    gy_moves moves;
    uint32_t group_of[BATCH]; // of each arrival: in `groups`, plus one; 0: none
    GY_VEC(group) groups;
    GY_VEC(lead_of) leads; // of these groups
    uint64_t expanded_reduced, expanded_fully;
    struct {
        gy_wood *wood;
        uint32_t name[2];
        uint32_t end;   // of its successors, in `successors`
    } parents[PARENTS]; // expanded last, their successors not yet looked at
    uint32_t parent_count;
    const gy_transition *successors; // of all of them
    gy_arrival arrivals[BATCH];
    struct {
        uint32_t at, words;
    } copies[BATCH]; // pile: the states are in `words`
    GY_VEC(gy_word) words;
    gy_pile_batch batch;
    uint32_t batched;
    uint32_t added;   // to lanes of the forest
    uint32_t visited; // successors of the state being expanded
    uint32_t countdown;
    int32_t endless_edge;
    uint8_t *reached;
    uint32_t edge_count;
    _Atomic uint64_t states, transitions;
    char apart[128]; // from the next member: what one writes, others should not have to fetch again
} member;

typedef struct reach {
    gy_run *run;
    bool depth_first;
    gy_forest *forest; // one of the two
    gy_pile *pile;
    member *members;
    unsigned size;
    gy_crew crew;
    bool solo; // one member works, the others wait or were not started yet
    phase phase;
    blocks now; // to be expanded; pieces are handed out by `cursor`
    _Atomic uint64_t cursor;
    chore chore; // of the states in `now`
    uint64_t level, level_states;
    gy_trial trial;  // of this level's suspects
    gy_names next;   // when there are suspects: the states of the next level
    gy_names full;   // convicts of all levels
    blocks convicts; // likewise
    _Atomic bool stop, error;
    _Atomic bool pause; // the forest may know better names, or somebody has nothing left to do
    atomic_flag watch;
} reach;

static bool load_flag(const _Atomic bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

static void raise_flag(_Atomic bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

static void add_to(_Atomic uint64_t *counter, uint64_t n) // has one writer
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n,
                          memory_order_relaxed);
}

static bool store_wants_room(const reach *r)
{
    return r->forest ? gy_forest_wants_room(r->forest) : gy_pile_wants_room(r->pile);
}

static uint64_t sum_transitions(const reach *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < r->size; i++)
        sum += atomic_load_explicit(&r->members[i].transitions, memory_order_relaxed);
    return sum;
}

static uint64_t sum_states(const reach *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < r->size; i++)
        sum += atomic_load_explicit(&r->members[i].states, memory_order_relaxed);
    return sum;
}

static void out_of_memory(reach *r)
{
    gy_run_stop(r->run, GY_LIMIT_MEMORY);
    raise_flag(&r->stop);
}

// ---- room -----------------------------------------------------------------------------

static bool begin_growth(reach *r)
{
    return r->forest ? gy_forest_begin_growth(r->forest) : gy_pile_begin_growth(r->pile);
}

static void help_growth(reach *r)
{
    if (r->forest)
        gy_forest_help(r->forest);
    else
        gy_pile_help(r->pile);
}

// True: there is more to help with.
static bool step_growth(reach *r)
{
    return r->forest && gy_forest_step(r->forest);
}

// False: it has to begin again.
static bool end_growth(reach *r)
{
    if (r->pile)
        return gy_pile_end_growth(r->pile);
    if (!gy_forest_end_growth(r->forest))
        out_of_memory(r);
    return true;
}

static void grow_alone(reach *r)
{
    bool enough = false;
    while (!enough && !load_flag(&r->stop)) {
        if (!begin_growth(r)) {
            out_of_memory(r);
            return;
        }
        do
            help_growth(r);
        while (step_growth(r));
        enough = end_growth(r);
    }
}

static void note(member *m)
{
    if (m->reach->forest)
        gy_forest_note(&m->forest);
    else
        gy_pile_note(&m->pile);
}

static void lead(void *user, unsigned number);

static void meet(member *m)
{
    reach *r = m->reach;
    note(m);
    gy_crew_meet(&r->crew, lead, (unsigned)(m - r->members));
    while (r->phase == GROWING) {
        help_growth(r);
        gy_crew_meet(&r->crew, lead, (unsigned)(m - r->members));
    }
}

// The store has no room for a state that is on its way. True: now it has.
static bool make_room(member *m)
{
    reach *r = m->reach;
    if (r->solo) {
        note(m);
        grow_alone(r);
    } else {
        meet(m);
    }
    return !load_flag(&r->stop);
}

// ---- the queue ------------------------------------------------------------------------

static block *new_block(member *m, gy_wood *wood)
{
    block *b;
    if (m->spare.n) {
        b = m->spare.at[--m->spare.n];
    } else {
        if (!gy_budget_take(&m->reach->run->budget, sizeof *b))
            return NULL;
        b = gy_alloc(sizeof *b);
    }
    b->wood = wood;
    b->n = 0;
    return b;
}

static block *open_block(member *m, gy_wood *wood)
{
    block **at = NULL;
    for (size_t i = 0; i < m->open.n; i++)
        if (m->open.at[i]->wood == wood)
            at = &m->open.at[i];
    if (at && (*at)->n < BLOCK)
        return *at;
    block *b = new_block(m, wood);
    if (b && at) {
        gy_vec_push(&m->full, *at);
        *at = b;
    } else if (b) {
        gy_vec_push(&m->open, b);
    }
    return b;
}

// An arrival is new.
static void keep(member *m, uint32_t of_group, gy_wood *wood, uint64_t name)
{
    block *b = m->open.n ? m->open.at[0] : NULL;
    if (of_group)
        m->groups.at[of_group - 1].leads_on = true;
    if (!b || b->wood != wood || b->n == BLOCK)
        b = open_block(m, wood);
    if (b)
        b->at[b->n++] = name;
    else
        out_of_memory(m->reach);
}

// Puts a state aside, in a list of blocks.
static void put_aside(member *m, blocks *list, gy_wood *wood, uint64_t name)
{
    block *b = NULL;
    for (size_t i = list->n; i-- > 0 && !b && list->n - i <= RECENT;)
        if (list->at[i]->wood == wood && list->at[i]->n < BLOCK)
            b = list->at[i];
    if (!b) {
        b = new_block(m, wood);
        if (!b) {
            out_of_memory(m->reach);
            return;
        }
        gy_vec_push(list, b);
    }
    b->at[b->n++] = name;
}

static uint64_t pack_name(const uint32_t name[2])
{
    return (uint64_t)name[0] << 32 | name[1];
}

static void unpack_name(uint64_t packed, uint32_t name[2])
{
    name[0] = (uint32_t)(packed >> 32);
    name[1] = (uint32_t)packed;
}

// ---- arrivals -------------------------------------------------------------------------

// What a state leads to of which not all successors were taken.
static void note_lead(member *m, uint32_t of_group, gy_wood *wood, uint64_t name)
{
    if (of_group)
        gy_vec_push(&m->leads, ((lead_of){of_group, {wood, name}}));
}

// After the store has grown, arrivals are somewhere else.
static void look_up_again(member *m)
{
    for (uint32_t i = 0; i < m->batched; i++)
        gy_forest_look_up(&m->arrivals[i]);
}

static void flush_lane(member *m, gy_lane *lane)
{
    gy_flat *flat = &lane->flat;
    uint32_t fresh[GY_FLAT_MOST], n = 0;
    while (!gy_forest_enter_lane(&m->forest, lane, fresh, &n)) {
        if (!make_room(m)) {
            gy_flat_clear(flat);
            return;
        }
        look_up_again(m);
    }
    add_to(&m->states, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = fresh[k], name[2] = {flat->numbers[0][i], flat->numbers[1][i]};
        keep(m, flat->tags[i], lane->wood, pack_name(name));
    }
    for (uint32_t i = 0; m->groups.n && i < flat->n; i++) {
        uint32_t name[2] = {flat->numbers[0][i], flat->numbers[1][i]};
        note_lead(m, flat->tags[i], lane->wood, pack_name(name));
    }
    gy_flat_clear(flat);
}

static void flush_lanes(member *m)
{
    for (size_t i = 0; m->added && i < m->forest.lanes.n; i++) {
        gy_lane *lane = m->forest.lanes.at[i];
        if (lane && lane->flat.n) {
            gy_flat_gather(&lane->flat, lane->wood->coder);
            flush_lane(m, lane);
        }
    }
    m->added = 0;
}

static void flush_forest(member *m)
{
    for (uint32_t i = 0; i < m->batched; i++) {
        gy_arrival *a = &m->arrivals[i];
        gy_quotient_answer answer = gy_forest_enter(a);
        while (answer == GY_QUOTIENT_NO_ROOM) {
            raise_flag(&m->reach->forest->room_wanted);
            if (!make_room(m))
                return;
            for (uint32_t j = i; j < m->batched; j++)
                gy_forest_look_up(&m->arrivals[j]);
            answer = gy_forest_enter(a);
        }
        if (answer == GY_QUOTIENT_NEW) {
            gy_forest_count_in(&m->forest, a->wood);
            add_to(&m->states, 1);
            keep(m, m->group_of[i], a->wood, pack_name(a->name));
        }
        note_lead(m, m->group_of[i], a->wood, pack_name(a->name));
    }
}

static void enter_pile(member *m)
{
    gy_pile_batch *batch = &m->batch;
    uint32_t fresh[GY_PILE_BATCH], n = 0;
    while (!gy_pile_enter_all(&m->pile, batch, fresh, &n))
        if (!make_room(m))
            break;
    add_to(&m->states, n);
    for (uint32_t k = 0; k < n; k++)
        keep(m, m->reducer ? m->group_of[fresh[k]] : 0, NULL, batch->places[fresh[k]]);
    for (uint32_t i = 0; m->groups.n && i < batch->entered; i++)
        note_lead(m, m->group_of[i], NULL, batch->places[i]);
    gy_pile_batch_clear(batch);
}

static void flush_pile(member *m)
{
    for (uint32_t i = 0; i < m->batched; i++)
        gy_pile_add(&m->batch, m->reach->pile, m->words.at + m->copies[i].at, m->copies[i].words);
    enter_pile(m);
}

// Successors that were put aside get their names. False: the search has ended.
static bool name_pending(member *m)
{
    while (!gy_forest_name_pending(&m->forest, m->arrivals + m->batched)) {
        if (!make_room(m)) { // nobody will ask for them, and they must not pile up
            gy_pending_clear(&m->forest.pending);
            return false;
        }
        look_up_again(m);
    }
    m->batched += m->forest.pending.n;
    gy_pending_clear(&m->forest.pending);
    return true;
}

static void report(member *m, gy_sight what, gy_named named)
{
    if (!gy_sightings_add(&m->sightings, what, named))
        out_of_memory(m->reach);
}

// They come lane by lane, so nearly always in order.
static void sort_leads(member *m)
{
    for (size_t i = 1; i < m->leads.n; i++) {
        lead_of lead = m->leads.at[i];
        size_t k = i;
        for (; k && m->leads.at[k - 1].group > lead.group; k--)
            m->leads.at[k] = m->leads.at[k - 1];
        m->leads.at[k] = lead;
    }
}

// Groups that do not lead on, each with what it leads to.
static void note_suspects(member *m)
{
    uint32_t last = 0;
    sort_leads(m);
    for (size_t i = 0; i < m->leads.n; i++) {
        const group *g = &m->groups.at[m->leads.at[i].group - 1];
        if (g->leads_on)
            continue;
        if (m->leads.at[i].group != last)
            report(m, GY_SIGHT_REDUCED, (gy_named){g->wood, g->name});
        last = m->leads.at[i].group;
        report(m, GY_SIGHT_LEAD, m->leads.at[i].to);
    }
    m->leads.n = 0;
    m->groups.n = 0;
}

static void take_in(member *m);

static void flush(member *m)
{
    if (m->parent_count)
        take_in(m);
    if (!m->reach->forest) {
        flush_pile(m);
    } else {
        flush_lanes(m);
        if (name_pending(m))
            flush_forest(m);
    }
    if (m->groups.n)
        note_suspects(m);
    m->batched = 0;
    m->words.n = 0;
}

static uint32_t under_way(const member *m)
{
    return m->batched + m->added + m->forest.pending.n;
}

static const uint32_t nowhere[2];

static inline void add_to_lane(member *m, gy_lane *lane, const uint32_t parent[2],
                               const gy_word *state, uint64_t written, uint32_t of_group)
{
    if (__builtin_expect(lane->flat.n == GY_FLAT_MOST, 0)) {
        gy_flat_gather(&lane->flat, lane->wood->coder);
        flush_lane(m, lane);
    }
    gy_flat_add(&lane->flat, parent, state, written, of_group);
    m->added++;
}

// `of_group`: of the state it comes from, plus one; 0: none.
static void arrive(member *m, const gy_word *state, uint32_t words, uint32_t of_group)
{
    reach *r = m->reach;
    if (under_way(m) >= BATCH)
        flush(m);
    gy_lane *lane = r->forest ? gy_forest_lane(&m->forest, words) : NULL;
    if (lane) {
        add_to_lane(m, lane, nowhere, state, GY_WRITTEN_ALL, of_group);
        gy_flat_gather(&lane->flat, lane->wood->coder); // the state may go away
        return;
    }
    if (r->forest && !name_pending(m))
        return;
    m->group_of[m->batched] = of_group;
    if (r->forest) {
        while (!gy_forest_name(&m->forest, state, words, &m->arrivals[m->batched])) {
            if (!make_room(m))
                return;
            look_up_again(m);
        }
    } else if (words > GY_PILE_MOST_WORDS) { // for the engines that can, as if it were an error
        raise_flag(&r->error);
        return;
    } else {
        gy_vec_reserve(&m->words, m->words.n + words + 1);
        memcpy(m->words.at + m->words.n, state, words * sizeof *state);
        m->copies[m->batched].at = (uint32_t)m->words.n;
        m->copies[m->batched].words = words;
        m->words.n += words;
    }
    m->batched++;
}

// A successor of the state being expanded, of which is known what was written.
static void arrive_near(member *m, const gy_transition *transition, uint32_t of_group)
{
    if (m->reach->forest && under_way(m) >= BATCH)
        flush(m);
    uint32_t i = m->batched + m->forest.pending.n;
    if (m->reach->forest &&
        gy_forest_put_aside(&m->forest, transition->state, transition->words, transition->written))
        m->group_of[i] = of_group;
    else
        arrive(m, transition->state, transition->words, of_group);
}

// The successors of the state being expanded; `kept` is NULL or says for each whether it is `what`
// is wanted.
static void arrive_all(member *m, const gy_transition *all, uint32_t count, const uint8_t *kept,
                       uint8_t what, uint32_t of_group)
{
    gy_forest_view *view = &m->forest;
    gy_lane *lane = m->reach->forest ? gy_forest_lane(view, view->current->words) : NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const gy_transition *t = &all[i];
        if ((kept && kept[i] != what) || !t->state)
            continue;
        n++;
        if (lane && t->words == lane->wood->words)
            add_to_lane(m, lane, view->current_base->number, t->state, t->written, of_group);
        else
            arrive_near(m, t, of_group);
    }
    add_to(&m->transitions, n);
    if (lane) // the states will go away
        gy_flat_gather(&lane->flat, lane->wood->coder);
    if (under_way(m) >= BATCH)
        flush(m);
}

// ---- expanding ------------------------------------------------------------------------

static void note_fault(member *m, const gy_fault *fault)
{
    if (fault->kind == GY_FAULT_ATOMIC_LOOP)
        m->endless_edge = m->endless_edge < 0 ? fault->edge : m->endless_edge;
    else if (gy_run_wants_fault(m->reach->run->options, fault->kind))
        raise_flag(&m->reach->error);
}

static void note_step(member *m, const gy_step *step)
{
    if ((uint32_t)step->edge < m->edge_count)
        m->reached[step->edge] = 1;
    if ((uint32_t)step->partner_edge < m->edge_count)
        m->reached[step->partner_edge] = 1;
}

static inline void note_steps(member *m, const gy_transition *transition)
{
    for (uint32_t i = 0; i < transition->step_count; i++)
        note_step(m, &transition->steps[i]);
}

// The same; most transitions are one step of one process.
static void note_all_steps(member *m, const gy_transition *t, uint32_t count)
{
    uint8_t *reached = m->reached; // copies: in registers
    uint32_t edge_count = m->edge_count;
    for (const gy_transition *end = t + count; t < end; t++) {
        const gy_step *step = t->steps;
        if (__builtin_expect(t->step_count == 1 && step->partner_edge < 0 &&
                                 (uint32_t)step->edge < edge_count,
                             1))
            reached[step->edge] = 1;
        else
            note_steps(m, t);
    }
}

static int visit(void *user, const gy_transition *transition)
{
    member *m = user;
    note_steps(m, transition);
    m->visited++;
    if (transition->fault)
        note_fault(m, transition->fault);
    if (transition->state) {
        add_to(&m->transitions, 1);
        arrive(m, transition->state, transition->words, 0);
    }
    return load_flag(&m->reach->stop);
}

// States of one length. Inlined for the usual ones: hashing is a good part of what there is to do.
__attribute__((always_inline)) static inline void add_to_pile(member *m, const gy_transition *t,
                                                              uint32_t count, const uint32_t words)
{
    for (const gy_transition *end = t + count; t < end; t++) {
        gy_pile_add(&m->batch, m->reach->pile, t->state, words);
        if (m->batch.n == GY_PILE_BATCH)
            enter_pile(m);
    }
}

static void take_in_pile(member *m, const gy_transition *t, uint32_t count)
{
    while (count && !load_flag(&m->reach->stop)) {
        uint32_t words = t->words, n = 1;
        while (n < count && t[n].words == words)
            n++;
        if (words > GY_PILE_MOST_WORDS)
            arrive(m, t->state, words, 0);
        else if (words == 5)
            add_to_pile(m, t, n, 5);
        else if (words == 6)
            add_to_pile(m, t, n, 6);
        else if (words == 7)
            add_to_pile(m, t, n, 7);
        else
            add_to_pile(m, t, n, words);
        t += n;
        count -= n;
    }
    enter_pile(m);
}

static void take_in_lanes(member *m, gy_lane *lane, const gy_transition *t, uint32_t parents)
{
    uint32_t words = lane->wood->words;
    for (uint32_t p = 0, i = 0; p < parents; p++)
        for (; i < m->parents[p].end; i++) {
            gy_lane *other;
            if (__builtin_expect(t[i].words == words, 1))
                add_to_lane(m, lane, m->parents[p].name, t[i].state, t[i].written, 0);
            else if ((other = gy_forest_lane(&m->forest, t[i].words)))
                add_to_lane(m, other, nowhere, t[i].state, GY_WRITTEN_ALL, 0);
            else
                arrive(m, t[i].state, t[i].words, 0);
        }
    flush_lanes(m);
}

// The successors of the states expanded last arrive.
static void take_in(member *m)
{
    const gy_transition *t = m->successors;
    uint32_t parents = m->parent_count, count = m->parents[parents - 1].end;
    gy_wood *wood = m->parents[0].wood;
    gy_lane *lane = wood ? gy_forest_lane(&m->forest, wood->words) : NULL;
    m->parent_count = 0;
    add_to(&m->transitions, count);
    note_all_steps(m, t, count);
    if (!m->reach->forest)
        take_in_pile(m, t, count);
    else if (lane)
        take_in_lanes(m, lane, t, parents);
    else
        for (uint32_t i = 0; i < count; i++)
            arrive_near(m, &t[i], 0);
}

static void expand(member *m, gy_wood *wood, uint64_t name, const gy_word *state, uint32_t words)
{
    reach *r = m->reach;
    uint32_t count, before = m->parent_count ? m->parents[m->parent_count - 1].end : 0;
    const gy_transition *all = NULL;
    bool together = true; // may successors of several states be taken in?
    if (m->parent_count && m->parents[0].wood == wood)
        all = gy_successors_append(m->worker, state, words, &count);
    if (!all) {
        if (m->parent_count)
            take_in(m);
        before = 0;
        together = !wood || gy_forest_lane(&m->forest, words);
        all = m->successors = gy_successors_batch(m->worker, state, words, &count);
    }
    if (all) {
        uint32_t p = m->parent_count++;
        m->parents[p].wood = wood;
        unpack_name(name, m->parents[p].name);
        m->parents[p].end = before + count;
        if (!together || m->parent_count == PARENTS || before + count >= BATCH)
            take_in(m);
    } else {
        m->visited = 0;
        gy_successors(m->worker, state, words, visit, m);
        count = m->visited;
    }
    if (!count && r->run->options->check_end_states &&
        !gy_is_end_state(m->worker, state, words, r->run->options->empty_channels))
        raise_flag(&r->error);
    if (load_flag(&r->error))
        raise_flag(&r->stop);
}

static void expand_reduced(member *m, gy_wood *wood, uint64_t name, const gy_word *state,
                           uint32_t words)
{
    reach *r = m->reach;
    uint32_t count;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    uint8_t *chosen = m->moves.keep.at;
    uint32_t kept = gy_reduce_choose(m->reducer, state, words, all, count, chosen);
    // What is not taken was found to be possible all the same: faults count at once.
    note_all_steps(m, all, count);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].fault)
            note_fault(m, all[i].fault);
    if (kept == count || kept > BATCH) {
        memset(chosen, 1, count);
        m->expanded_fully++;
        arrive_all(m, all, count, NULL, 0, 0);
    } else {
        m->expanded_reduced++;
        if (under_way(m) + kept > BATCH)
            flush(m);
        gy_vec_push(&m->groups, ((group){wood, name, false}));
        arrive_all(m, all, count, chosen, 1, (uint32_t)m->groups.n);
    }
    if (!count && r->run->options->check_end_states &&
        !gy_is_end_state(m->worker, state, words, r->run->options->empty_channels))
        raise_flag(&r->error);
    if (load_flag(&r->error))
        raise_flag(&r->stop);
}

// ---- suspects -------------------------------------------------------------------------

// Looks at a state again, for suspects that lead to it. What its kept moves lead to is known: it
// arrives once more, to be reported like that of a suspect.
static void judge(member *m, gy_wood *wood, uint64_t name, const gy_word *state, uint32_t words)
{
    uint32_t count;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    uint32_t kept = gy_reduce_choose(m->reducer, state, words, all, count, m->moves.keep.at);
    if (kept == count || kept > BATCH) {
        report(m, GY_SIGHT_FULL, (gy_named){wood, name});
        return;
    }
    if (under_way(m) + kept > BATCH)
        flush(m);
    uint64_t counted = atomic_load_explicit(&m->transitions, memory_order_relaxed);
    gy_vec_push(&m->groups, ((group){wood, name, false}));
    arrive_all(m, all, count, m->moves.keep.at, 1, (uint32_t)m->groups.n);
    atomic_store_explicit(&m->transitions, counted, memory_order_relaxed); // they were before
}

static void take_rest(member *m, const gy_word *state, uint32_t words)
{
    uint32_t count;
    const gy_transition *all = gy_moves_find(&m->moves, m->worker, state, words, &count);
    gy_reduce_choose(m->reducer, state, words, all, count, m->moves.keep.at);
    arrive_all(m, all, count, m->moves.keep.at, 0, 0);
    m->expanded_reduced--;
    m->expanded_fully++;
}

// Limits, the progress line, whether the store should learn: one member at a time looks.
static void look(member *m)
{
    reach *r = m->reach;
    m->countdown = LOOK;
    if (atomic_flag_test_and_set_explicit(&r->watch, memory_order_acquire))
        return;
    r->run->result->transitions = sum_transitions(r);
    r->run->states_so_far = sum_states(r);
    r->run->result->depth = r->depth_first ? 0 : r->level;
    if (gy_run_tick_slow(r->run))
        raise_flag(&r->stop);
    if (r->forest && gy_forest_unsettled(r->forest))
        raise_flag(&r->pause);
    atomic_flag_clear_explicit(&r->watch, memory_order_release);
}

static void expand_named(member *m, chore what, gy_wood *wood, uint64_t packed)
{
    uint32_t words, name[2];
    const gy_word *state;
    if (m->countdown-- == 0)
        look(m);
    if (wood) {
        unpack_name(packed, name);
        words = wood->words;
        state = gy_forest_spell(&m->forest, wood, name);
    } else {
        state = gy_pile_spell(m->reach->pile, packed, &words);
    }
    if (!m->reducer)
        expand(m, wood, packed, state, words);
    else if (what == EXPAND)
        expand_reduced(m, wood, packed, state, words);
    else if (what == JUDGE)
        judge(m, wood, packed, state, words);
    else
        take_rest(m, state, words);
}

// Is there a reason to leave the work, at a point where nothing is under way?
static bool should_leave(const reach *r)
{
    return load_flag(&r->stop) || load_flag(&r->pause) || store_wants_room(r);
}

// Depth first: what this member found last. The states in between the pops and the flush are
// what can be fetched at the same time.
static void expand_own(member *m)
{
    reach *r = m->reach;
    while (m->open.n && !should_leave(r)) {
        block *b = m->open.at[m->open.n - 1];
        if (r->solo && r->size > 1 && m->full.n) { // enough for others, too
            raise_flag(&r->pause);
            return;
        }
        if (!b->n) {
            gy_vec_push(&m->spare, b);
            m->open.n--;
            if (m->full.n)
                gy_vec_push(&m->open, m->full.at[--m->full.n]);
            continue;
        }
        uint64_t taken[POPPED];
        gy_wood *wood = b->wood;
        uint32_t n = b->n < POPPED ? b->n : POPPED;
        b->n -= n;
        memcpy(taken, b->at + b->n, n * sizeof *taken);
        for (uint32_t i = n; i-- > 0 && !load_flag(&r->stop);)
            expand_named(m, EXPAND, wood, taken[i]);
        flush(m);
    }
}

// Starts fetching a state that comes soon.
static void fetch_ahead(const block *b, uint32_t i, uint32_t to)
{
    enum { AHEAD = 3 };
    uint32_t name[2];
    if (!b->wood || i + AHEAD >= to)
        return;
    unpack_name(b->at[i + AHEAD], name);
    gy_forest_prefetch(b->wood, name);
}

// Takes pieces of the level, or of what is to be shared, until there are none or others wait.
static void explore(member *m)
{
    reach *r = m->reach;
    while (!should_leave(r)) {
        if (r->depth_first) {
            expand_own(m);
            if (should_leave(r))
                break;
        }
        uint64_t piece = atomic_fetch_add_explicit(&r->cursor, 1, memory_order_relaxed);
        if (piece / PIECES >= r->now.n) {
            if (r->depth_first)
                raise_flag(&r->pause);
            break;
        }
        const block *b = r->now.at[piece / PIECES];
        uint32_t from = (uint32_t)(piece % PIECES) * PIECE;
        uint32_t to = from + PIECE < b->n ? from + PIECE : b->n;
        for (uint32_t i = from; i < to && !load_flag(&r->stop); i++) {
            fetch_ahead(b, i, to);
            expand_named(m, r->chore, b->wood, b->at[i]);
        }
    }
    if (!load_flag(&r->stop))
        flush(m);
}

// ---- levels ---------------------------------------------------------------------------

// States of a block, all of whose pieces before `piece` were handed out, that are left.
static uint32_t left_in_block(const block *b, uint64_t first_piece, uint64_t piece)
{
    uint64_t taken = piece > first_piece ? (piece - first_piece) * PIECE : 0;
    return taken < b->n ? b->n - (uint32_t)taken : 0;
}

static uint64_t left_in(const reach *r)
{
    uint64_t piece = atomic_load_explicit(&r->cursor, memory_order_relaxed), left = 0;
    for (size_t i = piece / PIECES; i < r->now.n; i++)
        left += left_in_block(r->now.at[i], i * PIECES, piece);
    return left;
}

// Blocks that are used up go back to those who fill them; what is left of the others stays.
static void drop_used(reach *r)
{
    uint64_t piece = atomic_load_explicit(&r->cursor, memory_order_relaxed);
    size_t kept = 0;
    for (size_t i = 0; i < r->now.n; i++) {
        block *b = r->now.at[i];
        uint32_t left = left_in_block(b, i * PIECES, piece);
        if (!left) {
            gy_vec_push(&r->members[i % r->size].spare, b);
            continue;
        }
        memmove(b->at, b->at + (b->n - left), left * sizeof *b->at);
        b->n = left;
        r->level_states += left;
        r->now.at[kept++] = b;
    }
    r->now.n = kept;
}

static void gather_from(reach *r, blocks *from)
{
    for (size_t i = 0; i < from->n; i++) {
        r->level_states += from->at[i]->n;
        gy_vec_push(&r->now, from->at[i]);
    }
    from->n = 0;
}

// What the members have found becomes what is to be expanded.
static void gather(reach *r)
{
    for (unsigned i = 0; i < r->size; i++) {
        gather_from(r, &r->members[i].full);
        gather_from(r, &r->members[i].open);
    }
    r->chore = EXPAND;
    r->run->pending = r->level_states;
    if (!r->level_states)
        r->phase = DONE;
    else
        r->level++;
}

static void list_names(reach *r, gy_names *names, const blocks *list)
{
    for (size_t i = 0; i < list->n; i++)
        for (uint32_t k = 0; k < list->at[i]->n; k++)
            if (!gy_names_add(names, list->at[i]->wood, list->at[i]->at[k]))
                out_of_memory(r);
}

static void ask_for(void *user, gy_named state)
{
    member *m = user;
    put_aside(m, &m->asked, state.wood, state.name);
}

static uint64_t count_names(const blocks *list)
{
    uint64_t count = 0;
    for (size_t i = 0; i < list->n; i++)
        count += list->at[i]->n;
    return count;
}

static void list_next_level(reach *r)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < r->size; i++)
        count += count_names(&r->members[i].full) + count_names(&r->members[i].open);
    if (!gy_names_begin(&r->next, count)) {
        out_of_memory(r);
        return;
    }
    for (unsigned i = 0; i < r->size; i++) {
        list_names(r, &r->next, &r->members[i].full);
        list_names(r, &r->next, &r->members[i].open);
    }
}

// What has been seen is heard, and what is to be looked at next is found out.
static void gather_suspects(reach *r)
{
    uint64_t states = sum_states(r);
    size_t heard = 0;
    for (unsigned i = 0; i < r->size; i++)
        heard += r->members[i].sightings.n;
    if (r->chore == EXPAND) {
        bool pays = r->trial.looks > states / 4; // else most are looked at once, and not again
        gy_trial_begin(&r->trial, REMEMBERED + (pays ? states : 0));
        if (heard)
            list_next_level(r);
    }
    for (unsigned i = 0; i < r->size && !load_flag(&r->stop); i++) {
        if (!gy_trial_hear(&r->trial, &r->members[i].sightings, &r->next, &r->full))
            out_of_memory(r);
        r->members[i].sightings.n = 0;
    }
    if (heard)
        gy_trial_ask(&r->trial, COST_AT_LEAST + COST_PER_STATE * states, ask_for, &r->members[0]);
    gather_from(r, &r->members[0].asked);
    r->chore = JUDGE;
}

static uint64_t rank_of(void *user, gy_named state)
{
    member *m = user;
    uint32_t words, name[2];
    const gy_word *content;
    unpack_name(state.name, name);
    if (state.wood) {
        content = gy_forest_spell(&m->forest, state.wood, name);
        words = ((gy_wood *)state.wood)->words;
    } else {
        content = gy_pile_spell(m->reach->pile, state.name, &words);
    }
    return gy_reduce_rank(m->reach->run->reduction, content, words);
}

static void convict(void *user, gy_named state)
{
    member *m = user;
    put_aside(m, &m->convicts, state.wood, state.name);
}

static void gather_convicts(reach *r)
{
    gy_trial_convict(&r->trial, rank_of, convict, &r->members[0]);
    for (unsigned i = 0; i < r->size; i++) {
        blocks *list = &r->members[i].convicts;
        list_names(r, &r->full, list);
        for (size_t k = 0; k < list->n; k++) { // they stay known, in case names change
            block *copy = new_block(&r->members[i], list->at[k]->wood);
            if (!copy) {
                out_of_memory(r);
                break;
            }
            memcpy(copy, list->at[k], sizeof *copy);
            gy_vec_push(&r->convicts, copy);
        }
        gather_from(r, list);
    }
    r->chore = TAKE_REST;
}

// What was in `now` is done (depth first, some of it may be left): judge those suspect, mend those
// convicted, and go on to the next level.
static void go_on(reach *r)
{
    bool reduced = r->members[0].reducer != NULL;
    chore done = r->chore;
    r->level_states = 0;
    drop_used(r);
    if (reduced && done != TAKE_REST)
        gather_suspects(r);
    if (reduced && done != TAKE_REST && !r->level_states)
        gather_convicts(r);
    if (!r->level_states || r->depth_first)
        gather(r);
    atomic_store_explicit(&r->cursor, 0, memory_order_relaxed);
}

static void rename_blocks(const blocks *list)
{
    for (size_t i = 0; i < list->n; i++)
        for (uint32_t k = 0; k < list->at[i]->n; k++) {
            uint32_t name[2];
            unpack_name(list->at[i]->at[k], name);
            gy_forest_rename(list->at[i]->wood, name);
            list->at[i]->at[k] = pack_name(name);
        }
}

static uint64_t renamed(gy_named state)
{
    uint32_t name[2];
    unpack_name(state.name, name);
    gy_forest_rename(state.wood, name);
    return pack_name(name);
}

static void settle(reach *r)
{
    if (!gy_forest_plan(r->forest))
        return;
    rename_blocks(&r->now);
    rename_blocks(&r->convicts);
    for (unsigned i = 0; i < r->size; i++) {
        rename_blocks(&r->members[i].open);
        rename_blocks(&r->members[i].full);
        rename_blocks(&r->members[i].convicts);
        gy_sightings_rename(&r->members[i].sightings, renamed);
    }
    gy_trial_rename(&r->trial, renamed);
    gy_forest_settle(r->forest);
    gy_names_clear(&r->full);
    list_names(r, &r->full, &r->convicts);
    if (r->chore == JUDGE) // in the middle of it
        list_next_level(r);
}

// What comes next, decided while nobody works.
static void decide(reach *r)
{
    if (r->phase == GROWING) {
        if (step_growth(r))
            return;
        r->phase = WORKING;
        if (!end_growth(r))
            raise_flag(r->forest ? &r->forest->room_wanted : &r->pile->room_wanted);
        else
            return;
    }
    if (load_flag(&r->stop)) {
        r->phase = DONE;
    } else if (store_wants_room(r) && r->solo) {
        grow_alone(r);
    } else if (store_wants_room(r)) {
        if (begin_growth(r)) {
            r->phase = GROWING;
        } else {
            out_of_memory(r);
            r->phase = DONE;
        }
    } else {
        atomic_store_explicit(&r->pause, false, memory_order_relaxed);
        if (r->forest && gy_forest_unsettled(r->forest))
            settle(r);
        if (r->depth_first || !left_in(r))
            go_on(r);
    }
}

// Levels that are not worth waking the others for are done here.
static void work_alone(reach *r, unsigned number, bool all)
{
    r->solo = true;
    while (r->phase == WORKING && (all || r->level_states <= FEW)) {
        explore(&r->members[number]);
        note(&r->members[number]);
        decide(r);
    }
    r->solo = false;
}

static void lead(void *user, unsigned number)
{
    reach *r = user;
    // Somebody who came for room is in the middle of things and must go on first.
    bool clean = r->phase != GROWING && !store_wants_room(r);
    decide(r);
    if (clean && r->level_states <= FEW)
        work_alone(r, number, false);
}

static void work(void *user, unsigned number)
{
    reach *r = user;
    while (r->phase != DONE) {
        explore(&r->members[number]);
        if (r->phase != DONE) // it may have met the others on the way
            meet(&r->members[number]);
    }
}

// ---- life -----------------------------------------------------------------------------

bool gy_reach_applies(const gy_search_options *options)
{
    return (options->search == GY_SEARCH_BFS || options->search == GY_SEARCH_DFS) &&
           (options->store == GY_STORE_TREE || options->store == GY_STORE_PLAIN) &&
           !options->depth_limit && !options->checkpoint_file && !options->resume_file &&
           !(options->reduce && options->search == GY_SEARCH_DFS) && !options->check_reduction &&
           !options->known_error;
}

static void init_member(reach *r, member *m)
{
    m->reach = r;
    m->worker = gy_run_new_worker(r->run);
    m->endless_edge = -1;
    m->countdown = LOOK;
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

static void free_blocks(reach *r, blocks *list)
{
    gy_budget_give(&r->run->budget, list->n * sizeof(block));
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    gy_vec_free(list);
}

static void free_member(reach *r, member *m)
{
    gy_run_free_worker(r->run, m->worker);
    if (r->forest)
        gy_forest_view_free(&m->forest);
    free_blocks(r, &m->open);
    free_blocks(r, &m->full);
    free_blocks(r, &m->spare);
    free_blocks(r, &m->asked);
    gy_sightings_free(&m->sightings);
    free_blocks(r, &m->convicts);
    gy_reducer_free(m->reducer);
    gy_moves_free(&m->moves);
    gy_vec_free(&m->groups);
    gy_vec_free(&m->leads);
    gy_vec_free(&m->words);
    free(m->reached);
}

static void sum_up(reach *r)
{
    gy_search_result *result = r->run->result;
    result->transitions = sum_transitions(r);
    r->run->states_so_far = sum_states(r);
    result->depth = r->depth_first ? 0 : r->level;
    result->threads = r->size;
    for (unsigned i = 0; i < r->size; i++) {
        const member *m = &r->members[i];
        for (uint32_t e = 0; e < result->edge_count; e++)
            result->reached_edges[e] |= m->reached[e];
        if (result->endless_edge < 0)
            result->endless_edge = m->endless_edge;
        result->expanded_reduced += m->expanded_reduced; // one member may have mended what
        result->expanded_fully += m->expanded_fully;     // another left out: sums alone count
    }
}

static void search(reach *r)
{
    member *first = &r->members[0];
    r->solo = true;
    gy_initial(first->worker, visit, first);
    flush(first);
    if (load_flag(&r->error))
        raise_flag(&r->stop);
    note(first);
    decide(r);
    r->level = 0;
    work_alone(r, 0, r->size == 1);
    if (r->phase != DONE)
        gy_crew_run(r->size, work, r, &r->crew);
}

bool gy_search_reach(gy_run *run)
{
    reach *r = gy_alloc_zero(sizeof *r);
    bool error;
    r->run = run;
    r->depth_first = run->options->search == GY_SEARCH_DFS;
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
        for (unsigned i = 0; i < r->size; i++)
            init_member(r, &r->members[i]);
        search(r);
        sum_up(r);
        for (unsigned i = 0; i < r->size; i++)
            free_member(r, &r->members[i]);
    } else {
        out_of_memory(r);
    }
    error = load_flag(&r->error);
    free_blocks(r, &r->now);
    free_blocks(r, &r->convicts);
    gy_names_free(&r->next);
    gy_names_free(&r->full);
    gy_trial_free(&r->trial);
    gy_forest_free(r->forest);
    gy_pile_free(r->pile);
    free(r->members);
    free(r);
    return !error;
}
