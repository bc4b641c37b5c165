// Expressions and references.
//
// Binary operators by precedence climbing, so that a long chain costs no recursion; the
// depth of the tree is bounded all the same (PML_MAX_TREE_DEPTH), because everybody who
// walks over it later recurses.
#include "lang/promela/parser.h"

// ---- nodes --------------------------------------------------------------------------

pml_expr *pml_new_expr(pml_parser *p, pml_expr_kind kind, gy_place place, uint32_t length)
{
    pml_xexpr *x = GY_NEW(p->arena, pml_xexpr);
    x->e.kind = kind;
    x->e.place = place;
    x->e.length = length;
    x->depth = 1;
    return &x->e;
}

pml_expr *pml_number(pml_parser *p, int64_t value, gy_place place, uint32_t length)
{
    pml_expr *e = pml_new_expr(p, PML_X_NUMBER, place, length);
    e->value = value;
    return e;
}

pml_expr *pml_var_expr(pml_parser *p, pml_ref ref, uint32_t length)
{
    pml_expr *e =
        pml_new_expr(p, PML_X_VAR, ref.part_count ? ref.parts[0].place : p->last_place, length);
    e->ref = ref;
    if (ref.part_count == 0)
        return pml_number(p, 0, e->place, length); // after an error
    for (uint32_t i = 0; i < ref.part_count; i++) {
        if (ref.parts[i].index && XEXPR(ref.parts[i].index)->depth >= XEXPR(e)->depth)
            XEXPR(e)->depth = XEXPR(ref.parts[i].index)->depth + 1;
    }
    return e;
}

const pml_var *pml_ref_var(const pml_ref *ref)
{
    return ref->part_count ? ref->parts[ref->part_count - 1].var : NULL;
}

bool pml_ref_is_builtin(const pml_ref *ref, pml_builtin builtin)
{
    return ref->part_count == 1 && ref->parts[0].var->role == PML_VAR_BUILTIN &&
           ref->parts[0].var->builtin == builtin;
}

static void deepen(pml_parser *p, pml_expr *parent, const pml_expr *child)
{
    if (!child)
        return;
    pml_xexpr *x = XEXPR(parent);
    if (XEXPR(child)->depth >= x->depth)
        x->depth = XEXPR(child)->depth + 1;
    if (x->depth == PML_MAX_TREE_DEPTH && !p->gave_up) {
        gy_diag *d = gy_error(p->diags, parent->place, "this expression is nested too deeply");
        gy_hint(d, "more than %d operators depend on each other", PML_MAX_TREE_DEPTH);
        pml_give_up(p);
    }
}

bool pml_contains(const pml_expr *expr, pml_expr_kind kind)
{
    if (!expr)
        return false;
    if (expr->kind == kind || pml_contains(expr->a, kind) || pml_contains(expr->b, kind) ||
        pml_contains(expr->c, kind))
        return true;
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        if (pml_contains(expr->args[i], kind))
            return true;
    }
    for (uint32_t i = 0; i < expr->ref.part_count; i++) {
        if (pml_contains(expr->ref.parts[i].index, kind))
            return true;
    }
    return false;
}

// ---- references ---------------------------------------------------------------------

static uint32_t span(pml_parser *p, gy_place from, uint32_t at_least)
{
    if (from == p->last_place)
        return at_least;
    gy_place_info a = gy_place_lookup(p->sources, from);
    gy_place_info b = gy_place_lookup(p->sources, p->last_place);
    if (a.file == b.file && a.line == b.line && b.column > a.column)
        return b.column - a.column + p->last_length;
    return at_least;
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
    if (pml_look_is(p, PML_P_LPAREN)) {
        d = pml_error_at(p, token, "there is no inline `%s`", text);
        const char *best = NULL;
        unsigned distance = 0;
        for (size_t i = 0; i < p->name_room; i++) {
            if (p->names[i] && p->names[i]->inl)
                gy_nearest_offer(text, p->names[i]->text, &best, &distance);
        }
        if (best)
            gy_hint(d, "did you mean `%s`?", best);
        else
            gy_hint(d, "an inline must be defined before it is called, and a process is "
                       "started by `run`");
        p->panic = true;
        symbol->kind = PML_SYM_NEW; // other calls are other errors
        return;
    }
    if (pml_look_is(p, PML_P_AT)) {
        d = pml_error_at(p, token, "there is no proctype `%s` here", text);
        gy_hint(d, "a proctype must be defined before its labels can be referred to");
        p->panic = true;
        return;
    }
    d = pml_error_at(p, token, "undeclared variable `%s`", text);
    pml_suggest_name(p, d, text);
}

// The variable that a name stands for; NULL after an error.
static pml_var *find_variable(pml_parser *p, const pml_token *token)
{
    pml_class c = pml_classify(p, token);
    if (c != PML_C_NAME) {
        static const char *what[] = {"", "", "a constant", "a type", "a proctype", "an inline"};
        if (c == PML_C_OTHER) {
            pml_syntax_error(p, "expected a variable");
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
static void parse_index(pml_parser *p, pml_ref_part *part, const char *name, pml_ref_use use)
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
    parse_index(p, &part, name, use);
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
                    gy_hint(d, "did you mean `%s`?", best);
            }
        }
        part = (pml_ref_part){.var = member, .place = field.place};
        name = field.text;
        parse_index(p, &part, name, use);
        var = member;
        good = good && member;
        if (good)
            PML_PUSH(p, ref.parts, ref.part_count, part);
    }
    *length = span(p, first.place, first.length);
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
        pml_syntax_error(p, "expected a variable");
        *length = 1;
        return (pml_ref){0};
    }
    return pml_parse_ref_from(p, first, use, length);
}

// ---- operators ----------------------------------------------------------------------

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
static void check_operand(pml_parser *p, pml_expr_kind kind, pml_expr *e)
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
    check_operand(p, kind, a);
    check_operand(p, kind, b);
    e->a = a;
    e->b = b;
    XEXPR(e)->probe = XEXPR(a)->probe || XEXPR(b)->probe;
    XEXPR(e)->temporal = is_temporal(kind) || XEXPR(a)->temporal || XEXPR(b)->temporal;
    deepen(p, e, a);
    deepen(p, e, b);
    return e;
}

static pml_expr *unary(pml_parser *p, pml_expr_kind kind, const pml_token *op, pml_expr *a)
{
    check_operand(p, kind, a);
    pml_expr *e = pml_new_expr(p, kind, op->place, span(p, op->place, op->length));
    e->a = a;
    XEXPR(e)->temporal = is_temporal(kind) || XEXPR(a)->temporal;
    deepen(p, e, a);
    return e;
}

// ---- operands -----------------------------------------------------------------------

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
            gy_diag *d = gy_warn(p->diags, left->place,
                                 "`a -> b -> c` means `(a -> b) -> c`, as in Spin");
            d->length = left->length;
            gy_hint(d, "use parentheses");
        }
        gy_place from = left->place;
        uint32_t length = left->length;
        left = pml_binary(p, op.kind, left, right);
        left->length = span(p, from, length);
    }
}

static pml_expr *finish(pml_parser *p, pml_expr *e, bool probe_ok)
{
    if (!probe_ok && XEXPR(e)->probe)
        check_operand(p, PML_X_EVAL, e);
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

// channel '?' '[' receive arguments ']'
pml_expr *pml_parse_poll(pml_parser *p, pml_ref ref, gy_place place, bool random)
{
    pml_advance(p); // [
    pml_expr *e = pml_new_expr(p, PML_X_POLL, place, 0);
    e->ref = ref;
    e->random = random;
    pml_parse_receive_args(p, &e->args, &e->arg_count);
    pml_expect(p, PML_P_RBRACKET, "after the arguments of the poll");
    e->length = span(p, place, 1);
    for (uint32_t i = 0; i < e->arg_count; i++)
        deepen(p, e, e->args[i]);
    if (ref.part_count) {
        gy_vec_push(&p->messages, ((pml_message_use){.channel = ref,
                                                     .args = e->args,
                                                     .arg_count = e->arg_count,
                                                     .place = place,
                                                     .random = random}));
    }
    return e;
}

static pml_expr *parse_name_operand(pml_parser *p)
{
    pml_token first = pml_advance(p);
    uint32_t length;
    pml_ref ref = pml_parse_ref_from(p, first, p->expr_use, &length);
    if (pml_look_is(p, PML_P_RCV) || pml_look_is(p, PML_P_RCVRAND)) {
        bool random = pml_look_is(p, PML_P_RCVRAND);
        pml_token op = pml_advance(p);
        if (pml_look_is(p, PML_P_LBRACKET))
            return pml_parse_poll(p, ref, first.place, random);
        if (!p->panic) {
            gy_diag *d = pml_error_at(p, &op, "a receive cannot be part of an expression");
            gy_hint(d, "`%s?[...]` tests for a message without receiving it", first.text);
            p->panic = true;
        }
    }
    if (pml_ref_is_builtin(&ref, PML_BI_UNDERSCORE) && !p->in_trace) {
        pml_error_at(p, &first, "`_` has no value: it can only be written");
        ref.part_count = 0;
    } else if (ref.part_count == 1 && ref.parts[0].var->role == PML_VAR_BUILTIN) {
        switch (ref.parts[0].var->builtin) {
        case PML_BI_LAST:
            p->model->uses_last = true;
            break;
        case PML_BI_PRIORITY:
            p->model->uses_priority = true;
            break;
        case PML_BI_NONE: { // _p: the state that this process is in
            pml_expr *e = pml_new_expr(p, PML_X_PC_VALUE, first.place, first.length);
            pml_ref pid = {0};
            pml_ref_part part = {.var = p->builtins[1], .place = first.place};
            PML_PUSH(p, pid.parts, pid.part_count, part);
            e->a = pml_var_expr(p, pid, first.length);
            deepen(p, e, e->a);
            p->model->uses_pc_value = true;
            return e;
        }
        default:
            break;
        }
    }
    for (uint32_t i = 0; i < ref.part_count; i++)
        ref.parts[i].var->is_read = true;
    pml_expr *e = pml_var_expr(p, ref, length);
    e->place = first.place;
    return e;
}

// len ( channel ) and its like
static pml_expr *parse_channel_function(pml_parser *p, pml_expr_kind kind)
{
    pml_token word = pml_advance(p);
    pml_expr *e = pml_new_expr(p, kind, word.place, word.length);
    pml_expect(p, PML_P_LPAREN, "before the channel");
    uint32_t length;
    if (!p->panic) {
        e->ref = pml_parse_ref(p, p->expr_use == PML_R_FOR ? PML_R_FOR : PML_R_VALUE, &length);
        pml_expect(p, PML_P_RPAREN, "after the channel");
    }
    e->length = span(p, word.place, word.length);
    const pml_var *var = pml_ref_var(&e->ref);
    if (var && var->type.kind != PML_TY_CHAN) {
        if (kind == PML_X_LEN) {
            gy_diag *d = gy_warn(p->diags, e->ref.parts[0].place,
                                 "`%s` is not declared as a channel", var->name);
            d->length = (uint32_t)strlen(var->name);
        } else {
            gy_diag *d =
                gy_error(p->diags, e->ref.parts[0].place, "`%s` is not a channel", var->name);
            d->length = (uint32_t)strlen(var->name);
        }
    }
    XEXPR(e)->probe = kind != PML_X_LEN;
    return e;
}

// enabled ( expr ) and its like
static pml_expr *parse_process_function(pml_parser *p, pml_expr_kind kind)
{
    pml_token word = pml_advance(p);
    pml_expr *e = pml_new_expr(p, kind, word.place, word.length);
    pml_expect(p, PML_P_LPAREN, "before the process number");
    e->a = p->panic ? pml_number(p, 0, word.place, 1) : pml_parse_expr(p);
    pml_expect(p, PML_P_RPAREN, "after the process number");
    e->length = span(p, word.place, word.length);
    deepen(p, e, e->a);
    bool outside = p->proc && p->proc->p.kind != PML_PROC_NEVER;
    if (kind == PML_X_ENABLED) {
        p->model->uses_enabled = true;
        if (!p->enabled_place)
            p->enabled_place = word.place;
        if (outside && !p->warned_enabled) {
            pml_token at = word;
            p->warned_enabled = true;
            gy_diag *d = gy_warn(p->diags, at.place, "`enabled` is meant for never claims");
            d->length = at.length;
        }
    } else if (kind == PML_X_PC_VALUE) {
        p->model->uses_pc_value = true;
        if (outside && !p->warned_pc_value) {
            p->warned_pc_value = true;
            gy_diag *d = gy_warn(p->diags, word.place, "`pc_value` is meant for never claims");
            d->length = word.length;
        }
    } else {
        p->model->uses_priority = true;
    }
    return e;
}

// run name ( [args] ) [ priority number ]
static pml_expr *parse_run(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_expr *e = pml_new_expr(p, PML_X_RUN, word.place, word.length);
    pml_token name = *pml_look(p);
    pml_class c = pml_classify(p, &name);
    if (c != PML_C_NAME && c != PML_C_PROC) {
        if (name.kind == PML_T_NAME && !p->panic) {
            pml_error_at(p, &name, "`%s` is not a proctype", name.text);
            p->panic = true;
        } else {
            pml_syntax_error(p, "expected the name of a proctype after `run`");
        }
        return e;
    }
    pml_advance(p);
    if (!p->proc) {
        pml_error_at(p, &word, "`run` can only be used inside a process");
    } else if (c == PML_C_NAME) {
        pml_symbol *s = pml_lookup(p, pml_name_of(p, name.text), name.place);
        if (s->kind == PML_SYM_VAR || s->kind == PML_SYM_LABEL) {
            pml_error_at(p, &name, "`%s` is not a proctype", name.text);
            name.text = NULL;
        }
    }
    if (p->d_step_depth)
        gy_hint(pml_error_at(p, &word, "`run` inside a `d_step`"), "use `atomic` instead");
    pml_expect(p, PML_P_LPAREN, "before the arguments of `run`");
    if (!p->panic) {
        if (!pml_look_is(p, PML_P_RPAREN))
            pml_parse_args(p, &e->args, &e->arg_count, PML_R_MESSAGE);
        pml_expect(p, PML_P_RPAREN, "after the arguments of `run`");
    }
    if (!p->panic && pml_look(p)->kind == PML_T_PRIORITY) {
        pml_advance(p);
        pml_token number = *pml_look(p);
        if (pml_classify(p, &number) != PML_C_CONST) {
            pml_syntax_error(p, "expected a number after `priority`");
        } else {
            pml_advance(p);
            p->model->uses_priority = true;
            int64_t value = number.kind == PML_T_NAME
                                ? p->model->mtypes[pml_name_of(p, number.text)->mtype - 1].value
                                : number.value;
            if (value < 0 || value > 255)
                pml_error_at(p, &number, "a priority must be between 1 and 255");
            else
                e->priority = (int32_t)value;
        }
    }
    e->length = span(p, word.place, word.length);
    for (uint32_t i = 0; i < e->arg_count; i++)
        deepen(p, e, e->args[i]);
    if (name.text) {
        pml_run_use use = {e, pml_name_of(p, name.text), name.place, name.length};
        gy_vec_push(&p->runs, use);
    }
    return e;
}

// proctype [ '[' expr ']' ] ( '@' label | ':' variable [ '[' expr ']' ] )
static pml_expr *parse_remote(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_proc *proc = pml_name_of(p, word.text)->proc;
    pml_expr *pid = NULL;
    if (pml_look_is(p, PML_P_LBRACKET)) {
        pml_advance(p);
        pml_ref_use saved = p->expr_use;
        p->expr_use = PML_R_VALUE;
        pid = pml_parse_expr(p);
        p->expr_use = saved;
        pml_expect(p, PML_P_RBRACKET, "after the process number");
    }
    pml_expr *e;
    if (pml_look_is(p, PML_P_AT)) {
        pml_advance(p);
        e = pml_new_expr(p, PML_X_REMOTE_LABEL, word.place, word.length);
        pml_token label = *pml_look(p);
        if (pml_classify(p, &label) != PML_C_NAME) {
            pml_syntax_error(p, "expected a label after `@`");
            return e;
        }
        pml_advance(p);
        e->label_name = label.text;
        e->label = pml_remote_label(p, proc, &label);
        if (p->d_step_depth)
            pml_error_at(p, &word, "reference to a label of another process inside a `d_step`");
        // Spin looks the label up as a name of this place.
        pml_symbol *s = pml_lookup(p, pml_name_of(p, label.text), label.place);
        if (s->kind == PML_SYM_NEW)
            s->kind = PML_SYM_LABEL;
        else if (s->kind == PML_SYM_VAR)
            pml_error_at(p, &label, "`%s` is a variable here, not only a label", label.text);
    } else if (pml_look_is(p, PML_P_COLON)) {
        pml_advance(p);
        e = pml_new_expr(p, PML_X_REMOTE_VAR, word.place, word.length);
        pml_token name = *pml_look(p);
        if (pml_classify(p, &name) != PML_C_NAME) {
            pml_syntax_error(p, "expected a variable of `%s` after `:`", word.text);
            return e;
        }
        pml_advance(p);
        pml_ref_part part = {.var = pml_pair_get(&p->remotes, proc, name.text),
                             .place = name.place};
        if (!part.var) {
            gy_diag *d =
                pml_error_at(p, &name, "proctype `%s` has no variable `%s`", word.text, name.text);
            const char *best = NULL;
            unsigned distance = 0;
            for (uint32_t i = 0; i < proc->local_count; i++)
                gy_nearest_offer(name.text, proc->locals[i]->name, &best, &distance);
            for (uint32_t i = 0; i < proc->param_count; i++)
                gy_nearest_offer(name.text, proc->params[i]->name, &best, &distance);
            if (best && !strcmp(best, name.text))
                gy_hint(d, "`%s` is declared in an inner block, which cannot be seen from outside",
                        best);
            else if (best)
                gy_hint(d, "did you mean `%s`?", best);
        }
        parse_index(p, &part, name.text, PML_R_VALUE);
        if (part.var && part.var->type.kind == PML_TY_STRUCT)
            pml_error_at(p, &name, "a structure of another process cannot be read");
        if (part.var) {
            part.var->is_read = true;
            PML_PUSH(p, e->ref.parts, e->ref.part_count, part);
            deepen(p, e, part.index);
        }
    } else {
        gy_diag *d = pml_syntax_error(p, "expected `@label` or `:variable` after the proctype `%s`",
                                      word.text);
        if (d)
            gy_hint(d, "`%s` is a proctype, not a variable", word.text);
        return pml_number(p, 0, word.place, word.length);
    }
    e->proc = proc;
    e->a = pid;
    e->length = span(p, word.place, word.length);
    deepen(p, e, pid);
    return e;
}

// Spin refuses a c_expr that looks as if it changed something.
static bool has_side_effect(const char *code)
{
    while (*code == ' ')
        code++;
    const char *call = strchr(code, '(');
    if (call && call > code &&
        ((call[-1] >= '0' && call[-1] <= '9') || (call[-1] >= 'a' && call[-1] <= 'z') ||
         (call[-1] >= 'A' && call[-1] <= 'Z')) &&
        strncmp(code, "spin_mutex_free(", 16) != 0)
        return true;
    static const char *patterns[] = {";", "++", "--"};
    for (size_t i = 0; i < 3; i++) {
        const char *at = strstr(code, patterns[i]);
        if (at && (at == code || (at[-1] != '"' && at[-1] != '\'')))
            return true;
    }
    for (const char *at = code; (at = strchr(at, '=')) != NULL;) {
        char before = at > code ? at[-1] : ' ';
        if (before == '!' || before == '>' || before == '<' || before == '"' || before == '\'') {
            at += at[1] ? 2 : 1;
            continue;
        }
        at++;
        if (*at != '=')
            return true;
        at++;
    }
    return false;
}

static pml_expr *parse_c_expr(pml_parser *p)
{
    pml_token word = pml_advance(p);
    pml_expr *e = pml_new_expr(p, PML_X_C_EXPR, word.place, word.length);
    e->c_block = pml_parse_c_block(p);
    if (e->c_block && has_side_effect(e->c_block->code)) {
        gy_diag *d = pml_error_at(p, &word, "this `c_expr` may have side effects");
        gy_hint(d, "assignments and function calls belong into `c_code`");
    }
    return e;
}

// '(' expr ')' | '(' expr '->' expr ':' expr ')'
static pml_expr *parse_parenthesised(pml_parser *p)
{
    pml_token open = pml_advance(p);
    if (!pml_enter(p, "parentheses"))
        return pml_number(p, 0, open.place, 1);
    pml_expr *e = parse_binary(p, parse_unary(p), 1);
    if (!p->panic && pml_look_is(p, PML_P_ARROW) && !p->ltl_mode) {
        pml_advance(p);
        pml_expr *cond = pml_new_expr(p, PML_X_COND, e->place, 1);
        cond->a = e;
        cond->b = pml_parse_expr(p);
        if (!p->panic && !pml_look_is(p, PML_P_COLON)) {
            gy_diag *d = pml_syntax_error(p, "expected `:` and another value");
            if (d)
                gy_hint(d, "a conditional value is `(condition -> value : value)`");
        } else if (!p->panic) {
            pml_advance(p);
        }
        cond->c = p->panic ? pml_number(p, 0, open.place, 1) : pml_parse_expr(p);
        check_operand(p, PML_X_COND, cond->a);
        check_operand(p, PML_X_COND, cond->b);
        check_operand(p, PML_X_COND, cond->c);
        deepen(p, cond, cond->a);
        deepen(p, cond, cond->b);
        deepen(p, cond, cond->c);
        e = cond;
    }
    pml_leave(p);
    if (!p->panic && pml_look_is(p, PML_P_ASSIGN)) {
        gy_diag *d = pml_syntax_error(p, "`=` inside a condition");
        if (d)
            gy_hint(d, "`=` assigns; `==` compares");
    } else if (!p->panic && !pml_look_is(p, PML_P_RPAREN)) {
        gy_diag *d = pml_syntax_error(p, "expected `)`, found %s", pml_describe(p, pml_look(p)));
        if (d)
            gy_note(p->diags, open.place, "the `(` is here");
    } else if (!p->panic) {
        pml_advance(p);
    }
    XEXPR(e)->parens = true;
    return e;
}

static void unexpected_value(pml_parser *p, const pml_token *t)
{
    gy_diag *d = pml_syntax_error(p, "expected a value, found %s", pml_describe(p, t));
    if (d && pml_is(t, PML_P_ASSIGN))
        gy_hint(d, "there is no `+=`: write `x = x + 1`; `==` compares");
    else if (d && pml_is_separator(t) && t->length == 0)
        gy_hint(d, "a line break ends the statement here");
}

// operand: number | reference | function | '(' expr ')' | …
static pml_expr *parse_operand(pml_parser *p)
{
    const pml_token *t = pml_look(p);
    switch (t->kind) {
    case PML_T_NUMBER:
    case PML_T_SKIP: {
        pml_token number = pml_advance(p);
        return pml_number(p, number.value, number.place, number.length);
    }
    case PML_T_NAME:
        switch (pml_classify(p, t)) {
        case PML_C_CONST: {
            pml_token word = pml_advance(p);
            const pml_mtype_name *m = &p->model->mtypes[pml_name_of(p, word.text)->mtype - 1];
            pml_expr *e = pml_number(p, m->value, word.place, word.length);
            e->mtype = m->name;
            return e;
        }
        case PML_C_PROC:
            return parse_remote(p);
        case PML_C_INLINE: {
            gy_diag *d =
                pml_syntax_error(p, "the inline `%s` cannot be called in an expression", t->text);
            if (d)
                gy_hint(d, "call it as a statement, or as `variable = %s(...)`", t->text);
            break;
        }
        case PML_C_TYPE:
            pml_syntax_error(p, "expected a value, found the type `%s`", t->text);
            break;
        default:
            return parse_name_operand(p);
        }
        break;
    case PML_T_PUNCT:
        if (t->punct == PML_P_LPAREN)
            return parse_parenthesised(p);
        if (t->punct == PML_P_SNDSORT) {
            gy_diag *d = pml_syntax_error(p, "`!!` is the sorted send, not a double negation");
            if (d)
                gy_hint(d, "write `!(!x)`, or `(x != 0)`");
            break;
        }
        unexpected_value(p, t);
        break;
    case PML_T_LEN:
        return parse_channel_function(p, PML_X_LEN);
    case PML_T_FULL:
        return parse_channel_function(p, PML_X_FULL);
    case PML_T_NFULL:
        return parse_channel_function(p, PML_X_NFULL);
    case PML_T_EMPTY:
        return parse_channel_function(p, PML_X_EMPTY);
    case PML_T_NEMPTY:
        return parse_channel_function(p, PML_X_NEMPTY);
    case PML_T_ENABLED:
        return parse_process_function(p, PML_X_ENABLED);
    case PML_T_PC_VALUE:
        return parse_process_function(p, PML_X_PC_VALUE);
    case PML_T_GET_PRIORITY:
        return parse_process_function(p, PML_X_GET_PRIORITY);
    case PML_T_RUN:
        return parse_run(p);
    case PML_T_C_EXPR:
        return parse_c_expr(p);
    case PML_T_TIMEOUT: {
        pml_token word = pml_advance(p);
        return pml_new_expr(p, PML_X_TIMEOUT, word.place, word.length);
    }
    case PML_T_NP: {
        pml_token word = pml_advance(p);
        if (p->proc && p->proc->p.kind != PML_PROC_NEVER)
            pml_error_at(p, &word, "`np_` can only be used in a never claim or ltl formula");
        p->model->uses_np = true;
        return pml_new_expr(p, PML_X_NP, word.place, word.length);
    }
    case PML_T_ELSE:
        pml_syntax_error(p, "`else` stands alone: it cannot be part of an expression");
        break;
    case PML_T_EVAL:
        pml_syntax_error(p, "`eval` can only be used in the arguments of a receive");
        break;
    default:
        pml_syntax_error(p, "expected a value, found %s", pml_describe(p, t));
        break;
    }
    return pml_number(p, 0, pml_look(p)->place, 1);
}

// unary: { '!' | '-' | '~' | '[]' | '<>' | 'X' } operand
static pml_expr *parse_unary(pml_parser *p)
{
    const pml_token *t = pml_look(p);
    pml_expr_kind kind;
    int word = ltl_word(p, t);
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
        return parse_operand(p);
    }
    pml_token op = pml_advance(p);
    if (!pml_enter(p, "operators"))
        return pml_number(p, 0, op.place, 1);
    pml_expr *e = unary(p, kind, &op, parse_unary(p));
    pml_leave(p);
    return e;
}

// ---- argument lists -----------------------------------------------------------------

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
        e->length = span(p, t.place, t.length);
        deepen(p, e, e->a);
        return e;
    }
    if (pml_is(&t, PML_P_MINUS)) {
        pml_advance(p);
        pml_token number = *pml_look(p);
        if (pml_classify(p, &number) != PML_C_CONST) {
            pml_syntax_error(p, "expected a number after `-`");
            return pml_number(p, 0, t.place, 1);
        }
        pml_expr *e = parse_operand(p);
        e->value = (int32_t) - (uint32_t)e->value;
        e->place = t.place;
        e->mtype = NULL;
        e->length = span(p, t.place, t.length);
        return e;
    }
    pml_class c = pml_classify(p, &t);
    if (c == PML_C_CONST)
        return parse_operand(p);
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
