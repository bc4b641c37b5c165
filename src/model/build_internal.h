// What the files of the builder share; no other file includes this.
#ifndef GYRE_MODEL_BUILD_INTERNAL_H
#define GYRE_MODEL_BUILD_INTERNAL_H

#include "model/build.h"

typedef struct gy_built_template {
    gy_template tmpl;
    GY_VEC(gy_node) nodes;
    GY_VEC(gy_node_label) labels;
    gy_action_list init;
} built_template;

typedef struct gy_built_edge {
    gy_edge edge; // first: a gy_edge that the builder gave is one of these
    gy_action_list actions;
    int32_t event; // GY_NONE: it fires by itself
} built_edge;

typedef struct gy_built_event {
    const char *name;
    int32_t *pids; // of the parties
    uint32_t count;
    int32_t *channels; // variable i holds the one from party i to party i + 1
} built_event;

// Events become rendezvous inside atomic sequences (build_events.c).
void gy_build_expand_events(gy_builder *b);

#endif
