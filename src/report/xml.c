#include "report/xml.h"

#include "base/visible.h"

#include <string.h>

// XML has no control characters, not even escaped ones, nor these two.
static void add_character(gy_text *out, const char *at, size_t n)
{
    if ((unsigned char)*at < ' ' || *at == 127)
        gy_text_visible(out, at, n);
    else if (n == 3 && memcmp(at, "\xef\xbf\xbe", 2) == 0 && (unsigned char)at[2] >= 0xbe)
        gy_text_add(out, "\xef\xbf\xbd");
    else
        gy_text_bytes(out, at, n);
}

static void add_escaped(gy_text *out, const char *text)
{
    for (size_t n; *text; text += n) {
        n = 1;
        while (((unsigned char)text[n] & 0xc0) == 0x80)
            n++;
        switch (*text) {
        case '<':
            gy_text_add(out, "&lt;");
            break;
        case '>':
            gy_text_add(out, "&gt;");
            break;
        case '&':
            gy_text_add(out, "&amp;");
            break;
        case '"':
            gy_text_add(out, "&quot;");
            break;
        case '\n':
            gy_text_add(out, "&#10;");
            break;
        case '\t':
            gy_text_char(out, '\t');
            break;
        default:
            add_character(out, text, n);
        }
    }
}

void gy_xml_text(gy_text *out, const char *text)
{
    gy_text clean = {0};
    gy_text_utf8(&clean, text ? text : "", text ? strlen(text) : 0);
    add_escaped(out, gy_text_str(&clean));
    gy_text_free(&clean);
}

void gy_xml_attribute(gy_text *out, const char *name, const char *value)
{
    gy_text_printf(out, " %s=\"", name);
    gy_xml_text(out, value);
    gy_text_char(out, '"');
}
