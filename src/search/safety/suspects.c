#include "search/safety/suspects.h"

#include "reduce/proviso.h"

void gy_suspects_init(gy_suspects *s, gy_run *run)
{
    *s = (gy_suspects){.run = run};
}

void gy_suspects_free(gy_suspects *s)
{
    gy_vec_free(&s->list);
}

typedef struct judge {
    gy_suspects *suspects;
    uint64_t level_end;
} judge;

static bool is_done(void *user, const gy_word *state, uint32_t words)
{
    judge *j = user;
    uint64_t id;
    return !gy_numbered_find(j->suspects->run->store, state, words, &id) || id >= j->level_end ||
           gy_run_is_full(j->suspects->run, id);
}

void gy_suspects_judge(gy_suspects *s, uint64_t level_end)
{
    judge j = {s, level_end};
    gy_run *run = s->run;
    GY_VEC(gy_word) copy = {0};
    size_t left = 0;
    for (size_t i = 0; i < s->list.n; i++) {
        uint32_t words;
        const gy_word *state = gy_numbered_state(run->store, s->list.at[i], &words);
        gy_vec_reserve(&copy, (size_t)words + 1);
        memcpy(copy.at, state, words * sizeof *state);
        if (!gy_proviso_leads_on(run->reducer, run->worker, &run->moves, copy.at, words,
                                 GY_PROVISO_LIMIT, is_done, &j))
            s->list.at[left++] = s->list.at[i];
    }
    s->list.n = left;
    gy_vec_free(&copy);
}

void gy_suspects_save(const gy_suspects *s, uint64_t ids, gy_writer *writer)
{
    const gy_region *full = &s->run->full;
    gy_write_region(writer, full, ids / 8 + 1 < full->room ? ids / 8 + 1 : full->room);
    gy_write_u64(writer, s->list.n);
    for (size_t i = 0; i < s->list.n; i++)
        gy_write_u64(writer, s->list.at[i]);
}

bool gy_suspects_load(gy_suspects *s, gy_reader *reader)
{
    if (!gy_read_region(reader, &s->run->full))
        return false;
    for (uint64_t n = gy_read_u64(reader); n && !gy_reader_failed(reader); n--)
        gy_vec_push(&s->list, gy_read_u64(reader));
    return !gy_reader_failed(reader);
}
