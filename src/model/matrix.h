// The read/write matrix: for each edge, which slots of a state it may read and write. A table form
// of the touches that access.h finds, for the code that wants to reorder, slice or draw a model
// without knowing MODEL (it is what LTSmin calls the dependency matrices).
//
// A slot is a variable that is part of the state (a local one stands for those of all instances of
// its template), the control location of the instances of a template, the contents of a channel
// that is known before the start, the contents of all other channels, or the process and channel
// stacks with all that hangs on them (priorities, _last). The matrix never says too little: what is
// not marked is not touched. Every edge reads and writes the control of its own template.
//
// Owner: gy_matrix_free. Read-only: threads may share it.
#ifndef GYRE_MODEL_MATRIX_H
#define GYRE_MODEL_MATRIX_H

#include "model/model.h"

enum { GY_READS = 1, GY_WRITES = 2 };

typedef enum {
    GY_SLOT_VARIABLE, // var
    GY_SLOT_CONTROL,  // tmpl
    GY_SLOT_CHANNEL,  // of the channel that `var` always holds
    GY_SLOT_CHANNELS, // of all other channels
    GY_SLOT_SYSTEM,
} gy_slot_kind;

typedef struct gy_matrix_slot {
    gy_slot_kind kind;
    int32_t var, tmpl;
} gy_matrix_slot;

typedef struct gy_matrix {
    uint32_t edges, slots;
    gy_matrix_slot *slot;
    uint8_t *cells; // row by row: edge * slots + slot
} gy_matrix;

// Of a model that is complete (gy_model_access was called).
gy_matrix *gy_matrix_new(const gy_model *model);
void gy_matrix_free(gy_matrix *matrix);
static inline uint8_t gy_matrix_at(const gy_matrix *matrix, uint32_t edge, uint32_t slot)
{
    return matrix->cells[(size_t)edge * matrix->slots + slot];
}
// "x", "P:y", "P@", "q{}", "channels", "system".
void gy_matrix_slot_name(const gy_model *model, const gy_matrix_slot *slot, gy_text *out);

#endif
