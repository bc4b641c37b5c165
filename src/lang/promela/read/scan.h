// The scanner: cuts one text into preprocessing tokens. Knows nothing of macros.
//
// It removes comments and joined lines (backslash at the end of a line), and keeps white
// space only as flags. Punctuation is Promela's, not C's (`::`, `..`, `<>`); the C parts of
// a model are put together again from the spellings, so nothing is lost. Errors are left to
// the caller: an unclosed quote or comment is a flag.
// A scanner borrows its text, which must outlive every token: token texts point into it.
#ifndef GYRE_LANG_PROMELA_READ_SCAN_H
#define GYRE_LANG_PROMELA_READ_SCAN_H

#include "base/source.h"
#include "lang/promela/read/token.h"
#include "lang/promela/read/word.h"

typedef enum {
    PP_END,    // end of the text, of a directive's line or of a macro argument
    PP_NAME,   // text is interned: see pml_word_from_text
    PP_NUMBER, // C's idea of it: `1..n` and `2fi` are one number
    PP_CHAR,   // with its quotes
    PP_STRING, // with its quotes
    PP_PUNCT,
    PP_OTHER, // any other byte
    PP_PARAM, // only in macro bodies: parameter number `length`
} pp_kind;

enum { PP_P_HASHHASH = PML_P_COUNT };

enum {
    PP_SPACE = 1,      // white space before it
    PP_NEWLINE = 2,    // a line break before it (PP_SPACE is set too)
    PP_NO_EXPAND = 4,  // the name of a macro that must never be expanded here
    PP_UNCLOSED = 8,   // CHAR, STRING: the closing quote is missing
    PP_STRINGIZE = 16, // PARAM: `#` before it
    PP_PASTE = 32,     // macro body: `##` after it
    PP_JOINED = 64,    // a line break before it, but inside a comment or after a backslash
};

typedef struct pp_token {
    uint8_t kind, punct, flags;
    uint32_t length;
    gy_location place;
    const char *text;
} pp_token;

struct pp_splice {
    uint32_t offset;  // in the joined text
    uint32_t removed; // bytes that were removed up to here
};

typedef struct pp_scanner {
    const char *text, *at, *end; // *end is a NUL
    gy_location base;            // place of text[0]; 0: every token gets `fixed`
    gy_location fixed;
    const struct pp_splice *splices; // ends with offset UINT32_MAX; NULL: none
    size_t removed;
    bool joined;              // a joined line ended since a token with white space before it
    bool in_directive;        // a line break ends the text
    const char *open_comment; // the start of a comment that never ends, once met
    const char *no_dollar;    // no `$` before this is the start of a string
    pml_words *words;
} pp_scanner;

// A text that the scanner may read: joined lines need a copy, which *copy then owns.
void pp_scanner_init(pp_scanner *scanner, pml_words *words, const char *text, size_t bytes,
                     gy_location base, char **copy, struct pp_splice **splices);
pp_token pp_scan(pp_scanner *scanner);
// Where `at` stands in the file.
gy_location pp_scanner_place(const pp_scanner *scanner, const char *at);
// Skips spaces and comments but no line break; says whether anything was skipped.
bool pp_skip_blanks(pp_scanner *scanner);
// Skips the rest of the line, but not the line break; minds comments and quotes.
void pp_skip_line(pp_scanner *scanner);

#endif
