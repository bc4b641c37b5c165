#include "verify/cursor.h"

#include "verify/sim_random.h"

void gy_cursor_init(gy_cursor *cursor, gy_path *path, uint64_t seed)
{
    *cursor = (gy_cursor){.path = path, .random = seed};
}

static void forget_ahead(gy_cursor *cursor)
{
    for (size_t i = 0; i < cursor->ahead.n; i++)
        gy_path_state_clear(&cursor->ahead.at[i]);
    cursor->ahead.n = 0;
}

void gy_cursor_free(gy_cursor *cursor)
{
    forget_ahead(cursor);
    gy_vec_free(&cursor->ahead);
    gy_choices_free(&cursor->choices);
    *cursor = (gy_cursor){0};
}

const gy_choices *gy_cursor_choices(gy_cursor *cursor)
{
    if (!cursor->has_choices)
        gy_path_choices(cursor->path, &cursor->choices);
    cursor->has_choices = true;
    return &cursor->choices;
}

uint64_t gy_cursor_total(const gy_cursor *cursor)
{
    return gy_path_steps(cursor->path) + cursor->ahead.n;
}

const gy_path_state *gy_cursor_moment(const gy_cursor *cursor, uint64_t number)
{
    size_t behind = cursor->path->moments.n;
    if (number < behind)
        return &cursor->path->moments.at[number];
    number -= behind;
    return number < cursor->ahead.n ? &cursor->ahead.at[cursor->ahead.n - 1 - number] : NULL;
}

const gy_path_state *gy_cursor_next(const gy_cursor *cursor)
{
    return cursor->ahead.n ? &cursor->ahead.at[cursor->ahead.n - 1] : NULL;
}

bool gy_cursor_back(gy_cursor *cursor)
{
    gy_path_state last;
    if (!gy_path_pop(cursor->path, &last))
        return false;
    gy_vec_push(&cursor->ahead, last);
    cursor->has_choices = false;
    return true;
}

void gy_cursor_rewind(gy_cursor *cursor)
{
    while (gy_cursor_back(cursor))
        ;
}

static bool follow(gy_cursor *cursor)
{
    gy_vec_push(&cursor->path->moments, cursor->ahead.at[cursor->ahead.n - 1]);
    cursor->ahead.n--;
    cursor->has_choices = false;
    return true;
}

bool gy_cursor_take(gy_cursor *cursor, size_t choice)
{
    const gy_choices *choices = gy_cursor_choices(cursor);
    const gy_path_state *next = gy_cursor_next(cursor);
    if (choice >= choices->list.n)
        return false;
    if (next && gy_same_step(&choices->list.at[choice].step, &next->step))
        return follow(cursor);
    if (cursor->guided)
        return false;
    forget_ahead(cursor);
    gy_path_take(cursor->path, &choices->list.at[choice]);
    cursor->has_choices = false;
    return true;
}

bool gy_cursor_forward(gy_cursor *cursor)
{
    if (cursor->ahead.n)
        return follow(cursor);
    return !cursor->guided && gy_cursor_choices(cursor)->list.n == 1 && gy_cursor_take(cursor, 0);
}

bool gy_cursor_take_random(gy_cursor *cursor)
{
    size_t n = gy_cursor_choices(cursor)->list.n;
    return n && gy_cursor_take(cursor, (size_t)gy_sim_random_below(&cursor->random, n));
}

void gy_cursor_jump(gy_cursor *cursor, uint64_t step)
{
    while (gy_path_steps(cursor->path) > step && gy_cursor_back(cursor))
        ;
    while (gy_path_steps(cursor->path) < step &&
           (cursor->ahead.n ? follow(cursor) : !cursor->guided && gy_cursor_take_random(cursor)))
        ;
}
