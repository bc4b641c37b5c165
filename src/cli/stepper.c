#include "cli/stepper.h"

#include "verify/explain/explain.h"

#include <stdlib.h>

void gy_stepper_init(gy_stepper *walker, const gy_arguments *arguments, gy_path *path,
                     gy_model *model)
{
    *walker = (gy_stepper){
        .arguments = arguments,
        .style = gy_command_style(arguments),
        .watches.model = model,
        .stops.model = model,
        .show = {.steps = true,
                 .changes = true,
                 .prints = true,
                 .full = gy_given(arguments, GY_OPT_FULL)},
    };
    gy_widths widths = gy_tell_widths(path->system);
    walker->style.columns = 0; // the screen cuts lines
    walker->style.links = false;
    walker->layout = gy_step_layout_for(&widths, 10000, &walker->style);
    walker->show.style = &walker->style;
    walker->show.path = path;
    gy_cursor_init(&walker->cursor, path,
                   gy_given(arguments, GY_OPT_SEED) ? arguments->value[GY_OPT_SEED].number : 1);
}

int gy_watch_for(const gy_arguments *arguments, gy_model *model, gy_watches *watches)
{
    const char *all = arguments->value[GY_OPT_SHOW].text;
    watches->model = model;
    if (!all)
        return 0;
    if (!model)
        return gy_complain(arguments, "a shared object has no names that an expression could use");
    for (const char *end; *all; all = *end ? end + 1 : end) {
        char *problem = NULL, *expression;
        end = strchrnul(all, ';');
        all += strspn(all, " ");
        expression = strndup(all, (size_t)(end - all));
        if (!gy_watches_add(watches, expression, &problem)) {
            int status = gy_complain(arguments, "--show: %s", problem);
            free(problem);
            free(expression);
            return status;
        }
        free(expression);
    }
    return 0;
}

void gy_stepper_free(gy_stepper *walker)
{
    gy_cursor_free(&walker->cursor);
    gy_watches_free(&walker->watches);
    gy_watches_free(&walker->stops);
    gy_vec_free(&walker->stop_lines);
    gy_text_free(&walker->out);
}

static bool condition_became_true(const gy_stepper *walker)
{
    const gy_path_state *now = gy_path_last(walker->cursor.path),
                        *before = gy_path_before_last(walker->cursor.path);
    for (size_t i = 0; i < walker->stops.list.n; i++) {
        const gy_watch *stop = &walker->stops.list.at[i];
        int32_t is = 0, was = 0;
        if (gy_watch_value(stop, walker->cursor.path, now, &is) && is &&
            !(before && gy_watch_value(stop, walker->cursor.path, before, &was) && was))
            return true;
    }
    return false;
}

bool gy_stepper_is_at_stop(const gy_stepper *walker)
{
    const gy_path_state *now = gy_path_last(walker->cursor.path);
    gy_edge_facts facts;
    if (now->fault || condition_became_true(walker))
        return true;
    if (!gy_edge_info(walker->cursor.path->system, now->step.edge, &facts))
        return false;
    for (size_t i = 0; i < walker->stop_lines.n; i++)
        if (walker->stop_lines.at[i] == facts.line)
            return true;
    return false;
}

void gy_stepper_run(gy_stepper *walker)
{
    enum { MOST = 1000000 }; // steps of a simulation with one choice each may never end
    for (uint32_t i = 0; i < MOST && gy_cursor_forward(&walker->cursor); i++)
        if (gy_stepper_is_at_stop(walker))
            return;
}

bool gy_stepper_search(gy_stepper *walker, const char *text)
{
    bool found = false;
    uint64_t start = gy_path_steps(walker->cursor.path);
    gy_text line = {0};
    while (!found && gy_cursor_forward(&walker->cursor)) {
        gy_report_step told;
        gy_arena *arena =
            gy_tell_step_alone(walker->cursor.path, gy_path_steps(walker->cursor.path), &told);
        gy_text_clear(&line);
        gy_style plain = gy_style_make(false);
        gy_step_show show = walker->show;
        show.style = &plain;
        gy_step_text_line(&told, &walker->layout, &show, &line);
        found = strstr(gy_text_str(&line), text) != NULL;
        gy_arena_free(arena);
    }
    gy_text_free(&line);
    if (!found)
        gy_cursor_jump(&walker->cursor, start);
    return found;
}
