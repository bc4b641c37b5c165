// Hidden variables in C.
//
// They are no part of a state: every state of the system begins with the same values, and a value
// that is assigned lives as long as the transition (an atomic sequence, a d_step). So the values
// next to state s are `h`, which the run hands to a function of a process, and those next to its
// copy o are `ho`, a copy as well.
#include "exec/native/gen.h"

static bool has_any(const gy_gen *g)
{
    return g->program->hidden_count && !g->device;
}

bool gy_gen_covers_hidden(const gy_gen *g, int32_t var)
{
    const gy_variable *v = &g->model->vars[var];
    return !g->device && v->owner == GY_NONE && v->type.kind != GY_CHAN;
}

void gy_gen_hidden_here(gy_gen *g)
{
    if (has_any(g))
        gy_gen_line(g, "const int32_t *h = r->hidden; (void)h;");
}

void gy_gen_hidden_copy(gy_gen *g)
{
    if (has_any(g))
        gy_gen_line(g, "int32_t ho[%u]; memcpy(ho, h, sizeof ho);", g->program->hidden_count);
}

void gy_gen_hidden_pass(gy_gen *g, bool back)
{
    if (has_any(g))
        gy_gen_line(g, "r->hidden = %s;", back ? "h" : "ho");
}

void gy_gen_load_hidden(gy_gen *g, int32_t var, const char *index, uint32_t element)
{
    gy_text_printf(g->out, "%s[%u", g->s[0] == 's' ? "h" : "ho",
                   g->program->vars[var].hidden_at + element);
    if (index)
        gy_text_printf(g->out, " + (word)(%s)", index);
    gy_text_char(g->out, ']');
}

void gy_gen_store_hidden(gy_gen *g, int32_t var, const char *index, uint32_t element,
                         const char *value)
{
    const gy_variable *v = &g->model->vars[var];
    uint32_t first = g->program->vars[var].hidden_at + element, width = v->type.width;
    gy_text fitting = {0};
    if (width >= 32)
        gy_text_printf(&fitting, "(%s)", value);
    else if (v->type.is_signed)
        gy_text_printf(&fitting, "(int)((word)(%s) << %u) >> %u", value, 32 - width, 32 - width);
    else
        gy_text_printf(&fitting, "(int)((word)(%s) & 0x%xu)", value, ~0u >> (32 - width));
    gy_gen_line(g, "ho[%u%s%s%s] = %s; // %s", first, index ? " + (word)(" : "", index ? index : "",
                index ? ")" : "", gy_text_str(&fitting), v->name);
    gy_text_free(&fitting);
}
