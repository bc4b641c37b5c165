// Words and notations of other languages: what they are in Promela.
//
// A type that is none (`float x`) is reported once and taken for `int`, so that nothing else
// follows from it. Everything else is a hint for an error that is reported anyway.
#include "lang/promela/read/parser.h"

#include <strings.h>

typedef struct foreign_word {
    const char *word, *hint;
} foreign_word;

static const char *hint_for(const foreign_word *words, size_t count, const char *text)
{
    for (size_t i = 0; text && i < count; i++)
        if (!strcmp(words[i].word, text))
            return words[i].hint;
    return NULL;
}

// ---- types --------------------------------------------------------------------------

#define INTEGERS "the integers are bit, byte, short and int, and `unsigned x : BITS`"
#define REALS "there are no fractions: " INTEGERS
#define STRINGS "there are no strings: the names of an `mtype = { ... }` stand for words"

static const foreign_word types[] = {
    {"float", REALS},           {"double", REALS},     {"real", REALS},
    {"string", STRINGS},        {"String", STRINGS},   {"char", INTEGERS},
    {"long", INTEGERS},         {"integer", INTEGERS}, {"uint", INTEGERS},
    {"uint8_t", INTEGERS},      {"int8_t", INTEGERS},  {"uint16_t", INTEGERS},
    {"int16_t", INTEGERS},      {"int32_t", INTEGERS}, {"nat", INTEGERS},
    {"boolean", "write `bool`"}};

bool pml_take_foreign_type(pml_parser *p)
{
    const pml_token *t = pml_look(p);
    const char *hint = t->kind == PML_T_NAME && pml_classify(p, t) == PML_C_NAME && !p->panic
                           ? hint_for(types, sizeof types / sizeof *types, t->text)
                           : NULL;
    if (!hint)
        return false;
    gy_hint(pml_error_at(p, t, "unknown type `%s`", t->text), "%s", hint);
    p->no_strings |= !strcasecmp(t->text, "string");
    p->look.kind = PML_T_INT;
    return true;
}

bool pml_is_foreign_declaration(pml_parser *p, const pml_token *first)
{
    return pml_look(p)->kind == PML_T_NAME && !p->panic &&
           hint_for(types, sizeof types / sizeof *types, first->text);
}

// ---- units --------------------------------------------------------------------------

void pml_hint_unit(gy_diag *d, const char *text)
{
#define PROCESS "a process is `active proctype NAME() { ... }`"
    static const foreign_word words[] = {
        {"main", "what runs first is `init { ... }`"},
        {"process", PROCESS},
        {"thread", PROCESS},
        {"task", PROCESS},
        {"agent", PROCESS},
        {"module", PROCESS},
        {"void", PROCESS ", and text to be used several times `inline NAME(...) { ... }`"},
        {"function", "text to be used several times is `inline NAME(...) { ... }`"},
        {"func", "text to be used several times is `inline NAME(...) { ... }`"},
        {"def", "text to be used several times is `inline NAME(...) { ... }`"},
        {"struct", "a structure is `typedef NAME { ... }`"},
        {"enum", "names for values are `mtype = { ... }`"},
        {"const", "a constant is `#define NAME value`"},
        {"var", "a declaration begins with a type: `int x`"},
        {"let", "a declaration begins with a type: `int x`"},
        {"import", "write `#include \"FILE\"`"},
        {"include", "write `#include \"FILE\"`"},
        {"define", "write `#define NAME value`"},
        {"invariant", "write `ltl { [] (CONDITION) }`"},
        {"property", "write `ltl NAME { FORMULA }`"},
    };
    const char *hint = hint_for(words, sizeof words / sizeof *words, text);
    if (hint)
        gy_hint(d, "%s", hint);
}

// ---- calls --------------------------------------------------------------------------

const char *pml_call_meant(const char *text)
{
#define PRINTED "text is printed by `printf(\"x = %d\\n\", x)`"
#define CLOCK                                                                                      \
    "there is no clock: wait for a condition, or for `timeout`, when no other process is enabled"
    static const foreign_word words[] = {
        {"print", PRINTED},
        {"println", PRINTED},
        {"puts", PRINTED},
        {"echo", PRINTED},
        {"write", PRINTED},
        {"log", PRINTED},
        {"sleep", CLOCK},
        {"delay", CLOCK},
        {"wait", "to wait for a condition, write it as a statement: `(x == 1)`"},
        {"await", "to wait for a condition, write it as a statement: `(x == 1)`"},
        {"random", "any value of a range is `select(x : 1 .. 6)`"},
        {"rand", "any value of a range is `select(x : 1 .. 6)`"},
        {"exit", "a process ends where its body ends: use `goto`"},
    };
    return hint_for(words, sizeof words / sizeof *words, text);
}

// ---- statements ---------------------------------------------------------------------

// After a statement is what does not go on with it.
void pml_hint_behind(pml_parser *p, gy_diag *d, const pml_token *t)
{
    const pml_builder *sequence = p->sequence;
    const pml_stmt *last = sequence && sequence->n ? sequence->at[sequence->n - 1] : NULL;
    while (last && last->kind == PML_S_LABELLED)
        last = last->body.at[0];
    if (!d || !last)
        return;
    if (pml_is(t, PML_P_LPAREN) && last->kind == PML_S_EXPR && last->expr->kind == PML_X_TIMEOUT)
        gy_hint(d, "`timeout` takes no time: it can be executed when nothing else can");
    else if ((pml_is(t, PML_P_INCR) || pml_is(t, PML_P_DECR)) && last->kind == PML_S_ASSIGN)
        gy_hint(d, "`%s` makes a statement of its own: write `y = x; x%s`",
                pml_punct_spelling(t->punct), pml_punct_spelling(t->punct));
    else if (pml_is(t, PML_P_RCV) && (last->kind == PML_S_ASSIGN || last->kind == PML_S_EXPR))
        gy_hint(d, "a conditional value is `(condition -> value : value)`");
}

// ---- formulas -----------------------------------------------------------------------

const char *pml_branching_operator(const char *text)
{
    static const foreign_word words[] = {
        {"AG", "on all runs, `AG p` is `[] p`"},
        {"AF", "on all runs, `AF p` is `<> p`"},
        {"AX", "on all runs, `AX p` is `X p`"},
        {"EF", "`EF p` is so if `[] !p` is violated: the counterexample is a run to p"},
        {"EG", "`EG p` is so if `<> !p` is violated"},
        {"EX", "`EX p` is so if `X !p` is violated"},
    };
    return hint_for(words, sizeof words / sizeof *words, text);
}
