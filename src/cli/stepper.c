#include "cli/stepper.h"

#include "verify/explain/explain.h"

#include <stdlib.h>

void gy_stepper_init(gy_stepper *stepper, const gy_arguments *arguments, gy_path *path,
                     gy_model *model)
{
    *stepper = (gy_stepper){
        .arguments = arguments,
        .style = gy_command_style(arguments),
        .watches = {.model = model, .system = path->system},
        .stops = {.model = model, .system = path->system},
        .show = {.steps = true,
                 .changes = true,
                 .prints = true,
                 .full = gy_given(arguments, GY_OPT_FULL)},
    };
    gy_widths widths = gy_tell_widths(path->system);
    stepper->style.columns = 0; // the screen cuts lines
    stepper->style.links = false;
    stepper->layout = gy_step_layout_for(&widths, 10000, &stepper->style);
    stepper->show.style = &stepper->style;
    stepper->show.path = path;
    gy_cursor_init(&stepper->cursor, path,
                   gy_given(arguments, GY_OPT_SEED) ? arguments->value[GY_OPT_SEED].number : 1);
}

int gy_watch_for(const gy_arguments *arguments, const gy_loaded_model *subject, gy_watches *watches)
{
    const char *all = arguments->value[GY_OPT_SHOW].text;
    watches->model = subject->model;
    watches->system = subject->system;
    if (!all)
        return 0;
    for (const char *end; *all; all = *end ? end + 1 : end) {
        char *problem = NULL, *expression;
        end = strchrnul(all, ';');
        all += strspn(all, " ");
        expression = strndup(all, (size_t)(end - all));
        if (!gy_watches_add(watches, expression, &problem)) {
            const char *start = strstr(problem, "error: "), *cause = start ? start + 7 : problem;
            int status = gy_complain(arguments, "--show: `%s`: %.*s", expression,
                                     (int)strcspn(cause, "\n"), cause);
            free(problem);
            free(expression);
            return status;
        }
        free(expression);
    }
    return 0;
}

void gy_stepper_free(gy_stepper *stepper)
{
    gy_cursor_free(&stepper->cursor);
    gy_watches_free(&stepper->watches);
    gy_watches_free(&stepper->stops);
    gy_vec_free(&stepper->stop_lines);
    gy_text_free(&stepper->out);
}

static bool condition_became_true(const gy_stepper *stepper)
{
    const gy_path_state *now = gy_path_last(stepper->cursor.path),
                        *before = gy_path_before_last(stepper->cursor.path);
    for (size_t i = 0; i < stepper->stops.list.n; i++) {
        const gy_watch *stop = &stepper->stops.list.at[i];
        int32_t is = 0, was = 0;
        if (gy_watch_value(stop, stepper->cursor.path, now, &is) && is &&
            !(before && gy_watch_value(stop, stepper->cursor.path, before, &was) && was))
            return true;
    }
    return false;
}

bool gy_stepper_is_at_stop(const gy_stepper *stepper)
{
    const gy_path_state *now = gy_path_last(stepper->cursor.path);
    gy_edge_facts facts;
    if (now->fault || condition_became_true(stepper))
        return true;
    if (!gy_edge_info(stepper->cursor.path->system, now->step.edge, &facts))
        return false;
    for (size_t i = 0; i < stepper->stop_lines.n; i++)
        if (stepper->stop_lines.at[i] == facts.line)
            return true;
    return false;
}

void gy_stepper_run(gy_stepper *stepper)
{
    enum { MOST = 1000000 }; // steps of a simulation with one choice each may never end
    for (uint32_t i = 0; i < MOST && gy_cursor_forward(&stepper->cursor); i++)
        if (gy_stepper_is_at_stop(stepper))
            return;
}

bool gy_stepper_search(gy_stepper *stepper, const char *text)
{
    bool found = false;
    uint64_t start = gy_path_steps(stepper->cursor.path);
    gy_text line = {0};
    while (!found && gy_cursor_forward(&stepper->cursor)) {
        gy_report_step told;
        gy_arena *arena =
            gy_tell_step_alone(stepper->cursor.path, gy_path_steps(stepper->cursor.path), &told);
        gy_text_clear(&line);
        gy_style plain = gy_style_make(false);
        gy_step_show show = stepper->show;
        show.style = &plain;
        gy_step_text_line(&told, &stepper->layout, &show, &line);
        found = strstr(gy_text_str(&line), text) != NULL;
        gy_arena_free(arena);
    }
    gy_text_free(&line);
    if (!found)
        gy_cursor_jump(&stepper->cursor, start);
    return found;
}
