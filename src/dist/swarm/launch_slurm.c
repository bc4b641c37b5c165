// Slurm: many jobs at once as an array, looked after through the commands that every installation
// has.
#include "dist/swarm/launch_parts.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Sites bound the size of an array; 1,000 is the default.
enum { MOST_AT_ONCE = 500, MOST_MISSED = 3 };
static const double LOOK_SECONDS = 1;

// For a shell.
static void quote(gy_text *out, const char *word)
{
    gy_text_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            gy_text_add(out, "'\\''");
        else
            gy_text_char(out, *word);
    }
    gy_text_char(out, '\'');
}

typedef struct patience {
    double deadline;             // 0: none
    const atomic_int *interrupt; // NULL: none
} patience;

static patience patience_of(const gy_launcher *launcher)
{
    return (patience){launcher->options.deadline, launcher->options.interrupt};
}

// All that comes from there. False: it takes too long.
static bool read_answer(int from, const patience *p, gy_text *out)
{
    enum { GLANCE = 50 }; // milliseconds
    char piece[4096];
    struct pollfd file = {.fd = from, .events = POLLIN};
    for (;;) {
        if (gy_deadline_over(p->deadline) || (p->interrupt && atomic_load(p->interrupt)))
            return false;
        if (poll(&file, 1, GLANCE) <= 0)
            continue;
        ssize_t got = read(from, piece, sizeof piece);
        if (got == 0 || (got < 0 && errno != EINTR))
            return true;
        if (got > 0)
            gy_text_bytes(out, piece, (size_t)got);
    }
}

// What a command of the shell prints; false: it failed, or took too long.
static bool ask(const char *command, patience p, gy_text *out)
{
    int ends[2];
    const char *const arguments[] = {"sh", "-c", command, NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    gy_process_start start = {
        .program = "/bin/sh", .arguments = arguments, .in = -1, .out = ends[1], .err = 2};
    gy_process process;
    bool good = gy_process_run(&start, &process);
    close(ends[1]);
    bool answered = good && read_answer(ends[0], &p, out);
    close(ends[0]);
    if (!good)
        return false;
    if (!answered) {
        gy_process_kill(&process);
        gy_text_add(out, "it did not answer in time");
    }
    int status = gy_process_wait(&process, 0, NULL);
    gy_process_release(&process);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// All arrays of this manager have one name.
static void name_of(const gy_launcher *launcher, gy_text *out)
{
    struct stat about = {0};
    stat(launcher->options.folder, &about);
    gy_text_printf(out, "gyre-%llx", (unsigned long long)about.st_ino);
}

static void write_script(const gy_launcher *launcher, size_t first, size_t count, gy_text *out)
{
    const gy_launch_options *o = &launcher->options;
    gy_text_add(out, "#!/bin/sh\nset --");
    for (size_t i = first; i < first + count; i++)
        gy_text_printf(out, " %llu", (unsigned long long)launcher->asked.at[i]);
    gy_text_add(out, "\nshift \"$SLURM_ARRAY_TASK_ID\"\nexec");
    for (size_t i = 0; o->command[i]; i++) {
        gy_text_char(out, ' ');
        quote(out, o->command[i]);
    }
    gy_text_add(out, " --worker-folder ");
    quote(out, o->folder);
    gy_text_printf(out, " --worker-job \"$1\"%s\n", launcher->asked_way ? " --worker-way" : "");
}

static bool save(const char *path, const gy_text *text)
{
    int fresh = gy_file_fresh(path, 0666);
    FILE *file = fresh >= 0 ? fdopen(fresh, "w") : NULL;
    bool good = file && fwrite(text->at, 1, text->n, file) == text->n;
    return file && fclose(file) == 0 && good;
}

static void write_command(const gy_launcher *launcher, size_t count, const char *script,
                          gy_text *out)
{
    const gy_launch_options *o = &launcher->options;
    gy_text log = {0};
    gy_text_add(out, "sbatch --parsable --requeue --open-mode=append --job-name=");
    name_of(launcher, out);
    gy_text_printf(out, " --array=0-%zu --output=", count - 1);
    gy_text_printf(&log, "%s/slurm-%%A-%%a.log", o->folder);
    quote(out, gy_text_str(&log));
    if (o->memory) // that of the program itself is on top of what its states take
        gy_text_printf(out, " --mem=%lluM", (unsigned long long)(o->memory >> 20) + 100);
    if (o->seconds > 0)
        gy_text_printf(out, " --time=%d", (int)(o->seconds / 60) + 1);
    if (o->slurm)
        gy_text_printf(out, " %s", o->slurm);
    gy_text_char(out, ' ');
    quote(out, script);
    gy_text_add(out, " 2>&1");
    gy_text_free(&log);
}

static bool submit(gy_launcher *launcher, size_t first, size_t count, gy_text *why)
{
    gy_text script = {0}, path = {0}, command = {0}, answer = {0};
    gy_text_printf(&path, "%s/array-%llu.sh", launcher->options.folder,
                   (unsigned long long)launcher->asked.at[first]);
    write_script(launcher, first, count, &script);
    write_command(launcher, count, gy_text_str(&path), &command);
    char *end = NULL;
    uint64_t array = 0;
    bool good = save(gy_text_str(&path), &script);
    if (!good) {
        gy_text_printf(why, "cannot write %s: %s", gy_text_str(&path), strerror(errno));
    } else {
        good = ask(gy_text_str(&command), patience_of(launcher), &answer);
        array = strtoull(gy_text_str(&answer), &end, 10);
        good = good && end != gy_text_str(&answer);
        launcher->submitted |= !good; // else the workers are known
        if (!good)
            gy_text_printf(why, "sbatch did not accept the jobs: %s", gy_text_str(&answer));
    }
    for (size_t i = 0; good && i < count; i++)
        gy_vec_push(&launcher->workers, ((gy_worker_row){.job = launcher->asked.at[first + i],
                                                         .started = (double)i,
                                                         .array = array}));
    gy_text_free(&script);
    gy_text_free(&path);
    gy_text_free(&command);
    gy_text_free(&answer);
    return good;
}

bool gy_slurm_submit(gy_launcher *launcher, gy_text *why)
{
    bool good = true;
    for (size_t i = 0; i < launcher->asked.n && good; i += MOST_AT_ONCE) {
        size_t left = launcher->asked.n - i;
        good = submit(launcher, i, left < MOST_AT_ONCE ? left : MOST_AT_ONCE, why);
    }
    launcher->asked.n = 0;
    return good;
}

static bool has_answered(const gy_launcher *launcher, uint64_t job)
{
    static const char *const kinds[] = {"answer", "way"};
    bool there = false;
    for (size_t i = 0; i < 2; i++) {
        gy_text path = {0};
        gy_text_printf(&path, "%s/job-%llu.%s", launcher->options.folder, (unsigned long long)job,
                       kinds[i]);
        there = there || access(gy_text_str(&path), R_OK) == 0;
        gy_text_free(&path);
    }
    return there;
}

// Is this task of an array in the list that squeue gave?
static bool is_listed(const gy_text *list, const gy_worker_row *row)
{
    gy_text line = {0};
    gy_text_printf(&line, "\n%llu %u ", (unsigned long long)row->array, (unsigned)row->started);
    bool listed = strstr(gy_text_str(list), gy_text_str(&line)) != NULL;
    gy_text_free(&line);
    return listed;
}

static void look(gy_launcher *launcher)
{
    gy_text command = {0}, list = {0};
    gy_text_add(&command, "squeue -h -r -o '%F %K %T' -n ");
    name_of(launcher, &command);
    gy_text_add(&command, " 2>/dev/null");
    gy_text_char(&list, '\n');
    if (ask(gy_text_str(&command), patience_of(launcher),
            &list)) // else the controller is away for a moment
        for (size_t i = 0; i < launcher->workers.n; i++) {
            gy_worker_row *row = &launcher->workers.at[i];
            row->missed = is_listed(&list, row) ? 0 : row->missed + 1;
        }
    gy_text_free(&command);
    gy_text_free(&list);
}

bool gy_slurm_ended(gy_launcher *launcher, uint64_t *job, const char **how)
{
    if (launcher->workers.n && gy_clock() >= launcher->next_look) {
        look(launcher);
        launcher->next_look = gy_clock() + LOOK_SECONDS;
    }
    for (size_t i = 0; i < launcher->workers.n; i++) {
        gy_worker_row row = launcher->workers.at[i];
        bool answered = has_answered(launcher, row.job);
        if (!answered && row.missed < MOST_MISSED)
            continue;
        launcher->workers.at[i] = launcher->workers.at[--launcher->workers.n];
        *job = row.job;
        *how = answered ? "" : "its worker left the queue without an answer";
        return true;
    }
    return false;
}

void gy_slurm_end(gy_launcher *launcher)
{
    static const double MOST_SECONDS = 60;
    gy_text command = {0}, nothing = {0};
    if (launcher->workers.n || launcher->submitted) {
        gy_text_add(&command, "scancel -n ");
        name_of(launcher, &command);
        gy_text_add(&command, " 2>&1");
        ask(gy_text_str(&command), (patience){.deadline = gy_deadline(MOST_SECONDS)}, &nothing);
    }
    gy_text_free(&command);
    gy_text_free(&nothing);
}
