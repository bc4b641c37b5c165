// Which process is next: by Spin's random numbers, by priority, or as the user says.
#include "spin/simulate/sim.h"

// By priority: a random one, and from there the first that can run.
static sim_proc *pick_by_priority(pml_sim *sim, sim_proc *before)
{
    int live = sim->created - sim->stopped;
    int j = (int)(sim_random(sim) % (uint32_t)live);
    for (sim->x = sim->run; sim->x->next && j > 0; j--)
        sim->x = sim->x->next;
    for (j = live; j > 0; j--) {
        if (sim_can_run(sim))
            return sim->x;
        sim->x = sim->x->next ? sim->x->next : sim->run;
    }
    return before;
}

static sim_proc *pick_at_random(pml_sim *sim, sim_proc *before)
{
    int j = (int)(sim_random(sim) % (uint32_t)sim->priority_sum);
    while (j - sim->x->priority >= 0) {
        j -= sim->x->priority;
        before = sim->x;
        sim->x = sim->x->next;
        if (!sim->x) {
            before = NULL;
            sim->x = sim->run;
        }
    }
    return before;
}

// ---- asking -------------------------------------------------------------------------------

typedef struct question {
    int next, unable, only; // the number of the next choice, how many cannot be, one that can
    int first[256];         // by pid: its first choice
} question;

static void offer(pml_sim *sim, question *q, const flow_el *el)
{
    const flow_el *pc = sim->x->pc;
    bool can = sim_enabled(sim, el);
    if (can)
        q->only = q->next;
    else
        q->unable++;
    if (!sim->options.for_xspin && !can && !(sim->show & PML_SHOW_MORE)) {
        q->next++;
        return;
    }
    gy_text_printf(&sim->out, "\tchoice %d: ", q->next++);
    sim_talk(sim, pc, false);
    gy_text_printf(&sim->out, "%s [", can ? "" : " unexecutable,");
    sim_put_statement(sim, el, &sim->out);
    gy_text_printf(&sim->out, "%s]\n", el == pc && pc->escape_count ? " + Escape" : "");
}

static void offer_options(pml_sim *sim, question *q)
{
    const flow_el *pc = sim->x->pc;
    int unable = q->unable, from = q->next, number = 0;
    for (uint32_t i = 0; i < pc->sub_count; i++) {
        const flow_el *first = sim_silent(sim, pc->subs[i]->first);
        if (first->kind == FLOW_ELSE)
            number = q->next++;
        else
            offer(sim, q, first);
    }
    if (!number)
        return;
    bool can = q->unable - unable >= q->next - from - 1;
    if (can)
        q->only = number;
    else
        q->unable++;
    gy_text_printf(&sim->out, "\tchoice %d: ", number);
    sim_talk(sim, pc, false);
    gy_text_printf(&sim->out, "%s [else]\n", can ? "" : " unexecutable,");
}

static void offer_all(pml_sim *sim, question *q)
{
    q->next = 1;
    q->unable = 0;
    q->only = -1;
    for (sim->x = sim->run; sim->x; sim->x = sim->x->next) {
        int pid = sim->x->pid;
        if (pid > 255)
            break;
        q->first[pid] = q->next;
        if (!sim_can_run(sim)) {
            if (sim->x == sim->run)
                q->first[pid] = 0;
            continue;
        }
        sim->x->pc = sim_silent(sim, sim->x->pc);
        if (sim->x->pc->kind == FLOW_CHOICE)
            offer_options(sim, q);
        else
            offer(sim, q, sim->x->pc);
    }
    sim->x = sim->run;
}

// The number of a choice, or -1: ask again.
static int ask(pml_sim *sim, const question *q)
{
    char word[65];
    bool xspin = sim->options.for_xspin;
    if (xspin) {
        gy_text_printf(&sim->out, "Make Selection %d\n\n", q->next - 1);
    } else {
        if (q->next - q->unable < 2) {
            gy_text_add(&sim->out, "no executable choices\n");
            sim_leave(sim, 0);
        }
        gy_text_printf(&sim->out, "Select [1-%d]: ", q->next - 1);
        if (q->next - q->unable == 2) {
            gy_text_printf(&sim->out, "%d\n", q->only);
            return q->only;
        }
    }
    sim_flush(sim);
    // Spin asks for ever once its input has ended.
    if (fscanf(sim->options.choices, "%64s", word) != 1 || word[0] == 'q')
        sim_leave(sim, 0);
    int choice = word[0] >= '0' && word[0] <= '9' ? atoi(word) : -1;
    if (choice >= 1 && choice < q->next)
        return choice;
    gy_text_add(&sim->out, "\tchoice is outside range\n");
    return -1;
}

static sim_proc *pick_by_user(pml_sim *sim)
{
    question q = {0};
    sim_proc *before = NULL;
    int choice = -1;
    sim->timeout = false;
    while (choice < 0) {
        gy_text_add(&sim->out, "Select a statement\n");
        offer_all(sim, &q);
        if (q.next - q.unable < 2 && !sim->timeout) {
            sim->timeout = true;
            offer_all(sim, &q);
        }
        choice = ask(sim, &q);
    }
    sim->made_choice = 0;
    for (sim->x = sim->run; sim->x; before = sim->x, sim->x = sim->x->next)
        if (!sim->x->next || sim->x->next->pid > 255 || choice < q.first[sim->x->next->pid]) {
            sim->made_choice = 1 + choice - q.first[sim->x->pid];
            break;
        }
    return before;
}

sim_proc *sim_pick(pml_sim *sim, sim_proc *before)
{
    if (sim->created <= sim->stopped + 1) {
        sim->x = sim->run;
        return NULL;
    }
    if (sim->options.interactive && sim->depth >= sim->options.skip)
        return pick_by_user(sim);
    if (sim->tree->uses_priority)
        return pick_by_priority(sim, before);
    return pick_at_random(sim, before);
}
