#include "report/json.h"
#include "report/structure/structure_report.h"

static json_t *number(uint64_t n)
{
    return json_integer((json_int_t)n);
}

static json_t *counts(const uint64_t *at, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, number(at[i]));
    return list;
}

static json_t *samples(const gy_sample *at, size_t n, const char *key)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:f}", key, number(at[i].at), "percent", at[i].percent));
    return list;
}

static json_t *levels(const gy_structure *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->levels.n; i++)
        json_array_append_new(list,
                              json_pack("{s:o, s:o}", "states", number(s->levels.at[i].states),
                                        "edges", number(s->levels.at[i].edges)));
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:f, s:o, s:o}", "levels", number(s->levels.n), "largest_level",
        number(s->largest_level), "back_level_edges", number(s->back_edges), "longest_back_level",
        number(s->longest_back), "average_back_level",
        s->back_edges ? (double)s->sum_back / (double)s->back_edges : 0.0, "back_level_lengths",
        counts(s->back_lengths.at, s->back_lengths.n), "profile", list);
}

static json_t *degrees(const gy_structure *s)
{
    return json_pack("{s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "average",
                     (double)s->edges / (double)s->states, "least_in", number(s->least_in),
                     "most_in", number(s->most_in), "least_out", number(s->least_out), "most_out",
                     number(s->most_out), "in", counts(s->in.at, s->in.n), "out",
                     counts(s->out.at, s->out.n));
}

static json_t *components(const gy_structure *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->sizes.n; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "size", number(s->sizes.at[i].size),
                                              "count", number(s->sizes.at[i].count)));
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o}", "count",
                     number(s->components), "trivial", number(s->trivial), "terminal",
                     number(s->terminal), "largest", number(s->largest), "largest_is_initial",
                     s->largest_is_initial, "largest_is_terminal", s->largest_is_terminal, "height",
                     number(s->height), "nontrivial_height", number(s->nontrivial_height), "sizes",
                     list);
}

static json_t *depth_first(const gy_structure *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "largest_stack", number(s->most_stack),
                     "front_edges", number(s->front), "back_edges", number(s->back), "cross_edges",
                     number(s->cross), "shortest_cycle",
                     s->shortest_cycle ? number(s->shortest_cycle) : json_null(), "stack",
                     samples(s->stack.at, s->stack.n, "states"));
}

static json_t *labels(const gy_structure *s, const gy_system *system)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->labels.n; i++) {
        const gy_step *step = &s->labels.at[i].step;
        gy_edge_facts facts;
        json_t *label = json_pack("{s:i, s:i, s:o}", "pid", (int)step->pid, "edge", (int)step->edge,
                                  "count", number(s->labels.at[i].count));
        if (system && gy_edge_info(system, step->edge, &facts)) {
            json_object_set_new(label, "process", gy_json_string(facts.process));
            json_object_set_new(label, "line", number(facts.line));
            json_object_set_new(label, "text", gy_json_string(facts.text));
        }
        if (step->partner >= 0) {
            json_object_set_new(label, "partner", json_integer(step->partner));
            json_object_set_new(label, "partner_edge", json_integer(step->partner_edge));
        }
        json_array_append_new(list, label);
    }
    return list;
}

json_t *gy_structure_json(const gy_structure *s, const gy_system *system)
{
    const char *limit = gy_structure_end_name(s->end);
    json_t *o = json_pack("{s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "complete",
                          s->end == GY_GRAPH_COMPLETE, "limit", gy_json_string(limit), "states",
                          number(s->states), "edges", number(s->edges), "initial_states",
                          number(s->initial), "deadlocks", number(s->deadlocks), "faults",
                          number(s->faults), "not_looked_at", number(s->unexpanded));
    if (s->has_levels)
        json_object_set_new(o, "breadth_first", levels(s));
    if (s->has_levels)
        json_object_set_new(o, "degrees", degrees(s));
    if (s->has_components)
        json_object_set_new(o, "components", components(s));
    if (s->has_depth_first)
        json_object_set_new(o, "depth_first", depth_first(s));
    if (s->has_local)
        json_object_set_new(o, "local",
                            json_pack("{s:o, s:f, s:i, s:f, s:f}", "looked_at",
                                      number(s->looked_at), "diamonds",
                                      100.0 * (double)s->diamonds / (double)s->looked_at, "steps",
                                      GY_NEIGHBOURHOOD_STEPS, "neighbourhood", s->neighbourhood,
                                      "clustering", s->clustering));
    if (s->has_walk)
        json_object_set_new(o, "random_walk",
                            json_pack("{s:f, s:o, s:o}", "coverage", s->walk_coverage, "profile",
                                      samples(s->walk.at, s->walk.n, "steps"), "visits",
                                      counts(s->visits.at, s->visits.n)));
    json_object_set_new(o, "statements", labels(s, system));
    return o;
}
