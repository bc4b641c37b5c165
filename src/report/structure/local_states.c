#include "report/structure/local_states.h"

#include "exec/view.h"
#include "report/json.h"
#include "report/structure/structure_report.h"

enum { MOST_PROCESSES = 256, MOST_DISTINCT = 1000000 };

// The distinct ones of one process. A key is a list of words, kept one after the other.
typedef struct tally {
    gy_map map;
    GY_VEC(uint32_t) words;
    GY_VEC(size_t) begins; // of each key; one more: the end
    GY_VEC(uint64_t) counts;
    int32_t tmpl; // of the first instance that was seen
    bool used, full;
} tally;

struct gy_local_states {
    const gy_model *model;
    gy_state_view view;
    GY_VEC(uint32_t) key;
    tally global, processes[MOST_PROCESSES];
    uint32_t process_count; // that were seen at once
};

gy_local_states *gy_local_states_new(const gy_model *model)
{
    gy_local_states *local = gy_alloc_zero(sizeof *local);
    local->model = model;
    return local;
}

static void free_tally(tally *t)
{
    gy_map_free(&t->map);
    gy_vec_free(&t->words);
    gy_vec_free(&t->begins);
    gy_vec_free(&t->counts);
}

void gy_local_states_free(gy_local_states *local)
{
    if (!local)
        return;
    for (size_t i = 0; i < MOST_PROCESSES; i++)
        free_tally(&local->processes[i]);
    free_tally(&local->global);
    gy_vec_free(&local->key);
    free(local);
}

static void count(tally *t, const uint32_t *key, size_t n)
{
    uint64_t hash = gy_hash_words(key, n, 0);
    t->used = true;
    for (gy_map_probe p = gy_map_first(&t->map, hash); p.found; gy_map_next(&t->map, &p)) {
        size_t begin = t->begins.at[p.number];
        if (t->begins.at[p.number + 1] - begin == n &&
            (n == 0 || memcmp(t->words.at + begin, key, n * sizeof *key) == 0)) {
            t->counts.at[p.number]++;
            return;
        }
    }
    if (t->counts.n >= MOST_DISTINCT) {
        t->full = true;
        return;
    }
    if (t->begins.n == 0)
        gy_vec_push(&t->begins, 0);
    gy_map_add(&t->map, hash, (uint32_t)t->counts.n);
    for (size_t i = 0; i < n; i++)
        gy_vec_push(&t->words, key[i]);
    gy_vec_push(&t->begins, t->words.n);
    gy_vec_push(&t->counts, 1);
}

static void count_global(gy_local_states *local, const gy_word *state)
{
    const gy_model *model = local->model;
    local->key.n = 0;
    for (uint32_t v = 0; v < model->global_count; v++)
        for (uint32_t e = 0; !model->vars[v].hidden && e < model->vars[v].count; e++)
            gy_vec_push(&local->key, (uint32_t)gy_state_view_global(model, state, (int32_t)v, e));
    for (uint32_t c = 0; c < local->view.channel_count; c++) {
        const gy_state_view_channel *channel = &local->view.channels[c];
        for (uint32_t w = 0; w < model->channel_types[channel->type].words; w++)
            gy_vec_push(&local->key, state[channel->offset + w]);
    }
    count(&local->global, local->key.at, local->key.n);
}

void gy_local_states_look(void *user, gy_worker *worker, const gy_word *state, uint32_t words)
{
    gy_local_states *local = user;
    gy_state_view_state(worker, state, words, &local->view);
    count_global(local, state);
    for (uint32_t p = 0; p < local->view.process_count && p < MOST_PROCESSES; p++) {
        const gy_state_view_process *process = &local->view.processes[p];
        tally *t = &local->processes[p];
        if (!t->used)
            t->tmpl = process->tmpl;
        count(t, state + process->offset, local->model->templates[process->tmpl].words);
    }
    if (local->view.process_count > local->process_count)
        local->process_count = local->view.process_count;
}

const char *gy_local_states_name(const gy_local_states *local, uint32_t pid)
{
    return local->model->templates[local->processes[pid].tmpl].name;
}

static int more_first(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

bool gy_local_states_counts(gy_local_states *local, int32_t pid, const uint64_t **counts,
                            uint64_t *n)
{
    tally *t = pid < 0 ? &local->global : &local->processes[pid];
    *n = t->counts.n;
    if (!t->used || t->full || pid >= (int32_t)local->process_count)
        return false;
    gy_map_clear(&t->map); // nothing more is counted
    qsort(t->counts.at, t->counts.n, sizeof *t->counts.at, more_first);
    *counts = t->counts.at;
    return true;
}

// ---- reporting them ---------------------------------------------------------------------------

void gy_structure_local_text(gy_local_states *local, const gy_style *style, gy_text *out)
{
    gy_text_printf(out, "%sLocal states%s\n", style->strong, style->off);
    for (int32_t pid = -1; pid < (int32_t)local->process_count; pid++) {
        const uint64_t *counts;
        uint64_t n;
        bool known = gy_local_states_counts(local, pid, &counts, &n);
        gy_text name = {0};
        if (pid < 0)
            gy_text_add(&name, "global");
        else
            gy_text_printf(&name, "%s (%d)", gy_local_states_name(local, (uint32_t)pid), pid);
        gy_text_printf(out, "  %s", style->name);
        gy_pad(out, gy_text_str(&name), 20);
        gy_text_add(out, style->off);
        gy_text_add(out, known ? "" : "more than ");
        gy_text_count(out, n);
        gy_text_char(out, '\n');
        gy_text_free(&name);
    }
}

json_t *gy_structure_local_json(gy_local_states *local)
{
    json_t *list = json_array();
    for (int32_t pid = -1; pid < (int32_t)local->process_count; pid++) {
        const uint64_t *counts;
        uint64_t n;
        bool known = gy_local_states_counts(local, pid, &counts, &n);
        json_t *states = known ? json_array() : json_null();
        for (uint64_t i = 0; known && i < n; i++)
            json_array_append_new(states, json_integer((json_int_t)counts[i]));
        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:I, s:o}", "process",
                      gy_json_string(pid < 0 ? NULL : gy_local_states_name(local, (uint32_t)pid)),
                      "pid", pid < 0 ? json_null() : json_integer(pid), "count", (json_int_t)n,
                      "states", states));
    }
    return list;
}
