#include "report/reductions.h"

enum { MOST_FIGURES = 2, REDUCTIONS = 9 };

typedef struct figure {
    const char *key, *one, *many;
    uint64_t value;
} figure;

typedef struct reduction {
    const char *key, *name;
    bool used;
    figure figures[MOST_FIGURES];
} reduction;

static void list(const gy_saved *saved, const gy_search_result *result,
                 reduction reductions[REDUCTIONS])
{
    const reduction all[REDUCTIONS] = {
        {"dead-variables",
         "dead variables",
         saved->dead_resets > 0,
         {{"variables", "variable", "variables", saved->dead_variables},
          {"resets", "reset", "resets", saved->dead_resets}}},
        {"dead-on-paths",
         "dead on paths",
         saved->path_resets > 0,
         {{"variables", "variable", "variables", saved->path_variables},
          {"resets", "reset", "resets", saved->path_resets}}},
        {"slicing",
         "slicing",
         saved->sliced_variables > 0,
         {{"variables", "variable", "variables", saved->sliced_variables},
          {"bits", "bit", "bits", saved->sliced_bits}}},
        {"message-fields",
         "message fields",
         saved->sliced_fields > 0,
         {{"fields", "field", "fields", saved->sliced_fields}}},
        {"merging",
         "merging",
         saved->merged_edges > 0,
         {{"statements", "statement", "statements", saved->merged_edges}}},
        {"ranges",
         "ranges",
         saved->narrowed_variables > 0 && !saved->exact,
         {{"variables", "variable", "variables", saved->narrowed_variables},
          {"bits", "bit", "bits", saved->narrowed_bits}}},
        {"symmetry",
         "symmetry",
         result->folded > 0,
         {{"process_types", "process type", "process types", result->symmetric_types},
          {"arrivals_folded", "arrival folded", "arrivals folded", result->folded}}},
        {"partial-order",
         "partial order",
         result->reduced && result->expanded_reduced > 0,
         {{"states_reduced", "state reduced", "states reduced", result->expanded_reduced},
          {"states_full", "in full", "in full", result->expanded_fully}}},
        {"cartesian",
         "Cartesian",
         result->cartesian_runs > 0,
         {{"runs", "run", "runs", result->cartesian_runs},
          {"steps", "step", "steps", result->cartesian_steps}}},
    };
    for (int i = 0; i < REDUCTIONS; i++)
        reductions[i] = all[i];
}

static void describe(const reduction *item, gy_text *out)
{
    gy_text_printf(out, "%s (", item->name);
    for (int f = 0; f < MOST_FIGURES && item->figures[f].key; f++) {
        const figure *shown = &item->figures[f];
        gy_text_add(out, f ? ", " : "");
        gy_text_count(out, shown->value);
        gy_text_printf(out, " %s", shown->value == 1 ? shown->one : shown->many);
    }
    gy_text_char(out, ')');
}

void gy_reductions_text(const gy_saved *saved, const gy_search_result *result, gy_text *out)
{
    reduction reductions[REDUCTIONS];
    list(saved, result, reductions);
    const char *between = "reductions: ";
    bool any = false;
    for (int i = 0; i < REDUCTIONS; i++) {
        if (!reductions[i].used)
            continue;
        gy_text_add(out, between);
        describe(&reductions[i], out);
        between = ", ";
        any = true;
    }
    if (!any)
        gy_text_add(out, "no reductions");
    if (result->reduction_checked)
        gy_text_add(out, ", checked");
}

void gy_reductions_json(const gy_saved *saved, const gy_search_result *result, json_t *stats)
{
    reduction reductions[REDUCTIONS];
    json_t *names = json_array(), *reduced = json_object();
    list(saved, result, reductions);
    for (int i = 0; i < REDUCTIONS; i++) {
        if (!reductions[i].used)
            continue;
        json_t *figures = json_object();
        for (int f = 0; f < MOST_FIGURES && reductions[i].figures[f].key; f++)
            json_object_set_new(figures, reductions[i].figures[f].key,
                                json_integer((json_int_t)reductions[i].figures[f].value));
        json_array_append_new(names, json_string(reductions[i].key));
        json_object_set_new(reduced, reductions[i].key, figures);
    }
    if (json_object_get(reduced, "partial-order"))
        json_object_set_new(json_object_get(reduced, "partial-order"), "checked",
                            json_boolean(result->reduction_checked));
    json_object_set_new(stats, "reductions", names);
    json_object_set_new(stats, "reduced", reduced);
}
