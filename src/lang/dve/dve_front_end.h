// DVE as a front end (lang/front_end.h): reading and lowering tied together, and templates.
#ifndef GYRE_LANG_DVE_DVE_FRONT_END_H
#define GYRE_LANG_DVE_DVE_FRONT_END_H

#include "lang/front_end.h"

#include "base/diag.h"
#include "base/text.h"

extern const gy_front_end dve_front_end;

// What an expression becomes that follows the text of a template, where the macros of the
// template are known. False after reporting to diags.
bool gy_dve_expand_behind(const char *text, size_t bytes, const char *expression,
                          const char *const *defines, gy_text *out, gy_diags *diags);

#endif
