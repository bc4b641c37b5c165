// A solver for clauses over propositional variables, which the code that starts a search may bring
// along: the library has none of its own. The functions are those that such solvers have in common.
//
// A literal is a variable, counted from 1, or its negative. A solver belongs to one thread.
#ifndef GYRE_BASE_SAT_H
#define GYRE_BASE_SAT_H

enum { GY_SAT_YES = 10, GY_SAT_NO = 20 };

typedef struct gy_sat {
    const char *name;
    void *(*begin)(void);
    void (*add)(void *solver, int literal); // to the current clause; 0 ends it
    // Asks from time to time whether it is to be left; then it says neither.
    int (*solve)(void *solver, int (*leave)(void *user), void *user);
    int (*value)(void *solver, int variable); // after GY_SAT_YES: above 0 if it is true
    void (*end)(void *solver);
} gy_sat;

#endif
