// What a statement's assertions and constant tests say of it. `assert(false)` states that a
// location is never reached, and a test that is always false that a statement is not meant to be
// executed.
#ifndef GYRE_MODEL_ASSERTIONS_H
#define GYRE_MODEL_ASSERTIONS_H

#include "model/model.h"

// NULL is an empty program.
bool gy_program_only_fails(const gy_program *program);    // it begins with a test that is false
bool gy_program_asserts(const gy_program *program);       // something else than `assert(false)`
bool gy_program_asserts_false(const gy_program *program); // `assert(false)`

#endif
