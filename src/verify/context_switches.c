#include "verify/context_switches.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "exec/view.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NODES = 2000000,
    ENOUGH_EVERY = 256, // nodes between two checks of the limits
    KEY_EXTRA = 3,      // words of a key besides those of the state
};

// ---- switches -------------------------------------------------------------------------

static bool takes_part(const gy_step *step, int32_t pid)
{
    return pid >= 0 && (step->pid == pid || step->partner == pid);
}

static bool is_switch(const gy_step *before, const gy_step *step)
{
    return before->pid >= 0 && !takes_part(step, before->pid) && !takes_part(step, before->partner);
}

uint64_t gy_path_switches(const gy_path *path)
{
    uint64_t switches = 0;
    for (size_t i = 1; i < path->moments.n; i++)
        switches += is_switch(&path->moments.at[i - 1].step, &path->moments.at[i].step);
    return switches;
}

// ---- the search -----------------------------------------------------------------------

// A state, who must go on alone, and who took part in the step that led there.
typedef struct node {
    uint32_t *key; // exclusive, pid and partner of the step, then the state
    uint32_t words;
    uint32_t parent;
    gy_step step;
    uint64_t cost; // switches << 32 | steps
    bool done;
} node;

typedef struct heap_entry {
    uint64_t cost;
    uint32_t node;
} heap_entry;

typedef struct simplifying {
    gy_path *known;
    gy_worker *worker;
    gy_arena *arena;
    bool empty_channels;
    GY_VEC(node) nodes;
    gy_map map;
    GY_VEC(heap_entry) heap;
    uint64_t bound; // what costs as much is no better
    uint32_t from;  // the node that is being expanded
    bool moves;     // it can
    uint32_t found; // the node before the error; UINT32_MAX: none yet
    gy_step last;   // the step into the fault …
    bool has_last;  // … if there is one
} simplifying;

static void heap_push(simplifying *s, heap_entry entry)
{
    gy_vec_push(&s->heap, entry);
    size_t at = s->heap.n - 1;
    while (at > 0 && s->heap.at[(at - 1) / 2].cost > entry.cost) {
        s->heap.at[at] = s->heap.at[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap.at[at] = entry;
}

static heap_entry heap_pop(simplifying *s)
{
    heap_entry top = s->heap.at[0], moved = s->heap.at[--s->heap.n];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->heap.n; at = child) {
        if (child + 1 < s->heap.n && s->heap.at[child + 1].cost < s->heap.at[child].cost)
            child++;
        if (s->heap.at[child].cost >= moved.cost)
            break;
        s->heap.at[at] = s->heap.at[child];
    }
    if (s->heap.n > 0)
        s->heap.at[at] = moved;
    return top;
}

// The node of this state, new or known, is reached at this cost.
static void reach(simplifying *s, const gy_transition *transition, const gy_step *step,
                  int32_t exclusive, uint64_t cost)
{
    uint32_t words = transition->words + KEY_EXTRA, number = (uint32_t)s->nodes.n;
    uint32_t head[KEY_EXTRA] = {(uint32_t)exclusive, (uint32_t)step->pid, (uint32_t)step->partner};
    size_t bytes = transition->words * sizeof *transition->state;
    uint64_t hash = gy_hash_bytes(transition->state, bytes, gy_hash_bytes(head, sizeof head, 0));
    for (gy_map_probe p = gy_map_first(&s->map, hash); p.found; gy_map_next(&s->map, &p)) {
        node *known = &s->nodes.at[p.number];
        if (known->words != words || memcmp(known->key, head, sizeof head) != 0 ||
            memcmp(known->key + KEY_EXTRA, transition->state, bytes) != 0)
            continue;
        if (known->done || known->cost <= cost)
            return;
        known->cost = cost;
        known->parent = s->from;
        known->step = *step;
        heap_push(s, (heap_entry){cost, p.number});
        return;
    }
    node next = {.words = words, .parent = s->from, .step = *step, .cost = cost};
    next.key = gy_arena_alloc(s->arena, words * sizeof *next.key);
    memcpy(next.key, head, sizeof head);
    memcpy(next.key + KEY_EXTRA, transition->state, bytes);
    gy_vec_push(&s->nodes, next);
    gy_map_add(&s->map, hash, number);
    heap_push(s, (heap_entry){cost, number});
}

static int visit_initial(void *user, const gy_transition *transition)
{
    static const gy_step nothing = {-1, -1, -1, -1, 0, 0};
    if (transition->state)
        reach(user, transition, &nothing, -1, 0);
    return 0;
}

static bool is_wanted_fault(const simplifying *s, const gy_transition *transition)
{
    const gy_path_state *last = gy_path_last(s->known);
    const gy_fault *fault = gy_fault_find(transition->fault, last->fault);
    return fault && fault->edge == last->fault_edge;
}

static int visit(void *user, const gy_transition *transition)
{
    simplifying *s = user;
    const gy_step *step = &transition->steps[0];
    const node *from = &s->nodes.at[s->from];
    uint64_t cost = from->cost + 1 + ((uint64_t)is_switch(&from->step, step) << 32);
    s->moves = true;
    if (cost >= s->bound)
        return 0;
    if (is_wanted_fault(s, transition)) {
        s->bound = cost;
        s->found = s->from;
        s->last = *step;
        s->has_last = true;
    } else if (transition->state && !transition->fault) {
        reach(s, transition, step, transition->exclusive, cost);
    }
    return 0;
}

// Is every process where it is in this moment?
static bool same_places(simplifying *s, const gy_path_state *moment, const uint32_t *state,
                        uint32_t words)
{
    if (!s->known->system->model)
        return words == moment->words && memcmp(state, moment->state, words * sizeof *state) == 0;
    gy_state_view *views = gy_alloc(2 * sizeof *views);
    gy_state_view_state(s->worker, moment->state, moment->words, &views[0]);
    gy_state_view_state(s->worker, state, words, &views[1]);
    bool same = views[0].process_count == views[1].process_count;
    for (uint32_t p = 0; same && p < views[0].process_count; p++)
        same = views[0].processes[p].tmpl == views[1].processes[p].tmpl &&
               views[0].processes[p].node == views[1].processes[p].node;
    free(views);
    return same;
}

static void look_at_end(simplifying *s)
{
    const node *now = &s->nodes.at[s->from];
    const gy_path_state *last = gy_path_last(s->known);
    uint32_t words = now->words - KEY_EXTRA;
    if (last->fault || s->moves || now->cost >= s->bound ||
        gy_is_end_state(s->worker, now->key + KEY_EXTRA, words, s->empty_channels) ||
        !same_places(s, last, now->key + KEY_EXTRA, words))
        return;
    s->bound = now->cost;
    s->found = s->from;
}

// Until nothing that is cheaper than the best run is left, or a limit is reached: which.
static const char *search(simplifying *s, const gy_limits *limits)
{
    gy_limits asked = *limits;
    for (uint64_t looks = 0; s->heap.n > 0; looks++) {
        heap_entry entry = heap_pop(s);
        node *now = &s->nodes.at[entry.node];
        if (entry.cost >= s->bound)
            return NULL;
        if (now->done)
            continue;
        const char *enough = looks % ENOUGH_EVERY == 0 ? gy_limits_enough(&asked) : NULL;
        if (enough)
            return enough;
        if (s->nodes.n >= MOST_NODES)
            return "the search for one ended after 2,000,000 states";
        now->done = true;
        s->from = entry.node;
        s->moves = false;
        // The nodes may move in memory, their keys do not.
        gy_single_steps(s->worker, now->key + KEY_EXTRA, now->words - KEY_EXTRA,
                        (int32_t)now->key[0], visit, s);
        look_at_end(s);
    }
    return NULL;
}

// ---- the run that was found -------------------------------------------------------------

static bool ends_the_same(gy_path *path, void *user)
{
    simplifying *s = user;
    const gy_path_state *wanted = gy_path_last(s->known), *last = gy_path_last(path);
    gy_choices next = {0};
    if (wanted->fault)
        return last->fault == wanted->fault && last->fault_edge == wanted->fault_edge;
    gy_path_choices(path, &next);
    bool good =
        next.list.n == 0 && !last->fault && same_places(s, wanted, last->state, last->words);
    gy_choices_free(&next);
    return good;
}

static gy_path *execute(simplifying *s)
{
    GY_VEC(gy_step) steps = {0};
    if (s->has_last)
        gy_vec_push(&steps, s->last);
    for (uint32_t n = s->found; s->nodes.at[n].step.pid >= 0; n = s->nodes.at[n].parent)
        gy_vec_push(&steps, s->nodes.at[n].step);
    for (size_t i = 0; i < steps.n / 2; i++) {
        gy_step kept = steps.at[i];
        steps.at[i] = steps.at[steps.n - 1 - i];
        steps.at[steps.n - 1 - i] = kept;
    }
    gy_path *path = gy_path_new(s->known->system);
    path->about = s->known->about;
    path->enough = s->known->enough;
    path->enough_user = s->known->enough_user;
    if (!gy_path_run(path, steps.at, steps.n, ends_the_same, s)) {
        gy_path_free(path);
        path = NULL;
    }
    gy_vec_free(&steps);
    return path;
}

gy_path *gy_simplify(gy_path *known, bool empty_channels, const gy_limits *limits,
                     gy_simplified *result)
{
    simplifying s = {.known = known,
                     .worker = known->worker,
                     .arena = gy_arena_new(),
                     .empty_channels = empty_channels,
                     .bound = gy_path_switches(known) << 32 | gy_path_steps(known),
                     .found = UINT32_MAX};
    gy_path *path = NULL;
    gy_initial(s.worker, visit_initial, &s);
    result->limit = search(&s, limits);
    result->fewest = !result->limit;
    if (s.found != UINT32_MAX && !(path = execute(&s))) {
        result->fewest = false;
        result->limit = known->enough && known->enough(known->enough_user)
                            ? known->enough(known->enough_user)
                            : "the one that was found could not be replayed";
    }
    gy_arena_free(s.arena);
    gy_vec_free(&s.nodes);
    gy_map_free(&s.map);
    gy_vec_free(&s.heap);
    return path;
}
