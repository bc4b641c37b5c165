// What is verified, simulated or looked at: a model that was read, and the systems that run it.
//
// Owner: gy_subject_free releases all of it, but what a request has lent.
#ifndef GYRE_VERIFY_SUBJECT_H
#define GYRE_VERIFY_SUBJECT_H

#include "base/diag.h"
#include "exec/native/native.h"
#include "model/passes/passes.h"
#include "verify/complaint.h"
#include "verify/request.h"

typedef struct gy_subject {
    gy_model *model;             // the exact one; NULL for a foreign system
    gy_system *system;           // that is searched: of the exact model, or of its reduced form
    gy_system *exact;            // by gy_subject_exact, or NULL
    gy_system *fair;             // by gy_subject_fair, or NULL
    gy_saved saved;              // how the system differs from the model
    gy_diags *diags;             // what was found while reading; NULL for a foreign system
    const atomic_int *interrupt; // not 0: nothing is compiled any more
    bool lent_model, lent_system;
    bool lossy;  // messages to full channels are lost
    bool no_por; // partial-order reduction will not be asked for
} gy_subject;

// Reads the model of the request. A foreign system is there at once. False: the diagnostics have
// errors or, without any, the complaint tells.
bool gy_subject_read(gy_subject *subject, const gy_request *request, gy_complaint *complaint);
// Makes subject->system, of the exact model. False: see the complaint.
bool gy_subject_start(gy_subject *subject, gy_native_mode mode, gy_complaint *complaint);
// The same, of its reduced form, for properties that look at no more than `watched`.
bool gy_subject_start_reduced(gy_subject *subject, const gy_passes *passes,
                              const gy_watched *watched, gy_native_mode mode,
                              gy_complaint *complaint);
// The same, for looking only: nothing will run.
void gy_subject_show(gy_subject *subject);
// A system of the exact model, for running witnesses again; made on the first call. NULL: see the
// complaint.
gy_system *gy_subject_exact(gy_subject *subject, gy_complaint *complaint);
// The same, for searches under any fairness of processes, whatever `watched` says of it: the system
// that is searched if that will do, else one of another reduced form.
gy_system *gy_subject_fair(gy_subject *subject, const gy_passes *passes, gy_watched watched,
                           gy_complaint *complaint);
void gy_subject_free(gy_subject *subject);

#endif
