// A formula or expression given outside of the model, read with the names and macros of the model.
#include "lang/promela/read/parser.h"

// Names of a finished model, entered into the tables of a new parser. Spellings are
// interned again, because the new token stream has words of its own.
static pml_name *enter(pml_parser *p, const char *text)
{
    return pml_name_of(p, pml_intern(p->tokens, text, strlen(text)));
}

static void enter_model(pml_parser *p, pml_model *model)
{
    for (uint32_t i = 0; i < model->global_count; i++) {
        pml_symbol *s = pml_lookup(p, enter(p, model->globals[i]->name), model->globals[i]->place);
        s->kind = PML_SYM_VAR;
        s->var = model->globals[i];
    }
    for (uint32_t i = 0; i < model->mtype_count; i++)
        enter(p, model->mtypes[i].name)->mtype = (int32_t)i + 1;
    for (uint32_t i = 0; i < model->typedef_count; i++) {
        pml_typedef *record = model->typedefs[i];
        enter(p, record->name)->type = record;
        for (uint32_t j = 0; j < record->member_count; j++)
            pml_pair_put(&p->members, record, enter(p, record->members[j]->name)->text,
                         record->members[j]);
    }
    for (uint32_t i = 0; i < model->proc_count; i++) {
        pml_proc *proc = model->procs[i];
        if (proc->kind == PML_PROC_TYPE)
            enter(p, proc->name)->proc = proc;
        for (uint32_t j = 0; j < proc->param_count; j++)
            pml_pair_put(&p->remotes, proc, enter(p, proc->params[j]->name)->text, proc->params[j]);
        for (uint32_t j = 0; j < proc->local_count; j++) {
            if (proc->locals[j]->scope == XPROC(proc)->body_scope)
                pml_pair_put(&p->remotes, proc, enter(p, proc->locals[j]->name)->text,
                             proc->locals[j]);
        }
        for (uint32_t j = 0; j < proc->label_count; j++)
            pml_pair_put(&p->labels, proc, enter(p, proc->labels[j]->name)->text, proc->labels[j]);
    }
}

// The variables of a process. Blocks next to each other may use a name twice: the first one counts.
static void enter_locals(pml_parser *p, const pml_proc *proc)
{
    for (uint32_t i = 0; i < proc->param_count + proc->local_count; i++) {
        pml_var *var =
            i < proc->param_count ? proc->params[i] : proc->locals[i - proc->param_count];
        pml_symbol *s = pml_lookup(p, enter(p, var->name), var->place);
        if (s->kind == PML_SYM_VAR)
            continue;
        s->kind = PML_SYM_VAR;
        s->var = var;
    }
}

static pml_expr *parse_alone(pml_model *model, const pml_proc *proc, bool ltl, const char *text)
{
    gy_text all = {0};
    gy_text_add(&all, model->definitions ? model->definitions : "");
    gy_text_printf(&all, "#line 1 \"<%s>\"\n", ltl ? "formula" : "expression");
    gy_text_add(&all, text);
    pml_input input = {.name = ltl ? "<formula>" : "<expression>", .text = all.at, .bytes = all.n};
    pml_tokens *tokens = pml_tokens_open(model->arena, model->sources, model->diags, &input);
    gy_text_free(&all);
    if (!tokens)
        return NULL;
    unsigned errors = gy_diags_errors(model->diags);
    pml_parser parser = {0}, *p = &parser;
    p->formula_mode = true;
    p->ltl_mode = ltl;
    pml_parser_init(p, model->arena, tokens, model->sources, model->diags, model);
    enter_model(p, model);
    if (proc)
        enter_locals(p, proc);
    pml_expr *parsed = pml_parse_full_expr(p);
    if (!p->panic && pml_look(p)->kind != PML_T_END)
        pml_syntax_error(p, "expected an operator or the end of the %s, found %s",
                         ltl ? "formula" : "expression", pml_describe(p, pml_look(p)));
    if (ltl && XEXPR(parsed)->probe)
        gy_error(p->diags, parsed->place,
                 "full, nfull, empty and nempty cannot be used in an ltl formula");
    pml_parser_free(p);
    pml_tokens_close(tokens);
    return gy_diags_errors(model->diags) > errors ? NULL : parsed;
}

pml_expr *pml_parse_formula(pml_model *model, const char *text)
{
    return parse_alone(model, NULL, true, text);
}

pml_expr *pml_parse_expression(pml_model *model, const pml_proc *proc, const char *text)
{
    return parse_alone(model, proc, false, text);
}
