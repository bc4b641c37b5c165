// The system: one process with one location, which it never leaves. An action becomes an edge for
// each valuation of its parameters for which its condition is not known to be false. States are
// then RISCAL's own: the values of the variables.
#include "lang/riscal/lower/rsc_value.h"

enum { MOST_EDGES = 100000 };

// An edge that waits for its template: hidden variables may still be needed.
typedef struct pending {
    gy_expr *guard;
    gy_action_list effect;
    const char *text;
    gy_location place;
    uint32_t fair;
} pending;

typedef struct system_ {
    rsc_lowering *l;
    GY_VEC(pending) edges;
    GY_VEC(gy_fair_action) fair;
    const rsc_declaration *action;
    rsc_bound params;
    uint32_t fair_now; // the number of the fair action at hand; 0: none yet
} system_;

static rsc_bound params_of(rsc_lowering *l, const rsc_declaration *d)
{
    rsc_bound bound = {.count = d->count, .with = d->with};
    bound.vars = GY_NEW_ARRAY(l->arena, rsc_bound_var, d->count + 1);
    for (uint32_t i = 0; i < d->count; i++) {
        bound.vars[i].name = d->params[i].name;
        bound.vars[i].type = d->params[i].type;
        bound.vars[i].symbol = d->params[i].symbol;
    }
    return bound;
}

// ---- actions ------------------------------------------------------------------------------------

static void add_value(rsc_lowering *l, const rsc_symbol *symbol, gy_text *out)
{
    uint64_t code = 0;
    rsc_known_code(l, symbol->value, &code);
    rsc_code_text(symbol->type, code, out);
}

// "D(2)", "move({0,1}, ⟨1,2⟩)", "pick() with x = 3": with what its first commands choose.
static const char *instance_text(const system_ *s, uint32_t chosen)
{
    gy_text text = {0};
    gy_text_printf(&text, "%s(", s->action->name.name);
    for (uint32_t i = 0; i < s->params.count; i++) {
        gy_text_add(&text, i ? ", " : "");
        add_value(s->l, s->params.vars[i].symbol, &text);
    }
    gy_text_char(&text, ')');
    bool any = false;
    for (uint32_t k = 0; k < chosen; k++) {
        const rsc_bound *bound = s->action->body->list[k]->bound;
        for (uint32_t i = 0; i < bound->count; i++) {
            gy_text_printf(&text, "%s%s = ", any ? ", " : " with ", bound->vars[i].name.name);
            add_value(s->l, bound->vars[i].symbol, &text);
            any = true;
        }
    }
    const char *kept = gy_arena_strdup(s->l->model->arena, gy_text_str(&text));
    gy_text_free(&text);
    return kept;
}

static uint32_t fair_number(system_ *s)
{
    rsc_fairness kind = s->action->fairness;
    if (kind == RSC_UNFAIR)
        return 0;
    if (s->fair_now)
        return s->fair_now;
    gy_fair_action fair = {.strong = kind == RSC_STRONG || kind == RSC_STRONG_ALL};
    gy_vec_push(&s->fair, fair);
    return s->fair_now = (uint32_t)s->fair.n;
}

// The edge that waits for its effect, which is added to l->effect.
static pending *add_edge(system_ *s, gy_expr *guard, uint32_t chosen)
{
    if (s->edges.n >= MOST_EDGES) {
        rsc_too_large(s->l, s->action->name.place, "this system has too many instances of actions");
        return NULL;
    }
    pending edge = {.place = s->action->name.place, .text = instance_text(s, chosen)};
    edge.guard = rsc_is_true(guard) ? NULL : rsc_own(s->l, guard);
    edge.fair = fair_number(s);
    gy_vec_push(&s->edges, edge);
    pending *added = &s->edges.at[s->edges.n - 1];
    s->l->effect = &added->effect;
    return added;
}

// ---- choices at the beginning of an action ---------------------------------------------------
//
// What its first commands choose is like further parameters: an edge for each. Compiled code knows
// nothing else, and the steps of a counterexample say which value was taken.

typedef struct opening {
    system_ *s;
    gy_expr *guard, *any; // any: that there is something to choose
    uint32_t chosen;      // commands that were dealt with
} opening;

static void add_instances(system_ *s, gy_expr *guard, uint32_t chosen);

static bool is_opening(const rsc_command *body, uint32_t k)
{
    enum { MOST_CHOICES = 256 };
    if (body->kind != RSC_C_BLOCK || k >= body->count || body->list[k]->kind != RSC_C_CHOOSE ||
        body->list[k]->first)
        return false;
    uint64_t values = 1;
    for (uint32_t i = 0; i < body->list[k]->bound->count && values <= MOST_CHOICES; i++)
        values *= body->list[k]->bound->vars[i].symbol->type->values;
    return values <= MOST_CHOICES;
}

static void take_opening(void *user, gy_expr *counts)
{
    opening *o = user;
    rsc_lowering *l = o->s->l;
    o->any = rsc_binary(l, GY_E_OR, o->any, counts);
    add_instances(o->s, rsc_binary(l, GY_E_AND, o->guard, counts), o->chosen + 1);
}

// A step that fails, where there is nothing to choose.
static void add_failure(system_ *s, gy_expr *guard, const rsc_command *choice, uint32_t chosen)
{
    rsc_lowering *l = s->l;
    if (rsc_is_false(guard) || l->failed || !add_edge(s, guard, chosen))
        return;
    l->b->place = choice->place;
    gy_action *action = gy_build_action_in(l->b, l->effect, GY_A_TEST);
    action->expr = rsc_const(l, 0);
    action->text = choice->bound->vars[0].name.name;
}

static void add_instances(system_ *s, gy_expr *guard, uint32_t chosen)
{
    rsc_lowering *l = s->l;
    const rsc_command *body = s->action->body;
    if (l->failed)
        return;
    if (is_opening(body, chosen)) {
        opening o = {s, guard, rsc_const(l, 0), chosen};
        l->place = body->list[chosen]->place;
        rsc_each(l, body->list[chosen]->bound, take_opening, &o);
        gy_expr *none = rsc_unary(l, GY_E_NOT, o.any);
        add_failure(s, rsc_binary(l, GY_E_AND, guard, none), body->list[chosen], chosen);
        return;
    }
    if (!add_edge(s, guard, chosen))
        return;
    if (body->kind != RSC_C_BLOCK)
        rsc_lower_command(l, body);
    for (uint32_t k = chosen; body->kind == RSC_C_BLOCK && k < body->count; k++)
        rsc_lower_command(l, body->list[k]);
}

static void add_instance(void *user, gy_expr *guard)
{
    system_ *s = user;
    bool each = s->action->fairness == RSC_WEAK_ALL || s->action->fairness == RSC_STRONG_ALL;
    if (each)
        s->fair_now = 0;
    add_instances(s, guard, 0);
}

static void lower_action(system_ *s, const rsc_declaration *d)
{
    s->action = d;
    s->params = params_of(s->l, d);
    s->fair_now = 0;
    s->l->place = d->name.place;
    rsc_each(s->l, &s->params, add_instance, s);
}

// ---- the initial states -----------------------------------------------------------------------

typedef struct beginnings {
    uint32_t count;
    bool known; // which valuations count
} beginnings;

static void count_beginning(void *user, gy_expr *counts)
{
    beginnings *b = user;
    b->count++;
    b->known = b->known && rsc_is_true(counts);
}

static void lower_only(void *user, gy_expr *counts)
{
    system_ *s = user;
    (void)counts;
    rsc_lower_command(s->l, s->action->body);
}

static void lower_init(system_ *s, const rsc_declaration *d)
{
    rsc_lowering *l = s->l;
    rsc_bound params = params_of(l, d);
    beginnings b = {.known = true};
    s->action = d;
    rsc_each(l, &params, count_beginning, &b);
    if (b.count == 0) {
        if (!l->failed)
            gy_error(l->diags, d->name.place,
                     "no initial state exists: the condition of `init` is false for all values of "
                     "its parameters");
        l->failed = true;
    } else if (b.known && b.count == 1) {
        rsc_each(l, &params, lower_only, s);
    } else {
        rsc_lower_choice(l, &params, d->body, NULL);
        for (uint32_t i = 0; i < params.count; i++)
            params.vars[i].symbol->store = NULL;
    }
}

static void lower_beginning(system_ *s)
{
    rsc_lowering *l = s->l;
    l->effect = &l->b->init;
    for (uint32_t i = 0; i < l->file->count && !l->failed; i++) {
        rsc_declaration *d = l->file->list[i];
        if (d->kind != RSC_D_VAR)
            continue;
        l->place = d->name.place;
        rsc_store_value(l, d->symbol->store, NULL,
                        d->value ? rsc_lower_expr(l, d->value) : rsc_least(l, d->symbol->type));
    }
    for (uint32_t i = 0; i < l->file->count && !l->failed; i++)
        if (l->file->list[i]->kind == RSC_D_INIT)
            lower_init(s, l->file->list[i]);
}

// ---- properties -------------------------------------------------------------------------------

static void lower_property(rsc_lowering *l, const rsc_declaration *d, uint32_t number)
{
    gy_ltl_property *ltl = &l->model->ltls[l->model->ltl_count++];
    bool invariant = d->kind == RSC_D_INVARIANT;
    gy_formula *formula = rsc_lower_formula(l, d->value);
    gy_text text = {0};
    if (invariant) {
        gy_formula *always = GY_NEW(l->model->arena, gy_formula);
        *always = (gy_formula){.op = GY_F_ALWAYS, .place = d->name.place, .a = formula};
        formula = always;
        gy_text_add(&text, "□⟦");
    }
    rsc_expr_text(d->value, &text);
    gy_text_add(&text, invariant ? "⟧" : "");
    ltl->name = gy_arena_printf(l->model->arena, "%s%u", invariant ? "invariant" : "ltl", number);
    ltl->place = d->name.place;
    ltl->formula = formula;
    ltl->disregards_fairness = !d->fair;
    ltl->text = gy_arena_strdup(l->model->arena, gy_text_str(&text));
    gy_text_free(&text);
}

static void lower_properties(rsc_lowering *l)
{
    uint32_t numbers[2] = {0};
    l->model->ltls = GY_NEW_ARRAY(l->model->arena, gy_ltl_property, l->file->count + 1);
    for (uint32_t i = 0; i < l->file->count && !l->failed; i++) {
        const rsc_declaration *d = l->file->list[i];
        if (d->kind == RSC_D_INVARIANT || d->kind == RSC_D_LTL)
            lower_property(l, d, ++numbers[d->kind == RSC_D_LTL]);
    }
}

// ---- the model --------------------------------------------------------------------------------

static void name_values(rsc_lowering *l)
{
    GY_VEC(gy_mtype_name) names = {0};
    for (uint32_t i = 0; i < l->file->count; i++) {
        const rsc_declaration *d = l->file->list[i];
        for (uint32_t k = 0; d->kind == RSC_D_ENUM && k < d->count; k++) {
            gy_mtype_name name = {d->members[k].name, d->name.name, (int32_t)k + 1};
            gy_vec_push(&names, name);
        }
    }
    l->model->mtype_count = (uint32_t)names.n;
    l->model->mtypes = GY_NEW_ARRAY(l->model->arena, gy_mtype_name, names.n);
    if (names.n)
        memcpy(l->model->mtypes, names.at, names.n * sizeof *names.at);
    gy_vec_free(&names);
}

static void build_process(system_ *s)
{
    rsc_lowering *l = s->l;
    gy_builder *b = l->b;
    b->place = l->file->system.place;
    int32_t tmpl = gy_build_template(b, l->file->system.name, GY_TMPL_PROCESS);
    int32_t node = gy_build_node(b, tmpl, NULL);
    for (size_t i = 0; i < s->edges.n; i++) {
        pending *from = &s->edges.at[i];
        b->place = from->place;
        gy_edge *edge = gy_build_edge(b, tmpl, node, node);
        edge->guard = from->guard;
        edge->text = from->text;
        edge->fair_action = from->fair;
        *gy_built_effect(edge) = from->effect;
        from->effect = (gy_action_list){0};
    }
    gy_build_start(b, tmpl);
}

static void keep_fair(system_ *s)
{
    gy_model *model = s->l->model;
    model->fair_action_count = (uint32_t)s->fair.n;
    model->fair_actions = GY_NEW_ARRAY(model->arena, gy_fair_action, s->fair.n);
    if (s->fair.n)
        memcpy(model->fair_actions, s->fair.at, s->fair.n * sizeof *s->fair.at);
}

bool rsc_lower_system(rsc_lowering *l)
{
    system_ s = {.l = l};
    gy_model *model = l->model;
    for (uint32_t i = 0; i < l->file->count; i++) {
        rsc_declaration *d = l->file->list[i];
        if (d->kind == RSC_D_VAR)
            d->symbol->store =
                rsc_new_store(l, d->symbol->type, d->name.name, d->name.place, false);
    }
    lower_beginning(&s);
    for (uint32_t i = 0; i < l->file->count && !l->failed; i++)
        if (l->file->list[i]->kind == RSC_D_ACTION)
            lower_action(&s, l->file->list[i]);
    lower_properties(l);
    name_values(l);
    model->may_stop = true;
    if (!l->failed) {
        build_process(&s);
        keep_fair(&s);
        gy_build_finish(l->b);
        l->b = NULL;
    }
    for (size_t i = 0; i < s.edges.n; i++)
        gy_vec_free(&s.edges.at[i].effect);
    gy_vec_free(&s.edges);
    gy_vec_free(&s.fair);
    return !l->failed;
}
