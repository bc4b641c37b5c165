// Strongly connected components of an automaton, and which of them accept.
//
// Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972, with its
// own stack instead of recursion. A component is weak if no cycle in it misses a set while
// another cycle accepts: for each set, the component without the edges of that set must have
// no cycle (found by looking for components again, on what is left).
#include "lang/ltl/automaton/automaton.h"

#include <string.h>

struct frame {
    uint32_t state, next; // the next edge to look at
};

struct tarjan {
    const gy_automaton *a;
    const uint32_t *inside; // NULL, or: only edges within one component of this map …
    uint64_t without;       // … and in none of these sets
    uint32_t *index, *low, *of;
    bool *on_stack;
    uint32_t counter, count;
    GY_VEC(uint32_t) stack;
    GY_VEC(struct frame) frames;
};

static bool usable(const struct tarjan *t, const gy_aut_edge *e)
{
    return !t->inside || (t->inside[e->from] == t->inside[e->to] && !(e->accept & t->without));
}

static void enter(struct tarjan *t, uint32_t state)
{
    t->index[state] = t->low[state] = ++t->counter;
    t->on_stack[state] = true;
    gy_vec_push(&t->stack, state);
    gy_vec_push(&t->frames, ((struct frame){state, t->a->first[state]}));
}

static void leave(struct tarjan *t, uint32_t state)
{
    if (t->low[state] == t->index[state]) {
        uint32_t member;
        do {
            member = t->stack.at[--t->stack.n];
            t->on_stack[member] = false;
            t->of[member] = t->count;
        } while (member != state);
        t->count++;
    }
    t->frames.n--;
    if (t->frames.n) {
        uint32_t parent = t->frames.at[t->frames.n - 1].state;
        if (t->low[state] < t->low[parent])
            t->low[parent] = t->low[state];
    }
}

static void search(struct tarjan *t, uint32_t root)
{
    enter(t, root);
    while (t->frames.n) {
        struct frame *f = &t->frames.at[t->frames.n - 1];
        if (f->next == t->a->first[f->state + 1]) {
            leave(t, f->state);
            continue;
        }
        const gy_aut_edge *e = &t->a->edges[f->next++];
        if (!usable(t, e))
            continue;
        if (!t->index[e->to])
            enter(t, e->to);
        else if (t->on_stack[e->to] && t->index[e->to] < t->low[e->from])
            t->low[e->from] = t->index[e->to];
    }
}

static void start(struct tarjan *t, const gy_automaton *a)
{
    memset(t, 0, sizeof *t);
    t->a = a;
    t->index = gy_alloc_zero(a->state_count * sizeof *t->index);
    t->low = gy_alloc_zero(a->state_count * sizeof *t->low);
    t->on_stack = gy_alloc_zero(a->state_count * sizeof *t->on_stack);
    t->of = gy_alloc(a->state_count * sizeof *t->of);
    memset(t->of, 0xff, a->state_count * sizeof *t->of);
}

static void finish(struct tarjan *t)
{
    free(t->index);
    free(t->low);
    free(t->on_stack);
    gy_vec_free(&t->stack);
    gy_vec_free(&t->frames);
}

// Marks (as not weak) the accepting components in which a cycle avoids one of the sets.
static void find_weak(const gy_automaton *a, gy_sccs *sccs)
{
    for (uint32_t set = 0; set < a->sets; set++) {
        struct tarjan t;
        start(&t, a);
        t.inside = sccs->of;
        t.without = 1ull << set;
        for (uint32_t s = 0; s < a->state_count; s++)
            if (sccs->of[s] != UINT32_MAX && sccs->accepting[sccs->of[s]] &&
                sccs->weak[sccs->of[s]] && !t.index[s])
                search(&t, s);
        for (uint32_t i = 0; i < a->edge_count; i++) {
            const gy_aut_edge *e = &a->edges[i];
            if (sccs->of[e->from] != UINT32_MAX && usable(&t, e) && t.of[e->from] == t.of[e->to] &&
                t.of[e->from] != UINT32_MAX)
                sccs->weak[sccs->of[e->from]] = false;
        }
        finish(&t);
        free(t.of);
    }
}

gy_sccs gy_sccs_find(const gy_automaton *a)
{
    struct tarjan t;
    start(&t, a);
    search(&t, a->initial);
    finish(&t);
    gy_sccs sccs = {.count = t.count, .of = t.of};
    sccs.trivial = gy_alloc(t.count * sizeof *sccs.trivial);
    sccs.accepting = gy_alloc(t.count * sizeof *sccs.accepting);
    sccs.weak = gy_alloc(t.count * sizeof *sccs.weak);
    uint64_t *seen = gy_alloc_zero(t.count * sizeof *seen);
    memset(sccs.trivial, true, t.count * sizeof *sccs.trivial);
    memset(sccs.weak, true, t.count * sizeof *sccs.weak);
    for (uint32_t i = 0; i < a->edge_count; i++) {
        uint32_t from = t.of[a->edges[i].from];
        if (from == UINT32_MAX || from != t.of[a->edges[i].to])
            continue;
        sccs.trivial[from] = false;
        seen[from] |= a->edges[i].accept;
    }
    for (uint32_t i = 0; i < t.count; i++)
        sccs.accepting[i] = !sccs.trivial[i] && seen[i] == gy_automaton_all(a);
    free(seen);
    find_weak(a, &sccs);
    return sccs;
}

void gy_sccs_free(gy_sccs *sccs)
{
    free(sccs->of);
    free(sccs->trivial);
    free(sccs->accepting);
    free(sccs->weak);
}
