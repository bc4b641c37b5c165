// Building the elements. See flow.h for what is being reproduced; flow_moves.c computes the
// moves afterwards.
#include "lang/promela/lower/flow.h"

#include "base/vec.h"
#include "lang/promela/lower/flow_internal.h"

#include <string.h>

static void add_stmt(flow *f, flow_seq *seq, const pml_stmt *stmt);

flow *flow_new(gy_arena *arena, gy_sources *sources, gy_diags *diags)
{
    flow *f = GY_NEW(arena, flow);
    f->arena = arena;
    f->sources = sources;
    f->diags = diags;
    return f;
}

flow_el *flow_label_el(const pml_label *label)
{
    return label ? label->lowered : NULL;
}

// ---- elements and sequences -----------------------------------------------------------

static flow_el *new_el(flow *f, flow_kind kind, const pml_stmt *stmt)
{
    flow_el *el = GY_NEW(f->arena, flow_el);
    el->kind = kind;
    el->stmt = stmt;
    el->place = stmt ? stmt->place : 0;
    el->node = -1;
    el->state = ++f->state_count;
    el->id = f->id_count++;
    gy_vec_push(&f->els, el);
    return el;
}

static unsigned label_flags(const char *name)
{
    unsigned flags = FLOW_LABEL_ANY;
    if (strncmp(name, "end", 3) == 0)
        flags |= FLOW_LABEL_END;
    if (strncmp(name, "accept", 6) == 0)
        flags |= FLOW_LABEL_ACCEPT;
    if (strncmp(name, "progress", 8) == 0)
        flags |= FLOW_LABEL_PROGRESS;
    return flags;
}

unsigned flow_fair_label(const char *name)
{
    return strncmp(name, "wfair", 5) == 0   ? FLOW_WEAKLY_FAIR
           : strncmp(name, "sfair", 5) == 0 ? FLOW_STRONGLY_FAIR
                                            : 0;
}

static void set_label(pml_label *label, flow_el *el)
{
    label->lowered = el;
    el->labels |= label_flags(label->name);
    el->fair |= flow_fair_label(label->name);
    el->label_name = label->name;
}

static void append(flow *f, flow_seq *seq, flow_el *el)
{
    unsigned special = FLOW_LABEL_END | FLOW_LABEL_ACCEPT | FLOW_LABEL_PROGRESS;
    if (el->kind == FLOW_GOTO && (el->labels & special)) {
        // A goto is not a state; the label needs one.
        flow_el *skip = new_el(f, FLOW_SKIP, el->stmt);
        skip->labels = el->labels;
        skip->label_name = el->label_name;
        for (uint32_t i = 0; i < f->proc->label_count; i++)
            if (f->proc->labels[i]->lowered == el)
                f->proc->labels[i]->lowered = skip;
        el->labels = 0;
        append(f, seq, skip);
    }
    if (!seq->first)
        seq->first = el;
    else
        seq->last->next = el;
    seq->last = el;
}

static flow_seq *new_seq(flow *f)
{
    return GY_NEW(f->arena, flow_seq);
}

static void close_seq(flow_seq *seq)
{
    seq->extent = seq->last;
}

static flow_seq *build_seq(flow *f, const pml_seq *body)
{
    flow_seq *seq = new_seq(f);
    for (uint32_t i = 0; i < body->n; i++)
        add_stmt(f, seq, body->at[i]);
    if (!seq->first) // only declarations
        append(f, seq, new_el(f, FLOW_SKIP, NULL));
    close_seq(seq);
    return seq;
}

// ---- atomic and d_step ----------------------------------------------------------------

static void mark_atomic(flow_el *from, flow_el *to, unsigned added)
{
    for (flow_el *el = from; el; el = el->next) {
        el->status |= FLOW_IN_ATOMIC | added;
        bool inner_group =
            el->kind == FLOW_ATOMIC || el->kind == FLOW_BLOCK || (el->kind == FLOW_D_STEP && added);
        if (inner_group) {
            el->kind = FLOW_BLOCK; // atomic within atomic adds nothing
            mark_atomic(el->subs[0]->first, el->subs[0]->last, added);
        } else if (el->kind != FLOW_D_STEP) {
            for (uint32_t i = 0; i < el->sub_count; i++)
                mark_atomic(el->subs[i]->first, el->subs[i]->last, added);
        }
        if (el == to)
            break;
    }
}

static void make_atomic(flow_seq *seq, unsigned added)
{
    mark_atomic(seq->first, seq->last, added);
    flow_el *last = seq->last;
    if (last->kind == FLOW_BLOCK || last->kind == FLOW_ATOMIC) {
        make_atomic(last->subs[0], added);
    } else if (last->kind == FLOW_UNLESS) {
        make_atomic(last->subs[0], added);
    } else {
        last->status &= ~(unsigned)FLOW_IN_ATOMIC;
        last->status |= FLOW_LAST_OF_ATOMIC;
    }
}

// ---- escapes --------------------------------------------------------------------------

static void attach_escape(flow *f, flow_seq *main, flow_seq *escape);

static void attach_to(flow *f, flow_el *el, flow_seq *escape)
{
    for (uint32_t i = 0; i < el->escape_count; i++)
        if (el->escapes[i] == escape)
            return;
    // Escapes that are already there can be escaped from in turn.
    for (uint32_t i = 0; i < el->escape_count; i++)
        attach_escape(f, el->escapes[i], escape);
    flow_seq **list = GY_NEW_ARRAY(f->arena, flow_seq *, el->escape_count + 1);
    list[0] = escape;
    if (el->escape_count)
        memcpy(list + 1, el->escapes, el->escape_count * sizeof *list);
    el->escapes = list;
    el->escape_count++;

    switch (el->kind) {
    case FLOW_UNLESS:
        attach_escape(f, el->subs[0], escape);
        break;
    case FLOW_CHOICE:
        for (uint32_t i = 0; i < el->sub_count; i++)
            attach_escape(f, el->subs[i], escape);
        break;
    case FLOW_D_STEP: // only its first statement can be interrupted
        attach_to(f, el->subs[0]->first, escape);
        break;
    case FLOW_ATOMIC:
    case FLOW_BLOCK:
        attach_escape(f, el->subs[0], escape);
        break;
    default:
        break;
    }
}

static void attach_escape(flow *f, flow_seq *main, flow_seq *escape)
{
    for (flow_el *el = main->first; el; el = el->next) {
        attach_to(f, el, escape);
        if (el == main->extent)
            break;
    }
}

// ---- statements that the language adds --------------------------------------------------

static pml_expr *make_expr(flow *f, pml_expr_kind kind, gy_location place, pml_expr *a, pml_expr *b)
{
    pml_expr *expr = GY_NEW(f->arena, pml_expr);
    expr->kind = kind;
    expr->place = place;
    expr->a = a;
    expr->b = b;
    return expr;
}

static pml_expr *make_number(flow *f, gy_location place, int64_t value)
{
    pml_expr *expr = make_expr(f, PML_X_NUMBER, place, NULL, NULL);
    expr->value = value;
    return expr;
}

static pml_expr *make_var(flow *f, gy_location place, pml_ref ref)
{
    pml_expr *expr = make_expr(f, PML_X_VAR, place, NULL, NULL);
    expr->ref = ref;
    return expr;
}

static pml_stmt *make_stmt(flow *f, pml_stmt_kind kind, gy_location place, pml_expr *expr)
{
    pml_stmt *stmt = GY_NEW(f->arena, pml_stmt);
    stmt->kind = kind;
    stmt->place = place;
    stmt->expr = expr;
    return stmt;
}

static pml_stmt *make_assign(flow *f, gy_location place, pml_ref ref, pml_expr *expr)
{
    pml_stmt *stmt = make_stmt(f, PML_S_ASSIGN, place, expr);
    stmt->ref = ref;
    return stmt;
}

static pml_stmt *make_increment(flow *f, gy_location place, pml_ref ref)
{
    return make_assign(
        f, place, ref,
        make_expr(f, PML_X_ADD, place, make_var(f, place, ref), make_number(f, place, 1)));
}

// ---- preparing: the inner sequences of a statement, built before its own element --------

typedef struct prepared {
    const pml_stmt *stmt;
    flow_kind kind;
    flow_seq **seqs;
    uint32_t seq_count;
    flow_target *exit;      // of a loop
    struct prepared *inner; // of a labelled statement
    pml_label *label;
    flow_target *target; // of a break
} prepared;

static prepared *prepare(flow *f, flow_seq *cur, const pml_stmt *stmt);
static void add_prepared(flow *f, flow_seq *seq, prepared *p);

static prepared *new_prepared(flow *f, flow_kind kind, const pml_stmt *stmt, uint32_t seqs)
{
    prepared *p = GY_NEW(f->arena, prepared);
    p->kind = kind;
    p->stmt = stmt;
    p->seqs = GY_NEW_ARRAY(f->arena, flow_seq *, seqs);
    p->seq_count = seqs;
    return p;
}

static bool is_idle(const flow_el *el, bool *prints)
{
    *prints = el->stmt && (el->stmt->kind == PML_S_PRINTF || el->stmt->kind == PML_S_PRINTM);
    if (el->kind == FLOW_SKIP)
        return true;
    if (el->kind != FLOW_STEP)
        return false;
    return *prints || (el->stmt->kind == PML_S_EXPR && el->stmt->expr->kind == PML_X_NUMBER &&
                       el->stmt->expr->value == 1);
}

// In an option, a skip after another skip or printf is dropped (not first, not last).
static void drop_redundant_skips(flow_seq *seq)
{
    unsigned idle = 0;
    flow_el *before = NULL;
    for (flow_el *el = seq->first; el; before = el, el = el->next) {
        bool prints;
        if (!is_idle(el, &prints) || el->labels) {
            idle = 0;
            continue;
        }
        if (++idle > 1 && !prints && el != seq->first && el != seq->last && el != seq->extent) {
            before->next = el->next;
            el->dropped = true;
            el = before;
        }
    }
}

static prepared *prepare_choice(flow *f, const pml_stmt *stmt)
{
    prepared *p = new_prepared(f, FLOW_CHOICE, stmt, stmt->option_count);
    if (stmt->kind == PML_S_DO) {
        p->exit = GY_NEW(f->arena, flow_target);
        gy_vec_push(&f->breaks, p->exit);
    }
    for (uint32_t i = 0; i < stmt->option_count; i++)
        p->seqs[i] = build_seq(f, &stmt->options[i]);
    if (f->proc->kind != PML_PROC_NEVER)
        for (uint32_t i = 0; i < stmt->option_count; i++)
            drop_redundant_skips(p->seqs[i]);
    if (stmt->kind == PML_S_DO)
        f->breaks.n--;
    return p;
}

static prepared *prepare_group(flow *f, const pml_stmt *stmt)
{
    flow_kind kind = stmt->kind == PML_S_ATOMIC   ? FLOW_ATOMIC
                     : stmt->kind == PML_S_D_STEP ? FLOW_D_STEP
                                                  : FLOW_BLOCK;
    prepared *p = new_prepared(f, kind, stmt, 1);
    p->seqs[0] = build_seq(f, &stmt->body);
    if (kind == FLOW_ATOMIC)
        make_atomic(p->seqs[0], 0);
    if (kind == FLOW_D_STEP)
        make_atomic(p->seqs[0], FLOW_IN_D_STEP);
    return p;
}

// The only statement of a sequence, or NULL if it has several.
static const pml_stmt *only(const pml_seq *seq)
{
    return seq->n == 1 ? seq->at[0] : NULL;
}

static flow_seq *seq_of_prepared(flow *f, prepared *p)
{
    flow_seq *seq = new_seq(f);
    add_prepared(f, seq, p);
    close_seq(seq);
    return seq;
}

static prepared *prepare_unless(flow *f, flow_seq *cur, const pml_stmt *stmt)
{
    const pml_stmt *main = only(&stmt->body), *escape = only(&stmt->escape);
    prepared *main_part = main ? prepare(f, cur, main) : NULL;
    flow_seq *main_seq = main ? NULL : build_seq(f, &stmt->body);
    prepared *escape_part = escape ? prepare(f, cur, escape) : NULL;
    flow_seq *escape_seq = escape ? NULL : build_seq(f, &stmt->escape);

    if (escape_part)
        escape_seq = escape_part->kind == FLOW_BLOCK && !escape_part->label
                         ? escape_part->seqs[0]
                         : seq_of_prepared(f, escape_part);
    prepared *p = new_prepared(f, FLOW_UNLESS, stmt, 2);
    p->seqs[1] = escape_seq;
    if (main_part && main_part->label && !main_part->inner->label &&
        (main_part->inner->kind == FLOW_BLOCK || main_part->inner->kind == FLOW_ATOMIC ||
         main_part->inner->kind == FLOW_D_STEP)) {
        // L: { … } unless …  becomes  L: { { … } unless … }: the label needs a state
        p->seqs[0] = main_part->inner->seqs[0];
        prepared *group = new_prepared(f, main_part->inner->kind, stmt, 1);
        group->seqs[0] = seq_of_prepared(f, p);
        prepared *labelled = new_prepared(f, FLOW_STEP, main, 0);
        labelled->inner = group;
        labelled->label = main_part->label;
        return labelled;
    }
    if (main_part)
        main_seq = main_part->kind == FLOW_BLOCK && !main_part->label
                       ? main_part->seqs[0]
                       : seq_of_prepared(f, main_part);
    p->seqs[0] = main_seq;
    return p;
}

static prepared *prepare_loop(flow *f, const pml_stmt *stmt, flow_seq *body, pml_ref counter,
                              bool with_else, flow_target *exit)
{
    add_stmt(f, body, make_increment(f, stmt->place, counter));
    close_seq(body);
    flow_seq *leave = new_seq(f);
    pml_stmt *otherwise = make_stmt(f, PML_S_ELSE, stmt->place, NULL);
    pml_stmt *exits = make_stmt(f, PML_S_BREAK, stmt->place, NULL);
    otherwise->body.end = exits->body.end = stmt->body.end; // where Spin says that they are
    if (with_else)
        add_stmt(f, leave, otherwise);
    add_stmt(f, leave, exits);
    close_seq(leave);
    pml_stmt *loop = make_stmt(f, PML_S_DO, stmt->place, NULL);
    loop->body.end = stmt->body.end;
    prepared *p = new_prepared(f, FLOW_CHOICE, loop, 2);
    p->seqs[0] = leave;
    p->seqs[1] = body;
    p->exit = exit;
    f->breaks.n--;
    return p;
}

// for (i : a .. b): i = a; do :: i <= b -> body; i++ :: else -> break od
static prepared *prepare_for(flow *f, flow_seq *cur, const pml_stmt *stmt)
{
    gy_location place = stmt->place;
    flow_target *exit = GY_NEW(f->arena, flow_target);
    gy_vec_push(&f->breaks, exit);
    pml_ref counter = stmt->ref;
    pml_expr *first = stmt->expr, *condition;
    if (stmt->kind == PML_S_FOR_CHAN) {
        pml_ref_part *part = GY_NEW(f->arena, pml_ref_part);
        part->var = stmt->counter;
        part->place = place;
        counter = (pml_ref){part, 1};
        first = make_number(f, place, 0);
        pml_expr *len = make_expr(f, PML_X_LEN, place, NULL, NULL);
        len->ref = stmt->over;
        condition = make_expr(f, PML_X_LT, place, make_var(f, place, counter), len);
    } else if (stmt->kind == PML_S_FOR_ARRAY) {
        const pml_var *array = stmt->over.parts[stmt->over.part_count - 1].var;
        first = make_number(f, place, 0);
        condition = make_expr(f, PML_X_LE, place, make_var(f, place, counter),
                              make_number(f, place, (int64_t)array->count - 1));
    } else {
        condition = make_expr(f, PML_X_LE, place, make_var(f, place, counter), stmt->expr2);
    }
    add_stmt(f, cur, make_assign(f, place, counter, first));
    flow_seq *body = new_seq(f);
    add_stmt(f, body, make_stmt(f, PML_S_EXPR, place, condition));
    if (stmt->kind == PML_S_FOR_CHAN) {
        // Take each message out and put it back: one full turn.
        pml_expr *message = make_var(f, place, stmt->ref);
        pml_expr **args = GY_NEW_ARRAY(f->arena, pml_expr *, 1);
        args[0] = message;
        pml_stmt *receive = make_stmt(f, PML_S_RECV, place, NULL);
        pml_stmt *send = make_stmt(f, PML_S_SEND, place, NULL);
        receive->ref = send->ref = stmt->over;
        receive->args = send->args = args;
        receive->arg_count = send->arg_count = 1;
        add_stmt(f, body, receive);
        add_stmt(f, body, send);
    }
    for (uint32_t i = 0; i < stmt->body.n; i++)
        add_stmt(f, body, stmt->body.at[i]);
    return prepare_loop(f, stmt, body, counter, true, exit);
}

// select (i : a .. b): i = a; do :: break :: i < b -> i++ od. (With constant bounds it does not
// get here: the parser writes out the choice, as Spin's lexer does.)
static prepared *prepare_select(flow *f, flow_seq *cur, const pml_stmt *stmt)
{
    gy_location place = stmt->place;
    add_stmt(f, cur, make_assign(f, place, stmt->ref, stmt->expr));
    flow_target *exit = GY_NEW(f->arena, flow_target);
    gy_vec_push(&f->breaks, exit);
    pml_expr *below = make_expr(f, PML_X_LT, place, make_var(f, place, stmt->ref), stmt->expr2);
    flow_seq *body = new_seq(f);
    add_stmt(f, body, make_stmt(f, PML_S_EXPR, place, below));
    return prepare_loop(f, stmt, body, stmt->ref, false, exit);
}

// A remote reference to a goto turns it into a state, there and then: the number it takes is
// before those of the statement that refers to it.
static void keep_remote_labels(flow *f, const pml_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == PML_X_REMOTE_LABEL && expr->label && expr->proc->index < f->built_room &&
        f->built[expr->proc->index])
        flow_keep_label(f, f->built[expr->proc->index], expr->label);
    keep_remote_labels(f, expr->a);
    keep_remote_labels(f, expr->b);
    keep_remote_labels(f, expr->c);
}

static prepared *prepare(flow *f, flow_seq *cur, const pml_stmt *stmt)
{
    prepared *p;
    keep_remote_labels(f, stmt->expr);
    switch (stmt->kind) {
    case PML_S_IF:
    case PML_S_DO:
        return prepare_choice(f, stmt);
    case PML_S_ATOMIC:
    case PML_S_D_STEP:
    case PML_S_BLOCK:
        return prepare_group(f, stmt);
    case PML_S_UNLESS:
        return prepare_unless(f, cur, stmt);
    case PML_S_FOR_RANGE:
    case PML_S_FOR_ARRAY:
    case PML_S_FOR_CHAN:
        return prepare_for(f, cur, stmt);
    case PML_S_SELECT:
        return prepare_select(f, cur, stmt);
    case PML_S_LABELLED:
        p = new_prepared(f, FLOW_STEP, stmt, 0);
        p->label = stmt->label;
        p->inner = prepare(f, cur, stmt->body.at[0]);
        return p;
    case PML_S_GOTO:
        return new_prepared(f, FLOW_GOTO, stmt, 0);
    case PML_S_BREAK:
        p = new_prepared(f, FLOW_GOTO, stmt, 0);
        p->target = f->breaks.n ? f->breaks.at[f->breaks.n - 1] : NULL;
        return p;
    case PML_S_ELSE:
        return new_prepared(f, FLOW_ELSE, stmt, 0);
    default:
        return new_prepared(f, FLOW_STEP, stmt, 0);
    }
}

// ---- adding: the element of a prepared statement ------------------------------------------

static bool starts_with_else(const flow_seq *seq)
{
    return seq->first && seq->first->kind == FLOW_ELSE;
}

static flow_el *add_choice(flow *f, flow_seq *cur, prepared *p)
{
    flow_el *el = new_el(f, FLOW_CHOICE, p->stmt);
    flow_el *join = new_el(f, FLOW_JOIN, p->stmt);
    // else goes last
    for (uint32_t i = 0; i + 1 < p->seq_count; i++)
        if (starts_with_else(p->seqs[i])) {
            flow_seq *moved = p->seqs[i];
            memmove(p->seqs + i, p->seqs + i + 1, (p->seq_count - i - 1) * sizeof *p->seqs);
            p->seqs[p->seq_count - 1] = moved;
            break;
        }
    el->subs = p->seqs;
    el->sub_count = p->seq_count;
    for (uint32_t i = 0; i < p->seq_count; i++)
        append(f, p->seqs[i], join);
    if (p->exit) {
        append(f, cur, join);
        flow_el *exit = new_el(f, FLOW_EXIT, p->stmt);
        p->exit->el = exit;
        append(f, cur, el);
        append(f, cur, exit);
    } else {
        append(f, cur, el);
        append(f, cur, join);
    }
    return el;
}

static flow_el *add_unless(flow *f, flow_seq *cur, prepared *p)
{
    flow_el *el = new_el(f, FLOW_UNLESS, p->stmt);
    flow_el *join = new_el(f, FLOW_JOIN, p->stmt);
    el->subs = p->seqs;
    el->sub_count = 2;
    append(f, p->seqs[0], join);
    append(f, p->seqs[1], join);
    attach_escape(f, p->seqs[0], p->seqs[1]);
    append(f, cur, el);
    append(f, cur, join);
    return el;
}

static flow_el *element_of(flow *f, flow_seq *cur, prepared *p, bool *appended)
{
    if (p->label) {
        flow_el *el = element_of(f, cur, p->inner, appended);
        set_label(p->label, el);
        return el;
    }
    if (p->kind == FLOW_CHOICE || p->kind == FLOW_UNLESS) {
        *appended = true;
        return p->kind == FLOW_CHOICE ? add_choice(f, cur, p) : add_unless(f, cur, p);
    }
    flow_el *el = new_el(f, p->kind, p->stmt);
    el->subs = p->seqs;
    el->sub_count = p->seq_count;
    if (p->kind == FLOW_GOTO) {
        el->target = p->target;
        el->goto_label = p->stmt->kind == PML_S_GOTO ? p->stmt->label : NULL;
    }
    return el;
}

static void add_prepared(flow *f, flow_seq *seq, prepared *p)
{
    bool appended = false;
    flow_el *el = element_of(f, seq, p, &appended);
    if (!appended)
        append(f, seq, el);
}

static void add_stmt(flow *f, flow_seq *seq, const pml_stmt *stmt)
{
    add_prepared(f, seq, prepare(f, seq, stmt));
}

// ---- a process ------------------------------------------------------------------------

flow_proc *flow_build(flow *f, const pml_proc *proc)
{
    flow_proc *built = GY_NEW(f->arena, flow_proc);
    built->proc = f->proc = proc;
    f->state_count = 0;
    f->els.n = 0;
    for (uint32_t i = 0; i < proc->body.n; i++)
        add_stmt(f, &built->body, proc->body.at[i]);
    flow_el *stop = new_el(f, FLOW_STOP, NULL);
    stop->place = proc->body.end ? proc->body.end : proc->place;
    append(f, &built->body, stop);
    close_seq(&built->body);
    built->el_count = (uint32_t)f->els.n;
    built->els = GY_NEW_ARRAY(f->arena, flow_el *, f->els.n + 1);
    memcpy(built->els + 1, f->els.at, f->els.n * sizeof *f->els.at);
    gy_vec_free(&f->els);
    gy_vec_free(&f->breaks);
    if (proc->index >= f->built_room) {
        uint32_t room = proc->index * 2 + 8;
        f->built = gy_arena_grow(f->arena, f->built, f->built_room * sizeof *f->built,
                                 room * sizeof *f->built);
        f->built_room = room;
    }
    f->built[proc->index] = built;
    return built;
}

int32_t flow_next_id(const flow *f)
{
    return f->id_count;
}

void flow_keep_label(flow *f, flow_proc *proc, pml_label *label)
{
    flow_el *el = label->lowered;
    if (!el || el->kind != FLOW_GOTO)
        return;
    // The goto becomes a skip, followed by the goto.
    flow_el *jump = GY_NEW(f->arena, flow_el);
    *jump = *el;
    jump->labels = 0;
    jump->state = (int32_t)++proc->el_count;
    jump->id = f->id_count++;
    el->kind = FLOW_SKIP;
    el->goto_label = NULL;
    el->target = NULL;
    el->next = jump;
    flow_el **els = GY_NEW_ARRAY(f->arena, flow_el *, proc->el_count + 1);
    memcpy(els, proc->els, proc->el_count * sizeof *els);
    els[proc->el_count] = jump;
    proc->els = els;
}

// In the order of the text, outer loops first. True: it was found.
static bool count_loops(const pml_seq *seq, const pml_stmt *loop, unsigned *count)
{
    for (uint32_t i = 0; i < seq->n; i++) {
        const pml_stmt *stmt = seq->at[i];
        if (stmt->kind == PML_S_DO || stmt->kind == PML_S_FOR_RANGE ||
            stmt->kind == PML_S_FOR_ARRAY || stmt->kind == PML_S_FOR_CHAN ||
            stmt->kind == PML_S_SELECT) {
            if (stmt == loop || stmt->place == loop->place)
                return true;
            ++*count;
        }
        for (uint32_t o = 0; o < stmt->option_count; o++)
            if (count_loops(&stmt->options[o], loop, count))
                return true;
        if (count_loops(&stmt->body, loop, count) || count_loops(&stmt->escape, loop, count))
            return true;
    }
    return false;
}

unsigned flow_loop_number(const pml_model *tree, const flow_el *jump)
{
    const pml_stmt *loop = jump->target && jump->target->el ? jump->target->el->stmt : NULL;
    unsigned count = 0;
    for (uint32_t i = 0; loop && i < tree->proc_count; i++)
        if (count_loops(&tree->procs[i]->body, loop, &count))
            return count;
    return 0;
}
