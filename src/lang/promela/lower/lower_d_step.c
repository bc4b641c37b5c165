// A d_step as one edge: its first statement is the guard, the rest one program with jumps.
//
// Within it every choice takes the first option that can go on. As in Spin, an option that
// begins with a block or another choice is always entered (and may then block: a fault).
#include "lang/promela/lower/lower_internal.h"
#include "model/visit.h"

#include <string.h>

typedef struct label_at {
    const pml_label *label;
    uint32_t action;
} label_at;

typedef struct jump_to {
    uint32_t action;
    const pml_label *label;
} jump_to;

typedef struct d_step {
    lowering *l;
    action_list actions;
    GY_VEC(label_at) labels;
    GY_VEC(jump_to) jumps;
    GY_VEC(uint32_t) breaks; // jump actions that wait for the end of their loop
} d_step;

static void emit(d_step *d, const pml_stmt *stmt);

static const pml_stmt *unlabelled(const pml_stmt *stmt)
{
    while (stmt->kind == PML_S_LABELLED)
        stmt = stmt->body.at[0];
    return stmt;
}

static gy_expr *either(lowering *l, gy_expr *a, gy_expr *b)
{
    gy_expr *expr = new_expr(l, GY_E_OR, a->place);
    expr->a = a;
    expr->b = b;
    return expr;
}

static gy_expr *channel_of(lowering *l, const pml_stmt *stmt)
{
    pml_expr channel = {.kind = PML_X_VAR, .place = stmt->place, .ref = stmt->ref};
    return lower_expr(l, &channel);
}

// When can this statement execute? NULL: always.
static gy_expr *executable(lowering *l, const pml_stmt *stmt)
{
    gy_expr *expr;
    switch (stmt->kind) {
    case PML_S_EXPR:
        if (stmt->expr->kind == PML_X_NUMBER && stmt->expr->value)
            return NULL;
        return lower_expr(l, stmt->expr);
    case PML_S_RECV:
        expr = new_expr(l, GY_E_POLL, stmt->place);
        expr->value = 1;
        expr->a = channel_of(l, stmt);
        expr->random = stmt->random;
        expr->args = lower_recv_fields(l, stmt->args, stmt->arg_count, &expr->arg_count);
        return expr;
    case PML_S_SEND:
        expr = new_expr(l, GY_E_CAN_SEND, stmt->place);
        expr->a = channel_of(l, stmt);
        return expr;
    default:
        return NULL;
    }
}

// The guard of a d_step that begins with a choice: one of the conditions, sends or receives at
// the head of an option can execute. Other heads add nothing to it (so an assignment next to a
// condition does not make the d_step executable: Spin's rule), unless there is no condition.
static gy_expr *choice_guard(lowering *l, const pml_stmt *choice, bool *any)
{
    gy_expr *guard = NULL;
    for (uint32_t i = 0; i < choice->option_count; i++) {
        const pml_stmt *head = unlabelled(choice->options[i].at[0]);
        gy_expr *when = NULL;
        if (head->kind == PML_S_IF || head->kind == PML_S_DO) {
            when = choice_guard(l, head, any);
        } else if (head->kind == PML_S_ELSE) {
            *any = true;
            when = new_const(l, head->place, 1);
        } else if (head->kind == PML_S_EXPR || head->kind == PML_S_SEND ||
                   head->kind == PML_S_RECV) {
            *any = true;
            when = executable(l, head);
            if (!when)
                when = new_const(l, head->place, 1);
        }
        if (when)
            guard = guard ? either(l, guard, when) : when;
    }
    return guard;
}

// ---- emitting -------------------------------------------------------------------------

static uint32_t emit_jump(d_step *d, gy_location place)
{
    gy_action jump = {.kind = GY_A_JUMP, .place = place, .var = GY_NONE, .tmpl = GY_NONE};
    gy_vec_push(&d->actions, jump);
    return (uint32_t)d->actions.n - 1;
}

static void emit_seq(d_step *d, const pml_seq *seq, uint32_t from)
{
    for (uint32_t i = from; i < seq->n; i++)
        emit(d, seq->at[i]);
}

static void land_breaks(d_step *d, size_t outer)
{
    for (size_t i = outer; i < d->breaks.n; i++)
        d->actions.at[d->breaks.at[i]].target = (uint32_t)d->actions.n;
    d->breaks.n = outer;
}

static gy_action select_action(d_step *d, gy_location place, uint32_t options)
{
    gy_action select = {.kind = GY_A_SELECT, .place = place, .var = GY_NONE, .tmpl = GY_NONE};
    select.options = GY_NEW_ARRAY(d->l->arena, gy_option, options);
    select.option_count = options;
    return select;
}

static void emit_choice(d_step *d, const pml_stmt *stmt)
{
    bool loop = stmt->kind == PML_S_DO;
    uint32_t top = (uint32_t)d->actions.n, n = stmt->option_count, place_of_else = n;
    size_t outer_breaks = d->breaks.n;
    gy_action select = select_action(d, stmt->place, n);
    gy_vec_push(&d->actions, select);
    GY_VEC(uint32_t) ends = {0};
    uint32_t next = 0;
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t option = i;
        if (i < n && unlabelled(stmt->options[i].at[0])->kind == PML_S_ELSE) {
            place_of_else = i; // else goes last
            continue;
        }
        if (i == n && place_of_else == n)
            break;
        if (i == n)
            option = place_of_else;
        const pml_seq *body = &stmt->options[option];
        const pml_stmt *head = body->at[0];
        select.options[next].when = executable(d->l, unlabelled(head));
        select.options[next].target = (uint32_t)d->actions.n;
        next++;
        // The condition was just tested; only a labelled one can be reached by a goto.
        emit_seq(d, body, head->kind == PML_S_EXPR && head->expr->kind != PML_X_RUN ? 1 : 0);
        uint32_t jump = emit_jump(d, stmt->place);
        d->actions.at[jump].target = top;
        if (!loop)
            gy_vec_push(&ends, jump);
    }
    for (size_t i = 0; i < ends.n; i++)
        d->actions.at[ends.at[i]].target = (uint32_t)d->actions.n;
    gy_vec_free(&ends);
    if (loop)
        land_breaks(d, outer_breaks);
}

static gy_action assign_action(const pml_stmt *stmt, int32_t var, gy_expr *index, gy_expr *expr)
{
    return (gy_action){.kind = GY_A_ASSIGN,
                       .place = stmt->place,
                       .var = var,
                       .index = index,
                       .expr = expr,
                       .tmpl = GY_NONE};
}

static gy_expr *binary(lowering *l, gy_expr_op op, gy_expr *a, gy_expr *b)
{
    gy_expr *expr = new_expr(l, op, a->place);
    expr->a = a;
    expr->b = b;
    return expr;
}

static void emit_for(d_step *d, const pml_stmt *stmt)
{
    lowering *l = d->l;
    size_t outer_breaks = d->breaks.n;
    gy_expr *index = NULL, *first = NULL, *last = NULL;
    int32_t var;
    gy_expr_op while_op = GY_E_LE;
    if (stmt->kind == PML_S_FOR_CHAN) {
        var = ((const lowered_var *)stmt->counter->lowered)->var;
        pml_expr len = {.kind = PML_X_LEN, .place = stmt->place, .ref = stmt->over};
        first = new_const(l, stmt->place, 0);
        last = lower_expr(l, &len);
        while_op = GY_E_LT;
    } else {
        var = lower_ref(l, &stmt->ref, &index);
        if (stmt->kind == PML_S_FOR_ARRAY) {
            const pml_var *array = stmt->over.parts[stmt->over.part_count - 1].var;
            first = new_const(l, stmt->place, 0);
            last = new_const(l, stmt->place, (int32_t)array->count - 1);
        } else {
            first = lower_expr(l, stmt->expr);
            last = lower_expr(l, stmt->expr2);
        }
    }
    gy_expr *counter = new_expr(l, GY_E_VAR, stmt->place);
    counter->var = var;
    counter->a = index;
    gy_vec_push(&d->actions, assign_action(stmt, var, index, first));
    uint32_t top = (uint32_t)d->actions.n;
    gy_action select = select_action(d, stmt->place, 2);
    gy_vec_push(&d->actions, select);
    select.options[0].when = binary(l, while_op, counter, last);
    select.options[0].target = (uint32_t)d->actions.n;
    if (stmt->kind == PML_S_FOR_CHAN) {
        pml_expr message = {.kind = PML_X_VAR, .place = stmt->place, .ref = stmt->ref};
        pml_expr *args[1] = {&message};
        pml_stmt turn = {.kind = PML_S_RECV, .place = stmt->place, .ref = stmt->over};
        turn.args = args;
        turn.arg_count = 1;
        lower_action(l, &turn, &d->actions);
        turn.kind = PML_S_SEND;
        lower_action(l, &turn, &d->actions);
    }
    emit_seq(d, &stmt->body, 0);
    gy_vec_push(&d->actions,
                assign_action(stmt, var, index,
                              binary(l, GY_E_ADD, counter, new_const(l, stmt->place, 1))));
    uint32_t back = emit_jump(d, stmt->place); // may move the actions
    d->actions.at[back].target = top;
    select.options[1].target = (uint32_t)d->actions.n;
    land_breaks(d, outer_breaks);
}

// A choice among values, made by "the first option": to leave the loop at the lower bound.
static void emit_select(d_step *d, const pml_stmt *stmt)
{
    gy_expr *index;
    int32_t var = lower_ref(d->l, &stmt->ref, &index);
    gy_vec_push(&d->actions, assign_action(stmt, var, index, lower_expr(d->l, stmt->expr)));
}

// A d_step is one step from state to state: nothing in it is passed.
static void warn_if_marking(d_step *d, const pml_stmt *stmt)
{
    const char *name = stmt->label->name;
    if (strncmp(name, "accept", 6) != 0 && strncmp(name, "progress", 8) != 0)
        return;
    gy_diag *diag = gy_warn(d->l->tree->diags, stmt->place,
                            "the label `%s` marks nothing: a d_step is one step", name);
    gy_hint(diag, "put it before the d_step, or make that an atomic");
    diag->length = (uint32_t)strlen(name);
}

static void emit(d_step *d, const pml_stmt *stmt)
{
    switch (stmt->kind) {
    case PML_S_LABELLED: {
        label_at label = {stmt->label, (uint32_t)d->actions.n};
        gy_vec_push(&d->labels, label);
        warn_if_marking(d, stmt);
        emit(d, stmt->body.at[0]);
        break;
    }
    case PML_S_IF:
    case PML_S_DO:
        emit_choice(d, stmt);
        break;
    case PML_S_BLOCK:
    case PML_S_ATOMIC:
    case PML_S_D_STEP:
    case PML_S_UNLESS: // the escape is ignored
        emit_seq(d, &stmt->body, 0);
        break;
    case PML_S_FOR_RANGE:
    case PML_S_FOR_ARRAY:
    case PML_S_FOR_CHAN:
        emit_for(d, stmt);
        break;
    case PML_S_SELECT:
        emit_select(d, stmt);
        break;
    case PML_S_GOTO: {
        jump_to jump = {emit_jump(d, stmt->place), stmt->label};
        gy_vec_push(&d->jumps, jump);
        break;
    }
    case PML_S_BREAK: {
        uint32_t jump = emit_jump(d, stmt->place);
        gy_vec_push(&d->breaks, jump);
        break;
    }
    default:
        lower_action(d->l, stmt, &d->actions);
        break;
    }
}

static void land_jumps(d_step *d)
{
    for (size_t i = 0; i < d->jumps.n; i++) {
        bool found = false;
        for (size_t j = 0; j < d->labels.n && !found; j++)
            if (d->labels.at[j].label == d->jumps.at[i].label) {
                d->actions.at[d->jumps.at[i].action].target = d->labels.at[j].action;
                found = true;
            }
        if (!found)
            gy_error(d->l->tree->diags, d->actions.at[d->jumps.at[i].action].place,
                     "a goto cannot leave a d_step");
    }
}

// The guard and synchronisation of the first statement; returns how many statements of the
// body they cover.
static uint32_t lower_head(d_step *d, const pml_seq *body, gy_edge *edge)
{
    const pml_stmt *first = body->at[0], *head = unlabelled(first);
    switch (head->kind) {
    case PML_S_EXPR:
    case PML_S_SEND:
    case PML_S_RECV:
        if (head->kind == PML_S_EXPR && head->expr->kind == PML_X_RUN)
            return 0;
        lower_step(d->l, head, edge);
        return first == head ? 1 : (head->kind == PML_S_EXPR ? 0 : 1);
    case PML_S_IF:
    case PML_S_DO: {
        bool any = false;
        gy_expr *guard = choice_guard(d->l, head, &any);
        edge->guard = any ? guard : NULL;
        return 0;
    }
    case PML_S_ELSE:
        edge->kind = GY_EDGE_ELSE;
        return 1;
    case PML_S_BLOCK:
    case PML_S_ATOMIC: {
        // Only the guard: the block itself is emitted with the rest. A send or receive at its
        // head is tested here and done there.
        const pml_stmt *inner = unlabelled(head->body.at[0]);
        if (inner->kind == PML_S_BLOCK || inner->kind == PML_S_IF || inner->kind == PML_S_DO)
            lower_head(d, &head->body, edge);
        else
            edge->guard = executable(d->l, inner);
        return 0;
    }
    default:
        return 0;
    }
}

void lower_d_step(lowering *l, const pml_stmt *stmt, gy_edge *edge)
{
    d_step d = {.l = l};
    edge->is_d_step = true;
    uint32_t covered = lower_head(&d, &stmt->body, edge);
    emit_seq(&d, &stmt->body, covered);
    land_jumps(&d);
    if (d.breaks.n)
        gy_error(l->tree->diags, d.actions.at[d.breaks.at[0]].place,
                 "a break cannot leave a d_step");
    edge->effect = gy_build_program(l->build, &d.actions);
    edge->needs_timeout = gy_expr_mentions(edge->guard, GY_E_TIMEOUT);
    gy_vec_free(&d.labels);
    gy_vec_free(&d.jumps);
    gy_vec_free(&d.breaks);
}
