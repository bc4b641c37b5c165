#include "serve/lsp/reply.h"

#include "report/json.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

json_t *lsp_refuse(lsp_refusal *refusal, int code, const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    free(refusal->message);
    refusal->code = code;
    refusal->message = gy_text_take(&text);
    return NULL;
}

void lsp_refusal_free(lsp_refusal *refusal)
{
    free(refusal->message);
    *refusal = (lsp_refusal){0};
}

const json_t *lsp_at(const json_t *value, const char *path)
{
    while (value && *path) {
        char name[64];
        size_t n = strcspn(path, ".");
        if (n >= sizeof name)
            return NULL;
        memcpy(name, path, n);
        name[n] = 0;
        value = json_object_get(value, name);
        path += n + (path[n] == '.');
    }
    return value;
}

const char *lsp_string(const json_t *value, const char *path)
{
    return json_string_value(lsp_at(value, path));
}

bool lsp_true(const json_t *value, const char *path)
{
    return json_is_true(lsp_at(value, path));
}

bool lsp_number(const json_t *value, const char *path, uint32_t *number)
{
    const json_t *at = lsp_at(value, path);
    json_int_t given = json_integer_value(at);
    if (!json_is_integer(at) || given < 0)
        return false;
    *number = given > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)given;
    return true;
}

json_t *lsp_markdown(gy_text *text)
{
    json_t *value = json_object();
    json_object_set_new(value, "kind", json_string("markdown"));
    json_object_set_new(value, "value", gy_json_take(text));
    return value;
}
