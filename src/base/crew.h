// A crew: threads that work on one thing and meet now and then.
//
// gy_crew_run starts the threads and calls work(user, member) on each, the caller being member 0.
// gy_crew_meet returns when all of them have called it. The last to arrive calls `lead` first,
// while the others wait: that is where things are done that only one may do. What was written
// before a meeting, by any member, is seen by all after it.
#ifndef GYRE_BASE_CREW_H
#define GYRE_BASE_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct gy_crew {
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    unsigned size, waiting;
    unsigned patience; // looks at `meetings` before a member goes to sleep: waking it up is slow
    _Atomic uint64_t meetings;
    void (*work)(void *user, unsigned member);
    void *user;
} gy_crew;

unsigned gy_processors(void); // that this process may use, at least one

// With at most `size` members; as many as the system gives, at least one. Returns how many.
unsigned gy_crew_run(unsigned size, void (*work)(void *user, unsigned member), void *user,
                     gy_crew *crew);
void gy_crew_meet(gy_crew *crew, void (*lead)(void *user, unsigned member), unsigned member);

#endif
