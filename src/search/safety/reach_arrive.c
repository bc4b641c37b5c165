// The reachability search: states arrive at the store, and those that are new go to the queue.
//
// States that arrive are under way, up to a batch of them, before they are entered, so that what
// has to be fetched for one is fetched while others are looked at. Where they wait: in a forest, in
// lanes (flat woods), in m->forest.pending or m->arrivals (others); in a pile, in m->batch, or as
// copies in m->words if they came one by one.
//
// With a reduction, those that were kept of the successors of a state are a group until they are
// entered. A group none of which is new is suspect.
#include "search/safety/reach_parts.h"

static const uint32_t nowhere[2]; // the parent of a state that is not known to be like another

// An arrival is new.
static void keep(gy_reach_member *m, uint32_t of_group, gy_wood *wood, uint64_t name)
{
    gy_reach_block *b = m->open.n ? m->open.at[0] : NULL;
    if (of_group)
        m->groups.at[of_group - 1].leads_on = true;
    if (!b || b->wood != wood || b->n == GY_REACH_BLOCK)
        b = gy_reach_open_block(m, wood);
    if (b)
        b->at[b->n++] = name;
    else
        gy_reach_out_of_memory(m->reach);
}

// What a state leads to of which not all successors were taken.
static void note_lead(gy_reach_member *m, uint32_t of_group, gy_wood *wood, uint64_t name)
{
    if (of_group)
        gy_vec_push(&m->leads, ((gy_reach_lead){of_group, {wood, name}}));
}

// After the store has grown, arrivals are somewhere else.
static void look_up_again(gy_reach_member *m)
{
    for (uint32_t i = 0; i < m->batched; i++)
        gy_forest_look_up(&m->arrivals[i]);
}

static void flush_lane(gy_reach_member *m, gy_lane *lane)
{
    gy_flat *flat = &lane->flat;
    uint32_t fresh[GY_FLAT_MOST], n = 0;
    while (!gy_forest_enter_lane(&m->forest, lane, fresh, &n)) {
        if (!gy_reach_make_room(m)) {
            gy_flat_clear(flat);
            return;
        }
        look_up_again(m);
    }
    gy_reach_add_to(&m->states, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = fresh[k], name[2] = {flat->numbers[0][i], flat->numbers[1][i]};
        keep(m, flat->tags[i], lane->wood, gy_reach_pack(name));
    }
    for (uint32_t i = 0; m->groups.n && i < flat->n; i++) {
        uint32_t name[2] = {flat->numbers[0][i], flat->numbers[1][i]};
        note_lead(m, flat->tags[i], lane->wood, gy_reach_pack(name));
    }
    gy_flat_clear(flat);
}

static void flush_lanes(gy_reach_member *m)
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

static void flush_forest(gy_reach_member *m)
{
    for (uint32_t i = 0; i < m->batched; i++) {
        gy_arrival *a = &m->arrivals[i];
        gy_cleary_answer answer = gy_forest_enter(a);
        while (answer == GY_CLEARY_NO_ROOM) {
            gy_reach_raise(&m->reach->forest->room_wanted);
            if (!gy_reach_make_room(m))
                return;
            for (uint32_t j = i; j < m->batched; j++)
                gy_forest_look_up(&m->arrivals[j]);
            answer = gy_forest_enter(a);
        }
        if (answer == GY_CLEARY_NEW) {
            gy_forest_count_in(&m->forest, a->wood);
            gy_reach_add_to(&m->states, 1);
            keep(m, m->group_of[i], a->wood, gy_reach_pack(a->name));
        }
        note_lead(m, m->group_of[i], a->wood, gy_reach_pack(a->name));
    }
}

static void enter_pile(gy_reach_member *m)
{
    gy_pile_batch *batch = &m->batch;
    uint32_t fresh[GY_PILE_BATCH], n = 0;
    while (!gy_pile_enter_all(&m->pile, batch, fresh, &n))
        if (!gy_reach_make_room(m))
            break;
    gy_reach_add_to(&m->states, n);
    for (uint32_t k = 0; k < n; k++)
        keep(m, m->reducer ? m->group_of[fresh[k]] : 0, NULL, batch->places[fresh[k]]);
    for (uint32_t i = 0; m->groups.n && i < batch->entered; i++)
        note_lead(m, m->group_of[i], NULL, batch->places[i]);
    gy_pile_batch_clear(batch);
}

static void flush_pile(gy_reach_member *m)
{
    for (uint32_t i = 0; i < m->batched; i++)
        gy_pile_add(&m->batch, m->reach->pile, m->words.at + m->copies[i].at, m->copies[i].words);
    enter_pile(m);
}

// Successors that were put aside get their names. False: the search has ended.
static bool name_pending(gy_reach_member *m)
{
    while (!gy_forest_name_pending(&m->forest, m->arrivals + m->batched)) {
        if (!gy_reach_make_room(m)) { // nobody will ask for them, and they must not pile up
            gy_pending_clear(&m->forest.pending);
            return false;
        }
        look_up_again(m);
    }
    m->batched += m->forest.pending.n;
    gy_pending_clear(&m->forest.pending);
    return true;
}

void gy_reach_flush(gy_reach_member *m)
{
    if (m->parent_count)
        gy_reach_take_in(m);
    if (!m->reach->forest) {
        flush_pile(m);
    } else {
        flush_lanes(m);
        if (name_pending(m))
            flush_forest(m);
    }
    if (m->groups.n)
        gy_reach_note_suspects(m);
    m->batched = 0;
    m->words.n = 0;
}

static uint32_t under_way(const gy_reach_member *m)
{
    return m->batched + m->added + m->forest.pending.n;
}

static inline void add_to_lane(gy_reach_member *m, gy_lane *lane, const uint32_t parent[2],
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
static void arrive(gy_reach_member *m, const gy_word *state, uint32_t words, uint32_t of_group)
{
    gy_reach *r = m->reach;
    if (under_way(m) >= GY_REACH_BATCH)
        gy_reach_flush(m);
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
            if (!gy_reach_make_room(m))
                return;
            look_up_again(m);
        }
    } else if (words > GY_PILE_MOST_WORDS) { // for the engines that can
        gy_reach_raise(&r->unfit);
        gy_reach_raise(&r->stop);
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

void gy_reach_arrive(gy_reach_member *m, const gy_word *state, uint32_t words)
{
    arrive(m, state, words, 0);
}

// A successor of the state being expanded, of which is known what was written.
static void arrive_near(gy_reach_member *m, const gy_transition *transition, uint32_t of_group)
{
    if (m->reach->forest && under_way(m) >= GY_REACH_BATCH)
        gy_reach_flush(m);
    uint32_t i = m->batched + m->forest.pending.n;
    if (m->reach->forest &&
        gy_forest_put_aside(&m->forest, transition->state, transition->words, transition->written))
        m->group_of[i] = of_group;
    else
        arrive(m, transition->state, transition->words, of_group);
}

// The successors of the state being expanded; `kept` is NULL or says for each what
// it is; those that are `what` are wanted.
static void arrive_those(gy_reach_member *m, const gy_transition *all, uint32_t count,
                         const uint8_t *kept, uint8_t what, uint32_t of_group)
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
    gy_reach_add_to(&m->transitions, n);
    if (lane) // the states will go away
        gy_flat_gather(&lane->flat, lane->wood->coder);
    if (under_way(m) >= GY_REACH_BATCH)
        gy_reach_flush(m);
}

void gy_reach_arrive_all(gy_reach_member *m, const gy_transition *all, uint32_t count)
{
    arrive_those(m, all, count, NULL, 0, 0);
}

void gy_reach_arrive_kept(gy_reach_member *m, gy_named state, const gy_transition *all,
                          uint32_t count, uint32_t kept)
{
    if (under_way(m) + kept > GY_REACH_BATCH)
        gy_reach_flush(m);
    gy_vec_push(&m->groups, ((gy_reach_group){state.wood, state.name, false}));
    arrive_those(m, all, count, m->moves.keep.at, 1, (uint32_t)m->groups.n);
}

void gy_reach_arrive_rest(gy_reach_member *m, const gy_transition *all, uint32_t count)
{
    arrive_those(m, all, count, m->moves.keep.at, 0, 0);
}

static void note_step(gy_reach_member *m, const gy_step *step)
{
    if ((uint32_t)step->edge < m->edge_count)
        m->reached[step->edge] = 1;
    if ((uint32_t)step->partner_edge < m->edge_count)
        m->reached[step->partner_edge] = 1;
}

// Most transitions are one step of one process, and most searches reach all statements soon.
void gy_reach_note_steps(gy_reach_member *m, const gy_transition *t, uint32_t count)
{
    enum { NOW_AND_THEN = 512 };
    uint8_t *reached = m->reached; // copies: in registers
    uint32_t edge_count = m->edge_count;
    if (m->all_reached)
        return;
    if (++m->noted_batches == NOW_AND_THEN) {
        m->noted_batches = 0;
        m->all_reached = !memchr(reached, 0, edge_count);
    }
    for (const gy_transition *end = t + count; t < end; t++) {
        const gy_step *step = t->steps;
        if (__builtin_expect(t->step_count == 1 && step->partner_edge < 0 &&
                                 (uint32_t)step->edge < edge_count,
                             1))
            reached[step->edge] = 1;
        else
            for (uint32_t i = 0; i < t->step_count; i++)
                note_step(m, &t->steps[i]);
    }
}

// States of one length. Inlined for the usual ones: hashing is a good part of what there is to do.
__attribute__((always_inline)) static inline void
add_to_pile(gy_reach_member *m, const gy_transition *t, uint32_t count, const uint32_t words)
{
    for (const gy_transition *end = t + count; t < end; t++) {
        gy_pile_add(&m->batch, m->reach->pile, t->state, words);
        if (m->batch.n == GY_PILE_BATCH)
            enter_pile(m);
    }
}

static void take_in_pile(gy_reach_member *m, const gy_transition *t, uint32_t count)
{
    while (count && !gy_reach_is_up(&m->reach->stop)) {
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

static void take_in_lanes(gy_reach_member *m, gy_lane *lane, const gy_transition *t,
                          uint32_t parents)
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

void gy_reach_take_in(gy_reach_member *m)
{
    const gy_transition *t = m->successors;
    uint32_t parents = m->parent_count, count = m->parents[parents - 1].end;
    gy_wood *wood = m->parents[0].wood;
    gy_lane *lane = wood ? gy_forest_lane(&m->forest, wood->words) : NULL;
    m->parent_count = 0;
    gy_reach_add_to(&m->transitions, count);
    gy_reach_note_steps(m, t, count);
    if (!m->reach->forest)
        take_in_pile(m, t, count);
    else if (lane)
        take_in_lanes(m, lane, t, parents);
    else
        for (uint32_t i = 0; i < count; i++)
            arrive_near(m, &t[i], 0);
}
