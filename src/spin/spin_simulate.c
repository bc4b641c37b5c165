#include "spin/spin_simulate.h"

#include "base/child_process.h"
#include "base/new_file.h"
#include "base/number.h"
#include "cli/command.h"
#include "model/spin_numbers.h"
#include "spin/pan_run.h"
#include "spin/trail_lines.h"
#include "verify/trail/trail.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool take_flag(gy_simulation *s, char letter)
{
    switch (letter) {
    case 'g':
        s->sim.show |= PML_SHOW_GLOBALS;
        return true;
    case 'l':
        s->sim.show |= PML_SHOW_LOCALS;
        return true;
    case 'p':
        s->sim.show |= PML_SHOW_STATEMENTS;
        return true;
    case 'r':
        s->sim.show |= PML_SHOW_RECEIVES;
        return true;
    case 's':
        s->sim.show |= PML_SHOW_SENDS;
        return true;
    case 'v':
        s->sim.show |= PML_SHOW_MORE;
        return true;
    case 'w':
        s->sim.show |= PML_SHOW_UNCHANGED;
        return true;
    case 'b':
        return s->sim.no_printf = true;
    case 'B':
        return s->sim.no_final = true;
    case 'T':
        return s->sim.no_indent = true;
    case 'X':
        return s->sim.for_xspin = s->sim.no_indent = true;
    case 'J':
        return s->sim.java = true;
    case 'i':
        return s->sim.interactive = true;
    case 'h':
        return s->tells_seed = true;
    case 'c':
        s->sim.columns = PML_COLUMNS;
        return true;
    case 'M':
        s->sim.columns = PML_CHART;
        return true;
    default:
        return false;
    }
}

bool gy_simulation_option(gy_simulation *s, const char *option)
{
    uint64_t number = 0;
    bool numbered = gy_number_count(option + 2, &number);
    if (!option[2] && take_flag(s, option[1]))
        return true;
    switch (option[1]) {
    case 't':
        s->sim.guided = true;
        s->number = number;
        return numbered || !option[2];
    case 'n':
        s->sim.seed = (uint32_t)number;
        s->seeded = true;
        return numbered;
    case 'u':
        s->sim.limit = (long)number;
        return numbered;
    case 'j':
        s->sim.skip = (long)number;
        return numbered;
    case 'q':
        gy_vec_push(&s->hidden, (int)number);
        return numbered;
    default:
        return false;
    }
}

void gy_simulation_free(gy_simulation *s)
{
    gy_vec_free(&s->hidden);
}

// ---- along a trail ------------------------------------------------------------------------

static char *try_trail(gy_text *name, gy_file_origin origin, size_t *bytes)
{
    char *trail = gy_read_file(gy_text_str(name), origin, bytes);
    if (!trail && name->n > 2) {
        name->at[name->n -= 2] = '\0'; // model.pml.tra
        trail = gy_read_file(gy_text_str(name), origin, bytes);
    }
    return trail;
}

char *gy_find_trail(const gy_pan *pan, const char *file, unsigned long long number, gy_text *name,
                    size_t *bytes)
{
    const char *slash = strrchr(pan->model, '/'), *last = slash ? slash + 1 : pan->model;
    const char *dot = strchr(last, '.');
    char digits[24] = "";
    if (number)
        snprintf(digits, sizeof digits, "%llu", number);
    gy_text_clear(name);
    if (file)
        gy_text_add(name, file);
    else
        gy_text_printf(name, "%s%s.trail", pan->model, digits);
    char *trail = try_trail(name, file ? GY_NAMED : GY_IMPLIED, bytes);
    if (!trail && !file && dot) {
        gy_text_clear(name);
        gy_text_printf(name, "%.*s%s.trail", (int)(dot - pan->model), pan->model, digits);
        trail = try_trail(name, GY_IMPLIED, bytes);
    }
    if (!trail && !file && slash) { // pan writes into the directory that it runs in
        gy_text_clear(name);
        gy_text_printf(name, "%s%s.trail", last, digits);
        trail = try_trail(name, GY_IMPLIED, bytes);
    }
    return trail;
}

static bool is_newer(const char *model, const char *trail)
{
    struct stat a, b;
    return stat(model, &a) == 0 && stat(trail, &b) == 0 && a.st_mtime >= b.st_mtime;
}

typedef struct guide {
    pml_sim *sim;
    const gy_model *model;
    gy_path *path;
    gy_trail_lines lines;
    long number;
    long limit;
} guide;

// The transitions of the claim up to line `end`. False: the limit was reached.
static bool follow_claim(guide *g, size_t end)
{
    for (; g->lines.at < end; g->lines.at++) {
        const gy_trail_line *line = &g->lines.list.at[g->lines.at];
        if (g->limit && line->number >= g->limit)
            return false;
        pml_sim_follow_claim(g->sim, (long)line->number, (int)line->transition);
        g->number = (long)line->number;
    }
    return true;
}

// Goes on to the line of this move. A transition without one was *merged into the line before.
// False: the limit was reached.
static bool find_line(guide *g, int32_t pid, int32_t edge, bool *merged)
{
    size_t next = g->lines.at;
    *merged = true;
    while (next < g->lines.list.n && g->lines.list.at[next].of_claim)
        next++;
    if (next == g->lines.list.n)
        return true;
    const gy_trail_line *line = &g->lines.list.at[next];
    if (line->process != pid || line->transition != gy_spin_transition(g->model, edge))
        return true;
    if (!follow_claim(g, next))
        return false;
    g->number = (long)line->number;
    g->lines.at++;
    *merged = false;
    return true;
}

// False: the limit was reached, or nothing listens any more.
static bool follow_half(guide *g, int32_t pid, int32_t e)
{
    const gy_edge *edge = &g->model->edges[e];
    bool merged;
    if (!find_line(g, pid, e, &merged))
        return false;
    if (g->limit && g->number >= g->limit)
        return false;
    if (edge->kind == GY_EDGE_END) {
        pml_sim_follow_end(g->sim, g->number, pid);
        return true;
    }
    return pml_sim_follow(g->sim, g->number, pid, g->model->spin->statements[e], merged);
}

static bool follow_all(guide *g)
{
    for (size_t i = 1; i < g->path->moments.n; i++) {
        const gy_step *step = &g->path->moments.at[i].step;
        if (g->path->cycle_start == (int64_t)i - 1)
            pml_sim_follow_cycle(g->sim);
        if (!follow_half(g, step->pid, step->edge))
            return false;
        if (step->partner >= 0 && !follow_half(g, step->partner, step->partner_edge))
            return false;
    }
    return follow_claim(g, g->lines.list.n);
}

static void say_newer(pml_sim *sim, const char *model, const char *trail)
{
    gy_text text = {0};
    gy_text_printf(&text, "spin: warning, \"%s\" is newer than %s\n", model, trail);
    pml_sim_say(sim, gy_text_str(&text));
    gy_text_free(&text);
}

// The trail was found, and its model runs.
static int follow(gy_simulation *s, const gy_pan *pan, guide *g, const char *trail, size_t bytes)
{
    gy_trail_problem problem = {0};
    gy_text note = {0};
    gy_trail_lines_read(&g->lines, trail, bytes);
    bool fits = gy_trail_walk(g->path, trail, bytes, &problem, &note);
    if (g->lines.claim >= 0)
        pml_sim_start_claim(g->sim, (int)g->lines.claim);
    if (g->lines.merged && (s->sim.show & PML_SHOW_MORE))
        pml_sim_say(g->sim, "using statement merging\n");
    bool limited = !follow_all(g) && g->limit;
    if (!fits)
        printf("spin: the trail does not fit, line %u: %s\n", problem.line,
               gy_text_str(&problem.detail));
    long last = limited ? g->limit : fits && g->lines.last > 0 ? (long)g->lines.last : g->number;
    int status = pml_sim_follow_finish(g->sim, last, limited);
    if (s->sim.columns == PML_CHART)
        status = gy_write_chart(g->sim, pan->model, s->sim.seed);
    if (s->sim.for_xspin)
        printf("Exit-Status %d\n", status);
    gy_vec_free(&g->lines.list);
    gy_text_free(&note);
    gy_text_free(&problem.detail);
    return fits ? status : 1;
}

static int run_guided(gy_simulation *s, const gy_pan *pan, gy_loaded_model *subject)
{
    size_t bytes;
    gy_text name = {0};
    int status = 1;
    guide g = {.sim = pml_sim_new(subject->model, &s->sim),
               .model = subject->model,
               .path = gy_path_new(subject->system),
               .limit = s->sim.limit};
    char *trail = gy_find_trail(pan, s->trail, s->number, &name, &bytes);
    if (trail) {
        if (!s->sim.for_xspin && is_newer(pan->model, gy_text_str(&name)))
            say_newer(g.sim, pan->model, gy_text_str(&name));
        status = follow(s, pan, &g, trail, bytes);
    } else {
        pml_sim_say(g.sim, "spin: cannot find trail file\n");
        pml_sim_flush(g.sim);
    }
    pml_sim_free(g.sim);
    gy_path_free(g.path);
    gy_text_free(&name);
    free(trail);
    return status;
}

// ---- the chart ----------------------------------------------------------------------------

int gy_write_chart(pml_sim *sim, const char *model, uint32_t seed)
{
    gy_text name = {0}, chart = {0};
    int status = 0;
    pml_sim_chart(sim, &chart);
    gy_text_printf(&name, "%s.tcl", model);
    if (!gy_new_file_put(gy_text_str(&name), GY_IMPLIED, gy_text_str(&chart), chart.n)) {
        printf("spin: cannot create file '%s': %s\n", gy_text_str(&name), strerror(errno));
        status = 1;
    } else {
        const char *display = getenv("DISPLAY");
        fprintf(stderr, "seed used: -n%u\nwish -f %s &\n", seed, gy_text_str(&name));
        const char *const arguments[] = {"wish", "-f", gy_text_str(&name), NULL};
        if (display && *display) // else there is nothing to show it on
            gy_process_leave("wish", arguments);
    }
    gy_text_free(&name);
    gy_text_free(&chart);
    return status;
}

// ---- the rest -----------------------------------------------------------------------------

static bool put_text(void *user, gy_text *text)
{
    (void)user;
    return gy_put(text);
}

static int run_free(gy_simulation *s, const gy_pan *pan, gy_model *model)
{
    pml_sim *sim = pml_sim_new(model, &s->sim);
    if (!sim) {
        printf("spin: %s is not Promela\n", pan->model);
        return 1;
    }
    int status = pml_sim_run(sim);
    if (s->sim.columns == PML_CHART)
        status = gy_write_chart(sim, pan->model, s->sim.seed);
    pml_sim_free(sim);
    if (s->tells_seed && !s->sim.guided)
        printf("seed used: %u\n", s->sim.seed);
    return status;
}

static int start(gy_simulation *s, const gy_pan *pan, gy_loaded_model *subject)
{
    gy_user_error complaint = {0};
    int status = 1;
    if (!s->sim.guided)
        return run_free(s, pan, subject->model);
    if (gy_loaded_model_start(subject, GY_NATIVE_OFF, &complaint))
        status = run_guided(s, pan, subject);
    else
        printf("spin: %s\n", gy_text_str(&complaint.message));
    gy_user_error_free(&complaint);
    return status;
}

int gy_simulation_run(const gy_pan *pan, gy_simulation *s)
{
    enum { CHART_STEPS = 1024 };
    unsigned shown =
        PML_SHOW_GLOBALS | PML_SHOW_STATEMENTS | PML_SHOW_RECEIVES | PML_SHOW_SENDS | PML_SHOW_MORE;
    gy_request *request = gy_request_new();
    gy_loaded_model subject = {0};
    int status = 1;
    if (s->sim.columns == PML_CHART && (s->sim.for_xspin || (s->sim.show & shown))) {
        puts("spin: -c precludes all flags except -t");
        gy_request_free(request);
        return 1;
    }
    if (s->sim.columns == PML_CHART && !s->sim.limit)
        s->sim.limit = CHART_STEPS;
    if (s->sim.columns && !(s->sim.show & (PML_SHOW_RECEIVES | PML_SHOW_SENDS)))
        s->sim.show |= PML_SHOW_RECEIVES | PML_SHOW_SENDS;
    if (!s->seeded)
        s->sim.seed = (uint32_t)time(NULL);
    s->sim.lossy = pan->lossy;
    s->sim.hidden = s->hidden.at;
    s->sim.hidden_count = s->hidden.n;
    s->sim.choices = stdin;
    s->sim.put = put_text;
    if (gy_pan_read(pan, request, &subject))
        status = start(s, pan, &subject);
    gy_loaded_model_free(&subject);
    gy_request_free(request);
    return status;
}
