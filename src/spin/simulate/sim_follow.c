// Along a trail: the steps are given, and printed as Spin prints them.
#include "spin/simulate/sim.h"

static flow_el *element(const flow_proc *proc, int state)
{
    return state >= 1 && (uint32_t)state <= proc->el_count ? proc->els[state] : NULL;
}

// Is the claim moving? Its statements are reported with -v only.
static bool is_claim(const pml_sim *sim)
{
    return sim->has_claim && sim->x->pid == 0 && !sim->skips_claim;
}

static bool is_told(const pml_sim *sim)
{
    return sim->depth >= sim->options.skip &&
           ((sim->show & PML_SHOW_MORE) || ((sim->show & PML_SHOW_STATEMENTS) && !is_claim(sim)));
}

static void tell(pml_sim *sim, const flow_el *el)
{
    if (!is_told(sim))
        return;
    if (sim->options.columns != PML_CHART) {
        sim_talk(sim, el, true);
        gy_text_add(&sim->out, "\t[");
        sim_put_statement(sim, el->kind == FLOW_D_STEP ? el->subs[0]->first : el, &sim->out);
        gy_text_add(&sim->out, "]\n");
    }
    if (sim->show & PML_SHOW_GLOBALS)
        sim_dump_globals(sim);
    if (sim->show & PML_SHOW_LOCALS)
        sim_dump_locals(sim, sim->x, false);
    if (sim->options.for_xspin)
        gy_text_char(&sim->out, '\n');
}

// A d_step is stepped through; its first statement is reported under the number of the whole.
static void walk_d_step(pml_sim *sim, flow_el *whole)
{
    flow_el *at = whole, *to;
    do {
        to = sim_eval_el(sim, at);
        if (to)
            tell(sim, at);
        at = to;
    } while (to && to != whole->next);
    sim->x->pc = to ? flow_settle(sim->flow, to, 0) : whole;
}

static void step(pml_sim *sim, flow_el *el)
{
    sim->x->pc = el;
    if (el->place)
        sim->place = el->place;
    if (el->kind == FLOW_D_STEP) {
        walk_d_step(sim, el);
        return;
    }
    flow_el *to = sim_eval_el(sim, el);
    sim->x->pc = to ? flow_settle(sim->flow, to, 0) : el;
    tell(sim, el);
    if (!to && is_told(sim))
        gy_text_add(&sim->out, "\ttransition failed\n");
}

// An error may end it.
static void guarded_step(pml_sim *sim, flow_el *el)
{
    jmp_buf end;
    sim->end = &end;
    if (setjmp(end) == 0)
        step(sim, el);
    sim->end = NULL;
}

static bool set_x(pml_sim *sim, long number, int pid)
{
    sim->depth = number;
    sim->timeout = true; // it may be part of the trail
    sim->pno = pid + sim->has_claim;
    for (sim->x = sim->run; sim->x && sim->x->pid != sim->pno; sim->x = sim->x->next)
        ;
    return sim->x != NULL;
}

bool pml_sim_follow(pml_sim *sim, long number, int pid, int state, bool merged)
{
    if (!set_x(sim, number, pid))
        return false;
    flow_el *el = element(sim->x->flow, state);
    if (!el)
        return false;
    bool jumps = el->kind == FLOW_JOIN || el->kind == FLOW_EXIT || el->kind == FLOW_GOTO;
    if (!merged || !jumps) // Spin passes over those on the way
        guarded_step(sim, el);
    return sim_flush(sim);
}

void pml_sim_follow_end(pml_sim *sim, long number, int pid)
{
    if (!set_x(sim, number, pid) || sim->x != sim->run)
        return;
    sim->run = sim->run->next;
    sim->stopped++;
    if (sim->show & PML_SHOW_STATEMENTS)
        gy_text_printf(&sim->out, "%3ld: proc %d terminates\n", number, pid);
}

void pml_sim_follow_cycle(pml_sim *sim)
{
    sim->pno = -1; // as the line of the trail says
    sim_tag(sim, sim->options.columns == PML_CHART ? " CYCLE>\n" : "<<<<<START OF CYCLE>>>>>\n",
            true);
}

void pml_sim_start_claim(pml_sim *sim, int which)
{
    if (sim->show)
        gy_text_printf(&sim->out, "starting claim %d\n", which);
    bool known = which >= 0 && (uint32_t)which < sim->tree->proc_count &&
                 sim->tree->procs[which]->kind == PML_PROC_NEVER;
    sim_proc *last = sim->run;
    if (known) {
        sim_proc *claim = sim_start(sim, sim->tree->procs[which], 1, true);
        sim->run = claim->next;
        claim->pid = 0;
        claim->next = NULL;
        while (last && last->next)
            last = last->next;
        if (last)
            last->next = claim;
        else
            sim->run = claim;
    } else {
        if ((uint32_t)which >= sim->tree->proc_count + sim->tree->ltl_count)
            gy_text_printf(&sim->out, "spin: couldn't find claim %d (ignored)\n", which);
        sim->skips_claim = true;
    }
    sim->has_claim = true;
    for (sim_proc *p = sim->run; p; p = p->next)
        if (!known || p->next)
            p->pid++;
}

void pml_sim_follow_claim(pml_sim *sim, long number, int transition)
{
    if (sim->skips_claim || !set_x(sim, number, -1))
        return;
    flow_el *el = NULL;
    for (uint32_t i = 1; i <= sim->x->flow->el_count; i++)
        if (sim->x->flow->els[i]->id == transition)
            el = sim->x->flow->els[i];
    if (!el || el->kind == FLOW_STOP)
        return;
    guarded_step(sim, el);
    const char *file;
    int line = (int)sim_line_of(sim, el, &file);
    if (line == sim->claim_line)
        return;
    sim->claim_line = line;
    gy_text_printf(&sim->out, "Never claim moves to line %d\t[", line);
    sim_put_statement(sim, el, &sim->out);
    gy_text_add(&sim->out, "]\n");
}

int pml_sim_follow_finish(pml_sim *sim, long number, bool limited)
{
    jmp_buf end;
    sim->depth = number;
    if (limited)
        gy_text_printf(&sim->out, "-------------\ndepth-limit (-u%ld steps) reached\n",
                       sim->options.limit);
    gy_text_printf(&sim->out, "spin: trail ends after %ld steps\n", number);
    sim->end = &end;
    if (setjmp(end) == 0)
        sim_final(sim, false);
    sim->end = NULL;
    sim_flush(sim);
    return sim->status;
}

void pml_sim_say(pml_sim *sim, const char *text)
{
    gy_text_add(&sim->out, text);
}

void pml_sim_flush(pml_sim *sim)
{
    sim_flush(sim);
}
