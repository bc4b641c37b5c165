#include "search/liveness/fair.h"

#include <string.h>

void gy_fair_init(gy_fair *fair, const gy_system *system, gy_fairness fairness,
                  const gy_observer *observer)
{
    *fair = (gy_fair){.system = system, .next = observer->sets + observer->strong};
    fair->reserved = observer->sets >= 64 ? ~0ull : (1ull << observer->sets) - 1;
    fair->processes = fairness == GY_FAIRNESS_WEAK || fairness == GY_FAIRNESS_STRONG;
    fair->strong_processes = fairness == GY_FAIRNESS_STRONG;
    fair->asks = fair->strong_processes || observer->strong;
    uint32_t edges = fairness == GY_FAIRNESS_NONE ? 0 : gy_edge_count(system);
    for (uint32_t e = 0; e < edges; e++) {
        bool strong;
        if (!gy_edge_fairness(system, (int32_t)e, &strong))
            continue;
        fair->actions = true;
        fair->asks = fair->asks || strong;
    }
}

void gy_fair_free(gy_fair *fair)
{
    gy_vec_free(&fair->action);
}

uint64_t gy_fair_all(const gy_fair *fair)
{
    return gy_fair_any(fair) && !fair->asks ? ~0ull : fair->reserved;
}

void gy_fair_begin(gy_fair *fair)
{
    fair->enabled = 0;
}

static uint64_t mark_of(gy_fair *fair, gy_fair_bits *bits, int32_t pid, bool strong)
{
    uint8_t *bit = pid < GY_FAIR_PIDS ? &bits->of_pid[pid] : NULL;
    if (!bit || (!*bit && fair->next >= 64)) {
        fair->too_many = true;
        return 0;
    }
    if (!*bit) {
        *bit = (uint8_t)++fair->next;
        fair->weak |= strong ? 0 : 1ull << (*bit - 1);
    }
    return 1ull << (*bit - 1);
}

static uint64_t marks_of(gy_fair *fair, int32_t pid, int32_t edge)
{
    uint64_t marks = 0;
    bool strong = false;
    uint32_t action;
    if (pid < 0)
        return 0;
    if (fair->processes)
        marks = mark_of(fair, &fair->process, pid, fair->strong_processes);
    if (fair->actions && (action = gy_edge_fairness(fair->system, edge, &strong))) {
        while (fair->action.n < action) {
            gy_fair_bits none = {0};
            gy_vec_push(&fair->action, none);
        }
        marks |= mark_of(fair, &fair->action.at[action - 1], pid, strong);
    }
    return marks;
}

uint64_t gy_fair_note(gy_fair *fair, const gy_transition *transition)
{
    uint64_t moved = 0;
    for (uint32_t i = 0; i < transition->step_count; i++) {
        const gy_step *step = &transition->steps[i];
        moved |= marks_of(fair, step->pid, step->edge);
        moved |= marks_of(fair, step->partner, step->partner_edge);
        if (i == 0)
            fair->enabled |= moved;
    }
    return moved;
}

uint64_t gy_fair_missing(const gy_fair *fair)
{
    return fair->asks ? fair->weak & ~fair->enabled : ~(fair->enabled | fair->reserved);
}

uint64_t gy_fair_asked(const gy_fair *fair)
{
    return fair->enabled | fair->weak;
}
