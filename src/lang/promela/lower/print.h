// Expressions and statements as text, in one line, as a reader would write them: the text
// of a step in a report or counterexample.
#ifndef GYRE_LANG_PROMELA_LOWER_PRINT_H
#define GYRE_LANG_PROMELA_LOWER_PRINT_H

#include "base/text.h"
#include "lang/promela/read/ast.h"

void pml_expr_text(const pml_expr *expr, gy_text *out);
void pml_ref_text(const pml_ref *ref, gy_text *out);
// As it was written, where that is known. Compound statements are named only (`if`, `do`, `atomic`
// …).
void pml_stmt_text(const pml_stmt *stmt, gy_text *out);
// In a normal form, however it was written.
void pml_stmt_normal_text(const pml_stmt *stmt, gy_text *out);

#endif
