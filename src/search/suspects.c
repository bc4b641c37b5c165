#include "search/suspects.h"

#include "reduce/proviso.h"

void gy_suspects_init(gy_suspects *s, gy_run *run)
{
    *s = (gy_suspects){.run = run};
    gy_region_init(&s->full, &run->budget);
}

void gy_suspects_free(gy_suspects *s)
{
    gy_region_free(&s->full);
    gy_vec_free(&s->list);
}

bool gy_suspects_note(gy_suspects *s, uint64_t id, bool full)
{
    if (!gy_region_reserve(&s->full, id / 8 + 1))
        return false;
    if (full)
        ((uint8_t *)s->full.at)[id / 8] |= (uint8_t)(1u << (id % 8));
    return true;
}

bool gy_suspects_is_full(const gy_suspects *s, uint64_t id)
{
    return id / 8 < s->full.room && ((const uint8_t *)s->full.at)[id / 8] >> (id % 8) & 1;
}

typedef struct judge {
    gy_suspects *suspects;
    uint64_t level_end;
} judge;

static bool is_done(void *user, const gy_word *state, uint32_t words)
{
    judge *j = user;
    gy_store_view *view = j->suspects->run->view;
    gy_key key;
    uint64_t id;
    if (!gy_store_prepare(view, state, words, &key))
        return false;
    return !gy_store_has(view, &key, state, &id) || id >= j->level_end ||
           gy_suspects_is_full(j->suspects, id);
}

void gy_suspects_judge(gy_suspects *s, uint64_t level_end)
{
    judge j = {s, level_end};
    gy_run *run = s->run;
    GY_VEC(gy_word) copy = {0};
    size_t left = 0;
    for (size_t i = 0; i < s->list.n; i++) {
        uint32_t words;
        const gy_word *state = gy_store_state(run->view, s->list.at[i], &words);
        gy_vec_reserve(&copy, (size_t)words + 1);
        memcpy(copy.at, state, words * sizeof *state);
        if (!gy_proviso_leads_on(run->reducer, run->worker, &run->moves, copy.at, words, is_done,
                                 &j))
            s->list.at[left++] = s->list.at[i];
    }
    s->list.n = left;
    gy_vec_free(&copy);
}

void gy_suspects_save(const gy_suspects *s, uint64_t ids, gy_writer *writer)
{
    uint64_t bytes = ids / 8 + 1 < s->full.room ? ids / 8 + 1 : s->full.room;
    gy_write_region(writer, &s->full, bytes);
    gy_write_u64(writer, s->list.n);
    for (size_t i = 0; i < s->list.n; i++)
        gy_write_u64(writer, s->list.at[i]);
}

bool gy_suspects_load(gy_suspects *s, gy_reader *reader)
{
    if (!gy_read_region(reader, &s->full))
        return false;
    for (uint64_t n = gy_read_u64(reader); n && !gy_reader_failed(reader); n--)
        gy_vec_push(&s->list, gy_read_u64(reader));
    return !gy_reader_failed(reader);
}
