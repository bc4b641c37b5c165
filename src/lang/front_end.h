// A front end: what turns the text of one language into MODEL. Each language is a directory of
// src/lang that gives one gy_front_end; the table of all is in src/load/front_ends.c.
//
// A front end fills a model that is new (gy_model_new) and keeps what it needs for later questions
// about names (its syntax tree, say) in model->syntax, allocated from model->arena. It reports
// every error to the diagnostics it is given, and nothing else. Calls for different models may
// overlap; those for one model may not.
#ifndef GYRE_LANG_FRONT_END_H
#define GYRE_LANG_FRONT_END_H

#include "base/diag.h"
#include "lang/editor_parse.h"
#include "model/model.h"

typedef struct gy_front_end_input {
    const char *name;                // of the file
    const char *text;                // NULL: what is in the file of that name
    size_t bytes;                    // of text
    const char *const *defines;      // "NAME" or "NAME=VALUE", NULL-terminated, or NULL
    const char *const *include_dirs; // NULL-terminated, or NULL
    const gy_reading *reading;       // NULL: files are as they are, and nothing is recorded
} gy_front_end_input;

typedef struct gy_front_end {
    const char *language;        // model->language: "promela"
    const char *title;           // what people call it: "Promela"
    const char *const *suffixes; // of its files: ".pml", NULL-terminated
    // A suffix that not only its files have, and whether a text is one of its; NULL: there is none.
    const char *shared_suffix;
    bool (*claims)(const char *text, size_t bytes);
    // Fills the model, but for what the passes add. False after errors.
    bool (*read)(gy_model *model, const gy_front_end_input *input, gy_diags *diags);
    // A formula, or a predicate over states, in the names of a model that `read` has filled.
    // NULL after reporting an error.
    gy_formula *(*formula)(gy_model *model, const char *text, gy_diags *diags);
    gy_expr *(*predicate)(gy_model *model, const char *text, gy_diags *diags);
    // An expression as it could be in a process of template `tmpl`, whose variables it may use;
    // GY_NONE: outside of all. NULL: this language has predicates only.
    gy_expr *(*expression)(gy_model *model, int32_t tmpl, const char *text, gy_diags *diags);
    // The model that `read` has filled, in the language `convert_to`; NULL: that is not possible.
    // False after reporting an error.
    bool (*convert)(gy_model *model, gy_diags *diags, gy_text *out);
    const char *convert_to;
    const char *stop_label; // at which processes may wait for ever, or NULL: there is none
    bool expands; // what is parsed may be made from the text: a place in it is no place in the file
    bool formats; // serve/format knows its tokens
} gy_front_end;

#endif
