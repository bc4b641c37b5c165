// Launchers: a worker that hangs is ended, and reported; one that cannot be started, or dies,
// too.
#include "dist/swarm/launchers.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Starts one worker that runs `script`, and waits until it has ended; what became of it.
static char *outcome_of(const char *script, double seconds, const char *folder)
{
    const char *const command[] = {"/bin/sh", "-c", script, NULL};
    gy_launch_options options = {
        .kind = GY_LAUNCH_LOCAL, .command = command, .folder = folder, .seconds = seconds};
    gy_launcher *launcher = gy_launcher_new(&options);
    gy_text why = {0};
    uint64_t job = 0;
    const char *how;
    assert_true(gy_launch_job(launcher, 7, false, &why));
    assert_true(gy_launch_flush(launcher, &why));
    while (!gy_launch_ended(launcher, &job, &how))
        gy_launch_wait(launcher, 0.01);
    assert_int_equal(job, 7);
    char *told = strdup(how);
    assert_false(gy_launch_ended(launcher, &job, &how));
    gy_launcher_free(launcher);
    gy_text_free(&why);
    return told;
}

static void workers_end(void **state)
{
    char folder[] = "/tmp/gyre-launchers-XXXXXX";
    const char *path;
    gy_text log = {0}, script = {0};
    (void)state;
    assert_non_null(mkdtemp(folder));
    char *well = outcome_of("exit 0", 0, folder), *badly = outcome_of("exit 3", 0, folder);
    char *killed = outcome_of("kill -9 $$", 0, folder);
    // Its number goes to a file, so that one can see whether it is gone; no signal but one ends it.
    gy_text_printf(&script, "trap '' TERM INT HUP; echo $$ > %s/pid; kill -STOP $$; sleep 1000",
                   folder);
    char *hung = outcome_of(gy_text_str(&script), 2, folder);
    assert_string_equal(well, "");
    assert_non_null(strstr(badly, "status 3"));
    assert_non_null(strstr(killed, "signal 9"));
    assert_non_null(strstr(hung, "did not end"));
    gy_text_printf(&log, "%s/pid", folder);
    path = gy_text_str(&log);
    FILE *file = fopen(path, "r");
    int pid = 0;
    if (file) { // two seconds may be too short to get there
        if (fscanf(file, "%d", &pid) == 1)
            assert_int_not_equal(kill(pid, 0), 0);
        fclose(file);
    }
    unlink(path);
    gy_text_clear(&log);
    gy_text_printf(&log, "%s/job-7.log", folder);
    unlink(gy_text_str(&log));
    rmdir(folder);
    gy_text_free(&log);
    gy_text_free(&script);
    free(well);
    free(badly);
    free(killed);
    free(hung);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(workers_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
