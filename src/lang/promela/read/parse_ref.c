// References: name[index].field[index] and what the names stand for.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

// A call of what is no inline.
static void report_call(pml_parser *p, pml_symbol *symbol, const pml_token *token)
{
    static const char *const builtin[] = {"printf", "printm", "assert", "select", "set_priority"};
    gy_diag *d = pml_error_at(p, token, "unknown inline `%s`", token->text);
    const char *best = NULL, *meant = pml_call_meant(token->text);
    unsigned distance = 0;
    for (size_t i = 0; i < p->names.n; i++)
        if (p->names.at[i]->inl)
            gy_nearest_offer(token->text, p->names.at[i]->text, &best, &distance);
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        gy_nearest_offer(token->text, builtin[i], &best, &distance);
    if (meant)
        gy_hint(d, "%s", meant);
    else if (best)
        gy_hint(d, "a similar name exists: `%s`", best);
    else
        gy_hint(d, "an inline must be defined before it is called, and a process is "
                   "started by `run`");
    p->panic = true;
    symbol->kind = PML_SYM_NEW; // other calls are other errors
}

static void report_undeclared(pml_parser *p, pml_symbol *symbol, const pml_token *token)
{
    const char *text = token->text;
    symbol->kind = PML_SYM_BAD;
    gy_diag *d;
    if (!strcmp(text, "while") || !strcmp(text, "switch") || !strcmp(text, "case") ||
        !strcmp(text, "elif") || !strcmp(text, "then")) {
        d = pml_error_at(p, token, "`%s` is not Promela", text);
        if (!strcmp(text, "while"))
            gy_hint(d, "a loop is `do :: condition -> ... :: else -> break od`");
        else
            gy_hint(d, "a choice is `if :: condition -> ... :: else -> ... fi`");
        p->panic = true;
        return;
    }
    if (p->ltl_mode && pml_branching_operator(text)) {
        d = pml_error_at(p, token, "`%s` is an operator of CTL, not of LTL", text);
        gy_hint(d, "%s", pml_branching_operator(text));
        p->panic = true;
        return;
    }
    if (pml_look_is(p, PML_P_LPAREN)) {
        report_call(p, symbol, token);
        return;
    }
    if (pml_look_is(p, PML_P_AT)) {
        d = pml_error_at(p, token, "unknown proctype `%s` here", text);
        gy_hint(d, "a proctype must be defined before its labels can be referred to");
        p->panic = true;
        return;
    }
    d = pml_error_at(p, token, "undeclared variable `%s`", text);
    pml_advise_name(p, d, text);
}

// The variable that a name stands for; NULL after an error.
static pml_var *find_variable(pml_parser *p, const pml_token *token)
{
    pml_class c = pml_classify(p, token);
    if (c != PML_C_NAME) {
        static const char *what[] = {"", "", "a constant", "a type", "a proctype", "an inline"};
        if (c == PML_C_OTHER) {
            pml_syntax_error(p, "expected a variable, found %s", pml_describe(p, token));
        } else if (!p->panic) {
            pml_error_at(p, token, "`%s` is %s, not a variable", token->text ? token->text : "?",
                         what[c]);
            p->panic = true;
        }
        return NULL;
    }
    pml_symbol *s = pml_lookup(p, pml_name_of(p, token->text), token->place);
    switch (s->kind) {
    case PML_SYM_VAR:
        if (p->noted)
            pml_note_reference(p, s->var, token->place, token->length);
        return s->var;
    case PML_SYM_NEW:
        if (!p->panic)
            report_undeclared(p, s, token);
        return NULL;
    case PML_SYM_LABEL:
        pml_error_at(p, token, "`%s` is a label, not a variable", token->text);
        s->kind = PML_SYM_BAD;
        return NULL;
    default:
        return NULL;
    }
}

// field: name [ '[' expr ']' ]
void pml_parse_index(pml_parser *p, pml_ref_part *part, const char *name, pml_ref_use use)
{
    const pml_var *var = part->var;
    if (pml_look_is(p, PML_P_LBRACKET)) {
        pml_advance(p);
        pml_ref_use saved = p->expr_use;
        p->expr_use = p->in_for_head ? PML_R_FOR : PML_R_VALUE;
        if (pml_enter(p, "indices")) {
            part->index = pml_parse_expr(p);
            pml_leave(p);
        } else {
            part->index = pml_number(p, 0, part->place, 1);
        }
        p->expr_use = saved;
        pml_expect(p, PML_P_RBRACKET, "after the index");
        int64_t value;
        bool constant = pml_constant_value(part->index, &value);
        if (var && !var->is_array) {
            if (part->index->kind == PML_X_NUMBER && part->index->value == 0) {
                part->index = NULL; // x[0] is x
            } else {
                gy_diag *d = gy_error(p->diags, part->index->place, "`%s` is not an array", name);
                d->length = part->index->length;
            }
        } else if (var && constant && (value < 0 || value >= (int64_t)var->count)) {
            gy_diag *d = gy_warn(p->diags, part->index->place, "index %lld is outside of `%s[%u]`",
                                 (long long)value, name, var->count);
            d->length = part->index->length;
        }
    } else if (pml_look_is(p, PML_P_ALWAYS)) {
        pml_syntax_error(p, "expected an index between `[` and `]`");
    } else if (var && var->is_array && use != PML_R_FOR) {
        gy_diag *d = gy_error(p->diags, part->place, "missing index: `%s` is an array", name);
        d->length = (uint32_t)strlen(name);
    }
}

// reference: field { '.' field }
pml_ref pml_parse_ref_from(pml_parser *p, pml_token first, pml_ref_use use, uint32_t *length)
{
    pml_ref ref = {0};
    pml_var *var = find_variable(p, &first);
    pml_ref_part part = {.var = var, .place = first.place};
    const char *name = first.text ? first.text : "";
    bool good = var != NULL;
    pml_parse_index(p, &part, name, use);
    if (good)
        PML_PUSH(p, ref.parts, ref.part_count, part);
    while (pml_look_is(p, PML_P_DOT)) {
        pml_advance(p);
        pml_token field = *pml_look(p);
        if (pml_classify(p, &field) != PML_C_NAME) {
            if (field.text && field.kind == PML_T_NAME) {
                pml_advance(p);
                if (good)
                    pml_error_at(p, &field, "`%s` cannot be a field: the name means something else",
                                 field.text);
                good = false;
            } else {
                pml_syntax_error(p, "expected a field name after `.`");
                break;
            }
        } else {
            pml_advance(p);
        }
        pml_var *member = NULL;
        if (good && (var->type.kind != PML_TY_STRUCT || !var->type.record)) {
            pml_error_at(p, &field, "`%s` has no fields: it is of type %s", name,
                         pml_type_name(p, &var->type));
        } else if (good) {
            const pml_typedef *record = var->type.record;
            member = pml_pair_get(&p->members, record, field.text);
            if (!member) {
                gy_diag *d = pml_error_at(p, &field, "type `%s` has no field `%s`", record->name,
                                          field.text);
                const char *best = NULL;
                unsigned distance = 0;
                for (uint32_t i = 0; i < record->member_count; i++)
                    gy_nearest_offer(field.text, record->members[i]->name, &best, &distance);
                if (best)
                    gy_hint(d, "a similar name exists: `%s`", best);
            }
        }
        if (member && p->noted)
            pml_note_reference(p, member, field.place, field.length);
        part = (pml_ref_part){.var = member, .place = field.place};
        name = field.text;
        pml_parse_index(p, &part, name, use);
        var = member;
        good = good && member;
        if (good)
            PML_PUSH(p, ref.parts, ref.part_count, part);
    }
    *length = pml_span(p, first.place, first.length);
    if (!good) {
        ref = (pml_ref){0};
    } else if (use == PML_R_VALUE && var->type.kind == PML_TY_STRUCT) {
        gy_diag *d =
            gy_error(p->diags, first.place, "`%s` is a structure: name one of its fields", name);
        d->length = *length;
        if (var->type.record && var->type.record->member_count)
            gy_hint(d, "for example `%s.%s`", name, var->type.record->members[0]->name);
        ref = (pml_ref){0};
    }
    return ref;
}

pml_ref pml_parse_ref(pml_parser *p, pml_ref_use use, uint32_t *length)
{
    pml_token first = *pml_look(p);
    if (first.kind == PML_T_NAME)
        pml_advance(p);
    else
        first.text = NULL;
    if (first.kind != PML_T_NAME) {
        pml_syntax_error(p, "expected a variable, found %s", pml_describe(p, &first));
        *length = 1;
        return (pml_ref){0};
    }
    return pml_parse_ref_from(p, first, use, length);
}
