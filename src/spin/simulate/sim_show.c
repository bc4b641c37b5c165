// Everything that is printed, letter for letter as Spin prints it.
#include "lang/promela/lower/spin_text.h"
#include "spin/simulate/sim.h"

#include <ctype.h>

bool sim_flush(pml_sim *sim)
{
    if (!sim->closed && sim->out.n > 0)
        sim->closed = !sim->options.put(sim->options.user, &sim->out);
    gy_text_clear(&sim->out);
    return !sim->closed;
}

// ---- where --------------------------------------------------------------------------------

// Spin makes the join after an if or do, and the step of a declaration, when it has read the next
// word, and takes its line.
static uint32_t line_of_next_word(pml_sim *sim, const flow_el *el, uint32_t *file)
{
    const pml_stmt *stmt = el->stmt;
    gy_location end = el->kind != FLOW_JOIN    ? stmt->place
                      : stmt->option_count     ? stmt->options[stmt->option_count - 1].end
                      : stmt->kind == PML_S_DO ? stmt->body.end
                      : stmt->escape.end       ? stmt->escape.end
                                               : 0;
    bool to_separator = !end || el->kind != FLOW_JOIN; // only where it begins is known
    if (!end)
        end = stmt->place;
    gy_location_info place = gy_location_user(sim->tree->sources, end);
    size_t bytes, at = 0;
    const char *text = gy_source_text(sim->tree->sources, place.file, &bytes);
    uint32_t line = 1;
    *file = place.file;
    while (at < bytes && line < place.line)
        line += text[at++] == '\n';
    at += place.column > 0 ? place.column - 1 : 0;
    if (to_separator) {
        for (; at < bytes && text[at] != ';' && text[at] != '}'; at++)
            line += text[at] == '\n';
    } else {
        while (at < bytes && isalnum((unsigned char)text[at])) // fi, od
            at++;
        at += at < bytes && text[at] == '}';
    }
    bool separated = false;
    while (at < bytes) {
        if (text[at] == '\n') {
            line++;
            at++;
        } else if (isspace((unsigned char)text[at])) {
            at++;
        } else if (text[at] == ';' && !separated) {
            separated = true;
            at++;
        } else if (text[at] == '/' && at + 1 < bytes && text[at + 1] == '/') {
            while (at < bytes && text[at] != '\n')
                at++;
        } else if (text[at] == '/' && at + 1 < bytes && text[at + 1] == '*') {
            for (at += 2; at + 1 < bytes && !(text[at] == '*' && text[at + 1] == '/'); at++)
                line += text[at] == '\n';
            at += 2;
        } else {
            break;
        }
    }
    return line;
}

uint32_t sim_line_of(pml_sim *sim, const flow_el *el, const char **file)
{
    bool declares = el->kind == FLOW_STEP && el->stmt->kind == PML_S_INIT;
    if ((el->kind == FLOW_JOIN && el->stmt) || declares) {
        uint32_t number, line = line_of_next_word(sim, el, &number);
        *file = gy_source_name(sim->tree->sources, number);
        return line;
    }
    gy_location place = el->place ? el->place : sim->place;
    bool of_for = el->stmt && el->stmt->body.end && el->stmt->option_count == 0 &&
                  (el->kind == FLOW_ELSE || el->kind == FLOW_GOTO || el->kind == FLOW_EXIT ||
                   el->kind == FLOW_CHOICE);
    if (of_for) // Spin makes these at the end of the loop
        place = el->stmt->body.end;
    gy_location_info info = gy_location_user(sim->tree->sources, place);
    *file = gy_source_name(sim->tree->sources, info.file);
    return info.line;
}

static void put_error(pml_sim *sim, const char *format, va_list args)
{
    gy_location_info place = gy_location_user(sim->tree->sources, sim->place);
    gy_text_printf(&sim->out,
                   "spin: %s:%u, Error: ", gy_source_name(sim->tree->sources, place.file),
                   place.line);
    gy_text_vprintf(&sim->out, format, args);
    gy_text_char(&sim->out, '\n');
    sim->errors++;
}

void sim_error(pml_sim *sim, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_error(sim, format, args);
    va_end(args);
}

void sim_fatal(pml_sim *sim, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_error(sim, format, args);
    va_end(args);
    sim_leave(sim, 1);
}

// ---- who, what ----------------------------------------------------------------------------

void sim_tag(pml_sim *sim, const char *text, bool in_process)
{
    int pid = sim->options.guided ? sim->pno : in_process && sim->x ? sim->x->pid : 0;
    if (sim->options.columns == PML_CHART) {
        sim_mark_text(sim, pid, strncmp(text, "MSC: ", 5) == 0 ? text + 5 : text);
        return;
    }
    if (!sim->options.no_indent)
        gy_text_printf(&sim->out, "%*s", 6 + 4 * pid, "");
    gy_text_add(&sim->out, text);
}

void sim_who(pml_sim *sim, bool numbered)
{
    if (numbered)
        gy_text_printf(&sim->out, "%3ld:\t", sim->depth);
    if (sim->has_claim && sim->x->pid == 0)
        gy_text_add(&sim->out, "proc  -");
    else
        gy_text_printf(&sim->out, "proc %2d", sim->x->pid - sim->has_claim);
    gy_text_printf(&sim->out, " (%s:%d) ", sim->x->type->name, sim->x->priority);
}

void sim_talk(pml_sim *sim, const flow_el *el, bool numbered)
{
    const char *file;
    uint32_t line = sim_line_of(sim, el, &file);
    sim_who(sim, numbered);
    gy_text_printf(&sim->out, "%s:%u (state %d)", file, line, (int)el->state);
    bool ends = (el->labels & FLOW_LABEL_END) || el == sim->x->flow->body.last;
    if (!sim->options.for_xspin && ends)
        gy_text_add(&sim->out, " <valid end state>");
}

void sim_put_statement(pml_sim *sim, const flow_el *el, gy_text *out)
{
    gy_text text = {0};
    switch (el->kind) {
    case FLOW_STOP:
        gy_text_add(out, "-end-");
        return;
    case FLOW_SKIP:
        gy_text_add(out, "(1)");
        return;
    case FLOW_EXIT:
        gy_text_add(out, "break");
        return;
    case FLOW_JOIN:
        gy_text_add(out, ".(goto)");
        return;
    case FLOW_UNLESS:
        gy_text_add(out, "unless");
        return;
    case FLOW_ATOMIC:
        gy_text_add(out, "ATOMIC");
        return;
    case FLOW_BLOCK:
        gy_text_add(out, "sub-sequence");
        return;
    case FLOW_GOTO:
        if (!el->goto_label) {
            gy_text_printf(out, "goto :b%u", flow_loop_number(sim->tree, el));
            return;
        }
        break;
    default:
        break;
    }
    if (el->stmt)
        pml_spin_text(sim->tree, el->stmt, &text);
    for (const char *at = gy_text_str(&text); *at; at++) { // backslashes are doubled
        gy_text_char(out, *at);
        if (*at == '\\')
            gy_text_char(out, '\\');
    }
    gy_text_free(&text);
}

void sim_put_step(pml_sim *sim, const flow_el *el)
{
    sim_talk(sim, el, true);
    gy_text_add(&sim->out, "\t[");
    sim_put_statement(sim, el, &sim->out);
    gy_text_add(&sim->out, "]\n");
}

// ---- values -------------------------------------------------------------------------------

void sim_message_value(pml_sim *sim, int32_t value, const pml_type *type, gy_text *out)
{
    for (uint32_t i = 0; type->kind == PML_TY_MTYPE && i < sim->tree->mtype_count; i++) {
        const pml_mtype_name *name = &sim->tree->mtypes[i];
        bool same = type->subtype ? name->subtype && strcmp(type->subtype, name->subtype) == 0
                                  : !name->subtype;
        if (same && name->value == value) {
            gy_text_add(out, name->name);
            return;
        }
    }
    gy_text_printf(out, "%d", (int)value);
}

void sim_dump_queue(pml_sim *sim, const char *name, bool is_array, uint32_t index, int32_t id,
                    const sim_proc *proc)
{
    if (id <= 0 || (size_t)id > sim->queues.n)
        return;
    const sim_queue *queue = sim->queues.at[id - 1];
    if (queue->slots == 0 ||
        (sim->options.for_xspin && (sim->show & PML_SHOW_STATEMENTS) && queue->set_at < sim->depth))
        return;
    gy_text_printf(&sim->out, "\t\tqueue %d (", queue->id);
    if (proc)
        gy_text_printf(&sim->out, "%s(%d):", proc->type->name, proc->pid - sim->has_claim);
    gy_text_add(&sim->out, name);
    if (is_array)
        gy_text_printf(&sim->out, "[%u]", index);
    gy_text_add(&sim->out, "): ");
    for (uint32_t m = 0; m < queue->length; m++) {
        gy_text_char(&sim->out, '[');
        for (uint32_t j = 0; j < queue->fields; j++) {
            if (j > 0)
                gy_text_char(&sim->out, ',');
            sim_message_value(sim, queue->contents[m * queue->fields + j], queue->types[j],
                              &sim->out);
        }
        gy_text_char(&sim->out, ']');
    }
    gy_text_char(&sim->out, '\n');
}

static void put_value(pml_sim *sim, const char *prefix, const pml_var *decl, uint32_t i,
                      int32_t value, const sim_proc *proc)
{
    value = sim_cast(sim, &decl->type, value);
    gy_text_add(&sim->out, "\t\t");
    if (proc)
        gy_text_printf(&sim->out, "%s(%d):", proc->type->name, proc->pid - sim->has_claim);
    gy_text_printf(&sim->out, "%s%s", prefix, decl->name);
    if (decl->is_array)
        gy_text_printf(&sim->out, "[%u]", i);
    gy_text_add(&sim->out, " = ");
    pml_type type = decl->type;
    if (proc)
        type.subtype = NULL; // Spin does not know which list the values of a local are of
    sim_message_value(sim, value, &type, &sim->out);
    gy_text_char(&sim->out, '\n');
}

static void dump_struct(pml_sim *sim, const char *prefix, const pml_var *decl, const int32_t **at,
                        const sim_proc *proc)
{
    for (uint32_t i = 0; i < decl->count; i++) {
        gy_text inner = {0};
        gy_text_printf(&inner, "%s%s", prefix, decl->name);
        if (decl->is_array)
            gy_text_printf(&inner, "[%u]", i);
        gy_text_char(&inner, '.');
        for (uint32_t m = 0; m < decl->type.record->member_count; m++) {
            const pml_var *member = decl->type.record->members[m];
            if (member->type.kind == PML_TY_STRUCT) {
                dump_struct(sim, gy_text_str(&inner), member, at, proc);
                continue;
            }
            for (uint32_t j = 0; j < member->count; j++, (*at)++)
                if (member->type.kind == PML_TY_CHAN)
                    sim_dump_queue(sim, member->name, member->is_array, j, **at, proc);
                else
                    put_value(sim, gy_text_str(&inner), member, j, **at, proc);
        }
        gy_text_free(&inner);
    }
}

static bool is_old(const pml_sim *sim, const sim_var *var)
{
    return (sim->show & PML_SHOW_STATEMENTS) && !(sim->show & PML_SHOW_UNCHANGED) &&
           var->set_at < sim->depth && sim->options.skip != sim->depth;
}

static void dump_var(pml_sim *sim, sim_var *var, const sim_proc *proc, bool old)
{
    const pml_var *decl = var->decl;
    if (decl->type.kind == PML_TY_STRUCT) {
        if (old && !proc)
            return;
        sim_init_var(sim, var);
        const int32_t *at = var->at;
        dump_struct(sim, "", decl, &at, proc);
        return;
    }
    for (uint32_t i = 0; i < decl->count; i++) {
        if (decl->type.kind == PML_TY_CHAN) {
            if (var->ready)
                sim_dump_queue(sim, decl->name, decl->is_array, i, var->at[i], proc);
        } else if (!old) {
            sim_init_var(sim, var);
            put_value(sim, "", decl, i, var->at[i], proc);
        }
    }
}

// Spin meets the name of an mtype before the variables.
static bool is_name_of_mtype(const pml_sim *sim, const char *name)
{
    for (uint32_t i = 0; i < sim->tree->mtype_count; i++)
        if (sim->tree->mtypes[i].subtype && strcmp(sim->tree->mtypes[i].subtype, name) == 0)
            return true;
    return false;
}

// It takes labels that formulas refer to for variables.
typedef GY_VEC(const char *) label_names;

static void dump_labels(pml_sim *sim, const pml_expr *e, label_names *told)
{
    if (!e)
        return;
    if (e->kind == PML_X_REMOTE_LABEL && e->label_name) {
        for (size_t i = 0; i < told->n; i++)
            if (strcmp(told->at[i], e->label_name) == 0)
                return;
        gy_vec_push(told, e->label_name);
        gy_text_printf(&sim->out, "\t\t%s = 0\n", e->label_name);
    }
    dump_labels(sim, e->a, told);
    dump_labels(sim, e->b, told);
    dump_labels(sim, e->c, told);
}

void sim_dump_globals(pml_sim *sim)
{
    label_names told = {0};
    for (int named = 1; named >= 0; named--)
        for (uint32_t i = 0; i < sim->tree->global_count; i++)
            if (is_name_of_mtype(sim, sim->tree->globals[i]->name) == named)
                dump_var(sim, &sim->globals[i], NULL, is_old(sim, &sim->globals[i]));
    if ((sim->show & PML_SHOW_STATEMENTS) && !(sim->show & PML_SHOW_UNCHANGED) &&
        sim->options.skip != sim->depth)
        return;
    for (uint32_t i = 0; i < sim->tree->ltl_count; i++)
        dump_labels(sim, sim->tree->ltls[i].formula, &told);
    gy_vec_free(&told);
}

// The youngest variable first.
void sim_dump_locals(pml_sim *sim, sim_proc *proc, bool final)
{
    for (uint32_t i = proc->var_count; i-- > 0;)
        dump_var(sim, &proc->vars[i], proc, !final && is_old(sim, &proc->vars[i]));
}
