// Expands standard input as Gyre's m4 does, for comparison with another one:
//
//     m4_tool [--dve] [NAME[=VALUE] ...] < TEMPLATE
//
// --dve: with the comments of DVE. Ends with 1 and a line that says why if that fails. With
// `--marks` first, prints for each line of the output the line of the template that it comes from
// instead.
#include "lang/dve/m4/m4.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_input(gy_text *text)
{
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, stdin)) > 0;)
        gy_text_bytes(text, piece, n);
}

static void print_marks(const m4_output *out)
{
    unsigned line = 1;
    size_t mark = 0;
    for (size_t at = 0; at < out->text.n; line++) {
        while (mark < out->marks.n && out->marks.at[mark].offset <= at)
            line = out->marks.at[mark++].line;
        printf("%u\n", line);
        const char *end = memchr(out->text.at + at, '\n', out->text.n - at);
        at = end ? (size_t)(end - out->text.at) + 1 : out->text.n;
    }
}

int main(int argc, char **argv)
{
    gy_text text = {0};
    m4_output out = {0};
    m4_problem problem = {0};
    bool marks = argc > 1 && strcmp(argv[1], "--marks") == 0;
    argv += marks;
    bool dve = argv[1] && strcmp(argv[1], "--dve") == 0;
    read_input(&text);
    m4_request request = {
        .comment = dve ? "//" : NULL,
        .defines = (const char *const *)argv + 1 + dve,
        .text = gy_text_str(&text),
        .bytes = text.n,
    };
    bool good = m4_expand(&request, &out, &problem);
    if (good && marks)
        print_marks(&out);
    else if (good)
        fwrite(gy_text_str(&out.text), 1, out.text.n, stdout);
    else
        fprintf(stderr, "%u: %s\n", problem.line, gy_text_str(&problem.message));
    m4_output_free(&out);
    m4_problem_free(&problem);
    gy_text_free(&text);
    return !good;
}
