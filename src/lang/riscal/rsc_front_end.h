// RISCAL's shared systems as a front end (lang/front_end.h): reading, checking and lowering tied
// together.
#ifndef GYRE_LANG_RISCAL_RSC_FRONT_END_H
#define GYRE_LANG_RISCAL_RSC_FRONT_END_H

#include "lang/front_end.h"

extern const gy_front_end rsc_front_end;

#endif
