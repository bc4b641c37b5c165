// Constants: their values, and whether they fit.
#include "lang/promela/read/parser.h"

// The value of an expression of numbers, computed in 32 bits.
bool pml_constant_value(const pml_expr *e, int64_t *value)
{
    int64_t a, b;
    switch (e->kind) {
    case PML_X_NUMBER:
        *value = e->value;
        return true;
    case PML_X_NEG:
        if (!pml_constant_value(e->a, &a))
            return false;
        *value = (int32_t) - (uint32_t)a;
        return true;
    case PML_X_ADD:
    case PML_X_SUB:
    case PML_X_MUL:
        if (!pml_constant_value(e->a, &a) || !pml_constant_value(e->b, &b))
            return false;
        *value = (int32_t)(uint32_t)(e->kind == PML_X_ADD   ? a + b
                                     : e->kind == PML_X_SUB ? a - b
                                                            : a * b);
        return true;
    default:
        return false;
    }
}

static bool range_of(const pml_type *type, int64_t *low, int64_t *high)
{
    *low = 0;
    switch (type->kind) {
    case PML_TY_BIT:
    case PML_TY_BOOL:
        *high = 1;
        return true;
    case PML_TY_BYTE:
    case PML_TY_PID:
    case PML_TY_MTYPE:
        *high = 255;
        return true;
    case PML_TY_SHORT:
        *low = -32768;
        *high = 32767;
        return true;
    case PML_TY_UNSIGNED:
        *high = ((int64_t)1 << type->width) - 1;
        return true;
    default:
        return false;
    }
}

// A number where the name of an mtype belongs. 0, which no name stands for, says "none".
static void warn_number(pml_parser *p, const pml_type *type, const pml_expr *e, const char *what)
{
    gy_diag *d = gy_warn(p->diags, e->place, "%lld is a number, but %s is an mtype",
                         (long long)e->value, what);
    d->length = e->length;
    for (uint32_t i = 0; i < p->model->mtype_count; i++) {
        const pml_mtype_name *name = &p->model->mtypes[i];
        if (name->value == e->value && name->subtype == type->subtype) {
            gy_hint(d, "write `%s`, which stands for %lld", name->name, (long long)e->value);
            return;
        }
    }
    gy_hint(d, "none of its names stands for %lld", (long long)e->value);
}

void pml_warn_truncation(pml_parser *p, const pml_type *type, const pml_expr *e, const char *what)
{
    int64_t value, low, high;
    if (e && type->kind == PML_TY_MTYPE && e->kind == PML_X_NUMBER && !e->mtype && e->value > 0 &&
        e->value < 256)
        warn_number(p, type, e, what);
    if (!e || !range_of(type, &low, &high) || !pml_constant_value(e, &value) ||
        (value >= low && value <= high))
        return;
    gy_diag *d = gy_warn(p->diags, e->place, "%lld does not fit into %s, which holds %lld to %lld",
                         (long long)value, what, (long long)low, (long long)high);
    d->length = e->length;
}

// const_expr: number | '-' const_expr | '(' const_expr ')' | const_expr op const_expr
static bool const_operand(pml_parser *p, int32_t *value)
{
    pml_token t = *pml_look(p);
    if (pml_is(&t, PML_P_MINUS) || pml_is(&t, PML_P_LPAREN)) {
        if (!pml_enter(p, "parentheses"))
            return false;
        pml_advance(p);
        bool ok;
        if (pml_is(&t, PML_P_MINUS)) {
            ok = const_operand(p, value);
            *value = (int32_t) - (uint32_t)*value;
        } else {
            ok = pml_const_expr(p, value) && pml_expect(p, PML_P_RPAREN, "in the constant");
        }
        pml_leave(p);
        return ok;
    }
    if (pml_classify(p, &t) == PML_C_CONST) {
        pml_advance(p);
        *value = t.kind == PML_T_NAME ? p->model->mtypes[pml_name_of(p, t.text)->mtype - 1].value
                                      : (int32_t)t.value;
        return true;
    }
    gy_diag *d = pml_syntax_error(p, "expected a constant, found %s", pml_describe(p, &t));
    if (d && t.kind == PML_T_NAME)
        gy_hint(d, "only numbers can be used here: #define `%s`", t.text);
    return false;
}

static bool const_term(pml_parser *p, int32_t *value)
{
    if (!const_operand(p, value))
        return false;
    for (;;) {
        const pml_token *t = pml_look(p);
        if (!pml_is(t, PML_P_STAR) && !pml_is(t, PML_P_SLASH) && !pml_is(t, PML_P_PERCENT))
            return true;
        pml_token op = pml_advance(p);
        int32_t right;
        if (!const_operand(p, &right))
            return false;
        if (op.punct == PML_P_STAR) {
            *value = (int32_t)((uint32_t)*value * (uint32_t)right);
        } else if (right == 0) {
            pml_error_at(p, &op, "division by zero in a constant");
            *value = 1;
        } else if (right == -1) {
            *value = op.punct == PML_P_SLASH ? (int32_t) - (uint32_t)*value : 0;
        } else {
            *value = op.punct == PML_P_SLASH ? *value / right : *value % right;
        }
    }
}

bool pml_const_expr(pml_parser *p, int32_t *value)
{
    if (!const_term(p, value))
        return false;
    while (pml_look_is(p, PML_P_PLUS) || pml_look_is(p, PML_P_MINUS)) {
        bool plus = pml_look_is(p, PML_P_PLUS);
        pml_advance(p);
        int32_t right;
        if (!const_term(p, &right))
            return false;
        *value = (int32_t)(plus ? (uint32_t)*value + (uint32_t)right
                                : (uint32_t)*value - (uint32_t)right);
    }
    return true;
}
