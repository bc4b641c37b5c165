#include "model/model_text.h"

static void print_type(gy_type type, gy_text *out)
{
    gy_text_add(out, gy_type_text(type));
    if (type.subtype)
        gy_text_printf(out, ":%s", type.subtype);
}

static void print_variable(const gy_variable *var, const char *margin, gy_text *out)
{
    int32_t min, max;
    gy_type_range(var->type, &min, &max);
    gy_text_printf(out, "%s%s ", margin, var->is_param ? "param" : "var");
    print_type(var->type, out);
    gy_text_printf(out, " %s", var->name);
    if (var->is_array)
        gy_text_printf(out, "[%u]", var->count);
    if (var->min != min || var->max != max)
        gy_text_printf(out, " in %d..%d", var->min, var->max);
    gy_text_printf(out, "%s\n", var->removed ? " removed" : var->hidden ? " hidden" : "");
}

static void print_channel_type(const gy_channel_type *type, uint32_t number, gy_text *out)
{
    gy_text_printf(out, "channel %u %s [%u] {", number, type->name, type->capacity);
    for (uint32_t f = 0; f < type->field_count; f++) {
        gy_text_add(out, f ? ", " : "");
        print_type(type->fields[f], out);
        if (type->ranges)
            gy_text_printf(out, " in %d..%d", type->ranges[f].min, type->ranges[f].max);
    }
    gy_text_add(out, "}\n");
}

static void print_program(const gy_model *model, const gy_program *program, const char *margin,
                          gy_text *out)
{
    bool numbered = !gy_program_is_straight(program);
    for (uint32_t i = 0; program && i < program->count; i++) {
        gy_text_add(out, margin);
        if (numbered)
            gy_text_printf(out, "%u: ", i);
        gy_action_print(model, &program->actions[i], out);
        gy_text_char(out, '\n');
    }
}

static void print_synchronisation(const gy_model *model, const gy_edge *edge, gy_text *out)
{
    gy_action as_action = {.kind = edge->sync == GY_SYNC_SEND ? GY_A_SEND : GY_A_RECV,
                           .chan = edge->chan,
                           .fields = edge->fields,
                           .field_count = edge->field_count,
                           .sorted = edge->sorted,
                           .random = edge->random,
                           .keep = edge->keep};
    if (edge->sync == GY_SYNC_NONE)
        return;
    gy_text_add(out, " sync ");
    gy_action_print(model, &as_action, out);
}

static void print_edge(const gy_model *model, const gy_edge *edge, gy_text *out)
{
    gy_text_printf(out, "    edge %d ", edge->id);
    if (edge->to == GY_NONE)
        gy_text_add(out, "end");
    else
        gy_text_printf(out, "-> %d", edge->to);
    if (edge->kind == GY_EDGE_ELSE)
        gy_text_add(out, " else");
    if (edge->escape)
        gy_text_printf(out, " escape %u", edge->escape);
    if (edge->guard) {
        gy_text_add(out, " when ");
        gy_expr_print(model, edge->guard, out);
    }
    print_synchronisation(model, edge, out);
    gy_text_printf(out, "%s%s", edge->keeps_atomic ? " atomic" : "",
                   edge->is_d_step ? " d_step" : "");
    if (edge->alone)
        gy_text_add(out, " alone");
    if (edge->fair_action)
        gy_text_printf(out, " fair %u", edge->fair_action);
    gy_text_char(out, '\n');
    print_program(model, edge->effect, "      ", out);
}

static void print_node(const gy_model *model, const gy_template *tmpl, uint32_t n, gy_text *out)
{
    static const struct {
        uint32_t flag;
        const char *word;
    } words[] = {{GY_NODE_END, " end"},
                 {GY_NODE_ACCEPT, " accept"},
                 {GY_NODE_PROGRESS, " progress"},
                 {GY_NODE_FINAL, " final"},
                 {GY_NODE_COMMITTED, " committed"}};
    const gy_node *node = &tmpl->nodes[n];
    gy_text_printf(out, "  node %u", n);
    for (uint32_t i = 0; i < tmpl->label_count; i++)
        if (tmpl->labels[i].node == (int32_t)n)
            gy_text_printf(out, " \"%s\"", tmpl->labels[i].name);
    gy_text_add(out, (int32_t)n == tmpl->initial ? " initial" : "");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        gy_text_add(out, node->flags & words[i].flag ? words[i].word : "");
    gy_text_char(out, '\n');
    for (int32_t e = 0; e < node->edge_count; e++)
        print_edge(model, &model->edges[node->first_edge + e], out);
}

static void print_template(const gy_model *model, const gy_template *tmpl, gy_text *out)
{
    static const char *const kinds[] = {"process", "init", "never", "trace", "notrace"};
    gy_text_printf(out, "\n%s %s", kinds[tmpl->kind], tmpl->name ? tmpl->name : "");
    if (tmpl->priority != 1)
        gy_text_printf(out, " priority %d", tmpl->priority);
    if (tmpl->provided) {
        gy_text_add(out, " provided ");
        gy_expr_print(model, tmpl->provided, out);
    }
    if (tmpl->rests) {
        gy_text_add(out, " rests ");
        gy_expr_print(model, tmpl->rests, out);
    }
    gy_text_char(out, '\n');
    for (int32_t v = 0; v < tmpl->var_count; v++)
        print_variable(&model->vars[tmpl->first_var + v], "  ", out);
    if (tmpl->init && tmpl->init->count) {
        gy_text_add(out, "  first\n");
        print_program(model, tmpl->init, "    ", out);
    }
    for (uint32_t n = 0; n < tmpl->node_count; n++)
        print_node(model, tmpl, n, out);
}

void gy_model_print(const gy_model *model, gy_text *out)
{
    gy_text_printf(out, "model %s %s%s\n", model->language, model->name,
                   model->joint_rendezvous ? " joint rendezvous" : "");
    for (uint32_t v = 0; v < model->global_count; v++)
        print_variable(&model->vars[v], "", out);
    for (uint32_t t = 0; t < model->channel_type_count; t++)
        print_channel_type(&model->channel_types[t], t, out);
    if (model->init && model->init->count) {
        gy_text_add(out, "first\n");
        print_program(model, model->init, "  ", out);
    }
    gy_text_add(out, "start");
    for (uint32_t i = 0; i < model->started_count; i++)
        gy_text_printf(out, " %s", model->templates[model->started[i]].name);
    gy_text_char(out, '\n');
    for (uint32_t t = 0; t < model->template_count; t++)
        print_template(model, &model->templates[t], out);
    for (uint32_t i = 0; i < model->ltl_count; i++)
        gy_text_printf(out, "\nltl %s %s\n", model->ltls[i].name ? model->ltls[i].name : "",
                       model->ltls[i].text);
}
