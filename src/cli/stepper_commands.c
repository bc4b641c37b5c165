// The commands of a walker, as lines of text.
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

static void say(gy_stepper *walker, const char *text)
{
    gy_text_printf(&walker->out, "%s\n", text);
}

// After a move that worked or did not.
static void tell_move(gy_stepper *walker, bool moved, const char *otherwise)
{
    if (moved)
        gy_stepper_tell_step(walker);
    else
        say(walker, otherwise);
}

static void forward(gy_stepper *walker)
{
    if (!walker->cursor.ahead.n && !walker->cursor.guided &&
        gy_cursor_choices(&walker->cursor)->list.n > 1)
        say(walker, "which one? (? for help)");
    else
        tell_move(walker, gy_cursor_forward(&walker->cursor),
                  walker->cursor.guided ? "the trail ends here" : "no process is enabled");
}

static void take(gy_stepper *walker, uint64_t number)
{
    if (walker->cursor.guided)
        say(walker, "a replay follows the trail: n goes forward (? for help)");
    else if (number < 1 || !gy_cursor_take(&walker->cursor, (size_t)number - 1))
        gy_text_printf(&walker->out, "no step %llu in the menu\n", (unsigned long long)number);
    else
        gy_stepper_tell_step(walker);
}

static void list_expressions(gy_stepper *walker, const gy_watches *list)
{
    for (size_t i = 0; i < list->list.n; i++)
        gy_text_printf(&walker->out, "  %s\n", list->list.at[i].text);
}

static void add_expression(gy_stepper *walker, gy_watches *list, const char *text)
{
    char *problem;
    if (!list->model)
        say(walker, "a shared object has no names that an expression could use");
    else if (!gy_watches_add(list, text, &problem)) {
        gy_text_add(&walker->out, problem);
        free(problem);
    }
}

static void watch(gy_stepper *walker, const char *text)
{
    if (!*text)
        list_expressions(walker, &walker->watches);
    else if (!strcmp(text, "-"))
        gy_watches_clear(&walker->watches);
    else
        add_expression(walker, &walker->watches, text);
    gy_stepper_tell_watches(walker);
}

static void stop_at(gy_stepper *walker, const char *text)
{
    uint64_t line;
    if (!*text) {
        for (size_t i = 0; i < walker->stop_lines.n; i++)
            gy_text_printf(&walker->out, "  line %u\n", walker->stop_lines.at[i]);
        list_expressions(walker, &walker->stops);
        if (!walker->stop_lines.n && !walker->stops.list.n)
            say(walker, "no breakpoints");
    } else if (!strcmp(text, "-")) {
        walker->stop_lines.n = 0;
        gy_watches_clear(&walker->stops);
    } else if (read_number(text, &line)) {
        gy_vec_push(&walker->stop_lines, (uint32_t)line);
    } else {
        add_expression(walker, &walker->stops, text);
    }
}

static void save_trail(gy_stepper *walker, const char *file)
{
    gy_text trail = {0};
    if (!*file) {
        say(walker, "t needs the name of a file");
        return;
    }
    if (!walker->cursor.path->system->model) {
        say(walker, "a shared object has no trails");
        return;
    }
    gy_trail_text(walker->cursor.path, &trail);
    if (!gy_new_file_put(file, GY_NAMED, gy_text_str(&trail), trail.n))
        gy_text_printf(&walker->out, "cannot write %s: %s\n", file, strerror(errno));
    else
        gy_text_printf(&walker->out, "%llu steps are in %s\n",
                       (unsigned long long)gy_path_steps(walker->cursor.path), file);
    gy_text_free(&trail);
}

static void obey_number(gy_stepper *walker, const char *line)
{
    uint64_t number;
    if (read_number(line, &number))
        take(walker, number);
    else
        say(walker, "? shows what can be typed here");
}

bool gy_stepper_obey(gy_stepper *walker, const char *line)
{
    uint64_t number;
    line = skip_blanks(line);
    const char *rest = *line ? skip_blanks(line + 1) : line;
    switch (*line) {
    case 'q':
        return false;
    case '\0':
    case 'n':
        forward(walker);
        break;
    case 'u':
        if (!gy_cursor_back(&walker->cursor))
            say(walker, "this is the start");
        break;
    case 'j':
        if (read_number(rest, &number)) {
            gy_cursor_jump(&walker->cursor, number);
            gy_stepper_tell_step(walker);
        } else {
            say(walker, "j needs the number of a step");
        }
        break;
    case 'g':
        gy_stepper_run(walker);
        gy_stepper_tell_step(walker);
        break;
    case '/':
        tell_move(walker, *rest && gy_stepper_search(walker, rest),
                  *rest ? "not found from there on" : "/ needs a string");
        break;
    case 'b':
        stop_at(walker, rest);
        break;
    case 'w':
        watch(walker, rest);
        break;
    case 'v':
        gy_stepper_tell_values(walker);
        break;
    case 'y':
        gy_stepper_tell_blocked(walker);
        break;
    case 'l':
        gy_stepper_tell_steps(walker);
        break;
    case 'm':
        gy_stepper_tell_chart(walker);
        break;
    case 't':
        save_trail(walker, rest);
        break;
    case 'r':
        tell_move(walker, !walker->cursor.guided && gy_cursor_take_random(&walker->cursor),
                  "no step was taken");
        break;
    case '?':
    case 'h':
        gy_text_printf(&walker->out, "%s%s", walker->cursor.guided ? "" : help_choosing,
                       help_moving);
        break;
    default:
        obey_number(walker, line);
        break;
    }
    return true;
}

static void prompt(gy_stepper *walker)
{
    unsigned long long steps = gy_path_steps(walker->cursor.path);
    if (walker->cursor.guided)
        gy_text_printf(&walker->out,
                       "step %llu of %llu: n forward, u back, j N jump, v variables, q quit, "
                       "? help > ",
                       steps, (unsigned long long)gy_cursor_total(&walker->cursor));
    else if (!gy_cursor_choices(&walker->cursor)->list.n)
        gy_text_printf(&walker->out, "after step %llu no process is enabled (u undo, q quit) ",
                       steps);
    else {
        gy_stepper_tell_menu(walker);
        gy_text_printf(&walker->out,
                       "step %llu: 1-%zu, u undo, v variables, j N jump, q quit, ? help > ",
                       steps + 1, gy_cursor_choices(&walker->cursor)->list.n);
    }
}

void gy_stepper_lines(gy_stepper *walker, FILE *input)
{
    char *line = NULL;
    size_t room = 0;
    bool echoes = !isatty(fileno(input)); // so that the transcript can be read
    for (;;) {
        prompt(walker);
        if (!gy_put(&walker->out))
            break;
        ssize_t n = getline(&line, &room, input);
        if (n < 0) {
            gy_text_char(&walker->out, '\n');
            break;
        }
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (echoes)
            gy_text_printf(&walker->out, "%s\n", line);
        if (!gy_stepper_obey(walker, line))
            break;
    }
    free(line);
}
