// What a stepper has to report: steps, values, what is blocked, what can be done next.
#include "cli/stepper.h"
#include "report/steps/chart.h"
#include "report/steps/shown_values.h"
#include "exec/describe/blocked.h"
#include "verify/explain/explain.h"

#include <stdlib.h>

void gy_put_chart(const gy_arguments *arguments, const gy_path *path, gy_text *out)
{
    gy_chart chart;
    gy_chart_of(&chart, path);
    gy_chart_format_named(arguments->value[GY_OPT_CHART].text)(&chart, out);
    gy_chart_free(&chart);
}

static void tell_step_number(gy_stepper *stepper, uint64_t number)
{
    gy_report_step told;
    gy_path *path = stepper->cursor.path;
    if (path->cycle_start >= 0 && number == (uint64_t)path->cycle_start + 1)
        gy_text_printf(&stepper->out, "%s--- cycle starts here, repeats for ever ---%s\n",
                       stepper->style.strong, stepper->style.off);
    gy_arena *arena = gy_tell_step_alone(path, number, &told);
    if (number == gy_path_steps(path))
        told.atomic_after = gy_path_last(path)->exclusive >= 0;
    gy_step_text_line(&told, &stepper->layout, &stepper->show, &stepper->out);
    gy_arena_free(arena);
}

void gy_stepper_tell_watches(gy_stepper *stepper)
{
    if (!stepper->watches.list.n)
        return;
    gy_blanks(&stepper->out, stepper->layout.number + 3);
    gy_watches_text(&stepper->watches, stepper->cursor.path, gy_path_last(stepper->cursor.path),
                    &stepper->out);
    gy_text_char(&stepper->out, '\n');
}

void gy_stepper_tell_step(gy_stepper *stepper)
{
    uint64_t steps = gy_path_steps(stepper->cursor.path);
    const gy_path_state *now = gy_path_last(stepper->cursor.path);
    stepper->show.watches = &stepper->watches;
    if (steps == 0) {
        gy_text_add(&stepper->out, "the initial state\n");
        gy_stepper_tell_watches(stepper);
    } else {
        tell_step_number(stepper, steps);
    }
    stepper->show.watches = NULL; // elsewhere they have a place of their own
    if (now->fault)
        gy_text_printf(&stepper->out, "%s%s%s\n", stepper->style.bad, now->message,
                       stepper->style.off);
}

void gy_stepper_tell_steps(gy_stepper *stepper)
{
    for (uint64_t n = 1; n <= gy_path_steps(stepper->cursor.path); n++)
        tell_step_number(stepper, n);
}

void gy_stepper_tell_chart(gy_stepper *stepper)
{
    gy_msc msc;
    if (!stepper->cursor.path->system->model)
        return;
    gy_msc_begin(&msc, stepper->cursor.path, &stepper->out);
    for (uint64_t n = 1; n <= gy_path_steps(stepper->cursor.path); n++) {
        gy_report_step told;
        gy_arena *arena = gy_tell_step_alone(stepper->cursor.path, n, &told);
        gy_msc_step(&msc, &told, &stepper->out);
        gy_arena_free(arena);
    }
}

static gy_decoded_state *open_scene(gy_stepper *stepper)
{
    const gy_path_state *now = gy_path_last(stepper->cursor.path);
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_decoded_state_open(scene, stepper->cursor.path->worker, now->state, now->words);
    return scene;
}

void gy_stepper_tell_values(gy_stepper *stepper)
{
    gy_text *out = &stepper->out;
    gy_final now;
    gy_arena *arena = gy_tell_final_alone(stepper->cursor.path, false, &now);
    size_t before = out->n;
    if (now.text)
        gy_text_printf(out, "%s\n", now.text);
    gy_values_globals(&now, 2, 0, out);
    for (uint32_t p = 0; p < now.process_count; p++) {
        gy_text line = {0};
        gy_values_locals(&now.processes[p], &line);
        if (line.n > 0)
            gy_text_printf(out, "  %s: %s\n", now.processes[p].process, gy_text_str(&line));
        gy_text_free(&line);
    }
    if (out->n == before)
        gy_text_add(out, "  no variables\n");
    gy_arena_free(arena);
}

void gy_stepper_tell_blocked(gy_stepper *stepper)
{
    if (!stepper->cursor.path->system->model)
        return;
    gy_decoded_state *scene = open_scene(stepper);
    bool any = false;
    for (uint32_t p = 0; p < scene->view.process_count; p++) {
        bool moves = false;
        for (size_t i = 0; i < gy_cursor_choices(&stepper->cursor)->list.n; i++)
            moves |= gy_cursor_choices(&stepper->cursor)->list.at[i].step.pid == (int32_t)p ||
                     gy_cursor_choices(&stepper->cursor)->list.at[i].step.partner == (int32_t)p;
        if (moves)
            continue;
        any = true;
        gy_text_add(&stepper->out, "  ");
        gy_name_scene_process(scene, (int32_t)p, &stepper->out);
        gy_text_add(&stepper->out, " ");
        gy_why_blocked(scene, (int32_t)p, &stepper->out);
        gy_text_add(&stepper->out, gy_may_rest(scene, (int32_t)p) ? " (valid end state)\n" : "\n");
    }
    if (!any)
        gy_text_add(&stepper->out, "  every process is enabled\n");
    free(scene);
}

static void tell_choice(gy_stepper *stepper, size_t i)
{
    gy_text *out = &stepper->out;
    const gy_path *path = stepper->cursor.path;
    const gy_step *step = &gy_cursor_choices(&stepper->cursor)->list.at[i].step;
    gy_edge_facts facts = {0};
    if (!path->system->model || !gy_edge_info(path->system, step->edge, &facts)) {
        char *text = gy_step_text(path->worker, step);
        gy_text_printf(out, "  %3zu  %s\n", i + 1, text ? text : "");
        gy_free(text);
        return;
    }
    gy_text part = {0};
    const gy_model *model = path->system->model;
    gy_name_process(model, model->edges[step->edge].tmpl, step->pid, &part);
    gy_text_printf(out, "  %3zu  ", i + 1);
    gy_pad(out, gy_text_str(&part), stepper->layout.process + 2);
    gy_text_clear(&part);
    gy_text_printf(&part, "line %u", facts.line);
    gy_pad(out, gy_text_str(&part), 11);
    gy_name_statement(facts.text, 60, out);
    if (step->partner >= 0 && gy_edge_info(path->system, step->partner_edge, &facts)) {
        gy_text_add(out, "  → ");
        gy_name_process(model, model->edges[step->partner_edge].tmpl, step->partner, out);
        gy_text_add(out, ": ");
        gy_name_statement(facts.text, 60, out);
    }
    gy_text_char(out, '\n');
    gy_text_free(&part);
}

void gy_stepper_tell_menu(gy_stepper *stepper)
{
    for (size_t i = 0; i < gy_cursor_choices(&stepper->cursor)->list.n; i++)
        tell_choice(stepper, i);
}
