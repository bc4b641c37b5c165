// From an error back to the beginning: a job knows the states that it was given, not how they were
// reached. So the jobs on the way are asked once more, each for the path from one of its seeds to
// one state, until a seed is an initial state.
#include "dist/swarm/job_checks.h"
#include "dist/swarm/manager.h"

#include <errno.h>
#include <unistd.h>

// Asks one job for the path to a state. False: there is no answer; a problem was noted.
static bool ask(gy_manager *m, uint64_t job, const gy_word *state, size_t words, gy_answer *a)
{
    const char *why = "";
    gy_text problem = {0};
    gy_swarm_task task;
    *a = (gy_answer){0};
    if (!gy_swarm_task_read(&task, m->swarm->folder, job, &why)) {
        gy_manager_refuse(m, "the task of job %llu cannot be read: %s", (unsigned long long)job,
                          why);
        gy_swarm_task_free(&task);
        return false;
    }
    task.number = m->next_number++;
    m->swarm->figures.error_asked++;
    task.most_states = 0;
    task.keep_states = false;
    task.target.n = 0;
    for (size_t i = 0; i < words; i++)
        gy_vec_push(&task.target, state[i]);
    bool good = gy_swarm_task_write(&task, m->swarm->folder);
    if (!good)
        gy_manager_refuse(m, "cannot write to %s: %s", m->swarm->folder, strerror(errno));
    for (unsigned tries = 0; good && tries < 3; tries++) {
        uint64_t number = 0;
        const char *how = "";
        good = gy_launch_job(m->launcher, task.number, true, &problem) &&
               gy_launch_flush(m->launcher, &problem);
        while (good && number != task.number) {
            gy_manager_show(m);
            if (!gy_launch_ended(m->launcher, &number, &how)) {
                good = !gy_run_tick_slow(m->run);
                gy_launch_wait(m->launcher, 0.1);
            }
        }
        if (good && gy_answer_read(a, m->swarm->folder, "way", &task, &why) &&
            gy_answer_makes_sense(a, &task, true, gy_guide_parts(m->guide), m->run->system)) {
            good = a->kind == GY_ANSWER_WAY;
            if (!good)
                gy_manager_refuse(m, "%s", a->problem);
            gy_swarm_task_free(&task);
            gy_text_free(&problem);
            return good;
        }
        gy_answer_free(a);
    }
    gy_manager_refuse(m, "the path to an error could not be found: %s",
                      problem.n ? gy_text_str(&problem) : why);
    gy_swarm_task_free(&task);
    gy_text_free(&problem);
    return false;
}

static void prepend(gy_route *route, const uint32_t *steps, size_t count)
{
    gy_vec_reserve(route, route->n + count + 1);
    memmove(route->at + count, route->at, route->n * sizeof *route->at);
    memcpy(route->at, steps, count * sizeof *steps);
    route->n += count;
}

static bool find_way(gy_manager *m, uint64_t job, const gy_word *state, size_t words,
                     gy_route *route)
{
    GY_VEC(gy_word) target = {0};
    bool good = true, initial = false;
    for (size_t i = 0; i < words; i++)
        gy_vec_push(&target, state[i]);
    while (good && !initial) {
        gy_answer a;
        good = ask(m, job, target.at, target.n, &a);
        if (!good)
            break;
        prepend(route, a.way.at, a.way.n);
        initial = a.way_input == UINT64_MAX;
        job = a.way_input;
        target.n = 0;
        for (size_t i = 0; i < a.way_seed.n; i++)
            gy_vec_push(&target, a.way_seed.at[i]);
        gy_answer_free(&a);
    }
    gy_vec_free(&target);
    return good;
}

void gy_manager_tell_error(gy_manager *m)
{
    gy_swarm_job *job = gy_manager_job(m, m->error_job);
    const char *why = "it is not in the plan";
    gy_answer a;
    gy_route route = {0};
    // Those that still run are of no interest.
    gy_launch_options launch = m->swarm->launch;
    launch.folder = m->swarm->folder;
    launch.seconds = 0;
    gy_manager_limit(m, &launch);
    gy_launcher_free(m->launcher);
    m->launcher = gy_launcher_new(&launch);
    if (!job || !gy_manager_read(m, job, &a, &why)) {
        gy_manager_refuse(m, "an error was found, but the answer of its job cannot be read: %s",
                          why);
        m->run->result->errors = 0;
        gy_run_overflow(m->run, m->swarm->problem);
        return;
    }
    bool at_start = a.error_state.n == 0;
    bool good = at_start || find_way(m, m->error_job, a.error_state.at, a.error_state.n, &route);
    if (good && (at_start || a.error_fault != GY_FAULT_NONE))
        gy_vec_push(&route, a.error_ordinal);
    m->run->stopped = false;
    if (good) {
        gy_run_report(m->run, &route, (gy_fault_kind)a.error_fault, false);
    } else { // nothing is reported that cannot be shown
        m->run->result->errors = 0;
        gy_run_overflow(m->run, m->swarm->problem
                                    ? m->swarm->problem
                                    : "an error was found, but the path to it was lost");
    }
    gy_answer_free(&a);
    gy_vec_free(&route);
}
