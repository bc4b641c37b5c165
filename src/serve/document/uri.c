#include "serve/document/uri.h"

#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *gy_path_clean(const char *path)
{
    gy_text out = {0};
    for (const char *at = path; *at;) {
        at += strspn(at, "/");
        size_t n = strcspn(at, "/");
        if (n == 2 && at[0] == '.' && at[1] == '.') {
            while (out.n > 0 && out.at[--out.n] != '/')
                ;
            if (out.at)
                out.at[out.n] = 0;
        } else if (n > 0 && !(n == 1 && at[0] == '.')) {
            gy_text_char(&out, '/');
            gy_text_bytes(&out, at, n);
        }
        at += n;
    }
    if (out.n == 0)
        gy_text_char(&out, '/');
    return gy_text_take(&out);
}

char *gy_uri_path(const char *uri)
{
    gy_text path = {0};
    const char *at = uri;
    bool file = strncasecmp(uri, "file:", 5) == 0;
    if (file) {
        at += 5;
        if (at[0] == '/' && at[1] == '/') { // an authority, mostly none
            at += 2;
            at += strcspn(at, "/");
        }
    } else {
        gy_text_char(&path, '/');
    }
    for (; *at && !(file && (*at == '?' || *at == '#')); at++) {
        int high = *at == '%' ? digit(at[1]) : -1, low = high >= 0 ? digit(at[2]) : -1;
        if (low >= 0 && (high || low)) {
            gy_text_char(&path, (char)(high * 16 + low));
            at += 2;
        } else {
            gy_text_char(&path, *at);
        }
    }
    char *clean = gy_path_clean(gy_text_str(&path));
    gy_text_free(&path);
    return clean;
}

char *gy_uri_of(const char *path)
{
    gy_text uri = {0};
    gy_text_add(&uri, "file://");
    for (const char *at = path; *at; at++) {
        if (isalnum((unsigned char)*at) || strchr("/-._~", *at))
            gy_text_char(&uri, *at);
        else
            gy_text_printf(&uri, "%%%02X", (unsigned char)*at);
    }
    return gy_text_take(&uri);
}
