// Where a job begins: initial states, seeds that earlier jobs have left, and, for jobs of cells,
// the states that are known already.
#include "dist/swarm/swarm_job_parts.h"

#include "dist/swarm/start_states.h"

// ---- seeds -----------------------------------------------------------------------------------

// Is this a state, and in the part (or cell) that the file says? *in: its part or cell.
static bool belongs(const gy_worker_job *j, uint32_t section, const gy_word *state, uint32_t words,
                    uint32_t *in)
{
    uint32_t rank;
    if (!gy_is_state(j->run->worker, state, words))
        return false;
    uint32_t part = gy_guide_find(j->guide, state, words, &rank);
    *in = gy_worker_job_divides(j, part) ? gy_worker_job_cell(j, rank, state, words) : part;
    return section == part || section == *in;
}

static bool see_seed(void *user, uint32_t section, const gy_word *state, uint32_t words)
{
    gy_worker_job *j = user;
    uint32_t part;
    if (!belongs(j, section, state, words, &part))
        return false;
    int place = j->fence ? gy_fence_enter(j->fence, part) : GY_PLACE_FREE;
    if (place == GY_PLACE_OUTSIDE || (j->cells_end && (part < j->cells || part >= j->cells_end)))
        return true;
    uint64_t before = j->marks.n;
    gy_worker_job_parent from = {UINT64_MAX, 0, j->input};
    j->answer.seeds_read++;
    bool good = gy_worker_job_enter(j, state, words, part, place, &from);
    j->answer.seeds_known += good && j->marks.n == before;
    return !gy_worker_job_is_over(j);
}

static bool see_known(void *user, uint32_t section, const gy_word *state, uint32_t words)
{
    gy_worker_job *j = user;
    uint32_t part;
    if (!belongs(j, section, state, words, &part))
        return false;
    gy_worker_job_enter_known(j, state, words);
    return !gy_worker_job_is_over(j);
}

static void damaged(gy_worker_job *j, uint64_t input, const char *why)
{
    gy_text text = {0};
    gy_text_printf(&text, "the start states of job %llu cannot be used: %s",
                   (unsigned long long)input, why);
    j->answer.kind = GY_ANSWER_INPUT;
    j->answer.bad_input = input;
    j->answer.problem = gy_text_take(&text);
    j->ended = true;
}

// Is a section of a file for this job?
static bool wants(const gy_worker_job *j, uint64_t section)
{
    if (!j->cells_end)
        return section >= j->stage->first_part && section < j->stage->end_part &&
               (!j->fence || gy_fence_enter(j->fence, (uint32_t)section) != GY_PLACE_OUTSIDE);
    if (j->task.by_part) // what others have left for the part is not sorted by cells
        return section == j->task.cell_part;
    return section >= j->cells && section < j->cells_end;
}

static void read_states(gy_worker_job *j, uint64_t input, uint64_t print, const char *kind,
                        gy_see_start_state *see)
{
    gy_text path = {0};
    gy_start_state_reader reader;
    const char *why;
    gy_worker_job_path(&path, j->request->folder, input, kind);
    if (!gy_start_state_reader_open(&reader, gy_text_str(&path), &why)) {
        damaged(j, input, why);
        gy_text_free(&path);
        return;
    }
    if (reader.print != print)
        damaged(j, input, "they are not those that the job announced");
    for (size_t i = 0; i < reader.sections.n && !j->ended && !j->run->stopped; i++) {
        const gy_start_state_section *section = &reader.sections.at[i];
        bool whole = !wants(j, section->part) || gy_start_state_read(&reader, section, see, j);
        if (!whole && !j->ended && !j->run->stopped)
            damaged(j, input, "it is damaged");
    }
    gy_start_state_reader_close(&reader);
    gy_text_free(&path);
}

typedef struct start {
    gy_worker_job *j;
    uint32_t ordinal;
} start;

// An initial state of the cells, or one that no other job of the stage sees to.
static bool is_for_cells(const gy_worker_job *j, uint32_t part)
{
    return (part >= j->cells && part < j->cells_end) ||
           (part < gy_guide_parts(j->guide) && !gy_stage_has(j->stage, part));
}

static int see_initial(void *user, const gy_transition *transition)
{
    start *s = user;
    gy_worker_job *j = s->j;
    gy_worker_job_parent from = {UINT64_MAX, s->ordinal++, UINT32_MAX};
    const gy_fault *fault = gy_worker_job_error(j, transition->fault);
    if (fault) {
        j->answer.kind = GY_ANSWER_ERROR;
        j->answer.error_fault = fault->kind;
        j->answer.error_ordinal = from.ordinal;
        j->ended = true;
    }
    if (!transition->state)
        return j->ended;
    j->answer.transitions++;
    uint32_t rank, part = gy_guide_find(j->guide, transition->state, transition->words, &rank);
    if (part == GY_NO_PART) {
        gy_worker_job_refuse(j, "an initial state is not in the guide's graph");
        return 1;
    }
    if (gy_worker_job_divides(j, part))
        part = gy_worker_job_cell(j, rank, transition->state, transition->words);
    if (j->cells_end && !is_for_cells(j, part))
        return j->ended;
    int place =
        j->fence && gy_stage_has(j->stage, part) ? gy_fence_enter(j->fence, part) : GY_PLACE_FREE;
    if (place != GY_PLACE_OUTSIDE)
        gy_worker_job_enter(j, transition->state, transition->words, part, place, &from);
    return j->ended || j->run->stopped;
}

void gy_worker_job_take_start_states(gy_worker_job *j)
{
    start s = {.j = j};
    for (size_t i = 0; i < j->task.known.n && !j->ended && !j->run->stopped; i++)
        read_states(j, j->task.known.at[i], j->task.known_prints.at[i], "known", see_known);
    if (j->task.from_start && !j->ended && !j->run->stopped)
        gy_initial(j->run->worker, see_initial, &s);
    for (size_t i = 0; i < j->task.inputs.n && !j->ended && !j->run->stopped; i++) {
        j->input = (uint32_t)i;
        read_states(j, j->task.inputs.at[i], j->task.prints.at[i], "seeds", see_seed);
    }
}
