// A state as lines of text: a value in each, and where the processes are.
#include "verify/explain/explain.h"

static void add_binding(const gy_binding *binding, const char *indent, gy_text *out)
{
    gy_text_printf(out, "%s%s = %s", indent, binding->name, binding->is_list ? "[" : "");
    for (uint32_t i = 0; i < binding->count; i++)
        gy_text_printf(out, "%s%s", i > 0 ? ", " : "", binding->values[i].text);
    gy_text_add(out, binding->is_list ? "]\n" : "\n");
}

static void add_channels(const gy_decoded_state *scene, gy_text *out)
{
    for (uint32_t c = 0; c < scene->view.channel_count; c++) {
        if (scene->model->channel_types[scene->view.channels[c].type].capacity == 0)
            continue;
        gy_name_channel(scene, c, out);
        gy_text_add(out, " = ");
        gy_channel_text(scene, c, out);
        gy_text_char(out, '\n');
    }
}

static void add_process(gy_arena *arena, const gy_decoded_state *scene, int32_t pid, gy_text *out)
{
    gy_process_value process = gy_tell_process(arena, scene, pid);
    gy_text_add(out, process.process);
    if (process.line)
        gy_text_printf(out, " line %u", process.line);
    gy_text_char(out, '\n');
    for (uint32_t v = 0; v < process.local_count; v++)
        if (!process.locals[v].is_own)
            add_binding(&process.locals[v], "  ", out);
}

const char *gy_tell_state_lines(gy_arena *arena, gy_worker *worker, const gy_word *state,
                                uint32_t words)
{
    gy_text text = {0};
    if (!worker->system->model) {
        char *foreign = gy_state_text(worker, state, words);
        gy_text_add(&text, foreign ? foreign : "");
        gy_free(foreign);
        return gy_keep(arena, &text);
    }
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_decoded_state_open(scene, worker, state, words);
    uint32_t count;
    const gy_binding *globals = gy_tell_variables(arena, scene, -1, &count);
    for (uint32_t v = 0; v < count; v++)
        if (globals[v].values[0].kind != GY_VALUE_CHANNEL)
            add_binding(&globals[v], "", &text);
    add_channels(scene, &text);
    for (uint32_t p = 0; p < scene->view.process_count; p++)
        add_process(arena, scene, (int32_t)p, &text);
    free(scene);
    return gy_keep(arena, &text);
}
