// The searches of a verification: one for errors, one for each other property, and those that look
// closer at what was found. How they share the time is in turns.c.
#include "base/clock.h"
#include "load/property.h"
#include "search/engines.h"
#include "verify/checkpoint_files.h"
#include "verify/crew.h"
#include "verify/hunt_run.h"
#include "verify/together.h"
#include "verify/verification_state.h"

gy_search_options gy_verification_options(const gy_verification *driver,
                                          const gy_search_options *planned)
{
    gy_search_options options = *planned;
    options.time_limit = gy_limits_left(&driver->limits);
    options.interrupt = driver->limits.interrupt;
    options.checkpoint_seconds = gy_resuming_seconds();
    return options;
}

gy_fairness gy_verification_fairness(const gy_verification *driver, const gy_property *property)
{
    gy_fairness fairness = driver->plan.fairness;
    bool unmarked = property->disregards_fairness && fairness == GY_FAIRNESS_ACTIONS;
    return unmarked ? GY_FAIRNESS_NONE : fairness;
}

// A property that holds: does it still hold with a conclusion made false? Then its antecedent is
// never satisfied. Said only if that search was complete as well.
static void find_unmet(gy_verification *driver, gy_property *property)
{
    enum { MOST_PREMISES = 8 };
    for (uint32_t n = 0; n < MOST_PREMISES && !gy_limits_over(&driver->limits); n++) {
        gy_search_options options = gy_verification_options(driver, &driver->plan.products);
        options.progress = NULL;
        options.shortest_lasso = false;
        gy_text premise = {0};
        bool idle;
        gy_observer *observer = gy_ltl_without_conclusion(property->observer, n, &premise, &idle);
        if (observer && !gy_crew_has_met(driver, property, n, false, options.time_limit)) {
            gy_product_result *live = gy_crew_premise(driver, property, observer, &options);
            if (!live && driver->plan.formulas != GY_FORMULAS_APART)
                live = gy_together_ask(driver, observer, options.time_limit);
            if (!live)
                live = gy_product_search(driver->subject->system, observer,
                                         gy_verification_fairness(driver, property), &options);
            if (!live->lasso && live->figures->completeness == GY_COMPLETE)
                gy_vec_push(&property->unmet, gy_text_take(&premise));
            gy_product_result_free(live);
        }
        if (observer)
            gy_observer_free(observer);
        gy_text_free(&premise);
        if (!observer && !idle)
            break;
    }
}

// A formula whose antecedents of strong fairness are not part of its automaton cannot be evaluated
// in some state: whether that makes a difference is seen by the automaton of all of it, if that is
// not too large. NULL: it is, or it was not found out.
static gy_product_result *look_again(gy_verification *driver, gy_property *property,
                                     gy_search_options options, const gy_product_result *live)
{
    static const double most_seconds = 5; // for the automaton
    gy_text problem = {0};
    gy_vacuity vacuity;
    if (!property->formula || !property->observer->strong || !live->lasso ||
        live->lasso->sight != GY_SEES_FAULT)
        return NULL;
    double start = gy_clock();
    gy_observer *whole = gy_observe_ltl(driver->subject->model, property->formula, true,
                                        most_seconds, &vacuity, &problem);
    gy_text_free(&problem);
    if (!whole)
        return NULL;
    if (options.time_limit > 0) {
        options.time_limit -= live->figures->seconds + gy_clock() - start;
        options.time_limit = options.time_limit > 0 ? options.time_limit : 1e-6;
    }
    options.checkpoint_file = options.resume_file = NULL;
    gy_product_result *again = gy_product_search(
        driver->subject->system, whole, gy_verification_fairness(driver, property), &options);
    bool known = again->lasso || again->figures->completeness == GY_COMPLETE;
    if (!known)
        gy_product_result_free(again);
    gy_observer_free(known ? property->observer : whole);
    property->observer = known ? whole : property->observer;
    return known ? again : NULL;
}

bool gy_verification_cycles(gy_verification *driver, gy_property *property, double seconds,
                            uint64_t states)
{
    gy_search_options options = gy_verification_options(driver, &driver->plan.products);
    gy_resuming_files files;
    options.time_limit = seconds;
    options.state_limit = states;
    options.property = property->name;
    gy_resuming_begin(driver, property, &options, &files);
    gy_product_result_free(property->live);
    gy_product_result *live = gy_crew_cycles(driver, property, &options);
    bool over_ranks = live != NULL;
    if (!live)
        live = gy_product_search(driver->subject->system, property->observer,
                                 gy_verification_fairness(driver, property), &options);
    bool resumed = options.resume_file != NULL;
    gy_product_result *again = over_ranks ? NULL : look_again(driver, property, options, live);
    if (again)
        gy_product_result_free(live);
    live = again ? again : live;
    gy_resuming_end(&files);
    property->live = live;
    if ((over_ranks || resumed) && live->figures->completeness == GY_FAILED &&
        !live->figures->error_met) {
        driver->complaint.internal = live->figures->internal;
        return gy_refuse(&driver->complaint, "%s", live->figures->failure);
    }
    if (live->figures->errors && !live->lasso && live->figures->failure) {
        driver->complaint.internal = true;
        return gy_refuse(&driver->complaint, "%s", live->figures->failure);
    }
    return true;
}

bool gy_verification_product(gy_verification *driver, gy_property *property, double seconds)
{
    return driver->request->hunt ? gy_verification_hunt_product(driver, property, seconds)
                                 : gy_verification_cycles(driver, property, seconds, 0);
}

// A turn that was ended before it came to the error that the turn before had found does not make it
// unknown again: what was known stays, and how it ended is new.
static gy_search_result *keep_known(gy_search_result *before, gy_search_result *now)
{
    bool lost = before && (before->witness_count > 0 || before->errors > 0) &&
                now->witness_count == 0 && now->errors == 0 && now->completeness != GY_COMPLETE &&
                now->completeness != GY_FAILED;
    if (lost)
        before->completeness = now->completeness;
    gy_search_result_free(lost ? now : before);
    return lost ? before : now;
}

bool gy_verification_safety(gy_verification *driver, double seconds)
{
    gy_search_options options = gy_verification_options(driver, &driver->plan.safety);
    options.resume_file = gy_resuming_safety(driver);
    options.property = "safety";
    options.time_limit = seconds;
    options.device_too = driver->plan.device_too;
    options.any_way = driver->subject->saved.reorders && options.max_errors == 1;
    options.variant = gy_resuming_variant(driver->subject, options.symmetry);
    gy_crew_begin_safety(driver, &options);
    if (driver->request->engine) { // its jobs must agree on states and steps
        options.engine = driver->request->engine;
        options.engine_data = driver->request->engine_data;
        options.reduce = options.symmetry = options.probe = options.device_too = false;
        options.progress = NULL;
        options.threads = 1;
    }
    driver->result = keep_known(driver->result, gy_search(driver->subject->system, &options));
    driver->complaint.internal |= driver->result->internal;
    if (driver->result->completeness == GY_FAILED)
        return gy_refuse(&driver->complaint, "%s",
                         driver->result->failure ? driver->result->failure
                                                 : "the search cannot run");
    return true;
}

static void keep_shorter(gy_property *property, gy_lasso_witness *lasso, bool exact)
{
    gy_product_result *live = property->live;
    if (!property->first_length)
        property->first_length = live->lasso->step_count;
    gy_lasso_witness_free(live->lasso);
    live->lasso = lasso;
    property->exact_lasso = exact;
}

// A lasso that was found first may be long. A short search of the exact system looks for one with
// fewer statements; nothing is claimed of it. Where the lasso must be the same each time, the clock
// has no say in it.
static bool shorten_plain(gy_verification *driver, gy_property *property)
{
    enum { MOST_STATES = 60000 };
    static const double MOST_SECONDS = 0.1;
    gy_product_result *live = property->live;
    const char *why;
    if (driver->request->shortest || driver->request->depth.set || !live || !live->lasso ||
        live->lasso->cost <= 1 || gy_limits_over(&driver->limits))
        return true;
    gy_system *exact = gy_loaded_model_exact(driver->subject, &driver->complaint);
    if (!exact)
        return false;
    gy_search_options options = gy_verification_options(driver, &driver->plan.products);
    if (!options.deterministic && !(options.time_limit > 0 && options.time_limit < MOST_SECONDS))
        options.time_limit = MOST_SECONDS;
    options.state_limit = MOST_STATES;
    options.threads = 1;
    options.cycles = GY_CYCLES_AUTO;
    options.search = GY_SEARCH_BFS;
    options.reduce = options.check_reduction = false;
    options.shortest_lasso = true;
    options.progress = NULL;
    gy_product_result *found =
        gy_product_search(exact, property->observer, GY_FAIRNESS_NONE, &options);
    if (found->lasso && !found->lasso->tight && found->lasso->cost < live->lasso->cost &&
        gy_lasso_check(exact, property->observer, GY_FAIRNESS_NONE, found->lasso, &why)) {
        keep_shorter(property, found->lasso, true);
        found->lasso = NULL;
    }
    gy_product_result_free(found);
    return true;
}

// In the product with the observer, or with its tight one. True: no shorter one exists in it.
static bool shorten_in(gy_system *system, bool exact, gy_property *property, gy_fairness fairness,
                       bool tight, const gy_search_options *options)
{
    const gy_observer *observer = property->observer;
    const char *why;
    bool proved;
    gy_lasso_witness *lasso =
        gy_product_short_lasso(system, tight ? observer->tight : observer, fairness, options,
                               property->live->lasso->cost, &proved);
    if (lasso)
        lasso->tight = tight;
    if (lasso && gy_lasso_check(system, observer, fairness, lasso, &why))
        keep_shorter(property, lasso, exact);
    else
        gy_lasso_witness_free(lasso);
    return proved;
}

// The same where a fair cycle is wanted, in which every process or marked statement has a say. With
// --shortest it takes as long as it takes, and says whether it knows that there is no shorter one:
// of those in the system that was searched, whose cycles return to the same state but for variables
// that do not matter, and whose steps are those of the exact one. Among the lassos of the exact
// system there may be none as short.
static bool shorten_fair(gy_verification *driver, gy_property *property)
{
    enum { MOST_STATES = 60000, MOST_TIGHT = 4000000 };
    static const double MOST_SECONDS = 1;
    gy_product_result *live = property->live;
    gy_fairness fairness = gy_verification_fairness(driver, property);
    bool insists = driver->request->shortest;
    if (!live || !live->lasso || driver->request->depth.set || gy_limits_over(&driver->limits))
        return true;
    gy_system *system = insists ? driver->subject->system
                                : gy_loaded_model_exact(driver->subject, &driver->complaint);
    if (!system)
        return false;
    gy_search_options options = gy_verification_options(driver, &driver->plan.products);
    bool timed = options.time_limit > 0 && options.time_limit < MOST_SECONDS;
    if (!insists && !options.deterministic && !timed)
        options.time_limit = MOST_SECONDS;
    options.state_limit = insists ? 0 : MOST_STATES;
    options.reduce = options.check_reduction = options.symmetry = false;
    options.property = property->name;
    if (!insists)
        options.progress = NULL;
    bool proved = shorten_in(system, !insists, property, fairness, false, &options);
    live->proved_shortest = insists && proved;
    live->shortest_of_system = live->proved_shortest && property->observer->states == 1;
    if (live->proved_shortest && property->observer->tight) {
        options.state_limit = MOST_TIGHT;
        live->shortest_of_system = shorten_in(system, false, property, fairness, true, &options);
    }
    return true;
}

static bool shorten_lasso(gy_verification *driver, gy_property *property)
{
    bool fair = gy_verification_fairness(driver, property) != GY_FAIRNESS_NONE ||
                (property->observer && property->observer->strong);
    return fair ? shorten_fair(driver, property) : shorten_plain(driver, property);
}

bool gy_verification_look_closer(gy_verification *driver)
{
    for (size_t i = 0; i < driver->properties.list.n; i++) {
        gy_property *property = &driver->properties.list.at[i];
        if (gy_property_is_ltl(property) && property->vacuity == GY_NOT_VACUOUS &&
            gy_verification_verdict(driver, property) == GY_HOLDS)
            find_unmet(driver, property);
        if (!shorten_lasso(driver, property))
            return false;
    }
    return !driver->result || gy_verification_shorten(driver);
}
