// Values of the protocol: errors, and looking into parameters that may be anything.
#ifndef GYRE_SERVE_LSP_REPLY_H
#define GYRE_SERVE_LSP_REPLY_H

#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_NO_METHOD = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_INTERNAL_ERROR = -32603,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_FAILED = -32803,
    LSP_CANCELLED = -32800,
};

typedef struct lsp_refusal {
    int code;      // 0: it was not refused
    char *message; // to be freed
} lsp_refusal;

// Returns NULL.
json_t *lsp_refuse(lsp_refusal *refusal, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lsp_refusal_free(lsp_refusal *refusal);

// What is at a path of member names, "a.b.c"; NULL: nothing.
const json_t *lsp_at(const json_t *value, const char *path);
const char *lsp_string(const json_t *value, const char *path); // NULL: no string is there
bool lsp_true(const json_t *value, const char *path);
// A line or character: not negative, not huge.
bool lsp_number(const json_t *value, const char *path, uint32_t *number);

json_t *lsp_markdown(gy_text *text); // {kind, value}; frees the text

#endif
