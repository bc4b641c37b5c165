// The parser: operator precedence with two explicit stacks, so that no nesting is too deep for
// it. It builds a tree first: whether `(x)` is a formula or part of a comparison `(x) == 1` is
// known only later, and an atom must not be numbered before it is known.
//
// A node's `pure` says that it may be part of a state predicate: no temporal operator in it.
// Arithmetic on pure nodes gives an atom whose text is the source between its ends.
#include "lang/ltl/formula/formula_parse.h"

#include "lang/ltl/formula/parse_tree.h"

#include <string.h>

static gy_location place(parser *p, size_t at)
{
    return gy_place_at(p->sources, p->file, at);
}

gy_diag *ltl_parse_fail(parser *p, size_t start, size_t end, const char *message)
{
    gy_diag *diag = gy_error(p->diags, place(p, start), "%s", message);
    diag->length = (uint32_t)(end - start);
    p->failed = true;
    return diag;
}

// Smaller binds more strongly.
static int strength(const pending *op)
{
    switch (op->token.kind) {
    case LTL_T_NOT:
    case LTL_T_COMPLEMENT:
    case LTL_T_NEXT: // as in Promela: [] x == 1 is ([] x) == 1, which is no formula
    case LTL_T_ALWAYS:
    case LTL_T_EVENTUALLY:
        return 1;
    case LTL_T_TIMES:
        return 2;
    case LTL_T_PLUS:
        return op->prefix ? 1 : 3;
    case LTL_T_SHIFT:
        return 4;
    case LTL_T_ORDER:
        return 5;
    case LTL_T_EQUAL:
        return 6;
    case LTL_T_UNTIL:
    case LTL_T_WEAK:
    case LTL_T_RELEASE:
    case LTL_T_STRONG:
        return 8;
    case LTL_T_AND:
        return 9;
    case LTL_T_OR:
        return 10;
    case LTL_T_XOR:
        return 11;
    default:
        return 12;
    }
}

static gy_ltl_op operator_of(ltl_token_kind kind)
{
    switch (kind) {
    case LTL_T_NOT:
        return GY_LTL_OP_NOT;
    case LTL_T_NEXT:
        return GY_LTL_OP_X;
    case LTL_T_ALWAYS:
        return GY_LTL_OP_G;
    case LTL_T_EVENTUALLY:
        return GY_LTL_OP_F;
    case LTL_T_UNTIL:
        return GY_LTL_OP_U;
    case LTL_T_WEAK:
        return GY_LTL_OP_W;
    case LTL_T_RELEASE:
        return GY_LTL_OP_R;
    case LTL_T_STRONG:
        return GY_LTL_OP_M;
    case LTL_T_AND:
        return GY_LTL_OP_AND;
    case LTL_T_OR:
        return GY_LTL_OP_OR;
    case LTL_T_IMPLIES:
        return GY_LTL_OP_IMPLIES;
    default:
        return GY_LTL_OP_EQUIV;
    }
}

static uint32_t push_node(parser *p, node n)
{
    gy_vec_push(&p->nodes, n);
    return (uint32_t)p->nodes.n - 1;
}

// Applies the operator on top of its stack.
static void apply(parser *p)
{
    pending top = p->operators.at[--p->operators.n];
    ltl_token_kind kind = top.token.kind;
    node n = {.b = p->operands.at[--p->operands.n], .by = top.token};
    const node *right = &p->nodes.at[n.b], *left = right;
    if (top.prefix) {
        n.a = n.b;
    } else {
        n.a = p->operands.at[--p->operands.n];
        left = &p->nodes.at[n.a];
    }
    n.start = top.prefix ? top.token.start : left->start;
    n.end = right->end;
    bool pure = left->pure && right->pure;
    int level = strength(&top);
    if (level <= 6 && operator_of(kind) == GY_LTL_OP_EQUIV) { // arithmetic
        if (!pure) {
            gy_diag *diag =
                ltl_parse_fail(p, top.token.start, top.token.end,
                               "this operator works on values, not on temporal formulas");
            gy_hint(diag,
                    "`[]`, `<>` and `X` bind tighter than any other operator: put parentheses "
                    "around what follows them");
        }
        n.op = GY_LTL_OP_ATOM;
        n.pure = n.closed = true;
        n.core = n.start;
        n.rim = n.end;
    } else {
        n.op = operator_of(kind);
        n.pure = pure && (kind == LTL_T_NOT || kind == LTL_T_AND || kind == LTL_T_OR);
        bool chain = !top.prefix && !left->closed && (level == 8 || level == 12) &&
                     (left->op >= GY_LTL_OP_U) == (level == 8) &&
                     (level == 8 || left->op == GY_LTL_OP_IMPLIES || left->op == GY_LTL_OP_EQUIV);
        if (chain && !p->warned) {
            ltl_token first = left->by;
            gy_diag *diag =
                gy_warn(p->diags, place(p, top.token.start),
                        "read from left to right, as in Spin: (a %.*s b) %.*s c",
                        (int)(first.end - first.start), p->scanner.text + first.start,
                        (int)(top.token.end - top.token.start), p->scanner.text + top.token.start);
            gy_hint(diag, "other tools read from right to left: add parentheses");
            p->warned = true;
        }
        if (kind == LTL_T_XOR) { // !(a <-> b)
            n.a = push_node(p, n);
            n.op = GY_LTL_OP_NOT;
            n.b = n.a;
        }
    }
    gy_vec_push(&p->operands, push_node(p, n));
}

static bool zero(const char *text, size_t n)
{
    return strspn(text, "0") >= n;
}

static void take_operand(parser *p, ltl_token t)
{
    node n = {.op = GY_LTL_OP_ATOM, .pure = true, .closed = true, .start = t.start, .end = t.end};
    if (t.kind == LTL_T_TRUE || t.kind == LTL_T_FALSE || t.kind == LTL_T_NUMBER) {
        n.op = GY_LTL_OP_CONST;
        n.value = t.kind == LTL_T_TRUE ||
                  (t.kind == LTL_T_NUMBER && !zero(p->scanner.text + t.start, t.end - t.start));
    }
    n.core = t.start;
    n.rim = t.end;
    n.verbatim = t.kind == LTL_T_VERBATIM;
    gy_vec_push(&p->operands, push_node(p, n));
}

static bool is_prefix(ltl_token_kind kind, const char *text)
{
    return kind == LTL_T_NOT || kind == LTL_T_COMPLEMENT || kind == LTL_T_NEXT ||
           kind == LTL_T_ALWAYS || kind == LTL_T_EVENTUALLY || (kind == LTL_T_PLUS && *text == '-');
}

// What may come where an operand is expected. True: the operand is complete.
static bool expect_operand(parser *p, ltl_token t)
{
    switch (t.kind) {
    case LTL_T_NAME:
    case LTL_T_VERBATIM:
    case LTL_T_NUMBER:
    case LTL_T_TRUE:
    case LTL_T_FALSE:
        take_operand(p, t);
        return true;
    case LTL_T_OPEN:
        gy_vec_push(&p->operators, ((pending){t, true}));
        return false;
    case LTL_T_END:
        ltl_parse_fail(p, t.start, t.end,
                       p->operators.n ? "an operand is missing at the end of the formula"
                                      : "the formula is empty");
        return false;
    case LTL_T_CLOSE:
        ltl_parse_fail(p, t.start, t.end, "an operand is missing before this `)`");
        return false;
    case LTL_T_BAD: {
        gy_diag *diag = ltl_parse_fail(p, t.start, t.end, t.problem);
        if (t.hint)
            gy_hint(diag, "%s", t.hint);
        return false;
    }
    default:
        if (is_prefix(t.kind, p->scanner.text + t.start))
            gy_vec_push(&p->operators, ((pending){t, true}));
        else
            ltl_parse_fail(p, t.start, t.end, "an operand is missing before this operator");
        return false;
    }
}

static void close_parenthesis(parser *p, ltl_token t)
{
    while (p->operators.n && p->operators.at[p->operators.n - 1].token.kind != LTL_T_OPEN)
        apply(p);
    if (!p->operators.n) {
        ltl_parse_fail(p, t.start, t.end, "this `)` closes nothing");
        return;
    }
    node *inner = &p->nodes.at[p->operands.at[p->operands.n - 1]];
    inner->closed = true;
    inner->start = p->operators.at[--p->operators.n].token.start;
    inner->end = t.end;
}

// What may come after an operand. True: an operand is expected next.
static bool expect_operator(parser *p, ltl_token t)
{
    if (t.kind == LTL_T_CLOSE) {
        close_parenthesis(p, t);
        return false;
    }
    if (t.kind == LTL_T_BAD) {
        expect_operand(p, t);
        return false;
    }
    pending op = {t, false};
    if (t.kind < LTL_T_TIMES) {
        ltl_parse_fail(p, t.start, t.end, "an operator is missing before this");
        return false;
    }
    while (p->operators.n && p->operators.at[p->operators.n - 1].token.kind != LTL_T_OPEN &&
           strength(&p->operators.at[p->operators.n - 1]) <= strength(&op) && !p->failed)
        apply(p);
    gy_vec_push(&p->operators, op);
    return true;
}

static void parse(parser *p)
{
    bool operand = true;
    for (;;) {
        ltl_token t = ltl_scan(&p->scanner);
        if (operand) {
            operand = !expect_operand(p, t);
        } else if (t.kind == LTL_T_END) {
            break;
        } else {
            operand = expect_operator(p, t);
        }
        if (p->failed)
            return;
    }
    while (p->operators.n && !p->failed) {
        ltl_token top = p->operators.at[p->operators.n - 1].token;
        if (top.kind == LTL_T_OPEN)
            ltl_parse_fail(p, top.start, top.end, "this `(` is never closed");
        else
            apply(p);
    }
}

bool gy_ltl_parse(gy_ltl_pool *pool, gy_sources *sources, gy_diags *diags, const char *name,
                  const char *text, size_t bytes, gy_ltl *out)
{
    struct ltl_parser p = {.pool = pool, .sources = sources, .diags = diags};
    p.file = gy_sources_add(sources, name, text, bytes, 0);
    p.scanner = (ltl_scanner){gy_source_text(sources, p.file, NULL), bytes, 0};
    parse(&p);
    gy_ltl f = p.failed ? GY_LTL_FALSE : ltl_parse_build(&p);
    if (!p.failed)
        *out = f;
    gy_vec_free(&p.nodes);
    gy_vec_free(&p.operands);
    gy_vec_free(&p.operators);
    return !p.failed;
}
