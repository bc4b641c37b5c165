// Child processes: a keeper that is killed before it has made its group, and reasons that are kept.
#include "base/child_process.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// Between vfork and exec, children share these with their parent.
static volatile int keepers;      // have come to make their group
static volatile int keepers_lost; // so many of the first are killed there

// In place of the C library's: a process that makes a group of its own there is a keeper.
int setpgid(pid_t pid, pid_t group)
{
    if (pid == 0 && group == 0 && keepers++ < keepers_lost)
        syscall(SYS_kill, getpid(), SIGKILL);
    return (int)syscall(SYS_setpgid, pid, group);
}

static const char *const arguments[] = {"sh", "-c", "exit 3", NULL};
static const gy_process_start three = {
    .program = "/bin/sh", .arguments = arguments, .in = -1, .out = -1, .err = -1};

static void lose_keepers(int n)
{
    keepers = 0;
    keepers_lost = n;
}

static void check_end(gy_process *process)
{
    int status = gy_process_wait(process, 0, NULL);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    gy_process_release(process);
}

static void another_keeper_is_started(void **unused)
{
    (void)unused;
    gy_process process;
    for (int lost = 0; lost < 10; lost++) {
        lose_keepers(lost);
        assert_true(gy_process_run(&three, &process));
        assert_int_equal(keepers, lost + 1);
        assert_true(process.keeper > 0 && process.group == process.keeper);
        assert_int_equal(getpgid(process.pid), process.group);
        check_end(&process);
    }
}

// Somebody kills whatever is started: no endless attempts, and the reason is that of setpgid.
static void keepers_are_lost_again_and_again(void **unused)
{
    (void)unused;
    gy_process process;
    lose_keepers(1000);
    assert_false(gy_process_run(&three, &process));
    assert_int_equal(errno, EPERM);
    assert_int_equal(keepers, 10);
    assert_true(process.pid == 0 && process.keeper == 0 && process.alive == -1);
    lose_keepers(0);
}

static int work(void *user)
{
    (void)user;
    return 3;
}

static _Noreturn int work_for_ever(void *user)
{
    (void)user;
    for (;;)
        pause();
}

static void copies_do_without_a_keeper(void **unused)
{
    (void)unused;
    gy_process process;
    lose_keepers(1);
    assert_true(gy_process_fork(work, NULL, &process));
    check_end(&process);
    lose_keepers(1);
    assert_true(gy_process_fork(work_for_ever, NULL, &process));
    gy_process_kill(&process); // would not reach it in the group of this process
    int status = gy_process_wait(&process, 0, NULL);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    gy_process_release(&process);
    lose_keepers(0);
}

static void the_reason_is_kept(void **unused)
{
    (void)unused;
    gy_process process;
    gy_process_start start = three;
    start.folder = "/nowhere/at/all";
    assert_false(gy_process_run(&start, &process));
    assert_int_equal(errno, ENOENT);
    start.folder = "/bin/sh";
    assert_false(gy_process_run(&start, &process));
    assert_int_equal(errno, ENOTDIR);
    start.folder = NULL;
    start.program = "/etc"; // may be searched, which is what X_OK is of a directory
    assert_false(gy_process_run(&start, &process));
    assert_int_equal(errno, EACCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_keeper_is_started),
        cmocka_unit_test(keepers_are_lost_again_and_again),
        cmocka_unit_test(copies_do_without_a_keeper),
        cmocka_unit_test(the_reason_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
