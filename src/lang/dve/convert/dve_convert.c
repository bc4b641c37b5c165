#include "lang/dve/convert/dve_convert.h"

#include "lang/dve/convert/dve_convert_internal.h"

#include <string.h>

// ---- what cannot be said ---------------------------------------------------------------------

static void refuse(dve_model *tree)
{
    if (tree->synchronous) {
        gy_diag *diag =
            gy_error(tree->diags, tree->system_place, "a synchronous system cannot be converted");
        gy_hint(diag, "processes of Promela take turns; they have no steps of all together");
    }
    for (uint32_t i = 0; tree->property && i < tree->property->var_count; i++)
        if (!tree->property->vars[i]->is_const) {
            gy_diag *diag = gy_error(tree->diags, tree->property->vars[i]->place,
                                     "a property process with variables cannot be converted");
            gy_hint(diag, "a never claim of Promela must not change anything");
        }
}

// ---- declarations ---------------------------------------------------------------------------

static const char *type_name(dve_type type)
{
    return type == DVE_BYTE ? "byte" : "short";
}

static void put_variable(const dve_conversion *c, const dve_var *var, const char *indent,
                         gy_text *out)
{
    const char *name = dve_name_of(c, var);
    bool zero = true;
    for (uint32_t i = 0; i < var->count; i++)
        zero = zero && var->values[i] == 0;
    if (var->is_const && !var->is_array) {
        gy_text_printf(out, var->values[0] < 0 ? "#define %s (%d)\n" : "#define %s %d\n", name,
                       var->values[0]);
        return;
    }
    gy_text_printf(out, "%s%s %s", indent, type_name(var->type), name);
    if (!var->is_array) {
        if (!zero)
            gy_text_printf(out, " = %d", var->values[0]);
    } else {
        gy_text_printf(out, "[%u]", var->count);
        for (uint32_t i = 0; !zero && i < var->count; i++)
            gy_text_printf(out, "%s%d", i ? ", " : " = {", var->values[i]);
        gy_text_add(out, zero ? "" : "}");
    }
    gy_text_add(out, var->is_const ? "; /* constant */\n" : ";\n");
}

static void put_channel(const dve_conversion *c, const dve_channel *channel, gy_text *out)
{
    if (dve_is_joint(c, channel) || !channel->used)
        return;
    gy_text_printf(out, "chan %s = [%u] of { ", dve_name_of(c, channel), channel->capacity);
    if (!channel->type_count)
        gy_text_add(out, "bit");
    for (uint32_t i = 0; i < channel->type_count; i++)
        gy_text_printf(out, "%s%s", i ? ", " : "",
                       channel->typed ? type_name(channel->types[i]) : "int");
    gy_text_add(out, " };\n");
}

static void put_places(const dve_shape *shape, gy_text *out)
{
    const dve_process *process = shape->process;
    if (!shape->at)
        return;
    gy_text_printf(out, "\n/* where %s is */\n", shape->name);
    for (uint32_t s = 0; s < process->state_count; s++)
        gy_text_printf(out, "#define %s %u\n", shape->places[s], s);
    gy_text_printf(out, "byte %s", shape->at);
    if (process->init)
        gy_text_printf(out, " = %s", shape->places[process->init]);
    gy_text_add(out, ";\n");
}

static void put_committed(const dve_conversion *c, gy_text *out)
{
    bool first = true;
    if (!c->committed)
        return;
    gy_text_add(out, "\n/* some process is in a state that it leaves before others move */\n"
                     "#define committed (");
    for (uint32_t p = 0; p < c->tree->process_count; p++) {
        const dve_shape *shape = &c->shapes[p];
        for (uint32_t s = 0; s < shape->process->state_count; s++) {
            if (!shape->process->states[s].committed)
                continue;
            gy_text_printf(out, "%s%s == %s", first ? "" : " || ", shape->at, shape->places[s]);
            first = false;
        }
    }
    gy_text_add(out, ")\n");
}

static void put_declarations(const dve_conversion *c, gy_text *out)
{
    const dve_model *tree = c->tree;
    for (uint32_t i = 0; i < tree->var_count; i++)
        put_variable(c, tree->vars[i], "", out);
    for (uint32_t p = 0; p < tree->process_count; p++) {
        const dve_process *process = tree->processes[p];
        for (uint32_t i = 0; i < process->var_count; i++)
            if (process->vars[i]->is_const || dve_is_global(c, process->vars[i]))
                put_variable(c, process->vars[i], "", out);
    }
    for (uint32_t i = 0; i < tree->channel_count; i++)
        put_channel(c, tree->channels[i], out);
    for (uint32_t p = 0; p < tree->process_count; p++)
        put_places(&c->shapes[p], out);
    put_committed(c, out);
}

// ---- processes ------------------------------------------------------------------------------

static void put_state(dve_conversion *c, const dve_shape *shape, uint32_t s, bool last,
                      gy_text *out)
{
    const dve_process *process = shape->process;
    gy_text options = {0};
    for (uint32_t t = 0; t < process->transition_count; t++)
        if (process->transitions[t].from == (int32_t)s)
            dve_put_options(c, process, &process->transitions[t], &options);
    gy_text_printf(out, "end_%s: %s:\n", shape->labels[s], shape->labels[s]);
    if (options.n)
        gy_text_printf(out, "    if\n%s    fi", gy_text_str(&options));
    else
        gy_text_add(out, "    false");
    gy_text_add(out, last ? "\n" : ";\n");
    gy_text_free(&options);
}

// The initial state comes first.
static void put_states(dve_conversion *c, const dve_shape *shape, gy_text *out)
{
    uint32_t count = shape->process->state_count, init = (uint32_t)shape->process->init;
    put_state(c, shape, init, count == 1, out);
    for (uint32_t s = 0, done = 1; s < count; s++)
        if (s != init)
            put_state(c, shape, s, ++done == count, out);
}

static void put_loop(dve_conversion *c, const dve_shape *shape, gy_text *out)
{
    const dve_process *process = shape->process;
    gy_text options = {0};
    for (uint32_t t = 0; t < process->transition_count; t++)
        dve_put_options(c, process, &process->transitions[t], &options);
    if (options.n)
        gy_text_printf(out, "end:\n    do\n%s    od\n", gy_text_str(&options));
    else
        gy_text_add(out, "end:\n    false /* others move it */\n");
    gy_text_free(&options);
}

static void put_process(dve_conversion *c, const dve_shape *shape, gy_text *out)
{
    const dve_process *process = shape->process;
    gy_text body = {0};
    c->temporaries.n = 0;
    if (shape->driven)
        put_loop(c, shape, &body);
    else
        put_states(c, shape, &body);
    gy_text_printf(out, "\nactive proctype %s()\n{\n", shape->name);
    for (uint32_t i = 0; i < process->var_count; i++)
        if (!process->vars[i]->is_const && !dve_is_global(c, process->vars[i]))
            put_variable(c, process->vars[i], "    ", out);
    for (size_t i = 0; i < c->temporaries.n; i++)
        gy_text_printf(out, "    int %s; /* part of a message, for a moment */\n",
                       c->temporaries.at[i]);
    gy_text_add(out, gy_text_str(&body));
    gy_text_add(out, "}\n");
    gy_text_free(&body);
}

// ---- properties -----------------------------------------------------------------------------

static void put_claim_state(const dve_conversion *c, const dve_shape *shape, uint32_t s,
                            gy_text *out)
{
    const dve_process *process = shape->process;
    bool any = false;
    gy_text_printf(out, "%s:\n", shape->labels[s]);
    for (uint32_t i = 0; i < process->transition_count; i++) {
        const dve_transition *t = &process->transitions[i];
        dve_viewer viewer = {.self = process, .place = t->from};
        if (t->from != (int32_t)s)
            continue;
        gy_text_add(out, any ? "    :: " : "    if\n    :: ");
        any = true;
        for (uint32_t g = 0; g < t->guard_count; g++) {
            gy_text_add(out, g ? " && " : "");
            dve_put_operand(c, &viewer, t->guards[g], out);
        }
        gy_text_printf(out, "%s -> goto %s\n", t->guard_count ? "" : "true", shape->labels[t->to]);
    }
    gy_text_add(out, any ? "    fi" : "    false");
}

static void put_claim(const dve_conversion *c, gy_text *out)
{
    const dve_shape *shape = c->tree->property ? dve_shape_of(c, c->tree->property) : NULL;
    if (!shape)
        return;
    uint32_t init = (uint32_t)shape->process->init;
    gy_text_printf(out, "\nnever { /* %s */\n", shape->name);
    put_claim_state(c, shape, init, out);
    for (uint32_t s = 0; s < shape->process->state_count; s++) {
        if (s == init)
            continue;
        gy_text_add(out, ";\n");
        put_claim_state(c, shape, s, out);
    }
    gy_text_add(out, "\n}\n");
}

static void put_assertions(dve_conversion *c, const dve_process *process, gy_text *out)
{
    dve_viewer viewer = {.place = -1};
    for (uint32_t i = 0; i < process->assert_count; i++) {
        const dve_assertion *a = &process->asserts[i];
        dve_expr at = {.kind = DVE_X_AT, .process = (dve_process *)process, .state = a->state};
        gy_text_printf(out, "\nltl %s { [] (!",
                       dve_unique_name(c, gy_arena_printf(c->arena, "assert_%s_%s", process->name,
                                                          a->at.name)));
        gy_text_char(out, '(');
        dve_put_expr(c, &viewer, &at, out);
        gy_text_add(out, ") || ");
        dve_put_operand(c, &viewer, a->expr, out);
        gy_text_add(out, ") }\n");
    }
}

// ---- the model ------------------------------------------------------------------------------

static void put_model(dve_conversion *c, const char *name, gy_text *out)
{
    dve_model *tree = c->tree;
    const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    gy_text_printf(out, "/* From %s, which is in DVE, by gyre convert. */\n\n", base);
    put_declarations(c, out);
    for (uint32_t p = 0; p < tree->process_count; p++)
        if (!tree->processes[p]->is_property)
            put_process(c, &c->shapes[p], out);
    for (uint32_t p = 0; p < tree->process_count; p++)
        put_assertions(c, tree->processes[p], out);
    put_claim(c, out);
}

bool dve_to_promela(dve_model *tree, const char *name, gy_text *out)
{
    dve_conversion c = {.tree = tree, .arena = gy_arena_new()};
    refuse(tree);
    if (!gy_diags_errors(tree->diags)) {
        c.shapes = GY_NEW_ARRAY(c.arena, dve_shape, tree->process_count);
        dve_plan(&c);
        dve_name_all(&c);
        put_model(&c, name, out);
    }
    gy_vec_free(&c.used);
    gy_vec_free(&c.names);
    gy_vec_free(&c.joint);
    gy_vec_free(&c.global);
    gy_vec_free(&c.temporaries);
    gy_arena_free(c.arena);
    return gy_diags_errors(tree->diags) == 0;
}
