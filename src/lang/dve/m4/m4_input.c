// From characters to tokens, as GNU m4 1.4 takes them: comments, words, quoted strings, single
// characters, in this order.
#include "lang/dve/m4/m4_internal.h"

#include <string.h>

enum { END = -1 };

// ---- characters -----------------------------------------------------------------------------

// The i-th character to come.
static int ahead(const m4 *m, size_t i)
{
    if (i < m->back.n)
        return (unsigned char)m->back.at[m->back.n - 1 - i];
    i -= m->back.n;
    return i < m->bytes - m->at ? (unsigned char)m->text[m->at + i] : END;
}

static void drop_empty_blocks(m4 *m)
{
    while (m->blocks.n && m->blocks.at[m->blocks.n - 1].base >= m->back.n)
        m->blocks.n--;
}

static m4_where where(m4 *m)
{
    drop_empty_blocks(m);
    return m->blocks.n ? m->blocks.at[m->blocks.n - 1].where : (m4_where){m->at, m->line, false};
}

// After a failure there is no more to read.
static int next(m4 *m)
{
    int c = ahead(m, 0);
    if (c == END || !m4_work(m, 1))
        return END;
    if (m->back.n)
        m->back.n--;
    else {
        m->at++;
        m->line += c == '\n';
    }
    return c;
}

static bool is_next(const m4 *m, const gy_text *string)
{
    for (size_t i = 0; i < string->n; i++)
        if (ahead(m, i) != (unsigned char)string->at[i])
            return false;
    return string->n > 0;
}

static bool take(m4 *m, const gy_text *string)
{
    if (!is_next(m, string))
        return false;
    for (size_t i = 0; i < string->n; i++)
        next(m);
    return true;
}

void m4_set_text(gy_text *text, const char *value, size_t n)
{
    gy_text_clear(text);
    gy_text_bytes(text, value, n);
}

void m4_push(m4 *m, m4_where where)
{
    size_t n = m->expansion.n;
    drop_empty_blocks(m);
    if (!n || !m4_work(m, n) || !m4_room(m, n))
        return;
    where.pushed = true;
    gy_vec_push(&m->blocks, ((m4_block){m->back.n, where}));
    for (size_t i = n; i-- > 0;)
        gy_text_char(&m->back, m->expansion.at[i]);
}

void m4_skip_line(m4 *m)
{
    for (int c = next(m); c != END && c != '\n';)
        c = next(m);
}

// ---- tokens ---------------------------------------------------------------------------------

static bool begins_word(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_in_word(int c)
{
    return begins_word(c) || (c >= '0' && c <= '9');
}

bool m4_next_opens(m4 *m)
{
    return ahead(m, 0) == '(' && !is_next(m, &m->comment_begin) && !is_next(m, &m->left_quote);
}

// GNU m4 refuses a comment that the text ends in; it is harmless.
static void read_comment(m4 *m)
{
    gy_text_bytes(&m->token, m->comment_begin.at, m->comment_begin.n);
    while (m4_room(m, m->token.n)) {
        if (take(m, &m->comment_end)) {
            gy_text_bytes(&m->token, m->comment_end.at, m->comment_end.n);
            return;
        }
        int c = next(m);
        if (c == END)
            return;
        gy_text_char(&m->token, (char)c);
    }
}

// After the quote that opens.
static void read_quoted(m4 *m)
{
    for (size_t level = 1; m4_room(m, m->token.n);) {
        if (take(m, &m->right_quote)) {
            if (--level == 0)
                return;
            gy_text_bytes(&m->token, m->right_quote.at, m->right_quote.n);
        } else if (take(m, &m->left_quote)) {
            level++;
            gy_text_bytes(&m->token, m->left_quote.at, m->left_quote.n);
        } else {
            int c = next(m);
            if (c == END) {
                m4_fail(m, NULL, "the template ends in a quoted string");
                return;
            }
            gy_text_char(&m->token, (char)c);
        }
    }
}

void m4_token(m4 *m)
{
    gy_text_clear(&m->token);
    m->where = where(m);
    int c = ahead(m, 0);
    if (c == END) {
        m->kind = M4_END;
    } else if (take(m, &m->comment_begin)) {
        m->kind = M4_STRING;
        read_comment(m);
    } else if (begins_word(c)) {
        m->kind = M4_WORD;
        while (is_in_word(ahead(m, 0)) && (c = next(m)) != END)
            gy_text_char(&m->token, (char)c);
    } else if (take(m, &m->left_quote)) {
        m->kind = M4_STRING;
        read_quoted(m);
    } else {
        next(m);
        m->kind = c == '(' ? M4_OPEN : c == ',' ? M4_COMMA : c == ')' ? M4_CLOSE : M4_SIMPLE;
        gy_text_char(&m->token, (char)c);
    }
}
