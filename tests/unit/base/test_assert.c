// Assertions: off, they compile and cost nothing; on, they say where and abort, or can be caught.
#include "base/assert.h"

#include "base/diag.h"
#include "base/fatal.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/team.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static _Thread_local jmp_buf out;
static _Thread_local char caught[1024];

static void catch (const char *message)
{
    snprintf(caught, sizeof caught, "%s", message);
    longjmp(out, 1);
}

// Did it fail? What was said is in `caught`.
static int fails(void (*act)(void))
{
    gy_fatal_handler *before = gy_set_fatal_handler(catch);
    volatile int failed = 1;
    caught[0] = '\0';
    if (!setjmp(out)) {
        act();
        failed = 0;
    }
    gy_set_fatal_handler(before);
    return failed;
}

static int evaluated;

static int count(int value)
{
    evaluated++;
    return value;
}

static void state_truth(void)
{
    gy_assert(count(1) == 1);
}

static void state_falsehood(void)
{
    gy_assert(count(1) == 2);
}

static void evaluated_when_on_only(void **unused)
{
    (void)unused;
    evaluated = 0;
    assert_int_equal(fails(state_truth), 0);
    assert_int_equal(evaluated, GY_DEBUG);
    assert_int_equal(fails(state_falsehood), GY_DEBUG);
    assert_int_equal(evaluated, 2 * GY_DEBUG);
}

static void tells_what_and_where(void **unused)
{
    (void)unused;
    if (!GY_DEBUG)
        skip();
    assert_true(fails(state_falsehood));
    assert_non_null(strstr(caught, "test_assert.c:"));
    assert_non_null(strstr(caught, "state_falsehood: assertion failed: count(1) == 2"));
}

static void aborts_when_not_caught(void **unused)
{
    (void)unused;
    int ends[2], status;
    char said[1024] = {0};
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        signal(SIGABRT, SIG_DFL); // not cmocka's
        dup2(ends[1], 2);
        gy_assert_failed("a < b", "file.c", 7, "f");
    }
    close(ends[1]);
    assert_true(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_string_equal(said, "gyre: file.c:7: f: assertion failed: a < b\n");
}

// What the headers of base promise is stated: a breach of each is noticed.

static void give_back_what_was_not_taken(void)
{
    gy_budget budget;
    gy_budget_init(&budget, 0);
    gy_budget_give(&budget, 1);
}

static void ask_for_none_of_none(void)
{
    gy_random random;
    gy_random_seed(&random, 1);
    gy_random_below(&random, 0);
}

static void job(void *user, unsigned member, uint64_t i)
{
    (void)user, (void)member, (void)i;
}

static gy_team the_team;
static int noticed; // by member 0

static void share_alone(void)
{
    gy_team_share(&the_team, 5, job, NULL);
}

static void share_without_a_meeting(void *user, unsigned member)
{
    (void)user;
    if (member == 0)
        noticed = fails(share_alone);
}

static void breaches_are_noticed(void **unused)
{
    (void)unused;
    if (!GY_DEBUG)
        skip();
    assert_true(fails(give_back_what_was_not_taken));
    assert_true(fails(ask_for_none_of_none));
    if (gy_team_run(2, share_without_a_meeting, NULL, &the_team) == 2)
        assert_true(noticed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluated_when_on_only),
        cmocka_unit_test(tells_what_and_where),
        cmocka_unit_test(aborts_when_not_caught),
        cmocka_unit_test(breaches_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
