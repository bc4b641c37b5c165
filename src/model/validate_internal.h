// Shared by the validate*.c files only.
#ifndef GYRE_MODEL_VALIDATE_INTERNAL_H
#define GYRE_MODEL_VALIDATE_INTERNAL_H

#include "model/validate.h"

typedef struct gy_validation {
    const gy_model *model;
    gy_model_stage stage;
    gy_text *why;
    gy_text where; // "edge 3 of P"
} gy_validation;

// Says what is wrong there; always false.
bool gy_is_invalid(gy_validation *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Expressions and effects as they are evaluated by a process of template `tmpl`, or by nothing
// (GY_NONE): then no local variable may be named. NULL is no expression.
bool gy_validate_expr(gy_validation *v, const gy_expr *expr, int32_t tmpl);
bool gy_validate_message(gy_validation *v, const gy_field *fields, uint32_t count, bool sends,
                         int32_t tmpl);
bool gy_validate_program(gy_validation *v, const gy_program *program, int32_t tmpl);
bool gy_validate_formula(gy_validation *v, const gy_formula *formula);
bool gy_validate_variable(gy_validation *v, int32_t var, const gy_expr *index, int32_t tmpl);
// Filled in by layout.h: within the blocks, and apart from each other.
bool gy_validate_layout(gy_validation *v);

static inline bool gy_is_number(int32_t number, uint32_t count)
{
    return number >= 0 && (uint32_t)number < count;
}

#endif
