// Counts the reachable states of any model, through Gyre's public API alone.
//
//     cc -I../../include count.c ../../build/libgyre.a -lpthread -ldl -lm -ljansson -lxxhash -o
//     count
//     ./count model.pml
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // tsearch
#endif
#include <gyre/gyre.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    struct state *next;
    uint32_t words;
    gy_word at[];
} state;
typedef struct space {
    void *set;
    state *first, **last;
    unsigned long states, transitions;
} space;

static int compare(const void *a, const void *b)
{
    const state *x = a, *y = b;
    return x->words != y->words ? (x->words < y->words ? -1 : 1)
                                : memcmp(x->at, y->at, 4 * x->words);
}

static int visit(void *user, const gy_transition *t) // called for each initial state and successor
{
    space *s = user;
    if (!t->state)
        return 0; // a step that went wrong and led nowhere
    state *new = malloc(sizeof *new + t->words * sizeof(gy_word));
    *new = (state){NULL, t->words};
    memcpy(new->at, t->state, t->words * sizeof(gy_word));
    s->transitions++;
    if (*(state **)tsearch(new, &s->set, compare) != new) {
        free(new); // seen before
        return 0;
    }
    s->states++;
    *s->last = new; // to be explored, after all that were found before it
    s->last = &new->next;
    return 0;
}

int main(int argc, char **argv)
{
    char *problem = NULL;
    gy_system *system = argc == 2 ? gy_load(argv[1], NULL, &problem) : NULL;
    if (!system)
        return fprintf(stderr, "%s", problem ? problem : "usage: count MODEL\n"), 2;
    gy_worker *worker = gy_worker_new(system);
    space s = {.last = &s.first};
    gy_initial(worker, visit, &s);
    for (state *at = s.first; at; at = at->next)
        gy_successors(worker, at->at, at->words, visit, &s);
    printf("%lu states, %lu transitions\n", s.states, s.transitions);
    gy_worker_free(worker);
    gy_system_free(system);
    gy_free(problem);
    return 0;
}
