#include "verify/experiment.h"

#include "search/findings.h"
#include "verify/hunt_run.h"
#include "verify/recheck.h"
#include "verify/trail/trail_file.h"

#include "base/clock.h"
#include "base/diag.h"

static bool no_such_method(const char *name, gy_user_error *complaint)
{
    gy_text words = {0};
    const char *best = NULL;
    unsigned distance = 0;
    const gy_strategy *strategy;
    gy_strategies_words(&words);
    gy_nearest_offer(name, "portfolio", &best, &distance);
    for (unsigned i = 0; (strategy = gy_strategy_at(i)); i++)
        gy_nearest_offer(name, gy_strategy_name(strategy), &best, &distance);
    gy_refuse(complaint, "--compare: unknown strategy `%s` (%s|portfolio)%s%s%s", name,
              gy_text_str(&words), best ? "\n  hint: a similar name exists: `" : "",
              best ? best : "", best ? "`" : "");
    gy_text_free(&words);
    return false;
}

typedef GY_VEC(const char *) name_list;

static bool list_methods(const char *list, gy_arena *arena, name_list *names,
                         gy_user_error *complaint)
{
    char *copy = gy_arena_strdup(arena, list), *save = NULL;
    for (char *name = strtok_r(copy, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
        if (strcmp(name, "portfolio") != 0 && !gy_strategy_named(name))
            return no_such_method(name, complaint);
        for (size_t i = 0; i < names->n; i++)
            if (strcmp(names->at[i], name) == 0)
                return gy_refuse(complaint, "--compare: `%s` is given twice", name);
        gy_vec_push(names, name);
    }
    return names->n > 0 || gy_refuse(complaint, "--compare needs the name of a strategy");
}

// The one thing that is looked for: errors, or what violates a property.
static bool choose_property(const gy_properties *properties, gy_property **chosen,
                            gy_user_error *complaint)
{
    *chosen = NULL;
    if (properties->safety)
        return true;
    for (size_t i = 0; i < properties->list.n; i++)
        if (properties->list.at[i].observer)
            *chosen = &properties->list.at[i];
    if (!*chosen)
        return gy_refuse(complaint, "--trials: nothing to hunt for");
    if ((*chosen)->observer->changes)
        return gy_refuse(complaint,
                         "--trials: hunting with a claim that changes variables is not supported");
    return properties->list.n == 1 ||
           gy_refuse(complaint,
                     "--trials: only one goal, formula or claim can be checked at a time");
}

static gy_trials *run(const gy_request *request, gy_loaded_model *subject, const gy_plan *plan,
                      const gy_property *property, const name_list *names, uint64_t trials)
{
    gy_search_options options = plan->safety;
    gy_hunt_options hunt = plan->hunt;
    double spent = request->started > 0 ? gy_clock() - request->started : 0;
    if (!hunt.effort)
        hunt.effort = GY_TRIAL_EFFORT;
    options.hunt = &hunt;
    options.interrupt = request->interrupt ? request->interrupt : &request->stop;
    options.time_limit = request->time > spent ? request->time - spent
                         : request->time > 0   ? 1e-6
                                               : 0;
    return gy_trials_run(subject->system, property ? property->observer : NULL, &options, names->at,
                         (uint32_t)names->n, trials);
}

// ---- the best of them as a trail ----------------------------------------------------------

// What a trail is written from.
typedef struct writing {
    gy_trail_file file;
    gy_path *path;
    const gy_request *request;
    gy_loaded_model *subject;
    gy_property *property; // NULL: errors alone
    gy_arena *arena;
    gy_user_error *complaint;
} writing;

static bool does_not_stand(gy_user_error *complaint, const char *why)
{
    return gy_refuse_internally(
        complaint, "internal error: the best trial was not confirmed when it was replayed (%s)",
        why);
}

// Of an error.
static bool write_walk(writing *w, const gy_trials *trials)
{
    gy_counterexample told = {0};
    gy_witness witness;
    const char *why = "";
    if (!gy_trials_witness(trials, w->subject->system, &witness))
        return does_not_stand(w->complaint, "this path does not exist");
    bool good = gy_recheck_witness(w->path, &witness, w->request->end_empty, &why);
    gy_witness_free(&witness);
    return good ? gy_trail_file_walk(&w->file, w->path, w->arena, &told, w->complaint)
                : does_not_stand(w->complaint, why);
}

// Of what violates a property.
static bool write_lasso(writing *w, const gy_trials *trials)
{
    gy_counterexample told = {0};
    gy_property *property = w->property;
    const char *why = "this path does not exist";
    property->live = gy_alloc_zero(sizeof *property->live);
    property->live->lasso = gy_lasso_along(w->subject->system, property->observer,
                                           trials->best_route, trials->best_route_length);
    bool good = property->live->lasso &&
                gy_recheck_lasso(w->path, w->subject->system, property, GY_FAIRNESS_NONE, &why);
    return good ? gy_trail_file_lasso(&w->file, w->path, property, w->arena, &told, w->complaint)
                : does_not_stand(w->complaint, why);
}

static bool write_trail(writing *w, const gy_trials *trials)
{
    if (!w->file.path || !trials->best)
        return true;
    gy_system *exact = gy_loaded_model_exact(w->subject, w->complaint);
    if (!exact)
        return false;
    w->path = gy_path_new(exact);
    bool good = w->property ? write_lasso(w, trials) : write_walk(w, trials);
    gy_path_free(w->path);
    return good;
}

gy_trials *gy_experiment(gy_request *request, gy_loaded_model *subject, const char *list,
                         uint64_t trials, gy_arena *arena, gy_user_error *complaint)
{
    gy_properties properties;
    gy_plan plan = {0};
    name_list names = {0};
    writing w = {.request = request, .subject = subject, .arena = arena, .complaint = complaint};
    gy_trials *made = NULL;
    request->hunt = true;
    bool good =
        list_methods(list ? list : "guided,random-dfs,portfolio", arena, &names, complaint) &&
        gy_properties_choose(&properties, request, subject, complaint);
    if (!good) {
        gy_vec_free(&names);
        return NULL;
    }
    good = choose_property(&properties, &w.property, complaint) &&
           gy_plan_make(&plan, request, subject, &properties, arena, complaint);
    gy_watched watched = gy_properties_watched(&properties, plan.fairness);
    good = good && gy_trail_file_probe(&w.file, request->trail, complaint) &&
           gy_loaded_model_start_reduced(subject, &plan.passes, &watched, plan.native, complaint) &&
           gy_heuristics_make(request, subject, w.property, arena, &plan.hunt, complaint);
    if (good)
        made = run(request, subject, &plan, w.property, &names, trials);
    if (made && !write_trail(&w, made)) {
        gy_trials_free(made);
        made = NULL;
    }
    gy_plan_free(&plan);
    gy_properties_free(&properties);
    gy_vec_free(&names);
    return made;
}
