// The driver: variables, templates with their control-flow graphs, properties.
#include "lang/promela/lower/lower.h"

#include "lang/promela/lower/lower_internal.h"
#include "lang/promela/lower/print.h"
#include "lang/promela/lower/spin_text.h"
#include "model/atoms.h"

#include <string.h>

// ---- templates ------------------------------------------------------------------------

static gy_template_kind template_kind(pml_proc_kind kind)
{
    switch (kind) {
    case PML_PROC_INIT:
        return GY_TMPL_INIT;
    case PML_PROC_NEVER:
        return GY_TMPL_NEVER;
    case PML_PROC_TRACE:
        return GY_TMPL_TRACE;
    case PML_PROC_NOTRACE:
        return GY_TMPL_NOTRACE;
    default:
        return GY_TMPL_PROCESS;
    }
}

static void lower_declarations(lowering *l, pml_proc *proc)
{
    l->build->place = proc->place;
    int32_t index = gy_build_template(l->build, proc->name, template_kind(proc->kind));
    gy_template *tmpl = gy_built_template(l->build, index);
    tmpl->priority = proc->priority > 0 ? proc->priority : 1;
    for (uint32_t i = 0; i < proc->param_count; i++)
        lower_variable(l, proc->params[i], index);
    for (uint32_t i = 0; i < proc->local_count; i++)
        lower_variable(l, proc->locals[i], index);
    uint32_t active = proc->kind == PML_PROC_INIT ? 1 : proc->active;
    for (uint32_t i = 0; i < active; i++)
        gy_build_start(l->build, index);
}

static uint32_t node_flags(const flow_el *el)
{
    uint32_t flags = 0;
    if (el->labels & FLOW_LABEL_END)
        flags |= GY_NODE_END;
    if (el->labels & FLOW_LABEL_ACCEPT)
        flags |= GY_NODE_ACCEPT;
    if (el->labels & FLOW_LABEL_PROGRESS)
        flags |= GY_NODE_PROGRESS;
    if (el->kind == FLOW_STOP)
        flags |= GY_NODE_END | GY_NODE_FINAL;
    return flags;
}

// Numbers the states that can be reached, from the initial one on, breadth first.
static void find_nodes(const flow_proc *proc, flow_el ***nodes, uint32_t *count, gy_arena *arena)
{
    *nodes = GY_NEW_ARRAY(arena, flow_el *, proc->el_count + 1);
    *count = 0;
    (*nodes)[(*count)++] = proc->start;
    proc->start->node = 0;
    for (uint32_t i = 0; i < *count; i++) {
        const flow_el *el = (*nodes)[i];
        for (uint32_t m = 0; m < el->move_count; m++) {
            flow_el *to = el->moves[m].to;
            if (to && to->node < 0) {
                to->node = (int32_t)*count;
                (*nodes)[(*count)++] = to;
            }
        }
    }
}

static gy_location first_place(const flow_el *el)
{
    return el->place || !el->move_count ? el->place : el->moves[0].by->place;
}

static const char *spin_text(lowering *l, const flow_el *by)
{
    gy_text text = {0};
    switch (by->kind) {
    case FLOW_STOP:
        return "-end-";
    case FLOW_SKIP:
        return "(1)";
    case FLOW_EXIT:
        return "break";
    case FLOW_JOIN:
        return ".(goto)";
    default:
        break;
    }
    if (by->kind == FLOW_GOTO && !by->goto_label)
        gy_text_printf(&text, "goto :b%u", flow_loop_number(l->tree, by));
    else if (by->stmt)
        pml_spin_text(l->tree, by->stmt, &text);
    const char *kept = gy_arena_strdup(l->arena, gy_text_str(&text));
    gy_text_free(&text);
    return kept;
}

static void note_spin(lowering *l, const flow_el *by)
{
    gy_vec_push(&l->spin_transitions, by->id);
    gy_vec_push(&l->spin_statements, by->state);
    gy_vec_push(&l->spin_texts, spin_text(l, by));
}

// `skip`, a jump and a d_step: to Spin, these never make a D_proctype nondeterministic.
static bool may_stand_beside(const flow_el *by)
{
    if (by->kind != FLOW_STEP)
        return true;
    const pml_stmt *stmt = by->stmt;
    return stmt->kind == PML_S_EXPR && stmt->expr->kind == PML_X_NUMBER && stmt->expr->value == 1;
}

// In a D_proctype: is there a statement before it that could be executed as well?
static bool must_be_alone(const flow_el *from, const flow_move *move)
{
    for (const flow_move *other = from->moves; other < move; other++)
        if (other->escape == move->escape)
            return !may_stand_beside(move->by);
    return false;
}

static void lower_move(lowering *l, const flow_move *move, const flow_el *from, int32_t tmpl)
{
    const flow_el *by = move->by;
    l->build->place = by->place;
    gy_edge *edge = gy_build_edge(l->build, tmpl, from->node, move->to ? move->to->node : GY_NONE);
    edge->keeps_atomic = move->keeps_atomic;
    edge->escape = move->escape;
    edge->alone = l->tree->procs[tmpl]->deterministic && must_be_alone(from, move);
    note_spin(l, by);
    edge->fair_action = fair_action_of(l, move->by, gy_built_template(l->build, tmpl));
    switch (by->kind) {
    case FLOW_STOP:
        edge->kind = GY_EDGE_END;
        edge->text = "-end-";
        break;
    case FLOW_ELSE:
        edge->kind = GY_EDGE_ELSE;
        edge->text = "else";
        break;
    case FLOW_D_STEP:
        lower_d_step(l, by->stmt, edge);
        edge->text = step_text(l, by->stmt);
        break;
    case FLOW_STEP:
        lower_step(l, by->stmt, edge);
        edge->text = step_text(l, by->stmt);
        break;
    case FLOW_GOTO:
        edge->text = step_text(l, by->stmt);
        break;
    case FLOW_SKIP:
        edge->text = "(1)";
        break;
    case FLOW_EXIT:
        edge->text = "break";
        break;
    default: // a join that is a step of its own at the end of an atomic sequence
        edge->text = "goto";
        break;
    }
}

static gy_spin_end spin_end(const flow_proc *proc)
{
    gy_spin_end end = {.states = (int32_t)proc->el_count};
    for (uint32_t i = 1; i <= proc->el_count; i++)
        if (proc->els[i]->kind == FLOW_STOP)
            end = (gy_spin_end){proc->els[i]->state, end.states, proc->els[i]->place};
    return end;
}

static void lower_graph(lowering *l, flow_proc *flow_of)
{
    const pml_proc *proc = flow_of->proc;
    int32_t index = (int32_t)proc->index;
    uint32_t count;
    flow_el **els;
    find_nodes(flow_of, &els, &count, l->arena);
    int32_t *states = GY_NEW_ARRAY(l->arena, int32_t, count + 1);
    l->spin_states[index] = states;
    l->spin_ends[index] = spin_end(flow_of);
    for (uint32_t i = 0; i < count; i++) {
        l->build->place = first_place(els[i]);
        gy_node *node = gy_built_node(l->build, index, gy_build_node(l->build, index, NULL));
        node->flags = node_flags(els[i]);
        node->label = els[i]->label_name;
        states[i] = els[i]->state;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 0; m < els[i]->move_count; m++)
            lower_move(l, &els[i]->moves[m], els[i], index);
    for (uint32_t i = 0; i < proc->label_count; i++) {
        const flow_el *el = flow_label_el(proc->labels[i]);
        if (el && el->node >= 0)
            gy_build_label(l->build, index, el->node, proc->labels[i]->name);
    }
    note_cut_off(l, flow_of, els, count);
    warn_of_idle_fairness(l, proc);
}

static void lower_proc_init(lowering *l, const pml_proc *proc)
{
    int32_t index = (int32_t)proc->index;
    for (uint32_t i = 0; i < proc->local_count; i++)
        lower_initialiser(l, proc->locals[i], gy_built_template_init(l->build, index));
    if (proc->provided)
        gy_built_template(l->build, index)->provided = lower_expr(l, proc->provided);
}

// ---- properties -----------------------------------------------------------------------

static bool is_temporal(const pml_expr *expr)
{
    if (!expr)
        return false;
    switch (expr->kind) {
    case PML_X_ALWAYS:
    case PML_X_EVENTUALLY:
    case PML_X_NEXT:
    case PML_X_UNTIL:
    case PML_X_RELEASE:
    case PML_X_WEAK_UNTIL:
    case PML_X_STRONG_RELEASE:
    case PML_X_IMPLIES:
    case PML_X_EQUIV:
        return true;
    case PML_X_NOT:
    case PML_X_AND:
    case PML_X_OR:
        return is_temporal(expr->a) || is_temporal(expr->b);
    default:
        return false;
    }
}

static gy_formula_op formula_op(pml_expr_kind kind)
{
    switch (kind) {
    case PML_X_NOT:
        return GY_F_NOT;
    case PML_X_AND:
        return GY_F_AND;
    case PML_X_OR:
        return GY_F_OR;
    case PML_X_IMPLIES:
        return GY_F_IMPLIES;
    case PML_X_EQUIV:
        return GY_F_EQUIV;
    case PML_X_NEXT:
        return GY_F_NEXT;
    case PML_X_ALWAYS:
        return GY_F_ALWAYS;
    case PML_X_EVENTUALLY:
        return GY_F_EVENTUALLY;
    case PML_X_UNTIL:
        return GY_F_UNTIL;
    case PML_X_RELEASE:
        return GY_F_RELEASE;
    case PML_X_WEAK_UNTIL:
        return GY_F_WEAK_UNTIL;
    default:
        return GY_F_STRONG_RELEASE;
    }
}

static const char *expr_text(lowering *l, const pml_expr *expr)
{
    gy_text text = {0};
    pml_expr_text(expr, &text);
    const char *kept = gy_arena_strdup(l->arena, gy_text_str(&text));
    gy_text_free(&text);
    return kept;
}

static const char *written_text(lowering *l, const pml_expr *expr, unsigned level)
{
    const char *macro = name_of_macro(l, expr, level);
    return macro ? macro : written_part(l, expr);
}

// `level`: so many uses of macros have all of the formula around this one in common.
static gy_formula *lower_formula(lowering *l, const pml_expr *expr, unsigned level)
{
    gy_formula *formula = GY_NEW(l->arena, gy_formula);
    formula->place = expr->place;
    if (expr->kind == PML_X_NUMBER) {
        formula->op = expr->value ? GY_F_TRUE : GY_F_FALSE;
    } else if (is_temporal(expr) || expr->kind == PML_X_NOT || expr->kind == PML_X_AND ||
               expr->kind == PML_X_OR) {
        formula->op = formula_op(expr->kind);
        formula->written = written_text(l, expr, level);
        while (name_of_macro(l, expr, level))
            level++;
        formula->a = lower_formula(l, expr->a, level);
        formula->b = expr->b ? lower_formula(l, expr->b, level) : NULL;
    } else {
        formula->op = GY_F_ATOM;
        gy_vec_push(&l->leaves, ((formula_leaf){formula, lower_expr(l, expr)}));
        formula->text = expr_text(l, expr);
        formula->written = written_text(l, expr, level);
    }
    return formula;
}

static void lower_properties(lowering *l)
{
    pml_model *tree = l->tree;
    gy_model *model = l->model;
    model->ltls = GY_NEW_ARRAY(l->arena, gy_ltl_property, tree->ltl_count);
    model->ltl_count = tree->ltl_count;
    for (uint32_t i = 0; i < tree->ltl_count; i++) {
        model->ltls[i].name = tree->ltls[i].name;
        model->ltls[i].place = tree->ltls[i].place;
        model->ltls[i].formula = lower_formula(l, tree->ltls[i].formula, 0);
        model->ltls[i].text = expr_text(l, tree->ltls[i].formula);
        model->ltls[i].written = tree->ltls[i].written;
    }
}

static void lower_exclusive(lowering *l)
{
    GY_VEC(gy_exclusive_use) uses = {0};
    for (uint32_t p = 0; p < l->tree->proc_count; p++) {
        const pml_proc *proc = l->tree->procs[p];
        for (uint32_t i = 0; i < proc->exclusive_count; i++) {
            const pml_exclusive *exclusive = &proc->exclusive[i];
            gy_exclusive_use use = {.tmpl = (int32_t)p, .place = exclusive->place};
            use.var = lower_ref(l, &exclusive->channel, &use.index);
            use.receive = exclusive->receive;
            gy_vec_push(&uses, use);
        }
    }
    l->model->exclusive = GY_NEW_ARRAY(l->arena, gy_exclusive_use, uses.n);
    l->model->exclusive_count = (uint32_t)uses.n;
    if (uses.n)
        memcpy(l->model->exclusive, uses.at, uses.n * sizeof *uses.at);
    gy_vec_free(&uses);
}

static void lower_c_units(lowering *l)
{
    pml_model *tree = l->tree;
    l->model->c_units = GY_NEW_ARRAY(l->arena, gy_c_unit, tree->c_unit_count);
    l->model->c_unit_count = tree->c_unit_count;
    for (uint32_t i = 0; i < tree->c_unit_count; i++) {
        const pml_c_unit *unit = &tree->c_units[i];
        l->model->c_units[i] = (gy_c_unit){.kind = (gy_c_unit_kind)unit->kind,
                                           .text = unit->text,
                                           .scope = unit->scope,
                                           .extra = unit->extra,
                                           .place = unit->place};
    }
}

// ---- the model ------------------------------------------------------------------------

static void lower_mtypes(lowering *l)
{
    pml_model *tree = l->tree;
    l->model->mtypes = GY_NEW_ARRAY(l->arena, gy_mtype_name, tree->mtype_count);
    l->model->mtype_count = tree->mtype_count;
    for (uint32_t i = 0; i < tree->mtype_count; i++)
        l->model->mtypes[i] =
            (gy_mtype_name){tree->mtypes[i].name, tree->mtypes[i].subtype, tree->mtypes[i].value};
}

static void resolve_labels(lowering *l)
{
    for (size_t i = 0; i < l->pending.n; i++) {
        const flow_el *el = flow_label_el(l->pending.at[i].label);
        l->pending.at[i].expr->node = el ? el->node : GY_NONE;
    }
    l->pending.n = 0;
}

// Once all that their expressions name is known.
static void number_atoms(lowering *l)
{
    for (size_t i = 0; i < l->leaves.n; i++)
        l->leaves.at[i].formula->atom = gy_model_atom(l->model, l->leaves.at[i].expr);
}

static void *keep(lowering *l, const void *from, size_t bytes)
{
    void *kept = gy_arena_alloc(l->arena, bytes);
    if (bytes)
        memcpy(kept, from, bytes);
    return kept;
}

static void release(lowering *l)
{
    gy_build_abandon(l->build);
    gy_vec_free(&l->spin_transitions);
    gy_vec_free(&l->spin_statements);
    gy_vec_free(&l->spin_texts);
    gy_vec_free(&l->c_codes);
    gy_vec_free(&l->pending);
    gy_vec_free(&l->leaves);
    gy_vec_free(&l->fair_actions);
    gy_vec_free(&l->cut_off);
}

static void lower_all(lowering *l)
{
    pml_model *tree = l->tree;
    gy_model *model = l->model;
    model->uses_priority = tree->priorities_differ; // else all are 1, and stay so
    model->uses_last = tree->uses_last;
    model->uses_np = tree->uses_np;
    model->uses_enabled = tree->uses_enabled;
    lower_mtypes(l);

    for (uint32_t i = 0; i < tree->global_count; i++)
        lower_variable(l, tree->globals[i], GY_NONE);
    lower_run_results(l);
    for (uint32_t i = 0; i < tree->proc_count; i++)
        lower_declarations(l, tree->procs[i]);
    if (l->too_large)
        return;

    for (uint32_t i = 0; i < tree->global_count; i++)
        lower_initialiser(l, tree->globals[i], &l->build->init);

    flow *f = flow_new(l->arena, model->sources, tree->diags);
    flow_proc **flows = GY_NEW_ARRAY(l->arena, flow_proc *, tree->proc_count);
    for (uint32_t i = 0; i < tree->proc_count; i++)
        flows[i] = flow_build(f, tree->procs[i]);
    l->spin_states = GY_NEW_ARRAY(l->arena, int32_t *, tree->proc_count + 1);
    l->spin_ends = GY_NEW_ARRAY(l->arena, gy_spin_end, tree->proc_count + 1);
    int32_t next_transition = flow_next_id(f);
    for (uint32_t i = 0; i < tree->proc_count; i++)
        for (uint32_t j = 0; j < tree->procs[i]->label_count; j++)
            if (tree->procs[i]->labels[j]->remote)
                flow_keep_label(f, flows[i], tree->procs[i]->labels[j]);
    for (uint32_t i = 0; i < tree->proc_count; i++) {
        flow_finish(f, flows[i]);
        if (gy_diags_errors(tree->diags))
            return;
        lower_proc_init(l, tree->procs[i]);
        lower_graph(l, flows[i]);
        if (tree->procs[i]->kind == PML_PROC_TRACE || tree->procs[i]->kind == PML_PROC_NOTRACE)
            model->trace = (int32_t)i;
    }
    lower_properties(l);
    lower_exclusive(l);
    lower_c_units(l);
    resolve_labels(l);

    gy_build_finish(l->build);
    l->build = NULL;
    number_atoms(l);
    model->spin = GY_NEW(l->arena, gy_spin_numbers);
    *model->spin = (gy_spin_numbers){
        .transitions =
            keep(l, l->spin_transitions.at, l->spin_transitions.n * sizeof *l->spin_transitions.at),
        .states = l->spin_states,
        .statements =
            keep(l, l->spin_statements.at, l->spin_statements.n * sizeof *l->spin_statements.at),
        .texts = keep(l, l->spin_texts.at, l->spin_texts.n * sizeof *l->spin_texts.at),
        .ends = l->spin_ends,
        .next_transition = next_transition,
    };
    model->c_code_count = (uint32_t)l->c_codes.n;
    model->c_codes = keep(l, l->c_codes.at, l->c_codes.n * sizeof *l->c_codes.at);
    model->fair_action_count = (uint32_t)l->fair_actions.n;
    model->fair_actions =
        keep(l, l->fair_actions.at, l->fair_actions.n * sizeof *l->fair_actions.at);
    model->cut_off_count = (uint32_t)l->cut_off.n;
    model->cut_off = keep(l, l->cut_off.at, l->cut_off.n * sizeof *l->cut_off.at);
}

bool pml_lower(pml_model *tree, gy_model *model)
{
    lowering l = {
        .tree = tree, .model = model, .arena = model->arena, .build = gy_build_new(model)};
    lower_all(&l);
    release(&l);
    return gy_diags_errors(tree->diags) == 0;
}

// The C of a model is compiled before anything runs, and its states have room for _last only if the
// model itself asks for it: a formula that comes later would see 0 in all of them.
static void refuse_late(const lowering *l, const pml_expr *expr)
{
    if (l->c_codes.n > 0)
        gy_error(l->tree->diags, expr->place,
                 "c_expr can only be used inside the model: state the formula there");
    if (l->tree->uses_last && !l->model->uses_last)
        gy_error(l->tree->diags, expr->place,
                 "_last is not kept, as the model does not use it: state the formula there");
}

gy_expr *pml_lower_predicate(pml_model *tree, gy_model *model, const pml_expr *expr)
{
    lowering l = {.tree = tree, .model = model, .arena = model->arena};
    gy_expr *lowered = lower_expr(&l, expr);
    refuse_late(&l, expr);
    resolve_labels(&l);
    release(&l);
    return gy_diags_errors(tree->diags) ? NULL : lowered;
}

gy_formula *pml_lower_formula(pml_model *tree, gy_model *model, const pml_expr *expr)
{
    lowering l = {.tree = tree, .model = model, .arena = model->arena};
    gy_formula *lowered = lower_formula(&l, expr, 0);
    refuse_late(&l, expr);
    resolve_labels(&l);
    number_atoms(&l);
    release(&l);
    return gy_diags_errors(tree->diags) ? NULL : lowered;
}
