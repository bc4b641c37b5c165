#include "dist/swarm/job_files.h"

#include "base/atomic_file.h"
#include "base/hash.h"

enum { VERSION = 3 };

void gy_worker_job_path(gy_text *out, const char *folder, uint64_t number, const char *kind)
{
    gy_text_printf(out, "%s/job-%llu.%s", folder, (unsigned long long)number, kind);
}

static gy_writer *open_to_write(const char *folder, uint64_t number, const char *kind)
{
    gy_text path = {0};
    gy_worker_job_path(&path, folder, number, kind);
    gy_writer *writer = gy_writer_open(gy_text_str(&path));
    gy_text_free(&path);
    gy_write_u64(writer, VERSION);
    return writer;
}

static gy_reader *open_to_read(const char *folder, uint64_t number, const char *kind,
                               const char **why)
{
    gy_text path = {0};
    gy_worker_job_path(&path, folder, number, kind);
    gy_reader *reader = gy_reader_open(gy_text_str(&path), why);
    gy_text_free(&path);
    if (reader && gy_read_u64(reader) != VERSION) {
        *why = "it was written by another version";
        gy_reader_close(reader);
        reader = NULL;
    }
    return reader;
}

static void write_array(gy_writer *writer, const void *at, size_t n, size_t size)
{
    gy_write_u64(writer, n);
    gy_write(writer, at, n * size);
}

// How many there are; 0 if the file has not so many bytes left.
static size_t read_count(gy_reader *reader, size_t size)
{
    uint64_t n = gy_read_u64(reader);
    return n <= gy_reader_left(reader) / size ? n : 0;
}

#define write_vec(writer, vec) write_array((writer), (vec)->at, (vec)->n, sizeof *(vec)->at)
#define read_vec(reader, vec)                                                                      \
    do {                                                                                           \
        size_t vec_count_ = read_count((reader), sizeof *(vec)->at);                               \
        gy_vec_reserve((vec), vec_count_ + 1);                                                     \
        (vec)->n = vec_count_;                                                                     \
        gy_read((reader), (vec)->at, vec_count_ * sizeof *(vec)->at);                              \
    } while (0)

static void write_string(gy_writer *writer, const char *text)
{
    write_array(writer, text ? text : "", text ? strlen(text) : 0, 1);
}

static char *read_string(gy_reader *reader)
{
    size_t n = read_count(reader, 1);
    char *text = gy_alloc_zero(n + 1);
    gy_read(reader, text, n);
    return text;
}

static void write_big(gy_writer *writer, const gy_bigint *x)
{
    gy_text digits = {0};
    gy_bigint_text(x, &digits);
    write_string(writer, gy_text_str(&digits));
    gy_text_free(&digits);
}

static bool read_big(gy_reader *reader, gy_bigint *x)
{
    char *digits = read_string(reader);
    bool good = gy_bigint_parse(x, digits);
    free(digits);
    return good;
}

// ---- tasks -----------------------------------------------------------------------------------

void gy_swarm_task_init(gy_swarm_task *task)
{
    *task = (gy_swarm_task){0};
    gy_interval_init(&task->interval);
}

void gy_swarm_task_free(gy_swarm_task *task)
{
    gy_vec_free(&task->entries);
    gy_vec_free(&task->inputs);
    gy_vec_free(&task->prints);
    gy_vec_free(&task->known);
    gy_vec_free(&task->known_prints);
    gy_vec_free(&task->target);
    gy_interval_free(&task->interval);
}

uint64_t gy_swarm_task_print(const gy_swarm_task *task)
{
    uint64_t facts[] = {task->number,      task->guide.print, task->system_print, task->from,
                        task->to,          task->from_start,  task->most_states,  task->feedback,
                        task->keep_states, task->cells,       task->by_part,      task->cell_part};
    gy_text ends = {0};
    gy_bigint_text(&task->interval.from, &ends);
    gy_text_char(&ends, ' ');
    gy_bigint_text(&task->interval.to, &ends);
    uint64_t hash = gy_hash_bytes(facts, sizeof facts, VERSION);
    hash = gy_hash_bytes(ends.at, ends.n, hash);
    hash = gy_hash_bytes(task->entries.at, task->entries.n * sizeof *task->entries.at, hash);
    hash = gy_hash_bytes(task->inputs.at, task->inputs.n * sizeof *task->inputs.at, hash);
    hash = gy_hash_bytes(task->prints.at, task->prints.n * sizeof *task->prints.at, hash);
    hash = gy_hash_bytes(task->known.at, task->known.n * sizeof *task->known.at, hash);
    hash = gy_hash_bytes(task->known_prints.at,
                         task->known_prints.n * sizeof *task->known_prints.at, hash);
    hash = gy_hash_bytes(task->target.at, task->target.n * sizeof *task->target.at, hash);
    gy_text_free(&ends);
    return hash;
}

static void write_guide(gy_writer *writer, const gy_swarm_task_guide *guide)
{
    gy_write_u64(writer, guide->count);
    for (uint32_t i = 0; i < guide->count; i++)
        gy_write_u64(writer, guide->pids[i]);
    gy_write_u64(writer, guide->most_nodes);
    gy_write_u64(writer, guide->control_only);
    gy_write_u64(writer, guide->print);
}

// False: it is none. Processes are named in rising order.
static bool read_guide(gy_reader *reader, gy_swarm_task_guide *guide)
{
    enum { MOST = sizeof guide->pids / sizeof *guide->pids };
    uint64_t count = gy_read_u64(reader);
    bool good = count <= MOST;
    *guide = (gy_swarm_task_guide){.count = good ? (uint32_t)count : 0};
    for (uint32_t i = 0; i < guide->count; i++) {
        guide->pids[i] = (uint32_t)gy_read_u64(reader);
        good = good && (!i || guide->pids[i - 1] < guide->pids[i]);
    }
    guide->most_nodes = (uint32_t)gy_read_u64(reader);
    guide->control_only = gy_read_u64(reader) != 0;
    guide->print = gy_read_u64(reader);
    return good;
}

bool gy_swarm_task_write(const gy_swarm_task *task, const char *folder)
{
    gy_writer *writer = open_to_write(folder, task->number, "task");
    gy_write_u64(writer, task->number);
    write_guide(writer, &task->guide);
    gy_write_u64(writer, task->system_print);
    gy_write_u64(writer, task->from);
    gy_write_u64(writer, task->to);
    write_vec(writer, &task->entries);
    write_big(writer, &task->interval.from);
    write_big(writer, &task->interval.to);
    gy_write_u64(writer, task->from_start);
    write_vec(writer, &task->inputs);
    write_vec(writer, &task->prints);
    gy_write_u64(writer, task->most_states);
    gy_write_u64(writer, task->feedback);
    gy_write_u64(writer, task->keep_states);
    gy_write_u64(writer, task->cells);
    gy_write_u64(writer, task->by_part);
    gy_write_u64(writer, task->cell_part);
    write_vec(writer, &task->known);
    write_vec(writer, &task->known_prints);
    write_vec(writer, &task->target);
    return gy_writer_commit(writer);
}

bool gy_swarm_task_read(gy_swarm_task *task, const char *folder, uint64_t number, const char **why)
{
    gy_reader *reader = open_to_read(folder, number, "task", why);
    gy_swarm_task_init(task);
    if (!reader)
        return false;
    task->number = gy_read_u64(reader);
    bool good = read_guide(reader, &task->guide);
    task->system_print = gy_read_u64(reader);
    task->from = (uint32_t)gy_read_u64(reader);
    task->to = (uint32_t)gy_read_u64(reader);
    read_vec(reader, &task->entries);
    good = read_big(reader, &task->interval.from) && good;
    good = read_big(reader, &task->interval.to) && good;
    task->from_start = gy_read_u64(reader) != 0;
    read_vec(reader, &task->inputs);
    read_vec(reader, &task->prints);
    task->most_states = gy_read_u64(reader);
    task->feedback = gy_read_u64(reader) != 0;
    task->keep_states = gy_read_u64(reader) != 0;
    task->cells = gy_read_u64(reader) != 0;
    task->by_part = gy_read_u64(reader) != 0;
    task->cell_part = (uint32_t)gy_read_u64(reader);
    read_vec(reader, &task->known);
    read_vec(reader, &task->known_prints);
    read_vec(reader, &task->target);
    good = good && !gy_reader_failed(reader) && task->number == number &&
           task->prints.n == task->inputs.n && task->known_prints.n == task->known.n;
    gy_reader_close(reader);
    *why = "it is invalid";
    return good;
}

// ---- answers ---------------------------------------------------------------------------------

bool gy_answer_write(const gy_answer *answer, const char *folder, const char *kind)
{
    gy_writer *writer = open_to_write(folder, answer->number, kind);
    uint64_t facts[] = {
        answer->number,      answer->task_print,    answer->kind,      answer->level,
        answer->bad_input,   answer->visited,       answer->stored,    answer->transitions,
        answer->seeds_read,  answer->seeds_known,   answer->depth,     answer->memory,
        answer->error_fault, answer->error_ordinal, answer->way_input, answer->settled,
        answer->seeds_print, answer->known_print,   answer->endless};
    gy_write(writer, facts, sizeof facts);
    gy_write(writer, &answer->seconds, sizeof answer->seconds);
    write_string(writer, answer->problem);
    write_vec(writer, &answer->seeds);
    write_vec(writer, &answer->known);
    gy_write_u64(writer, answer->pruned.n);
    for (size_t i = 0; i < answer->pruned.n; i++)
        write_string(writer, answer->pruned.at[i]);
    gy_write(writer, answer->sketch, sizeof answer->sketch);
    write_vec(writer, &answer->reached);
    write_vec(writer, &answer->error_state);
    write_vec(writer, &answer->way_seed);
    write_vec(writer, &answer->way);
    return gy_writer_commit(writer);
}

static void read_facts(gy_reader *reader, gy_answer *answer)
{
    answer->number = gy_read_u64(reader);
    answer->task_print = gy_read_u64(reader);
    answer->kind = (gy_answer_kind)gy_read_u64(reader);
    answer->level = (uint32_t)gy_read_u64(reader);
    answer->bad_input = gy_read_u64(reader);
    answer->visited = gy_read_u64(reader);
    answer->stored = gy_read_u64(reader);
    answer->transitions = gy_read_u64(reader);
    answer->seeds_read = gy_read_u64(reader);
    answer->seeds_known = gy_read_u64(reader);
    answer->depth = gy_read_u64(reader);
    answer->memory = gy_read_u64(reader);
    answer->error_fault = (uint32_t)gy_read_u64(reader);
    answer->error_ordinal = (uint32_t)gy_read_u64(reader);
    answer->way_input = gy_read_u64(reader);
    answer->settled = gy_read_u64(reader);
    answer->seeds_print = gy_read_u64(reader);
    answer->known_print = gy_read_u64(reader);
    answer->endless = gy_read_u64(reader);
    gy_read(reader, &answer->seconds, sizeof answer->seconds);
}

bool gy_answer_read(gy_answer *answer, const char *folder, const char *kind,
                    const gy_swarm_task *task, const char **why)
{
    gy_reader *reader = open_to_read(folder, task->number, kind, why);
    *answer = (gy_answer){0};
    if (!reader)
        return false;
    read_facts(reader, answer);
    answer->problem = read_string(reader);
    read_vec(reader, &answer->seeds);
    read_vec(reader, &answer->known);
    size_t pruned = read_count(reader, sizeof(uint64_t));
    for (size_t i = 0; i < pruned; i++)
        gy_vec_push(&answer->pruned, read_string(reader));
    gy_read(reader, answer->sketch, sizeof answer->sketch);
    read_vec(reader, &answer->reached);
    read_vec(reader, &answer->error_state);
    read_vec(reader, &answer->way_seed);
    read_vec(reader, &answer->way);
    bool good = !gy_reader_failed(reader) && gy_reader_left(reader) == 0;
    gy_reader_close(reader);
    *why = "it is invalid";
    if (good &&
        (answer->number != task->number || answer->task_print != gy_swarm_task_print(task))) {
        *why = "it belongs to another task";
        good = false;
    }
    return good;
}

void gy_answer_free(gy_answer *answer)
{
    free(answer->problem);
    for (size_t i = 0; i < answer->pruned.n; i++)
        free(answer->pruned.at[i]);
    gy_vec_free(&answer->pruned);
    gy_vec_free(&answer->seeds);
    gy_vec_free(&answer->known);
    gy_vec_free(&answer->reached);
    gy_vec_free(&answer->error_state);
    gy_vec_free(&answer->way_seed);
    gy_vec_free(&answer->way);
    *answer = (gy_answer){0};
}
