// A verification that was asked for as one asks pan: what was done, for pan_report.c to print.
#ifndef GYRE_SPIN_PAN_RUN_H
#define GYRE_SPIN_PAN_RUN_H

#include "spin/pan_options.h"
#include "verify/stages.h"

// The version of Spin whose command line and output this is.
#define GY_SPIN_VERSION "Spin Version 6.5.2 -- by Gyre " GY_VERSION

typedef struct gy_pan_error {
    const gy_counterexample *counterexample;
    long long depth; // as pan counts it; -1: in the first state
    char *trail;     // the file that was written, or NULL
} gy_pan_error;

typedef struct gy_pan_run {
    const gy_pan *pan;
    gy_request *request;
    gy_loaded_model subject;
    gy_outcome *outcome;
    const char *claim;           // that is verified, or NULL
    bool claim_is_ltl;           // else a never claim
    bool claim_unused;           // there is one, and it was not to be used
    bool by_acceptance;          // accept labels of the model are examined
    GY_VEC(gy_pan_error) errors; // those that are reported
    unsigned long long error_count;
    unsigned long long errors_so_far; // while there are searches under way
    bool enough;                      // these are as many as were wanted
    const gy_figures *figures;        // of the search that is reported; may be NULL
    bool complete;
    unsigned vector_bytes;
} gy_pan_run;

// Verifies, writes trails and prints pan's report. The exit status is pan's: 0, or 1 if there was
// nothing to verify.
int gy_pan_verify(const gy_pan *pan);
// Reads the model; what is wrong is printed in Spin's words. Free the subject in any case.
bool gy_pan_read(const gy_pan *pan, gy_request *request, gy_loaded_model *subject);
// How many claims a model has, formulas and never claims.
unsigned gy_pan_claims(const gy_model *model);
// What Spin says about a model that it makes a verifier of.
void gy_pan_tell_claims(const gy_pan *pan, gy_model *model);
// Where pan says that a state is: at the first statement that can be executed there.
gy_location gy_pan_place(const gy_model *model, const gy_node *node);
// The statement of an edge as pan prints it (pan_table.c): D_STEP20 for one that begins in line 20.
void gy_pan_statement(const gy_model *model, int32_t edge, gy_text *out);
// Renames, numbers and reads the trails of all errors (pan_trail.c). False: it complained.
bool gy_pan_write_trails(gy_pan_run *run);
// pan_report.c
void gy_pan_report(const gy_pan_run *run, gy_text *out);
// "spin: model.pml:3, Error: …" for each; on standard output, as Spin has it.
void gy_spin_diagnostics(const gy_diags *diags, gy_text *out);

#endif
