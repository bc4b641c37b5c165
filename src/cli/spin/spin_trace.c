// Simulation in Spin's format: what is printed for a step and at the end. spin_walk.c takes the
// steps.
#include "cli/spin/spin_walk.h"

#include "base/source.h"
#include "model/spin_numbers.h"

// ---- values -----------------------------------------------------------------------------------

static bool is_channel(const gy_binding *binding)
{
    return binding->count > 0 && binding->values[0].kind == GY_VALUE_CHANNEL;
}

static bool same_values(const gy_binding *a, const gy_binding *b)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        if (a->values[i].number != b->values[i].number)
            return false;
    return a->count == b->count;
}

static void put_binding(const gy_binding *binding, const char *owner, gy_text *out)
{
    for (uint32_t i = 0; i < binding->count; i++) {
        const gy_value *value = &binding->values[i];
        gy_text_printf(out, "\t\t%s%s", owner, binding->name);
        if (binding->is_list)
            gy_text_printf(out, "[%u]", i);
        if (value->kind == GY_VALUE_NAME)
            gy_text_printf(out, " = %s\n", value->text);
        else
            gy_text_printf(out, " = %lld\n", (long long)value->number);
    }
}

// Variables of process pid, -1: the globals; those that differ from `before`, or (NULL) all.
static void put_variables(gy_walk *walk, const gy_scene *before, const gy_scene *now, int32_t pid,
                          gy_text *out)
{
    gy_arena *arena = gy_arena_new();
    uint32_t count, old_count = 0;
    const gy_binding *list = gy_tell_variables(arena, now, pid, &count), *old = NULL;
    gy_text owner = {0};
    if (pid >= 0)
        gy_text_printf(&owner,
                       "%s(%d):", walk->model->templates[now->view.processes[pid].tmpl].name,
                       (int)pid);
    if (before && (pid < 0 || (uint32_t)pid < before->view.process_count))
        old = gy_tell_variables(arena, before, pid, &old_count);
    for (uint32_t i = 0; i < count; i++)
        if (!is_channel(&list[i]) &&
            (!before || (old && i < old_count && !same_values(&list[i], &old[i]))))
            put_binding(&list[i], gy_text_str(&owner), out);
    gy_text_free(&owner);
    gy_arena_free(arena);
}

// Channels with their contents; a trail's simulation leaves out the empty ones, as Spin does.
static void put_queues(const gy_walk *walk, const gy_scene *scene, gy_text *out)
{
    gy_arena *arena = gy_arena_new();
    uint32_t count;
    const gy_channel_value *channels = gy_tell_channels(arena, scene, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (channels[i].capacity == 0 || (walk->trace->guided && channels[i].message_count == 0))
            continue;
        gy_text_printf(out, "\t\tqueue %u (%s): ", i + 1, channels[i].name);
        for (uint32_t m = 0; m < channels[i].message_count; m++)
            gy_text_add(out, channels[i].messages[m]);
        gy_text_char(out, '\n');
    }
    gy_arena_free(arena);
}

// ---- one step -----------------------------------------------------------------------------------

static void put_process(const gy_walk *walk, int32_t pid, int32_t tmpl, gy_place at, gy_text *out)
{
    const gy_template *type = &walk->model->templates[tmpl];
    gy_place_info place = gy_place_user(walk->model->sources, at);
    gy_text_printf(out, "%3llu:\tproc %2d (%s:%d) %s:%u", walk->number, (int)pid, type->name,
                   (int)type->priority, gy_source_name(walk->model->sources, place.file),
                   place.line);
}

// The backslashes of a string are doubled.
static void put_statement(const gy_walk *walk, int32_t pid, int32_t e, gy_text *out)
{
    const gy_edge *edge = &walk->model->edges[e];
    put_process(walk, pid, edge->tmpl, edge->place, out);
    gy_text_printf(out, " (state %d)\t[", (int)walk->model->spin->statements[e]);
    for (const char *at = walk->model->spin->texts[e]; *at; at++) {
        gy_text_char(out, *at);
        if (*at == '\\')
            gy_text_char(out, '\\');
    }
    gy_text_add(out, "]\n");
}

// What one process did in a step: a rendezvous is two of these.
typedef struct half {
    int32_t pid, edge;
    bool sends;
} half;

static void put_message(const gy_walk *walk, const gy_moved *moved, const half *h,
                        const gy_scene *scene, gy_text *out)
{
    const gy_edge *edge = &walk->model->edges[h->edge];
    gy_arena *arena = gy_arena_new();
    uint32_t count, number = 0;
    const gy_channel_value *channels = gy_tell_channels(arena, scene, &count);
    for (uint32_t i = 0; i < count && !number; i++)
        if (strcmp(channels[i].name, moved->channel) == 0)
            number = i + 1;
    put_process(walk, h->pid, edge->tmpl, edge->place, out);
    gy_text_printf(out, " %s %s\t%s queue %u (%s)\n",
                   !h->sends           ? "Recv"
                   : moved->rendezvous ? "Sent"
                                       : "Send",
                   moved->contents, h->sends ? "->" : "<-", number, moved->channel);
    gy_arena_free(arena);
}

static void put_prints(const gy_walk *walk, const gy_moment *moment, gy_text *out)
{
    for (uint32_t i = 0; i < moment->print_count && !walk->trace->no_printf; i++) {
        if (!walk->trace->no_indent)
            gy_text_printf(out, "%*s", 6 + 4 * (int)moment->step.pid, "");
        gy_text_add(out, moment->prints[i]);
        size_t n = strlen(moment->prints[i]);
        if (n == 0 || moment->prints[i][n - 1] != '\n')
            gy_text_char(out, '\n');
    }
}

static void put_fault(const gy_walk *walk, const gy_moment *moment, gy_text *out)
{
    int32_t e = moment->fault_edge >= 0 ? moment->fault_edge : moment->step.edge;
    gy_place_info place = gy_place_user(walk->model->sources, walk->model->edges[e].place);
    const char *file = gy_source_name(walk->model->sources, place.file);
    if (moment->fault == GY_FAULT_ASSERTION)
        gy_text_printf(out,
                       "spin: %s:%u, Error: assertion violated\n"
                       "spin: text of failed assertion: %s\n",
                       file, place.line, walk->model->spin->texts[e]);
    else
        gy_text_printf(out, "spin: %s:%u, Error: %s\n", file, place.line, moment->message);
}

static void put_starts(const gy_walk *walk, const gy_told *told, gy_text *out)
{
    for (uint32_t i = 0; i < told->change_count; i++)
        if (told->changes[i].kind == GY_CHANGE_STARTS && walk->trace->statements)
            gy_text_printf(out, "Starting %.*s with pid %d\n",
                           (int)strcspn(told->changes[i].name, "("), told->changes[i].name,
                           (int)strtol(strchr(told->changes[i].name, '(') + 1, NULL, 10));
}

static void put_half(const gy_walk *walk, const gy_told *told, const half *h, const gy_scene *now,
                     gy_text *out)
{
    const gy_trace *trace = walk->trace;
    if (told->moved && (h->sends ? trace->sends : trace->receives))
        put_message(walk, told->moved, h, now, out);
    if (walk->model->edges[h->edge].kind == GY_EDGE_END) {
        if (trace->statements)
            gy_text_printf(out, "%3llu: proc %d terminates\n", walk->number, (int)h->pid);
    } else if (trace->statements) {
        put_statement(walk, h->pid, h->edge, out);
    }
}

void gy_walk_tell(gy_walk *walk, gy_text *out)
{
    const gy_trace *trace = walk->trace;
    const gy_moment *moment = gy_path_last(walk->path), *old = gy_path_before_last(walk->path);
    const gy_step *step = &moment->step;
    gy_scene before, now;
    gy_told told;
    gy_arena *arena = gy_tell_step_alone(walk->path, gy_path_steps(walk->path), &told);
    gy_scene_open(&before, walk->path->worker, old->state, old->words);
    gy_scene_open(&now, walk->path->worker, moment->state, moment->words);
    put_starts(walk, &told, out);
    put_prints(walk, moment, out);
    if (moment->fault)
        put_fault(walk, moment, out);
    half first = {step->pid, step->edge, told.moved && told.moved->is_send};
    put_half(walk, &told, &first, &now, out);
    if (step->partner >= 0) {
        half second = {step->partner, step->partner_edge, false};
        walk->number = walk->partner_number;
        put_half(walk, &told, &second, &now, out);
    }
    bool ends = walk->model->edges[step->edge].kind == GY_EDGE_END;
    int32_t mover = step->partner >= 0 ? step->partner : step->pid;
    if (trace->globals && !ends) {
        put_queues(walk, &now, out);
        put_variables(walk, &before, &now, -1, out);
    }
    if (trace->locals && !ends && (uint32_t)mover < now.view.process_count)
        put_variables(walk, &before, &now, mover, out);
    for (uint32_t i = 0; i < told.change_count; i++)
        walk->created += told.changes[i].kind == GY_CHANGE_STARTS;
    gy_arena_free(arena);
}

// ---- the end
// --------------------------------------------------------------------------------------

void gy_walk_tell_end(gy_walk *walk, gy_text *out)
{
    const gy_moment *moment = gy_path_last(walk->path);
    gy_scene scene;
    gy_scene_open(&scene, walk->path->worker, moment->state, moment->words);
    uint32_t count = scene.view.process_count;
    if (!walk->trace->no_final && count > 0) {
        gy_text_printf(out, "#processes: %u\n", count);
        put_queues(walk, &scene, out);
        put_variables(walk, NULL, &scene, -1, out);
        for (int32_t pid = (int32_t)count - 1; pid >= 0; pid--) {
            const gy_view_process *process = &scene.view.processes[pid];
            const gy_node *node = &walk->model->templates[process->tmpl].nodes[process->node];
            put_process(walk, pid, process->tmpl, node->place, out);
            gy_text_printf(out, " (state %d)%s\n",
                           (int)gy_spin_state(walk->model, process->tmpl, process->node),
                           node->flags & (GY_NODE_END | GY_NODE_FINAL) ? " <valid end state>" : "");
            if (walk->trace->locals)
                put_variables(walk, NULL, &scene, pid, out);
        }
    }
    if (!walk->trace->no_final)
        gy_text_printf(out, "%u process%s created\n", walk->created,
                       walk->created == 1 ? "" : "es");
}
