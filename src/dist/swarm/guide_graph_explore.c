// The guiding processes alone: every edge that their own values do not rule out may be taken.
#include "dist/swarm/guide_graph_parts.h"

#include "base/bits.h"
#include "model/fold.h"

// Values of a range up to this size are tried one by one where they are not known.
enum { MOST_VALUES = 4 };

typedef struct explorer {
    gy_guide *guide;
    uint32_t node;   // being expanded
    uint32_t moving; // the guide that moves
    const gy_edge *edge;
    uint32_t most;
    bool full;       // there are more nodes
    int32_t unknown; // a variable that cannot be tracked, or GY_NONE
} explorer;

static uint32_t slot_of(const gy_guide *guide, uint32_t mover, int32_t var)
{
    bool local = guide->model->vars[var].owner != GY_NONE;
    for (uint32_t i = 0; i < guide->slots.n; i++)
        if (guide->slots.at[i].var == var &&
            guide->slots.at[i].guide == (local ? (int32_t)mover : GY_NONE))
            return i;
    return UINT32_MAX;
}

// What is known while a guide moves.
typedef struct knowing {
    const explorer *x;
    const int32_t *slots;
} knowing;

static bool known_variable(void *user, int32_t var, int32_t *value)
{
    const knowing *k = user;
    uint32_t slot = slot_of(k->x->guide, k->x->moving, var);
    if (slot != UINT32_MAX)
        *value = k->slots[slot];
    return slot != UINT32_MAX;
}

static gy_known_values known_by(knowing *k)
{
    return (gy_known_values){
        .user = k, .variable = known_variable, .pid = (int32_t)k->x->guide->pid[k->x->moving]};
}

// ---- what an edge does ---------------------------------------------------------------------

static void arrive(explorer *x, const int32_t *slots)
{
    gy_guide_graph *graph = &x->guide->graph;
    bool is_new;
    uint32_t to = gy_guide_node(graph, slots, &is_new);
    x->full = x->full || graph->node_count > x->most;
    if (to == x->node)
        return;
    gy_vec_push(&graph->from, x->node);
    gy_vec_push(&graph->to, to);
}

static void run_effect(explorer *x, uint32_t at, int32_t *slots);
static void run_fields(explorer *x, uint32_t at, int32_t *slots);

// What comes after a store: `at` counts the fields of a receive first, then actions.
static void go_on(explorer *x, bool in_fields, uint32_t at, int32_t *slots)
{
    if (in_fields)
        run_fields(x, at, slots);
    else
        run_effect(x, at, slots);
}

// A tracked variable gets a value; NULL: one that is not known, so that all of a small range are
// tried.
static void store(explorer *x, int32_t var, const int32_t *value, bool in_fields, uint32_t next,
                  int32_t *slots)
{
    const gy_variable *about = &x->guide->model->vars[var];
    uint32_t slot = slot_of(x->guide, x->moving, var);
    if (slot == UINT32_MAX) {
        go_on(x, in_fields, next, slots);
        return;
    }
    int32_t was = slots[slot];
    if (value) {
        slots[slot] = gy_type_truncate(about->type, *value);
        go_on(x, in_fields, next, slots);
    } else if ((int64_t)about->max - about->min >= MOST_VALUES) {
        x->unknown = var;
    } else {
        for (int32_t v = about->min; v <= about->max && x->unknown == GY_NONE; v++) {
            slots[slot] = v;
            go_on(x, in_fields, next, slots);
        }
    }
    slots[slot] = was;
}

static void run_effect(explorer *x, uint32_t at, int32_t *slots)
{
    const gy_program *program = x->edge->effect;
    for (; program && at < program->count && x->unknown == GY_NONE && !x->full; at++) {
        const gy_action *action = &program->actions[at];
        knowing k = {x, slots};
        const gy_known_values values = known_by(&k);
        int32_t value;
        if (action->kind == GY_A_SELECT || action->kind == GY_A_JUMP)
            break; // stores to nothing that is tracked (gy_guide_track)
        if (action->var < 0 || !x->guide->tracked[action->var] || action->index)
            continue;
        bool known = action->kind == GY_A_ASSIGN && gy_fold_known(&values, action->expr, &value);
        store(x, action->var, known ? &value : NULL, false, at + 1, slots);
        return;
    }
    if (x->unknown == GY_NONE && !x->full) {
        uint32_t control = 0;
        for (uint32_t i = 0; i < x->guide->slots.n; i++) {
            const gy_guide_slot *slot = &x->guide->slots.at[i];
            if (slot->guide == (int32_t)x->moving && slot->var == GY_NONE)
                control = i;
        }
        if (x->edge->to == GY_NONE) { // gone, with all its variables
            int32_t rest[1024];
            memcpy(rest, slots, x->guide->slots.n * sizeof *rest);
            for (uint32_t i = 0; i < x->guide->slots.n; i++)
                if (x->guide->slots.at[i].guide == (int32_t)x->moving)
                    rest[i] = 0;
            rest[control] = GY_GUIDE_GONE;
            arrive(x, rest);
            return;
        }
        int32_t was = slots[control];
        slots[control] = x->edge->to;
        arrive(x, slots);
        slots[control] = was;
    }
}

static void run_fields(explorer *x, uint32_t at, int32_t *slots)
{
    bool receives = x->edge->sync == GY_SYNC_RECV;
    for (; receives && at < x->edge->field_count && x->unknown == GY_NONE; at++) {
        const gy_field *field = &x->edge->fields[at];
        if (field->kind == GY_FIELD_STORE && !field->index && x->guide->tracked[field->var]) {
            store(x, field->var, NULL, true, at + 1, slots);
            return;
        }
    }
    run_effect(x, 0, slots);
}

// ---- which edges there are -----------------------------------------------------------------

static bool may_go(const explorer *x, const gy_edge *edge, const int32_t *slots)
{
    knowing k = {x, slots};
    const gy_known_values values = known_by(&k);
    int32_t value;
    return !edge->guard || !gy_fold_known(&values, edge->guard, &value) || value;
}

// Whatever the others do.
static bool must_go(const explorer *x, const gy_edge *edge, const int32_t *slots)
{
    knowing k = {x, slots};
    const gy_known_values values = known_by(&k);
    int32_t value;
    return edge->kind == GY_EDGE_NORMAL && edge->sync == GY_SYNC_NONE &&
           (!edge->guard || (gy_fold_known(&values, edge->guard, &value) && value));
}

static void move(explorer *x, int32_t control, int32_t *slots)
{
    const gy_model *model = x->guide->model;
    const gy_node *node = &model->templates[x->guide->tmpl[x->moving]].nodes[control];
    bool ruled_out = false; // else
    for (int32_t i = 0; i < node->edge_count && x->unknown == GY_NONE && !x->full; i++) {
        x->edge = &model->edges[node->first_edge + i];
        if (x->edge->kind == GY_EDGE_ELSE && ruled_out)
            continue;
        ruled_out = ruled_out || must_go(x, x->edge, slots);
        if (may_go(x, x->edge, slots))
            run_fields(x, 0, slots);
    }
}

static void expand(explorer *x)
{
    gy_guide *guide = x->guide;
    int32_t slots[1024];
    memcpy(slots, guide->graph.values.at + (size_t)x->node * guide->slots.n,
           guide->slots.n * sizeof *slots);
    for (uint32_t i = 0; i < guide->slots.n && x->unknown == GY_NONE && !x->full; i++) {
        const gy_guide_slot *slot = &guide->slots.at[i];
        if (slot->var != GY_NONE || slots[i] == GY_GUIDE_GONE)
            continue;
        x->moving = (uint32_t)slot->guide;
        move(x, slots[i], slots);
    }
}

bool gy_guide_explore(gy_guide *guide, uint32_t most, bool *untracked)
{
    explorer x = {.guide = guide, .most = most, .unknown = GY_NONE};
    for (; x.node < guide->graph.node_count && x.unknown == GY_NONE && !x.full; x.node++)
        expand(&x);
    *untracked = x.unknown != GY_NONE;
    if (*untracked)
        guide->tracked[x.unknown] = 0;
    return !*untracked && !x.full;
}
