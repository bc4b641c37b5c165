// Loading: from a file to a finished MODEL and to a running system. Ties the front ends to
// the backends; the public gy_load, gy_load_text and gy_predicate live here.
#ifndef GYRE_LOAD_LOAD_H
#define GYRE_LOAD_LOAD_H

#include "base/diag.h"
#include "exec/system.h"
#include "model/model.h"

struct gy_reading; // lang/editor_parse.h

// Is it the name of one, by its ending?
bool gy_is_shared_object(const char *path);
// Reads a file, in the language that its name gives (front_ends.h), and runs the passes (layout,
// access). *diags receives all errors and warnings, always; the caller prints and frees it with
// gy_diags_free. Returns NULL if there were errors. The sources that the diagnostics point into
// live in the model; after a failure they live until gy_diags_free.
gy_model *gy_load_model(const char *path, const gy_load_options *options, gy_diags **diags);
gy_model *gy_load_model_text(const char *name, const char *text, size_t bytes,
                             const gy_load_options *options, gy_diags **diags);
// The text of the file of this name, for an editor in which it is still being written
// (lang/editor_parse.h): what it includes is looked for next to the file.
gy_model *gy_load_model_writing(const char *name, const char *text, size_t bytes,
                                const gy_load_options *options, const struct gy_reading *reading,
                                gy_diags **diags);
// A formula or predicate against the names of a loaded model; NULL, or 0, after reporting to
// *diags. A predicate has its number in the model and all copies of it (model/atoms.h).
gy_formula *gy_load_formula(gy_model *model, const char *text, gy_diags **diags);
gy_atom gy_load_predicate(gy_model *model, const char *text, gy_diags **diags);
// An expression as a process of template `tmpl` (GY_NONE: no process) could use it, with its own
// variables where the language has that.
gy_atom gy_load_expression(gy_model *model, int32_t tmpl, const char *text, gy_diags **diags);
// The same for a system without a MODEL that has names for truths of a state. Both live as long as
// the system.
gy_formula *gy_load_named_formula(gy_system *system, const char *text, gy_diags **diags);
gy_atom gy_load_named_predicate(gy_system *system, const char *text, gy_diags **diags);
// Of the model or, if that is NULL, of the system.
gy_atom gy_load_atom(gy_model *model, gy_system *system, const char *text, gy_diags **diags);

#endif
