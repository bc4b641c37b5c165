// Partial deadlocks: as a property of its own (--partial-deadlock), and as a remark next to "holds"
// where the model is small.
#include "verify/partial_deadlock_property.h"
#include "store/kinds.h"

#include "exec/describe/blocked.h"
#include "exec/describe/unblockers.h"
#include "verify/recheck.h"

// Of models that the note is for; and that looking for it may take.
enum { NOTE_STATES = 5000, NOTE_EXACT_STATES = 10000 };

// ---- searching -------------------------------------------------------------------------------

typedef struct watch {
    const bool *ignored; // templates, or NULL
    gy_decoded_state scene;
} watch;

static bool waiting(void *user, gy_worker *worker, const gy_word *state, uint32_t words,
                    uint64_t *set)
{
    watch *w = user;
    bool good = true;
    gy_decoded_state_open(&w->scene, worker, state, words);
    for (uint32_t p = 0; p < w->scene.view.process_count; p++) {
        if (gy_may_rest(&w->scene, (int32_t)p) ||
            (w->ignored && w->ignored[w->scene.view.processes[p].tmpl]))
            continue;
        if (p < 64)
            *set |= 1ull << p;
        else
            good = false;
    }
    return good;
}

static gy_partial_deadlock *look(gy_verification *driver, gy_search_options *options,
                                 const bool *ignored)
{
    gy_system *exact = gy_loaded_model_exact(driver->subject, &driver->complaint);
    if (!exact)
        return NULL;
    watch *w = gy_alloc_zero(sizeof *w);
    w->ignored = ignored;
    options->interrupt = driver->limits.interrupt;
    options->checkpoint_file = options->resume_file = NULL;
    gy_partial_deadlock *found = gy_partial_deadlock_search(exact, options, waiting, w);
    free(w);
    return found;
}

bool gy_verification_partial(gy_verification *driver, gy_property *property, double seconds)
{
    gy_search_options options = driver->plan.products;
    options.time_limit = seconds;
    gy_partial_deadlock_free(property->partial);
    property->partial = look(driver, &options, NULL);
    if (property->partial && property->partial->figures->completeness == GY_FAILED) {
        driver->complaint.internal = true;
        return gy_refuse(&driver->complaint, "%s", property->partial->figures->failure);
    }
    return property->partial != NULL;
}

// ---- reporting ---------------------------------------------------------------------------------

static void say_names(const gy_decoded_state *scene, uint64_t set, gy_text *out)
{
    bool first = true;
    for (int32_t p = 0; p < 64; p++) {
        if (!(set >> p & 1))
            continue;
        if (!first)
            gy_text_add(out, set >> p == 1 ? " and " : ", ");
        gy_name_scene_process(scene, p, out);
        first = false;
    }
}

static bool is_one(uint64_t set)
{
    return (set & (set - 1)) == 0;
}

// "A(0) waits for x == 1 (x = 0); B(1), which could change that, is stuck as well"
static void say_reason(const gy_decoded_state *scene, int32_t pid, uint64_t stuck, gy_text *out)
{
    bool asks;
    uint64_t enablers = gy_find_enablers(scene, pid, &asks);
    uint64_t idle = enablers & stuck, busy = enablers & ~stuck;
    gy_name_scene_process(scene, pid, out);
    gy_text_char(out, ' ');
    gy_why_blocked(scene, pid, out);
    if (!asks)
        return;
    gy_text_add(out, ", and ");
    if (!enablers) {
        gy_text_add(out, "no other process changes that");
        return;
    }
    if (idle) {
        say_names(scene, idle, out);
        gy_text_printf(out, " could change that, but %s blocked, too", is_one(idle) ? "is" : "are");
    }
    if (busy) {
        gy_text_add(out, idle ? "; " : "");
        say_names(scene, busy, out);
        gy_text_printf(out, " could change that, but never %s what it needs",
                       is_one(busy) ? "does" : "do");
    }
}

static const gy_stuck_process *reasons_of(const gy_decoded_state *scene, uint64_t stuck,
                                          gy_arena *arena, uint32_t *count)
{
    gy_stuck_process *list = GY_NEW_ARRAY(arena, gy_stuck_process, 64);
    *count = 0;
    for (int32_t p = 0; p < 64; p++) {
        gy_text text = {0};
        if (!(stuck >> p & 1))
            continue;
        gy_stuck_process *one = &list[(*count)++];
        gy_name_scene_process(scene, p, &text);
        one->process = gy_keep(arena, &text);
        one->pid = p;
        gy_why_blocked(scene, p, &text);
        one->waits = gy_keep(arena, &text);
        say_reason(scene, p, stuck, &text);
        one->reason = gy_keep(arena, &text);
    }
    return list;
}

// The steps are taken again, on a path of its own; those who are stuck must be there, and unable to
// move.
static bool stands(gy_path *path, const gy_partial_deadlock *found, const char **why)
{
    gy_choices next = {0};
    *why = "a step cannot be executed";
    if (!gy_path_run(path, found->steps, found->step_count, NULL, NULL))
        return false;
    gy_path_choices(path, &next);
    bool moves = false;
    for (size_t i = 0; i < next.list.n; i++) {
        const gy_step *step = &next.list.at[i].step;
        moves = moves || found->stuck >> step->pid & 1 ||
                (step->partner >= 0 && found->stuck >> step->partner & 1);
    }
    gy_choices_free(&next);
    *why = "a process that is blocked is enabled";
    return !moves;
}

bool gy_tell_partial(gy_verification *driver, gy_path *path, const gy_partial_deadlock *found,
                     gy_counterexample *told, const char **why)
{
    gy_arena *arena = driver->arena;
    gy_text text = {0};
    if (!stands(path, found, why))
        return false;
    const gy_path_state *last = gy_path_last(path);
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_decoded_state_open(scene, path->worker, last->state, last->words);
    say_names(scene, found->stuck, &text);
    gy_text_printf(&text, " %s blocked for ever while others continue",
                   found->stuck & (found->stuck - 1) ? "are" : "is");
    told->kind = "partial-deadlock";
    told->message = told->title = gy_keep(arena, &text);
    told->depth = found->depth;
    told->stuck = reasons_of(scene, found->stuck, arena, &told->stuck_count);
    for (uint32_t i = 0; i < told->stuck_count; i++)
        gy_text_printf(&text, "%s%s", i ? ";\n  and " : "", told->stuck[i].reason);
    told->explanation = gy_keep(arena, &text);
    free(scene);
    return true;
}

// ---- next to "holds" ----------------------------------------------------------------------------

static void remark_on(gy_verification *driver, const gy_partial_deadlock *found)
{
    gy_path *path = gy_path_new(gy_loaded_model_exact(driver->subject, &driver->complaint));
    gy_counterexample told = {0};
    const char *why;
    gy_text text = {0};
    if (gy_tell_partial(driver, path, found, &told, &why)) {
        gy_diagnostic remark = {.severity = "note", .code = "partial-deadlock"};
        gy_text_printf(
            &text, "partial deadlock: %s, after %llu step%s (--partial-deadlock shows them)",
            told.title, (unsigned long long)found->step_count, found->step_count == 1 ? "" : "s");
        for (uint32_t i = 0; i < told.stuck_count; i++)
            gy_text_printf(&text, "\n  %s", told.stuck[i].reason);
        remark.message = gy_keep(driver->arena, &text);
        gy_vec_push(&driver->remarks, remark);
    }
    gy_path_free(path);
}

void gy_verification_remark_on_partial(gy_verification *driver, const bool *ignored)
{
    const gy_model *model = driver->subject->model;
    gy_search_options options = driver->plan.products;
    if (driver->request->partial_deadlock || model->may_stop || gy_has_c(model) ||
        driver->result->states > NOTE_STATES)
        return;
    options.store = gy_store_kind_quick();
    options.state_limit = NOTE_EXACT_STATES;
    options.time_limit = gy_limits_left(&driver->limits);
    options.progress = NULL;
    gy_partial_deadlock *found = look(driver, &options, ignored);
    if (found && found->stuck)
        remark_on(driver, found);
    gy_partial_deadlock_free(found);
}
