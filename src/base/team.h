// A team: threads that work on one thing and meet from time to time.
//
// gy_team_run starts the threads and calls work(user, member) on each, the caller being member 0.
// gy_team_meet returns when all of them have called it. The last to arrive calls `lead` first,
// while the others wait: that is where things are done that only one may do. What was written
// before a meeting, by any member, is seen by all after it.
//
// Whoever leads can share what there is to do with those who wait: gy_team_share calls
// job(user, member, i) once for each i below `count`, on any of them, and returns when all is done.
#ifndef GYRE_BASE_TEAM_H
#define GYRE_BASE_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef void gy_team_job(void *user, unsigned member, uint64_t i);

typedef struct gy_team {
    pthread_mutex_t lock;
    pthread_cond_t call; // for those asleep: the meeting is over, or there is a job
    unsigned size, waiting, asleep;
    unsigned leader;
    int *homes;        // by member: a processor; NULL: there are more or fewer of them
    unsigned patience; // looks around before a member goes to sleep: waking it up is slow
    _Atomic uint64_t meetings;
    void (*work)(void *user, unsigned member);
    void *user;
    gy_team_job *job;
    void *job_user;
    uint64_t job_count;
    _Atomic uint64_t job_number; // how often a job was begun or ended: odd, there is one
    _Atomic uint64_t job_next;
    _Atomic unsigned helpers;
} gy_team;

unsigned gy_processors(void); // that this process may use, at least one

// With at most `size` members; as many as the system gives, at least one. Returns how many.
unsigned gy_team_run(unsigned size, void (*work)(void *user, unsigned member), void *user,
                     gy_team *team);
void gy_team_meet(gy_team *team, void (*lead)(void *user, unsigned member), unsigned member);

// Members are numbered below this; 1 for a team that is all zeros, or NULL.
unsigned gy_team_size(const gy_team *team);
// For who leads a meeting; or, with a team of NULL or all zeros, for anybody: then the caller,
// member 0, does it all.
void gy_team_share(gy_team *team, uint64_t count, gy_team_job *job, void *user);

#endif
