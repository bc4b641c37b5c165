#include "report/style.h"

gy_style gy_style_make(bool colour)
{
    if (!colour)
        return (gy_style){
            .good = "", .bad = "", .unsure = "", .strong = "", .faint = "", .name = "", .off = ""};
    return (gy_style){
        .good = "\033[1;32m",
        .bad = "\033[1;31m",
        .unsure = "\033[1;33m",
        .strong = "\033[1m",
        .faint = "\033[2m",
        .name = "\033[36m",
        .off = "\033[0m",
    };
}

void gy_blanks(gy_text *out, size_t count)
{
    while (count--)
        gy_text_char(out, ' ');
}

void gy_pad(gy_text *out, const char *text, size_t width)
{
    size_t used = gy_columns(text);
    gy_text_add(out, text);
    gy_blanks(out, used < width ? width - used : 0);
}
