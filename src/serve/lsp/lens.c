#include "serve/lsp/lens.h"

#include "base/file.h"
#include "report/json.h"
#include "serve/document/uri.h"
#include "serve/lsp/completion_context.h"
#include "serve/lsp/features.h"

#include <string.h>
#include <unistd.h>

// ---- what a lens says
// -------------------------------------------------------------------------------

static void add_figures(const json_t *states, const json_t *seconds, gy_text *out)
{
    if (json_is_integer(states)) {
        gy_text_add(out, " · ");
        gy_text_count(out, (unsigned long long)json_integer_value(states));
        gy_text_add(out, json_integer_value(states) == 1 ? " state" : " states");
    }
    if (json_is_number(seconds)) {
        gy_text_add(out, " · ");
        gy_text_seconds(out, json_number_value(seconds));
    }
}

// "✓ holds · 1,234 states · 0.1 s", "✗ violated: assertion …"
static void add_verdict(const json_t *property, gy_text *out)
{
    const char *verdict = json_string_value(json_object_get(property, "verdict"));
    const char *reason = lsp_string(property, "reason.text");
    bool holds = verdict && strcmp(verdict, "holds") == 0,
         violated = verdict && strcmp(verdict, "violated") == 0;
    gy_text_printf(out, "%s %s", holds ? "✓" : violated ? "✗" : "?", verdict ? verdict : "unknown");
    if (reason && !holds)
        gy_text_printf(out, ": %s", reason);
    add_figures(json_object_get(property, "states"), json_object_get(property, "seconds"), out);
}

static const json_t *first_violated(const json_t *report)
{
    const json_t *list = json_object_get(report, "properties");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *verdict = lsp_string(json_array_get(list, i), "verdict");
        if (verdict && strcmp(verdict, "violated") == 0)
            return json_array_get(list, i);
    }
    return NULL;
}

static void add_whole(const json_t *report, gy_text *out)
{
    const json_t *list = json_object_get(report, "properties"), *violated = first_violated(report);
    const char *verdict = lsp_string(report, "verdict");
    if (json_array_size(list) == 0) {
        const json_t *said = json_array_get(json_object_get(report, "diagnostics"), 0);
        gy_text_printf(out, "✗ %s",
                       lsp_string(said, "message") ? lsp_string(said, "message")
                                                   : "the model cannot be verified");
    } else if (violated || json_array_size(list) == 1) {
        add_verdict(violated ? violated : json_array_get(list, 0), out);
    } else {
        json_int_t states = 0;
        for (size_t i = 0; i < json_array_size(list); i++)
            states += json_integer_value(json_object_get(json_array_get(list, i), "states"));
        json_t *all = json_integer(states);
        gy_text_printf(out, "%s %s: %zu properties",
                       verdict && strcmp(verdict, "holds") == 0 ? "✓" : "?",
                       verdict ? verdict : "unknown", json_array_size(list));
        add_figures(all, lsp_at(report, "stats.seconds"), out);
        json_decref(all);
    }
}

// ---- the lenses of a document
// -----------------------------------------------------------------------

typedef struct lenses {
    lsp_server *server;
    lsp_document *document, *model;
    json_t *list;
} lenses;

static void add(lenses *l, size_t offset, const char *title, const char *command,
                const char *property)
{
    json_t *target = json_object(), *lens = json_object(), *call = json_object();
    json_object_set_new(target, "uri", json_string(l->model->uri));
    if (property)
        json_object_set_new(target, "property", gy_json_string(property));
    json_object_set_new(call, "title", gy_json_string(title));
    json_object_set_new(call, "command", json_string(command));
    json_object_set_new(call, "arguments", json_pack("[o]", target));
    json_object_set_new(lens, "range", lsp_range(l->server, &l->document->lines, offset, offset));
    json_object_set_new(lens, "command", call);
    json_array_append_new(l->list, lens);
}

static void add_counterexample(lenses *l, size_t offset, const json_t *property, const char *name)
{
    const json_t *found = json_object_get(property, "counterexample");
    if (!json_is_object(found))
        return;
    gy_text title = {0};
    json_int_t length = json_integer_value(json_object_get(found, "length"));
    gy_text_printf(&title, "Counterexample: %lld step%s", (long long)length,
                   length == 1 ? "" : "s");
    add(l, offset, gy_text_str(&title),
        l->server->client_commands ? "gyre.showCounterexample" : "gyre.server.counterexample",
        name);
    if (l->server->client_commands)
        add(l, offset, "Debug", "gyre.debugCounterexample", name);
    gy_text_free(&title);
}

static void add_running(lenses *l, size_t offset, const lsp_run *run)
{
    gy_text title = {0};
    gy_text_add(&title, "verifying …");
    if (run->view.now.states) {
        gy_text_char(&title, ' ');
        gy_text_count(&title, run->view.now.states);
        gy_text_add(&title, " states, ");
        gy_text_seconds(&title, run->view.now.seconds);
    }
    gy_text_add(&title, " (stop)");
    add(l, offset, gy_text_str(&title), "gyre.server.stop", run->property);
    gy_text_free(&title);
}

// Of the model as a whole (name NULL), or of a formula.
static void add_lens(lenses *l, size_t offset, const char *name)
{
    const lsp_run *run = lsp_run_of(l->model, name);
    const json_t *property = name ? lsp_run_property(l->model, name) : NULL;
    const json_t *report = run ? run->report : NULL;
    gy_text title = {0};
    if (run && run->job) {
        add_running(l, offset, run);
        return;
    }
    if (run && run->problem)
        gy_text_printf(&title, "? %s", run->problem);
    else if (property)
        add_verdict(property, &title);
    else if (report)
        add_whole(report, &title);
    else
        gy_text_add(&title, name ? "▶ Verify" : "▶ Verify all that the model states");
    add(l, offset, gy_text_str(&title), "gyre.server.verify", name);
    if (!property && report)
        property = first_violated(report);
    if (property)
        add_counterexample(l, offset, property, name ? name : lsp_string(property, "name"));
    gy_text_free(&title);
}

json_t *lsp_lenses(lsp_server *server, lsp_document *document, const json_t *params,
                   lsp_refusal *refusal)
{
    (void)params, (void)refusal;
    lsp_view view = lsp_view_of(server, document);
    lenses l = {server, document, NULL, json_array()};
    if (!view.index)
        return l.list;
    l.model = lsp_document_at(server, view.model->path);
    bool whole = l.model == document;
    for (size_t i = 0; i < view.index->symbols.n; i++) {
        const lsp_symbol *s = &view.index->symbols.at[i];
        if (s->file != view.file || s->offset > document->text->bytes)
            continue;
        if (whole && s->name.kind == GY_NAME_PROCESS) {
            add_lens(&l, s->offset, NULL);
            whole = false;
        }
        if (s->name.kind == GY_NAME_PROPERTY)
            add_lens(&l, s->offset, s->name.text);
    }
    return l.list;
}

// ---- changes
// ------------------------------------------------------------------------------------------

static void refresh(lsp_server *server)
{
    if (server->can.lens_refresh)
        lsp_request(server, "workspace/codeLens/refresh", NULL);
}

static void log_ends(lsp_server *server, const lsp_document *document)
{
    for (size_t i = 0; document->runs && i < document->runs->list.n; i++) {
        const lsp_run *run = &document->runs->list.at[i];
        if (run->job || !run->report || run->shown < 0)
            continue;
        gy_text text = {0};
        gy_text_printf(&text, "%s: ", document->path);
        if (run->property)
            gy_text_printf(&text, "%s: ", run->property);
        add_whole(run->report, &text);
        lsp_notify(server, "window/logMessage",
                   json_pack("{s:i, s:o}", "type", 3, "message", gy_json_take(&text)));
        document->runs->list.at[i].shown = -1;
    }
}

void lsp_lens_look(lsp_server *server)
{
    bool changed = false;
    for (size_t i = 0; i < server->documents.n; i++) {
        if (!lsp_runs_look(server, server->documents.at[i]))
            continue;
        changed = true;
        log_ends(server, server->documents.at[i]);
    }
    lsp_runs_sweep(server, false);
    if (changed)
        refresh(server);
}

void lsp_lens_outdate(lsp_server *server, lsp_document *document)
{
    bool any = false;
    for (size_t i = 0; i < server->documents.n; i++) {
        lsp_document *d = server->documents.at[i];
        const lsp_index *index = d->analysis ? d->analysis->index : NULL;
        if (d == document || (index && lsp_index_file(index, document->path) != LSP_NOWHERE))
            any |= lsp_runs_drop(server, d);
    }
    if (any)
        refresh(server);
}

void lsp_lens_reached(const lsp_server *server, const lsp_document *document, size_t offset,
                      gy_text *out)
{
    lsp_view view = lsp_view_of(server, document);
    const lsp_run *run = lsp_run_of(view.model, NULL);
    const json_t *report = run ? run->report : NULL, *list = lsp_at(report, "coverage.unreached");
    const char *verdict = lsp_string(report, "verdict");
    lsp_context context = lsp_context_at(document, offset);
    bool body = context.unit != LSP_NO_TOKEN && context.depth > 0 && !context.outside &&
                (gy_lex_is(&document->lexical, context.unit, "proctype") ||
                 gy_lex_is(&document->lexical, context.unit, "init"));
    if (!list || !verdict || !body)
        return;
    json_int_t line = gy_line_of(&document->lines, offset) + 1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *file = lsp_string(one, "file"), *text = lsp_string(one, "text");
        if (json_integer_value(json_object_get(one, "line")) != line || !file ||
            strcmp(file, document->path) != 0)
            continue;
        gy_text_printf(out, "**%s:** `%s`\n\n",
                       strcmp(verdict, "holds") == 0 ? "Cannot be reached"
                                                     : "Not reached before the verification ended",
                       text ? text : "");
        return;
    }
    if (json_integer_value(lsp_at(report, "coverage.reached")) > 0)
        gy_text_add(out, "Reached in the last verification\n\n");
}

// ---- commands
// -----------------------------------------------------------------------------------------

static void tell_counterexample(const json_t *found, gy_text *out)
{
    const json_t *steps = json_object_get(found, "steps");
    json_int_t cycle = json_is_integer(json_object_get(found, "cycle_start"))
                           ? json_integer_value(json_object_get(found, "cycle_start"))
                           : -1;
    gy_text_printf(out, "%s\n\n", lsp_string(found, "message") ? lsp_string(found, "message") : "");
    for (size_t i = 0; i < json_array_size(steps); i++) {
        const json_t *step = json_array_get(steps, i), *changes = json_object_get(step, "changes");
        if ((json_int_t)i == cycle)
            gy_text_add(out, "---- cycle starts here, repeats for ever ----\n");
        const char *process = lsp_string(step, "process"), *text = lsp_string(step, "text"),
                   *file = lsp_string(step, "file");
        gy_text_printf(
            out, "%4zu  %s (%lld)  %s:%lld  %s\n", i + 1, process ? process : "",
            (long long)json_integer_value(json_object_get(step, "pid")), file ? file : "",
            (long long)json_integer_value(json_object_get(step, "line")), text ? text : "");
        if (json_array_size(changes) || json_object_size(changes)) {
            char *said = json_dumps(changes, JSON_COMPACT);
            gy_text_printf(out, "        %s\n", said ? said : "");
            free(said);
        }
    }
}

static void show(lsp_server *server, lsp_run *run, const json_t *found)
{
    if (!server->can.show_document || !run)
        return;
    gy_text text = {0}, name = {0};
    tell_counterexample(found, &text);
    gy_text_printf(&name, "%s/gyre-counterexample-XXXXXX.txt", gy_temporary_folder());
    int file = mkstemps(name.at, 4);
    if (file >= 0 && write(file, text.at, text.n) == (ssize_t)text.n) {
        if (run->file)
            unlink(run->file);
        free(run->file);
        run->file = strdup(name.at);
        char *uri = gy_uri_of(name.at);
        lsp_request(server, "window/showDocument",
                    json_pack("{s:s, s:b}", "uri", uri, "takeFocus", 1));
        free(uri);
    } else if (file >= 0) {
        unlink(name.at);
    }
    if (file >= 0)
        close(file);
    gy_text_free(&text);
    gy_text_free(&name);
}

static json_t *counterexample(lsp_server *server, lsp_document *d, const char *property,
                              lsp_refusal *refusal)
{
    const json_t *known = property ? lsp_run_property(d, property) : NULL;
    lsp_run *run = lsp_run_of(d, property);
    if (!run || !run->report)
        run = lsp_run_of(d, NULL);
    if (!property && run)
        known = first_violated(run->report);
    const json_t *found = json_object_get(known, "counterexample");
    if (!json_is_object(found))
        return lsp_refuse(refusal, LSP_REQUEST_FAILED, "no counterexample: verify first");
    show(server, run, found);
    return json_deep_copy(found);
}

json_t *lsp_execute(lsp_server *server, lsp_document *document, const json_t *params,
                    lsp_refusal *refusal)
{
    (void)document;
    const char *command = lsp_string(params, "command");
    const json_t *target = json_array_get(json_object_get(params, "arguments"), 0);
    const char *uri = lsp_string(target, "uri"), *property = lsp_string(target, "property");
    if (!command || !uri)
        return lsp_refuse(refusal, LSP_INVALID_PARAMS, "a command needs [{uri, property?}]");
    char *path = gy_uri_path(uri);
    lsp_document *d = lsp_document_at(server, path);
    free(path);
    if (!d)
        return lsp_refuse(refusal, LSP_INVALID_PARAMS, "this document is not open");
    if (strcmp(command, "gyre.server.verify") == 0)
        lsp_run_start(server, d, property);
    else if (strcmp(command, "gyre.server.stop") == 0)
        lsp_run_stop(d, property);
    else if (strcmp(command, "gyre.server.counterexample") == 0)
        return counterexample(server, d, property, refusal);
    else
        return lsp_refuse(refusal, LSP_INVALID_PARAMS, "unknown command %s", command);
    refresh(server);
    return json_null();
}
