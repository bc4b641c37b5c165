#include "cli/beem/beem_run.h"

#include "base/child_process.h"
#include "base/clock.h"
#include "gyre/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const double PATIENCE = 10; // seconds that a run may take beyond its limit

const char *beem_status_text(beem_status status)
{
    static const char *const texts[] = {"equal", "differs", "unrecorded", "limit", "error"};
    return texts[status];
}

static void say(beem_result *result, beem_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(beem_result *result, beem_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(result->message, sizeof result->message, format, args);
    va_end(args);
    result->status = status;
}

// ---- asking ---------------------------------------------------------------------------------

static bool set(gy_request *request, const char *option, const char *value, beem_result *result)
{
    char *problem = NULL;
    if (gy_request_set(request, option, value, &problem))
        return true;
    say(result, BEEM_ERROR, "%s", problem ? problem : option);
    gy_free(problem);
    return false;
}

static bool set_limits(gy_request *request, const gy_arguments *arguments, beem_result *result)
{
    static const gy_option_id options[] = {GY_OPT_TIME, GY_OPT_MEMORY, GY_OPT_THREADS,
                                           GY_OPT_BACKEND};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const gy_option_value *value = &arguments->value[options[i]];
        if (value->set && !set(request, gy_option_table[options[i]].name + 2, value->text, result))
            return false;
    }
    return true;
}

// A pipe would be waited for, though nobody named it.
static bool is_regular_if_there(const char *path, beem_result *result)
{
    struct stat info;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return true;
    say(result, BEEM_ERROR, "cannot read %s: it is not a regular file", path);
    return false;
}

static bool ask(gy_request *request, const beem_instance *instance, const beem_task *task,
                beem_result *result)
{
    gy_text formula = {0}, problem = {0};
    if (!is_regular_if_there(task->file, result))
        return false;
    gy_request_file(request, task->file);
    if (task->kind == BEEM_COUNTS)
        return set(request, "exact", NULL, result) && set(request, "check", "safety", result) &&
               set(request, "no-deadlock", NULL, result) &&
               set(request, "all-errors", NULL, result) && set(request, "witnesses", "1", result);
    bool good = set(request, "check", "liveness", result);
    if (good && task->formula) {
        good = beem_formula(instance, task, &formula, &problem);
        if (good)
            good = set(request, "ltl", gy_text_str(&formula), result);
        else
            say(result, BEEM_ERROR, "%s", gy_text_str(&problem));
    }
    gy_text_free(&formula);
    gy_text_free(&problem);
    return good;
}

// ---- answers --------------------------------------------------------------------------------

static void compare_counts(const beem_instance *instance, beem_result *result)
{
    size_t n = 0;
    char *out = result->message;
    strcpy(result->found, "complete");
    if (!instance->recorded && result->states >= instance->states) {
        say(result, BEEM_UNRECORDED, "recorded only: at least %llu states",
            (unsigned long long)instance->states);
        return;
    }
    const struct {
        const char *what;
        uint64_t found, recorded;
        bool compared;
    } figures[] = {
        {"states", result->states, instance->states, true},
        {"transitions", result->transitions, instance->edges, instance->has_structure},
        {"levels", result->depth + 1, instance->levels, instance->has_structure},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i].compared && figures[i].found != figures[i].recorded)
            n += (size_t)snprintf(out + n, sizeof result->message - n, "%s%s %llu, recorded %llu",
                                  n ? "; " : "", figures[i].what,
                                  (unsigned long long)figures[i].found,
                                  (unsigned long long)figures[i].recorded);
    result->status = n ? BEEM_DIFFERS : BEEM_EQUAL;
}

// A goal is reached if its denial is violated.
static void compare_answer(const beem_task *task, gy_verdict verdict, beem_result *result)
{
    bool yes = (verdict == GY_HOLDS) == (task->kind == BEEM_LTL);
    strcpy(result->found, yes ? "yes" : "no");
    if (!task->answer)
        say(result, BEEM_UNRECORDED, "no answer is recorded");
    else if (strcmp(task->answer, result->found) != 0)
        say(result, BEEM_DIFFERS, "%s, recorded %s", result->found, task->answer);
}

static const char *first_error(const gy_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++)
        if (!strcmp(outcome->diagnostics[i].severity, "error"))
            return outcome->diagnostics[i].message;
    return "it cannot be verified";
}

static void judge(const beem_instance *instance, const beem_task *task, const gy_outcome *outcome,
                  beem_result *result)
{
    const gy_figures *figures = outcome->figures;
    const gy_property_outcome *property = outcome->property_count ? &outcome->properties[0] : NULL;
    result->seconds = outcome->seconds;
    result->memory = outcome->memory;
    if (figures) {
        result->states = figures->states;
        result->transitions = figures->transitions;
        result->depth = figures->depth;
    }
    if (outcome->verdict == GY_BROKEN || !property || !figures)
        say(result, BEEM_ERROR, "%s", first_error(outcome));
    else if (task->kind == BEEM_COUNTS ? !figures->complete && figures->limit
                                       : outcome->verdict == GY_INCONCLUSIVE)
        say(result, BEEM_LIMIT, "%s", figures->limit ? figures->limit_text : property->problem);
    else if (task->kind == BEEM_COUNTS)
        compare_counts(instance, result);
    else
        compare_answer(task, outcome->verdict, result);
    if (property && property->counterexample_count)
        result->length = property->counterexamples[0].length;
}

// ---- the process ----------------------------------------------------------------------------

static void work(const gy_arguments *arguments, const beem_instance *instance,
                 const beem_task *task, atomic_int *interrupt, beem_result *result)
{
    gy_request *request = gy_request_new();
    request->interrupt = interrupt;
    if (set_limits(request, arguments, result) && ask(request, instance, task, result)) {
        gy_outcome *outcome = gy_verify(request);
        judge(instance, task, outcome, result);
        gy_outcome_free(outcome);
    }
    gy_request_free(request);
}

// Reads what the process has found out. False: it did not say.
static bool listen(int from, const gy_process *child, const gy_arguments *arguments,
                   atomic_int *interrupt, beem_result *result)
{
    double started = gy_clock(), limit = arguments->value[GY_OPT_TIME].seconds;
    size_t got = 0;
    bool told = false;
    while (got < sizeof *result) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        int ready = poll(&wait, 1, 200);
        if (*interrupt && !told) {
            gy_process_signal(child, SIGINT);
            told = true;
        }
        if (limit > 0 && gy_clock() - started > 1.5 * limit + PATIENCE) {
            gy_process_kill(child);
            say(result, BEEM_LIMIT, "it exceeded the time limit");
            return true;
        }
        if (ready <= 0)
            continue;
        ssize_t n = read(from, (char *)result + got, sizeof *result - got);
        if (n <= 0 && !(n < 0 && errno == EINTR))
            return false;
        got += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool tell(int to, const beem_result *result)
{
    size_t sent = 0;
    while (sent < sizeof *result) {
        ssize_t n = write(to, (const char *)result + sent, sizeof *result - sent);
        if (n < 0 && errno != EINTR)
            return false;
        sent += n > 0 ? (size_t)n : 0;
    }
    return true;
}

typedef struct errand {
    const gy_arguments *arguments;
    const beem_instance *instance;
    const beem_task *task;
    atomic_int *interrupt;
    beem_result *result;
    int to;
} errand;

static int work_and_tell(void *user)
{
    const errand *e = user;
    work(e->arguments, e->instance, e->task, e->interrupt, e->result);
    return tell(e->to, e->result) ? 0 : 1;
}

void beem_run(const gy_arguments *arguments, const beem_instance *instance, const beem_task *task,
              atomic_int *interrupt, beem_result *result)
{
    int ends[2];
    *result = (beem_result){0};
    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        say(result, BEEM_ERROR, "%s", strerror(errno));
        return;
    }
    errand job = {arguments, instance, task, interrupt, result, ends[1]};
    gy_process child;
    bool good = gy_process_fork(work_and_tell, &job, &child);
    int error = errno;
    close(ends[1]);
    if (!good) {
        say(result, BEEM_ERROR, "%s", strerror(error));
    } else {
        bool heard = listen(ends[0], &child, arguments, interrupt, result);
        int status = gy_process_wait(&child, 0, NULL);
        gy_process_release(&child);
        if (!heard) {
            *result = (beem_result){0};
            say(result, BEEM_ERROR, "it ended without an answer (%s %d)",
                WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        }
    }
    close(ends[0]);
}
