// Message fields: which of them anybody reads.
//
// Looked at are the fields that a receive or a question about a channel compares, all fields of
// channels with sorted sends or, if there is a trace automaton, of all channels; those of which
// computing what is sent can fail, since it has to be computed; and what is stored in a variable
// whose value is wanted, which the caller knows. Channels are told apart by their types, where a
// chan variable can only hold those of one.
#ifndef GYRE_MODEL_PASSES_FIELDS_H
#define GYRE_MODEL_PASSES_FIELDS_H

#include "model/passes/passes.h"

typedef struct gy_fields gy_fields;

// With what is compared.
gy_fields *gy_fields_new(const gy_model *model, const gy_watched *watched);
void gy_fields_free(gy_fields *fields);

// A receiver needs this field of what is received from the channel. True if that is news.
bool gy_fields_want(gy_fields *fields, const gy_expr *chan, uint32_t field);
// Can a receiver need this field of what is sent to the channel?
bool gy_fields_wanted(const gy_fields *fields, const gy_expr *chan, uint32_t field);
// Sends 0 in the fields that nothing wants. Returns
// the number of fields of channel types that nothing wants, 0 if that changed nothing.
uint32_t gy_fields_clear(gy_fields *fields, gy_model *model);

#endif
