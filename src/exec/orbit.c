// Finding representatives. See orbit.h.
//
// What has to be put in order depends on the shape of a state alone and is found out once for each
// shape and worker: groups of blocks of the same template.
#include "exec/orbit.h"

#include "base/arena.h"
#include "base/vec.h"
#include "exec/vm/inline_fields.h"
#include "exec/vm/state_layout.h"

typedef struct group {
    const gy_template *tmpl;
    int32_t tmpl_number;
    uint32_t count, words;
    uint32_t *pids, *offsets; // of the processes, in order
    gy_word pc_mask;
    bool is_youngest; // the youngest process is one of them
} group;

typedef struct plan {
    bool known;
    uint32_t processes, words;
    group *groups;
    uint32_t count;
} plan;

struct gy_orbit_fold {
    const gy_orbits *orbits;
    gy_arena *arena;
    GY_VEC(plan) plans; // by number of the shape
    GY_VEC(gy_word) state;
    uint32_t origin[GY_MAX_PROCESSES]; // by pid of the representative
    uint8_t *ends;
    uint64_t folded;
    // a batch
    GY_VEC(gy_transition) list;
    GY_VEC(gy_word) states;
};

gy_orbit_fold *gy_orbit_fold_new(const gy_orbits *orbits)
{
    gy_orbit_fold *f = gy_alloc_zero(sizeof *f);
    f->orbits = orbits;
    f->arena = gy_arena_new();
    f->ends = GY_NEW_ARRAY(f->arena, uint8_t, orbits->model->template_count + 1);
    return f;
}

void gy_orbit_fold_free(gy_orbit_fold *f)
{
    if (!f)
        return;
    gy_arena_free(f->arena);
    gy_vec_free(&f->plans);
    gy_vec_free(&f->state);
    gy_vec_free(&f->list);
    gy_vec_free(&f->states);
    free(f);
}

// ---- plans --------------------------------------------------------------------------

static void make_group(gy_orbit_fold *f, const gy_state_layout *shape, int32_t tmpl, group *to)
{
    const gy_template *t = &f->orbits->model->templates[tmpl];
    *to = (group){.tmpl = t, .tmpl_number = tmpl, .words = t->words};
    to->pc_mask = t->pc_bits ? ~0u >> (32 - t->pc_bits) : 0;
    to->pids = GY_NEW_ARRAY(f->arena, uint32_t, shape->process_count + 1);
    to->offsets = GY_NEW_ARRAY(f->arena, uint32_t, shape->process_count + 1);
    uint32_t limit = f->orbits->slot_limit;
    for (uint32_t pid = 0; pid < shape->process_count && pid < limit; pid++)
        if (shape->process[pid].tmpl == tmpl) {
            to->pids[to->count] = pid;
            to->offsets[to->count++] = shape->process[pid].offset;
            to->is_youngest = pid + 1 == shape->process_count;
        }
}

static void make_plan(gy_orbit_fold *f, const gy_state_layout *shape)
{
    uint32_t templates = f->orbits->model->template_count;
    plan *p = &f->plans.at[shape->number];
    *p = (plan){.known = true, .processes = shape->process_count, .words = shape->words};
    p->groups = GY_NEW_ARRAY(f->arena, group, templates + 1);
    for (uint32_t t = 0; t < templates; t++) {
        if (!f->orbits->alike[t])
            continue;
        make_group(f, shape, (int32_t)t, &p->groups[p->count]);
        p->count += p->groups[p->count].count > 0;
    }
}

static const plan *plan_of(gy_orbit_fold *f, const gy_word *state, uint32_t words)
{
    const gy_state_layout *shape = gy_state_layout_find(f->orbits->shapes, state, words);
    uint32_t number = shape->number;
    if (number >= f->plans.n) {
        gy_vec_reserve(&f->plans, (size_t)number + 1);
        memset(f->plans.at + f->plans.n, 0, (number + 1 - f->plans.n) * sizeof *f->plans.at);
        f->plans.n = (size_t)number + 1;
    }
    if (!f->plans.at[number].known)
        make_plan(f, shape);
    return &f->plans.at[number];
}

// ---- order --------------------------------------------------------------------------

static bool has_ended(const group *g, const gy_word *block)
{
    return g->tmpl->nodes[block[0] & g->pc_mask].flags & GY_NODE_FINAL;
}

static int compare_slots(const gy_orbits *orbits, const gy_word *state, uint32_t p, uint32_t q)
{
    for (uint32_t i = 0; i < orbits->slot_count; i++) {
        const gy_variable *var = &orbits->model->vars[orbits->slots[i]];
        int32_t a = gy_get_var(state, var, p), b = gy_get_var(state, var, q);
        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

// Of processes number i and k of a group.
static int compare(const gy_orbit_fold *f, const group *g, const gy_word *state, uint32_t i,
                   uint32_t k)
{
    const gy_word *a = state + g->offsets[i], *b = state + g->offsets[k];
    if (a[0] != b[0]) {
        bool a_ended = has_ended(g, a), b_ended = has_ended(g, b);
        if (a_ended != b_ended)
            return a_ended ? -1 : 1;
    }
    for (uint32_t w = 0; w < g->words; w++)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return f->orbits->slot_count ? compare_slots(f->orbits, state, g->pids[i], g->pids[k]) : 0;
}

static bool in_order(const gy_orbit_fold *f, const group *g, const gy_word *state)
{
    for (uint32_t i = 1; i < g->count; i++)
        if (compare(f, g, state, i - 1, i) > 0)
            return false;
    return true;
}

static void sort(const gy_orbit_fold *f, const group *g, const gy_word *state, uint32_t *order)
{
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t at = i;
        for (; at > 0 && compare(f, g, state, order[at - 1], i) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

// ---- folding ------------------------------------------------------------------------

static void note_words(uint64_t *moved, uint32_t shift, uint32_t first, uint32_t count)
{
    for (uint32_t w = first; moved && w < first + count; w++)
        *moved |= (uint64_t)1 << (w >> shift);
}

static void move_slots(gy_orbit_fold *f, const gy_word *state, uint32_t from, uint32_t to,
                       uint32_t shift, uint64_t *moved)
{
    for (uint32_t i = 0; i < f->orbits->slot_count; i++) {
        const gy_variable *var = &f->orbits->model->vars[f->orbits->slots[i]];
        gy_put_var(f->state.at, var, to, gy_get_var(state, var, from));
        note_words(moved, shift, var->word + (var->shift + to * var->stride) / 32, 1);
    }
}

static void reorder(gy_orbit_fold *f, const plan *p, const group *g, const gy_word *state,
                    uint64_t *moved)
{
    uint32_t order[GY_MAX_PROCESSES], shift = gy_written_shift(p->words);
    sort(f, g, state, order);
    for (uint32_t i = 0; i < g->count; i++) {
        if (order[i] == i)
            continue;
        memcpy(f->state.at + g->offsets[i], state + g->offsets[order[i]], g->words * sizeof *state);
        note_words(moved, shift, g->offsets[i], g->words);
        move_slots(f, state, g->pids[order[i]], g->pids[i], shift, moved);
        f->origin[g->pids[i]] = g->pids[order[i]];
    }
}

// The first in the order has ended: by a change of places it could be the youngest.
static void note_end(gy_orbit_fold *f, const group *g, const gy_word *state)
{
    for (uint32_t i = 0; i < g->count && !f->ends[g->tmpl_number]; i++)
        f->ends[g->tmpl_number] = has_ended(g, state + g->offsets[i]);
}

const gy_word *gy_fold(gy_orbit_fold *f, const gy_word *state, uint32_t words, uint64_t *moved)
{
    const plan *p = plan_of(f, state, words);
    bool changed = false;
    for (uint32_t i = 0; i < p->count; i++) {
        const group *g = &p->groups[i];
        if (g->is_youngest && !f->ends[g->tmpl_number])
            note_end(f, g, state);
        if (g->count < 2 || in_order(f, g, state))
            continue;
        if (!changed) {
            gy_vec_reserve(&f->state, (size_t)p->words);
            memcpy(f->state.at, state, p->words * sizeof *state);
            for (uint32_t pid = 0; pid < p->processes; pid++)
                f->origin[pid] = pid;
            changed = true;
        }
        reorder(f, p, g, state, moved);
    }
    return changed ? f->state.at : NULL;
}

uint32_t gy_fold_origin(const gy_orbit_fold *f, uint32_t pid)
{
    return f->origin[pid];
}

// ---- workers ------------------------------------------------------------------------

void gy_worker_fold(gy_worker *worker, const gy_orbits *orbits)
{
    worker->folder = gy_orbit_fold_new(orbits);
}

uint64_t gy_worker_folded(const gy_worker *worker)
{
    return worker->folder ? worker->folder->folded : 0;
}

const uint8_t *gy_worker_ends(const gy_worker *worker)
{
    return worker->folder ? worker->folder->ends : NULL;
}

// The transition with the representative in place of its state; false: it is as it should be.
static bool fold_transition(gy_orbit_fold *f, gy_transition *t)
{
    uint64_t moved = 0;
    const gy_word *representative = t->state ? gy_fold(f, t->state, t->words, &moved) : NULL;
    if (!representative)
        return false;
    t->state = representative;
    t->written |= moved;
    f->folded++;
    return true;
}

int gy_orbit_fold_visit(gy_orbit_fold *f, const gy_transition *transition, gy_visit *visit,
                        void *user)
{
    gy_transition folded = *transition;
    fold_transition(f, &folded);
    return visit(user, &folded);
}

const gy_transition *gy_orbit_fold_batch(gy_orbit_fold *f, const gy_transition *all, uint32_t count)
{
    size_t words = 0;
    bool changed = false;
    for (uint32_t i = 0; i < count; i++)
        words += all[i].words;
    gy_vec_reserve(&f->list, (size_t)count + 1);
    gy_vec_reserve(&f->states, words + 1);
    f->states.n = 0;
    for (uint32_t i = 0; i < count; i++) {
        f->list.at[i] = all[i];
        if (!fold_transition(f, &f->list.at[i]))
            continue;
        gy_word *copy = f->states.at + f->states.n;
        memcpy(copy, f->list.at[i].state, all[i].words * sizeof *copy);
        f->list.at[i].state = copy;
        f->states.n += all[i].words;
        changed = true;
    }
    return changed ? f->list.at : all;
}
