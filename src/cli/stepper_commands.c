// The commands of a stepper, as lines of text.
#include "base/new_file.h"
#include "cli/stepper.h"
#include "verify/trail/trail.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const char help_moving[] =
    "  n      forward (so does Enter, if only one step is possible)\n"
    "  u      undo the last step; n takes it again\n"
    "  j N    go to step N: back or forward\n"
    "  g      continue to the next breakpoint, the end, or the next choice\n"
    "  / TEXT continue to a step that shows TEXT\n"
    "  b LINE set a breakpoint at a line of the model;  b EXPR  where a condition becomes true\n"
    "         (b alone lists the breakpoints, b - removes them)\n"
    "  w EXPR show the value of an expression at every step (w alone, w -: as for b)\n"
    "  v      show all variables\n"
    "  y      why processes are blocked\n"
    "  l      list the steps so far\n"
    "  m      draw them as a message sequence chart\n"
    "  t FILE save them as a trail\n"
    "  q      quit\n"
    "  ?      this help\n";
static const char help_choosing[] = "  N      take step N of the menu\n"
                                    "  r      take a random step\n";

static const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    text = skip_blanks(text);
    if (!isdigit((unsigned char)*text))
        return false;
    *number = strtoull(text, &end, 10);
    return *skip_blanks(end) == '\0';
}

static void say(gy_stepper *stepper, const char *text)
{
    gy_text_printf(&stepper->out, "%s\n", text);
}

// After a move that worked or did not.
static void tell_move(gy_stepper *stepper, bool moved, const char *otherwise)
{
    if (moved)
        gy_stepper_tell_step(stepper);
    else
        say(stepper, otherwise);
}

static void forward(gy_stepper *stepper)
{
    if (!stepper->cursor.ahead.n && !stepper->cursor.guided &&
        gy_cursor_choices(&stepper->cursor)->list.n > 1)
        say(stepper, "which one? (? for help)");
    else
        tell_move(stepper, gy_cursor_forward(&stepper->cursor),
                  stepper->cursor.guided ? "the trail ends here" : "no process is enabled");
}

static void take(gy_stepper *stepper, uint64_t number)
{
    if (stepper->cursor.guided)
        say(stepper, "a replay follows the trail: n goes forward (? for help)");
    else if (number < 1 || !gy_cursor_take(&stepper->cursor, (size_t)number - 1))
        gy_text_printf(&stepper->out, "no step %llu in the menu\n", (unsigned long long)number);
    else
        gy_stepper_tell_step(stepper);
}

static void list_expressions(gy_stepper *stepper, const gy_watches *list)
{
    for (size_t i = 0; i < list->list.n; i++)
        gy_text_printf(&stepper->out, "  %s\n", list->list.at[i].text);
}

static void add_expression(gy_stepper *stepper, gy_watches *list, const char *text)
{
    char *problem;
    if (!gy_watches_add(list, text, &problem)) {
        gy_text_add(&stepper->out, problem);
        free(problem);
    }
}

static void watch(gy_stepper *stepper, const char *text)
{
    if (!*text)
        list_expressions(stepper, &stepper->watches);
    else if (!strcmp(text, "-"))
        gy_watches_clear(&stepper->watches);
    else
        add_expression(stepper, &stepper->watches, text);
    gy_stepper_tell_watches(stepper);
}

static void stop_at(gy_stepper *stepper, const char *text)
{
    uint64_t line;
    if (!*text) {
        for (size_t i = 0; i < stepper->stop_lines.n; i++)
            gy_text_printf(&stepper->out, "  line %u\n", stepper->stop_lines.at[i]);
        list_expressions(stepper, &stepper->stops);
        if (!stepper->stop_lines.n && !stepper->stops.list.n)
            say(stepper, "no breakpoints");
    } else if (!strcmp(text, "-")) {
        stepper->stop_lines.n = 0;
        gy_watches_clear(&stepper->stops);
    } else if (read_number(text, &line)) {
        gy_vec_push(&stepper->stop_lines, (uint32_t)line);
    } else {
        add_expression(stepper, &stepper->stops, text);
    }
}

static void save_trail(gy_stepper *stepper, const char *file)
{
    gy_text trail = {0};
    if (!*file) {
        say(stepper, "t needs the name of a file");
        return;
    }
    if (!stepper->cursor.path->system->model) {
        say(stepper, "a shared object has no trails");
        return;
    }
    gy_trail_text(stepper->cursor.path, &trail);
    if (!gy_new_file_put(file, GY_NAMED, gy_text_str(&trail), trail.n))
        gy_text_printf(&stepper->out, "cannot write %s: %s\n", file, strerror(errno));
    else
        gy_text_printf(&stepper->out, "%llu steps are in %s\n",
                       (unsigned long long)gy_path_steps(stepper->cursor.path), file);
    gy_text_free(&trail);
}

static void obey_number(gy_stepper *stepper, const char *line)
{
    uint64_t number;
    if (read_number(line, &number))
        take(stepper, number);
    else
        say(stepper, "? shows what can be typed here");
}

bool gy_stepper_obey(gy_stepper *stepper, const char *line)
{
    uint64_t number;
    line = skip_blanks(line);
    const char *rest = *line ? skip_blanks(line + 1) : line;
    switch (*line) {
    case 'q':
        return false;
    case '\0':
    case 'n':
        forward(stepper);
        break;
    case 'u':
        if (!gy_cursor_back(&stepper->cursor))
            say(stepper, "this is the start");
        break;
    case 'j':
        if (read_number(rest, &number)) {
            gy_cursor_jump(&stepper->cursor, number);
            gy_stepper_tell_step(stepper);
        } else {
            say(stepper, "j needs the number of a step");
        }
        break;
    case 'g':
        gy_stepper_run(stepper);
        gy_stepper_tell_step(stepper);
        break;
    case '/':
        tell_move(stepper, *rest && gy_stepper_search(stepper, rest),
                  *rest ? "not found from there on" : "/ needs a string");
        break;
    case 'b':
        stop_at(stepper, rest);
        break;
    case 'w':
        watch(stepper, rest);
        break;
    case 'v':
        gy_stepper_tell_values(stepper);
        break;
    case 'y':
        gy_stepper_tell_blocked(stepper);
        break;
    case 'l':
        gy_stepper_tell_steps(stepper);
        break;
    case 'm':
        gy_stepper_tell_chart(stepper);
        break;
    case 't':
        save_trail(stepper, rest);
        break;
    case 'r':
        tell_move(stepper, !stepper->cursor.guided && gy_cursor_take_random(&stepper->cursor),
                  "no step was taken");
        break;
    case '?':
    case 'h':
        gy_text_printf(&stepper->out, "%s%s", stepper->cursor.guided ? "" : help_choosing,
                       help_moving);
        break;
    default:
        obey_number(stepper, line);
        break;
    }
    return true;
}

static void prompt(gy_stepper *stepper)
{
    unsigned long long steps = gy_path_steps(stepper->cursor.path);
    if (stepper->cursor.guided)
        gy_text_printf(&stepper->out,
                       "step %llu of %llu: n forward, u back, j N jump, v variables, q quit, "
                       "? help > ",
                       steps, (unsigned long long)gy_cursor_total(&stepper->cursor));
    else if (!gy_cursor_choices(&stepper->cursor)->list.n)
        gy_text_printf(&stepper->out, "after step %llu no process is enabled (u undo, q quit) ",
                       steps);
    else {
        gy_stepper_tell_menu(stepper);
        gy_text_printf(&stepper->out,
                       "step %llu: 1-%zu, u undo, v variables, j N jump, q quit, ? help > ",
                       steps + 1, gy_cursor_choices(&stepper->cursor)->list.n);
    }
}

void gy_stepper_lines(gy_stepper *stepper, FILE *input)
{
    char *line = NULL;
    size_t room = 0;
    bool echoes = !isatty(fileno(input)); // so that the transcript can be read
    for (;;) {
        prompt(stepper);
        if (!gy_put(&stepper->out))
            break;
        ssize_t n = getline(&line, &room, input);
        if (n < 0) {
            gy_text_char(&stepper->out, '\n');
            break;
        }
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (echoes)
            gy_text_printf(&stepper->out, "%s\n", line);
        if (!gy_stepper_obey(stepper, line))
            break;
    }
    free(line);
}
