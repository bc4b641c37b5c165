// Quick tests: the first comparison of a guard, found in the MODEL. See gy_quick_test.
//
// A quick test may only say no where the guard would: it is the first conjunct of the guard, a
// comparison of a variable with a constant, or the question whether a known channel holds a
// message or has room for one. None of these can fault.
#include "exec/vm/compile.h"
#include "model/operators.h"

static void set_field(gy_quick_test *test, uint64_t bit, uint32_t bits, bool is_signed)
{
    test->word = (uint32_t)(bit / 32);
    test->right = (uint8_t)(32 - bits);
    test->left = (uint8_t)(32 - bits - bit % 32);
    test->is_signed = is_signed;
}

// low .. high in the order of signed integers
static void set_range(gy_quick_test *test, int64_t low, int64_t high, bool inverted)
{
    test->low = (int32_t)low;
    test->span = (uint32_t)((uint64_t)high - (uint64_t)low);
    test->inverted = inverted;
}

static bool set_comparison(gy_quick_test *test, gy_expr_op op, int32_t k)
{
    switch (op) {
    case GY_E_EQ:
    case GY_E_NE:
        set_range(test, k, k, op == GY_E_NE);
        return true;
    case GY_E_LT:
    case GY_E_GE: // not less
        if (k == INT32_MIN)
            return false;
        set_range(test, INT32_MIN, (int64_t)k - 1, op == GY_E_GE);
        return true;
    case GY_E_LE:
    case GY_E_GT:
        set_range(test, INT32_MIN, k, op == GY_E_GT);
        return true;
    default:
        return false;
    }
}

static bool constant_element(const gy_expr *index, uint32_t count, uint32_t *element)
{
    if (index && index->op == GY_E_INDEX && (uint32_t)index->value <= count)
        index = index->a;
    *element = index ? (uint32_t)index->value : 0;
    return !index || (index->op == GY_E_CONST && *element < count);
}

static bool set_variable(const gy_model *model, gy_quick_test *test, const gy_expr *expr)
{
    uint32_t element;
    if (expr->op != GY_E_VAR)
        return false;
    const gy_variable *var = &model->vars[expr->var];
    if (var->hidden || !var->bits || !constant_element(expr->a, var->count, &element))
        return false;
    test->is_local = var->owner != GY_NONE;
    uint64_t bit = (uint64_t)var->word * 32 + var->shift + (uint64_t)element * var->stride;
    set_field(test, bit, var->bits, var->min < 0);
    return true;
}

static bool find_in_guard(const gy_model *model, const gy_expr *expr, gy_quick_test *test)
{
    if (expr->op == GY_E_AND) {
        bool found = find_in_guard(model, expr->a, test);
        test->decides = false;
        return found;
    }
    test->decides = true;
    if (expr->op == GY_E_NOT && set_variable(model, test, expr->a))
        return set_comparison(test, GY_E_EQ, 0);
    if (expr->op == GY_E_VAR && set_variable(model, test, expr))
        return set_comparison(test, GY_E_NE, 0);
    return gy_op_is_comparison(expr->op) && expr->b->op == GY_E_CONST &&
           set_variable(model, test, expr->a) && set_comparison(test, expr->op, expr->b->value);
}

bool gy_find_quick_predicate(const gy_model *model, const gy_expr *expr, gy_quick_test *test)
{
    bool negated = false;
    for (; expr->op == GY_E_NOT; expr = expr->a)
        negated = !negated;
    *test = (gy_quick_test){0};
    bool found = find_in_guard(model, expr, test) && test->decides && !test->is_local;
    test->inverted ^= negated;
    return found;
}

// Where the block of a channel made at the start begins: those before it were made at the
// start too, and no process was.
static uint32_t static_offset(const gy_model *model, int32_t identity)
{
    uint32_t offset = model->global_words;
    int32_t made = 0;
    for (uint32_t i = 0; i < model->init->count; i++)
        if (model->init->actions[i].kind == GY_A_NEW_CHANNEL) {
            if (++made == identity)
                break;
            offset += model->channel_types[model->init->actions[i].channel_type].words;
        }
    return offset;
}

static bool find_in_sync(const gy_program_code *program, const int32_t *types, const gy_edge *edge,
                         gy_vm_edge *to)
{
    const gy_model *model = program->model;
    if (edge->sync == GY_SYNC_NONE || edge->chan->op != GY_E_VAR || edge->chan->a ||
        !program->vars[edge->chan->var].channel)
        return false;
    const gy_channel_type *type = &model->channel_types[types[edge->chan->var]];
    to->channel = (uint16_t)program->vars[edge->chan->var].channel;
    to->is_rendezvous = type->capacity == 0;
    if (to->is_rendezvous || edge->guard)
        return false;
    if (edge->sync == GY_SYNC_SEND && program->lossy)
        return false;
    gy_quick_test *test = &to->test;
    uint64_t word = static_offset(model, to->channel) + type->length_word;
    set_field(test, word * 32 + type->length_shift, type->length_bits, false);
    if (edge->sync == GY_SYNC_SEND) {
        test->decides = true;
        return set_comparison(test, GY_E_LT, (int32_t)type->capacity);
    }
    test->decides = true;
    for (uint32_t f = 0; f < edge->field_count; f++)
        test->decides = test->decides && edge->fields[f].kind != GY_FIELD_MATCH;
    return set_comparison(test, GY_E_GT, 0);
}

void gy_find_quick_test(const gy_program_code *program, const int32_t *channel_types,
                        const gy_edge *edge, gy_vm_edge *to)
{
    gy_template_kind kind = program->model->templates[edge->tmpl].kind;
    if (kind == GY_TMPL_TRACE || kind == GY_TMPL_NOTRACE)
        return;
    to->has_test = find_in_sync(program, channel_types, edge, to);
    if (!to->has_test && edge->guard) {
        to->has_test = find_in_guard(program->model, edge->guard, &to->test);
        to->test.decides = to->test.decides && edge->sync == GY_SYNC_NONE;
    }
}
