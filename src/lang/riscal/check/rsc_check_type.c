// From the text of a type to the type.
#include "lang/riscal/check/rsc_check.h"

bool rsc_known_number(rsc_checker *c, rsc_expr *expr, int64_t *value)
{
    bool known_only = c->known_only;
    c->known_only = true;
    const rsc_type *type = rsc_check_expr(c, expr);
    c->known_only = known_only;
    if (!type)
        return false;
    if (type->kind != RSC_INT) {
        rsc_wrong_type(c, expr, "a number is needed");
        return false;
    }
    int32_t known;
    gy_expr *lowered = rsc_lower_scalar(c->l, expr);
    if (c->l->failed)
        return false;
    if (!rsc_is_const(lowered, &known)) {
        gy_error(c->diags, expr->place,
                 "this has no value: an index or a value is out of bounds, "
                 "or something is divided by zero");
        return false;
    }
    *value = known;
    return true;
}

static const rsc_type *too_large(rsc_checker *c, const rsc_syntax *syntax)
{
    gy_error(c->diags, syntax->place, "this type is too large: values of at most %d parts are read",
             RSC_MOST_PARTS);
    return NULL;
}

static const rsc_type *number_type(rsc_checker *c, rsc_syntax *syntax)
{
    int64_t low = 0, high;
    if (!syntax->low) {
        gy_diag *diag = gy_error(c->diags, syntax->place, "this type has no bound");
        gy_hint(diag, syntax->kind == RSC_Y_NAT ? "ℕ[most], or Nat[most]"
                                                : "ℤ[least,most], or Int[least,most]");
        return NULL;
    }
    if (!rsc_known_number(c, syntax->low, &high) ||
        (syntax->high && (low = high, !rsc_known_number(c, syntax->high, &high))))
        return NULL;
    if (high < low) {
        gy_error(c->diags, syntax->place, "this type has no values: its bounds are %lld and %lld",
                 (long long)low, (long long)high);
        return NULL;
    }
    if (high - low >= INT32_MAX) {
        gy_error(c->diags, syntax->place, "this type has too many values");
        return NULL;
    }
    return rsc_int_type(c->arena, low, high);
}

static const rsc_type *items_type(rsc_checker *c, rsc_syntax *syntax)
{
    const rsc_type **items = GY_NEW_ARRAY(c->arena, const rsc_type *, syntax->count);
    const char **names = GY_NEW_ARRAY(c->arena, const char *, syntax->count);
    bool good = true;
    for (uint32_t i = 0; i < syntax->count; i++) {
        items[i] = rsc_find_type(c, syntax->items[i]);
        names[i] = syntax->names[i].name;
        good = good && items[i];
        for (uint32_t k = 0; k < i && syntax->kind == RSC_Y_RECORD; k++)
            if (strcmp(names[k], names[i]) == 0) {
                gy_error(c->diags, syntax->names[i].place, "a second field `%s`", names[i]);
                good = false;
            }
    }
    if (!good)
        return NULL;
    const rsc_type *type =
        rsc_tuple_type(c->arena, items, syntax->kind == RSC_Y_RECORD ? names : NULL, syntax->count);
    return type ? type : too_large(c, syntax);
}

static const rsc_type *list_type(rsc_checker *c, rsc_syntax *syntax)
{
    const rsc_type *key = syntax->key ? rsc_find_type(c, syntax->key) : NULL, *type;
    const rsc_type *item = rsc_find_type(c, syntax->item);
    int64_t count = 0;
    bool counted = syntax->kind != RSC_Y_ARRAY || rsc_known_number(c, syntax->low, &count);
    if (!item || !counted || (syntax->key && !key))
        return NULL;
    if (count < 0) {
        gy_error(c->diags, syntax->low->place, "an array cannot have %lld elements",
                 (long long)count);
        return NULL;
    }
    if (syntax->kind == RSC_Y_ARRAY)
        type = rsc_array_type(c->arena, item, (uint64_t)count);
    else if (syntax->kind == RSC_Y_MAP)
        type = rsc_map_type(c->arena, key, item);
    else
        type = rsc_set_type(c->arena, item);
    return type ? type : too_large(c, syntax);
}

static const rsc_type *named_type(rsc_checker *c, const rsc_syntax *syntax)
{
    const rsc_symbol *symbol = rsc_find(c, syntax->name);
    if (symbol && symbol->kind == RSC_S_TYPE)
        return symbol->type;
    gy_diag *diag = gy_error(c->diags, syntax->place,
                             symbol ? "`%s` is not a type" : "unknown type `%s`", syntax->name);
    diag->length = syntax->length;
    const char *nearest = NULL;
    unsigned distance = 0;
    for (size_t i = 0; !symbol && i < c->scope.n; i++)
        if (c->scope.at[i]->kind == RSC_S_TYPE)
            gy_nearest_offer(syntax->name, c->scope.at[i]->name, &nearest, &distance);
    if (nearest)
        gy_hint(diag, "a similar name exists: `%s`", nearest);
    return NULL;
}

const rsc_type *rsc_find_type(rsc_checker *c, rsc_syntax *syntax)
{
    switch (syntax->kind) {
    case RSC_Y_BOOL:
        syntax->type = &rsc_bool;
        break;
    case RSC_Y_NAT:
    case RSC_Y_INT:
        syntax->type = number_type(c, syntax);
        break;
    case RSC_Y_ARRAY:
    case RSC_Y_MAP:
    case RSC_Y_SET:
        syntax->type = list_type(c, syntax);
        break;
    case RSC_Y_TUPLE:
    case RSC_Y_RECORD:
        syntax->type = items_type(c, syntax);
        break;
    case RSC_Y_NAME:
        syntax->type = named_type(c, syntax);
        break;
    }
    return syntax->type;
}
