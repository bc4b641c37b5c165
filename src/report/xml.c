#include "report/xml.h"

void gy_xml_text(gy_text *out, const char *text)
{
    for (; text && *text; text++) {
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
        default: // other control characters are not allowed in XML
            gy_text_char(out, (unsigned char)*text < ' ' && *text != '\t' ? ' ' : *text);
        }
    }
}

void gy_xml_attribute(gy_text *out, const char *name, const char *value)
{
    gy_text_printf(out, " %s=\"", name);
    gy_xml_text(out, value);
    gy_text_char(out, '"');
}
