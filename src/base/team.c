#include "base/team.h"

#include "base/assert.h"
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
    gy_team *team;
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
// another processor has nothing to do, and then the two share one for some thirty milliseconds. So
// a member goes home, and is free to be moved from there, in case others need the place more.
static void go_home(const gy_team *team, unsigned number)
{
    cpu_set_t usable, home;
    if (!team->homes || sched_getcpu() == team->homes[number] ||
        sched_getaffinity(0, sizeof usable, &usable))
        return;
    CPU_ZERO(&home);
    CPU_SET(team->homes[number], &home);
    sched_setaffinity(0, sizeof home, &home);
    sched_setaffinity(0, sizeof usable, &usable);
}

static void *begin(void *user)
{
    member *m = user;
    pthread_mutex_lock(&m->team->lock); // until the size is known
    pthread_mutex_unlock(&m->team->lock);
    go_home(m->team, m->number);
    m->team->work(m->team->user, m->number);
    return NULL;
}

unsigned gy_team_run(unsigned size, void (*work)(void *user, unsigned number), void *user,
                     gy_team *team)
{
    gy_assert(size >= 1);
    member *members = gy_alloc_zero(size * sizeof *members);
    unsigned started = 1;
    *team = (gy_team){.work = work, .user = user};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->call, NULL);
    pthread_mutex_lock(&team->lock);
    for (; started < size; started++) {
        members[started] = (member){.team = team, .number = started};
        if (pthread_create(&members[started].thread, NULL, begin, &members[started]))
            break;
    }
    team->size = started;
    team->patience = started <= gy_processors() ? PATIENCE : 0;
    team->homes = find_homes(started);
    pthread_mutex_unlock(&team->lock);
    work(user, 0);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
    team->size = 0;
    free(team->homes);
    pthread_cond_destroy(&team->call);
    pthread_mutex_destroy(&team->lock);
    free(members);
    return started;
}

static void look_away(void)
{
#ifdef __SSE2__
    _mm_pause();
#endif
}

static uint64_t meetings_of(const gy_team *team)
{
    return atomic_load_explicit(&team->meetings, memory_order_acquire);
}

static void do_jobs(gy_team *team, unsigned number)
{
    gy_team_job *job = team->job;
    void *user = team->job_user;
    uint64_t count = team->job_count, i;
    while ((i = atomic_fetch_add_explicit(&team->job_next, 1, memory_order_relaxed)) < count)
        job(user, number, i);
}

// Is there a job that this member has not helped with?
static bool has_job(const gy_team *team, uint64_t last)
{
    uint64_t job = atomic_load_explicit(&team->job_number, memory_order_relaxed);
    return job % 2 && job != last;
}

// Who leads first ends the job and then looks whether there are helpers; a helper first says
// that it is one and then looks whether the job has ended. So one of them sees the other.
static uint64_t help(gy_team *team, unsigned number)
{
    uint64_t job = atomic_load(&team->job_number);
    atomic_fetch_add(&team->helpers, 1);
    if (job % 2 && atomic_load(&team->job_number) == job)
        do_jobs(team, number);
    atomic_fetch_sub(&team->helpers, 1);
    return job;
}

// Until the meeting is over.
static void wait(gy_team *team, uint64_t meeting, unsigned number)
{
    uint64_t last = 0; // job
    for (unsigned i = 0; i < team->patience; i++) {
        if (meetings_of(team) != meeting)
            return;
        if (has_job(team, last)) {
            last = help(team, number);
            i = 0;
        }
        look_away();
    }
    pthread_mutex_lock(&team->lock);
    while (meetings_of(team) == meeting)
        if (has_job(team, last)) {
            pthread_mutex_unlock(&team->lock);
            last = help(team, number);
            pthread_mutex_lock(&team->lock);
        } else {
            team->asleep++;
            pthread_cond_wait(&team->call, &team->lock);
            team->asleep--;
        }
    pthread_mutex_unlock(&team->lock);
    go_home(team, number);
}

void gy_team_meet(gy_team *team, void (*lead)(void *user, unsigned number), unsigned number)
{
    pthread_mutex_lock(&team->lock);
    uint64_t meeting = meetings_of(team);
    gy_assert(number < team->size && team->waiting < team->size);
    bool last = ++team->waiting == team->size;
    pthread_mutex_unlock(&team->lock);
    if (!last) {
        wait(team, meeting, number);
        return;
    }
    team->leader = number;
    lead(team->user, number);
    pthread_mutex_lock(&team->lock);
    team->waiting = 0;
    atomic_store_explicit(&team->meetings, meeting + 1, memory_order_release);
    if (team->asleep)
        pthread_cond_broadcast(&team->call);
    pthread_mutex_unlock(&team->lock);
}

unsigned gy_team_size(const gy_team *team)
{
    return team && team->size ? team->size : 1;
}

void gy_team_share(gy_team *team, uint64_t count, gy_team_job *job, void *user)
{
    enum { SPIN = 1000 };
    if (gy_team_size(team) == 1 || count < 2) {
        for (uint64_t i = 0; i < count; i++)
            job(user, team ? team->leader : 0, i);
        return;
    }
    gy_assert(team->waiting == team->size);             // the caller leads a meeting
    gy_assert(atomic_load(&team->job_number) % 2 == 0); // and shares one job at a time
    team->job = job;
    team->job_user = user;
    team->job_count = count;
    atomic_store_explicit(&team->job_next, 0, memory_order_relaxed);
    atomic_fetch_add(&team->job_number, 1);
    pthread_mutex_lock(&team->lock); // who is about to sleep has seen the job, or is asleep
    if (team->asleep)
        pthread_cond_broadcast(&team->call);
    pthread_mutex_unlock(&team->lock);
    do_jobs(team, team->leader);
    atomic_fetch_add(&team->job_number, 1);
    for (unsigned i = 1; atomic_load(&team->helpers); i++)
        if (i % SPIN)
            look_away();
        else
            sched_yield();
}
