// The choice of a stubborn set (reduce/stubborn.c) as tables, for code that has nothing else at
// hand: who asks for whom, by where each process is and which of its edges can fire.
//
// Tables are about the states of one layout, and those relevant values that the state has which
// they were made from (`masks`): parameters that decide which variables and channels an edge is
// about. A place is a process at a node; those of a process lie together. A row is a set of places.
//
// Owner: gy_choice_table_free. Read-only once made.
#ifndef GYRE_EXEC_STUBBORN_TABLE_H
#define GYRE_EXEC_STUBBORN_TABLE_H

#include "gyre/gyre.h"

#include "base/vec.h"

enum { GY_CHOICE_NO_ROW = 0xffff, GY_CHOICE_NO_QUESTION = 0xffff };

// Of an edge of a process.
enum {
    GY_CHOICE_EVERYONE = 1, // if it can fire: all processes are asked for
    GY_CHOICE_TIMEOUT = 2,  // it needs one
    GY_CHOICE_ELSE = 4,
    GY_CHOICE_END = 8,
    GY_CHOICE_MAY_FAIL = 16,
    GY_CHOICE_MEETS = 32, // a rendezvous
    GY_CHOICE_ALONE = 64, // its process asks for nothing at this node
};

typedef struct gy_choice_edge {
    uint32_t flags;
    uint32_t conflicts, always; // rows
    uint32_t first_wait, wait_count;
} gy_choice_edge;

// Something that an edge may be waiting for: who could change it, and the question whether it is
// what is missing (without one: perhaps).
typedef struct gy_choice_wait {
    uint32_t row, question;
} gy_choice_wait;

typedef enum { GY_CHOICE_HOLDS, GY_CHOICE_PERHAPS, GY_CHOICE_FAILS } gy_choice_answer;

// Is the value of a field between low and low + span?
typedef struct gy_choice_question {
    uint32_t word, shift, bits;
    bool is_signed;
    uint32_t low, span;
    gy_choice_answer if_so, if_not;
} gy_choice_question;

typedef struct gy_choice_mask {
    uint32_t word;
    gy_word bits;
} gy_choice_mask;

typedef struct gy_choice_table {
    uint32_t processes;
    bool escapes;           // the model has some
    GY_VEC(uint32_t) place; // by process: its first place
    GY_VEC(uint32_t) node;  // by place: its first edge; one more at the end
    GY_VEC(gy_choice_edge) edges;
    GY_VEC(gy_choice_wait) waits;
    GY_VEC(gy_choice_question) questions;
    uint32_t row_words; // of 32 places
    uint32_t row_count;
    GY_VEC(uint32_t) rows;
    GY_VEC(gy_choice_mask) masks;
} gy_choice_table;

// Who makes them: a reduction (reduce/build_stubborn_table.h).
typedef struct gy_choice_maker {
    void *self;
    uint32_t most_kept; // a set with more transitions is not used
    // For the layout and the relevant values of this state. False: there is no choice.
    bool (*table)(void *self, const gy_word *state, uint32_t words, gy_choice_table *table);
} gy_choice_maker;

static inline void gy_choice_table_free(gy_choice_table *t)
{
    gy_vec_free(&t->place);
    gy_vec_free(&t->node);
    gy_vec_free(&t->edges);
    gy_vec_free(&t->waits);
    gy_vec_free(&t->questions);
    gy_vec_free(&t->rows);
    gy_vec_free(&t->masks);
}

#endif
