// The menu of `gyre sim --interactive`: works in a terminal and from a pipe.
#include "cli/simulation.h"
#include "report/steps/values.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

static const char help[] = "  N      take step N of the menu (Enter alone: the only one there is)\n"
                           "  r      take a random step\n"
                           "  u      undo the last step\n"
                           "  j N    go to step N: back, or on by random steps\n"
                           "  v      show all variables\n"
                           "  l      list the steps so far\n"
                           "  q      quit\n"
                           "  ?      this help\n";

static void show_menu(gy_simulation *simulation)
{
    gy_text *out = &simulation->out;
    const gy_path *path = simulation->path;
    for (size_t i = 0; i < simulation->choices.list.n; i++) {
        const gy_step *step = &simulation->choices.list.at[i].step;
        char *text = gy_step_text(path->worker, step);
        gy_edge_facts facts = {0};
        gy_text who = {0};
        if (path->system->model && gy_edge_info(path->system, step->edge, &facts)) {
            gy_name_process(path->system->model, path->system->model->edges[step->edge].tmpl,
                            step->pid, &who);
            gy_text_printf(out, "  %3zu  ", i + 1);
            gy_pad(out, gy_text_str(&who), simulation->layout.process + 2);
            gy_text_clear(&who);
            gy_text_printf(&who, "line %u", facts.line);
            gy_pad(out, gy_text_str(&who), 11);
            gy_name_statement(facts.text, 60, out);
            if (step->partner >= 0 && gy_edge_info(path->system, step->partner_edge, &facts)) {
                gy_text_add(out, "  → ");
                gy_name_process(path->system->model,
                                path->system->model->edges[step->partner_edge].tmpl, step->partner,
                                out);
                gy_text_add(out, ": ");
                gy_name_statement(facts.text, 60, out);
            }
            gy_text_char(out, '\n');
        } else {
            gy_text_printf(out, "  %3zu  %s\n", i + 1, text ? text : "");
        }
        gy_text_free(&who);
        gy_free(text);
    }
}

static void show_variables(gy_simulation *simulation)
{
    const gy_moment *now = gy_path_last(simulation->path);
    gy_text *out = &simulation->out;
    if (!simulation->path->system->model) {
        char *text = gy_state_text(simulation->path->worker, now->state, now->words);
        gy_text_printf(out, "%s\n", text ? text : "");
        gy_free(text);
        return;
    }
    gy_scene *scene = gy_alloc(sizeof *scene);
    gy_scene_open(scene, simulation->path->worker, now->state, now->words);
    size_t before = out->n;
    gy_values_globals(scene, 2, out);
    for (uint32_t p = 0; p < scene->view.process_count; p++) {
        gy_text line = {0};
        gy_values_locals(scene, (int32_t)p, &line);
        if (line.n > 0) {
            gy_text_add(out, "  ");
            gy_name_scene_process(scene, (int32_t)p, out);
            gy_text_printf(out, ": %s\n", gy_text_str(&line));
        }
        gy_text_free(&line);
    }
    if (out->n == before)
        gy_text_add(out, "  no variables\n");
    free(scene);
}

static void list_steps(gy_simulation *simulation)
{
    for (uint64_t n = 1; n <= gy_path_steps(simulation->path); n++) {
        gy_told told;
        gy_tell_step(&told, simulation->path, n);
        gy_step_text_line(&told, &simulation->layout, &simulation->show, &simulation->style,
                          simulation->path, &simulation->out);
        gy_told_free(&told);
    }
}

static void jump(gy_simulation *simulation, uint64_t target)
{
    while (gy_path_steps(simulation->path) > target && gy_path_undo(simulation->path))
        ;
    while (gy_path_steps(simulation->path) < target) {
        gy_path_choices(simulation->path, &simulation->choices);
        if (simulation->choices.list.n == 0 || !gy_simulation_random(simulation))
            break;
    }
    gy_path_choices(simulation->path, &simulation->choices);
}

// A number after the command letter, or alone.
static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    while (isspace((unsigned char)*text))
        text++;
    if (!isdigit((unsigned char)*text))
        return false;
    *number = strtoull(text, &end, 10);
    while (isspace((unsigned char)*end))
        end++;
    return *end == '\0';
}

static void take(gy_simulation *simulation, uint64_t number)
{
    if (number < 1 || number > simulation->choices.list.n) {
        gy_text_printf(&simulation->out, "there is no step %llu in the menu\n",
                       (unsigned long long)number);
        return;
    }
    gy_path_take(simulation->path, &simulation->choices.list.at[number - 1]);
    gy_simulation_show(simulation);
}

// Does what a line of input asks for. False: quit.
static bool obey(gy_simulation *simulation, const char *line)
{
    uint64_t number;
    while (isspace((unsigned char)*line))
        line++;
    switch (*line) {
    case 'q':
        return false;
    case 'u':
        if (!gy_path_undo(simulation->path))
            gy_text_add(&simulation->out, "this is the start\n");
        break;
    case 'v':
        show_variables(simulation);
        break;
    case 'l':
        list_steps(simulation);
        break;
    case 'r':
        if (simulation->choices.list.n > 0)
            gy_simulation_random(simulation);
        break;
    case 'j':
        if (read_number(line + 1, &number))
            jump(simulation, number);
        else
            gy_text_add(&simulation->out, "j needs the number of a step\n");
        break;
    case '\0':
        if (simulation->choices.list.n == 1)
            take(simulation, 1);
        else
            gy_text_add(&simulation->out, "which one? (? for help)\n");
        break;
    case '?':
    case 'h':
        gy_text_add(&simulation->out, help);
        break;
    default:
        if (read_number(line, &number))
            take(simulation, number);
        else
            gy_text_add(&simulation->out, "? shows what can be typed here\n");
        break;
    }
    return true;
}

static void prompt(gy_simulation *simulation)
{
    gy_text *out = &simulation->out;
    const gy_moment *now = gy_path_last(simulation->path);
    gy_path_choices(simulation->path, &simulation->choices);
    uint64_t steps = gy_path_steps(simulation->path);
    if (now->fault)
        gy_text_printf(out, "%s%s%s\n", simulation->style.bad, now->message, simulation->style.off);
    if (simulation->choices.list.n == 0)
        gy_text_printf(out, "after step %llu nothing can move (u undo, q quit) ",
                       (unsigned long long)steps);
    else {
        show_menu(simulation);
        gy_text_printf(out, "step %llu: 1-%zu, u undo, v variables, j N jump, q quit, ? help > ",
                       (unsigned long long)steps + 1, simulation->choices.list.n);
    }
}

void gy_simulation_interactive(gy_simulation *simulation)
{
    char *line = NULL;
    size_t room = 0;
    for (;;) {
        prompt(simulation);
        if (!gy_put(&simulation->out))
            break;
        ssize_t n = getline(&line, &room, stdin);
        if (n < 0) {
            gy_text_char(&simulation->out, '\n');
            break;
        }
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (!isatty(STDIN_FILENO)) // so that the transcript can be read
            gy_text_printf(&simulation->out, "%s\n", line);
        if (!obey(simulation, line))
            break;
    }
    free(line);
    gy_path_choices(simulation->path, &simulation->choices);
}
