// Templates (.mdve): DVE with macros of m4, as parametrised models are written. For dve_front_end.c
// only.
#ifndef GYRE_LANG_DVE_DVE_TEMPLATE_H
#define GYRE_LANG_DVE_DVE_TEMPLATE_H

#include "base/diag.h"
#include "lang/dve/m4/m4.h"

typedef struct dve_template {
    const char *name; // of its file
    const char *text;
    size_t bytes;
    const char *const *defines; // "NAME" or "NAME=VALUE", NULL-terminated, or NULL
    const atomic_bool *stop;    // or NULL; see gy_reading
} dve_template;

// Expands a template; errors get their place in it, for which its text is added to the sources.
// These may be NULL. False after reporting to diags.
bool dve_expand(const dve_template *template, m4_output *out, gy_sources *sources, gy_diags *diags);
// Adds an expanded template to the sources, so that places in it are those of the template `name`.
uint32_t dve_add_expanded(gy_sources *sources, const char *name, const m4_output *expanded);

#endif
