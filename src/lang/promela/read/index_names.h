// What the parser adds to the record of names (lang/common/names.h). Each call does nothing unless
// a caller asks for the record: p->noted.
#ifndef GYRE_LANG_PROMELA_READ_INDEX_NAMES_H
#define GYRE_LANG_PROMELA_READ_INDEX_NAMES_H

#include "lang/common/names.h"
#include "lang/promela/read/parser.h"

void pml_note_variable(pml_parser *p, const pml_var *var, const pml_typedef *record,
                       uint32_t length);
// A reference to one: a token of its name.
void pml_note_reference(pml_parser *p, const pml_var *var, gy_location place, uint32_t length);
// The variables of a reference are written to, sent to …
void pml_note_role(pml_parser *p, const pml_ref *ref, gy_name_role role);
// A word that means the same wherever it is: a type, a constant, a proctype, an inline.
void pml_note_word(pml_parser *p, const pml_token *token);
void pml_note_type(pml_parser *p, const pml_typedef *record, uint32_t length);
void pml_note_constant(pml_parser *p, const pml_mtype_name *constant, uint32_t length);
// At its name, and again when its parameters are known.
void pml_note_process(pml_parser *p, const pml_proc *proc, uint32_t length);
void pml_note_parameters(pml_parser *p, const pml_proc *proc);
void pml_note_process_end(pml_parser *p);
void pml_note_run(pml_parser *p, const pml_run_use *use);
void pml_note_inline(pml_parser *p, const pml_inline *def, uint32_t length);
void pml_note_call(pml_parser *p, const pml_inline *def, const pml_actual *actuals);
void pml_note_label(pml_parser *p, const pml_label *label);
void pml_note_goto(pml_parser *p, const pml_label *label, gy_location place);
void pml_note_formula(pml_parser *p, const pml_token *name);
void pml_note_message(pml_parser *p, const pml_message_use *use, const pml_chan_init *chan);
// At the end: what is written in inlines that nothing calls.
void pml_note_uncalled(pml_parser *p);

#endif
