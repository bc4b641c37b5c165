// A benchmark set as BEEM is laid out: a directory per model with its description (MODEL.xml), its
// template (MODEL.mdve) and, in generated_files, instances (MODEL.K.dve), those with a property
// process (MODEL.K.propP.dve), what was recorded of them (results.xml) and of their structure
// (MODEL.K.stat.xml).
//
// Owner: a set owns all that is reached from it; beem_set_free.
#ifndef GYRE_CLI_BEEM_BEEM_SET_H
#define GYRE_CLI_BEEM_BEEM_SET_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/beem/beem_xml.h"

#include <stdint.h>

typedef enum { BEEM_COUNTS, BEEM_REACH, BEEM_LTL } beem_kind;

typedef struct beem_model {
    const char *name, *type, *class;
    const char *folder;
    const char *template;            // path, or NULL: there is none
    const beem_element *description; // or NULL
} beem_model;

// One thing to be found out about an instance.
typedef struct beem_task {
    beem_kind kind;
    const char *property; // its number in the description; "" for counts
    const char *file;     // the model to be run
    const char *formula;  // as in the description, to be put together (beem_formula); NULL: none
    const char *answer;   // recorded: "yes" or "no"; NULL: nothing
    uint64_t length;      // recorded, of the path there or the counterexample; 0: none
} beem_task;

typedef struct beem_instance {
    const beem_model *model;
    const char *name;       // phils.1
    const char *parameters; // N=4, K=2
    bool recorded;          // was explored to the end; otherwise there are at least that many …
    uint64_t states;        // … states
    bool has_structure;
    uint64_t edges, levels;
    GY_VEC(beem_task) tasks;
} beem_instance;

typedef struct beem_set {
    gy_arena *arena;
    GY_VEC(beem_model *) models;
    GY_VEC(beem_instance *) instances;
} beem_set;

// `folder` is a set, or a single model of one. False: *problem says what cannot be read.
bool beem_set_read(beem_set *set, const char *folder, gy_text *problem);
void beem_set_free(beem_set *set);

// The formula of a task over names of the model: atoms replaced by what they stand for, macros of
// the template expanded. A goal is denied, so that a violation is a path to it. False: *problem.
bool beem_formula(const beem_instance *instance, const beem_task *task, gy_text *out,
                  gy_text *problem);

const char *beem_kind_text(beem_kind kind); // "counts", "reach", "ltl"

#endif
