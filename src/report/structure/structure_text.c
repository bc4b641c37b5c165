#include "report/structure/structure_report.h"

enum { LISTED_SIZES = 8 };

const char *gy_structure_end_text(gy_graph_end end)
{
    switch (end) {
    case GY_GRAPH_COMPLETE:
        return NULL;
    case GY_GRAPH_TIME:
        return "the time limit was reached";
    case GY_GRAPH_MEMORY:
        return "the memory limit was reached";
    case GY_GRAPH_INTERRUPT:
        return "interrupted";
    case GY_GRAPH_TOO_LARGE:
        return "this analysis does not support so many states";
    }
    return NULL;
}

const char *gy_structure_end_name(gy_graph_end end)
{
    static const char *const names[] = {NULL, "time", "memory", "interrupt", "capacity"};
    return names[end];
}

void gy_structure_position(const gy_structure *s, gy_text *out)
{
    if (s->largest_is_initial)
        gy_text_add(out, "initial");
    if (s->largest_is_terminal)
        gy_text_printf(out, "%s%s", out->n ? ", " : "",
                       s->terminal == 1 ? "the only terminal one" : "terminal");
}

static void begin(gy_text *out, const gy_style *style, const char *name)
{
    gy_text_printf(out, "  %s", style->name);
    gy_pad(out, name, 20);
    gy_text_add(out, style->off);
}

static void heading(gy_text *out, const gy_style *style, const char *name)
{
    gy_text_printf(out, "%s%s%s\n", style->strong, name, style->off);
}

static void count_line(gy_text *out, const gy_style *style, const char *name, uint64_t count)
{
    begin(out, style, name);
    gy_text_count(out, count);
    gy_text_char(out, '\n');
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void tell_levels(const gy_structure *s, const gy_style *style, gy_text *out)
{
    heading(out, style, "Breadth first");
    begin(out, style, "levels");
    gy_text_count(out, s->levels.n);
    gy_text_add(out, ", the largest with ");
    gy_text_count(out, s->largest_level);
    gy_text_add(out, s->largest_level == 1 ? " state\n" : " states\n");
    begin(out, style, "back-level edges");
    gy_text_count(out, s->back_edges);
    if (s->back_edges) {
        gy_text_printf(out, " (%.1f%%), back by up to ", percent(s->back_edges, s->edges));
        gy_text_count(out, s->longest_back);
        gy_text_printf(out, " levels, %.2f on average",
                       (double)s->sum_back / (double)s->back_edges);
    }
    gy_text_char(out, '\n');
    heading(out, style, "Degrees");
    begin(out, style, "average");
    gy_text_printf(out, "%.2f\n", (double)s->edges / (double)s->states);
    begin(out, style, "out of a state");
    gy_text_count(out, s->least_out);
    gy_text_add(out, " to ");
    gy_text_count(out, s->most_out);
    gy_text_char(out, '\n');
    begin(out, style, "into a state");
    gy_text_count(out, s->least_in);
    gy_text_add(out, " to ");
    gy_text_count(out, s->most_in);
    gy_text_char(out, '\n');
}

static void tell_sizes(const gy_structure *s, const gy_style *style, gy_text *out)
{
    size_t from = s->sizes.n > LISTED_SIZES ? s->sizes.n - LISTED_SIZES : 0;
    begin(out, style, "sizes");
    gy_text_add(out, from ? "… " : "");
    for (size_t i = from; i < s->sizes.n; i++) {
        gy_text_add(out, i > from ? ", " : "");
        gy_text_count(out, s->sizes.at[i].size);
        if (s->sizes.at[i].count > 1) {
            gy_text_add(out, " (");
            gy_text_count(out, s->sizes.at[i].count);
            gy_text_add(out, " times)");
        }
    }
    gy_text_char(out, '\n');
}

static void tell_components(const gy_structure *s, const gy_style *style, gy_text *out)
{
    gy_text position = {0};
    heading(out, style, "Strongly connected components");
    count_line(out, style, "components", s->components);
    begin(out, style, "trivial");
    gy_text_count(out, s->trivial);
    gy_text_add(out, "\n");
    count_line(out, style, "terminal", s->terminal);
    begin(out, style, "largest");
    gy_text_count(out, s->largest);
    gy_text_printf(out, " (%.1f%% of the states", percent(s->largest, s->states));
    gy_structure_position(s, &position);
    gy_text_printf(out, "%s%s)\n", position.n ? "; " : "", gy_text_str(&position));
    gy_text_free(&position);
    tell_sizes(s, style, out);
    begin(out, style, "quotient height");
    gy_text_count(out, s->height);
    gy_text_add(out, ", of nontrivial ones ");
    gy_text_count(out, s->nontrivial_height);
    gy_text_char(out, '\n');
}

static void tell_depth_first(const gy_structure *s, const gy_style *style, gy_text *out)
{
    heading(out, style, "Depth first");
    begin(out, style, "largest stack");
    gy_text_count(out, s->most_stack);
    gy_text_printf(out, " (%.1f%% of the states)\n", percent(s->most_stack, s->states));
    begin(out, style, "edges");
    gy_text_count(out, s->front);
    gy_text_add(out, " front, ");
    gy_text_count(out, s->back);
    gy_text_add(out, " back, ");
    gy_text_count(out, s->cross);
    gy_text_add(out, " cross\n");
    begin(out, style, "shortest cycle");
    if (s->shortest_cycle)
        gy_text_count(out, s->shortest_cycle);
    else
        gy_text_add(out, "there is none");
    gy_text_char(out, '\n');
}

static void tell_local(const gy_structure *s, const gy_style *style, gy_text *out)
{
    heading(out, style, "Locally");
    if (s->looked_at < s->states) {
        begin(out, style, "sample");
        gy_text_count(out, s->looked_at);
        gy_text_add(out, " states, chosen uniformly\n");
    }
    begin(out, style, "diamonds");
    gy_text_printf(out, "at %.2f%% of the states\n", percent(s->diamonds, s->looked_at));
    begin(out, style, "within four steps");
    gy_text_printf(out, "%.2f states, clustering %.3f\n", s->neighbourhood, s->clustering);
}

static void tell_labels(const gy_structure *s, const gy_system *system, const gy_style *style,
                        gy_text *out)
{
    heading(out, style, "Edges by statement");
    for (size_t i = 0; i < s->labels.n; i++) {
        const gy_edge_label *label = &s->labels.at[i];
        gy_edge_facts facts, partner;
        gy_text count = {0};
        gy_text_count(&count, label->count);
        gy_text_printf(out, "  %14s  ", gy_text_str(&count));
        gy_text_free(&count);
        if (system && gy_edge_info(system, label->step.edge, &facts))
            gy_text_printf(out, "%s (%d) line %u: %s", facts.process, label->step.pid, facts.line,
                           facts.text);
        else
            gy_text_printf(out, "process %d, step %d", label->step.pid, label->step.edge);
        if (label->step.partner >= 0 && system &&
            gy_edge_info(system, label->step.partner_edge, &partner))
            gy_text_printf(out, " with %s (%d) line %u: %s", partner.process, label->step.partner,
                           partner.line, partner.text);
        gy_text_char(out, '\n');
    }
}

static void tell_profiles(const gy_structure *s, const gy_style *style, gy_text *out)
{
    heading(out, style, "Levels: states, edges");
    for (size_t i = 0; i < s->levels.n; i++)
        gy_text_printf(out, "  %6zu  %12llu  %12llu\n", i,
                       (unsigned long long)s->levels.at[i].states,
                       (unsigned long long)s->levels.at[i].edges);
    heading(out, style, "Degrees: number of states with this in-degree, out-degree");
    for (size_t i = 0; i < s->in.n || i < s->out.n; i++) {
        uint64_t in = i < s->in.n ? s->in.at[i] : 0, out_of = i < s->out.n ? s->out.at[i] : 0;
        if (in || out_of)
            gy_text_printf(out, "  %6zu  %12llu  %12llu\n", i, (unsigned long long)in,
                           (unsigned long long)out_of);
    }
}

void gy_structure_text(const gy_structure *s, const gy_system *system, const gy_style *style,
                       bool all, gy_text *out)
{
    count_line(out, style, "states", s->states);
    count_line(out, style, "edges", s->edges);
    count_line(out, style, "deadlocks", s->deadlocks);
    if (s->initial != 1)
        count_line(out, style, "initial states", s->initial);
    if (s->faults)
        count_line(out, style, "transitions to an error", s->faults);
    if (s->unexpanded)
        count_line(out, style, "not computed", s->unexpanded);
    if (s->has_levels)
        tell_levels(s, style, out);
    if (s->has_components)
        tell_components(s, style, out);
    if (s->has_depth_first)
        tell_depth_first(s, style, out);
    if (s->has_local)
        tell_local(s, style, out);
    if (s->has_walk) {
        heading(out, style, "Random walk");
        begin(out, style, "coverage");
        gy_text_printf(out, "%.1f%% of the states after ten steps per state\n", s->walk_coverage);
    }
    if (all && s->has_levels)
        tell_profiles(s, style, out);
    if (all)
        tell_labels(s, system, style, out);
}
