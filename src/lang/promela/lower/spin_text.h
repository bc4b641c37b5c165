// Statements as Spin prints them: every operation in parentheses, `skip` as (1), strings in single
// quotes. For its users' eyes and for the scripts that read its output (model/spin_numbers.h).
#ifndef GYRE_LANG_PROMELA_LOWER_SPIN_TEXT_H
#define GYRE_LANG_PROMELA_LOWER_SPIN_TEXT_H

#include "base/text.h"
#include "lang/promela/read/ast.h"

void pml_spin_text(const pml_model *model, const pml_stmt *stmt, gy_text *out);
void pml_spin_expr(const pml_model *model, const pml_expr *expr, gy_text *out);
// The number in `c_code3`, Spin's name of a piece of C.
unsigned pml_c_number(const pml_model *model, const pml_c_block *block);

#endif
