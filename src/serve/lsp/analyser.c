// The thread that reads texts: one after the other, the newest of each path.
#include "serve/lsp/analysis.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct lsp_analyser {
    pthread_t thread;
    int wake;
    pthread_mutex_t lock;
    pthread_cond_t more;
    // Guarded by the lock.
    GY_VEC(lsp_work *) works; // to be done, one for each path
    char *now;                // the path that is being read, or NULL
    GY_VEC(lsp_analysis *) results;
    bool end;
    atomic_bool stop; // what is being done
};

static void put(lsp_analyser *a, lsp_analysis *result)
{
    pthread_mutex_lock(&a->lock);
    if (result && atomic_load(&a->stop)) {
        lsp_analysis_free(result);
    } else if (result) {
        gy_vec_push(&a->results, result);
        ssize_t wrote = write(a->wake, "a", 1); // a full pipe has woken its reader already
        (void)wrote;
    }
    pthread_mutex_unlock(&a->lock);
}

static void put_partial(void *user, lsp_analysis *analysis)
{
    put(user, analysis);
}

static lsp_work *next_work(lsp_analyser *a)
{
    pthread_mutex_lock(&a->lock);
    while (a->works.n == 0 && !a->end)
        pthread_cond_wait(&a->more, &a->lock);
    lsp_work *work = NULL;
    if (!a->end) {
        work = a->works.at[0];
        a->works.n--;
        memmove(a->works.at, a->works.at + 1, a->works.n * sizeof *a->works.at);
        a->now = work->path;
        atomic_store(&a->stop, false);
    }
    pthread_mutex_unlock(&a->lock);
    return work;
}

static void *analyse(void *user)
{
    lsp_analyser *a = user;
    for (lsp_work *work; (work = next_work(a));) {
        put(a, lsp_analyse(work, &a->stop, put_partial, a));
        pthread_mutex_lock(&a->lock);
        a->now = NULL;
        pthread_mutex_unlock(&a->lock);
        lsp_work_free(work);
    }
    return NULL;
}

lsp_analyser *lsp_analyser_new(int wake)
{
    enum { STACK = 64 << 20 }; // deep texts are read by recursion
    lsp_analyser *a = gy_alloc_zero(sizeof *a);
    a->wake = wake;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->more, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    if (pthread_create(&a->thread, &attributes, analyse, a) != 0)
        gy_fatal("there is no thread to be had for reading models");
    pthread_attr_destroy(&attributes);
    return a;
}

// Locked. Takes this path off what is to be done, and ends what is being done for it.
static void forget(lsp_analyser *a, const char *path)
{
    for (size_t i = 0; i < a->works.n; i++) {
        if (strcmp(a->works.at[i]->path, path) != 0)
            continue;
        lsp_work_free(a->works.at[i]);
        memmove(a->works.at + i, a->works.at + i + 1, (--a->works.n - i) * sizeof *a->works.at);
        break;
    }
    if (a->now && strcmp(a->now, path) == 0)
        atomic_store(&a->stop, true);
}

void lsp_analyser_start(lsp_analyser *a, lsp_work *work)
{
    pthread_mutex_lock(&a->lock);
    forget(a, work->path);
    gy_vec_push(&a->works, work);
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->lock);
}

void lsp_analyser_forget(lsp_analyser *a, const char *path)
{
    pthread_mutex_lock(&a->lock);
    forget(a, path);
    pthread_mutex_unlock(&a->lock);
}

bool lsp_analyser_expects(lsp_analyser *a, const char *path)
{
    pthread_mutex_lock(&a->lock);
    bool found = a->now && strcmp(a->now, path) == 0;
    for (size_t i = 0; i < a->works.n; i++)
        found |= strcmp(a->works.at[i]->path, path) == 0;
    for (size_t i = 0; i < a->results.n; i++)
        found |= strcmp(a->results.at[i]->path, path) == 0;
    pthread_mutex_unlock(&a->lock);
    return found;
}

lsp_analysis *lsp_analyser_take(lsp_analyser *a)
{
    lsp_analysis *result = NULL;
    pthread_mutex_lock(&a->lock);
    if (a->results.n > 0) {
        result = a->results.at[0];
        memmove(a->results.at, a->results.at + 1, --a->results.n * sizeof *a->results.at);
    }
    pthread_mutex_unlock(&a->lock);
    return result;
}

void lsp_analyser_free(lsp_analyser *a)
{
    pthread_mutex_lock(&a->lock);
    a->end = true;
    atomic_store(&a->stop, true);
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    for (size_t i = 0; i < a->works.n; i++)
        lsp_work_free(a->works.at[i]);
    for (size_t i = 0; i < a->results.n; i++)
        lsp_analysis_free(a->results.at[i]);
    gy_vec_free(&a->works);
    gy_vec_free(&a->results);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->more);
    free(a);
}
