#include "report/steps/location.h"

#include "exec/describe/naming.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void gy_location_typed(const char *file, uint32_t line, uint32_t column, gy_text *out)
{
    gy_text_add(out, file);
    if (line)
        gy_text_printf(out, ":%u", line);
    if (line && column)
        gy_text_printf(out, ":%u", column);
}

// file://host/folder/model.pml#12, or nothing: the file is not there.
static void link_target(const char *file, uint32_t line, gy_text *out)
{
    char host[256] = "", path[PATH_MAX];
    if (!realpath(file, path))
        return;
    gethostname(host, sizeof host - 1);
    gy_text_printf(out, "file://%s", host);
    for (const unsigned char *at = (const unsigned char *)path; *at; at++) {
        if (*at <= ' ' || *at >= 127 || strchr("%?#;", *at))
            gy_text_printf(out, "%%%02X", *at);
        else
            gy_text_char(out, (char)*at);
    }
    if (line)
        gy_text_printf(out, "#%u", line);
}

void gy_place_cell(const char *file, uint32_t line, uint32_t column, size_t width,
                   const gy_style *style, gy_text *out)
{
    gy_text text = {0}, target = {0};
    gy_location_typed(file, line, column, &text);
    if (width && gy_columns(gy_text_str(&text)) > width) {
        gy_text_clear(&text);
        gy_location_typed(gy_base_name(file), line, column, &text);
    }
    size_t used = gy_columns(gy_text_str(&text));
    if (style->links)
        link_target(file, line, &target);
    if (target.n > 0)
        gy_text_printf(out, "\033]8;;%s\033\\%s\033]8;;\033\\", gy_text_str(&target),
                       gy_text_str(&text));
    else
        gy_text_add(out, gy_text_str(&text));
    gy_blanks(out, used < width ? width - used : 0);
    gy_text_free(&text);
    gy_text_free(&target);
}
