// Declarations: variables, channels, mtype lists, typedefs.
//
// Spin makes the names of a declaration known at its end, so `int a = 1, b = a` is an error;
// and a declaration that does not stand at the very start of a process becomes a step (or
// several) of its own: PML_S_INIT.
#include "lang/promela/parser.h"

pml_var *pml_new_var(pml_parser *p, const char *name, gy_place place, pml_var_role role)
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

// ---- constants ----------------------------------------------------------------------

// The value of an expression of numbers, computed in 32 bits.
bool pml_constant_value(const pml_expr *e, int64_t *value)
{
    int64_t a, b;
    switch (e->kind) {
    case PML_X_NUMBER:
        *value = e->value;
        return true;
    case PML_X_NEG:
        if (!pml_constant_value(e->a, &a))
            return false;
        *value = (int32_t) - (uint32_t)a;
        return true;
    case PML_X_ADD:
    case PML_X_SUB:
    case PML_X_MUL:
        if (!pml_constant_value(e->a, &a) || !pml_constant_value(e->b, &b))
            return false;
        *value = (int32_t)(uint32_t)(e->kind == PML_X_ADD   ? a + b
                                     : e->kind == PML_X_SUB ? a - b
                                                            : a * b);
        return true;
    default:
        return false;
    }
}

static bool range_of(const pml_type *type, int64_t *low, int64_t *high)
{
    *low = 0;
    switch (type->kind) {
    case PML_TY_BIT:
    case PML_TY_BOOL:
        *high = 1;
        return true;
    case PML_TY_BYTE:
    case PML_TY_PID:
    case PML_TY_MTYPE:
        *high = 255;
        return true;
    case PML_TY_SHORT:
        *low = -32768;
        *high = 32767;
        return true;
    case PML_TY_UNSIGNED:
        *high = ((int64_t)1 << type->width) - 1;
        return true;
    default:
        return false;
    }
}

void pml_warn_truncation(pml_parser *p, const pml_type *type, const pml_expr *e, const char *what)
{
    int64_t value, low, high;
    if (!e || !range_of(type, &low, &high) || !pml_constant_value(e, &value) ||
        (value >= low && value <= high))
        return;
    gy_diag *d = gy_warn(p->diags, e->place, "%lld does not fit into %s, which holds %lld to %lld",
                         (long long)value, what, (long long)low, (long long)high);
    d->length = e->length;
}

// const_expr: number | '-' const_expr | '(' const_expr ')' | const_expr op const_expr
static bool const_operand(pml_parser *p, int32_t *value)
{
    pml_token t = *pml_look(p);
    if (pml_is(&t, PML_P_MINUS) || pml_is(&t, PML_P_LPAREN)) {
        if (!pml_enter(p, "parentheses"))
            return false;
        pml_advance(p);
        bool ok;
        if (pml_is(&t, PML_P_MINUS)) {
            ok = const_operand(p, value);
            *value = (int32_t) - (uint32_t)*value;
        } else {
            ok = pml_const_expr(p, value) && pml_expect(p, PML_P_RPAREN, "in the constant");
        }
        pml_leave(p);
        return ok;
    }
    if (pml_classify(p, &t) == PML_C_CONST) {
        pml_advance(p);
        *value = t.kind == PML_T_NAME ? p->model->mtypes[pml_name_of(p, t.text)->mtype - 1].value
                                      : (int32_t)t.value;
        return true;
    }
    gy_diag *d = pml_syntax_error(p, "expected a constant, found %s", pml_describe(p, &t));
    if (d && t.kind == PML_T_NAME)
        gy_hint(d, "only numbers can be used here: #define `%s`", t.text);
    return false;
}

static bool const_term(pml_parser *p, int32_t *value)
{
    if (!const_operand(p, value))
        return false;
    for (;;) {
        const pml_token *t = pml_look(p);
        if (!pml_is(t, PML_P_STAR) && !pml_is(t, PML_P_SLASH) && !pml_is(t, PML_P_PERCENT))
            return true;
        pml_token op = pml_advance(p);
        int32_t right;
        if (!const_operand(p, &right))
            return false;
        if (op.punct == PML_P_STAR) {
            *value = (int32_t)((uint32_t)*value * (uint32_t)right);
        } else if (right == 0) {
            pml_error_at(p, &op, "division by zero in a constant");
            *value = 1;
        } else if (right == -1) {
            *value = op.punct == PML_P_SLASH ? (int32_t) - (uint32_t)*value : 0;
        } else {
            *value = op.punct == PML_P_SLASH ? *value / right : *value % right;
        }
    }
}

bool pml_const_expr(pml_parser *p, int32_t *value)
{
    if (!const_term(p, value))
        return false;
    while (pml_look_is(p, PML_P_PLUS) || pml_look_is(p, PML_P_MINUS)) {
        bool plus = pml_look_is(p, PML_P_PLUS);
        pml_advance(p);
        int32_t right;
        if (!const_term(p, &right))
            return false;
        *value = (int32_t)(plus ? (uint32_t)*value + (uint32_t)right
                                : (uint32_t)*value - (uint32_t)right);
    }
    return true;
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
    pml_expect(p, PML_P_LBRACE, "before the types of the messages");
    uint32_t fields = 0;
    while (!p->panic) {
        pml_token t = *pml_look(p);
        pml_type type = {0};
        if (is_type_keyword(t.kind, &type.kind)) {
            pml_advance(p);
            if (type.kind == PML_TY_UNSIGNED) {
                gy_hint(pml_error_at(p, &t, "`unsigned` cannot be the type of a message field"),
                        "use `byte`, `short` or `int`");
                type.kind = PML_TY_INT;
                p->panic = pml_look_is(p, PML_P_COLON);
            } else if (pml_look_is(p, PML_P_COLON)) {
                pml_advance(p);
                pml_token subtype = *pml_look(p);
                if (pml_classify(p, &subtype) != PML_C_NAME) {
                    pml_syntax_error(p, "expected the name of an mtype after `:`, found %s",
                                     pml_describe(p, &subtype));
                    break;
                }
                pml_advance(p);
                if (type.kind != PML_TY_MTYPE)
                    pml_error_at(p, &t, "only an `mtype` has subtypes");
                type.subtype = subtype.text;
            }
            fields++;
        } else if (t.kind == PML_T_NAME && pml_classify(p, &t) == PML_C_TYPE) {
            pml_advance(p);
            type.kind = PML_TY_STRUCT;
            type.record = pml_name_of(p, t.text)->type;
            uint32_t flat = pml_flat_count(type.record);
            if (flat == 0)
                pml_error_at(p, &t, "`%s` contains an array of structures: it cannot be sent",
                             t.text);
            fields += flat;
        } else {
            gy_diag *d = pml_syntax_error(p, "expected the type of a message field, found %s",
                                          pml_describe(p, &t));
            if (d && t.kind == PML_T_NAME) {
                const char *best = NULL;
                unsigned distance = 0;
                for (uint32_t i = 0; i < p->model->typedef_count; i++)
                    gy_nearest_offer(t.text, p->model->typedefs[i]->name, &best, &distance);
                if (best)
                    gy_hint(d, "did you mean `%s`?", best);
            }
            return;
        }
        PML_PUSH(p, chan->fields, chan->field_count, type);
        if (pml_accept(p, PML_P_COMMA))
            continue;
        break;
    }
    pml_expect(p, PML_P_RBRACE, "after the types of the messages");
    if (capacity > 0)
        p->asynchronous++;
    else
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

// ivar: name [ ':' number | '[' size ']' ] [ '=' ( expr | list | channel ) ]
static bool parse_ivar(pml_parser *p, pml_decl_place where, pml_typedef *record,
                       const pml_type *type, entry *e)
{
    *e = (entry){.width = -1};
    e->name = *pml_look(p);
    pml_class c = pml_classify(p, &e->name);
    if (c != PML_C_NAME) {
        static const char *what[] = {"",       "",           "an mtype constant",
                                     "a type", "a proctype", "an inline"};
        if (e->name.kind == PML_T_NAME && !p->panic) {
            pml_error_at(p, &e->name, "`%s` is %s already: it cannot be declared again",
                         e->name.text, what[c]);
            p->panic = true;
        } else {
            gy_diag *d = pml_syntax_error(p, "expected the name of a variable, found %s",
                                          pml_describe(p, &e->name));
            const char *word = e->name.kind != PML_T_PUNCT && e->name.kind != PML_T_NUMBER &&
                                       e->name.kind != PML_T_END
                                   ? e->name.text
                                   : NULL;
            if (d && word && e->name.kind != PML_T_STRING)
                gy_hint(d, "`%s` is a word of the language", word);
        }
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
    }
    pml_var *var = e->var;

    if (pml_look_is(p, PML_P_COLON)) {
        pml_advance(p);
        pml_token t = *pml_look(p);
        if (pml_classify(p, &t) != PML_C_CONST) {
            pml_syntax_error(p, "expected a number of bits after `:`, found %s",
                             pml_describe(p, &t));
            return true;
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
        parse_list(p, e, step);
        for (uint32_t i = 0; i < var->list_count; i++)
            pml_warn_truncation(p, type, var->list[i], "this array");
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
        pml_expr *value = pml_parse_expr(p);
        if (p->panic)
            return true;
        if (pml_look_is(p, PML_P_ASSIGN)) {
            gy_diag *d = pml_syntax_error(p, "assignments cannot be chained");
            if (d)
                gy_hint(d, "write one assignment per variable");
            return true;
        }
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
        pml_warn_truncation(p, type, value, gy_arena_printf(p->arena, "`%s`", var->name));
        if (type->kind == PML_TY_STRUCT) {
            gy_diag *d =
                step ? gy_error(p->diags, value->place, "a structure cannot have an initial value")
                     : gy_warn(p->diags, value->place,
                               "the initial value of a structure is ignored");
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
    if (e->again)
        return;
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

// mtype [ ':' name ] [ '=' ] '{' name { [','] name } '}': the brace is next
static void parse_mtype_names(pml_parser *p, const char *subtype, const pml_token *vis)
{
    pml_token open = pml_advance(p);
    pml_model *m = p->model;
    uint32_t first = m->mtype_count, before = 0;
    for (uint32_t i = 0; i < first; i++)
        before += m->mtypes[i].subtype == subtype;
    while (!p->panic) {
        pml_token t = *pml_look(p);
        if (pml_is(&t, PML_P_RBRACE) && m->mtype_count > first)
            break;
        if (pml_is(&t, PML_P_COMMA) && m->mtype_count > first) {
            pml_advance(p);
            continue;
        }
        if (pml_classify(p, &t) != PML_C_NAME) {
            if (t.kind == PML_T_NAME && !p->panic) {
                gy_diag *d = pml_error_at(p, &t, "`%s` is declared already", t.text);
                const pml_name *name = pml_name_of(p, t.text);
                if (name->mtype)
                    gy_note(p->diags, m->mtypes[name->mtype - 1].place, "first declared here");
                else
                    gy_hint(d, "choose another name for the constant");
                p->panic = true;
            } else {
                pml_syntax_error(p, "expected a name in the mtype list, found %s",
                                 pml_describe(p, &t));
            }
            break;
        }
        pml_advance(p);
        bool twice = false;
        pml_symbol *s = pml_name_of(p, t.text)->symbol;
        if (s && s->kind == PML_SYM_VAR) {
            pml_error_at(p, &t, "`%s` is declared already", t.text);
            gy_note(p->diags, s->place, "first declared here");
        }
        twice = pml_pair_get(&p->members, &m->mtypes, t.text) != NULL;
        if (twice)
            pml_error_at(p, &t, "`%s` occurs twice among the mtype names", t.text);
        pml_mtype_name name = {.name = t.text, .subtype = subtype, .place = t.place};
        PML_PUSH(p, m->mtypes, m->mtype_count, name);
        if (!twice)
            pml_pair_put(&p->members, &m->mtypes, t.text, p);
    }
    pml_expect(p, PML_P_RBRACE, "after the mtype names");
    uint32_t count = m->mtype_count - first;
    for (uint32_t i = 0; i < count; i++) {
        pml_mtype_name *name = &m->mtypes[first + i];
        name->value = (int32_t)(before + count - i);
        pml_name_of(p, name->name)->mtype = (int32_t)(first + i) + 1;
    }
    if (before + count > 255)
        pml_error_at(p, &open, "too many mtype names: at most 255");
    if (vis)
        pml_error_at(p, vis, "an mtype list cannot be `%s`", vis->text);
    if (p->proc)
        pml_error_at(p, &open, "an mtype list must be global");
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
            parse_mtype_names(p, type.subtype, has_vis ? &vis : NULL);
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

static bool next_field(pml_parser *p)
{
    if (pml_accept(p, PML_P_SEMI))
        return true;
    const pml_token *t = pml_look(p);
    if (!pml_starts_declaration(p, t))
        return false;
    pml_token copy = *t;
    pml_error_at(p, &copy, "missing `;` before %s", pml_describe(p, &copy));
    return true;
}

// typedef: typedef name '{' declaration { ';' declaration } '}'
void pml_parse_typedef(pml_parser *p)
{
    pml_advance(p);
    pml_token name = *pml_look(p);
    pml_class c = pml_classify(p, &name);
    if (c != PML_C_NAME) {
        if (name.kind == PML_T_NAME && !p->panic) {
            pml_error_at(p, &name, "`%s` is declared already", name.text);
            if (c == PML_C_TYPE)
                gy_note(p->diags, pml_name_of(p, name.text)->type->place, "first declared here");
        } else {
            pml_syntax_error(p, "expected a name after `typedef`, found %s",
                             pml_describe(p, &name));
            return;
        }
    }
    pml_advance(p);
    pml_typedef *record = &GY_NEW(p->arena, pml_xtypedef)->t;
    record->name = name.text;
    record->place = name.place;
    if (!pml_look_is(p, PML_P_LBRACE)) {
        pml_syntax_error(p, "expected `{` after the name of the type, found %s",
                         pml_describe(p, pml_look(p)));
        return;
    }
    pml_token open = pml_advance(p);
    pml_open_push(p, open.place, "{");
    p->in_sequence = true;
    do {
        if (!pml_starts_declaration(p, pml_look(p))) {
            const pml_token *t = pml_look(p);
            gy_diag *d = pml_syntax_error(p, "expected the declaration of a field, found %s",
                                          pml_describe(p, t));
            if (d && t->kind == PML_T_NAME && t->text == record->name)
                gy_hint(d, "a type cannot contain itself");
            break;
        }
        pml_parse_declaration(p, PML_D_MEMBER, record);
    } while (!p->panic && next_field(p));
    if (!p->panic && !pml_look_is(p, PML_P_RBRACE))
        pml_syntax_error(p, "missing `;` before %s", pml_describe(p, pml_look(p)));
    unsigned depth = 0;
    while (p->panic && !p->gave_up) { // skip to the end of the type
        const pml_token *t = pml_look(p);
        if (t->kind == PML_T_END || pml_starts_unit(t))
            break;
        if (pml_is(t, PML_P_RBRACE) && depth-- == 0)
            p->panic = false;
        else if (pml_is(t, PML_P_LBRACE))
            depth++;
        if (p->panic)
            pml_advance(p);
    }
    p->parens = 0;
    if (!p->panic)
        pml_advance(p);
    p->in_sequence = false;
    if (p->open.n > 0)
        pml_open_pop(p);
    pml_measure_typedef(record);
    pml_name_of(p, name.text)->type = record;
    PML_PUSH(p, p->model->typedefs, p->model->typedef_count, record);
}
