// How the properties share a verification. With several of them, none waits for a long search of
// another: each gets a short turn, those that are not decided a longer one, and in the end all the
// time that is left. A turn begins from the start, so that the figures of a search that was
// complete are those that it has alone.
#include "verify/enum_names.h"
#include "verify/partial_deadlock_property.h"
#include "verify/together.h"

#include "base/clock.h"

static const double turns[] = {0.3, 5, 0}; // seconds; 0: what is left
enum { TURNS = sizeof turns / sizeof *turns, SHARE = 4 };

// A search of the verification, and what became of it.
typedef struct task {
    gy_property *property;
    double had;   // seconds that it was given last, 0 before
    bool decided; // no other turn would change it
} task;

typedef GY_VEC(gy_property *) open_list;

typedef struct round {
    gy_verification *driver;
    GY_VEC(task) tasks;
    size_t open;
    bool heard; // the user has ended a search
} round;

static gy_search_result *result_of(const gy_verification *driver, const gy_property *property)
{
    return gy_property_is_safety(property) ? driver->result
           : property->partial             ? property->partial->figures
           : property->live                ? property->live->figures
                                           : NULL;
}

// ---- a verdict that is known ------------------------------------------------------------

// What was found is run again before it is reported.
static bool stands(gy_verification *driver, const gy_property *property)
{
    const char *why;
    if (property->partial)
        return false; // reported with the report
    if (!gy_property_is_safety(property))
        return property->live->lasso && gy_lasso_check(driver->subject->system, property->observer,
                                                       gy_verification_fairness(driver, property),
                                                       property->live->lasso, &why);
    gy_system *exact = gy_loaded_model_exact(driver->subject, &driver->complaint);
    return exact && driver->result->witness_count > 0 &&
           gy_witness_check(exact, &driver->result->witnesses[0], driver->request->end_empty, &why);
}

static const char *problem_of(const gy_verification *driver, const gy_property *property)
{
    if (!gy_property_is_safety(property))
        return gy_lasso_text(property);
    const gy_witness *witness = &driver->result->witnesses[0];
    return witness->error == GY_ERROR_END_STATE ? "invalid end state"
           : witness->message && *witness->message
               ? witness->message
               : gy_witness_kind(driver->subject->system, witness);
}

static void tell_known(const round *r, const gy_property *property, gy_verdict verdict,
                       const char *problem)
{
    gy_verification *driver = r->driver;
    gy_known_verdict known = {
        .name = property->name,
        .kind = property->kind,
        .verdict = verdict,
        .problem = problem,
        .seconds = gy_clock() - driver->limits.started,
        .open = r->open,
        .errors = result_of(driver, property)->errors,
    };
    driver->request->known(driver->request->progress_user, &known);
}

// The user has ended this search, and should know that others go on.
static void announce_interrupted(const round *r, const gy_property *property)
{
    const gy_search_result *result = result_of(r->driver, property);
    gy_text problem = {0};
    if (r->driver->limits.ended || !result || result->completeness != GY_LIMIT_INTERRUPT)
        return;
    gy_text_add(&problem, "interrupted after ");
    gy_text_count(&problem, result->states);
    gy_text_add(&problem, result->states == 1 ? " state" : " states");
    tell_known(r, property, GY_INCONCLUSIVE, gy_text_str(&problem));
    gy_text_free(&problem);
}

static void announce(const round *r, const gy_property *property)
{
    gy_verification *driver = r->driver;
    gy_verdict verdict = gy_verification_verdict(driver, property);
    if (!driver->request->known || r->open == 0)
        return;
    if (verdict == GY_INCONCLUSIVE)
        announce_interrupted(r, property);
    else if (verdict != GY_VIOLATED || stands(driver, property))
        tell_known(r, property, verdict,
                   verdict == GY_VIOLATED ? problem_of(driver, property) : "");
}

// ---- turns -------------------------------------------------------------------------------

// The user may end the current search and, when that was done once, all of them.
static void hear(round *r)
{
    gy_verification *driver = r->driver;
    atomic_int *interrupt = driver->request->interrupt;
    int heard = interrupt ? atomic_exchange(interrupt, 0) : 0;
    if (driver->request->stop || heard > 1 || (heard && r->heard))
        driver->limits.ended = true;
    r->heard = r->heard || heard;
}

// The user spoke when a search had just come to its end: then it is the next one that is at hand.
static void pass_on(round *r, const gy_search_result *result, bool heard_before)
{
    atomic_int *interrupt = r->driver->request->interrupt;
    int silent = 0;
    if (!interrupt || !r->heard || heard_before || r->driver->limits.ended || r->open == 0 ||
        result->completeness == GY_LIMIT_INTERRUPT)
        return;
    atomic_compare_exchange_strong(interrupt, &silent, 1);
    r->heard = false;
}

// A search that was cut short by the end of its turn may go on in another one.
static bool is_decided(const gy_verification *driver, const gy_search_result *result,
                       double seconds)
{
    bool cut = result->completeness == GY_LIMIT_TIME;
    double left = gy_limits_left(&driver->limits);
    return !cut || seconds <= 0 || (left > 0 && gy_limits_over(&driver->limits));
}

// Seconds for one of `waiting` searches; 0: no limit.
static double turn_of(const gy_verification *driver, double turn, size_t waiting)
{
    double left = gy_limits_left(&driver->limits);
    if (turn <= 0 || left <= 0)
        return turn <= 0 ? left / (double)waiting : turn;
    double share = left / (double)(SHARE * waiting);
    return share < turn ? share : turn;
}

static bool take_turn(round *r, task *t, double seconds)
{
    gy_verification *driver = r->driver;
    bool good = gy_property_is_safety(t->property) ? gy_verification_safety(driver, seconds)
                : gy_property_is_partial(t->property)
                    ? gy_verification_partial(driver, t->property, seconds)
                    : gy_verification_product(driver, t->property, seconds);
    if (!good)
        return false;
    bool before = r->heard;
    const gy_search_result *result = result_of(driver, t->property);
    hear(r);
    t->had = seconds;
    t->decided = is_decided(driver, result, seconds);
    if (t->decided) {
        r->open--;
        announce(r, t->property);
    }
    pass_on(r, result, before);
    return true;
}

// A search that writes itself down, or goes on from where it was, is begun but once.
static bool waits_for_the_last(const gy_verification *driver, const task *t)
{
    return !gy_property_is_partial(t->property) &&
           (driver->request->checkpoint || driver->request->resume);
}

static bool take_turns(round *r, unsigned number)
{
    gy_verification *driver = r->driver;
    bool last = number + 1 == TURNS;
    size_t waiting = r->open;
    for (size_t i = 0; i < r->tasks.n && !driver->limits.ended; i++) {
        task *t = &r->tasks.at[i];
        if (t->decided || (!last && waits_for_the_last(driver, t)))
            continue;
        double seconds = turn_of(driver, turns[number], last ? waiting : r->open);
        waiting--;
        bool pays = seconds <= 0 || seconds > (last ? 1 : 2) * t->had;
        if (pays && !take_turn(r, t, seconds))
            return false;
    }
    return true;
}

static void list_open(const round *r, open_list *open)
{
    open->n = 0;
    for (size_t i = 0; i < r->tasks.n; i++)
        if (!r->tasks.at[i].decided)
            gy_vec_push(open, r->tasks.at[i].property);
}

// One formula alone, where that says whether the others should be searched together. False: see
// the complaint; else *pays is false if they should not, for now.
static bool try_pilot(round *r, open_list *open, double turn, gy_property **pilot, bool *pays)
{
    *pays = true;
    *pilot = gy_together_pilot(r->driver, open->at, (uint32_t)open->n);
    for (size_t i = 0; *pilot && i < r->tasks.n; i++) {
        task *t = &r->tasks.at[i];
        if (t->property != *pilot)
            continue;
        if (!take_turn(r, t, turn_of(r->driver, turn, r->open)))
            return false;
        *pays = t->decided && gy_verification_verdict(r->driver, t->property) == GY_HOLDS;
        list_open(r, open);
    }
    return true;
}

// One exploration for all formulas that are open, for as long as this turn gives each of them.
static bool take_together(round *r, double turn, bool at_once)
{
    gy_verification *driver = r->driver;
    gy_property *pilot = NULL;
    open_list open = {0};
    bool pays = true;
    list_open(r, &open);
    bool good = at_once || try_pilot(r, &open, turn, &pilot, &pays);
    if (good && pays && !driver->limits.ended)
        gy_together_take(driver, open.at, (uint32_t)open.n, pilot, turn);
    hear(r);
    for (size_t i = 0; i < r->tasks.n; i++) {
        task *t = &r->tasks.at[i];
        if (t->decided || !t->property->live || !t->property->live->shared)
            continue;
        t->decided = true;
        r->open--;
        announce(r, t->property);
    }
    gy_vec_free(&open);
    return good;
}

// What was left open because the user has ended it all was not ended by the time.
static void call_interrupted(round *r)
{
    for (size_t i = 0; i < r->tasks.n; i++) {
        gy_search_result *result = result_of(r->driver, r->tasks.at[i].property);
        if (result && !r->tasks.at[i].decided)
            result->completeness = GY_LIMIT_INTERRUPT;
    }
}

bool gy_verification_search(gy_verification *driver)
{
    round r = {.driver = driver};
    bool good = true;
    if (driver->plan.safety.search == GY_SEARCH_COVER)
        return gy_verification_cover(driver) && gy_verification_look_closer(driver);
    for (size_t i = 0; i < driver->properties.list.n; i++) {
        gy_property *property = &driver->properties.list.at[i];
        if (gy_property_is_searched(property))
            gy_vec_push(&r.tasks, ((task){.property = property}));
    }
    r.open = r.tasks.n;
    gy_formulas formulas = driver->plan.formulas;
    for (unsigned n = 0; n < TURNS && good; n++) {
        if (n == 0 && formulas == GY_FORMULAS_TOGETHER)
            good = take_together(&r, 0, true);
        if (n > 0 && formulas == GY_FORMULAS_AUTO && r.open > 1 && !driver->limits.ended)
            good = take_together(&r, turns[n], false);
        if (good && (r.open > 1 || n + 1 == TURNS))
            good = take_turns(&r, n);
    }
    // What the last ones did not need is for those before them.
    for (size_t before = r.tasks.n; good && r.open > 0 && r.open < before;) {
        before = r.open;
        good = gy_limits_over(&driver->limits) || take_turns(&r, TURNS - 1);
    }
    if (driver->limits.ended)
        call_interrupted(&r);
    gy_vec_free(&r.tasks);
    return good && gy_verification_look_closer(driver);
}
