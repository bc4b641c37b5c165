// Statements: what they use, and whether that fits.
#include "lang/if/check/if_check.h"

static bool check_count(if_checker *c, gy_name name, uint32_t found, uint32_t expected)
{
    if (found == expected)
        return true;
    if_error(c, name.place, (uint32_t)strlen(name.name), "`%s` has %u argument%s, but here %s %u",
             name.name, expected, expected == 1 ? "" : "s", found == 1 ? "is" : "are", found);
    return false;
}

// ---- outputs ----------------------------------------------------------------------------------

static bool carries(const if_route *route, const if_signal *signal)
{
    for (uint32_t i = 0; i < route->signal_count; i++)
        if (route->carries[i] == signal)
            return true;
    return false;
}

// `via`: a route by its name, or one of its instances
static bool check_via(if_checker *c, if_statement *s)
{
    if_expr *via = s->via;
    if (via->kind != IF_X_NAME && via->kind != IF_X_CAST) {
        if_error(c, via->place, via->length, "a signal route is expected after `via`");
        return false;
    }
    const if_symbol *symbol = if_find_kind(c, via->name, IF_D_ROUTE, "a signal route");
    if (!symbol)
        return false;
    s->route = symbol->route;
    if (!s->route->carries) // it was not understood
        return false;
    if (via->kind == IF_X_CAST && !if_check_number(c, via->a, 0, s->route->instances - 1,
                                                   "the number of the route", &s->route_number))
        return false;
    uint32_t length = (uint32_t)strlen(via->name.name);
    if (s->route->source != c->process) {
        if_error(c, via->name.place, length, "`%s` does not come from `%s`", via->name.name,
                 c->process->name.name);
        gy_note(c->diags, s->route->name.place, "it is declared here");
        return false;
    }
    if (s->signal && !carries(s->route, s->signal)) {
        if_error(c, via->name.place, length, "`%s` does not carry `%s`", via->name.name,
                 s->name.name);
        gy_note(c->diags, s->route->name.place, "it is declared here");
        return false;
    }
    return true;
}

// Without `via` and `to`: the only route that there can be.
static bool find_route(if_checker *c, if_statement *s)
{
    uint32_t found = 0, length = (uint32_t)strlen(s->name.name);
    for (uint32_t i = 0; i < c->system->route_count; i++) {
        const if_route *route = c->system->routes[i];
        if (route->carries && route->source == c->process && carries(route, s->signal)) {
            s->route = route;
            found++;
        }
    }
    if (found == 1)
        return true;
    gy_diag *diag = if_error(c, s->name.place, length,
                             found ? "`%s` may leave `%s` by several routes"
                                   : "no signal route carries `%s` from `%s`",
                             s->name.name, c->process->name.name);
    gy_hint(diag, found ? "`via` says by which" : "`to` sends to an instance, without a route");
    return false;
}

static bool check_output(if_checker *c, if_statement *s)
{
    const if_symbol *symbol = if_find_kind(c, s->name, IF_D_SIGNAL, "a signal");
    s->signal = symbol ? symbol->signal : NULL;
    bool good =
        s->signal && s->signal->types && check_count(c, s->name, s->args.count, s->signal->count);
    for (uint32_t i = 0; i < s->args.count; i++)
        if (good && s->signal->types[i])
            good = if_check_expr_as(c, s->args.at[i], s->signal->types[i], "the argument") && good;
        else
            if_check_expr(c, s->args.at[i]);
    if (s->via)
        good = check_via(c, s) && good;
    if (s->to)
        good = if_check_expr_as(c, s->to, c->system->pid, "the receiver") && good;
    if (good && !s->via && !s->to)
        good = find_route(c, s);
    if (good && s->to && s->route && s->route->multiset) {
        if_error(c, s->to->place, s->to->length,
                 "a #multiset route decides on arrival who receives: there is no `to`");
        good = false;
    }
    if (s->route)
        s->process = s->route->target;
    else if (s->to)
        s->process = s->to->process;
    return good;
}

// ---- procedures, processes --------------------------------------------------------------------

static bool check_call(if_checker *c, if_statement *s)
{
    const if_symbol *symbol = if_find_kind(c, s->name, IF_D_PROCEDURE, "a procedure");
    if (!symbol)
        return false;
    if_procedure *procedure = s->procedure = symbol->procedure;
    if (procedure->checked == 1) {
        if_error(c, s->name.place, (uint32_t)strlen(s->name.name),
                 "`%s` calls itself, which is not supported", s->name.name);
        return false;
    }
    if (!if_check_procedure(c, procedure) ||
        !check_count(c, s->name, s->args.count, procedure->param_count))
        return false;
    bool good = true;
    for (uint32_t i = 0; i < s->args.count; i++) {
        const if_symbol *param = procedure->vars.at[i];
        if (param->direction == IF_PARAM_IN)
            good = if_check_expr_as(c, s->args.at[i], param->type, "the argument") && good;
        else if (!if_check_target(c, s->args.at[i]))
            good = false;
        else if (!if_fits(s->args.at[i]->type, param->type))
            good = if_check_expr_as(c, s->args.at[i], param->type, "the argument") && good;
    }
    if (!s->target)
        return good;
    if (!procedure->result) {
        if_error(c, s->name.place, (uint32_t)strlen(s->name.name), "`%s` returns nothing",
                 s->name.name);
        return false;
    }
    if (!if_check_target(c, s->target) || !good)
        return false;
    if (if_fits(procedure->result->type, s->target->type))
        return true;
    if_error(c, s->name.place, (uint32_t)strlen(s->name.name),
             "what `%s` returns does not fit here", s->name.name);
    return false;
}

static bool check_fork(if_checker *c, if_statement *s)
{
    const if_symbol *symbol = if_find(c, s->name.name);
    if (symbol && symbol->kind == IF_D_ROUTE) {
        gy_diag *diag = if_error(c, s->name.place, (uint32_t)strlen(s->name.name),
                                 "forking a signal route is not supported");
        gy_hint(diag, "signalroute %s(N) … has N of them from the start", s->name.name);
        return false;
    }
    if (!if_find_kind(c, s->name, IF_D_PROCESS, "a process"))
        return false;
    if_process *process = symbol->itself;
    s->process = process;
    process->forked = true;
    bool good = check_count(c, s->name, s->args.count, process->param_count);
    for (uint32_t i = 0; i < s->args.count; i++)
        if (good && process->vars.at[i]->type)
            good = if_check_expr_as(c, s->args.at[i], process->vars.at[i]->type, "the argument") &&
                   good;
    if (s->target && if_check_target(c, s->target) && s->target->type->kind != IF_PID) {
        if_error(c, s->target->place, s->target->length, "`fork` gives a pid, but this is %s",
                 if_type_text(s->target->type));
        return false;
    }
    return good;
}

static bool check_kill(if_checker *c, if_statement *s)
{
    if (!if_check_expr_as(c, s->value, c->system->pid, "the operand of `kill`"))
        return false;
    s->process = s->value->process;
    if (s->process)
        ((if_process *)s->process)->killed = true;
    else
        c->system->kills_any = true;
    return true;
}

// ---- others -----------------------------------------------------------------------------------

static bool check_return(if_checker *c, if_statement *s)
{
    const if_symbol *result = c->procedure ? c->procedure->result : NULL;
    s->procedure = c->procedure;
    if (!c->procedure)
        if_error(c, s->place, s->length, "`return` is for procedures");
    else if (s->value && !result)
        if_error(c, s->value->place, s->value->length, "`%s` returns nothing",
                 c->procedure->name.name);
    else if (!s->value && result)
        if_error(c, s->place, s->length, "`%s` returns a value", c->procedure->name.name);
    else
        return !s->value || if_check_expr_as(c, s->value, result->type, "the result");
    return false;
}

static bool check_assign(if_checker *c, if_statement *s)
{
    bool good = if_check_target(c, s->target);
    if (!good)
        return if_check_expr(c, s->value) && false;
    return if_check_expr_as(c, s->value, s->target->type, "the assigned value");
}

static bool check_place(if_checker *c, const if_statement *s)
{
    bool outside = s->kind == IF_S_OUTPUT || s->kind == IF_S_FORK || s->kind == IF_S_KILL;
    if (outside && c->procedure)
        if_error(c, s->place, s->length,
                 "a procedure computes: it has no outputs, forks and kills");
    return !outside || !c->procedure;
}

static bool check_statement(if_checker *c, if_statement *s)
{
    if (!check_place(c, s))
        return false;
    switch (s->kind) {
    case IF_S_ASSIGN:
        return check_assign(c, s);
    case IF_S_OUTPUT:
        return check_output(c, s);
    case IF_S_CALL:
        return check_call(c, s);
    case IF_S_FORK:
        return check_fork(c, s);
    case IF_S_KILL:
        return check_kill(c, s);
    case IF_S_RETURN:
        return check_return(c, s);
    case IF_S_IF:
    case IF_S_WHILE: {
        bool good = if_check_expr_as(c, s->value, c->system->boolean, "the condition");
        good = if_check_block(c, &s->first) && good;
        return if_check_block(c, &s->second) && good;
    }
    default:
        return true;
    }
}

bool if_check_block(if_checker *c, if_block *block)
{
    bool good = true;
    for (uint32_t i = 0; i < block->count; i++) {
        if_statement *s = block->at[i];
        good = check_statement(c, s) && good;
        block->waits = block->waits || s->kind == IF_S_OUTPUT || s->first.waits || s->second.waits;
    }
    return good;
}

bool if_check_procedure(if_checker *c, if_procedure *procedure)
{
    if (procedure->checked == 2)
        return procedure->good;
    procedure->checked = 1;
    if_checker inner = *c;
    inner.process = (if_process *)procedure->process;
    inner.procedure = procedure;
    bool good = true;
    for (uint32_t i = 0; i < procedure->vars.count; i++)
        good = if_resolve_symbol(&inner, procedure->vars.at[i]) && good;
    if (procedure->returns) {
        procedure->result = GY_NEW(c->arena, if_symbol);
        *procedure->result =
            (if_symbol){.kind = IF_D_VAR, .name = procedure->name, .syntax = procedure->returns};
        good = if_resolve_symbol(&inner, procedure->result) && good;
        if (!good)
            procedure->result = NULL;
    }
    procedure->good = good;
    if (good)
        if_check_block(&inner, &procedure->body);
    procedure->checked = 2;
    return good;
}
