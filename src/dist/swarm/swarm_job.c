#include "dist/swarm/swarm_job.h"

#include "dist/swarm/swarm_job_parts.h"

#include "base/hash.h"
#include "dist/swarm/job_checks.h"
#include "search/checkpoint.h"
#include "search/run.h"

void gy_worker_job_refuse(gy_worker_job *j, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    j->answer.kind = GY_ANSWER_BROKEN;
    if (!j->answer.problem)
        j->answer.problem = gy_text_take(&text);
    gy_text_free(&text);
    j->ended = true;
}

// ---- entering --------------------------------------------------------------------------------

// A state that was entered, in this part, at this place.
static void arrive(gy_worker_job *j, uint64_t id, uint32_t part, int place,
                   const gy_worker_job_parent *from)
{
    bool beyond = j->cells_end ? part < j->cells || part >= j->cells_end
                               : gy_guide_level(j->guide, part) >= j->task.to;
    while (j->marks.n <= id)
        gy_vec_push(&j->marks, 0);
    while (j->request->way && j->parents.n <= id)
        gy_vec_push(&j->parents, *from);
    if (j->request->way && !j->marks.at[id])
        j->parents.at[id] = *from;
    uint8_t mark = beyond ? GY_MARK_SEED : (uint8_t)(1u << place);
    if (j->marks.at[id] & mark)
        return;
    j->marks.at[id] |= mark;
    gy_worker_job_entry e = {id, part, (uint32_t)place};
    if (beyond)
        gy_vec_push(&j->seeds, e);
    else
        gy_vec_push(&j->levels[j->cells_end ? 0 : gy_guide_level(j->guide, part) - j->task.from],
                    e);
}

static bool is_target(const gy_worker_job *j, const gy_word *state, uint32_t words)
{
    return j->task.target.n == words &&
           memcmp(j->task.target.at, state, words * sizeof *state) == 0;
}

bool gy_worker_job_enter(gy_worker_job *j, const gy_word *state, uint32_t words, uint32_t part,
                         int place, const gy_worker_job_parent *from)
{
    uint64_t id;
    gy_store_answer answer = gy_numbered_enter(j->run->store, state, words, &id);
    if (answer == GY_STORE_FULL) {
        gy_run_stop(j->run, GY_LIMIT_MEMORY);
        return false;
    }
    arrive(j, id, part, place, from);
    if (j->request->way && is_target(j, state, words)) {
        j->target = id;
        j->ended = true;
    }
    return true;
}

bool gy_worker_job_enter_known(gy_worker_job *j, const gy_word *state, uint32_t words)
{
    uint64_t id;
    if (gy_numbered_enter(j->run->store, state, words, &id) == GY_STORE_FULL) {
        gy_run_stop(j->run, GY_LIMIT_MEMORY);
        return false;
    }
    while (j->marks.n <= id)
        gy_vec_push(&j->marks, 0);
    j->marks.at[id] = GY_MARK_KNOWN | GY_MARK_EXPANDED | 1u << GY_PLACE_FREE;
    return true;
}

bool gy_worker_job_is_over(gy_worker_job *j)
{
    if (j->task.most_states && j->marks.n > j->task.most_states && !j->request->way)
        gy_run_stop(j->run, GY_LIMIT_STATES);
    return j->ended || gy_run_tick(j->run);
}

const gy_fault *gy_worker_job_error(gy_worker_job *j, const gy_fault *fault)
{
    if (fault && gy_is_note(fault) && !j->answer.endless && fault->edge >= 0)
        j->answer.endless = (uint64_t)fault->edge + 1;
    return gy_run_wanted(j->run->options, fault);
}

// ---- expanding -------------------------------------------------------------------------------

static void report_error(gy_worker_job *j, const gy_word *state, uint32_t words,
                         gy_fault_kind fault, uint32_t ordinal)
{
    j->answer.kind = GY_ANSWER_ERROR;
    j->answer.error_fault = fault;
    j->answer.error_ordinal = ordinal;
    for (uint32_t i = 0; i < words; i++)
        gy_vec_push(&j->answer.error_state, state[i]);
    j->ended = true;
}

// The place of a successor in another part of the guide.
static int step_to(gy_worker_job *j, uint32_t from, int place, uint32_t part)
{
    uint32_t count;
    const uint32_t *way = gy_guide_path(j->guide, from, part, &count);
    if (!way) {
        gy_text text = {0};
        gy_guide_tell_part(j->guide, from, &text);
        gy_text_add(&text, " to ");
        gy_guide_tell_part(j->guide, part, &text);
        gy_worker_job_refuse(j, "the guiding processes did what they cannot do alone: from %s",
                             gy_text_str(&text));
        gy_text_free(&text);
        return GY_PLACE_OUTSIDE;
    }
    if (!j->fence || !gy_stage_has(j->stage, part))
        return GY_PLACE_FREE;
    return gy_fence_step(j->fence, place, from, way, count);
}

// The part of a successor; GY_NO_PART: the job was refused. `written`: it may be another node of
// the guide.
static uint32_t part_after(gy_worker_job *j, const gy_worker_job_entry *e, const gy_transition *t,
                           bool written)
{
    uint32_t part = gy_worker_job_part(j, e->part), rank = 0;
    if (written || gy_worker_job_divides(j, part))
        part = gy_guide_find(j->guide, t->state, t->words, &rank);
    if (part == GY_NO_PART)
        gy_worker_job_refuse(
            j, "a step leads to a state that the guiding processes never reach alone");
    else if (gy_worker_job_divides(j, part))
        part = gy_worker_job_cell(j, rank, t->state, t->words);
    return part;
}

// Notes where a successor belongs, if it is one that the job follows.
static void follow(gy_worker_job *j, const gy_worker_job_entry *e, const gy_transition *t,
                   uint32_t ordinal, uint64_t mask)
{
    int place = (int)e->place;
    uint32_t part = part_after(j, e, t, t->written & mask);
    if (part == GY_NO_PART)
        return;
    if (gy_worker_job_part(j, part) != gy_worker_job_part(j, e->part))
        place = step_to(j, gy_worker_job_part(j, e->part), place, part);
    if (place == GY_PLACE_OUTSIDE)
        return;
    gy_vec_push(&j->entering, ((gy_numbered_entry){.state = t->state, .words = t->words}));
    gy_vec_push(&j->arriving, ((gy_worker_job_arrival){part, place, ordinal}));
}

// All that were noted enter the store together, which is faster than one by one.
static void enter_noted(gy_worker_job *j, const gy_worker_job_entry *e)
{
    uint32_t count = (uint32_t)j->entering.n;
    uint32_t entered = gy_numbered_enter_all(j->run->store, j->entering.at, count);
    for (uint32_t i = 0; i < entered; i++) {
        const gy_worker_job_arrival *a = &j->arriving.at[i];
        const gy_numbered_entry *in = &j->entering.at[i];
        gy_worker_job_parent from = {e->id, a->ordinal, 0};
        arrive(j, in->id, a->part, a->place, &from);
        if (j->request->way && is_target(j, in->state, in->words)) {
            j->target = in->id;
            j->ended = true;
        }
    }
    if (entered < count)
        gy_run_stop(j->run, GY_LIMIT_MEMORY);
    j->entering.n = j->arriving.n = 0;
}

static void expand(gy_worker_job *j, const gy_worker_job_entry *e)
{
    gy_run *run = j->run;
    uint32_t words, count;
    const gy_word *state = gy_numbered_state(run->store, e->id, &words);
    bool first = !(j->marks.at[e->id] & GY_MARK_EXPANDED);
    if (first) {
        uint64_t hash = gy_hash_number(gy_hash_words(state, words, 1));
        j->marks.at[e->id] |= GY_MARK_EXPANDED;
        j->answer.visited++;
        gy_sketch_add(j->answer.sketch, hash);
        if (j->task.keep_states)
            gy_vec_push(&j->hashes, hash);
    }
    uint64_t mask = gy_guide_mask(j->guide, state, words);
    j->moves.most = UINT32_MAX;
    const gy_transition *all = gy_moves_find(&j->moves, run->worker, state, words, &count);
    if (first && !j->request->way && count == 0 && gy_run_bad_end(run, state, words))
        report_error(j, state, words, GY_FAULT_NONE, 0);
    for (uint32_t i = 0; i < count && !j->ended && !run->stopped; i++) {
        if (first)
            gy_run_note(run, &all[i]);
        j->answer.transitions += first && all[i].state;
        const gy_fault *fault = first ? gy_worker_job_error(j, all[i].fault) : NULL;
        if (fault && !j->request->way) {
            report_error(j, state, words, fault->kind, i);
            break;
        }
        if (all[i].state)
            follow(j, e, &all[i], i, mask);
    }
    if (!j->ended && !run->stopped && j->entering.n)
        enter_noted(j, e);
    j->entering.n = j->arriving.n = 0;
    if (first && run->stopped && !j->ended) { // not all of its successors are there
        j->marks.at[e->id] &= (uint8_t)~GY_MARK_EXPANDED;
        j->answer.visited--;
        j->hashes.n -= j->task.keep_states;
    }
}

static void search_levels(gy_worker_job *j)
{
    uint32_t count = j->task.to - j->task.from;
    for (j->level = 0; j->level < count && !j->ended && !j->run->stopped; j->level++) {
        gy_worker_job_queue *q = &j->levels[j->level];
        j->from_below = q->n;
        for (size_t i = 0; i < q->n && !gy_worker_job_is_over(j); i++) {
            gy_worker_job_entry e = q->at[i];
            gy_run_settle(j->run);
            expand(j, &e);
        }
        if (j->ended || j->run->stopped)
            return;
        j->answer.settled = j->answer.visited;
        if (!j->cells_end)
            gy_vec_free(q);
    }
}

// ---- the engine ------------------------------------------------------------------------------

uint64_t gy_swarm_print(gy_system *system, const gy_search_options *options)
{
    uint64_t asked[] = {gy_edge_count(system), options->variant,          options->check_end_states,
                        options->check_faults, options->check_assertions, options->empty_channels};
    gy_worker *worker = gy_worker_new(system);
    uint64_t hash = gy_checkpoint_hash_model(system, worker, gy_hash_bytes(asked, sizeof asked, 1));
    gy_worker_free(worker);
    return hash;
}

// An interval of cells instead of traces.
static void set_cells(gy_worker_job *j)
{
    uint32_t parts = gy_guide_parts(j->guide);
    j->cells = parts + (uint32_t)gy_bigint_u64(&j->task.interval.from);
    j->cells_end = parts + (uint32_t)gy_bigint_u64(&j->task.interval.to);
}

static bool set_up(gy_worker_job *j)
{
    const gy_swarm_task *task = &j->task;
    gy_text why = {0};
    const char *problem = NULL;
    gy_guide_options options = {.pids = task->guide.pids,
                                .count = task->guide.count,
                                .most_nodes = task->guide.most_nodes,
                                .control_only = task->guide.control_only};
    if (task->system_print != gy_swarm_print(j->run->system, j->run->options))
        problem = "the model or its options are not those of the swarm";
    j->guide = problem ? NULL : gy_guide_new(j->run, &options, &why);
    if (!problem && j->run->stopped)
        problem = "its time was over before it began";
    if (!problem && (!j->guide || gy_guide_print(j->guide) != task->guide.print))
        problem = "the guide is not that of the swarm";
    else if (!problem && !gy_swarm_task_makes_sense(task, j->guide))
        problem = "the task makes no sense";
    if (!problem)
        j->stage = gy_stage_new(j->guide, task->from, task->to, task->entries.at,
                                (uint32_t)task->entries.n);
    if (!problem && !gy_swarm_task_interval_makes_sense(task, j->stage))
        problem = "the task makes no sense";
    if (problem)
        j->request->problem = strdup(problem);
    gy_text_free(&why);
    if (problem)
        return false;
    if (task->cells)
        set_cells(j);
    else if (!gy_bigint_is_zero(&task->interval.from) ||
             gy_bigint_compare(&task->interval.to, &j->stage->weights->weight[0]) < 0)
        j->fence = gy_fence_new(j->stage, &task->interval);
    j->levels = gy_alloc_zero((task->to - task->from + (size_t)1) * sizeof *j->levels);
    return true;
}

static void search_job(gy_run *run)
{
    gy_worker_job_request *request = run->options->engine_data;
    gy_worker_job j = {.run = run, .request = request, .target = UINT64_MAX};
    const char *why;
    if (!gy_swarm_task_read(&j.task, request->folder, request->number, &why)) {
        gy_text text = {0};
        gy_text_printf(&text, "the task of job %llu cannot be used: %s",
                       (unsigned long long)request->number, why);
        request->problem = gy_text_take(&text);
    } else if (set_up(&j)) {
        gy_worker_job_take_start_states(&j);
        search_levels(&j);
        gy_worker_job_tell(&j);
    }
    for (uint32_t i = 0; j.levels && i < j.task.to - j.task.from; i++)
        gy_vec_free(&j.levels[i]);
    free(j.levels);
    gy_vec_free(&j.seeds);
    gy_vec_free(&j.marks);
    gy_vec_free(&j.parents);
    gy_vec_free(&j.hashes);
    gy_moves_free(&j.moves);
    gy_vec_free(&j.entering);
    gy_vec_free(&j.arriving);
    gy_fence_free(j.fence);
    gy_stage_free(j.stage);
    gy_guide_free(j.guide);
    gy_answer_free(&j.answer);
    gy_swarm_task_free(&j.task);
    run->result->errors = 0; // they are in the answer
    run->result->completeness = GY_LOSSY;
}

const gy_engine gy_engine_swarm_job = {
    .name = "swarm-job",
    .title = "a job of a swarm",
    .search = search_job,
    .is_command = true,
};
