#include "reduce/triggers.h"

#include "model/operators.h"
#include "model/visit.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

// ---- what is set and asked --------------------------------------------------------------

static gy_visit_next stop_at_question(void *user, const gy_expr *expr)
{
    (void)user;
    return expr->op == GY_E_GET_PRIORITY ? GY_VISIT_STOP : GY_VISIT_PARTS;
}

static bool sets_priority(const gy_edge *edge, bool of_others)
{
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        const gy_action *action = &edge->effect->actions[i];
        if (action->kind == GY_A_SET_PRIORITY && (!of_others || action->expr->op != GY_E_PID))
            return true;
    }
    return false;
}

const char *gy_triggers_refusal(const gy_model *model)
{
    bool asked = false, set = false;
    for (uint32_t e = 0; e < model->edge_count && model->uses_priority; e++) {
        const gy_edge *edge = &model->edges[e];
        const gy_template *tmpl = &model->templates[edge->tmpl];
        gy_visitor visitor = {.expr = stop_at_question};
        if (sets_priority(edge, true))
            return "processes set the priorities of others";
        set = set || sets_priority(edge, false);
        asked = asked || gy_visit_edge(&visitor, edge) || gy_visit_expr(&visitor, tmpl->provided);
    }
    return set && asked ? "processes set priorities, and read those of others" : NULL;
}

// ---- how high ---------------------------------------------------------------------------

typedef struct range {
    int32_t least, most; // least > most: there is no such process
} range;

static void include(range *r, int32_t priority)
{
    priority = priority > 0 ? priority : 1;
    r->least = priority < r->least ? priority : r->least;
    r->most = priority > r->most ? priority : r->most;
}

static void look_at_program(range *ranges, const gy_program *program, int32_t tmpl)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind == GY_A_RUN) {
            include(&ranges[action->tmpl], action->priority & 255);
        } else if (action->kind == GY_A_SET_PRIORITY) {
            bool known = action->index->op == GY_E_CONST;
            include(&ranges[tmpl], known ? action->index->value : 1);
            include(&ranges[tmpl], known ? action->index->value : 255);
        }
    }
}

// The priorities that processes of each template may have.
static range *find_ranges(const gy_model *model)
{
    range *ranges = gy_alloc((model->template_count + 1) * sizeof *ranges);
    for (uint32_t t = 0; t < model->template_count; t++)
        ranges[t] = (range){INT32_MAX, 0};
    for (uint32_t i = 0; i < model->started_count; i++)
        include(&ranges[model->started[i]], model->templates[model->started[i]].priority);
    for (uint32_t t = 0; t < model->template_count; t++)
        look_at_program(ranges, model->templates[t].init, (int32_t)t);
    for (uint32_t e = 0; e < model->edge_count; e++)
        look_at_program(ranges, model->edges[e].effect, model->edges[e].tmpl);
    return ranges;
}

// ---- who is woken up --------------------------------------------------------------------

// What processes of a template read.
typedef struct outlook {
    const gy_model *model;
    uint8_t *reads;  // by variable, theirs or another's
    uint8_t *places; // by template: where its processes are
    bool channels;
} outlook;

static gy_visit_next note_read(void *user, const gy_expr *expr)
{
    outlook *o = user;
    o->channels |= gy_op_asks_channel(expr->op);
    switch (expr->op) {
    case GY_E_VAR:
    case GY_E_REMOTE_VAR:
        o->reads[expr->var] |= expr->op == GY_E_VAR ? 1 : 2;
        break;
    case GY_E_REMOTE_LABEL:
        if (expr->tmpl == GY_NONE)
            memset(o->places, 1, o->model->template_count);
        else
            o->places[expr->tmpl] = 1;
        break;
    default:
        break;
    }
    return GY_VISIT_PARTS;
}

static void add_template(outlook *o, const gy_template *tmpl)
{
    gy_visitor visitor = {.user = o, .expr = note_read};
    gy_visit_expr(&visitor, tmpl->provided);
    for (int32_t k = 0; k < tmpl->edge_count; k++) {
        const gy_edge *edge = &o->model->edges[tmpl->first_edge + k];
        gy_visit_edge(&visitor, edge);
        o->channels = o->channels || edge->sync != GY_SYNC_NONE;
    }
}

static bool wakes(const outlook *o, const gy_edge *edge)
{
    if (o->places[edge->tmpl])
        return true;
    for (uint32_t i = 0; i < edge->touch_count; i++) {
        const gy_touch *touch = &edge->touches[i];
        if (!touch->write)
            continue;
        if (touch->kind == GY_TOUCH_VAR) {
            bool global = o->model->vars[touch->var].owner == GY_NONE;
            if (o->reads[touch->var] & (global ? 3 : 2))
                return true;
        } else if (touch->kind != GY_TOUCH_CHANNELS || o->channels) {
            return true; // processes that come and go, above all
        }
    }
    return false;
}

uint8_t *gy_triggers_find(const gy_model *model, gy_arena *arena)
{
    if (!model->uses_priority)
        return NULL;
    range *ranges = find_ranges(model);
    uint8_t *triggers = GY_NEW_ARRAY(arena, uint8_t, model->edge_count + 1);
    outlook o = {.model = model,
                 .reads = gy_alloc(model->var_count + 1),
                 .places = gy_alloc(model->template_count + 1)};
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        bool any = false;
        memset(o.reads, 0, model->var_count + 1);
        memset(o.places, 0, model->template_count + 1);
        o.channels = false;
        for (uint32_t other = 0; other < model->template_count; other++)
            if (gy_is_process(&model->templates[other]) && ranges[other].most > ranges[t].least) {
                add_template(&o, &model->templates[other]);
                any = true;
            }
        for (int32_t k = 0; k < tmpl->edge_count; k++) {
            const gy_edge *edge = &model->edges[tmpl->first_edge + k];
            triggers[tmpl->first_edge + k] = sets_priority(edge, false) || (any && wakes(&o, edge));
        }
    }
    free(o.reads);
    free(o.places);
    free(ranges);
    return triggers;
}
