// Going on and back, and stopping.
#include "serve/dap/debuggee.h"

#include "verify/sim_random.h"

// Two neighbouring states of the path: before the last step, and now.
typedef struct scenes {
    gy_decoded_state before, now;
    bool has_before;
} scenes;

static scenes *open_scenes(const gy_debuggee *d)
{
    const gy_path_state *before = gy_path_before_last(d->path);
    scenes *s = gy_alloc(sizeof *s);
    gy_debuggee_scene(d, &s->now);
    s->has_before = before != NULL;
    if (before)
        gy_decoded_state_open(&s->before, d->path->worker, before->state, before->words);
    return s;
}

static bool is_hit(gy_debuggee *d, gy_breakpoint *b, const scenes *s, const gy_path_state *next)
{
    if (gy_breakpoint_looks_back(b))
        return s->has_before && gy_breakpoint_is_between(b, &d->expressions, &s->before, &s->now);
    return next && gy_breakpoint_is_before(b, &d->expressions, &s->now, next);
}

static bool is_mover(const gy_path_state *moment, int32_t pid)
{
    return moment->step.pid == pid || moment->step.partner == pid;
}

// ---- breakpoints --------------------------------------------------------------------------

static void stop_at(gy_stop *stop, const gy_breakpoint *b)
{
    if (stop->kind != GY_STOP_NONE)
        return;
    stop->kind = GY_STOP_BREAKPOINT;
    stop->breakpoint = b->id;
    stop->breakpoint_kind = b->kind;
    switch (b->kind) {
    case GY_BREAK_LINE:
        gy_text_printf(&stop->text, "line %u", b->at);
        break;
    case GY_BREAK_SEND:
        gy_text_printf(&stop->text, "send %s", b->name);
        break;
    case GY_BREAK_RECEIVE:
        gy_text_printf(&stop->text, "receive %s", b->name);
        break;
    case GY_BREAK_START:
        gy_text_printf(&stop->text, "start %s", b->name);
        break;
    case GY_BREAK_INLINE:
    case GY_BREAK_TRUE:
        gy_text_printf(&stop->text, "%s", b->name);
        break;
    case GY_BREAK_CHANGE:
        gy_text_printf(&stop->text, "%s changes", b->name);
        break;
    }
}

static void meet(gy_debuggee *d, gy_breakpoint *b, const scenes *s, const gy_path_state *next,
                 gy_stop *stop)
{
    if (!gy_breakpoint_counts(b))
        return;
    if (!b->log) {
        stop_at(stop, b);
        return;
    }
    gy_text text = {0};
    gy_breakpoint_log(b, &d->expressions, &s->now, next ? next->step.pid : -1, &text);
    gy_text_char(&text, '\n');
    if (d->say)
        d->say(d->say_user, gy_text_str(&text), false);
    gy_text_free(&text);
}

void gy_debuggee_count(gy_debuggee *d, gy_breakpoint *b)
{
    b->hits = 0;
    if (b->hits_kind == GY_HITS_ANY || b->problem)
        return;
    scenes *s = gy_alloc(sizeof *s);
    s->has_before = false;
    for (uint64_t n = 0; n <= gy_debuggee_step(d); n++) {
        const gy_path_state *now = gy_cursor_moment(&d->cursor, n);
        gy_decoded_state_open(&s->now, d->path->worker, now->state, now->words);
        b->hits += is_hit(d, b, s,
                          n < gy_debuggee_step(d) ? gy_cursor_moment(&d->cursor, n + 1)
                                                  : gy_debuggee_next(d));
        s->before = s->now;
        s->has_before = true;
    }
    free(s);
}

void gy_debuggee_count_all(gy_debuggee *d)
{
    for (size_t i = 0; i < d->breakpoints.list.n; i++)
        gy_debuggee_count(d, &d->breakpoints.list.at[i]);
}

// The path has come here from before.
static void meet_forwards(gy_debuggee *d, gy_stop *stop)
{
    const gy_path_state *next = gy_debuggee_next(d);
    scenes *s = open_scenes(d);
    for (size_t i = 0; i < d->breakpoints.list.n; i++) {
        gy_breakpoint *b = &d->breakpoints.list.at[i];
        if (!is_hit(d, b, s, next))
            continue;
        b->hits += !d->go.fresh; // else it was counted already
        meet(d, b, s, next, stop);
    }
    free(s);
}

// The path is about to go back from here: what was counted here counts no more, and a step that did
// something is about to be undone.
static void leave_backwards(gy_debuggee *d, gy_stop *stop)
{
    const gy_path_state *next = gy_debuggee_next(d);
    scenes *s = open_scenes(d);
    for (size_t i = 0; i < d->breakpoints.list.n; i++) {
        gy_breakpoint *b = &d->breakpoints.list.at[i];
        if (!is_hit(d, b, s, next))
            continue;
        if (gy_breakpoint_looks_back(b) && gy_breakpoint_counts(b) && !b->log)
            stop_at(stop, b);
        b->hits--;
    }
    free(s);
}

// It has come here from after: what examines the next step stops it.
static void meet_backwards(gy_debuggee *d, gy_stop *stop)
{
    const gy_path_state *next = gy_debuggee_next(d);
    scenes *s = open_scenes(d);
    for (size_t i = 0; i < d->breakpoints.list.n; i++) {
        gy_breakpoint *b = &d->breakpoints.list.at[i];
        if (!gy_breakpoint_looks_back(b) && !b->log && is_hit(d, b, s, next) &&
            gy_breakpoint_counts(b))
            stop_at(stop, b);
    }
    free(s);
}

// ---- one step -----------------------------------------------------------------------------

static void say_prints(const gy_debuggee *d)
{
    const gy_path_state *now = gy_debuggee_now(d);
    for (uint32_t i = 0; d->say && i < now->print_count; i++)
        d->say(d->say_user, now->prints[i], true);
}

static bool step_on(gy_debuggee *d)
{
    if (!gy_debuggee_next(d))
        return false;
    if (!gy_cursor_next(&d->cursor)) { // the cycle closes here
        gy_cursor_jump(&d->cursor, (uint64_t)d->path->cycle_start);
        d->round++;
    }
    bool moved = gy_cursor_forward(&d->cursor);
    say_prints(d);
    return moved;
}

static bool step_back(gy_debuggee *d)
{
    if (!gy_cursor_back(&d->cursor))
        return false;
    if (d->round > 0 && gy_debuggee_step(d) == (uint64_t)d->path->cycle_start) {
        gy_cursor_jump(&d->cursor, gy_cursor_total(&d->cursor));
        d->round--;
    }
    return true;
}

// ---- why to stop --------------------------------------------------------------------------

static bool is_wanted(const gy_debuggee *d, gy_stop_kind kind)
{
    static const unsigned filters[] = {
        [GY_STOP_ASSERTION] = GY_STOPS_ASSERTION, [GY_STOP_ERROR] = GY_STOPS_ERROR,
        [GY_STOP_DEADLOCK] = GY_STOPS_DEADLOCK,   [GY_STOP_CYCLE_START] = GY_STOPS_CYCLE,
        [GY_STOP_CYCLE_END] = GY_STOPS_CYCLE,
    };
    return kind < sizeof filters / sizeof *filters && (d->stops & filters[kind]);
}

// Here something went wrong, or nothing comes after this.
static void stop_at_end(gy_debuggee *d, gy_stop *stop)
{
    bool last = !gy_cursor_next(&d->cursor) && (!d->simulates || !gy_debuggee_next(d));
    if (!last && !gy_debuggee_now(d)->fault)
        return;
    gy_text text = {0};
    gy_stop_kind kind = gy_debuggee_ending(d, &text);
    bool wanted = is_wanted(d, kind);
    bool goes_round = kind == GY_STOP_CYCLE_END && d->closes;
    if (wanted || (last && !goes_round)) {
        gy_text_free(&stop->text);
        stop->kind = wanted ? kind : GY_STOP_END;
        stop->breakpoint = 0;
        stop->text = text;
    } else {
        gy_text_free(&text);
    }
}

static void stop_at_place(gy_debuggee *d, gy_stop *stop)
{
    if (stop->kind != GY_STOP_NONE)
        return;
    if (d->path->cycle_start > 0 && d->round == 0 && is_wanted(d, GY_STOP_CYCLE_START) &&
        gy_debuggee_step(d) == (uint64_t)d->path->cycle_start) {
        stop->kind = GY_STOP_CYCLE_START;
        gy_text_add(&stop->text, "the cycle begins here");
    } else if (d->simulates && (d->stops & GY_STOPS_CHOICE) &&
               gy_cursor_choices(&d->cursor)->list.n > 1) {
        stop->kind = GY_STOP_CHOICE;
        gy_text_printf(&stop->text, "%zu steps are possible",
                       gy_cursor_choices(&d->cursor)->list.n);
    }
}

static bool has_arrived(gy_debuggee *d)
{
    const gy_path_state *now = gy_debuggee_now(d), *next;
    switch (d->go.kind) {
    case GY_GO_ON:
        break;
    case GY_GO_STEP:
        return true;
    case GY_GO_MOVED:
        return is_mover(now, d->go.pid);
    case GY_GO_OUT:
        next = gy_debuggee_next(d);
        return !next || !is_mover(next, d->go.pid) || (d->go.atomic && now->exclusive != d->go.pid);
    }
    return false;
}

static void go_forwards(gy_debuggee *d, gy_stop *stop)
{
    if (!d->go.fresh && !step_on(d)) {
        stop->kind = gy_debuggee_ending(d, &stop->text);
        if (!is_wanted(d, stop->kind))
            stop->kind = GY_STOP_END;
        return;
    }
    if (d->breakpoints.list.n > 0)
        meet_forwards(d, stop);
    stop_at_end(d, stop);
    stop_at_place(d, stop);
    if (stop->kind == GY_STOP_NONE && !d->go.fresh && has_arrived(d))
        stop->kind = GY_STOP_STEP;
    if (stop->kind == GY_STOP_NONE && d->simulates && d->go.steps + 1 >= d->most_steps) {
        stop->kind = GY_STOP_LIMIT;
        gy_text_printf(&stop->text, "%llu steps, the most that continue executes",
                       (unsigned long long)d->most_steps);
    }
}

static void go_backwards(gy_debuggee *d, gy_stop *stop)
{
    bool breaks = d->breakpoints.list.n > 0;
    if (breaks && gy_debuggee_step(d) > 0)
        leave_backwards(d, stop);
    if (!step_back(d)) {
        stop->kind = GY_STOP_START;
        gy_text_add(&stop->text, "the start");
        return;
    }
    if (breaks)
        meet_backwards(d, stop);
    if (stop->kind == GY_STOP_NONE && d->go.kind == GY_GO_STEP)
        stop->kind = GY_STOP_STEP;
    if (stop->kind == GY_STOP_NONE && gy_debuggee_step(d) == 0 && d->round == 0) {
        stop->kind = GY_STOP_START;
        gy_text_add(&stop->text, "the start");
    }
}

// ---- going --------------------------------------------------------------------------------

// In a simulation, a process that is enabled does so, whatever was drawn.
static void prefer(gy_debuggee *d, int32_t pid)
{
    const gy_path_state *next = gy_debuggee_next(d);
    GY_VEC(size_t) own = {0};
    if (next && !is_mover(next, pid)) {
        const gy_choices *choices = gy_cursor_choices(&d->cursor);
        for (size_t i = 0; i < choices->list.n; i++)
            if (is_mover(&choices->list.at[i], pid))
                gy_vec_push(&own, i);
    }
    if (own.n > 0 && gy_debuggee_choose(d, own.at[gy_sim_random_below(&d->cursor.random, own.n)]))
        d->drawn = gy_cursor_back(&d->cursor);
    gy_vec_free(&own);
}

void gy_debuggee_go(gy_debuggee *d, gy_go_kind kind, bool back, int32_t pid)
{
    d->go = (gy_go){.kind = kind, .back = back, .pid = pid};
    d->go.atomic = gy_debuggee_now(d)->exclusive == pid;
    d->goes = true;
    if (kind == GY_GO_MOVED && d->simulates)
        prefer(d, pid);
}

bool gy_debuggee_run(gy_debuggee *d, uint32_t steps, gy_stop *stop)
{
    for (uint32_t i = 0; d->goes && i < steps; i++) {
        if (d->go.back)
            go_backwards(d, stop);
        else
            go_forwards(d, stop);
        d->go.steps++;
        d->go.fresh = false;
        d->goes = stop->kind == GY_STOP_NONE;
    }
    return !d->goes;
}
