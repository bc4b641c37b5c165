// gyre sim MODEL
#include "base/vec.h"
#include "cli/stepper.h"
#include "report/json.h"
#include "report/steps/chart.h"
#include "verify/explain/explain.h"
#include "verify/sim_random.h"
#include "verify/trail/trail.h"

#include <errno.h>
#include <stdio.h>

enum { DEFAULT_STEPS = 10000 };

// A running simulation, in all its modes.
typedef struct gy_simulation {
    const gy_arguments *arguments;
    gy_path *path;
    gy_choices choices;
    gy_watches watches;
    gy_step_layout layout;
    gy_step_show show;
    gy_style style;
    gy_msc msc;
    bool draws, charts, json, interactive;
    uint64_t seed, random;
    uint64_t limit;
    gy_text out;
} gy_simulation;

// Shows the last step of the path. False: nothing reads any more.
static bool show_step(gy_simulation *simulation)
{
    gy_report_step told;
    gy_arena *arena = gy_tell_step_alone(simulation->path, gy_path_steps(simulation->path), &told);
    told.atomic_after = gy_path_last(simulation->path)->exclusive >= 0; // as far as is known
    if (simulation->charts)
        ; // at the end, all of it
    else if (simulation->json)
        gy_json_dump(gy_step_json(&told), &simulation->out, true);
    else if (simulation->draws)
        gy_msc_step(&simulation->msc, &told, &simulation->out);
    else
        gy_step_text_line(&told, &simulation->layout, &simulation->show, &simulation->out);
    gy_arena_free(arena);
    return simulation->json || simulation->draws
               ? gy_put(&simulation->out)
               : gy_put_wrapped(&simulation->out, &simulation->style);
}

// Takes a random step of those in `choices` and shows it.
static bool step_at_random(gy_simulation *simulation)
{
    size_t pick = (size_t)gy_sim_random_below(&simulation->random, simulation->choices.list.n);
    gy_path_take(simulation->path, &simulation->choices.list.at[pick]);
    return show_step(simulation);
}

static void run_random(gy_simulation *simulation)
{
    simulation->path->forgetful = !simulation->charts;
    for (;;) {
        gy_path_choices(simulation->path, &simulation->choices);
        if (simulation->choices.list.n == 0 || gy_path_last(simulation->path)->fault ||
            gy_path_steps(simulation->path) >= simulation->limit || !step_at_random(simulation))
            return;
    }
}

// Follows the trail on a path of its own, then takes the same steps here and shows them.
static int run_guided(gy_simulation *simulation, const char *file)
{
    size_t bytes;
    const gy_arguments *arguments = simulation->arguments;
    char *trail = gy_read_file(file, GY_NAMED, &bytes);
    if (!trail)
        return gy_complain(arguments, "cannot read %s: %s", file, strerror(errno));
    gy_trail_problem problem = {0};
    gy_text note = {0};
    gy_path *guide = gy_path_new(simulation->path->system);
    bool fits = gy_trail_walk(guide, trail, bytes, &problem, &note);
    free(trail);
    for (size_t i = 1; i < guide->moments.n && gy_path_steps(simulation->path) < simulation->limit;
         i++) {
        gy_path_take(simulation->path, &guide->moments.at[i]);
        if (!simulation->interactive && !show_step(simulation))
            break;
    }
    gy_path_free(guide);
    if (note.n > 0)
        gy_say("gyre: note: %s\n", gy_text_str(&note));
    int status = 0;
    if (!fits)
        status =
            gy_complain(arguments, "%s:%u: %s", file, problem.line, gy_text_str(&problem.detail));
    gy_text_free(&note);
    gy_text_free(&problem.detail);
    gy_path_choices(simulation->path, &simulation->choices);
    return status;
}

// By hand, from where the path is.
static void walk(gy_simulation *simulation)
{
    gy_stepper stepper;
    gy_stepper_init(&stepper, simulation->arguments, simulation->path, simulation->watches.model);
    stepper.watches = simulation->watches;
    stepper.layout = simulation->layout;
    if (simulation->json)
        gy_stepper_protocol(&stepper, stdin);
    else if (gy_stepper_has_screen(simulation->arguments))
        gy_stepper_screen(&stepper);
    else
        gy_stepper_lines(&stepper, stdin);
    gy_put(&stepper.out);
    simulation->watches = (gy_watches){0}; // they are the stepper's
    gy_stepper_free(&stepper);
    gy_path_choices(simulation->path, &simulation->choices);
}

static void conclude(gy_simulation *simulation, const gy_final *final, bool limited)
{
    gy_text *out = &simulation->out;
    uint64_t steps = gy_path_steps(simulation->path);
    if (simulation->charts) {
        gy_put_chart(simulation->arguments, simulation->path, out);
    } else if (simulation->json) {
        json_t *item = json_object();
        json_object_set_new(item, "steps", json_integer((json_int_t)steps));
        json_object_set_new(item, "seed", json_integer((json_int_t)simulation->seed));
        json_object_set_new(item, "step_limit_reached", json_boolean(limited));
        json_object_set_new(item, "final", gy_ending_json(final));
        gy_json_dump(item, out, true);
    } else if (simulation->show.steps || simulation->draws) {
        gy_text_char(out, '\n');
        gy_text_count(out, steps);
        gy_text_add(out, steps == 1 ? " step" : " steps");
        if (limited)
            gy_text_add(out, gy_given(simulation->arguments, GY_OPT_STEPS)
                                 ? ", as requested"
                                 : ", the default limit (use --steps N to change it)");
        gy_text_add(out, ".\n");
        gy_ending_text(final, &simulation->style, out);
    } else if (final->ending == GY_ENDING_FAULT) {
        gy_text_printf(out, "%s\n", final->message);
    }
    if (simulation->charts || simulation->json)
        gy_put(out);
    else
        gy_put_wrapped(out, &simulation->style);
}

static void put_head(gy_simulation *simulation)
{
    json_t *head = gy_json_report("simulation");
    gy_final initial;
    gy_explainer teller;
    gy_explainer_init(&teller, gy_arena_new(), simulation->path->system);
    gy_tell_initial(&teller, simulation->path, &initial);
    json_object_set_new(head, "model", gy_json_string(simulation->arguments->files[0]));
    json_object_set_new(head, "seed", json_integer((json_int_t)simulation->seed));
    json_object_set_new(head, "initial", gy_state_json(&initial));
    gy_arena_free(teller.arena);
    gy_json_dump(head, &simulation->out, true);
    gy_put(&simulation->out);
}

static int simulate(gy_simulation *simulation)
{
    const gy_arguments *arguments = simulation->arguments;
    const char *trail = arguments->value[GY_OPT_TRAIL].text;
    int status = 0;
    if (simulation->json && !simulation->interactive)
        put_head(simulation);
    if (simulation->draws) {
        gy_msc_begin(&simulation->msc, simulation->path, &simulation->out);
        gy_put(&simulation->out);
    }
    if (trail)
        status = run_guided(simulation, trail);
    else if (!simulation->interactive)
        run_random(simulation);
    if (status)
        return status;
    if (simulation->interactive)
        walk(simulation);
    gy_final final;
    gy_arena *arena =
        gy_tell_final_alone(simulation->path, gy_given(arguments, GY_OPT_END_EMPTY), &final);
    const gy_model *model = simulation->path->system->model;
    if (model && model->may_stop && final.ending == GY_ENDING_DEADLOCK)
        final.ending = GY_ENDING_REST;
    bool limited = !trail && !simulation->interactive && final.ending == GY_ENDING_OPEN &&
                   gy_path_steps(simulation->path) >= simulation->limit;
    conclude(simulation, &final, limited);
    gy_arena_free(arena);
    return final.ending == GY_ENDING_FAULT || final.ending == GY_ENDING_DEADLOCK ? GY_EXIT_VIOLATED
                                                                                 : GY_EXIT_HOLDS;
}

static int check_sense(const gy_arguments *arguments)
{
    bool interactive = gy_given(arguments, GY_OPT_INTERACTIVE);
    if (gy_given(arguments, GY_OPT_CHART) &&
        (interactive || gy_given(arguments, GY_OPT_MSC) || gy_given(arguments, GY_OPT_JSON)))
        return gy_complain(arguments,
                           "--chart cannot be combined with --interactive, --msc or --json");
    if (gy_given(arguments, GY_OPT_MSC) && gy_given(arguments, GY_OPT_JSON))
        return gy_complain(arguments, "--msc and --json cannot be combined");
    return 0;
}

int gy_command_sim(const gy_arguments *arguments)
{
    gy_loaded_model subject;
    int status = check_sense(arguments);
    if (status || (status = gy_load_for(arguments, &subject)))
        return status;
    gy_simulation simulation = {
        .arguments = arguments,
        .path = gy_path_new(subject.system),
        .style = gy_command_style(arguments),
        .draws = gy_given(arguments, GY_OPT_MSC),
        .charts = gy_given(arguments, GY_OPT_CHART),
        .json = gy_given(arguments, GY_OPT_JSON),
        .interactive = gy_given(arguments, GY_OPT_INTERACTIVE),
        .seed = gy_given(arguments, GY_OPT_SEED) ? arguments->value[GY_OPT_SEED].number : 1,
        .limit = gy_given(arguments, GY_OPT_STEPS) ? arguments->value[GY_OPT_STEPS].number
                                                   : DEFAULT_STEPS,
        .show = {.steps = !gy_given(arguments, GY_OPT_QUIET),
                 .changes = gy_given(arguments, GY_OPT_CHANGES),
                 .globals = gy_given(arguments, GY_OPT_GLOBALS),
                 .locals = gy_given(arguments, GY_OPT_LOCALS),
                 .messages = gy_given(arguments, GY_OPT_MESSAGES),
                 .prints = true,
                 .full = gy_given(arguments, GY_OPT_FULL)},
    };
    simulation.random = simulation.seed;
    simulation.show.watches = &simulation.watches;
    simulation.show.style = &simulation.style;
    simulation.show.path = simulation.path;
    gy_widths widths = gy_tell_widths(subject.system);
    simulation.layout = gy_step_layout_for(&widths, simulation.limit, &simulation.style);
    if (simulation.limit == UINT64_MAX || !simulation.show.steps)
        simulation.layout.number = 6;
    if (!subject.model &&
        (simulation.draws || simulation.charts || gy_given(arguments, GY_OPT_TRAIL)))
        status = gy_complain(arguments, "a shared object has neither trails nor messages");
    else if ((status = gy_watch_for(arguments, &subject, &simulation.watches)))
        ;
    else if (!gy_path_start(simulation.path, 0))
        status = gy_complain(arguments, "the model has no initial state");
    else
        status = simulate(&simulation);
    gy_choices_free(&simulation.choices);
    gy_watches_free(&simulation.watches);
    gy_path_free(simulation.path);
    gy_text_free(&simulation.out);
    gy_loaded_model_free(&subject);
    return status;
}
