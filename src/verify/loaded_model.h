// What is verified, simulated or examined: a model that was read, and the systems that run it.
//
// Owner: gy_loaded_model_free releases all of it, but what a request has lent.
#ifndef GYRE_VERIFY_LOADED_MODEL_H
#define GYRE_VERIFY_LOADED_MODEL_H

#include "base/diag.h"
#include "exec/native/native.h"
#include "model/passes/passes.h"
#include "verify/request.h"
#include "verify/user_error.h"

typedef struct gy_loaded_model {
    gy_model *model;             // the exact one; NULL for a foreign system
    gy_system *system;           // that is searched: of the exact model, or of its reduced form
    gy_system *exact;            // by gy_loaded_model_exact, or NULL
    gy_system *fair;             // by gy_loaded_model_fair, or NULL
    gy_saved saved;              // how the system differs from the model
    gy_diags *diags;             // what was found while reading; NULL for a foreign system
    const atomic_int *interrupt; // not 0: nothing is compiled any more
    bool lent_model, lent_system;
    bool lossy;  // messages to full channels are lost
    bool no_por; // partial-order reduction will not be asked for
} gy_loaded_model;

// Reads the model of the request. A foreign system is there at once. False: the diagnostics have
// errors or, without any, the complaint says.
bool gy_loaded_model_read(gy_loaded_model *subject, const gy_request *request,
                          gy_user_error *complaint);
// Makes subject->system, of the exact model. False: see the complaint.
bool gy_loaded_model_start(gy_loaded_model *subject, gy_native_mode mode, gy_user_error *complaint);
// The same, of its reduced form, for properties that read no more than `watched`.
bool gy_loaded_model_start_reduced(gy_loaded_model *subject, const gy_passes *passes,
                                   const gy_watched *watched, gy_native_mode mode,
                                   gy_user_error *complaint);
// The same, for looking only: nothing will run.
void gy_loaded_model_show(gy_loaded_model *subject);
// A system of the exact model, for running witnesses again; made on the first call. NULL: see the
// complaint.
gy_system *gy_loaded_model_exact(gy_loaded_model *subject, gy_user_error *complaint);
// The same, for searches under any fairness of processes, whatever `watched` says of it: the system
// that is searched if that will do, else one of another reduced form.
gy_system *gy_loaded_model_fair(gy_loaded_model *subject, const gy_passes *passes,
                                gy_watched watched, gy_user_error *complaint);
// A formula in the names of the model or, without one, of the system's predicates. NULL: the
// diagnostics, which the caller frees, tell why.
gy_formula *gy_loaded_model_formula(const gy_loaded_model *subject, const char *text,
                                    gy_diags **diags);
void gy_loaded_model_free(gy_loaded_model *subject);

#endif
