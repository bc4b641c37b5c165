// The loop of the server.
#include "serve/lsp/server.h"

#include "base/clock.h"
#include "serve/lsp/lens.h"
#include "serve/rpc/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

// ---- messages to the client -------------------------------------------------------------------

void lsp_send(lsp_server *server, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    if (!server->broken && !gy_frame_write(server->out, message))
        server->broken = true;
    json_decref(message);
}

void lsp_notify(lsp_server *server, const char *method, json_t *params)
{
    lsp_send(server, json_pack("{s:s, s:o}", "method", method, "params", params));
}

void lsp_request(lsp_server *server, const char *method, json_t *params)
{
    json_t *message =
        json_pack("{s:s, s:I}", "method", method, "id", (json_int_t)++server->next_id);
    if (params)
        json_object_set_new(message, "params", params);
    lsp_send(server, message);
}

void lsp_answer(lsp_server *server, const json_t *id, json_t *result, const lsp_refusal *refusal)
{
    json_t *message = json_object();
    json_object_set_new(message, "id", id ? json_deep_copy(id) : json_null());
    if (refusal && refusal->code) {
        json_decref(result);
        json_t *error = json_pack("{s:i}", "code", refusal->code);
        json_t *words = json_string(refusal->message ? refusal->message : "");
        json_object_set_new(error, "message", words ? words : json_string("refused"));
        json_object_set_new(message, "error", error);
    } else {
        json_object_set_new(message, "result", result ? result : json_null());
    }
    lsp_send(server, message);
}

// ---- requests that wait -----------------------------------------------------------------------

// Its analysis is there, or none will come: files that include each other may leave none.
static bool is_ready(const lsp_server *server, const lsp_waiting *waiting)
{
    lsp_view view = lsp_view_of(server, waiting->document);
    if (lsp_view_is_current(&view, waiting->document, waiting->method->needs == LSP_NEEDS_ALL))
        return true;
    return !waiting->document->wanted && !view.model->wanted &&
           !lsp_analyser_expects(server->analyser, waiting->document->path) &&
           !lsp_analyser_expects(server->analyser, view.model->path);
}

void lsp_call_waiting(lsp_server *server)
{
    for (size_t i = 0; i < server->waiting.n;) {
        if (!is_ready(server, &server->waiting.at[i])) {
            i++;
            continue;
        }
        lsp_waiting now = server->waiting.at[i];
        memmove(server->waiting.at + i, server->waiting.at + i + 1,
                (--server->waiting.n - i) * sizeof now);
        lsp_refusal refusal = {0};
        json_t *result = now.method->call(server, now.document, now.params, &refusal);
        lsp_answer(server, now.id, result, &refusal);
        lsp_refusal_free(&refusal);
        json_decref(now.id);
        json_decref(now.params);
    }
}

// ---- the loop ---------------------------------------------------------------------------------

static void take_reports(lsp_server *server)
{
    char bytes[256];
    while (read(server->wake[0], bytes, sizeof bytes) > 0)
        ;
    for (lsp_analysis *analysis; (analysis = lsp_analyser_take(server->analyser));)
        lsp_take_analysis(server, analysis);
    lsp_lens_look(server);
    lsp_call_waiting(server);
}

static void tell_problem(lsp_server *server, gy_frame_result result, const gy_text *problem)
{
    lsp_refusal refusal = {0};
    lsp_refuse(&refusal, LSP_PARSE_ERROR, "%s", gy_text_str(problem));
    lsp_answer(server, NULL, NULL, &refusal);
    lsp_refusal_free(&refusal);
    if (result == GY_FRAME_BROKEN)
        server->broken = true;
}

static void take_messages(lsp_server *server, gy_frame_reader *reader)
{
    gy_text problem = {0};
    while (!server->exited && !server->broken) {
        json_t *message;
        gy_frame_result result = gy_frame_next(reader, &message, &problem);
        if (result == GY_FRAME_MORE)
            break;
        if (result == GY_FRAME_MESSAGE)
            lsp_dispatch(server, message);
        else
            tell_problem(server, result, &problem);
        json_decref(message);
    }
    gy_text_free(&problem);
}

static int patience(const lsp_server *server)
{
    double due = lsp_next_due(server);
    if (due < 0)
        return -1;
    double left = (due - gy_clock()) * 1000;
    return left <= 0 ? 0 : (int)left + 1;
}

static void serve(lsp_server *server, gy_frame_reader *reader)
{
    while (!server->exited && !server->broken) {
        struct pollfd ends[2] = {{.fd = server->in, .events = POLLIN},
                                 {.fd = server->wake[0], .events = POLLIN}};
        if (poll(ends, 2, patience(server)) < 0 && errno != EINTR)
            break;
        if (ends[1].revents)
            take_reports(server);
        if (ends[0].revents) {
            if (gy_frame_fill(reader, server->in) <= 0)
                break;
            take_messages(server, reader);
        }
        lsp_start_due(server, gy_clock());
        lsp_call_waiting(server);
    }
}

static void free_waiting(lsp_server *server)
{
    for (size_t i = 0; i < server->waiting.n; i++) {
        json_decref(server->waiting.at[i].id);
        json_decref(server->waiting.at[i].params);
    }
    gy_vec_free(&server->waiting);
}

static void free_list(char **list)
{
    for (char **at = list; at && *at; at++)
        free(*at);
    free(list);
}

int gy_lsp_serve(int in, int out, const lsp_settings *settings)
{
    lsp_server server = {.in = in, .out = out, .given = settings, .allow_c = settings->allow_c};
    if (pipe2(server.wake, O_NONBLOCK | O_CLOEXEC) != 0)
        return 1;
    signal(SIGPIPE, SIG_IGN);
    server.analyser = lsp_analyser_new(server.wake[1]);
    gy_frame_reader *reader = gy_frame_reader_new(GY_FRAME_LIMIT);
    serve(&server, reader);
    gy_frame_reader_free(reader);
    free_waiting(&server);
    lsp_documents_free(&server);
    lsp_runs_sweep(&server, true);
    lsp_analyser_free(server.analyser);
    free_list(server.defines);
    free_list(server.include_dirs);
    close(server.wake[0]);
    close(server.wake[1]);
    return server.shut_down ? 0 : 1;
}
