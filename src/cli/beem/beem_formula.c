// From a formula of a description to one over the names of an instance.
#include "base/file.h"
#include "cli/beem/beem_set.h"
#include "lang/dve/dve_front_end.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// What an atom stands for; NULL: it is none.
static const char *atom_text(gy_arena *arena, const beem_model *model, const char *name, size_t n)
{
    const beem_element *e = model->description ? model->description->first : NULL;
    for (; e; e = e->next) {
        const char *own = !strcmp(e->name, "ap") ? beem_child_text(arena, e, "ap-name") : "";
        if (strlen(own) == n && n > 0 && !strncmp(own, name, n))
            return beem_child_text(arena, e, "ap-expression");
    }
    return NULL;
}

// In goals atoms get no parentheses: what is recorded was made that way, and (`not a` for an atom
// `x == 1`) means something else with them.
static void replace_atoms(gy_arena *arena, const beem_instance *instance, const beem_task *task,
                          gy_text *out)
{
    bool bare = task->kind == BEEM_REACH;
    for (const char *at = task->formula; *at;) {
        size_t n = 0;
        while (is_word(at[n]))
            n++;
        const char *atom = n ? atom_text(arena, instance->model, at, n) : NULL;
        if (atom)
            gy_text_printf(out, bare ? "%s" : "(%s)", atom);
        else
            gy_text_bytes(out, at, n ? n : 1);
        at += n ? n : 1;
    }
}

// "N=3, K1=2" as a list that ends with NULL.
static char **split_parameters(char *copy)
{
    GY_VEC(char *) list = {0};
    char *rest = NULL;
    for (char *word = strtok_r(copy, ", \t\r\n", &rest); word;
         word = strtok_r(NULL, ", \t\r\n", &rest))
        gy_vec_push(&list, word);
    gy_vec_push(&list, NULL);
    return list.at;
}

static bool expand(const beem_instance *instance, const char *formula, gy_text *out,
                   gy_text *problem)
{
    gy_file_rules rules = {.most_bytes = 64u << 20, .regular_only = true}; // nobody named it
    gy_file file;
    if (!gy_file_read(instance->model->template, &rules, &file)) {
        gy_text_printf(problem, "cannot read %s: %s", instance->model->template, file.problem);
        return false;
    }
    gy_diags *diags = gy_diags_new(NULL);
    char *copy = strdup(instance->parameters);
    char **defines = split_parameters(copy);
    bool good = gy_dve_expand_behind(file.text, file.bytes, formula, (const char *const *)defines,
                                     out, diags);
    if (!good)
        gy_diags_print(diags, problem, false);
    free(defines);
    free(copy);
    gy_diags_free(diags);
    gy_file_free(&file);
    return good;
}

bool beem_formula(const beem_instance *instance, const beem_task *task, gy_text *out,
                  gy_text *problem)
{
    gy_text plain = {0};
    gy_arena *arena = gy_arena_new();
    bool good = true, goal = task->kind == BEEM_REACH;
    if (!*task->formula) {
        gy_text_printf(problem, "the description has no formula for property %s", task->property);
        good = false;
    } else {
        replace_atoms(arena, instance, task, &plain);
        gy_text_add(out, goal ? "! <> (" : "");
        if (instance->model->template)
            good = expand(instance, gy_text_str(&plain), out, problem);
        else
            gy_text_add(out, gy_text_str(&plain));
        gy_text_add(out, goal ? ")" : "");
    }
    gy_arena_free(arena);
    gy_text_free(&plain);
    return good;
}
