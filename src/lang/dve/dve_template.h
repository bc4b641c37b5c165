// Templates (.mdve): DVE with macros for m4, as parametrised models are written. For
// dve_front_end.c only.
#ifndef GYRE_LANG_DVE_DVE_TEMPLATE_H
#define GYRE_LANG_DVE_DVE_TEMPLATE_H

#include "base/diag.h"
#include "base/text.h"

// Runs m4 over a template; `defines` are "NAME" or "NAME=VALUE", NULL-terminated, or NULL. Adds to
// `out` what came, with #line marks of m4's. False after reporting to diags.
bool dve_expand(const char *text, size_t bytes, const char *const *defines, gy_text *out,
                gy_diags *diags);
// Adds an expanded template to the sources, so that places in it are those of the template `name`.
uint32_t dve_add_expanded(gy_sources *sources, const char *name, const gy_text *expanded);

#endif
