// Fuzz target: any bytes as a template for m4; a line `%%` ends it, and what follows is a
// definition (NAME=VALUE). Aborts where the lines of the output are none of the template's, or out
// of order.
#include "lang/dve/m4/m4.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const m4_output *out, const char *text, size_t bytes)
{
    uint32_t lines = 1;
    size_t before = 0;
    for (size_t i = 0; i < bytes; i++)
        lines += text[i] == '\n';
    for (size_t i = 0; i < out->marks.n; i++) {
        if (out->marks.at[i].offset < before || out->marks.at[i].offset > out->text.n ||
            out->marks.at[i].line < 1 || out->marks.at[i].line > lines)
            abort();
        before = out->marks.at[i].offset;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *cut = memmem(text, size, "\n%%\n", 4);
    size_t bytes = cut ? (size_t)(cut - text) : size;
    char *define = cut ? strndup(cut + 4, size - bytes - 4) : NULL;
    const char *const defines[] = {define, NULL};
    m4_request request = {
        .comment = size % 2 ? "//" : NULL,
        .defines = defines,
        .text = text,
        .bytes = bytes,
        .most_steps = 200000,
        .most_bytes = 100000,
    };
    m4_output out = {0};
    m4_problem problem = {0};
    bool good = m4_expand(&request, &out, &problem);
    if (good != (problem.message.n == 0))
        abort();
    if (good)
        check(&out, text, bytes);
    m4_output_free(&out);
    m4_problem_free(&problem);
    free(define);
    return 0;
}
