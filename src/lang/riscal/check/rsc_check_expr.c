// Expressions: names, values made of parts, selectors, quantifiers.
#include "lang/riscal/check/rsc_check.h"

// ---- for messages ---------------------------------------------------------------------------

gy_diag *rsc_wrong_type(rsc_checker *c, const rsc_expr *expr, const char *what)
{
    gy_text text = {0};
    if (expr->type->kind == RSC_INT) {
        gy_text_add(&text, "a number");
    } else {
        gy_text_add(&text, "of type ");
        rsc_type_text(expr->type, &text);
    }
    gy_diag *diag = gy_error(c->diags, expr->place, "%s, but this is %s", what, gy_text_str(&text));
    diag->length = expr->length;
    gy_text_free(&text);
    return diag;
}

bool rsc_fits(rsc_checker *c, const rsc_expr *value, const rsc_type *to, const char *what)
{
    if (rsc_same_sort(value->type, to))
        return true;
    gy_text text = {0};
    gy_text_printf(&text, "%s is of type ", what);
    rsc_type_text(to, &text);
    gy_diag *diag = rsc_wrong_type(c, value, gy_text_str(&text));
    if (to->kind == RSC_BOOL && value->type->kind == RSC_INT)
        gy_hint(diag, "truth values are true and false; a number is compared: x ≠ 0");
    gy_text_free(&text);
    return false;
}

bool rsc_check_truth(rsc_checker *c, rsc_expr *expr, const char *what)
{
    const rsc_type *type = rsc_check_expr(c, expr);
    if (!type)
        return false;
    if (type->kind == RSC_BOOL)
        return true;
    rsc_wrong_type(c, expr, what);
    return false;
}

// ---- names ------------------------------------------------------------------------------------

static const rsc_type *unknown_name(rsc_checker *c, const rsc_expr *expr)
{
    bool call = expr->kind == RSC_X_CALL;
    gy_diag *diag = gy_error(
        c->diags, expr->place,
        call ? "unknown function or predicate `%s`" : "unknown variable or value `%s`", expr->name);
    const char *nearest = NULL;
    unsigned distance = 0;
    diag->length = expr->length;
    for (size_t i = 0; i < c->scope.n; i++)
        if ((c->scope.at[i]->kind == RSC_S_FUN) == call && c->scope.at[i]->kind != RSC_S_TYPE)
            gy_nearest_offer(expr->name, c->scope.at[i]->name, &nearest, &distance);
    if (nearest)
        gy_hint(diag, "a similar name exists: `%s`", nearest);
    return NULL;
}

static const rsc_type *check_name(rsc_checker *c, rsc_expr *expr)
{
    rsc_symbol *symbol = expr->symbol = rsc_find(c, expr->name);
    if (!symbol)
        return unknown_name(c, expr);
    if (symbol->kind == RSC_S_TYPE || symbol->kind == RSC_S_FUN) {
        bool is_type = symbol->kind == RSC_S_TYPE;
        gy_diag *diag = gy_error(c->diags, expr->place, "`%s` is a %s, not a value", expr->name,
                                 is_type ? "type" : "function");
        diag->length = expr->length;
        if (!is_type)
            gy_hint(diag, "it is called with parentheses: %s(…)", expr->name);
        return NULL;
    }
    if (c->known_only && symbol->kind != RSC_S_VAL) {
        gy_error(c->diags, expr->place,
                 "`%s` is not known here: bounds of types are made of values "
                 "(`val`) and numbers",
                 expr->name);
        return NULL;
    }
    return symbol->type;
}

static const rsc_type *check_call(rsc_checker *c, rsc_expr *expr)
{
    rsc_symbol *symbol = expr->symbol = rsc_find(c, expr->name);
    bool good = true;
    for (uint32_t i = 0; i < expr->count; i++)
        good = rsc_check_expr(c, expr->args[i]) && good;
    if (!symbol)
        return unknown_name(c, expr);
    if (symbol->kind != RSC_S_FUN) {
        gy_diag *diag = gy_error(c->diags, expr->place, "`%s` is not a function", expr->name);
        diag->length = expr->length;
        if (symbol->type && rsc_is_list(symbol->type))
            gy_hint(diag, "an element is selected by brackets: %s[…]", expr->name);
        return NULL;
    }
    const rsc_declaration *f = symbol->declaration;
    if (!symbol->type || !good)
        return NULL;
    if (f->count != expr->count) {
        gy_error(c->diags, expr->place, "`%s` has %u parameter%s, but here are %u argument%s",
                 expr->name, f->count, f->count == 1 ? "" : "s", expr->count,
                 expr->count == 1 ? "" : "s");
        gy_note(c->diags, symbol->place, "it is declared here");
        return NULL;
    }
    for (uint32_t i = 0; i < f->count; i++)
        good = f->params[i].symbol && f->params[i].symbol->type &&
               rsc_fits(c, expr->args[i], f->params[i].symbol->type, "the parameter") && good;
    return good ? symbol->type : NULL;
}

static const rsc_type *check_enum(rsc_checker *c, rsc_expr *expr)
{
    const rsc_symbol *symbol = rsc_find(c, expr->name);
    if (!symbol || symbol->kind != RSC_S_TYPE || !symbol->type || symbol->type->kind != RSC_ENUM) {
        if (!symbol || symbol->type)
            gy_error(c->diags, expr->place, "unknown enumeration `%s`", expr->name);
        return NULL;
    }
    int32_t at = rsc_find_member(symbol->type, expr->member);
    if (at < 0) {
        gy_diag *diag = gy_error(c->diags, expr->member_place, "`%s` has no value `%s`", expr->name,
                                 expr->member);
        const char *nearest = NULL;
        unsigned distance = 0;
        for (uint32_t i = 0; i < symbol->type->count; i++)
            gy_nearest_offer(expr->member, symbol->type->names[i], &nearest, &distance);
        if (nearest)
            gy_hint(diag, "a similar name exists: `%s`", nearest);
        return NULL;
    }
    expr->value = at + 1;
    return symbol->type;
}

// ---- values made of parts ---------------------------------------------------------------------

static const rsc_type *check_fill(rsc_checker *c, rsc_expr *expr)
{
    const rsc_type *type = rsc_find_type(c, expr->syntax);
    if (!rsc_check_expr(c, expr->a) || !type)
        return NULL;
    if (!rsc_is_list(type)) {
        gy_error(c->diags, expr->place, "only an array or a map is made like this");
        return NULL;
    }
    return rsc_fits(c, expr->a, type->item, "an element") ? type : NULL;
}

static const rsc_type *check_members(rsc_checker *c, rsc_expr *expr)
{
    const rsc_type *item = NULL;
    bool good = true;
    for (uint32_t i = 0; i < expr->count; i++) {
        const rsc_type *type = rsc_check_expr(c, expr->args[i]);
        good = type && good;
        if (!good)
            continue;
        good = !item || rsc_fits(c, expr->args[i], item, "the member before it");
        if (good && !(item = item ? rsc_join(c->arena, item, type) : type))
            good = false;
    }
    const rsc_type *set = good ? rsc_set_type(c->arena, item) : NULL;
    if (good && !set)
        gy_error(c->diags, expr->place, "the members of this set come from too many values");
    return set;
}

static const rsc_type *check_tuple(rsc_checker *c, rsc_expr *expr)
{
    const rsc_type **items = GY_NEW_ARRAY(c->arena, const rsc_type *, expr->count);
    const char **names = GY_NEW_ARRAY(c->arena, const char *, expr->count);
    bool good = true;
    for (uint32_t i = 0; i < expr->count; i++) {
        items[i] = rsc_check_expr(c, expr->args[i]);
        names[i] = expr->names[i].name;
        good = items[i] && good;
        for (uint32_t k = 0; k < i && expr->kind == RSC_X_RECORD; k++)
            if (strcmp(names[k], names[i]) == 0) {
                gy_error(c->diags, expr->names[i].place, "a second field `%s`", names[i]);
                good = false;
            }
    }
    if (!good)
        return NULL;
    const rsc_type *type =
        rsc_tuple_type(c->arena, items, expr->kind == RSC_X_RECORD ? names : NULL, expr->count);
    if (!type)
        gy_error(c->diags, expr->place, "this value has too many parts");
    return type;
}

// ---- selectors --------------------------------------------------------------------------------

static bool check_index(rsc_checker *c, const rsc_expr *of, rsc_expr *index)
{
    if (!rsc_check_expr(c, index))
        return false;
    if (!rsc_is_list(of->type)) {
        gy_diag *diag = rsc_wrong_type(c, of, "only arrays and maps have elements");
        if (of->type->kind == RSC_SET)
            gy_hint(diag, "membership is asked by x ∈ S");
        return false;
    }
    if (of->type->kind == RSC_MAP)
        return rsc_fits(c, index, of->type->key, "the argument of the map");
    if (index->type->kind == RSC_INT)
        return true;
    rsc_wrong_type(c, index, "an index is a number");
    return false;
}

// Finds the part that a name or number selects; *place its position.
static const rsc_type *find_part(rsc_checker *c, rsc_expr *expr, bool named)
{
    const rsc_type *of = expr->a->type;
    if (of->kind != (named ? RSC_RECORD : RSC_TUPLE)) {
        rsc_wrong_type(c, expr->a,
                       named ? "only records have fields with names"
                             : "only tuples have numbered parts");
        return NULL;
    }
    int32_t at = named ? rsc_find_member(of, expr->member) : expr->value - 1;
    if (at < 0 || (uint32_t)at >= of->count) {
        if (named)
            gy_error(c->diags, expr->member_place, "this record has no field `%s`", expr->member);
        else
            gy_error(c->diags, expr->member_place, "the parts of this tuple are 1 to %u",
                     of->count);
        return NULL;
    }
    expr->value = at;
    return of->items[at];
}

static const rsc_type *check_selection(rsc_checker *c, rsc_expr *expr)
{
    if (!rsc_check_expr(c, expr->a)) {
        if (expr->b)
            rsc_check_expr(c, expr->b);
        return NULL;
    }
    if (expr->kind == RSC_X_INDEX)
        return check_index(c, expr->a, expr->b) ? expr->a->type->item : NULL;
    return find_part(c, expr, expr->kind == RSC_X_FIELD);
}

static const rsc_type *check_update(rsc_checker *c, rsc_expr *expr)
{
    const rsc_type *of = rsc_check_expr(c, expr->a), *new = rsc_check_expr(c, expr->c), *part;
    if (!of || !new)
        return NULL;
    if (expr->kind == RSC_X_WITH_INDEX)
        part = check_index(c, expr->a, expr->b) ? of->item : NULL;
    else
        part = find_part(c, expr, expr->kind == RSC_X_WITH_FIELD);
    return part && rsc_fits(c, expr->c, part, "the part") ? of : NULL;
}

// ---- what binds names ---------------------------------------------------------------------------

uint64_t rsc_bound_values(const rsc_bound *bound)
{
    uint64_t values = 1;
    for (uint32_t i = 0; i < bound->count && values < RSC_MANY; i++) {
        uint64_t one = bound->vars[i].symbol->type->values;
        values = one > RSC_MANY / (values ? values : 1) ? RSC_MANY : values * one;
    }
    return values;
}

bool rsc_check_bound(rsc_checker *c, rsc_bound *bound, rsc_symbol_kind kind)
{
    bool good = true;
    for (uint32_t i = 0; i < bound->count; i++) {
        rsc_bound_var *var = &bound->vars[i];
        const rsc_type *type = NULL;
        if (var->type) {
            type = rsc_find_type(c, var->type);
        } else if (rsc_check_expr(c, var->set)) {
            if (var->set->type->kind == RSC_SET)
                type = var->set->type->item;
            else
                rsc_wrong_type(c, var->set, "a variable runs through a set");
        }
        var->symbol = rsc_declare(c, kind, var->name, type);
        good = type && var->symbol && good;
    }
    if (bound->with)
        good = rsc_check_truth(c, bound->with, "a condition is needed") && good;
    if (good && rsc_bound_values(bound) > RSC_MOST_VALUES) {
        gy_error(c->diags, bound->vars[0].name.place,
                 "this goes through too many values (the limit is %d)", RSC_MOST_VALUES);
        good = false;
    }
    return good;
}

static const rsc_type *number_of(rsc_checker *c, const rsc_expr *expr, int64_t low, int64_t high)
{
    if (low < INT32_MIN || high > INT32_MAX) {
        gy_error(c->diags, expr->place, "this may be too large a number: more than 32 bits");
        return NULL;
    }
    return rsc_int_type(c->arena, low, high);
}

static const rsc_type *result_type(rsc_checker *c, rsc_expr *expr)
{
    int64_t n = (int64_t)rsc_bound_values(expr->bound);
    const rsc_type *type = expr->a ? expr->a->type : NULL, *set;
    switch (expr->kind) {
    case RSC_X_FORALL:
    case RSC_X_EXISTS:
        if (type->kind == RSC_BOOL)
            return &rsc_bool;
        rsc_wrong_type(c, expr->a, "a formula is needed");
        return NULL;
    case RSC_X_COUNT:
        return number_of(c, expr, 0, n);
    case RSC_X_SET_BUILD:
        set = rsc_set_type(c->arena, type);
        if (!set)
            gy_error(c->diags, expr->place, "the members of this set come from too many values");
        return set;
    default:
        break;
    }
    if (type->kind != RSC_INT) {
        rsc_wrong_type(c, expr->a, "numbers are needed");
        return NULL;
    }
    if (expr->kind == RSC_X_MIN || expr->kind == RSC_X_MAX)
        return type;
    if (expr->kind == RSC_X_SUM)
        return number_of(c, expr, type->low < 0 ? type->low * n : 0,
                         type->high > 0 ? type->high * n : 0);
    int64_t size = -type->low > type->high ? -type->low : type->high, most = 1;
    for (int64_t i = 0; i < n && most <= INT32_MAX && size > 1; i++)
        most *= size;
    return number_of(c, expr, type->low < 0 ? -most : 0, most);
}

static const rsc_type *check_quantifier(rsc_checker *c, rsc_expr *expr)
{
    size_t mark = rsc_open(c);
    bool good = rsc_check_bound(c, expr->bound, RSC_S_BOUND);
    if (expr->a)
        good = rsc_check_expr(c, expr->a) && good;
    rsc_close(c, mark);
    if (!good)
        return NULL;
    if (expr->bound->with && expr->bound->with->temporal) {
        gy_error(c->diags, expr->bound->with->place,
                 "a temporal operator cannot be in the condition of a quantifier");
        return NULL;
    }
    expr->temporal = expr->a && expr->a->temporal;
    if (expr->temporal && expr->kind != RSC_X_FORALL && expr->kind != RSC_X_EXISTS) {
        gy_error(c->diags, expr->a->place, "a temporal operator has no meaning in here");
        return NULL;
    }
    return result_type(c, expr);
}

static const rsc_type *check_let(rsc_checker *c, rsc_expr *expr)
{
    size_t mark = rsc_open(c);
    bool good = true;
    for (uint32_t i = 0; i < expr->count; i++) {
        const rsc_type *type = rsc_check_expr(c, expr->args[i]);
        if (type && expr->args[i]->temporal) {
            gy_error(c->diags, expr->args[i]->place, "a temporal operator has no meaning in here");
            type = NULL;
        }
        expr->bound->vars[i].symbol = rsc_declare(c, RSC_S_BOUND, expr->bound->vars[i].name, type);
        good = type && expr->bound->vars[i].symbol && good;
    }
    good = rsc_check_expr(c, expr->a) && good;
    rsc_close(c, mark);
    if (good && expr->a->temporal) {
        gy_error(c->diags, expr->place, "`let` cannot be around temporal operators");
        return NULL;
    }
    return good ? expr->a->type : NULL;
}

static const rsc_type *find_expr_type(rsc_checker *c, rsc_expr *expr)
{
    const rsc_type *type;
    switch (expr->kind) {
    case RSC_X_NUMBER:
        return rsc_int_type(c->arena, expr->value, expr->value);
    case RSC_X_BOOL:
        return &rsc_bool;
    case RSC_X_NAME:
        return check_name(c, expr);
    case RSC_X_CALL:
        return check_call(c, expr);
    case RSC_X_ENUM:
        return check_enum(c, expr);
    case RSC_X_FILL:
        return check_fill(c, expr);
    case RSC_X_EMPTY:
        type = rsc_find_type(c, expr->syntax);
        type = type ? rsc_set_type(c->arena, type) : NULL;
        if (!type && expr->syntax->type)
            gy_error(c->diags, expr->place, "the members of this set come from too many values");
        return type;
    case RSC_X_SET_LIST:
        return check_members(c, expr);
    case RSC_X_TUPLE:
    case RSC_X_RECORD:
        return check_tuple(c, expr);
    case RSC_X_INDEX:
    case RSC_X_FIELD:
    case RSC_X_ITEM:
        return check_selection(c, expr);
    case RSC_X_WITH_INDEX:
    case RSC_X_WITH_FIELD:
    case RSC_X_WITH_ITEM:
        return check_update(c, expr);
    case RSC_X_FORALL:
    case RSC_X_EXISTS:
    case RSC_X_SUM:
    case RSC_X_MIN:
    case RSC_X_MAX:
    case RSC_X_PRODUCT:
    case RSC_X_COUNT:
    case RSC_X_SET_BUILD:
        return check_quantifier(c, expr);
    case RSC_X_LET:
        return check_let(c, expr);
    case RSC_X_CHOOSE: {
        gy_diag *diag = gy_error(c->diags, expr->place,
                                 "a choice can only be the whole right side of an assignment");
        gy_hint(diag, "choose x:T with F; as a command binds x for the commands after it");
        return NULL;
    }
    default:
        return rsc_check_operator(c, expr);
    }
}

const rsc_type *rsc_check_expr(rsc_checker *c, rsc_expr *expr)
{
    if (gy_diags_full(c->diags))
        return expr->type = NULL;
    return expr->type = find_expr_type(c, expr);
}
