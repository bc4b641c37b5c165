// The scheduler: which process is next, how processes begin and end, how a run ends.
#include "spin/simulate/sim.h"

#include "lang/promela/front_end.h"

#include <assert.h>

void sim_leave(pml_sim *sim, int status)
{
    sim->status = status;
    sim_flush(sim);
    assert(sim->end);
    longjmp(*sim->end, 1);
}

// Park and Miller's minimal standard generator (CACM 31(10), 1988), as Spin has it.
uint32_t sim_random(pml_sim *sim)
{
    sim->seed = 16807 * (sim->seed % 127773) - 2836 * (sim->seed / 127773);
    if (sim->seed <= 0)
        sim->seed += 2147483647;
    return (uint32_t)sim->seed;
}

// ---- processes ----------------------------------------------------------------------------

sim_proc *sim_start(pml_sim *sim, const pml_proc *type, int priority, bool active)
{
    sim_proc *proc = GY_NEW(sim->arena, sim_proc);
    proc->type = type;
    proc->flow = sim->flows[type->index];
    proc->pid = sim->created++ - sim->stopped + sim->skips_claim;
    proc->priority = priority;
    if (!active && (sim->show & (PML_SHOW_STATEMENTS | PML_SHOW_MORE))) {
        gy_text_printf(&sim->out, "Starting %s with pid %d", type->name, proc->pid);
        if (sim->tree->uses_priority)
            gy_text_printf(&sim->out, " priority %d", priority);
        gy_text_char(&sim->out, '\n');
    }
    flow_el *first = proc->flow->body.first;
    proc->pc = flow_settle(sim->flow, first, first->status);
    proc->var_count = type->param_count + type->local_count;
    proc->vars = GY_NEW_ARRAY(sim->arena, sim_var, proc->var_count + 1);
    for (uint32_t i = 0; i < proc->var_count; i++)
        sim_make_var(sim, &proc->vars[i],
                     i < type->param_count ? type->params[i] : type->locals[i - type->param_count]);
    proc->next = sim->run;
    sim->run = proc;
    sim->priority_sum += priority;
    return proc;
}

// The variables of a process come into being, those of inner blocks too.
static void start_locals(pml_sim *sim, sim_proc *proc)
{
    sim_proc *x = sim->x;
    sim->x = proc;
    for (uint32_t i = 0; i < proc->var_count; i++) {
        sim_init_var(sim, &proc->vars[i]);
        proc->vars[i].set_at = sim->depth;
    }
    sim->x = x;
}

void sim_announce(pml_sim *sim, bool root)
{
    const sim_proc *proc = sim->run;
    int pid = proc->pid - sim->has_claim;
    sim->first_row = true;
    if (sim->options.columns == PML_CHART) {
        gy_text head = {0};
        gy_text_printf(&head, "%d:%s", pid, proc->type->name);
        sim_mark_text(sim, pid, gy_text_str(&head));
        gy_text_free(&head);
    } else if (sim->options.columns == PML_COLUMNS) {
        gy_text_printf(&sim->out, "proc %d = %s\n", pid, proc->type->name);
    } else if (!sim->options.guided && (sim->show & PML_SHOW_STATEMENTS)) {
        if (root)
            gy_text_add(&sim->out, "  0:\tproc  - (:root:) ");
        else
            sim_who(sim, true);
        gy_text_printf(&sim->out, "creates proc %2d (%s)", pid, proc->type->name);
        if (proc->priority > 1)
            gy_text_printf(&sim->out, " priority %d", proc->priority);
        gy_text_char(&sim->out, '\n');
    }
}

int sim_enable(pml_sim *sim, const pml_expr *run)
{
    enum { MOST_PROCESSES = 255 };
    int priority = run->priority > 0 ? run->priority : 1;
    if (sim->created - sim->stopped >= MOST_PROCESSES) {
        gy_text_printf(&sim->out, "spin: too many processes (%d max)\n", MOST_PROCESSES);
        return 0;
    }
    sim_proc *proc = sim_start(sim, run->proc, priority, false);
    sim_announce(sim, false);
    for (uint32_t i = 0; i < run->arg_count && i < run->proc->param_count; i++) {
        int32_t value = sim_eval(sim, run->args[i]);
        sim_var *var = &proc->vars[i];
        var->ready = true;
        sim_set_cell(sim, var->at, var, &var->decl->type, value);
    }
    start_locals(sim, proc);
    return proc->pid - sim->has_claim + sim->skips_claim;
}

static bool provided(pml_sim *sim)
{
    return !sim->x->type->provided || sim_eval(sim, sim->x->type->provided);
}

bool sim_is_highest(pml_sim *sim, int pid)
{
    int i = sim->created - sim->stopped, target = 0;
    bool highest = true;
    sim_proc *x = sim->x;
    if (!provided(sim))
        return false;
    for (const sim_proc *p = sim->run; p; p = p->next)
        if (--i == pid) {
            target = p->priority;
            break;
        }
    i = sim->created - sim->stopped;
    for (sim_proc *p = sim->run; p && highest; p = p->next) {
        if (--i == pid || p->priority <= target)
            continue;
        sim->x = p;
        if (sim_enabled(sim, p->pc) && provided(sim))
            highest = false;
    }
    sim->x = x;
    return highest;
}

bool sim_can_run(pml_sim *sim)
{
    if (!provided(sim))
        return false;
    return !sim->tree->uses_priority || sim_is_highest(sim, sim->x->pid);
}

// ---- rendezvous ---------------------------------------------------------------------------

static void tell_halves(pml_sim *sim, sim_proc *sender, const flow_el *sent)
{
    sim_proc *receiver = sim->x;
    if (!(sim->show & (PML_SHOW_STATEMENTS | PML_SHOW_MORE)))
        return;
    sim->x = sender;
    sim_put_step(sim, sent ? sent : sender->pc);
    sim->x = receiver;
    if (!sim->last_step)
        sim->last_step = receiver->pc;
    sim_put_step(sim, sim->last_step);
}

// A process receives what sim->x sends; sim->x is the receiver then.
bool sim_rendezvous(pml_sim *sim)
{
    sim_proc *sender = sim->x;
    const flow_el *sent = sim->last_step;
    bool interactive = sim->options.interactive, done = false;
    if (sim->options.guided)
        return true;
    if (sender->pc->status & FLOW_IN_D_STEP)
        sim_fatal(sim, "rv-attempt in d_step sequence");
    sim->rendezvous = true;
    sim->options.interactive = false;
    int j = (int)(sim_random(sim) % (uint32_t)sim->priority_sum);
    for (sim->x = sim->run; j - sim->x->priority >= 0;) {
        j -= sim->x->priority;
        sim->x = sim->x->next ? sim->x->next : sim->run;
    }
    for (j = sim->created - sim->stopped; j > 0 && !done; j--) {
        flow_el *to = sim->x != sender && provided(sim) ? sim_eval_el(sim, sim->x->pc) : NULL;
        if (!to) {
            sim->x = sim->x->next ? sim->x->next : sim->run;
            continue;
        }
        done = true;
        sim->rendezvous = false;
        if (sim->test_only) {
            sim->x = sender;
            break;
        }
        tell_halves(sim, sender, sent);
        sim->x->pc = sim_silent(sim, to);
    }
    if (!done)
        sim->x = sender;
    sim->rendezvous = false;
    sim->options.interactive = interactive;
    return done;
}

// ---- the loop -----------------------------------------------------------------------------

static bool all_blocked(pml_sim *sim, int pid)
{
    int live = sim->created - sim->stopped, n = 0;
    sim->blocked[pid % 256] = true;
    for (int i = 0; i < live && i < 256; i++)
        n += sim->blocked[i];
    if (n < live)
        return false;
    memset(sim->blocked, 0, sizeof sim->blocked);
    return true;
}

static void tell_step(pml_sim *sim, const sim_proc *mover, const flow_el *to)
{
    if (sim->depth < sim->options.skip || !(sim->show & (PML_SHOW_STATEMENTS | PML_SHOW_MORE)))
        return;
    bool inside = to->status & FLOW_IN_D_STEP;
    if (sim->x == mover && (!inside || (sim->show & PML_SHOW_MORE)))
        sim_put_step(sim, sim->last_step ? sim->last_step : sim->x->pc);
    if (sim->show & PML_SHOW_GLOBALS)
        sim_dump_globals(sim);
    if (sim->show & PML_SHOW_LOCALS)
        sim_dump_locals(sim, sim->x, false);
    if (!inside && sim->options.for_xspin)
        gy_text_char(&sim->out, '\n');
}

// The process that is last in line ends. `before` is its neighbour in the list.
static void terminate(pml_sim *sim, sim_proc *before)
{
    sim_proc *proc = sim->x;
    if (proc != sim->run && before)
        before->next = proc->next;
    else
        sim->run = proc->next;
    sim->stopped++;
    sim->priority_sum -= proc->priority;
    if (sim->show & PML_SHOW_STATEMENTS) {
        sim_who(sim, true);
        sim_tag(sim, "terminates\n", true);
    }
    sim->last_x = proc;
    if (!sim->options.interactive)
        sim->timeout = false;
    memset(sim->blocked, 0, sizeof sim->blocked);
    sim->x = proc->next ? proc->next : sim->run;
}

// False: the run ends.
static bool stand_still(pml_sim *sim, const sim_proc *mover, sim_proc *before)
{
    sim->depth--;
    if (mover->pc->status & FLOW_IN_D_STEP)
        sim_error(sim, "stmnt in d_step blocks");
    if (sim->x->pc->kind == FLOW_STOP && sim->x->pid == sim->created - sim->stopped - 1) {
        terminate(sim, before);
        return sim->created != sim->stopped;
    }
    if (!all_blocked(sim, sim->x->pid))
        return true;
    if (sim->timeout)
        return false;
    if (sim->depth >= sim->options.skip) {
        sim_tag(sim, "timeout\n", false);
        sim->timeout = true;
    }
    return true;
}

static bool may_try(pml_sim *sim)
{
    if ((sim->x->pc->status & FLOW_IN_D_STEP) || sim_can_run(sim))
        return true;
    if (!sim->options.for_xspin && (sim->show & (PML_SHOW_STATEMENTS | PML_SHOW_MORE))) {
        sim_talk(sim, sim->x->pc, true);
        gy_text_add(&sim->out, "\t<<Not Enabled>>\n");
    }
    return false;
}

// A step was made. True: the same process goes on, in an atomic sequence.
static bool go_on(pml_sim *sim, sim_proc *mover, flow_el *to, bool *not_beyond)
{
    enum { ANY = FLOW_IN_ATOMIC | FLOW_LAST_OF_ATOMIC };
    tell_step(sim, mover, to);
    if (mover != sim->x || (sim->x->pc->status & (FLOW_IN_ATOMIC | FLOW_IN_D_STEP))) {
        to = sim_silent(sim, to);
        *not_beyond = false;
    }
    mover->pc = to;
    sim->last_x = sim->x;
    if (!sim->options.interactive)
        sim->timeout = false;
    memset(sim->blocked, 0, sizeof sim->blocked);
    if ((sim->x->pc->status & ANY) && (!*not_beyond || mover != sim->x)) {
        if (sim->x->pc->status & FLOW_LAST_OF_ATOMIC)
            *not_beyond = true;
        return true;
    }
    return false;
}

static void schedule(pml_sim *sim)
{
    sim_proc *before = NULL;
    bool not_beyond = false;
    sim->x = sim->run;
    before = sim_pick(sim, before);
    while (sim->x) {
        sim->place = sim->x->pc->place ? sim->x->pc->place : sim->place;
        if (sim->options.limit > 0 && sim->depth >= sim->options.limit) {
            gy_text_printf(&sim->out, "-------------\ndepth-limit (-u%ld steps) reached\n",
                           sim->options.limit);
            break;
        }
        sim->depth++;
        sim->last_step = NULL;
        sim_proc *mover = sim->x;
        flow_el *to = may_try(sim) ? sim_eval_el(sim, sim->x->pc) : NULL;
        if (to) {
            if (!sim_flush(sim))
                return;
            if (go_on(sim, mover, to, &not_beyond))
                continue;
        } else if (!stand_still(sim, mover, before)) {
            break;
        }
        if (!sim->run || !sim->x)
            break;
        before = sim_pick(sim, sim->x);
        not_beyond = false;
    }
}

void sim_final(pml_sim *sim, bool failed)
{
    static const char line[] = "-------------\n";
    const pml_sim_options *o = &sim->options;
    if (o->columns == PML_CHART)
        sim_leave(sim, 0);
    if (o->columns && !o->no_final)
        gy_text_printf(&sim->out, "%sfinal state:\n%s", line, line);
    if (!o->no_final && sim->created != sim->stopped) {
        unsigned show = sim->show;
        gy_text_printf(&sim->out, "#processes: %d\n",
                       sim->created - sim->stopped - sim->has_claim + sim->skips_claim);
        sim->show &= ~(unsigned)PML_SHOW_STATEMENTS;
        sim_dump_globals(sim);
        sim->show = (show & ~(unsigned)PML_SHOW_GLOBALS) | PML_SHOW_MORE;
        for (sim->x = sim->run; sim->x; sim->x = sim->x->next) {
            sim_talk(sim, sim->x->pc, true);
            gy_text_char(&sim->out, '\n');
            if (sim->show & PML_SHOW_LOCALS)
                sim_dump_locals(sim, sim->x, true);
        }
        sim->show = show;
    }
    int created = sim->created - sim->has_claim + sim->skips_claim;
    if (!o->no_final)
        gy_text_printf(&sim->out, "%d process%s created\n", created,
                       o->for_xspin || sim->created != 1 ? "es" : "");
    if (o->guided || o->for_xspin)
        sim_leave(sim, 0);
    if (failed)
        sim_leave(sim, 1);
}

int pml_sim_run(pml_sim *sim)
{
    jmp_buf end;
    sim->end = &end;
    if (setjmp(end) == 0) {
        sim_tell_unused(sim);
        schedule(sim);
        sim_final(sim, false);
        sim->status = sim->errors;
        sim_flush(sim);
    }
    sim->end = NULL;
    return sim->status;
}

// ---- making and freeing -------------------------------------------------------------------

static void start_processes(pml_sim *sim)
{
    for (uint32_t i = 0; i < sim->tree->proc_count; i++) {
        const pml_proc *type = sim->tree->procs[i];
        uint32_t active = type->kind == PML_PROC_INIT ? 1 : type->active;
        pml_spin_warn(sim->tree, i, &sim->out);
        for (uint32_t n = 0; n < active; n++) {
            sim_start(sim, type, type->priority > 0 ? type->priority : 1, true);
            start_locals(sim, sim->run);
            sim_announce(sim, true);
        }
    }
    pml_spin_formulas(sim->tree, &sim->out);
}

pml_sim *pml_sim_new(gy_model *model, const pml_sim_options *options)
{
    pml_model *tree = pml_syntax_of(model);
    if (!tree)
        return NULL;
    pml_sim *sim = gy_alloc_zero(sizeof *sim);
    sim->options = *options;
    sim->show = options->show;
    sim->tree = tree;
    sim->has_c = model->c_code_count > 0 || model->c_unit_count > 0;
    sim->arena = gy_arena_new();
    sim->seed = options->seed;
    sim->claim_line = -1;
    sim->first_row = true;
    sim->globals = GY_NEW_ARRAY(sim->arena, sim_var, sim->tree->global_count + 1);
    for (uint32_t i = 0; i < sim->tree->global_count; i++)
        sim_make_var(sim, &sim->globals[i], sim->tree->globals[i]);
    sim->flow = flow_new(sim->arena, sim->tree->sources, sim->tree->diags);
    sim->flows = GY_NEW_ARRAY(sim->arena, flow_proc *, sim->tree->proc_count + 1);
    for (uint32_t i = 0; i < sim->tree->proc_count; i++)
        sim->flows[i] = flow_build(sim->flow, sim->tree->procs[i]);
    for (uint32_t i = 0; i < sim->tree->proc_count; i++) {
        for (uint32_t j = 0; j < sim->tree->procs[i]->label_count; j++)
            if (sim->tree->procs[i]->labels[j]->remote)
                flow_keep_label(sim->flow, sim->flows[i], sim->tree->procs[i]->labels[j]);
        flow_link(sim->flows[i]);
    }
    jmp_buf end;
    sim->end = &end;
    if (setjmp(end) == 0)
        start_processes(sim);
    sim->end = NULL;
    return sim;
}

void pml_sim_free(pml_sim *sim)
{
    if (!sim)
        return;
    gy_vec_free(&sim->queues);
    for (size_t i = 0; i < sim->marks.n; i++)
        free(sim->marks.at[i].text);
    for (size_t i = 0; i < sim->heads.n; i++)
        free(sim->heads.at[i]);
    gy_vec_free(&sim->marks);
    gy_vec_free(&sim->mark_of);
    gy_vec_free(&sim->heads);
    gy_text_free(&sim->message);
    gy_text_free(&sim->out);
    gy_arena_free(sim->arena);
    free(sim);
}
