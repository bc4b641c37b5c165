// Explores models with and without partial-order reduction, by brute force, and compares:
//
//     reduce_check [--limit STATES] [--plain] [-DNAME=VALUE] MODEL...
//
// --plain: with the provisos as they are in books, without the further look of reduce/proviso.h.
// One line for each model: "same", "too large", "refused: why" or "different: what". Compared are
// the states without successors (none: all must be kept), the kinds of faults with their edges,
// and the edges that are ever executed; besides, whether a choice keeps as many as it says. The
// reduced graph is explored breadth-first with the level proviso, depth-first with the stack
// proviso, and without any proviso (deadlocks only); then by the runs of Cartesian reduction.
// Shares nothing with the engines of src/search.
#include "reduce/cartesian.h"
#include "reduce/proviso.h"
#include "reduce/reduce.h"

#include "base/vec.h"

#include <stdio.h>

typedef struct state {
    gy_word *at;
    uint32_t words, level;
    bool on_path, full;
} state;

typedef struct space {
    GY_VEC(state) states;
    uint32_t *table;
    uint32_t room;
    uint64_t dead, dead_count; // sum of hashes
    uint8_t *edges;            // executed
    uint32_t edge_count;
    GY_VEC(uint64_t) faults;
    uint64_t transitions, reduced;
    bool miscounted; // not as many were kept as it was said
} space;

static uint64_t hash(const gy_word *at, uint32_t words)
{
    uint64_t h = 0x9e3779b97f4a7c15u + words;
    for (uint32_t i = 0; i < words; i++) {
        h = (h ^ at[i]) * 0xff51afd7ed558ccdu;
        h ^= h >> 29;
    }
    return h;
}

static uint32_t *slot(space *s, const gy_word *at, uint32_t words)
{
    uint32_t i = (uint32_t)hash(at, words) & (s->room - 1);
    while (s->table[i]) {
        const state *old = &s->states.at[s->table[i] - 1];
        if (old->words == words && !memcmp(old->at, at, words * sizeof *at))
            break;
        i = (i + 1) & (s->room - 1);
    }
    return &s->table[i];
}

// The number of the state; *is_new says whether it came in now.
static uint32_t enter(space *s, const gy_word *at, uint32_t words, uint32_t level, bool *is_new)
{
    uint32_t *place = slot(s, at, words);
    *is_new = !*place;
    if (*place)
        return *place - 1;
    state fresh = {.at = gy_alloc((words + 1) * sizeof *at), .words = words, .level = level};
    memcpy(fresh.at, at, words * sizeof *at);
    gy_vec_push(&s->states, fresh);
    *place = (uint32_t)s->states.n;
    return *place - 1;
}

typedef enum { FULL, LEVELS, STACK, NO_PROVISO, CARTESIAN } mode;

typedef struct search {
    space *s;
    mode mode;
    gy_worker *worker;
    gy_reducer *reducer;
    uint32_t limit;
    bool too_large;
    uint32_t level; // breadth-first: the current one
    GY_VEC(uint32_t) suspects;
} search;

static int enter_initial(void *user, const gy_transition *transition)
{
    bool is_new;
    if (transition->state)
        enter(user, transition->state, transition->words, 0, &is_new);
    return 0;
}

static void note_fault(space *s, const gy_fault *fault)
{
    uint64_t kind = (uint64_t)fault->kind << 32 | (uint32_t)fault->edge;
    for (size_t i = 0; i < s->faults.n; i++)
        if (s->faults.at[i] == kind)
            return;
    gy_vec_push(&s->faults, kind);
}

static void note_faults(space *s, const gy_fault *fault)
{
    for (; fault; fault = fault->also)
        note_fault(s, fault);
}

static void note_edges(space *s, const gy_transition *t)
{
    for (uint32_t i = 0; i < t->step_count; i++) {
        s->edges[t->steps[i].edge] = 1;
        if (t->steps[i].partner >= 0)
            s->edges[t->steps[i].partner_edge] = 1;
    }
}

static uint32_t look_at = GY_PROVISO_LIMIT; // states, for one suspect

static bool leads_on(const search *x, uint32_t from, const gy_transition *all, uint32_t count,
                     const uint8_t *keep)
{
    space *s = x->s;
    for (uint32_t i = 0; i < count; i++) {
        if (!keep[i])
            continue;
        uint32_t to = *slot(s, all[i].state, all[i].words);
        if (!to || x->mode == NO_PROVISO)
            return true;
        if (x->mode == LEVELS ? s->states.at[to - 1].level > s->states.at[from].level
                              : !s->states.at[to - 1].on_path)
            return true;
    }
    return false;
}

static bool is_done(void *user, const gy_word *at, uint32_t words)
{
    search *x = user;
    uint32_t number = *slot(x->s, at, words);
    const state *found = number ? &x->s->states.at[number - 1] : NULL;
    if (x->mode == LEVELS)
        return !found || found->level > x->level || found->full;
    return found && (!found->on_path || found->full);
}

static void note(space *s, const gy_transition *all, uint32_t count, const uint8_t *keep,
                 uint8_t kept)
{
    for (uint32_t i = 0; i < count; i++)
        if (keep[i] == kept) {
            s->transitions++;
            note_edges(s, &all[i]);
            if (all[i].fault)
                note_faults(s, all[i].fault);
        }
}

static uint32_t marked(const uint8_t *keep, uint32_t count)
{
    uint32_t marks = 0;
    for (uint32_t i = 0; i < count; i++)
        marks += keep[i];
    return marks;
}

static const gy_transition *expand(search *x, uint32_t number, gy_moves *moves, uint32_t *count)
{
    space *s = x->s;
    const gy_word *at = s->states.at[number].at;
    uint32_t words = s->states.at[number].words;
    const gy_transition *all = gy_moves_find(moves, x->worker, at, words, count);
    uint8_t *keep = moves->keep.at;
    uint32_t kept = *count;
    memset(keep, 1, *count);
    if (x->mode != FULL)
        kept = gy_reduce_choose(x->reducer, at, words, all, *count, keep);
    s->miscounted |= marked(keep, *count) != kept;
    if (kept < *count && !leads_on(x, number, all, *count, keep)) {
        if (x->mode == LEVELS) {
            gy_vec_push(&x->suspects, number);
        } else {
            bool fine =
                gy_proviso_leads_on(x->reducer, x->worker, moves, at, words, look_at, is_done, x);
            all = gy_moves_find(moves, x->worker, at, words, count);
            keep = moves->keep.at;
            memset(keep, 1, *count);
            kept = fine ? gy_reduce_choose(x->reducer, at, words, all, *count, keep) : *count;
        }
    }
    s->states.at[number].full = kept == *count;
    s->reduced += kept < *count;
    if (!*count) {
        s->dead += hash(at, words);
        s->dead_count++;
    }
    note(s, all, *count, keep, 1);
    return all;
}

static void enter_those(search *x, const gy_transition *all, uint32_t count, const uint8_t *keep,
                        uint8_t kept)
{
    bool is_new;
    for (uint32_t i = 0; i < count; i++)
        if (keep[i] == kept && all[i].state)
            enter(x->s, all[i].state, all[i].words, x->level + 1, &is_new);
}

static void expand_suspects(search *x)
{
    gy_moves moves = {0};
    size_t left = 0;
    for (size_t i = 0; i < x->suspects.n; i++) {
        const state *s = &x->s->states.at[x->suspects.at[i]];
        if (!gy_proviso_leads_on(x->reducer, x->worker, &moves, s->at, s->words, look_at, is_done,
                                 x))
            x->suspects.at[left++] = x->suspects.at[i];
    }
    for (size_t i = 0; i < left; i++) {
        uint32_t count, number = x->suspects.at[i];
        const state *s = &x->s->states.at[number];
        const gy_transition *all = gy_moves_find(&moves, x->worker, s->at, s->words, &count);
        gy_reduce_choose(x->reducer, s->at, s->words, all, count, moves.keep.at);
        x->s->states.at[number].full = true;
        x->s->reduced--;
        note(x->s, all, count, moves.keep.at, 0);
        enter_those(x, all, count, moves.keep.at, 0);
    }
    x->suspects.n = 0;
    gy_moves_free(&moves);
}

static void breadth_first(search *x)
{
    gy_moves moves = {0};
    uint32_t n = 0;
    while (n < x->s->states.n && !x->too_large) {
        uint32_t end = (uint32_t)x->s->states.n;
        for (; n < end && !x->too_large; n++) {
            uint32_t count;
            const gy_transition *all = expand(x, n, &moves, &count);
            enter_those(x, all, count, moves.keep.at, 1);
            x->too_large = x->s->states.n > x->limit;
        }
        expand_suspects(x);
        x->level++;
    }
    gy_moves_free(&moves);
    gy_vec_free(&x->suspects);
}

static void depth_first(search *x, uint32_t n)
{
    gy_moves moves = {0};
    uint32_t count;
    bool is_new;
    GY_VEC(gy_word) words = {0};
    GY_VEC(uint32_t) lengths = {0};
    x->s->states.at[n].on_path = true;
    const gy_transition *all = expand(x, n, &moves, &count);
    for (uint32_t i = 0; i < count; i++)
        if (moves.keep.at[i] && all[i].state) {
            gy_vec_push(&lengths, all[i].words);
            for (uint32_t w = 0; w < all[i].words; w++)
                gy_vec_push(&words, all[i].state[w]);
        }
    const gy_word *at = words.at;
    for (size_t i = 0; i < lengths.n && !x->too_large; at += lengths.at[i], i++) {
        uint32_t to = enter(x->s, at, lengths.at[i], 0, &is_new);
        x->too_large = x->s->states.n > x->limit;
        if (is_new)
            depth_first(x, to);
    }
    x->s->states.at[n].on_path = false;
    gy_vec_free(&words);
    gy_vec_free(&lengths);
    gy_moves_free(&moves);
}

static void note_step(void *user, uint32_t run, uint32_t step, const gy_transition *transition)
{
    space *s = user;
    (void)run;
    (void)step;
    s->transitions++;
    note_edges(s, transition);
    if (transition->fault)
        note_faults(s, transition->fault);
}

static void by_runs(search *x, const gy_reduction *reduction)
{
    gy_cartesian *cartesian = gy_cartesian_new(reduction);
    space *s = x->s;
    bool is_new;
    for (uint32_t n = 0; n < s->states.n; n++) {
        uint32_t count;
        const state from = s->states.at[n];
        const gy_cartesian_run *runs =
            gy_cartesian_runs(cartesian, x->worker, from.at, from.words, note_step, s, &count);
        for (uint32_t i = 0; i < count; i++)
            if (runs[i].end)
                enter(s, runs[i].end, runs[i].words, 0, &is_new);
        if (!count) {
            s->dead += hash(from.at, from.words);
            s->dead_count++;
        }
    }
    gy_cartesian_free(cartesian);
}

static bool explore(gy_system *system, const gy_reduction *reduction, mode how, uint32_t limit,
                    space *s)
{
    search x = {.s = s, .mode = how, .limit = limit};
    *s = (space){.room = 1};
    while (s->room < 4 * limit)
        s->room *= 2;
    s->table = gy_alloc_zero(s->room * sizeof *s->table);
    s->edge_count = gy_edge_count(system);
    s->edges = gy_alloc_zero(s->edge_count + 1);
    x.worker = gy_worker_new(system);
    x.reducer = reduction ? gy_reducer_new(reduction) : NULL;
    gy_initial(x.worker, enter_initial, s);
    if (how == CARTESIAN) {
        by_runs(&x, reduction);
    } else if (how == STACK) {
        if (s->states.n)
            depth_first(&x, 0);
    } else {
        breadth_first(&x);
    }
    gy_reducer_free(x.reducer);
    gy_worker_free(x.worker);
    return !x.too_large;
}

static void free_space(space *s)
{
    for (size_t i = 0; i < s->states.n; i++)
        free(s->states.at[i].at);
    gy_vec_free(&s->states);
    gy_vec_free(&s->faults);
    free(s->table);
    free(s->edges);
}

static bool same_faults(const space *a, const space *b)
{
    if (a->faults.n != b->faults.n)
        return false;
    for (size_t i = 0; i < a->faults.n; i++) {
        bool found = false;
        for (size_t k = 0; k < b->faults.n; k++)
            found |= a->faults.at[i] == b->faults.at[k];
        if (!found)
            return false;
    }
    return true;
}

static const char *difference(const space *all, const space *some, mode how)
{
    if (all->dead != some->dead || all->dead_count != some->dead_count)
        return "states without successors";
    if (some->states.n > all->states.n)
        return "more states";
    if (some->miscounted)
        return "number of what is kept";
    if (how == NO_PROVISO)
        return NULL;
    if (!same_faults(all, some))
        return "faults";
    return memcmp(all->edges, some->edges, all->edge_count) ? "executed statements" : NULL;
}

static int check(const char *path, const gy_load_options *options, uint32_t limit)
{
    static const char *const names[] = {"", "breadth-first", "depth-first", "no proviso",
                                        "Cartesian"};
    char *problem = NULL;
    const char *why;
    int wrong = 0;
    gy_system *system = gy_load(path, options, &problem);
    if (!system) {
        printf("%s: not loaded\n", path);
        gy_free(problem);
        return 0;
    }
    gy_reduction *reduction = gy_reduction_new(system, NULL, &why);
    space all, some;
    if (!reduction)
        printf("%s: refused: %s\n", path, why);
    else if (!explore(system, NULL, FULL, limit, &all)) {
        printf("%s: too large\n", path);
        free_space(&all);
    } else {
        printf("%s: %zu", path, all.states.n);
        for (mode how = LEVELS; how <= CARTESIAN; how++) {
            if (how == CARTESIAN && !gy_cartesian_can(system, &why))
                break;
            bool whole = explore(system, reduction, how, limit, &some);
            const char *what = whole ? difference(&all, &some, how) : "more states";
            printf(" %zu", some.states.n);
            if (what) {
                printf(" different: %s, %s", names[how], what);
                wrong = 1;
            }
            free_space(&some);
        }
        printf("%s dead %lu faults %zu\n", wrong ? "" : " same", (unsigned long)all.dead_count,
               all.faults.n);
        free_space(&all);
    }
    gy_reduction_free(reduction);
    gy_system_free(system);
    gy_free(problem);
    return wrong;
}

int main(int argc, char **argv)
{
    uint32_t limit = 20000, defined = 0;
    int wrong = 0;
    const char **defines = gy_alloc_zero((size_t)(argc + 1) * sizeof *defines);
    gy_load_options options = {.defines = defines};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--limit") && i + 1 < argc)
            limit = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--plain"))
            look_at = 0;
        else if (!strncmp(argv[i], "-D", 2))
            defines[defined++] = argv[i] + 2;
        else
            wrong |= check(argv[i], &options, limit);
    free(defines);
    return wrong;
}
