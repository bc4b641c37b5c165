#include "verify/explain/explain.h"

#include <stdio.h>

enum { ENOUGH_EVERY = 256 }; // steps between two checks of the limits

void gy_explainer_init(gy_explainer *teller, gy_arena *arena, gy_system *system)
{
    *teller = (gy_explainer){.arena = arena, .system = system};
    teller->edge_count = gy_edge_count(system);
    teller->actors = GY_NEW_ARRAY(arena, gy_actor, teller->edge_count + 1);
}

const char *gy_keep(gy_arena *arena, gy_text *text)
{
    const char *kept = gy_arena_strndup(arena, gy_text_str(text), text->n);
    gy_text_free(text);
    return kept;
}

const char *gy_keep_string(gy_arena *arena, const char *text)
{
    return text ? gy_arena_strdup(arena, text) : NULL;
}

static void tell_calls(gy_explainer *teller, gy_location place, gy_actor *actor)
{
    enum { MOST = 100 }; // as deep as inlines may be
    const gy_sources *sources = teller->system->model->sources;
    gy_location_info calls[MOST];
    uint32_t count = sources ? gy_location_calls(sources, place, calls, MOST) : 0;
    gy_inline_call *list = GY_NEW_ARRAY(teller->arena, gy_inline_call, count + 1);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (gy_inline_call){
            .name = gy_arena_strdup(teller->arena, calls[i].via),
            .file = gy_arena_strdup(teller->arena, gy_source_name(sources, calls[i].file)),
            .line = calls[i].line,
            .column = calls[i].column};
    actor->calls = list;
    actor->call_count = count;
}

// What does not depend on the process: the type, the place and the statement.
static const gy_actor *actor_of(gy_explainer *teller, int32_t edge)
{
    const gy_model *model = teller->system->model;
    gy_actor *known = &teller->actors[edge];
    gy_edge_facts facts = {0};
    if (!known->text && gy_edge_info(teller->system, edge, &facts)) {
        gy_text line = {0};
        gy_name_statement(facts.text, 0, &line);
        known->text = gy_keep(teller->arena, &line);
        known->type = gy_arena_strdup(teller->arena,
                                      gy_template_name(&model->templates[model->edges[edge].tmpl]));
        known->file = gy_arena_strdup(teller->arena, facts.file ? facts.file : model->name);
        known->line = facts.line;
        known->column =
            facts.line ? gy_location_user(model->sources, model->edges[edge].place).column : 0;
        tell_calls(teller, model->edges[edge].place, known);
    }
    return known;
}

gy_actor gy_tell_actor(gy_explainer *teller, int32_t pid, int32_t edge)
{
    gy_actor actor = *actor_of(teller, edge);
    actor.pid = pid;
    actor.process = gy_arena_printf(teller->arena, "%s(%d)", actor.type, pid);
    return actor;
}

// The step is that of the process or, of a rendezvous, of its partner.
static gy_actor tell_actor(gy_explainer *teller, const gy_path *path, const gy_step *step,
                           bool partner)
{
    int32_t edge = partner ? step->partner_edge : step->edge;
    int32_t pid = partner ? step->partner : step->pid;
    if (teller->system->model && (uint32_t)edge < teller->edge_count)
        return gy_tell_actor(teller, pid, edge);
    // A foreign system knows numbers only.
    gy_actor actor = {.pid = pid};
    char *statement = gy_step_text(path->worker, step);
    gy_text text = {0};
    gy_name_statement(statement, 0, &text);
    actor.process = gy_arena_printf(teller->arena, "process %d", actor.pid);
    actor.text = gy_keep(teller->arena, &text);
    actor.file = gy_arena_strdup(teller->arena, teller->system->file);
    gy_free(statement);
    return actor;
}

static bool are_same_calls(const gy_actor *a, const gy_actor *b)
{
    bool same = a->call_count == b->call_count;
    for (uint32_t i = 0; i < a->call_count && same; i++)
        same = a->calls[i].line == b->calls[i].line && a->calls[i].column == b->calls[i].column &&
               strcmp(a->calls[i].file, b->calls[i].file) == 0;
    return same;
}

// Were these the calls at the actor's step before, as far as steps are kept?
static bool is_called(gy_explainer *teller, const gy_path *path, size_t at, const gy_actor *actor)
{
    enum { MOST = 256 }; // steps to look back
    if (actor->call_count == 0)
        return false;
    for (size_t i = 1; i < at && i <= MOST; i++) {
        const gy_step *step = &path->moments.at[at - i].step;
        bool second = step->partner == actor->pid;
        int32_t edge = second ? step->partner_edge : step->edge;
        if ((second || step->pid == actor->pid) && (uint32_t)edge < teller->edge_count)
            return !are_same_calls(actor, actor_of(teller, edge));
    }
    return true;
}

static void tell_outcome(gy_explainer *teller, const gy_path_state *now, gy_report_step *told)
{
    const char **prints = GY_NEW_ARRAY(teller->arena, const char *, now->print_count + 1);
    for (uint32_t i = 0; i < now->print_count; i++)
        prints[i] = gy_arena_strdup(teller->arena, now->prints[i]);
    told->prints = prints;
    told->print_count = now->print_count;
    if (now->fault) {
        told->fault =
            gy_arena_strdup(teller->arena, gy_fault_row_of(teller->system, now->fault)->name);
        told->message = gy_arena_strdup(teller->arena, now->message ? now->message : "");
    }
}

void gy_tell_step(gy_explainer *teller, const gy_path *path, uint64_t number, gy_report_step *told)
{
    size_t at = (size_t)(number - path->dropped);
    const gy_path_state *before = &path->moments.at[at - 1], *now = &path->moments.at[at];
    *told = (gy_report_step){.number = number, .atomic = now->exclusive >= 0, .step = now->step};
    told->actor = tell_actor(teller, path, &now->step, false);
    told->called = is_called(teller, path, at, &told->actor);
    if (now->step.partner >= 0) {
        gy_actor *partner = GY_NEW(teller->arena, gy_actor);
        *partner = tell_actor(teller, path, &now->step, true);
        told->partner = partner;
    }
    told->atomic_before = before->exclusive >= 0 && before->exclusive == now->step.pid;
    told->atomic_after = now->exclusive >= 0 && at + 1 < path->moments.n &&
                         now->exclusive == path->moments.at[at + 1].step.pid;
    tell_outcome(teller, now, told);
    if (!teller->system->model)
        return;
    gy_decoded_state *scenes = gy_alloc(2 * sizeof *scenes);
    gy_decoded_state_open(&scenes[0], path->worker, before->state, before->words);
    gy_decoded_state_open(&scenes[1], path->worker, now->state, now->words);
    gy_tell_changes(teller->arena, &scenes[0], &scenes[1], told);
    told->moved = gy_tell_message(teller->arena, &scenes[0], &scenes[1], &now->step);
    free(scenes);
}

gy_arena *gy_tell_step_alone(const gy_path *path, uint64_t number, gy_report_step *told)
{
    gy_explainer teller;
    gy_explainer_init(&teller, gy_arena_new(), path->system);
    gy_tell_step(&teller, path, number, told);
    return teller.arena;
}

gy_arena *gy_tell_final_alone(gy_path *path, bool empty_channels, gy_final *final)
{
    gy_explainer teller;
    gy_explainer_init(&teller, gy_arena_new(), path->system);
    gy_tell_final(&teller, path, empty_channels, final);
    return teller.arena;
}

void gy_tell_walk(gy_explainer *teller, gy_path *path, bool empty_channels,
                  const char *(*enough)(void *user), void *user, gy_counterexample *told)
{
    uint64_t steps = gy_path_steps(path);
    gy_report_step *list = NULL;
    told->length = steps;
    told->cycle_start = path->cycle_start;
    told->cut = enough ? enough(user) : NULL;
    if (!told->cut)
        gy_tell_initial(teller, path, &told->initial);
    if (!told->cut)
        list = GY_NEW_ARRAY(teller->arena, gy_report_step, steps + 1);
    for (uint64_t n = 1; n <= steps && !told->cut; n++) {
        gy_tell_step(teller, path, n, &list[n - 1]);
        told->step_count = n;
        if (enough && n % ENOUGH_EVERY == 0 && n < steps)
            told->cut = enough(user);
    }
    told->steps = list;
    gy_tell_final(teller, path, empty_channels, &told->final);
}

bool gy_walk_again(gy_path *path, const gy_counterexample *told)
{
    gy_step *steps = gy_alloc((told->step_count + 1) * sizeof *steps);
    for (uint64_t i = 0; i < told->step_count; i++)
        steps[i] = told->steps[i].step;
    bool possible = gy_path_run(path, steps, told->step_count, NULL, NULL);
    path->cycle_start = told->step_count == told->length ? told->cycle_start : -1;
    free(steps);
    return possible;
}

// Columns of ":12:5".
static size_t place_digits(const gy_system *system, int32_t edge)
{
    const gy_model *model = system->model;
    if (!model || !model->edges[edge].place)
        return 0;
    gy_location_info place = gy_location_user(model->sources, model->edges[edge].place);
    return (size_t)snprintf(NULL, 0, ":%u:%u", place.line, place.column);
}

gy_widths gy_tell_widths(const gy_system *system)
{
    gy_widths widths = {0};
    for (uint32_t e = 0; e < gy_edge_count(system); e++) {
        gy_edge_facts facts;
        if (!gy_edge_info(system, (int32_t)e, &facts))
            continue;
        size_t process = gy_columns(facts.process ? facts.process : "") + 4; // (12)
        size_t digits = place_digits(system, (int32_t)e);
        size_t place = gy_columns(facts.file ? facts.file : "") + digits;
        size_t bare = gy_columns(gy_base_name(facts.file ? facts.file : "")) + digits;
        size_t statement = gy_columns(facts.text ? facts.text : "");
        if (process > widths.process)
            widths.process = process;
        if (place > widths.place)
            widths.place = place;
        if (bare > widths.short_place)
            widths.short_place = bare;
        if (statement > widths.statement)
            widths.statement = statement;
    }
    return widths;
}
