// Variables and expressions, with what Spin's simulator does differently from its verifier: values
// are cast when they are read, too, and a value that does not fit is reported.
#include "lang/promela/lower/spin_text.h"
#include "spin/simulate/sim.h"

uint32_t sim_leaves(const pml_type *type)
{
    uint32_t n = 0;
    if (type->kind != PML_TY_STRUCT)
        return 1;
    for (uint32_t i = 0; i < type->record->member_count; i++)
        n += type->record->members[i]->count * sim_leaves(&type->record->members[i]->type);
    return n;
}

void sim_make_var(pml_sim *sim, sim_var *var, const pml_var *decl)
{
    *var = (sim_var){.decl = decl, .n = decl->count * sim_leaves(&decl->type)};
    var->at = GY_NEW_ARRAY(sim->arena, int32_t, var->n + 1);
}

static void init_leaves(pml_sim *sim, const pml_var *decl, int32_t **at)
{
    for (uint32_t i = 0; i < decl->count; i++) {
        if (decl->type.kind == PML_TY_STRUCT) {
            for (uint32_t m = 0; m < decl->type.record->member_count; m++)
                init_leaves(sim, decl->type.record->members[m], at);
            continue;
        }
        int32_t value = 0;
        if (decl->type.kind == PML_TY_CHAN)
            value = decl->chan ? sim_queue_new(sim, decl->chan) : 0;
        else if (decl->list)
            value = sim_eval(sim, decl->list[i < decl->list_count ? i : decl->list_count - 1]);
        if (decl->init && (decl->type.kind != PML_TY_CHAN || !decl->chan))
            value = sim_eval(sim, decl->init);
        *(*at)++ = value;
    }
}

void sim_init_var(pml_sim *sim, sim_var *var)
{
    int32_t *at = var->at;
    if (var->ready)
        return;
    var->ready = true;
    init_leaves(sim, var->decl, &at);
}

sim_var *sim_var_of(pml_sim *sim, const pml_var *decl)
{
    if (decl->role == PML_VAR_GLOBAL)
        return &sim->globals[decl->index];
    uint32_t at = decl->role == PML_VAR_PARAM || !decl->owner
                      ? decl->index
                      : decl->owner->param_count + decl->index;
    if (!sim->x || at >= sim->x->var_count)
        return NULL;
    return &sim->x->vars[at];
}

static bool in_bounds(pml_sim *sim, const pml_var *decl, int32_t index)
{
    if (index >= 0 && (uint32_t)index < decl->count)
        return true;
    gy_text_printf(&sim->out, "spin: indexing %s[%d] - size is %u\n", decl->name, (int)index,
                   decl->count);
    sim_error(sim, "indexing array '%s'", decl->name);
    return false;
}

static uint32_t offset_of(const pml_typedef *record, const pml_var *member)
{
    uint32_t offset = 0;
    for (uint32_t i = 0; i < record->member_count && record->members[i] != member; i++)
        offset += record->members[i]->count * sim_leaves(&record->members[i]->type);
    return offset;
}

// The first scalar of what is referred to; NULL: there is none, and that was reported.
int32_t *sim_cell(pml_sim *sim, const pml_ref *ref, const pml_type **type, sim_var **var)
{
    const pml_typedef *record = NULL;
    uint32_t offset = 0;
    *var = sim_var_of(sim, ref->parts[0].var);
    if (!*var)
        return NULL;
    for (uint32_t i = 0; i < ref->part_count; i++) {
        const pml_ref_part *part = &ref->parts[i];
        int32_t index = part->index ? sim_eval(sim, part->index) : 0;
        if (i == 0)
            sim_init_var(sim, *var);
        if (!in_bounds(sim, part->var, index))
            return NULL;
        if (record)
            offset += offset_of(record, part->var);
        offset += (uint32_t)index * sim_leaves(&part->var->type);
        record = part->var->type.record;
        *type = &part->var->type;
    }
    return &(*var)->at[offset];
}

// Spin's numbers of types, for what it prints.
static int type_number(const pml_type *type)
{
    switch (type->kind) {
    case PML_TY_BIT:
    case PML_TY_BOOL:
        return 1;
    case PML_TY_SHORT:
        return 16;
    case PML_TY_UNSIGNED:
        return 5;
    case PML_TY_MTYPE:
        return 4;
    default:
        return 8;
    }
}

int32_t sim_cast(pml_sim *sim, const pml_type *type, int32_t value)
{
    int32_t fitting = value;
    switch (type->kind) {
    case PML_TY_BIT:
    case PML_TY_BOOL:
        fitting = value & 1;
        break;
    case PML_TY_BYTE:
    case PML_TY_PID:
    case PML_TY_MTYPE:
        fitting = (uint8_t)value;
        break;
    case PML_TY_SHORT:
        fitting = (int16_t)value;
        break;
    case PML_TY_UNSIGNED:
        fitting = (int32_t)((uint32_t)value & (~0u >> (32 - type->width)));
        break;
    default:
        break;
    }
    if (fitting != value)
        sim_error(sim, "value (%d->%d (%d)) truncated in assignment", (int)value, (int)fitting,
                  type_number(type));
    return fitting;
}

static int32_t get_builtin(pml_sim *sim, pml_builtin builtin)
{
    switch (builtin) {
    case PML_BI_PID:
        return sim->x ? sim->x->pid - sim->has_claim : 0;
    case PML_BI_LAST:
        return sim->last_x ? sim->last_x->pid : 0;
    case PML_BI_NR_PR:
        return sim->created - sim->stopped;
    case PML_BI_PRIORITY:
        return sim->x ? sim->x->priority : 0;
    default:
        sim_error(sim, "attempt to read value of '_'");
        return 0;
    }
}

int32_t sim_get(pml_sim *sim, const pml_ref *ref)
{
    const pml_type *type;
    sim_var *var;
    if (ref->parts[0].var->role == PML_VAR_BUILTIN)
        return get_builtin(sim, ref->parts[0].var->builtin);
    const int32_t *cell = sim_cell(sim, ref, &type, &var);
    return cell ? sim_cast(sim, type, *cell) : 0;
}

void sim_set_cell(pml_sim *sim, int32_t *cell, sim_var *var, const pml_type *type, int32_t value)
{
    int32_t old = *cell;
    if (var->decl->type.kind == PML_TY_STRUCT) { // is cast when it is read
        *cell = value;
        return;
    }
    *cell = sim_cast(sim, type, value);
    if (var->decl->role != PML_VAR_GLOBAL || old != *cell)
        var->set_at = sim->depth;
}

void sim_set(pml_sim *sim, const pml_ref *ref, int32_t value)
{
    const pml_type *type;
    sim_var *var;
    if (ref->parts[0].var->role == PML_VAR_BUILTIN) {
        if (ref->parts[0].var->builtin == PML_BI_PRIORITY && sim->x)
            sim->x->priority = value;
        return;
    }
    int32_t *cell = sim_cell(sim, ref, &type, &var);
    if (cell)
        sim_set_cell(sim, cell, var, type, value);
}

// ---- expressions ------------------------------------------------------------------------

// The process with this number, the oldest being 0.
sim_proc *sim_proc_numbered(pml_sim *sim, int pid)
{
    int i = sim->created - sim->stopped + sim->skips_claim;
    for (sim_proc *p = sim->run; p; p = p->next)
        if (--i == pid)
            return p;
    return NULL;
}

static sim_proc *remote(pml_sim *sim, const pml_expr *expr)
{
    if (expr->a)
        return sim_proc_numbered(sim, sim_eval(sim, expr->a) + sim->has_claim);
    for (sim_proc *p = sim->run; p; p = p->next)
        if (p->type == expr->proc)
            return p;
    return NULL;
}

static int32_t eval_remote(pml_sim *sim, const pml_expr *expr)
{
    sim_proc *p = remote(sim, expr), *x = sim->x;
    if (!p) {
        sim_error(sim, "remote ref: %s not found", expr->proc->name);
        return 0;
    }
    if (expr->kind == PML_X_REMOTE_LABEL) {
        const flow_el *el = flow_label_el(expr->label);
        return el && p->pc && p->pc->state == el->state;
    }
    sim->x = p;
    int32_t value = sim_get(sim, &expr->ref);
    sim->x = x;
    return value;
}

static int32_t divide(pml_sim *sim, const pml_expr *expr)
{
    int32_t a = sim_eval(sim, expr->a), b = sim_eval(sim, expr->b);
    if (b == 0) // Spin is killed by this
        sim_fatal(sim, "division by zero");
    if (b == -1)
        return expr->kind == PML_X_DIV ? (int32_t)(0u - (uint32_t)a) : 0;
    return expr->kind == PML_X_DIV ? a / b : a % b;
}

static int32_t eval_binary(pml_sim *sim, const pml_expr *e)
{
    if (e->kind == PML_X_AND)
        return sim_eval(sim, e->a) && sim_eval(sim, e->b);
    if (e->kind == PML_X_OR)
        return sim_eval(sim, e->a) || sim_eval(sim, e->b);
    if (e->kind == PML_X_DIV || e->kind == PML_X_MOD)
        return divide(sim, e);
    int32_t a = sim_eval(sim, e->a), b = sim_eval(sim, e->b);
    switch (e->kind) {
    case PML_X_ADD:
        return (int32_t)((uint32_t)a + (uint32_t)b);
    case PML_X_SUB:
        return (int32_t)((uint32_t)a - (uint32_t)b);
    case PML_X_MUL:
        return (int32_t)((uint32_t)a * (uint32_t)b);
    case PML_X_BITAND:
        return a & b;
    case PML_X_BITOR:
        return a | b;
    case PML_X_BITXOR:
        return a ^ b;
    case PML_X_SHL:
        return (int32_t)((uint32_t)a << (b & 31));
    case PML_X_SHR:
        return a >> (b & 31);
    case PML_X_LT:
        return a < b;
    case PML_X_LE:
        return a <= b;
    case PML_X_GT:
        return a > b;
    case PML_X_GE:
        return a >= b;
    case PML_X_EQ:
        return a == b;
    default:
        return a != b;
    }
}

static int32_t eval_channel(pml_sim *sim, const pml_expr *e)
{
    const sim_queue *queue = sim_queue_of(sim, &e->ref);
    uint32_t length = queue ? queue->length : 0;
    switch (e->kind) {
    case PML_X_LEN:
        return (int32_t)length;
    case PML_X_EMPTY:
        return length == 0;
    case PML_X_NEMPTY:
        return length > 0;
    case PML_X_FULL:
        return queue && (int32_t)length >= queue->slots;
    default:
        return !(queue && (int32_t)length >= queue->slots);
    }
}

static int32_t eval_enabled(pml_sim *sim, const pml_expr *e)
{
    if (sim->options.guided)
        return 1;
    int pid = sim_eval(sim, e->a);
    sim_proc *x = sim->x, *p = sim_proc_numbered(sim, pid);
    if (!p)
        return 0;
    if (p == x)
        sim_fatal(sim, "used: enabled(pid=thisproc) [%s]", x->type->name);
    sim->x = p;
    bool enabled = sim_enabled(sim, p->pc);
    sim->x = x;
    return enabled;
}

static int32_t nonprogress(const pml_sim *sim)
{
    for (const sim_proc *p = sim->run; p; p = p->next)
        if (p->pc->labels & FLOW_LABEL_PROGRESS)
            return 0;
    return 1;
}

static int32_t eval_process(pml_sim *sim, const pml_expr *e)
{
    sim_proc *p;
    switch (e->kind) {
    case PML_X_RUN:
        return sim->test_only ? 1 : sim_enable(sim, e);
    case PML_X_ENABLED:
        return eval_enabled(sim, e);
    case PML_X_PC_VALUE:
        p = sim_proc_numbered(sim, sim_eval(sim, e->a));
        return p ? p->pc->state : 0;
    case PML_X_GET_PRIORITY:
        p = sim_proc_numbered(sim, sim_eval(sim, e->a));
        return p ? p->priority : 0;
    case PML_X_TIMEOUT:
        return sim->timeout;
    case PML_X_NP:
        return nonprogress(sim);
    default:
        return eval_remote(sim, e);
    }
}

int32_t sim_eval(pml_sim *sim, const pml_expr *e)
{
    if (e->place)
        sim->place = e->place;
    switch (e->kind) {
    case PML_X_NUMBER:
        return (int32_t)e->value;
    case PML_X_VAR:
        return sim_get(sim, &e->ref);
    case PML_X_NOT:
        return !sim_eval(sim, e->a);
    case PML_X_NEG:
        return (int32_t)(0u - (uint32_t)sim_eval(sim, e->a));
    case PML_X_COMPL:
        return ~sim_eval(sim, e->a);
    case PML_X_COND:
        return sim_eval(sim, e->a) ? sim_eval(sim, e->b) : sim_eval(sim, e->c);
    case PML_X_LEN:
    case PML_X_EMPTY:
    case PML_X_NEMPTY:
    case PML_X_FULL:
    case PML_X_NFULL:
        return eval_channel(sim, e);
    case PML_X_POLL:
        return sim_poll(sim, e);
    case PML_X_RUN:
    case PML_X_ENABLED:
    case PML_X_PC_VALUE:
    case PML_X_GET_PRIORITY:
    case PML_X_TIMEOUT:
    case PML_X_NP:
    case PML_X_REMOTE_LABEL:
    case PML_X_REMOTE_VAR:
        return eval_process(sim, e);
    case PML_X_EVAL:
        return sim_eval(sim, e->a);
    case PML_X_C_EXPR: // is not interpreted
        gy_text_printf(&sim->out, "c_code%u:\t %s \n", pml_c_number(sim->tree, e->c_block),
                       e->c_block->code);
        return 1;
    default:
        return eval_binary(sim, e);
    }
}
