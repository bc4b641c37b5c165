// What a step changed: the difference between two states, element by element. The changes of all
// steps, one after the other, lead from the initial state of a path to each of its states.
#include "verify/explain/explain.h"

typedef struct change_list {
    gy_arena *arena;
    const gy_decoded_state *before, *now;
    bool renamed; // channels are called otherwise: what holds one has another text
    GY_VEC(gy_change) list, quiet;
} change_list;

static int32_t value_of(const gy_decoded_state *scene, int32_t var, uint32_t element, int32_t pid)
{
    if (pid < 0)
        return gy_state_view_global(scene->model, scene->state, var, element);
    return gy_state_view_local(scene->model, scene->state, &scene->view, (uint32_t)pid, var,
                               element);
}

static gy_value text_value(change_list *changes, gy_text *text)
{
    return (gy_value){GY_VALUE_NAME, 0, gy_keep(changes->arena, text)};
}

// ---- variables ------------------------------------------------------------------------

// The name with the process, and its end: the name as the process itself would say it.
static void set_name(change_list *changes, int32_t var, int32_t pid, gy_text *bare,
                     gy_change *change)
{
    const gy_model *model = changes->now->model;
    gy_text text = {0};
    if (model->vars[var].owner != GY_NONE && pid >= 0) {
        gy_name_process(model, model->vars[var].owner, pid, &text);
        gy_text_char(&text, ':');
    }
    size_t prefix = text.n;
    gy_text_add(&text, gy_text_str(bare));
    change->name = gy_keep(changes->arena, &text);
    change->bare = change->name + prefix;
    gy_text_free(bare);
}

// "q[1]: {} → {2}": the set that begins with this element.
static void compare_set(change_list *changes, int32_t var, int32_t pid, uint32_t first)
{
    const gy_variable *variable = &changes->now->model->vars[var];
    uint32_t members = variable->dims[variable->dim_count - 1];
    bool same = true;
    for (uint32_t i = first; i < first + members && same; i++)
        same = value_of(changes->before, var, i, pid) == value_of(changes->now, var, i, pid);
    if (same)
        return;
    gy_change change = {.kind = GY_CHANGE_VALUE, .pid = pid};
    gy_text bare = {0};
    change.before = gy_tell_set(changes->arena, changes->before, var, first, pid);
    change.after = gy_tell_set(changes->arena, changes->now, var, first, pid);
    gy_set_name(changes->now->model, var, first, &bare);
    set_name(changes, var, pid, &bare, &change);
    gy_vec_push(&changes->list, change);
}

static void compare_element(change_list *changes, int32_t var, int32_t pid, uint32_t element)
{
    gy_type type = changes->now->model->vars[var].type;
    int32_t a = value_of(changes->before, var, element, pid);
    int32_t b = value_of(changes->now, var, element, pid);
    if (a == b && !(changes->renamed && type.kind == GY_CHAN))
        return;
    gy_change change = {.kind = GY_CHANGE_VALUE, .pid = pid};
    gy_text bare = {0};
    change.before = gy_tell_value(changes->arena, changes->before, type, a);
    change.after = gy_tell_value(changes->arena, changes->now, type, b);
    if (a == b && strcmp(change.before.text, change.after.text) == 0)
        return;
    gy_name_variable(changes->now->model, var, element, &bare);
    set_name(changes, var, pid, &bare, &change);
    gy_vec_push(&changes->list, change);
}

static void compare_variables(change_list *changes, int32_t first, int32_t count, int32_t pid)
{
    for (int32_t v = first; v < first + count; v++) {
        const gy_variable *variable = &changes->now->model->vars[v];
        uint32_t members = variable->is_set ? variable->dims[variable->dim_count - 1] : 1;
        for (uint32_t i = 0; !variable->hidden && members && i < variable->count; i += members) {
            if (variable->is_set)
                compare_set(changes, v, pid, i);
            else
                compare_element(changes, v, pid, i);
        }
    }
}

// ---- processes ------------------------------------------------------------------------

static void note_process(change_list *changes, uint32_t pid, gy_change_kind kind)
{
    bool starts = kind == GY_CHANGE_STARTS;
    gy_change change = {.kind = kind, .pid = (int32_t)pid};
    gy_text text = {0};
    gy_name_scene_process(starts ? changes->now : changes->before, (int32_t)pid, &text);
    change.bare = change.name = gy_keep(changes->arena, &text);
    if (starts) {
        gy_process_value *process = GY_NEW(changes->arena, gy_process_value);
        *process = gy_tell_process(changes->arena, changes->now, (int32_t)pid);
        change.process = process;
    }
    gy_vec_push(&changes->list, change);
}

// The same words mean the same values; most blocks of a state have not changed.
static bool same_words(const change_list *changes, uint32_t old, uint32_t new, uint32_t words)
{
    const gy_word *before = changes->before->state + old, *now = changes->now->state + new;
    return words == 0 || memcmp(before, now, words * sizeof *now) == 0;
}

static void compare_processes(change_list *changes)
{
    const gy_state_view *old = &changes->before->view, *new = &changes->now->view;
    for (uint32_t p = 0; p < old->process_count || p < new->process_count; p++) {
        bool was = p < old->process_count, is = p < new->process_count;
        if (was && is && old->processes[p].tmpl == new->processes[p].tmpl) {
            const gy_template *tmpl = &changes->now->model->templates[new->processes[p].tmpl];
            if (!same_words(changes, old->processes[p].offset, new->processes[p].offset,
                            tmpl->words))
                compare_variables(changes, tmpl->first_var, tmpl->var_count, (int32_t)p);
            continue;
        }
        if (was)
            note_process(changes, p, GY_CHANGE_ENDS);
        if (is)
            note_process(changes, p, GY_CHANGE_STARTS);
    }
}

// ---- channels -------------------------------------------------------------------------

static void compare_contents(change_list *changes, uint32_t channel)
{
    const gy_decoded_state *before = changes->before, *now = changes->now;
    const gy_state_view_channel *was = &before->view.channels[channel];
    const gy_state_view_channel *is = &now->view.channels[channel];
    const gy_channel_type *type = &now->model->channel_types[is->type];
    gy_text old = {0}, new = {0}, name = {0};
    if (was->type == is->type && same_words(changes, was->offset, is->offset, type->words))
        return;
    gy_channel_text(before, channel, &old);
    gy_channel_text(now, channel, &new);
    if (strcmp(gy_text_str(&old), gy_text_str(&new)) != 0) {
        gy_change change = {.kind = GY_CHANGE_CONTENTS, .pid = -1};
        gy_name_channel(now, channel, &name);
        change.bare = change.name = gy_keep(changes->arena, &name);
        change.before = text_value(changes, &old);
        change.after = text_value(changes, &new);
        change.old_messages = gy_tell_messages(changes->arena, before, channel);
        change.old_count = before->view.channels[channel].length;
        change.new_messages = gy_tell_messages(changes->arena, now, channel);
        change.new_count = now->view.channels[channel].length;
        gy_vec_push(&changes->list, change);
    }
    gy_text_free(&old);
    gy_text_free(&new);
}

static void note_new_channel(change_list *changes, uint32_t channel)
{
    gy_channel_value *told = GY_NEW(changes->arena, gy_channel_value);
    *told = gy_tell_channel(changes->arena, changes->now, channel);
    gy_change change = {.kind = GY_CHANGE_NEW_CHANNEL,
                        .pid = -1,
                        .name = told->name,
                        .bare = told->name,
                        .channel = told};
    gy_vec_push(&changes->list, change);
}

static void compare_channels(change_list *changes)
{
    uint32_t old = changes->before->view.channel_count;
    for (uint32_t c = 0; c < changes->now->view.channel_count; c++) {
        if (c < old)
            compare_contents(changes, c);
        else
            note_new_channel(changes, c);
    }
}

static void note_renamed(change_list *changes, uint32_t channel)
{
    gy_change change = {.kind = GY_CHANGE_RENAMED, .pid = -1};
    gy_text old = {0}, new = {0};
    gy_name_channel(changes->before, channel, &old);
    gy_name_channel(changes->now, channel, &new);
    change.before = text_value(changes, &old);
    change.after = text_value(changes, &new);
    change.bare = change.name = change.before.text;
    if (strcmp(change.before.text, change.after.text) == 0)
        return;
    changes->renamed = true;
    gy_vec_push(&changes->quiet, change);
}

// Is all that a channel's name is made from as it was? (See gy_name_channel.) It mostly is, and
// names are many: of a hundred channels, each at every step.
static bool same_name(const change_list *changes, uint32_t channel)
{
    const gy_state_view *old = &changes->before->view, *new = &changes->now->view;
    const gy_model *model = changes->now->model;
    int32_t pid = new->channels[channel].creator;
    bool was = pid >= 0 && (uint32_t)pid < old->process_count;
    bool is = pid >= 0 && (uint32_t)pid < new->process_count;
    if (old->channels[channel].creator != pid || was != is ||
        old->channels[channel].type != new->channels[channel].type)
        return false;
    if (!is)
        return same_words(changes, 0, 0, model->global_words);
    const gy_state_view_process *before = &old->processes[pid], *now = &new->processes[pid];
    return before->tmpl == now->tmpl &&
           same_words(changes, before->offset, now->offset, model->templates[now->tmpl].words);
}

// Channels that are gone, and those that have another name.
static void compare_names(change_list *changes)
{
    uint32_t old = changes->before->view.channel_count, new = changes->now->view.channel_count;
    changes->renamed = old != new;
    for (uint32_t c = 0; c < old && c < new; c++)
        if (!same_name(changes, c))
            note_renamed(changes, c);
    for (uint32_t c = new; c < old; c++) {
        gy_change change = {.kind = GY_CHANGE_NO_CHANNEL, .pid = -1};
        gy_text name = {0};
        gy_name_channel(changes->before, c, &name);
        change.bare = change.name = gy_keep(changes->arena, &name);
        gy_vec_push(&changes->quiet, change);
    }
}

// ---- all of them ----------------------------------------------------------------------

static void tell_positions(gy_arena *arena, const gy_decoded_state *before,
                           const gy_decoded_state *now, gy_report_step *told)
{
    const gy_state_view *old = &before->view, *new = &now->view;
    gy_position *list = GY_NEW_ARRAY(arena, gy_position, new->process_count + 1);
    for (uint32_t p = 0; p < new->process_count &&p < old->process_count; p++)
        if (old->processes[p].tmpl == new->processes[p].tmpl &&
            old->processes[p].node != new->processes[p].node)
            list[told->position_count++] = gy_tell_position(arena, now, (int32_t)p);
    told->positions = list;
}

void gy_tell_changes(gy_arena *arena, const gy_decoded_state *before, const gy_decoded_state *now,
                     gy_report_step *told)
{
    change_list changes = {.arena = arena, .before = before, .now = now};
    compare_names(&changes);
    compare_variables(&changes, 0, (int32_t)now->model->global_count, -1);
    compare_processes(&changes);
    compare_channels(&changes);
    size_t said = changes.list.n, quiet = changes.quiet.n;
    gy_change *list = GY_NEW_ARRAY(arena, gy_change, said + quiet + 1);
    if (said)
        memcpy(list, changes.list.at, said * sizeof *list);
    if (quiet)
        memcpy(list + said, changes.quiet.at, quiet * sizeof *list);
    told->changes = list;
    told->change_count = (uint32_t)said;
    told->quiet_count = (uint32_t)quiet;
    gy_vec_free(&changes.list);
    gy_vec_free(&changes.quiet);
    tell_positions(arena, before, now, told);
}
