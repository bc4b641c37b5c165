// The languages that can be loaded: a table with one row per front end. Read-only.
#ifndef GYRE_LOAD_FRONT_ENDS_H
#define GYRE_LOAD_FRONT_ENDS_H

#include "lang/front_end.h"

// By the suffix of the file's name and, where other files have it too, by what is in the file
// (`text`, or NULL: in the file of that name). NULL: no front end claims it.
const gy_front_end *gy_front_end_claiming(const char *name, const char *text, size_t bytes);
// The same; what no front end claims is Promela.
const gy_front_end *gy_front_end_for(const char *name, const char *text, size_t bytes);
// That of this language, or NULL.
const gy_front_end *gy_front_end_named(const char *language);
// Is it the name of a file that some front end reads, whatever may be in it?
bool gy_front_end_may_read(const char *name);
// What people call the languages of which `can` is true: "Promela, DVE".
void gy_front_ends_that(bool (*can)(const gy_front_end *), gy_text *out);
// The suffixes of all files that are models for sure, without their dots and with spaces between.
void gy_front_end_suffixes(gy_text *out);

#endif
