#include "serve/dap/debuggee.h"

#include "report/steps/counterexample_text.h"
#include "exec/describe/blocked.h"
#include "verify/trail/trail.h"

enum { DEFAULT_MOST_STEPS = 100000 };

void gy_debuggee_init(gy_debuggee *debuggee, gy_loaded_model *subject)
{
    debuggee->subject = *subject;
    *subject = (gy_loaded_model){0};
    debuggee->expressions.model = debuggee->subject.model;
    debuggee->path = gy_path_new(debuggee->subject.system);
    if (!debuggee->most_steps)
        debuggee->most_steps = DEFAULT_MOST_STEPS;
    for (size_t i = 0; i < debuggee->breakpoints.list.n; i++)
        gy_breakpoint_resolve(&debuggee->breakpoints.list.at[i], &debuggee->expressions);
}

void gy_debuggee_free(gy_debuggee *debuggee)
{
    gy_breakpoints_free(&debuggee->breakpoints);
    gy_expressions_free(&debuggee->expressions);
    gy_cursor_free(&debuggee->cursor);
    gy_path_free(debuggee->path);
    gy_loaded_model_free(&debuggee->subject);
    *debuggee = (gy_debuggee){0};
}

static bool same_state(const gy_path_state *a, const gy_path_state *b)
{
    return a->words == b->words && a->exclusive == b->exclusive &&
           memcmp(a->state, b->state, a->words * sizeof *a->state) == 0;
}

// The path was followed to its end: all of it lies ahead now.
static void guide(gy_debuggee *debuggee)
{
    gy_path *path = debuggee->path;
    uint64_t length = gy_path_steps(path);
    gy_cursor_init(&debuggee->cursor, path, 1);
    debuggee->cursor.guided = true;
    debuggee->closes = path->cycle_start >= 0 && (uint64_t)path->cycle_start < length &&
                       same_state(gy_path_last(path), &path->moments.at[path->cycle_start]);
    gy_cursor_rewind(&debuggee->cursor);
}

// Is this the state that the counterexample ends in?
static bool ends_there(gy_path *path, const gy_counterexample *told)
{
    gy_final final;
    gy_arena *arena = gy_tell_final_alone(path, told->final.empty_channels, &final);
    json_t *here = gy_state_json(&final), *there = gy_state_json(&told->final);
    bool same = told->step_count < told->length || json_equal(here, there);
    json_decref(here);
    json_decref(there);
    gy_arena_free(arena);
    return same;
}

bool gy_debuggee_retrace(gy_debuggee *debuggee, const gy_counterexample *told)
{
    if (!gy_walk_again(debuggee->path, told) || !ends_there(debuggee->path, told))
        return false;
    guide(debuggee);
    return true;
}

bool gy_debuggee_follow(gy_debuggee *debuggee, const char *trail, size_t bytes, gy_text *note,
                        gy_user_error *complaint)
{
    gy_path *path = debuggee->path;
    gy_trail_problem problem = {0};
    bool fits = gy_trail_walk(path, trail, bytes, &problem, note);
    if (!fits && problem.line)
        gy_refuse(complaint, "line %u of the trail: %s", problem.line,
                  gy_text_str(&problem.detail));
    else if (!fits)
        gy_refuse(complaint, "the trail: %s", gy_text_str(&problem.detail));
    gy_text_free(&problem.detail);
    if (fits)
        guide(debuggee);
    return fits;
}

bool gy_debuggee_simulate(gy_debuggee *debuggee, uint64_t seed, gy_user_error *complaint)
{
    if (!gy_path_start(debuggee->path, 0) || !gy_path_last(debuggee->path)->state)
        return gy_refuse(complaint, "the model has no initial state");
    gy_cursor_init(&debuggee->cursor, debuggee->path, seed);
    debuggee->simulates = true;
    return true;
}

// ---- looking ------------------------------------------------------------------------------

uint64_t gy_debuggee_step(const gy_debuggee *debuggee)
{
    return gy_path_steps(debuggee->path);
}

uint64_t gy_debuggee_total(const gy_debuggee *debuggee)
{
    return gy_cursor_total(&debuggee->cursor) - debuggee->drawn;
}

const gy_path_state *gy_debuggee_now(const gy_debuggee *debuggee)
{
    return gy_path_last(debuggee->path);
}

const gy_path_state *gy_debuggee_next(gy_debuggee *debuggee)
{
    gy_cursor *cursor = &debuggee->cursor;
    const gy_path_state *next = gy_cursor_next(cursor);
    if (next)
        return next;
    if (debuggee->simulates) {
        debuggee->drawn = gy_cursor_take_random(cursor) && gy_cursor_back(cursor);
        return gy_cursor_next(cursor);
    }
    return debuggee->closes ? gy_cursor_moment(cursor, (uint64_t)debuggee->path->cycle_start + 1)
                            : NULL;
}

void gy_debuggee_scene(const gy_debuggee *debuggee, gy_decoded_state *scene)
{
    const gy_path_state *now = gy_debuggee_now(debuggee);
    gy_decoded_state_open(scene, debuggee->path->worker, now->state, now->words);
}

int32_t gy_debuggee_focus(gy_debuggee *debuggee)
{
    const gy_path_state *now = gy_debuggee_now(debuggee), *next = NULL;
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_debuggee_scene(debuggee, scene);
    uint32_t count = scene->view.process_count;
    int32_t pid = now->fault ? now->fault_pid : -1;
    free(scene);
    if (pid < 0 || (uint32_t)pid >= count)
        pid = (next = gy_debuggee_next(debuggee)) ? next->step.pid : now->step.pid;
    if (pid < 0 || (uint32_t)pid >= count)
        pid = count ? 0 : -1;
    return pid;
}

gy_arena *gy_debuggee_tell(const gy_debuggee *debuggee, uint64_t number, gy_report_step *told)
{
    const gy_cursor *cursor = &debuggee->cursor;
    gy_path part = {
        .system = debuggee->path->system, .worker = debuggee->path->worker, .cycle_start = -1};
    if (number < 1 || number > gy_debuggee_total(debuggee))
        return NULL;
    part.dropped = number - 1;
    for (uint64_t n = number - 1; n <= number + 1; n++)
        if (gy_cursor_moment(cursor, n))
            gy_vec_push(&part.moments, *gy_cursor_moment(cursor, n));
    gy_arena *arena = gy_tell_step_alone(&part, number, told);
    gy_vec_free(&part.moments);
    return arena;
}

static void say_deadlock(const gy_debuggee *debuggee, gy_text *out)
{
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_debuggee_scene(debuggee, scene);
    gy_text_add(out, "invalid end state:");
    const char *between = " ";
    for (uint32_t p = 0; p < scene->view.process_count && out->n < 300; p++) {
        if (gy_may_rest(scene, (int32_t)p))
            continue;
        gy_text_add(out, between);
        gy_name_scene_process(scene, (int32_t)p, out);
        gy_text_char(out, ' ');
        gy_why_blocked(scene, (int32_t)p, out);
        between = "; ";
    }
    free(scene);
}

static gy_stop_kind say_cycle_end(const gy_debuggee *debuggee, gy_text *out)
{
    unsigned long long first = (unsigned long long)debuggee->path->cycle_start + 1;
    unsigned long long last = gy_cursor_total(&debuggee->cursor);
    if (debuggee->closes && first == last)
        gy_text_printf(out, "the end of the cycle: step %llu repeats for ever", last);
    else if (debuggee->closes)
        gy_text_printf(out, "the end of the cycle: steps %llu to %llu repeat for ever", first,
                       last);
    else
        gy_text_add(out, "the end of the run: the last state lasts for ever");
    return GY_STOP_CYCLE_END;
}

gy_stop_kind gy_debuggee_ending(gy_debuggee *debuggee, gy_text *out)
{
    const gy_path_state *now = gy_debuggee_now(debuggee);
    gy_path *path = debuggee->path;
    if (now->fault) {
        const gy_fault_row *row = gy_fault_row_of(path->system, now->fault);
        gy_text_add(out, now->message ? now->message : row->name);
        return row->traits & GY_FAULT_IS_ASSERTION ? GY_STOP_ASSERTION : GY_STOP_ERROR;
    }
    if (path->cycle_start >= 0)
        return say_cycle_end(debuggee, out);
    if (gy_cursor_choices(&debuggee->cursor)->list.n > 0) {
        gy_text_add(out, "the end of the trail");
        return GY_STOP_END;
    }
    if (!debuggee->subject.model->may_stop &&
        !gy_is_end_state(path->worker, now->state, now->words, false)) {
        say_deadlock(debuggee, out);
        return GY_STOP_DEADLOCK;
    }
    gy_text_add(out, "the end: no process is enabled, and all are in valid end states");
    return GY_STOP_END;
}

// ---- moving by hand -----------------------------------------------------------------------

bool gy_debuggee_choose(gy_debuggee *debuggee, size_t choice)
{
    bool taken = gy_cursor_take(&debuggee->cursor, choice);
    debuggee->drawn = debuggee->drawn && debuggee->cursor.ahead.n > 0;
    return taken;
}

bool gy_debuggee_jump(gy_debuggee *debuggee, uint64_t step)
{
    if (step > gy_debuggee_total(debuggee))
        return false;
    gy_cursor_jump(&debuggee->cursor, step);
    debuggee->round = 0;
    gy_debuggee_count_all(debuggee);
    return true;
}
