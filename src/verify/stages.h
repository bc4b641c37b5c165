// The driver: request -> plan -> outcome. See include/gyre/verify.h for what these are; this is for
// programs that read the model themselves and want to report about it before a long search.
#ifndef GYRE_VERIFY_STAGES_H
#define GYRE_VERIFY_STAGES_H

#include "verify/loaded_model.h"
#include "verify/request.h"

// gy_loaded_model_read, for models that may be too much for Gyre: that is a complaint, too.
bool gy_loaded_model_read_safely(gy_loaded_model *subject, const gy_request *request,
                                 gy_user_error *complaint);
// Verifies a subject that was read (gy_loaded_model_read) and starts it; its diagnostics become
// those of the outcome. The subject stays the caller's. Never NULL.
gy_outcome *gy_verify_subject(const gy_request *request, gy_loaded_model *subject);

#endif
