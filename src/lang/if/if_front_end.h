// IF, the Interchange Format of Verimag: its part without time. docs/if.md says what it means.
#ifndef GYRE_LANG_IF_IF_FRONT_END_H
#define GYRE_LANG_IF_IF_FRONT_END_H

#include "lang/front_end.h"

extern const gy_front_end if_front_end;

#endif
