// Promela as a front end (lang/front_end.h): reading and lowering tied together.
#ifndef GYRE_LANG_PROMELA_FRONT_END_H
#define GYRE_LANG_PROMELA_FRONT_END_H

#include "lang/front_end.h"

extern const gy_front_end pml_front_end;

// The syntax tree that a model was lowered from; NULL: it is in another language.
struct pml_model *pml_syntax_of(const gy_model *model);

#endif
