// How fast and how small are the stores? A breadth-first search of a synthetic system whose
// successors cost next to nothing, so that nearly all the time is the store's.
//
//     gcc -O2 -D_GNU_SOURCE -Iinclude -Isrc bench/store_bench.c build/libgyre.a -lxxhash -lm …
//     store_bench [store [components [values [constant words [coupling]]]]]
//
// A state has `components` words with `values` values each, and some words that never change; each
// component steps to its next value: values^components states, components * as many transitions.
// With coupling k, every component has a partner word that follows it with a delay of one step of
// its own, k values deep, which makes states less regular.
#include "store/numbered.h"

#include "base/clock.h"
#include "base/fatal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 32, MOST_WORDS = 256 };

typedef struct bench {
    gy_numbered *store;
    gy_numbered_entry entries[BATCH];
    uint32_t states[BATCH][MOST_WORDS];
    unsigned n;
    uint64_t transitions;
} bench;

static void flush(bench *b)
{
    if (gy_numbered_enter_all(b->store, b->entries, b->n) < b->n)
        gy_fatal("full");
    b->n = 0;
}

static void arrive(bench *b, const uint32_t *state, uint32_t words)
{
    memcpy(b->states[b->n], state, words * sizeof *state);
    b->entries[b->n] = (gy_numbered_entry){b->states[b->n], words, 0};
    b->transitions++;
    if (++b->n == BATCH)
        flush(b);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "tree";
    uint32_t components = argc > 2 ? (uint32_t)atoi(argv[2]) : 7;
    uint32_t values = argc > 3 ? (uint32_t)atoi(argv[3]) : 10;
    uint32_t constant = argc > 4 ? (uint32_t)atoi(argv[4]) : 9;
    uint32_t coupling = argc > 5 ? (uint32_t)atoi(argv[5]) : 0;
    uint32_t stride = coupling ? 2 : 1, words = components * stride + constant;
    uint32_t state[MOST_WORDS] = {0};
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_store_options options = {.budget = &budget};
    const gy_store_kind_row *kind = gy_store_kind_named(name);
    gy_numbered *store = kind && kind->traits.gives_back ? gy_numbered_new(kind, &options) : NULL;
    if (!store)
        gy_fatal("%s: no store that gives states back", name);
    bench b = {.store = store};
    double start = gy_cpu_clock();
    arrive(&b, state, words);
    flush(&b);
    gy_store_figures figures;
    gy_numbered_look(store, &figures);
    for (uint64_t next = 0; next < figures.states;) {
        uint64_t end = figures.states;
        for (; next < end; next++) {
            uint32_t length;
            const uint32_t *from = gy_numbered_state(store, next, &length);
            memcpy(state, from, words * sizeof *state);
            for (uint32_t i = 0; i < components; i++) {
                uint32_t *at = state + i * stride, old = at[0], follower = stride > 1 ? at[1] : 0;
                at[0] = old + 1 == values ? 0 : old + 1;
                if (coupling)
                    at[1] = old % coupling;
                arrive(&b, state, words);
                at[0] = old;
                if (coupling)
                    at[1] = follower;
            }
            if (gy_numbered_unsettled(store)) {
                flush(&b);
                gy_numbered_settle(store);
            }
        }
        flush(&b);
        gy_numbered_look(store, &figures);
    }
    double seconds = gy_cpu_clock() - start;
    printf("%s: %llu states, %llu transitions, %u words: %.2f s, %.2f M states/s, %.1f M "
           "transitions/s, %.1f bytes per state\n",
           name, (unsigned long long)figures.states, (unsigned long long)b.transitions, words,
           seconds, (double)figures.states / seconds / 1e6, (double)b.transitions / seconds / 1e6,
           (double)budget.used / (double)figures.states);
    gy_numbered_free(store);
    return 0;
}
