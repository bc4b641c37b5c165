// One step of a process: which statement is tried, whether it can execute, where control goes.
#include "lang/promela/lower/spin_text.h"
#include "spin/simulate/sim.h"

flow_el *sim_target(const flow_el *jump)
{
    return jump->goto_label ? flow_label_el(jump->goto_label)
           : jump->target   ? jump->target->el
                            : NULL;
}

static bool is_group(const flow_el *el)
{
    return el->kind == FLOW_ATOMIC || el->kind == FLOW_D_STEP || el->kind == FLOW_BLOCK;
}

static void close_group(flow_el *el)
{
    el->subs[0]->last->next = el->next;
}

flow_el *sim_silent(pml_sim *sim, flow_el *el)
{
    for (;;) {
        if (el->kind == FLOW_GOTO) {
            flow_el *to = sim->rendezvous ? el : sim_target(el);
            return to ? to : el;
        }
        if (el->kind == FLOW_UNLESS) {
            el = el->subs[0]->first;
        } else if (is_group(el)) {
            close_group(el);
            el = el->subs[0]->first;
        } else if (el->kind == FLOW_JOIN && el->next) {
            el = el->next;
        } else {
            return el;
        }
    }
}

// ---- statements ---------------------------------------------------------------------------

static void fail_assertion(pml_sim *sim, const flow_el *el)
{
    sim_error(sim, "assertion violated");
    gy_text_add(&sim->out, "spin: text of failed assertion: ");
    sim_put_statement(sim, el, &sim->out);
    gy_text_char(&sim->out, '\n');
    if (sim->options.guided && !sim->options.for_xspin)
        return;
    sim_final(sim, true);
}

static void assign(pml_sim *sim, const pml_stmt *stmt)
{
    if (stmt->expr) {
        sim_set(sim, &stmt->ref, sim_eval(sim, stmt->expr));
        return;
    }
    const pml_type *type;
    sim_var *var;
    int32_t *cell = sim_cell(sim, &stmt->ref, &type, &var);
    uint32_t count = stmt->ref.parts[stmt->ref.part_count - 1].var->count;
    if (!stmt->list)
        count = 1; // of an array that is given no value, the first element alone is set
    for (uint32_t i = 0; cell && type->kind != PML_TY_STRUCT && i < count; i++)
        sim_set_cell(sim, cell + i, var, type,
                     i < stmt->list_count ? sim_eval(sim, stmt->list[i]) : 0);
}

static void set_priority(pml_sim *sim, const pml_stmt *stmt)
{
    int pid = sim_eval(sim, stmt->args[0]), priority = sim_eval(sim, stmt->args[1]);
    sim_proc *p = sim_proc_numbered(sim, pid);
    if (!p)
        return;
    gy_text_printf(&sim->out, "%3ld: setting priority of proc %d (%s) to %d\n", sim->depth, pid,
                   p->type->name, priority);
    sim->priority_sum += priority - p->priority;
    p->priority = priority;
    if (!(sim->show & PML_SHOW_MORE))
        return;
    gy_text_add(&sim->out, "\tPid\tName\tPriority\n");
    for (const sim_proc *each = sim->run; each; each = each->next)
        gy_text_printf(&sim->out, "\t%d\t%s\t%d\n", each->pid, each->type->name, each->priority);
}

static bool execute(pml_sim *sim, const flow_el *el)
{
    const pml_stmt *stmt = el->stmt;
    if (el->kind == FLOW_STOP)
        return false;
    if (el->kind != FLOW_STEP)
        return true;
    if (stmt->place)
        sim->place = stmt->place;
    switch (stmt->kind) {
    case PML_S_EXPR:
        return sim_eval(sim, stmt->expr) != 0;
    case PML_S_ASSIGN:
    case PML_S_INIT:
        if (!sim->test_only)
            assign(sim, stmt);
        return true;
    case PML_S_SEND:
        return sim_send(sim, stmt);
    case PML_S_RECV:
        return sim_receive(sim, stmt, true);
    case PML_S_ASSERT:
        if (!sim->test_only && !sim_eval(sim, stmt->expr))
            fail_assertion(sim, el);
        return true;
    case PML_S_PRINTF:
    case PML_S_PRINTM:
        if (!sim->test_only)
            sim_print(sim, stmt);
        return true;
    case PML_S_SET_PRIORITY:
        set_priority(sim, stmt);
        return true;
    case PML_S_C_CODE: // is not interpreted
        gy_text_printf(&sim->out, "c_code%u:\t{  %s  }\n", pml_c_number(sim->tree, stmt->c_block),
                       stmt->c_block->code);
        return true;
    default:
        return true;
    }
}

// A receiver of a rendezvous that is under way.
static flow_el *receive_sync(pml_sim *sim, flow_el *el)
{
    if (el->kind != FLOW_STEP || el->stmt->kind != PML_S_RECV || el->stmt->keep ||
        !sim_is_sync(sim, &el->stmt->ref))
        return NULL;
    sim->last_step = el;
    return execute(sim, el) ? el->next : NULL;
}

// ---- escapes ------------------------------------------------------------------------------

static void tell_escapes(pml_sim *sim, const flow_el *el)
{
    gy_text_add(&sim->out, "Stmnt [");
    sim_put_statement(sim, el, &sim->out);
    gy_text_add(&sim->out, "] has escape(s): ");
    for (uint32_t i = 0; i < el->escape_count; i++) {
        const flow_el *first = el->escapes[i]->first;
        if (first->kind == FLOW_ATOMIC || first->kind == FLOW_BLOCK)
            first = first->subs[0]->first;
        gy_text_char(&sim->out, '[');
        sim_put_statement(sim, first, &sim->out);
        gy_text_add(&sim->out, "] ");
    }
    gy_text_char(&sim->out, '\n');
}

static flow_el *take_escape(pml_sim *sim, const flow_el *el)
{
    flow_el *to = NULL;
    sim->escaping++;
    for (uint32_t i = 0; i < el->escape_count && !to; i++) {
        uint32_t which = sim->options.java ? el->escape_count - 1 - i : i;
        to = sim_eval_el(sim, el->escapes[which]->first);
    }
    sim->escaping--;
    if (to && (sim->show & PML_SHOW_STATEMENTS)) {
        const char *file;
        uint32_t line = sim_line_of(sim, to, &file);
        gy_text_printf(&sim->out, "\tEscape taken %s%s:%u\n", sim->options.java ? "(-J) " : "",
                       file, line);
    }
    return to;
}

static flow_el *eval_leaf(pml_sim *sim, flow_el *el)
{
    if (el->escape_count > 0) {
        if (!(el->status & FLOW_IN_D_STEP) && (sim->show & PML_SHOW_MORE))
            tell_escapes(sim, el);
        flow_el *to = sim->options.guided ? NULL : take_escape(sim, el);
        if (to)
            return to;
    }
    if ((el->kind == FLOW_STEP && el->stmt->kind != PML_S_SET_PRIORITY) || el->kind == FLOW_SKIP)
        sim->last_step = el;
    if (sim->rendezvous)
        return receive_sync(sim, el);
    return execute(sim, el) ? el->next : NULL;
}

// ---- choices ------------------------------------------------------------------------------

// The user is asked at choices, too, unless something is only being tested.
static bool asks(const pml_sim *sim, const flow_el *el)
{
    return sim->options.interactive && !sim->checking && !sim->escaping && !sim->rendezvous &&
           !(el->status & FLOW_IN_D_STEP) && sim->depth >= sim->options.skip;
}

// Which option: 1 …; 0: none, another process; -1: there is no such option.
static int ask_option(pml_sim *sim, const flow_el *el)
{
    int choices = 0, only = -1, number = (int)el->sub_count, other = 0;
    const flow_el *otherwise = NULL;
    char word[65];
    if (sim->made_choice) {
        number = sim->made_choice;
        sim->made_choice = 0;
        return number;
    }
    gy_text_add(&sim->out, "Select stmnt (");
    sim_who(sim, false);
    gy_text_add(&sim->out, ")\n");
    if (sim->created - sim->stopped > 1) {
        gy_text_add(&sim->out, "\tchoice 0: other process\n");
        choices++;
        only = 0;
    }
    for (uint32_t j = 0; j < el->sub_count; j++) {
        const flow_el *first = el->subs[j]->first;
        bool can = sim_enabled(sim, first);
        if (!sim->options.for_xspin && !(sim->show & PML_SHOW_MORE) && !can)
            continue;
        if (first->kind == FLOW_ELSE) {
            otherwise = first;
            other = (int)j + 1;
            continue;
        }
        gy_text_printf(&sim->out, "\tchoice %u: %s", j + 1, can ? "" : "unexecutable, ");
        if (can) {
            choices++;
            only = (int)j + 1;
        }
        sim_put_statement(sim, first, &sim->out);
        gy_text_char(&sim->out, '\n');
    }
    if (choices == 0 && otherwise) {
        gy_text_printf(&sim->out, "\tchoice %d: (else)\n", other);
        only = other;
    }
    if (choices <= 1 && only != -1)
        return only;
    gy_text_printf(&sim->out,
                   sim->options.for_xspin ? "Make Selection %d\n\n" : "Select [0-%d]: ", number);
    sim_flush(sim);
    if (fscanf(sim->options.choices, "%64s", word) != 1) {
        gy_text_add(&sim->out, "no input\n");
        return 0;
    }
    if (word[0] == 'q')
        sim_leave(sim, 0);
    return word[0] >= '0' && word[0] <= '9' ? atoi(word) : -1;
}

// `else` at the head of an option, by itself or in an atomic sequence or d_step.
static flow_el *else_of(const flow_seq *option)
{
    flow_el *first = option->first;
    if (first->kind == FLOW_ATOMIC || first->kind == FLOW_D_STEP)
        first = first->subs[0]->first;
    return first->kind == FLOW_ELSE ? first : NULL;
}

static flow_el *eval_choice(pml_sim *sim, flow_el *el)
{
    flow_el *otherwise = NULL;
    bool asking = asks(sim, el);
    uint32_t from;
    if (asking) {
        int choice = ask_option(sim, el);
        if (choice < 1 || choice > (int)el->sub_count) {
            if (choice != 0)
                gy_text_add(&sim->out, "\tchoice outside range\n");
            return NULL;
        }
        from = (uint32_t)choice - 1;
    } else {
        from = el->status & FLOW_IN_D_STEP ? 0 : sim_random(sim) % el->sub_count;
    }
    for (uint32_t i = 0; i < el->sub_count + from; i++) {
        const flow_seq *option = el->subs[i % el->sub_count];
        flow_el *other = else_of(option);
        if (other) {
            otherwise = other;
            if (!asking)
                continue;
        }
        if (i < from)
            continue;
        flow_el *to = sim_eval_el(sim, option->first);
        if (to)
            return to;
        if (asking) {
            gy_text_add(&sim->out, "\tunexecutable\n");
            return NULL;
        }
    }
    sim->last_step = otherwise;
    return otherwise && !sim->rendezvous ? otherwise->next : NULL;
}

flow_el *sim_eval_el(pml_sim *sim, flow_el *el)
{
    flow_el *to;
    if (!el)
        return NULL;
    switch (el->kind) {
    case FLOW_GOTO:
        if (sim->rendezvous)
            return NULL;
        sim->last_step = el;
        to = sim_target(el);
        return to ? flow_settle(sim->flow, to, el->status) : NULL;
    case FLOW_UNLESS:
        return sim_eval_el(sim, el->subs[0]->first);
    case FLOW_CHOICE:
        return eval_choice(sim, el);
    case FLOW_ATOMIC:
    case FLOW_D_STEP:
    case FLOW_BLOCK:
        close_group(el);
        return sim_eval_el(sim, el->subs[0]->first);
    case FLOW_JOIN:
        return sim->rendezvous ? sim_eval_el(sim, el->next) : el->next;
    default:
        return eval_leaf(sim, el);
    }
}

// ---- is it enabled? -----------------------------------------------------------------------

static bool has_run(const pml_expr *e)
{
    return e && (e->kind == PML_X_RUN || has_run(e->a) || has_run(e->b) || has_run(e->c));
}

static bool statement_enabled(pml_sim *sim, const flow_el *el)
{
    const pml_stmt *stmt = el->stmt;
    unsigned show = sim->show;
    bool enabled = true;
    if (el->kind == FLOW_ELSE || el->kind == FLOW_EXIT || el->kind == FLOW_SKIP)
        return true;
    sim->show = 0;
    sim->checking++;
    if (stmt->kind == PML_S_EXPR) {
        enabled = has_run(stmt->expr) || sim_eval(sim, stmt->expr);
    } else if (stmt->kind == PML_S_SEND && sim_is_sync(sim, &stmt->ref)) {
        sim->test_only = true;
        enabled = !sim->rendezvous && execute(sim, el);
        sim->test_only = false;
    } else if (stmt->kind == PML_S_SEND) {
        enabled = !sim_is_full(sim, &stmt->ref);
    } else if (stmt->kind == PML_S_RECV) {
        enabled = !sim_is_sync(sim, &stmt->ref) && sim_receive(sim, stmt, false);
    }
    sim->checking--;
    sim->show = show;
    return enabled;
}

bool sim_enabled(pml_sim *sim, const flow_el *el)
{
    if (!el)
        return false;
    switch (el->kind) {
    case FLOW_STOP:
        return sim->x->pid == sim->created - sim->stopped - 1;
    case FLOW_JOIN:
        return true;
    case FLOW_GOTO:
        return !sim->rendezvous;
    case FLOW_UNLESS:
    case FLOW_ATOMIC:
    case FLOW_D_STEP:
    case FLOW_BLOCK:
        return sim_enabled(sim, el->subs[0]->first);
    case FLOW_CHOICE:
        for (uint32_t i = 0; i < el->sub_count; i++)
            if (sim_enabled(sim, el->subs[i]->first))
                return true;
        return false;
    default:
        break;
    }
    for (uint32_t i = 0; i < el->escape_count; i++)
        if (sim_enabled(sim, el->escapes[i]->first))
            return true;
    return statement_enabled(sim, el);
}
