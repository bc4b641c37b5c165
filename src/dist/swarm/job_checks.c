#include "dist/swarm/job_checks.h"

#include "dist/swarm/cells.h"

// Parts from `first` up to `end`, rising.
static bool are_parts(const gy_part_counts *counts, uint32_t first, uint32_t end)
{
    for (size_t i = 0; i < counts->n; i++) {
        uint32_t part = counts->at[i].part;
        if (part < first || part >= end || (i && part <= counts->at[i - 1].part))
            return false;
    }
    return true;
}

bool gy_answer_makes_sense(const gy_answer *answer, const gy_swarm_task *task, bool way,
                           uint32_t parts, const gy_system *system)
{
    uint32_t end = task->cells ? parts + GY_CELLS : parts, faults;
    gy_system_faults(system, &faults);
    if (way ? answer->kind != GY_ANSWER_WAY && answer->kind != GY_ANSWER_BROKEN &&
                  answer->kind != GY_ANSWER_INPUT
            : answer->kind > GY_ANSWER_INPUT)
        return false;
    return answer->error_fault < faults && answer->problem && are_parts(&answer->seeds, 0, end) &&
           are_parts(&answer->known, parts, end);
}

static bool are_entries(const gy_swarm_task *task, const gy_guide *guide)
{
    for (size_t i = 0; i < task->entries.n; i++) {
        uint32_t part = task->entries.at[i];
        if (part >= gy_guide_parts(guide) || gy_guide_level(guide, part) < task->from ||
            gy_guide_level(guide, part) >= task->to || (i && part <= task->entries.at[i - 1]))
            return false;
    }
    return true;
}

bool gy_swarm_task_makes_sense(const gy_swarm_task *task, const gy_guide *guide)
{
    return task->from < task->to && task->to <= gy_guide_levels(guide) &&
           (!task->from_start || task->from == 0) && are_entries(task, guide) &&
           (!task->cells || task->cell_part < gy_guide_parts(guide));
}

bool gy_swarm_task_interval_makes_sense(const gy_swarm_task *task, const gy_stage *stage)
{
    gy_bigint end;
    gy_bigint_init(&end);
    if (task->cells)
        gy_bigint_set_u64(&end, GY_CELLS);
    else
        gy_bigint_set(&end, &stage->weights->weight[0]);
    bool good = gy_bigint_compare(&task->interval.from, &task->interval.to) < 0 &&
                gy_bigint_compare(&task->interval.to, &end) <= 0;
    gy_bigint_free(&end);
    return good;
}
