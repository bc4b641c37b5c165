#include "report/info/info.h"
#include "exec/describe/naming.h"

static void heading(const gy_style *style, gy_text *out, const char *text)
{
    gy_text_printf(out, "\n%s%s%s\n", style->strong, text, style->off);
}

static void say_plural(gy_text *out, uint32_t count, const char *one, const char *many)
{
    gy_text_printf(out, "%u %s", count, count == 1 ? one : many);
}

static void say_variable(const gy_model *model, int32_t v, gy_text *out)
{
    const gy_variable *var = &model->vars[v];
    gy_text cell = {0};
    gy_text_add(out, "  ");
    gy_text_add(&cell, var->name);
    if (var->is_array)
        gy_text_printf(&cell, "[%u]", var->count);
    gy_pad(out, gy_text_str(&cell), 24);
    gy_text_clear(&cell);
    gy_text_add(&cell, gy_type_text(var->type));
    if (var->type.subtype)
        gy_text_printf(&cell, ":%s", var->type.subtype);
    gy_text_char(out, ' ');
    gy_pad(out, gy_text_str(&cell), 14);
    gy_text_clear(&cell);
    gy_text_printf(&cell, "%d..%d", var->min, var->max);
    gy_text_char(out, ' ');
    gy_pad(out, gy_text_str(&cell), 26);
    gy_text_clear(&cell);
    if (var->hidden)
        gy_text_add(&cell, "hidden: not part of the state");
    else if (var->is_array)
        gy_text_printf(&cell, "word %u, bit %u, %u bits each, %u apart", var->word, var->shift,
                       var->bits, var->stride);
    else
        gy_text_printf(&cell, "word %u, bit %u, %u bit%s", var->word, var->shift, var->bits,
                       var->bits == 1 ? "" : "s");
    gy_text_printf(out, " %s%s\n", gy_text_str(&cell), var->is_param ? " (parameter)" : "");
    gy_text_free(&cell);
}

static void say_channel(const gy_model *model, const gy_channel_type *type, gy_text *out)
{
    gy_text_add(out, "  ");
    gy_pad(out, type->name, 24);
    if (type->capacity == 0)
        gy_text_add(out, " rendezvous of {");
    else
        gy_text_printf(out, " %u message%s of {", type->capacity, type->capacity == 1 ? "" : "s");
    for (uint32_t f = 0; f < type->field_count; f++)
        gy_text_printf(out, "%s%s%s%s", f > 0 ? ", " : " ", gy_type_text(type->fields[f]),
                       type->fields[f].subtype ? ":" : "",
                       type->fields[f].subtype ? type->fields[f].subtype : "");
    gy_text_printf(out, " }, ");
    say_plural(out, type->words, "word", "words");
    if (type->owner != GY_NONE)
        gy_text_printf(out, ", made by each %s", gy_template_name(&model->templates[type->owner]));
    gy_text_char(out, '\n');
}

static void say_edge(const gy_model *model, const gy_edge *edge, gy_text *out)
{
    gy_text cell = {0};
    if (edge->to == GY_NONE)
        gy_text_add(&cell, "→ ends");
    else
        gy_text_printf(&cell, "→ %d", edge->to);
    gy_text_add(out, "       ");
    gy_pad(out, gy_text_str(&cell), 8);
    gy_text_clear(&cell);
    gy_name_place(model, edge->place, &cell);
    gy_pad(out, gy_text_str(&cell), 22);
    gy_text_char(out, ' ');
    gy_name_statement(edge->text, 0, out);
    gy_text_clear(&cell);
    gy_edge_flags_text(edge, &cell);
    if (cell.n > 0)
        gy_text_printf(out, "   [%s]", gy_text_str(&cell));
    gy_text_char(out, '\n');
    gy_text_free(&cell);
}

static void say_template(const gy_model *model, const gy_template *tmpl, const gy_style *style,
                         gy_text *out)
{
    gy_text title = {0};
    gy_text_add(&title, gy_template_kind_text(tmpl->kind));
    if (tmpl->kind == GY_TMPL_PROCESS || tmpl->kind == GY_TMPL_NEVER)
        gy_text_printf(&title, " %s", tmpl->name);
    gy_text_add(&title, ": ");
    say_plural(&title, tmpl->node_count, "state", "states");
    gy_text_add(&title, ", ");
    say_plural(&title, (uint32_t)tmpl->edge_count, "edge", "edges");
    gy_text_add(&title, ", ");
    say_plural(&title, tmpl->words, "word", "words");
    if (tmpl->active > 0)
        gy_text_add(&title, ", active");
    if (tmpl->active > 1)
        gy_text_printf(&title, " %u times", tmpl->active);
    if (tmpl->provided)
        gy_text_add(&title, ", provided");
    heading(style, out, gy_text_str(&title));
    gy_text_free(&title);
    for (int32_t v = 0; v < tmpl->var_count; v++)
        say_variable(model, tmpl->first_var + v, out);
    for (uint32_t n = 0; n < tmpl->node_count; n++) {
        const gy_node *node = &tmpl->nodes[n];
        gy_text flags = {0};
        gy_text_printf(out, "  %4u", n);
        if (node->label)
            gy_text_printf(out, " %s:", node->label);
        gy_node_flags_text(tmpl, (int32_t)n, &flags);
        if (flags.n > 0)
            gy_text_printf(out, " (%s)", gy_text_str(&flags));
        gy_text_free(&flags);
        gy_text_char(out, '\n');
        for (int32_t e = 0; e < node->edge_count; e++)
            say_edge(model, &model->edges[node->first_edge + e], out);
    }
}

void gy_info_text(const gy_model *model, const gy_style *style, gy_text *out)
{
    gy_text_printf(out, "%s%s%s (%s): ", style->strong, model->name, style->off, model->language);
    say_plural(out, model->template_count, "process type", "process types");
    gy_text_add(out, ", ");
    say_plural(out, model->global_count, "global variable", "global variables");
    gy_text_add(out, ", ");
    say_plural(out, model->channel_type_count, "channel type", "channel types");
    gy_text_add(out, ", ");
    say_plural(out, model->ltl_count, "ltl property", "ltl properties");
    gy_text_printf(out, "\nat the start: ");
    say_plural(out, model->started_count, "process", "processes");
    gy_text_printf(out, "; the global block takes ");
    say_plural(out, model->global_words, "word", "words");
    gy_text_add(out, " of 32 bits\n");
    if (model->global_count > 0) {
        heading(style, out, "global variables (name, type, range, position in the state vector)");
        for (uint32_t v = 0; v < model->global_count; v++)
            say_variable(model, (int32_t)v, out);
    }
    if (model->channel_type_count > 0) {
        heading(style, out, "channels");
        for (uint32_t c = 0; c < model->channel_type_count; c++)
            say_channel(model, &model->channel_types[c], out);
    }
    for (uint32_t t = 0; t < model->template_count; t++)
        say_template(model, &model->templates[t], style, out);
    if (model->ltl_count > 0) {
        heading(style, out, "ltl properties");
        for (uint32_t l = 0; l < model->ltl_count; l++) {
            gy_text_printf(out, "  %s: ", model->ltls[l].name);
            gy_name_statement(model->ltls[l].text, 0, out);
            gy_text_char(out, '\n');
        }
    }
}
