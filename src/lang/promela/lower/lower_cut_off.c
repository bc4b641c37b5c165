// Statements that control cannot come to. They are built, because Spin numbers them, but no edge
// stands for them.
#include "lang/promela/lower/lower_internal.h"

static bool asserts(const pml_stmt *stmt);

static bool seq_asserts(const pml_seq *seq)
{
    for (uint32_t i = 0; i < seq->n; i++)
        if (asserts(seq->at[i]))
            return true;
    return false;
}

static bool asserts(const pml_stmt *stmt)
{
    const pml_expr *expr = stmt->expr;
    bool never = expr && expr->kind == PML_X_NUMBER && expr->value == 0; // not meant to be reached
    bool found = (stmt->kind == PML_S_ASSERT && !never) || seq_asserts(&stmt->body) ||
                 seq_asserts(&stmt->escape);
    for (uint32_t i = 0; i < stmt->option_count && !found; i++)
        found = seq_asserts(&stmt->options[i]);
    return found;
}

// Is it a step of its own, for which there would be an edge?
static bool is_step(const flow_el *el)
{
    bool inside = (el->status & FLOW_IN_D_STEP) && el->kind != FLOW_D_STEP;
    return el->stmt && !inside && !el->dropped &&
           (el->kind == FLOW_STEP || el->kind == FLOW_ELSE || el->kind == FLOW_D_STEP);
}

void note_cut_off(lowering *l, const flow_proc *proc, flow_el *const *nodes, uint32_t count)
{
    bool *used = GY_NEW_ARRAY(l->arena, bool, proc->el_count + 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 0; m < nodes[i]->move_count; m++)
            used[nodes[i]->moves[m].by->state] = true;
    for (uint32_t i = 1; i <= proc->el_count; i++) {
        const flow_el *el = proc->els[i];
        if (used[el->state] || !is_step(el))
            continue;
        gy_cut_off cut = {
            .tmpl = (int32_t)proc->proc->index,
            .place = el->place,
            .text = el->kind == FLOW_ELSE ? "else" : step_text(l, el->stmt),
            .asserts = asserts(el->stmt),
        };
        gy_vec_push(&l->cut_off, cut);
    }
}
