#include "verify/tell/changes.h"

void gy_changes_clear(gy_changes *changes)
{
    for (size_t i = 0; i < changes->list.n; i++) {
        free(changes->list.at[i].name);
        free(changes->list.at[i].before);
        free(changes->list.at[i].now);
    }
    changes->list.n = 0;
}

void gy_changes_free(gy_changes *changes)
{
    gy_changes_clear(changes);
    gy_vec_free(&changes->list);
}

static int32_t value_of(const gy_scene *scene, int32_t var, uint32_t element, int32_t pid)
{
    if (pid < 0)
        return gy_view_global(scene->model, scene->state, var, element);
    return gy_view_local(scene->model, scene->state, &scene->view, (uint32_t)pid, var, element);
}

static void compare_variable(gy_changes *changes, const gy_scene *before, const gy_scene *now,
                             int32_t var, int32_t pid)
{
    const gy_variable *variable = &now->model->vars[var];
    if (variable->hidden)
        return;
    for (uint32_t i = 0; i < variable->count; i++) {
        int32_t a = value_of(before, var, i, pid), b = value_of(now, var, i, pid);
        if (a == b)
            continue;
        gy_change change = {.kind = GY_CHANGE_VALUE,
                            .pid = pid,
                            .type = variable->type.kind,
                            .old_value = a,
                            .new_value = b};
        gy_text text = {0};
        gy_value_text(before, variable->type, a, &text);
        change.before = gy_text_take(&text);
        gy_value_text(now, variable->type, b, &text);
        change.now = gy_text_take(&text);
        gy_variable_name(variable, i, &text);
        size_t bare = text.n;
        gy_text_clear(&text);
        gy_name_element(now, var, i, pid, -1, &text);
        size_t whole = text.n;
        change.name = gy_text_take(&text);
        change.bare = change.name + (whole - bare);
        gy_vec_push(&changes->list, change);
    }
}

static void compare_globals(gy_changes *changes, const gy_scene *before, const gy_scene *now)
{
    for (uint32_t v = 0; v < now->model->global_count; v++)
        compare_variable(changes, before, now, (int32_t)v, -1);
}

static void note_process(gy_changes *changes, const gy_scene *scene, uint32_t pid,
                         gy_change_kind kind)
{
    gy_text text = {0};
    gy_name_scene_process(scene, (int32_t)pid, &text);
    gy_change change = {.kind = kind, .pid = (int32_t)pid, .name = gy_text_take(&text)};
    change.bare = change.name;
    gy_vec_push(&changes->list, change);
}

static void compare_processes(gy_changes *changes, const gy_scene *before, const gy_scene *now)
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

static void compare_channels(gy_changes *changes, const gy_scene *before, const gy_scene *now)
{
    for (uint32_t c = 0; c < now->view.channel_count; c++) {
        gy_text text = {0};
        if (c >= before->view.channel_count) {
            gy_change change = {.kind = GY_CHANGE_NEW_CHANNEL, .pid = -1};
            gy_name_channel(now, c, &text);
            change.name = gy_text_take(&text);
            change.bare = change.name;
            gy_vec_push(&changes->list, change);
            continue;
        }
        gy_change change = {.kind = GY_CHANGE_CONTENTS, .pid = -1};
        gy_channel_text(before, c, &text);
        change.before = gy_text_take(&text);
        gy_channel_text(now, c, &text);
        change.now = gy_text_take(&text);
        if (strcmp(change.before, change.now) == 0) {
            free(change.before);
            free(change.now);
            continue;
        }
        gy_name_channel(now, c, &text);
        change.name = gy_text_take(&text);
        change.bare = change.name;
        gy_vec_push(&changes->list, change);
    }
}

void gy_changes_find(gy_changes *changes, const gy_scene *before, const gy_scene *now)
{
    gy_changes_clear(changes);
    compare_globals(changes, before, now);
    compare_processes(changes, before, now);
    compare_channels(changes, before, now);
}

void gy_change_text(const gy_change *change, int32_t reader, gy_text *out)
{
    const char *name = change->pid == reader ? change->bare : change->name;
    switch (change->kind) {
    case GY_CHANGE_STARTS:
        gy_text_printf(out, "%s starts", name);
        break;
    case GY_CHANGE_ENDS:
        gy_text_printf(out, "%s ends", name);
        break;
    case GY_CHANGE_NEW_CHANNEL:
        gy_text_printf(out, "%s: a new channel", name);
        break;
    default:
        gy_text_printf(out, "%s: %s → %s", name, change->before, change->now);
        break;
    }
}
