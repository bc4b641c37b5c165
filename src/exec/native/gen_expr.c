// Expressions to C. See gy_gen.
//
// Every expression is an int, 32-bit and wrapping (the file is compiled with -fwrapv). Where the
// VM would raise a fault, the C jumps to the label `vm`. Expressions have no effects, so
// their order of evaluation does not matter.
#include "exec/native/gen.h"
#include "model/fold.h"
#include "model/operators.h"
#include "model/spin_numbers.h"

// ---- what is covered ------------------------------------------------------------------

static bool covers_all(const gy_gen *g, const gy_expr *expr)
{
    return (!expr->a || gy_gen_covers(g, expr->a)) && (!expr->b || gy_gen_covers(g, expr->b)) &&
           (!expr->c || gy_gen_covers(g, expr->c)) &&
           gy_gen_covers_field_list(g, expr->args, expr->arg_count);
}

bool gy_gen_covers_variable(const gy_gen *g, int32_t var)
{
    return !g->model->vars[var].hidden || g->model->vars[var].removed ||
           gy_gen_covers_hidden(g, var);
}

bool gy_gen_covers(const gy_gen *g, const gy_expr *expr)
{
    switch (expr->op) {
    case GY_E_VAR:
        if (!gy_gen_covers_variable(g, expr->var))
            return false;
        break;
    case GY_E_C:
        return gy_gen_covers_c(g, expr->c_block);
    case GY_E_NP:
        return false;
    default:
        break;
    }
    return covers_all(g, expr);
}

bool gy_gen_covers_field_list(const gy_gen *g, const gy_field *fields, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++) {
        if (fields[f].expr && !gy_gen_covers(g, fields[f].expr))
            return false;
        if (fields[f].index && !gy_gen_covers(g, fields[f].index))
            return false;
        if (fields[f].kind == GY_FIELD_STORE && !gy_gen_covers_variable(g, fields[f].var))
            return false;
    }
    return true;
}

// ---- constants ------------------------------------------------------------------------

bool gy_gen_constant_local(gy_gen *g, uint32_t pid, uint32_t at, int32_t *value)
{
    if (pid >= g->shape->shape->process_count)
        return false; // just made
    gy_native_constant *constant = &g->shape->locals[g->shape->first[pid] + at];
    if (!constant->known)
        return false;
    constant->used = true;
    return *value = constant->value, true;
}

static bool constant_variable(gy_gen *g, const gy_expr *expr, int32_t *value)
{
    const gy_variable *var = &g->model->vars[expr->var];
    int32_t element = 0;
    if (!var->hidden && !var->bits && !expr->a)
        return *value = var->min, true;
    if (g->facts->assigned[expr->var] || (expr->a && !gy_gen_constant(g, expr->a, &element)) ||
        (uint32_t)element >= var->count)
        return false;
    uint32_t at = g->facts->element[expr->var] + (uint32_t)element;
    if (var->owner == GY_NONE)
        return *value = g->facts->globals[at], true;
    if (var->owner != g->tmpl)
        return false;
    return gy_gen_constant_local(g, (uint32_t)g->pid, at, value);
}

bool gy_gen_constant(gy_gen *g, const gy_expr *expr, int32_t *value)
{
    int32_t x, y;
    switch (expr->op) {
    case GY_E_CONST:
        return *value = expr->value, true;
    case GY_E_VAR:
        return constant_variable(g, expr, value);
    case GY_E_EXCLUSIVE:
        return gy_gen_constant_exclusive(g, expr, value);
    case GY_E_INDEX:
        return gy_gen_constant(g, expr->a, value) && (uint32_t)*value < (uint32_t)expr->value;
    case GY_E_PID:
        return *value = g->pid, true;
    case GY_E_NR_PR:
        return *value = (int32_t)g->now->process_count, true;
    case GY_E_NOT:
        return gy_gen_constant(g, expr->a, &x) && (*value = !x, true);
    case GY_E_NEG:
        return gy_gen_constant(g, expr->a, &x) && (*value = (int32_t) - (uint32_t)x, true);
    case GY_E_COMPL:
        return gy_gen_constant(g, expr->a, &x) && (*value = ~x, true);
    case GY_E_COND:
        return gy_gen_constant(g, expr->a, &x) && gy_gen_constant(g, x ? expr->b : expr->c, value);
    case GY_E_AND:
    case GY_E_OR:
        if (!gy_gen_constant(g, expr->a, &x))
            return false;
        if ((expr->op == GY_E_OR) == (x != 0))
            return *value = x != 0, true;
        return gy_gen_constant(g, expr->b, &y) && (*value = y != 0, true);
    default:
        return expr->op >= GY_E_ADD && expr->op <= GY_E_NE && gy_gen_constant(g, expr->a, &x) &&
               gy_gen_constant(g, expr->b, &y) && gy_fold_binary(expr->op, x, y, value);
    }
}

// ---- variables ------------------------------------------------------------------------

// An index, checked against the array as the VM does. NULL: the element is known.
static char *index_text(gy_gen *g, const gy_variable *var, const gy_expr *index, uint32_t *element)
{
    int32_t value = 0;
    *element = 0;
    if (!index)
        return NULL;
    if (gy_gen_constant(g, index, &value) && (uint32_t)value < var->count) {
        *element = (uint32_t)value;
        return NULL;
    }
    char *text = gy_gen_text(g, index);
    if (index->op == GY_E_INDEX && (uint32_t)index->value <= var->count)
        return text;
    gy_text checked = {0};
    gy_text_printf(&checked, "INDEX(%s, %uu)", text, var->count);
    free(text);
    return gy_text_take(&checked);
}

static uint32_t mask_of(uint32_t bits)
{
    return ~0u >> (32 - bits);
}

static bool is_in_one_word(const gy_gen *g, const gy_variable *var)
{
    return !g->device && var->shift + var->count * var->stride <= 32;
}

static void load(gy_gen *g, uint32_t base, const gy_variable *var, const char *index,
                 uint32_t element)
{
    uint32_t word = base + var->word;
    if (!var->bits) {
        gy_text_printf(g->out, "((void)(%s), (%d))", index ? index : "0", var->min);
        return;
    }
    uint32_t at = 0;
    bool side_by_side = index && gy_gen_side_by_side(g, word, var, &at);
    if (side_by_side && var->min >= 0) {
        gy_text_printf(g->out, "GETL(%s, %u, %u, 0x%xu, %s)", g->s, at, var->stride,
                       mask_of(var->bits), index);
        return;
    }
    if (index && g->device && at == GY_DEVICE_NO_BIT) {
        gy_text_printf(g->out, "%s(%u, %u, %u, %u, %s)", var->min < 0 ? "FIXED_SIGNED" : "FIXED",
                       word, var->shift, var->stride, var->bits, index);
        return;
    }
    if (index) {
        if (var->min < 0)
            gy_text_printf(g->out, "GETXS(%s, %u, %u, %u, %u, %s)", g->s, word, var->shift,
                           var->stride, var->bits, index);
        else
            gy_text_printf(g->out, "%s(%s, %u, %u, %u, 0x%xu, %s)",
                           is_in_one_word(g, var) ? "GETO" : "GETX", g->s, word, var->shift,
                           var->stride, mask_of(var->bits), index);
        return;
    }
    uint32_t bit = var->shift + element * var->stride;
    word += bit / 32;
    gy_gen_get(g, g->out, g->s, (gy_gen_place){word, bit % 32, var->bits, var->min < 0});
}

void gy_gen_store(gy_gen *g, int32_t number, const gy_expr *index, const char *value)
{
    const gy_variable *var = &g->model->vars[number];
    uint32_t element, first, word = var->word + (var->owner == GY_NONE ? 0 : g->base);
    char *at = index_text(g, var, index, &element);
    if (var->hidden && !var->removed)
        gy_gen_store_hidden(g, number, at, element, value);
    else if (var->removed || !var->bits)
        gy_gen_line(g, "(void)(%s), (void)(%s); // %s", at ? at : "0", value, var->name);
    else if (at && gy_gen_side_by_side(g, word, var, &first))
        gy_gen_line(g, "PUTL(o, %u, %u, 0x%xu, %s, %s); // %s", first, var->stride,
                    mask_of(var->bits), at, value, var->name);
    else if (at)
        gy_gen_line(g, "%s(o, %u, %u, %u, 0x%xu, %s, %s); // %s",
                    is_in_one_word(g, var) ? "PUTO" : "PUTX", word, var->shift, var->stride,
                    mask_of(var->bits), at, value, var->name);
    else {
        uint32_t bit = var->shift + element * var->stride;
        gy_gen_put(g, (gy_gen_place){word + bit / 32, bit % 32, var->bits, false}, value,
                   var->name);
    }
    free(at);
}

static void variable(gy_gen *g, const gy_expr *expr)
{
    const gy_variable *var = &g->model->vars[expr->var];
    uint32_t element;
    char *index = index_text(g, var, expr->a, &element);
    if (var->removed)
        gy_text_printf(g->out, "((void)(%s), 0)", index ? index : "0");
    else if (var->hidden)
        gy_gen_load_hidden(g, expr->var, index, element);
    else
        load(g, var->owner == GY_NONE ? 0 : g->base, var, index, element);
    free(index);
}

// ---- other processes ------------------------------------------------------------------

static void pc_value(gy_gen *g, int32_t number, const char *location)
{
    const gy_template *tmpl = &g->model->templates[number];
    if (g->device)
        gy_gen_open_table(g, location);
    else
        gy_text_add(g->out, "((const int[]){");
    for (uint32_t n = 0; n < tmpl->node_count; n++) {
        int32_t value = gy_spin_state(g->model, number, (int32_t)n);
        if (g->device)
            gy_text_printf(g->out, "case %u: v_ = %d; break; ", n, value);
        else
            gy_text_printf(g->out, "%d,", value);
    }
    if (g->device)
        gy_gen_close_table(g);
    else
        gy_text_printf(g->out, "})[%s]", location);
}

static void remote_value(gy_gen *g, const gy_expr *expr, uint32_t pid)
{
    const gy_state_layout_process *process = &g->now->process[pid];
    if (expr->op == GY_E_PC_VALUE) {
        gy_text location = {0};
        gy_gen_get(g, &location, g->s, gy_gen_pc_of(g, pid));
        pc_value(g, process->tmpl, gy_text_str(&location));
        gy_text_free(&location);
        return;
    }
    if (process->tmpl != expr->tmpl) { // a label: not there; a variable: a fault
        gy_text_add(g->out, expr->op == GY_E_REMOTE_LABEL ? "0" : "NOTHING");
        return;
    }
    if (expr->op == GY_E_REMOTE_LABEL) {
        gy_gen_get(g, g->out, g->s, gy_gen_pc_of(g, pid));
        gy_text_printf(g->out, " == %d", expr->node);
        return;
    }
    const gy_variable *var = &g->model->vars[expr->var];
    if (var->hidden)
        gy_text_add(g->out, "0");
    else if (!expr->b)
        load(g, process->offset, var, NULL, 0);
    else {
        char *index = gy_gen_text(g, expr->b);
        gy_text_printf(g->out, "(BLOCK int e_ = %s; YIELD((word)e_ < %uu ? ", index, var->count);
        load(g, process->offset, var, "e_", 0);
        gy_text_add(g->out, " : 0) END_BLOCK)");
        free(index);
    }
}

static int32_t first_instance(const gy_gen *g, int32_t tmpl)
{
    for (uint32_t i = 0; i < g->now->process_count; i++)
        if (g->now->process[i].tmpl == tmpl)
            return (int32_t)i;
    return -1;
}

static void remote_bare(gy_gen *g, const gy_expr *expr)
{
    int32_t pid = -1, count = (int32_t)g->now->process_count;
    int32_t first = expr->op == GY_E_PC_VALUE ? -1 : first_instance(g, expr->tmpl);
    if (!expr->a || gy_gen_constant(g, expr->a, &pid)) {
        if (pid == -1)
            pid = first;
        if (pid >= 0 && pid < count)
            remote_value(g, expr, (uint32_t)pid);
        else
            gy_text_add(g->out, "0");
        return;
    }
    char *text = gy_gen_text(g, expr->a);
    uint32_t name = g->names++;
    gy_text_printf(g->out, "(BLOCK int q%u_ = %s; ", name, text);
    if (first >= 0)
        gy_text_printf(g->out, "if (q%u_ == -1) q%u_ = %d; ", name, name, first);
    gy_text_add(g->out, "YIELD(");
    for (int32_t i = 0; i < count; i++) {
        gy_text_printf(g->out, "q%u_ == %d ? ", name, i);
        remote_value(g, expr, (uint32_t)i);
        gy_text_add(g->out, " : ");
    }
    gy_text_add(g->out, "0) END_BLOCK)");
    free(text);
}

static void remote(gy_gen *g, const gy_expr *expr)
{
    gy_text_char(g->out, '(');
    remote_bare(g, expr);
    gy_text_char(g->out, ')');
}

// ---- all expressions ------------------------------------------------------------------

static const char *operator_text(gy_expr_op op)
{
    static const char *const table[GY_E_COUNT] = {
        [GY_E_ADD] = "+",   [GY_E_SUB] = "-",    [GY_E_MUL] = "*",   [GY_E_BITAND] = "&",
        [GY_E_BITOR] = "|", [GY_E_BITXOR] = "^", [GY_E_LT] = "<",    [GY_E_LE] = "<=",
        [GY_E_GT] = ">",    [GY_E_GE] = ">=",    [GY_E_EQ] = "==",   [GY_E_NE] = "!=",
        [GY_E_AND] = "&&",  [GY_E_OR] = "||",    [GY_E_DIV] = "DIV", [GY_E_MOD] = "MOD",
        [GY_E_SHL] = "SHL", [GY_E_SHR] = "SHR",
    };
    return table[op];
}

static void prefix(gy_gen *g, const char *op, const gy_expr *a)
{
    gy_text_printf(g->out, "%s(", op);
    gy_gen_expr(g, a);
    gy_text_char(g->out, ')');
}

// Is it a value that has to be looked up in the state, whatever a compiler knows of arithmetic?
static bool is_looked_up(gy_gen *g, const gy_expr *expr)
{
    int32_t value;
    if (gy_gen_constant(g, expr, &value))
        return false;
    switch (expr->op) {
    case GY_E_VAR:
        return !g->model->vars[expr->var].removed && g->model->vars[expr->var].bits;
    case GY_E_INDEX:
    case GY_E_NEG:
    case GY_E_COMPL:
        return is_looked_up(g, expr->a);
    case GY_E_ADD:
    case GY_E_SUB:
    case GY_E_BITXOR:
        return is_looked_up(g, expr->a) || is_looked_up(g, expr->b);
    default:
        return false;
    }
}

// Can no compiler know whether it is true?
static bool is_open(gy_gen *g, const gy_expr *expr)
{
    if (gy_op_is_comparison(expr->op))
        return is_looked_up(g, expr->a) || is_looked_up(g, expr->b);
    switch (expr->op) {
    case GY_E_AND:
    case GY_E_OR:
        return is_open(g, expr->a) && is_open(g, expr->b);
    case GY_E_NOT:
        return is_open(g, expr->a);
    default:
        return is_looked_up(g, expr);
    }
}

void gy_gen_condition(gy_gen *g, const gy_expr *expr)
{
    int32_t value;
    if (!gy_gen_constant(g, expr, &value) && (expr->op == GY_E_COND || is_open(g, expr)))
        gy_gen_expr(g, expr); // a COND says TRUTH itself
    else
        prefix(g, "TRUTH", expr);
}

static void negated(gy_gen *g, const gy_expr *expr)
{
    gy_text_add(g->out, "(!");
    gy_gen_condition(g, expr);
    gy_text_char(g->out, ')');
}

static void logical(gy_gen *g, const gy_expr *expr)
{
    gy_text_char(g->out, '(');
    gy_gen_condition(g, expr->a);
    gy_text_printf(g->out, " %s ", operator_text(expr->op));
    gy_gen_condition(g, expr->b);
    gy_text_char(g->out, ')');
}

static void conditional(gy_gen *g, const gy_expr *expr)
{
    gy_text_add(g->out, "TRUTH("); // the value may be asked for in a condition
    gy_gen_condition(g, expr->a);
    gy_text_add(g->out, " ? ");
    gy_gen_expr(g, expr->b);
    gy_text_add(g->out, " : ");
    gy_gen_expr(g, expr->c);
    gy_text_char(g->out, ')');
}

static void binary(gy_gen *g, const gy_expr *expr)
{
    gy_text_char(g->out, '(');
    gy_gen_expr(g, expr->a);
    gy_text_printf(g->out, " %s ", operator_text(expr->op));
    gy_gen_expr(g, expr->b);
    gy_text_char(g->out, ')');
}

// A division, which cannot fail if it is by a known number, or a shift.
static void function(gy_gen *g, const gy_expr *expr)
{
    int32_t by;
    bool divides = expr->op == GY_E_DIV || expr->op == GY_E_MOD;
    if (divides && gy_gen_constant(g, expr->b, &by) && by > 0) {
        gy_text_char(g->out, '(');
        gy_gen_expr(g, expr->a);
        gy_text_printf(g->out, " %c %d)", expr->op == GY_E_DIV ? '/' : '%', by);
        return;
    }
    gy_text_printf(g->out, "%s(", operator_text(expr->op));
    gy_gen_expr(g, expr->a);
    gy_text_add(g->out, ", ");
    gy_gen_expr(g, expr->b);
    gy_text_char(g->out, ')');
}

static void last_mover(gy_gen *g)
{
    if (g->model->uses_last)
        gy_gen_get(g, g->out, g->s,
                   (gy_gen_place){g->model->last_word, g->model->last_shift, 8, false});
    else
        gy_text_add(g->out, "0");
}

void gy_gen_expr(gy_gen *g, const gy_expr *expr)
{
    int32_t value;
    if (gy_gen_constant(g, expr, &value)) {
        gy_text_printf(g->out,
                       value == INT32_MIN ? "(int)0x80000000u"
                       : value < 0        ? "(%d)"
                                          : "%d",
                       value);
        return;
    }
    switch (expr->op) {
    case GY_E_VAR:
        variable(g, expr);
        break;
    case GY_E_EXCLUSIVE:
        gy_gen_exclusive(g, expr);
        break;
    case GY_E_INDEX:
        gy_text_add(g->out, "INDEX(");
        gy_gen_expr(g, expr->a);
        gy_text_printf(g->out, ", %uu)", (uint32_t)expr->value);
        break;
    case GY_E_NOT:
        negated(g, expr->a);
        break;
    case GY_E_AND:
    case GY_E_OR:
        logical(g, expr);
        break;
    case GY_E_NEG:
    case GY_E_COMPL:
        prefix(g, expr->op == GY_E_NEG ? "-" : "~", expr->a);
        break;
    case GY_E_DIV:
    case GY_E_MOD:
    case GY_E_SHL:
    case GY_E_SHR:
        function(g, expr);
        break;
    case GY_E_COND:
        conditional(g, expr);
        break;
    case GY_E_LEN:
    case GY_E_EMPTY:
    case GY_E_NEMPTY:
    case GY_E_FULL:
    case GY_E_NFULL:
    case GY_E_CAN_SEND:
        gy_gen_channel_question(g, expr);
        break;
    case GY_E_POLL:
        gy_gen_poll(g, expr);
        break;
    case GY_E_LAST:
        last_mover(g);
        break;
    case GY_E_C:
        gy_gen_c_value(g, expr->c_block);
        break;
    case GY_E_TIMEOUT:
        gy_text_add(g->out, g->timeout);
        break;
    case GY_E_GET_PRIORITY:
    case GY_E_PRIORITY:
        gy_gen_priority(g, expr);
        break;
    case GY_E_ENABLED:
        gy_gen_enabled(g, expr);
        break;
    case GY_E_PC_VALUE:
    case GY_E_REMOTE_LABEL:
    case GY_E_REMOTE_VAR:
        remote(g, expr);
        break;
    default:
        binary(g, expr);
    }
}

static char *text_of(gy_gen *g, const gy_expr *expr, void (*write)(gy_gen *, const gy_expr *))
{
    gy_text text = {0}, *out = g->out;
    g->out = &text;
    write(g, expr);
    g->out = out;
    return gy_text_take(&text);
}

char *gy_gen_text(gy_gen *g, const gy_expr *expr)
{
    return text_of(g, expr, gy_gen_expr);
}

char *gy_gen_condition_text(gy_gen *g, const gy_expr *expr)
{
    return text_of(g, expr, gy_gen_condition);
}
