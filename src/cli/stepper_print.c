// What a walker has to report: steps, values, what is blocked, what can be done next.
#include "cli/stepper.h"
#include "report/steps/chart.h"
#include "report/steps/shown_values.h"
#include "verify/explain/blocked.h"
#include "verify/explain/explain.h"

#include <stdlib.h>

void gy_put_chart(const gy_arguments *arguments, const gy_path *path, gy_text *out)
{
    gy_chart chart;
    gy_chart_of(&chart, path);
    gy_chart_format_named(arguments->value[GY_OPT_CHART].text)(&chart, out);
    gy_chart_free(&chart);
}

static void tell_step_number(gy_stepper *walker, uint64_t number)
{
    gy_report_step told;
    gy_path *path = walker->cursor.path;
    if (path->cycle_start >= 0 && number == (uint64_t)path->cycle_start + 1)
        gy_text_printf(&walker->out, "%s--- cycle starts here, repeats for ever ---%s\n",
                       walker->style.strong, walker->style.off);
    gy_arena *arena = gy_tell_step_alone(path, number, &told);
    if (number == gy_path_steps(path))
        told.atomic_after = gy_path_last(path)->exclusive >= 0;
    gy_step_text_line(&told, &walker->layout, &walker->show, &walker->out);
    gy_arena_free(arena);
}

void gy_stepper_tell_watches(gy_stepper *walker)
{
    if (!walker->watches.list.n)
        return;
    gy_blanks(&walker->out, walker->layout.number + 3);
    gy_watches_text(&walker->watches, walker->cursor.path, gy_path_last(walker->cursor.path),
                    &walker->out);
    gy_text_char(&walker->out, '\n');
}

void gy_stepper_tell_step(gy_stepper *walker)
{
    uint64_t steps = gy_path_steps(walker->cursor.path);
    const gy_path_state *now = gy_path_last(walker->cursor.path);
    walker->show.watches = &walker->watches;
    if (steps == 0) {
        gy_text_add(&walker->out, "the initial state\n");
        gy_stepper_tell_watches(walker);
    } else {
        tell_step_number(walker, steps);
    }
    walker->show.watches = NULL; // elsewhere they have a place of their own
    if (now->fault)
        gy_text_printf(&walker->out, "%s%s%s\n", walker->style.bad, now->message,
                       walker->style.off);
}

void gy_stepper_tell_steps(gy_stepper *walker)
{
    for (uint64_t n = 1; n <= gy_path_steps(walker->cursor.path); n++)
        tell_step_number(walker, n);
}

void gy_stepper_tell_chart(gy_stepper *walker)
{
    gy_msc msc;
    if (!walker->cursor.path->system->model)
        return;
    gy_msc_begin(&msc, walker->cursor.path, &walker->out);
    for (uint64_t n = 1; n <= gy_path_steps(walker->cursor.path); n++) {
        gy_report_step told;
        gy_arena *arena = gy_tell_step_alone(walker->cursor.path, n, &told);
        gy_msc_step(&msc, &told, &walker->out);
        gy_arena_free(arena);
    }
}

static gy_decoded_state *open_scene(gy_stepper *walker)
{
    const gy_path_state *now = gy_path_last(walker->cursor.path);
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_decoded_state_open(scene, walker->cursor.path->worker, now->state, now->words);
    return scene;
}

void gy_stepper_tell_values(gy_stepper *walker)
{
    gy_text *out = &walker->out;
    gy_final now;
    gy_arena *arena = gy_tell_final_alone(walker->cursor.path, false, &now);
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

void gy_stepper_tell_blocked(gy_stepper *walker)
{
    if (!walker->cursor.path->system->model)
        return;
    gy_decoded_state *scene = open_scene(walker);
    bool any = false;
    for (uint32_t p = 0; p < scene->view.process_count; p++) {
        bool moves = false;
        for (size_t i = 0; i < gy_cursor_choices(&walker->cursor)->list.n; i++)
            moves |= gy_cursor_choices(&walker->cursor)->list.at[i].step.pid == (int32_t)p ||
                     gy_cursor_choices(&walker->cursor)->list.at[i].step.partner == (int32_t)p;
        if (moves)
            continue;
        any = true;
        gy_text_add(&walker->out, "  ");
        gy_name_scene_process(scene, (int32_t)p, &walker->out);
        gy_text_add(&walker->out, " ");
        gy_why_blocked(scene, (int32_t)p, &walker->out);
        gy_text_add(&walker->out, gy_may_rest(scene, (int32_t)p) ? " (valid end state)\n" : "\n");
    }
    if (!any)
        gy_text_add(&walker->out, "  every process is enabled\n");
    free(scene);
}

static void tell_choice(gy_stepper *walker, size_t i)
{
    gy_text *out = &walker->out;
    const gy_path *path = walker->cursor.path;
    const gy_step *step = &gy_cursor_choices(&walker->cursor)->list.at[i].step;
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
    gy_pad(out, gy_text_str(&part), walker->layout.process + 2);
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

void gy_stepper_tell_menu(gy_stepper *walker)
{
    for (size_t i = 0; i < gy_cursor_choices(&walker->cursor)->list.n; i++)
        tell_choice(walker, i);
}
