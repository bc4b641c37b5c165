// A stepper on a terminal: steps, source and values on one screen, and keys to move.
//
// The screen is drawn again after each key, from top to bottom: a title, the steps around the one
// that was taken last, the source around its statement, the values, what was asked for last, and a
// line of keys. Commands with an argument are typed on the last line, as in gy_stepper_lines.
#include "cli/stepper.h"
#include "verify/explain/explain.h"

#include "base/file.h"
#include "base/visible.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum {
    KEY_NONE = -1, // end of the input
    KEY_UP = 256,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_OTHER,
    PAGE = 10, // steps
};

typedef struct screen {
    gy_stepper *stepper;
    size_t rows, columns;
    GY_VEC(char *) steps; // lines of the steps of a replay, made beforehand; index 0 is step 1
    gy_file source;       // the model; no text: it cannot be read
    gy_text message;      // what was asked for last
    gy_text typed;        // a command on its way
    bool typing;
} screen;

// ---- keys -----------------------------------------------------------------------------

static int read_byte(int milliseconds)
{
    unsigned char byte;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (milliseconds >= 0 && poll(&input, 1, milliseconds) <= 0)
        return KEY_NONE;
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : KEY_NONE;
}

// After ESC [ or ESC O.
static int read_sequence(void)
{
    static const struct {
        char letter;
        int key;
    } letters[] = {{'A', KEY_UP},   {'B', KEY_DOWN}, {'C', KEY_RIGHT},
                   {'D', KEY_LEFT}, {'H', KEY_HOME}, {'F', KEY_END}};
    int byte = read_byte(50), number = 0;
    while (byte >= '0' && byte <= '9') {
        number = number * 10 + byte - '0';
        byte = read_byte(50);
    }
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (byte == letters[i].letter)
            return letters[i].key;
    if (byte == '~')
        return number == 5                  ? KEY_PAGE_UP
               : number == 6                ? KEY_PAGE_DOWN
               : number == 1 || number == 7 ? KEY_HOME
               : number == 4 || number == 8 ? KEY_END
                                            : KEY_OTHER;
    return KEY_OTHER;
}

static int read_key(void)
{
    int byte = read_byte(-1);
    if (byte != 27)
        return byte;
    byte = read_byte(50);
    return byte == '[' || byte == 'O' ? read_sequence() : KEY_OTHER;
}

// ---- drawing --------------------------------------------------------------------------

// At most `columns` characters of a line, and the end of the line. Colours cost no column.
static void put_line(gy_text *out, const char *text, size_t columns)
{
    gy_text shown = {0};
    gy_text_bytes(&shown, text, strcspn(text, "\n"));
    gy_make_visible(&shown, GY_VISIBLE_COLOURS, NULL);
    const char *line = gy_text_str(&shown);
    for (size_t used = 0; *line;) {
        if (*line == '\033') {
            while (*line && *line != 'm')
                gy_text_char(out, *line++);
            if (*line)
                gy_text_char(out, *line++);
            continue;
        }
        if (used++ == columns)
            break;
        do
            gy_text_char(out, *line++);
        while ((*line & 0xc0) == 0x80);
    }
    gy_text_add(out, "\033[0m\033[K\r\n");
    gy_text_free(&shown);
}

// Up to `most` lines of a text; returns how many there were.
static size_t put_lines(gy_text *out, const char *text, size_t columns, size_t most)
{
    size_t n = 0;
    while (*text && n < most) {
        put_line(out, text, columns);
        n++;
        text = strchr(text, '\n');
        if (!text)
            break;
        text++;
    }
    return n;
}

static char *line_of_step(gy_stepper *stepper, uint64_t number)
{
    gy_text line = {0};
    gy_report_step told;
    gy_style plain = gy_style_make(false);
    gy_arena *arena = gy_tell_step_alone(stepper->cursor.path, number, &told);
    gy_step_show show = stepper->show;
    show.style = &plain;
    gy_step_text_line(&told, &stepper->layout, &show, &line);
    gy_arena_free(arena);
    return gy_text_take(&line);
}

static void put_step(screen *s, gy_text *out, uint64_t number)
{
    gy_stepper *stepper = s->stepper;
    uint64_t now = gy_path_steps(stepper->cursor.path);
    if (number == now)
        gy_text_add(out, "\033[7m");
    if (number == 0) {
        put_line(out, "    the initial state", s->columns);
    } else if (number <= s->steps.n) {
        put_line(out, s->steps.at[number - 1], s->columns);
    } else {
        char *line = line_of_step(stepper, number);
        put_line(out, line, s->columns);
        free(line);
    }
}

static size_t put_steps(screen *s, gy_text *out, size_t rows)
{
    uint64_t now = gy_path_steps(s->stepper->cursor.path);
    uint64_t last = s->steps.n ? s->steps.n : now;
    uint64_t first = now > rows / 2 ? now - rows / 2 : 0;
    size_t n = 0;
    for (uint64_t i = first; i <= last && n < rows; i++, n++)
        put_step(s, out, i);
    return n;
}

static size_t put_source(screen *s, gy_text *out, size_t rows)
{
    gy_edge_facts facts;
    const gy_path_state *now = gy_path_last(s->stepper->cursor.path);
    const char *line = s->source.text, *name = s->stepper->arguments->files[0];
    const char *slash = strrchr(name, '/');
    if (!line || !gy_edge_info(s->stepper->cursor.path->system, now->step.edge, &facts) ||
        (strcmp(facts.file, name) != 0 && strcmp(facts.file, slash ? slash + 1 : name) != 0))
        return 0;
    size_t n = 0, half = rows / 2;
    for (uint32_t number = 1; line && n < rows; number++) {
        if (number + half >= facts.line) {
            gy_text row = {0};
            const char *end = strchrnul(line, '\n');
            gy_text_printf(&row, "%s%4u │ ", number == facts.line ? "\033[1m" : "", number);
            gy_text_bytes(&row, line, (size_t)(end - line));
            put_line(out, gy_text_str(&row), s->columns);
            gy_text_free(&row);
            n++;
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return n;
}

static void put_title(screen *s, gy_text *out)
{
    gy_text title = {0};
    gy_stepper *stepper = s->stepper;
    gy_text_printf(&title, "%s  step %llu", stepper->cursor.path->system->name,
                   (unsigned long long)gy_path_steps(stepper->cursor.path));
    if (stepper->cursor.guided)
        gy_text_printf(&title, " of %llu", (unsigned long long)gy_cursor_total(&stepper->cursor));
    if (stepper->cursor.path->cycle_start >= 0)
        gy_text_printf(&title, ", the cycle begins after step %lld",
                       (long long)stepper->cursor.path->cycle_start);
    gy_text_add(out, "\033[1m");
    put_line(out, gy_text_str(&title), s->columns);
    gy_text_free(&title);
}

// What a function appends to the stepper's text, as lines of the screen.
static size_t put_told(screen *s, gy_text *out, void tell(gy_stepper *), size_t most)
{
    gy_text_clear(&s->stepper->out);
    tell(s->stepper);
    size_t n = put_lines(out, gy_text_str(&s->stepper->out), s->columns, most);
    gy_text_clear(&s->stepper->out);
    return n;
}

static void put_bottom(screen *s, gy_text *out)
{
    gy_text line = {0};
    if (s->typing)
        gy_text_add(&line, gy_text_str(&s->typed));
    else
        gy_text_printf(&line,
                       "\033[2m%s← → step  Home End  g go on  / find  b stop at  w watch  v values"
                       "  y why blocked  m chart  ? help  q quit",
                       s->stepper->cursor.guided ? "" : "1-9 choose  ");
    put_line(out, gy_text_str(&line), s->columns - 1);
    out->n -= 2; // no new line: it would scroll
    out->at[out->n] = '\0';
    gy_text_free(&line);
}

static void measure(screen *s)
{
    struct winsize size;
    s->rows = 24;
    s->columns = 80;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 7 && size.ws_col > 20) {
        s->rows = size.ws_row;
        s->columns = size.ws_col;
    }
}

static bool draw(screen *s)
{
    gy_text out = {0};
    gy_stepper *stepper = s->stepper;
    const gy_path_state *now = gy_path_last(stepper->cursor.path);
    measure(s);
    size_t left = s->rows - 2; // without title and bottom
    gy_text_add(&out, "\033[H");
    put_title(s, &out);
    left -= put_steps(s, &out, left / 3);
    if (now->fault && left)
        left -= put_lines(&out, now->message, s->columns, 1);
    left -= put_told(s, &out, gy_stepper_tell_watches, left);
    if (!stepper->cursor.guided)
        left -= put_told(s, &out, gy_stepper_tell_menu, left / 2);
    if (s->message.n) {
        left -= put_lines(&out, gy_text_str(&s->message), s->columns, left);
    } else {
        left -= put_source(s, &out, left / 2);
        left -= put_told(s, &out, gy_stepper_tell_values, left);
    }
    for (; left; left--)
        put_line(&out, "", s->columns);
    put_bottom(s, &out);
    gy_text_add(&out, "\033[J");
    bool fine = gy_put_screen(&out);
    gy_text_free(&out);
    return fine;
}

// ---- doing what a key says ------------------------------------------------------------

// A command as it would be typed; what it prints is shown until the next key.
static bool obey(screen *s, const char *line)
{
    bool goes_on = gy_stepper_obey(s->stepper, line);
    gy_text_clear(&s->message);
    gy_text_add(&s->message, gy_text_str(&s->stepper->out));
    gy_text_clear(&s->stepper->out);
    return goes_on;
}

static bool type(screen *s, int key)
{
    if (key == '\r' || key == '\n') {
        s->typing = false;
        return obey(s, gy_text_str(&s->typed));
    }
    if ((key == 127 || key == 8) && s->typed.n > 1) {
        s->typed.n--;
        s->typed.at[s->typed.n] = '\0';
    } else if (key == 127 || key == 8 || key == KEY_OTHER || key == 3) {
        s->typing = false;
    } else if (key >= 32 && key < 256) {
        gy_text_char(&s->typed, (char)key);
    }
    return true;
}

static void begin_typing(screen *s, int key)
{
    s->typing = true;
    gy_text_clear(&s->typed);
    gy_text_char(&s->typed, (char)key);
    if (key == 'j' || key == 'b' || key == 'w' || key == 't' || key == '/')
        gy_text_char(&s->typed, ' ');
}

static bool move(screen *s, int key)
{
    gy_stepper *stepper = s->stepper;
    uint64_t now = gy_path_steps(stepper->cursor.path), total = gy_cursor_total(&stepper->cursor);
    switch (key) {
    case KEY_RIGHT:
    case KEY_DOWN:
    case ' ':
    case '\r':
    case '\n':
        gy_cursor_forward(&stepper->cursor);
        return true;
    case KEY_LEFT:
    case KEY_UP:
        gy_cursor_back(&stepper->cursor);
        return true;
    case KEY_HOME:
        gy_cursor_jump(&stepper->cursor, 0);
        return true;
    case KEY_END:
        gy_cursor_jump(&stepper->cursor, total);
        return true;
    case KEY_PAGE_UP:
        gy_cursor_jump(&stepper->cursor, now > PAGE ? now - PAGE : 0);
        return true;
    case KEY_PAGE_DOWN:
        gy_cursor_jump(&stepper->cursor, now + PAGE < total ? now + PAGE : total);
        return true;
    default:
        return false;
    }
}

// False: the user has had enough.
static bool press(screen *s, int key)
{
    if (s->typing)
        return type(s, key);
    gy_text_clear(&s->message);
    if (key == KEY_NONE || key == 3 || key == 4) // Ctrl-C, Ctrl-D
        return false;
    if (move(s, key) || key >= 128)
        return true;
    if (strchr("jbwt/:", key) ||
        (key >= '1' && key <= '9' && gy_cursor_choices(&s->stepper->cursor)->list.n > 9)) {
        begin_typing(s, key == ':' ? ' ' : key);
        return true;
    }
    char line[2] = {(char)key, '\0'};
    bool goes_on = obey(s, line);
    if (strchr("nugr123456789", key)) // the screen shows the step anyway
        gy_text_clear(&s->message);
    return goes_on;
}

// ---- the terminal ---------------------------------------------------------------------

bool gy_stepper_has_screen(const gy_arguments *arguments)
{
    const char *terminal = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal &&
           strcmp(terminal, "dumb") != 0 && !gy_given(arguments, GY_OPT_JSON) &&
           !gy_given(arguments, GY_OPT_QUIET);
}

static void prepare(screen *s)
{
    static const gy_file_rules rules = {.regular_only = true};
    gy_stepper *stepper = s->stepper;
    gy_file_read(stepper->arguments->files[0], &rules, &s->source);
    if (!stepper->cursor.guided)
        return;
    uint64_t now = gy_path_steps(stepper->cursor.path);
    gy_cursor_jump(&stepper->cursor, gy_cursor_total(&stepper->cursor));
    for (uint64_t n = 1; n <= gy_path_steps(stepper->cursor.path); n++)
        gy_vec_push(&s->steps, line_of_step(stepper, n));
    gy_cursor_jump(&stepper->cursor, now);
}

void gy_stepper_screen(gy_stepper *stepper)
{
    struct termios before, raw;
    screen s = {.stepper = stepper};
    if (tcgetattr(STDIN_FILENO, &before) != 0) {
        gy_stepper_lines(stepper, stdin);
        return;
    }
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    prepare(&s);
    gy_text enter = {0}, leave = {0};
    gy_text_add(&enter, "\033[?1049h");
    gy_text_add(&leave, "\033[?1049l");
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    gy_put_screen(&enter);
    while (draw(&s) && press(&s, read_key()))
        ;
    gy_put_screen(&leave);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    gy_text_free(&enter);
    gy_text_free(&leave);
    for (size_t i = 0; i < s.steps.n; i++)
        free(s.steps.at[i]);
    gy_vec_free(&s.steps);
    gy_text_free(&s.message);
    gy_text_free(&s.typed);
    gy_file_free(&s.source);
}
