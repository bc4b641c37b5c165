#include "verify/together.h"

#include "search/liveness/multi_formula.h"

#include "base/memory.h"
#include "store/kinds.h"

#include <stdlib.h>

typedef GY_VEC(gy_property *) members;

bool gy_property_can_share(const gy_property *property)
{
    return gy_property_is_ltl(property) && gy_property_is_searched(property) &&
           !gy_shared_cant(property->observer);
}

static void note(gy_verification *driver, const char *choice, const char *reason)
{
    gy_plan_choice made = {"formulas", choice, reason};
    gy_vec_push(&driver->plan.choices, made);
}

static void observers_of(const members *group, const gy_observer **observers)
{
    for (size_t i = 0; i < group->n; i++)
        observers[i] = group->at[i]->observer;
}

static void search(gy_verification *driver, gy_shared *shared, const members *group)
{
    const gy_observer **observers = gy_alloc_zero(group->n * sizeof *observers);
    gy_product_result **results = gy_alloc_zero(group->n * sizeof *results);
    observers_of(group, observers);
    gy_shared_search(shared, observers, (uint32_t)group->n, gy_limits_left(&driver->limits),
                     results);
    for (size_t i = 0; i < group->n; i++) {
        if (results[i] && results[i]->lasso && driver->request->deterministic) {
            gy_product_result_free(results[i]); // one thread alone finds the same one every time
            continue;
        }
        if (!results[i])
            continue;
        gy_product_result_free(group->at[i]->live);
        group->at[i]->live = results[i];
    }
    free(observers);
    free(results);
}

// Without a limit that was set, a graph that is kept must not be what fills the memory.
static gy_search_options options_of(const gy_verification *driver)
{
    gy_search_options options = gy_verification_options(driver, &driver->plan.products);
    options.property = "all formulas";
    if (!options.memory_limit && options.any_store) {
        options.store = gy_store_kind_quick();
        options.any_store = false;
    }
    if (!options.memory_limit)
        options.memory_limit = gy_memory_physical() / 2;
    return options;
}

// Half of what the others would need if they were like the one that was searched: more than that,
// and it would not pay. 0: any number.
static uint64_t most_reduced(const gy_property *pilot, size_t others)
{
    const gy_search_result *alone = pilot ? pilot->live->figures : NULL;
    if (!alone || !alone->reduced)
        return 0;
    return (alone->expanded_reduced + alone->expanded_fully) * others / 2 + 1;
}

static void give_up(gy_verification *driver, unsigned number, const char *why)
{
    driver->not_shared[number] = true;
    note(driver, "one by one", why);
    gy_shared_free(driver->shared[number]);
    driver->shared[number] = NULL;
}

// A formula alone may not see which process is where, and then needs far fewer states.
static bool loses_symmetry(const gy_verification *driver, const gy_shared *shared,
                           const members *group)
{
    bool alone = false;
    if (!driver->plan.products.symmetry || gy_shared_is_symmetric(shared))
        return false;
    for (size_t i = 0; i < group->n && !alone; i++) {
        char *why = gy_product_no_symmetry(driver->subject->system, group->at[i]->observer,
                                           GY_FAIRNESS_NONE, NULL);
        alone = !why;
        free(why);
    }
    return alone;
}

static void take(gy_verification *driver, unsigned number, const members *group,
                 const gy_property *pilot, double seconds)
{
    gy_shared **shared = &driver->shared[number];
    if (driver->not_shared[number] || gy_limits_over(&driver->limits))
        return;
    if (!*shared) {
        const gy_observer **observers = gy_alloc_zero(group->n * sizeof *observers);
        gy_search_options options = options_of(driver);
        observers_of(group, observers);
        *shared = gy_shared_new(driver->subject->system, observers, (uint32_t)group->n, &options,
                                most_reduced(pilot, group->n));
        free(observers);
    }
    if (driver->plan.formulas == GY_FORMULAS_AUTO && loses_symmetry(driver, *shared, group)) {
        give_up(driver, number, "each formula has symmetry, all together have none");
        return;
    }
    double left = gy_limits_left(&driver->limits);
    double most = seconds > 0 ? seconds * (double)group->n : left / 2;
    if (seconds > 0 && left > 0 && most > left / 2)
        most = left / 2;
    switch (gy_shared_explore(*shared, most)) {
    case GY_SHARED_DONE:
        search(driver, *shared, group);
        break;
    case GY_SHARED_PAUSED:
        break;
    case GY_SHARED_FAILED:
        give_up(driver, number, gy_shared_why(*shared));
        break;
    }
}

gy_property *gy_together_pilot(gy_verification *driver, gy_property *const *open, uint32_t count)
{
    gy_property *pilot = NULL;
    uint32_t others = 0;
    if (!driver->plan.products.reduce || driver->shared[0] || driver->not_shared[0])
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!gy_property_can_share(open[i]) || !open[i]->observer->blind)
            continue;
        if (pilot)
            others++;
        else
            pilot = open[i];
    }
    return others > 1 ? pilot : NULL;
}

void gy_together_take(gy_verification *driver, gy_property *const *open, uint32_t count,
                      const gy_property *pilot, double seconds)
{
    bool reduce = driver->plan.products.reduce;
    for (unsigned number = 0; number < GY_TOGETHER_GROUPS; number++) {
        members group = {0};
        for (uint32_t i = 0; i < count; i++)
            if (gy_property_can_share(open[i]) &&
                number == (reduce && !open[i]->observer->blind ? 1u : 0u))
                gy_vec_push(&group, open[i]);
        if (group.n > 1 || (group.n && driver->shared[number]))
            take(driver, number, &group, number == 0 ? pilot : NULL, seconds);
        gy_vec_free(&group);
    }
}

gy_product_result *gy_together_ask(gy_verification *driver, const gy_observer *observer,
                                   double seconds)
{
    gy_product_result *result = NULL;
    for (unsigned i = 0; i < GY_TOGETHER_GROUPS && !result; i++)
        if (driver->shared[i] && gy_shared_explore(driver->shared[i], 1e-6) == GY_SHARED_DONE)
            gy_shared_search(driver->shared[i], &observer, 1, seconds, &result);
    return result;
}

void gy_together_free(gy_verification *driver)
{
    for (unsigned i = 0; i < GY_TOGETHER_GROUPS; i++) {
        gy_shared_free(driver->shared[i]);
        driver->shared[i] = NULL;
    }
}
