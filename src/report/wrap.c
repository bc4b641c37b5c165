#include "report/wrap.h"

#include <string.h>

enum { HANG = '\x1f', HARD_BLANK = '\x1e', LEAST_COLUMNS = 20 };

void gy_hang(const gy_style *style, gy_text *out)
{
    if (style->columns)
        gy_text_char(out, HANG);
}

void gy_keep_together(const gy_style *style, gy_text *out, size_t from)
{
    for (size_t i = from; style->columns && i < out->n; i++)
        if (out->at[i] == ' ')
            out->at[i] = HARD_BLANK;
}

// A text that is being broken into lines.
typedef struct wrapping {
    gy_text out;
    size_t columns;
    size_t column; // where the line is
    size_t blanks; // that come before the next word, unless a line ends there
    size_t hang;   // where the next line begins
    bool begun;    // the line has a word
} wrapping;

// Bytes of the escape sequence at the start of the text; 0: there is none.
static size_t escape_length(const char *text)
{
    size_t n = 2;
    if (text[0] != '\033' || (text[1] != '[' && text[1] != ']'))
        return 0;
    if (text[1] == '[') {
        while (text[n] && !(text[n] >= '@' && text[n] <= '~'))
            n++;
        return text[n] ? n + 1 : n;
    }
    while (text[n] && !(text[n] == '\033' && text[n + 1] == '\\')) // a hyperlink
        n++;
    return text[n] ? n + 2 : n;
}

// The word at the start of the text: its bytes, and how many columns it needs.
static size_t word_length(const char *text, size_t *columns)
{
    size_t n = 0, escape;
    *columns = 0;
    while (text[n] && text[n] != ' ' && text[n] != '\n' && text[n] != HANG) {
        if ((escape = escape_length(text + n)) > 0) {
            n += escape;
            continue;
        }
        *columns += ((unsigned char)text[n] & 0xC0) != 0x80;
        n++;
    }
    return n;
}

static void put_word(wrapping *w, const char *word, size_t bytes, size_t columns)
{
    if (columns && w->begun && w->column + w->blanks + columns > w->columns) {
        size_t most = 3 * w->columns / 4;
        gy_text_char(&w->out, '\n');
        w->column = 0;
        w->blanks = w->hang < most ? w->hang : most;
    } else if (columns && !w->begun) {
        w->hang = w->hang ? w->hang : w->blanks + 2;
    }
    if (columns) {
        gy_blanks(&w->out, w->blanks);
        w->column += w->blanks + columns;
        w->blanks = 0;
        w->begun = true;
    }
    for (size_t i = 0; i < bytes; i++)
        gy_text_char(&w->out, word[i] == HARD_BLANK ? ' ' : word[i]);
}

void gy_wrap(gy_text *text, size_t columns)
{
    wrapping w = {.columns = columns > LEAST_COLUMNS ? columns : LEAST_COLUMNS};
    for (const char *at = gy_text_str(text); *at;) {
        size_t needs, bytes = word_length(at, &needs);
        if (bytes > 0) {
            put_word(&w, at, bytes, needs);
            at += bytes;
            continue;
        }
        if (*at == ' ') {
            w.blanks++;
        } else if (*at == HANG) {
            w.hang = w.column + w.blanks;
        } else {
            gy_text_char(&w.out, '\n');
            w = (wrapping){.out = w.out, .columns = w.columns};
        }
        at++;
    }
    gy_text_free(text);
    *text = w.out;
}
