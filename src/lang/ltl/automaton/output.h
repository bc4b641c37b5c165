// Automata as text: never claims, HOA and DOT.
//
// All append to `out`. The title is the formula as the user wrote it; it may be NULL. Labels
// are printed as irredundant sums of products.
#ifndef GYRE_LANG_LTL_AUTOMATON_OUTPUT_H
#define GYRE_LANG_LTL_AUTOMATON_OUTPUT_H

#include "lang/ltl/automaton/translate.h"

typedef enum {
    GY_LABEL_PROMELA, // (x == 1) && !p || q; true is 1
    GY_LABEL_PLAIN,   // "x == 1" & !p | q; true is t
    GY_LABEL_NUMBERS, // 0&!1 | 2: variables by `number`
} gy_label_style;

// `number` maps variables to what is printed for NUMBERS; may be NULL.
void gy_label_print(gy_ltl_context *context, gy_bdd label, gy_label_style style,
                    const uint32_t *number, gy_text *out);

// A claim that Spin accepts. The automaton must be state-based (gy_ltl_translate_buchi).
void gy_automaton_print_never(gy_ltl_context *context, const gy_automaton *a, const char *title,
                              gy_text *out);
// For each edge of the automaton, the position of its guard among the statements of that claim,
// as Spin's parser makes them: numbers[0 .. edge_count-1].
void gy_automaton_number_never(const gy_automaton *a, uint32_t *numbers);
// Hanoi Omega Automata format, version 1.
void gy_automaton_print_hoa(gy_ltl_context *context, const gy_automaton *a, const char *title,
                            gy_text *out);
void gy_automaton_print_dot(gy_ltl_context *context, const gy_automaton *a, const char *title,
                            gy_text *out);

#endif
