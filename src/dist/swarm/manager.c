// The manager of a swarm: see swarm.h. Jobs are numbered as they are planned; what is planned
// follows from the answers in the order of the journal.
#include "dist/swarm/manager.h"

#include "base/clock.h"
#include "dist/swarm/job_checks.h"
#include "exec/system.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_TRIES = 6 };
static const double PAUSE = 0.1;

void gy_manager_refuse(gy_manager *m, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    if (!m->swarm->problem)
        m->swarm->problem = gy_text_take(&text);
    gy_text_free(&text);
    m->over = true;
}

// ---- jobs
// ----------------------------------------------------------------------------------------

gy_swarm_job *gy_manager_job(gy_manager *m, uint64_t number)
{
    for (size_t i = 0; i < m->jobs.n; i++)
        if (m->jobs.at[i].number == number)
            return &m->jobs.at[i];
    return NULL;
}

void gy_manager_plan(gy_manager *m, const gy_interval *interval)
{
    gy_swarm_job job = {.number = m->next_number++};
    gy_interval_init(&job.interval);
    gy_bigint_set(&job.interval.from, &interval->from);
    gy_bigint_set(&job.interval.to, &interval->to);
    gy_vec_push(&m->jobs, job);
}

static void see_interval(void *user, const gy_interval *interval)
{
    gy_manager_plan(user, interval);
}

void gy_manager_task(const gy_manager *m, const gy_swarm_job *job, gy_swarm_task *task)
{
    const gy_planner *p = &m->planner;
    gy_swarm_task_init(task);
    task->number = job->number;
    task->guide = m->guide_of;
    task->system_print = m->system_print;
    task->from = p->stage->from;
    task->to = p->stage->to;
    for (size_t i = 0; i < p->entries.n; i++)
        gy_vec_push(&task->entries, p->entries.at[i]);
    gy_bigint_set(&task->interval.from, &job->interval.from);
    gy_bigint_set(&task->interval.to, &job->interval.to);
    task->from_start = m->first_stage;
    if (m->in_cells)
        gy_manager_cells_task(m, task);
    else if (!m->first_stage)
        gy_planner_inputs(p, task);
    task->most_states =
        gy_manager_is_scout(m, job) ? (uint64_t)GY_SCOUT_STATES : m->swarm->job_states;
    task->feedback = !m->swarm->no_feedback;
    task->keep_states = m->swarm->keep_states;
}

static void begin_stage(gy_manager *m)
{
    m->first_stage = !m->planner.started;
    m->stage_visited = m->stage_jobs = 0;
    m->stage_cut = false;
    memset(m->stage_sketch, 0, sizeof m->stage_sketch);
    if (!gy_planner_next(&m->planner)) {
        m->over = m->complete = true;
        return;
    }
    gy_planner_open_traces(&m->planner, &m->open, &m->all);
    if (gy_guide_parts(m->guide) == 1 && !m->swarm->stages_set) {
        gy_manager_crowd(m, 0); // there is a single trace
    } else {
        m->swarm->figures.stages++;
        gy_planner_cut(&m->planner, see_interval, m);
    }
}

void gy_manager_drop(gy_manager *m, gy_swarm_job *job)
{
    size_t i = (size_t)(job - m->jobs.at);
    gy_interval_free(&m->jobs.at[i].interval);
    memmove(&m->jobs.at[i], &m->jobs.at[i + 1], (m->jobs.n - i - 1) * sizeof *m->jobs.at);
    m->jobs.n--;
}

// What the stage has consumed does not wait any more; what its jobs have left does.
static void end_stage(gy_manager *m)
{
    gy_planner *p = &m->planner;
    uint32_t to = p->stage->to;
    for (size_t i = 0; i < p->pending.n;) {
        gy_pending *pending = &p->pending.at[i];
        size_t n = 0;
        for (size_t k = 0; k < pending->parts.n; k++)
            if (gy_guide_level(p->guide, pending->parts.at[k].part) >= to)
                pending->parts.at[n++] = pending->parts.at[k];
        pending->parts.n = n;
        if (n == 0) {
            gy_vec_free(&pending->parts);
            memmove(pending, pending + 1, (p->pending.n - i - 1) * sizeof *pending);
            p->pending.n--;
        } else {
            i++;
        }
    }
    for (size_t i = 0; i < m->left.n; i++) {
        gy_planner_add(p, m->left.at[i].job, m->left.at[i].print, m->left.at[i].parts.at,
                       m->left.at[i].parts.n);
        gy_vec_free(&m->left.at[i].parts);
    }
    m->left.n = 0;
    if (m->stage_jobs > 1 && p->stage->to - p->stage->from > 1)
        m->swarm->figures.exact = false;
    gy_planner_end(p, m->stage_visited, m->stage_jobs, gy_sketch_count(m->stage_sketch),
                   m->stage_cut);
}

// ---- answers
// -------------------------------------------------------------------------------------

static void account(gy_manager *m, const gy_answer *a)
{
    gy_swarm_figures *f = &m->swarm->figures;
    gy_search_result *result = m->run->result;
    f->visited += a->visited;
    f->largest = a->stored > f->largest ? a->stored : f->largest;
    f->largest_memory = a->memory > f->largest_memory ? a->memory : f->largest_memory;
    f->longest = a->seconds > f->longest ? a->seconds : f->longest;
    m->settled += a->settled;
    m->stage_visited += a->visited;
    m->stage_jobs++;
    result->transitions += a->transitions;
    if (a->endless && result->endless_edge < 0 && a->endless <= result->edge_count)
        result->endless_edge = (int32_t)(a->endless - 1);
    gy_sketch_join(m->sketch, a->sketch);
    gy_sketch_join(m->stage_sketch, a->sketch);
    for (uint32_t i = 0; i < result->edge_count && i < a->reached.n; i++)
        result->reached_edges[i] |= a->reached.at[i];
}

static bool meet(const gy_interval *a, const gy_interval *b)
{
    return gy_bigint_compare(&a->from, &b->to) < 0 && gy_bigint_compare(&a->to, &b->from) > 0;
}

// "FROM TO". False: that is none.
static bool read_interval(const char *text, gy_interval *interval)
{
    char *copy = strdup(text), *blank = strchr(copy, ' ');
    if (blank)
        *blank = 0;
    bool good = blank && gy_bigint_parse(&interval->from, copy) &&
                gy_bigint_parse(&interval->to, blank + 1);
    free(copy);
    return good;
}

// Does the journal have the answer to this job, further on, with some of these traces? Then it was
// with a worker when what is taken now was reported, and stayed as it was.
static bool kept_range(const gy_manager *m, uint64_t number, const gy_interval *range)
{
    bool kept = false;
    gy_interval interval;
    gy_interval_init(&interval);
    for (size_t i = m->replayed; i < m->journal.records.n; i++) {
        unsigned long long done;
        int at = 0;
        if (sscanf(m->journal.records.at[i], "done %llu %n", &done, &at) == 1 && at &&
            done == number && read_interval(m->journal.records.at[i] + at, &interval))
            kept = meet(&interval, range);
    }
    gy_interval_free(&interval);
    return kept;
}

// Ranges that the system was found unable to follow need no jobs.
static void prune(gy_manager *m, const char *text)
{
    gy_interval range;
    gy_interval_init(&range);
    if (read_interval(text, &range))
        for (size_t i = 0; i < m->jobs.n;) {
            gy_swarm_job *job = &m->jobs.at[i];
            gy_interval *in = &job->interval;
            bool covers_from = gy_bigint_compare(&range.from, &in->from) <= 0;
            bool covers_to = gy_bigint_compare(&range.to, &in->to) >= 0;
            if (job->given || !meet(&range, in) || kept_range(m, job->number, &range)) {
                i++;
            } else if (covers_from && covers_to) {
                gy_manager_drop(m, job);
                m->swarm->figures.jobs_pruned++;
            } else {
                if (covers_from)
                    gy_bigint_set(&in->from, &range.to);
                else if (covers_to)
                    gy_bigint_set(&in->to, &range.from);
                i++;
            }
        }
    gy_interval_free(&range);
}

void gy_manager_halve(gy_manager *m, gy_swarm_job *job, const gy_interval *half)
{
    gy_bigint_set(&job->interval.to, &half->from);
    job->given = false;
    job->full = true;
    job->number = m->next_number++;
    gy_manager_plan(m, half);
    m->jobs.at[m->jobs.n - 1].full = true;
    m->swarm->figures.jobs_split++;
    m->stage_cut = true;
}

// A job that was too large: two halves of it, or its part is divided further.
static void split(gy_manager *m, gy_swarm_job *job)
{
    gy_interval half;
    gy_interval_init(&half);
    bool parts = gy_planner_halve(&m->planner, &job->interval, &half.from);
    gy_bigint_set(&half.to, &job->interval.to);
    if (!parts) {
        gy_manager_crowd(m, gy_planner_entry_at(&m->planner, &job->interval.from));
        gy_manager_drop(m, job);
        m->stage_cut = true;
    } else if (gy_manager_is_scout(m, job)) { // the limit was not the real one
        job->full = true;
        job->given = false;
        job->number = m->next_number++;
    } else {
        gy_manager_halve(m, job, &half);
    }
    gy_interval_free(&half);
}

static void keep_left(gy_manager *m, const gy_answer *a)
{
    gy_pending left = {.job = a->number, .print = a->seeds_print};
    for (size_t i = 0; i < a->seeds.n; i++)
        gy_vec_push(&left.parts, a->seeds.at[i]);
    gy_vec_push(&m->left, left);
}

static void take_done(gy_manager *m, gy_swarm_job *job, const gy_answer *a)
{
    keep_left(m, a);
    m->stage_cut = m->stage_cut || a->kind == GY_ANSWER_CUT;
    gy_manager_drop(m, job);
    for (size_t i = 0; i < a->pruned.n && !m->swarm->no_feedback; i++)
        prune(m, a->pruned.at[i]);
}

// Plans, if there are no jobs, until there are some or nothing is left to do.
static void advance(gy_manager *m)
{
    while (m->jobs.n == 0 && !m->over) {
        if (gy_manager_next_round(m))
            continue;
        if (m->planner.stage)
            end_stage(m);
        begin_stage(m);
    }
}

// What is decided here depends on the answer and on what was decided before, on nothing else.
static void take_answer(gy_manager *m, gy_swarm_job *job, const gy_answer *a)
{
    gy_swarm_figures *f = &m->swarm->figures;
    account(m, a);
    f->jobs_done++;
    if (a->kind == GY_ANSWER_DONE || a->kind == GY_ANSWER_CUT || a->kind == GY_ANSWER_LARGE) {
        if (m->in_cells)
            gy_manager_take_cells(m, job, a);
        else if (a->kind == GY_ANSWER_LARGE)
            split(m, job);
        else
            take_done(m, job, a);
    } else if (a->kind == GY_ANSWER_ERROR) {
        m->error_job = f->error_job = a->number;
        f->error = a->error_fault == GY_FAULT_NONE
                       ? "invalid end state"
                       : gy_fault_row_of(m->run->system, a->error_fault)->name;
        m->error_met = m->over = f->error_met = true;
    } else {
        gy_manager_refuse(m, "%s", a->problem);
    }
    advance(m);
}

// Reads the answer to a job; false: there is none that could be used.
bool gy_manager_read(gy_manager *m, const gy_swarm_job *job, gy_answer *a, const char **why)
{
    gy_swarm_task task;
    gy_manager_task(m, job, &task);
    bool good = gy_answer_read(a, m->swarm->folder, "answer", &task, why);
    if (good && !gy_answer_makes_sense(a, &task, false, gy_guide_parts(m->guide), m->run->system)) {
        *why = "it makes no sense";
        good = false;
    }
    gy_swarm_task_free(&task);
    if (!good)
        gy_answer_free(a);
    return good;
}

// An answer that will be compared with another one to the same task.
static void set_aside(const gy_manager *m, uint64_t number)
{
    gy_text path = {0}, old = {0};
    gy_worker_job_path(&path, m->swarm->folder, number, "answer");
    gy_worker_job_path(&old, m->swarm->folder, number, "before");
    if (rename(gy_text_str(&path), gy_text_str(&old)) != 0)
        gy_text_clear(&old); // then there is none to compare with, which will be found out
    gy_text_free(&path);
    gy_text_free(&old);
}

// Has a job that was done again left the same seeds? Limits of memory and time may have ended it
// elsewhere, and later jobs were planned by what it had left.
static bool is_as_before(const gy_manager *m, uint64_t number)
{
    gy_answer now = {0}, before = {0};
    gy_swarm_task task;
    const char *why;
    bool same = gy_swarm_task_read(&task, m->swarm->folder, number, &why) &&
                gy_answer_read(&now, m->swarm->folder, "answer", &task, &why) &&
                gy_answer_read(&before, m->swarm->folder, "before", &task, &why) &&
                now.kind == before.kind && now.level == before.level &&
                now.seeds_print == before.seeds_print && now.known_print == before.known_print;
    gy_answer_free(&now);
    gy_answer_free(&before);
    gy_swarm_task_free(&task);
    return same;
}

static void remove_file(const gy_manager *m, uint64_t number, const char *kind)
{
    gy_text path = {0};
    gy_worker_job_path(&path, m->swarm->folder, number, kind);
    unlink(gy_text_str(&path));
    gy_text_free(&path);
}

// ---- going on
// ------------------------------------------------------------------------------------

static bool record(gy_manager *m, const gy_swarm_job *job)
{
    gy_text text = {0};
    gy_text_printf(&text, "done %llu ", (unsigned long long)job->number);
    gy_bigint_text(&job->interval.from, &text);
    gy_text_char(&text, ' ');
    gy_bigint_text(&job->interval.to, &text);
    bool good = gy_journal_add(&m->journal, gy_text_str(&text));
    gy_text_free(&text);
    if (!good)
        gy_manager_refuse(m, "cannot write to the journal in %s: %s", m->swarm->folder,
                          strerror(errno));
    return good;
}

// Is that job being done again? Twice at once, one would set the answer of the other aside.
static bool is_waited_for(const gy_manager *m, uint64_t number)
{
    for (size_t i = 0; i < m->jobs.n; i++)
        if (m->jobs.at[i].waits && m->jobs.at[i].waits_for == number)
            return true;
    return false;
}

// A job whose input is damaged: the one that made it has to be done again, by a task of its own
// that is as it was.
static void redo_input(gy_manager *m, gy_swarm_job *job, const gy_answer *a)
{
    bool under_way = is_waited_for(m, a->bad_input);
    remove_file(m, job->number, "answer");
    job->waits = true;
    job->waits_for = a->bad_input;
    job->given = false;
    m->swarm->figures.jobs_failed++;
    if (under_way)
        return;
    gy_text why = {0};
    set_aside(m, a->bad_input);
    m->running++;
    if (!gy_launch_job(m->launcher, a->bad_input, false, &why) ||
        !gy_launch_flush(m->launcher, &why))
        gy_manager_refuse(m, "%s", gy_text_str(&why));
    gy_text_free(&why);
}

static void failed(gy_manager *m, gy_swarm_job *job, const char *why)
{
    m->swarm->figures.jobs_failed++;
    job->given = false;
    job->tries++;
    remove_file(m, job->number, "answer");
    if (job->tries >= MOST_TRIES)
        gy_manager_refuse(m, "job %llu failed %u times (the last time: %s); see %s/job-%llu.log",
                          (unsigned long long)job->number, job->tries, why, m->swarm->folder,
                          (unsigned long long)job->number);
}

static void take_ended(gy_manager *m, uint64_t number, const char *how)
{
    gy_swarm_job *job = gy_manager_job(m, number);
    const char *why = "";
    gy_answer a;
    m->running -= m->running > 0;
    if (!job) { // an input that was made again
        if (!is_as_before(m, number))
            gy_manager_refuse(
                m, "the start states of job %llu were lost, and could not be computed again",
                (unsigned long long)number);
        for (size_t i = 0; i < m->jobs.n; i++)
            if (m->jobs.at[i].waits && m->jobs.at[i].waits_for == number) {
                m->jobs.at[i].waits = false;
                m->jobs.at[i].tries++;
            }
        return;
    }
    if (!gy_manager_read(m, job, &a, &why)) {
        failed(m, job, *how ? how : why);
        return;
    }
    if (a.kind == GY_ANSWER_INPUT) {
        if (++job->tries >= MOST_TRIES)
            gy_manager_refuse(m, "%s", a.problem);
        else
            redo_input(m, job, &a);
    } else if (record(m, job)) {
        take_answer(m, job, &a);
    }
    gy_answer_free(&a);
}

static void hand_out(gy_manager *m)
{
    gy_text why = {0};
    bool some = false;
    for (size_t i = 0; i < m->jobs.n && m->running < m->swarm->workers && !m->over; i++) {
        if (i && gy_run_tick_slow(m->run)) // starting many takes long
            break;
        gy_swarm_job *job = &m->jobs.at[i];
        gy_swarm_task task;
        if (job->given || job->waits)
            continue;
        gy_manager_task(m, job, &task);
        if (!gy_swarm_task_write(&task, m->swarm->folder))
            gy_manager_refuse(m, "cannot write to %s: %s", m->swarm->folder, strerror(errno));
        else if (!gy_launch_job(m->launcher, job->number, false, &why))
            gy_manager_refuse(m, "%s", gy_text_str(&why));
        gy_swarm_task_free(&task);
        job->given = true;
        m->running++;
        some = true;
    }
    if (some && !m->over && !gy_launch_flush(m->launcher, &why))
        gy_manager_refuse(m, "%s", gy_text_str(&why));
    gy_text_free(&why);
}

// Answers that are there before anybody was asked: workers went on when the manager had ended.
static void take_waiting(gy_manager *m)
{
    for (size_t i = 0; i < m->jobs.n && !m->over; i++) {
        gy_answer a;
        const char *why;
        if (m->jobs.at[i].given || m->jobs.at[i].asked)
            continue;
        m->jobs.at[i].asked = true;
        if (!gy_manager_read(m, &m->jobs.at[i], &a, &why))
            continue;
        if (a.kind != GY_ANSWER_INPUT && record(m, &m->jobs.at[i])) {
            take_answer(m, &m->jobs.at[i], &a);
            i = SIZE_MAX; // what was planned may have changed
        }
        gy_answer_free(&a);
    }
}

static void sum_up(gy_manager *m)
{
    gy_swarm_figures *f = &m->swarm->figures;
    uint64_t given = m->running;
    f->jobs_running = given;
    f->jobs_left = m->jobs.n > given ? m->jobs.n - given : 0;
    f->exact = f->exact && !m->error_met;
    f->distinct = f->exact ? (double)m->settled : gy_sketch_count(m->sketch);
    f->redundancy = f->distinct > 0 ? (double)f->visited / f->distinct : 1;
    f->redundancy = f->redundancy < 1 ? 1 : f->redundancy;
    f->settled = m->complete ? 1 : 1 - gy_bigint_ratio(&m->open, &m->all);
    f->seconds = gy_clock() - m->run->started;
}

void gy_manager_show(gy_manager *m)
{
    static const double BETWEEN = 0.2;
    if (!m->swarm->progress || gy_clock() < m->next_show)
        return;
    m->next_show = gy_clock() + BETWEEN;
    sum_up(m);
    m->swarm->progress(m->swarm->progress_user, &m->swarm->figures);
}

static void go_on(gy_manager *m)
{
    while (!m->over) {
        uint64_t number;
        const char *how;
        bool some = false;
        take_waiting(m);
        if (!m->over)
            hand_out(m);
        while (!m->over && gy_launch_ended(m->launcher, &number, &how)) {
            take_ended(m, number, how);
            some = true;
        }
        gy_manager_show(m);
        if (!m->over && gy_run_tick_slow(m->run)) {
            m->over = true;
            break;
        }
        if (!some && !m->over)
            gy_launch_wait(m->launcher, PAUSE);
    }
}

// ---- beginning and ending
// ------------------------------------------------------------------------

static void note(gy_manager *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(gy_manager *m, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    if (m->swarm->note)
        gy_text_printf(&text, "; %s", m->swarm->note);
    free(m->swarm->note);
    m->swarm->note = gy_text_take(&text);
}

// The records say which answers came, in which order. An answer that is gone or damaged ends that:
// the job and all that follows from it are done again.
static void replay(gy_manager *m)
{
    size_t n = m->journal.records.n;
    for (size_t i = 1; i < n && !m->over; i++) {
        unsigned long long number;
        gy_answer a;
        const char *why = "it is not in the plan";
        gy_swarm_job *job = sscanf(m->journal.records.at[i], "done %llu", &number) == 1
                                ? gy_manager_job(m, number)
                                : NULL;
        if (!job || !gy_manager_read(m, job, &a, &why)) {
            note(m, "the answer of job %llu cannot be used (%s): %zu job%s will run again", number,
                 why, n - i, n - i == 1 ? "" : "s");
            gy_journal_cut(&m->journal, i);
            break;
        }
        m->replayed = i + 1;
        take_answer(m, job, &a);
        gy_answer_free(&a);
    }
    m->replayed = m->journal.records.n;
}

static bool open_journal(gy_manager *m)
{
    gy_swarm *s = m->swarm;
    gy_text why = {0};
    bool good = s->resume ? gy_journal_open(&m->journal, s->folder, &why)
                          : gy_journal_create(&m->journal, s->folder, s->first_record, &why);
    if (good && s->resume && m->journal.torn)
        note(m, "the journal in %s ends in the middle of a record, which is ignored", s->folder);
    if (good && s->resume && m->journal.records.n == 0) {
        gy_text_printf(&why, "the journal in %s is damaged at its beginning", s->folder);
        good = false;
    }
    if (!good)
        gy_manager_refuse(m, "%s",
                          why.n ? gy_text_str(&why) : "cannot write the journal of the swarm");
    gy_text_free(&why);
    return good;
}

static bool set_up(gy_manager *m)
{
    gy_swarm *s = m->swarm;
    gy_text why = {0}, told = {0}, traces = {0};
    m->guide = gy_guide_choose(m->run, s->guide, &m->guide_of, &why);
    if (m->run->stopped) { // the code that goes on with the swarm chooses again
        open_journal(m);
        s->figures.guide = strdup("none yet");
        s->figures.why = strdup("a limit was reached while candidates were tried");
        gy_text_free(&why);
        return false;
    }
    if (!m->guide) {
        gy_run_fail(m->run, "%s", gy_text_str(&why));
        gy_text_free(&why);
        return false;
    }
    m->system_print = gy_swarm_print(m->run->system, m->run->options);
    gy_guide_tell(m->guide, &told);
    s->figures.guide = gy_text_take(&told);
    s->figures.why = gy_text_take(&why);
    s->figures.parts = gy_guide_parts(m->guide);
    s->figures.levels = gy_guide_levels(m->guide);
    s->figures.exact = true;
    gy_planner_init(&m->planner, m->guide);
    m->planner.workers = s->plan_workers;
    m->planner.job_states = s->job_states;
    m->planner.fixed = s->stages_set;
    if (s->stages_set)
        m->planner.length = s->stage_levels;
    m->planner.intervals = s->intervals;
    m->planner.feedback = !s->no_feedback;
    m->cells = (gy_cell_plan){.parts = gy_guide_parts(m->guide),
                              .workers = s->plan_workers,
                              .intervals = s->intervals,
                              .limit = s->job_states};
    gy_planner_open_traces(&m->planner, &m->open, &m->all);
    gy_bigint_tell(&m->all, &traces);
    s->figures.traces = gy_text_take(&traces);
    return true;
}

static void conclude(gy_manager *m)
{
    gy_run *run = m->run;
    sum_up(m);
    if (m->error_met) {
        run->result->errors++;
        run->result->error_met = true;
        gy_manager_tell_error(m);
    } else if (!m->complete && m->swarm->problem) {
        gy_run_overflow(run, m->swarm->problem);
    }
    run->states_so_far = (uint64_t)(m->swarm->figures.distinct + 0.5);
    run->result->threads = m->swarm->workers;
}

void gy_manager_limit(const gy_manager *m, gy_launch_options *launch)
{
    double limit = m->run->options->time_limit;
    launch->interrupt = m->run->options->interrupt;
    launch->deadline = limit > 0 ? m->run->started + limit : 0;
}

static void search_swarm(gy_run *run)
{
    gy_manager m = {.run = run, .swarm = run->options->engine_data, .journal.file = -1};
    gy_bigint_init(&m.open);
    gy_bigint_init(&m.all);
    if (set_up(&m)) {
        gy_launch_options launch = m.swarm->launch;
        launch.folder = m.swarm->folder;
        gy_manager_limit(&m, &launch);
        if (open_journal(&m)) {
            m.launcher = gy_launcher_new(&launch);
            advance(&m);
            if (m.swarm->resume)
                replay(&m);
            go_on(&m);
        }
        conclude(&m);
        gy_planner_free(&m.planner);
        gy_cells_free(&m.cells);
    }
    gy_launcher_free(m.launcher);
    gy_journal_close(&m.journal);
    for (size_t i = 0; i < m.jobs.n; i++)
        gy_interval_free(&m.jobs.at[i].interval);
    for (size_t i = 0; i < m.left.n; i++)
        gy_vec_free(&m.left.at[i].parts);
    gy_vec_free(&m.jobs);
    gy_vec_free(&m.left);
    gy_vec_free(&m.crowded);
    gy_guide_free(m.guide);
    gy_bigint_free(&m.open);
    gy_bigint_free(&m.all);
}

const gy_engine gy_engine_swarm = {
    .name = "swarm",
    .title = "a swarm of jobs",
    .search = search_swarm,
    .complete = true,
    .own_store = true,
    .is_command = true,
};

bool gy_swarm_is_there(void)
{
    return gy_bigint_is_there();
}

void gy_swarm_free(gy_swarm *swarm)
{
    free(swarm->figures.traces);
    free(swarm->figures.guide);
    free(swarm->figures.why);
    free(swarm->problem);
    free(swarm->note);
}
