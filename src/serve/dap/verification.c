#include "serve/dap/verification.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct gy_verification {
    gy_request *request;
    pthread_t thread;
    int wake;
    gy_verified verified;
    atomic_bool done;
    pthread_mutex_t lock; // of what follows
    gy_search_progress figures;
    bool news;
};

static void wake(const gy_verification *v)
{
    // A full pipe wakes as well as one more byte would.
    ssize_t written = write(v->wake, "!", 1);
    (void)written;
}

static void progress(void *user, const gy_search_progress *figures)
{
    gy_verification *v = user;
    pthread_mutex_lock(&v->lock);
    v->figures = *figures;
    v->news = true;
    pthread_mutex_unlock(&v->lock);
    wake(v);
}

static void *verify(void *user)
{
    gy_verification *v = user;
    v->verified.outcome =
        gy_verify_for_trails(v->request, &v->verified.trails, &v->verified.complaint);
    atomic_store(&v->done, true);
    wake(v);
    return NULL;
}

gy_verification *gy_verification_start(gy_request *request, int wake_fd)
{
    gy_verification *v = gy_alloc_zero(sizeof *v);
    v->request = request;
    v->wake = wake_fd;
    pthread_mutex_init(&v->lock, NULL);
    request->progress = progress;
    request->progress_user = v;
    if (pthread_create(&v->thread, NULL, verify, v) == 0)
        return v;
    pthread_mutex_destroy(&v->lock);
    gy_request_free(request);
    free(v);
    return NULL;
}

bool gy_verification_figures(gy_verification *v, gy_text *out)
{
    pthread_mutex_lock(&v->lock);
    gy_search_progress figures = v->figures;
    bool news = v->news;
    v->news = false;
    pthread_mutex_unlock(&v->lock);
    if (!news)
        return false;
    gy_text_count(out, figures.states);
    gy_text_add(out, " states, ");
    gy_text_size(out, figures.memory);
    gy_text_add(out, ", ");
    gy_text_seconds(out, figures.seconds);
    return true;
}

const gy_verified *gy_verification_result(gy_verification *v)
{
    return atomic_load(&v->done) ? &v->verified : NULL;
}

void gy_verification_stop(gy_verification *v)
{
    gy_request_stop(v->request);
}

void gy_verification_free(gy_verification *v)
{
    if (!v)
        return;
    gy_verification_stop(v);
    pthread_join(v->thread, NULL);
    if (v->verified.outcome)
        gy_outcome_free(v->verified.outcome);
    gy_found_trails_free(&v->verified.trails);
    gy_user_error_free(&v->verified.complaint);
    pthread_mutex_destroy(&v->lock);
    gy_request_free(v->request);
    free(v);
}
