#include "report/steps/ending.h"

#include "report/json.h"
#include "report/steps/location.h"
#include "report/steps/shown_values.h"
#include "report/wrap.h"
#include "verify/explain/explain.h"
#include "exec/describe/naming.h"

static void say_reason(const gy_final *final, const gy_style *style, gy_text *out)
{
    const gy_actor *culprit = final->culprit;
    switch (final->ending) {
    case GY_ENDING_FAULT:
        gy_text_printf(out, "%s%s%s\n", style->bad, final->message, style->off);
        if (culprit) {
            gy_text_printf(out, "  in %s, ", culprit->process);
            gy_place_cell(culprit->file, culprit->line, culprit->column, 0, style, out);
            gy_text_printf(out, ": %s\n", culprit->text);
        }
        break;
    case GY_ENDING_DEADLOCK:
        gy_text_printf(out,
                       "%sinvalid end state%s: no process can move, and at least one is not "
                       "in a valid end state%s\n",
                       style->bad, style->off,
                       final->empty_channels ? " with all channels empty" : "");
        break;
    case GY_ENDING_REST:
        gy_text_add(out, "No process is enabled; all are in valid end states.\n");
        break;
    case GY_ENDING_FINISHED:
        gy_text_add(out, "All processes have terminated.\n");
        break;
    case GY_ENDING_OPEN:
        break;
    }
}

static void say_process(const gy_process_value *process, size_t name_width, size_t place_width,
                        const gy_style *style, gy_text *out)
{
    gy_text text = {0};
    gy_text_printf(out, "  %s", style->name);
    gy_pad(out, process->process, name_width + 2);
    gy_text_printf(out, "%s%s", style->off, style->faint);
    gy_place_cell(process->file, process->line, process->column, place_width, style, out);
    gy_text_printf(out, "%s  ", style->off);
    gy_hang(style, out);
    gy_text_printf(out, "%s\n", process->prospect);
    gy_values_locals(process, &text);
    if (text.n > 0) {
        gy_blanks(out, name_width + 4);
        gy_hang(style, out);
        gy_text_printf(out, "%s%s%s\n", style->faint, gy_text_str(&text), style->off);
    }
    gy_text_free(&text);
}

static size_t place_columns(const gy_process_value *process, const char *file)
{
    gy_text place = {0};
    gy_location_typed(file, process->line, process->column, &place);
    size_t columns = gy_columns(gy_text_str(&place));
    gy_text_free(&place);
    return columns;
}

static void say_processes(const gy_final *final, const gy_style *style, gy_text *out)
{
    size_t name_width = 0, place_width = 0, short_width = 0;
    for (uint32_t p = 0; p < final->process_count; p++) {
        const gy_process_value *process = &final->processes[p];
        size_t name = gy_columns(process->process), width = place_columns(process, process->file);
        size_t bare = place_columns(process, gy_base_name(process->file));
        name_width = name > name_width ? name : name_width;
        place_width = width > place_width ? width : place_width;
        short_width = bare > short_width ? bare : short_width;
    }
    if (style->columns && place_width > style->columns / 3)
        place_width = short_width;
    for (uint32_t p = 0; p < final->process_count; p++)
        say_process(&final->processes[p], name_width, place_width, style, out);
}

void gy_ending_text(const gy_final *final, const gy_style *style, gy_text *out)
{
    size_t before = out->n;
    say_reason(final, style, out);
    const char *gap = out->n > before ? "\n" : ""; // there is one already
    if (final->text)
        gy_text_printf(out, "%sLast state\n%s\n", gap, final->text);
    if (!final->has_values)
        return;
    gy_text values = {0};
    gy_values_globals(final, 2, style->columns, &values);
    if (values.n > 0 || final->process_count > 0)
        gy_text_printf(out, "%s%s%s%s\n", gap, style->strong,
                       final->stuck ? "State before the failing statement" : "Last state",
                       style->off);
    gy_text_add(out, gy_text_str(&values));
    gy_text_free(&values);
    say_processes(final, style, out);
}

static json_t *process_json(const gy_process_value *process)
{
    json_t *item = json_object();
    json_object_set_new(item, "process", gy_json_string(process->type));
    json_object_set_new(item, "pid", json_integer(process->pid));
    json_object_set_new(item, "file", gy_json_string(process->file));
    json_object_set_new(item, "line", json_integer(process->line));
    if (process->column)
        json_object_set_new(item, "column", json_integer(process->column));
    json_object_set_new(item, "state", json_integer(process->state));
    json_object_set_new(item, "locals", gy_values_json(process->locals, process->local_count));
    json_object_set_new(item, "can_move", json_boolean(process->can_move));
    json_object_set_new(item, "may_rest", json_boolean(process->may_rest));
    if (process->waits) {
        json_t *codes = json_array();
        for (uint32_t i = 0; i < process->waits_count; i++)
            json_array_append_new(codes, json_string(process->waits_for[i]));
        json_object_set_new(item, "waits", gy_json_string(process->waits));
        json_object_set_new(item, "waits_for", codes);
    }
    return item;
}

static void set_values(json_t *item, const gy_final *state)
{
    json_t *processes = json_array();
    json_object_set_new(item, "globals", gy_values_json(state->globals, state->global_count));
    json_object_set_new(item, "channels", gy_channels_json(state));
    for (uint32_t p = 0; p < state->process_count; p++)
        json_array_append_new(processes, process_json(&state->processes[p]));
    json_object_set_new(item, "processes", processes);
}

json_t *gy_state_json(const gy_final *state)
{
    if (!state->has_values)
        return json_null();
    json_t *item = json_object();
    set_values(item, state);
    return item;
}

json_t *gy_ending_json(const gy_final *final)
{
    json_t *item = json_object();
    json_object_set_new(item, "ending", json_string(final->name));
    if (final->ending == GY_ENDING_FAULT) {
        json_object_set_new(item, "kind", json_string(final->fault));
        json_object_set_new(item, "message", gy_json_string(final->message));
    }
    if (final->has_values)
        set_values(item, final);
    return item;
}

char *gy_state_names(gy_worker *worker, const gy_word *state, uint32_t words, int32_t exclusive)
{
    gy_final final;
    gy_text out = {0};
    gy_arena *arena = gy_tell_state(worker, state, words, exclusive, &final);
    json_t *item = gy_ending_json(&final);
    if (!final.has_values)
        json_object_set_new(item, "text", gy_json_string(final.text ? final.text : ""));
    gy_json_dump(item, &out, true);
    gy_arena_free(arena);
    return gy_text_take(&out);
}
