// What a job has found, put down in its files.
#include "dist/swarm/swarm_job_parts.h"

#include "dist/swarm/start_states.h"

#include "base/clock.h"

#include <errno.h>

static const char *limit_of(const gy_worker_job *j)
{
    switch (j->run->result->completeness) {
    case GY_LIMIT_MEMORY:
        return "memory";
    case GY_LIMIT_TIME:
        return "time";
    case GY_LIMIT_STATES:
        return "states";
    default:
        return NULL;
    }
}

// By a limit, in a job of cells: what was expanded is known from now on, the rest is left to
// others.
static void cut_cells(gy_worker_job *j)
{
    const gy_worker_job_queue *q = &j->levels[0];
    j->answer.kind = j->answer.visited ? GY_ANSWER_CUT : GY_ANSWER_LARGE;
    j->answer.level = j->task.from;
    j->answer.settled = j->answer.visited;
    for (size_t i = 0; i < q->n && j->answer.visited; i++)
        if (!(j->marks.at[q->at[i].id] & GY_MARK_EXPANDED))
            gy_vec_push(&j->seeds, q->at[i]);
}

// By a limit: what was to be done from the current level on is left to others.
static void cut_short(gy_worker_job *j)
{
    uint32_t count = j->task.to - j->task.from;
    j->answer.kind = j->level == 0 ? GY_ANSWER_LARGE : GY_ANSWER_CUT;
    j->answer.level = j->task.from + j->level;
    j->seeds.n = j->level == 0 ? 0 : j->seeds.n;
    for (uint32_t l = j->level; l < count && j->level > 0; l++) {
        const gy_worker_job_queue *q = &j->levels[l];
        size_t n = l == j->level ? j->from_below : q->n;
        for (size_t i = 0; i < n; i++) {
            if (j->marks.at[q->at[i].id] & GY_MARK_SEED)
                continue;
            j->marks.at[q->at[i].id] |= GY_MARK_SEED;
            gy_vec_push(&j->seeds, q->at[i]);
        }
    }
}

static int by_part(const void *a, const void *b)
{
    const gy_worker_job_entry *x = a, *y = b;
    return x->part != y->part ? (x->part < y->part ? -1 : 1) : x->id < y->id ? -1 : x->id > y->id;
}

// All of them, and how many there are in each part. False: errno says why not.
static bool write_entries(const gy_worker_job *j, gy_worker_job_queue *entries, const char *kind,
                          gy_part_counts *counts, uint64_t *print)
{
    gy_text path = {0};
    gy_worker_job_path(&path, j->request->folder, j->task.number, kind);
    gy_start_state_writer *writer = gy_start_state_writer_open(gy_text_str(&path));
    if (entries->n)
        qsort(entries->at, entries->n, sizeof *entries->at, by_part);
    for (size_t i = 0; i < entries->n; i++) {
        const gy_worker_job_entry *e = &entries->at[i];
        uint32_t words;
        const gy_word *state = gy_numbered_state(j->run->store, e->id, &words);
        gy_start_state_write(writer, e->part, state, words);
        if (!counts->n || counts->at[counts->n - 1].part != e->part)
            gy_vec_push(counts, ((gy_part_count){e->part, 0}));
        counts->at[counts->n - 1].count++;
    }
    gy_text_free(&path);
    return gy_start_state_writer_close(writer, print);
}

// States of the job's cells that it has expanded: nothing needs to do that again.
static bool write_known(gy_worker_job *j)
{
    gy_worker_job_queue *q = &j->levels[0];
    size_t n = 0;
    for (size_t i = 0; i < q->n; i++)
        if (j->marks.at[q->at[i].id] & GY_MARK_EXPANDED)
            q->at[n++] = q->at[i];
    q->n = n;
    return write_entries(j, q, "known", &j->answer.known, &j->answer.known_print);
}

static bool write_states(const gy_worker_job *j)
{
    gy_text path = {0};
    gy_worker_job_path(&path, j->request->folder, j->task.number, "states");
    gy_writer *writer = gy_writer_open(gy_text_str(&path));
    gy_write(writer, j->hashes.at, j->hashes.n * sizeof *j->hashes.at);
    gy_text_free(&path);
    return gy_writer_commit(writer);
}

static void add_pruned(void *user, const gy_interval *range)
{
    gy_worker_job *j = user;
    gy_text text = {0};
    gy_bigint_text(&range->from, &text);
    gy_text_char(&text, ' ');
    gy_bigint_text(&range->to, &text);
    gy_vec_push(&j->answer.pruned, gy_text_take(&text));
}

static void tell_way(gy_worker_job *j)
{
    GY_VEC(uint32_t) back = {0};
    uint64_t id = j->target;
    uint32_t words;
    if (id == UINT64_MAX) {
        if (!j->answer.problem)
            gy_worker_job_refuse(j, "the path to a state was lost");
        return;
    }
    for (; j->parents.at[id].id != UINT64_MAX; id = j->parents.at[id].id)
        gy_vec_push(&back, j->parents.at[id].ordinal);
    const gy_worker_job_parent *seed = &j->parents.at[id];
    bool initial = seed->input == UINT32_MAX;
    if (initial)
        gy_vec_push(&back, seed->ordinal);
    j->answer.way_input = initial ? UINT64_MAX : j->task.inputs.at[seed->input];
    for (size_t i = back.n; i-- > 0;)
        gy_vec_push(&j->answer.way, back.at[i]);
    const gy_word *state = gy_numbered_state(j->run->store, id, &words);
    for (uint32_t i = 0; i < words; i++)
        gy_vec_push(&j->answer.way_seed, state[i]);
    j->answer.kind = GY_ANSWER_WAY;
    gy_vec_free(&back);
}

void gy_worker_job_tell(gy_worker_job *j)
{
    gy_answer *a = &j->answer;
    gy_run *run = j->run;
    bool good = true;
    if (run->stopped && !j->ended) {
        if (!limit_of(j))
            return; // interrupted: it was not done
        a->problem = strdup(limit_of(j));
        if (j->cells_end)
            cut_cells(j);
        else
            cut_short(j);
    }
    if (j->request->way)
        tell_way(j);
    a->number = j->task.number;
    a->task_print = gy_swarm_task_print(&j->task);
    a->stored = j->marks.n;
    a->seconds = gy_clock() - run->started;
    a->memory = run->budget.peak;
    for (uint32_t i = 0; i < run->result->edge_count; i++)
        gy_vec_push(&a->reached, run->result->reached_edges[i]);
    if (a->kind == GY_ANSWER_DONE && j->fence && j->task.feedback)
        gy_fence_feedback(j->fence, add_pruned, j);
    if (a->kind == GY_ANSWER_DONE || a->kind == GY_ANSWER_CUT) {
        good = write_entries(j, &j->seeds, "seeds", &a->seeds, &a->seeds_print);
        if (good && j->cells_end)
            good = write_known(j);
        if (good && j->task.keep_states)
            good = write_states(j);
    }
    good = good && gy_answer_write(a, j->request->folder, j->request->way ? "way" : "answer");
    j->request->answered = good;
    if (!good) {
        gy_text text = {0};
        gy_text_printf(&text, "cannot write to %s: %s", j->request->folder, strerror(errno));
        j->request->problem = gy_text_take(&text);
    }
}
