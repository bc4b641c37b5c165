// Shared by test_ltl_*.c: a workshop for one test, and formulas from text.
#ifndef LTL_HELPER_H
#define LTL_HELPER_H

#include "lang/ltl/ltl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

struct shop {
    gy_ltl_pool *pool;
    gy_ltl_context *context;
    gy_sources *sources;
    gy_diags *diags;
};

static inline struct shop shop_open(const gy_ltl_limits *limits)
{
    struct shop s = {.pool = gy_ltl_pool_new(), .sources = gy_sources_new()};
    s.context = gy_ltl_context_new(s.pool, limits);
    s.diags = gy_diags_new(s.sources);
    return s;
}

static inline void shop_close(struct shop *s)
{
    gy_ltl_context_free(s->context);
    gy_ltl_pool_free(s->pool);
    gy_diags_free(s->diags);
    gy_sources_free(s->sources);
}

static inline bool try_parse(struct shop *s, const char *text, gy_ltl *f)
{
    return gy_ltl_parse(s->pool, s->sources, s->diags, "<formula>", text, strlen(text), f);
}

static inline gy_ltl formula(struct shop *s, const char *text)
{
    gy_ltl f = GY_LTL_FALSE;
    if (!try_parse(s, text, &f))
        fail_msg("cannot parse %s", text);
    return f;
}

// The text of a formula in the notation of other tools; freed by the caller.
static inline char *plain(struct shop *s, gy_ltl f)
{
    gy_text out = {0};
    gy_ltl_print(s->pool, f, GY_LTL_PLAIN, &out);
    return gy_text_take(&out);
}

#endif
