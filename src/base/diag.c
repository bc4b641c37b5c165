// Collecting diagnostics, and guessing what a misspelt name was meant to be. How they are
// printed is in diag_print.c.
//
// Each diagnostic is allocated on its own, so that pointers to them hold. Those beyond a
// limit are built in `spare`, which the next one overwrites: callers need not care.
#include "base/diag.h"

#include "base/assert.h"
#include "base/fatal.h"
#include "base/vec.h"

#include <string.h>

enum { MAX_WARNINGS = 100, MAX_NOTES = 10 };

struct gy_diags {
    gy_sources *sources;
    bool owns_sources;
    GY_VEC(gy_diag *) list;
    gy_diag *spare;
    unsigned errors, warnings, notes; // notes: since the last error or warning
    bool dropped;                     // the last error or warning was not kept
};

gy_diags *gy_diags_new(gy_sources *sources)
{
    gy_diags *diags = gy_alloc_zero(sizeof *diags);
    diags->sources = sources;
    return diags;
}

static void free_diag(gy_diag *diag)
{
    if (!diag)
        return;
    free(diag->message);
    free(diag->hint);
    free(diag);
}

void gy_diags_free(gy_diags *diags)
{
    if (!diags)
        return;
    for (size_t i = 0; i < diags->list.n; i++)
        free_diag(diags->list.at[i]);
    gy_vec_free(&diags->list);
    free_diag(diags->spare);
    if (diags->owns_sources)
        gy_sources_free(diags->sources);
    free(diags);
}

void gy_diags_adopt_sources(gy_diags *diags)
{
    gy_assert(diags->sources);
    diags->owns_sources = true;
}

// Has the same already been said of the same text? Inline bodies are read once per call.
static bool is_repeated(const gy_diags *diags, const gy_diag *diag)
{
    if (!diags->sources || !diag->place)
        return false;
    gy_location_info here = gy_location_user(diags->sources, diag->place);
    for (size_t i = 0; i < diags->list.n; i++) {
        const gy_diag *other = diags->list.at[i];
        if (other->severity != diag->severity || !other->place ||
            strcmp(other->message, diag->message) != 0)
            continue;
        gy_location_info there = gy_location_user(diags->sources, other->place);
        if (there.file == here.file && there.line == here.line && there.column == here.column)
            return true;
    }
    return false;
}

static gy_diag *add(gy_diags *diags, gy_severity severity, gy_location place, const char *format,
                    va_list args)
{
    gy_diag *diag = gy_alloc_zero(sizeof *diag);
    gy_text message = {0};
    gy_text_vprintf(&message, format, args);
    diag->severity = severity;
    diag->place = place;
    diag->message = gy_text_take(&message);

    gy_assert(severity != GY_NOTE || diags->errors || diags->warnings);
    bool keep;
    if (severity == GY_NOTE) {
        keep = !diags->dropped && ++diags->notes <= MAX_NOTES;
    } else {
        unsigned *count = severity == GY_ERROR ? &diags->errors : &diags->warnings;
        unsigned limit = severity == GY_ERROR ? GY_MAX_ERRORS : MAX_WARNINGS;
        keep = ++*count <= limit && !is_repeated(diags, diag);
        diags->dropped = !keep;
        diags->notes = 0;
    }
    if (keep) {
        gy_vec_push(&diags->list, diag);
    } else {
        free_diag(diags->spare);
        diags->spare = diag;
    }
    return diag;
}

gy_diag *gy_error(gy_diags *diags, gy_location place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_diag *diag = add(diags, GY_ERROR, place, format, args);
    va_end(args);
    return diag;
}

gy_diag *gy_warn(gy_diags *diags, gy_location place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_diag *diag = add(diags, GY_WARNING, place, format, args);
    va_end(args);
    return diag;
}

gy_diag *gy_note(gy_diags *diags, gy_location place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    gy_diag *diag = add(diags, GY_NOTE, place, format, args);
    va_end(args);
    return diag;
}

void gy_hint(gy_diag *diag, const char *format, ...)
{
    gy_text hint = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&hint, format, args);
    va_end(args);
    free(diag->hint);
    diag->hint = gy_text_take(&hint);
}

size_t gy_diags_count(const gy_diags *diags)
{
    return diags->list.n;
}

const gy_diag *gy_diags_at(const gy_diags *diags, size_t i)
{
    gy_assert(i < diags->list.n);
    return diags->list.at[i];
}

unsigned gy_diags_errors(const gy_diags *diags)
{
    return diags->errors;
}

unsigned gy_diags_warnings(const gy_diags *diags)
{
    return diags->warnings;
}

bool gy_diags_full(const gy_diags *diags)
{
    return diags->errors >= GY_MAX_ERRORS;
}

const gy_sources *gy_diags_sources(const gy_diags *diags)
{
    return diags->sources;
}

// ---- did you mean ---------------------------------------------------------------------

enum { LONGEST = 64 };

static bool is_same_letter(char a, char b)
{
    return a == b || ((a ^ b) == 32 && ((a | 32) >= 'a' && (a | 32) <= 'z'));
}

// Insertions, deletions, replacements and swaps of neighbours, each 1; a change of case too.
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LONGEST + 1];
    for (size_t k = 0; k <= b_length; k++)
        rows[0][k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            unsigned best = above[k - 1] + (a[i - 1] != b[k - 1]);
            if (above[k] + 1 < best)
                best = above[k] + 1;
            if (row[k - 1] + 1 < best)
                best = row[k - 1] + 1;
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
                twice[k - 2] + 1 < best)
                best = twice[k - 2] + 1;
            row[k] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

void gy_nearest_offer(const char *name, const char *candidate, const char **best,
                      unsigned *best_distance)
{
    size_t a = strlen(name), b = strlen(candidate);
    if (a == 0 || b == 0 || a > LONGEST || b > LONGEST)
        return;
    size_t shorter = a < b ? a : b, gap = a < b ? b - a : a - b;
    // One slip in a short name, more in a longer one; in one or two letters, only the case.
    unsigned limit = shorter < 3 ? 0 : shorter < 5 ? 1 : shorter < 9 ? 2 : 3;
    if (gap > limit)
        return;
    unsigned found = 0;
    bool same = a == b;
    for (size_t i = 0; same && i < a; i++)
        same = is_same_letter(name[i], candidate[i]);
    if (same)
        found = strcmp(name, candidate) != 0; // counts as one slip however many letters differ
    else if (limit == 0)
        return;
    else
        found = distance(name, a, candidate, b);
    if (!same && found > limit)
        return;
    if (!*best || found < *best_distance) {
        *best = candidate;
        *best_distance = found;
    }
}
