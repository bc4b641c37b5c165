// Instances that come and go.
#include "lang/if/check/if_check.h"
#include "lang/if/lower/if_lower.h"

static void empty_queue(if_lowering *l, const if_instance *instance)
{
    if (instance->queue == GY_NONE)
        return;
    uint32_t start = if_here(l);
    uint32_t test = if_test(l, if_unary(l, GY_E_NEMPTY, if_read(l, instance->queue, NULL)));
    gy_action *action = if_action(l, GY_A_RECV);
    action->chan = if_read(l, instance->queue, NULL);
    action->fields = gy_build_fields(l->b, l->field_count);
    action->field_count = l->field_count;
    for (uint32_t f = 0; f < l->field_count; f++)
        action->fields[f].kind = GY_FIELD_IGNORE;
    action->text = "the queue is emptied";
    if_jump(l, start);
    if_otherwise(l, test, if_here(l));
}

void if_bury(if_lowering *l, const if_instance *instance)
{
    const if_process *process = instance->process;
    for (uint32_t v = 0; v < process->vars.count; v++)
        if_reset(l, instance->vars[v], process->vars.at[v], true);
    empty_queue(l, instance);
    if (instance->mobile)
        if_set(l, instance->state, if_const(l, IF_DEAD));
}

static void bring_to_life(if_lowering *l, const if_statement *s, const if_instance *instance)
{
    const if_process *process = instance->process;
    for (uint32_t v = 0; v < process->param_count; v++)
        for (uint32_t k = 0; k < process->vars.at[v]->type->cells && !l->failed; k++) {
            const if_type *type = process->vars.at[v]->type;
            gy_expr *value = if_fit(l, if_cell(l, s->args.at[v], k),
                                    if_cell_type(s->args.at[v]->type, k), if_cell_type(type, k));
            gy_field field = if_store_cell(l, instance->vars[v], k);
            gy_action *action = if_action(l, GY_A_ASSIGN);
            action->var = field.var;
            action->index = field.index;
            action->expr = value;
        }
    if_set(l, instance->state, if_const(l, IF_FIRST_STATE + (int32_t)process->start));
}

static void give_pid(if_lowering *l, const if_statement *s, int32_t code)
{
    if (!s->target)
        return;
    gy_field field = if_target_cell(l, s->target, 0);
    gy_action *action = if_action(l, GY_A_ASSIGN);
    action->var = field.var;
    action->index = field.index;
    action->expr = if_const(l, code);
}

// The dead instance with the least number; an error if all are alive.
void if_lower_fork(if_lowering *l, const if_statement *s)
{
    const if_process *process = s->process;
    GY_VEC(uint32_t) ends = {0};
    for (int32_t i = 0; i < process->most_count && !l->failed; i++) {
        const if_instance *instance = &l->instances[process->first + (uint32_t)i];
        gy_expr *dead =
            if_binary(l, GY_E_EQ, if_read(l, instance->state, NULL), if_const(l, IF_DEAD));
        uint32_t test = if_test(l, dead);
        bring_to_life(l, s, instance);
        give_pid(l, s, instance->code);
        gy_vec_push(&ends, if_jump(l, 0));
        if_otherwise(l, test, if_here(l));
    }
    gy_action *none = if_action(l, GY_A_ASSERT);
    none->expr = if_const(l, 0);
    none->text = gy_arena_printf(
        l->model->arena, "fork %s(): all its %d instances are alive (#instances[%d] allows more)",
        process->name.name, process->most_count, process->most_count + 1);
    give_pid(l, s, IF_NIL);
    for (size_t i = 0; i < ends.n; i++)
        l->effect->at[ends.at[i]].target = if_here(l);
    gy_vec_free(&ends);
}

void if_lower_kill(if_lowering *l, const if_statement *s)
{
    for (uint32_t i = 0; i < l->process_instances && !l->failed; i++) {
        const if_instance *instance = &l->instances[i];
        if (s->process && instance->process != s->process)
            continue;
        l->place = s->place;
        gy_expr *is =
            if_binary(l, GY_E_EQ, if_lower_expr(l, s->value), if_const(l, instance->code));
        if (is->op == GY_E_CONST && !is->value)
            continue;
        uint32_t test = if_test(l, is);
        if_bury(l, instance);
        if (instance == l->at) { // that was its last statement
            if_exit exit = {l->effect, if_jump(l, 0)};
            gy_vec_push(&l->exits, exit);
        }
        if_otherwise(l, test, if_here(l));
    }
}
