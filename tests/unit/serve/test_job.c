// Jobs and sessions: gyre in the background, examined, stopped, and kept to its limits. The
// programs that are run here are shell scripts which print what gyre would, so that each step
// happens when the test wants it.
#include "serve/job/job.h"
#include "serve/job/session.h"

#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/gyre-test-job-XXXXXX";
static char program[100];
static const char *const none[] = {NULL};

// The next job runs this.
static void script(const char *text)
{
    static int number;
    snprintf(program, sizeof program, "%s/%d", folder, number++);
    FILE *file = fopen(program, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    fclose(file);
    assert_int_equal(chmod(program, 0700), 0);
}

static gy_job *begin(gy_job_request request)
{
    request.program = program;
    request.arguments = request.arguments ? request.arguments : none;
    return gy_job_start(&request);
}

static gy_job_view end_of(gy_job *job)
{
    gy_job_view view;
    assert_true(gy_job_wait(job, 60));
    gy_job_look(job, &view);
    assert_int_equal(view.phase, GY_JOB_ENDED);
    return view;
}

static const char *verdict_of(gy_job *job)
{
    return json_string_value(json_object_get(gy_job_result(job), "verdict"));
}

static void a_report_is_the_result(void **unused)
{
    (void)unused;
    script("printf '{\\n \"report\": \"info\",\\n \"verdict\": \"holds\"\\n}\\n'; exit 2");
    gy_job *job = begin((gy_job_request){0});
    assert_int_equal(end_of(job).status, 2);
    assert_string_equal(verdict_of(job), "holds");
    gy_job_free(job);
}

static void events_come_one_by_one(void **unused)
{
    (void)unused;
    script(
        "echo '{\"event\":\"begin\",\"report\":\"events\"}'\n"
        "echo '{\"event\":\"progress\",\"seconds\":1.5,\"states\":10,\"memory_bytes\":99}'\n"
        "printf '{\"event\":\"ver'; printf 'dict\",\"property\":\"p\",\"verdict\":\"holds\"}\\n'\n"
        "cat > /dev/null; while ! [ -e go ]; do sleep 0.05; done\n"
        "echo '{\"event\":\"end\",\"status\":1,\"result\":{\"verdict\":\"violated\"}}'; exit 1");
    gy_job *job = begin((gy_job_request){.folder = folder});
    gy_job_view view;
    for (int i = 0; i < 15000; i++) {
        gy_job_look(job, &view);
        if (view.verdicts)
            break;
        usleep(20000);
    }
    assert_int_equal(view.phase, GY_JOB_RUNS);
    assert_int_equal(view.now.states, 10);
    assert_int_equal(view.now.memory, 99);
    assert_null(gy_job_result(job));
    char go[120];
    snprintf(go, sizeof go, "%s/go", folder);
    fclose(fopen(go, "w"));
    assert_int_equal(end_of(job).status, 1);
    unlink(go);
    json_t *verdicts = gy_job_verdicts(job);
    assert_int_equal(json_array_size(verdicts), 1);
    json_decref(verdicts);
    assert_string_equal(verdict_of(job), "violated");
    gy_job_free(job);
}

// However long it runs; the first and the last are there.
static void figures_are_thinned_out(void **unused)
{
    (void)unused;
    script("i=0; while [ $i -lt 3000 ]; do echo '{\"event\":\"progress\",\"seconds\":'$i'}'; "
           "i=$((i + 1)); done");
    gy_job *job = begin((gy_job_request){0});
    size_t count;
    assert_int_equal(end_of(job).now.seconds, 2999);
    gy_job_figures *figures = gy_job_history(job, &count);
    assert_in_range(count, 256, 512);
    assert_true(figures[0].seconds == 0);
    for (size_t i = 1; i < count; i++)
        assert_true(figures[i].seconds - figures[i - 1].seconds == figures[1].seconds);
    free(figures);
    gy_job_free(job);
}

// What a chart shows is one search.
static void figures_begin_anew_with_a_search(void **unused)
{
    (void)unused;
    script("for n in 1 2 3; do echo '{\"event\":\"progress\",\"search\":1,\"property\":\"safety\","
           "\"seconds\":'$n'}'; done\n"
           "for n in 1 2; do echo '{\"event\":\"progress\",\"search\":2,\"property\":\"p\","
           "\"seconds\":'$n'}'; done");
    gy_job *job = begin((gy_job_request){0});
    size_t count;
    assert_int_equal(end_of(job).now.search, 2);
    gy_job_figures *figures = gy_job_history(job, &count);
    assert_int_equal(count, 2);
    assert_string_equal(figures[0].property, "p");
    assert_true(figures[0].seconds == 1 && figures[1].seconds == 2);
    free(figures);
    gy_job_free(job);
}

static void input_is_given(void **unused)
{
    (void)unused;
    static const char text[] = "{\"verdict\": \"from the input\"}";
    script("cat");
    gy_job *job = begin((gy_job_request){.input = text, .input_bytes = sizeof text - 1});
    end_of(job);
    assert_string_equal(verdict_of(job), "from the input");
    gy_job_free(job);
}

// Asked to stop, it says what it knows.
static void a_stop_is_a_question_first(void **unused)
{
    (void)unused;
    script("trap 'echo "
           "\"{\\\"event\\\":\\\"end\\\",\\\"result\\\":{\\\"verdict\\\":\\\"inconclusive\\\"}}\"; "
           "exit 3' TERM\n"
           "echo '{\"event\":\"progress\",\"states\":1}'\nwhile :; do sleep 0.05; done");
    gy_job *job = begin((gy_job_request){0});
    gy_job_view view;
    do {
        usleep(10000);
        gy_job_look(job, &view);
    } while (!view.now.states);
    gy_job_stop(job);
    view = end_of(job);
    assert_true(view.stopped);
    assert_null(view.limit);
    assert_int_equal(view.status, 3);
    assert_string_equal(verdict_of(job), "inconclusive");
    gy_job_free(job);
}

static void who_does_not_listen_is_killed(void **unused)
{
    (void)unused;
    script("trap '' TERM\nwhile :; do sleep 1; done");
    gy_job *job = begin((gy_job_request){.most_seconds = 0.2, .patience = 0.2});
    gy_job_view view = end_of(job);
    assert_string_equal(view.limit, "time");
    assert_int_equal(view.status, -1);
    assert_null(gy_job_result(job));
    gy_job_free(job);
}

static void endless_output_ends(void **unused)
{
    (void)unused;
    script("exec cat /dev/zero");
    gy_job *job = begin((gy_job_request){.most_output = 1 << 20});
    assert_string_equal(end_of(job).limit, "output");
    gy_job_free(job);
}

static void what_can_not_be_run_ends(void **unused)
{
    (void)unused;
    snprintf(program, sizeof program, "/nowhere/gyre");
    gy_job *job = begin((gy_job_request){0});
    assert_int_equal(end_of(job).status, 127);
    assert_null(gy_job_result(job));
    gy_job_free(job);
}

static void a_job_that_runs_can_be_freed(void **unused)
{
    (void)unused;
    script("exec sleep 1000");
    gy_job_free(begin((gy_job_request){0}));
}

// ---- sessions: a child one talks to ------------------------------------------------------

static void told(void *user)
{
    sem_post(user);
}

static gy_session *talk(double patience, sem_t *there)
{
    gy_child_request request = {.arguments = none, .program = program};
    sem_init(there, 0, 0);
    gy_session *session = gy_session_start(&request, patience, told, there);
    assert_non_null(session);
    sem_wait(there);
    return session;
}

static void expect_answer(gy_session *session, const char *text)
{
    char *answer = gy_session_answer(session);
    if (text)
        assert_string_equal(answer, text);
    else
        assert_null(answer);
    free(answer);
}

static void questions_are_answered(void **unused)
{
    (void)unused;
    sem_t there;
    script("echo hello; while read -r line; do echo \"<$line>\"; done");
    gy_session *session = talk(60, &there);
    expect_answer(session, "hello");
    for (int i = 0; i < 3; i++) {
        assert_true(gy_session_ask(session, "you", told, &there));
        sem_wait(&there);
        expect_answer(session, "<you>");
    }
    gy_session_free(session);
}

// Whoever says something and goes has said it.
static void the_last_words_are_kept(void **unused)
{
    (void)unused;
    sem_t there;
    script("echo bye");
    for (int i = 0; i < 20; i++) {
        gy_session *session = talk(60, &there);
        while (gy_session_ask(session, "more", told, &there))
            sem_wait(&there); // it may not have gone yet: then nothing comes
        gy_session_free(session);
        session = talk(60, &there);
        usleep(i * 500);
        expect_answer(session, "bye");
        gy_session_free(session);
    }
}

static void who_does_not_answer_is_ended(void **unused)
{
    (void)unused;
    sem_t there;
    script("echo hello; read -r line; exec sleep 1000");
    gy_session *session = NULL;
    // The first line comes unasked, in the same time: on a busy machine it has to have more.
    for (double patience = 0.2; !session; patience *= 4) {
        session = talk(patience, &there);
        if (gy_session_ask(session, "well", told, &there))
            break;
        gy_session_free(session);
        session = NULL;
    }
    assert_false(gy_session_ask(session, "well", told, &there)); // one at a time
    sem_wait(&there);
    free(gy_session_answer(session)); // "hello" was not fetched before it was asked
    expect_answer(session, NULL);
    gy_session_free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_is_the_result),
        cmocka_unit_test(events_come_one_by_one),
        cmocka_unit_test(figures_are_thinned_out),
        cmocka_unit_test(figures_begin_anew_with_a_search),
        cmocka_unit_test(input_is_given),
        cmocka_unit_test(a_stop_is_a_question_first),
        cmocka_unit_test(who_does_not_listen_is_killed),
        cmocka_unit_test(endless_output_ends),
        cmocka_unit_test(what_can_not_be_run_ends),
        cmocka_unit_test(a_job_that_runs_can_be_freed),
        cmocka_unit_test(questions_are_answered),
        cmocka_unit_test(the_last_words_are_kept),
        cmocka_unit_test(who_does_not_answer_is_ended),
    };
    signal(SIGPIPE, SIG_IGN);
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[120];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || failed;
}
