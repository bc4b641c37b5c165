// The languages that can be loaded: a table with one row per front end. Read-only.
#ifndef GYRE_LOAD_FRONT_ENDS_H
#define GYRE_LOAD_FRONT_ENDS_H

#include "lang/front_end.h"

// By the suffix of the file's name; a name that no front end knows is Promela.
const gy_front_end *gy_front_end_for(const char *name);
// That of this language, or NULL.
const gy_front_end *gy_front_end_named(const char *language);

#endif
