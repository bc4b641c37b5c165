// Text of expressions and statements: Spin's look (no spaces around arithmetic), but with
// parentheses only where the precedence needs them.
#include "lang/promela/lower/print.h"

typedef struct symbol {
    const char *text;
    int precedence;
} symbol;

static symbol symbol_of(pml_expr_kind kind)
{
    switch (kind) {
    case PML_X_IMPLIES:
        return (symbol){" -> ", 1};
    case PML_X_EQUIV:
        return (symbol){" <-> ", 1};
    case PML_X_OR:
        return (symbol){" || ", 2};
    case PML_X_AND:
        return (symbol){" && ", 3};
    case PML_X_UNTIL:
        return (symbol){" U ", 5};
    case PML_X_RELEASE:
        return (symbol){" V ", 5};
    case PML_X_WEAK_UNTIL:
        return (symbol){" W ", 5};
    case PML_X_STRONG_RELEASE:
        return (symbol){" M ", 5};
    case PML_X_BITOR:
        return (symbol){"|", 7};
    case PML_X_BITXOR:
        return (symbol){"^", 8};
    case PML_X_BITAND:
        return (symbol){"&", 9};
    case PML_X_EQ:
        return (symbol){"==", 10};
    case PML_X_NE:
        return (symbol){"!=", 10};
    case PML_X_LT:
        return (symbol){"<", 11};
    case PML_X_LE:
        return (symbol){"<=", 11};
    case PML_X_GT:
        return (symbol){">", 11};
    case PML_X_GE:
        return (symbol){">=", 11};
    case PML_X_SHL:
        return (symbol){"<<", 12};
    case PML_X_SHR:
        return (symbol){">>", 12};
    case PML_X_ADD:
        return (symbol){"+", 13};
    case PML_X_SUB:
        return (symbol){"-", 13};
    case PML_X_MUL:
        return (symbol){"*", 14};
    case PML_X_DIV:
        return (symbol){"/", 14};
    case PML_X_MOD:
        return (symbol){"%", 14};
    default:
        return (symbol){NULL, 20};
    }
}

static void put(const pml_expr *e, gy_text *out, int lowest);

static void put_args(pml_expr *const *args, uint32_t count, gy_text *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            gy_text_char(out, ',');
        put(args[i], out, 0);
    }
}

void pml_ref_text(const pml_ref *ref, gy_text *out)
{
    for (uint32_t i = 0; i < ref->part_count; i++) {
        if (i)
            gy_text_char(out, '.');
        gy_text_add(out, ref->parts[i].var->name);
        if (ref->parts[i].index) {
            gy_text_char(out, '[');
            put(ref->parts[i].index, out, 0);
            gy_text_char(out, ']');
        }
    }
}

static void put_function(const char *name, const pml_expr *e, gy_text *out)
{
    gy_text_add(out, name);
    gy_text_char(out, '(');
    if (e->a)
        put(e->a, out, 0);
    else
        pml_ref_text(&e->ref, out);
    gy_text_char(out, ')');
}

static void put_prefix(const char *op, const pml_expr *e, gy_text *out)
{
    gy_text_add(out, op);
    // `- -x` and `!!x` would be read as one operator
    bool clash = e->a->kind == e->kind && (e->kind == PML_X_NEG || e->kind == PML_X_NOT);
    put(e->a, out, clash ? 99 : 15);
}

static void put_one_line(const char *code, gy_text *out)
{
    bool space = false;
    size_t n = 0;
    for (; *code; code++) {
        if (*code == ' ' || *code == '\t' || *code == '\n' || *code == '\r') {
            space = n > 0;
            continue;
        }
        if (n >= 60) {
            gy_text_add(out, "...");
            return;
        }
        if (space)
            gy_text_char(out, ' ');
        space = false;
        gy_text_char(out, *code);
        n++;
    }
}

static void put_remote(const pml_expr *e, gy_text *out)
{
    gy_text_add(out, e->proc ? e->proc->name : "?");
    if (e->a) {
        gy_text_char(out, '[');
        put(e->a, out, 0);
        gy_text_char(out, ']');
    }
    if (e->kind == PML_X_REMOTE_LABEL) {
        gy_text_char(out, '@');
        gy_text_add(out, e->label_name ? e->label_name : "?");
    } else {
        gy_text_char(out, ':');
        pml_ref_text(&e->ref, out);
    }
}

static void put(const pml_expr *e, gy_text *out, int lowest)
{
    symbol op = symbol_of(e->kind);
    if (op.text) {
        bool parens = op.precedence < lowest;
        if (parens)
            gy_text_char(out, '(');
        put(e->a, out, op.precedence);
        gy_text_add(out, op.text);
        put(e->b, out, op.precedence + 1);
        if (parens)
            gy_text_char(out, ')');
        return;
    }
    bool parens = lowest == 99;
    if (parens)
        gy_text_char(out, '(');
    switch (e->kind) {
    case PML_X_NUMBER:
        if (e->mtype)
            gy_text_add(out, e->mtype);
        else
            gy_text_printf(out, "%lld", (long long)e->value);
        break;
    case PML_X_VAR:
        pml_ref_text(&e->ref, out);
        break;
    case PML_X_NOT:
        put_prefix("!", e, out);
        break;
    case PML_X_NEG:
        put_prefix("-", e, out);
        break;
    case PML_X_COMPL:
        put_prefix("~", e, out);
        break;
    case PML_X_ALWAYS:
        put_prefix("[] ", e, out);
        break;
    case PML_X_EVENTUALLY:
        put_prefix("<> ", e, out);
        break;
    case PML_X_NEXT:
        put_prefix("X ", e, out);
        break;
    case PML_X_COND:
        gy_text_char(out, '(');
        put(e->a, out, 0);
        gy_text_add(out, " -> ");
        put(e->b, out, 0);
        gy_text_add(out, " : ");
        put(e->c, out, 0);
        gy_text_char(out, ')');
        break;
    case PML_X_LEN:
        put_function("len", e, out);
        break;
    case PML_X_EMPTY:
        put_function("empty", e, out);
        break;
    case PML_X_NEMPTY:
        put_function("nempty", e, out);
        break;
    case PML_X_FULL:
        put_function("full", e, out);
        break;
    case PML_X_NFULL:
        put_function("nfull", e, out);
        break;
    case PML_X_ENABLED:
        put_function("enabled", e, out);
        break;
    case PML_X_PC_VALUE:
        put_function("pc_value", e, out);
        break;
    case PML_X_GET_PRIORITY:
        put_function("get_priority", e, out);
        break;
    case PML_X_EVAL:
        put_function("eval", e, out);
        break;
    case PML_X_POLL:
        pml_ref_text(&e->ref, out);
        gy_text_add(out, e->random ? "??[" : "?[");
        put_args(e->args, e->arg_count, out);
        gy_text_char(out, ']');
        break;
    case PML_X_RUN:
        gy_text_add(out, "run ");
        gy_text_add(out, e->proc ? e->proc->name : "?");
        gy_text_char(out, '(');
        put_args(e->args, e->arg_count, out);
        gy_text_char(out, ')');
        break;
    case PML_X_TIMEOUT:
        gy_text_add(out, "timeout");
        break;
    case PML_X_NP:
        gy_text_add(out, "np_");
        break;
    case PML_X_REMOTE_LABEL:
    case PML_X_REMOTE_VAR:
        put_remote(e, out);
        break;
    case PML_X_C_EXPR:
        gy_text_add(out, "c_expr { ");
        put_one_line(e->c_block ? e->c_block->code : "", out);
        gy_text_add(out, " }");
        break;
    default:
        gy_text_char(out, '?');
        break;
    }
    if (parens)
        gy_text_char(out, ')');
}

void pml_expr_text(const pml_expr *expr, gy_text *out)
{
    put(expr, out, 0);
}

static void put_range(const char *word, const pml_stmt *s, gy_text *out)
{
    gy_text_add(out, word);
    gy_text_add(out, " (");
    pml_ref_text(&s->ref, out);
    if (s->kind == PML_S_FOR_ARRAY || s->kind == PML_S_FOR_CHAN) {
        gy_text_add(out, " in ");
        pml_ref_text(&s->over, out);
    } else {
        gy_text_add(out, " : ");
        put(s->expr, out, 0);
        gy_text_add(out, " .. ");
        put(s->expr2, out, 0);
    }
    gy_text_char(out, ')');
}

static void put_init(const pml_stmt *s, gy_text *out)
{
    pml_ref_text(&s->ref, out);
    gy_text_add(out, " = ");
    if (s->expr) {
        put(s->expr, out, 0);
    } else if (s->list) {
        gy_text_char(out, '{');
        put_args(s->list, s->list_count, out);
        gy_text_char(out, '}');
    } else {
        gy_text_char(out, '0');
    }
}

// The first statement tells what the group waits for.
static void put_group(const char *word, const pml_seq *body, gy_text *out)
{
    gy_text_printf(out, "%s { ", word);
    if (body->n)
        pml_stmt_text(body->at[0], out);
    gy_text_add(out, body->n > 1 ? "; … }" : " }");
}

void pml_stmt_text(const pml_stmt *s, gy_text *out)
{
    while (s->kind == PML_S_LABELLED && s->body.n)
        s = s->body.at[0];
    switch (s->kind) {
    case PML_S_EXPR:
        switch (s->expr->kind) {
        case PML_X_RUN:
        case PML_X_TIMEOUT:
        case PML_X_COND:
            put(s->expr, out, 0);
            break;
        case PML_X_NUMBER:
            if (s->expr->value == 1 && !s->expr->mtype) {
                gy_text_add(out, "skip");
                break;
            }
            // fall through
        default:
            gy_text_char(out, '(');
            put(s->expr, out, 0);
            gy_text_char(out, ')');
            break;
        }
        break;
    case PML_S_ASSIGN:
        pml_ref_text(&s->ref, out);
        gy_text_add(out, " = ");
        put(s->expr, out, 0);
        break;
    case PML_S_INIT:
        put_init(s, out);
        break;
    case PML_S_SEND:
        pml_ref_text(&s->ref, out);
        gy_text_add(out, s->sorted ? "!!" : "!");
        put_args(s->args, s->arg_count, out);
        break;
    case PML_S_RECV:
        pml_ref_text(&s->ref, out);
        gy_text_add(out, s->random ? "??" : "?");
        if (s->keep)
            gy_text_char(out, '<');
        put_args(s->args, s->arg_count, out);
        if (s->keep)
            gy_text_char(out, '>');
        break;
    case PML_S_ASSERT:
        gy_text_add(out, "assert(");
        put(s->expr, out, 0);
        gy_text_char(out, ')');
        break;
    case PML_S_PRINTF:
        gy_text_printf(out, "printf(\"%s\"", s->format);
        if (s->arg_count)
            gy_text_char(out, ',');
        put_args(s->args, s->arg_count, out);
        gy_text_char(out, ')');
        break;
    case PML_S_PRINTM:
        gy_text_add(out, "printm(");
        put(s->expr, out, 0);
        gy_text_char(out, ')');
        break;
    case PML_S_SET_PRIORITY:
        gy_text_add(out, "set_priority(");
        put_args(s->args, s->arg_count, out);
        gy_text_char(out, ')');
        break;
    case PML_S_ELSE:
        gy_text_add(out, "else");
        break;
    case PML_S_GOTO:
        gy_text_printf(out, "goto %s", s->label_name);
        break;
    case PML_S_BREAK:
        gy_text_add(out, "break");
        break;
    case PML_S_IF:
        gy_text_add(out, "if");
        break;
    case PML_S_DO:
        gy_text_add(out, "do");
        break;
    case PML_S_ATOMIC:
        gy_text_add(out, "atomic");
        break;
    case PML_S_D_STEP:
        put_group("d_step", &s->body, out);
        break;
    case PML_S_BLOCK:
        gy_text_add(out, "{ }");
        break;
    case PML_S_UNLESS:
        gy_text_add(out, "unless");
        break;
    case PML_S_FOR_RANGE:
    case PML_S_FOR_ARRAY:
    case PML_S_FOR_CHAN:
        put_range("for", s, out);
        break;
    case PML_S_SELECT:
        put_range("select", s, out);
        break;
    case PML_S_C_CODE:
        gy_text_add(out, "c_code { ");
        put_one_line(s->c_block ? s->c_block->code : "", out);
        gy_text_add(out, " }");
        break;
    case PML_S_LABELLED:
        gy_text_add(out, s->label_name);
        break;
    }
}
