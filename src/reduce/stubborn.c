// Choosing a stubborn set in a state.
//
// The set is a set of processes: it stands for all that these processes can do next, whether it
// is possible now or not. It is closed under three rules. If process p is in it, then so is
//   1. for a transition of p that is possible: every process that may, now or later, make a
//   transition that
//      does not accord with it;
//   2. for an edge of p that is not possible: every process that may, now or later, change what
//      it waits for. One reason why it is not possible is enough (a necessary enabling set);
//   3. for an edge of p on a rendezvous channel, possible or not: every process that may come to
//      the other end of it, or change whether partners match.
// A process may come to make a transition if the edge lies ahead of the node it is at. So in the
// terms of Valmari: whatever is done outside the set leaves every possible move of the set possible
// and its effect the same, and makes nothing possible in it. Hence every path to a deadlock, or to
// a fault, begins with a transition of the set or can be made to. All transitions of the set that
// are possible are explored; of the closed sets with at least one, the one with the fewest is
// taken.
//
// `else` that is not possible waits for nothing more: what would make it possible must disable a
// neighbour, and is in the set by rule 1. A `timeout` cannot become true while a transition of the
// set is possible. A process that waits for its end waits for the youngest process. In a state
// where something goes wrong, or where only a timeout is enabled, everything is explored.
//
// Processes that are yet to be started: who starts one is held to do all that it may ever do.
//
// What a process asks for, by these rules, depends on where it is and which of its edges can
// fire: stubborn_profile.h has that ready.
#include "reduce/stubborn_profile.h"

#include "base/hash.h"
#include "exec/system.h"
#include "model/atoms.h"
#include "reduce/group_sets.h"
#include "reduce/stubborn_cache.h"

#include <string.h>

enum { FEW_VOTES = 1 << 10, VOTE_BITS = 16 };

struct gy_reducer {
    const gy_reduction *r;
    gy_group_chooser *chooser; // of a system without a MODEL; nothing else is used then
    gy_process_classes *classes;
    const gy_stubborn_profile_file *stances; // of all classes
    // of the current state
    const gy_word *state;
    gy_process_class *class;
    const gy_process_class *main; // the class of most states, if votes are not few
    uint32_t votes;
    uint32_t point[GY_CREW_LIMIT];     // where it is: see instance.h
    int32_t first_edge[GY_CREW_LIMIT]; // of its node
    uint64_t enabled[GY_CREW_LIMIT];   // edges of its node, by position
    uint32_t moves[GY_CREW_LIMIT];     // transitions that it begins
    uint64_t pulls[GY_CREW_LIMIT];     // who must be in the set with it
    uint64_t known;                    // pulls that were worked out
    uint64_t active;                   // processes with transitions
    uint64_t barred;                   // of them, those that are in no set: see triggers.h
    // What was chosen before.
    gy_stubborn_cache decisions;
    uint32_t age; // of the classes that they are about
    bool notes;   // what is asked
    bool alone;   // by one process that is alone: what was chosen last
    gy_decision_trail trail;
};

static gy_reduction *reduction_of_groups(gy_system *system, const gy_reduce_needs *needs,
                                         const char **why)
{
    gy_group_sets *groups = gy_group_sets_new(system, needs, why);
    if (!groups)
        return NULL;
    gy_arena *arena = gy_arena_new();
    gy_reduction *r = GY_NEW(arena, gy_reduction);
    r->arena = arena;
    r->groups = groups;
    return r;
}

gy_reduction *gy_reduction_new(gy_system *system, const gy_reduce_needs *needs, const char **why)
{
    if (!system->model)
        return reduction_of_groups(system, needs, why);
    gy_reduction *r = gy_facts_new(system, needs, why);
    if (!r)
        return NULL;
    gy_footprints_init(r);
    if (needs && needs->observed_count) {
        r->observed = GY_NEW_ARRAY(r->arena, uint64_t, r->words);
        for (uint32_t i = 0; i < needs->observed_count; i++)
            gy_read_cells(r, GY_ANYONE, gy_atom_expr(r->model, needs->observed[i]), r->observed);
    }
    return r;
}

void gy_reduction_free(gy_reduction *reduction)
{
    if (!reduction)
        return;
    gy_group_sets_free(reduction->groups);
    gy_arena_free(reduction->arena);
}

gy_reducer *gy_reducer_new(const gy_reduction *reduction)
{
    gy_reducer *reducer = gy_alloc_apart(sizeof *reducer);
    reducer->r = reduction;
    if (reduction->groups) {
        reducer->chooser = gy_group_chooser_new(reduction->groups);
        return reducer;
    }
    reducer->classes = gy_process_classes_new(reduction);
    reducer->stances = gy_process_classes_stances(reducer->classes);
    gy_stubborn_cache_init(&reducer->decisions);
    return reducer;
}

void gy_reducer_free(gy_reducer *reducer)
{
    if (!reducer)
        return;
    if (reducer->classes)
        gy_process_classes_free(reducer->classes);
    gy_group_chooser_free(reducer->chooser);
    gy_stubborn_cache_free(&reducer->decisions);
    gy_vec_free(&reducer->trail.asked);
    gy_vec_free(&reducer->trail.answers);
    free(reducer);
}

// ---- reasons to wait ----------------------------------------------------------------

// Is this what the process waits for? Remembers what was asked.
static gy_answer ask(gy_reducer *d, uint32_t pid, const gy_wait *wait)
{
    gy_wait_condition question;
    if (!gy_wait_condition_pose(d->r, d->class, pid, wait, &question))
        return GY_WAIT_MAYBE;
    gy_answer answer = gy_wait_condition_ask(d->r, d->state, question);
    if (d->notes) {
        gy_vec_push(&d->trail.asked, question);
        gy_vec_push(&d->trail.answers, (uint8_t)answer);
    }
    return answer;
}

// ---- the three rules ----------------------------------------------------------------

static inline uint64_t everyone(const gy_reducer *d)
{
    return ~(uint64_t)0 >> (64 - d->class->count);
}

// The processes that are at one of the points of a set.
static inline uint64_t members_at(const gy_reducer *d, const uint64_t *points,
                                  gy_stubborn_profile_view view)
{
    uint64_t set = view.surely;
    for (uint64_t rest = view.perhaps; rest; rest &= rest - 1) {
        uint32_t pid = (uint32_t)__builtin_ctzll(rest);
        set |= (uint64_t)gy_bits_has(points, d->point[pid]) << pid;
    }
    return set;
}

// Of all that an edge may be waiting for, the one thing that the fewest can change, if it is known
// to be missing; otherwise all that may be missing. If others may make a fault of the question,
// all.
static uint64_t who_helps(gy_reducer *d, uint32_t pid, const gy_stubborn_profile *stance,
                          const gy_stubborn_profile_edge *edge)
{
    gy_stubborn_profile_view any = {.perhaps = everyone(d)};
    bool viewed = stance->viewer == d->class;
    uint64_t all = 0, best = 0;
    bool found = false;
    for (uint32_t i = 0; i < edge->view->wait_count; i++) {
        gy_answer a = ask(d, pid, &edge->view->waits[i]);
        if (a == GY_WAIT_HOLDS && !edge->view->may_fail)
            continue;
        uint32_t which = edge->first_set + i;
        const uint64_t *points = stance->sets + (size_t)which * stance->words;
        uint64_t set = members_at(d, points, viewed ? stance->views[which] : any);
        set &= ~((uint64_t)1 << pid);
        all |= set;
        if (a == GY_WAIT_FAILS && !edge->view->may_fail &&
            (!found || __builtin_popcountll(set) < __builtin_popcountll(best))) {
            best = set;
            found = true;
        }
    }
    return found ? best : all;
}

// What is asked for in any case, if the class has no view of that.
static uint64_t members_asked(const gy_reducer *d, const gy_stubborn_profile *stance)
{
    if (stance->everyone)
        return everyone(d);
    uint64_t youngest = (uint64_t)1 << (d->class->count - 1);
    uint64_t set = members_at(d, stance->sets, (gy_stubborn_profile_view){.perhaps = everyone(d)});
    return stance->youngest ? set | youngest : set;
}

// `stance` may be NULL: it is not known yet.
static __attribute__((noinline)) uint64_t work_out_slowly(gy_reducer *d, uint32_t pid,
                                                          gy_stubborn_profile *stance)
{
    if (!stance || !gy_stubborn_profile_knows(stance, d->class))
        stance = gy_stubborn_profile_make(d->classes, d->class, pid, d->point[pid], d->enabled[pid],
                                          d->moves[pid] != 0);
    if (stance->viewer != d->class && d->class == d->main && d->votes > FEW_VOTES)
        gy_stubborn_profile_view_by(d->classes, d->class, stance);
    uint64_t set = stance->viewer == d->class ? members_at(d, stance->sets, stance->view)
                                              : members_asked(d, stance);
    for (uint32_t i = 0; i < stance->open_count; i++)
        set |= who_helps(d, pid, stance, &stance->open[i]);
    return set;
}

static inline uint64_t work_out_pulls(gy_reducer *d, uint32_t pid)
{
    gy_stubborn_profile *stance = gy_stubborn_profile_find(
        d->stances, &d->class->members[pid], d->point[pid], d->enabled[pid], d->moves[pid] != 0);
    if (!stance || stance->viewer != d->class || stance->open_count)
        return work_out_slowly(d, pid, stance);
    return members_at(d, stance->sets, stance->view);
}

static inline uint64_t pulls_of(gy_reducer *d, uint32_t pid)
{
    if (!(d->known >> pid & 1)) {
        d->pulls[pid] = work_out_pulls(d, pid);
        d->known |= (uint64_t)1 << pid;
    }
    return d->pulls[pid];
}

// The closure of {seed}; 0: it has all transitions, or one of `tried`, whose closure it has then
// too.
static inline uint64_t close_set(gy_reducer *d, uint32_t seed, uint64_t tried)
{
    uint64_t set = (uint64_t)1 << seed, todo = set;
    while (todo) {
        uint32_t pid = (uint32_t)__builtin_ctzll(todo);
        todo &= todo - 1;
        uint64_t more = pulls_of(d, pid) & ~set;
        set |= more;
        todo |= more;
        if (set & (tried | d->barred) || !(d->active & ~set))
            return 0;
    }
    return set;
}

// ---- a state ------------------------------------------------------------------------

// A class that more than half of the states have is found, and kept as long as that is so.
static void vote(gy_reducer *d)
{
    if (d->class == d->main)
        d->votes += 1 - (d->votes >> VOTE_BITS);
    else if (d->votes)
        d->votes--;
    else
        d->main = d->class;
}

static void note_places(gy_reducer *d)
{
    const gy_process_class *class = d->class;
    for (uint32_t pid = 0; pid < class->count; pid++) {
        const gy_process_class_member *member = &class->members[pid];
        uint32_t node = d->state[member->offset] & member->pc_mask;
        d->point[pid] = member->point + node;
        d->first_edge[pid] = member->nodes[node].first_edge;
        d->enabled[pid] = 0;
        d->moves[pid] = 0;
    }
}

static bool has_trigger(const uint8_t *triggers, const gy_transition *t)
{
    for (uint32_t i = 0; i < t->step_count; i++)
        if (triggers[t->steps[i].edge] ||
            (t->steps[i].partner >= 0 && triggers[t->steps[i].partner_edge]))
            return true;
    return false;
}

static bool needs_timeout(const gy_process_class *class, const gy_step *step)
{
    const gy_process_class_member *member = &class->members[step->pid];
    return member->instance->edges[step->edge - member->first_edge].needs_timeout;
}

// Notes which edges can fire. False: everything must be explored.
static bool note_moves(gy_reducer *d, const gy_transition *all, uint32_t count)
{
    bool timeouts = d->class->timeouts;
    const uint8_t *triggers = d->r->triggers;
    uint64_t active = 0, barred = 0;
    note_places(d);
    for (const gy_transition *t = all; t < all + count; t++) {
        if (t->fault || !t->step_count)
            return false;
        const gy_step *step = t->steps;
        uint32_t at = (uint32_t)(step->edge - d->first_edge[step->pid]);
        if (at >= 64 || (timeouts && needs_timeout(d->class, step)))
            return false;
        d->enabled[step->pid] |= (uint64_t)1 << at;
        d->moves[step->pid]++;
        active |= (uint64_t)1 << step->pid;
        if (triggers && has_trigger(triggers, t))
            barred |= (uint64_t)1 << step->pid;
        if (step->partner < 0)
            continue;
        at = (uint32_t)(step->partner_edge - d->first_edge[step->partner]);
        if (at >= 64)
            return false;
        d->enabled[step->partner] |= (uint64_t)1 << at;
    }
    d->active = active;
    d->barred = barred;
    d->known = 0;
    return true;
}

static uint32_t keep_all(uint32_t count, uint8_t *keep)
{
    memset(keep, 1, count);
    return count;
}

static inline uint32_t moves_of(const gy_reducer *d, uint64_t set)
{
    uint32_t moves = 0;
    for (set &= d->active; set; set &= set - 1)
        moves += d->moves[__builtin_ctzll(set)];
    return moves;
}

// The closed set with the fewest transitions, if they are fewer than *least, which gets smaller.
static uint64_t smallest_set(gy_reducer *d, uint32_t *least)
{
    uint64_t best = 0, tried = 0;
    for (uint64_t seeds = d->active; seeds && *least > 1;) {
        uint32_t seed = 63 - (uint32_t)__builtin_clzll(seeds);
        uint64_t set = d->moves[seed] < *least ? close_set(d, seed, tried) : 0;
        uint32_t moves = set ? moves_of(d, set) : *least;
        if (moves < *least) {
            *least = moves;
            best = set;
        }
        seeds &= ~((uint64_t)1 << seed);
        tried |= (uint64_t)1 << seed;
    }
    return best;
}

// What to do in a state of d->class; as many transitions as `count`: everything.
static gy_decision decide(gy_reducer *d, const gy_transition *all, uint32_t count)
{
    gy_decision decision = {.moves = count};
    if (!note_moves(d, all, count) || !(d->active & (d->active - 1)))
        return decision;
    vote(d);
    decision.set = smallest_set(d, &decision.moves);
    return decision;
}

// ---- what was decided before --------------------------------------------------------

// False: it does not fit into words.
static inline bool add_partner(const gy_reducer *d, const gy_step *step, uint64_t *partners)
{
    uint32_t position = step->partner < 0 ? 0 : d->r->position[step->partner_edge];
    if (*partners >> 52 || position >= 32)
        return false;
    *partners = step->partner < 0
                    ? *partners << 1
                    : *partners << 12 | 1u << 11 | (uint32_t)step->partner << 5 | position;
    return true;
}

// An edge that several transitions begin with: how many transitions a process has is part of the
// key.
static inline bool add_repeat(uint32_t edge, uint64_t *repeats)
{
    if (*repeats >> 58)
        return false;
    *repeats = *repeats << 6 | edge;
    return true;
}

// Places and transitions of a state. False: they do not fit into words, or everything must be
// explored anyway.
static inline bool make_key(const gy_reducer *d, const gy_transition *all, uint32_t count,
                            gy_decision_key *key)
{
    const gy_process_class *class = d->class;
    const gy_process_class_member *members = class->members;
    const uint8_t *position = d->r->position;
    uint64_t places = 0, edges = 0, partners = 1, repeats = 1;
    bool meets = d->r->some_rendezvous;
    for (uint32_t pid = 0; pid < class->count; pid++)
        places |= (uint64_t)(d->state[members[pid].offset] & members[pid].pc_mask)
                  << members[pid].place;
    for (const gy_transition *t = all; t < all + count; t++) {
        const gy_step *step = t->steps;
        if (t->fault || !t->step_count)
            return false;
        uint32_t edge = members[step->pid].edge + position[step->edge];
        if ((meets && !add_partner(d, step, &partners)) ||
            (edges >> edge & 1 && !add_repeat(edge, &repeats)))
            return false;
        edges |= (uint64_t)1 << edge;
    }
    *key = (gy_decision_key){class, places, edges, partners, repeats};
    return true;
}

static __attribute__((noinline)) gy_decision
decide_and_note(gy_reducer *d, const gy_transition *all, uint32_t count, gy_decision_slot *slot)
{
    d->trail.asked.n = d->trail.answers.n = 0;
    d->notes = true;
    gy_decision decision = decide(d, all, count);
    d->notes = false;
    gy_stubborn_cache_note(&d->decisions, slot, &d->trail, decision);
    return decision;
}

static inline gy_decision recall(gy_reducer *d, const gy_transition *all, uint32_t count)
{
    gy_decision_key key;
    if (d->decisions.rest) {
        d->decisions.rest--;
        return decide(d, all, count);
    }
    if (!d->class->packs || d->r->triggers || !make_key(d, all, count, &key))
        return decide(d, all, count);
    gy_decision_slot *slot = gy_stubborn_cache_slot(&d->decisions, key);
    if (slot->decision.moves)
        return slot->decision;
    const gy_decision_node *node = slot->tree;
    while (node && node->ask.wait)
        node = node->next[gy_wait_condition_ask(d->r, d->state, node->ask)];
    return node ? node->decision : decide_and_note(d, all, count, slot);
}

// False: too many processes.
static inline bool find_class(gy_reducer *d, const gy_word *state, uint32_t words)
{
    d->state = state;
    if (d->class && gy_process_class_fits(d->class, state, words))
        return true;
    d->class = gy_process_class_of(d->classes, state, words);
    if (d->age != gy_process_classes_age(d->classes)) {
        gy_stubborn_cache_forget(&d->decisions);
        d->age = gy_process_classes_age(d->classes);
    }
    return d->class != NULL;
}

// The youngest process that may move without regard to the others, or -1.
static inline int32_t who_is_alone(const gy_reducer *d)
{
    const gy_alone *alone = d->class->alone, *end = alone + d->class->alone_count;
    for (; alone < end; alone++) {
        uint32_t node = d->state[alone->offset] & alone->pc_mask;
        if (node < 64 && alone->nodes >> node & 1)
            return (int32_t)alone->pid;
    }
    return -1;
}

int32_t gy_reduce_alone(gy_reducer *d, const gy_word *state, uint32_t words)
{
    if (d->r->groups || !words || !find_class(d, state, words))
        return -1;
    return who_is_alone(d);
}

// If it has exactly one transition, that is all to be explored.
static bool choose_alone(gy_reducer *d, const gy_transition *all, uint32_t count, uint8_t *keep)
{
    int32_t pid = who_is_alone(d);
    uint32_t found = count;
    for (uint32_t i = 0; i < count && pid >= 0; i++) {
        if (!all[i].step_count || all[i].steps[0].pid != pid)
            continue;
        if (found < count || all[i].fault || !all[i].state)
            return false;
        found = i;
    }
    if (found == count)
        return false;
    memset(keep, 0, count);
    keep[found] = 1;
    return true;
}

bool gy_reduce_chose_alone(const gy_reducer *d)
{
    return d->alone;
}

uint32_t gy_reduce_choose_crowd(gy_reducer *d, const gy_word *state, uint32_t words,
                                const gy_transition *all, uint32_t count, uint8_t *keep)
{
    d->alone = false;
    if (count < 2 || !words)
        return keep_all(count, keep);
    if (d->r->groups)
        return gy_group_choose(d->chooser, state, words, all, count, keep);
    if (!d->class)
        return keep_all(count, keep);
    d->state = state;
    gy_decision decision = recall(d, all, count);
    if (decision.moves == count)
        return keep_all(count, keep);
    for (uint32_t i = 0; i < count; i++)
        keep[i] = decision.set >> all[i].steps[0].pid & 1;
    return decision.moves;
}

uint32_t gy_reduce_choose(gy_reducer *d, const gy_word *state, uint32_t words,
                          const gy_transition *all, uint32_t count, uint8_t *keep)
{
    if (count && words && !d->r->groups && find_class(d, state, words) &&
        choose_alone(d, all, count, keep)) {
        d->alone = true;
        return 1;
    }
    return gy_reduce_choose_crowd(d, state, words, all, count, keep);
}
