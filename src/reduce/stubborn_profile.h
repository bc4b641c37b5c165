// A stance: what a process asks for to be in a stubborn set, by where it is and which of its
// edges can fire. Private to src/reduce.
//
// For each edge of a node there are rows (instance.h): who is in conflict with it, who may
// come to the other end, who could change what it waits for. What they say together is worked out
// once for each stance, as a set of points (instance.h): a process is asked for if it is at one of
// them. Only of edges that may wait for one of several things must the state itself be asked.
//
// Stances belong to instances and are shared by all classes: where processes come and go there are
// thousands of classes, and what each of them had for itself would be in no cache. What a stance
// says of other instances is added when it is used next to them for the first time. For one class,
// the one that does most of the work if there is such, it is known which processes count at all.
//
// Stances live as long as their instance.
#ifndef GYRE_REDUCE_STUBBORN_PROFILE_H
#define GYRE_REDUCE_STUBBORN_PROFILE_H

#include "reduce/process_class.h"

// An edge that the state must be asked about.
typedef struct gy_stubborn_profile_edge {
    const gy_edge_view *view;
    uint32_t first_set; // who could change each thing it may wait for: a set for each
} gy_stubborn_profile_edge;

// What a set says of the processes of a class: who is asked for wherever it is, and who only if it
// is at one of the points.
typedef struct gy_stubborn_profile_view {
    uint64_t surely, perhaps;
} gy_stubborn_profile_view;

// What is needed most often comes first.
struct gy_stubborn_profile {
    uint64_t enabled;               // edges of the node, by position
    gy_stubborn_profile *next;      // in the file
    const gy_process_class *viewer; // NULL: none yet
    gy_stubborn_profile_view view;  // for this class: all that is asked for in any case
    uint32_t kind;                  // GY_STUBBORN_PROFILE_MOVES, and the kind of the member
    uint32_t open_count;            // of edges that count
    uint64_t *sets; // of points; the first is of those that are asked for in any case
    uint32_t words; // of each set
    uint32_t set_count, edge_count;
    bool everyone;                     // all processes, wherever they are
    bool youngest;                     // that process, wherever it is
    gy_stubborn_profile_edge *open;    // those that count, then those that add nothing
    gy_stubborn_profile_view *views;   // by set, but for the first one
    uint64_t known[GY_INSTANCE_WORDS]; // instances of which the sets are
};

// It has transitions of its own: not only as a receiver in a rendezvous.
enum { GY_STUBBORN_PROFILE_MOVES = 1 };

// Makes it, or adds what it has to say of instances of this class.
gy_stubborn_profile *gy_stubborn_profile_make(gy_process_classes *classes,
                                              const gy_process_class *class, uint32_t pid,
                                              uint32_t point, uint64_t enabled, bool moves);

// Views for this class take the place of those for another. They are the same for twins, so they
// may hold the process that asks.
void gy_stubborn_profile_view_by(gy_process_classes *classes, const gy_process_class *class,
                                 gy_stubborn_profile *stance);

static inline bool gy_stubborn_profile_knows(const gy_stubborn_profile *stance,
                                             const gy_process_class *class)
{
    uint64_t unknown = 0;
    for (uint32_t w = 0; w < class->instance_words; w++)
        unknown |= class->instances[w] & ~stance->known[w];
    return !unknown;
}

// NULL: not made yet. It may have nothing to say of some instance of the class. `file` is that of
// the classes.
static inline gy_stubborn_profile *gy_stubborn_profile_find(const gy_stubborn_profile_file *file,
                                                            const gy_process_class_member *member,
                                                            uint32_t point, uint64_t enabled,
                                                            bool moves)
{
    uint32_t kind = member->kind | (moves ? GY_STUBBORN_PROFILE_MOVES : 0);
    gy_stubborn_profile *stance = file->first[gy_stubborn_profile_slot(point, enabled)];
    while (stance && (stance->enabled != enabled || stance->kind != kind))
        stance = stance->next;
    return stance;
}

#endif
