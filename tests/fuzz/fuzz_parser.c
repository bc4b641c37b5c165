// Fuzz target: any bytes as a Promela model, read and parsed.
//
//   clang -fsanitize=fuzzer,address,undefined … tests/fuzz/fuzz_parser.c … -o fuzz_parser
//   ./fuzz_parser -max_len=4096 -max_total_time=60 tests/fuzz/corpus
//
// Finds crashes, leaks, endless loops and broken invariants of the lexer, the preprocessor,
// the parser and the printing of diagnostics. The tree of an accepted model is walked by
// the printer. A formula after a line `%%` is parsed against the model.
#include "lang/promela/lower/print.h"
#include "lang/promela/read/ast.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_seq(const pml_seq *seq, gy_text *out)
{
    for (uint32_t i = 0; i < seq->n; i++) {
        const pml_stmt *s = seq->at[i];
        pml_stmt_text(s, out);
        gy_text_clear(out);
        for (uint32_t j = 0; j < s->option_count; j++)
            print_seq(&s->options[j], out);
        print_seq(&s->body, out);
        print_seq(&s->escape, out);
        if (s->kind == PML_S_GOTO && (!s->label || !s->label->stmt))
            abort();
        if (s->kind == PML_S_LABELLED && (!s->label || s->body.n != 1))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t model_size = size;
    char *formula = NULL;
    const char *cut = memmem(text, size, "\n%%\n", 4);
    if (cut) {
        model_size = (size_t)(cut - text);
        formula = strndup(cut + 4, size - model_size - 4);
    }
    gy_arena *arena = gy_arena_new();
    gy_sources *sources = gy_sources_new();
    gy_diags *diags = gy_diags_new(sources);
    gy_text out = {0};
    pml_input input = {.name = "fuzz", .text = text, .bytes = model_size};
    pml_tokens *tokens = pml_tokens_open(arena, sources, diags, &input);
    if (tokens) {
        pml_model *model = pml_parse(arena, tokens, sources, diags);
        if (gy_diags_errors(diags) == 0) {
            for (uint32_t i = 0; i < model->proc_count; i++)
                print_seq(&model->procs[i]->body, &out);
            for (uint32_t i = 0; i < model->ltl_count; i++)
                pml_expr_text(model->ltls[i].formula, &out);
            if (formula) {
                pml_expr *e = pml_parse_formula(model, formula);
                if (e)
                    pml_expr_text(e, &out);
            }
        }
        pml_tokens_close(tokens);
    }
    gy_diags_print(diags, &out, true);
    gy_text_free(&out);
    gy_diags_free(diags);
    gy_sources_free(sources);
    gy_arena_free(arena);
    free(formula);
    return 0;
}
