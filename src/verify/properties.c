#include "verify/properties.h"

#include "load/constant_parts.h"
#include "load/fuse_atoms.h"
#include "verify/limits.h"
#include "verify/reachability.h"

#include <ctype.h>

bool gy_property_is_safety(const gy_property *property)
{
    return strcmp(property->kind, "safety") == 0;
}

bool gy_property_is_partial(const gy_property *property)
{
    return strcmp(property->kind, "partial-deadlock") == 0;
}

bool gy_property_is_searched(const gy_property *property)
{
    return property->observer || gy_property_is_safety(property) ||
           gy_property_is_partial(property);
}

bool gy_property_is_ltl(const gy_property *property)
{
    return strcmp(property->kind, "ltl") == 0;
}

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

static bool no_such_property(const gy_model *model, const char *text, gy_user_error *complaint)
{
    const char *best = NULL;
    unsigned distance = 0;
    for (uint32_t l = 0; l < model->ltl_count; l++)
        gy_nearest_offer(text, model->ltls[l].name, &best, &distance);
    return gy_refuse(complaint, "--ltl: unknown ltl property `%s`%s%s%s", text,
                     best ? "\n  hint: a similar name exists: `" : "", best ? best : "",
                     best ? "`" : "");
}

static bool no_formula(const char *option, const char *text, const char *wanted,
                       const gy_diags *diags, gy_user_error *complaint)
{
    gy_refuse(complaint, "%s: `%s` is not a valid %s", option, text, wanted);
    if (diags)
        gy_diags_print(diags, &complaint->excerpt, false);
    for (size_t i = 0; diags && i < gy_diags_count(diags); i++)
        gy_text_printf(&complaint->message, "%s %s", i == 0 ? ":" : ";",
                       gy_diags_at(diags, i)->message);
    return false;
}

// A name of the model, or a formula that is read against its names (then *read is set).
static bool read_ltl(const gy_loaded_model *subject, const char *text, gy_formula **read,
                     gy_user_error *complaint)
{
    gy_model *model = subject->model;
    *read = NULL;
    if (model && has_ltl(model, text))
        return true;
    if (model && is_name(text) && !is_global(model, text))
        return no_such_property(model, text, complaint);
    gy_diags *diags = NULL;
    *read = gy_loaded_model_formula(subject, text, &diags);
    if (!*read)
        no_formula("--ltl", text, "formula", diags, complaint);
    gy_diags_free(diags);
    return *read != NULL;
}

// Takes over the observer; NULL: `problem` says why there is none.
static void add(gy_properties *properties, gy_property property, gy_text *problem)
{
    property.checked = gy_property_is_searched(&property);
    if (!property.checked)
        property.problem = gy_text_take(problem);
    gy_vec_push(&properties->list, property);
    gy_text_free(problem);
}

static void add_plain(gy_properties *properties, const char *kind, gy_observer *observer)
{
    gy_text none = {0};
    add(properties, (gy_property){.name = kind, .kind = kind, .observer = observer, .claim = -1},
        &none);
}

// That are left for the automaton of a formula.
static double seconds_for(const gy_request *request)
{
    gy_limits limits = {.started = request->started, .seconds = request->time};
    return request->started > 0 ? gy_limits_left(&limits) : request->time;
}

// `of`: the property of the model, or NULL: the name is the formula.
static void add_ltl(gy_properties *properties, const gy_request *request, const gy_model *model,
                    const char *name, const gy_formula *formula, const gy_ltl_property *of)
{
    gy_text problem = {0};
    gy_property property = {.name = name, .kind = "ltl", .formula = formula, .claim = -1};
    property.disregards_fairness = of && of->disregards_fairness;
    property.written = !of ? name : of->written ? of->written : of->text;
    property.asked = request->formulas.n > 0;
    gy_vec_push(&properties->formulas, formula);
    property.observer = gy_observe_ltl(model, formula, request->shortest, seconds_for(request),
                                       &property.vacuity, &problem);
    add(properties, property, &problem);
}

// Is the last formula, which seems to depend on the model, vacuous by what values its variables can
// have?
static void look_at_values(gy_properties *properties, const gy_request *request,
                           const gy_model *model)
{
    gy_property *property = &properties->list.at[properties->list.n - 1];
    if (!model || !property->observer || property->vacuity != GY_NOT_VACUOUS)
        return;
    gy_text problem = {0};
    const gy_formula *folded = gy_fold_constant_parts(model, property->formula);
    if (folded)
        gy_observer_free(gy_observe_ltl(model, folded, false, seconds_for(request),
                                        &property->vacuity, &problem));
    gy_text_free(&problem);
}

static bool asks_for(const gy_strings *formulas, const char *name)
{
    for (size_t i = 0; i < formulas->n; i++)
        if (strcmp(formulas->at[i], name) == 0)
            return true;
    return formulas->n == 0;
}

// What the request names: properties of the model in its order, then formulas.
static bool add_formulas(gy_properties *properties, const gy_request *request,
                         const gy_loaded_model *subject, gy_user_error *complaint)
{
    const gy_model *model = subject->model;
    const gy_strings *given = &request->formulas;
    GY_VEC(gy_formula *) read = {0};
    bool good = true;
    for (size_t i = 0; i < given->n && good; i++) {
        gy_formula *formula;
        good = read_ltl(subject, given->at[i], &formula, complaint);
        gy_vec_push(&read, formula);
    }
    for (uint32_t l = 0; good && model && l < model->ltl_count; l++) {
        const gy_ltl_property *of = &model->ltls[l];
        if (!asks_for(given, of->name))
            continue;
        add_ltl(properties, request, model, of->name, gy_fuse_atoms(model, of->formula), of);
        look_at_values(properties, request, model);
    }
    for (size_t i = 0; good && i < given->n; i++) {
        gy_strings earlier = {given->at, i};
        bool again = i > 0 && asks_for(&earlier, given->at[i]);
        if (!read.at[i] || again)
            continue;
        add_ltl(properties, request, model, given->at[i], gy_fuse_atoms(model, read.at[i]), NULL);
        look_at_values(properties, request, model);
    }
    gy_vec_free(&read);
    return good;
}

// States that must not be reached, after all else: what follows from that is as for any formula.
static bool add_states(gy_properties *properties, const gy_request *request,
                       const gy_loaded_model *subject, gy_user_error *complaint)
{
    gy_bad_states_list list = {0};
    bool good = gy_bad_states_read(request, subject, &list, complaint);
    for (size_t i = 0; i < list.n; i++) {
        const gy_bad_states *bad = &list.at[i];
        gy_diags *diags = NULL;
        gy_vec_push(&properties->texts, bad->formula);
        gy_vec_push(&properties->terms, bad->question.terms);
        gy_formula *formula = good ? gy_loaded_model_formula(subject, bad->formula, &diags) : NULL;
        if (good && !formula)
            no_formula(bad->option, bad->text,
                       "expression over the variables and labels of the model", diags, complaint);
        good = formula != NULL;
        gy_diags_free(diags);
        if (!good)
            continue;
        add_ltl(properties, request, subject->model, bad->formula, formula, NULL);
        properties->list.at[properties->list.n - 1].question = bad->question;
    }
    gy_vec_free(&list);
    return good;
}

static void add_claims(gy_properties *properties, const gy_model *model)
{
    for (uint32_t t = 0; t < model->template_count; t++) {
        gy_text problem = {0};
        if (model->templates[t].kind != GY_TMPL_NEVER)
            continue;
        gy_property property = {
            .name = model->templates[t].name, .kind = "never", .claim = (int32_t)t};
        property.observer = gy_observe_claim(model, (int32_t)t, &problem);
        add(properties, property, &problem);
        properties->claims = true;
    }
}

bool gy_properties_choose(gy_properties *properties, const gy_request *request,
                          const gy_loaded_model *subject, gy_user_error *complaint)
{
    const gy_model *model = subject->model;
    bool states = request->states.n > 0 || request->sums.n > 0 || request->states_file;
    bool named = request->formulas.n > 0 || states, goals = request->goals.n > 0;
    uint64_t wanted = request->checks.set ? request->checks.number
                      : goals             ? 0 // they alone
                                          : GY_CHECK_SAFETY | GY_CHECK_LIVENESS;
    *properties = (gy_properties){0};
    if (named)
        wanted |= GY_CHECK_LIVENESS;
    if ((wanted & GY_CHECK_PROGRESS) && !model)
        return gy_refuse(complaint, "--check progress cannot be used with a shared object");
    properties->safety = wanted & (GY_CHECK_SAFETY | GY_CHECK_DEADLOCK);
    if (properties->safety)
        add_plain(properties, "safety", NULL);
    if (request->partial_deadlock && !model)
        return gy_refuse(complaint, "--partial-deadlock cannot be used with a shared object");
    properties->partial = request->partial_deadlock;
    if (properties->partial)
        add_plain(properties, "partial-deadlock", NULL);
    if ((wanted & GY_CHECK_LIVENESS) && (request->formulas.n > 0 || !states) &&
        !add_formulas(properties, request, subject, complaint))
        return false;
    if (!add_states(properties, request, subject, complaint))
        return false;
    if (wanted & GY_CHECK_LIVENESS) {
        if (model && !named)
            add_claims(properties, model);
        if (model && !named && !properties->claims && gy_model_has_flag(model, GY_NODE_ACCEPT))
            add_plain(properties, "acceptance", gy_observe_acceptance(model));
    }
    if (wanted & GY_CHECK_PROGRESS)
        add_plain(properties, "progress", gy_observe_progress(model));
    return true;
}

bool gy_properties_cycles(const gy_properties *properties)
{
    return properties->list.n > (size_t)properties->safety + properties->partial;
}

gy_watched gy_properties_watched(const gy_properties *properties, gy_fairness fairness)
{
    bool fair = gy_properties_cycles(properties) && fairness != GY_FAIRNESS_NONE;
    return (gy_watched){.formulas = properties->formulas.at,
                        .formula_count = properties->formulas.n,
                        .claims = properties->claims,
                        .fair_statements = fair,
                        .fair_processes = fair && fairness != GY_FAIRNESS_ACTIONS};
}

void gy_properties_free(gy_properties *properties)
{
    for (size_t i = 0; i < properties->list.n; i++) {
        gy_property *property = &properties->list.at[i];
        gy_product_result_free(property->live);
        gy_partial_deadlock_free(property->partial);
        gy_observer_free(property->observer);
        free(property->problem);
        for (size_t k = 0; k < property->unmet.n; k++)
            free(property->unmet.at[k]);
        gy_vec_free(&property->unmet);
    }
    gy_vec_free(&properties->list);
    gy_vec_free(&properties->formulas);
    for (size_t i = 0; i < properties->texts.n; i++) {
        free(properties->texts.at[i]);
        free((void *)properties->terms.at[i]);
    }
    gy_vec_free(&properties->texts);
    gy_vec_free(&properties->terms);
}
