#include "verify/suggestions.h"

#include "verify/enum_names.h"
#include "exec/describe/blocked.h"

#include "base/clock.h"

enum { MOST_PIDS = 256, MOST_STATES = 100000 }; // in a cycle that is examined
static const double SOON = 1;                   // seconds for all that is found out here

// ---- fairness --------------------------------------------------------------------------------

typedef struct pids {
    bool is[MOST_PIDS];
} pids;

// Who moves in the cycle, which processes are enabled in each of its states, and who in one of
// them.
typedef struct cycle_view {
    pids moves, always, sometimes;
} cycle_view;

static int note_enabled(void *user, const gy_transition *transition)
{
    pids *can = user;
    const gy_step *step = transition->step_count ? &transition->steps[0] : NULL;
    if (step && step->pid >= 0 && step->pid < MOST_PIDS)
        can->is[step->pid] = true;
    if (step && step->partner >= 0 && step->partner < MOST_PIDS)
        can->is[step->partner] = true;
    return 0;
}

typedef struct going_on {
    int32_t pid;
    bool can;
} going_on;

static int note_going_on(void *user, const gy_transition *transition)
{
    going_on *on = user;
    const gy_step *step = transition->step_count ? &transition->steps[0] : NULL;
    on->can = on->can || (step && step->pid == on->pid);
    return on->can;
}

// Is this no state of the system, as a process goes on from it inside an atomic sequence? It does
// not if it is blocked there; where it waits for `timeout`, all others are blocked, too.
static bool is_within(gy_worker *worker, const gy_path_state *moment)
{
    going_on on = {.pid = moment->exclusive};
    if (on.pid < 0)
        return false;
    gy_single_steps(worker, moment->state, moment->words, on.pid, note_going_on, &on);
    return on.can && !gy_is_stuck(worker, moment->state, moment->words);
}

static bool look_round(const gy_path *path, cycle_view *view)
{
    size_t first = (size_t)path->cycle_start, last = path->moments.n - 1;
    *view = (cycle_view){0};
    if (path->cycle_start < 0 || path->dropped || first >= last || last - first > MOST_STATES)
        return false;
    memset(&view->always, 1, sizeof view->always);
    for (size_t i = first; i <= last; i++) {
        const gy_path_state *moment = &path->moments.at[i];
        pids can = {0};
        if (i > first && moment->step.pid >= 0 && moment->step.pid < MOST_PIDS)
            view->moves.is[moment->step.pid] = true;
        if (i > first && moment->step.partner >= 0 && moment->step.partner < MOST_PIDS)
            view->moves.is[moment->step.partner] = true;
        if (i == last || is_within(path->worker, moment)) // the last one is the first one again
            continue;
        gy_successors(path->worker, moment->state, moment->words, note_enabled, &can);
        for (size_t p = 0; p < MOST_PIDS; p++) {
            view->always.is[p] = view->always.is[p] && can.is[p];
            view->sometimes.is[p] = view->sometimes.is[p] || can.is[p];
        }
    }
    return true;
}

static uint32_t name_left_out(const gy_path *path, const cycle_view *view, const pids *able,
                              gy_arena *arena, const char **names)
{
    const gy_path_state *moment = &path->moments.at[path->cycle_start];
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    uint32_t count = 0;
    gy_decoded_state_open(scene, path->worker, moment->state, moment->words);
    for (uint32_t p = 0; p < scene->view.process_count && p < MOST_PIDS; p++) {
        gy_text name = {0};
        if (!able->is[p] || view->moves.is[p])
            continue;
        gy_name_scene_process(scene, (int32_t)p, &name);
        names[count++] = gy_keep(arena, &name);
    }
    free(scene);
    return count;
}

// GY_INCONCLUSIVE: not known in the time that there is.
static gy_verdict verdict_with(gy_verification *driver, const gy_property *property,
                               gy_fairness fairness)
{
    double now = gy_clock(), left = SOON - driver->advice_seconds;
    gy_search_options options = driver->plan.products;
    if (driver->limits.told_by > 0 && (driver->limits.told_by - now) / 2 < left)
        left = (driver->limits.told_by - now) / 2;
    if (left <= 0.001 || driver->limits.ended)
        return GY_INCONCLUSIVE;
    options.time_limit = left;
    options.interrupt = driver->limits.interrupt;
    options.progress = NULL;
    options.shortest_lasso = false;
    options.cycles = GY_CYCLES_AUTO;
    gy_watched watched = gy_properties_watched(&driver->properties, driver->plan.fairness);
    gy_system *system =
        gy_loaded_model_fair(driver->subject, &driver->plan.passes, watched, &driver->complaint);
    if (!system)
        return GY_INCONCLUSIVE;
    gy_product_result *live = gy_product_search(system, property->observer, fairness, &options);
    gy_verdict verdict = live->lasso                                  ? GY_VIOLATED
                         : live->figures->error_met                   ? GY_INCONCLUSIVE
                         : live->figures->completeness == GY_COMPLETE ? GY_HOLDS
                                                                      : GY_INCONCLUSIVE;
    gy_product_result_free(live);
    driver->advice_seconds += gy_clock() - now;
    return verdict;
}

static void find_verdicts(gy_verification *driver, const gy_property *property, gy_unfair *unfair)
{
    gy_fairness fairness = unfair->always ? GY_FAIRNESS_WEAK : GY_FAIRNESS_STRONG;
    unfair->fairness = gy_fairness_text(fairness);
    unfair->verdict = verdict_with(driver, property, fairness);
    if (unfair->verdict == GY_VIOLATED && fairness == GY_FAIRNESS_WEAK &&
        verdict_with(driver, property, GY_FAIRNESS_STRONG) == GY_HOLDS) {
        unfair->fairness = gy_fairness_text(GY_FAIRNESS_STRONG);
        unfair->verdict = GY_HOLDS;
    }
}

static void say(const gy_unfair *unfair, gy_text *out)
{
    for (uint32_t i = 0; i < unfair->process_count; i++)
        gy_text_printf(out, "%s%s",
                       i == 0                          ? ""
                       : i + 1 < unfair->process_count ? ", "
                                                       : " and ",
                       unfair->processes[i]);
    gy_text_printf(out, " %s %s enabled but never %s; ", unfair->process_count == 1 ? "is" : "are",
                   unfair->always ? "continuously" : "infinitely often",
                   unfair->process_count == 1 ? "executes" : "execute");
    gy_text_printf(out,
                   unfair->verdict == GY_HOLDS ? "with --fairness %s the property holds"
                   : unfair->verdict == GY_VIOLATED
                       ? "--fairness %s excludes such runs, but others violate the property"
                       : "--fairness %s excludes such runs",
                   unfair->fairness);
}

void gy_advise_fairness(gy_verification *driver, const gy_property *property, const gy_path *path,
                        gy_counterexample *told)
{
    gy_fairness assumed = gy_verification_fairness(driver, property);
    cycle_view *view = gy_alloc(sizeof *view);
    bool can = (assumed == GY_FAIRNESS_NONE || assumed == GY_FAIRNESS_ACTIONS) &&
               driver->subject->model && look_round(path, view);
    if (can) {
        gy_unfair *unfair = GY_NEW(driver->arena, gy_unfair);
        const char **names = GY_NEW_ARRAY(driver->arena, const char *, MOST_PIDS);
        gy_text text = {0};
        unfair->processes = names;
        unfair->always = true;
        unfair->process_count = name_left_out(path, view, &view->always, driver->arena, names);
        if (!unfair->process_count) {
            unfair->always = false;
            unfair->process_count =
                name_left_out(path, view, &view->sometimes, driver->arena, names);
        }
        if (unfair->process_count) {
            find_verdicts(driver, property, unfair);
            say(unfair, &text);
            unfair->text = gy_keep(driver->arena, &text);
            told->unfair = unfair;
        }
    }
    free(view);
}

// ---- ends ------------------------------------------------------------------------------------

// Nodes are numbered breadth first: does control come back to it from after?
static bool is_loop_head(const gy_model *model, const gy_template *tmpl, int32_t node)
{
    for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++)
        if (model->edges[e].to == node && model->edges[e].from >= node)
            return true;
    return false;
}

// May some statement change the variable? Only of other processes: that of a single process of this
// type waits.
static bool is_changed_elsewhere(const gy_model *model, const gy_template *tmpl, bool alone,
                                 int32_t var)
{
    for (uint32_t e = 0; e < model->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        if (alone && &model->templates[edge->tmpl] == tmpl)
            continue;
        for (uint32_t i = 0; i < edge->touch_count; i++)
            if (edge->touches[i].write && edge->touches[i].var == var &&
                edge->touches[i].kind == GY_TOUCH_VAR)
                return true;
    }
    return false;
}

// Could anybody else end this wait? A service waits for messages, or for what others change.
static bool could_be_served(const gy_model *model, const gy_template *tmpl, const gy_node *node,
                            bool alone)
{
    for (int32_t k = 0; k < node->edge_count; k++) {
        const gy_edge *edge = &model->edges[node->first_edge + k];
        if (edge->sync != GY_SYNC_NONE || gy_has_c(model))
            return true;
        for (uint32_t i = 0; i < edge->touch_count; i++) {
            const gy_touch *touch = &edge->touches[i];
            if (touch->write)
                continue;
            if (touch->kind != GY_TOUCH_VAR || is_changed_elsewhere(model, tmpl, alone, touch->var))
                return true;
        }
    }
    return false;
}

static bool is_alone(const gy_decoded_state *scene, uint32_t pid)
{
    for (uint32_t p = 0; p < scene->view.process_count; p++)
        if (p != pid && scene->view.processes[p].tmpl == scene->view.processes[pid].tmpl)
            return false;
    return true;
}

void gy_advise_end_labels(gy_verification *driver, gy_path *path)
{
    const gy_model *model = driver->subject->model;
    const gy_path_state *last = gy_path_last(path);
    gy_text names = {0};
    bool waits = true;
    uint32_t count = 0;
    gy_diagnostic remark = {.severity = "note", .code = "needs-end-label"};
    if (!model || model->may_stop || driver->request->end_empty || !model->stop_label)
        return;
    gy_decoded_state *scene = gy_alloc(sizeof *scene);
    gy_decoded_state_open(scene, path->worker, last->state, last->words);
    for (uint32_t p = 0; p < scene->view.process_count && waits; p++) {
        const gy_state_view_process *process = &scene->view.processes[p];
        const gy_template *tmpl = &model->templates[process->tmpl];
        if (gy_may_rest(scene, (int32_t)p))
            continue;
        waits = is_loop_head(model, tmpl, process->node) &&
                could_be_served(model, tmpl, &tmpl->nodes[process->node], is_alone(scene, p));
        gy_text_add(&names, count++ ? ", " : "");
        gy_name_scene_process(scene, (int32_t)p, &names);
        gy_text_add(&names, " at ");
        gy_name_place_short(model, tmpl->nodes[process->node].place, &names);
    }
    if (waits && count > 0) {
        remark.message = gy_arena_printf(
            driver->arena,
            "%s wait%s at the head of a loop; if %s may terminate there, put an `%s` label before "
            "the loop",
            gy_text_str(&names), count == 1 ? "s" : "", count == 1 ? "it" : "they",
            model->stop_label);
        gy_vec_push(&driver->remarks, remark);
    }
    gy_text_free(&names);
    free(scene);
}
