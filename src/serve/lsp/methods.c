// Methods: which there are, and how a message becomes a call.
#include "serve/lsp/server.h"

#include "gyre/gyre.h"
#include "serve/document/uri.h"
#include "serve/lsp/features.h"

#include <string.h>

// ---- settings -----------------------------------------------------------------------------------

static void free_list(char **list)
{
    for (char **at = list; at && *at; at++)
        free(*at);
    free(list);
}

// Those of the command line, and the strings of an array.
static char **join(const char *const *given, const json_t *more)
{
    size_t n = 0, count = json_array_size(more);
    while (given && given[n])
        n++;
    char **list = gy_alloc((n + count + 1) * sizeof *list), **at = list;
    for (size_t i = 0; i < n; i++)
        *at++ = strdup(given[i]);
    for (size_t i = 0; i < count; i++)
        if (json_is_string(json_array_get(more, i)))
            *at++ = strdup(json_string_value(json_array_get(more, i)));
    *at = NULL;
    return list;
}

static void set(lsp_server *server, const json_t *settings)
{
    const json_t *own = json_object_get(settings, "gyre");
    if (own)
        settings = own;
    free_list(server->defines);
    free_list(server->include_dirs);
    server->defines = join(server->given->defines, json_object_get(settings, "defines"));
    server->include_dirs = join(server->given->include_dirs, json_object_get(settings, "includes"));
    const json_t *c = json_object_get(settings, "embeddedC");
    uint32_t seconds;
    if (json_is_boolean(c))
        server->allow_c = server->given->allow_c || json_is_true(c);
    server->most_seconds = lsp_number(settings, "time", &seconds) && seconds > 0 ? seconds : 600;
}

static json_t *did_change_configuration(lsp_server *server, lsp_document *document,
                                        const json_t *params, lsp_refusal *refusal)
{
    (void)document, (void)refusal;
    if (!json_is_object(json_object_get(params, "settings")))
        return NULL;
    set(server, json_object_get(params, "settings"));
    lsp_read_all(server);
    return NULL;
}

// ---- the life of a server
// -------------------------------------------------------------------------

static gy_encoding choose_encoding(const json_t *capabilities)
{
    const json_t *list = lsp_at(capabilities, "general.positionEncodings");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name && strcmp(name, "utf-8") == 0)
            return GY_UTF8;
        if (name && strcmp(name, "utf-16") == 0)
            return GY_UTF16;
    }
    return GY_UTF16;
}

static void note_abilities(lsp_server *server, const json_t *c)
{
    server->can.related = lsp_true(c, "textDocument.publishDiagnostics.relatedInformation");
    server->can.snippets = lsp_true(c, "textDocument.completion.completionItem.snippetSupport");
    server->can.lens_refresh = lsp_true(c, "workspace.codeLens.refreshSupport");
    server->can.inlay_refresh = lsp_true(c, "workspace.inlayHint.refreshSupport");
    server->can.label_offsets = lsp_true(
        c,
        "textDocument.signatureHelp.signatureInformation.parameterInformation.labelOffsetSupport");
    server->can.show_document = lsp_true(c, "window.showDocument.support");
    server->encoding = choose_encoding(c);
}

static json_t *initialize(lsp_server *server, lsp_document *document, const json_t *params,
                          lsp_refusal *refusal)
{
    (void)document;
    if (server->initialized)
        return lsp_refuse(refusal, LSP_INVALID_REQUEST, "the server is initialized already");
    server->initialized = true;
    note_abilities(server, json_object_get(params, "capabilities"));
    set(server, json_object_get(params, "initializationOptions"));
    server->client_commands = lsp_true(params, "initializationOptions.clientCommands");
    json_t *can = lsp_capabilities(server);
    return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", can, "serverInfo", "name", "gyre",
                     "version", GY_VERSION);
}

static json_t *shut_down(lsp_server *server, lsp_document *document, const json_t *params,
                         lsp_refusal *refusal)
{
    (void)document, (void)params, (void)refusal;
    server->shut_down = true;
    return json_null();
}

static json_t *leave(lsp_server *server, lsp_document *document, const json_t *params,
                     lsp_refusal *refusal)
{
    (void)document, (void)params, (void)refusal;
    server->exited = true;
    return NULL;
}

static json_t *ignore(lsp_server *server, lsp_document *document, const json_t *params,
                      lsp_refusal *refusal)
{
    (void)server, (void)document, (void)params, (void)refusal;
    return NULL;
}

// Is it a part of an open model, and not open itself? A new one may be what an #include has looked
// for.
static bool concerns_us(lsp_server *server, const json_t *change)
{
    enum { CREATED = 1 };
    const char *uri = lsp_string(change, "uri");
    if (!uri)
        return false;
    char *path = gy_uri_path(uri);
    bool concerns = json_integer_value(json_object_get(change, "type")) == CREATED;
    for (size_t i = 0; i < server->documents.n && !concerns; i++) {
        const lsp_analysis *a = server->documents.at[i]->analysis;
        concerns = a && a->index && lsp_index_file(a->index, path) != LSP_NOWHERE;
    }
    concerns = concerns && !lsp_document_at(server, path);
    free(path);
    return concerns;
}

// Files have changed on the disk.
static json_t *did_change_files(lsp_server *server, lsp_document *document, const json_t *params,
                                lsp_refusal *refusal)
{
    (void)document, (void)refusal;
    const json_t *changes = json_object_get(params, "changes");
    bool any = false;
    for (size_t i = 0; i < json_array_size(changes); i++)
        any |= concerns_us(server, json_array_get(changes, i));
    if (any)
        lsp_read_all(server);
    return NULL;
}

static json_t *cancel(lsp_server *server, lsp_document *document, const json_t *params,
                      lsp_refusal *refusal)
{
    (void)document, (void)refusal;
    const json_t *id = json_object_get(params, "id");
    for (size_t i = 0; id && i < server->waiting.n; i++) {
        lsp_waiting now = server->waiting.at[i];
        if (!json_equal(now.id, id))
            continue;
        memmove(server->waiting.at + i, server->waiting.at + i + 1,
                (--server->waiting.n - i) * sizeof now);
        lsp_refusal cancelled = {0};
        lsp_refuse(&cancelled, LSP_CANCELLED, "cancelled");
        lsp_answer(server, now.id, NULL, &cancelled);
        lsp_refusal_free(&cancelled);
        json_decref(now.id);
        json_decref(now.params);
        return NULL;
    }
    return NULL;
}

// ---- the table
// ------------------------------------------------------------------------------------

static const lsp_method methods[] = {
    {"initialize", initialize, LSP_NEEDS_NOTHING, false},
    {"shutdown", shut_down, LSP_NEEDS_NOTHING, false},
    {"exit", leave, LSP_NEEDS_NOTHING, true},
    {"initialized", ignore, LSP_NEEDS_NOTHING, true},
    {"$/cancelRequest", cancel, LSP_NEEDS_NOTHING, true},
    {"workspace/didChangeConfiguration", did_change_configuration, LSP_NEEDS_NOTHING, true},
    {"workspace/didChangeWatchedFiles", did_change_files, LSP_NEEDS_NOTHING, true},
    {"textDocument/didOpen", lsp_did_open, LSP_NEEDS_NOTHING, true},
    {"textDocument/didChange", lsp_did_change, LSP_NEEDS_DOCUMENT, true},
    {"textDocument/didSave", lsp_did_save, LSP_NEEDS_DOCUMENT, true},
    {"textDocument/didClose", lsp_did_close, LSP_NEEDS_DOCUMENT, true},
#define METHOD(name, call, needs) {name, call, needs, false},
    LSP_FEATURES(METHOD)
#undef METHOD
};

static const lsp_method *find(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

// ---- calling
// --------------------------------------------------------------------------------------

// Calls it, or lets it wait. True: *result is the answer.
static bool call(lsp_server *server, const lsp_method *method, const json_t *id,
                 const json_t *params, json_t **result, lsp_refusal *refusal)
{
    lsp_document *document = lsp_document_of(server, params);
    if (!document && method->needs != LSP_NEEDS_NOTHING) {
        lsp_refuse(refusal, LSP_INVALID_PARAMS, "this document is not open");
        return true;
    }
    if (method->needs >= LSP_NEEDS_INDEX) {
        lsp_view view = lsp_view_of(server, document);
        if (!lsp_view_is_current(&view, document, method->needs == LSP_NEEDS_ALL)) {
            lsp_waiting waiting = {json_deep_copy(id), method, json_deep_copy(params), document};
            gy_vec_push(&server->waiting, waiting);
            return false;
        }
    }
    *result = method->call(server, document, params, refusal);
    return true;
}

static void take_notification(lsp_server *server, const char *name, const json_t *params)
{
    const lsp_method *method = find(name);
    lsp_refusal refusal = {0};
    if (!method || !method->notification || (!server->initialized && method->call != leave) ||
        (server->shut_down && method->call != leave))
        return;
    lsp_document *document = lsp_document_of(server, params);
    if (document || method->needs == LSP_NEEDS_NOTHING)
        json_decref(method->call(server, document, params, &refusal));
    lsp_refusal_free(&refusal);
}

static void take_request(lsp_server *server, const char *name, const json_t *id,
                         const json_t *params)
{
    const lsp_method *method = find(name);
    lsp_refusal refusal = {0};
    json_t *result = NULL;
    bool done = true;
    if (!server->initialized && strcmp(name, "initialize") != 0)
        lsp_refuse(&refusal, LSP_NOT_INITIALIZED, "the server is not initialized");
    else if (server->shut_down)
        lsp_refuse(&refusal, LSP_INVALID_REQUEST, "the server is shut down");
    else if (!method || method->notification)
        lsp_refuse(&refusal, LSP_NO_METHOD, "unknown method %s", name);
    else
        done = call(server, method, id, params, &result, &refusal);
    if (done)
        lsp_answer(server, id, result, &refusal);
    lsp_refusal_free(&refusal);
}

void lsp_dispatch(lsp_server *server, const json_t *message)
{
    const char *name = json_string_value(json_object_get(message, "method"));
    const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    bool good_id = json_is_integer(id) || json_is_string(id);
    if (name && !id)
        take_notification(server, name, params);
    else if (name && good_id)
        take_request(server, name, id, params);
    else if (!name && good_id && json_is_object(message) &&
             (json_object_get(message, "result") || json_object_get(message, "error")))
        return; // an answer to what we asked
    else {
        lsp_refusal refusal = {0};
        lsp_refuse(&refusal, LSP_INVALID_REQUEST, "this is not a message of the protocol");
        lsp_answer(server, good_id ? id : NULL, NULL, &refusal);
        lsp_refusal_free(&refusal);
    }
}
