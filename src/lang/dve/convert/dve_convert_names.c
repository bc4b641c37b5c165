// Names that are good ones in Promela (and in the C that Spin makes of it), and no two alike.
#include "lang/dve/convert/dve_convert_internal.h"

#include <ctype.h>
#include <string.h>

static const char *const reserved[] = {
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "nonempty",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "always",
    "eventually",
    "until",
    "weakuntil",
    "stronguntil",
    "implies",
    "equivalent",
    "release",
    "next",
    "U",
    "V",
    "W",
    "X",
    "STDIN",
    "_",
    "_pid",
    "_last",
    "_nr_pr",
    "_priority",
    // of C
    "auto",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "double",
    "enum",
    "extern",
    "float",
    "long",
    "main",
    "now",
    "register",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "union",
    "void",
    "volatile",
    "while",
};

static bool is_taken(const dve_conversion *c, const char *name)
{
    for (size_t i = 0; i < c->used.n; i++)
        if (!strcmp(c->used.at[i], name))
            return true;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(reserved[i], name))
            return true;
    return false;
}

// A name like that, which is free.
static const char *free_name(const dve_conversion *c, const char *wish)
{
    char *name = gy_arena_strdup(c->arena, wish);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    const char *found = name;
    for (unsigned n = 2; is_taken(c, found); n++)
        found = gy_arena_printf(c->arena, "%s_%u", name, n);
    return found;
}

const char *dve_unique_name(dve_conversion *c, const char *wish)
{
    const char *name = free_name(c, wish);
    gy_vec_push(&c->used, name);
    return name;
}

const char *dve_name_of(const dve_conversion *c, const void *thing)
{
    for (size_t i = 0; i < c->names.n; i++)
        if (c->names.at[i].thing == thing)
            return c->names.at[i].name;
    return NULL;
}

static void name_thing(dve_conversion *c, const void *thing, const char *wish)
{
    dve_named named = {thing, dve_unique_name(c, wish)};
    gy_vec_push(&c->names, named);
}

static void name_variables(dve_conversion *c, const dve_process *process)
{
    dve_var *const *vars = process ? process->vars : c->tree->vars;
    uint32_t count = process ? process->var_count : c->tree->var_count;
    for (uint32_t i = 0; i < count; i++) {
        bool outside = process && (vars[i]->is_const || dve_is_global(c, vars[i]));
        name_thing(c, vars[i],
                   outside ? gy_arena_printf(c->arena, "%s_%s", process->name, vars[i]->name)
                           : vars[i]->name);
    }
}

static bool begins_with(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

// Labels of other processes may be the same; some beginnings of labels have a meaning.
static const char *label_name(const dve_conversion *c, const dve_process *process, uint32_t s)
{
    const char *own = process->states[s].name;
    bool special =
        begins_with(own, "accept") || begins_with(own, "progress") || begins_with(own, "end");
    if (process->is_property && process->states[s].accepting)
        own = gy_arena_printf(c->arena, "accept_%s", own);
    else if (special)
        own = gy_arena_printf(c->arena, "at_%s", own);
    return free_name(c, own);
}

static void name_states(dve_conversion *c, dve_shape *shape)
{
    const dve_process *process = shape->process;
    shape->labels = GY_NEW_ARRAY(c->arena, const char *, process->state_count);
    shape->places = GY_NEW_ARRAY(c->arena, const char *, process->state_count);
    for (uint32_t s = 0; s < process->state_count; s++) {
        shape->labels[s] = label_name(c, process, s);
        if (shape->at)
            shape->places[s] = dve_unique_name(
                c, gy_arena_printf(c->arena, "%s_%s", shape->name, process->states[s].name));
    }
}

void dve_name_all(dve_conversion *c)
{
    dve_model *tree = c->tree;
    if (c->committed)
        gy_vec_push(&c->used, "committed");
    for (uint32_t i = 0; i < tree->process_count; i++)
        c->shapes[i].name = dve_unique_name(c, tree->processes[i]->name);
    name_variables(c, NULL);
    for (uint32_t i = 0; i < tree->channel_count; i++)
        name_thing(c, tree->channels[i], tree->channels[i]->name);
    for (uint32_t i = 0; i < tree->process_count; i++)
        name_variables(c, tree->processes[i]);
    for (uint32_t i = 0; i < tree->process_count; i++) {
        dve_shape *shape = &c->shapes[i];
        if (shape->asked || shape->driven)
            shape->at = dve_unique_name(c, gy_arena_printf(c->arena, "%s_at", shape->name));
    }
    for (uint32_t i = 0; i < tree->process_count; i++)
        name_states(c, &c->shapes[i]);
}

dve_shape *dve_shape_of(const dve_conversion *c, const dve_process *process)
{
    for (uint32_t i = 0; i < c->tree->process_count; i++)
        if (c->shapes[i].process == process)
            return &c->shapes[i];
    return NULL;
}
