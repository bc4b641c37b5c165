// What the files of a shared exploration have in common: multi_formula.c is its life,
// multi_formula_explore.c makes the graph, multi_formula_search.c traverses it,
// multi_formula_lasso.c says what was found. Private to these.
#ifndef GYRE_SEARCH_LIVENESS_MULTI_FORMULA_PARTS_H
#define GYRE_SEARCH_LIVENESS_MULTI_FORMULA_PARTS_H

#include "search/liveness/multi_formula.h"
#include "search/liveness/product_maker.h"

#include "base/map.h"

// What a thread has found. A record in `words`: the number of a state, its row, how many successors
// it has, and their numbers.
enum { GY_RECORD_STATE, GY_RECORD_ROW, GY_RECORD_COUNT, GY_RECORD_HEAD };

// A row: the values of what each of the observers watches, 16 bits of each (gy_shared.observers).
typedef GY_VEC(uint16_t) gy_shared_rows;

typedef struct gy_shared_part {
    GY_VEC(uint32_t) words;
    gy_shared_rows rows;
    gy_map row_map;
    uint16_t *row; // the one that is being made
    uint32_t last_row;
    uint32_t next, end; // numbers that it may give away
    gy_refs fresh;      // states of the next level
    uint64_t paid;      // bytes drawn from the budget
} gy_shared_part;

typedef struct gy_shared_view { // of a record
    uint32_t row, count;
    const uint32_t *to;
} gy_shared_view;

struct gy_shared {
    gy_search_options options;
    gy_run run; // its result has the figures of the exploration
    const gy_observer **observers;
    uint32_t observer_count;
    gy_observer everything; // sees nothing, and goes along with every step
    gy_product_maker product;
    gy_reduced_graph *reduced; // or NULL
    bool reduced_ready;
    uint64_t most_reduced; // states in it; 0: any number
    gy_space *space;
    gy_shared_part *parts; // by member of the space
    gy_refs now;           // the states of the level, of which
    _Atomic size_t cursor; // so many are taken
    _Atomic uint32_t count;
    double until; // on the clock; 0: no limit
    atomic_bool unknown;
    const char *why;
    double seconds; // spent so far
    // Once it is done.
    bool done;
    uint64_t *first; // by state: the member and where its record begins; NONE: no such state
    uint64_t first_paid;
    gy_shared_rows rows;
    uint32_t row_count;
    GY_VEC(uint32_t) initial, ordinals;
};

enum { GY_SHARED_MEMBER_SHIFT = 48 };
#define GY_SHARED_NONE UINT64_MAX

static inline gy_shared_view gy_shared_look(const gy_shared *s, uint32_t state)
{
    uint64_t at = s->first[state];
    const uint32_t *record = s->parts[at >> GY_SHARED_MEMBER_SHIFT].words.at +
                             (at & (((uint64_t)1 << GY_SHARED_MEMBER_SHIFT) - 1));
    return (gy_shared_view){record[GY_RECORD_ROW], record[GY_RECORD_COUNT],
                            record + GY_RECORD_HEAD};
}

// The number of a state, which is a new one if nothing has reached it.
uint32_t gy_shared_number(gy_shared *shared, gy_space_view *view, gy_ref state);
bool gy_shared_is_over(const gy_shared *shared); // for now, or for ever
void gy_shared_take_levels(gy_shared *shared);   // until it is
// When there is no level left: where each state's record is, and one table of rows. False: no
// memory.
bool gy_shared_index(gy_shared *shared);

// A path in a product, by nodes: from an initial one to `end`, and round from there on.
typedef struct gy_shared_walk {
    gy_arc_graph_path stem, cycle;
    uint32_t end;
} gy_shared_walk;

// Such a path as a witness; the letters of rows are those of the observer. Members of the space may
// call it at the same time. NULL: it cannot be found again.
gy_lasso_witness *gy_shared_tell(gy_shared *shared, unsigned member, const gy_observer *observer,
                                 const uint16_t *letters, const gy_shared_walk *walk);

#endif
