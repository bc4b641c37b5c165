// gyre swarm --blind: the swarm of G. Holzmann, R. Joshi and A. Groce (2008). Many searches of
// limited size, each in another order and with other hash functions, find errors in systems that no
// single search could go through; they prove nothing. Each is a hunt (gyre hunt) by one strategy
// and with a seed of its own; its report is a file, and the first that found an error is the report
// of the swarm.
#include "cli/swarm_parts.h"

#include "base/clock.h"
#include "base/new_file.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static const double BUDGET = 60; // seconds, unless another one was given

// Bits are most of it, as in the classic swarm; the others meet what depth-first orders do not.
static const char *const strategies[] = {"bitstate", "random-dfs",  "bitstate", "pct",
                                         "bitstate", "random-walk", "bitstate", "context"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

static void path_of(gy_text *out, const char *folder, uint64_t number, const char *kind)
{
    gy_text_printf(out, "%s/job-%llu.%s", folder, (unsigned long long)number, kind);
}

// Files that are written next to the report.
static const gy_option_id written_files[] = {
    GY_OPT_TRAIL,
#define RENDERER(id, name, commands, help)
#define REPORT(id, name, commands, end, help) GY_OPT_##id,
#include "report/renderers.def"
};
enum { FILES = sizeof written_files / sizeof *written_files };

static bool is_file(gy_option_id id)
{
    for (size_t i = 0; i < FILES; i++)
        if (written_files[i] == id)
            return true;
    return false;
}

// Where one search writes such a file: all searches together would write over each other's.
static void file_of(gy_text *out, const char *folder, uint64_t number, gy_option_id id)
{
    path_of(out, folder, number, gy_option_table[id].name + 2);
}

static double budget_of(const gy_arguments *arguments)
{
    return gy_given(arguments, GY_OPT_BUDGET) ? arguments->value[GY_OPT_BUDGET].seconds : BUDGET;
}

static void set(gy_arguments *arguments, gy_option_id id, const char *text)
{
    gy_given_option given = {id, text};
    arguments->value[id].set = true;
    arguments->value[id].text = text;
    gy_vec_push(&arguments->given, given);
}

int gy_swarm_work_blind(const gy_arguments *arguments)
{
    const char *folder = arguments->value[GY_OPT_WORKER_FOLDER].text;
    uint64_t number = arguments->value[GY_OPT_WORKER_JOB].number;
    gy_arguments hunt = *arguments;
    gy_text seed = {0}, time = {0}, part = {0}, whole = {0}, files[FILES] = {0};
    memset(&hunt.given, 0, sizeof hunt.given);
    for (size_t i = 0; i < arguments->given.n; i++)
        if (arguments->given.at[i].id != GY_OPT_TIME &&
            arguments->given.at[i].id != GY_OPT_EXPECT && !is_file(arguments->given.at[i].id))
            gy_vec_push(&hunt.given, arguments->given.at[i]);
    hunt.value[GY_OPT_EXPECT] = (gy_option_value){0}; // of the swarm, not of one search
    gy_text_printf(&seed, "%llu", (unsigned long long)number + 1);
    gy_text_printf(&time, "%g", budget_of(arguments));
    set(&hunt, GY_OPT_SEED, gy_text_str(&seed));
    set(&hunt, GY_OPT_TIME, gy_text_str(&time));
    set(&hunt, GY_OPT_THREADS, "1");
    set(&hunt, GY_OPT_CHECK, "safety");
    set(&hunt, GY_OPT_STRATEGY, strategies[number % STRATEGIES]);
    if (gy_given(arguments, GY_OPT_JOB_MEMORY))
        set(&hunt, GY_OPT_MEMORY, arguments->value[GY_OPT_JOB_MEMORY].text);
    for (size_t i = 0; i < FILES; i++) {
        file_of(&files[i], folder, number, written_files[i]);
        if (gy_given(arguments, written_files[i]))
            set(&hunt, written_files[i], gy_text_str(&files[i]));
    }
    hunt.command = GY_ON_HUNT;
    path_of(&part, folder, number, "part");
    path_of(&whole, folder, number, "answer");
    int status = GY_EXIT_INTERNAL;
    if (freopen(gy_text_str(&part), "w", stdout)) {
        status = gy_command_verify(&hunt);
        printf("status %d\n", status);
        if (fflush(stdout) != 0 || fsync(STDOUT_FILENO) != 0 ||
            rename(gy_text_str(&part), gy_text_str(&whole)) != 0)
            status = GY_EXIT_INTERNAL;
    }
    for (size_t i = 0; i < FILES; i++)
        gy_text_free(&files[i]);
    gy_vec_free(&hunt.given);
    gy_text_free(&seed);
    gy_text_free(&time);
    gy_text_free(&part);
    gy_text_free(&whole);
    return status;
}

// The report of a search, without its last line; returns the status in that, or -1.
static int read_report(const char *folder, uint64_t number, gy_text *report)
{
    gy_text path = {0};
    size_t bytes;
    int status = -1;
    path_of(&path, folder, number, "answer");
    char *text = gy_read_file(gy_text_str(&path), GY_IMPLIED, &bytes);
    char *last = text && bytes > 9 ? text + bytes - 9 : NULL; // status N, and a line break
    if (last && strncmp(last, "status ", 7) == 0) {
        status = last[7] - '0';
        gy_text_bytes(report, text, (size_t)(last - text));
    }
    free(text);
    gy_text_free(&path);
    return status;
}

// The names of a search's own files become those that were asked for.
static void rename_files(const gy_arguments *arguments, const char *folder, uint64_t number,
                         gy_text *text)
{
    for (size_t i = 0; i < FILES; i++) {
        gy_text own = {0}, renamed = {0};
        file_of(&own, folder, number, written_files[i]);
        if (gy_given(arguments, written_files[i]) && text->n) {
            const char *from = gy_text_str(text), *found;
            for (; (found = strstr(from, gy_text_str(&own))); from = found + own.n) {
                gy_text_bytes(&renamed, from, (size_t)(found - from));
                gy_text_add(&renamed, arguments->value[written_files[i]].text);
            }
            gy_text_add(&renamed, from);
            gy_text_free(text);
            *text = renamed;
            renamed = (gy_text){0};
        }
        gy_text_free(&renamed);
        gy_text_free(&own);
    }
}

// Puts the files of one search where they were asked for. False: it complained.
static bool put_files(const gy_arguments *arguments, const char *folder, uint64_t number)
{
    bool good = true;
    for (size_t i = 0; i < FILES && good; i++) {
        gy_text own = {0}, text = {0};
        size_t bytes;
        file_of(&own, folder, number, written_files[i]);
        const char *asked = arguments->value[written_files[i]].text;
        char *read = gy_given(arguments, written_files[i])
                         ? gy_read_file(gy_text_str(&own), GY_IMPLIED, &bytes)
                         : NULL;
        if (read) {
            gy_text_bytes(&text, read, bytes);
            rename_files(arguments, folder, number, &text);
            good = gy_new_file_put(asked, GY_NAMED, gy_text_str(&text), text.n);
            if (!good)
                gy_complain(arguments, "cannot write %s: %s", asked, strerror(errno));
        }
        free(read);
        gy_text_free(&text);
        gy_text_free(&own);
    }
    return good;
}

static int say_nothing_found(const gy_arguments *arguments, uint64_t done, uint64_t failed)
{
    gy_text out = {0};
    if (gy_given(arguments, GY_OPT_JSON))
        gy_text_printf(&out,
                       "{\"verdict\": \"inconclusive\", \"searches\": %llu, \"failed\": %llu}\n",
                       (unsigned long long)done, (unsigned long long)failed);
    else
        gy_text_printf(&out,
                       "%s: inconclusive: no error found by %llu blind searches%s, which prove "
                       "nothing (use gyre swarm without --blind)\n",
                       arguments->files[0], (unsigned long long)done,
                       failed ? ", some of which failed" : "");
    gy_put(&out);
    gy_text_free(&out);
    return GY_EXIT_INCONCLUSIVE;
}

// --expect is about the whole. False: about something else.
static bool can_expect(const gy_arguments *arguments)
{
    for (size_t i = 0; i < arguments->given.n; i++) {
        const gy_given_option *given = &arguments->given.at[i];
        if (given->id == GY_OPT_EXPECT && strcmp(given->text, "violated") != 0 &&
            strcmp(given->text, "inconclusive") != 0 && strcmp(given->text, "holds") != 0)
            return false;
    }
    return true;
}

static int as_expected(const gy_arguments *arguments, int status)
{
    const char *verdict = status == GY_EXIT_VIOLATED ? "violated" : "inconclusive";
    bool asked = false, met = true;
    if (status != GY_EXIT_VIOLATED && status != GY_EXIT_INCONCLUSIVE)
        return status;
    for (size_t i = 0; i < arguments->given.n; i++) {
        const gy_given_option *given = &arguments->given.at[i];
        if (given->id != GY_OPT_EXPECT)
            continue;
        asked = true;
        met = met && strcmp(given->text, verdict) == 0;
    }
    if (!asked)
        return status;
    if (!met && !gy_given(arguments, GY_OPT_JSON))
        printf("not as expected: the verdict is %s\n", verdict);
    return met ? GY_EXIT_HOLDS : status == GY_EXIT_INCONCLUSIVE ? status : GY_EXIT_VIOLATED;
}

int gy_swarm_blind(const gy_arguments *arguments, gy_swarm *swarm)
{
    if (!can_expect(arguments))
        return gy_complain(arguments, "--expect: a blind swarm has one verdict "
                                      "(holds|violated|inconclusive), and none for each property");
    static const unsigned ROUNDS = 4; // searches for each worker
    gy_launch_options launch = swarm->launch;
    launch.folder = swarm->folder;
    launch.seconds = 2 * budget_of(arguments) + 60;
    if (arguments->value[GY_OPT_TIME].seconds > 0)
        launch.deadline = arguments->started + arguments->value[GY_OPT_TIME].seconds;
    gy_launcher *launcher = gy_launcher_new(&launch);
    uint64_t next = 0, count = (uint64_t)swarm->workers * ROUNDS, done = 0, failed = 0, number;
    uint64_t teller = UINT64_MAX; // whose report and files are those of the swarm
    unsigned running = 0;
    double limit = arguments->value[GY_OPT_TIME].seconds;
    int status = -1;
    const char *how;
    gy_text report = {0}, why = {0};
    while (status < 0 && done + failed < count && why.n == 0 &&
           !(limit > 0 && gy_clock() - arguments->started > limit)) {
        for (; running < swarm->workers && next < count && why.n == 0; running++)
            gy_launch_job(launcher, next++, false, &why);
        gy_launch_flush(launcher, &why);
        if (!gy_launch_ended(launcher, &number, &how)) {
            gy_launch_wait(launcher, 0.1);
            continue;
        }
        running--;
        gy_text_clear(&report);
        int answer = read_report(swarm->folder, number, &report);
        done += answer >= 0;
        failed += answer < 0;
        // One that was complete has looked for errors alone, whatever the model states next to
        // that.
        if (answer == GY_EXIT_VIOLATED || answer == GY_EXIT_WRONG)
            status = answer;
        if (answer == GY_EXIT_VIOLATED || answer == GY_EXIT_INCONCLUSIVE)
            teller = number;
    }
    gy_launcher_free(launcher);
    bool told = teller == UINT64_MAX || put_files(arguments, swarm->folder, teller);
    if (status >= 0 && teller != UINT64_MAX)
        rename_files(arguments, swarm->folder, teller, &report);
    if (why.n)
        status = gy_complain(arguments, "%s", gy_text_str(&why));
    else if (status >= 0)
        gy_put(&report);
    else
        status = say_nothing_found(arguments, done, failed);
    status = told ? as_expected(arguments, status) : GY_EXIT_WRONG;
    gy_text_free(&report);
    gy_text_free(&why);
    return status;
}
