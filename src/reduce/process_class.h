// A process class: the processes that are alive in a state, each as an instance. Private to
// src/reduce.
//
// States with the same shape and the same relevant values have the same class, so all that depends
// on who is alive, but not on where they are, is found out once. In most models there are a few
// classes: one for each step of starting up, and the one that does the work.
#ifndef GYRE_REDUCE_PROCESS_CLASS_H
#define GYRE_REDUCE_PROCESS_CLASS_H

#include "reduce/instance.h"

enum { GY_CREW_LIMIT = 64 }; // processes: a set of them is a word

// What tells members of one instance apart, as far as stances are concerned.
enum {
    GY_MEMBER_YOUNGEST = 2,
    GY_MEMBER_TWIN = 4, // another member is of the same instance
};

typedef struct gy_process_class_member {
    gy_instance *instance;
    uint32_t offset; // of its block
    gy_word pc_mask;
    const gy_node *nodes;
    int32_t first_edge;
    uint32_t point; // of its first node: see instance.h
    uint32_t kind;  // GY_MEMBER_…
    bool escapes;   // the model has some
    uint8_t place;  // in a word with the locations of all members: its first bit
    uint8_t edge;   // in a word with the edges at these: that of its first one
} gy_process_class_member;

// Some bits of a word of a state.
typedef struct gy_word_mask {
    uint32_t word;
    gy_word bits;
} gy_word_mask;

// A process that may be at a node where it is enabled without regard to the others: which those
// are, of the first 64.
typedef struct gy_alone {
    uint32_t pid, offset;
    gy_word pc_mask;
    uint64_t nodes;
} gy_alone;

typedef struct gy_process_class {
    const gy_state_layout *shape;
    const gy_word_mask *masks; // where the relevant values lie
    uint32_t mask_count;
    gy_word *bits; // these, after the masks
    uint32_t count;
    struct gy_alone *alone; // those who may be, the youngest first
    uint32_t alone_count;
    bool packs; // locations, and edges, fit into words: see gy_process_class_member
    gy_process_class_member *members;      // by pid
    uint64_t instances[GY_INSTANCE_WORDS]; // of its members, by number
    uint32_t instance_words;               // of which there are some
    bool timeouts;                         // some of their edges wait for one
    uint64_t hash;                         // of these
    struct gy_process_class *next;         // in the same bucket
} gy_process_class;

typedef struct gy_process_classes gy_process_classes;

// Stances of all instances: lists, see gy_stubborn_profile_slot.
typedef struct gy_stubborn_profile gy_stubborn_profile;
typedef struct gy_stubborn_profile_file {
    gy_stubborn_profile **first;
    size_t room;
} gy_stubborn_profile_file;

enum { GY_STUBBORN_PROFILE_SLOTS = 8 }; // of a point
static inline size_t gy_stubborn_profile_slot(uint32_t point, uint64_t enabled)
{
    return (size_t)point * GY_STUBBORN_PROFILE_SLOTS + enabled % GY_STUBBORN_PROFILE_SLOTS;
}

gy_process_classes *gy_process_classes_new(const gy_reduction *r);
void gy_process_classes_free(gy_process_classes *classes);
// NULL: too many processes. Valid until the next call.
gy_process_class *gy_process_class_of(gy_process_classes *classes, const gy_word *state,
                                      uint32_t words);
// Is it that of the state?
static inline bool gy_process_class_fits(const gy_process_class *class, const gy_word *state,
                                         uint32_t words)
{
    const gy_state_layout *shape = class->shape;
    gy_word differs = 0;
    if (shape->code != state[0] || shape->words != words || shape->linked)
        return false;
    for (uint32_t i = 0; i < class->mask_count; i++)
        differs |= (state[class->masks[i].word] & class->masks[i].bits) ^ class->bits[i];
    return !differs;
}

// May a member move at this node without regard to the others?
bool gy_process_class_is_alone(const gy_process_class *class, uint32_t pid, uint32_t node);

// How often all was forgotten: then classes, instances and points are others.
uint32_t gy_process_classes_age(const gy_process_classes *classes);
const gy_stubborn_profile_file *
gy_process_classes_stances(const gy_process_classes *classes); // stays where it is
const gy_reduction *gy_process_classes_reduction(const gy_process_classes *classes);
gy_arena *gy_process_classes_arena(
    const gy_process_classes *classes); // for what lives as long as the classes
// gy_instance_row, for instances of these classes.
const uint64_t *gy_process_classes_row(gy_process_classes *classes, gy_instance *instance,
                                       uint32_t edge, uint32_t which, const gy_instance *other);

#endif
