// A verification by a trace cover: one search answers for faults and deadlocks and for all states
// that are asked about. See search/cover/cover.h.
#include "verify/verification_state.h"

#include "search/cover/cover.h"

static bool is_asked(const gy_property *property)
{
    return property->observer && property->question.term_count + (property->question.atom != 0);
}

// What the cover says of one property, as if it had been searched for alone.
static bool take_answer(gy_verification *driver, gy_property *property)
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
                                  .given_up = all->given_up,
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
    return gy_refuse_internally(&driver->complaint,
                                "the formula is not violated where the trace cover says so");
}

// ---- what a question is -----------------------------------------------------------------------

// In which way it was answered.
static const char *method_of(const gy_cover_question *q)
{
    return q->enumerated              ? "cuts"
           : q->solved                ? "sat"
           : q->shape == GY_SHAPE_SUM ? "intervals"
                                      : "least-cut";
}

static const char *text_of(const gy_cover_question *q, gy_arena *arena)
{
    static const char *const by[] = {", by SAT", ", cut by cut", ", by SAT and cut by cut"};
    int how = q->solved + 2 * q->enumerated;
    const char *more = q->parts == 1 ? "" : "s";
    switch (q->shape) {
    case GY_SHAPE_LOCAL:
        return "local predicate";
    case GY_SHAPE_CONJUNCTIVE:
        return gy_arena_printf(arena, "conjunctive predicate of %u conditions", q->parts);
    case GY_SHAPE_LINEAR:
        return gy_arena_printf(arena, "linear predicate of %u condition%s", q->parts, more);
    case GY_SHAPE_SUM:
        return gy_arena_printf(arena, "0-1 sum of %u term%s", q->parts, more);
    case GY_SHAPE_DISJUNCTIVE:
        return gy_arena_printf(arena, "disjunction split into %u", q->parts);
    default:
        return gy_arena_printf(arena, "general predicate%s", how ? by[how - 1] : "");
    }
}

static const char *class_of(gy_cover_shape shape)
{
    static const char *const names[] = {
        [GY_SHAPE_LOCAL] = "local",
        [GY_SHAPE_CONJUNCTIVE] = "conjunctive",
        [GY_SHAPE_LINEAR] = "linear",
        [GY_SHAPE_SUM] = "sum",
        [GY_SHAPE_DISJUNCTIVE] = "disjunctive",
        [GY_SHAPE_GENERAL] = "general",
    };
    return names[shape];
}

void gy_verification_tell_predicate(const gy_verification *driver, const gy_property *property,
                                    gy_property_outcome *told)
{
    const gy_cover_question *q = &property->question;
    if (driver->plan.safety.search != GY_SEARCH_COVER || !is_asked(property))
        return;
    told->predicate_class = class_of(q->shape);
    told->predicate_parts = q->parts;
    told->predicate_method = method_of(q);
    told->predicate_text = text_of(q, driver->arena);
    if (q->enumerated)
        told->predicate_warning = gy_arena_printf(
            driver->arena,
            "`%s` depends on several processes, variables or channels at once: the cuts of each "
            "trace were checked one by one, and there may be exponentially many%s",
            property->name,
            driver->request->sat ? ""
                                 : "; a SAT solver is faster: install libcadical-dev and "
                                   "libstdc++-12-dev and rebuild Gyre");
}

bool gy_verification_cover(gy_verification *driver)
{
    gy_search_options options = gy_verification_options(driver, &driver->plan.safety);
    GY_VEC(gy_cover_question) questions = {0};
    for (size_t i = 0; i < driver->properties.list.n; i++)
        if (is_asked(&driver->properties.list.at[i]))
            gy_vec_push(&questions, driver->properties.list.at[i].question);
    gy_cover cover = {.questions = questions.at,
                      .count = (uint32_t)questions.n,
                      .sat = driver->request->sat,
                      .one_error = options.max_errors == 1};
    options.cover = &cover;
    options.check_end_states &= driver->properties.safety;
    options.check_faults &= driver->properties.safety;
    if (cover.count && cover.one_error)
        options.max_errors = 0;
    driver->result = gy_search(driver->subject->system, &options);
    driver->complaint.internal |= driver->result->internal;
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
