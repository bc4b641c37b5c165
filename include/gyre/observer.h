// An observer: an automaton that reads the states of a system and judges infinite runs.
//
// The product of a system and an observer has the states (s, c). The observer moves first, by
// what it sees in s, then the system: from (s, c), each transition c -> c' that the observer makes
// in s and each transition s -> s' lead to (s', c'). Where the system has no transition, an
// observer that `stutters` goes on alone, as if s were repeated for ever. Without a transition of
// the observer the run is of no interest and dropped.
//
// A run is accepted (an error, usually) if for each of the sets 0 .. sets-1 it has infinitely
// many transitions with that mark; with no sets, every infinite run is. After the sets there may be
// `strong` further marks: each that is asked for infinitely often must come infinitely often, too.
// A transition with a verdict other than GY_SEES_NOTHING is an error at once.
//
// An observer that `changes` the system: a transition may leave its state another one, of the same
// length, from which the system goes on (a never claim that assigns to variables of the processes).
//
// Owner: gy_observer_free. Any number of threads may ask for transitions, each with its own worker.
#ifndef GYRE_OBSERVER_H
#define GYRE_OBSERVER_H

#include "gyre/gyre.h"

typedef enum {
    GY_SEES_NOTHING,
    GY_SEES_END,       // a never claim reached its end
    GY_SEES_VIOLATION, // whatever comes, the formula is violated
    GY_SEES_ASSERTION, // an assertion in a never claim fails
    GY_SEES_FAULT,     // a predicate that matters cannot be evaluated in this state
} gy_sight;

typedef struct gy_observer_move {
    uint32_t to;
    uint64_t marks;
    gy_sight sight;
    int32_t edge;         // of a never claim; -1: none
    uint64_t unless;      // not made along a transition that passed() gives one of these
    const gy_word *state; // NULL, or what it leaves of the system's; valid while it is reported
} gy_observer_move;

typedef void gy_observer_visit(void *user, const gy_observer_move *move);

typedef struct gy_observer {
    void *self;
    uint32_t states, initial;
    // NULL, or all states in which it may begin, `initial` among them.
    const uint32_t *initials;
    uint32_t initial_count;
    bool bounded;  // its states are 0 .. states-1, and no others will turn up
    uint32_t sets; // with `strong`, at most 64
    uint32_t strong;
    bool stutters;
    bool changes;
    bool weak; // on each cycle of the observer, either all transitions have all marks or none has
    // In `initial` it can stay, without marks, whatever it sees; and once it has left, it does not
    // come back. No other states are initial.
    bool waits;
    // All transitions from `at` in a state of the worker's system, always in the same order.
    void (*moves)(void *self, gy_worker *worker, const gy_word *state, uint32_t words, uint32_t at,
                  gy_observer_visit *visit, void *user);
    // Or NULL: the same as an array, valid until the observer is asked again.
    const gy_observer_move *(*all_moves)(void *self, gy_worker *worker, const gy_word *state,
                                         uint32_t words, uint32_t at, uint32_t *count);
    // Or NULL: the same where the watched predicates have these values, watched[i] in bit i.
    const gy_observer_move *(*letter_moves)(const void *self, uint64_t letter, uint32_t at,
                                            uint32_t *count);
    // With letter_moves: these values in a state. False: one of them cannot be determined.
    bool (*letter)(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                   uint64_t *letter);
    // Or NULL, with letter: of many states. False: one of them cannot be determined, or not so.
    bool (*letters)(void *self, gy_worker *worker, const gy_many *states, uint64_t *letters);
    // If there are strong marks: those that are asked for in a state.
    uint64_t (*asks)(const void *self, gy_worker *worker, const gy_word *state, uint32_t words);
    // Or NULL: what a transition passes between its two states, labels inside an atomic sequence
    // for example. What is below `sets` is added to the marks of the transitions that go along with
    // it.
    uint64_t (*passed)(const void *self, const gy_transition *transition);
    // Or NULL: what a state is, in so many words, where numbers are given as states turn up: other
    // processes may give the same one another number. The first asks for where it begins in a state
    // of the system; the second gives it the number that it has here, UINT32_MAX if it is none.
    uint32_t content_words;
    void (*content)(void *self, gy_worker *worker, const gy_word *state, uint32_t words,
                    uint32_t at, gy_word *out);
    uint32_t (*number)(void *self, const gy_word *content);
    void (*free)(void *self); // or NULL
    // For reductions. The predicates of the system that it reads; NULL: not known. `blind`: it
    // is stutter-invariant: repeating a state does not change what it observes.
    const gy_atom *watched;
    uint32_t watched_count;
    bool blind;
    // NULL, or an observer of the same runs, larger, but with a run of its own shape on every lasso
    // of a system: states repeat where those of the system do. For shortest counterexamples.
    const struct gy_observer *tight;
} gy_observer;

#endif
