#include "lang/promela/lower/spin_text.h"

#include <string.h>

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

// The model, for names that Spin looks up by their value.
typedef const pml_model *context;

static void put(context c, const pml_expr *e, gy_text *out);

static void put_args(context c, pml_expr *const *args, uint32_t count, gy_text *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            gy_text_char(out, ',');
        put(c, args[i], out);
    }
}

static void put_ref(context c, const pml_ref *ref, gy_text *out)
{
    for (uint32_t i = 0; i < ref->part_count; i++) {
        if (i)
            gy_text_char(out, '.');
        gy_text_add(out, ref->parts[i].var->name);
        if (ref->parts[i].index) {
            gy_text_char(out, '[');
            put(c, ref->parts[i].index, out);
            gy_text_char(out, ']');
        }
    }
}

static void put_remote(context c, const pml_expr *e, gy_text *out)
{
    if (e->kind == PML_X_REMOTE_LABEL)
        gy_text_char(out, '(');
    gy_text_add(out, e->proc ? e->proc->name : "?");
    if (e->a) {
        gy_text_char(out, '[');
        put(c, e->a, out);
        gy_text_char(out, ']');
    }
    if (e->kind == PML_X_REMOTE_LABEL) {
        gy_text_printf(out, "._p==%s)", e->label_name ? e->label_name : "?");
    } else {
        gy_text_char(out, '.');
        put_ref(c, &e->ref, out);
    }
}

// Spin looks for the name of a value among those of the plain mtype, whichever it is of.
static void put_mtype(context c, const pml_expr *e, gy_text *out)
{
    const pml_mtype_name *plain = NULL;
    bool is_plain = false;
    for (uint32_t i = 0; i < c->mtype_count; i++) {
        const pml_mtype_name *name = &c->mtypes[i];
        if (!name->subtype && strcmp(name->name, e->mtype) == 0)
            is_plain = true;
        if (!name->subtype && name->value == e->value)
            plain = name;
    }
    if (is_plain || plain)
        gy_text_add(out, is_plain ? e->mtype : plain->name);
    else
        gy_text_printf(out, "%lld", (long long)e->value);
}

static void put_special(context c, const pml_expr *e, gy_text *out)
{
    switch (e->kind) {
    case PML_X_NUMBER:
        if (e->mtype)
            put_mtype(c, e, out);
        else
            gy_text_printf(out, "%lld", (long long)e->value);
        break;
    case PML_X_VAR:
        put_ref(c, &e->ref, out);
        break;
    case PML_X_COND:
        gy_text_add(out, "( (");
        put(c, e->a, out);
        gy_text_add(out, ") -> (");
        put(c, e->b, out);
        gy_text_add(out, ") : (");
        put(c, e->c, out);
        gy_text_add(out, ") )");
        break;
    case PML_X_POLL:
        put_ref(c, &e->ref, out);
        gy_text_add(out, e->random ? "??[" : "?[");
        put_args(c, e->args, e->arg_count, out);
        gy_text_char(out, ']');
        break;
    case PML_X_RUN:
        gy_text_printf(out, "run %s(", e->proc ? e->proc->name : "?");
        put_args(c, e->args, e->arg_count, out);
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
        put_remote(c, e, out);
        break;
    case PML_X_C_EXPR:
        gy_text_printf(out, "{c_code%u}", pml_c_number(c, e->c_block));
        break;
    default: // temporal operators are in no statement
        gy_text_char(out, '?');
        break;
    }
}

static void put(context c, const pml_expr *e, gy_text *out)
{
    size_t kind = (size_t)e->kind;
    if (kind < sizeof binary / sizeof *binary && binary[kind]) {
        gy_text_char(out, '(');
        put(c, e->a, out);
        gy_text_add(out, binary[kind]);
        put(c, e->b, out);
        gy_text_char(out, ')');
    } else if (kind < sizeof functions / sizeof *functions && functions[kind]) {
        gy_text_printf(out, "%s(", functions[kind]);
        if (e->a)
            put(c, e->a, out);
        else
            put_ref(c, &e->ref, out);
        gy_text_char(out, ')');
    } else {
        put_special(c, e, out);
    }
}

// A structure stands for all its members.
static void put_members(context c, const pml_type *type, gy_text *prefix, bool *first, gy_text *out)
{
    if (type->kind != PML_TY_STRUCT) {
        gy_text_printf(out, "%s%s", *first ? "" : ",", gy_text_str(prefix));
        *first = false;
        return;
    }
    for (uint32_t m = 0; m < type->record->member_count; m++) {
        const pml_var *member = type->record->members[m];
        for (uint32_t i = 0; i < member->count; i++) {
            size_t n = prefix->n;
            gy_text_printf(prefix, ".%s", member->name);
            if (member->is_array)
                gy_text_printf(prefix, "[%u]", i);
            put_members(c, &member->type, prefix, first, out);
            prefix->at[prefix->n = n] = '\0';
        }
    }
}

static void put_fields(context c, pml_expr *const *args, uint32_t count, gy_text *out)
{
    bool first = true;
    for (uint32_t i = 0; i < count; i++) {
        gy_text text = {0};
        const pml_type *type = NULL;
        if (args[i]->kind == PML_X_VAR)
            type = &args[i]->ref.parts[args[i]->ref.part_count - 1].var->type;
        put(c, args[i], &text);
        if (type) {
            put_members(c, type, &text, &first, out);
        } else {
            gy_text_printf(out, "%s%s", first ? "" : ",", gy_text_str(&text));
            first = false;
        }
        gy_text_free(&text);
    }
}

static void put_message(context c, const pml_stmt *s, gy_text *out)
{
    bool keep = s->kind == PML_S_RECV && s->keep;
    put_ref(c, &s->ref, out);
    if (s->kind == PML_S_SEND)
        gy_text_add(out, s->sorted ? "!!" : "!");
    else
        gy_text_add(out, s->random ? "??" : "?");
    gy_text_add(out, keep ? "<" : "");
    put_fields(c, s->args, s->arg_count, out);
    gy_text_add(out, keep ? ">" : "");
}

static void put_printf(context c, const pml_stmt *s, gy_text *out)
{
    gy_text_add(out, "printf('");
    for (const char *at = s->format; *at; at++)
        gy_text_char(out, (char)(*at == '"' ? '\'' : *at));
    gy_text_char(out, '\'');
    for (uint32_t i = 0; i < s->arg_count; i++) {
        gy_text_char(out, ',');
        put(c, s->args[i], out);
    }
    gy_text_char(out, ')');
}

static void put_assignment(context c, const pml_stmt *s, gy_text *out)
{
    put_ref(c, &s->ref, out);
    if (!s->expr && !s->list && s->ref.parts[s->ref.part_count - 1].var->is_array)
        gy_text_add(out, "[0]");
    gy_text_add(out, " = ");
    if (s->expr) {
        put(c, s->expr, out);
    } else if (s->list) {
        gy_text_char(out, '{');
        put_args(c, s->list, s->list_count, out);
        gy_text_char(out, '}');
    } else {
        gy_text_char(out, '0');
    }
}

static void put_call(context c, const char *name, const pml_stmt *s, gy_text *out)
{
    gy_text_printf(out, "%s(", name);
    if (s->expr)
        put(c, s->expr, out);
    put_args(c, s->args, s->arg_count, out);
    gy_text_char(out, ')');
}

static unsigned number_in(const pml_seq *seq, const pml_c_block *block, unsigned *count);

static bool number_in_expr(const pml_expr *e, const pml_c_block *block, unsigned *count)
{
    if (!e)
        return false;
    if (e->kind == PML_X_C_EXPR) {
        ++*count;
        return e->c_block == block;
    }
    return number_in_expr(e->a, block, count) || number_in_expr(e->b, block, count) ||
           number_in_expr(e->c, block, count);
}

static bool number_in_stmt(const pml_stmt *s, const pml_c_block *block, unsigned *count)
{
    if (s->kind == PML_S_C_CODE) {
        ++*count;
        return s->c_block == block;
    }
    if (number_in_expr(s->expr, block, count))
        return true;
    for (uint32_t o = 0; o < s->option_count; o++)
        if (number_in(&s->options[o], block, count))
            return true;
    return number_in(&s->body, block, count) || number_in(&s->escape, block, count);
}

static unsigned number_in(const pml_seq *seq, const pml_c_block *block, unsigned *count)
{
    for (uint32_t i = 0; i < seq->n; i++)
        if (number_in_stmt(seq->at[i], block, count))
            return *count;
    return 0;
}

unsigned pml_c_number(const pml_model *model, const pml_c_block *block)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < model->c_unit_count; i++)
        count += model->c_units[i].kind == PML_C_CODE || model->c_units[i].kind == PML_C_DECL;
    for (uint32_t i = 0; i < model->proc_count; i++)
        if (number_in(&model->procs[i]->body, block, &count))
            return count;
    return 0;
}

void pml_spin_text(const pml_model *c, const pml_stmt *s, gy_text *out)
{
    while ((s->kind == PML_S_LABELLED || s->kind == PML_S_D_STEP) && s->body.n)
        s = s->body.at[0]; // a d_step is identified by its first statement
    switch (s->kind) {
    case PML_S_EXPR:
        gy_text_char(out, '(');
        put(c, s->expr, out);
        gy_text_char(out, ')');
        break;
    case PML_S_ASSIGN:
    case PML_S_INIT:
        put_assignment(c, s, out);
        break;
    case PML_S_SEND:
    case PML_S_RECV:
        put_message(c, s, out);
        break;
    case PML_S_ASSERT:
        put_call(c, "assert", s, out);
        break;
    case PML_S_PRINTM:
        gy_text_add(out, "printm(");
        put(c, s->expr, out);
        gy_text_add(out, ", 0)");
        break;
    case PML_S_SET_PRIORITY:
        gy_text_add(out, "set_priority(");
        put(c, s->args[0], out);
        gy_text_add(out, ", ");
        put(c, s->args[1], out);
        gy_text_char(out, ')');
        break;
    case PML_S_PRINTF:
        put_printf(c, s, out);
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
        gy_text_printf(out, "{c_code%u}", pml_c_number(c, s->c_block));
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

void pml_spin_expr(const pml_model *model, const pml_expr *expr, gy_text *out)
{
    put(model, expr, out);
}
