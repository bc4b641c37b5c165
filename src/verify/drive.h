// The driver: request -> plan -> outcome. See include/gyre/verify.h for what these are; this is for
// programs that read the model themselves and want to tell about it before a long search.
#ifndef GYRE_VERIFY_DRIVE_H
#define GYRE_VERIFY_DRIVE_H

#include "verify/request.h"
#include "verify/subject.h"

// gy_subject_read, for models that may be too much for Gyre: that is a complaint, too.
bool gy_subject_read_safely(gy_subject *subject, const gy_request *request,
                            gy_complaint *complaint);
// Verifies a subject that was read (gy_subject_read) and starts it; its diagnostics become those of
// the outcome. The subject stays the caller's. Never NULL.
gy_outcome *gy_verify_subject(const gy_request *request, gy_subject *subject);

#endif
