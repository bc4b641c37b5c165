#include "cli/spin/spin_walk.h"

#include "base/number.h"
#include "cli/command.h"
#include "cli/seeded.h"
#include "cli/spin/pan_run.h"
#include "model/spin_numbers.h"
#include "verify/trail/trail.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

bool gy_trace_option(gy_trace *trace, const char *option)
{
    struct {
        const char *name;
        bool *flag;
    } flags[] = {{"-t", &trace->guided},    {"-p", &trace->statements}, {"-g", &trace->globals},
                 {"-l", &trace->locals},    {"-r", &trace->receives},   {"-s", &trace->sends},
                 {"-b", &trace->no_printf}, {"-B", &trace->no_final},   {"-T", &trace->no_indent},
                 {"-v", &trace->verbose}};
    uint64_t number;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(option, flags[i].name) == 0) {
            *flags[i].flag = true;
            return true;
        }
    if (!option[1] || !strchr("tnu", option[1]) || !gy_number_count(option + 2, &number))
        return false;
    if (option[1] == 't') {
        trace->guided = true;
        trace->number = number;
    } else if (option[1] == 'n') {
        trace->seed = number;
        trace->seeded = true;
    } else {
        trace->limit = number;
        return number > 0;
    }
    return true;
}

// ---- along a trail ----------------------------------------------------------------------------

static char *find_trail(const gy_pan *pan, const gy_trace *trace, size_t *bytes)
{
    const char *slash = strrchr(pan->model, '/');
    gy_text name = {0};
    char number[24] = "";
    if (trace->file)
        return gy_read_file(trace->file, bytes);
    if (trace->number)
        snprintf(number, sizeof number, "%llu", trace->number);
    gy_text_printf(&name, "%s%s.trail", slash ? slash + 1 : pan->model, number);
    char *trail = gy_read_file(gy_text_str(&name), bytes);
    if (!trail && slash) {
        gy_text_clear(&name);
        gy_text_printf(&name, "%s%s.trail", pan->model, number);
        trail = gy_read_file(gy_text_str(&name), bytes);
    }
    gy_text_free(&name);
    return trail;
}

// The lines of a trail that are moves of the system, with their numbers.
typedef struct trail_line {
    long long number, process, transition;
} trail_line;

typedef struct trail_lines {
    GY_VEC(trail_line) list;
    size_t at;
    long long last; // the number of the last line, the claim's included
} trail_lines;

static void read_lines(trail_lines *lines, const char *trail, size_t bytes)
{
    char *copy = memcpy(gy_alloc_zero(bytes + 1), trail, bytes), *save = NULL;
    bool claim = false;
    for (char *text = strtok_r(copy, "\n", &save); text; text = strtok_r(NULL, "\n", &save)) {
        trail_line line;
        if (sscanf(text + (*text == '!'), "%lld:%lld:%lld", &line.number, &line.process,
                   &line.transition) != 3)
            continue;
        claim = claim || line.number == -2;
        if (line.number < 0)
            continue;
        lines->last = line.number;
        if (claim && line.process-- == 0)
            continue;
        gy_vec_push(&lines->list, line);
    }
    free(copy);
}

// The number of the next line if it is this move; of the last one if the move was merged into it.
static unsigned long long number_of(trail_lines *lines, const gy_model *model, int32_t pid,
                                    int32_t edge, unsigned long long before)
{
    if (lines->at >= lines->list.n)
        return before;
    const trail_line *line = &lines->list.at[lines->at];
    if (line->process != pid || line->transition != gy_spin_transition(model, edge))
        return before;
    lines->at++;
    return (unsigned long long)line->number;
}

// A step with the number of the limit is not taken any more.
static bool is_beyond(const gy_walk *walk, unsigned long long number)
{
    return walk->trace->limit && number >= walk->trace->limit;
}

// True: the limit was reached.
static bool take_guided(gy_walk *walk, gy_path *guide, trail_lines *lines, gy_text *out)
{
    for (size_t i = 1; i < guide->moments.n; i++) {
        const gy_step *step = &guide->moments.at[i].step;
        unsigned long long number =
            number_of(lines, walk->model, step->pid, step->edge, walk->number);
        if (guide->cycle_start == (int64_t)i - 1)
            gy_text_printf(out, "%s<<<<<START OF CYCLE>>>>>\n", walk->trace->no_indent ? "" : "  ");
        if (is_beyond(walk, number)) {
            walk->number = walk->trace->limit;
            return true;
        }
        walk->number = walk->partner_number = number;
        if (step->partner >= 0)
            walk->partner_number =
                number_of(lines, walk->model, step->partner, step->partner_edge, walk->number);
        gy_path_take(walk->path, &guide->moments.at[i]);
        gy_walk_tell(walk, out);
        if (!gy_put(out))
            break;
    }
    return false;
}

static int run_guided(gy_walk *walk, const gy_pan *pan, gy_text *out)
{
    size_t bytes;
    char *trail = find_trail(pan, walk->trace, &bytes);
    if (!trail) {
        puts("spin: cannot find trail file");
        return 1;
    }
    gy_trail_problem problem = {0};
    gy_text note = {0};
    trail_lines lines = {0};
    gy_path *guide = gy_path_new(walk->path->system);
    read_lines(&lines, trail, bytes);
    bool fits = gy_trail_walk(guide, trail, bytes, &problem, &note);
    bool limited = take_guided(walk, guide, &lines, out);
    if (!fits) {
        gy_text_printf(out, "spin: the trail does not fit, line %u: %s\n", problem.line,
                       gy_text_str(&problem.detail));
    } else if (limited) {
        gy_text_printf(out, "-------------\ndepth-limit (-u%llu steps) reached\n",
                       walk->trace->limit);
    } else if (lines.last > 0) {
        walk->number = (unsigned long long)lines.last;
    }
    gy_text_printf(out, "spin: trail ends after %llu steps\n", walk->number);
    gy_walk_tell_end(walk, out);
    gy_put(out);
    gy_path_free(guide);
    gy_vec_free(&lines.list);
    gy_text_free(&note);
    gy_text_free(&problem.detail);
    free(trail);
    return fits ? 0 : 1;
}

// ---- at random ----------------------------------------------------------------------------------

static void tell_first(const gy_walk *walk, gy_text *out)
{
    const gy_moment *first = gy_path_last(walk->path);
    gy_scene scene;
    gy_scene_open(&scene, walk->path->worker, first->state, first->words);
    for (uint32_t pid = 0; pid < scene.view.process_count && walk->trace->statements; pid++)
        gy_text_printf(out, "  0:\tproc  - (:root:) creates proc %2u (%s)\n", pid,
                       walk->model->templates[scene.view.processes[pid].tmpl].name);
}

static int run_random(gy_walk *walk, gy_text *out)
{
    gy_choices choices = {0};
    uint64_t random = walk->trace->seeded ? walk->trace->seed : (uint64_t)time(NULL) ^ getpid();
    walk->path->forgetful = true;
    tell_first(walk, out);
    while (!gy_path_last(walk->path)->fault) {
        gy_path_choices(walk->path, &choices);
        if (choices.list.n == 0 || (walk->trace->limit && walk->number >= walk->trace->limit))
            break;
        const gy_moment *choice = &choices.list.at[gy_seeded_below(&random, choices.list.n)];
        // The end of a process is no step of Spin's simulation.
        if (walk->model->edges[choice->step.edge].kind != GY_EDGE_END)
            walk->number++;
        walk->partner_number = walk->number;
        gy_path_take(walk->path, choice);
        gy_walk_tell(walk, out);
        if (!gy_put(out))
            break;
    }
    bool fault = gy_path_last(walk->path)->fault != GY_FAULT_NONE;
    gy_scene scene;
    if (fault)
        gy_path_undo(walk->path); // Spin stops in front of the statement that fails
    gy_scene_open(&scene, walk->path->worker, gy_path_last(walk->path)->state,
                  gy_path_last(walk->path)->words);
    if (choices.list.n > 0 && !fault)
        gy_text_printf(out, "-------------\ndepth-limit (-u%llu steps) reached\n",
                       walk->trace->limit);
    else if (!fault && scene.view.process_count > 0)
        gy_text_add(out, "      timeout\n");
    gy_walk_tell_end(walk, out);
    gy_put(out);
    gy_choices_free(&choices);
    return fault ? 1 : 0;
}

static int run(gy_walk *walk, const gy_pan *pan)
{
    gy_text out = {0};
    gy_scene scene;
    int status = 1;
    if (!gy_path_start(walk->path, 0)) {
        puts("spin: the model has no initial state");
        return 1;
    }
    const gy_moment *first = gy_path_last(walk->path);
    gy_scene_open(&scene, walk->path->worker, first->state, first->words);
    walk->created = scene.view.process_count;
    status = walk->trace->guided ? run_guided(walk, pan, &out) : run_random(walk, &out);
    gy_text_free(&out);
    return status;
}

int gy_trace_run(const gy_pan *pan, const gy_trace *trace)
{
    gy_request *request = gy_request_new();
    gy_subject subject = {0};
    gy_complaint complaint = {0};
    int status = 1;
    if (gy_pan_read(pan, request, &subject)) {
        if (gy_subject_start(&subject, GY_NATIVE_OFF, &complaint)) {
            gy_walk walk = {
                .trace = trace, .model = subject.model, .path = gy_path_new(subject.system)};
            status = run(&walk, pan);
            gy_path_free(walk.path);
        } else {
            printf("spin: %s\n", gy_text_str(&complaint.message));
        }
    }
    gy_complaint_free(&complaint);
    gy_subject_free(&subject);
    gy_request_free(request);
    return status;
}
