#include "report/render.h"

#include "report/wrap.h"

#include <string.h>

enum { MUCH = 1 << 16 }; // bytes

static const gy_renderer renderers[] = {
    {"text", gy_render_text, NULL},
    {"github", gy_render_github, NULL},
    {"code-quality", gy_render_code_quality, "]\n"},
#define RENDERER(id, name, commands, help) {#name, gy_render_##name, NULL},
#define REPORT(id, name, commands, end, help) {#name, gy_render_##name, end},
#include "report/renderers.def"
};

const gy_renderer *gy_renderer_named(const char *name)
{
    for (size_t i = 0; i < sizeof renderers / sizeof *renderers; i++)
        if (strcmp(renderers[i].name, name) == 0)
            return &renderers[i];
    return NULL;
}

bool gy_sink_drain(gy_sink *sink)
{
    return sink->text.n < MUCH || gy_sink_empty(sink);
}

bool gy_sink_empty(gy_sink *sink)
{
    if (sink->columns)
        gy_wrap(&sink->text, sink->columns);
    if (sink->put)
        return sink->put(&sink->text);
    if (!sink->file)
        return true;
    bool written = fwrite(gy_text_str(&sink->text), 1, sink->text.n, sink->file) == sink->text.n;
    gy_text_clear(&sink->text);
    return written;
}

char *gy_outcome_render(const gy_outcome *outcome, const char *form)
{
    const gy_renderer *renderer = gy_renderer_named(form);
    gy_render_options options = {.style = gy_style_make(false)};
    gy_sink sink = {0};
    if (!renderer)
        return NULL;
    renderer->render(outcome, &options, &sink);
    return gy_text_take(&sink.text);
}
