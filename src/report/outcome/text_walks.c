#include "report/outcome/outcome_text.h"

#include "report/steps/counterexample_text.h"

static void say_trail(const gy_counterexample *walk, gy_text *out)
{
    if (walk->trail)
        gy_text_printf(out, "\ntrail written to %s%s%s\n", walk->trail,
                       walk->claim ? ", the claim that goes with it to " : "",
                       walk->claim ? walk->claim : "");
}

// After the first counterexample, for people: how to step through it.
static void say_replay(const gy_counterexample *walk, const gy_render_options *options,
                       gy_text *out)
{
    if (options->replay && walk->trail)
        gy_text_printf(out, "\nreplay it: %s %s\n", options->replay, walk->trail);
    else if (options->replay && options->replay_finds)
        gy_text_printf(out, "\nreplay it: %s; in a browser: --html FILE\n", options->replay);
    else if (options->replay)
        gy_text_printf(out, "\nreplay it: add --trail FILE, then %s FILE\n", options->replay);
}

static void say_walk(const gy_outcome *outcome, const gy_counterexample *walk,
                     const gy_render_options *options, gy_sink *sink)
{
    gy_step_show show = {.steps = true,
                         .changes = true,
                         .prints = true,
                         .full = options->full,
                         .style = &options->style};
    gy_step_layout layout = gy_step_layout_for(&outcome->widths, walk->length, &options->style);
    gy_story_text(walk, &layout, &show, sink);
    say_trail(walk, &sink->text);
}

static void say_steps(uint64_t steps, gy_text *out)
{
    gy_text_count(out, steps);
    gy_text_add(out, steps == 1 ? " step" : " steps");
}

static void say_count(uint64_t number, const char *what, gy_text *out)
{
    gy_text_count(out, number);
    gy_text_printf(out, " %s%s", what, number == 1 ? "" : "es");
}

// What --simplify has achieved.
static void say_switches(const gy_counterexample *walk, gy_text *out)
{
    if (walk->switches_found < 0)
        return;
    gy_text_add(out, ", ");
    say_count(walk->switches, "context switch", out);
    if (walk->switches < (uint64_t)walk->switches_found) {
        gy_text_add(out, " instead of ");
        gy_text_count(out, (uint64_t)walk->switches_found);
    }
    if (walk->fewest_switches)
        gy_text_add(out, " (no run to this error has fewer)");
    else if (walk->not_simplified)
        gy_text_printf(out, " (there may be a run with fewer: %s)", walk->not_simplified);
}

// Statements are compared, of which a rendezvous, one step, has two. Where a lasso returns to the
// values of all variables, one of a reduced model may be shorter.
static void say_shortest(const gy_outcome *outcome, const gy_counterexample *walk, gy_text *out)
{
    bool all = outcome->all_values && walk->cycle_start >= 0;
    gy_text_printf(out, " (no shorter one %s%s)",
                   all ? "returns to the values of all variables" : "exists",
                   walk->pairs ? ", a rendezvous counted as two" : "");
}

static void say_shortened(const gy_outcome *outcome, const gy_counterexample *walk, gy_text *out)
{
    bool hunt = outcome->figures && outcome->figures->hunter_count;
    bool shortened = walk->first_length > walk->length;
    if (!shortened && !walk->effort_spent)
        return;
    gy_text_add(out, shortened ? " (shortened from " : " (no shorter one found");
    if (shortened)
        gy_text_count(out, walk->first_length);
    gy_text_add(out, walk->effort_spent ? " with limited effort" : "");
    gy_text_printf(out, "%s)",
                   outcome->wants_shortest ? "; there may be a shorter one"
                   : hunt                  ? "; gyre MODEL --shortest finds a shortest one"
                                           : "; --shortest finds a shortest one");
}

// ---- errors -------------------------------------------------------------------------------

static void say_error(const gy_outcome *outcome, const gy_property_outcome *safety, uint32_t i,
                      const gy_render_options *options, gy_sink *sink)
{
    const gy_counterexample *walk = &safety->counterexamples[i];
    gy_text *out = &sink->text;
    bool several = outcome->property_count > 1;
    gy_text_printf(out, "\n%sCounterexample", options->style.strong);
    if (safety->distinct > 1)
        gy_text_printf(out, " %u of %u", i + 1, safety->counterexample_count);
    gy_text_add(out, options->style.off);
    gy_text_add(out, several ? " to safety: " : ": ");
    if (several || safety->distinct > 1)
        gy_text_printf(out, "%s; ", walk->title);
    say_steps(walk->length, out);
    if (i == 0 && walk->shortest)
        say_shortest(outcome, walk, out);
    if (!walk->shortest)
        say_shortened(outcome, walk, out);
    say_switches(walk, out);
    gy_text_char(out, '\n');
    say_walk(outcome, walk, options, sink);
}

static void say_errors(const gy_outcome *outcome, const gy_property_outcome *safety, bool first,
                       const gy_render_options *options, gy_sink *sink)
{
    for (uint32_t i = 0; i < safety->counterexample_count; i++) {
        say_error(outcome, safety, i, options, sink);
        if (first && i == 0)
            say_replay(&safety->counterexamples[0], options, &sink->text);
    }
    if (safety->left_out) {
        gy_text_char(&sink->text, '\n');
        gy_text_count(&sink->text, safety->left_out);
        gy_text_printf(&sink->text, " counterexample%s left out: %s\n",
                       safety->left_out == 1 ? " was" : "s were", safety->left_out_why);
    }
}

// ---- lassos -------------------------------------------------------------------------------

static void say_length(const gy_counterexample *walk, gy_text *out)
{
    uint64_t steps = walk->length;
    if (walk->cycle_start < 0) {
        say_steps(steps, out);
        return;
    }
    say_steps((uint64_t)walk->cycle_start, out);
    gy_text_add(out, ", then ");
    steps -= (uint64_t)walk->cycle_start;
    if (steps == 0) {
        gy_text_add(out, "the system stops and its last state repeats for ever");
    } else {
        gy_text_count(out, steps);
        gy_text_printf(out, " that repeat%s for ever", steps == 1 ? "s" : "");
    }
}

static bool is_same_step(const gy_step *a, const gy_step *b)
{
    return a->pid == b->pid && a->edge == b->edge && a->partner == b->partner &&
           a->partner_edge == b->partner_edge && a->choice == b->choice &&
           a->partner_choice == b->partner_choice;
}

static bool is_same_run(const gy_counterexample *a, const gy_counterexample *b)
{
    bool same = a->length == b->length && a->step_count == b->step_count && !a->cut && !b->cut &&
                a->cycle_start == b->cycle_start && a->final.ending == b->final.ending;
    for (uint64_t i = 0; i < a->step_count && same; i++)
        same = is_same_step(&a->steps[i].step, &b->steps[i].step);
    return same;
}

// The first of the properties before this one whose counterexample is the same run; NULL: none.
static const gy_property_outcome *shown_before(const gy_outcome *outcome,
                                               const gy_property_outcome *property)
{
    for (const gy_property_outcome *p = outcome->properties; p < property; p++)
        if (p->counterexample_count > 0 && !gy_outcome_is_safety(p) &&
            is_same_run(&p->counterexamples[0], &property->counterexamples[0]))
            return p;
    return NULL;
}

// What is said of a run, but for its steps.
static void say_what(const gy_outcome *outcome, const gy_property_outcome *property,
                     const gy_render_options *options, gy_sink *sink)
{
    const gy_counterexample *walk = &property->counterexamples[0];
    gy_text *out = &sink->text;
    gy_text_printf(out, "\n%sCounterexample%s to ", options->style.strong, options->style.off);
    gy_property_title(property, out);
    gy_text_printf(out, ": %s; ", walk->title);
    say_length(walk, out);
    if (walk->shortest_lasso && walk->cycle_start >= 0)
        say_shortest(outcome, walk, out);
    else if (walk->shortest_product)
        gy_text_add(out, " (no shorter one in the product with the property)");
    else
        say_shortened(outcome, walk, out);
    say_switches(walk, out);
    gy_text_char(out, '\n');
    if (gy_property_has_formula(property))
        gy_text_printf(out, "%s: %s\n", property->name, property->formula);
    if (*walk->explanation)
        gy_text_printf(out, "because %s\n", walk->explanation);
    if (walk->unfair)
        gy_text_printf(out, "note: unfair cycle: %s\n", walk->unfair->text);
}

static void say_lasso(const gy_outcome *outcome, const gy_property_outcome *property,
                      const gy_render_options *options, gy_sink *sink)
{
    const gy_counterexample *walk = &property->counterexamples[0];
    gy_text *out = &sink->text;
    say_what(outcome, property, options, sink);
    const gy_property_outcome *before = shown_before(outcome, property);
    if (!before) {
        say_walk(outcome, walk, options, sink);
        return;
    }
    gy_text_add(out, "the same run as for ");
    gy_property_title(before, out);
    gy_text_add(out, ", above\n");
    say_trail(walk, out);
}

void gy_text_counterexample(const gy_outcome *outcome, const gy_property_outcome *property,
                            uint32_t which, const gy_render_options *options, gy_sink *sink)
{
    if (gy_outcome_is_safety(property)) {
        say_error(outcome, property, which, options, sink);
        return;
    }
    say_what(outcome, property, options, sink);
    say_walk(outcome, &property->counterexamples[which], options, sink);
}

void gy_text_counterexamples(const gy_outcome *outcome, const gy_render_options *options,
                             gy_sink *sink)
{
    bool first = true;
    for (int asked = 1; asked >= 0; asked--)
        for (uint32_t i = 0; i < outcome->property_count; i++) {
            const gy_property_outcome *property = &outcome->properties[i];
            if (property->asked != asked || property->counterexample_count == 0)
                continue;
            if (gy_outcome_is_safety(property))
                say_errors(outcome, property, first, options, sink);
            else
                say_lasso(outcome, property, options, sink);
            if (first && !gy_outcome_is_safety(property))
                say_replay(&property->counterexamples[0], options, &sink->text);
            first = false;
        }
}
