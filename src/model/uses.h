// Uses: which variables an expression, an action or an edge reads and writes.
//
// Two kinds of reading. An expression whose value is wanted reads all its variables. One that is
// computed but whose value goes nowhere reads only what decides whether computing it fails: an
// index, a divisor, a channel, the condition before such a thing.
//
// Embedded C reads everything. Sets are bits (base/bits.h) over the model's variables; functions
// add to them.
#ifndef GYRE_MODEL_USES_H
#define GYRE_MODEL_USES_H

#include "base/bits.h"
#include "model/model.h"

bool gy_expr_can_fail(const gy_model *model, const gy_expr *expr);
void gy_expr_reads(const gy_model *model, const gy_expr *expr, uint64_t *set);
void gy_expr_fault_reads(const gy_model *model, const gy_expr *expr, uint64_t *set);
// Of other processes' variables alone.
void gy_model_remote_reads(const gy_model *model, uint64_t *set);
void gy_formula_reads(const gy_model *model, const gy_formula *formula, uint64_t *set);

// Can executing the edge end in a fault that leaves no successor? (A failing assertion leaves one.)
bool gy_edge_can_fail(const gy_model *model, const gy_edge *edge);

// Everything that is read or written, whatever for. Writes are stores by assignments, receives,
// `run` and new channels.
void gy_action_writes(const gy_action *action, uint64_t *set);
void gy_program_reads(const gy_model *model, const gy_program *program, uint64_t *set);
void gy_program_writes(const gy_program *program, uint64_t *set);
void gy_edge_reads(const gy_model *model, const gy_edge *edge, uint64_t *set);
void gy_edge_writes(const gy_edge *edge, uint64_t *set);

#endif
