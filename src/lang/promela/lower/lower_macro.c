// The names that the user gave to parts of a formula: an expression all of which came out of one
// use of a macro is known to the user by what is at that use, `critical` or `wants(0)`.
#include "lang/promela/lower/lower_internal.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 32 };

typedef struct uses {
    const gy_sources *sources;
    unsigned level;  // 0: the use in the formula itself; 1: the one in that macro's body …
    gy_location use; // that all have in common; 0: none so far
    bool differ;
    GY_VEC(gy_location) plain; // places of tokens that came from no macro: arguments?
} uses;

// The use of a macro, at that level, through which the text at `place` came about; 0: there is
// none.
static gy_location use_at(const uses *u, gy_location place)
{
    gy_location chain[DEEPEST];
    unsigned n = 0;
    gy_location_info info = gy_location_lookup(u->sources, place);
    while (info.origin == GY_FROM_MACRO && n < DEEPEST) {
        chain[n++] = info.used_at;
        info = gy_location_lookup(u->sources, info.used_at);
    }
    return u->level < n ? chain[n - 1 - u->level] : 0;
}

static void look_at(uses *u, gy_location place)
{
    gy_location use = place ? use_at(u, place) : 0;
    if (!place)
        return;
    if (!use)
        gy_vec_push(&u->plain, place);
    else if (u->use && u->use != use)
        u->differ = true;
    else
        u->use = use;
}

static void look_through(uses *u, const pml_expr *expr)
{
    if (!expr || u->differ)
        return;
    look_at(u, expr->place);
    for (uint32_t i = 0; i < expr->ref.part_count; i++) {
        look_at(u, expr->ref.parts[i].place);
        look_through(u, expr->ref.parts[i].index);
    }
    for (uint32_t i = 0; i < expr->arg_count; i++)
        look_through(u, expr->args[i]);
    look_through(u, expr->a);
    look_through(u, expr->b);
    look_through(u, expr->c);
}

// The name at a use and, if there are any, its arguments: bytes from *begin on. 0: no name is
// there.
static size_t text_at(const gy_sources *sources, gy_location use, uint32_t *file, size_t *begin)
{
    size_t line, bytes, n = 0;
    if (!gy_location_text(sources, use, file, begin, &line))
        return 0;
    const char *text = gy_source_text(sources, *file, &bytes) + *begin;
    bytes -= *begin;
    while (n < bytes && (isalnum((unsigned char)text[n]) || text[n] == '_'))
        n++;
    size_t name = n, depth = 0;
    if (n == bytes || text[n] != '(')
        return name;
    for (; n < bytes; n++) {
        depth += text[n] == '(';
        depth -= text[n] == ')';
        if (depth == 0)
            return n + 1;
    }
    return name;
}

static bool all_inside(const uses *u, uint32_t file, size_t begin, size_t end)
{
    for (size_t i = 0; i < u->plain.n; i++) {
        uint32_t its;
        size_t at, line;
        if (!gy_location_text(u->sources, u->plain.at[i], &its, &at, &line) || its != file ||
            at < begin || at >= end)
            return false;
    }
    return true;
}

const char *name_of_macro(lowering *l, const pml_expr *expr, unsigned level)
{
    uses u = {.sources = l->model->sources, .level = level};
    uint32_t file;
    size_t begin, n = 0;
    // Of most expressions this is known at once.
    if (!use_at(&u, expr->place) && !(expr->a && use_at(&u, expr->a->place)))
        return NULL;
    look_through(&u, expr);
    if (u.use && !u.differ)
        n = text_at(u.sources, u.use, &file, &begin);
    if (n && !all_inside(&u, file, begin, begin + n))
        n = 0;
    gy_vec_free(&u.plain);
    size_t bytes;
    return n ? gy_arena_strndup(l->arena, gy_source_text(u.sources, file, &bytes) + begin, n)
             : NULL;
}
