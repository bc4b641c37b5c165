// Commands to actions of an effect. Local variables are hidden: they begin every step again.
#include "lang/riscal/lower/rsc_value.h"

static gy_action *add(rsc_lowering *l, gy_action_kind kind)
{
    l->b->place = l->place;
    return gy_build_action_in(l->b, l->effect, kind);
}

static uint32_t here(const rsc_lowering *l)
{
    return (uint32_t)l->effect->n;
}

// Goes on after it if the condition holds, else to a place that is reported later. Gives its
// number.
static uint32_t add_test(rsc_lowering *l, const gy_expr *condition)
{
    gy_action *action = add(l, GY_A_SELECT);
    action->options = GY_NEW_ARRAY(l->model->arena, gy_option, 2);
    action->option_count = 2;
    action->options[0] = (gy_option){rsc_own(l, condition), here(l)};
    return here(l) - 1;
}

static uint32_t add_jump(rsc_lowering *l, uint32_t target)
{
    add(l, GY_A_JUMP)->target = target;
    return here(l) - 1;
}

static void otherwise(rsc_lowering *l, uint32_t test, uint32_t target)
{
    l->effect->at[test].options[1].target = target;
}

static rsc_store *local(rsc_lowering *l, rsc_symbol *symbol)
{
    if (!symbol->store)
        symbol->store = rsc_new_store(l, symbol->type, symbol->name, symbol->place, true);
    return symbol->store;
}

// ---- choices ------------------------------------------------------------------------------------

static int32_t hidden_number(rsc_lowering *l, const char *name, uint32_t count, uint32_t most)
{
    gy_variable var = {.name = name, .place = l->place, .owner = GY_NONE};
    uint8_t bits = 1;
    while (most >> bits)
        bits++;
    var.type = gy_type_bits(bits, false);
    var.format = count ? gy_arena_printf(l->model->arena, "%s[%%]", name) : name;
    var.count = count ? count : 1;
    var.is_array = count > 0;
    var.dims = GY_NEW_ARRAY(l->model->arena, uint32_t, 1);
    var.dims[0] = var.count;
    var.dim_count = count > 0;
    var.hidden = var.momentary = true;
    gy_type_range(var.type, &var.min, &var.max);
    return gy_build_add_variable(l->b, &var);
}

typedef struct choice {
    rsc_lowering *l;
    const rsc_bound *bound;
    rsc_store list, number; // the codes that qualify, and how many
    bool all;               // every value does
    uint32_t count;         // of those that may
} choice;

static uint64_t codes_of(const rsc_bound *bound)
{
    uint64_t codes = 1;
    for (uint32_t i = 0; i < bound->count; i++)
        codes *= bound->vars[i].symbol->type->values;
    return codes;
}

static uint64_t code_of(const rsc_bound *bound)
{
    uint64_t code = 0, weight = 1, digit = 0;
    for (uint32_t i = 0; i < bound->count; i++) {
        rsc_known_code(NULL, bound->vars[i].symbol->value, &digit);
        code += digit * weight;
        weight *= bound->vars[i].symbol->type->values;
    }
    return code;
}

static void count_candidate(void *user, gy_expr *counts)
{
    choice *c = user;
    c->count++;
    c->all = c->all && rsc_is_true(counts);
}

// if counts then { list[number] := code; number := number+1 }
static void add_candidate(void *user, gy_expr *counts)
{
    choice *c = user;
    rsc_lowering *l = c->l;
    bool sure = rsc_is_true(counts);
    uint32_t test = sure ? 0 : add_test(l, counts);
    gy_action *action = add(l, GY_A_ASSIGN);
    action->var = c->list.var;
    action->index = rsc_own(l, rsc_check_index(l, rsc_read(l, &c->number, NULL), c->list.count));
    action->expr = rsc_const(l, (int32_t)code_of(c->bound));
    action = add(l, GY_A_ASSIGN);
    action->var = c->number.var;
    action->expr = rsc_binary(l, GY_E_ADD, rsc_read(l, &c->number, NULL), rsc_const(l, 1));
    if (!sure)
        otherwise(l, test, here(l));
}

static void assign_number(rsc_lowering *l, const rsc_store *to, gy_expr *value)
{
    gy_action *action = add(l, GY_A_ASSIGN);
    action->var = to->var;
    action->expr = rsc_own(l, value);
}

// Room for the candidates of the largest choice; the same for all of them.
static void make_room(rsc_lowering *l, choice *c)
{
    if (l->chosen_room < c->count || l->chosen[0] == GY_NONE) {
        l->chosen_room = c->count > 16 ? c->count : 16;
        l->chosen[0] = hidden_number(l, "candidates", l->chosen_room, RSC_MOST_VALUES);
        l->chosen[1] = hidden_number(l, "number", 0, RSC_MOST_VALUES);
    }
    c->list = (rsc_store){.var = l->chosen[0], .count = l->chosen_room};
    c->number = (rsc_store){.var = l->chosen[1], .count = 1};
}

// The variables of the bound become those that the code stands for.
static void take(rsc_lowering *l, const rsc_bound *bound, const rsc_store *code)
{
    gy_expr *rest = rsc_read(l, code, NULL);
    for (uint32_t i = 0; i < bound->count; i++) {
        rsc_symbol *symbol = bound->vars[i].symbol;
        gy_expr *radix = rsc_const(l, (int32_t)symbol->type->values);
        gy_expr *digit = i + 1 < bound->count ? rsc_binary(l, GY_E_MOD, rest, radix) : rest;
        rsc_store_value(l, symbol->store, NULL, rsc_decode_expr(l, symbol->type, digit));
        rest = rsc_binary(l, GY_E_DIV, rest, radix);
    }
}

// Chooses; what to do if there is nothing to choose from (or NULL: a fault) comes first.
void rsc_lower_choice(rsc_lowering *l, const rsc_bound *bound, const rsc_command *first,
                      const rsc_command *second)
{
    choice c = {.l = l, .bound = bound, .all = true};
    rsc_store **stores = GY_NEW_ARRAY(l->arena, rsc_store *, bound->count + 1);
    for (uint32_t i = 0; i < bound->count; i++) { // while candidates are looked for: constants
        stores[i] = bound->vars[i].symbol->store;
        bound->vars[i].symbol->store = NULL;
    }
    rsc_each(l, bound, count_candidate, &c);
    make_room(l, &c);
    rsc_symbol *named = bound->vars[0].symbol; // for whom a choice that fails is reported
    if (!named->flags) {
        named->flags = GY_NEW(l->arena, rsc_store);
        named->flags->count = 1;
        named->flags->var = hidden_number(l, named->name, 0, RSC_MOST_VALUES);
    }
    rsc_store taken = *named->flags;
    gy_expr *last;
    if (c.all && c.count == codes_of(bound)) {
        last = rsc_const(l, (int32_t)c.count - 1);
    } else {
        assign_number(l, &c.number, rsc_const(l, 0));
        rsc_each(l, bound, add_candidate, &c);
        last = rsc_binary(l, GY_E_SUB, rsc_read(l, &c.number, NULL), rsc_const(l, 1));
    }
    uint32_t none = 0, end = 0;
    if (second)
        none = add_test(l, rsc_binary(l, GY_E_GE, last, rsc_const(l, 0)));
    l->b->place = l->place;
    gy_build_choose(l->b, l->effect, taken.var, NULL, rsc_const(l, 0), rsc_own(l, last));
    if (last->op != GY_E_CONST) {
        gy_expr *index = rsc_check_index(l, rsc_read(l, &taken, NULL), c.list.count);
        gy_expr *code = rsc_read(l, &c.list, index);
        assign_number(l, &taken, code);
    }
    for (uint32_t i = 0; i < bound->count; i++) {
        bound->vars[i].symbol->store = stores[i];
        local(l, bound->vars[i].symbol);
    }
    take(l, bound, &taken);
    if (first)
        rsc_lower_command(l, first);
    if (second) {
        end = add_jump(l, 0);
        otherwise(l, none, here(l));
        rsc_lower_command(l, second);
        l->effect->at[end].target = here(l);
    }
}

// ---- assignments ----------------------------------------------------------------------------

static const rsc_store *find_target(rsc_lowering *l, const rsc_expr *target, gy_expr **at)
{
    if (target->kind == RSC_X_NAME) {
        *at = NULL;
        return target->symbol->store;
    }
    const rsc_store *of = find_target(l, target->a, at);
    if (target->kind != RSC_X_INDEX)
        return of->parts[target->value];
    uint32_t count = of->type->count;
    gy_expr *i = rsc_lower_position(l, of->type, target->b);
    bool only = !*at && rsc_is_scalar(of->type->item);
    l->place = target->place;
    if (!only)
        i = rsc_check_index(l, i, count);
    *at =
        *at ? rsc_binary(l, GY_E_ADD, rsc_binary(l, GY_E_MUL, *at, rsc_const(l, (int32_t)count)), i)
            : i;
    return of->parts[0];
}

static const rsc_value *lower_value(rsc_lowering *l, const rsc_expr *value)
{
    if (value->kind != RSC_X_CHOOSE)
        return rsc_lower_expr(l, value);
    rsc_lower_choice(l, value->bound, NULL, NULL);
    const rsc_symbol *symbol = value->bound->vars[0].symbol;
    return rsc_view(l, symbol->type, symbol->store, NULL);
}

static void lower_assignment(rsc_lowering *l, const rsc_command *command)
{
    gy_expr *at;
    const rsc_value *value = lower_value(l, command->value);
    const rsc_store *store = find_target(l, command->target, &at);
    l->place = command->place;
    rsc_store_value(l, store, at, value);
}

static void lower_assert(rsc_lowering *l, const rsc_command *command)
{
    gy_expr *condition = rsc_lower_scalar(l, command->value);
    gy_text text = {0};
    gy_text_add(&text, "assert ");
    rsc_expr_text(command->value, &text);
    l->place = command->place;
    gy_action *action = add(l, GY_A_ASSERT);
    action->expr = rsc_own(l, condition);
    action->text = gy_arena_strdup(l->model->arena, gy_text_str(&text));
    gy_text_free(&text);
}

// ---- conditions and loops -------------------------------------------------------------------

static void lower_if(rsc_lowering *l, const rsc_command *command)
{
    gy_expr *condition = rsc_lower_scalar(l, command->value);
    if (condition->op == GY_E_CONST) {
        const rsc_command *taken = condition->value ? command->first : command->second;
        if (taken)
            rsc_lower_command(l, taken);
        return;
    }
    l->place = command->place;
    uint32_t test = add_test(l, condition);
    rsc_lower_command(l, command->first);
    if (command->second) {
        uint32_t end = add_jump(l, 0);
        otherwise(l, test, here(l));
        rsc_lower_command(l, command->second);
        l->effect->at[end].target = here(l);
    } else {
        otherwise(l, test, here(l));
    }
}

static void lower_while(rsc_lowering *l, const rsc_command *command)
{
    if (command->start)
        rsc_lower_command(l, command->start);
    uint32_t start = here(l), test;
    if (command->kind == RSC_C_DO)
        rsc_lower_command(l, command->first);
    gy_expr *condition = rsc_lower_scalar(l, command->value);
    l->place = command->place;
    test = add_test(l, condition);
    if (command->kind != RSC_C_DO)
        rsc_lower_command(l, command->first);
    if (command->step)
        rsc_lower_command(l, command->step);
    l->place = command->place;
    add_jump(l, start);
    otherwise(l, test, here(l));
}

// Which values a loop goes through is decided before its first round.
typedef struct each {
    rsc_lowering *l;
    const rsc_command *body;
    rsc_store flags;
    uint32_t round;
} each;

static void decide_round(void *user, gy_expr *counts)
{
    each *e = user;
    uint32_t round = e->round++;
    if (rsc_is_true(counts))
        return;
    gy_action *action = add(e->l, GY_A_ASSIGN);
    action->var = e->flags.var;
    action->index = rsc_const(e->l, (int32_t)round);
    action->expr = rsc_own(e->l, counts);
}

static void count_open(void *user, gy_expr *counts)
{
    each *e = user;
    e->round++;
    e->flags.count += !rsc_is_true(counts);
}

static void lower_round(void *user, gy_expr *counts)
{
    each *e = user;
    rsc_lowering *l = e->l;
    gy_expr *round = rsc_const(l, (int32_t)e->round++);
    uint32_t test = 0;
    if (!rsc_is_true(counts))
        test = add_test(l, rsc_read(l, &e->flags, round));
    rsc_lower_command(l, e->body);
    if (!rsc_is_true(counts))
        otherwise(l, test, here(l));
}

static void lower_each(rsc_lowering *l, const rsc_command *command)
{
    each e = {.l = l, .body = command->first};
    rsc_each(l, command->bound, count_open, &e);
    if (e.flags.count) {
        uint32_t rounds = e.round;
        rsc_symbol *first = command->bound->vars[0].symbol;
        if (!first->flags || first->flags->count < rounds) {
            first->flags = GY_NEW(l->arena, rsc_store);
            first->flags->count = rounds;
            first->flags->var = hidden_number(l, "rounds", rounds, 1);
        }
        e.flags = *first->flags;
        e.round = 0;
        rsc_each(l, command->bound, decide_round, &e);
    }
    e.round = 0;
    rsc_each(l, command->bound, lower_round, &e);
}

void rsc_lower_command(rsc_lowering *l, const rsc_command *command)
{
    if (l->failed)
        return;
    l->place = command->place;
    switch (command->kind) {
    case RSC_C_EMPTY:
        break;
    case RSC_C_ASSIGN:
        lower_assignment(l, command);
        break;
    case RSC_C_VAR: {
        const rsc_value *value =
            command->value ? lower_value(l, command->value) : rsc_least(l, command->symbol->type);
        l->place = command->place;
        rsc_store_value(l, local(l, command->symbol), NULL, value);
        break;
    }
    case RSC_C_ASSERT:
        lower_assert(l, command);
        break;
    case RSC_C_CHOOSE:
        rsc_lower_choice(l, command->bound, command->first, command->second);
        break;
    case RSC_C_IF:
        lower_if(l, command);
        break;
    case RSC_C_WHILE:
    case RSC_C_DO:
    case RSC_C_FOR:
        lower_while(l, command);
        break;
    case RSC_C_EACH:
        lower_each(l, command);
        break;
    case RSC_C_BLOCK:
        for (uint32_t i = 0; i < command->count; i++)
            rsc_lower_command(l, command->list[i]);
        break;
    }
}
