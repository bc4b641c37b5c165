// Expressions. Each use makes a tree of its own.
#include "lang/if/check/if_check.h"
#include "lang/if/lower/if_lower.h"
#include "model/atoms.h"
#include "model/fold.h"

enum { MOST_MADE = 4000000 };

void if_too_large(if_lowering *l, gy_location place)
{
    if (!l->failed) {
        gy_diag *diag = gy_error(l->diags, place, "this system expands to too many expressions");
        gy_hint(diag, "fewer instances, shorter buffers or smaller types help");
    }
    l->failed = true;
}

void if_count(if_lowering *l)
{
    if (++l->made > MOST_MADE)
        if_too_large(l, l->place);
}

static gy_expr *new_expr(if_lowering *l, gy_expr_op op)
{
    if_count(l);
    return gy_expr_new(l->model->arena, op, l->place);
}

gy_expr *if_const(if_lowering *l, int32_t value)
{
    gy_expr *expr = new_expr(l, GY_E_CONST);
    expr->value = value;
    return expr;
}

gy_expr *if_copy(if_lowering *l, const gy_expr *expr)
{
    if (!expr)
        return NULL;
    gy_expr *own = new_expr(l, expr->op);
    *own = *expr;
    own->a = if_copy(l, expr->a);
    own->b = if_copy(l, expr->b);
    own->c = if_copy(l, expr->c);
    return own;
}

gy_expr *if_unary(if_lowering *l, gy_expr_op op, gy_expr *a)
{
    if (a->op == GY_E_CONST && op == GY_E_NOT)
        return if_const(l, !a->value);
    gy_expr *expr = new_expr(l, op);
    expr->a = a;
    return expr;
}

gy_expr *if_binary(if_lowering *l, gy_expr_op op, gy_expr *a, gy_expr *b)
{
    int32_t value;
    if (!a)
        return b;
    if ((op == GY_E_AND || op == GY_E_OR) && a->op == GY_E_CONST)
        return (a->value != 0) == (op == GY_E_OR) ? a : b;
    if (a->op == GY_E_CONST && b->op == GY_E_CONST &&
        gy_fold_binary(op, a->value, b->value, &value))
        return if_const(l, value);
    if (b->op == GY_E_CONST && b->value == 0 && (op == GY_E_ADD || op == GY_E_SUB))
        return a;
    gy_expr *expr = if_unary(l, op, a);
    expr->b = b;
    return expr;
}

static gy_expr *choose(if_lowering *l, gy_expr *condition, gy_expr *a, gy_expr *b)
{
    if (condition->op == GY_E_CONST)
        return condition->value ? a : b;
    gy_expr *expr = new_expr(l, GY_E_COND);
    expr->a = condition;
    expr->b = a;
    expr->c = b;
    return expr;
}

gy_expr *if_read(if_lowering *l, int32_t var, gy_expr *index)
{
    gy_expr *expr = new_expr(l, GY_E_VAR);
    expr->var = var;
    expr->a = index;
    return expr;
}

// `number` less `low`, which must be below `count`.
static gy_expr *check_range(if_lowering *l, gy_expr *number, int32_t low, int32_t count)
{
    gy_expr *above = if_binary(l, GY_E_SUB, number, if_const(l, low));
    if (above->op == GY_E_CONST && above->value >= 0 && above->value < count)
        return above;
    gy_expr *checked = if_unary(l, GY_E_INDEX, above);
    checked->value = count;
    checked->of_range = true;
    checked->least = low;
    return checked;
}

gy_expr *if_fit(if_lowering *l, gy_expr *value, const if_type *from, const if_type *to)
{
    if (to->kind != IF_NUMBER || if_is_within(from, to))
        return value;
    if (value->op == GY_E_CONST && value->value >= to->low && value->value <= to->high)
        return value;
    return if_binary(l, GY_E_ADD, check_range(l, value, to->low, to->high - to->low + 1),
                     if_const(l, to->low));
}

// ---- instances --------------------------------------------------------------------------------

static gy_expr *node_test(if_lowering *l, const if_instance *instance, int32_t node)
{
    gy_expr *expr = new_expr(l, GY_E_REMOTE_LABEL);
    expr->a = if_const(l, instance->pid);
    expr->tmpl = instance->tmpl;
    expr->node = node;
    return expr;
}

gy_expr *if_alive(if_lowering *l, const if_instance *instance)
{
    if (instance == l->at)
        return NULL;
    if (instance->mobile)
        return if_binary(l, GY_E_NE, if_read(l, instance->state, NULL), if_const(l, IF_DEAD));
    return instance->stopped == GY_NONE
               ? NULL
               : if_unary(l, GY_E_NOT, node_test(l, instance, instance->stopped));
}

gy_expr *if_is_at(if_lowering *l, const if_instance *instance, int32_t location)
{
    if (instance->mobile)
        return if_binary(l, GY_E_EQ, if_read(l, instance->state, NULL), if_const(l, location));
    return node_test(l, instance, location);
}

// Something about an instance of a process (NULL: of any) that an expression names.
typedef gy_expr *instance_question(if_lowering *l, const if_instance *instance, const void *about);

static gy_expr *ask(if_lowering *l, const if_expr *pid, const if_process *of,
                    instance_question *question, const void *about, int32_t otherwise)
{
    gy_expr *answer = if_const(l, otherwise);
    for (uint32_t i = l->process_instances; i-- > 0;) {
        const if_instance *instance = &l->instances[i];
        if (of && instance->process != of)
            continue;
        gy_expr *value = question(l, instance, about);
        gy_expr *code = if_lower_expr(l, pid);
        gy_expr *is = if_binary(l, GY_E_EQ, code, if_const(l, instance->code));
        answer = choose(l, is, value, answer);
    }
    return answer;
}

static gy_expr *ask_alive(if_lowering *l, const if_instance *instance, const void *about)
{
    (void)about;
    gy_expr *alive = if_alive(l, instance);
    return alive ? alive : if_const(l, 1);
}

static gy_expr *ask_at(if_lowering *l, const if_instance *instance, const void *about)
{
    const if_expr *expr = about;
    return if_is_at(l, instance, (int32_t)expr->field + (instance->mobile ? IF_FIRST_STATE : 0));
}

static gy_expr *ask_length(if_lowering *l, const if_instance *instance, const void *about)
{
    (void)about;
    return instance->queue == GY_NONE ? if_const(l, 0)
                                      : if_unary(l, GY_E_LEN, if_read(l, instance->queue, NULL));
}

static gy_expr *lower_instance(if_lowering *l, const if_expr *expr)
{
    const if_process *process = expr->process;
    int32_t first = IF_FIRST_PID + (int32_t)process->first;
    if (expr->kind == IF_X_NAME)
        return if_const(l, process->most_count ? first : IF_NIL);
    gy_expr *number = if_lower_expr(l, expr->a);
    if (expr->a->type->kind == IF_PID)
        return number;
    if (process->most_count == 0) {
        if (!l->failed)
            if_too_large(l, expr->place);
        return number;
    }
    if (number->op == GY_E_CONST && (number->value < 0 || number->value >= process->most_count)) {
        gy_diag *diag = gy_error(l->diags, expr->place, "no instance %d of `%s`: it has at most %d",
                                 number->value, process->name.name, process->most_count);
        diag->length = expr->length;
        l->failed = true;
        return number;
    }
    return if_binary(l, GY_E_ADD, check_range(l, number, 0, process->most_count),
                     if_const(l, first));
}

// ---- variables --------------------------------------------------------------------------------

// Where something is: part of a variable, at some index, of an instance or (NULL) of nothing.
typedef struct spot {
    const if_store *store;
    gy_expr *at; // NULL: no array so far
    const if_instance *of;
} spot;

static gy_expr *deeper(if_lowering *l, gy_expr *at, uint32_t count, gy_expr *i)
{
    return at ? if_binary(l, GY_E_ADD, if_binary(l, GY_E_MUL, at, if_const(l, (int32_t)count)), i)
              : i;
}

// `remote`: which instance a variable of another process is taken from.
static spot find_spot(if_lowering *l, const if_expr *expr, const if_instance *remote)
{
    if (expr->kind == IF_X_INDEX) {
        spot s = find_spot(l, expr->a, remote);
        const if_type *type = expr->a->type;
        gy_expr *i = check_range(l, if_lower_expr(l, expr->b), type->low, (int32_t)type->count);
        s.at = deeper(l, s.at, type->count, i);
        s.store = s.store->parts[0];
        return s;
    }
    if (expr->kind == IF_X_FIELD && !expr->remote) {
        spot s = find_spot(l, expr->a, remote);
        s.store = s.store->parts[expr->field];
        return s;
    }
    const if_symbol *symbol = expr->symbol;
    const if_instance *of = expr->remote ? remote : l->at;
    if (symbol->process)
        return (spot){.store = of->vars[symbol->number], .of = of};
    return (spot){.store = symbol->store};
}

static spot cell_spot(if_lowering *l, spot s, uint32_t k)
{
    while (s.store->type->kind == IF_ARRAY || s.store->type->kind == IF_RECORD) {
        const if_type *type = s.store->type;
        if (type->kind == IF_ARRAY) {
            uint32_t each = type->item->cells;
            s.at = deeper(l, s.at, type->count, if_const(l, (int32_t)(k / each)));
            s.store = s.store->parts[0];
            k %= each;
        } else {
            uint32_t f = 0;
            while (k >= type->types[f]->cells)
                k -= type->types[f++]->cells;
            s.store = s.store->parts[f];
        }
    }
    return s;
}

static gy_expr *index_of(if_lowering *l, const spot *s)
{
    uint32_t count = s->store->count;
    if (!s->at || (s->at->op == GY_E_CONST && (uint32_t)s->at->value < count) ||
        (s->at->op == GY_E_INDEX && (uint32_t)s->at->value == count))
        return s->at;
    gy_expr *index = if_unary(l, GY_E_INDEX, s->at);
    index->value = (int32_t)count;
    return index;
}

static gy_expr *read_spot(if_lowering *l, const spot *s)
{
    gy_expr *index = index_of(l, s);
    if (!s->of || s->of == l->at || s->of->mobile)
        return if_read(l, s->store->var, index);
    gy_expr *expr = new_expr(l, GY_E_REMOTE_VAR);
    expr->a = if_const(l, s->of->pid);
    expr->tmpl = s->of->tmpl;
    expr->var = s->store->var;
    expr->b = index;
    return expr;
}

const if_type *if_cell_type(const if_type *type, uint32_t k)
{
    while (type->kind == IF_ARRAY || type->kind == IF_RECORD) {
        if (type->kind == IF_ARRAY) {
            k %= type->item->cells;
            type = type->item;
            continue;
        }
        uint32_t f = 0;
        while (k >= type->types[f]->cells)
            k -= type->types[f++]->cells;
        type = type->types[f];
    }
    return type;
}

static const if_expr *remote_root(const if_expr *expr)
{
    while (expr->kind == IF_X_INDEX || (expr->kind == IF_X_FIELD && !expr->remote))
        expr = expr->a;
    return expr->remote ? expr : NULL;
}

// A cell of a variable of an instance that an expression names: of each that it may be.
static gy_expr *remote_cell(if_lowering *l, const if_expr *expr, const if_expr *root, uint32_t k)
{
    const if_process *process = root->process;
    gy_expr *answer = if_const(l, 0), *code = if_lower_expr(l, root->a);
    if (code->op == GY_E_CONST) {
        if (code->value < IF_FIRST_PID) {
            gy_diag *diag = gy_error(l->diags, root->place, "this is not an instance of `%s`",
                                     process->name.name);
            diag->length = root->length;
            l->failed = true;
            return code;
        }
        spot s = cell_spot(l, find_spot(l, expr, &l->instances[code->value - IF_FIRST_PID]), k);
        return read_spot(l, &s);
    }
    for (int32_t i = process->most_count; i-- > 0;) {
        const if_instance *instance = &l->instances[process->first + (uint32_t)i];
        spot s = cell_spot(l, find_spot(l, expr, instance), k);
        gy_expr *value = read_spot(l, &s);
        gy_expr *number = check_range(l, if_lower_expr(l, root->a),
                                      IF_FIRST_PID + (int32_t)process->first, process->most_count);
        answer = choose(l, if_binary(l, GY_E_EQ, number, if_const(l, i)), value, answer);
    }
    return answer;
}

gy_expr *if_cell(if_lowering *l, const if_expr *expr, uint32_t k)
{
    if (expr->type->cells == 1 && expr->kind != IF_X_NAME && expr->kind != IF_X_FIELD &&
        expr->kind != IF_X_INDEX)
        return if_lower_expr(l, expr);
    if (expr->kind == IF_X_COND)
        return choose(l, if_lower_expr(l, expr->a), if_cell(l, expr->b, k), if_cell(l, expr->c, k));
    if (expr->constant)
        return if_const(l, expr->value);
    l->place = expr->place;
    const if_expr *root = remote_root(expr);
    if (root)
        return remote_cell(l, expr, root, k);
    spot s = cell_spot(l, find_spot(l, expr, NULL), k);
    return read_spot(l, &s);
}

static gy_field field_at(if_lowering *l, const spot *s)
{
    return (gy_field){.kind = GY_FIELD_STORE, .var = s->store->var, .index = index_of(l, s)};
}

gy_field if_target_cell(if_lowering *l, const if_expr *expr, uint32_t k)
{
    spot s = cell_spot(l, find_spot(l, expr, NULL), k);
    return field_at(l, &s);
}

gy_field if_store_cell(if_lowering *l, const if_store *store, uint32_t k)
{
    spot s = cell_spot(l, (spot){.store = store}, k);
    return field_at(l, &s);
}

gy_expr *if_read_cell(if_lowering *l, const if_store *store, uint32_t k)
{
    spot s = cell_spot(l, (spot){.store = store}, k);
    return read_spot(l, &s);
}

// ---- operators --------------------------------------------------------------------------------

static gy_expr *lower_binary(if_lowering *l, const if_expr *expr)
{
    bool equality = expr->op == GY_E_EQ || expr->op == GY_E_NE;
    if (!equality || expr->a->type->cells == 1) {
        gy_expr *a = if_lower_expr(l, expr->a), *b = if_lower_expr(l, expr->b);
        l->place = expr->place;
        return if_binary(l, expr->op, a, b);
    }
    gy_expr *all = NULL;
    for (uint32_t k = 0; k < expr->a->type->cells && !l->failed; k++)
        all = if_binary(l, GY_E_AND, all,
                        if_binary(l, GY_E_EQ, if_cell(l, expr->a, k), if_cell(l, expr->b, k)));
    if (!all)
        all = if_const(l, 1);
    return expr->op == GY_E_EQ ? all : if_unary(l, GY_E_NOT, all);
}

static gy_expr *lower_logical(if_lowering *l, const if_expr *expr)
{
    gy_expr *a = if_lower_expr(l, expr->a), *b = expr->b ? if_lower_expr(l, expr->b) : NULL;
    if (expr->formula_op == GY_F_EQUIV)
        return if_binary(l, GY_E_EQ, a, b);
    return if_binary(l, GY_E_OR, if_unary(l, GY_E_NOT, a), b);
}

gy_expr *if_lower_expr(if_lowering *l, const if_expr *expr)
{
    if (l->failed)
        return if_const(l, 0);
    l->place = expr->place;
    if (expr->constant)
        return if_const(l, expr->value);
    switch (expr->kind) {
    case IF_X_SELF:
        return if_const(l, l->at->code);
    case IF_X_NAME:
        if (expr->symbol->kind == IF_D_PROCESS)
            return lower_instance(l, expr);
        return if_cell(l, expr, 0);
    case IF_X_FIELD:
    case IF_X_INDEX:
        return if_cell(l, expr, 0);
    case IF_X_CAST:
        if (expr->process)
            return lower_instance(l, expr);
        return if_fit(l, if_lower_expr(l, expr->a), expr->a->type, expr->type);
    case IF_X_UNARY:
        if (expr->op == GY_E_ADD)
            return if_lower_expr(l, expr->a);
        return if_unary(l, expr->op, if_lower_expr(l, expr->a));
    case IF_X_BINARY:
        return lower_binary(l, expr);
    case IF_X_COND:
        return choose(l, if_lower_expr(l, expr->a), if_lower_expr(l, expr->b),
                      if_lower_expr(l, expr->c));
    case IF_X_ACTIVE:
        return ask(l, expr->a, expr->a->process, ask_alive, NULL, 0);
    case IF_X_AT:
        return ask(l, expr->a, expr->process, ask_at, expr, 0);
    case IF_X_LENGTH:
        return ask(l, expr->a, expr->a->process, ask_length, NULL, 0);
    default:
        return lower_logical(l, expr);
    }
}

// ---- formulas ---------------------------------------------------------------------------------

gy_formula *if_lower_formula(if_lowering *l, const if_expr *expr)
{
    gy_formula *formula = GY_NEW(l->model->arena, gy_formula);
    *formula = (gy_formula){.op = expr->formula_op, .place = expr->place};
    if (expr->kind == IF_X_TEMPORAL) {
        formula->a = if_lower_formula(l, expr->a);
        formula->b = expr->b ? if_lower_formula(l, expr->b) : NULL;
        return formula;
    }
    gy_expr *atom = if_lower_expr(l, expr);
    formula->op = GY_F_ATOM;
    if (atom->op == GY_E_CONST) {
        formula->op = atom->value ? GY_F_TRUE : GY_F_FALSE;
        return formula;
    }
    gy_text text = {0};
    if_expr_text(expr, &text);
    formula->text = gy_arena_strdup(l->model->arena, gy_text_str(&text));
    gy_text_free(&text);
    formula->atom = gy_model_atom(l->model, atom);
    return formula;
}
