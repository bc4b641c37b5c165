// A stepper that a program drives: requests and replies are JSON, one object to a line.
// docs/protocol.md says what can be asked; tests/cli/test_protocol.py is a client.
#include "base/new_file.h"
#include "cli/stepper.h"
#include "report/json.h"
#include "verify/explain/explain.h"
#include "verify/trail/trail.h"

#include <errno.h>
#include <stdlib.h>

typedef struct protocol {
    gy_stepper *stepper;
    json_t *request;
    json_t *reply;
} protocol;

static bool refuse(protocol *p, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// False, for callers to return.
static bool refuse(protocol *p, const char *code, const char *format, ...)
{
    gy_text message = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&message, format, args);
    va_end(args);
    json_object_set_new(p->reply, "error",
                        json_pack("{s:s, s:o}", "code", code, "message", gy_json_take(&message)));
    return false;
}

// ---- what a reply reports -------------------------------------------------------------------

static json_t *choice_json(gy_explainer *teller, const gy_path *path, const gy_step *step,
                           size_t number)
{
    json_t *item = json_object();
    json_object_set_new(item, "choice", json_integer((json_int_t)number));
    if (!path->system->model) {
        char *text = gy_step_text(path->worker, step);
        gy_actor actor = {.pid = step->pid, .file = path->system->file, .text = text ? text : ""};
        gy_actor_json(&actor, item);
        gy_free(text);
        return item;
    }
    gy_actor actor = gy_tell_actor(teller, step->pid, step->edge);
    gy_actor_json(&actor, item);
    if (step->partner >= 0) {
        json_t *partner = json_object();
        actor = gy_tell_actor(teller, step->partner, step->partner_edge);
        gy_actor_json(&actor, partner);
        json_object_set_new(partner, "edge", json_integer(step->partner_edge));
        json_object_set_new(item, "partner", partner);
    }
    return item;
}

// In a replay, the one step of the trail.
static json_t *choices_json(gy_stepper *stepper)
{
    json_t *list = json_array();
    gy_explainer teller;
    gy_explainer_init(&teller, gy_arena_new(), stepper->cursor.path->system);
    for (size_t i = 0; i < gy_cursor_choices(&stepper->cursor)->list.n; i++) {
        const gy_step *step = &gy_cursor_choices(&stepper->cursor)->list.at[i].step;
        const gy_path_state *next = gy_cursor_next(&stepper->cursor);
        if (stepper->cursor.guided && !(next && gy_same_step(step, &next->step)))
            continue;
        json_array_append_new(list, choice_json(&teller, stepper->cursor.path, step, i + 1));
    }
    gy_arena_free(teller.arena);
    return list;
}

static json_t *watches_json(const gy_stepper *stepper)
{
    json_t *list = json_array();
    for (size_t i = 0; i < stepper->watches.list.n; i++) {
        const gy_watch *watch = &stepper->watches.list.at[i];
        int32_t value;
        bool known =
            gy_watch_value(watch, stepper->cursor.path, gy_path_last(stepper->cursor.path), &value);
        json_array_append_new(list,
                              json_pack("{s:o, s:o}", "expression", gy_json_string(watch->text),
                                        "value", known ? json_integer(value) : json_null()));
    }
    return list;
}

static json_t *stops_json(const gy_stepper *stepper)
{
    json_t *lines = json_array(), *conditions = json_array();
    for (size_t i = 0; i < stepper->stop_lines.n; i++)
        json_array_append_new(lines, json_integer(stepper->stop_lines.at[i]));
    for (size_t i = 0; i < stepper->stops.list.n; i++)
        json_array_append_new(conditions, gy_json_string(stepper->stops.list.at[i].text));
    return json_pack("{s:o, s:o}", "lines", lines, "conditions", conditions);
}

static json_t *steps_json(const gy_stepper *stepper, uint64_t from)
{
    json_t *list = json_array();
    for (uint64_t n = from + 1; n <= gy_path_steps(stepper->cursor.path); n++) {
        gy_report_step told;
        gy_arena *arena = gy_tell_step_alone(stepper->cursor.path, n, &told);
        json_array_append_new(list, gy_step_json(&told));
        gy_arena_free(arena);
    }
    return list;
}

// Where the stepper is, and what can be done from there. `from`: steps there were before.
static void tell(protocol *p, uint64_t from)
{
    gy_stepper *stepper = p->stepper;
    gy_final final;
    gy_arena *arena = gy_tell_final_alone(stepper->cursor.path,
                                          gy_given(stepper->arguments, GY_OPT_END_EMPTY), &final);
    json_object_set_new(p->reply, "step",
                        json_integer((json_int_t)gy_path_steps(stepper->cursor.path)));
    json_object_set_new(p->reply, "ahead", json_integer((json_int_t)stepper->cursor.ahead.n));
    json_object_set_new(p->reply, "taken", steps_json(stepper, from));
    json_object_set_new(p->reply, "state", gy_ending_json(&final));
    json_object_set_new(p->reply, "choices", choices_json(stepper));
    json_object_set_new(p->reply, "watches", watches_json(stepper));
    json_object_set_new(p->reply, "breakpoints", stops_json(stepper));
    gy_arena_free(arena);
}

// ---- what can be asked --------------------------------------------------------------------

static bool number_of(protocol *p, const char *name, uint64_t *number)
{
    const json_t *value = json_object_get(p->request, name);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return refuse(p, "bad-request", "`%s` must be a number from 0 on", name);
    *number = (uint64_t)json_integer_value(value);
    return true;
}

static const char *text_of(protocol *p, const char *name)
{
    const char *text = json_string_value(json_object_get(p->request, name));
    if (!text || !*text)
        refuse(p, "bad-request", "`%s` must be a text", name);
    return text && *text ? text : NULL;
}

static bool do_state(protocol *p)
{
    (void)p;
    return true;
}

static bool do_choose(protocol *p)
{
    uint64_t choice;
    if (!number_of(p, "choice", &choice))
        return false;
    if (choice >= 1 && gy_cursor_take(&p->stepper->cursor, (size_t)choice - 1))
        return true;
    return refuse(p, "no-such-choice", "no choice %llu here", (unsigned long long)choice);
}

static bool do_random(protocol *p)
{
    uint64_t steps = 1;
    if (json_object_get(p->request, "steps") && !number_of(p, "steps", &steps))
        return false;
    if (p->stepper->cursor.guided)
        return refuse(p, "replay", "a replay follows the trail");
    for (uint64_t i = 0; i < steps; i++)
        if (!gy_cursor_take_random(&p->stepper->cursor))
            return i > 0 || refuse(p, "end", "no process is enabled");
    return true;
}

static bool do_forward(protocol *p)
{
    if (gy_cursor_forward(&p->stepper->cursor))
        return true;
    if (!gy_cursor_choices(&p->stepper->cursor)->list.n || p->stepper->cursor.guided)
        return refuse(p, "end", "no step can be executed here");
    return refuse(p, "several-choices", "several steps are possible: choose one");
}

static bool do_undo(protocol *p)
{
    return gy_cursor_back(&p->stepper->cursor) || refuse(p, "start", "this is the start");
}

static bool do_restart(protocol *p)
{
    gy_cursor_jump(&p->stepper->cursor, 0);
    return true;
}

static bool do_jump(protocol *p)
{
    uint64_t step;
    if (!number_of(p, "step", &step))
        return false;
    gy_cursor_jump(&p->stepper->cursor, step);
    if (gy_path_steps(p->stepper->cursor.path) == step)
        return true;
    return refuse(p, "end", "the run ends before step %llu", (unsigned long long)step);
}

static bool do_run(protocol *p)
{
    gy_stepper *stepper = p->stepper;
    uint64_t before = gy_path_steps(stepper->cursor.path);
    gy_stepper_run(stepper);
    bool moved = gy_path_steps(stepper->cursor.path) > before;
    const char *stopped =
        gy_path_last(stepper->cursor.path)->fault                                     ? "fault"
        : moved && gy_stepper_is_at_stop(stepper)                                     ? "breakpoint"
        : !gy_cursor_choices(&stepper->cursor)->list.n                                ? "end"
        : stepper->cursor.guided && !stepper->cursor.ahead.n                          ? "end"
        : !stepper->cursor.ahead.n && gy_cursor_choices(&stepper->cursor)->list.n > 1 ? "choice"
                                                                                      : "limit";
    json_object_set_new(p->reply, "stopped", json_string(stopped));
    return true;
}

static bool add_expression(protocol *p, gy_watches *list, const char *text)
{
    char *problem = NULL;
    if (gy_watches_add(list, text, &problem))
        return true;
    refuse(p, "bad-expression", "%s", problem);
    free(problem);
    return false;
}

static bool do_break(protocol *p)
{
    uint64_t line;
    if (json_object_get(p->request, "line")) {
        if (!number_of(p, "line", &line))
            return false;
        gy_vec_push(&p->stepper->stop_lines, (uint32_t)line);
        return true;
    }
    const char *condition = text_of(p, "when");
    return condition && add_expression(p, &p->stepper->stops, condition);
}

static bool do_clear(protocol *p)
{
    p->stepper->stop_lines.n = 0;
    gy_watches_clear(&p->stepper->stops);
    return true;
}

static bool do_watch(protocol *p)
{
    const char *expression = text_of(p, "expression");
    return expression && add_expression(p, &p->stepper->watches, expression);
}

static bool do_unwatch(protocol *p)
{
    gy_watches_clear(&p->stepper->watches);
    return true;
}

static bool do_save(protocol *p)
{
    const char *file = text_of(p, "file");
    if (!file)
        return false;
    if (!p->stepper->cursor.path->system->model)
        return refuse(p, "no-trail", "a shared object has no trails");
    gy_text trail = {0};
    gy_trail_text(p->stepper->cursor.path, &trail);
    bool written = gy_new_file_put(file, GY_NAMED, gy_text_str(&trail), trail.n);
    int error = errno;
    gy_text_free(&trail);
    return written || refuse(p, "file", "cannot write %s: %s", file, strerror(error));
}

static const struct {
    const char *name;
    bool (*obey)(protocol *p);
} commands[] = {
    {"state", do_state}, {"choose", do_choose},   {"random", do_random}, {"forward", do_forward},
    {"undo", do_undo},   {"restart", do_restart}, {"jump", do_jump},     {"run", do_run},
    {"break", do_break}, {"clear", do_clear},     {"watch", do_watch},   {"unwatch", do_unwatch},
    {"save", do_save},
};

static void obey(protocol *p, const char *name)
{
    uint64_t before = gy_path_steps(p->stepper->cursor.path);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) != 0)
            continue;
        bool good = commands[i].obey(p);
        json_object_set_new(p->reply, "ok", json_boolean(good));
        tell(p, before);
        return;
    }
    json_object_set_new(p->reply, "ok", json_false());
    refuse(p, "unknown-command", "unknown command `%s`", name);
    tell(p, before);
}

// ---- lines --------------------------------------------------------------------------------

static bool put(protocol *p)
{
    gy_json_dump(p->reply, &p->stepper->out, true);
    p->reply = NULL;
    return gy_put(&p->stepper->out);
}

// False: the client has had enough, or is gone.
static bool answer(protocol *p, const char *line)
{
    json_error_t error;
    p->request = json_loads(line, 0, &error);
    const char *name = json_string_value(json_object_get(p->request, "do"));
    bool quit = name && strcmp(name, "quit") == 0;
    p->reply = json_pack("{s:s}", "reply", name ? name : "");
    if (json_object_get(p->request, "id"))
        json_object_set(p->reply, "id", json_object_get(p->request, "id"));
    if (quit) {
        json_object_set_new(p->reply, "ok", json_true());
    } else if (!name) {
        json_object_set_new(p->reply, "ok", json_false());
        refuse(p, "bad-request",
               "a request is an object such as {\"do\": \"choose\", \"choice\": 1}%s%s",
               p->request ? "" : ": ", p->request ? "" : error.text);
        tell(p, gy_path_steps(p->stepper->cursor.path));
    } else {
        obey(p, name);
    }
    json_decref(p->request);
    return put(p) && !quit;
}

void gy_stepper_protocol(gy_stepper *stepper, FILE *input)
{
    protocol p = {.stepper = stepper};
    char *line = NULL;
    size_t room = 0;
    p.reply = gy_json_report("session");
    json_object_set_new(p.reply, "model", gy_json_string(stepper->arguments->files[0]));
    json_object_set_new(p.reply, "reply", json_string("begin"));
    json_object_set_new(p.reply, "ok", json_true());
    tell(&p, gy_path_steps(stepper->cursor.path));
    for (bool go_on = put(&p); go_on && getline(&line, &room, input) >= 0;) {
        if (line[strspn(line, " \t\r\n")]) // a line with nothing in it asks for nothing
            go_on = answer(&p, line);
    }
    free(line);
}
