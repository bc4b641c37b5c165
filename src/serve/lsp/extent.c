#include "serve/lsp/extent.h"

static bool has_body(gy_name_kind kind)
{
    return kind == GY_NAME_PROCESS || kind == GY_NAME_CLAIM || kind == GY_NAME_INLINE ||
           kind == GY_NAME_TYPE || kind == GY_NAME_PROPERTY;
}

static bool begins(const gy_lexical *l, size_t i)
{
    return gy_lex_is(l, i, "proctype") || gy_lex_is(l, i, "D_proctype") ||
           gy_lex_is(l, i, "active") || gy_lex_is(l, i, "inline") || gy_lex_is(l, i, "typedef") ||
           gy_lex_is(l, i, "ltl") || gy_lex_is(l, i, "never");
}

void lsp_extent(const gy_lexical *l, size_t offset, gy_name_kind kind, size_t *from, size_t *to)
{
    enum { BEFORE = 6, BEHIND = 4000 };
    size_t name = gy_lex_find(l, offset);
    if (!has_body(kind) || name >= l->tokens.n)
        return;
    for (size_t i = name, left = BEFORE; i-- > 0 && left-- > 0;)
        if (begins(l, i))
            *from = l->tokens.at[i].at;
        else if (gy_lex_is(l, i, "}") || gy_lex_is(l, i, ";"))
            break;
    for (size_t i = name, left = BEHIND; i < l->tokens.n && left-- > 0; i++) {
        if (gy_lex_is(l, i, ";") && kind != GY_NAME_PROCESS)
            return;
        if (!gy_lex_is(l, i, "{") || l->tokens.at[i].in_directive)
            continue;
        size_t close = gy_lex_closing(l, i);
        if (close < l->tokens.n)
            *to = l->tokens.at[close].at + l->tokens.at[close].length;
        return;
    }
}
