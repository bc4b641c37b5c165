// The searches of a verification: one for errors, one for each other property, and those that look
// closer at what was found. How they share the time is in turns.c.
#include "search/engines.h"
#include "verify/driver.h"

#include "base/hash.h"

gy_search_options gy_driver_options(const gy_driver *driver, const gy_search_options *planned)
{
    gy_search_options options = *planned;
    options.time_limit = gy_limits_left(&driver->limits);
    options.interrupt = driver->limits.interrupt;
    return options;
}

gy_fairness gy_driver_fairness(const gy_driver *driver, const gy_property *property)
{
    gy_fairness fairness = driver->plan.fairness;
    bool unmarked = property->disregards_fairness && fairness == GY_FAIRNESS_ACTIONS;
    return unmarked ? GY_FAIRNESS_NONE : fairness;
}

// A property that holds: does it still hold with a conclusion made false? Then its premise is
// never met. Said only if that search was complete as well.
static void find_unmet(gy_driver *driver, gy_property *property)
{
    enum { MOST_PREMISES = 8 };
    for (uint32_t n = 0; n < MOST_PREMISES && !gy_limits_over(&driver->limits); n++) {
        gy_search_options options = gy_driver_options(driver, &driver->plan.products);
        options.progress = NULL;
        options.shortest_lasso = false;
        gy_text premise = {0};
        bool idle;
        gy_observer *observer = gy_ltl_without_conclusion(property->observer, n, &premise, &idle);
        if (observer) {
            gy_product_result *live = gy_product_search(
                driver->subject->system, observer, gy_driver_fairness(driver, property), &options);
            if (!live->lasso && live->figures->completeness == GY_COMPLETE)
                gy_vec_push(&property->unmet, gy_text_take(&premise));
            gy_product_result_free(live);
            gy_observer_free(observer);
        }
        gy_text_free(&premise);
        if (!observer && !idle)
            break;
    }
}

bool gy_driver_product(gy_driver *driver, gy_property *property, double seconds)
{
    gy_search_options options = gy_driver_options(driver, &driver->plan.products);
    options.time_limit = seconds;
    gy_product_result_free(property->live);
    gy_product_result *live = gy_product_search(driver->subject->system, property->observer,
                                                gy_driver_fairness(driver, property), &options);
    property->live = live;
    if (live->figures->errors && !live->lasso && live->figures->failure) {
        driver->complaint.internal = true;
        return gy_refuse(&driver->complaint, "%s", live->figures->failure);
    }
    return true;
}

bool gy_driver_safety(gy_driver *driver, double seconds)
{
    gy_search_options options = gy_driver_options(driver, &driver->plan.safety);
    options.time_limit = seconds;
    options.any_way = driver->subject->saved.reorders && options.max_errors == 1;
    options.variant =
        gy_hash_bytes(&driver->subject->saved, sizeof driver->subject->saved, options.symmetry);
    gy_search_result_free(driver->result);
    driver->result = gy_search(driver->subject->system, &options);
    if (driver->result->completeness == GY_FAILED)
        return gy_refuse(&driver->complaint, "%s",
                         driver->result->failure ? driver->result->failure
                                                 : "the search could not run");
    return true;
}

bool gy_driver_look_closer(gy_driver *driver)
{
    for (size_t i = 0; i < driver->properties.list.n; i++) {
        gy_property *property = &driver->properties.list.at[i];
        if (gy_property_is_ltl(property) && property->vacuity == GY_NOT_VACUOUS &&
            gy_driver_verdict(driver, property) == GY_HOLDS)
            find_unmet(driver, property);
    }
    return !driver->result || gy_driver_shorten(driver);
}
