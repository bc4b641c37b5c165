// Expressions: operators and their precedence.
//
// Binary operators by precedence climbing, so that a long chain costs no recursion; the
// depth of the tree is bounded nevertheless (PML_MAX_TREE_DEPTH), since whatever traverses
// it later recurses.
#include "lang/promela/read/parser.h"

typedef struct operator_info {
    pml_expr_kind kind;
    int precedence; // 0: not a binary operator
} operator_info;

static const struct {
    const char *word;
    pml_expr_kind kind;
    int precedence;    // 0: a prefix operator
    bool only_if_free; // other tools write it so: an operator unless a name is declared
} ltl_words[] = {
    {"U", PML_X_UNTIL, 5, false},
    {"V", PML_X_RELEASE, 5, false},
    {"W", PML_X_WEAK_UNTIL, 5, false},
    {"X", PML_X_NEXT, 0, false},
    {"always", PML_X_ALWAYS, 0, false},
    {"eventually", PML_X_EVENTUALLY, 0, false},
    {"until", PML_X_UNTIL, 5, false},
    {"stronguntil", PML_X_UNTIL, 5, false},
    {"weakuntil", PML_X_WEAK_UNTIL, 5, false},
    {"release", PML_X_RELEASE, 5, false},
    {"next", PML_X_NEXT, 0, false},
    {"implies", PML_X_IMPLIES, 1, false},
    {"equivalent", PML_X_EQUIV, 1, false},
    {"G", PML_X_ALWAYS, 0, true},
    {"F", PML_X_EVENTUALLY, 0, true},
    {"R", PML_X_RELEASE, 5, true},
    {"M", PML_X_STRONG_RELEASE, 5, true},
    {"not", PML_X_NOT, 0, true},
};

// The ltl operator that a word stands for, or -1.
static int ltl_word(pml_parser *p, const pml_token *t)
{
    if (!p->ltl_mode || t->kind != PML_T_NAME)
        return -1;
    for (size_t i = 0; i < sizeof ltl_words / sizeof *ltl_words; i++) {
        if (strcmp(ltl_words[i].word, t->text) != 0)
            continue;
        if (ltl_words[i].only_if_free) {
            const pml_name *name = pml_name_of(p, t->text);
            if (name->mtype || name->proc || name->type ||
                (name->symbol && name->symbol->kind == PML_SYM_VAR))
                return -1;
        }
        return (int)i;
    }
    return -1;
}

static operator_info binary_operator(pml_parser *p, const pml_token *t)
{
    if (t->kind == PML_T_NAME) {
        int word = ltl_word(p, t);
        if (word >= 0)
            return (operator_info){ltl_words[word].kind, ltl_words[word].precedence};
        return (operator_info){0};
    }
    if (t->kind != PML_T_PUNCT)
        return (operator_info){0};
    switch (t->punct) {
    case PML_P_OROR:
        return (operator_info){PML_X_OR, 2};
    case PML_P_ANDAND:
        return (operator_info){PML_X_AND, 3};
    case PML_P_BAR:
        return (operator_info){PML_X_BITOR, 7};
    case PML_P_CARET:
        return (operator_info){PML_X_BITXOR, 8};
    case PML_P_AMP:
        return (operator_info){PML_X_BITAND, 9};
    case PML_P_EQ:
        return (operator_info){PML_X_EQ, 10};
    case PML_P_NE:
        return (operator_info){PML_X_NE, 10};
    case PML_P_LT:
        return (operator_info){PML_X_LT, 11};
    case PML_P_GT:
        return (operator_info){PML_X_GT, 11};
    case PML_P_LE:
        return (operator_info){PML_X_LE, 11};
    case PML_P_GE:
        return (operator_info){PML_X_GE, 11};
    case PML_P_SHL:
        return (operator_info){PML_X_SHL, 12};
    case PML_P_SHR:
        return (operator_info){PML_X_SHR, 12};
    case PML_P_PLUS:
        return (operator_info){PML_X_ADD, 13};
    case PML_P_MINUS:
        return (operator_info){PML_X_SUB, 13};
    case PML_P_STAR:
        return (operator_info){PML_X_MUL, 14};
    case PML_P_SLASH:
        return (operator_info){PML_X_DIV, 14};
    case PML_P_PERCENT:
        return (operator_info){PML_X_MOD, 14};
    case PML_P_ARROW:
        return (operator_info){PML_X_IMPLIES, p->ltl_mode ? 1 : 0};
    case PML_P_EQUIV:
        return (operator_info){PML_X_EQUIV, p->ltl_mode ? 1 : 0};
    case PML_P_WEDGE:
        return (operator_info){PML_X_AND, p->formula_mode ? 3 : 0};
    case PML_P_VEE:
        return (operator_info){PML_X_OR, p->formula_mode ? 2 : 0};
    default:
        return (operator_info){0};
    }
}

static bool is_temporal(pml_expr_kind kind)
{
    return kind >= PML_X_ALWAYS && kind <= PML_X_STRONG_RELEASE;
}

static bool is_logical(pml_expr_kind kind)
{
    return kind == PML_X_AND || kind == PML_X_OR || kind == PML_X_NOT || kind == PML_X_IMPLIES ||
           kind == PML_X_EQUIV || is_temporal(kind);
}

static const char *probe_name(const pml_expr *e)
{
    switch (e->kind) {
    case PML_X_FULL:
        return "full";
    case PML_X_NFULL:
        return "nfull";
    case PML_X_EMPTY:
        return "empty";
    case PML_X_NEMPTY:
        return "nempty";
    default:
        return NULL;
    }
}

// A structure or a probe as an operand.
void pml_check_operand(pml_parser *p, pml_expr_kind kind, pml_expr *e)
{
    if (e->kind == PML_X_VAR && pml_ref_var(&e->ref)->type.kind == PML_TY_STRUCT) {
        gy_diag *d = gy_error(p->diags, e->place, "a structure cannot be an operand");
        d->length = e->length;
        gy_hint(d, "name one of its fields");
    }
    if (XEXPR(e)->probe && kind != PML_X_AND && kind != PML_X_OR) {
        static const char *opposite[][2] = {
            {"full", "nfull"}, {"nfull", "full"}, {"empty", "nempty"}, {"nempty", "empty"}};
        const char *name = probe_name(e);
        gy_diag *d = gy_error(p->diags, e->place, "`%s` may only be combined by `&&` and `||`",
                              name ? name : "full, nfull, empty and nempty");
        d->length = e->length;
        for (size_t i = 0; name && i < 4 && kind == PML_X_NOT; i++) {
            if (!strcmp(name, opposite[i][0]))
                gy_hint(d, "write `%s` for its negation", opposite[i][1]);
        }
        if (kind != PML_X_NOT || !name)
            gy_hint(d, "compare `len(channel)` instead");
        XEXPR(e)->probe = false;
    }
    if (XEXPR(e)->temporal && !is_logical(kind)) {
        gy_diag *d =
            gy_error(p->diags, e->place, "a temporal formula cannot be an operand of arithmetic");
        d->length = e->length;
        if (!XEXPR(e)->parens)
            gy_hint(d, "`[]`, `<>` and `X` bind tighter than any other operator: "
                       "put parentheses around what follows them");
        XEXPR(e)->temporal = false;
    }
}

pml_expr *pml_binary(pml_parser *p, pml_expr_kind kind, pml_expr *a, pml_expr *b)
{
    pml_expr *e = pml_new_expr(p, kind, a->place, 0);
    pml_check_operand(p, kind, a);
    pml_check_operand(p, kind, b);
    e->a = a;
    e->b = b;
    XEXPR(e)->probe = XEXPR(a)->probe || XEXPR(b)->probe;
    XEXPR(e)->temporal = is_temporal(kind) || XEXPR(a)->temporal || XEXPR(b)->temporal;
    pml_deepen(p, e, a);
    pml_deepen(p, e, b);
    return e;
}

static pml_expr *unary(pml_parser *p, pml_expr_kind kind, const pml_token *op, pml_expr *a)
{
    pml_check_operand(p, kind, a);
    pml_expr *e = pml_new_expr(p, kind, op->place, pml_span(p, op->place, op->length));
    e->a = a;
    XEXPR(e)->temporal = is_temporal(kind) || XEXPR(a)->temporal;
    pml_deepen(p, e, a);
    return e;
}

static pml_expr *parse_unary(pml_parser *p);

static pml_expr *parse_binary(pml_parser *p, pml_expr *left, int lowest)
{
    for (;;) {
        operator_info op = binary_operator(p, pml_look(p));
        if (op.precedence == 0 || op.precedence < lowest || p->panic)
            return left;
        pml_advance(p);
        pml_expr *right = parse_unary(p);
        for (;;) {
            operator_info next = binary_operator(p, pml_look(p));
            if (next.precedence <= op.precedence || p->panic)
                break;
            right = parse_binary(p, right, next.precedence);
        }
        if (op.kind == PML_X_IMPLIES && left->kind == PML_X_IMPLIES && !XEXPR(left)->parens) {
            gy_diag *d =
                gy_warn(p->diags, left->place, "`a -> b -> c` means `(a -> b) -> c`, as in Spin");
            d->length = left->length;
            gy_hint(d, "use parentheses");
        }
        gy_location from = left->place;
        uint32_t length = left->length;
        left = pml_binary(p, op.kind, left, right);
        left->length = pml_span(p, from, length);
    }
}

static pml_expr *finish(pml_parser *p, pml_expr *e, bool probe_ok)
{
    if (!probe_ok && XEXPR(e)->probe)
        pml_check_operand(p, PML_X_EVAL, e);
    if (!p->panic && pml_look_is(p, PML_P_SNDSORT) && p->ltl_mode)
        pml_syntax_error(p, "expected an operator");
    return e;
}

pml_expr *pml_parse_full_expr(pml_parser *p)
{
    return finish(p, parse_binary(p, parse_unary(p), 1), true);
}

pml_expr *pml_parse_expr(pml_parser *p)
{
    return finish(p, parse_binary(p, parse_unary(p), 1), false);
}

pml_expr *pml_parse_expr_from(pml_parser *p, pml_expr *first)
{
    return finish(p, parse_binary(p, first, 1), true);
}

// unary: { '!' | '-' | '~' | '[]' | '<>' | 'X' } (operand | quantified)
static pml_expr *parse_unary(pml_parser *p)
{
    const pml_token *t = pml_look(p);
    pml_expr_kind kind;
    int word = ltl_word(p, t);
    if (pml_is_quantifier(p, t))
        return pml_parse_quantified(p);
    if (word >= 0) {
        if (ltl_words[word].precedence != 0) {
            pml_syntax_error(p, "expected a value, found the operator `%s`", t->text);
            return pml_number(p, 0, t->place, 1);
        }
        kind = ltl_words[word].kind;
    } else if (pml_is(t, PML_P_SND)) {
        kind = PML_X_NOT;
    } else if (pml_is(t, PML_P_MINUS)) {
        kind = PML_X_NEG;
    } else if (pml_is(t, PML_P_TILDE)) {
        kind = PML_X_COMPL;
    } else if (p->ltl_mode && pml_is(t, PML_P_ALWAYS)) {
        kind = PML_X_ALWAYS;
    } else if (p->ltl_mode && pml_is(t, PML_P_EVENTUALLY)) {
        kind = PML_X_EVENTUALLY;
    } else {
        return pml_parse_operand(p);
    }
    pml_token op = pml_advance(p);
    if (!pml_enter(p, "operators"))
        return pml_number(p, 0, op.place, 1);
    pml_expr *e = unary(p, kind, &op, parse_unary(p));
    pml_leave(p);
    return e;
}
