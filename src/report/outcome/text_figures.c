#include "report/outcome/outcome_text.h"

#include "exec/describe/naming.h"

static void say_rate(double rate, gy_text *out)
{
    if (rate >= 1e6)
        gy_text_printf(out, "%.1f million", rate / 1e6);
    else
        gy_text_count(out, (unsigned long long)rate);
    gy_text_add(out, " states/s");
}

static void say_reductions(const gy_outcome *outcome, gy_text *out)
{
    for (uint32_t i = 0; i < outcome->reduction_count; i++) {
        const gy_reduction_use *use = &outcome->reductions[i];
        gy_text_printf(out, "%s%s (", i ? ", " : ", reductions: ", use->name);
        for (uint32_t f = 0; f < use->figure_count; f++) {
            const gy_reduction_figure *figure = &use->figures[f];
            gy_text_add(out, f ? ", " : "");
            gy_text_count(out, figure->value);
            gy_text_printf(out, " %s", figure->value == 1 ? figure->one : figure->many);
        }
        gy_text_char(out, ')');
    }
    if (outcome->reduction_count == 0)
        gy_text_add(out, ", no reductions");
    if (outcome->safety->reduction_checked)
        gy_text_add(out, ", checked");
}

// Its searches do not share what they store, and walks store nothing: the same state may count
// several times.
static bool is_unfinished_hunt(const gy_figures *figures)
{
    return figures->hunter_count && !figures->complete;
}

static void say_size(const gy_outcome *outcome, gy_text *out)
{
    const gy_figures *figures = outcome->safety;
    gy_text_add(out, outcome->property_count > 1 ? "\nsafety: " : "\n");
    gy_text_count(out, figures->states);
    gy_text_add(out, figures->states == 1 ? " state" : " states");
    gy_text_add(out, is_unfinished_hunt(figures) ? " visited, " : ", ");
    gy_text_count(out, figures->transitions);
    gy_text_add(out, figures->transitions == 1 ? " transition" : " transitions");
    if (figures->depth || figures->states <= 1) { // else it is not known
        gy_text_add(out, ", depth ");
        gy_text_count(out, figures->depth);
    }
    gy_text_add(out, "; ");
}

// Below that many states, what each takes and what reductions save says little.
static bool is_small(const gy_figures *figures)
{
    return figures->states < 100000;
}

// Did anything but the search for errors cost something?
static bool has_other_searches(const gy_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->property_count; i++)
        if (outcome->properties[i].figures && outcome->properties[i].figures != outcome->safety)
            return true;
    return false;
}

static void say_time(const gy_figures *figures, double seconds, gy_text *out)
{
    gy_text_seconds(out, seconds);
    if (figures->seconds >= 0.005) {
        gy_text_add(out, ", ");
        say_rate((double)figures->states / figures->seconds, out);
    }
}

// What was needed from the start to this report: of the search for errors if that is all that there
// was, else told apart from it.
static void say_cost(const gy_outcome *outcome, const gy_render_options *options, gy_text *out)
{
    const gy_figures *figures = outcome->safety;
    bool others = has_other_searches(outcome);
    say_time(figures, others ? figures->seconds : outcome->seconds, out);
    if (!others) {
        gy_text_add(out, "; ");
        gy_text_size(out, outcome->memory);
    }
    if (figures->bytes_per_state > 0 && (options->verbose || !is_small(figures)))
        gy_text_printf(out, ", %.1f bytes per state", figures->bytes_per_state);
    gy_text_char(out, '\n');
    if (!others)
        return;
    gy_text_add(out, "all properties: ");
    gy_text_seconds(out, outcome->seconds);
    gy_text_add(out, "; ");
    gy_text_size(out, outcome->memory);
    gy_text_char(out, '\n');
}

static void say_more(const gy_outcome *outcome, gy_text *out)
{
    const gy_figures *figures = outcome->safety;
    const gy_property_outcome *safety = &outcome->properties[0];
    if (figures->not_reduced)
        gy_text_printf(out, "no partial-order reduction: %s\n", figures->not_reduced);
    if (figures->not_symmetric)
        gy_text_printf(out, "no symmetry: %s\n", figures->not_symmetric);
    gy_text_count(out, figures->states);
    gy_text_add(out, " transitions led to new states, ");
    gy_text_count(out, figures->matched);
    gy_text_add(out, " to known ones; ");
    gy_text_count(out, safety->errors);
    gy_text_printf(out, " error%s found, %llu kept\n", safety->errors == 1 ? "" : "s",
                   (unsigned long long)safety->distinct);
    gy_text_add(out, "the search alone took ");
    gy_text_seconds(out, figures->seconds);
    gy_text_add(out, ", its states and queues ");
    gy_text_size(out, figures->memory);
    gy_text_char(out, '\n');
}

// The searches of a hunt, and how the work was shared.
static void say_hunters(const gy_figures *figures, gy_text *out)
{
    for (uint32_t i = 0; i < figures->hunter_count; i++) {
        const gy_hunt_stats *hunter = &figures->hunters[i];
        gy_text_printf(out, "%s", hunter->strategy);
        if (hunter->heuristic)
            gy_text_printf(out, " by %s", hunter->heuristic);
        gy_text_add(out, ": ");
        gy_text_count(out, hunter->moves);
        gy_text_printf(out, " state%s generated, ", hunter->moves == 1 ? "" : "s");
        gy_text_count(out, hunter->runs);
        gy_text_printf(out, " run%s, depth ", hunter->runs == 1 ? "" : "s");
        gy_text_count(out, hunter->depth);
        if (hunter->errors)
            gy_text_printf(out, ", %llu error%s", (unsigned long long)hunter->errors,
                           hunter->errors == 1 ? "" : "s");
        gy_text_char(out, '\n');
    }
}

// The jobs of a swarm: what divided them, and what that took.
static void say_swarm(const gy_swarm_stats *swarm, gy_text *out)
{
    gy_text_printf(out, "guide: %s (%s); %s guide traces through ", swarm->guide, swarm->why,
                   swarm->traces);
    gy_text_count(out, swarm->parts);
    gy_text_printf(out, " part%s", swarm->parts == 1 ? "" : "s");
    if (swarm->divided)
        gy_text_printf(out, ", %llu of which cells divide", (unsigned long long)swarm->divided);
    gy_text_char(out, '\n');
    gy_text_count(out, swarm->jobs);
    gy_text_printf(out, " job%s in ", swarm->jobs == 1 ? "" : "s");
    gy_text_count(out, swarm->stages);
    gy_text_printf(out, " stage%s", swarm->stages == 1 ? "" : "s");
    if (swarm->split)
        gy_text_printf(out, ", %llu divided", (unsigned long long)swarm->split);
    if (swarm->pruned)
        gy_text_printf(out, ", %llu not needed", (unsigned long long)swarm->pruned);
    if (swarm->failed)
        gy_text_printf(out, ", %llu handed out again", (unsigned long long)swarm->failed);
    gy_text_printf(out,
                   "; %.1f %% of the guide traces settled\nlargest job: ", 100 * swarm->settled);
    gy_text_count(out, swarm->largest);
    gy_text_add(out, " states, ");
    gy_text_size(out, swarm->largest_memory);
    gy_text_add(out, "; longest: ");
    gy_text_seconds(out, swarm->longest);
    gy_text_printf(out, "; redundancy %.2f%s\n", swarm->redundancy,
                   swarm->exact ? "" : " (states: an estimate)");
    if (swarm->note)
        gy_text_printf(out, "note: %s\n", swarm->note);
}

static void say_unreached(const gy_outcome *outcome, const gy_style *style, gy_text *out)
{
    const char *type = "";
    for (uint32_t i = 0; i < outcome->unreached_count; i++) {
        const gy_unreached *statement = &outcome->unreached[i];
        gy_text place = {0};
        if (strcmp(type, statement->type) != 0)
            gy_text_printf(out, "unreached in %s%s%s\n", style->name, statement->type, style->off);
        type = statement->type;
        gy_text_add(&place, statement->file);
        if (statement->line)
            gy_text_printf(&place, ":%u", statement->line);
        gy_text_add(out, "  ");
        gy_pad(out, gy_text_str(&place), 24);
        gy_text_char(out, ' ');
        gy_name_statement(statement->text, 0, out);
        gy_text_char(out, '\n');
        gy_text_free(&place);
    }
}

static void say_ranks(const gy_figures *figures, gy_text *out)
{
    double moves = figures->transitions ? (double)figures->transitions : 1;
    gy_text_add(out, "each rank stored ");
    gy_text_count(out, figures->rank_fewest);
    gy_text_add(out, " to ");
    gy_text_count(out, figures->rank_most);
    gy_text_add(out, " states; ");
    gy_text_count(out, figures->sent_states);
    gy_text_add(out, " sent in ");
    gy_text_count(out, figures->sent_batches);
    gy_text_printf(out, " messages, %.1f bytes per transition\n",
                   (double)figures->sent_bytes / moves);
}

static void say_disk(const gy_figures *figures, gy_text *out)
{
    gy_text_count(out, figures->disk_states);
    gy_text_add(out, " states on disk in ");
    gy_text_size(out, figures->disk_bytes);
    gy_text_add(out, " at most; ");
    gy_text_size(out, figures->disk_written);
    gy_text_add(out, " written, ");
    gy_text_size(out, figures->disk_read);
    gy_text_add(out, " read\n");
}

// More had to be reached: how much, and what is missing.
static void say_threshold(const gy_outcome *outcome, const gy_style *style, gy_text *out)
{
    if (outcome->least_coverage < 0 || outcome->covered)
        return;
    if (outcome->has_coverage)
        gy_text_printf(out, "%sthat is less than the %g%% required by --min-coverage%s\n",
                       style->bad, outcome->least_coverage, style->off);
    else
        gy_text_printf(out, "%sno statement coverage is known to compare with --min-coverage%s\n",
                       style->bad, style->off);
}

static void say_coverage(const gy_outcome *outcome, const gy_render_options *options, gy_text *out)
{
    bool listed = options->unreached || (outcome->least_coverage >= 0 && !outcome->covered);
    bool whole = outcome->safety->complete;
    if (!outcome->has_coverage || (!whole && !listed))
        return;
    gy_text_printf(out, "%u of %u statements reached", outcome->reached, outcome->statements);
    if (outcome->statements > 0) // rounded down: 100% means all
        gy_text_printf(out, " (%u%%)", (unsigned)(outcome->reached * 100ull / outcome->statements));
    if (!whole)
        gy_text_add(out, " before the search ended");
    if (outcome->unreached_count > 0 && !listed)
        gy_text_add(out, "; --unreached lists the others");
    gy_text_char(out, '\n');
    say_threshold(outcome, &options->style, out);
    if (listed)
        say_unreached(outcome, &options->style, out);
}

void gy_text_figures(const gy_outcome *outcome, const gy_render_options *options, gy_text *out)
{
    const gy_figures *figures = outcome->safety;
    if (!figures)
        return;
    say_size(outcome, out);
    say_cost(outcome, options, out);
    gy_text_printf(out, "%ssearch %s, ", options->style.faint, figures->search);
    if (!is_unfinished_hunt(figures))
        gy_text_printf(out, "store %s, ", figures->store);
    gy_text_printf(out, "backend %s, %u thread%s", outcome->backend, figures->threads,
                   figures->threads == 1 ? "" : "s");
    if (figures->ranks)
        gy_text_printf(out, ", %u rank%s", figures->ranks, figures->ranks == 1 ? "" : "s");
    if (options->verbose || !is_small(figures))
        say_reductions(outcome, out);
    gy_text_printf(out, "%s\n", options->style.off);
    if (figures->tells_omission && figures->omission_probability > 0)
        gy_text_printf(out, "probability of having missed a state: %.2g\n",
                       figures->omission_probability);
    if (figures->tells_coverage)
        gy_text_printf(out, "expected state coverage %.4g%%, %.3g%% of the bits set\n",
                       figures->coverage * 100, figures->fill * 100);
    if (figures->swarm)
        say_swarm(figures->swarm, out);
    if (figures->guarantee)
        gy_text_printf(out, "%s\n", figures->guarantee);
    if (options->verbose)
        say_hunters(figures, out);
    if (figures->disk_emptied)
        say_disk(figures, out);
    if (options->verbose && figures->ranks > 1)
        say_ranks(figures, out);
    if (options->verbose)
        say_more(outcome, out);
    say_coverage(outcome, options, out);
}
