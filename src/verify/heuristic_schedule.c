// Guides that read which process executes, and who can: most-blocked, interleaving, prefer,
// choose-free, enabled, novelty.
#include "verify/heuristic_kinds.h"

#include "base/hash.h"
#include "base/number.h"

enum { MOST_PIDS = 256 };

static gy_heuristic *simple(const gy_heuristic_context *c, const char *name, void *self,
                            int64_t (*value)(const void *, void *, const gy_guided_state *))
{
    gy_heuristic *guide = GY_NEW(c->arena, gy_heuristic);
    *guide = (gy_heuristic){.name = name, .self = self, .value = value};
    return guide;
}

static uint32_t alive(const gy_guided_state *at)
{
    gy_state_view view;
    gy_state_view_state(at->worker, at->state, at->words, &view);
    return view.process_count;
}

static uint32_t runnable(const gy_guided_state *at)
{
    bool seen[MOST_PIDS] = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < at->next_count; i++) {
        if (at->next[i].step_count == 0)
            continue;
        uint32_t movers[] = {(uint32_t)at->next[i].steps[0].pid,
                             (uint32_t)at->next[i].steps[0].partner};
        for (unsigned k = 0; k < 2; k++)
            if (movers[k] < MOST_PIDS && !seen[movers[k]]) {
                seen[movers[k]] = true;
                count++;
            }
    }
    return count;
}

// ---- most-blocked ----------------------------------------------------------------------------

// Those that can move: the number of processes less the number of those that are blocked.
static int64_t blocked_value(const void *self, void *notebook, const gy_guided_state *at)
{
    (void)self;
    (void)notebook;
    uint32_t can = runnable(at), all = alive(at);
    return MOST_PIDS - (int64_t)(all > can ? all - can : 0);
}

gy_heuristic *gy_heuristic_blocked(const gy_heuristic_context *c, const char **why)
{
    (void)why;
    gy_heuristic *guide = simple(c, "most-blocked", NULL, blocked_value);
    guide->looks_ahead = true;
    return guide;
}

// ---- interleaving ----------------------------------------------------------------------------

enum { DEFAULT_WINDOW = 10, MOST_WINDOW = 200 };

// A process that moved often of late is put off: the further back its transitions are, the more
// they count.
static int64_t interleaving_value(const void *self, void *notebook, const gy_guided_state *at)
{
    (void)self;
    (void)notebook;
    int64_t sum = 0;
    for (uint32_t i = 0; i < at->recent_count; i++)
        if (at->recent[i] == at->recent[0])
            sum += i + 1;
    return sum * alive(at);
}

gy_heuristic *gy_heuristic_interleaving(const gy_heuristic_context *c, const char **why)
{
    uint64_t window = DEFAULT_WINDOW;
    *why = "interleaving:K needs a number of steps from 1 to 200";
    if (c->argument &&
        (!gy_number_count(c->argument, &window) || window < 1 || window > MOST_WINDOW))
        return NULL;
    gy_heuristic *guide = simple(c, "interleaving", NULL, interleaving_value);
    guide->wants_recent = (uint32_t)window;
    return guide;
}

// ---- prefer ----------------------------------------------------------------------------------

typedef struct prefer_guide {
    bool *types; // by template
    bool pids[MOST_PIDS];
    const gy_model *model;
} prefer_guide;

static int64_t prefer_value(const void *self, void *notebook, const gy_guided_state *at)
{
    const prefer_guide *g = self;
    (void)notebook;
    if (at->step_count == 0)
        return 0;
    const gy_step *step = &at->steps[at->step_count - 1];
    bool preferred =
        g->pids[(uint32_t)step->pid % MOST_PIDS] ||
        ((uint32_t)step->edge < g->model->edge_count && g->types[g->model->edges[step->edge].tmpl]);
    return !preferred;
}

static bool no_such_process(const gy_heuristic_context *c, const char *name)
{
    gy_text known = {0};
    const char *best = NULL, *between = "";
    unsigned distance = 0;
    for (uint32_t t = 0; t < c->model->template_count; t++) {
        if (!gy_is_process(&c->model->templates[t]))
            continue;
        gy_nearest_offer(name, c->model->templates[t].name, &best, &distance);
        gy_text_printf(&known, "%s%s", between, c->model->templates[t].name);
        between = ", ";
    }
    gy_refuse(c->complaint, "--prefer: unknown process `%s` (%s, or a pid from 0 to 255)%s%s%s",
              name, gy_text_str(&known), best ? "\n  hint: a similar name exists: `" : "",
              best ? best : "", best ? "`" : "");
    gy_text_free(&known);
    return false;
}

static bool prefer_one(const gy_heuristic_context *c, prefer_guide *g, const char *name)
{
    uint64_t pid;
    bool found = gy_number_count(name, &pid) && pid < MOST_PIDS;
    if (found)
        g->pids[pid] = true;
    for (uint32_t t = 0; t < c->model->template_count && !found; t++)
        if (gy_is_process(&c->model->templates[t]) &&
            strcmp(c->model->templates[t].name, name) == 0)
            found = g->types[t] = true;
    return found || no_such_process(c, name);
}

gy_heuristic *gy_heuristic_prefer(const gy_heuristic_context *c, const char **why)
{
    const gy_strings *names = &c->request->prefer;
    *why = "it needs --prefer PROCESS";
    if (names->n == 0)
        return NULL;
    prefer_guide *g = GY_NEW(c->arena, prefer_guide);
    g->model = c->model;
    g->types = GY_NEW_ARRAY(c->arena, bool, c->model->template_count + 1);
    for (size_t i = 0; i < names->n; i++) {
        char *copy = gy_arena_strdup(c->arena, names->at[i]), *save = NULL;
        for (char *one = strtok_r(copy, ",", &save); one; one = strtok_r(NULL, ",", &save))
            if (!prefer_one(c, g, one))
                return NULL;
    }
    return simple(c, "prefer", g, prefer_value);
}

// ---- choose-free, enabled --------------------------------------------------------------------

// Choices that are not between processes.
static int64_t choose_free_value(const void *self, void *notebook, const gy_guided_state *at)
{
    (void)self;
    (void)notebook;
    uint32_t can = runnable(at);
    return at->next_count > can ? at->next_count - can : 0;
}

gy_heuristic *gy_heuristic_choose_free(const gy_heuristic_context *c, const char **why)
{
    (void)why;
    gy_heuristic *guide = simple(c, "choose-free", NULL, choose_free_value);
    guide->looks_ahead = true;
    return guide;
}

gy_heuristic *gy_heuristic_few(const gy_heuristic_context *c, const char **why)
{
    (void)why;
    gy_heuristic *guide = GY_NEW(c->arena, gy_heuristic);
    *guide = gy_heuristic_enabled;
    return guide;
}

// ---- novelty ---------------------------------------------------------------------------------

// How often the processes were at these places together, all of them. A table of 2^n counts, by
// hash: places that share a count seem less new than they are.
enum { COUNTS = 1 << 20 };

static void *open_counts(const void *self)
{
    (void)self;
    return gy_alloc_zero(COUNTS * sizeof(uint16_t));
}

static int64_t novelty_value(const void *self, void *notebook, const gy_guided_state *at)
{
    gy_state_view view;
    uint64_t hash = 0;
    (void)self;
    gy_state_view_state(at->worker, at->state, at->words, &view);
    for (uint32_t p = 0; p < view.process_count; p++)
        hash = gy_hash_pair(hash, (uint64_t)view.processes[p].tmpl << 32 |
                                      (uint32_t)view.processes[p].node);
    uint16_t *count = &((uint16_t *)notebook)[hash % COUNTS];
    *count += *count < UINT16_MAX;
    return *count;
}

gy_heuristic *gy_heuristic_novelty(const gy_heuristic_context *c, const char **why)
{
    (void)why;
    gy_heuristic *guide = simple(c, "novelty", NULL, novelty_value);
    guide->open = open_counts;
    guide->close = free;
    return guide;
}
