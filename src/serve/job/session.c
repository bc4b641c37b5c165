#include "serve/job/session.h"

#include "base/clock.h"
#include "base/fatal.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINE = 64 << 20 };

struct gy_session {
    gy_child child; // its files are closed by the thread, which ends last
    double patience;
    pthread_t thread;
    int wake[2];  // a pipe: a question was asked, or it is to end
    gy_text line; // of the thread alone
    pthread_mutex_t lock;
    bool asked, ended, ending;
    double since; // when it was asked
    char *answer;
    void (*told)(void *user);
    void *user;
};

// Takes the waiting question off, with its answer (NULL: there will be none).
static void tell(gy_session *session, char *answer, bool ended)
{
    pthread_mutex_lock(&session->lock);
    void (*told)(void *user) = session->asked ? session->told : NULL;
    void *user = session->user;
    session->ended |= ended;
    session->asked = false;
    if (answer) { // an answer that was not fetched yet outlives the child
        free(session->answer);
        session->answer = answer;
    }
    pthread_mutex_unlock(&session->lock);
    if (told)
        told(user);
}

// False: there is no more to come.
static bool read_lines(gy_session *session)
{
    char piece[65536];
    ssize_t n = read(session->child.from, piece, sizeof piece);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0 || session->line.n + (size_t)n > MOST_LINE)
        return false;
    char *end = memchr(piece, '\n', (size_t)n);
    gy_text_bytes(&session->line, piece, end ? (size_t)(end - piece) : (size_t)n);
    if (end) // nothing comes after it before something is asked
        tell(session, gy_text_take(&session->line), false);
    return true;
}

// Milliseconds; -1: nothing waits for an answer.
static int time_left(gy_session *session, bool *ending)
{
    pthread_mutex_lock(&session->lock);
    double left = session->asked ? session->since + session->patience - gy_clock() : -1;
    int wait = !session->asked ? -1 : left <= 0 ? 0 : (int)(left * 1000) + 1;
    *ending = session->ending;
    pthread_mutex_unlock(&session->lock);
    return wait;
}

static void *listen(void *argument)
{
    gy_session *session = argument;
    struct pollfd files[2] = {{.fd = session->child.from, .events = POLLIN},
                              {.fd = session->wake[0], .events = POLLIN}};
    for (bool open = true; open;) {
        bool ending;
        int wait = time_left(session, &ending);
        if (ending || wait == 0)
            break;
        if (poll(files, 2, wait) < 0 && errno != EINTR)
            break;
        char byte;
        if (files[1].revents & POLLIN)
            while (read(session->wake[0], &byte, 1) > 0)
                ;
        if (files[0].revents)
            open = read_lines(session);
    }
    gy_child_kill(&session->child);
    pthread_mutex_lock(&session->lock);
    gy_child_finish(&session->child);
    session->ended = true;
    pthread_mutex_unlock(&session->lock);
    tell(session, NULL, true);
    return NULL;
}

gy_session *gy_session_start(const gy_child_request *request, double patience,
                             void (*told)(void *user), void *user)
{
    gy_session *session = gy_alloc_zero(sizeof *session);
    gy_child_request talking = *request;
    talking.talks = true;
    if (!gy_child_start(&talking, &session->child)) {
        free(session);
        return NULL;
    }
    pthread_mutex_init(&session->lock, NULL);
    fcntl(session->child.to, F_SETFL,
          O_NONBLOCK); // questions are short; who does not read them is ill
    session->patience = patience;
    session->asked = true;
    session->since = gy_clock();
    session->told = told;
    session->user = user;
    if (pipe2(session->wake, O_CLOEXEC | O_NONBLOCK) != 0 ||
        pthread_create(&session->thread, NULL, listen, session) != 0)
        gy_fatal("a session cannot be started: %s", strerror(errno));
    return session;
}

static void wake(gy_session *session)
{
    while (write(session->wake[1], "", 1) < 0 && errno == EINTR)
        ;
}

bool gy_session_ask(gy_session *session, const char *line, void (*told)(void *user), void *user)
{
    gy_text text = {0};
    gy_text_printf(&text, "%s\n", line);
    pthread_mutex_lock(&session->lock);
    bool good = !session->asked && !session->ended;
    good = good && write(session->child.to, text.at, text.n) == (ssize_t)text.n;
    if (good) {
        free(session->answer);
        session->answer = NULL;
        session->asked = true;
        session->since = gy_clock();
        session->told = told;
        session->user = user;
        wake(session);
    }
    pthread_mutex_unlock(&session->lock);
    gy_text_free(&text);
    return good;
}

char *gy_session_answer(gy_session *session)
{
    pthread_mutex_lock(&session->lock);
    char *answer = session->answer;
    session->answer = NULL;
    pthread_mutex_unlock(&session->lock);
    return answer;
}

void gy_session_end(gy_session *session)
{
    pthread_mutex_lock(&session->lock);
    session->ending = true;
    wake(session);
    pthread_mutex_unlock(&session->lock);
}

void gy_session_free(gy_session *session)
{
    if (!session)
        return;
    gy_session_end(session);
    pthread_join(session->thread, NULL);
    close(session->wake[0]);
    close(session->wake[1]);
    pthread_mutex_destroy(&session->lock);
    gy_text_free(&session->line);
    free(session->answer);
    free(session);
}
