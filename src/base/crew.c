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

static void *begin(void *user)
{
    member *m = user;
    pthread_mutex_lock(&m->crew->lock); // until the size is known
    pthread_mutex_unlock(&m->crew->lock);
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
    pthread_cond_init(&crew->all_here, NULL);
    pthread_mutex_lock(&crew->lock);
    for (; started < size; started++) {
        members[started] = (member){.crew = crew, .number = started};
        if (pthread_create(&members[started].thread, NULL, begin, &members[started]))
            break;
    }
    crew->size = started;
    crew->patience = started <= gy_processors() ? PATIENCE : 0;
    pthread_mutex_unlock(&crew->lock);
    work(user, 0);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
    pthread_cond_destroy(&crew->all_here);
    pthread_mutex_destroy(&crew->lock);
    free(members);
    return started;
}

static uint64_t meetings_of(const gy_crew *crew)
{
    return atomic_load_explicit(&crew->meetings, memory_order_acquire);
}

// Until the meeting is over.
static void wait(gy_crew *crew, uint64_t meeting)
{
    for (unsigned i = 0; i < crew->patience; i++) {
        if (meetings_of(crew) != meeting)
            return;
#ifdef __SSE2__
        _mm_pause();
#endif
    }
    pthread_mutex_lock(&crew->lock);
    while (meetings_of(crew) == meeting)
        pthread_cond_wait(&crew->all_here, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void gy_crew_meet(gy_crew *crew, void (*lead)(void *user, unsigned number), unsigned number)
{
    pthread_mutex_lock(&crew->lock);
    uint64_t meeting = meetings_of(crew);
    if (++crew->waiting < crew->size) {
        pthread_mutex_unlock(&crew->lock);
        wait(crew, meeting);
        return;
    }
    lead(crew->user, number);
    crew->waiting = 0;
    atomic_store_explicit(&crew->meetings, meeting + 1, memory_order_release);
    pthread_cond_broadcast(&crew->all_here);
    pthread_mutex_unlock(&crew->lock);
}
