// What the searches have found: run again, reported and written, one at a time. Of many errors of
// the same kind only some are reported, and none that the limits leave no room for; the report says
// how many were left out.
#include "verify/context_switches.h"
#include "verify/enum_names.h"
#include "verify/explain/formula_reasons.h"
#include "verify/partial_deadlock_property.h"
#include "verify/recheck.h"
#include "verify/suggestions.h"

typedef struct kind_count {
    gy_error_kind error;
    gy_fault_kind fault;
    int32_t edge; // of a fault: the statement that fails
    uint64_t told;
} kind_count;

typedef struct telling {
    gy_verification *driver;
    gy_explainer teller;
    GY_VEC(kind_count) kinds;
    bool wraps_told;
} telling;

bool gy_verification_found(const gy_verification *driver)
{
    bool found = driver->result && driver->result->witness_count > 0;
    for (size_t i = 0; i < driver->properties.list.n; i++) {
        const gy_product_result *live = driver->properties.list.at[i].live;
        const gy_partial_deadlock *partial = driver->properties.list.at[i].partial;
        found = found || (live && live->lasso) || (partial && partial->stuck);
    }
    return found;
}

static bool does_not_stand(gy_verification *driver, const char *why)
{
    return gy_refuse_internally(
        &driver->complaint, "a counterexample was not confirmed when it was replayed (%s)", why);
}

static gy_path *new_path(telling *t)
{
    gy_path *path = gy_path_new(t->teller.system);
    path->enough = gy_limits_enough;
    path->enough_user = &t->driver->limits;
    return path;
}

// The steps and the end, or why they are not reported.
static void tell_path(telling *t, gy_path *path, uint64_t length, gy_counterexample *told)
{
    gy_verification *driver = t->driver;
    if (path->cut) {
        told->cut = path->cut;
        told->length = length;
        told->cycle_start = -1;
        told->final.name = "not-at-end";
        told->final.ending = GY_ENDING_OPEN;
        return;
    }
    gy_tell_walk(&t->teller, path, driver->request->end_empty, gy_limits_enough, &driver->limits,
                 told);
    if (driver->outcome->graph && !told->cut)
        told->nodes = gy_graph_walk(&driver->graph, path, t->teller.arena);
}

// ---- errors --------------------------------------------------------------------------

static kind_count *kind_of(telling *t, const gy_witness *witness)
{
    kind_count kind = {.error = witness->error, .fault = witness->fault, .edge = -1};
    if (witness->error == GY_ERROR_FAULT && witness->step_count > 0)
        kind.edge = witness->steps[witness->step_count - 1].edge;
    for (size_t i = 0; i < t->kinds.n; i++) {
        kind_count *known = &t->kinds.at[i];
        if (known->error == kind.error && known->fault == kind.fault && known->edge == kind.edge)
            return known;
    }
    gy_vec_push(&t->kinds, kind);
    return &t->kinds.at[t->kinds.n - 1];
}

static const char *enough_of_a_kind(telling *t)
{
    uint64_t most = t->driver->plan.witnesses;
    return gy_arena_printf(t->teller.arena,
                           "%llu of each kind %s shown; use --witnesses 0 to show all",
                           (unsigned long long)most, most == 1 ? "is" : "are");
}

// Why this witness is not to be reported, or NULL. The first one always is.
static const char *leave_out(telling *t, const gy_witness *witness, uint32_t told)
{
    uint64_t most = t->driver->plan.witnesses;
    kind_count *kind = kind_of(t, witness);
    const char *enough = told ? gy_limits_enough(&t->driver->limits) : NULL;
    if (enough)
        return enough;
    if (most && kind->told >= most)
        return enough_of_a_kind(t);
    kind->told++;
    return NULL;
}

// What makes one run shorter than another.
static uint64_t statements_of(const gy_path *path)
{
    uint64_t count = gy_path_steps(path);
    for (size_t i = 0; i < path->moments.n; i++)
        count += path->moments.at[i].step.partner >= 0;
    return count;
}

static bool has_rendezvous(const gy_model *model)
{
    bool some = false;
    for (uint32_t i = 0; model && i < model->channel_type_count; i++)
        some = some || model->channel_types[i].capacity == 0;
    return some;
}

// The verdict does not depend on whether its trail could be written.
static void remark_on_trail(gy_verification *driver)
{
    gy_diagnostic remark = {
        .severity = "error",
        .code = GY_TRAIL_NOT_WRITTEN,
        .message = gy_arena_strdup(driver->arena, gy_text_str(&driver->complaint.message)),
    };
    gy_user_error_free(&driver->complaint);
    gy_vec_push(&driver->remarks, remark);
}

// Of the two runs, the one with fewer context switches; the other one is freed.
static gy_path *simplify(telling *t, gy_path *path, gy_counterexample *told)
{
    gy_verification *driver = t->driver;
    gy_path *simpler = NULL;
    told->switches = gy_path_switches(path);
    told->switches_found = -1;
    if (!driver->request->simplify)
        return path;
    gy_simplified result = {0};
    told->switches_found = (int64_t)told->switches;
    simpler = gy_simplify(path, driver->request->end_empty, &driver->limits, &result);
    told->fewest_switches = result.fewest;
    told->not_simplified = gy_keep_string(t->teller.arena, result.limit);
    if (!simpler)
        return path;
    told->switches = gy_path_switches(simpler);
    told->shortest = told->shortest && statements_of(simpler) == statements_of(path);
    gy_path_free(path);
    return simpler;
}

static bool tell_witness(telling *t, const gy_witness *witness, gy_counterexample *told)
{
    gy_verification *driver = t->driver;
    gy_arena *arena = t->teller.arena;
    gy_path *path = new_path(t);
    const char *why = "", *said = witness->message;
    bool good = gy_recheck_witness(path, witness, driver->request->end_empty, &why);
    if (!good && !path->cut) {
        gy_path_free(path);
        return does_not_stand(driver, why);
    }
    bool end = witness->error == GY_ERROR_END_STATE;
    told->kind = gy_arena_strdup(arena, gy_witness_kind(driver->subject->system, witness));
    told->message = end ? "invalid end state" : gy_arena_strdup(arena, said ? said : "");
    told->title = end             ? "invalid end state (no process can move)"
                  : said && *said ? told->message
                                  : told->kind;
    told->depth = witness->depth;
    told->shortest = driver->shortest && witness->shortest;
    told->first_length = witness->first_length;
    told->effort_spent = !told->shortest && witness->effort_spent;
    told->pairs = has_rendezvous(t->teller.system->model);
    told->explanation = "";
    if (!path->cut && end && driver->remarks.n == 0)
        gy_advise_end_labels(driver, path);
    if (!path->cut)
        path = simplify(t, path, told);
    if (!path->cut && !t->wraps_told)
        gy_verification_remark_on_wraps(driver, witness->steps, witness->step_count);
    t->wraps_told = true; // those of the first one
    tell_path(t, path, witness->step_count, told);
    if (!path->cut && !gy_trail_file_walk(&driver->trail, path, arena, told, &driver->complaint))
        remark_on_trail(driver);
    gy_path_free(path);
    return true;
}

static bool tell_errors(telling *t, gy_property_outcome *told)
{
    gy_search_result *result = t->driver->result;
    gy_counterexample *list =
        GY_NEW_ARRAY(t->teller.arena, gy_counterexample, result->witness_count + 1);
    told->counterexamples = list;
    told->distinct = result->witness_count + result->not_kept;
    told->left_out = result->not_kept;
    told->left_out_why = enough_of_a_kind(t);
    for (uint32_t i = 0; i < result->witness_count; i++) {
        gy_witness *witness = &result->witnesses[i];
        const char *why = leave_out(t, witness, told->counterexample_count);
        if (why) {
            told->left_out++;
            told->left_out_why = why;
        } else if (!tell_witness(t, witness, &list[told->counterexample_count++])) {
            return false;
        }
        free(witness->steps); // the next one may need the room
        witness->steps = NULL;
    }
    return true;
}

// ---- lassos --------------------------------------------------------------------------

static bool tell_lasso(telling *t, const gy_property *property, gy_property_outcome *told)
{
    gy_verification *driver = t->driver;
    gy_arena *arena = t->teller.arena;
    const gy_lasso_witness *lasso = property->live->lasso;
    gy_fairness fairness = gy_verification_fairness(driver, property);
    gy_path *path = new_path(t);
    gy_text message = {0};
    const char *why = "";
    gy_system *searched = property->exact_lasso ? t->teller.system : driver->subject->system;
    bool good = gy_recheck_lasso(path, searched, property, fairness, &why);
    if (!good && !path->cut) {
        gy_path_free(path);
        return does_not_stand(driver, why);
    }
    gy_counterexample *one = GY_NEW(arena, gy_counterexample);
    told->counterexamples = one;
    told->counterexample_count = 1;
    told->distinct = 1;
    gy_text_add(&message, gy_lasso_text(property));
    if (lasso->sight == GY_SEES_NOTHING && fairness == GY_FAIRNESS_ACTIONS)
        gy_text_add(&message, ", fair");
    else if (lasso->sight == GY_SEES_NOTHING && fairness != GY_FAIRNESS_NONE)
        gy_text_printf(&message, ", %sly fair", gy_fairness_text(fairness));
    one->kind = gy_lasso_kind(property);
    one->message = one->title = gy_keep(arena, &message);
    one->depth = lasso->turn_count;
    one->cost = lasso->cost;
    one->first_length = property->first_length;
    one->pairs = has_rendezvous(t->teller.system->model);
    one->shortest_product = property->live->proved_shortest;
    one->shortest_lasso = strcmp(property->kind, "never") == 0 // the product with it is what counts
                              ? property->live->proved_shortest
                              : property->live->shortest_of_system;
    one->explanation = "";
    if (!path->cut)
        gy_tell_because(property, path, arena, one);
    if (!path->cut && lasso->sight == GY_SEES_NOTHING)
        gy_advise_fairness(driver, property, path, one);
    one->switches = gy_path_switches(path);
    one->switches_found = driver->request->simplify ? (int64_t)one->switches : -1;
    if (driver->request->simplify)
        one->not_simplified = "--simplify supports safety errors only";
    tell_path(t, path, lasso->step_count, one);
    if (path->system->model && path->system->model->may_stop &&
        one->final.ending == GY_ENDING_DEADLOCK)
        one->final.ending = GY_ENDING_REST;
    if (!path->cut &&
        !gy_trail_file_lasso(&driver->trail, path, property, arena, one, &driver->complaint))
        remark_on_trail(driver);
    gy_path_free(path);
    return true;
}

// ---- partial deadlocks -----------------------------------------------------------------

static bool tell_partial(telling *t, const gy_property *property, gy_property_outcome *told)
{
    gy_verification *driver = t->driver;
    gy_path *path = new_path(t);
    gy_counterexample *one = GY_NEW(t->teller.arena, gy_counterexample);
    const char *why = "";
    one->explanation = one->message = one->title = "";
    one->kind = "partial-deadlock";
    if (!gy_tell_partial(driver, path, property->partial, one, &why) && !path->cut) {
        gy_path_free(path);
        return does_not_stand(driver, why);
    }
    told->counterexamples = one;
    told->counterexample_count = 1;
    told->distinct = 1;
    one->switches = gy_path_switches(path);
    one->switches_found = -1;
    tell_path(t, path, property->partial->step_count, one);
    if (!path->cut &&
        !gy_trail_file_walk(&driver->trail, path, t->teller.arena, one, &driver->complaint))
        remark_on_trail(driver);
    gy_path_free(path);
    return true;
}

// Did a limit end the search before it had a witness of the error that it knows of?
static bool was_cut_short(const gy_search_result *result)
{
    return result->completeness != GY_COMPLETE && result->completeness != GY_STOPPED_AT_ERROR &&
           result->completeness != GY_FAILED;
}

// Whatever a search says: without a witness that was confirmed, or a limit that kept it from one,
// nothing is violated.
static bool are_confirmed(gy_verification *driver, const gy_property_outcome *told)
{
    for (size_t i = 0; i < driver->properties.list.n; i++) {
        const gy_property *property = &driver->properties.list.at[i];
        const gy_search_result *result = gy_property_is_safety(property) ? driver->result
                                         : property->partial ? property->partial->figures
                                         : property->live    ? property->live->figures
                                                             : NULL;
        if (gy_verification_verdict(driver, property) == GY_VIOLATED &&
            !told[i].counterexample_count && result && !was_cut_short(result))
            return gy_refuse_internally(
                &driver->complaint,
                "an error was found, but the path to it could not be found again");
    }
    return true;
}

static bool tell_property(telling *t, const gy_property *property, gy_property_outcome *told)
{
    if (gy_property_is_safety(property) && t->driver->result)
        return tell_errors(t, told);
    if (property->partial && property->partial->stuck)
        return tell_partial(t, property, told);
    return !property->live || !property->live->lasso || tell_lasso(t, property, told);
}

static bool tell_found(gy_verification *driver, gy_property_outcome *told)
{
    telling t = {.driver = driver};
    bool good = true;
    if (!gy_verification_found(driver))
        return true;
    gy_system *exact = gy_loaded_model_exact(driver->subject, &driver->complaint);
    if (!exact)
        return false;
    gy_explainer_init(&t.teller, driver->arena, exact);
    for (int asked = 1; asked >= 0; asked--) // trails are numbered in this order
        for (size_t i = 0; i < driver->properties.list.n && good; i++)
            if (driver->properties.list.at[i].asked == asked)
                good = tell_property(&t, &driver->properties.list.at[i], &told[i]);
    gy_vec_free(&t.kinds);
    return good;
}

bool gy_verification_tell(gy_verification *driver, gy_property_outcome *told)
{
    return tell_found(driver, told) && are_confirmed(driver, told);
}
