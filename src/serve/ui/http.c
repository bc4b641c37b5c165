#include "serve/ui/http.h"

#ifdef GYRE_MICROHTTPD

#include "base/clock.h"
#include "base/fatal.h"
#include "serve/ui/assets.h"
#include "serve/ui/web_library.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MOST_BODY = 12 << 20, // a model of 4 MB, every byte of it escaped, and some more
    MOST_CONNECTIONS = 400,
    IDLE_SECONDS = 15, // without a byte
    TOKEN_BYTES = 16,
};

static const double REQUEST_SECONDS = 20; // until a request is there as a whole
static const double REPLY_SECONDS = 120;  // until its answer was read

// A connection, for the code that looks after those that take too long.
typedef struct line {
    struct line *next, *before;
    int socket;
    double deadline; // 0: an answer is being made, which has limits of its own
} line;

struct gy_http {
    gy_web_library web;
    struct MHD_Daemon *daemon;
    gy_ui_api *api;
    char token[2 * TOKEN_BYTES + 1];
    char nonce[2 * TOKEN_BYTES + 1]; // of the styles that the editor adds
    char policy[300];                // of content: nothing but our own
    char hosts[2][40];               // what Host may be
    char address[120];
    pthread_t keeper;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping;
    unsigned waiting; // calls that are not answered yet
    line lines;       // a ring
};

typedef struct exchange {
    gy_call call; // the first member
    gy_http *http;
    struct MHD_Connection *connection;
    bool asked; // the API was asked, and its answer was not taken yet
} exchange;

// ---- answers ----------------------------------------------------------------------------

static void add_headers(const gy_http *http, struct MHD_Response *response, const char *type)
{
    const char *const headers[][2] = {
        {"Content-Security-Policy", http->policy},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        http->web.add_response_header(response, headers[i][0], headers[i][1]);
    http->web.add_response_header(response, "Content-Type", type);
}

static void set_deadline(struct MHD_Connection *connection, gy_http *http, double seconds)
{
    const union MHD_ConnectionInfo *info =
        http->web.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    line *l = info ? info->socket_context : NULL;
    pthread_mutex_lock(&http->lock);
    if (l)
        l->deadline = gy_deadline(seconds);
    pthread_mutex_unlock(&http->lock);
}

typedef struct answer {
    unsigned status;
    const char *type, *text;
    size_t bytes;
    bool ours; // the text stays where it is
} answer;

static enum MHD_Result put(gy_http *http, struct MHD_Connection *connection, const answer *a)
{
    struct MHD_Response *response = http->web.create_response_from_buffer(
        a->bytes, (void *)(uintptr_t)a->text,
        a->ours ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    add_headers(http, response, a->type);
    if (a->status == 403 || a->status == 413)
        http->web.add_response_header(response, "Connection", "close");
    set_deadline(connection, http, REPLY_SECONDS);
    enum MHD_Result result = http->web.queue_response(connection, a->status, response);
    http->web.destroy_response(response);
    return result;
}

static enum MHD_Result put_text(gy_http *http, struct MHD_Connection *connection, unsigned status,
                                const char *text)
{
    answer a = {status, "text/plain; charset=utf-8", text, strlen(text), false};
    return put(http, connection, &a);
}

// ---- who may ask ------------------------------------------------------------------------

static const char *header(const gy_http *http, struct MHD_Connection *connection, const char *name)
{
    return http->web.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// Takes the same time whatever is wrong.
static bool is_token(const gy_http *http, const char *text)
{
    unsigned char differs = 0;
    if (!text || strlen(text) != 2 * TOKEN_BYTES)
        return false;
    for (size_t i = 0; i < 2 * TOKEN_BYTES; i++)
        differs |= (unsigned char)(text[i] ^ http->token[i]);
    return differs == 0;
}

static bool is_our_host(const gy_http *http, const char *host)
{
    return host && (strcmp(host, http->hosts[0]) == 0 || strcmp(host, http->hosts[1]) == 0);
}

// A browser says which page asks: it must be ours, or the address bar.
static bool is_our_page(const gy_http *http, struct MHD_Connection *connection)
{
    static const char scheme[] = "http://";
    const char *origin = header(http, connection, "Origin"),
               *site = header(http, connection, "Sec-Fetch-Site");
    if (origin && (strncmp(origin, scheme, sizeof scheme - 1) != 0 ||
                   !is_our_host(http, origin + sizeof scheme - 1)))
        return false;
    return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}

// "/page/TOKEN/NAME": NULL, or NAME.
static const char *asset_name(const gy_http *http, const char *url)
{
    static const char begin[] = "/page/";
    char token[2 * TOKEN_BYTES + 1];
    if (strncmp(url, begin, sizeof begin - 1) != 0)
        return NULL;
    url += sizeof begin - 1;
    if (strcspn(url, "/") != 2 * TOKEN_BYTES || url[2 * TOKEN_BYTES] != '/')
        return NULL;
    memcpy(token, url, 2 * TOKEN_BYTES);
    token[2 * TOKEN_BYTES] = '\0';
    return is_token(http, token) ? url + 2 * TOKEN_BYTES + 1 : NULL;
}

// NULL: fine. Else why not, in words for the user who typed the address.
static const char *objection(gy_http *http, struct MHD_Connection *connection, const char *url)
{
    if (!is_our_host(http, header(http, connection, "Host")))
        return "This server answers to 127.0.0.1 only.\n";
    if (!is_our_page(http, connection))
        return "Requests of other pages are refused.\n";
    if (is_token(http, header(http, connection, "X-Gyre-Token")) || asset_name(http, url))
        return NULL;
    if (strcmp(url, "/") == 0 && is_token(http, http->web.lookup_connection_value(
                                                    connection, MHD_GET_ARGUMENT_KIND, "token")))
        return NULL;
    return "The token is missing or wrong: open the address that `gyre ui` has printed.\n";
}

static bool is_too_large(const gy_http *http, struct MHD_Connection *connection)
{
    const char *length = header(http, connection, "Content-Length");
    return length && (strlen(length) > 9 || strtoul(length, NULL, 10) > MOST_BODY);
}

// ---- requests ---------------------------------------------------------------------------

static const char *query(void *from, const char *name)
{
    exchange *e = from;
    const char *value = NULL;
    size_t bytes = 0;
    e->http->web.lookup_connection_value_n(e->connection, MHD_GET_ARGUMENT_KIND, name, strlen(name),
                                           &value, &bytes);
    return value && strlen(value) == bytes ? value : NULL; // "name%00…" is another name
}

// The API has an answer. On any thread, also before gy_ui_api_call has returned.
static void ready(void *from)
{
    exchange *e = from;
    e->http->web.resume_connection(e->connection);
}

static enum MHD_Result put_asset(gy_http *http, struct MHD_Connection *connection, const char *name)
{
    const gy_page_file *asset = gy_asset_find(name);
    if (!asset)
        return put_text(http, connection, 404, "Not found.\n");
    answer a = {200, asset->type, asset->begin, (size_t)(asset->end - asset->begin), true};
    return put(http, connection, &a);
}

// The page itself: its parts have the token in their addresses.
static enum MHD_Result put_page(gy_http *http, struct MHD_Connection *connection)
{
    const gy_page_file *page = gy_asset_find("index.html");
    gy_text text = {0};
    for (const char *at = page->begin; at < page->end; at++) {
        size_t left = (size_t)(page->end - at);
        if (left > 7 && memcmp(at, "@TOKEN@", 7) == 0) {
            gy_text_add(&text, http->token);
            at += 6;
        } else if (left > 7 && memcmp(at, "@NONCE@", 7) == 0) {
            gy_text_add(&text, http->nonce);
            at += 6;
        } else {
            gy_text_char(&text, *at);
        }
    }
    answer a = {200, "text/html; charset=utf-8", text.at, text.n, false};
    enum MHD_Result result = put(http, connection, &a);
    gy_text_free(&text);
    return result;
}

// The body is there: ask the API, or answer.
static enum MHD_Result begin_answer(gy_http *http, struct MHD_Connection *connection, exchange *e,
                                    const char *url, const char *method)
{
    const char *name = asset_name(http, url);
    bool page = strcmp(url, "/") == 0;
    if (name || page) {
        if (strcmp(method, "GET") != 0)
            return put_text(http, connection, 405, "This can only be read.\n");
        return page ? put_page(http, connection) : put_asset(http, connection, name);
    }
    pthread_mutex_lock(&http->lock);
    bool stopping = http->stopping;
    http->waiting += !stopping;
    pthread_mutex_unlock(&http->lock);
    if (stopping)
        return MHD_NO;
    set_deadline(connection, http, 0);
    e->asked = true;
    e->call.method = method;
    e->call.path = url + 1;
    e->call.query = query;
    e->call.from = e;
    http->web.suspend_connection(connection);
    gy_ui_api_call(http->api, &e->call);
    return MHD_YES;
}

// The API is informed that its answer was taken, also if the code that asked has gone meanwhile.
static void take_answer(gy_http *http, exchange *e)
{
    e->asked = false;
    gy_ui_api_answer(http->api, &e->call);
    pthread_mutex_lock(&http->lock);
    http->waiting--;
    pthread_cond_broadcast(&http->changed);
    pthread_mutex_unlock(&http->lock);
}

static enum MHD_Result end_answer(gy_http *http, struct MHD_Connection *connection, exchange *e)
{
    take_answer(http, e);
    answer a = {e->call.status, e->call.type, gy_text_str(&e->call.text), e->call.text.n, false};
    return put(http, connection, &a);
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *bytes, void **state)
{
    gy_http *http = user;
    exchange *e = *state;
    (void)version;
    if (!e) {
        const char *no = objection(http, connection, url);
        if (no)
            return put_text(http, connection, 403, no);
        if (is_too_large(http, connection))
            return put_text(http, connection, 413, "The request is too large.\n");
        e = gy_alloc_zero(sizeof *e);
        e->http = http;
        e->connection = connection;
        *state = e;
        return MHD_YES;
    }
    if (e->asked)
        return end_answer(http, connection, e);
    if (*bytes) {
        if (e->call.body.n + *bytes > MOST_BODY)
            return MHD_NO; // of a length that was not reported
        gy_text_bytes(&e->call.body, data, *bytes);
        *bytes = 0;
        return MHD_YES;
    }
    return begin_answer(http, connection, e, url, method);
}

static void completed(void *user, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code)
{
    exchange *e = *state;
    (void)code;
    if (e) {
        if (e->asked) // it was woken up, and found nothing there
            take_answer(user, e);
        gy_call_free(&e->call);
        free(e);
    }
    *state = NULL;
    set_deadline(connection, user, REQUEST_SECONDS);
}

// ---- who takes too long -----------------------------------------------------------------

static void connection_changed(void *user, struct MHD_Connection *connection, void **context,
                               enum MHD_ConnectionNotificationCode code)
{
    gy_http *http = user;
    pthread_mutex_lock(&http->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        line *l = gy_alloc_zero(sizeof *l);
        l->socket = http->web.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                        ->connect_fd;
        l->deadline = gy_clock() + REQUEST_SECONDS;
        l->next = &http->lines;
        l->before = http->lines.before;
        l->before->next = l->next->before = l;
        *context = l;
    } else if (*context) {
        line *l = *context;
        l->before->next = l->next;
        l->next->before = l->before;
        free(l);
        *context = NULL;
    }
    pthread_mutex_unlock(&http->lock);
}

// Someone who sends a byte from time to time is never idle. His socket is shut, and the server
// closes it.
static void *keep(void *argument)
{
    gy_http *http = argument;
    pthread_mutex_lock(&http->lock);
    while (!http->stopping) {
        struct timespec until;
        double now = gy_clock();
        for (line *l = http->lines.next; l != &http->lines; l = l->next)
            if (l->deadline > 0 && now > l->deadline)
                shutdown(l->socket, SHUT_RDWR);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&http->changed, &http->lock, &until);
    }
    pthread_mutex_unlock(&http->lock);
    return NULL;
}

// ---- start and stop ---------------------------------------------------------------------

static bool make_token(char token[2 * TOKEN_BYTES + 1])
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool listen_on(gy_http *http, unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    http->daemon = http->web.start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, http,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(64 << 10), MHD_OPTION_NOTIFY_COMPLETED,
        completed, http, MHD_OPTION_NOTIFY_CONNECTION, connection_changed, http, MHD_OPTION_END);
    if (!http->daemon)
        return false;
    const union MHD_DaemonInfo *info =
        http->web.get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
    unsigned bound = info ? info->port : port;
    snprintf(http->hosts[0], sizeof http->hosts[0], "127.0.0.1:%u", bound);
    snprintf(http->hosts[1], sizeof http->hosts[1], "localhost:%u", bound);
    snprintf(http->address, sizeof http->address, "http://127.0.0.1:%u/?token=%s", bound,
             http->token);
    return true;
}

static gy_http *fail(gy_http *http, gy_text *problem, const char *what)
{
    gy_text_printf(problem, "%s: %s", what, strerror(errno));
    if (http->api) {
        gy_ui_api_stop(http->api);
        gy_ui_api_free(http->api);
    }
    pthread_cond_destroy(&http->changed);
    pthread_mutex_destroy(&http->lock);
    gy_web_library_close(&http->web);
    free(http);
    return NULL;
}

gy_http *gy_http_start(const gy_ui_api_options *options, unsigned port, gy_text *problem)
{
    gy_http *http = gy_alloc_zero(sizeof *http);
    gy_ui_api_options own = *options;
    if (!gy_web_library_open(&http->web)) {
        gy_text_printf(problem, "cannot load libmicrohttpd: %s\n  hint: install libmicrohttpd12",
                       dlerror());
        gy_web_library_close(&http->web);
        free(http);
        return NULL;
    }
    own.ready = ready;
    http->lines.next = http->lines.before = &http->lines;
    pthread_mutex_init(&http->lock, NULL);
    pthread_cond_init(&http->changed, NULL);
    if (!make_token(http->token) || !make_token(http->nonce))
        return fail(http, problem, "no random numbers");
    snprintf(http->policy, sizeof http->policy,
             "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; img-src 'self' "
             "data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
             "'none'",
             http->nonce);
    http->api = gy_ui_api_new(&own);
    if (!http->api)
        return fail(http, problem, options->folder);
    // Before it listens, since a request may come at once.
    if (!listen_on(http, port))
        return fail(http, problem, "cannot listen on 127.0.0.1");
    if (pthread_create(&http->keeper, NULL, keep, http) != 0)
        gy_fatal("a thread cannot be started");
    return http;
}

const char *gy_http_address(const gy_http *http)
{
    return http->address;
}

void gy_http_stop(gy_http *http)
{
    MHD_socket listening = http->web.quiesce_daemon(http->daemon);
    if (listening != MHD_INVALID_SOCKET)
        close(listening);
    pthread_mutex_lock(&http->lock);
    http->stopping = true;
    pthread_cond_broadcast(&http->changed);
    pthread_mutex_unlock(&http->lock);
    pthread_join(http->keeper, NULL);
    gy_ui_api_stop(http->api);
    pthread_mutex_lock(&http->lock);
    while (http->waiting) // checks take some seconds at most
        pthread_cond_wait(&http->changed, &http->lock);
    pthread_mutex_unlock(&http->lock);
    http->web.stop_daemon(http->daemon);
    gy_ui_api_free(http->api);
    pthread_cond_destroy(&http->changed);
    pthread_mutex_destroy(&http->lock);
    gy_web_library_close(&http->web);
    free(http);
}

#else

gy_http *gy_http_start(const gy_ui_api_options *options, unsigned port, gy_text *problem)
{
    (void)options;
    (void)port;
    gy_text_add(problem, "gyre ui needs libmicrohttpd, but Gyre was built without it\n  hint: "
                         "install libmicrohttpd-dev and rebuild Gyre");
    return NULL;
}

const char *gy_http_address(const gy_http *http)
{
    (void)http;
    return "";
}

void gy_http_stop(gy_http *http)
{
    (void)http;
}

#endif
