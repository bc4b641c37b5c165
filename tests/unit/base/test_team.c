// Teams: meetings, who leads, and jobs that are shared with those who wait.
#include "base/team.h"

#include "base/fatal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

enum { MOST = 8, ROUNDS = 400, JOBS = 300 };

typedef struct rig {
    gy_team team;
    unsigned size;
    uint64_t round;
    uint64_t jobs;             // of this round
    uint32_t done[JOBS];       // how often, in all rounds
    _Atomic uint32_t by[MOST]; // jobs
    uint64_t seen[MOST];       // rounds, by those who took part
    unsigned led;
    _Atomic uint32_t wrong;
    bool slow; // who leads keeps the others waiting until they are asleep
} rig;

static void doze(unsigned microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)microseconds * 1000}, NULL);
}

static void job(void *user, unsigned member, uint64_t i)
{
    rig *r = user;
    if (member >= r->size || i >= r->jobs)
        atomic_fetch_add(&r->wrong, 1);
    else
        r->done[i]++; // by nothing else at the same time
    atomic_fetch_add(&r->by[member % MOST], 1);
}

static void lead(void *user, unsigned member)
{
    rig *r = user;
    r->led |= 1u << member;
    for (unsigned i = 0; i < r->size; i++) // all of them are here
        if (r->seen[i] != r->round)
            atomic_fetch_add(&r->wrong, 1);
    r->round++;
    if (r->slow)
        doze(300);
    for (unsigned again = 0; again < 3; again++) { // one after the other
        r->jobs = (r->round * 7 + again) % JOBS;
        gy_team_share(&r->team, r->jobs, job, r);
        for (uint64_t i = 0; i < r->jobs; i++) // all of them are done
            if (!r->done[i])
                atomic_fetch_add(&r->wrong, 1);
    }
}

static void work(void *user, unsigned member)
{
    rig *r = user;
    while (r->round < ROUNDS / (r->slow ? 8 : 1)) {
        if (r->round % 5 == member)
            doze(50); // another one comes last
        r->seen[member] = r->round;
        gy_team_meet(&r->team, lead, member);
    }
}

static void everything_is_done_once(void **unused)
{
    (void)unused;
    for (unsigned size = 1; size <= MOST; size++)
        for (unsigned slow = 0; slow < 2; slow++) {
            rig *r = gy_alloc_zero(sizeof *r);
            r->size = size;
            r->slow = slow;
            assert_int_equal(gy_team_run(size, work, r, &r->team), size);
            assert_int_equal(r->wrong, 0);
            uint64_t wanted[JOBS] = {0}, all = 0, by = 0;
            for (uint64_t round = 1; round <= r->round; round++)
                for (unsigned again = 0; again < 3; again++)
                    for (uint64_t i = 0; i < (round * 7 + again) % JOBS; i++)
                        wanted[i]++;
            for (unsigned i = 0; i < JOBS; i++) {
                assert_int_equal(r->done[i], wanted[i]);
                all += wanted[i];
            }
            for (unsigned i = 0; i < MOST; i++)
                by += r->by[i];
            assert_int_equal(by, all);
            assert_true(size == 1 || (r->led & (r->led - 1))); // not always the same
            free(r);
        }
}

static bool all_came(rig *r)
{
    for (unsigned i = 0; i < r->size; i++)
        if (!r->by[i])
            return false;
    return true;
}

// Takes until all of them have one, or so long that nothing can have called the others.
static void wait_for_all(void *user, unsigned member, uint64_t i)
{
    rig *r = user;
    (void)i;
    atomic_fetch_add(&r->by[member], 1);
    for (unsigned k = 0; k < 60000 && !all_came(r) && !r->wrong; k++)
        doze(1000);
    if (!all_came(r))
        atomic_fetch_add(&r->wrong, 1);
}

static void lead_long(void *user, unsigned member)
{
    rig *r = user;
    (void)member;
    doze(2000); // all others are asleep
    r->round++;
    for (unsigned i = 0; i < r->size; i++)
        r->by[i] = 0;
    gy_team_share(&r->team, 160, wait_for_all, r);
}

static void work_long(void *user, unsigned member)
{
    rig *r = user;
    while (r->round < 2)
        gy_team_meet(&r->team, lead_long, member);
}

// A job that takes long is not left to one of them, though the others sleep when it begins.
static void sleepers_are_called(void **unused)
{
    (void)unused;
    for (unsigned size = 2; size <= MOST; size += 3) {
        rig *r = gy_alloc_zero(sizeof *r);
        r->size = size;
        assert_int_equal(gy_team_run(size, work_long, r, &r->team), size);
        assert_int_equal(r->wrong, 0);
        free(r);
    }
}

static void without_a_team(void **unused)
{
    (void)unused;
    rig *r = gy_alloc_zero(sizeof *r);
    r->size = 1;
    r->jobs = JOBS;
    gy_team_share(NULL, JOBS, job, r);
    gy_team_share(&r->team, JOBS, job, r); // that is not running
    assert_int_equal(gy_team_size(NULL), 1);
    assert_int_equal(gy_team_size(&r->team), 1);
    for (unsigned i = 0; i < JOBS; i++)
        assert_int_equal(r->done[i], 2);
    assert_int_equal(r->wrong, 0);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_done_once),
        cmocka_unit_test(sleepers_are_called),
        cmocka_unit_test(without_a_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
