#include "verify/execution.h"

#include "exec/view.h"

enum { ENOUGH_EVERY = 64 }; // steps between two checks of the limits

void gy_path_state_clear(gy_path_state *moment)
{
    free(moment->state);
    free(moment->message);
    for (uint32_t i = 0; i < moment->print_count; i++)
        free(moment->prints[i]);
    free(moment->prints);
    *moment = (gy_path_state){0};
}

static gy_word *copy_words(const gy_word *state, uint32_t words)
{
    gy_word *copy = gy_alloc((words ? words : 1) * sizeof *copy);
    if (words)
        memcpy(copy, state, words * sizeof *copy);
    return copy;
}

static char *copy_string(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(gy_alloc(bytes), text, bytes);
}

// Of several faults of a step, a moment has the one that the path is about, or the first.
static const gy_fault *fault_of(const gy_path *path, const gy_transition *transition)
{
    const gy_fault *wanted = gy_fault_find(transition->fault, path->about);
    return wanted ? wanted : transition->fault;
}

// A moment out of a transition; if there is no successor, the state `before` stands in.
static gy_path_state moment_of(const gy_path *path, const gy_transition *transition,
                               const gy_path_state *before)
{
    const gy_fault *fault = fault_of(path, transition);
    gy_path_state moment = {.exclusive = transition->exclusive,
                            .step = {.pid = -1, .edge = -1, .partner = -1, .partner_edge = -1}};
    if (transition->step_count > 0)
        moment.step = transition->steps[0];
    if (fault) {
        moment.fault = fault->kind;
        moment.fault_pid = fault->pid;
        moment.fault_edge = fault->edge;
        moment.message = copy_string(fault->message ? fault->message : "");
    }
    if (transition->state) {
        moment.state = copy_words(transition->state, transition->words);
        moment.words = transition->words;
    } else {
        moment.stuck = true;
        if (before) {
            moment.state = copy_words(before->state, before->words);
            moment.words = before->words;
        }
    }
    return moment;
}

gy_path *gy_path_new(gy_system *system)
{
    gy_path *path = gy_alloc_zero(sizeof *path);
    path->system = system;
    path->worker = gy_worker_new(system);
    path->cycle_start = -1;
    return path;
}

static void clear_moments(gy_path *path)
{
    for (size_t i = 0; i < path->moments.n; i++)
        gy_path_state_clear(&path->moments.at[i]);
    path->moments.n = 0;
    path->dropped = 0;
}

void gy_path_free(gy_path *path)
{
    if (!path)
        return;
    clear_moments(path);
    gy_vec_free(&path->moments);
    gy_worker_free(path->worker);
    free(path);
}

typedef struct start_request {
    gy_path *path;
    uint32_t which;
} start_request;

static int visit_initial(void *user, const gy_transition *transition)
{
    start_request *request = user;
    if (request->which-- > 0)
        return 0;
    gy_path_state moment = moment_of(request->path, transition, NULL);
    moment.step = (gy_step){-1, -1, -1, -1, 0, 0};
    moment.exclusive = -1;
    gy_vec_push(&request->path->moments, moment);
    return 1;
}

bool gy_path_start(gy_path *path, uint32_t which)
{
    clear_moments(path);
    start_request request = {path, which};
    gy_initial(path->worker, visit_initial, &request);
    return path->moments.n == 1;
}

const gy_path_state *gy_path_last(const gy_path *path)
{
    return &path->moments.at[path->moments.n - 1];
}

const gy_path_state *gy_path_before_last(const gy_path *path)
{
    return path->moments.n < 2 ? NULL : &path->moments.at[path->moments.n - 2];
}

uint64_t gy_path_steps(const gy_path *path)
{
    return path->dropped + path->moments.n - 1;
}

typedef struct choice_request {
    const gy_path *path;
    gy_choices *choices;
    const gy_path_state *from;
} choice_request;

static int visit_choice(void *user, const gy_transition *transition)
{
    choice_request *request = user;
    gy_vec_push(&request->choices->list, moment_of(request->path, transition, request->from));
    return 0;
}

void gy_choices_clear(gy_choices *choices)
{
    for (size_t i = 0; i < choices->list.n; i++)
        gy_path_state_clear(&choices->list.at[i]);
    choices->list.n = 0;
}

void gy_choices_free(gy_choices *choices)
{
    gy_choices_clear(choices);
    gy_vec_free(&choices->list);
}

void gy_path_choices(gy_path *path, gy_choices *choices)
{
    gy_path_choices_at(path, gy_path_last(path), choices);
}

void gy_path_choices_at(gy_path *path, const gy_path_state *from, gy_choices *choices)
{
    gy_choices_clear(choices);
    if (from->stuck)
        return;
    choice_request request = {path, choices, from};
    gy_single_steps(path->worker, from->state, from->words, from->exclusive, visit_choice,
                    &request);
}

static void add_print(void *user, int32_t pid, const char *text)
{
    (void)pid;
    gy_path_state *moment = user;
    moment->prints = gy_realloc(moment->prints, (moment->print_count + 1) * sizeof *moment->prints);
    moment->prints[moment->print_count++] = copy_string(text);
}

void gy_path_take(gy_path *path, const gy_path_state *choice)
{
    const gy_path_state *from = gy_path_last(path);
    gy_path_state next = *choice;
    next.prints = NULL;
    next.print_count = 0;
    next.state = copy_words(choice->state, choice->words);
    next.message = choice->message ? copy_string(choice->message) : NULL;
    if (path->system->model) {
        gy_fault fault = {.kind = choice->fault,
                          .pid = choice->fault_pid,
                          .edge = choice->fault_edge,
                          .message = choice->message,
                          .row = gy_fault_row_of(path->system, choice->fault)};
        gy_transition transition = {
            .state = choice->stuck ? NULL : choice->state,
            .words = choice->words,
            .steps = &choice->step,
            .step_count = 1,
            .fault = choice->fault ? &fault : NULL,
            .exclusive = choice->exclusive,
            .written = GY_WRITTEN_ALL,
        };
        gy_step_output(path->worker, from->state, from->words, &transition, add_print, &next);
    }
    gy_vec_push(&path->moments, next);
    if (path->forgetful && path->moments.n > 2) {
        gy_path_state_clear(&path->moments.at[0]);
        memmove(path->moments.at, path->moments.at + 1,
                (path->moments.n - 1) * sizeof *path->moments.at);
        path->moments.n--;
        path->dropped++;
    }
}

bool gy_path_pop(gy_path *path, gy_path_state *last)
{
    if (path->moments.n < 2)
        return false;
    *last = path->moments.at[--path->moments.n];
    return true;
}

bool gy_path_undo(gy_path *path)
{
    gy_path_state last;
    if (!gy_path_pop(path, &last))
        return false;
    gy_path_state_clear(&last);
    return true;
}

bool gy_same_step(const gy_step *a, const gy_step *b)
{
    return a->pid == b->pid && a->edge == b->edge && a->partner == b->partner &&
           a->partner_edge == b->partner_edge && a->choice == b->choice &&
           a->partner_choice == b->partner_choice;
}

// A way that is being looked for.
typedef struct way {
    gy_path *path;
    const gy_step *steps;
    uint64_t count;
    gy_choices choices;
    GY_VEC(size_t) taken; // by step: which of the choices
    uint64_t looks;
} way;

static bool is_cut(way *w)
{
    gy_path *path = w->path;
    if (path->enough && w->looks++ % ENOUGH_EVERY == 0)
        path->cut = path->enough(path->enough_user);
    return path->cut;
}

// Takes the next step by a choice from number `from` on. False: there is none.
static bool take_next(way *w, size_t from)
{
    const gy_step *step = &w->steps[w->taken.n];
    gy_path_choices(w->path, &w->choices);
    while (from < w->choices.list.n && !gy_same_step(&w->choices.list.at[from].step, step))
        from++;
    if (from == w->choices.list.n)
        return false;
    gy_path_take(w->path, &w->choices.list.at[from]);
    gy_vec_push(&w->taken, from);
    return true;
}

static bool take_all(way *w, gy_path_fits *fits, void *user)
{
    size_t from = 0;
    w->taken.n = 0;
    while (!is_cut(w)) {
        bool on =
            from || !w->path->before || w->path->before(w->path, w->taken.n, w->path->before_user);
        if (on && w->taken.n == w->count && (!fits || fits(w->path, user)))
            return true;
        if (on && w->taken.n < w->count && take_next(w, from)) {
            from = 0;
            continue;
        }
        if (w->taken.n == 0)
            return false;
        gy_path_undo(w->path);
        from = w->taken.at[--w->taken.n] + 1;
    }
    return false;
}

bool gy_path_run(gy_path *path, const gy_step *steps, uint64_t count, gy_path_fits *fits,
                 void *user)
{
    way w = {.path = path, .steps = steps, .count = count};
    bool found = false;
    path->cut = NULL;
    for (uint32_t which = 0; !found && !path->cut && gy_path_start(path, which); which++)
        found = (count == 0 || gy_path_last(path)->state) && take_all(&w, fits, user);
    gy_choices_free(&w.choices);
    gy_vec_free(&w.taken);
    return found;
}
