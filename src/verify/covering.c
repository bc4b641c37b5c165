// A verification by a trace cover: one search answers for faults and deadlocks and for all states
// that are asked about. See search/cover/cover.h.
#include "verify/driver.h"

#include "search/cover/cover.h"

static bool is_asked(const gy_property *property)
{
    return property->observer && property->question.term_count + (property->question.expr != NULL);
}

// What the cover tells of one property, as if it had been searched for alone.
static bool take_answer(gy_driver *driver, gy_property *property)
{
    const gy_search_result *all = driver->result;
    const gy_cover_question *q = &property->question;
    gy_product_result *live = gy_alloc_zero(sizeof *live);
    gy_search_result *figures = gy_alloc_zero(sizeof *figures);
    *figures = (gy_search_result){.completeness = all->completeness,
                                  .states = all->states,
                                  .transitions = all->transitions,
                                  .matched = all->matched,
                                  .depth = all->depth,
                                  .by_transitions = all->by_transitions,
                                  .seconds = all->seconds,
                                  .memory = all->memory,
                                  .threads = all->threads,
                                  .traces = all->traces,
                                  .events = all->events,
                                  .endless_edge = -1};
    live->figures = figures;
    property->live = live;
    if (q->problem) {
        figures->completeness = GY_LIMIT_CAPACITY;
        figures->failure = strdup(q->problem);
    }
    if (!q->found)
        return true;
    figures->completeness = GY_STOPPED_AT_ERROR;
    figures->errors = 1;
    figures->error_met = true;
    live->lasso =
        gy_lasso_along(driver->subject->system, property->observer, q->route, q->route_length);
    if (live->lasso)
        return true;
    driver->complaint.internal = true;
    return gy_refuse(&driver->complaint,
                     "internal error: the formula is not violated where the cover says so");
}

bool gy_driver_cover(gy_driver *driver)
{
    gy_search_options options = gy_driver_options(driver, &driver->plan.safety);
    GY_VEC(gy_cover_question) questions = {0};
    for (size_t i = 0; i < driver->properties.list.n; i++)
        if (is_asked(&driver->properties.list.at[i]))
            gy_vec_push(&questions, driver->properties.list.at[i].question);
    gy_cover cover = {.questions = questions.at,
                      .count = (uint32_t)questions.n,
                      .one_error = options.max_errors == 1};
    options.cover = &cover;
    options.check_end_states &= driver->properties.safety;
    options.check_faults &= driver->properties.safety;
    if (cover.count && cover.one_error)
        options.max_errors = 0;
    driver->result = gy_search(driver->subject->system, &options);
    bool good = driver->result->completeness != GY_FAILED ||
                gy_refuse(&driver->complaint, "%s", driver->result->failure);
    for (size_t i = 0, n = 0; i < driver->properties.list.n && good; i++) {
        gy_property *property = &driver->properties.list.at[i];
        if (!is_asked(property))
            continue;
        property->question = questions.at[n++];
        good = take_answer(driver, property);
    }
    gy_cover_free(&cover);
    gy_vec_free(&questions);
    return good;
}
