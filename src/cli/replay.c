// gyre replay MODEL [TRAIL]
#include "base/file.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/stepper.h"
#include "report/json.h"
#include "verify/explain/explain.h"
#include "verify/trail/found_trails.h"
#include "verify/trail/trail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// The trail that pan leaves behind for a model: NAME.trail in the current directory, or next to it.
static char *find_trail(const gy_arguments *arguments, gy_text *name, size_t *bytes)
{
    const char *model = arguments->files[0], *slash = strrchr(model, '/');
    char *trail;
    if (arguments->file_count > 1) {
        gy_text_add(name, arguments->files[1]);
        return gy_read_file(gy_text_str(name), GY_NAMED, bytes);
    }
    gy_text_printf(name, "%s.trail", slash ? slash + 1 : model);
    trail = gy_read_file(gy_text_str(name), GY_IMPLIED, bytes);
    if (!trail && errno == ENOENT && slash) {
        gy_text_clear(name);
        gy_text_printf(name, "%s.trail", model);
        trail = gy_read_file(gy_text_str(name), GY_IMPLIED, bytes);
    }
    return trail;
}

static void put_json(const gy_counterexample *walk, const gy_loaded_model *subject,
                     const char *trail, const gy_text *note)
{
    gy_text out = {0};
    json_t *item = gy_json_report("replay"), *steps = json_array();
    json_t *diagnostics = gy_json_diagnostics(subject->diags);
    for (uint64_t i = 0; i < walk->step_count; i++)
        json_array_append_new(steps, gy_step_json(&walk->steps[i]));
    json_object_set_new(item, "model", gy_json_string(subject->system->file));
    json_object_set_new(item, "trail", gy_json_string(trail));
    json_object_set_new(item, "length", json_integer((json_int_t)walk->length));
    json_object_set_new(item, "cycle_start",
                        walk->cycle_start < 0 ? json_null() : json_integer(walk->cycle_start));
    json_object_set_new(item, "initial", gy_state_json(&walk->initial));
    json_object_set_new(item, "steps", steps);
    json_object_set_new(item, "final", gy_ending_json(&walk->final));
    if (note->n > 0)
        gy_json_add_diagnostic(diagnostics, "note", gy_text_str(note));
    json_object_set_new(item, "diagnostics", diagnostics);
    gy_json_dump(item, &out, false);
    gy_put(&out);
    gy_text_free(&out);
}

static void put_text(const gy_arguments *arguments, const gy_counterexample *told, gy_path *path,
                     const char *trail, const gy_watches *watches, const gy_text *note)
{
    gy_style style = gy_command_style(arguments);
    gy_sink sink = {.put = gy_put, .columns = style.columns};
    gy_step_show show = {.steps = !gy_given(arguments, GY_OPT_QUIET),
                         .changes = true,
                         .prints = true,
                         .full = gy_given(arguments, GY_OPT_FULL),
                         .style = &style,
                         .path = path,
                         .watches = watches};
    gy_widths widths = gy_tell_widths(path->system);
    gy_step_layout layout = gy_step_layout_for(&widths, told->length, &style);
    gy_text_printf(&sink.text, "%sTrail %s%s: ", style.strong, trail, style.off);
    gy_text_count(&sink.text, told->length);
    gy_text_add(&sink.text, told->length == 1 ? " step\n" : " steps\n");
    gy_story_text(told, &layout, &show, &sink);
    if (note->n > 0)
        gy_text_printf(&sink.text, "\nnote: %s\n", gy_text_str(note));
    gy_sink_empty(&sink);
    gy_text_free(&sink.text);
}

static void put_chart(const gy_arguments *arguments, gy_path *path)
{
    gy_text out = {0};
    gy_put_chart(arguments, path, &out);
    gy_put(&out);
    gy_text_free(&out);
}

// By hand, from the start: on a terminal, or where it is asked for.
static bool walks(const gy_arguments *arguments)
{
    return gy_given(arguments, GY_OPT_INTERACTIVE) ||
           (gy_stepper_has_screen(arguments) && !gy_given(arguments, GY_OPT_FULL));
}

static void walk(const gy_arguments *arguments, gy_path *path, gy_watches *watches)
{
    gy_stepper stepper;
    gy_stepper_init(&stepper, arguments, path, watches->model);
    stepper.watches = *watches;
    stepper.cursor.guided = true;
    gy_cursor_rewind(&stepper.cursor);
    if (gy_given(arguments, GY_OPT_JSON))
        gy_stepper_protocol(&stepper, stdin);
    else if (gy_stepper_has_screen(arguments))
        gy_stepper_screen(&stepper);
    else
        gy_stepper_lines(&stepper, stdin);
    gy_put(&stepper.out);
    *watches = (gy_watches){0}; // they are the stepper's
    gy_stepper_free(&stepper);
}

static int show(const gy_arguments *arguments, const gy_loaded_model *subject, gy_path *path,
                const char *name, gy_watches *watches, const gy_text *note)
{
    gy_explainer teller;
    gy_counterexample told = {0};
    bool lasts = path->cycle_start >= 0;
    gy_explainer_init(&teller, gy_arena_new(), subject->system);
    gy_tell_walk(&teller, path, gy_given(arguments, GY_OPT_END_EMPTY), NULL, NULL, &told);
    if (gy_given(arguments, GY_OPT_JSON) && !gy_given(arguments, GY_OPT_INTERACTIVE))
        put_json(&told, subject, name, note);
    else if (gy_given(arguments, GY_OPT_CHART))
        put_chart(arguments, path);
    else if (walks(arguments))
        walk(arguments, path, watches);
    else
        put_text(arguments, &told, path, name, watches, note);
    gy_ending ending = told.final.ending;
    gy_arena_free(teller.arena);
    return ending == GY_ENDING_FAULT || ending == GY_ENDING_DEADLOCK || lasts ? GY_EXIT_VIOLATED
                                                                              : GY_EXIT_HOLDS;
}

static int replay(const gy_arguments *arguments, const gy_loaded_model *subject, const char *name,
                  const char *trail, size_t bytes)
{
    gy_path *path = gy_path_new(subject->system);
    gy_trail_problem problem = {0};
    gy_text note = {0};
    gy_watches watches = {0};
    int status = gy_watch_for(arguments, subject, &watches);
    if (status)
        ; // it was reported why
    else if (gy_trail_walk(path, trail, bytes, &problem, &note))
        status = show(arguments, subject, path, name, &watches, &note);
    else if (problem.line)
        status =
            gy_complain(arguments, "%s:%u: %s", name, problem.line, gy_text_str(&problem.detail));
    else
        status = gy_complain(arguments, "%s: %s", name, gy_text_str(&problem.detail));
    gy_text_free(&problem.detail);
    gy_text_free(&note);
    gy_watches_free(&watches);
    gy_path_free(path);
    return status;
}

// There is no trail: verify, and keep what was found for as long as it is replayed. NULL: *status
// says what came of it.
static char *make_trail(const gy_arguments *arguments, size_t *bytes, int *status)
{
    char *trail = NULL;
    gy_found_trails trails = {0};
    gy_user_error complaint = {0};
    gy_request *request = gy_request_for(arguments);
    *status = GY_EXIT_WRONG;
    if (!request)
        return NULL;
    gy_outcome *outcome = gy_verify_for_trails(request, &trails, &complaint);
    if (!outcome || (trails.list.n == 0 && complaint.message.n > 0)) {
        gy_complain(arguments, "%s", gy_text_str(&complaint.message));
    } else if (trails.list.n > 0) {
        trail = trails.list.at[0].text;
        *bytes = trails.list.at[0].bytes;
        trails.list.at[0].text = NULL;
    } else {
        *status = outcome->verdict == GY_HOLDS ? GY_EXIT_HOLDS : GY_EXIT_INCONCLUSIVE;
        gy_say("gyre: note: %s %s: no counterexample to replay\n", arguments->files[0],
               outcome->verdict == GY_HOLDS ? "holds" : "is inconclusive");
    }
    gy_found_trails_free(&trails);
    gy_user_error_free(&complaint);
    if (outcome)
        gy_outcome_free(outcome);
    gy_request_free(request);
    return trail;
}

int gy_command_replay(const gy_arguments *arguments)
{
    gy_loaded_model subject;
    int status = gy_load_for(arguments, &subject);
    if (status)
        return status;
    gy_text name = {0};
    size_t bytes;
    if (!subject.model) {
        status = gy_complain(arguments, "a shared object has no trails");
    } else {
        char *trail = find_trail(arguments, &name, &bytes);
        bool made = !trail && arguments->file_count == 1 && errno == ENOENT;
        if (made)
            trail = make_trail(arguments, &bytes, &status);
        if (trail)
            status = replay(arguments, &subject, made ? "of this verification" : gy_text_str(&name),
                            trail, bytes);
        else if (!made)
            status = gy_complain(arguments, "cannot read the trail %s: %s", gy_text_str(&name),
                                 strerror(errno));
        free(trail);
    }
    gy_text_free(&name);
    gy_loaded_model_free(&subject);
    return status;
}
