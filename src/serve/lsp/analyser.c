// The threads that read texts, the newest of each path. Parsing ends soon after it was asked to;
// what is made of a parsed text does not, and may take long for a huge model: so there are a few
// threads, and the next text is read by another one meanwhile.
#include "serve/lsp/analysis.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3 };

typedef struct reader {
    struct lsp_analyser *analyser;
    pthread_t thread;
    char *now;        // the path that is being read, or NULL; guarded by the lock
    atomic_bool stop; // what is being done
} reader;

struct lsp_analyser {
    int wake;
    reader readers[THREADS];
    pthread_mutex_t lock;
    pthread_cond_t more;
    // Guarded by the lock.
    GY_VEC(lsp_work *) works; // to be done, one for each path
    GY_VEC(lsp_analysis *) results;
    bool end;
};

// ---- in the threads
// -------------------------------------------------------------------------------

static void put(reader *r, lsp_analysis *result)
{
    lsp_analyser *a = r->analyser;
    pthread_mutex_lock(&a->lock);
    if (result && atomic_load(&r->stop)) {
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

static lsp_work *next_work(reader *r)
{
    lsp_analyser *a = r->analyser;
    pthread_mutex_lock(&a->lock);
    while (a->works.n == 0 && !a->end)
        pthread_cond_wait(&a->more, &a->lock);
    lsp_work *work = NULL;
    if (!a->end) {
        work = a->works.at[0];
        a->works.n--;
        memmove(a->works.at, a->works.at + 1, a->works.n * sizeof *a->works.at);
        r->now = work->path;
        atomic_store(&r->stop, false);
    }
    pthread_mutex_unlock(&a->lock);
    return work;
}

// The main thread may wait for an answer that will not come now.
static void finish(reader *r)
{
    lsp_analyser *a = r->analyser;
    pthread_mutex_lock(&a->lock);
    r->now = NULL;
    ssize_t wrote = a->end ? 0 : write(a->wake, "a", 1);
    (void)wrote;
    pthread_mutex_unlock(&a->lock);
}

static void *analyse(void *user)
{
    reader *r = user;
    for (lsp_work *work; (work = next_work(r));) {
        put(r, lsp_analyse(work, &r->stop, put_partial, r));
        finish(r);
        lsp_work_free(work);
    }
    return NULL;
}

// ---- in the thread of the server
// --------------------------------------------------------------------

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
    for (int i = 0; i < THREADS; i++) {
        a->readers[i].analyser = a;
        if (pthread_create(&a->readers[i].thread, &attributes, analyse, &a->readers[i]) != 0)
            gy_fatal("no thread can be started for reading models");
    }
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
    for (int i = 0; i < THREADS; i++)
        if (a->readers[i].now && strcmp(a->readers[i].now, path) == 0)
            atomic_store(&a->readers[i].stop, true);
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
    bool found = false;
    for (int i = 0; i < THREADS; i++)
        found |= a->readers[i].now && !atomic_load(&a->readers[i].stop) &&
                 strcmp(a->readers[i].now, path) == 0;
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

// False: some are still at work.
static bool join_all(lsp_analyser *a)
{
    enum { PATIENCE = 2 }; // seconds
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    bool all = true;
    for (int i = 0; i < THREADS; i++)
        all &= pthread_timedjoin_np(a->readers[i].thread, NULL, &until) == 0;
    return all;
}

void lsp_analyser_free(lsp_analyser *a)
{
    pthread_mutex_lock(&a->lock);
    a->end = true;
    for (int i = 0; i < THREADS; i++)
        atomic_store(&a->readers[i].stop, true);
    pthread_cond_broadcast(&a->more);
    pthread_mutex_unlock(&a->lock);
    if (!join_all(a))
        return; // the program ends now, and they with it
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
