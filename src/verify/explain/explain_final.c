// The last state of a path, and why it ends there.
#include "exec/describe/blocked.h"
#include "verify/explain/explain.h"

enum { PROSPECT_COLUMNS = 60 };

static gy_ending ending_of(const gy_path *path, const gy_choices *choices, bool empty_channels)
{
    const gy_path_state *last = gy_path_last(path);
    if (last->fault)
        return GY_ENDING_FAULT;
    if (choices->list.n > 0)
        return GY_ENDING_OPEN;
    if (!gy_is_end_state(path->worker, last->state, last->words, empty_channels))
        return GY_ENDING_DEADLOCK;
    return GY_ENDING_REST;
}

static const char *ending_name(gy_ending ending)
{
    static const char *const names[] = {
        [GY_ENDING_FAULT] = "fault",     [GY_ENDING_DEADLOCK] = "invalid-end-state",
        [GY_ENDING_REST] = "end-state",  [GY_ENDING_FINISHED] = "finished",
        [GY_ENDING_OPEN] = "not-at-end",
    };
    return names[ending];
}

static bool can_move(const gy_choices *choices, int32_t pid, const gy_path_state **first)
{
    for (size_t i = 0; i < choices->list.n; i++) {
        if (choices->list.at[i].step.pid == pid || choices->list.at[i].step.partner == pid) {
            *first = &choices->list.at[i];
            return true;
        }
    }
    return false;
}

// In the state before a statement that failed: that statement, or of another process its first.
static int32_t edge_ahead(const gy_path_state *last, int32_t pid, const gy_node *node)
{
    if (last->fault_pid == pid && last->fault_edge >= 0)
        return last->fault_edge;
    return last->step.pid == pid && last->step.edge >= 0 ? last->step.edge
                                                         : (int32_t)node->first_edge;
}

// What keeps a process that is blocked, or what it does next.
static void say_prospect(const gy_decoded_state *scene, int32_t pid, const gy_choices *choices,
                         const gy_path_state *last, gy_text *out)
{
    const gy_state_view_process *process = &scene->view.processes[pid];
    const gy_node *node = &scene->model->templates[process->tmpl].nodes[process->node];
    const gy_path_state *next = NULL;
    if (can_move(choices, pid, &next)) {
        int32_t edge = next->step.pid == pid ? next->step.edge : next->step.partner_edge;
        gy_text_add(out, "enabled: ");
        gy_name_next(&scene->model->edges[edge], PROSPECT_COLUMNS, out);
    } else if (last->stuck) {
        if (node->edge_count > 0) {
            gy_text_add(out, "at: ");
            gy_name_next(&scene->model->edges[edge_ahead(last, pid, node)], PROSPECT_COLUMNS, out);
        }
    } else if (last->exclusive >= 0 && last->exclusive != pid &&
               can_move(choices, last->exclusive, &next)) {
        gy_text_add(out, "waits for ");
        gy_name_scene_process(scene, last->exclusive, out);
        gy_text_add(out, ", which executes an atomic sequence");
    } else {
        gy_why_blocked(scene, pid, out);
        if (gy_may_rest(scene, pid))
            gy_text_add(out, " (valid end state)");
    }
}

static void tell_process(gy_arena *arena, const gy_decoded_state *scene, int32_t pid,
                         const gy_choices *choices, const gy_path_state *last,
                         gy_process_value *told)
{
    const gy_path_state *next;
    gy_text text = {0};
    *told = gy_tell_process(arena, scene, pid);
    told->can_move = can_move(choices, pid, &next);
    told->may_rest = gy_may_rest(scene, pid);
    if (!told->can_move && !last->stuck) {
        gy_why_blocked(scene, pid, &text);
        told->waits = gy_keep(arena, &text);
        const char **codes = GY_NEW_ARRAY(arena, const char *, GY_WHY_CODES);
        told->waits_count = gy_why_codes(scene, pid, codes);
        told->waits_for = codes;
    }
    say_prospect(scene, pid, choices, last, &text);
    told->prospect = gy_keep(arena, &text);
}

static void tell_values(gy_explainer *teller, const gy_path *path, const gy_path_state *last,
                        const gy_choices *choices, gy_final *final)
{
    gy_arena *arena = teller->arena;
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_decoded_state_open(scene, path->worker, last->state, last->words);
    uint32_t count = scene->view.process_count;
    if (final->ending == GY_ENDING_REST && count == 0)
        final->ending = GY_ENDING_FINISHED;
    gy_process_value *processes = GY_NEW_ARRAY(arena, gy_process_value, count + 1);
    final->has_values = true;
    final->globals = gy_tell_variables(arena, scene, -1, &final->global_count);
    final->channels = gy_tell_channels(arena, scene, &final->channel_count);
    for (uint32_t p = 0; p < count; p++)
        tell_process(arena, scene, (int32_t)p, choices, last, &processes[p]);
    final->processes = processes;
    final->process_count = count;
    free(scene);
}

void gy_tell_final(gy_explainer *teller, gy_path *path, bool empty_channels, gy_final *final)
{
    const gy_path_state *last = gy_path_last(path);
    gy_choices choices = {0};
    gy_path_choices(path, &choices);
    *final = (gy_final){.ending = ending_of(path, &choices, empty_channels),
                        .stuck = last->stuck,
                        .empty_channels = empty_channels};
    if (last->fault) {
        final->fault =
            gy_arena_strdup(teller->arena, gy_fault_row_of(teller->system, last->fault)->name);
        final->message = gy_arena_strdup(teller->arena, last->message ? last->message : "");
    }
    if (last->fault && teller->system->model && last->fault_edge >= 0) {
        gy_actor *culprit = GY_NEW(teller->arena, gy_actor);
        *culprit = gy_tell_actor(teller, last->fault_pid, last->fault_edge);
        final->culprit = culprit;
    }
    if (last->state && teller->system->model) {
        tell_values(teller, path, last, &choices, final);
    } else if (last->state) {
        char *text = gy_state_text(path->worker, last->state, last->words);
        final->text = gy_arena_strdup(teller->arena, text ? text : "");
        gy_free(text);
    }
    final->name = ending_name(final->ending);
    gy_choices_free(&choices);
}

void gy_tell_initial(gy_explainer *teller, gy_path *path, gy_final *initial)
{
    const gy_path_state *first = &path->moments.at[0];
    gy_choices choices = {0};
    *initial = (gy_final){.ending = GY_ENDING_OPEN, .name = ending_name(GY_ENDING_OPEN)};
    if (!first->state || !teller->system->model)
        return;
    gy_path_choices_at(path, first, &choices);
    tell_values(teller, path, first, &choices, initial);
    gy_choices_free(&choices);
}

gy_arena *gy_tell_state(gy_worker *worker, const gy_word *state, uint32_t words, int32_t exclusive,
                        gy_final *final)
{
    gy_path path = {.system = worker->system, .worker = worker, .cycle_start = -1};
    gy_path_state here = {.words = words, .exclusive = exclusive, .step.pid = -1};
    here.state = gy_alloc((words + 1) * sizeof *state);
    memcpy(here.state, state, words * sizeof *state);
    gy_vec_push(&path.moments, here);
    gy_arena *arena = gy_tell_final_alone(&path, false, final);
    gy_vec_free(&path.moments);
    free(here.state);
    return arena;
}
