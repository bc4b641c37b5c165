// DVE as a front end (lang/front_end.h): reading and lowering tied together, and m4 for templates.
#ifndef GYRE_LANG_DVE_DVE_FRONT_END_H
#define GYRE_LANG_DVE_DVE_FRONT_END_H

#include "lang/front_end.h"

extern const gy_front_end dve_front_end;

#endif
