// The public API: dispatch to the backend, and the facts that come from the MODEL.
#include "exec/system.h"

#include "exec/fault_rows.h"

#include "base/bits.h"
#include "base/fatal.h"
#include "exec/orbit.h"
#include "exec/view.h"

#include <stdlib.h>
#include <string.h>

void gy_free(void *memory)
{
    free(memory);
}

void gy_system_free(gy_system *system)
{
    if (!system)
        return;
    system->backend->free_system(system->impl);
    if (system->owned_model)
        gy_model_free(system->owned_model);
    if (system->arena)
        gy_arena_free(system->arena);
    free(system->given);
    free(system);
}

gy_worker *gy_worker_new(gy_system *system)
{
    gy_worker *worker = gy_alloc_apart(sizeof *worker);
    worker->system = system;
    worker->impl = system->backend->new_worker(system->impl);
    return worker;
}

void gy_worker_free(gy_worker *worker)
{
    if (!worker)
        return;
    worker->system->backend->free_worker(worker->impl);
    gy_orbit_fold_free(worker->folder);
    free(worker);
}

typedef struct folding {
    gy_orbit_fold *folder;
    gy_visit *visit;
    void *user;
} folding;

static int visit_folded(void *user, const gy_transition *transition)
{
    const folding *f = user;
    return gy_orbit_fold_visit(f->folder, transition, f->visit, f->user);
}

int gy_initial(gy_worker *worker, gy_visit *visit, void *user)
{
    folding f = {worker->folder, visit, user};
    return worker->folder ? worker->system->backend->initial(worker->impl, visit_folded, &f)
                          : worker->system->backend->initial(worker->impl, visit, user);
}

int gy_successors(gy_worker *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                  void *user)
{
    const gy_backend *backend = worker->system->backend;
    folding f = {worker->folder, visit, user};
    return worker->folder ? backend->successors(worker->impl, state, words, visit_folded, &f)
                          : backend->successors(worker->impl, state, words, visit, user);
}

const gy_transition *gy_successors_batch(gy_worker *worker, const gy_word *state, uint32_t words,
                                         uint32_t *count)
{
    const gy_backend *backend = worker->system->backend;
    const gy_transition *all = backend->successors_batch
                                   ? backend->successors_batch(worker->impl, state, words, count)
                                   : NULL;
    return all && worker->folder ? gy_orbit_fold_batch(worker->folder, all, *count) : all;
}

const gy_transition *gy_successors_append(gy_worker *worker, const gy_word *state, uint32_t words,
                                          uint32_t *count)
{
    const gy_backend *backend = worker->system->backend;
    return backend->successors_append && !worker->folder
               ? backend->successors_append(worker->impl, state, words, count)
               : NULL;
}

uint32_t gy_successors_many(gy_worker *worker, gy_many *many)
{
    const gy_backend *backend = worker->system->backend;
    if (backend->successors_many && !worker->folder)
        return backend->successors_many(worker->impl, many);
    uint32_t count, done = 1;
    many->all = gy_successors_batch(worker, many->states[0], many->words[0], &count);
    if (!many->all)
        return 0;
    many->ends[0] = count;
    for (; done < many->count && many->ends[done - 1] < many->enough; done++) {
        if (!gy_successors_append(worker, many->states[done], many->words[done], &count))
            break;
        many->ends[done] = many->ends[done - 1] + count;
    }
    return done;
}

const gy_transition *gy_only_successor(gy_worker *worker, const gy_word *state, uint32_t words,
                                       uint32_t pid, bool append)
{
    const gy_backend *backend = worker->system->backend;
    return backend->only_successor && !worker->folder
               ? backend->only_successor(worker->impl, state, words, pid, append)
               : NULL;
}

int gy_single_steps(gy_worker *worker, const gy_word *state, uint32_t words, int32_t exclusive,
                    gy_visit *visit, void *user)
{
    return worker->system->backend->single_steps(worker->impl, state, words, exclusive, visit,
                                                 user);
}

bool gy_is_end_state(gy_worker *worker, const gy_word *state, uint32_t words, bool empty_channels)
{
    return worker->system->backend->is_end_state(worker->impl, state, words, empty_channels);
}

bool gy_is_state(gy_worker *worker, const gy_word *state, uint32_t words)
{
    const gy_backend *backend = worker->system->backend;
    return !backend->is_state || backend->is_state(worker->impl, state, words);
}

void gy_system_give(gy_system *system, gy_atom atom)
{
    uint32_t words = gy_bits_words(atom);
    if (words > system->given_words) {
        system->given = gy_realloc(system->given, words * sizeof *system->given);
        memset(system->given + system->given_words, 0,
               (words - system->given_words) * sizeof *system->given);
        system->given_words = words;
    }
    gy_bits_add(system->given, atom);
}

static bool was_given(const gy_system *system, int predicate)
{
    return predicate > 0 && (uint32_t)predicate < 64 * system->given_words &&
           gy_bits_has(system->given, (uint32_t)predicate);
}

bool gy_holds(gy_worker *worker, const gy_word *state, uint32_t words, int predicate)
{
    const gy_system *system = worker->system;
    return was_given(system, predicate) &&
           system->backend->holds(worker->impl, state, words, (gy_atom)predicate);
}

bool gy_evaluate(gy_worker *worker, const gy_word *state, uint32_t words, int predicate,
                 int32_t *value)
{
    const gy_system *system = worker->system;
    *value = 0;
    if (!was_given(system, predicate))
        return false;
    gy_atom atom = (gy_atom)predicate;
    if (system->backend->viewer)
        return gy_state_view_value(worker, state, words, GY_NONE, atom, value);
    *value = system->backend->holds(worker->impl, state, words, atom);
    return true;
}

char *gy_state_text(gy_worker *worker, const gy_word *state, uint32_t words)
{
    return worker->system->backend->state_text(worker->impl, state, words);
}

char *gy_step_text(gy_worker *worker, const gy_step *step)
{
    return worker->system->backend->step_text(worker->impl, step);
}

const char *gy_system_name(const gy_system *system)
{
    return system->name;
}

uint64_t gy_system_content(const gy_system *system)
{
    return system->content;
}

// ---- for analyses and observers ---------------------------------------------------------

struct gy_state_layouts *gy_system_layouts(const gy_system *system, bool *lossy)
{
    *lossy = false;
    return system->backend->layouts ? system->backend->layouts(system->impl, lossy) : NULL;
}

bool gy_system_names(const gy_system *system, gy_predicate_names *names)
{
    *names = (gy_predicate_names){0};
    return system->backend->names && system->backend->names(system->impl, names);
}

bool gy_system_dependencies(const gy_system *system, gy_dependencies *dependencies)
{
    *dependencies = (gy_dependencies){0};
    return system->backend->dependencies &&
           system->backend->dependencies(system->impl, dependencies);
}

void gy_claim_start(gy_worker *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                    gy_word *block)
{
    worker->system->backend->claim_start(worker->impl, state, words, tmpl, block);
}

int gy_claim_moves(gy_worker *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                   const gy_word *block, bool timeout, gy_claim_visit *visit, void *user)
{
    return worker->system->backend->claim_moves(worker->impl, state, words, tmpl, block, timeout,
                                                visit, user);
}

bool gy_is_stuck(gy_worker *worker, const gy_word *state, uint32_t words)
{
    const gy_backend *backend = worker->system->backend;
    return backend->is_stuck && backend->is_stuck(worker->impl, state, words);
}

// ---- static facts -----------------------------------------------------------------------

uint32_t gy_edge_count(const gy_system *system)
{
    gy_dependencies groups;
    if (system->model)
        return system->model->edge_count;
    return gy_system_dependencies(system, &groups) ? groups.groups : 0;
}

static bool group_info(const gy_system *system, int32_t number, gy_edge_facts *facts)
{
    gy_dependencies groups;
    if (!gy_system_dependencies(system, &groups) || !groups.names)
        return false;
    *facts = (gy_edge_facts){
        .process = "", .file = "", .text = groups.names[number], .from = GY_NONE, .to = GY_NONE};
    return true;
}

bool gy_edge_info(const gy_system *system, int32_t number, gy_edge_facts *facts)
{
    memset(facts, 0, sizeof *facts);
    if (number < 0 || (uint32_t)number >= gy_edge_count(system))
        return false;
    const gy_model *model = system->model;
    if (!model)
        return group_info(system, number, facts);
    const gy_edge *edge = &model->edges[number];
    facts->process = model->templates[edge->tmpl].name;
    facts->text = edge->text ? edge->text : "";
    facts->from = edge->from;
    facts->to = edge->kind == GY_EDGE_END ? GY_NONE : edge->to;
    facts->keeps_atomic = edge->keeps_atomic;
    facts->file = "";
    if (edge->place && model->sources) {
        gy_location_info place = gy_location_user(model->sources, edge->place);
        facts->file = gy_source_name(model->sources, place.file);
        facts->line = place.line;
    }
    return true;
}

uint32_t gy_edge_fairness(const gy_system *system, int32_t number, bool *strong)
{
    *strong = false;
    if (!system->model || number < 0 || (uint32_t)number >= gy_edge_count(system))
        return 0;
    uint32_t action = system->model->edges[number].fair_action;
    *strong = action && system->model->fair_actions[action - 1].strong;
    return action;
}

static const char *touch_name(const gy_model *model, const gy_touch *touch)
{
    switch (touch->kind) {
    case GY_TOUCH_VAR:
    case GY_TOUCH_REMOTE:
        return model->vars[touch->var].name;
    case GY_TOUCH_CHANNELS:
        return "channels";
    case GY_TOUCH_CONTROL:
        return model->templates[touch->tmpl].name;
    case GY_TOUCH_SYSTEM:
        break;
    }
    return "processes";
}

// Words are elements of one variable, the state; a word may be both read and written.
static uint32_t group_touches(const gy_system *system, int32_t group, gy_access_info *facts,
                              uint32_t room)
{
    gy_dependencies d;
    uint32_t count = 0;
    if (!gy_system_dependencies(system, &d))
        return 0;
    for (uint32_t w = 0; w < d.words; w++)
        for (int write = 0; write < 2; write++) {
            uint8_t is = d.access[(size_t)group * d.words + w];
            if (!(is & (write ? GY_GROUP_MAY_WRITE | GY_GROUP_MUST_WRITE
                              : GY_GROUP_TESTS | GY_GROUP_READS)))
                continue;
            if (count < room)
                facts[count] = (gy_access_info){.what = "state",
                                                .write = write,
                                                .exact = !write || is & GY_GROUP_MUST_WRITE,
                                                .first = w,
                                                .last = w};
            count++;
        }
    return count;
}

uint32_t gy_edge_accesses(const gy_system *system, int32_t number, gy_access_info *facts,
                          uint32_t room)
{
    if (number < 0 || (uint32_t)number >= gy_edge_count(system))
        return 0;
    if (!system->model)
        return group_touches(system, number, facts, room);
    const gy_edge *edge = &system->model->edges[number];
    for (uint32_t i = 0; i < edge->touch_count && i < room; i++) {
        const gy_touch *touch = &edge->touches[i];
        facts[i] = (gy_access_info){
            .what = touch_name(system->model, touch),
            .write = touch->write,
            .exact = touch->exact,
            .local =
                touch->kind == GY_TOUCH_VAR && system->model->vars[touch->var].owner != GY_NONE,
            .first = touch->first,
            .last = touch->last,
        };
    }
    return edge->touch_count;
}

// The former name (gyre/deprecated.h).
uint32_t gy_edge_touches(const gy_system *system, int32_t number, gy_access_info *facts,
                         uint32_t room)
{
    return gy_edge_accesses(system, number, facts, room);
}

// ---- faults -----------------------------------------------------------------------------------

const gy_fault_row *gy_system_faults(const gy_system *system, uint32_t *count)
{
    bool own = system && system->faults;
    *count = own ? system->fault_count : GY_FAULT_COUNT;
    return own ? system->faults : gy_model_faults;
}

const gy_fault *gy_fault_find(const gy_fault *first, gy_fault_kind kind)
{
    while (first && first->kind != kind)
        first = first->also;
    return first;
}

const gy_fault_row *gy_fault_row_of(const gy_system *system, gy_fault_kind kind)
{
    uint32_t count;
    const gy_fault_row *rows = gy_system_faults(system, &count);
    return &rows[kind < count ? kind : GY_FAULT_NONE];
}

const char *gy_fault_name(gy_fault_kind kind)
{
    return kind < GY_FAULT_COUNT ? gy_model_faults[kind].name : "unknown";
}
