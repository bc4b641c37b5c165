// Lists of arguments: of run, printf, sends and receives.
#include "lang/promela/read/parser.h"

// args: expr { ',' expr }
void pml_parse_args(pml_parser *p, pml_expr ***args, uint32_t *count, pml_ref_use use)
{
    pml_ref_use saved = p->expr_use;
    p->expr_use = use;
    do {
        pml_expr *e = pml_parse_expr(p);
        PML_PUSH(p, *args, *count, e);
    } while (!p->panic && pml_accept(p, PML_P_COMMA));
    p->expr_use = saved;
}

// send args: expr { ',' expr } | expr '(' expr { ',' expr } ')'
void pml_parse_send_args(pml_parser *p, pml_expr ***args, uint32_t *count)
{
    pml_ref_use saved = p->expr_use;
    p->expr_use = PML_R_MESSAGE;
    pml_expr *first = pml_parse_expr(p);
    PML_PUSH(p, *args, *count, first);
    if (!p->panic && pml_look_is(p, PML_P_LPAREN)) {
        pml_advance(p);
        pml_parse_args(p, args, count, PML_R_MESSAGE);
        pml_expect(p, PML_P_RPAREN, "after the message");
    } else {
        while (!p->panic && pml_accept(p, PML_P_COMMA)) {
            pml_expr *e = pml_parse_expr(p);
            PML_PUSH(p, *args, *count, e);
        }
    }
    p->expr_use = saved;
    for (uint32_t i = 0; i < *count; i++) {
        if (pml_contains((*args)[i], PML_X_RUN)) {
            gy_diag *d = gy_error(p->diags, (*args)[i]->place, "`run` inside a message");
            d->length = (*args)[i]->length;
        }
    }
}

// receive arg: reference | eval ( expr ) | number | '-' number
static pml_expr *parse_receive_arg(pml_parser *p)
{
    pml_token t = *pml_look(p);
    if (t.kind == PML_T_EVAL) {
        pml_advance(p);
        pml_expr *e = pml_new_expr(p, PML_X_EVAL, t.place, t.length);
        pml_expect(p, PML_P_LPAREN, "after `eval`");
        pml_ref_use saved = p->expr_use;
        p->expr_use = PML_R_VALUE;
        e->a = p->panic ? pml_number(p, 0, t.place, 1) : pml_parse_expr(p);
        p->expr_use = saved;
        pml_expect(p, PML_P_RPAREN, "after the value of `eval`");
        e->length = pml_span(p, t.place, t.length);
        pml_deepen(p, e, e->a);
        return e;
    }
    if (pml_is(&t, PML_P_MINUS)) {
        pml_advance(p);
        pml_token number = *pml_look(p);
        if (pml_classify(p, &number) != PML_C_CONST) {
            pml_syntax_error(p, "expected a number after `-`");
            return pml_number(p, 0, t.place, 1);
        }
        pml_expr *e = pml_parse_operand(p);
        e->value = (int32_t) - (uint32_t)e->value;
        e->place = t.place;
        e->mtype = NULL;
        e->length = pml_span(p, t.place, t.length);
        return e;
    }
    pml_class c = pml_classify(p, &t);
    if (c == PML_C_CONST)
        return pml_parse_operand(p);
    if (c == PML_C_NAME) {
        pml_advance(p);
        uint32_t length;
        pml_ref ref = pml_parse_ref_from(p, t, PML_R_MESSAGE, &length);
        if (ref.part_count == 1 && ref.parts[0].var->role == PML_VAR_BUILTIN &&
            ref.parts[0].var->builtin != PML_BI_UNDERSCORE &&
            ref.parts[0].var->builtin != PML_BI_PRIORITY)
            gy_hint(pml_error_at(p, &t, "`%s` cannot be changed by a receive", t.text),
                    "`eval(%s)` matches its value", t.text);
        for (uint32_t i = 0; i < ref.part_count; i++)
            ref.parts[i].var->is_written = true;
        pml_expr *e = pml_var_expr(p, ref, length);
        e->place = t.place;
        return e;
    }
    gy_diag *d = pml_syntax_error(p, "expected a variable, a constant or `eval(...)`, found %s",
                                  pml_describe(p, &t));
    if (d)
        gy_hint(d, "a receive stores into variables and compares with constants");
    return pml_number(p, 0, t.place, 1);
}

// receive args: '(' args ')' | arg | arg ',' args | arg '(' args ')'
void pml_parse_receive_args(pml_parser *p, pml_expr ***args, uint32_t *count)
{
    uint32_t open = 0;
    bool first = true;
    while (!p->panic) {
        if (pml_look_is(p, PML_P_LPAREN)) {
            // Either a list all in parentheses, or the rest of one: both end with it.
            pml_advance(p);
            open++;
            first = true;
            continue;
        }
        if (!first && open > 0 && pml_look_is(p, PML_P_RPAREN))
            break;
        pml_expr *e = parse_receive_arg(p);
        PML_PUSH(p, *args, *count, e);
        first = false;
        if (pml_look_is(p, PML_P_LPAREN))
            continue;
        if (pml_accept(p, PML_P_COMMA)) {
            if (pml_look_is(p, PML_P_LPAREN))
                continue;
            first = true;
            continue;
        }
        break;
    }
    for (; open > 0 && !p->panic; open--)
        pml_expect(p, PML_P_RPAREN, "after the arguments of the receive");
}
