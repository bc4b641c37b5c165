// Macros for the record of names (lang/common/names.h).
#include "lang/promela/read/pp_state.h"

#include <ctype.h>
#include <string.h>

// The rest of the line on which a macro is defined, after its name, spaces made one.
static const char *rest_of_definition(pp *p, const pp_macro *macro, uint32_t length)
{
    enum { LONGEST = 400 };
    uint32_t file;
    size_t offset, start, bytes;
    if (!gy_location_text(p->sources, macro->place, &file, &offset, &start))
        return "";
    const char *text = gy_source_text(p->sources, file, &bytes);
    gy_text out = {0};
    bool blank = false;
    for (size_t i = offset + length; i < bytes && text[i] != '\n' && out.n < LONGEST; i++) {
        bool joined =
            text[i] == '\\' && i + 1 < bytes && (text[i + 1] == '\n' || text[i + 1] == '\r');
        if (joined) {
            i += 1 + (text[i + 1] == '\r' && i + 2 < bytes && text[i + 2] == '\n');
            blank = true;
        } else if (isspace((unsigned char)text[i])) {
            blank = true;
        } else if (text[i] == '/' && i + 1 < bytes && text[i + 1] == '/') {
            break;
        } else {
            if (blank)
                gy_text_char(&out, ' ');
            gy_text_char(&out, text[i]);
            blank = false;
        }
    }
    const char *copy = gy_arena_strdup(p->names->arena, gy_text_str(&out));
    gy_text_free(&out);
    return copy;
}

void pp_note_macro(pp *p, const pp_macro *macro, uint32_t length)
{
    gy_arena *arena = p->names->arena;
    gy_name name = {.kind = GY_NAME_MACRO,
                    .text = gy_arena_strdup(arena, macro->name),
                    .place = macro->place,
                    .type = "#define",
                    .suffix = rest_of_definition(p, macro, length),
                    .owner = GY_NO_NAME};
    if (macro->function_like) {
        name.params = GY_NEW_ARRAY(arena, const char *, macro->param_count + 1);
        const char *at = name.suffix + (*name.suffix == '(');
        while (name.param_count < macro->param_count) {
            at += strspn(at, ", ");
            size_t n = strcspn(at, ", )");
            name.params[name.param_count++] = gy_arena_strndup(arena, at, n);
            at += n;
        }
    }
    gy_names_define(p->names, macro, &name, length);
}
