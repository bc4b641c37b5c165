#include "cli/properties.h"

#include "load/load.h"

#include <ctype.h>

enum { CHECK_SAFETY = 1, CHECK_LIVENESS = 2, CHECK_PROGRESS = 4 }; // words of --check, in order

static bool is_name(const char *text)
{
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_')
            return false;
    return !isdigit((unsigned char)*text);
}

static bool is_global(const gy_model *model, const char *name)
{
    for (uint32_t v = 0; v < model->global_count; v++)
        if (strcmp(model->vars[v].name, name) == 0)
            return true;
    return strcmp(name, "true") == 0 || strcmp(name, "false") == 0;
}

static bool has_ltl(const gy_model *model, const char *name)
{
    for (uint32_t l = 0; l < model->ltl_count; l++)
        if (strcmp(model->ltls[l].name, name) == 0)
            return true;
    return false;
}

// --ltl: a name of the model, or a formula that is read against its names.
static int check_ltl(const gy_arguments *arguments, const gy_loaded *loaded, const char *text)
{
    if (!loaded->model)
        return gy_complain(arguments, "--ltl: a shared object has no ltl properties");
    if (has_ltl(loaded->model, text))
        return 0;
    if (is_name(text) && !is_global(loaded->model, text)) {
        const char *best = NULL;
        unsigned distance = 0;
        for (uint32_t l = 0; l < loaded->model->ltl_count; l++)
            gy_nearest_offer(text, loaded->model->ltls[l].name, &best, &distance);
        return gy_complain(arguments, "--ltl: the model has no ltl property `%s`%s%s%s", text,
                           best ? "\n  hint: did you mean `" : "", best ? best : "",
                           best ? "`?" : "");
    }
    gy_diags *diags = NULL;
    gy_formula *formula = gy_load_formula(loaded->system->owned_model, text, &diags);
    if (!formula) {
        gy_text problem = {0};
        gy_text_printf(&problem, "--ltl: `%s` is no formula", text);
        for (size_t i = 0; diags && i < gy_diags_count(diags); i++)
            gy_text_printf(&problem, "%s %s", i == 0 ? ":" : ";", gy_diags_at(diags, i)->message);
        gy_complain(arguments, "%s", gy_text_str(&problem));
        gy_text_free(&problem);
    }
    gy_diags_free(diags);
    return formula ? 0 : GY_EXIT_WRONG;
}

static bool has_accept_label(const gy_model *model)
{
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        if (tmpl->kind != GY_TMPL_PROCESS && tmpl->kind != GY_TMPL_INIT)
            continue;
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            if (tmpl->nodes[n].flags & GY_NODE_ACCEPT)
                return true;
    }
    return false;
}

static void add(gy_verification *verification, const char *name, const char *kind, bool checked)
{
    gy_property property = {name, kind, checked};
    gy_vec_push(&verification->properties, property);
}

int gy_properties_choose(const gy_arguments *arguments, gy_loaded *loaded,
                         gy_verification *verification)
{
    const gy_model *model = loaded->model;
    const gy_option_value *check = &arguments->value[GY_OPT_CHECK];
    const char *ltl = arguments->value[GY_OPT_LTL].text;
    uint64_t wanted = check->set ? check->number : CHECK_SAFETY | CHECK_LIVENESS;
    if (ltl) {
        int status = check_ltl(arguments, loaded, ltl);
        if (status)
            return status;
        wanted |= CHECK_LIVENESS;
    }
    if (wanted & CHECK_SAFETY)
        add(verification, "safety", "safety", true);
    if ((wanted & CHECK_LIVENESS) && model) {
        for (uint32_t l = 0; l < model->ltl_count; l++)
            if (!ltl || strcmp(ltl, model->ltls[l].name) == 0)
                add(verification, model->ltls[l].name, "ltl", false);
        if (ltl && !has_ltl(model, ltl))
            add(verification, ltl, "ltl", false);
        for (uint32_t t = 0; t < model->template_count && !ltl; t++)
            if (model->templates[t].kind == GY_TMPL_NEVER)
                add(verification, model->templates[t].name, "never", false);
        if (check->set && !ltl && has_accept_label(model))
            add(verification, "acceptance", "acceptance", false);
    }
    if (wanted & CHECK_PROGRESS)
        add(verification, "progress", "progress", false);
    return 0;
}

bool gy_properties_searched(const gy_verification *verification)
{
    for (size_t i = 0; i < verification->properties.n; i++)
        if (verification->properties.at[i].checked)
            return true;
    return false;
}
