#include "lang/promela/lower/spin_text.h"

static const char *const binary[] = {
    [PML_X_ADD] = "+",  [PML_X_SUB] = "-",    [PML_X_MUL] = "*",    [PML_X_DIV] = "/",
    [PML_X_MOD] = "%",  [PML_X_BITAND] = "&", [PML_X_BITOR] = "|",  [PML_X_BITXOR] = "^",
    [PML_X_SHL] = "<<", [PML_X_SHR] = ">>",   [PML_X_LT] = "<",     [PML_X_LE] = "<=",
    [PML_X_GT] = ">",   [PML_X_GE] = ">=",    [PML_X_EQ] = "==",    [PML_X_NE] = "!=",
    [PML_X_AND] = "&&", [PML_X_OR] = "||",    [PML_X_EQUIV] = NULL,
};

static const char *const functions[] = {
    [PML_X_NOT] = "!",
    [PML_X_NEG] = "-",
    [PML_X_COMPL] = "~",
    [PML_X_LEN] = "len",
    [PML_X_EMPTY] = "empty",
    [PML_X_NEMPTY] = "nempty",
    [PML_X_FULL] = "full",
    [PML_X_NFULL] = "nfull",
    [PML_X_ENABLED] = "enabled",
    [PML_X_PC_VALUE] = "pc_value",
    [PML_X_GET_PRIORITY] = "get_priority",
    [PML_X_EVAL] = "eval",
    [PML_X_EQUIV] = NULL,
};

static void put(const pml_expr *e, gy_text *out);

static void put_args(pml_expr *const *args, uint32_t count, gy_text *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            gy_text_char(out, ',');
        put(args[i], out);
    }
}

static void put_ref(const pml_ref *ref, gy_text *out)
{
    for (uint32_t i = 0; i < ref->part_count; i++) {
        if (i)
            gy_text_char(out, '.');
        gy_text_add(out, ref->parts[i].var->name);
        if (ref->parts[i].index) {
            gy_text_char(out, '[');
            put(ref->parts[i].index, out);
            gy_text_char(out, ']');
        }
    }
}

static void put_remote(const pml_expr *e, gy_text *out)
{
    gy_text_add(out, e->proc ? e->proc->name : "?");
    if (e->a) {
        gy_text_char(out, '[');
        put(e->a, out);
        gy_text_char(out, ']');
    }
    if (e->kind == PML_X_REMOTE_LABEL) {
        gy_text_printf(out, "@%s", e->label_name ? e->label_name : "?");
    } else {
        gy_text_char(out, '.');
        put_ref(&e->ref, out);
    }
}

static void put_special(const pml_expr *e, gy_text *out)
{
    switch (e->kind) {
    case PML_X_NUMBER:
        if (e->mtype)
            gy_text_add(out, e->mtype);
        else
            gy_text_printf(out, "%lld", (long long)e->value);
        break;
    case PML_X_VAR:
        put_ref(&e->ref, out);
        break;
    case PML_X_COND:
        gy_text_add(out, "( (");
        put(e->a, out);
        gy_text_add(out, ") -> (");
        put(e->b, out);
        gy_text_add(out, ") : (");
        put(e->c, out);
        gy_text_add(out, ") )");
        break;
    case PML_X_POLL:
        put_ref(&e->ref, out);
        gy_text_add(out, e->random ? "??[" : "?[");
        put_args(e->args, e->arg_count, out);
        gy_text_char(out, ']');
        break;
    case PML_X_RUN:
        gy_text_printf(out, "run %s(", e->proc ? e->proc->name : "?");
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
        gy_text_add(out, "c_expr");
        break;
    default: // temporal operators are in no statement
        gy_text_char(out, '?');
        break;
    }
}

static void put(const pml_expr *e, gy_text *out)
{
    size_t kind = (size_t)e->kind;
    if (kind < sizeof binary / sizeof *binary && binary[kind]) {
        gy_text_char(out, '(');
        put(e->a, out);
        gy_text_add(out, binary[kind]);
        put(e->b, out);
        gy_text_char(out, ')');
    } else if (kind < sizeof functions / sizeof *functions && functions[kind]) {
        gy_text_printf(out, "%s(", functions[kind]);
        if (e->a)
            put(e->a, out);
        else
            put_ref(&e->ref, out);
        gy_text_char(out, ')');
    } else {
        put_special(e, out);
    }
}

static void put_message(const pml_stmt *s, gy_text *out)
{
    bool keep = s->kind == PML_S_RECV && s->keep;
    put_ref(&s->ref, out);
    if (s->kind == PML_S_SEND)
        gy_text_add(out, s->sorted ? "!!" : "!");
    else
        gy_text_add(out, s->random ? "??" : "?");
    gy_text_add(out, keep ? "<" : "");
    put_args(s->args, s->arg_count, out);
    gy_text_add(out, keep ? ">" : "");
}

static void put_printf(const pml_stmt *s, gy_text *out)
{
    gy_text_add(out, "printf('");
    for (const char *at = s->format; *at; at++)
        gy_text_char(out, (char)(*at == '"' ? '\'' : *at));
    gy_text_char(out, '\'');
    for (uint32_t i = 0; i < s->arg_count; i++) {
        gy_text_char(out, ',');
        put(s->args[i], out);
    }
    gy_text_char(out, ')');
}

static void put_assignment(const pml_stmt *s, gy_text *out)
{
    put_ref(&s->ref, out);
    gy_text_add(out, " = ");
    if (s->expr) {
        put(s->expr, out);
    } else if (s->list) {
        gy_text_char(out, '{');
        put_args(s->list, s->list_count, out);
        gy_text_char(out, '}');
    } else {
        gy_text_char(out, '0');
    }
}

static void put_call(const char *name, const pml_stmt *s, gy_text *out)
{
    gy_text_printf(out, "%s(", name);
    if (s->expr)
        put(s->expr, out);
    put_args(s->args, s->arg_count, out);
    gy_text_char(out, ')');
}

void pml_spin_text(const pml_stmt *s, gy_text *out)
{
    while ((s->kind == PML_S_LABELLED || s->kind == PML_S_D_STEP) && s->body.n)
        s = s->body.at[0]; // a d_step is told by its first statement
    switch (s->kind) {
    case PML_S_EXPR:
        gy_text_char(out, '(');
        put(s->expr, out);
        gy_text_char(out, ')');
        break;
    case PML_S_ASSIGN:
    case PML_S_INIT:
        put_assignment(s, out);
        break;
    case PML_S_SEND:
    case PML_S_RECV:
        put_message(s, out);
        break;
    case PML_S_ASSERT:
        put_call("assert", s, out);
        break;
    case PML_S_PRINTM:
        put_call("printm", s, out);
        break;
    case PML_S_SET_PRIORITY:
        put_call("set_priority", s, out);
        break;
    case PML_S_PRINTF:
        put_printf(s, out);
        break;
    case PML_S_GOTO:
        gy_text_printf(out, "goto %s", s->label_name);
        break;
    case PML_S_BREAK:
        gy_text_add(out, "goto :b0");
        break;
    case PML_S_ELSE:
        gy_text_add(out, "else");
        break;
    case PML_S_C_CODE:
        gy_text_add(out, "{c_code}");
        break;
    case PML_S_IF:
        gy_text_add(out, "IF");
        break;
    case PML_S_DO:
        gy_text_add(out, "DO");
        break;
    default:
        gy_text_add(out, "sequence");
        break;
    }
}
