// Recursive descent: types, and the variables that quantifiers bind.
#include "lang/riscal/read/rsc_parser.h"

static rsc_syntax *new_syntax(rsc_parser *p, rsc_syntax_kind kind, const gy_token *token)
{
    rsc_syntax *syntax = GY_NEW(p->arena, rsc_syntax);
    syntax->kind = kind;
    syntax->place = token->place;
    syntax->length = token->length;
    return syntax;
}

// 'ℕ' '[' expression ']' | 'ℤ' '[' expression ',' expression ']'
static bool parse_number_type(rsc_parser *p, rsc_syntax *syntax)
{
    if (p->in.at->kind != '[') {
        gy_diag *diag = gy_unexpected(&p->in, "`[`", "after the type of numbers");
        if (diag)
            gy_hint(diag, "types are bounded: %s",
                    syntax->kind == RSC_Y_NAT ? "ℕ[most], or Nat[most]"
                                              : "ℤ[least,most], or Int[least,most]");
        return false;
    }
    p->in.at++;
    syntax->low = rsc_parse_sum(p);
    if (!syntax->low)
        return false;
    if (syntax->kind == RSC_Y_INT &&
        (!gy_expect(&p->in, ',', "between the bounds") || !(syntax->high = rsc_parse_sum(p))))
        return false;
    return gy_expect(&p->in, ']', "after the bound of the type");
}

// 'Tuple' '[' type { ',' type } ']' | 'Record' '[' name ':' type { ',' name ':' type } ']'
static bool parse_items(rsc_parser *p, rsc_syntax *syntax)
{
    GY_VEC(rsc_syntax *) items = {0};
    GY_VEC(gy_name) names = {0};
    bool good = gy_expect(&p->in, '[', "before the types");
    uint32_t count;
    while (good) {
        gy_name name = {"", p->in.at->place};
        if (syntax->kind == RSC_Y_RECORD)
            good = gy_take_name(&p->in, &name, "the name of a field") &&
                   gy_expect(&p->in, ':', "after the name of the field");
        rsc_syntax *item = good ? rsc_parse_type(p) : NULL;
        good = item;
        gy_vec_push(&items, item);
        gy_vec_push(&names, name);
        if (!good || !gy_accept(&p->in, ','))
            break;
    }
    good = good && gy_expect(&p->in, ']', "after the types");
    gy_keep(p->arena, &items, rsc_syntax *, syntax->items, syntax->count);
    gy_keep(p->arena, &names, gy_name, syntax->names, count);
    (void)count;
    return good;
}

static bool parse_container(rsc_parser *p, rsc_syntax *syntax)
{
    if (!gy_expect(&p->in, '[', "after the kind of the type"))
        return false;
    if (syntax->kind == RSC_Y_ARRAY && !(syntax->low = rsc_parse_sum(p)))
        return false;
    if (syntax->kind == RSC_Y_MAP && !(syntax->key = rsc_parse_type(p)))
        return false;
    if (syntax->kind != RSC_Y_SET && !gy_expect(&p->in, ',', "before the type of the elements"))
        return false;
    syntax->item = rsc_parse_type(p);
    return syntax->item && gy_expect(&p->in, ']', "after the type of the elements");
}

// type := 'Bool' | number type | 'Array' '[' expression ',' type ']' | 'Map' '[' type ',' type ']'
//       | 'Set' '[' type ']' | items | name
rsc_syntax *rsc_parse_type(rsc_parser *p)
{
    const gy_token *token = p->in.at;
    rsc_syntax *syntax = new_syntax(p, RSC_Y_NAME, token);
    bool good = gy_enter(&p->in, RSC_MOST_DEPTH);
    if (good && token->kind == RSC_T_OUTSIDE) {
        rsc_refuse(p);
        good = false;
    }
    if (!good)
        return NULL;
    p->in.at += token->kind != GY_T_END;
    switch (token->kind) {
    case RSC_T_BOOL:
        syntax->kind = RSC_Y_BOOL;
        break;
    case RSC_T_NAT:
    case RSC_T_INT:
        syntax->kind = token->kind == RSC_T_NAT ? RSC_Y_NAT : RSC_Y_INT;
        good = parse_number_type(p, syntax);
        break;
    case RSC_T_ARRAY:
    case RSC_T_MAP:
    case RSC_T_SET:
        syntax->kind = token->kind == RSC_T_ARRAY ? RSC_Y_ARRAY
                       : token->kind == RSC_T_MAP ? RSC_Y_MAP
                                                  : RSC_Y_SET;
        good = parse_container(p, syntax);
        break;
    case RSC_T_TUPLE:
    case RSC_T_RECORD:
        syntax->kind = token->kind == RSC_T_TUPLE ? RSC_Y_TUPLE : RSC_Y_RECORD;
        good = parse_items(p, syntax);
        break;
    case GY_T_NAME:
        syntax->name = token->text;
        break;
    default:
        p->in.at = token;
        gy_unexpected(&p->in, "a type", "here");
        good = false;
    }
    p->in.depth--;
    return good ? syntax : NULL;
}

// bound := variable { ',' variable } [ 'with' expression ]
// variable := name ':' type | name '∈' expression
rsc_bound *rsc_parse_bound(rsc_parser *p)
{
    GY_VEC(rsc_bound_var) vars = {0};
    rsc_bound *bound = GY_NEW(p->arena, rsc_bound);
    bool good = true;
    do {
        rsc_bound_var var = {0};
        good = gy_take_name(&p->in, &var.name, "the name of a variable");
        if (good && gy_accept(&p->in, RSC_T_IN))
            good = (var.set = rsc_parse_sum(p)) != NULL;
        else
            good = good && gy_expect(&p->in, ':', "or `∈` after the name of the variable") &&
                   (var.type = rsc_parse_type(p)) != NULL;
        gy_vec_push(&vars, var);
    } while (good && gy_accept(&p->in, ','));
    gy_keep(p->arena, &vars, rsc_bound_var, bound->vars, bound->count);
    if (good && gy_accept(&p->in, RSC_T_WITH))
        good = (bound->with = rsc_parse_expr(p)) != NULL;
    return good ? bound : NULL;
}
