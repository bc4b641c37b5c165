#include "lang/promela/read/index_names.h"

// The key of an mtype constant: the list of constants moves when it grows.
static const void *constant_key(const pml_name *name)
{
    return &name->mtype;
}

static const char *keep(pml_parser *p, const char *text)
{
    return gy_arena_strdup(p->noted->arena, text);
}

static uint32_t process_now(pml_parser *p)
{
    return p->proc ? gy_names_find(p->noted, &p->proc->p) : GY_NO_NAME;
}

// ---- variables ------------------------------------------------------------------------------

static gy_name_kind kind_of(const pml_var *var)
{
    switch (var->role) {
    case PML_VAR_GLOBAL:
        return GY_NAME_GLOBAL;
    case PML_VAR_PARAM:
        return GY_NAME_PARAMETER;
    case PML_VAR_MEMBER:
        return GY_NAME_FIELD;
    case PML_VAR_BUILTIN:
        return GY_NAME_BUILTIN;
    default:
        return GY_NAME_LOCAL;
    }
}

static void note_fields(pml_parser *p, const pml_chan_init *chan, gy_name *name, gy_text *suffix)
{
    gy_text_printf(suffix, " = [%d] of { ", chan->capacity);
    name->params = GY_NEW_ARRAY(p->noted->arena, const char *, chan->field_count + 1);
    for (uint32_t i = 0; i < chan->field_count; i++) {
        const char *type = pml_type_name(p, &chan->fields[i]);
        gy_text_printf(suffix, "%s%s", i ? ", " : "", type);
        name->params[name->param_count++] = keep(p, type);
    }
    gy_text_add(suffix, " }");
}

static const char *const visibilities[] = {"", "hidden ", "show ", "local "};

void pml_note_variable(pml_parser *p, const pml_var *var, const pml_typedef *record,
                       uint32_t length)
{
    gy_text type = {0}, suffix = {0};
    gy_name name = {.kind = kind_of(var),
                    .text = keep(p, var->name),
                    .place = var->place,
                    .owner = record ? gy_names_find(p->noted, record) : process_now(p),
                    .channel = var->type.kind == PML_TY_CHAN};
    if (var->type.kind == PML_TY_UNSIGNED) {
        gy_text_add(&type, "unsigned");
        gy_text_printf(&suffix, " : %u", var->type.width);
    } else {
        gy_text_printf(&type, "%s%s", visibilities[var->visibility], pml_type_name(p, &var->type));
    }
    if (var->is_array)
        gy_text_printf(&suffix, "[%u]", var->count);
    if (var->chan)
        note_fields(p, var->chan, &name, &suffix);
    else if (var->init && var->init->kind == PML_X_NUMBER && var->init->mtype)
        gy_text_printf(&suffix, " = %s", var->init->mtype);
    else if (var->init && var->init->kind == PML_X_NUMBER)
        gy_text_printf(&suffix, " = %lld", (long long)var->init->value);
    name.type = keep(p, gy_text_str(&type));
    name.suffix = keep(p, gy_text_str(&suffix));
    gy_names_define(p->noted, var, &name, length);
    gy_text_free(&type);
    gy_text_free(&suffix);
}

void pml_note_reference(pml_parser *p, const pml_var *var, gy_location place, uint32_t length)
{
    if (var->role == PML_VAR_BUILTIN && gy_names_find(p->noted, var) == GY_NO_NAME)
        pml_note_variable(p, var, NULL, length);
    gy_names_use(p->noted, var, place, length, GY_USE_READ);
}

void pml_note_role(pml_parser *p, const pml_ref *ref, gy_name_role role)
{
    for (uint32_t i = 0; i < ref->part_count; i++)
        gy_names_become(p->noted, ref->parts[i].place, role);
}

// ---- words that have no scope -----------------------------------------------------------------

void pml_note_word(pml_parser *p, const pml_token *token)
{
    const pml_name *name = pml_name_of(p, token->text);
    const void *key = NULL;
    switch (pml_classify(p, token)) {
    case PML_C_CONST:
        key = constant_key(name);
        break;
    case PML_C_TYPE:
        key = name->type;
        break;
    case PML_C_PROC:
        key = name->proc;
        break;
    case PML_C_INLINE:
        key = name->inl;
        break;
    default:
        return;
    }
    gy_names_use(p->noted, key, token->place, token->length,
                 name->proc || name->inl ? GY_USE_CALLED : GY_USE_READ);
}

void pml_note_type(pml_parser *p, const pml_typedef *record, uint32_t length)
{
    gy_name name = {.kind = GY_NAME_TYPE,
                    .text = keep(p, record->name),
                    .place = record->place,
                    .type = "typedef",
                    .owner = GY_NO_NAME};
    gy_names_define(p->noted, record, &name, length);
}

void pml_note_constant(pml_parser *p, const pml_mtype_name *constant, uint32_t length)
{
    gy_name name = {.kind = GY_NAME_CONSTANT,
                    .text = keep(p, constant->name),
                    .place = constant->place,
                    .type = constant->subtype
                                ? gy_arena_printf(p->noted->arena, "mtype:%s", constant->subtype)
                                : "mtype",
                    .suffix = gy_arena_printf(p->noted->arena, " = %d", constant->value),
                    .owner = GY_NO_NAME};
    gy_names_define(p->noted, constant_key(pml_name_of(p, constant->name)), &name, length);
}

void pml_note_formula(pml_parser *p, const pml_token *token)
{
    gy_name name = {.kind = GY_NAME_PROPERTY,
                    .text = keep(p, token->text),
                    .place = token->place,
                    .type = "ltl",
                    .owner = GY_NO_NAME};
    gy_names_define(p->noted, gy_arena_alloc(p->arena, 1), &name, token->length);
}

// ---- processes --------------------------------------------------------------------------------

void pml_note_process(pml_parser *p, const pml_proc *proc, uint32_t length)
{
    static const char *const types[] = {"proctype", "init", "never", "trace", "notrace"};
    bool claim = proc->kind >= PML_PROC_NEVER;
    gy_name name = {.kind = claim ? GY_NAME_CLAIM : GY_NAME_PROCESS,
                    .text = keep(p, proc->kind == PML_PROC_INIT ? "init" : proc->name),
                    .place = proc->place,
                    .type = types[proc->kind],
                    .owner = GY_NO_NAME};
    if (proc->kind == PML_PROC_TYPE && proc->active == 1)
        name.type = "active proctype";
    else if (proc->kind == PML_PROC_TYPE && proc->active > 1)
        name.type = gy_arena_printf(p->noted->arena, "active [%u] proctype", proc->active);
    p->noted->process = GY_NO_NAME;
    p->noted->process = gy_names_define(p->noted, proc, &name, length);
}

void pml_note_process_end(pml_parser *p)
{
    p->noted->process = GY_NO_NAME;
}

void pml_note_parameters(pml_parser *p, const pml_proc *proc)
{
    uint32_t number = gy_names_find(p->noted, proc);
    if (number == GY_NO_NAME)
        return;
    gy_name *name = &p->noted->list.at[number];
    gy_text suffix = {0};
    gy_text_char(&suffix, '(');
    name->params = GY_NEW_ARRAY(p->noted->arena, const char *, proc->param_count + 1);
    for (uint32_t i = 0; i < proc->param_count; i++) {
        const pml_var *v = proc->params[i];
        const char *param =
            gy_arena_printf(p->noted->arena, "%s %s", pml_type_name(p, &v->type), v->name);
        gy_text_printf(&suffix, "%s%s", i ? "; " : "", param);
        name->params[name->param_count++] = param;
    }
    gy_text_char(&suffix, ')');
    name->suffix = keep(p, gy_text_str(&suffix));
    gy_text_free(&suffix);
}

static void note_argument(pml_parser *p, gy_location place, const char *label)
{
    gy_name_argument argument = {place, keep(p, label)};
    gy_vec_push(&p->noted->arguments, argument);
}

void pml_note_run(pml_parser *p, const pml_run_use *use)
{
    const pml_proc *proc = use->name->proc;
    if (!proc || use->expr->arg_count != proc->param_count)
        return;
    for (uint32_t i = 0; i < proc->param_count; i++)
        note_argument(p, use->expr->args[i]->place, proc->params[i]->name);
}

void pml_note_message(pml_parser *p, const pml_message_use *use, const pml_chan_init *chan)
{
    if (use->arg_count != chan->field_count)
        return;
    for (uint32_t i = 0; i < use->arg_count; i++)
        note_argument(p, use->args[i]->place, pml_type_name(p, &chan->fields[i]));
}

// ---- inlines ----------------------------------------------------------------------------------

void pml_note_inline(pml_parser *p, const pml_inline *def, uint32_t length)
{
    gy_arena *arena = p->noted->arena;
    gy_text suffix = {0};
    gy_text_char(&suffix, '(');
    gy_name name = {.kind = GY_NAME_INLINE,
                    .text = keep(p, def->name),
                    .place = def->place,
                    .type = "inline",
                    .owner = GY_NO_NAME};
    name.params = GY_NEW_ARRAY(arena, const char *, def->formal_count + 1);
    for (uint32_t i = 0; i < def->formal_count; i++) {
        name.params[name.param_count++] = keep(p, def->formals[i].text);
        gy_text_printf(&suffix, "%s%s", i ? ", " : "", def->formals[i].text);
    }
    gy_text_char(&suffix, ')');
    name.suffix = keep(p, gy_text_str(&suffix));
    gy_text_free(&suffix);
    uint32_t number = gy_names_define(p->noted, def, &name, length);
    for (uint32_t i = 0; i < def->formal_count; i++) {
        const pml_token *t = &def->formals[i];
        gy_name formal = {.kind = GY_NAME_ARGUMENT,
                          .text = name.params[i],
                          .place = t->place,
                          .type = "parameter of inline",
                          .owner = number};
        gy_names_define(p->noted, t, &formal, t->length);
    }
    for (uint32_t i = 0; i < def->body_count; i++)
        if (def->formal[i] >= 0)
            gy_names_use(p->noted, &def->formals[def->formal[i]], def->body[i].place,
                         def->body[i].length, GY_USE_READ);
}

void pml_note_call(pml_parser *p, const pml_inline *def, const pml_actual *actuals)
{
    uint32_t number = gy_names_find(p->noted, def);
    if (number != GY_NO_NAME)
        p->noted->list.at[number].called = true;
    for (uint32_t i = 0; i < def->formal_count; i++)
        if (actuals[i].count > 0)
            note_argument(p, actuals[i].tokens[0].place, def->formals[i].text);
}

// What a word in a body that was never parsed seems to mean: a global thing, or nothing.
static void guess(pml_parser *p, const pml_token *t)
{
    const pml_name *name = pml_name_of(p, t->text);
    size_t before = p->noted->uses.n;
    if (pml_classify(p, t) != PML_C_NAME)
        pml_note_word(p, t);
    else if (name->symbol && name->symbol->kind == PML_SYM_VAR)
        pml_note_reference(p, name->symbol->var, t->place, t->length);
    for (size_t i = before; i < p->noted->uses.n; i++)
        p->noted->uses.at[i].guessed = true;
}

void pml_note_uncalled(pml_parser *p)
{
    for (size_t n = 0; n < p->noted->list.n; n++) {
        if (p->noted->list.at[n].kind != GY_NAME_INLINE || p->noted->list.at[n].called)
            continue;
        const pml_inline *def = p->noted->keys.at[n];
        for (uint32_t i = 0; i < def->body_count; i++)
            if (def->formal[i] < 0 && def->body[i].kind == PML_T_NAME &&
                !(i > 0 && pml_is(&def->body[i - 1], PML_P_DOT)))
                guess(p, &def->body[i]);
    }
}

// ---- labels -----------------------------------------------------------------------------------

void pml_note_label(pml_parser *p, const pml_label *label)
{
    gy_name name = {.kind = GY_NAME_LABEL,
                    .text = keep(p, label->name),
                    .place = label->place,
                    .type = "label",
                    .owner = process_now(p)};
    gy_names_define(p->noted, label, &name, (uint32_t)strlen(label->name));
}

void pml_note_goto(pml_parser *p, const pml_label *label, gy_location place)
{
    gy_names_use(p->noted, label, place, (uint32_t)strlen(label->name), GY_USE_CALLED);
}
