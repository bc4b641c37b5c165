// Emitting instructions, and where variables live.
//
// Invariant: e->height is the height of the stack after the last instruction on every path
// that reaches it; code->max_stack is at least the height ever reached, plus two for the
// copy of the top of the stack that each push spills.
#include "exec/vm/emit.h"

static const int8_t heights[] = {
#define GY_OP_HEIGHT(name, format, height) height,
    GY_OPS(GY_OP_HEIGHT)
#undef GY_OP_HEIGHT
};

uint32_t gy_here(const gy_emitter *e)
{
    return (uint32_t)e->code->ins.n;
}

uint32_t gy_emit_by(gy_emitter *e, gy_op op, uint32_t a, uint32_t b, int32_t c, int32_t change)
{
    if (a > 255 || b > 65535)
        gy_fatal("operand of %s too large: %u, %u", gy_op_name(op), a, b);
    gy_instr instr = {(uint32_t)op | a << 8 | b << 16, c};
    gy_vec_push(&e->code->ins, instr);
    e->height = (uint32_t)((int32_t)e->height + change);
    if (e->code->max_stack < e->height + 2)
        e->code->max_stack = e->height + 2;
    return gy_here(e) - 1;
}

uint32_t gy_emit(gy_emitter *e, gy_op op, uint32_t a, uint32_t b, int32_t c)
{
    return gy_emit_by(e, op, a, b, c, heights[op]);
}

uint32_t gy_emit_jump_k(gy_emitter *e, gy_op op, int32_t constant)
{
    return gy_emit(e, op, 0, 0, constant);
}

void gy_emit_note(gy_emitter *e, uint32_t at, const gy_expr *expr, const gy_action *action,
                  int32_t var)
{
    gy_fault_note note = {at, expr, action, var};
    gy_vec_push(&e->code->notes, note);
}

void gy_patch(gy_emitter *e, uint32_t at, uint32_t target)
{
    gy_instr *instr = &e->code->ins.at[at];
    int32_t distance = (int32_t)target - (int32_t)at - 1;
    if (GY_OP_OF(*instr) >= GY_OP_JLTK && GY_OP_OF(*instr) <= GY_OP_JNEK) {
        if (distance >= 1 << 23 || distance < -(1 << 23))
            gy_fatal("jump too far in bytecode");
        instr->head = (instr->head & 255) | (uint32_t)distance << 8;
    } else
        instr->c = distance;
}

void gy_patch_all(gy_emitter *e, gy_jumps *jumps, uint32_t target)
{
    for (size_t i = 0; i < jumps->n; i++)
        gy_patch(e, jumps->at[i], target);
    gy_vec_free(jumps);
}

// ---- variables --------------------------------------------------------------------------

// The first of the instructions of this kind for G; those for L follow at a fixed distance.
static gy_op in_block(const gy_variable *var, gy_op for_globals)
{
    gy_op distance = GY_OP_LDL8 - GY_OP_LDG8;
    return var->owner == GY_NONE ? for_globals : for_globals + distance;
}

static bool constant_index(const gy_expr *index, uint32_t count, uint32_t *element)
{
    if (index && index->op == GY_E_INDEX)
        return (uint32_t)index->value <= count && index->a->op == GY_E_CONST &&
               constant_index(index->a, (uint32_t)index->value, element);
    *element = 0;
    if (!index)
        return true;
    if (index->op != GY_E_CONST || index->value < 0 || (uint32_t)index->value >= count)
        return false;
    *element = (uint32_t)index->value;
    return true;
}

void gy_emit_index_of(gy_emitter *e, int32_t number, const gy_expr *index)
{
    const gy_variable *var = &e->model->vars[number];
    uint32_t element;
    if (constant_index(index, var->count, &element))
        return;
    gy_emit_value(e, index);
    if (index->op != GY_E_INDEX || (uint32_t)index->value > var->count)
        gy_emit(e, GY_OP_INDEX, 0, 0, (int32_t)var->count);
    // The last check of the index knows which array it was for.
    if (e->code->ins.n && GY_OP_OF(e->code->ins.at[e->code->ins.n - 1]) == GY_OP_INDEX) {
        uint32_t at = gy_here(e) - 1;
        if (e->code->notes.n && e->code->notes.at[e->code->notes.n - 1].at == at)
            e->code->notes.at[e->code->notes.n - 1].var = number;
        else
            gy_emit_note(e, at, index, NULL, number);
    }
}

static uint32_t log2_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

// A field at bit `bit` of its block: whole bytes and words have instructions of their own.
static void emit_field(gy_emitter *e, const gy_variable *var, uint64_t bit, bool store)
{
    bool is_signed = var->min < 0;
    int32_t unit;
    gy_op op;
    if (var->bits == 32) {
        op = store ? GY_OP_STG32 : GY_OP_LDG32;
        unit = 32;
    } else if (var->bits == 16 && bit % 16 == 0) {
        op = store ? GY_OP_STG16 : is_signed ? GY_OP_LDG16S : GY_OP_LDG16;
        unit = 16;
    } else if (var->bits == 8 && bit % 8 == 0 && (store || !is_signed)) {
        op = store ? GY_OP_STG8 : GY_OP_LDG8;
        unit = 8;
    } else {
        op = store ? GY_OP_STGF : is_signed ? GY_OP_LDGFS : GY_OP_LDGF;
        uint32_t right = 32u - var->bits, left = right - (uint32_t)(bit % 32);
        gy_emit(e, in_block(var, op), left, right, (int32_t)(bit / 32));
        return;
    }
    gy_emit(e, in_block(var, op), 0, 0, (int32_t)(bit / (uint32_t)unit));
}

static void emit_element(gy_emitter *e, const gy_variable *var, bool store)
{
    bool is_signed = var->min < 0;
    uint64_t bit = (uint64_t)var->word * 32 + var->shift;
    uint32_t width = var->bits;
    if (width == 32)
        gy_emit(e, in_block(var, store ? GY_OP_STXG32 : GY_OP_LDXG32), 0, 0, (int32_t)var->word);
    else if (width == 16 && var->stride == 16 && bit % 16 == 0)
        gy_emit(e,
                in_block(var, store       ? GY_OP_STXG16
                              : is_signed ? GY_OP_LDXG16S
                                          : GY_OP_LDXG16),
                0, 0, (int32_t)(bit / 16));
    else if (width == 8 && var->stride == 8 && bit % 8 == 0 && (store || !is_signed))
        gy_emit(e, in_block(var, store ? GY_OP_STXG8 : GY_OP_LDXG8), 0, 0, (int32_t)(bit / 8));
    else
        gy_emit(e,
                in_block(var, store       ? GY_OP_STXGF
                              : is_signed ? GY_OP_LDXGFS
                                          : GY_OP_LDXGF),
                width, var->shift + 256 * log2_of(var->stride), (int32_t)var->word);
}

static void emit_access(gy_emitter *e, int32_t number, const gy_expr *index, bool store)
{
    const gy_variable *var = &e->model->vars[number];
    uint32_t element;
    bool is_constant = constant_index(index, var->count, &element);
    bool is_known = !var->hidden && !var->bits;
    if (var->removed || is_known) { // what was computed stays computed: it may have failed
        for (int drops = store + !is_constant; drops > 0; drops--)
            gy_emit(e, GY_OP_DROP, 0, 0, 0);
        if (!store)
            gy_emit(e, GY_OP_K, 0, 0, is_known ? var->min : 0);
    } else if (var->hidden) {
        uint32_t at = e->vars[number].hidden_at;
        uint32_t sign = store && var->type.is_signed;
        gy_op op = is_constant ? (store ? GY_OP_STH : GY_OP_LDH) : store ? GY_OP_STXH : GY_OP_LDXH;
        gy_emit(e, op, var->type.width, sign, (int32_t)(at + (is_constant ? element : 0)));
    } else if (is_constant)
        emit_field(e, var, (uint64_t)var->word * 32 + var->shift + (uint64_t)element * var->stride,
                   store);
    else
        emit_element(e, var, store);
}

void gy_emit_store(gy_emitter *e, int32_t var, const gy_expr *index)
{
    emit_access(e, var, index, true);
}

void gy_emit_load(gy_emitter *e, int32_t var, const gy_expr *index)
{
    if (!index && e->vars[var].channel) {
        gy_emit(e, GY_OP_K, 0, 0, e->vars[var].channel);
        return;
    }
    gy_emit_index_of(e, var, index);
    emit_access(e, var, index, false);
}
