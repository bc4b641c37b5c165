#include "search/safety/settle.h"

bool gy_settle_begin(gy_settle *settle, gy_run *run)
{
    *settle = (gy_settle){.run = run};
    gy_queue_init(&settle->states, &run->budget);
    run->settle_due = false;
    return gy_numbered_plan(run->view);
}

void gy_settle_spell(gy_settle *settle, uint64_t name, uint32_t words)
{
    gy_key key = {.name = name, .words = words};
    uint32_t *copy = settle->given_up ? NULL : gy_queue_push(&settle->states, words);
    if (!copy)
        settle->given_up = true;
    else if (words)
        memcpy(copy, gy_numbered_spell(settle->run->view, &key), words * sizeof *copy);
}

void gy_settle_rename(gy_settle *settle)
{
    if (!settle->given_up)
        gy_numbered_rename(settle->run->view);
}

uint64_t gy_settle_name(gy_settle *settle, uint64_t name, uint32_t words)
{
    gy_key key = {.name = name};
    if (settle->given_up)
        return name;
    const uint32_t *state = gy_queue_front(&settle->states, &words);
    if (!gy_numbered_prepare(settle->run->view, state, words, &key))
        gy_run_stop(settle->run, GY_LIMIT_MEMORY);
    gy_queue_drop(&settle->states);
    return key.name;
}

void gy_settle_end(gy_settle *settle)
{
    gy_queue_free(&settle->states);
}
