// Reads a Promela text into tokens and shows them as one string, for test_preprocess.c and
// test_lexer.c. Spellings are separated by a space, line breaks that Spin would see are `|`.
#ifndef GYRE_TESTS_LEXING_H
#define GYRE_TESTS_LEXING_H

#include "lang/promela/read/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lexing {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    pml_tokens *stream;
};

static inline struct lexing lex_begin(const char *text, size_t bytes, const pml_define *defines,
                                      size_t define_count, const char *const *dirs)
{
    struct lexing l = {.arena = gy_arena_new(), .sources = gy_sources_new()};
    l.diags = gy_diags_new(l.sources);
    pml_input input = {"t.pml", text, bytes, defines, define_count, dirs, NULL};
    l.stream = pml_tokens_open(l.arena, l.sources, l.diags, &input);
    return l;
}

static inline struct lexing lex_begin_file(const char *path)
{
    struct lexing l = {.arena = gy_arena_new(), .sources = gy_sources_new()};
    l.diags = gy_diags_new(l.sources);
    l.stream = pml_tokens_open(l.arena, l.sources, l.diags, &(pml_input){.name = path});
    return l;
}

static inline void lex_end(struct lexing *l)
{
    pml_tokens_close(l->stream);
    gy_diags_free(l->diags);
    gy_sources_free(l->sources);
    gy_arena_free(l->arena);
}

static inline void lex_show(struct lexing *l, gy_text *out)
{
    for (pml_token t; l->stream && (t = pml_next(l->stream)).kind != PML_T_END;) {
        gy_text_add(out, out->n == 0 ? "" : t.newline_before ? " | " : " ");
        if (t.kind == PML_T_NUMBER)
            gy_text_printf(out, "%" PRId64, t.value);
        else if (t.kind == PML_T_STRING)
            gy_text_printf(out, "\"%s\"", t.text);
        else if (t.kind == PML_T_C_BLOCK)
            gy_text_printf(out, "<%s>", t.text);
        else if (t.kind == PML_T_BAD)
            gy_text_add(out, "BAD");
        else
            gy_text_add(out, t.text);
    }
}

// Each diagnostic as "line:column: error: message", on lines of their own.
static inline void lex_show_diags(const struct lexing *l, gy_text *out)
{
    static const char *const names[] = {"error", "warning", "note"};
    for (size_t i = 0; i < gy_diags_count(l->diags); i++) {
        const gy_diag *diag = gy_diags_at(l->diags, i);
        gy_location_info info = gy_location_user(l->sources, diag->place);
        gy_text_printf(out, "%s%u:%u: %s: %s", i ? "\n" : "", info.line, info.column,
                       names[diag->severity], diag->message);
    }
}

static inline void assert_lexed(const char *text, size_t bytes, const char *tokens,
                                const char *diags, const pml_define *defines, size_t define_count)
{
    struct lexing l = lex_begin(text, bytes, defines, define_count, NULL);
    gy_text shown = {0}, said = {0};
    lex_show(&l, &shown);
    lex_show_diags(&l, &said);
    if (tokens)
        assert_string_equal(gy_text_str(&shown), tokens);
    assert_string_equal(gy_text_str(&said), diags);
    gy_text_free(&shown);
    gy_text_free(&said);
    lex_end(&l);
}

// The text gives these tokens, and no complaint.
#define assert_tokens(text, tokens) assert_lexed((text), strlen(text), (tokens), "", NULL, 0)
// The text gives these complaints (and any tokens).
#define assert_says(text, diags) assert_lexed((text), strlen(text), NULL, (diags), NULL, 0)

#endif
