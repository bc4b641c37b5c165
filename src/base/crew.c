#include "base/crew.h"

#include "base/fatal.h"

#include <sched.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { PATIENCE = 2000 }; // some tens of microseconds

unsigned gy_processors(void)
{
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable))
        return 1;
    int count = CPU_COUNT(&usable);
    return count > 0 ? (unsigned)count : 1;
}

typedef struct member {
    gy_crew *crew;
    unsigned number;
    pthread_t thread;
} member;

// One processor for each member, that of the caller for the first: if there are just as many.
static int *find_homes(unsigned size)
{
    cpu_set_t usable;
    int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof usable, &usable) ||
        CPU_COUNT(&usable) != (int)size || !CPU_ISSET(here, &usable))
        return NULL;
    int *homes = gy_alloc(size * sizeof *homes);
    for (unsigned i = 0; i < size; i++) {
        homes[i] = here;
        do
            here = (here + 1) % CPU_SETSIZE;
        while (!CPU_ISSET(here, &usable));
    }
    return homes;
}

// Systems like to put a thread that begins or wakes up where the one is that called it, though
// another processor has nothing to do, and then the two share one for a tenth of a second. So a
// member goes home, and is free to be moved from there, in case others need the place more.
static void go_home(const gy_crew *crew, unsigned number)
{
    cpu_set_t usable, home;
    if (!crew->homes || sched_getcpu() == crew->homes[number] ||
        sched_getaffinity(0, sizeof usable, &usable))
        return;
    CPU_ZERO(&home);
    CPU_SET(crew->homes[number], &home);
    sched_setaffinity(0, sizeof home, &home);
    sched_setaffinity(0, sizeof usable, &usable);
}

static void *begin(void *user)
{
    member *m = user;
    pthread_mutex_lock(&m->crew->lock); // until the size is known
    pthread_mutex_unlock(&m->crew->lock);
    go_home(m->crew, m->number);
    m->crew->work(m->crew->user, m->number);
    return NULL;
}

unsigned gy_crew_run(unsigned size, void (*work)(void *user, unsigned number), void *user,
                     gy_crew *crew)
{
    member *members = gy_alloc_zero(size * sizeof *members);
    unsigned started = 1;
    *crew = (gy_crew){.work = work, .user = user};
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->call, NULL);
    pthread_mutex_lock(&crew->lock);
    for (; started < size; started++) {
        members[started] = (member){.crew = crew, .number = started};
        if (pthread_create(&members[started].thread, NULL, begin, &members[started]))
            break;
    }
    crew->size = started;
    crew->patience = started <= gy_processors() ? PATIENCE : 0;
    crew->homes = find_homes(started);
    pthread_mutex_unlock(&crew->lock);
    work(user, 0);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
    crew->size = 0;
    free(crew->homes);
    pthread_cond_destroy(&crew->call);
    pthread_mutex_destroy(&crew->lock);
    free(members);
    return started;
}

static void look_away(void)
{
#ifdef __SSE2__
    _mm_pause();
#endif
}

static uint64_t meetings_of(const gy_crew *crew)
{
    return atomic_load_explicit(&crew->meetings, memory_order_acquire);
}

static void do_jobs(gy_crew *crew, unsigned number)
{
    gy_crew_job *job = crew->job;
    void *user = crew->job_user;
    uint64_t count = crew->job_count, i;
    while ((i = atomic_fetch_add_explicit(&crew->job_next, 1, memory_order_relaxed)) < count)
        job(user, number, i);
}

// Is there a job that this member has not helped with?
static bool has_job(const gy_crew *crew, uint64_t last)
{
    uint64_t job = atomic_load_explicit(&crew->job_number, memory_order_relaxed);
    return job % 2 && job != last;
}

// Who leads first ends the job and then looks whether there are helpers; a helper first says
// that it is one and then looks whether the job has ended. So one of them sees the other.
static uint64_t help(gy_crew *crew, unsigned number)
{
    uint64_t job = atomic_load(&crew->job_number);
    atomic_fetch_add(&crew->helpers, 1);
    if (job % 2 && atomic_load(&crew->job_number) == job)
        do_jobs(crew, number);
    atomic_fetch_sub(&crew->helpers, 1);
    return job;
}

// Until the meeting is over.
static void wait(gy_crew *crew, uint64_t meeting, unsigned number)
{
    uint64_t last = 0; // job
    for (unsigned i = 0; i < crew->patience; i++) {
        if (meetings_of(crew) != meeting)
            return;
        if (has_job(crew, last)) {
            last = help(crew, number);
            i = 0;
        }
        look_away();
    }
    pthread_mutex_lock(&crew->lock);
    while (meetings_of(crew) == meeting)
        if (has_job(crew, last)) {
            pthread_mutex_unlock(&crew->lock);
            last = help(crew, number);
            pthread_mutex_lock(&crew->lock);
        } else {
            crew->asleep++;
            pthread_cond_wait(&crew->call, &crew->lock);
            crew->asleep--;
        }
    pthread_mutex_unlock(&crew->lock);
    go_home(crew, number);
}

void gy_crew_meet(gy_crew *crew, void (*lead)(void *user, unsigned number), unsigned number)
{
    pthread_mutex_lock(&crew->lock);
    uint64_t meeting = meetings_of(crew);
    bool last = ++crew->waiting == crew->size;
    pthread_mutex_unlock(&crew->lock);
    if (!last) {
        wait(crew, meeting, number);
        return;
    }
    crew->leader = number;
    lead(crew->user, number);
    pthread_mutex_lock(&crew->lock);
    crew->waiting = 0;
    atomic_store_explicit(&crew->meetings, meeting + 1, memory_order_release);
    if (crew->asleep)
        pthread_cond_broadcast(&crew->call);
    pthread_mutex_unlock(&crew->lock);
}

unsigned gy_crew_size(const gy_crew *crew)
{
    return crew && crew->size ? crew->size : 1;
}

void gy_crew_share(gy_crew *crew, uint64_t count, gy_crew_job *job, void *user)
{
    enum { SPIN = 1000 };
    if (gy_crew_size(crew) == 1 || count < 2) {
        for (uint64_t i = 0; i < count; i++)
            job(user, crew ? crew->leader : 0, i);
        return;
    }
    crew->job = job;
    crew->job_user = user;
    crew->job_count = count;
    atomic_store_explicit(&crew->job_next, 0, memory_order_relaxed);
    atomic_fetch_add(&crew->job_number, 1);
    pthread_mutex_lock(&crew->lock); // who is about to sleep has seen the job, or is asleep
    if (crew->asleep)
        pthread_cond_broadcast(&crew->call);
    pthread_mutex_unlock(&crew->lock);
    do_jobs(crew, crew->leader);
    atomic_fetch_add(&crew->job_number, 1);
    for (unsigned i = 1; atomic_load(&crew->helpers); i++)
        if (i % SPIN)
            look_away();
        else
            sched_yield();
}
