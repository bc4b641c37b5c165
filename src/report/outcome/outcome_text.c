// The report for people: the verdict, the properties, counterexamples, figures.
#include "report/outcome/outcome_text.h"

const char *gy_verdict_colour(gy_verdict verdict, const gy_style *style)
{
    return verdict == GY_HOLDS          ? style->good
           : verdict == GY_INCONCLUSIVE ? style->unsure
                                        : style->bad;
}

bool gy_outcome_is_safety(const gy_property_outcome *property)
{
    return strcmp(property->kind, "safety") == 0;
}

void gy_property_title(const gy_property_outcome *property, gy_text *out)
{
    if (strcmp(property->name, property->kind) == 0)
        gy_text_add(out, property->name);
    else
        gy_text_printf(out, "%s `%s`", property->kind, property->name);
}

bool gy_property_has_formula(const gy_property_outcome *property)
{
    return property->formula && strcmp(property->formula, property->name) != 0;
}

static size_t count_verdicts(const gy_outcome *outcome, gy_verdict verdict)
{
    size_t n = 0;
    for (uint32_t i = 0; i < outcome->property_count; i++)
        n += !gy_outcome_is_safety(&outcome->properties[i]) &&
             outcome->properties[i].verdict == verdict;
    return n;
}

static const gy_property_outcome *safety_of(const gy_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->property_count; i++)
        if (gy_outcome_is_safety(&outcome->properties[i]))
            return &outcome->properties[i];
    return NULL;
}

// ---- the verdict ------------------------------------------------------------------------

static bool is_violated(const gy_property_outcome *safety)
{
    return safety && safety->errors > 0;
}

static bool violates_what_was_asked(const gy_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->property_count; i++)
        if (outcome->properties[i].asked && outcome->properties[i].verdict == GY_VIOLATED)
            return true;
    return false;
}

static void say_errors(const gy_property_outcome *safety, gy_text *out);

// What a cycle is: this may be the first that a reader sees.
static void say_cycle(const gy_property_outcome *property, gy_text *out)
{
    static const struct {
        const char *kind, *text;
    } cycles[] = {{"ltl", "that violates it"},
                  {"never", "that the claim accepts"},
                  {"acceptance", "through an accept label infinitely often"},
                  {"progress", "without progress from some point on"}};
    bool cycle = property->counterexample_count > 0 && strstr(property->problem, "cycle");
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles && cycle; i++)
        if (strcmp(property->kind, cycles[i].kind) == 0)
            gy_text_printf(out, " (an infinite run %s)", cycles[i].text);
}

static void say_first_violated(const gy_outcome *outcome, gy_text *out)
{
    const gy_property_outcome *safety = safety_of(outcome);
    size_t violated = count_verdicts(outcome, GY_VIOLATED);
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        const gy_property_outcome *property = &outcome->properties[i];
        if (gy_outcome_is_safety(property) || property->verdict != GY_VIOLATED)
            continue;
        gy_property_title(property, out);
        gy_text_printf(out, ": %s", property->problem);
        say_cycle(property, out);
        break;
    }
    if (violated > 1)
        gy_text_printf(out, ", and %zu more propert%s violated", violated - 1,
                       violated == 2 ? "y" : "ies");
    if (is_violated(safety)) {
        gy_text_add(out, "; safety: ");
        say_errors(safety, out);
    }
}

static void say_errors(const gy_property_outcome *safety, gy_text *out)
{
    gy_text_add(out, safety->counterexample_count > 0 ? safety->counterexamples[0].title
                                                      : "an error was found");
    if (safety->distinct > 1)
        gy_text_printf(out, ", and %llu more error%s", (unsigned long long)safety->distinct - 1,
                       safety->distinct > 2 ? "s" : "");
    if (*safety->figures->limit_text)
        gy_text_printf(out, " (%s)", safety->figures->limit_text);
}

static void say_others(const gy_outcome *outcome, bool first, gy_text *out)
{
    size_t holding = count_verdicts(outcome, GY_HOLDS);
    size_t open = count_verdicts(outcome, GY_INCONCLUSIVE);
    if (holding) {
        gy_text_printf(out, "%s%zu propert%s", first ? "" : ", ", holding,
                       holding == 1 ? "y holds" : "ies hold");
        first = false;
    }
    if (open)
        gy_text_printf(out, "%s%zu propert%s not decided", first ? "" : ", but ", open,
                       open == 1 ? "y was" : "ies were");
}

// Why there is no verdict at all.
static void say_broken(const gy_outcome *outcome, gy_text *out)
{
    const char *between = "";
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++) {
        if (strcmp(outcome->diagnostics[i].severity, "error") != 0)
            continue;
        gy_text_printf(out, "%s%s", between, outcome->diagnostics[i].message);
        between = "; ";
    }
}

static void say_verdict(const gy_outcome *outcome, const gy_style *style, gy_text *out)
{
    const gy_property_outcome *safety = safety_of(outcome);
    gy_text_printf(out, "%s%s%s: %s%s%s: ", style->strong, outcome->model, style->off,
                   gy_verdict_colour(outcome->verdict, style), gy_verdict_text(outcome->verdict),
                   style->off);
    if (outcome->verdict == GY_BROKEN) {
        say_broken(outcome, out);
    } else if (outcome->verdict == GY_VIOLATED &&
               (!is_violated(safety) || violates_what_was_asked(outcome))) {
        say_first_violated(outcome, out);
    } else if (outcome->verdict == GY_VIOLATED) {
        say_errors(safety, out);
    } else if (!outcome->safety) {
        if (outcome->property_count == 0)
            gy_text_add(out, "nothing to check");
        say_others(outcome, true, out);
    } else if (*outcome->safety->limit_text) {
        const char *limit = outcome->safety->limit_text;
        gy_text_printf(out, "%s%s%s", outcome->safety->error_met ? "" : "no error found, but ",
                       strcmp(limit, "interrupted") == 0 ? "the search was " : "", limit);
    } else {
        gy_text_add(out, outcome->absent);
        if (outcome->safety->swarm)
            gy_text_printf(out, " (cumulatively exhaustive, %llu job%s)",
                           (unsigned long long)outcome->safety->swarm->jobs,
                           outcome->safety->swarm->jobs == 1 ? "" : "s");
        say_others(outcome, false, out);
    }
    gy_text_char(out, '\n');
    if (*outcome->hint)
        gy_text_printf(out, "hint: %s\n", outcome->hint);
    if (*outcome->endless)
        gy_text_printf(out, "warning: %s\n", outcome->endless);
}

// ---- the properties ---------------------------------------------------------------------

static void say_searched(const gy_outcome *outcome, const gy_property_outcome *property,
                         const gy_render_options *options, gy_text *out)
{
    const gy_figures *figures = property->figures;
    gy_text_printf(out, "%s; ", options->style.faint);
    gy_text_count(out, figures->states);
    gy_text_add(out, figures->states == 1 ? " state, " : " states, ");
    gy_text_count(out, figures->transitions);
    gy_text_add(out, figures->transitions == 1 ? " transition, " : " transitions, ");
    gy_text_seconds(out, figures->seconds);
    if (*outcome->fairness_text && property->fair)
        gy_text_printf(out, "; %s", outcome->fairness_text);
    if (property->predicate_text)
        gy_text_printf(out, "; %s", property->predicate_text);
    if (options->verbose && property->cycles)
        gy_text_printf(out, "; cycles: %s (%s)", property->cycles, property->cycles_why);
    if (figures->reduced)
        gy_text_add(out, "; reduced by partial order");
    else if (options->verbose && figures->not_reduced)
        gy_text_printf(out, "; no partial-order reduction: %s", figures->not_reduced);
    gy_text_add(out, options->style.off);
}

static void say_property(const gy_outcome *outcome, const gy_property_outcome *property,
                         size_t width, const gy_render_options *options, gy_text *out)
{
    const gy_style *style = &options->style;
    bool safety = gy_outcome_is_safety(property);
    gy_text_add(out, "  ");
    gy_pad(out, property->name, width + 2);
    gy_pad(out, strcmp(property->kind, property->name) == 0 ? "" : property->kind, 12);
    gy_text_printf(out, "%s%s%s", gy_verdict_colour(property->verdict, style),
                   gy_verdict_text(property->verdict), style->off);
    if (*property->problem && (!safety || property->verdict == GY_INCONCLUSIVE))
        gy_text_printf(out, ": %s", property->problem);
    if (*property->vacuity)
        gy_text_printf(out, " (%s)", property->vacuity);
    if (!safety && property->figures)
        say_searched(outcome, property, options, out);
    gy_text_char(out, '\n');
    if (gy_property_has_formula(property)) {
        gy_blanks(out, width + 4);
        gy_text_printf(out, "%s%s%s\n", style->faint, property->formula, style->off);
    }
}

static void say_properties(const gy_outcome *outcome, const gy_render_options *options,
                           gy_text *out)
{
    size_t width = 0;
    if (outcome->property_count == 0 ||
        (outcome->property_count == 1 && gy_outcome_is_safety(&outcome->properties[0])))
        return;
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        size_t n = gy_columns(outcome->properties[i].name);
        width = n > width ? n : width;
    }
    for (uint32_t i = 0; i < outcome->property_count; i++)
        say_property(outcome, &outcome->properties[i], width, options, out);
}

// Remarks about the model, next to the verdicts.
static void say_remarks(const gy_outcome *outcome, gy_text *out)
{
    for (uint32_t i = 0; i < outcome->note_count; i++) {
        const gy_diagnostic *note = &outcome->notes[i];
        if (!note->code)
            continue;
        gy_text_printf(out, "%s: ", note->severity);
        if (note->file)
            gy_text_printf(out, "%s:%u: ", note->file, note->line);
        gy_text_printf(out, "%s\n", note->message);
        if (note->hint)
            gy_text_printf(out, "  hint: %s\n", note->hint);
    }
}

static void say_plan(const gy_outcome *outcome, const gy_style *style, gy_text *out)
{
    size_t width = 0, choice = 10;
    for (uint32_t i = 0; i < outcome->plan_count; i++) {
        size_t n = gy_columns(outcome->plan[i].what), m = gy_columns(outcome->plan[i].choice);
        width = n > width ? n : width;
        choice = m > choice ? m : choice;
    }
    gy_text_printf(out, "\n%sPlan%s\n", style->strong, style->off);
    for (uint32_t i = 0; i < outcome->plan_count; i++) {
        gy_text_add(out, "  ");
        gy_pad(out, outcome->plan[i].what, width + 2);
        gy_pad(out, outcome->plan[i].choice, choice + 2);
        gy_text_printf(out, "%s%s%s\n", style->faint, outcome->plan[i].reason, style->off);
    }
}

static void say_expected(const gy_outcome *outcome, const char *gap, const gy_style *style,
                         gy_text *out)
{
    if (*outcome->unexpected)
        gy_text_printf(out, "%s%snot as expected%s: %s\n", gap, style->bad, style->off,
                       outcome->unexpected);
    else if (outcome->has_expectations)
        gy_text_printf(out, "%s%sas expected%s\n", gap, style->good, style->off);
}

void gy_render_text(const gy_outcome *outcome, const gy_render_options *options, gy_sink *sink)
{
    say_verdict(outcome, &options->style, &sink->text);
    if (options->quiet && outcome->verdict != GY_BROKEN)
        say_expected(outcome, "", &options->style, &sink->text);
    if (options->quiet || outcome->verdict == GY_BROKEN)
        return;
    say_properties(outcome, options, &sink->text);
    say_remarks(outcome, &sink->text);
    if (options->verbose)
        say_plan(outcome, &options->style, &sink->text);
    gy_text_counterexamples(outcome, options, sink);
    gy_text_figures(outcome, options, &sink->text);
    say_expected(outcome, "\n", &options->style, &sink->text);
}
