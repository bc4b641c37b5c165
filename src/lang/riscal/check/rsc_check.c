// Declarations in the order of the text: each may use what precedes it.
#include "lang/riscal/check/rsc_check.h"

#include <errno.h>

// ---- names ------------------------------------------------------------------------------------

rsc_symbol *rsc_find(const rsc_checker *c, const char *name)
{
    for (size_t i = c->scope.n; i-- > 0;)
        if (strcmp(c->scope.at[i]->name, name) == 0)
            return c->scope.at[i];
    return NULL;
}

rsc_symbol *rsc_declare(rsc_checker *c, rsc_symbol_kind kind, gy_name name, const rsc_type *type)
{
    rsc_symbol *other = rsc_find(c, name.name);
    for (size_t i = c->outer; other && i < c->scope.n; i++)
        if (c->scope.at[i] == other) {
            gy_diag *diag = gy_error(c->diags, name.place, "a second `%s`", name.name);
            diag->length = (uint32_t)strlen(name.name);
            gy_note(c->diags, other->place, "the first one is here");
            break;
        }
    rsc_symbol *symbol = GY_NEW(c->arena, rsc_symbol);
    *symbol = (rsc_symbol){.kind = kind, .name = name.name, .place = name.place, .type = type};
    gy_vec_push(&c->scope, symbol);
    return symbol;
}

// The start of the scope outside is kept in the upper half of the mark.
size_t rsc_open(rsc_checker *c)
{
    size_t mark = c->outer << 32 | c->scope.n;
    c->outer = c->scope.n;
    return mark;
}

void rsc_close(rsc_checker *c, size_t mark)
{
    c->scope.n = mark & UINT32_MAX;
    c->outer = mark >> 32;
}

// ---- values -----------------------------------------------------------------------------------

static const char *given(const rsc_checker *c, const char *name)
{
    size_t n = strlen(name);
    for (const char *const *d = c->defines; d && *d; d++)
        if (strncmp(*d, name, n) == 0 && ((*d)[n] == '=' || (*d)[n] == 0))
            return (*d)[n] ? *d + n + 1 : "";
    return NULL;
}

// A value from the command line, for a number or a truth.
static rsc_value *read_given(rsc_checker *c, const rsc_declaration *d, const rsc_type *type,
                             const char *text)
{
    bool is_true = strcmp(text, "true") == 0, is_false = strcmp(text, "false") == 0;
    if (type && type->kind == RSC_BOOL && (is_true || is_false))
        return rsc_scalar(c->l, &rsc_bool, rsc_const(c->l, is_true));
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    bool good = *text && !*end && !errno && number >= INT32_MIN && number <= INT32_MAX &&
                (!type || type->kind == RSC_INT);
    if (!good) {
        gy_error(c->diags, d->name.place, "-D %s=%s does not give a value of this type",
                 d->name.name, text);
        return NULL;
    }
    return rsc_scalar(c->l, rsc_int_type(c->arena, number, number),
                      rsc_const(c->l, (int32_t)number));
}

static bool is_known(rsc_checker *c, const rsc_value *value)
{
    if (rsc_is_scalar(value->type))
        return value->scalar->op == GY_E_CONST;
    for (uint32_t i = 0; i < value->type->count; i++)
        if (!is_known(c, rsc_part(c->l, value, i)))
            return false;
    return true;
}

static rsc_value *find_value(rsc_checker *c, rsc_declaration *d, const rsc_type *type)
{
    const char *text = given(c, d->name.name);
    if (text)
        return read_given(c, d, type ? type : d->value ? rsc_check_expr(c, d->value) : NULL, text);
    if (!d->value) {
        gy_diag *diag = gy_error(c->diags, d->name.place, "`%s` has no value", d->name.name);
        gy_hint(diag, "give one on the command line: -D%s=4", d->name.name);
        return NULL;
    }
    c->known_only = true;
    bool good = rsc_check_expr(c, d->value) && (!type || rsc_fits(c, d->value, type, "the value"));
    c->known_only = false;
    rsc_value *value = good ? rsc_lower_expr(c->l, d->value) : NULL;
    return c->l->failed ? NULL : value;
}

static void check_val(rsc_checker *c, rsc_declaration *d)
{
    bool unbounded =
        d->type && !d->type->low && (d->type->kind == RSC_Y_NAT || d->type->kind == RSC_Y_INT);
    const rsc_type *type = d->type && !unbounded ? rsc_find_type(c, d->type) : NULL;
    rsc_value *value = d->type && !unbounded && !type ? NULL : find_value(c, d, type);
    if (value && type)
        value = rsc_convert(c->l, value, type);
    if (value && unbounded) {
        int32_t number = 0;
        bool natural = d->type->kind == RSC_Y_NAT;
        if (value->type->kind != RSC_INT ||
            (rsc_is_const(value->scalar, &number) && natural && number < 0)) {
            gy_error(c->diags, d->name.place, "the value of `%s` is not a%s number", d->name.name,
                     natural ? " natural" : "n integer");
            value = NULL;
        }
    }
    if (value && !is_known(c, value)) {
        gy_error(c->diags, d->name.place,
                 "`%s` has no value: something is out of the bounds of its "
                 "type, or divided by zero",
                 d->name.name);
        value = NULL;
    }
    d->symbol = rsc_declare(c, RSC_S_VAL, d->name, value ? value->type : NULL);
    d->symbol->value = value;
}

// ---- types and functions ------------------------------------------------------------------------

static void check_enum(rsc_checker *c, rsc_declaration *d)
{
    rsc_type *type = GY_NEW(c->arena, rsc_type);
    *type = (rsc_type){.kind = RSC_ENUM, .low = 1, .high = d->count, .count = d->count};
    type->leaves = 1;
    type->values = d->count;
    type->name = d->name.name;
    type->names = GY_NEW_ARRAY(c->arena, const char *, d->count);
    bool good = d->count <= 255;
    if (!good)
        gy_error(c->diags, d->name.place, "an enumeration has at most 255 values");
    for (uint32_t i = 0; i < d->count; i++) {
        type->names[i] = d->members[i].name;
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(type->names[i], type->names[k]) == 0) {
                gy_error(c->diags, d->members[i].place, "a second value `%s`", type->names[i]);
                good = false;
            }
    }
    d->symbol = rsc_declare(c, RSC_S_TYPE, d->name, good ? type : NULL);
}

static bool check_params(rsc_checker *c, rsc_declaration *d)
{
    bool good = true;
    for (uint32_t i = 0; i < d->count; i++) {
        rsc_param *param = &d->params[i];
        const rsc_type *type = rsc_find_type(c, param->type);
        param->symbol = rsc_declare(c, RSC_S_BOUND, param->name, type);
        good = type && good;
    }
    return good;
}

static void check_function(rsc_checker *c, rsc_declaration *d)
{
    const rsc_type *type = d->is_pred ? &rsc_bool : rsc_find_type(c, d->type);
    d->symbol = rsc_declare(c, RSC_S_FUN, d->name, type);
    d->symbol->declaration = d;
    size_t mark = rsc_open(c);
    bool good = check_params(c, d);
    // Its own type stays known in its body, which may call it.
    if (rsc_check_expr(c, d->value) && type)
        good = rsc_fits(c, d->value, type, d->is_pred ? "a predicate" : "the function") && good;
    else
        good = false;
    rsc_close(c, mark);
    if (!good)
        d->symbol->type = NULL;
}

// ---- the system -------------------------------------------------------------------------------

static bool assigns(const rsc_command *command, const rsc_symbol *symbol)
{
    if (!command)
        return false;
    const rsc_expr *target = command->target;
    while (target && target->a)
        target = target->a;
    if (target && target->symbol == symbol)
        return true;
    for (uint32_t i = 0; i < command->count; i++)
        if (assigns(command->list[i], symbol))
            return true;
    return assigns(command->start, symbol) || assigns(command->step, symbol) ||
           assigns(command->first, symbol) || assigns(command->second, symbol);
}

// A variable without an initial value must be given one by `init`.
static void check_initialised(rsc_checker *c)
{
    const rsc_declaration *init = NULL;
    for (uint32_t i = 0; i < c->file->count; i++)
        if (c->file->list[i]->kind == RSC_D_INIT)
            init = c->file->list[i];
    for (uint32_t i = 0; i < c->file->count; i++) {
        const rsc_declaration *d = c->file->list[i];
        if (d->kind != RSC_D_VAR || d->value || d->bad || (init && init->bad) ||
            (init && assigns(init->body, d->symbol)))
            continue;
        gy_diag *diag =
            gy_error(c->diags, d->name.place, "`%s` has no initial value", d->name.name);
        gy_hint(diag, "var %s:… = …; or an assignment in init()", d->name.name);
    }
}

static void check_variable(rsc_checker *c, rsc_declaration *d)
{
    const rsc_type *type = rsc_find_type(c, d->type);
    const rsc_type *value = d->value ? rsc_check_expr(c, d->value) : NULL;
    if (type && value)
        rsc_fits(c, d->value, type, "the variable");
    d->symbol = rsc_declare(c, RSC_S_STATE, d->name, type);
}

static void check_action(rsc_checker *c, rsc_declaration *d)
{
    for (uint32_t i = 0; i < c->file->count; i++) {
        const rsc_declaration *other = c->file->list[i];
        if (other == d)
            break;
        if (other->kind == RSC_D_INIT && d->kind == RSC_D_INIT)
            gy_error(c->diags, d->name.place, "a second `init`: a system has one at most");
        if (other->kind == RSC_D_ACTION && d->kind == RSC_D_ACTION &&
            strcmp(other->name.name, d->name.name) == 0) {
            gy_error(c->diags, d->name.place, "a second action `%s`", d->name.name);
            gy_note(c->diags, other->name.place, "the first one is here");
        }
    }
    size_t mark = rsc_open(c);
    bool good = check_params(c, d);
    uint64_t values = 1;
    for (uint32_t i = 0; good && i < d->count && values <= RSC_MOST_VALUES; i++)
        values *= d->params[i].symbol->type->values < RSC_MANY ? d->params[i].symbol->type->values
                                                               : RSC_MANY;
    if (values > RSC_MOST_VALUES)
        gy_error(c->diags, d->name.place, "the parameters have too many values (the limit is %d)",
                 RSC_MOST_VALUES);
    if (d->with)
        rsc_check_truth(c, d->with, "a condition is needed");
    if (d->body)
        rsc_check_command(c, d->body);
    rsc_close(c, mark);
}

static void check_property(rsc_checker *c, rsc_declaration *d)
{
    c->in_formula = d->kind == RSC_D_LTL;
    rsc_check_truth(c, d->value, "a formula is needed");
    c->in_formula = false;
}

// ---- all --------------------------------------------------------------------------------------

static void check_declaration(rsc_checker *c, rsc_declaration *d)
{
    switch (d->kind) {
    case RSC_D_VAL:
        check_val(c, d);
        break;
    case RSC_D_TYPE:
        d->symbol = rsc_declare(c, RSC_S_TYPE, d->name, rsc_find_type(c, d->type));
        break;
    case RSC_D_ENUM:
        check_enum(c, d);
        break;
    case RSC_D_FUN:
        check_function(c, d);
        break;
    case RSC_D_VAR:
        check_variable(c, d);
        break;
    case RSC_D_INIT:
    case RSC_D_ACTION:
        check_action(c, d);
        break;
    case RSC_D_INVARIANT:
    case RSC_D_LTL:
        check_property(c, d);
        break;
    }
}

// What has errors already is known by its name, so that these are reported once.
static void declare_bad(rsc_checker *c, rsc_declaration *d)
{
    static const rsc_symbol_kind kinds[] = {[RSC_D_VAL] = RSC_S_VAL,
                                            [RSC_D_TYPE] = RSC_S_TYPE,
                                            [RSC_D_ENUM] = RSC_S_TYPE,
                                            [RSC_D_FUN] = RSC_S_FUN,
                                            [RSC_D_VAR] = RSC_S_STATE};
    if (d->kind <= RSC_D_VAR && d->name.name && d->name.name[0]) {
        d->symbol = rsc_declare(c, kinds[d->kind], d->name, NULL);
        d->symbol->declaration = d;
    }
}

static void warn_of_defines(const rsc_checker *c)
{
    for (const char *const *d = c->defines; d && *d; d++) {
        size_t n = strcspn(*d, "=");
        bool used = false;
        for (uint32_t i = 0; i < c->file->count; i++) {
            const rsc_declaration *val = c->file->list[i];
            used |= val->kind == RSC_D_VAL && val->name.name && strlen(val->name.name) == n &&
                    memcmp(val->name.name, *d, n) == 0;
        }
        if (!used)
            gy_warn(c->diags, 0, "-D %s: no `val %.*s` in this file", *d, (int)n, *d);
    }
}

static rsc_checker new_checker(rsc_file *file, rsc_lowering *l)
{
    return (rsc_checker){.file = file, .arena = file->arena, .diags = file->diags, .l = l};
}

bool rsc_check(rsc_file *file, rsc_lowering *l, const char *const *defines)
{
    rsc_checker c = new_checker(file, l);
    c.defines = defines;
    for (uint32_t i = 0; i < file->count && !gy_diags_full(c.diags); i++)
        if (file->list[i]->bad)
            declare_bad(&c, file->list[i]);
        else
            check_declaration(&c, file->list[i]);
    check_initialised(&c);
    warn_of_defines(&c);
    gy_vec_free(&c.scope);
    return gy_diags_errors(file->diags) == 0;
}

bool rsc_check_text(rsc_file *file, rsc_lowering *l, rsc_expr *expr, bool temporal)
{
    rsc_checker c = new_checker(file, l);
    c.in_formula = temporal;
    for (uint32_t i = 0; i < file->count; i++)
        if (file->list[i]->symbol)
            gy_vec_push(&c.scope, file->list[i]->symbol);
    rsc_open(&c);
    bool good = rsc_check_truth(&c, expr, "a formula is needed");
    gy_vec_free(&c.scope);
    return good;
}
