// What a step changed: the difference between two states, element by element.
#include "verify/tell/tell.h"

typedef struct change_list {
    gy_arena *arena;
    GY_VEC(gy_change) list;
} change_list;

static int32_t value_of(const gy_scene *scene, int32_t var, uint32_t element, int32_t pid)
{
    if (pid < 0)
        return gy_view_global(scene->model, scene->state, var, element);
    return gy_view_local(scene->model, scene->state, &scene->view, (uint32_t)pid, var, element);
}

static void add_named(change_list *changes, gy_change_kind kind, int32_t pid, gy_text *name)
{
    gy_change change = {.kind = kind, .pid = pid, .name = gy_keep(changes->arena, name)};
    change.bare = change.name;
    gy_vec_push(&changes->list, change);
}

// "q[1]: {} → {2}": the set that begins with this element.
static void compare_set(change_list *changes, const gy_scene *before, const gy_scene *now,
                        int32_t var, int32_t pid, uint32_t first)
{
    const gy_variable *variable = &now->model->vars[var];
    uint32_t members = variable->dims[variable->dim_count - 1];
    bool same = true;
    for (uint32_t i = first; i < first + members && same; i++)
        same = value_of(before, var, i, pid) == value_of(now, var, i, pid);
    if (same)
        return;
    gy_change change = {.kind = GY_CHANGE_VALUE, .pid = pid};
    gy_text text = {0};
    change.before = gy_tell_set(changes->arena, before, var, first, pid);
    change.after = gy_tell_set(changes->arena, now, var, first, pid);
    gy_set_name(variable, first, &text);
    change.bare = change.name = gy_keep(changes->arena, &text);
    gy_vec_push(&changes->list, change);
}

static void compare_variable(change_list *changes, const gy_scene *before, const gy_scene *now,
                             int32_t var, int32_t pid)
{
    const gy_variable *variable = &now->model->vars[var];
    if (variable->hidden)
        return;
    if (variable->is_set) {
        for (uint32_t i = 0; i < variable->count; i += variable->dims[variable->dim_count - 1])
            compare_set(changes, before, now, var, pid, i);
        return;
    }
    for (uint32_t i = 0; i < variable->count; i++) {
        int32_t a = value_of(before, var, i, pid), b = value_of(now, var, i, pid);
        if (a == b)
            continue;
        gy_change change = {.kind = GY_CHANGE_VALUE, .pid = pid};
        gy_text text = {0};
        change.before = gy_tell_value(changes->arena, before, variable->type, a);
        change.after = gy_tell_value(changes->arena, now, variable->type, b);
        gy_variable_name(variable, i, &text);
        size_t bare = text.n;
        gy_text_clear(&text);
        gy_name_element(now, var, i, pid, -1, &text);
        size_t whole = text.n;
        change.name = gy_keep(changes->arena, &text);
        change.bare = change.name + (whole - bare);
        gy_vec_push(&changes->list, change);
    }
}

static void compare_globals(change_list *changes, const gy_scene *before, const gy_scene *now)
{
    for (uint32_t v = 0; v < now->model->global_count; v++)
        compare_variable(changes, before, now, (int32_t)v, -1);
}

static void note_process(change_list *changes, const gy_scene *scene, uint32_t pid,
                         gy_change_kind kind)
{
    gy_text text = {0};
    gy_name_scene_process(scene, (int32_t)pid, &text);
    add_named(changes, kind, (int32_t)pid, &text);
}

static void compare_processes(change_list *changes, const gy_scene *before, const gy_scene *now)
{
    uint32_t old_count = before->view.process_count, new_count = now->view.process_count;
    for (uint32_t p = 0; p < old_count || p < new_count; p++) {
        if (p >= new_count) {
            note_process(changes, before, p, GY_CHANGE_ENDS);
        } else if (p >= old_count) {
            note_process(changes, now, p, GY_CHANGE_STARTS);
        } else if (before->view.processes[p].tmpl == now->view.processes[p].tmpl) {
            const gy_template *tmpl = &now->model->templates[now->view.processes[p].tmpl];
            for (int32_t v = 0; v < tmpl->var_count; v++)
                compare_variable(changes, before, now, tmpl->first_var + v, (int32_t)p);
        }
    }
}

static void compare_channels(change_list *changes, const gy_scene *before, const gy_scene *now)
{
    for (uint32_t c = 0; c < now->view.channel_count; c++) {
        gy_text old = {0}, new = {0}, name = {0};
        if (c >= before->view.channel_count) {
            gy_name_channel(now, c, &name);
            add_named(changes, GY_CHANGE_NEW_CHANNEL, -1, &name);
            continue;
        }
        gy_channel_text(before, c, &old);
        gy_channel_text(now, c, &new);
        if (strcmp(gy_text_str(&old), gy_text_str(&new)) != 0) {
            gy_name_channel(now, c, &name);
            add_named(changes, GY_CHANGE_CONTENTS, -1, &name);
            gy_change *change = &changes->list.at[changes->list.n - 1];
            change->before = (gy_value){GY_VALUE_NAME, 0, gy_keep(changes->arena, &old)};
            change->after = (gy_value){GY_VALUE_NAME, 0, gy_keep(changes->arena, &new)};
            change->old_messages = gy_tell_messages(changes->arena, before, c);
            change->old_count = before->view.channels[c].length;
            change->new_messages = gy_tell_messages(changes->arena, now, c);
            change->new_count = now->view.channels[c].length;
        }
        gy_text_free(&old);
        gy_text_free(&new);
    }
}

void gy_tell_changes(gy_arena *arena, const gy_scene *before, const gy_scene *now, gy_told *told)
{
    change_list changes = {.arena = arena};
    compare_globals(&changes, before, now);
    compare_processes(&changes, before, now);
    compare_channels(&changes, before, now);
    gy_change *list = GY_NEW_ARRAY(arena, gy_change, changes.list.n + 1);
    if (changes.list.n)
        memcpy(list, changes.list.at, changes.list.n * sizeof *list);
    told->changes = list;
    told->change_count = (uint32_t)changes.list.n;
    gy_vec_free(&changes.list);
}
