#include "cli/expectations.h"

#include "base/memory.h"
#include "base/text.h"
#include "verify/expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

static char *copy_words(const char *from, const char *to)
{
    while (to > from && strchr(" \t", to[-1]))
        to--;
    return strndup(from, (size_t)(to - from));
}

static bool is_verdict(const char *word)
{
    return !strcmp(word, "holds") || !strcmp(word, "violated") || !strcmp(word, "inconclusive") ||
           !strcmp(word, "error");
}

// What follows `gyre:` on a line, which is all of the text. False: it is no expectation.
static bool read_expectation(const char *text, gy_expectation *e)
{
    char words[2][128] = {{0}, {0}};
    const char *expect = strstr(text, "expect ");
    if (!expect)
        return false;
    bool with = !strncmp(text, "with ", 5);
    if (!with && expect != text)
        return false;
    int n = sscanf(expect + 7, "%127s %127s", words[0], words[1]);
    bool named = n == 2 && !is_verdict(words[0]) && is_verdict(words[1]);
    if (!named && !(n >= 1 && is_verdict(words[0])))
        return false;
    e->options = with ? copy_words(text + 5, expect) : strdup("");
    e->property = named ? strdup(words[0]) : NULL;
    e->verdict = strdup(named ? words[1] : words[0]);
    return true;
}

bool gy_expectations_read(const char *text, gy_expectations *list, uint32_t *bad)
{
    uint32_t line = 1;
    for (const char *end; *text; text = *end ? end + 1 : end, line++) {
        gy_expectation e = {.line = line};
        end = strchrnul(text, '\n');
        const char *mark = memmem(text, (size_t)(end - text), "gyre:", 5);
        if (!mark)
            continue;
        mark = skip_blanks(mark + 5);
        if (strncmp(mark, "expect", 6) != 0 && strncmp(mark, "with ", 5) != 0)
            continue;
        char *rest = strndup(mark, (size_t)(end - mark));
        bool good = read_expectation(rest, &e);
        free(rest);
        if (!good) {
            *bad = line;
            return false;
        }
        gy_vec_push(list, e);
    }
    if (!list->n) {
        gy_expectation e = {.options = strdup(""), .verdict = strdup("holds")};
        gy_vec_push(list, e);
    }
    return true;
}

void gy_expectations_free(gy_expectations *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->at[i].options);
        free(list->at[i].property);
        free(list->at[i].verdict);
    }
    gy_vec_free(list);
}

bool gy_expectation_options(gy_request *request, const char *options, gy_text *problem)
{
    char *copy = strdup(options), *rest = NULL;
    bool good = true;
    for (char *word = strtok_r(copy, " \t", &rest); word && good;) {
        char *next = strtok_r(NULL, " \t", &rest), *value = NULL;
        const char *name = word + 1 + (word[0] == '-' && word[1] == '-');
        if (word[0] != '-') {
            gy_text_printf(problem, "`%s` is not an option", word);
            good = false;
            break;
        }
        if ((word[1] == 'D' || word[1] == 'I') && word[2]) {
            char letter[2] = {word[1], '\0'};
            good = gy_request_put_by(request, GY_BY_COMMENT, letter, word + 2, problem);
        } else {
            if (next && next[0] != '-') {
                value = next;
                next = strtok_r(NULL, " \t", &rest);
            }
            good = gy_request_put_by(request, GY_BY_COMMENT, name, value, problem);
        }
        word = next;
    }
    free(copy);
    return good;
}

void gy_expectations_tell(gy_outcome *outcome, const gy_expectations *list, const char *options)
{
    gy_strings wanted = {.at = gy_alloc_zero((list->n + 1) * sizeof *wanted.at)};
    for (size_t i = 0; i < list->n; i++) {
        const gy_expectation *e = &list->at[i];
        gy_text text = {0};
        if (strcmp(e->options, options) != 0)
            continue;
        if (e->property)
            gy_text_printf(&text, "%s=", e->property);
        gy_text_add(&text, e->verdict);
        wanted.at[wanted.n++] = gy_text_take(&text);
    }
    gy_outcome_expect(outcome, &wanted);
    for (size_t i = 0; i < wanted.n; i++)
        free(wanted.at[i]);
    free(wanted.at);
}
