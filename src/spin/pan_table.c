#include "spin/pan_table.h"

#include "base/source.h"
#include "cli/command.h"
#include "model/spin_numbers.h"
#include "spin/pan_run.h"

#include <stdio.h>

typedef struct table {
    const gy_model *model;
    bool dot;
    int32_t *cases; // by edge: the number of the piece of code that pan has for it
    bool *done;     // by node of the template that is being reported
    gy_text *out;
} table;

static bool is_shared(const gy_model *model, const gy_edge *edge)
{
    for (uint32_t i = 0; i < edge->touch_count; i++) {
        const gy_touch *touch = &edge->touches[i];
        if (touch->kind != GY_TOUCH_VAR || model->vars[touch->var].owner == GY_NONE)
            return true;
    }
    return false;
}

// A statement of a choice counts as global if one of its neighbours is.
static bool is_global(const gy_model *model, const gy_edge *edge)
{
    const gy_node *node = &model->templates[edge->tmpl].nodes[edge->from];
    if (edge->kind == GY_EDGE_END)
        return false;
    for (int32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
        if (is_shared(model, &model->edges[e]))
            return true;
    return false;
}

static bool is_skip(const gy_model *model, int32_t e)
{
    const char *text = model->spin->texts[e];
    return strcmp(text, "(1)") == 0 || strcmp(text, ".(goto)") == 0 ||
           strncmp(text, "goto ", 5) == 0;
}

// pan's code begins with the last process type; skips and else have a piece in common.
static void number_cases(table *t)
{
    const gy_model *model = t->model;
    int32_t next = 3;
    t->cases = gy_alloc_zero((model->edge_count + 1) * sizeof *t->cases);
    for (uint32_t i = model->template_count; i-- > 0;) {
        const gy_template *tmpl = &model->templates[i];
        for (int32_t state = 1; state <= model->spin->ends[i].states; state++) {
            int32_t number = 0;
            for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++) {
                if (model->spin->statements[e] != state)
                    continue;
                if (model->edges[e].kind == GY_EDGE_ELSE)
                    t->cases[e] = 2;
                else if (is_skip(model, e))
                    t->cases[e] = 1;
                else
                    t->cases[e] = number ? number : (number = next++);
            }
        }
    }
}

gy_location gy_pan_place(const gy_model *model, const gy_node *node)
{
    for (int32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
        if (model->edges[e].escape == 0)
            return model->edges[e].place;
    return node->place;
}

void gy_pan_statement(const gy_model *model, int32_t e, gy_text *out)
{
    const gy_edge *edge = &model->edges[e];
    if (edge->is_d_step)
        gy_text_printf(out, "D_STEP%u", gy_location_user(model->sources, edge->place).line);
    else
        gy_text_add(out, model->spin->texts[e]);
}

static int type_of(const gy_model *model, int32_t e)
{
    const gy_edge *edge = &model->edges[e];
    if (edge->kind == GY_EDGE_END)
        return 3500;
    if (strcmp(model->spin->texts[e], "(timeout)") == 0)
        return 3000;
    for (uint32_t i = 0, channel = 0; i < model->var_count; i++) {
        if (model->vars[i].type.kind != GY_CHAN)
            continue;
        channel++;
        size_t n = strcspn(model->vars[i].name, ".[");
        const char *text = model->spin->texts[e];
        if (strncmp(text, model->vars[i].name, n) != 0)
            continue;
        const char *at = text + n;
        at += strcspn(at, "!?(= ");
        if (*at == '!')
            return 2 + (int)channel;
        if (*at == '?')
            return 502 + (int)channel;
    }
    return 2;
}

static void put_dot_edge(const table *t, const gy_template *tmpl, int32_t tm, int32_t e)
{
    const gy_edge *edge = &t->model->edges[e];
    const gy_node *node = &tmpl->nodes[edge->from];
    int from = (int)t->model->spin->states[tm][edge->from];
    const char *style = edge->is_d_step             ? "dotted"
                        : edge->keeps_atomic        ? "dashed"
                        : is_global(t->model, edge) ? "bold"
                                                    : "solid";
    gy_text text = {0};
    gy_pan_statement(t->model, e, &text);
    gy_text_printf(t->out, "\tS%d -> S%d  [color=black,style=%s,label=\"", from,
                   edge->to >= 0 ? (int)t->model->spin->states[tm][edge->to] : 0, style);
    for (const char *at = gy_text_str(&text); *at; at++)
        if (at[0] == '\\' && at[1] == 'n') {
            gy_text_char(t->out, ' ');
            at++;
        } else if (*at == '"') {
            gy_text_add(t->out, "\\\"");
        } else {
            gy_text_char(t->out, *at);
        }
    gy_text_add(t->out, "\"];\n");
    if (node->flags & (GY_NODE_END | GY_NODE_FINAL))
        gy_text_printf(t->out, "  S%d [color=blue,style=bold,shape=box];\n", from);
    else if (node->flags & GY_NODE_PROGRESS)
        gy_text_printf(t->out, "  S%d [color=green,style=bold];\n", from);
    else if (node->flags & GY_NODE_ACCEPT)
        gy_text_printf(t->out, "  S%d [color=red,style=bold];\n", from);
    gy_text_free(&text);
}

static void put_edge(const table *t, const gy_template *tmpl, int32_t tm, int32_t e)
{
    const gy_model *model = t->model;
    const gy_edge *edge = &model->edges[e];
    const gy_node *node = &tmpl->nodes[edge->from];
    gy_location_info place = gy_location_user(model->sources, gy_pan_place(model, node));
    bool ends = node->flags & (GY_NODE_END | GY_NODE_FINAL);
    gy_text_printf(t->out,
                   "\tstate %3d -(tr %3d)-> state %3d  [id %3d tp %3d] [%c%c%c%c%c] %s:%u => ",
                   (int)model->spin->states[tm][edge->from], (int)t->cases[e],
                   edge->to >= 0 ? (int)model->spin->states[tm][edge->to] : 0,
                   (int)model->spin->transitions[e], type_of(model, e),
                   edge->is_d_step      ? 'D'
                   : edge->keeps_atomic ? 'A'
                                        : '-',
                   node->flags & GY_NODE_ACCEPT ? 'a' : '-', ends ? 'e' : '-',
                   node->flags & GY_NODE_PROGRESS ? 'p' : '-', is_global(model, edge) ? 'G' : 'L',
                   gy_source_name(model->sources, place.file), place.line);
    gy_pan_statement(model, e, t->out);
    gy_text_char(t->out, '\n');
}

// From a node on, depth first: all its transitions, then what they lead to.
static void put_from(table *t, const gy_template *tmpl, int32_t tm, int32_t start)
{
    GY_VEC(int32_t) todo = {0};
    gy_vec_push(&todo, start);
    while (todo.n > 0) {
        int32_t n = todo.at[--todo.n];
        if (t->done[n])
            continue;
        t->done[n] = true;
        const gy_node *node = &tmpl->nodes[n];
        for (int32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
            if (t->dot)
                put_dot_edge(t, tmpl, tm, e);
            else
                put_edge(t, tmpl, tm, e);
        for (int32_t e = node->first_edge + node->edge_count - 1; e >= node->first_edge; e--)
            if (t->model->edges[e].to >= 0)
                gy_vec_push(&todo, t->model->edges[e].to);
    }
    gy_vec_free(&todo);
}

static void put_template(table *t, int32_t tm)
{
    const gy_template *tmpl = &t->model->templates[tm];
    const char *word = tmpl->kind == GY_TMPL_INIT    ? "init"
                       : tmpl->kind == GY_TMPL_NEVER ? "claim"
                                                     : "proctype";
    t->done = gy_alloc_zero(tmpl->node_count + 1);
    if (t->dot)
        gy_text_printf(t->out,
                       "digraph %s%s {\nsize=\"8,10\";\n"
                       "  GT [shape=box,style=dotted,label=\"%s\"];\n  GT -> S%d;\n",
                       tmpl->kind == GY_TMPL_INIT ? "" : "p_",
                       tmpl->kind == GY_TMPL_INIT ? "init" : tmpl->name,
                       tmpl->kind == GY_TMPL_INIT ? "init" : tmpl->name,
                       (int)t->model->spin->states[tm][tmpl->initial]);
    else
        gy_text_printf(t->out, "%s%s%s\n", word, tmpl->kind == GY_TMPL_INIT ? "" : " ",
                       tmpl->kind == GY_TMPL_INIT ? "" : tmpl->name);
    put_from(t, tmpl, tm, tmpl->initial);
    if (t->dot)
        gy_text_add(t->out, "}\n");
    free(t->done);
}

int gy_pan_table(const gy_pan *pan, bool dot)
{
    gy_request *request = gy_request_new();
    gy_loaded_model subject = {0};
    gy_text out = {0};
    bool read = gy_pan_read(pan, request, &subject);
    if (read) {
        table t = {.model = subject.model, .dot = dot, .out = &out};
        number_cases(&t);
        for (uint32_t tm = 0; tm < subject.model->template_count; tm++)
            put_template(&t, (int32_t)tm);
        free(t.cases);
        if (!dot)
            gy_text_add(&out, "\nTransition Type: A=atomic; D=d_step; L=local; G=global\n"
                              "Source-State Labels: p=progress; e=end; a=accept;\n");
        gy_put(&out);
    }
    gy_text_free(&out);
    gy_loaded_model_free(&subject);
    gy_request_free(request);
    return read ? 0 : 1;
}
