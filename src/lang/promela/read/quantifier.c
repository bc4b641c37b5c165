// Quantifiers in formulas, which Spin does not have:
//
//     ( forall | exists ) ( NAME : number .. number ) formula
//
// stands for the conjunction (disjunction) of the formula with each number of the range in the
// place of the name. The formula reaches as far as it can: to the parenthesis or brace that closes
// what is around it. It is copied token by token before it is parsed, so that a quantifier may
// be wherever an operand may, inside and outside of temporal operators.
#include "lang/promela/read/parser.h"

enum { MOST_VALUES = 256, MOST_TOKENS = 200000 };

typedef GY_VEC(pml_token) token_list;

typedef struct quantifier {
    pml_token word, name;
    bool all; // forall
    int64_t from, to;
} quantifier;

bool pml_is_quantifier(pml_parser *p, const pml_token *t)
{
    if (!p->ltl_mode || t->kind != PML_T_NAME ||
        (strcmp(t->text, "forall") != 0 && strcmp(t->text, "exists") != 0))
        return false;
    const pml_name *name = pml_name_of(p, t->text); // a model may have a variable of this name
    return !name->mtype && !name->proc && !name->type &&
           !(name->symbol && name->symbol->kind == PML_SYM_VAR);
}

// ---- the head -------------------------------------------------------------------------------

static int64_t parse_end(pml_parser *p)
{
    int64_t value = 0;
    pml_token first = *pml_look(p);
    pml_expr *expr = pml_parse_expr(p);
    if (!p->panic && !pml_constant_value(expr, &value)) {
        gy_diag *d = pml_error_at(p, &first, "the ends of this range must be numbers");
        if (d)
            gy_hint(d, "a formula is written out for each value before the model runs: use numbers "
                       "and macros");
        p->panic = true;
    }
    return value;
}

static bool parse_head(pml_parser *p, quantifier *q)
{
    q->word = pml_advance(p);
    q->all = strcmp(q->word.text, "forall") == 0;
    pml_expect(p, PML_P_LPAREN, q->all ? "after `forall`" : "after `exists`");
    if (p->panic)
        return false;
    q->name = *pml_look(p);
    if (q->name.kind != PML_T_NAME) {
        pml_syntax_error(p, "expected a name for the values, found %s", pml_describe(p, &q->name));
        return false;
    }
    pml_advance(p);
    pml_expect(p, PML_P_COLON, "after the name");
    if (p->panic)
        return false;
    q->from = parse_end(p);
    if (!p->panic)
        pml_expect(p, PML_P_DOTDOT, "between the ends of the range");
    if (p->panic)
        return false;
    q->to = parse_end(p);
    if (!p->panic && q->to - q->from >= MOST_VALUES) {
        pml_error_at(p, &q->word, "`%s` over %lld values: %d are the most", q->word.text,
                     (long long)(q->to - q->from + 1), MOST_VALUES);
        p->panic = true;
    }
    // What comes after the parenthesis is taken as it is: it must not be examined here.
    if (!p->panic && !pml_look_is(p, PML_P_RPAREN))
        pml_syntax_error(p, "expected `)` after the range, found %s", pml_describe(p, pml_look(p)));
    if (!p->panic)
        pml_advance(p);
    return !p->panic;
}

// ---- the body -------------------------------------------------------------------------------

static bool opens(const pml_token *t)
{
    return pml_is(t, PML_P_LPAREN) || pml_is(t, PML_P_LBRACKET) || pml_is(t, PML_P_LBRACE);
}

static bool closes(const pml_token *t)
{
    return pml_is(t, PML_P_RPAREN) || pml_is(t, PML_P_RBRACKET) || pml_is(t, PML_P_RBRACE);
}

// Is token i of the body the name in the head of another quantifier?
static bool is_bound_again(const token_list *body, size_t i)
{
    return i >= 2 && i < body->n && pml_is(&body->at[i - 1], PML_P_LPAREN) &&
           body->at[i - 2].kind == PML_T_NAME &&
           (!strcmp(body->at[i - 2].text, "forall") || !strcmp(body->at[i - 2].text, "exists"));
}

// A field, a label or a variable of a process has a name of its own. (A colon also stands in the
// head of another quantifier, before the range.)
static bool is_member(const token_list *body, size_t i)
{
    const pml_token *before = i > 0 ? &body->at[i - 1] : NULL;
    return before && (pml_is(before, PML_P_DOT) || pml_is(before, PML_P_AT) ||
                      (pml_is(before, PML_P_COLON) && !is_bound_again(body, i - 2)));
}

static bool is_name(const quantifier *q, const token_list *body, size_t i)
{
    const pml_token *t = &body->at[i];
    return t->kind == PML_T_NAME && !strcmp(t->text, q->name.text) && !is_member(body, i);
}

// Takes the tokens up to the one that ends the formula, which is returned.
static pml_token take_body(pml_parser *p, const quantifier *q, token_list *body)
{
    unsigned depth = 0;
    for (;;) {
        pml_token t = pml_advance_raw(p);
        if (t.kind == PML_T_END || (depth == 0 && (closes(&t) || pml_is(&t, PML_P_SEMI))))
            return t;
        depth += opens(&t);
        depth -= closes(&t);
        gy_vec_push(body, t);
        size_t i = body->n - 1;
        if (is_name(q, body, i) && is_bound_again(body, i)) {
            gy_diag *d = pml_error_at(p, &t, "`%s` has a value here already", t.text);
            if (d)
                gy_hint(d, "quantifiers inside each other need names of their own");
            p->panic = true;
        }
    }
}

// ---- writing it out -------------------------------------------------------------------------

static void put_punct(token_list *out, pml_punct punct, const pml_token *place)
{
    pml_token t = *place;
    t.kind = PML_T_PUNCT;
    t.punct = punct;
    t.text = NULL;
    t.newline_before = false;
    gy_vec_push(out, t);
}

static void put_number(token_list *out, int64_t value, const pml_token *place)
{
    pml_token t = *place;
    t.kind = PML_T_NUMBER;
    t.text = NULL;
    t.newline_before = false;
    t.value = value < 0 ? -value : value;
    if (value < 0)
        put_punct(out, PML_P_LPAREN, place);
    if (value < 0)
        put_punct(out, PML_P_MINUS, place);
    gy_vec_push(out, t);
    if (value < 0)
        put_punct(out, PML_P_RPAREN, place);
}

static void put_copy(token_list *out, const quantifier *q, const token_list *body, int64_t value)
{
    put_punct(out, PML_P_LPAREN, &q->word);
    for (size_t i = 0; i < body->n; i++) {
        pml_token t = body->at[i];
        t.newline_before = false;
        if (is_name(q, body, i))
            put_number(out, value, &t);
        else
            gy_vec_push(out, t);
    }
    put_punct(out, PML_P_RPAREN, &q->word);
}

static void write_out(token_list *out, const quantifier *q, const token_list *body)
{
    put_punct(out, PML_P_LPAREN, &q->word);
    if (q->from > q->to)
        put_number(out, q->all, &q->word);
    for (int64_t value = q->from; value <= q->to; value++) {
        if (value > q->from)
            put_punct(out, q->all ? PML_P_ANDAND : PML_P_OROR, &q->word);
        put_copy(out, q, body, value);
    }
    put_punct(out, PML_P_RPAREN, &q->word);
}

pml_expr *pml_parse_quantified(pml_parser *p)
{
    quantifier q;
    unsigned errors = gy_diags_errors(p->diags);
    token_list body = {0}, out = {0};
    pml_expr *nothing = pml_number(p, 0, pml_look(p)->place, 1);
    if (!parse_head(p, &q))
        return nothing;
    pml_token end = take_body(p, &q, &body);
    int64_t copies = q.to >= q.from ? q.to - q.from + 1 : 0;
    if (!p->panic && body.n == 0) {
        pml_error_at(p, &end, "expected a formula after the range of `%s`", q.word.text);
        p->panic = true;
    } else if (!p->panic && copies * (int64_t)body.n > MOST_TOKENS) {
        pml_error_at(p, &q.word, "this formula is too long, written out for %lld values",
                     (long long)copies);
        p->panic = true;
    } else if (!p->panic && copies == 0 && gy_diags_errors(p->diags) == errors) {
        gy_diag *d = gy_warn(p->diags, q.word.place, "the range of this `%s` is empty: it is %s",
                             q.word.text, q.all ? "true" : "false");
        d->length = q.word.length;
    }
    if (!p->panic)
        write_out(&out, &q, &body);
    if (end.kind != PML_T_END)
        gy_vec_push(&out, end);
    if (out.n > 0)
        pml_feed_tokens(p, out.at, (uint32_t)out.n);
    gy_vec_free(&body);
    gy_vec_free(&out);
    return p->panic ? nothing : pml_parse_operand(p);
}
