// What went wrong, in one line with the values: "assertion failed: x == y (x = 3, y = 2)".
#include "exec/fault_rows.h"
#include "exec/vm/vm.h"

#include <stdarg.h>

enum { MAX_VALUES = 6 };

static void forget_earlier(gy_pending_fault *pending)
{
    for (size_t i = 0; i < pending->before.n; i++)
        gy_text_free(&pending->before.at[i].text);
    pending->before.n = 0;
}

void gy_pending_fault_free(gy_pending_fault *pending)
{
    forget_earlier(pending);
    gy_vec_free(&pending->before);
    gy_text_free(&pending->text);
}

static bool is_pending(const gy_pending_fault *pending, gy_fault_kind kind)
{
    bool found = pending->fault.kind == kind;
    for (size_t i = 0; i < pending->before.n && !found; i++)
        found = pending->before.at[i].fault.kind == kind;
    return found;
}

static void add_fault(gy_machine *m, gy_fault_kind kind, const char *format, va_list args)
{
    gy_pending_fault *pending = &m->fault;
    if (pending->fault.kind == GY_FAULT_NONE) {
        forget_earlier(pending);
    } else if (is_pending(pending, kind)) {
        return;
    } else {
        struct gy_earlier_fault earlier = {pending->fault, pending->text};
        gy_vec_push(&pending->before, earlier);
        pending->text = (gy_text){0};
    }
    pending->fault =
        (gy_fault){.kind = kind, .pid = m->pid, .edge = GY_NONE, .row = &gy_model_faults[kind]};
    gy_text_clear(&pending->text);
    gy_text_vprintf(&pending->text, format, args);
}

typedef struct fault_list {
    gy_fault *first, **end;
    uint64_t kinds;
} fault_list;

static void list_fault(fault_list *list, gy_fault *fault, gy_text *text)
{
    if (list->kinds >> fault->kind & 1)
        return;
    list->kinds |= (uint64_t)1 << fault->kind;
    fault->message = gy_text_str(text);
    fault->also = NULL;
    *list->end = fault;
    list->end = &fault->also;
}

const gy_fault *gy_pending_faults(gy_pending_fault *first, gy_pending_fault *second)
{
    fault_list list = {NULL, &list.first, 0};
    gy_pending_fault *halves[] = {first, second};
    for (int h = 0; h < 2; h++) {
        gy_pending_fault *half = halves[h];
        if (!half || half->fault.kind == GY_FAULT_NONE)
            continue;
        for (size_t i = 0; i < half->before.n; i++)
            list_fault(&list, &half->before.at[i].fault, &half->before.at[i].text);
        list_fault(&list, &half->fault, &half->text);
    }
    return list.first;
}

void gy_raise(gy_machine *m, gy_fault_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_fault(m, kind, format, args);
    va_end(args);
}

bool gy_vm_run_quietly(gy_machine *m, const gy_code *code, uint32_t at, int32_t *result)
{
    gy_pending_fault kept = m->fault;
    m->fault = (gy_pending_fault){0};
    *result = gy_vm_run(m, code, at);
    bool good = *result != GY_RUN_FAULT || m->fault.fault.kind == GY_FAULT_NONE;
    gy_pending_fault_free(&m->fault);
    m->fault = kept;
    return good;
}

static bool seen_before(const gy_expr *const *seen, uint32_t count, const gy_expr *expr)
{
    for (uint32_t i = 0; i < count; i++)
        if (seen[i]->var == expr->var && !seen[i]->a && !expr->a)
            return true;
    return false;
}

// Collects the variables that an expression reads.
static uint32_t collect(const gy_expr *expr, const gy_expr **seen, uint32_t count)
{
    if (!expr || count == MAX_VALUES)
        return count;
    if (expr->op == GY_E_VAR && !seen_before(seen, count, expr))
        seen[count++] = expr;
    count = collect(expr->a, seen, count);
    count = collect(expr->b, seen, count);
    return collect(expr->c, seen, count);
}

static void add_values(gy_machine *m, const gy_expr *expr, gy_text *out)
{
    const gy_expr *seen[MAX_VALUES];
    uint32_t count = collect(expr, seen, 0);
    const char *separator = " (";
    for (uint32_t i = 0; i < count; i++) {
        const gy_variable *var = &m->model->vars[seen[i]->var];
        int32_t value, element = 0;
        if (!gy_machine_eval(m, seen[i], &value) ||
            (seen[i]->a && !gy_machine_eval(m, seen[i]->a, &element)))
            continue;
        gy_text_add(out, separator);
        separator = ", ";
        gy_variable_name(var, (uint32_t)element, out);
        const char *name =
            var->type.kind == GY_MTYPE ? gy_mtype_text(m->model, var->type.subtype, value) : NULL;
        if (name)
            gy_text_printf(out, " = %s", name);
        else
            gy_text_printf(out, " = %d", value);
    }
    if (separator[0] == ',')
        gy_text_char(out, ')');
}

static const char *action_text(const gy_fault_note *note)
{
    return note && note->action && note->action->text ? note->action->text : NULL;
}

// "assert(x == 1)" without what the message says anyway.
static void add_assertion(const char *text, gy_text *out)
{
    size_t n = text ? strlen(text) : 0;
    if (n > 8 && strncmp(text, "assert(", 7) == 0 && text[n - 1] == ')')
        gy_text_bytes(out, text + 7, n - 8);
    else if (text)
        gy_text_add(out, text);
}

static void raise_index(gy_machine *m, const gy_fault_note *note, int32_t value, int32_t limit)
{
    if (note && note->expr && note->expr->of_range && note->expr->least == INT32_MIN)
        gy_raise(m, GY_FAULT_RANGE, "a member of a set is not of the type of its members");
    else if (note && note->expr && note->expr->of_range)
        gy_raise(m, GY_FAULT_RANGE, "the value %d is out of its range (%d..%d)",
                 (int32_t)((uint32_t)value + (uint32_t)note->expr->least), note->expr->least,
                 note->expr->least + (limit - 1));
    else if (note && note->var != GY_NONE)
        gy_raise(m, GY_FAULT_INDEX, "array index %d out of bounds in %s (0..%d)", value,
                 m->model->vars[note->var].name, limit - 1);
    else
        gy_raise(m, GY_FAULT_INDEX, "array index %d out of bounds (0..%d)", value, limit - 1);
}

void gy_raise_at(gy_machine *m, gy_fault_kind kind, const gy_fault_note *note, int32_t value,
                 int32_t limit)
{
    const char *text = action_text(note);
    switch (kind) {
    case GY_FAULT_ASSERTION: {
        gy_text what = {0};
        add_assertion(text, &what);
        if (note && note->expr)
            add_values(m, note->expr, &what);
        gy_raise(m, kind, "assertion failed: %s", gy_text_str(&what));
        gy_text_free(&what);
        break;
    }
    case GY_FAULT_INDEX:
        raise_index(m, note, value, limit);
        break;
    case GY_FAULT_RANGE: {
        const gy_variable *var = &m->model->vars[note->var];
        int32_t min, max;
        gy_type_range(var->type, &min, &max);
        gy_raise(m, kind, "the value %d does not fit into %s (%d..%d)", value, var->name, min, max);
        break;
    }
    case GY_FAULT_CHOICE:
        if (m->model->vars[note->var].momentary)
            gy_raise(m, kind, "no value can be chosen for %s", m->model->vars[note->var].name);
        else
            gy_raise(m, kind, "nothing to choose from for %s (%d .. %d)",
                     m->model->vars[note->var].name, value, limit);
        break;
    case GY_FAULT_DIVISION:
        gy_raise(m, kind, "%s by zero (%d %c 0)", limit ? "remainder" : "division", value,
                 limit ? '%' : '/');
        break;
    case GY_FAULT_D_STEP:
        if (value)
            gy_raise(m, kind, "%s does not end: it went on for %d jumps",
                     m->model->spin ? "d_step" : "the effect of a step", value);
        else if (!m->model->spin && text) // where it is said for what
            gy_raise(m, GY_FAULT_CHOICE, "no value can be chosen for %s", text);
        else
            gy_raise(m, kind, "d_step blocks%s%s", text ? " at " : "", text ? text : "");
        break;
    case GY_FAULT_PRIORITY:
        gy_raise(m, kind, "priority %d is out of range (1..255)", value);
        break;
    case GY_FAULT_ENABLED_SELF:
        gy_raise(m, kind, "enabled(%d) asked by process %d itself", value, value);
        break;
    case GY_FAULT_TOO_MANY_PROCESSES:
        gy_raise(m, kind, "too many processes: at most %d can be alive", value);
        break;
    case GY_FAULT_TOO_MANY_CHANNELS:
        gy_raise(m, kind, "too many channels: at most %d can be alive", value);
        break;
    case GY_FAULT_REMOTE:
        gy_raise(m, kind, "process %d is not a %s: it has no variable %s", value,
                 m->model->templates[m->model->vars[limit].owner].name, m->model->vars[limit].name);
        break;
    default:
        gy_raise(m, kind, "the VM cannot execute embedded C");
    }
}
