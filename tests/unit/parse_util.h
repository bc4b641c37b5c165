// For the tests of the parser: a text is parsed, the tree is written as text.
#ifndef GYRE_TESTS_PARSE_UTIL_H
#define GYRE_TESTS_PARSE_UTIL_H

#include "lang/promela/lower/print.h"
#include "lang/promela/read/ast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct parsed {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    pml_tokens *tokens;
    pml_model *model;
    gy_text text;
} parsed;

static inline parsed parse(const char *text)
{
    parsed p = {.arena = gy_arena_new(), .sources = gy_sources_new()};
    p.diags = gy_diags_new(p.sources);
    pml_input input = {.name = "t.pml", .text = text, .bytes = strlen(text)};
    p.tokens = pml_tokens_open(p.arena, p.sources, p.diags, &input);
    assert_non_null(p.tokens);
    p.model = pml_parse(p.arena, p.tokens, p.sources, p.diags);
    return p;
}

static inline void release(parsed *p)
{
    pml_tokens_close(p->tokens);
    gy_text_free(&p->text);
    gy_diags_free(p->diags);
    gy_sources_free(p->sources);
    gy_arena_free(p->arena);
}

// The first diagnostic of that severity whose message contains `part`.
static inline const gy_diag *find_diag(const parsed *p, gy_severity severity, const char *part)
{
    for (size_t i = 0; i < gy_diags_count(p->diags); i++) {
        const gy_diag *d = gy_diags_at(p->diags, i);
        if (d->severity == severity && strstr(d->message, part))
            return d;
    }
    return NULL;
}

static inline void write_seq(const pml_seq *seq, gy_text *out);

// One line: blocks in braces, steps separated by `; `, INIT steps marked.
static inline void write_stmt(const pml_stmt *s, gy_text *out)
{
    switch (s->kind) {
    case PML_S_LABELLED:
        gy_text_printf(out, "%s: ", s->label_name);
        write_stmt(s->body.at[0], out);
        return;
    case PML_S_INIT:
        gy_text_add(out, "INIT ");
        pml_stmt_normal_text(s, out);
        return;
    case PML_S_IF:
    case PML_S_DO:
        pml_stmt_normal_text(s, out);
        for (uint32_t i = 0; i < s->option_count; i++) {
            gy_text_add(out, " :: ");
            write_seq(&s->options[i], out);
        }
        gy_text_add(out, s->kind == PML_S_IF ? " fi" : " od");
        return;
    case PML_S_UNLESS:
        write_seq(&s->body, out);
        gy_text_add(out, " unless ");
        write_seq(&s->escape, out);
        return;
    case PML_S_D_STEP: // its own text shows the first statement only
        gy_text_add(out, "d_step { ");
        write_seq(&s->body, out);
        gy_text_add(out, " }");
        return;
    case PML_S_BLOCK:
        gy_text_add(out, "{ ");
        write_seq(&s->body, out);
        gy_text_add(out, " }");
        return;
    default:
        pml_stmt_normal_text(s, out);
        if (s->body.n) {
            gy_text_add(out, " { ");
            write_seq(&s->body, out);
            gy_text_add(out, " }");
        }
    }
}

static inline void write_seq(const pml_seq *seq, gy_text *out)
{
    for (uint32_t i = 0; i < seq->n; i++) {
        if (i)
            gy_text_add(out, "; ");
        write_stmt(seq->at[i], out);
    }
}

static inline void expect_accepted(const parsed *p)
{
    if (gy_diags_errors(p->diags) == 0)
        return;
    gy_text out = {0};
    gy_diags_print(p->diags, &out, false);
    fprintf(stderr, "%s", gy_text_str(&out));
    gy_text_free(&out);
    fail_msg("the model was rejected");
}

// The body of the last process of an accepted model.
static inline const char *body_of(parsed *p)
{
    expect_accepted(p);
    gy_text_clear(&p->text);
    write_seq(&p->model->procs[p->model->proc_count - 1]->body, &p->text);
    return gy_text_str(&p->text);
}

// `body` inside of init, after some declarations, reads as `expected`.
static inline void reads_as(const char *declarations, const char *body, const char *expected)
{
    gy_text text = {0};
    gy_text_printf(&text, "%s\ninit { %s }\n", declarations, body);
    parsed p = parse(gy_text_str(&text));
    gy_text_free(&text);
    assert_string_equal(body_of(&p), expected);
    release(&p);
}

#endif
