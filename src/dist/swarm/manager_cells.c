// Parts of the guide that are too large for one job: their rounds of jobs (plan_cells.h).
#include "dist/swarm/manager.h"

void gy_manager_crowd(gy_manager *m, uint32_t part)
{
    for (size_t i = 0; i < m->crowded.n; i++)
        if (m->crowded.at[i] == part)
            return;
    gy_vec_push(&m->crowded, part);
    m->swarm->figures.divided_parts++;
}

static void see_range(void *user, const gy_interval *interval)
{
    gy_manager_plan(user, interval);
}

static bool plan_round(gy_manager *m)
{
    bool some = gy_cells_next(&m->cells, see_range, m);
    m->swarm->figures.stages += some;
    return some;
}

bool gy_manager_next_round(gy_manager *m)
{
    if (m->in_cells) {
        gy_cells_end_round(&m->cells);
        if (plan_round(m))
            return true;
        m->in_cells = false;
        memmove(m->crowded.at, m->crowded.at + 1, --m->crowded.n * sizeof *m->crowded.at);
    }
    if (!m->crowded.n)
        return false;
    m->in_cells = true;
    gy_cells_begin(&m->cells, m->crowded.at[0]);
    return plan_round(m);
}

bool gy_manager_is_scout(const gy_manager *m, const gy_swarm_job *job)
{
    bool begins = m->in_cells ? m->cells.by_part && m->swarm->plan_workers > 1 : m->planner.scout;
    uint64_t limit = m->swarm->job_states;
    return begins && !job->full && (!limit || limit > GY_SCOUT_STATES);
}

void gy_manager_cells_task(const gy_manager *m, gy_swarm_task *task)
{
    task->cells = true;
    task->cell_part = m->cells.part;
    task->by_part = m->cells.by_part;
    task->from_start = m->first_stage && task->by_part;
    if (!task->by_part)
        gy_cells_inputs(&m->cells, task);
    else if (!m->first_stage)
        gy_planner_inputs(&m->planner, task);
}

void gy_manager_take_cells(gy_manager *m, gy_swarm_job *job, const gy_answer *a)
{
    bool is_scout = gy_manager_is_scout(m, job);
    gy_pending left = {.job = a->number, .print = a->seeds_print};
    gy_cells_take(&m->cells, a, is_scout);
    if (a->kind == GY_ANSWER_LARGE) {
        gy_interval half;
        gy_interval_init(&half);
        if (is_scout) {
            job->full = true;
            job->given = false;
            job->number = m->next_number++;
        } else if (gy_cells_halve(&m->cells, &job->interval, &half.from)) {
            gy_bigint_set(&half.to, &job->interval.to);
            gy_manager_halve(m, job, &half);
        } else {
            gy_manager_refuse(
                m,
                "one cell of the states is too large for a job (limit: %s): use other "
                "processes with --guide, or raise --job-memory, --job-states or --job-time",
                a->problem);
        }
        gy_interval_free(&half);
        return;
    }
    for (size_t i = 0; i < a->seeds.n && a->seeds.at[i].part < m->cells.parts; i++)
        gy_vec_push(&left.parts, a->seeds.at[i]);
    gy_vec_push(&m->left, left);
    gy_manager_drop(m, job);
}
