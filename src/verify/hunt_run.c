#include "verify/hunt_run.h"

#include "search/hunt/record.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/hash.h"

// ---- what is asked --------------------------------------------------------------------------

void gy_strategies_words(gy_text *out)
{
    const gy_strategy *strategy;
    for (unsigned i = 0; (strategy = gy_strategy_at(i)); i++)
        gy_text_printf(out, "%s%s", i ? "|" : "", gy_strategy_name(strategy));
}

static bool no_such_strategy(const char *option, const char *name, gy_user_error *complaint)
{
    gy_text words = {0};
    const char *best = NULL;
    unsigned distance = 0;
    const gy_strategy *strategy;
    gy_strategies_words(&words);
    for (unsigned i = 0; (strategy = gy_strategy_at(i)); i++)
        gy_nearest_offer(name, gy_strategy_name(strategy), &best, &distance);
    gy_refuse(complaint, "%s: unknown strategy `%s` (%s)%s%s%s", option, name, gy_text_str(&words),
              best ? "\n  hint: a similar name exists: `" : "", best ? best : "", best ? "`" : "");
    gy_text_free(&words);
    return false;
}

bool gy_strategies_named(const char *option, const char *list, gy_arena *arena,
                         gy_hunt_options *options, gy_user_error *complaint)
{
    char *copy = gy_arena_strdup(arena, list), *save = NULL;
    const gy_strategy **all =
        GY_NEW_ARRAY(arena, const gy_strategy *, options->strategy_count + strlen(list) + 1);
    if (options->strategy_count)
        memcpy(all, options->strategies, options->strategy_count * sizeof *all);
    options->strategies = all;
    for (char *name = strtok_r(copy, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
        const gy_strategy *strategy = gy_strategy_named(name);
        if (!strategy)
            return no_such_strategy(option, name, complaint);
        all[options->strategy_count++] = strategy;
    }
    return options->strategy_count > 0 || no_such_strategy(option, list, complaint);
}

bool gy_hunt_options_make(const gy_request *request, gy_arena *arena, gy_hunt_options *options,
                          gy_user_error *complaint)
{
    *options = (gy_hunt_options){
        .ties = (gy_ties)request->ties.number,
        .queue_limit = request->queue_limit.number,
        .explore = (unsigned)request->explore.number,
        .effort = request->effort.number,
    };
    for (size_t i = 0; i < request->strategies.n; i++)
        if (!gy_strategies_named("--strategy", request->strategies.at[i], arena, options,
                                 complaint))
            return false;
    return true;
}

// ---- what is reported ---------------------------------------------------------------------------

void gy_tell_hunt(const gy_search_result *result, gy_arena *arena, gy_figures *figures)
{
    const gy_hunt_record *record = result->hunt;
    gy_hunt_stats *told = GY_NEW_ARRAY(arena, gy_hunt_stats, record->count + 1);
    for (uint32_t i = 0; i < record->count; i++) {
        const gy_hunt_share *share = &record->shares[i];
        told[i] = (gy_hunt_stats){.strategy = share->strategy,
                                  .title = share->title,
                                  .heuristic = share->guide,
                                  .moves = share->generated,
                                  .states = share->states,
                                  .depth = share->depth,
                                  .runs = share->runs,
                                  .errors = share->errors};
    }
    figures->hunters = told;
    figures->hunter_count = record->count;
    if (record->pct_runs == 0 || result->errors || result->completeness == GY_COMPLETE)
        return;
    gy_text text = {0};
    gy_text_count(&text, record->pct_runs);
    gy_text_printf(&text,
                   " pct run%s: a bug of depth %u would have been found with probability at least "
                   "%.2g (%u process%s, at most ",
                   record->pct_runs == 1 ? "" : "s", record->pct_depth, record->pct_chance,
                   record->pct_processes, record->pct_processes == 1 ? "" : "es");
    gy_text_count(&text, record->pct_steps);
    gy_text_printf(&text, " step%s)", record->pct_steps == 1 ? "" : "s");
    figures->guarantee = gy_arena_strdup(arena, gy_text_str(&text));
    figures->guarantee_chance = record->pct_chance;
    gy_text_free(&text);
}

// ---- products -------------------------------------------------------------------------------

// Seconds of a turn: as many as were asked for, within what is left. 0: no limit.
static double turn_of(double wanted, double until)
{
    double left = until > 0 ? until - gy_clock() : wanted;
    return left < wanted ? (left > 0 ? left : 1e-6) : wanted;
}

static bool is_open(const gy_product_result *live, const gy_verification *driver)
{
    return !live->lasso && !live->figures->error_met &&
           live->figures->completeness != GY_COMPLETE && !gy_limits_over(&driver->limits) &&
           !(driver->limits.interrupt && *driver->limits.interrupt);
}

bool gy_verification_hunt_product(gy_verification *driver, gy_property *property, double seconds)
{
    static const double FIRST = 1, GROWTH = 4;
    gy_search_options options = gy_verification_options(driver, &driver->plan.products);
    gy_hunt_options hunt = driver->plan.hunt;
    double until = gy_deadline(seconds), turn = FIRST;
    options.property = property->name;
    if (!gy_heuristics_make(driver->request, driver->subject, property, driver->arena, &hunt,
                            &driver->complaint))
        return false;
    options.hunt = &hunt;
    for (uint64_t round = 0;; round++, turn *= GROWTH) {
        options.seed =
            round ? gy_hash_pair(driver->plan.products.seed, round) : driver->plan.products.seed;
        options.time_limit = turn_of(hunt.effort ? seconds : turn, until);
        gy_product_result_free(property->live);
        property->live = gy_hunt_product(driver->subject->system, property->observer, &options);
        gy_search_result *figures = property->live->figures;
        if (!is_open(property->live, driver) || figures->completeness == GY_FAILED)
            break;
        if (!gy_verification_cycles(driver, property, turn_of(hunt.effort ? seconds : turn, until),
                                    hunt.effort))
            return false;
        if (!is_open(property->live, driver) || hunt.effort || gy_deadline_over(until))
            break;
    }
    if (property->live->figures->completeness == GY_FAILED) {
        driver->complaint.internal = true;
        return gy_refuse(&driver->complaint, "%s", property->live->figures->failure);
    }
    return true;
}
