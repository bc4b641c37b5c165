// Fairness labels (wfair…, sfair…): which statements they mark.
#include "lang/promela/lower/lower_internal.h"

#include <string.h>

uint32_t fair_action_of(lowering *l, flow_el *by, const gy_template *tmpl)
{
    if (by->fair && !by->fair_action && gy_is_process(tmpl)) {
        gy_fair_action action = {(by->fair & FLOW_STRONGLY_FAIR) != 0};
        gy_vec_push(&l->fair_actions, action);
        by->fair_action = (uint32_t)l->fair_actions.n;
    }
    return by->fair_action;
}

static bool begins_with_fair_action(const flow_el *el)
{
    while (el && el->kind == FLOW_UNLESS)
        el = el->subs[0]->first;
    for (uint32_t i = 0; el && i < el->move_count; i++)
        if (el->moves[i].by->fair_action)
            return true;
    return false;
}

void warn_of_idle_fairness(lowering *l, const pml_proc *proc)
{
    for (uint32_t i = 0; i < proc->label_count; i++) {
        const pml_label *label = proc->labels[i];
        if (!flow_fair_label(label->name) || begins_with_fair_action(flow_label_el(label)))
            continue;
        gy_diag *d = gy_warn(l->tree->diags, label->place,
                             "the label `%s` makes nothing fair: no step of a process begins here",
                             label->name);
        d->length = (uint32_t)strlen(label->name);
    }
}
