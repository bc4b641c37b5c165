// From what the searches returned to an outcome: verdicts, figures, notes.
#include "search/engines.h"
#include "store/kinds.h"
#include "verify/enum_names.h"
#include "verify/expect.h"
#include "verify/explain/coverage.h"
#include "verify/explain/reductions.h"
#include "verify/hunt_run.h"
#include "verify/swarm_outcome.h"
#include "verify/verification_state.h"

// ---- verdicts --------------------------------------------------------------------------

// An error was found, but a limit kept the search from a witness of it. What C did once it need not
// do again: of that, an error is known only once it was executed again.
static bool is_open(const gy_verification *driver, const gy_search_result *result)
{
    const gy_model *model = driver->subject->model;
    return model && gy_has_c(model) && result->completeness != GY_COMPLETE &&
           result->completeness != GY_STOPPED_AT_ERROR;
}

static gy_verdict verdict_of_safety(const gy_verification *driver)
{
    const gy_search_result *result = driver->result;
    if (!result)
        return GY_INCONCLUSIVE;
    if (result->witness_count > 0)
        return GY_VIOLATED;
    if (result->errors > 0)
        return is_open(driver, result) ? GY_INCONCLUSIVE : GY_VIOLATED;
    return result->completeness == GY_COMPLETE ? GY_HOLDS : GY_INCONCLUSIVE;
}

gy_verdict gy_verification_verdict(const gy_verification *driver, const gy_property *property)
{
    if (gy_property_is_safety(property))
        return verdict_of_safety(driver);
    if (property->partial)
        return property->partial->stuck                                  ? GY_VIOLATED
               : property->partial->figures->completeness == GY_COMPLETE ? GY_HOLDS
                                                                         : GY_INCONCLUSIVE;
    if (!property->live)
        return GY_INCONCLUSIVE;
    if (property->live->lasso)
        return GY_VIOLATED;
    if (property->live->figures->error_met)
        return is_open(driver, property->live->figures) ? GY_INCONCLUSIVE : GY_VIOLATED;
    return property->live->figures->completeness == GY_COMPLETE ? GY_HOLDS : GY_INCONCLUSIVE;
}

static gy_verdict worst(const gy_property_outcome *told, size_t count)
{
    gy_verdict verdict = GY_HOLDS;
    for (size_t i = 0; i < count; i++) {
        if (told[i].verdict == GY_VIOLATED)
            verdict = GY_VIOLATED;
        else if (told[i].verdict == GY_INCONCLUSIVE && verdict == GY_HOLDS)
            verdict = GY_INCONCLUSIVE;
    }
    return verdict;
}

// ---- figures ---------------------------------------------------------------------------

// "the time limit of 2.0 s was reached": why the search is no proof; nothing if it is one.
static void say_limit(const gy_verification *driver, const gy_search_options *options,
                      const gy_search_result *result, gy_text *out)
{
    uint64_t memory = result->ranks.memory_limit ? result->ranks.memory_limit // of some rank
                                                 : options->memory_limit;
    switch (result->completeness) {
    case GY_LIMIT_MEMORY:
        gy_text_add(out, "the memory limit");
        if (memory) {
            gy_text_add(out, " of ");
            gy_text_size(out, memory);
        }
        gy_text_add(out, " was reached");
        break;
    case GY_LIMIT_TIME:
        gy_text_add(out, "the time limit of ");
        gy_text_seconds(out, driver->limits.seconds);
        gy_text_add(out, " was reached");
        break;
    case GY_LIMIT_STATES:
        gy_text_add(out, "the limit of ");
        gy_text_count(out, options->state_limit);
        gy_text_add(out, " states was reached");
        break;
    case GY_LIMIT_DEPTH:
        gy_text_add(out, "states at the depth limit of ");
        gy_text_count(out, options->depth_limit);
        gy_text_add(out, " were not expanded");
        break;
    case GY_LIMIT_INTERRUPT:
        gy_text_add(out, "interrupted");
        break;
    case GY_LOSSY:
        if (options->search == GY_SEARCH_HUNT)
            gy_text_add(out, "the hunt has not seen every state");
        else if (options->search == GY_SEARCH_BEST)
            gy_text_add(out, "the queue limit was reached, and states were dropped");
        else if (!gy_engine_of(options)->complete)
            gy_text_printf(out, "%s do not visit every state", gy_engine_of(options)->title);
        else
            gy_text_printf(out, "the %s store may have missed states",
                           gy_store_text(options->store));
        break;
    case GY_LIMIT_CAPACITY:
        gy_text_add(out, result->failure ? result->failure : "the model is too large");
        break;
    default:
        return;
    }
    if (result->error_met && !result->witness_count)
        gy_text_add(out, " while searching for the path to an error that was found");
}

static int count_beginning(void *user, const gy_transition *transition)
{
    *(uint64_t *)user += transition->state != NULL;
    return 0;
}

// Spin counts the path into the initial state as a transition; for other languages nothing does.
static uint64_t transitions_of(const gy_verification *driver, const gy_search_result *result)
{
    const gy_model *model = driver->subject->model;
    uint64_t beginnings = 1;
    if (!model || model->spin)
        return result->transitions;
    if (model->uses_choice) { // there may be several
        gy_worker *worker = gy_worker_new(driver->subject->system);
        beginnings = 0;
        gy_initial(worker, count_beginning, &beginnings);
        gy_worker_free(worker);
    }
    return result->transitions > beginnings ? result->transitions - beginnings : 0;
}

// The search that gave the result: where a device could not be used, the CPU did the search.
static const char *search_of(const gy_verification *driver, const gy_search_options *options,
                             const gy_search_result *result)
{
    if (result == driver->result && driver->request->engine)
        return driver->request->engine->name;
    bool fell_back = options->search == GY_SEARCH_DEVICE && !result->on_device;
    return gy_search_text(fell_back ? GY_SEARCH_BFS : options->search);
}

static const gy_figures *figures_of(const gy_verification *driver, const gy_search_options *options,
                                    const gy_search_result *result)
{
    gy_figures *figures = GY_NEW(driver->arena, gy_figures);
    gy_text limit = {0};
    bool is_safety = result == driver->result;
    const gy_store_traits *store = &gy_store_kind_at(options->store)->traits;
    say_limit(driver, options, result, &limit);
    *figures = (gy_figures){
        .search = search_of(driver, options, result),
        .store = gy_store_text(options->store),
        .states = result->states,
        .transitions = transitions_of(driver, result),
        .matched = result->matched,
        .depth = result->depth,
        .depth_unit = result->by_transitions ? "transitions" : "statements",
        .seconds = result->seconds,
        .memory = result->memory,
        .bytes_per_state = result->bytes_per_state,
        .threads = result->threads,
        .complete = result->completeness == GY_COMPLETE,
        .error_met = result->error_met,
        .limit = gy_limit_text(result->completeness),
        .limit_text = gy_keep(driver->arena, &limit),
        .reduced = result->reduced,
        .not_reduced = result->not_reduced,
        .not_symmetric = gy_keep_string(driver->arena, result->not_symmetric),
        .reduction_checked = result->reduction_checked,
        .tells_omission = store->hashes,
        .tells_coverage = store->bits,
        .omission_probability = result->omission_probability,
        .coverage = result->coverage,
        .fill = result->fill,
        .ranks = result->ranks.ranks,
        .rank_fewest = result->ranks.fewest,
        .rank_most = result->ranks.most,
        .sent_states = result->ranks.states,
        .sent_bytes = result->ranks.bytes,
        .sent_batches = result->ranks.batches,
        .disk_emptied = result->disk.emptied,
        .disk_states = result->disk.states,
        .disk_bytes = result->disk.bytes,
        .disk_written = result->disk.written,
        .disk_read = result->disk.read,
    };
    if (result->hunt)
        gy_tell_hunt(result, driver->arena, figures);
    if (is_safety)
        gy_tell_swarm(driver->request, driver->arena, figures);
    return figures;
}

// ---- properties ------------------------------------------------------------------------

static const char *vacuity_of(const gy_property *property, gy_arena *arena)
{
    gy_text text = {0};
    if (property->vacuity == GY_ALWAYS_TRUE)
        gy_text_add(&text, "vacuous: it holds whatever the model does");
    else if (property->vacuity == GY_NEVER_TRUE)
        gy_text_add(&text, "vacuous: it cannot hold, whatever the model does");
    for (size_t i = 0; i < property->unmet.n; i++)
        gy_text_printf(&text, "%s`%s`",
                       i == 0 ? "vacuous: its antecedent is never satisfied: " : ", ",
                       property->unmet.at[i]);
    return gy_keep(arena, &text);
}

static const char *problem_of(const gy_verification *driver, const gy_property *property,
                              const gy_property_outcome *told)
{
    if (property->problem)
        return gy_arena_strdup(driver->arena, property->problem);
    if (told->counterexample_count > 0)
        return told->counterexamples[0].title;
    if (!told->figures)
        return !property->checked ? "not checked" : driver->limits.ended ? "interrupted" : "";
    return told->figures->limit_text;
}

static void tell_product(const gy_verification *driver, const gy_property *property,
                         gy_property_outcome *told)
{
    gy_arena *arena = driver->arena;
    const char **unmet = GY_NEW_ARRAY(arena, const char *, property->unmet.n + 1);
    for (size_t i = 0; i < property->unmet.n; i++)
        unmet[i] = gy_arena_strdup(arena, property->unmet.at[i]);
    told->unmet = unmet;
    told->unmet_count = (uint32_t)property->unmet.n;
    told->vacuous = property->vacuity != GY_NOT_VACUOUS || property->unmet.n > 0;
    told->vacuity = vacuity_of(property, arena);
    if (property->partial) {
        property->partial->figures->by_transitions = true;
        told->figures = figures_of(driver, &driver->plan.products, property->partial->figures);
        told->errors = property->partial->stuck != 0;
    }
    if (property->live) {
        gy_search_options options = driver->plan.products;
        options.store = property->live->store;
        told->figures = figures_of(driver, &options, property->live->figures);
        told->cycles = property->live->cycles;
        told->cycles_why = property->live->cycles_why;
        told->together = property->live->shared;
        if (property->live->figures->device_note && !property->live->figures->on_device)
            told->device_note =
                gy_arena_strdup(driver->arena, property->live->figures->device_note);
        told->errors = property->live->figures->errors;
    }
}

static void tell_property(const gy_verification *driver, const gy_property *property,
                          gy_property_outcome *told)
{
    told->name = gy_arena_strdup(driver->arena, property->name);
    told->formula = gy_keep_string(driver->arena, property->written);
    told->kind = property->kind;
    told->checked = property->checked;
    told->asked = property->asked;
    told->verdict = gy_verification_verdict(driver, property);
    told->fair = gy_verification_fairness(driver, property) != GY_FAIRNESS_NONE;
    if (gy_property_is_safety(property)) {
        told->figures = driver->outcome->safety;
        told->errors = driver->result ? driver->result->errors : 0;
        told->vacuity = "";
    } else {
        tell_product(driver, property, told);
    }
    told->problem = problem_of(driver, property, told);
    gy_verification_tell_predicate(driver, property, told);
}

// ---- the rest --------------------------------------------------------------------------

// What was shown to be absent, in words that match what was checked.
static const char *absent_of(const gy_verification *driver)
{
    const gy_search_options *options = &driver->plan.safety;
    const char *parts[3];
    size_t n = 0;
    gy_text text = {0};
    if (options->check_faults && options->check_assertions)
        parts[n++] = "assertion violation";
    if (options->check_end_states)
        parts[n++] = "invalid end state";
    if (options->check_faults)
        parts[n++] = "run-time error";
    if (n == 0)
        gy_text_add(&text, "nothing to check");
    for (size_t i = 0; i < n; i++)
        gy_text_printf(&text, "%sno %s", i == 0 ? "" : i + 1 < n ? ", " : " and ", parts[i]);
    return gy_keep(driver->arena, &text);
}

static void tell_fairness(gy_verification *driver)
{
    gy_outcome *outcome = driver->outcome;
    gy_fairness fairness = driver->plan.fairness;
    const gy_model *model = driver->subject->model;
    uint32_t statements = fairness == GY_FAIRNESS_NONE || !model ? 0 : model->fair_action_count;
    const char *plural = statements == 1 ? "" : "s";
    gy_text text = {0};
    outcome->fairness = gy_fairness_text(fairness);
    outcome->fair_statements = statements;
    if (fairness == GY_FAIRNESS_ACTIONS) {
        gy_text_printf(&text, "fairness of %u labelled statement%s assumed", statements, plural);
    } else if (fairness != GY_FAIRNESS_NONE) {
        gy_text_printf(&text, "%s fairness ", outcome->fairness);
        if (statements)
            gy_text_printf(&text, "of processes and fairness of %u labelled statement%s ",
                           statements, plural);
        gy_text_add(&text, "assumed");
    }
    outcome->fairness_text = gy_keep(driver->arena, &text);
}

static const gy_search_result *shown_result(const gy_verification *driver)
{
    if (driver->result)
        return driver->result;
    for (size_t i = 0; i < driver->properties.list.n; i++)
        if (driver->properties.list.at[i].live)
            return driver->properties.list.at[i].live->figures;
    return NULL;
}

// With `auto`, compiled code is a matter of speed: why there is none is but a note.
static void tell_backend(gy_verification *driver)
{
    gy_system *system = driver->subject->system;
    gy_native_status native;
    driver->outcome->backend = gy_arena_strdup(driver->arena, gy_native_name(system));
    driver->outcome->backend_note = "";
    if (gy_native_look(system, &native) && native.stage == GY_NATIVE_FAILED && native.message[0])
        driver->outcome->backend_note = gy_arena_strdup(driver->arena, native.message);
    const gy_search_result *result = shown_result(driver);
    gy_text note = {0};
    if (result && result->on_device)
        driver->outcome->backend = "cuda";
    if (result && result->device_note && (result == driver->result || result->on_device))
        gy_text_add(&note, result->device_note);
    for (size_t i = 0; i < driver->properties.list.n; i++) {
        const gy_property *property = &driver->properties.list.at[i];
        const gy_search_result *own = property->live ? property->live->figures : NULL;
        if (own && own->device_note && !own->on_device)
            gy_text_printf(&note, "%s%s property `%s`: %s", note.n ? "; " : "", property->kind,
                           property->name, own->device_note);
    }
    if (note.n)
        driver->outcome->backend_note = gy_arena_strdup(driver->arena, gy_text_str(&note));
    gy_text_free(&note);
}

static void tell_plan(gy_verification *driver)
{
    size_t count = driver->plan.choices.n;
    gy_plan_choice *plan = GY_NEW_ARRAY(driver->arena, gy_plan_choice, count + 1);
    if (count)
        memcpy(plan, driver->plan.choices.at, count * sizeof *plan);
    if (driver->result && driver->result->device_why)
        plan[count++] = (gy_plan_choice){
            .what = "GPU",
            .choice = driver->result->on_device ? "yes" : "no",
            .reason = gy_arena_strdup(driver->arena, driver->result->device_why),
        };
    driver->outcome->plan = plan;
    driver->outcome->plan_count = (uint32_t)count;
}

// The text of the model, for renderers that show it. Of one that cannot be read, too.
static void tell_sources(gy_verification *driver)
{
    const gy_loaded_model *subject = driver->subject;
    const gy_sources *sources = subject->model   ? subject->model->sources
                                : subject->diags ? gy_diags_sources(subject->diags)
                                                 : NULL;
    uint32_t count = sources ? gy_sources_count(sources) : 0;
    gy_source_file *files = count ? GY_NEW_ARRAY(driver->arena, gy_source_file, count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        size_t bytes;
        const char *text = gy_source_text(sources, i, &bytes);
        files[i].name = gy_arena_strdup(driver->arena, gy_source_name(sources, i));
        files[i].text = gy_arena_strndup(driver->arena, text, bytes);
    }
    driver->outcome->sources = files;
    driver->outcome->source_count = count;
}

// Only a complete search knows what is not reached.
static void judge_coverage(gy_verification *driver)
{
    gy_outcome *outcome = driver->outcome;
    const gy_optional *least = &driver->request->least_coverage;
    if (!least->set)
        return;
    outcome->least_coverage = (double)least->number / 100;
    outcome->covered = outcome->has_coverage &&
                       outcome->reached * 10000ull >= least->number * (uint64_t)outcome->statements;
}

// The rows of a foreign system live as long as its object.
static void tell_faults(gy_verification *driver)
{
    uint32_t count;
    const gy_fault_row *rows = gy_system_faults(driver->subject->system, &count);
    gy_fault_row *told = GY_NEW_ARRAY(driver->arena, gy_fault_row, count);
    for (uint32_t i = 0; i < count; i++)
        told[i] = (gy_fault_row){
            .name = gy_arena_strdup(driver->arena, rows[i].name),
            .rule = gy_arena_strdup(driver->arena, rows[i].rule),
            .brief = gy_arena_strdup(driver->arena, rows[i].brief),
            .help = rows[i].help ? gy_arena_strdup(driver->arena, rows[i].help) : NULL,
            .traits = rows[i].traits,
        };
    driver->outcome->faults = told;
    driver->outcome->fault_count = count;
}

void gy_verification_conclude(gy_verification *driver, gy_property_outcome *told)
{
    gy_outcome *outcome = driver->outcome;
    const gy_model *model = driver->subject->model;
    const gy_search_result *result = driver->result, *shown = shown_result(driver);
    size_t count = driver->properties.list.n;
    if (result)
        outcome->safety = outcome->figures = figures_of(driver, &driver->plan.safety, result);
    for (size_t i = 0; i < count; i++) {
        tell_property(driver, &driver->properties.list.at[i], &told[i]);
        if (!outcome->figures)
            outcome->figures = told[i].figures;
    }
    outcome->properties = told;
    outcome->property_count = (uint32_t)count;
    outcome->verdict = worst(told, count);
    gy_outcome_expect(outcome, &driver->request->expectations);
    outcome->all_errors = driver->request->all_errors.set;
    outcome->wants_shortest = driver->request->shortest;
    outcome->all_values =
        driver->subject->model && !(driver->plan.passes.dead && driver->plan.passes.slice);
    outcome->model = gy_arena_strdup(driver->arena, driver->subject->system->file);
    tell_faults(driver);
    outcome->absent = absent_of(driver);
    if (shown)
        gy_tell_reductions(&driver->subject->saved, shown, driver->arena, outcome);
    if (result && model && result->reached_edges && result->edge_count == model->edge_count)
        gy_tell_coverage(model, result->reached_edges, driver->arena, outcome);
    judge_coverage(driver);
    tell_fairness(driver);
    tell_backend(driver);
    tell_plan(driver);
    tell_sources(driver);
    gy_verification_diagnostics(driver);
    gy_verification_remark(driver);
    gy_verification_remark_on_unchecked(driver);
    gy_verification_remark_on_growth(driver);
    gy_verification_notes(driver);
    outcome->widths = gy_tell_widths(driver->subject->system);
}

void gy_verification_give_up(gy_verification *driver)
{
    gy_outcome *outcome = driver->outcome;
    outcome->verdict = GY_BROKEN;
    outcome->internal = driver->complaint.internal;
    outcome->absent = outcome->fairness_text = outcome->hint = outcome->endless = "";
    outcome->backend = outcome->backend_note = "";
    outcome->fairness = "none";
    tell_plan(driver);
    tell_sources(driver);
    gy_verification_diagnostics(driver);
}
