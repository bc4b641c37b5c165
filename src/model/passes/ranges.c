// The rounds, and what is made of the result.
//
// On the way up facts are written where they are read, and only ever grow; when a round changes
// nothing they hold for every run. A round downwards reads them and writes a new set, which holds
// too: every reachable state is an initial one or comes by one step from a reachable one.
#include "model/passes/ranges.h"

#include "base/fatal.h"
#include "model/passes/range_facts.h"
#include "model/visit.h"
#include "model/watched.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS_BEFORE_WIDENING = 4, ROUNDS_BEFORE_GIVING_UP = 40, ROUNDS_DOWN = 3 };

// ---- facts ------------------------------------------------------------------------------

static void fill(gy_interval *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cells[i] = GY_INTERVAL_NONE;
}

static void facts_clear(const gy_ranging *r, gy_facts *facts)
{
    fill(facts->var, r->model->var_count);
    fill(facts->given, r->model->var_count);
    fill(facts->field, r->field_cells);
    fill(facts->env, r->env_cells);
    memset(facts->reached, 0, r->node_cells);
    memset(facts->running, 0, r->model->template_count);
}

static gy_facts facts_new(const gy_ranging *r)
{
    gy_facts facts = {
        .var = gy_alloc((r->model->var_count + 1) * sizeof *facts.var),
        .given = gy_alloc((r->model->var_count + 1) * sizeof *facts.given),
        .field = gy_alloc((r->field_cells + 1) * sizeof *facts.field),
        .env = gy_alloc((r->env_cells + 1) * sizeof *facts.env),
        .reached = gy_alloc(r->node_cells + 1),
        .running = gy_alloc(r->model->template_count + 1),
    };
    facts_clear(r, &facts);
    return facts;
}

static void facts_free(gy_facts *facts)
{
    free(facts->var);
    free(facts->given);
    free(facts->field);
    free(facts->env);
    free(facts->reached);
    free(facts->running);
}

// The limit next to a value, at or above it (below it).
static int32_t limit_from(const gy_ranging *r, int32_t value, bool above)
{
    size_t low = 0, high = r->limit_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r->limits[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    if (above)
        return low < r->limit_count ? r->limits[low] : INT32_MAX;
    if (low < r->limit_count && r->limits[low] == value)
        return value;
    return low > 0 ? r->limits[low - 1] : INT32_MIN;
}

gy_interval gy_interval_widen(const gy_ranging *r, gy_interval narrow, gy_interval wide,
                              gy_type type)
{
    gy_interval range;
    gy_type_range(type, &range.low, &range.high);
    if (wide.low < narrow.low)
        wide.low = r->giving_up ? INT32_MIN : limit_from(r, wide.low, false);
    if (wide.high > narrow.high)
        wide.high = r->giving_up ? INT32_MAX : limit_from(r, wide.high, true);
    return gy_interval_meet(wide, range);
}

void gy_facts_add(gy_ranging *r, gy_interval *cell, gy_interval more, gy_type type)
{
    gy_interval joined = gy_interval_join(*cell, more);
    if (gy_interval_equal(joined, *cell))
        return;
    bool first = gy_interval_is_empty(*cell);
    *cell = r->widening && !first ? gy_interval_widen(r, *cell, joined, type) : joined;
    r->changed = true;
}

// ---- environments -------------------------------------------------------------------------

static gy_interval *row_of(const gy_ranging *r, const gy_facts *facts, int32_t tmpl, int32_t node)
{
    return facts->env + r->first_env[tmpl] + (size_t)node * r->width[tmpl];
}

static bool is_theirs(const gy_ranging *r, int32_t tmpl, int32_t node, uint32_t i)
{
    return i < r->model->global_count && r->stable[r->first_node[tmpl] + (uint32_t)node] &&
           !r->own[tmpl][i];
}

void gy_range_arrive(gy_ranging *r, int32_t tmpl, int32_t node, const gy_interval *env)
{
    gy_interval *row = row_of(r, r->next, tmpl, node);
    uint32_t globals = r->model->global_count;
    bool *reached = &r->next->reached[r->first_node[tmpl] + (uint32_t)node];
    r->changed = r->changed || !*reached;
    *reached = true;
    for (uint32_t i = 0; i < r->width[tmpl]; i++) {
        uint32_t var =
            i < globals ? i : (uint32_t)r->model->templates[tmpl].first_var + i - globals;
        if (!is_theirs(r, tmpl, node, i))
            gy_facts_add(r, &row[i], env[i], r->model->vars[var].type);
    }
}

static void load_row(const gy_ranging *r, int32_t tmpl, int32_t node, gy_interval *env)
{
    memcpy(env, row_of(r, &r->now, tmpl, node), r->width[tmpl] * sizeof *env);
    for (uint32_t g = 0; g < r->model->global_count; g++)
        if (is_theirs(r, tmpl, node, g))
            env[g] = r->now.var[g];
}

// Does the program store every element, one after the other, before anything reads one?
static bool assigns_all(const gy_program *program, int32_t var, const gy_variable *v)
{
    uint32_t done = 0;
    if (!program || !gy_program_is_straight(program))
        return false;
    for (uint32_t i = 0; i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->var != var || (action->kind != GY_A_ASSIGN && action->kind != GY_A_NEW_CHANNEL))
            continue;
        const gy_expr *index =
            action->index && action->index->op == GY_E_INDEX ? action->index->a : action->index;
        if (index && (index->op != GY_E_CONST || index->value != (int32_t)done))
            return false;
        done++;
    }
    return done == v->count;
}

// The environment of a process that is being made, before its program runs.
static void newborn(gy_ranging *r, int32_t tmpl, gy_interval *env)
{
    const gy_template *t = &r->model->templates[tmpl];
    uint32_t globals = r->model->global_count;
    for (uint32_t g = 0; g < globals; g++)
        env[g] = r->own[tmpl][g] ? r->initial[g] : r->now.var[g];
    for (int32_t k = 0; k < t->var_count; k++) {
        int32_t var = t->first_var + k;
        bool given = (uint32_t)k < t->param_count && !gy_interval_is_empty(r->now.given[var]);
        env[globals + (uint32_t)k] = given ? r->now.given[var] : gy_interval_of(0);
        if (!given && !assigns_all(t->init, var, &r->model->vars[var]))
            gy_facts_add(r, &r->next->var[var], gy_interval_of(0), r->model->vars[var].type);
    }
}

// ---- rounds -----------------------------------------------------------------------------

static void round_of_template(gy_ranging *r, int32_t tmpl, gy_interval *work)
{
    const gy_template *t = &r->model->templates[tmpl];
    if (!r->now.running[tmpl])
        return;
    newborn(r, tmpl, work);
    if (gy_range_program(r, tmpl, work, t->init))
        gy_range_arrive(r, tmpl, t->initial, work);
    for (uint32_t n = 0; n < t->node_count; n++)
        for (int32_t k = 0; k < t->nodes[n].edge_count; k++) {
            if (!r->now.reached[r->first_node[tmpl] + n])
                break;
            load_row(r, tmpl, (int32_t)n, work);
            gy_range_edge(r, &r->model->edges[t->nodes[n].first_edge + k], work);
        }
}

static void add_anything(gy_ranging *r, int32_t var)
{
    gy_type type = r->model->vars[var].type;
    gy_facts_add(r, &r->next->var[var], gy_interval_truncate(type, GY_INTERVAL_ALL), type);
}

static void add_stored(void *user, int32_t var, const gy_expr *index)
{
    (void)index;
    add_anything(user, var);
}

// What a claim stores, and begins with, is not followed: anything.
static void claims_store(gy_ranging *r)
{
    for (uint32_t t = 0; t < r->model->template_count; t++) {
        const gy_template *tmpl = &r->model->templates[t];
        for (int32_t v = 0; tmpl->kind == GY_TMPL_NEVER && v < (int32_t)tmpl->var_count; v++)
            add_anything(r, tmpl->first_var + v);
    }
    for (uint32_t e = 0; e < r->model->edge_count; e++) {
        const gy_edge *edge = &r->model->edges[e];
        const gy_program *effect = edge->effect;
        if (r->model->templates[edge->tmpl].kind != GY_TMPL_NEVER)
            continue;
        gy_visit_program(&(gy_visitor){.user = r, .store = add_stored}, effect);
    }
}

static void start_of_model(gy_ranging *r)
{
    const gy_model *model = r->model;
    for (uint32_t g = 0; g < model->global_count; g++) {
        r->initial[g] = gy_interval_of(0);
        if (!assigns_all(model->init, (int32_t)g, &model->vars[g]))
            gy_facts_add(r, &r->next->var[g], gy_interval_of(0), model->vars[g].type);
    }
    r->made = 0;
    gy_range_program(r, GY_NONE, r->initial, model->init);
    for (uint32_t i = 0; i < model->started_count; i++) {
        const gy_template *tmpl = &model->templates[model->started[i]];
        r->changed = r->changed || !r->next->running[model->started[i]];
        r->next->running[model->started[i]] = true;
        for (uint32_t p = 0; p < tmpl->param_count; p++) { // nothing gives them a value
            uint32_t var = (uint32_t)tmpl->first_var + p;
            gy_facts_add(r, &r->next->given[var], gy_interval_of(0), model->vars[var].type);
            gy_facts_add(r, &r->next->var[var], gy_interval_of(0), model->vars[var].type);
        }
    }
}

static void round_of_all(gy_ranging *r, gy_interval *work)
{
    r->changed = false;
    start_of_model(r);
    claims_store(r);
    for (uint32_t t = 0; t < r->model->template_count; t++)
        if (r->model->templates[t].kind == GY_TMPL_PROCESS ||
            r->model->templates[t].kind == GY_TMPL_INIT)
            round_of_template(r, (int32_t)t, work);
}

static void solve(gy_ranging *r)
{
    uint32_t widest = r->model->global_count;
    for (uint32_t t = 0; t < r->model->template_count; t++)
        widest = r->width[t] > widest ? r->width[t] : widest;
    gy_interval *work = gy_alloc((widest + 1) * sizeof *work);
    r->now = facts_new(r);
    r->next = &r->now;
    r->changed = true;
    for (int round = 0; r->changed; round++) {
        r->widening = round >= ROUNDS_BEFORE_WIDENING;
        r->giving_up = round >= ROUNDS_BEFORE_GIVING_UP;
        round_of_all(r, work);
    }
    gy_facts below = facts_new(r);
    r->next = &below;
    r->widening = r->giving_up = false;
    for (int round = 0; round < ROUNDS_DOWN; round++) {
        facts_clear(r, &below);
        round_of_all(r, work);
        gy_facts swap = r->now;
        r->now = below;
        below = swap;
    }
    facts_free(&below);
    free(work);
}

// ---- the result -------------------------------------------------------------------------

static uint32_t bits_saved(gy_type type, gy_interval used)
{
    uint32_t bits = 0;
    if (used.low == used.high)
        return type.width;
    if (used.low < 0)
        for (bits = 1;
             bits < 32 && (used.low < -(1 << (bits - 1)) || used.high >= 1 << (bits - 1));)
            bits++;
    else
        while (bits < 31 && used.high >> bits)
            bits++;
    return type.width > bits ? type.width - bits : 0;
}

static void count_saved(gy_narrowed *narrowed, gy_type type, gy_interval used, uint32_t times)
{
    uint32_t bits = bits_saved(type, used);
    narrowed->variables += bits > 0;
    narrowed->bits += (uint64_t)bits * times;
}

// Claims are not followed; what is theirs stays as it is.
static bool is_followed(const gy_model *model, const gy_variable *var)
{
    if (var->owner == GY_NONE)
        return true;
    gy_template_kind kind = model->templates[var->owner].kind;
    return kind == GY_TMPL_PROCESS || kind == GY_TMPL_INIT;
}

static void write_down(const gy_ranging *r, gy_model *model, gy_narrowed *narrowed)
{
    for (uint32_t v = 0; v < model->var_count; v++) {
        gy_variable *var = &model->vars[v];
        gy_interval used = r->now.var[v];
        if (var->hidden || !is_followed(model, var))
            continue;
        if (gy_interval_is_empty(used))
            used = gy_interval_of(0);
        var->min = used.low;
        var->max = used.high;
        count_saved(narrowed, var->type, used, var->count);
    }
    for (uint32_t t = 0; t < model->channel_type_count; t++) {
        gy_channel_type *type = &model->channel_types[t];
        type->ranges = GY_NEW_ARRAY(model->arena, gy_range, type->field_count);
        for (uint32_t f = 0; f < type->field_count; f++) {
            gy_interval used = r->now.field[r->first_field[t] + f];
            if (gy_interval_is_empty(used))
                used = gy_interval_of(0);
            type->ranges[f] = (gy_range){used.low, used.high};
            count_saved(narrowed, type->fields[f], used, type->capacity);
        }
    }
}

static void find_faultless(gy_ranging *r, gy_model *model)
{
    gy_facts unwanted = facts_new(r);
    uint32_t widest = 0;
    for (uint32_t t = 0; t < model->template_count; t++)
        widest = r->width[t] > widest ? r->width[t] : widest;
    gy_interval *work = gy_alloc((widest + 1) * sizeof *work);
    r->next = &unwanted;
    for (uint32_t e = 0; e < model->edge_count; e++) {
        gy_edge *edge = &model->edges[e];
        if (!gy_is_process(&model->templates[edge->tmpl]) ||
            !r->now.reached[r->first_node[edge->tmpl] + (uint32_t)edge->from])
            continue;
        load_row(r, edge->tmpl, edge->from, work);
        edge->never_fails = !gy_range_edge_can_fail(r, edge, work);
    }
    facts_free(&unwanted);
    free(work);
}

gy_narrowed gy_model_ranges(gy_model *model)
{
    gy_narrowed narrowed = {0};
    if (gy_has_c(model))
        return narrowed;
    gy_ranging *r = gy_ranging_new(model);
    if (r) {
        solve(r);
        write_down(r, model, &narrowed);
        find_faultless(r, model);
        facts_free(&r->now);
    }
    gy_ranging_free(r);
    return narrowed;
}
