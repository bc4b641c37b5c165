// Fuzz target: any bytes as the text of a model, for the comments that say what is expected of it.
//
// Aborts where an expectation is none of its line, or where a comment sets what only the user may:
// files to read or write, programs, embedded C.
#include "cli/expectations.c" // the library has nothing of the command line

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Is the word in that line of the text?
static bool is_in(const char *text, uint32_t line, const char *word)
{
    while (--line && text)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    return text && memmem(text, strcspn(text, "\n"), word, strlen(word));
}

static void check(const char *text, const gy_expectation *e)
{
    static const char *const verdicts[] = {"holds", "violated", "inconclusive", "error"};
    bool known = false;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        known = known || !strcmp(e->verdict, verdicts[i]);
    if (!known)
        abort();
    if (e->line &&
        (!is_in(text, e->line, "gyre:") || !is_in(text, e->line, e->verdict) ||
         !is_in(text, e->line, e->options) || (e->property && !is_in(text, e->line, e->property))))
        abort();
}

static void set(const gy_expectation *e)
{
    gy_request *request = gy_request_new(), *plain = gy_request_new();
    gy_text problem = {0};
    bool good = gy_expectation_options(request, e->options, &problem);
    if (good != (problem.n == 0))
        abort();
    if (request->trail || request->checkpoint || request->resume || request->disk ||
        request->states_file || request->path || request->text || request->no_c < plain->no_c)
        abort();
    gy_text_free(&problem);
    gy_request_free(request);
    gy_request_free(plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);
    gy_expectations list = {0};
    uint32_t bad = 0;
    if (gy_expectations_read(text, &list, &bad)) {
        for (size_t i = 0; i < list.n; i++) {
            check(text, &list.at[i]);
            set(&list.at[i]);
        }
    } else if (!is_in(text, bad, "gyre:")) {
        abort();
    }
    gy_expectations_free(&list);
    free(text);
    return 0;
}
