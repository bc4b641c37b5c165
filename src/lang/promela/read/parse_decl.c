// Declarations: variables, channels, mtype lists, typedefs.
//
// Spin makes the names of a declaration known at its end, so `int a = 1, b = a` is an error;
// and a declaration that does not stand at the very start of a process becomes a step (or
// several) of its own: PML_S_INIT.
#include "lang/promela/read/index_names.h"
#include "lang/promela/read/parser.h"

pml_var *pml_new_var(pml_parser *p, const char *name, gy_location place, pml_var_role role)
{
    pml_var *v = GY_NEW(p->arena, pml_var);
    v->name = name;
    v->place = place;
    v->role = role;
    v->count = 1;
    v->scope = p->scope ? p->scope->id : 0;
    return v;
}

void pml_add_local(pml_parser *p, pml_var *var)
{
    pml_proc *proc = &p->proc->p;
    var->owner = proc;
    if (var->role == PML_VAR_PARAM) {
        var->index = proc->param_count;
        PML_PUSH(p, proc->params, proc->param_count, var);
        pml_pair_put(&p->remotes, proc, var->name, var);
    } else {
        var->index = proc->local_count;
        PML_PUSH(p, proc->locals, proc->local_count, var);
        if (var->scope == p->proc->body_scope)
            pml_pair_put(&p->remotes, proc, var->name, var);
    }
}

// ---- one variable -------------------------------------------------------------------

typedef struct entry {
    pml_token name;
    pml_symbol *symbol; // NULL for members
    pml_var *var;
    int64_t width; // -1: none written
    bool moved;    // the initial value became a step
    bool again;    // Spin takes it for the global of that name: see inline_formal
    bool bad;
} entry;

static bool is_type_keyword(pml_token_kind kind, pml_type_kind *type)
{
    switch (kind) {
    case PML_T_BIT:
        *type = PML_TY_BIT;
        return true;
    case PML_T_BOOL:
        *type = PML_TY_BOOL;
        return true;
    case PML_T_BYTE:
        *type = PML_TY_BYTE;
        return true;
    case PML_T_PID:
        *type = PML_TY_PID;
        return true;
    case PML_T_SHORT:
        *type = PML_TY_SHORT;
        return true;
    case PML_T_INT:
        *type = PML_TY_INT;
        return true;
    case PML_T_UNSIGNED:
        *type = PML_TY_UNSIGNED;
        return true;
    case PML_T_MTYPE:
        *type = PML_TY_MTYPE;
        return true;
    case PML_T_CHAN:
        *type = PML_TY_CHAN;
        return true;
    default:
        return false;
    }
}

// The type of a field of a message. *fields grows by the number of fields that it stands for.
static bool parse_field_type(pml_parser *p, pml_type *type, uint32_t *fields)
{
    pml_token t = *pml_look(p);
    if (is_type_keyword(t.kind, &type->kind)) {
        pml_advance(p);
        if (type->kind == PML_TY_UNSIGNED) {
            gy_hint(pml_error_at(p, &t, "`unsigned` cannot be the type of a message field"),
                    "use `byte`, `short` or `int`");
            type->kind = PML_TY_INT;
            p->panic = pml_look_is(p, PML_P_COLON);
        } else if (pml_look_is(p, PML_P_COLON)) {
            pml_advance(p);
            pml_token subtype = *pml_look(p);
            if (pml_classify(p, &subtype) != PML_C_NAME) {
                pml_syntax_error(p, "expected the name of an mtype after `:`, found %s",
                                 pml_describe(p, &subtype));
                return false;
            }
            pml_advance(p);
            if (type->kind != PML_TY_MTYPE)
                pml_error_at(p, &t, "only an `mtype` has subtypes");
            type->subtype = subtype.text;
        }
        (*fields)++;
    } else if (t.kind == PML_T_NAME && pml_classify(p, &t) == PML_C_TYPE) {
        pml_advance(p);
        type->kind = PML_TY_STRUCT;
        type->record = pml_name_of(p, t.text)->type;
        uint32_t flat = pml_flat_count(type->record);
        if (flat == 0)
            pml_error_at(p, &t, "`%s` contains an array of structures: it cannot be sent", t.text);
        *fields += flat;
    } else {
        gy_diag *d = pml_syntax_error(p, "expected the type of a message field, found %s",
                                      pml_describe(p, &t));
        if (d && t.kind == PML_T_NAME) {
            const char *best = NULL;
            unsigned distance = 0;
            for (uint32_t i = 0; i < p->model->typedef_count; i++)
                gy_nearest_offer(t.text, p->model->typedefs[i]->name, &best, &distance);
            if (best)
                gy_hint(d, "a similar name exists: `%s`", best);
        }
        return false;
    }
    return true;
}

// channel: '[' const_expr ']' of '{' type { ',' type } '}'
static void parse_channel(pml_parser *p, pml_var *var)
{
    pml_token open = pml_advance(p);
    pml_chan_init *chan = GY_NEW(p->arena, pml_chan_init);
    chan->place = open.place;
    int32_t capacity = 0;
    pml_token first = *pml_look(p);
    if (!pml_const_expr(p, &capacity))
        return;
    if (capacity < 0) {
        pml_error_at(p, &first, "a channel cannot have a negative capacity");
        capacity = 0;
    }
    chan->capacity = capacity;
    pml_expect(p, PML_P_RBRACKET, "after the capacity of the channel");
    if (!p->panic && pml_look(p)->kind != PML_T_OF) {
        pml_syntax_error(p, "expected `of` and the type of the messages, found %s",
                         pml_describe(p, pml_look(p)));
        return;
    }
    if (p->panic)
        return;
    pml_advance(p);
    bool braces = pml_look_is(p, PML_P_LBRACE);
    pml_type ignored;
    if (!braces && is_type_keyword(pml_look(p)->kind, &ignored.kind)) { // go on without
        gy_hint(pml_error_at(p, pml_look(p), "the types of the messages are written in braces"),
                "write `of { %s }`", pml_look(p)->text);
    } else {
        pml_expect(p, PML_P_LBRACE, "before the types of the messages");
        braces = true;
    }
    uint32_t fields = 0;
    while (!p->panic) {
        pml_type type = {0};
        if (!parse_field_type(p, &type, &fields))
            return;
        PML_PUSH(p, chan->fields, chan->field_count, type);
        if (pml_accept(p, PML_P_COMMA))
            continue;
        break;
    }
    if (braces)
        pml_expect(p, PML_P_RBRACE, "after the types of the messages");
    if (capacity == 0)
        p->synchronous++;
    if (fields > p->max_fields)
        p->max_fields = fields;
    var->chan = chan;
}

// A bound that is the name of a variable stands for its initial value, or else for 8.
static int32_t bound_of_variable(pml_parser *p, const pml_token *name, pml_typedef *record)
{
    const pml_var *var = NULL;
    if (record) {
        var = pml_pair_get(&p->members, record, name->text);
    } else {
        pml_symbol *s = pml_lookup(p, pml_name_of(p, name->text), name->place);
        if (s->kind == PML_SYM_VAR && !s->no_constant)
            var = s->var;
        else if (s->kind == PML_SYM_BAD)
            return 1;
    }
    if (!var || var->role == PML_VAR_BUILTIN) {
        gy_diag *d = pml_error_at(p, name, "the size of an array must be a constant");
        pml_suggest_name(p, d, name->text);
        return 1;
    }
    if (p->noted)
        pml_note_reference(p, var, name->place, name->length);
    int32_t value = 0;
    if (var->init && var->init->kind == PML_X_NUMBER)
        value = (int32_t)var->init->value;
    else if (var->chan)
        value = var->chan->capacity;
    else if (var->list && var->list_count == 1)
        value = (int32_t)var->list[0]->value;
    if (value <= 0)
        value = 8;
    gy_diag *d =
        gy_warn(p->diags, name->place, "the variable `%s` as the size of an array stands for %d",
                name->text, value);
    d->length = name->length;
    gy_hint(d, "use a number or a #define");
    return value;
}

static void add_init(pml_parser *p, pml_var *var, pml_expr *value)
{
    pml_stmt *s = pml_new_stmt(p, PML_S_INIT, var->place);
    pml_ref_part part = {.var = var, .place = var->place};
    PML_PUSH(p, s->ref.parts, s->ref.part_count, part);
    s->expr = value;
    s->list = value ? NULL : var->list;
    s->list_count = value ? 0 : var->list_count;
    pml_add_stmt(p, s);
}

// '{' number { ',' number } '}'
static void parse_list(pml_parser *p, entry *e, bool step)
{
    pml_token open = pml_advance(p);
    if (!e->var->is_array)
        pml_error_at(p, &open, "`%s` is not an array: only arrays can have a list of values",
                     e->var->name);
    do {
        pml_token t = *pml_look(p);
        if (pml_classify(p, &t) != PML_C_CONST) {
            gy_diag *d = pml_syntax_error(p, "expected a number in the list of values, found %s",
                                          pml_describe(p, &t));
            if (d && pml_is(&t, PML_P_MINUS))
                gy_hint(d, "negative numbers must be assigned in a statement");
            return;
        }
        pml_advance(p);
        const pml_name *name = t.kind == PML_T_NAME ? pml_name_of(p, t.text) : NULL;
        pml_expr *number = pml_number(p, name ? p->model->mtypes[name->mtype - 1].value : t.value,
                                      t.place, t.length);
        number->mtype = name ? t.text : NULL;
        PML_PUSH(p, e->var->list, e->var->list_count, number);
    } while (pml_accept(p, PML_P_COMMA));
    pml_expect(p, PML_P_RBRACE, "after the list of values");
    if (e->var->is_array && e->var->list_count > e->var->count) {
        gy_diag *d = gy_warn(p->diags, open.place, "more values than `%s[%u]` has elements",
                             e->var->name, e->var->count);
        (void)d;
    }
    if (step && e->var->list_count > 1) {
        gy_diag *d = pml_error_at(p, &open,
                                  "a list of values can only be used where a process "
                                  "or the model starts");
        gy_hint(d, "move the declaration of `%s` to the start of the process", e->var->name);
    }
    if (step)
        add_init(p, e->var, NULL);
}

// What stands where the name of a variable should: a name of something else, or none at all.
static void refuse_name(pml_parser *p, const pml_token *name, pml_class c)
{
    static const char *what[] = {"", "", "an mtype constant", "a type", "a proctype", "an inline"};
    if (name->kind == PML_T_NAME && !p->panic) {
        pml_error_at(p, name, "`%s` is %s already: it cannot be declared again", name->text,
                     what[c]);
        p->panic = true;
    } else {
        gy_diag *d =
            pml_syntax_error(p, "expected the name of a variable, found %s", pml_describe(p, name));
        const char *word =
            name->kind != PML_T_PUNCT && name->kind != PML_T_NUMBER && name->kind != PML_T_END
                ? name->text
                : NULL;
        if (d && word && name->kind != PML_T_STRING)
            gy_hint(d, "`%s` is a word of the language", word);
    }
}

// Spin's own idea: the variable that is there gets another type, and loses what it had.
static void declare_again(pml_parser *p, const pml_type *type, entry *e)
{
    pml_var *old = e->symbol->var;
    gy_diag *d = gy_warn(p->diags, e->name.place,
                         "as an inline has a parameter `%s`, Spin takes this for the "
                         "variable `%s` that is declared already",
                         e->name.text, e->name.text);
    d->length = e->name.length;
    gy_note(p->diags, old->place, "the variable is declared here");
    old->type = *type;
    old->init = NULL;
    old->list = NULL;
    old->list_count = 0;
    old->chan = NULL;
    old->count = 1;
    old->is_array = false;
    e->var = old;
    e->again = true;
}

// [ ':' const | '[' const_expr ']' ]
static void parse_size(pml_parser *p, pml_typedef *record, entry *e)
{
    pml_var *var = e->var;
    if (pml_look_is(p, PML_P_COLON)) {
        pml_advance(p);
        pml_token t = *pml_look(p);
        if (pml_classify(p, &t) != PML_C_CONST) {
            pml_syntax_error(p, "expected a number of bits after `:`, found %s",
                             pml_describe(p, &t));
            return;
        }
        pml_advance(p);
        e->width = t.kind == PML_T_NAME ? p->model->mtypes[pml_name_of(p, t.text)->mtype - 1].value
                                        : t.value;
    } else if (pml_look_is(p, PML_P_LBRACKET)) {
        pml_advance(p);
        pml_token t = *pml_look(p);
        int32_t size = 1;
        if (pml_classify(p, &t) == PML_C_NAME) {
            pml_advance(p);
            size = bound_of_variable(p, &t, record);
        } else {
            pml_const_expr(p, &size);
        }
        pml_expect(p, PML_P_RBRACKET, "after the size of the array");
        if (!p->panic && size <= 0) {
            pml_error_at(p, &t, "an array must have at least one element");
            size = 1;
        }
        var->is_array = true;
        var->count = (uint32_t)size;
    } else if (pml_look_is(p, PML_P_ALWAYS)) {
        pml_syntax_error(p, "expected the size of the array between `[` and `]`");
    }
}

// The type of an entry whose width has been read but is not noted yet.
static pml_type sized(const pml_type *type, const entry *e)
{
    pml_type whole = *type;
    if (type->kind == PML_TY_UNSIGNED)
        whole.width = e->width > 0 && e->width < 32 ? (uint8_t)e->width : 31;
    return whole;
}

static void check_initial_value(pml_parser *p, const pml_type *type, const entry *e,
                                const pml_expr *value)
{
    const pml_var *var = e->var;
    pml_type whole = sized(type, e);
    if (pml_contains(value, PML_X_RUN)) {
        gy_diag *d =
            gy_error(p->diags, value->place, "`run` cannot give a variable its initial value");
        d->length = value->length;
        gy_hint(d, "assign it in a statement: `%s = run ...`", var->name);
    }
    if (value->mtype && type->kind == PML_TY_MTYPE) {
        const pml_mtype_name *m = &p->model->mtypes[pml_name_of(p, value->mtype)->mtype - 1];
        if (type->subtype && m->subtype != type->subtype) {
            gy_diag *d = gy_error(p->diags, value->place, "`%s` is of type %s%s, not mtype:%s",
                                  value->mtype, m->subtype ? "mtype:" : "mtype",
                                  m->subtype ? m->subtype : "", type->subtype);
            d->length = value->length;
        }
    }
    pml_warn_truncation(p, &whole, value, gy_arena_printf(p->arena, "`%s`", var->name));
}

// `step`: it is assigned where the declaration is, and not when the process starts.
static void parse_initial_value(pml_parser *p, const pml_type *type, entry *e, bool step)
{
    pml_var *var = e->var;
    pml_expr *value = pml_parse_expr(p);
    if (p->panic)
        return;
    if (pml_look_is(p, PML_P_ASSIGN)) {
        gy_diag *d = pml_syntax_error(p, "assignments cannot be chained");
        if (d)
            gy_hint(d, "write one assignment per variable");
        return;
    }
    check_initial_value(p, type, e, value);
    if (type->kind == PML_TY_STRUCT) {
        gy_diag *d =
            step ? gy_error(p->diags, value->place, "a structure cannot have an initial value")
                 : gy_warn(p->diags, value->place, "the initial value of a structure is ignored");
        d->length = value->length;
        if (step)
            add_init(p, var, NULL);
    } else if (step) {
        add_init(p, var, value);
        e->moved = true;
    } else {
        var->init = value;
    }
}

// ivar: name [ ':' number | '[' size ']' ] [ '=' ( expr | list | channel ) ]
static bool parse_ivar(pml_parser *p, pml_decl_place where, pml_typedef *record,
                       const pml_type *type, entry *e)
{
    *e = (entry){.width = -1};
    e->name = *pml_look(p);
    pml_class c = pml_classify(p, &e->name);
    if (c != PML_C_NAME) {
        refuse_name(p, &e->name, c);
        return false;
    }
    pml_advance(p);
    pml_var_role role = where == PML_D_GLOBAL   ? PML_VAR_GLOBAL
                        : where == PML_D_PARAM  ? PML_VAR_PARAM
                        : where == PML_D_MEMBER ? PML_VAR_MEMBER
                                                : PML_VAR_LOCAL;
    e->var = pml_new_var(p, e->name.text, e->name.place, role);
    e->var->type = *type;
    if (where == PML_D_MEMBER) {
        if (!pml_pair_put(&p->members, record, e->name.text, e->var)) {
            pml_error_at(p, &e->name, "field `%s` is declared twice", e->name.text);
            e->bad = true;
        }
    } else {
        e->symbol = pml_lookup(p, pml_name_of(p, e->name.text), e->name.place);
        if (e->symbol->kind == PML_SYM_VAR && e->symbol->inline_formal &&
            e->symbol->var->role != PML_VAR_BUILTIN && type->kind != PML_TY_STRUCT) {
            declare_again(p, type, e);
        }
    }
    pml_var *var = e->var;

    parse_size(p, record, e);
    if (p->panic)
        return true;

    bool step = !p->initialisation_ok && where != PML_D_MEMBER && p->sequence;
    if (!pml_look_is(p, PML_P_ASSIGN)) {
        if (step)
            add_init(p, var, NULL);
        return true;
    }
    pml_token assign = pml_advance(p);
    if (where == PML_D_PARAM)
        pml_error_at(p, &assign, "a parameter cannot have an initial value");
    if (pml_look_is(p, PML_P_LBRACE)) {
        pml_type whole = sized(type, e);
        parse_list(p, e, step);
        for (uint32_t i = 0; i < var->list_count; i++)
            pml_warn_truncation(p, &whole, var->list[i], "this array");
    } else if (pml_look_is(p, PML_P_LBRACKET)) {
        pml_token open = *pml_look(p);
        parse_channel(p, var);
        if (step && !p->panic)
            gy_hint(pml_error_at(p, &open,
                                 "a channel can only be made where a process or the "
                                 "model starts"),
                    "move the declaration of `%s` to the start of the process", var->name);
        if (type->kind != PML_TY_CHAN && !p->panic)
            pml_error_at(p, &open, "`%s` is of type %s: only a `chan` can be a channel", var->name,
                         pml_type_name(p, type));
    } else {
        parse_initial_value(p, type, e, step);
    }
    return true;
}

// ---- finishing a declaration --------------------------------------------------------

static void declare(pml_parser *p, pml_decl_place where, pml_typedef *record, const pml_type *type,
                    const pml_token *vis, entry *e)
{
    pml_var *var = e->var;
    if (e->bad)
        return;
    if (e->symbol && !e->again) {
        pml_symbol *s = e->symbol;
        if (s->kind == PML_SYM_VAR || s->kind == PML_SYM_LABEL || s->kind == PML_SYM_PROC) {
            gy_diag *d = pml_error_at(p, &e->name, "`%s` is declared already", e->name.text);
            if (s->kind == PML_SYM_VAR && s->var->role == PML_VAR_BUILTIN) {
                gy_hint(d, "`%s` is predefined", e->name.text);
            } else {
                gy_note(p->diags, s->place,
                        s->kind == PML_SYM_VAR && s->scope != p->scope
                            ? "first declared here: a name cannot be hidden by an inner one"
                            : "first declared here");
            }
            if (s->kind == PML_SYM_LABEL) {
                s->kind = PML_SYM_VAR; // say it once
                s->var = var;
            }
            return;
        }
        s->kind = PML_SYM_VAR;
        s->var = var;
        s->place = e->name.place;
        s->no_constant = e->moved;
        s->subtype = type->kind == PML_TY_MTYPE ? type->subtype : NULL;
    }

    if (type->kind == PML_TY_UNSIGNED) {
        if (e->width <= 0)
            gy_hint(pml_error_at(p, &e->name, "`%s` needs a number of bits", e->name.text),
                    "write `unsigned %s : 4` for values 0 to 15", e->name.text);
        else if (e->width > 31)
            pml_error_at(p, &e->name, "`%s` can have at most 31 bits", e->name.text);
        var->type.width = e->width > 0 && e->width < 32 ? (uint8_t)e->width : 16;
    } else if (e->width > 0) {
        gy_hint(pml_error_at(p, &e->name, "only an `unsigned` has a number of bits"),
                "write `unsigned %s : %lld`", e->name.text, (long long)e->width);
    }

    if (vis) {
        var->visibility = vis->kind == PML_T_HIDDEN ? PML_VIS_HIDDEN
                          : vis->kind == PML_T_SHOW ? PML_VIS_SHOW
                                                    : PML_VIS_LOCAL;
        if (vis->kind == PML_T_HIDDEN) {
            if (type->kind == PML_TY_BIT || type->kind == PML_TY_BOOL)
                pml_error_at(p, vis, "a bit variable cannot be hidden");
            else if (where != PML_D_GLOBAL)
                pml_error_at(p, vis, "only global variables can be hidden");
            else if (type->kind == PML_TY_CHAN)
                pml_error_at(p, vis, "a channel cannot be hidden");
        }
    }
    if (where == PML_D_PARAM) {
        if (var->is_array)
            pml_error_at(p, &e->name, "a parameter cannot be an array");
        else if (type->kind == PML_TY_STRUCT && pml_has_array(type->record))
            pml_error_at(p, &e->name, "`%s` contains an array: it cannot be a parameter",
                         type->record->name);
    }
    if (p->noted && e->again)
        gy_names_use(p->noted, var, e->name.place, e->name.length, GY_USE_READ);
    if (e->again)
        return;
    if (p->noted)
        pml_note_variable(p, var, record, e->name.length);
    if (where == PML_D_GLOBAL) {
        var->index = p->model->global_count;
        PML_PUSH(p, p->model->globals, p->model->global_count, var);
    } else if (where == PML_D_MEMBER) {
        var->index = record->member_count;
        PML_PUSH(p, record->members, record->member_count, var);
    } else {
        pml_add_local(p, var);
    }
}

// declaration: [hidden|show|local] type [':' subtype] ivar { ',' ivar }
//            | [hidden|show|local] mtype [':' name] ['='] '{' names '}'
void pml_parse_declaration(pml_parser *p, pml_decl_place where, pml_typedef *record)
{
    p->comma_for_semi = false;
    pml_token vis = *pml_look(p);
    bool has_vis = vis.kind == PML_T_HIDDEN || vis.kind == PML_T_SHOW || vis.kind == PML_T_LOCAL;
    if (has_vis)
        pml_advance(p);
    pml_token word = *pml_look(p);
    pml_type type = {0};
    if (is_type_keyword(word.kind, &type.kind)) {
        pml_advance(p);
    } else if (word.kind == PML_T_NAME && pml_classify(p, &word) == PML_C_TYPE) {
        pml_advance(p);
        type.kind = PML_TY_STRUCT;
        type.record = pml_name_of(p, word.text)->type;
    } else {
        pml_syntax_error(p, "expected a type, found %s", pml_describe(p, &word));
        return;
    }
    if (type.kind != PML_TY_STRUCT) {
        bool colon = false;
        if (pml_look_is(p, PML_P_COLON)) {
            pml_advance(p);
            pml_token sub = *pml_look(p);
            if (pml_classify(p, &sub) != PML_C_NAME) {
                pml_syntax_error(p, "expected the name of an mtype after `:`, found %s",
                                 pml_describe(p, &sub));
                return;
            }
            pml_advance(p);
            type.subtype = sub.text;
            colon = true;
            if (type.kind != PML_TY_MTYPE) {
                pml_error_at(p, &sub, "only an `mtype` has subtypes");
                type.subtype = NULL;
            }
        }
        bool assign = pml_look_is(p, PML_P_ASSIGN);
        if (assign)
            pml_advance(p);
        if ((!colon || assign) && pml_look_is(p, PML_P_LBRACE)) {
            if (type.kind != PML_TY_MTYPE) {
                pml_syntax_error(p, "expected the name of a variable, found `{`");
                return;
            }
            pml_parse_mtype_names(p, type.subtype, has_vis ? &vis : NULL);
            return;
        }
        if (assign) {
            pml_syntax_error(p, "expected `{` and names after `=`, found %s",
                             pml_describe(p, pml_look(p)));
            return;
        }
    }
    GY_VEC(entry) entries = {0};
    bool more = true;
    while (more && !p->panic) {
        entry e;
        if (!parse_ivar(p, where, record, &type, &e))
            break;
        gy_vec_push(&entries, e);
        more = !p->panic && pml_accept(p, PML_P_COMMA);
        if (more && where == PML_D_PARAM && pml_starts_declaration(p, pml_look(p))) {
            pml_token t = *pml_look(p);
            gy_hint(pml_error_at(p, &t, "expected the name of a parameter, found %s",
                                 pml_describe(p, &t)),
                    "parameters of different types are separated by `;`");
            p->comma_for_semi = true;
            more = false;
        }
    }
    for (size_t i = 0; i < entries.n; i++)
        declare(p, where, record, &type, has_vis ? &vis : NULL, &entries.at[i]);
    gy_vec_free(&entries);
}
