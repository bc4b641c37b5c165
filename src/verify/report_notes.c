// What there is to say besides verdicts and figures: diagnostics of the model, notes about the
// search.
#include "verify/explain/explain.h"
#include "verify/swarm_outcome.h"
#include "verify/verification_state.h"

#include "store/kinds.h"

typedef GY_VEC(gy_diagnostic) diagnostic_list;

static void add_note(diagnostic_list *list, const char *severity, const char *message)
{
    gy_diagnostic note = {.severity = severity, .message = message};
    if (*message)
        gy_vec_push(list, note);
}

static void note_property(const gy_verification *driver, const gy_property_outcome *told,
                          diagnostic_list *list)
{
    if (told->verdict == GY_INCONCLUSIVE && strcmp(told->kind, "safety") != 0)
        add_note(list, "note",
                 gy_arena_printf(driver->arena, "%s property `%s` is inconclusive: %s", told->kind,
                                 told->name, told->problem));
    if (*told->vacuity)
        add_note(list, "warning",
                 gy_arena_printf(driver->arena, "%s property `%s` is %s", told->kind, told->name,
                                 told->vacuity));
    if (told->predicate_warning) {
        gy_diagnostic warning = {
            .severity = "warning", .code = "general-predicate", .message = told->predicate_warning};
        gy_vec_push(list, warning);
    }
    gy_cycle_search asked = driver->plan.products.cycles;
    if (asked != GY_CYCLES_AUTO && told->cycles && strcmp(told->cycles, gy_cycles_name(asked)) != 0)
        add_note(list, "note",
                 gy_arena_printf(driver->arena,
                                 "%s property `%s`: cycles were searched by %s, not by %s: %s",
                                 told->kind, told->name, told->cycles, gy_cycles_name(asked),
                                 told->cycles_why));
    if (told->device_note)
        add_note(list, "note",
                 gy_arena_printf(driver->arena, "%s property `%s`: %s", told->kind, told->name,
                                 told->device_note));
    if (told->left_out)
        add_note(list, "note",
                 gy_arena_printf(driver->arena, "%llu counterexample%s left out: %s",
                                 (unsigned long long)told->left_out,
                                 told->left_out == 1 ? " was" : "s were", told->left_out_why));
}

// What the user could do about a limit; nothing if there is nothing to say.
static const char *hint_of(const gy_verification *driver)
{
    if (!driver->result || driver->grows || driver->result->completeness != GY_LIMIT_MEMORY ||
        driver->result->states == 0 || // there was no room to begin with
        driver->result->error_met)     // the path to it was looked for in a store made for more
        return "";
    const gy_store_kind_row *kind = gy_store_kind_at(driver->plan.safety.store);
    bool disk = kind->traits.empties && gy_plan_could_use_disk(driver->request);
    gy_store_small small = {.bytes = driver->result->bytes_per_state,
                            .fill = driver->result->fill,
                            .more = disk ? "; or use --disk DIR to move states to files" : ""};
    gy_text advice = {0};
    kind->advise(&small, &advice);
    return gy_keep(driver->arena, &advice);
}

// Was partial-order reduction wanted?
static bool wants_order(const gy_request *request)
{
    return !request->exact && !request->no_por && !request->shortest &&
           request->reduce.number != GY_REDUCE_NONE;
}

// Jobs that do not know each other expand all states fully, and there may be many more for it.
static void note_swarm(const gy_verification *driver, diagnostic_list *list)
{
    enum { MANY = 50 }; // jobs
    if (gy_swarm_jobs(driver->request) >= MANY && wants_order(driver->request))
        gy_vec_push(list, ((gy_diagnostic){
                              .code = "swarm-no-por",
                              .severity = "note",
                              .message = "a swarm uses no partial-order reduction, because its "
                                         "jobs must agree on the states; if that reduction is "
                                         "effective, gyre MODEL alone needs far fewer states"}));
}

// A search of states on disk expands all of them fully, too.
static void note_disk(const gy_verification *driver, diagnostic_list *list)
{
    enum { MANY = 100000 }; // states
    const gy_request *request = driver->request;
    const gy_search_result *result = driver->result;
    bool large = result && (result->disk.states || result->states >= MANY);
    if (!request->disk || !wants_order(request) || !large)
        return;
    gy_vec_push(list, ((gy_diagnostic){
                          .code = "disk-no-por",
                          .severity = "note",
                          .message = "--disk disables partial-order reduction, which must look up "
                                     "states that may be on disk; if that reduction is effective, "
                                     "a search in memory needs far fewer states"}));
}

// Of a system that brings notes of its own. Which one was met is not kept.
static const char *own_notes(const gy_verification *driver)
{
    uint32_t count;
    const gy_fault_row *rows = gy_system_faults(driver->subject->system, &count);
    gy_text text = {0};
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].traits & GY_FAULT_IS_NOTE)
            gy_text_printf(&text, "%s%s", text.n ? " or: " : "", rows[i].brief);
    return gy_keep(driver->arena, &text);
}

// No error, but worth knowing: an atomic sequence that never ends.
static const char *endless_of(const gy_verification *driver)
{
    const gy_model *model = driver->subject->model;
    if (!driver->result || driver->result->endless_edge < 0)
        return "";
    if (!model)
        return own_notes(driver);
    gy_location_info place =
        gy_location_user(model->sources, model->edges[driver->result->endless_edge].place);
    return gy_arena_printf(driver->arena,
                           "%s:%u: the atomic sequence never ends; no state after it is reached",
                           gy_source_name(model->sources, place.file), place.line);
}

static void set_diagnostics(const gy_diagnostic **kept, uint32_t *count, diagnostic_list *list,
                            gy_arena *arena)
{
    gy_diagnostic *copy = GY_NEW_ARRAY(arena, gy_diagnostic, list->n + 1);
    if (list->n)
        memcpy(copy, list->at, list->n * sizeof *copy);
    *kept = copy;
    *count = (uint32_t)list->n;
    gy_vec_free(list);
}

// A complaint may end with a line that is its hint.
static void split_hint(gy_diagnostic *told, gy_arena *arena)
{
    static const char mark[] = "\n  hint: ";
    const char *at = strstr(told->message, mark);
    if (!at)
        return;
    told->hint = at + strlen(mark);
    told->message = gy_arena_printf(arena, "%.*s", (int)(at - told->message), told->message);
}

// What was said about the model, and what the driver has to complain of.
void gy_verification_diagnostics(gy_verification *driver)
{
    static const char *const severities[] = {"error", "warning", "note"};
    const gy_diags *diags = driver->subject->diags;
    const gy_sources *sources = diags ? gy_diags_sources(diags) : NULL;
    gy_arena *arena = driver->arena;
    diagnostic_list list = {0};
    for (size_t i = 0; diags && i < gy_diags_count(diags); i++) {
        const gy_diag *diag = gy_diags_at(diags, i);
        gy_diagnostic told = {.severity = severities[diag->severity],
                              .message = gy_arena_strdup(arena, diag->message),
                              .hint = gy_keep_string(arena, diag->hint)};
        if (diag->place && sources) {
            gy_location_info info = gy_location_user(sources, diag->place);
            told.file = gy_arena_strdup(arena, gy_source_name(sources, info.file));
            told.line = info.line;
            told.column = info.column;
            told.end_line = info.line;
            told.end_column = info.column + (diag->length ? diag->length : 1);
        }
        gy_vec_push(&list, told);
    }
    if (driver->complaint.message.n > 0) {
        const gy_model *model = driver->subject->model;
        gy_diagnostic told = {.severity = "error",
                              .message = gy_keep(arena, &driver->complaint.message),
                              .hint =
                                  gy_user_error_hint(&driver->complaint, model && gy_has_c(model))};
        split_hint(&told, arena);
        if (driver->complaint.excerpt.n > 0)
            told.excerpt = gy_keep(arena, &driver->complaint.excerpt);
        gy_vec_push(&list, told);
    }
    set_diagnostics(&driver->outcome->diagnostics, &driver->outcome->diagnostic_count, &list,
                    arena);
}

// Of the last search that could not write one.
static void note_checkpoints(const gy_verification *driver, diagnostic_list *list)
{
    const char *problem = driver->result ? driver->result->checkpoint_problem : NULL;
    for (size_t i = 0; i < driver->properties.list.n; i++) {
        const gy_product_result *live = driver->properties.list.at[i].live;
        if (live && live->figures->checkpoint_problem)
            problem = live->figures->checkpoint_problem;
    }
    if (problem)
        gy_vec_push(list, ((gy_diagnostic){.code = "checkpoint",
                                           .severity = "warning",
                                           .message = gy_arena_printf(
                                               driver->arena,
                                               "cannot write the last checkpoint: %s", problem)}));
}

// A reduction that the model asks for, and answers for.
static void note_unmatched(const gy_verification *driver, diagnostic_list *list)
{
    const gy_model *model = driver->subject->model;
    if (model && !gy_all_matched(model))
        gy_vec_push(
            list, ((gy_diagnostic){.code = "unmatched-memory",
                                   .severity = "note",
                                   .message = "states that differ only in \"UnMatched\" C memory "
                                              "count as one: nothing may depend on this memory"}));
}

void gy_verification_notes(gy_verification *driver)
{
    gy_outcome *outcome = driver->outcome;
    diagnostic_list list = {0};
    outcome->hint = hint_of(driver);
    outcome->endless = endless_of(driver);
    for (uint32_t i = 0; i < outcome->property_count; i++)
        note_property(driver, &outcome->properties[i], &list);
    note_checkpoints(driver, &list);
    note_disk(driver, &list);
    note_swarm(driver, &list);
    for (size_t i = 0; i < driver->remarks.n; i++)
        gy_vec_push(&list, driver->remarks.at[i]);
    if (outcome->safety)
        add_note(&list, "note", outcome->safety->limit_text);
    note_unmatched(driver, &list);
    add_note(&list, "note", outcome->hint);
    add_note(&list, "warning", outcome->endless);
    set_diagnostics(&outcome->notes, &outcome->note_count, &list, driver->arena);
}
