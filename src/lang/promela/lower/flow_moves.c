// From elements to moves: which steps each state offers and where they lead (see flow.h).
#include "lang/promela/lower/flow.h"

#include "base/vec.h"
#include "lang/promela/lower/flow_internal.h"

#include <string.h>

typedef GY_VEC(flow_move) move_list;
typedef GY_VEC(flow_el *) el_list;

enum { HOP_LIMIT = 500, START_HOP_LIMIT = 200 };

static bool is_group(const flow_el *el)
{
    return el->kind == FLOW_ATOMIC || el->kind == FLOW_BLOCK || el->kind == FLOW_D_STEP;
}

// A state from which several first steps are offered at once.
static bool is_choice(const flow_el *el)
{
    return el->kind == FLOW_CHOICE || el->kind == FLOW_ATOMIC || el->kind == FLOW_BLOCK;
}

static flow_el *goto_target(const flow_el *el)
{
    return el->goto_label ? flow_label_el(el->goto_label) : el->target ? el->target->el : NULL;
}

static void confusing(flow *f, const flow_el *el, const char *what)
{
    gy_error(f->diags, el->place, "%s", what);
}

flow_el *flow_settle(flow *f, flow_el *el, unsigned status)
{
    flow_el *start = el;
    for (unsigned hops = 0; el; hops++) {
        flow_el *to;
        if (hops >= HOP_LIMIT) {
            confusing(f, start, "control goes round in circles without a statement");
            return start;
        }
        switch (el->kind) {
        case FLOW_GOTO:
            to = goto_target(el);
            if (!to || to == el) {
                confusing(f, el, to ? "this goto jumps to itself" : "this goto leads nowhere");
                return el;
            }
            break;
        case FLOW_JOIN:
        case FLOW_EXIT:
            if (!el->next)
                return el;
            to = el->next;
            break;
        case FLOW_UNLESS:
            to = flow_settle(f, el->subs[0]->first, status);
            break;
        default:
            return el;
        }
        if ((status & FLOW_IN_ATOMIC) && !(to->status & FLOW_IN_ATOMIC))
            return el;
        el = to;
    }
    return el;
}

// The first element of an option or block that carries a statement.
static flow_el *first_step(flow *f, flow_el *el)
{
    for (unsigned hops = 0; hops < START_HOP_LIMIT; hops++) {
        if (el->kind == FLOW_JOIN && el->next)
            el = el->next;
        else if (el->kind == FLOW_UNLESS)
            el = el->subs[0]->first;
        else
            return el;
    }
    confusing(f, el, "control goes round in circles without a statement");
    return el;
}

// Spin cannot jump to a d_step: neither can we, so that a model means the same in both.
static void check_landing(flow *f, const flow_el *jump, const flow_el *to)
{
    if (to->kind != FLOW_D_STEP || (jump->status & FLOW_IN_D_STEP))
        return;
    bool written = jump->stmt && jump->stmt->kind == PML_S_GOTO;
    gy_diag *diag = gy_error(f->diags, jump->place, "this %s cannot lead to a d_step",
                             written ? "goto" : "exit of a loop");
    gy_hint(diag, "put `skip;` before the d_step, or make it an atomic");
    gy_note(f->diags, to->place, "the d_step is here");
}

static flow_el *successor(flow *f, flow_el *el)
{
    if (el->kind == FLOW_GOTO) {
        flow_el *to = goto_target(el);
        if (!to)
            return NULL;
        to = flow_settle(f, to, el->status);
        check_landing(f, el, to);
        return to;
    }
    return el->next ? flow_settle(f, el->next, el->status) : NULL;
}

// A goto that leaves an atomic sequence ends it; one that leads into another goes on.
static void patch_gotos(flow_seq *seq)
{
    unsigned any = FLOW_IN_ATOMIC | FLOW_LAST_OF_ATOMIC;
    for (flow_el *el = seq->first; el; el = el->next) {
        if (el->kind == FLOW_GOTO) {
            flow_el *to = goto_target(el);
            if (to && (el->status & any) && !(to->status & any)) {
                el->status &= ~(unsigned)FLOW_IN_ATOMIC;
                el->status |= FLOW_LAST_OF_ATOMIC;
            }
            if (to && (el->status & FLOW_LAST_OF_ATOMIC) && (to->status & any)) {
                el->status &= ~(unsigned)FLOW_LAST_OF_ATOMIC;
                el->status |= FLOW_IN_ATOMIC;
            }
        } else if (el->kind == FLOW_CHOICE || el->kind == FLOW_UNLESS) {
            for (uint32_t i = 0; i < el->sub_count; i++)
                patch_gotos(el->subs[i]);
        }
        if (el == seq->extent)
            break;
    }
}

static bool is_never(const flow_el *el)
{
    return el->kind == FLOW_STEP && el->stmt->kind == PML_S_EXPR &&
           el->stmt->expr->kind == PML_X_NUMBER && el->stmt->expr->value == 0 && !el->escape_count;
}

// The statements that a choice offers, nested choices flattened. A label on a nested choice
// is handed down to the statements, as it is never a state of its own on this way.
static void collect_steps(flow *f, flow_el *el, el_list *steps)
{
    for (uint32_t i = 0; i < el->sub_count; i++) {
        flow_el *first = first_step(f, el->subs[i]->first);
        if (is_never(first))
            continue;
        if (is_choice(first)) {
            size_t from = steps->n;
            collect_steps(f, first, steps);
            for (size_t j = from; j < steps->n; j++)
                steps->at[j]->labels |= first->labels & ~(unsigned)FLOW_LABEL_ANY;
        } else {
            gy_vec_push(steps, first);
        }
    }
}

static flow_move move_by(flow *f, flow_el *el)
{
    flow_move move = {.by = el, .to = successor(f, el)};
    move.keeps_atomic = el->status & FLOW_IN_ATOMIC;
    return move;
}

static void keep_moves(flow *f, flow_el *el, const move_list *moves)
{
    el->moves = GY_NEW_ARRAY(f->arena, flow_move, moves->n);
    if (moves->n)
        memcpy(el->moves, moves->at, moves->n * sizeof *moves->at);
    el->move_count = (uint32_t)moves->n;
}

static void find_moves(flow *f, flow_el *el)
{
    move_list moves = {0};
    if (is_choice(el)) {
        el_list steps = {0};
        collect_steps(f, el, &steps);
        for (size_t i = 0; i < steps.n; i++)
            gy_vec_push(&moves, move_by(f, steps.at[i]));
        gy_vec_free(&steps);
    } else if (el->kind != FLOW_UNLESS) {
        gy_vec_push(&moves, move_by(f, el));
    }
    keep_moves(f, el, &moves);
    gy_vec_free(&moves);
}

// A label on the first statement of an option marks where that statement leads.
static void hand_labels_on(flow_el *el)
{
    for (uint32_t i = 0; i < el->move_count; i++)
        if (el->moves[i].to)
            el->moves[i].to->labels |= el->moves[i].by->labels & ~(unsigned)FLOW_LABEL_ANY;
}

// A fairness label on a choice, a group or an unless is one on each statement that it begins with.
static void hand_fairness_down(flow_el *el)
{
    if (el->kind == FLOW_UNLESS)
        el->subs[0]->first->fair |= el->fair;
    for (uint32_t i = 0; i < el->move_count; i++)
        el->moves[i].by->fair |= el->fair;
}

static bool has_move_by(const move_list *moves, const flow_el *by)
{
    for (size_t i = 0; i < moves->n; i++)
        if (moves->at[i].by == by)
            return true;
    return false;
}

// Puts the escapes of a state's statements before its moves. `escape` holds the state
// number of the escape meanwhile; rank_escapes turns it into a rank.
static void add_escapes(flow *f, flow_el *el)
{
    move_list moves = {0}, in_front = {0};
    for (uint32_t i = 0; i < el->move_count; i++)
        gy_vec_push(&moves, el->moves[i]);
    for (uint32_t i = 0; i < el->move_count; i++) {
        const flow_el *by = el->moves[i].by;
        if (by->kind == FLOW_JOIN)
            continue;
        for (uint32_t k = by->escape_count; k-- > 0;) {
            flow_el *state = flow_settle(f, by->escapes[k]->first, by->status);
            for (uint32_t m = 0; m < state->move_count; m++) {
                if (has_move_by(&moves, state->moves[m].by) ||
                    has_move_by(&in_front, state->moves[m].by))
                    continue;
                flow_move move = state->moves[m];
                move.escape = (uint32_t)state->state;
                gy_vec_push(&in_front, move); // the last one added is tried first
            }
        }
    }
    if (in_front.n) {
        move_list all = {0};
        for (size_t i = in_front.n; i-- > 0;)
            gy_vec_push(&all, in_front.at[i]);
        for (size_t i = 0; i < moves.n; i++)
            gy_vec_push(&all, moves.at[i]);
        keep_moves(f, el, &all);
        gy_vec_free(&all);
    }
    gy_vec_free(&moves);
    gy_vec_free(&in_front);
}

static void rank_escapes(flow_el *el)
{
    uint32_t rank = 0, state = 0;
    for (uint32_t i = 0; i < el->move_count; i++) {
        flow_move *move = &el->moves[i];
        if (!move->escape)
            continue;
        if (move->escape != state)
            rank++;
        state = move->escape;
        move->escape = rank;
    }
}

void flow_link(flow_proc *proc)
{
    // Outer groups first: what follows an inner one at the end depends on what follows the outer.
    for (uint32_t i = proc->el_count; i >= 1; i--)
        if (is_group(proc->els[i]))
            proc->els[i]->subs[0]->last->next = proc->els[i]->next;
}

void flow_finish(flow *f, flow_proc *proc)
{
    f->proc = proc->proc;
    flow_link(proc);
    for (uint32_t i = proc->el_count; i >= 1; i--)
        if (is_group(proc->els[i]))
            patch_gotos(proc->els[i]->subs[0]);
    for (uint32_t i = 1; i <= proc->el_count; i++)
        find_moves(f, proc->els[i]);
    for (uint32_t i = 1; i <= proc->el_count; i++)
        if (is_choice(proc->els[i]))
            hand_labels_on(proc->els[i]);
    for (uint32_t i = proc->el_count; i >= 1; i--) // outer ones first
        hand_fairness_down(proc->els[i]);
    for (uint32_t i = 1; i <= proc->el_count; i++)
        add_escapes(f, proc->els[i]);
    for (uint32_t i = 1; i <= proc->el_count; i++) {
        flow_el *el = proc->els[i];
        rank_escapes(el);
        // Where control merely passes on, a process may rest in the next state too.
        if (el->move_count == 1 && el->kind == FLOW_JOIN && (el->labels & FLOW_LABEL_END) &&
            el->moves[0].to)
            el->moves[0].to->labels |= FLOW_LABEL_END;
    }
    proc->start = flow_settle(f, proc->body.first, proc->body.first->status);
}
