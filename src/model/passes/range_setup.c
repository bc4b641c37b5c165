// Set-up of the analysis of ranges: what is known of processes, nodes and constants before it
// starts.
#include "base/fatal.h"
#include "base/vec.h"
#include "model/channels.h"
#include "model/passes/range_facts.h"
#include "model/visit.h"

#include <stdlib.h>

enum { MOST_WORK = 4000000 }; // spans copied in a round

// ---- limits -----------------------------------------------------------------------------

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

typedef GY_VEC(int32_t) numbers;

static void note(numbers *limits, int32_t value)
{
    for (int64_t near = (int64_t)value - 1; near <= (int64_t)value + 1; near++)
        if (near >= INT32_MIN && near <= INT32_MAX)
            gy_vec_push(limits, (int32_t)near);
}

static gy_visit_next note_limit(void *user, const gy_expr *expr)
{
    if (expr->op == GY_E_CONST || expr->op == GY_E_INDEX)
        note(user, expr->value);
    return GY_VISIT_PARTS;
}

static void find_limits(gy_ranging *r)
{
    numbers limits = {0};
    note(&limits, 0);
    gy_visit_model(&(gy_visitor){.user = &limits, .expr = note_limit}, r->model);
    qsort(limits.at, limits.n, sizeof *limits.at, by_value);
    size_t n = 0;
    for (size_t i = 0; i < limits.n; i++)
        if (n == 0 || limits.at[n - 1] != limits.at[i])
            limits.at[n++] = limits.at[i];
    r->limits = limits.at;
    r->limit_count = n;
}

// ---- nodes and processes ----------------------------------------------------------------

// Is the channel of a send surely one with a buffer?
static bool is_buffered(const gy_ranging *r, const gy_expr *chan)
{
    chan = gy_bare_channel(chan);
    bool known = chan->op == GY_E_VAR && !chan->a && r->channel_types[chan->var] != GY_NONE;
    return known && r->model->channel_types[r->channel_types[chan->var]].capacity > 0;
}

// Unstable: always come to inside an atomic sequence, which cannot block here.
static void find_stable(gy_ranging *r, int32_t tmpl)
{
    const gy_template *t = &r->model->templates[tmpl];
    bool *stable = r->stable + r->first_node[tmpl];
    for (uint32_t n = 0; n < t->node_count; n++) {
        stable[n] = true;
        for (int32_t k = 0; k < t->nodes[n].edge_count; k++) {
            const gy_edge *edge = &r->model->edges[t->nodes[n].first_edge + k];
            bool free = edge->kind == GY_EDGE_ELSE || (edge->kind == GY_EDGE_NORMAL &&
                                                       !edge->guard && edge->sync == GY_SYNC_NONE);
            stable[n] = stable[n] && !(free && !edge->escape);
        }
        if ((int32_t)n == t->initial || t->provided || r->model->uses_priority)
            stable[n] = true;
    }
    for (int32_t e = 0; e < t->edge_count; e++) {
        const gy_edge *edge = &r->model->edges[t->first_edge + e];
        bool keeps =
            edge->keeps_atomic && (edge->sync != GY_SYNC_SEND || is_buffered(r, edge->chan));
        if (edge->to != GY_NONE && !keeps)
            stable[edge->to] = true;
    }
}

static void find_processes(gy_ranging *r)
{
    const gy_model *model = r->model;
    int32_t total = 0;
    for (uint32_t t = 0; t < model->template_count; t++) {
        int32_t more = r->sharing->instances[t];
        total = total < 0 || more < 0 || total + more > 255 ? -1 : total + more;
    }
    r->live = (gy_interval){0, total < 0 ? 255 : total};
    for (uint32_t t = 0; t < model->template_count; t++) {
        int32_t started = 0;
        gy_interval pid = GY_INTERVAL_NONE;
        for (uint32_t i = 0; i < model->started_count; i++)
            if (model->started[i] == (int32_t)t) {
                pid = gy_interval_join(pid, gy_interval_of((int32_t)i));
                started++;
            }
        bool all = r->sharing->instances[t] == started;
        r->pid[t] =
            all && started ? pid : (gy_interval){0, r->live.high > 0 ? r->live.high - 1 : 0};
    }
}

// ---- the whole --------------------------------------------------------------------------

// False: too large to be examined.
static bool set_up(gy_ranging *r)
{
    const gy_model *model = r->model;
    uint64_t work = 0;
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        r->width[t] = model->global_count + (uint32_t)tmpl->var_count;
        r->first_node[t] = r->node_cells;
        r->first_env[t] = r->env_cells;
        r->node_cells += tmpl->node_count;
        r->env_cells += (size_t)tmpl->node_count * r->width[t];
        work += (uint64_t)((uint32_t)tmpl->edge_count + tmpl->node_count) * r->width[t];
    }
    for (uint32_t c = 0; c < model->channel_type_count; c++) {
        r->first_field[c] = r->field_cells;
        r->field_cells += model->channel_types[c].field_count;
    }
    if (work > MOST_WORK)
        return false;
    r->stable = gy_alloc_zero(r->node_cells + 1);
    for (uint32_t t = 0; t < model->template_count; t++) {
        find_stable(r, (int32_t)t);
        r->own[t] = gy_alloc_zero(model->global_count + 1);
        for (uint32_t g = 0; g < model->global_count; g++)
            r->own[t][g] = gy_only_writer(r->sharing, (int32_t)t, (int32_t)g);
    }
    find_processes(r);
    find_limits(r);
    return true;
}

gy_ranging *gy_ranging_new(const gy_model *model)
{
    gy_ranging *r = gy_alloc_zero(sizeof *r);
    uint32_t templates = model->template_count + 1;
    r->model = model;
    r->sharing = gy_sharing_new(model, NULL, 0, true);
    r->channel_types = gy_model_channel_types(model);
    r->first_field = gy_alloc_zero((model->channel_type_count + 1) * sizeof *r->first_field);
    r->first_node = gy_alloc_zero(templates * sizeof *r->first_node);
    r->first_env = gy_alloc_zero(templates * sizeof *r->first_env);
    r->width = gy_alloc_zero(templates * sizeof *r->width);
    r->own = gy_alloc_zero(templates * sizeof *r->own);
    r->pid = gy_alloc_zero(templates * sizeof *r->pid);
    r->initial = gy_alloc_zero((model->global_count + 1) * sizeof *r->initial);
    if (set_up(r))
        return r;
    gy_ranging_free(r);
    return NULL;
}

void gy_ranging_free(gy_ranging *r)
{
    if (!r)
        return;
    for (uint32_t t = 0; t < r->model->template_count; t++)
        free(r->own[t]);
    gy_sharing_free(r->sharing);
    free(r->channel_types);
    free(r->first_field);
    free(r->first_node);
    free(r->first_env);
    free(r->width);
    free(r->own);
    free(r->pid);
    free(r->initial);
    free(r->stable);
    free(r->limits);
    free(r);
}
