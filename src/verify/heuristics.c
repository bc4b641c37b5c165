#include "verify/heuristic_kinds.h"

#include "base/diag.h"

typedef struct guide_row {
    const char *name;
    gy_heuristic_maker *make;
    bool by_default; // made use of without being asked for, if it says anything
} guide_row;

// In the order in which they are tried by default.
static const guide_row rows[] = {
    {"prefer", gy_heuristic_prefer, true},
    {"formula", gy_heuristic_formula, true},
    {"accepting", gy_heuristic_accepting, true},
    {"assertions", gy_heuristic_assertions, true},
    {"most-blocked", gy_heuristic_blocked, true},
    {"novelty", gy_heuristic_novelty, true},
    {"interleaving", gy_heuristic_interleaving, true},
    {"distance", gy_heuristic_distance, false},
    {"distance-sum", gy_heuristic_distance_sum, false},
    {"choose-free", gy_heuristic_choose_free, false},
    {"enabled", gy_heuristic_few, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

void gy_heuristics_words(gy_text *out)
{
    for (size_t i = 0; i < ROWS; i++)
        gy_text_printf(out, "%s%s", i ? "|" : "", rows[i].name);
}

static const guide_row *find(const char *name, size_t n)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strlen(rows[i].name) == n && memcmp(rows[i].name, name, n) == 0)
            return &rows[i];
    return NULL;
}

static bool no_such_heuristic(const char *name, gy_user_error *complaint)
{
    gy_text words = {0};
    const char *best = NULL;
    unsigned distance = 0;
    gy_heuristics_words(&words);
    for (size_t i = 0; i < ROWS; i++)
        gy_nearest_offer(name, rows[i].name, &best, &distance);
    gy_refuse(complaint, "--heuristic: unknown heuristic `%s` (%s)%s%s%s", name,
              gy_text_str(&words), best ? "\n  hint: a similar name exists: `" : "",
              best ? best : "", best ? "`" : "");
    gy_text_free(&words);
    return false;
}

typedef GY_VEC(const gy_heuristic *) guide_list;

// Errors have no formula and no claim; but another property of the same hunt may.
static bool is_for_another(const gy_heuristic_context *c, const guide_row *row)
{
    bool others = c->request->formulas.n > 0 || c->request->goals.n > 0 || c->model->ltl_count > 0;
    for (uint32_t t = 0; t < c->model->template_count; t++)
        others = others || c->model->templates[t].kind == GY_TMPL_NEVER;
    return !c->property && others &&
           (row->make == gy_heuristic_formula || row->make == gy_heuristic_accepting);
}

// NAME or NAME:ARGUMENT.
static bool add_named(gy_heuristic_context *c, const char *name, guide_list *list)
{
    size_t n = strcspn(name, ":");
    const guide_row *row = find(name, n);
    const char *why = "";
    bool takes_argument = row && row->make == gy_heuristic_interleaving;
    if (!row)
        return no_such_heuristic(name, c->complaint);
    if (name[n] && !takes_argument)
        return gy_refuse(c->complaint, "--heuristic: `%s` takes no argument after a colon",
                         row->name);
    c->argument = name[n] ? name + n + 1 : NULL;
    if (!c->model && row->make != gy_heuristic_few)
        return gy_refuse(
            c->complaint,
            "--heuristic %s cannot be used with a shared object\n  hint: use --heuristic enabled",
            row->name);
    const gy_heuristic *guide = row->make(c, &why);
    if (!guide && is_for_another(c, row))
        return true;
    if (guide)
        gy_vec_push(list, guide);
    else if (c->complaint->message.n == 0)
        gy_refuse(c->complaint, "--heuristic %s: %s", row->name, why);
    return guide != NULL;
}

static bool add_all_named(gy_heuristic_context *c, guide_list *list)
{
    const gy_strings *names = &c->request->heuristics;
    for (size_t i = 0; i < names->n; i++) {
        char *copy = gy_arena_strdup(c->arena, names->at[i]), *save = NULL;
        for (char *one = strtok_r(copy, ",", &save); one; one = strtok_r(NULL, ",", &save))
            if (!add_named(c, one, list))
                return false;
    }
    return true;
}

// Of a formula, other guides than its own say little.
static bool makes_sense(const gy_heuristic_context *c, const guide_row *row)
{
    bool errors = !c->property || gy_property_is_safety(c->property);
    if (row->make == gy_heuristic_assertions)
        return errors && !c->request->no_assert;
    if (row->make == gy_heuristic_blocked)
        return errors && !c->request->no_deadlock;
    return row->by_default;
}

static bool add_defaults(gy_heuristic_context *c, guide_list *list)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char *why = "";
        if (!makes_sense(c, &rows[i]))
            continue;
        const gy_heuristic *guide = rows[i].make(c, &why);
        if (guide)
            gy_vec_push(list, guide);
        if (c->complaint->message.n > 0)
            return false;
    }
    return true;
}

bool gy_heuristics_make(const gy_request *request, const gy_loaded_model *subject,
                        const gy_property *property, gy_arena *arena, gy_hunt_options *options,
                        gy_user_error *complaint)
{
    bool errors = !property || gy_property_is_safety(property);
    gy_heuristic_context c = {.request = request,
                              .model = subject->model,
                              .property = errors ? NULL : property,
                              .arena = arena,
                              .complaint = complaint};
    guide_list list = {0};
    bool good = true;
    if (request->heuristics.n > 0)
        good = add_all_named(&c, &list);
    else if (c.model)
        good = add_defaults(&c, &list);
    const gy_heuristic **kept = GY_NEW_ARRAY(arena, const gy_heuristic *, list.n + 1);
    if (list.n)
        memcpy(kept, list.at, list.n * sizeof *list.at);
    options->guides = kept;
    options->guide_count = (uint32_t)list.n;
    gy_vec_free(&list);
    return good;
}
