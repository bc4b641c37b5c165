#include "lang/dve/m4/m4_internal.h"

#include <string.h>

// ---- failures and limits --------------------------------------------------------------------

bool m4_failed(const m4 *m)
{
    return m->problem->message.n > 0;
}

void m4_fail(m4 *m, const char *hint, const char *format, ...)
{
    va_list args;
    if (m4_failed(m))
        return;
    m->problem->line = m->where.line;
    m->problem->offset = m->where.offset;
    va_start(args, format);
    gy_text_vprintf(&m->problem->message, format, args);
    va_end(args);
    if (hint)
        gy_text_add(&m->problem->hint, hint);
}

static const char endless[] = "a macro that expands to a call of itself has no end";

bool m4_work(m4 *m, size_t steps)
{
    enum { GLANCE = 1 << 16 };
    uint64_t before = m->steps;
    m->steps += steps;
    if (m->steps > m->most_steps)
        m4_fail(m, endless, "expanding this template takes more than %llu steps",
                (unsigned long long)m->most_steps);
    if (before / GLANCE != m->steps / GLANCE && m->stop && atomic_load(m->stop))
        m4_fail(m, NULL, "reading was cancelled");
    return !m4_failed(m);
}

bool m4_room(m4 *m, size_t bytes)
{
    size_t all = m->back.n + m->blocks.n * sizeof(m4_block) + m->pool.n +
                 m->ranges.n * sizeof(m4_range) + m->defined + m->written;
    if (bytes > m->most_bytes || all + bytes > m->most_bytes)
        m4_fail(m, endless, "expanding this template takes more than %llu bytes of text",
                (unsigned long long)m->most_bytes);
    return !m4_failed(m);
}

// ---- calls ----------------------------------------------------------------------------------

static void end_argument(m4 *m, m4_call *call)
{
    gy_vec_push(&m->ranges, ((m4_range){call->begin, m->pool.n - call->begin}));
    gy_text_char(&m->pool, '\0');
    call->begin = m->pool.n;
    call->skipping = true;
}

// The innermost call has all its arguments.
static void complete(m4 *m)
{
    m4_call call = m->calls.at[--m->calls.n];
    m->spans.n = 0;
    for (size_t i = call.first; i < m->ranges.n; i++)
        gy_vec_push(&m->spans, ((m4_span){m->pool.at + m->ranges.at[i].begin, m->ranges.at[i].n}));
    m4_arguments args = {m->spans.at, m->spans.n};
    m->where = call.where;
    gy_text_clear(&m->expansion);
    if (call.macro->builtin)
        call.macro->builtin->run(m, &args);
    else
        m4_run_user(m, call.macro, &args);
    m4_push(m, call.where);
    m4_release(m, call.macro);
    m->ranges.n = call.first;
    m->pool.n = call.name;
}

// The token is a word. False: it calls no macro.
static bool call_word(m4 *m)
{
    m4_macro *macro = m4_find(m, m->token.at, m->token.n);
    bool opens = macro && m4_next_opens(m);
    if (!macro || (macro->builtin && macro->builtin->blind && !opens))
        return false;
    if (m->calls.n >= M4_MOST_CALLS || !m4_work(m, M4_CALL_STEPS) || !m4_room(m, m->token.n))
        m4_fail(m, endless, "more than %d calls of macros within each other", M4_MOST_CALLS);
    m4_call call = {.macro = macro, .where = m->where, .name = m->pool.n, .first = m->ranges.n};
    call.begin = call.name;
    macro->references++;
    gy_text_bytes(&m->pool, m->token.at, m->token.n);
    end_argument(m, &call);
    gy_vec_push(&m->calls, call);
    if (opens)
        m4_token(m);
    else
        complete(m);
    return true;
}

static bool is_space(const m4 *m)
{
    return m->kind == M4_SIMPLE && strchr(" \t\n\v\f\r", m->token.at[0]);
}

// What an argument of the innermost call goes on with.
static void take_argument(m4 *m)
{
    m4_call *call = &m->calls.at[m->calls.n - 1];
    if (call->skipping && is_space(m))
        return;
    call->skipping = false;
    if (m->kind == M4_WORD && call_word(m))
        return;
    bool ends = call->parens == 0 && (m->kind == M4_COMMA || m->kind == M4_CLOSE);
    if (m->kind == M4_END) {
        m->where = call->where;
        m4_fail(m, NULL, "the template ends in the arguments of `%s`", m->pool.at + call->name);
    } else if (ends) {
        end_argument(m, call);
        if (m->kind == M4_CLOSE)
            complete(m);
    } else if (m4_room(m, m->token.n)) {
        call->parens += (uint32_t)((m->kind == M4_OPEN) - (m->kind == M4_CLOSE));
        gy_text_bytes(&m->pool, m->token.at, m->token.n);
    }
}

// ---- texts ----------------------------------------------------------------------------------

static void expand_text(m4 *m, const char *text, size_t bytes, uint32_t line)
{
    m->text = text;
    m->bytes = bytes;
    m->at = 0;
    m->line = line;
    m->where = (m4_where){.line = line};
    if (memchr(text, 0, bytes))
        m4_fail(m, NULL, "a template cannot contain a character with the code 0");
    for (m->kind = M4_SIMPLE; m->kind != M4_END && !m4_failed(m);) {
        m4_token(m);
        if (m->calls.n)
            take_argument(m);
        else if (m->kind != M4_WORD || !call_word(m))
            m4_write(m, m->token.at, m->token.n, m->where);
    }
}

static void define_given(m4 *m, const char *given)
{
    size_t n = strcspn(given, "=");
    const char *value = given + n + (given[n] == '=');
    m4_define(m, (m4_span){given, n}, (m4_span){value, strlen(value)}, false);
}

static void begin(m4 *m, const m4_request *request)
{
    const char *comment = request->comment ? request->comment : "#";
    m4_set_text(&m->left_quote, "`", 1);
    m4_set_text(&m->right_quote, "'", 1);
    m4_set_text(&m->comment_begin, comment, strlen(comment));
    m4_set_text(&m->comment_end, "\n", 1);
    gy_vec_push(&m->diversions, ((m4_diversion){.expected = 1}));
    for (const m4_builtin *builtin = m4_builtins; builtin->name; builtin++)
        m4_define_builtin(m, builtin);
    define_given(m, "__gnu__");
    define_given(m, "__unix__");
    if (request->prelude)
        expand_text(m, request->prelude, strlen(request->prelude), 0);
    for (const char *const *define = request->defines; define && *define; define++)
        define_given(m, *define);
}

static void end(m4 *m)
{
    for (size_t i = 0; i < m->calls.n; i++)
        m4_release(m, m->calls.at[i].macro);
    gy_text *const texts[] = {&m->back,        &m->left_quote, &m->right_quote, &m->comment_begin,
                              &m->comment_end, &m->token,      &m->pool,        &m->expansion};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        gy_text_free(texts[i]);
    gy_vec_free(&m->blocks);
    gy_vec_free(&m->calls);
    gy_vec_free(&m->ranges);
    gy_vec_free(&m->spans);
    m4_symbols_free(m);
    m4_diversions_free(m);
}

bool m4_expand(const m4_request *request, m4_output *out, m4_problem *problem)
{
    m4 m = {
        .most_steps = request->most_steps ? request->most_steps : M4_MOST_STEPS,
        .most_bytes = request->most_bytes ? request->most_bytes : M4_MOST_BYTES,
        .stop = request->stop,
        .problem = problem,
    };
    begin(&m, request);
    if (!m4_failed(&m))
        expand_text(&m, request->text, request->bytes, 1);
    m4_divert(&m, 0);
    if (!m4_failed(&m))
        m4_undivert_all(&m);
    bool good = !m4_failed(&m);
    if (good) {
        *out = m.diversions.at[0].out;
        m.diversions.at[0].out = (m4_output){0};
    }
    end(&m);
    return good;
}

void m4_problem_free(m4_problem *problem)
{
    gy_text_free(&problem->message);
    gy_text_free(&problem->hint);
}
