#include "model/assertions.h"

static bool is_false(const gy_expr *expr)
{
    return expr && expr->op == GY_E_CONST && expr->value == 0;
}

bool gy_program_only_fails(const gy_program *program)
{
    const gy_action *first = program && program->count ? &program->actions[0] : NULL;
    return first && first->kind == GY_A_TEST && is_false(first->expr);
}

static bool asserts(const gy_program *program, bool what_is_false)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_ASSERT &&
            is_false(program->actions[i].expr) == what_is_false)
            return true;
    return false;
}

bool gy_program_asserts(const gy_program *program)
{
    return asserts(program, false);
}

bool gy_program_asserts_false(const gy_program *program)
{
    return asserts(program, true);
}
