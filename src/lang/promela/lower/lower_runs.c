// run inside a larger expression (`n = run P() + 10`): the processes are started first, their
// numbers kept in hidden variables that the expression then reads.
#include "lang/promela/lower/lower_internal.h"

static uint32_t runs_in(const pml_expr *expr)
{
    if (!expr)
        return 0;
    return (expr->kind == PML_X_RUN) + runs_in(expr->a) + runs_in(expr->b) + runs_in(expr->c);
}

static uint32_t most_runs(const pml_seq *seq)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < seq->n; i++) {
        const pml_stmt *stmt = seq->at[i];
        uint32_t found = runs_in(stmt->expr);
        for (uint32_t a = 0; a < stmt->arg_count; a++)
            found += runs_in(stmt->args[a]);
        bool plain = stmt->kind == PML_S_EXPR ||
                     (stmt->kind == PML_S_ASSIGN && stmt->expr->kind == PML_X_RUN);
        if (!plain)
            most = found > most ? found : most;
        for (uint32_t o = 0; o < stmt->option_count; o++) {
            found = most_runs(&stmt->options[o]);
            most = found > most ? found : most;
        }
        found = most_runs(&stmt->body);
        most = found > most ? found : most;
        found = most_runs(&stmt->escape);
        most = found > most ? found : most;
    }
    return most;
}

// Called when the globals are complete: makes as many hidden variables as any one
// expression needs.
void lower_run_results(lowering *l)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < l->tree->proc_count; i++) {
        uint32_t found = most_runs(&l->tree->procs[i]->body);
        most = found > most ? found : most;
    }
    l->first_run_result = (int32_t)l->model->global_count;
    for (uint32_t i = 0; i < most; i++) {
        const char *name = gy_arena_printf(l->arena, ":run%u", i);
        int32_t var = gy_build_variable(l->build, GY_NONE, name, gy_type_of(GY_INT), 0);
        gy_built_variable(l->build, var)->hidden = true;
    }
}

gy_expr *lower_run_operand(lowering *l, const pml_expr *run)
{
    if (!l->runs) {
        gy_error(l->tree->diags, run->place, "run cannot be part of this expression");
        return new_const(l, run->place, 0);
    }
    gy_action action = {.kind = GY_A_RUN, .place = run->place, .channel_type = GY_NONE};
    action.tmpl = (int32_t)run->proc->index;
    action.priority = run->priority;
    action.fields = lower_send_fields(l, run->args, run->arg_count, &action.field_count);
    action.var = l->first_run_result + l->run_count++;
    gy_vec_push(l->runs, action);
    gy_expr *result = new_expr(l, GY_E_VAR, run->place);
    result->var = action.var;
    return result;
}
