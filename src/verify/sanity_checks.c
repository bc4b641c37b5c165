// What is worth knowing although all is well: a verdict may hold for want of anything that could
// violate it. Statements and processes that never had their turn are known from the search; values
// that lost some of their bits are looked for in short searches of the strict model: a small part
// of what the search took, in states, so that what is reported does not hang on the clock.
#include "model/assertions.h"
#include "model/passes/overflow_checks.h"
#include "store/kinds.h"
#include "verify/explain/explain.h"
#include "verify/partial_deadlock_property.h"

#include <stdio.h>

enum {
    MOST_OF_A_KIND = 5, // remarks with the same code
    STATEMENT_COLUMNS = 60,
    // States that the searches of the strict model may take, by each engine: for so many
    // transitions of the search one, which is about a hundredth of its time; and at least, at most.
    TRANSITIONS_PER_STATE = 2000,
    LEAST_STATES = 1500,
    MOST_STATES = 15000,
};

static void place_remark(gy_verification *driver, gy_location at, gy_diagnostic *remark)
{
    const gy_model *model = driver->subject->model;
    if (!at || !model->sources)
        return;
    gy_location_info place = gy_location_user(model->sources, at);
    remark->file = gy_arena_strdup(driver->arena, gy_source_name(model->sources, place.file));
    remark->line = place.line;
    remark->column = place.column;
}

static const char *statement_of(gy_verification *driver, const char *text)
{
    gy_text line = {0};
    gy_name_statement(text, STATEMENT_COLUMNS, &line);
    return gy_keep(driver->arena, &line);
}

// ---- what never had its turn -------------------------------------------------------------

// `assert(false)` says that a place is not reached: then all is as it should be.
static bool guards_a_place(const gy_model *model, const gy_template *tmpl)
{
    for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++)
        if (gy_program_asserts_false(model->edges[e].effect))
            return true;
    return false;
}

static bool starts(const gy_program *effect, int32_t tmpl)
{
    for (uint32_t i = 0; effect && i < effect->count; i++)
        if (effect->actions[i].kind == GY_A_RUN && effect->actions[i].tmpl == tmpl)
            return true;
    return false;
}

// Is there a process of this type? *asked: some statement would start one.
static bool is_started(const gy_verification *driver, int32_t tmpl, bool *asked)
{
    const gy_model *model = driver->subject->model;
    bool started = model->templates[tmpl].active > 0;
    *asked = false;
    for (uint32_t e = 0; e < model->edge_count && !started; e++) {
        bool runs = starts(model->edges[e].effect, tmpl);
        *asked = *asked || runs;
        started = runs && driver->result->reached_edges[e];
    }
    return started;
}

static bool ever_moves(const gy_verification *driver, const gy_template *tmpl)
{
    for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++)
        if (driver->result->reached_edges[e])
            return true;
    return tmpl->edge_count == 0 ||
           driver->subject->model->edges[tmpl->first_edge].kind == GY_EDGE_END;
}

static void remark_on_process(gy_verification *driver, int32_t t)
{
    const gy_model *model = driver->subject->model;
    const gy_template *tmpl = &model->templates[t];
    const gy_node *node = &tmpl->nodes[tmpl->initial];
    const char *name = gy_template_name(tmpl);
    gy_diagnostic remark = {.severity = "note"};
    bool asked, started = is_started(driver, t, &asked);
    if (!started && !asked)
        return; // the front end has said so
    if (!started) {
        remark.code = "process-never-started";
        remark.message =
            gy_arena_printf(driver->arena, "no process of type %s is ever started", name);
        place_remark(driver, tmpl->place, &remark);
    } else if (!guards_a_place(model, tmpl)) {
        const gy_edge *first = &model->edges[node->first_edge];
        remark.code = "process-never-moves";
        remark.message = gy_arena_printf(
            driver->arena, "%s never executes a statement: it blocks at its first, `%s`", name,
            statement_of(driver, first->text));
        place_remark(driver, first->place, &remark);
    }
    if (remark.code)
        gy_vec_push(&driver->remarks, remark);
}

static bool is_of_idle_process(const gy_verification *driver, const char *type)
{
    const gy_model *model = driver->subject->model;
    for (uint32_t t = 0; t < model->template_count; t++)
        if (gy_is_process(&model->templates[t]) &&
            strcmp(gy_template_name(&model->templates[t]), type) == 0)
            return !ever_moves(driver, &model->templates[t]);
    return false;
}

static void remark_on_assertions(gy_verification *driver)
{
    const gy_outcome *outcome = driver->outcome;
    uint32_t said = 0, more = 0;
    gy_diagnostic remark = {.severity = "note", .code = "assertion-unreached"};
    for (uint32_t i = 0; i < outcome->unreached_count; i++) {
        const gy_unreached *statement = &outcome->unreached[i];
        if (!statement->asserts || is_of_idle_process(driver, statement->type))
            continue;
        if (said++ >= MOST_OF_A_KIND) {
            more++;
            continue;
        }
        remark.file = statement->file;
        remark.line = statement->line;
        remark.message = gy_arena_printf(driver->arena, "this assertion is never executed: %s",
                                         statement_of(driver, statement->text));
        gy_vec_push(&driver->remarks, remark);
    }
    if (more) {
        remark.file = NULL;
        remark.message = gy_arena_printf(
            driver->arena, "%u more assertion%s never executed (--unreached lists them)",
            (unsigned)more, more == 1 ? " is" : "s are");
        gy_vec_push(&driver->remarks, remark);
    }
}

// ---- values that do not fit ------------------------------------------------------------------

static const gy_variable *stored_in(const gy_model *model, const gy_edge *edge, const char *name)
{
    for (uint32_t f = 0; edge->sync == GY_SYNC_RECV && f < edge->field_count; f++)
        if (edge->fields[f].kind == GY_FIELD_STORE &&
            strcmp(model->vars[edge->fields[f].var].name, name) == 0)
            return &model->vars[edge->fields[f].var];
    for (uint32_t i = 0; edge->effect && i < edge->effect->count; i++) {
        const gy_action *action = &edge->effect->actions[i];
        if (action->kind == GY_A_ASSIGN && strcmp(model->vars[action->var].name, name) == 0)
            return &model->vars[action->var];
        for (uint32_t f = 0; f < action->field_count; f++)
            if (action->fields[f].kind == GY_FIELD_STORE &&
                strcmp(model->vars[action->fields[f].var].name, name) == 0)
                return &model->vars[action->fields[f].var];
    }
    return NULL;
}

void gy_verification_remark_on_value(gy_verification *driver, const gy_step *step,
                                     const char *message)
{
    const gy_model *model = driver->subject->model;
    const gy_edge *edges[] = {&model->edges[step->edge],
                              step->partner >= 0 ? &model->edges[step->partner_edge] : NULL};
    char name[256];
    int value;
    if (sscanf(message, "the value %d does not fit into %255s", &value, name) != 2)
        return;
    for (size_t i = 0; i < 2; i++) {
        const gy_variable *var = edges[i] ? stored_in(model, edges[i], name) : NULL;
        if (!var)
            continue;
        bool bit = gy_is_wide_bit(var);
        gy_diagnostic remark = {.severity = "note", .code = bit ? "array-bit" : "value-wraps"};
        const char *text = statement_of(driver, edges[i]->text), *type = gy_type_text(var->type);
        int kept = gy_type_truncate(var->type, value);
        gy_arena *arena = driver->arena;
        remark.message =
            bit ? gy_arena_printf(arena,
                                  "`%s` stores %d in the %s array %s, whose elements are bytes (as "
                                  "in Spin): the element becomes %d",
                                  text, value, type, name, kept)
                : gy_arena_printf(arena,
                                  "`%s` wraps: %d does not fit into the %s %s, which becomes %d",
                                  text, value, type, name, kept);
        place_remark(driver, edges[i]->place, &remark);
        gy_vec_push(&driver->remarks, remark);
        return;
    }
}

static gy_search_result *search_strict(gy_verification *driver, gy_model *strict,
                                       gy_search_kind search, uint64_t states)
{
    gy_exec_options exec = {.lossy = driver->subject->lossy};
    gy_system *system = gy_system_vm(strict, false, &exec);
    gy_search_options options = driver->plan.safety;
    options.search = search;
    options.store = gy_store_kind_dense();
    options.threads = 1;
    options.time_limit = gy_limits_left(&driver->limits);
    options.state_limit = states;
    options.max_errors = options.witnesses = 1;
    options.check_end_states = options.check_assertions = options.check_reduction = false;
    options.symmetry = false;
    options.progress = NULL;
    options.checkpoint_file = options.resume_file = NULL;
    options.interrupt = driver->limits.interrupt;
    gy_search_result *found = gy_search(system, &options);
    gy_system_free(system);
    return found;
}

// What is reported, by statement; those that were found are left as they are in the next search: a
// fault hides what lies after.
typedef struct value_hunt {
    uint8_t *open; // statements, by edge: not found yet
    uint32_t said;
} value_hunt;

static bool note_values(gy_verification *driver, value_hunt *hunt, const gy_search_result *found)
{
    uint32_t before = hunt->said;
    for (uint32_t i = 0; i < found->witness_count && hunt->said < MOST_OF_A_KIND; i++) {
        const gy_witness *witness = &found->witnesses[i];
        if (witness->fault != GY_FAULT_RANGE || witness->step_count == 0)
            continue;
        const gy_step *step = &witness->steps[witness->step_count - 1];
        gy_verification_remark_on_value(driver, step, witness->message);
        hunt->open[step->edge] = 0;
        if (step->partner >= 0)
            hunt->open[step->partner_edge] = 0;
        hunt->said++;
    }
    return hunt->said > before;
}

static void hunt_values(gy_verification *driver, value_hunt *hunt, gy_search_kind search,
                        uint64_t states)
{
    bool more = true;
    while (more && states > 0 && hunt->said < MOST_OF_A_KIND && !gy_limits_over(&driver->limits)) {
        gy_model *strict = gy_model_strict(driver->subject->model, hunt->open);
        if (!strict)
            return;
        gy_search_result *found = search_strict(driver, strict, search, states);
        more = note_values(driver, hunt, found);
        states -= found->states < states ? found->states : states;
        gy_search_result_free(found);
    }
}

// Near the initial state all that happens, and some of what happens far from it: a counter has to
// be counted up to wrap.
static void remark_on_values(gy_verification *driver)
{
    uint32_t edges = driver->result->edge_count;
    uint64_t states = driver->result->transitions / TRANSITIONS_PER_STATE;
    value_hunt hunt = {.open = gy_alloc(edges + 1)};
    states = states < LEAST_STATES ? LEAST_STATES : states > MOST_STATES ? MOST_STATES : states;
    memcpy(hunt.open, driver->result->reached_edges, edges);
    hunt_values(driver, &hunt, GY_SEARCH_DFS, states);
    hunt_values(driver, &hunt, GY_SEARCH_BFS, states);
    free(hunt.open);
}

// ---- processes that are stuck ----------------------------------------------------------------

static void remark_on_partial(gy_verification *driver)
{
    const gy_model *model = driver->subject->model;
    bool *ignored = gy_alloc_zero(model->template_count + 1);
    for (uint32_t t = 0; t < model->template_count; t++)
        ignored[t] = guards_a_place(model, &model->templates[t]) ||
                     !ever_moves(driver, &model->templates[t]); // that has been said
    gy_verification_remark_on_partial(driver, ignored);
    free(ignored);
}

// ---- what is stated --------------------------------------------------------------------------

static bool asserts(const gy_model *model)
{
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_program *effect = model->edges[e].effect;
        for (uint32_t i = 0; effect && i < effect->count; i++)
            if (effect->actions[i].kind == GY_A_ASSERT)
                return true;
    }
    return false;
}

// The end of a body is an end state of itself: only a label states something.
static bool has_end_label(const gy_model *model)
{
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_template *tmpl = &model->templates[t];
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            if ((tmpl->nodes[n].flags & GY_NODE_END) && !(tmpl->nodes[n].flags & GY_NODE_FINAL))
                return true;
    }
    return false;
}

// Any property of the model's own, checked or not; or what speaks of its ends.
static bool states_something(const gy_model *model)
{
    for (uint32_t t = 0; t < model->template_count; t++)
        if (!gy_is_process(&model->templates[t]) || model->templates[t].rests)
            return true;
    return model->ltl_count > 0 || model->trace != GY_NONE || model->exclusive_count > 0 ||
           gy_has_c(model) || has_end_label(model) || gy_model_has_flag(model, GY_NODE_ACCEPT) ||
           gy_model_has_flag(model, GY_NODE_PROGRESS) || asserts(model);
}

// "holds" is little where nothing was asked. Not of other languages, whose models seldom state
// more.
static void remark_on_nothing(gy_verification *driver)
{
    const gy_model *model = driver->subject->model;
    const gy_request *request = driver->request;
    gy_diagnostic remark = {
        .severity = "note",
        .code = "nothing-stated",
        .message = "the model states no property (assertion, formula, claim or label): only "
                   "invalid end states and run-time errors were checked",
        .hint = "state a property, such as `assert(x < 3)` or `ltl p { [] (x < 3) }`"};
    if (!model->spin || states_something(model) || driver->properties.list.n > 1 ||
        request->partial_deadlock || (request->checks.set && request->checks.number))
        return;
    gy_vec_push(&driver->remarks, remark);
}

void gy_verification_remark(gy_verification *driver)
{
    const gy_model *model = driver->subject->model;
    const gy_search_result *result = driver->result;
    if (!result || !model || !driver->outcome->has_coverage ||
        result->completeness != GY_COMPLETE || result->witness_count > 0 || result->errors > 0)
        return;
    remark_on_nothing(driver);
    for (uint32_t t = 0; t < model->template_count; t++)
        if (gy_is_process(&model->templates[t]) && !ever_moves(driver, &model->templates[t]))
            remark_on_process(driver, (int32_t)t);
    if (driver->plan.safety.check_assertions)
        remark_on_assertions(driver);
    if (!gy_limits_over(&driver->limits))
        remark_on_values(driver);
    if (!gy_limits_over(&driver->limits))
        remark_on_partial(driver);
}
