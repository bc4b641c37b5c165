// The user's own text of a part of a formula, from the source.
//
// A part spans from its first operand to its last. The span is taken if it has the same characters
// as the normal text, but for blanks and parentheses: so it is the part, and all of it.
#include "lang/promela/lower/lower_internal.h"
#include "lang/promela/lower/print.h"

#include <ctype.h>

enum { LONGEST = 400 }; // of longer parts, their own parts are told

typedef struct span {
    const char *text;
    size_t bytes, begin, end;
} span;

static const pml_expr *first_of(const pml_expr *expr)
{
    while (expr->a && expr->b && expr->place == expr->a->place)
        expr = expr->a;
    return expr;
}

static const pml_expr *last_of(const pml_expr *expr)
{
    while (expr->a && expr->kind != PML_X_COND)
        expr = expr->b ? expr->b : expr->a;
    return expr;
}

static bool find_span(const gy_sources *sources, const pml_expr *expr, span *s)
{
    const pml_expr *first = first_of(expr), *last = last_of(expr);
    uint32_t file, last_file;
    size_t line, at;
    if (gy_location_written(sources, first->place) || gy_location_written(sources, last->place) ||
        !gy_location_text(sources, first->place, &file, &s->begin, &line) ||
        !gy_location_text(sources, last->place, &last_file, &at, &line) || file != last_file)
        return false;
    s->text = gy_source_text(sources, file, &s->bytes);
    s->end = at + last->length;
    return s->begin < s->end && s->end <= s->bytes && s->end - s->begin <= LONGEST;
}

// Of parentheses, both or none.
static bool balance(span *s)
{
    size_t open = 0, missing = 0;
    for (size_t i = s->begin; i < s->end; i++) {
        open += s->text[i] == '(';
        if (s->text[i] == ')' && open)
            open--;
        else
            missing += s->text[i] == ')';
    }
    for (; missing && s->begin > 0; s->begin--) {
        char c = s->text[s->begin - 1];
        if (!isspace((unsigned char)c) && c != '(')
            break;
        missing -= c == '(';
    }
    for (; open && s->end < s->bytes; s->end++) {
        char c = s->text[s->end];
        if (!isspace((unsigned char)c) && c != ')')
            break;
        open -= c == ')';
    }
    return !open && !missing;
}

static bool says_nothing(char c)
{
    return isspace((unsigned char)c) || c == '(' || c == ')';
}

static bool says_the_same(const span *s, const char *normal)
{
    size_t i = s->begin;
    for (;; i++, normal++) {
        while (i < s->end && says_nothing(s->text[i]))
            i++;
        while (*normal && says_nothing(*normal))
            normal++;
        if (i == s->end || !*normal)
            return i == s->end && !*normal;
        if (s->text[i] != *normal)
            return false;
    }
}

const char *written_part(lowering *l, const pml_expr *expr)
{
    span s;
    gy_text normal = {0}, text = {0};
    if (!find_span(l->model->sources, expr, &s) || !balance(&s))
        return NULL;
    pml_expr_text(expr, &normal);
    bool good = says_the_same(&s, gy_text_str(&normal));
    for (size_t i = s.begin; good && i < s.end; i++) {
        bool blank = isspace((unsigned char)s.text[i]);
        if (!blank)
            gy_text_char(&text, s.text[i]);
        else if (text.n && text.at[text.n - 1] != ' ')
            gy_text_char(&text, ' ');
    }
    const char *kept = good ? gy_arena_strdup(l->arena, gy_text_str(&text)) : NULL;
    gy_text_free(&normal);
    gy_text_free(&text);
    return kept;
}
