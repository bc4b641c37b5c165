// Fuzz target: any bytes as a Promela text, formatted in each style.
//
// Finds crashes and broken promises of the formatter: what it gives out has the same characters but
// for white space, formatting it again changes nothing, and the edits between the two texts make
// the one of the other.
#include "base/vec.h"
#include "serve/format/format.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool format(const char *text, size_t bytes, gy_format_style style, gy_text *out)
{
    gy_sources *sources = gy_sources_new();
    gy_diags *diags = gy_diags_new(sources);
    gy_format_input input = {.name = "fuzz.pml", .text = text, .bytes = bytes, .style = style};
    bool good = gy_format(sources, diags, &input, out);
    if (good != (gy_diags_errors(diags) == 0) || (!good && out->n > 0))
        abort();
    gy_diags_free(diags);
    gy_sources_free(sources);
    return good;
}

static bool is_white(char c)
{
    return memchr(" \t\r\n\f\v", c, 6) != NULL;
}

static void compare_marks(const char *a, size_t n, const char *b, size_t m)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < n && is_white(a[i]))
            i++;
        while (k < m && is_white(b[k]))
            k++;
        if (i == n && k == m)
            return;
        if (i == n || k == m || a[i++] != b[k++])
            abort();
    }
}

// Line `number` of the text, or its end.
static const char *line_at(const char *text, size_t bytes, size_t number)
{
    const char *at = text, *end = text + bytes;
    while (number-- > 0) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        at = eol ? eol + 1 : end;
    }
    return at;
}

static void apply_edits(const char *text, size_t bytes, const gy_text *formatted)
{
    gy_format_edit *edits;
    gy_text result = {0};
    const char *from = text;
    size_t n = gy_format_edits(text, bytes, formatted, 0, SIZE_MAX, &edits);
    for (size_t i = 0; i < n; i++) {
        const char *start = line_at(text, bytes, edits[i].first_line);
        gy_text_bytes(&result, from, (size_t)(start - from));
        gy_text_bytes(&result, formatted->at + edits[i].at, edits[i].bytes);
        from = line_at(text, bytes, edits[i].end_line);
    }
    gy_text_bytes(&result, from, (size_t)(text + bytes - from));
    if (result.n != formatted->n || memcmp(gy_text_str(&result), gy_text_str(formatted), result.n))
        abort();
    gy_text_free(&result);
    free(edits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const gy_format_style styles[] = {{0, false}, {2, false}, {0, true}};
    char *text = memcpy(gy_alloc(size + 1), data, size);
    text[size] = '\0';
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        gy_text once = {0}, twice = {0};
        if (format(text, size, styles[i], &once)) {
            compare_marks(text, size, gy_text_str(&once), once.n);
            apply_edits(text, size, &once);
            if (!format(gy_text_str(&once), once.n, styles[i], &twice) || once.n != twice.n ||
                memcmp(gy_text_str(&once), gy_text_str(&twice), once.n) != 0)
                abort();
        }
        gy_text_free(&once);
        gy_text_free(&twice);
    }
    free(text);
    return 0;
}
