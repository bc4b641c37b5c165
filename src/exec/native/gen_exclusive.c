// Claims (xr, xs) in C. Which processes there are is part of the shape, and what they claim is
// known where nothing assigns it: then there is nothing left to be examined. See GY_E_EXCLUSIVE.
#include "exec/native/gen.h"

// What process `pid` claims by this variable.
static bool constant_claim(gy_gen *g, const gy_expr *claimed, uint32_t pid, int32_t *value)
{
    const gy_variable *var = &g->model->vars[claimed->var];
    if (var->owner == GY_NONE || !var->bits) {
        gy_expr plain = {.op = GY_E_VAR, .var = claimed->var};
        return gy_gen_constant(g, &plain, value);
    }
    return !g->facts->assigned[claimed->var] &&
           gy_gen_constant_local(g, pid, g->facts->element[claimed->var], value);
}

static bool is_claimant(const gy_gen *g, const gy_expr *claimed, uint32_t pid)
{
    return g->now->process[pid].tmpl == claimed->tmpl && (int32_t)pid != g->pid;
}

bool gy_gen_constant_exclusive(gy_gen *g, const gy_expr *expr, int32_t *value)
{
    int32_t other;
    if (!gy_gen_constant(g, expr->a, value))
        return false;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        for (uint32_t pid = 0; pid < g->now->process_count; pid++)
            if (is_claimant(g, expr->args[i].expr, pid) &&
                (!constant_claim(g, expr->args[i].expr, pid, &other) || other == *value))
                return false;
    return true;
}

static void claim(gy_gen *g, const gy_expr *claimed, uint32_t pid)
{
    gy_expr number = {.op = GY_E_CONST, .value = (int32_t)pid}, of_process = *claimed;
    int32_t value;
    if (constant_claim(g, claimed, pid, &value)) {
        gy_text_printf(g->out, "%d", value);
        return;
    }
    if (claimed->op == GY_E_REMOTE_VAR)
        of_process.a = &number;
    gy_gen_expr(g, &of_process);
}

void gy_gen_exclusive(gy_gen *g, const gy_expr *expr)
{
    char *text = gy_gen_text(g, expr->a);
    uint32_t name = g->names++;
    gy_text_printf(g->out, "(BLOCK int x%u_ = %s; if (TRUTH(0)", name, text);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        for (uint32_t pid = 0; pid < g->now->process_count; pid++)
            if (is_claimant(g, expr->args[i].expr, pid)) {
                gy_text_printf(g->out, " || x%u_ == ", name);
                claim(g, expr->args[i].expr, pid);
            }
    gy_text_printf(g->out, ") GIVE_UP; YIELD(x%u_) END_BLOCK)", name);
    free(text);
}
