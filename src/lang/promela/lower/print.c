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

// What precedes an operand, or of one in parentheses, or alone; NULL: none.
typedef struct words {
    const char *prefix, *function, *word;
} words;

static words words_of(pml_expr_kind kind)
{
    switch (kind) {
    case PML_X_NOT:
        return (words){.prefix = "!"};
    case PML_X_NEG:
        return (words){.prefix = "-"};
    case PML_X_COMPL:
        return (words){.prefix = "~"};
    case PML_X_ALWAYS:
        return (words){.prefix = "[] "};
    case PML_X_EVENTUALLY:
        return (words){.prefix = "<> "};
    case PML_X_NEXT:
        return (words){.prefix = "X "};
    case PML_X_LEN:
        return (words){.function = "len"};
    case PML_X_EMPTY:
        return (words){.function = "empty"};
    case PML_X_NEMPTY:
        return (words){.function = "nempty"};
    case PML_X_FULL:
        return (words){.function = "full"};
    case PML_X_NFULL:
        return (words){.function = "nfull"};
    case PML_X_ENABLED:
        return (words){.function = "enabled"};
    case PML_X_PC_VALUE:
        return (words){.function = "pc_value"};
    case PML_X_GET_PRIORITY:
        return (words){.function = "get_priority"};
    case PML_X_EVAL:
        return (words){.function = "eval"};
    case PML_X_TIMEOUT:
        return (words){.word = "timeout"};
    case PML_X_NP:
        return (words){.word = "np_"};
    default:
        return (words){0};
    }
}

static void put_conditional(const pml_expr *e, gy_text *out)
{
    gy_text_char(out, '(');
    put(e->a, out, 0);
    gy_text_add(out, " -> ");
    put(e->b, out, 0);
    gy_text_add(out, " : ");
    put(e->c, out, 0);
    gy_text_char(out, ')');
}

static void put_number(const pml_expr *e, gy_text *out)
{
    if (e->mtype || e->word)
        gy_text_add(out, e->mtype ? e->mtype : e->word);
    else
        gy_text_printf(out, "%lld", (long long)e->value);
}

// What has a form of its own.
static void put_special(const pml_expr *e, gy_text *out)
{
    switch (e->kind) {
    case PML_X_NUMBER:
        put_number(e, out);
        break;
    case PML_X_VAR:
        pml_ref_text(&e->ref, out);
        break;
    case PML_X_COND:
        put_conditional(e, out);
        break;
    case PML_X_POLL:
        pml_ref_text(&e->ref, out);
        gy_text_add(out, e->random ? "??[" : "?[");
        put_args(e->args, e->arg_count, out);
        gy_text_char(out, ']');
        break;
    case PML_X_RUN:
        gy_text_printf(out, "run %s(", e->proc ? e->proc->name : "?");
        put_args(e->args, e->arg_count, out);
        gy_text_char(out, ')');
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
}

static void put(const pml_expr *e, gy_text *out, int lowest)
{
    symbol op = symbol_of(e->kind);
    words with = words_of(e->kind);
    bool parens = op.text ? op.precedence < lowest : lowest == 99;
    if (parens)
        gy_text_char(out, '(');
    if (op.text) {
        put(e->a, out, op.precedence);
        gy_text_add(out, op.text);
        put(e->b, out, op.precedence + 1);
    } else if (with.prefix) {
        put_prefix(with.prefix, e, out);
    } else if (with.function) {
        put_function(with.function, e, out);
    } else if (with.word) {
        gy_text_add(out, with.word);
    } else {
        put_special(e, out);
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

// The first statement says what the group waits for.
static void put_group(const char *word, const pml_seq *body, gy_text *out)
{
    gy_text_printf(out, "%s { ", word);
    if (body->n)
        pml_stmt_text(body->at[0], out);
    gy_text_add(out, body->n > 1 ? "; … }" : " }");
}

// Only what would be read as something else stands without parentheses.
static void put_condition(const pml_expr *e, gy_text *out)
{
    bool alone = e->kind == PML_X_RUN || e->kind == PML_X_TIMEOUT || e->kind == PML_X_COND;
    if (e->kind == PML_X_NUMBER && e->value == 1 && !e->mtype) {
        gy_text_add(out, "skip");
        return;
    }
    gy_text_add(out, alone ? "" : "(");
    put(e, out, 0);
    gy_text_add(out, alone ? "" : ")");
}

static void put_message(const pml_stmt *s, gy_text *out)
{
    bool keep = s->kind == PML_S_RECV && s->keep;
    pml_ref_text(&s->ref, out);
    if (s->kind == PML_S_SEND)
        gy_text_add(out, s->sorted ? "!!" : "!");
    else
        gy_text_add(out, s->random ? "??" : "?");
    gy_text_add(out, keep ? "<" : "");
    put_args(s->args, s->arg_count, out);
    gy_text_add(out, keep ? ">" : "");
}

static void put_call(const pml_stmt *s, const char *word, gy_text *out)
{
    gy_text_printf(out, "%s(", word);
    if (s->kind == PML_S_PRINTF)
        gy_text_printf(out, "\"%s\"%s", s->format, s->arg_count ? "," : "");
    if (s->kind == PML_S_ASSERT || s->kind == PML_S_PRINTM)
        put(s->expr, out, 0);
    else
        put_args(s->args, s->arg_count, out);
    gy_text_char(out, ')');
}

// Statements that are identified by a word, or NULL.
static const char *word_of(pml_stmt_kind kind)
{
    switch (kind) {
    case PML_S_ELSE:
        return "else";
    case PML_S_BREAK:
        return "break";
    case PML_S_IF:
        return "if";
    case PML_S_DO:
        return "do";
    case PML_S_ATOMIC:
        return "atomic";
    case PML_S_BLOCK:
        return "{ }";
    case PML_S_UNLESS:
        return "unless";
    default:
        return NULL;
    }
}

// The basic statements, and the names of the others.
static void put_statement(const pml_stmt *s, gy_text *out)
{
    switch (s->kind) {
    case PML_S_EXPR:
        put_condition(s->expr, out);
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
    case PML_S_RECV:
        put_message(s, out);
        break;
    case PML_S_ASSERT:
        put_call(s, "assert", out);
        break;
    case PML_S_PRINTF:
        put_call(s, "printf", out);
        break;
    case PML_S_PRINTM:
        put_call(s, "printm", out);
        break;
    case PML_S_SET_PRIORITY:
        put_call(s, "set_priority", out);
        break;
    case PML_S_GOTO:
        gy_text_printf(out, "goto %s", s->label_name);
        break;
    case PML_S_D_STEP:
        put_group("d_step", &s->body, out);
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
    default:
        break;
    }
}

static const pml_stmt *under_labels(const pml_stmt *s)
{
    while (s->kind == PML_S_LABELLED && s->body.n)
        s = s->body.at[0];
    return s;
}

void pml_stmt_normal_text(const pml_stmt *s, gy_text *out)
{
    s = under_labels(s);
    const char *word = word_of(s->kind);
    if (word)
        gy_text_add(out, word);
    else
        put_statement(s, out);
}

void pml_stmt_text(const pml_stmt *s, gy_text *out)
{
    s = under_labels(s);
    if (s->written)
        gy_text_add(out, s->written);
    else
        pml_stmt_normal_text(s, out);
}
