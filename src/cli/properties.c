#include "cli/properties.h"

#include "load/load.h"
#include "load/property.h"

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

// --ltl: a name of the model, or a formula that is read against its names (then *read is set).
static int check_ltl(const gy_arguments *arguments, const gy_loaded *loaded, const char *text,
                     gy_formula **read)
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
    gy_formula *formula = gy_load_formula(loaded->model, text, &diags);
    *read = formula;
    if (!formula) {
        gy_text located = {0};
        gy_diags_print(diags, &located, false);
        fputs(gy_text_str(&located), stderr);
        gy_text_free(&located);
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

static void add_safety(gy_verification *verification)
{
    gy_property property = {.name = "safety", .kind = "safety", .checked = true};
    gy_vec_push(&verification->properties, property);
}

// Takes over the observer; NULL: `problem` says why there is none.
static void add(gy_verification *verification, const char *name, const char *kind,
                gy_observer *observer, gy_vacuity vacuity, gy_text *problem)
{
    gy_property property = {.name = name, .kind = kind, .checked = observer != NULL};
    property.observer = observer;
    property.vacuity = vacuity;
    if (!observer)
        property.problem = gy_text_take(problem);
    gy_vec_push(&verification->properties, property);
    gy_text_free(problem);
}

// For a shortest lasso the automaton must have one acceptance set.
static void add_ltl(const gy_arguments *arguments, gy_verification *verification, const char *name,
                    const gy_formula *formula)
{
    gy_text problem = {0};
    gy_vec_push(&verification->formulas, formula);
    gy_vacuity vacuity;
    gy_observer *observer =
        gy_observe_ltl(formula, gy_given(arguments, GY_OPT_SHORTEST), &vacuity, &problem);
    add(verification, name, "ltl", observer, vacuity, &problem);
}

static void add_claim(gy_verification *verification, const gy_model *model, uint32_t number)
{
    gy_text problem = {0};
    gy_observer *observer = gy_observe_claim(model, (int32_t)number, &problem);
    add(verification, model->templates[number].name, "never", observer, GY_NOT_VACUOUS, &problem);
}

static void add_labels(gy_verification *verification, const char *kind, gy_observer *observer)
{
    gy_text none = {0};
    add(verification, kind, kind, observer, GY_NOT_VACUOUS, &none);
}

int gy_properties_choose(const gy_arguments *arguments, gy_loaded *loaded,
                         gy_verification *verification)
{
    const gy_model *model = loaded->model;
    const gy_option_value *check = &arguments->value[GY_OPT_CHECK];
    const char *ltl = arguments->value[GY_OPT_LTL].text;
    uint64_t wanted = check->set ? check->number : CHECK_SAFETY | CHECK_LIVENESS;
    gy_formula *formula = NULL;
    bool claims = false;
    if ((wanted & CHECK_PROGRESS) && !model)
        return gy_complain(arguments, "--check progress: a shared object has no labels");
    if (ltl) {
        int status = check_ltl(arguments, loaded, ltl, &formula);
        if (status)
            return status;
        wanted |= CHECK_LIVENESS;
    }
    if (wanted & CHECK_SAFETY)
        add_safety(verification);
    if ((wanted & CHECK_LIVENESS) && model) {
        for (uint32_t l = 0; l < model->ltl_count; l++)
            if (!ltl || strcmp(ltl, model->ltls[l].name) == 0)
                add_ltl(arguments, verification, model->ltls[l].name, model->ltls[l].formula);
        if (formula)
            add_ltl(arguments, verification, ltl, formula);
        for (uint32_t t = 0; t < model->template_count && !ltl; t++) {
            if (model->templates[t].kind == GY_TMPL_NEVER) {
                add_claim(verification, model, t);
                claims = true;
            }
        }
        if (!ltl && !claims && gy_model_has_flag(model, GY_NODE_ACCEPT))
            add_labels(verification, "acceptance", gy_observe_acceptance(model));
    }
    if (wanted & CHECK_PROGRESS)
        add_labels(verification, "progress", gy_observe_progress(model));
    return 0;
}

void gy_properties_watched(const gy_verification *verification, gy_watched *watched)
{
    *watched = (gy_watched){verification->formulas.at, verification->formulas.n, false};
    for (size_t i = 0; i < verification->properties.n; i++)
        if (strcmp(verification->properties.at[i].kind, "never") == 0)
            watched->claims = true;
}

bool gy_properties_searched(const gy_verification *verification)
{
    for (size_t i = 0; i < verification->properties.n; i++)
        if (gy_property_is_safety(&verification->properties.at[i]))
            return true;
    return false;
}
