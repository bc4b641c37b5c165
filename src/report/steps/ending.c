#include "report/steps/ending.h"

#include "report/json.h"
#include "report/steps/place.h"
#include "report/steps/shown_values.h"

static void say_reason(const gy_final *final, const gy_style *style, gy_text *out)
{
    const gy_actor *culprit = final->culprit;
    switch (final->ending) {
    case GY_ENDING_FAULT:
        gy_text_printf(out, "%s%s%s\n", style->bad, final->message, style->off);
        if (culprit) {
            gy_text_printf(out, "  in %s, %s", culprit->process, culprit->file);
            if (culprit->line)
                gy_text_printf(out, ":%u", culprit->line);
            gy_text_printf(out, ": %s\n", culprit->text);
        }
        break;
    case GY_ENDING_DEADLOCK:
        gy_text_printf(out,
                       "%sinvalid end state%s: no process can move, but not every one may "
                       "stop where it is%s\n",
                       style->bad, style->off,
                       final->empty_channels ? " with all channels empty" : "");
        break;
    case GY_ENDING_REST:
        gy_text_add(out, "No process can move; every one of them may stop where it is.\n");
        break;
    case GY_ENDING_FINISHED:
        gy_text_add(out, "All processes have ended.\n");
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
    gy_place_short(process->file, process->line, &text);
    gy_pad(out, gy_text_str(&text), place_width + 2);
    gy_text_printf(out, "%s%s\n", style->off, process->prospect);
    gy_text_clear(&text);
    gy_values_locals(process, &text);
    if (text.n > 0) {
        gy_blanks(out, name_width + 4);
        gy_text_printf(out, "%s%s%s\n", style->faint, gy_text_str(&text), style->off);
    }
    gy_text_free(&text);
}

static void say_processes(const gy_final *final, const gy_style *style, gy_text *out)
{
    size_t name_width = 0, place_width = 0;
    for (uint32_t p = 0; p < final->process_count; p++) {
        gy_text place = {0};
        size_t name = gy_columns(final->processes[p].process);
        gy_place_short(final->processes[p].file, final->processes[p].line, &place);
        size_t width = gy_columns(gy_text_str(&place));
        name_width = name > name_width ? name : name_width;
        place_width = width > place_width ? width : place_width;
        gy_text_free(&place);
    }
    for (uint32_t p = 0; p < final->process_count; p++)
        say_process(&final->processes[p], name_width, place_width, style, out);
}

void gy_ending_text(const gy_final *final, const gy_style *style, gy_text *out)
{
    say_reason(final, style, out);
    if (final->text)
        gy_text_printf(out, "\nLast state\n%s\n", final->text);
    if (!final->has_values)
        return;
    gy_text values = {0};
    gy_values_globals(final, 2, &values);
    if (values.n > 0 || final->process_count > 0)
        gy_text_printf(out, "\n%s%s%s\n", style->strong,
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
    json_object_set_new(item, "locals", gy_values_json(process->locals, process->local_count));
    json_object_set_new(item, "can_move", json_boolean(process->can_move));
    json_object_set_new(item, "may_rest", json_boolean(process->may_rest));
    if (process->waits)
        json_object_set_new(item, "waits", gy_json_string(process->waits));
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
    if (!final->has_values)
        return item;
    json_t *processes = json_array();
    json_object_set_new(item, "globals", gy_values_json(final->globals, final->global_count));
    json_object_set_new(item, "channels", gy_channels_json(final));
    for (uint32_t p = 0; p < final->process_count; p++)
        json_array_append_new(processes, process_json(&final->processes[p]));
    json_object_set_new(item, "processes", processes);
    return item;
}
