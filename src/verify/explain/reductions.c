#include "verify/explain/reductions.h"

typedef struct reduction {
    bool used;
    gy_reduction_use use;
} reduction;

static gy_reduction_use counted(gy_reduction_use use)
{
    while (use.figure_count < 3 && use.figures[use.figure_count].key)
        use.figure_count++;
    return use;
}

void gy_tell_reductions(const gy_saved *saved, const gy_search_result *result, gy_arena *arena,
                        gy_outcome *outcome)
{
    const reduction all[] = {
        {saved->dead_resets > 0,
         {"dead-variables",
          "dead variables",
          {{"variables", "variable", "variables", saved->dead_variables},
           {"resets", "reset", "resets", saved->dead_resets}},
          0}},
        {saved->last_fades,
         {"last",
          "_last where it is read",
          {{"places", "place", "places", saved->last_places}},
          0}},
        {saved->path_resets > 0,
         {"dead-on-paths",
          "dead on paths",
          {{"variables", "variable", "variables", saved->path_variables},
           {"resets", "reset", "resets", saved->path_resets}},
          0}},
        {saved->sliced_variables > 0,
         {"slicing",
          "slicing",
          {{"variables", "variable", "variables", saved->sliced_variables},
           {"bits", "bit", "bits", saved->sliced_bits}},
          0}},
        {saved->sliced_fields > 0,
         {"message-fields",
          "message fields",
          {{"fields", "field", "fields", saved->sliced_fields}},
          0}},
        {saved->merged_edges > 0,
         {"merging",
          "merging",
          {{"statements", "statement", "statements", saved->merged_edges}},
          0}},
        {saved->narrowed_variables > 0 && !saved->exact,
         {"ranges",
          "ranges",
          {{"variables", "variable", "variables", saved->narrowed_variables},
           {"bits", "bit", "bits", saved->narrowed_bits}},
          0}},
        {result->folded > 0,
         {"symmetry",
          "symmetry",
          {{"process_types", "process type", "process types", result->symmetric_types},
           {"arrivals_folded", "arrival folded", "arrivals folded", result->folded}},
          0}},
        {result->reduced && result->expanded_reduced > 0,
         {"partial-order",
          "partial order",
          {{"states_reduced", "state reduced", "states reduced", result->expanded_reduced},
           {"states_full", "in full", "in full", result->expanded_fully}},
          0}},
        {result->cartesian_runs > 0,
         {"cartesian",
          "Cartesian",
          {{"runs", "run", "runs", result->cartesian_runs},
           {"steps", "step", "steps", result->cartesian_steps}},
          0}},
        {result->traces > 0,
         {"trace-cover",
          "trace cover",
          {{"traces", "trace", "traces", result->traces},
           {"events", "event", "events", result->events},
           {"given_up", "run given up", "runs given up", result->given_up}},
          0}},
    };
    enum { REDUCTIONS = sizeof all / sizeof *all };
    gy_reduction_use *list = GY_NEW_ARRAY(arena, gy_reduction_use, REDUCTIONS);
    outcome->reductions = list;
    for (int i = 0; i < REDUCTIONS; i++)
        if (all[i].used)
            list[outcome->reduction_count++] = counted(all[i].use);
}
