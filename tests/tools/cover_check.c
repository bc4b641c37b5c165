// Are the states of a trace cover all states? For each model named:
//
//     cover_check MODEL…
//
// searches it completely, and by a cover whose traces are taken apart into all their ideals; the
// two sets of states must be equal. One line for each: ok, skip (and why) or FAILED.
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "gyre/gyre.h"
#include "search/cover/cover.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_STATES = 20000 };

typedef struct states {
    GY_VEC(gy_word) words;
    GY_VEC(size_t) at;
    GY_VEC(uint32_t) length;
    gy_map map;
} states;

static bool find(const states *s, const gy_word *state, uint32_t words)
{
    uint64_t hash = gy_hash_state(state, words);
    for (gy_map_probe p = gy_map_first(&s->map, hash); p.found; gy_map_next(&s->map, &p))
        if (s->length.at[p.number] == words &&
            memcmp(s->words.at + s->at.at[p.number], state, words * sizeof *state) == 0)
            return true;
    return false;
}

static void add(states *s, const gy_word *state, uint32_t words)
{
    if (find(s, state, words))
        return;
    gy_map_add(&s->map, gy_hash_state(state, words), (uint32_t)s->at.n);
    gy_vec_push(&s->at, s->words.n);
    gy_vec_push(&s->length, words);
    gy_vec_reserve(&s->words, s->words.n + words + 1);
    memcpy(s->words.at + s->words.n, state, words * sizeof *state);
    s->words.n += words;
}

static void release(states *s)
{
    gy_vec_free(&s->words);
    gy_vec_free(&s->at);
    gy_vec_free(&s->length);
    gy_map_free(&s->map);
}

static int arrive(void *user, const gy_transition *t)
{
    if (t->state)
        add(user, t->state, t->words);
    return 0;
}

static void reach(gy_system *system, states *all)
{
    gy_worker *worker = gy_worker_new(system);
    GY_VEC(gy_word) state = {0};
    gy_initial(worker, arrive, all);
    for (size_t i = 0; i < all->at.n && all->at.n <= MOST_STATES; i++) {
        uint32_t words = all->length.at[i];
        gy_vec_reserve(&state, (size_t)words + 1);
        memcpy(state.at, all->words.at + all->at.at[i], words * sizeof(gy_word));
        gy_successors(worker, state.at, words, arrive, all);
    }
    gy_vec_free(&state);
    gy_worker_free(worker);
}

static void cover_state(void *user, const gy_word *state, uint32_t words)
{
    add(user, state, words);
}

// What is in one set and not in the other: how many, and the first of them as text.
static size_t compare(gy_system *system, const states *these, const states *others,
                      const char *what)
{
    size_t count = 0;
    for (size_t i = 0; i < these->at.n; i++) {
        const gy_word *state = these->words.at + these->at.at[i];
        if (find(others, state, these->length.at[i]))
            continue;
        if (count++ == 0) {
            gy_worker *worker = gy_worker_new(system);
            char *text = gy_state_text(worker, state, these->length.at[i]);
            printf("%s:\n%s", what, text);
            gy_free(text);
            gy_worker_free(worker);
        }
    }
    return count;
}

static bool check(const char *path)
{
    char *problem = NULL;
    states all = {0}, covered = {0};
    gy_system *system = gy_load(path, NULL, &problem);
    bool good = true;
    if (!system) {
        printf("skip %s: it cannot be read\n", path);
        gy_free(problem);
        return true;
    }
    reach(system, &all);
    gy_search_options options;
    gy_search_defaults(&options);
    gy_cover cover = {.visit = cover_state, .user = &covered};
    options.search = GY_SEARCH_COVER;
    options.cover = &cover;
    options.reduce = options.symmetry = false;
    options.check_faults = options.check_end_states = false;
    options.max_errors = 0;
    options.time_limit = 1;
    options.threads = 1;
    gy_search_result *result = NULL;
    if (all.at.n <= MOST_STATES)
        result = gy_search(system, &options);
    if (!result) {
        printf("skip %s: too many states\n", path);
    } else if (result->completeness == GY_FAILED || result->completeness == GY_LIMIT_CAPACITY ||
               result->completeness == GY_LIMIT_TIME) {
        const char *why = result->failure ? result->failure : "no time";
        good = !strstr(why, "internal error");
        printf("%s %s: %s\n", good ? "skip" : "FAILED", path, why);
    } else {
        size_t missing = compare(system, &all, &covered, "missing");
        size_t wrong = compare(system, &covered, &all, "wrong");
        good = !missing && !wrong;
        printf(
            "%s %s: %zu states, %zu missing, %zu wrong; %llu traces, %llu given up, %llu events\n",
            good ? "ok" : "FAILED", path, all.at.n, missing, wrong,
            (unsigned long long)cover.traces, (unsigned long long)cover.redundant,
            (unsigned long long)result->events);
    }
    gy_cover_free(&cover);
    gy_search_result_free(result);
    gy_system_free(system);
    gy_free(problem);
    release(&all);
    release(&covered);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true;
    for (int i = 1; i < argc; i++)
        good = check(argv[i]) && good;
    return good ? 0 : 1;
}
