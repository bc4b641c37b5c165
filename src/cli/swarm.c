// gyre swarm MODEL: a verification whose search is a swarm of jobs; its workers, which are the same
// program; and swarms of blind searches.
#include "cli/swarm_parts.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "dist/swarm/journal.h"
#include "dist/swarm/swarm_job.h"
#include "verify/stages.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- the command line, written down ---------------------------------------------------------

static void encode(const char *word, gy_text *out)
{
    gy_text_char(out, ' ');
    for (; *word; word++) {
        unsigned char c = (unsigned char)*word;
        if (c <= ' ' || c == '%' || c == 127)
            gy_text_printf(out, "%%%02x", c);
        else
            gy_text_char(out, (char)c);
    }
}

static void decode(char *word)
{
    char *to = word;
    for (; *word; word++) {
        char hex[3] = {0};
        if (*word == '%' && word[1] && word[2]) {
            memcpy(hex, word + 1, 2);
            *to++ = (char)strtol(hex, NULL, 16);
            word += 2;
        } else {
            *to++ = *word;
        }
    }
    *to = 0;
}

// What has to do with this run of the manager alone.
static bool is_of_the_run(gy_option_id id)
{
    return id == GY_OPT_FOLDER || id == GY_OPT_SWARM_RESUME || id == GY_OPT_WORKER_FOLDER ||
           id == GY_OPT_WORKER_JOB || id == GY_OPT_WORKER_WAY;
}

// An option and its argument are one word: what begins with a `-` could not stand by itself.
static void add_given(gy_words *words, const gy_given_option *given, gy_arena *arena)
{
    const char *name = gy_option_table[given->id].name;
    if (given->text)
        gy_vec_push(words,
                    gy_arena_printf(arena, "%s%s%s", name, name[1] == '-' ? "=" : "", given->text));
    else
        gy_vec_push(words, name);
}

// swarm MODEL OPTIONS, as words that point into the arguments and the arena; NULL at the end.
static gy_words words_of(const gy_arguments *arguments, gy_arena *arena)
{
    gy_words words = {0};
    gy_vec_push(&words, "swarm");
    gy_vec_push(&words, arguments->files[0]);
    for (size_t i = 0; i < arguments->given.n; i++) {
        const gy_given_option *given = &arguments->given.at[i];
        if (is_of_the_run(given->id))
            continue;
        add_given(&words, given, arena);
    }
    gy_vec_push(&words, NULL);
    return words;
}

static unsigned processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

static unsigned workers_of(const gy_arguments *a)
{
    return gy_given(a, GY_OPT_WORKERS) ? (unsigned)a->value[GY_OPT_WORKERS].number : processors();
}

static void write_record(const gy_arguments *arguments, gy_text *out)
{
    char here[PATH_MAX];
    gy_arena *arena = gy_arena_new();
    gy_words words = words_of(arguments, arena);
    gy_text_add(out, "begin 1");
    encode(getcwd(here, sizeof here) ? here : ".", out);
    for (size_t i = 0; words.at[i]; i++)
        encode(words.at[i], out);
    gy_text_printf(out, " --plan-workers %u", workers_of(arguments));
    gy_vec_free(&words);
    gy_arena_free(arena);
}

// ---- going on with a swarm ------------------------------------------------------------------

bool gy_swarm_from_journal(gy_option_id id)
{
    switch (id) {
    case GY_OPT_INCLUDE: // the model, which is read, names files as well
    case GY_OPT_WORKERS:
    case GY_OPT_GUIDE:
    case GY_OPT_JOB_MEMORY:
    case GY_OPT_JOB_STATES:
    case GY_OPT_JOB_TIME:
    case GY_OPT_STAGE:
    case GY_OPT_INTERVALS:
    case GY_OPT_NO_FEEDBACK:
    case GY_OPT_PLAN_WORKERS:
    case GY_OPT_KEEP_STATES:
    case GY_OPT_UNREACHED:
    case GY_OPT_FULL:
    case GY_OPT_JSON:
    case GY_OPT_VERBOSE:
    case GY_OPT_QUIET:
    case GY_OPT_COLOUR:
        return true;
    default:
        return gy_setting_may(gy_option_table[id].name + strspn(gy_option_table[id].name, "-"),
                              GY_BY_JOURNAL);
    }
}

// The command line that a journal has, in words of its own; here: where it was given. False: it has
// none.
static bool words_then(gy_journal *journal, gy_words *words, char **here)
{
    char *save = NULL, *record = journal->records.n ? journal->records.at[0] : NULL;
    char *word = record ? strtok_r(record, " ", &save) : NULL;
    if (!word || strcmp(word, "begin") != 0 || !strtok_r(NULL, " ", &save) ||
        !(*here = strtok_r(NULL, " ", &save)))
        return false;
    decode(*here);
    gy_vec_push(words, "gyre");
    while ((word = strtok_r(NULL, " ", &save))) {
        decode(word);
        gy_vec_push(words, word);
    }
    return true;
}

// More jobs at the same time than a swarm has by itself are for the user to ask for.
static bool is_taken(const gy_given_option *given, const gy_arguments *then)
{
    return gy_swarm_from_journal(given->id) &&
           (given->id != GY_OPT_WORKERS || then->value[GY_OPT_WORKERS].number <= processors());
}

// Of the options then, those that a journal may have and that are not given again, then those that
// are given now; *dropped: the others.
static void join_words(const gy_arguments *then, const gy_arguments *now, gy_words *words,
                       gy_arena *arena, gy_text *dropped)
{
    gy_vec_push(words, "gyre");
    gy_vec_push(words, "swarm");
    for (size_t i = 0; i < then->given.n; i++) {
        const gy_given_option *given = &then->given.at[i];
        const char *name = gy_option_table[given->id].name;
        if (gy_given(now, given->id) || is_of_the_run(given->id))
            continue;
        if (is_taken(given, then))
            add_given(words, given, arena);
        else
            gy_text_printf(dropped, "%s%s%s%s", dropped->n ? ", " : "", name,
                           given->text ? " " : "", given->text ? given->text : "");
    }
    for (size_t i = 0; i < now->given.n; i++)
        if (!is_of_the_run(now->given.at[i].id))
            add_given(words, &now->given.at[i], arena);
    if (!now->file_count) // code of the model runs if the user has named the model
        gy_vec_push(words, gy_option_table[GY_OPT_NO_C].name);
    gy_vec_push(words, "--");
    gy_vec_push(words, then->files[0]);
}

static int swarm_in(const gy_arguments *arguments, const char *folder, bool resume);

// In the directory where the swarm was begun. `model` is the path that the user has named, or NULL.
static int resume_as(const gy_arguments *arguments, const gy_arguments *then, const char *folder,
                     const char *model)
{
    gy_words words = {0};
    gy_text dropped = {0}, why = {0};
    gy_arguments joined = {0};
    int status = GY_EXIT_WRONG;
    gy_arena *arena = gy_arena_new();
    join_words(then, arguments, &words, arena, &dropped);
    if (model && !gy_is_same_file(model, then->files[0]))
        gy_complain(arguments, "the swarm in %s is one of %s, not of %s", folder, then->files[0],
                    arguments->files[0]);
    else if (then->value[GY_OPT_LAUNCHER].number && !gy_given(arguments, GY_OPT_LAUNCHER))
        gy_complain(arguments,
                    "the swarm was started with --launcher %s, which starts programs and is not "
                    "taken from its journal\n  hint: add --launcher to --resume",
                    then->value[GY_OPT_LAUNCHER].text);
    else if (!gy_arguments_parse(&joined, (int)words.n, (char **)words.at, &why))
        gy_complain(arguments, "%s", gy_text_str(&why));
    else {
        if (dropped.n)
            gy_say("gyre: note: not taken from the journal of the swarm: %s\n",
                   gy_text_str(&dropped));
        status = swarm_in(&joined, folder, true);
        if (status == GY_EXIT_WRONG && !model)
            gy_say("  hint: C code in a model runs only if the command names the model: "
                   "gyre swarm MODEL --resume DIR\n");
    }
    gy_arguments_free(&joined);
    gy_vec_free(&words);
    gy_arena_free(arena);
    gy_text_free(&dropped);
    gy_text_free(&why);
    return status;
}

static int resume(const gy_arguments *arguments)
{
    gy_journal journal;
    gy_text why = {0};
    gy_words words = {0};
    gy_arguments then = {0};
    char *here = NULL, folder[PATH_MAX], model[PATH_MAX];
    int status = GY_EXIT_WRONG;
    const char *given = arguments->value[GY_OPT_SWARM_RESUME].text;
    const char *named = arguments->file_count ? realpath(arguments->files[0], model) : NULL;
    if (gy_given(arguments, GY_OPT_BLIND))
        return gy_complain(arguments, "--resume: a blind swarm cannot be resumed");
    if (arguments->file_count && !named)
        return gy_complain(arguments, "cannot read %s: %s", arguments->files[0], strerror(errno));
    if (!gy_journal_look(&journal, given, &why)) {
        gy_complain(arguments, "%s", gy_text_str(&why));
    } else if (!realpath(given, folder)) {
        gy_complain(arguments, "cannot find %s: %s", given, strerror(errno));
    } else if (!words_then(&journal, &words, &here)) {
        gy_complain(arguments, "the journal in %s is damaged at its beginning", given);
    } else if (!gy_arguments_parse(&then, (int)words.n, (char **)words.at, &why) ||
               then.command != GY_ON_SWARM || then.paths.n != 1) {
        gy_complain(arguments, "the journal in %s has no swarm command line%s%s", given,
                    why.n ? ": " : "", gy_text_str(&why));
    } else if (chdir(here) != 0) {
        gy_complain(arguments, "cannot change to %s, where the swarm was started: %s", here,
                    strerror(errno));
    } else {
        status = resume_as(arguments, &then, folder, named);
    }
    gy_arguments_free(&then);
    gy_journal_close(&journal);
    gy_text_free(&why);
    gy_vec_free(&words);
    return status;
}

// ---- the live table -------------------------------------------------------------------------

typedef struct table {
    bool visible;
    unsigned lines; // to be wiped out
} table;

static void wipe(table *t)
{
    for (; t->lines > 0; t->lines--)
        fputs("\033[A\033[2K", stderr);
    fputs("\r", stderr);
}

static void show(void *user, const gy_swarm_figures *f)
{
    table *t = user;
    gy_text out = {0};
    if (!t->visible || f->seconds < 0.5)
        return;
    wipe(t);
    gy_text_add(&out, "  jobs done     running        left   settled  largest job  redundancy\n  ");
    gy_text_printf(&out, "%9llu %11llu %11llu  %7.2f%% %12llu %11.2f\n",
                   (unsigned long long)f->jobs_done, (unsigned long long)f->jobs_running,
                   (unsigned long long)f->jobs_left, 100 * f->settled,
                   (unsigned long long)f->largest, f->redundancy);
    if (f->error_met)
        gy_text_printf(&out,
                       "  error: %s, found by job %llu; %llu job%s asked for the path to it\n",
                       f->error, (unsigned long long)f->error_job,
                       (unsigned long long)f->error_asked, f->error_asked == 1 ? "" : "s");
    fputs(gy_text_str(&out), stderr);
    fflush(stderr);
    t->lines = f->error_met ? 3 : 2;
    gy_text_free(&out);
}

// ---- the manager ----------------------------------------------------------------------------

typedef struct preparation {
    gy_swarm *swarm;
} preparation;

static void prepare(void *user, gy_request *request)
{
    preparation *p = user;
    request->engine = &gy_engine_swarm;
    request->engine_data = p->swarm;
}

// Of a swarm that was made for one command: nothing in it is a directory.
static void remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        unlinkat(dirfd(dir), entry->d_name, 0); // what cannot be removed keeps the directory
    if (dir)
        closedir(dir);
    if (rmdir(folder) != 0)
        gy_say("gyre: note: %s could not be removed: %s\n", folder, strerror(errno));
}

static void set_swarm(const gy_arguments *a, gy_swarm *swarm)
{
    const gy_option_value *value = a->value;
    swarm->workers = workers_of(a);
    swarm->plan_workers = gy_given(a, GY_OPT_PLAN_WORKERS)
                              ? (unsigned)value[GY_OPT_PLAN_WORKERS].number
                              : swarm->workers;
    swarm->job_states = value[GY_OPT_JOB_STATES].number;
    swarm->guide = value[GY_OPT_GUIDE].text;
    swarm->stages_set = gy_given(a, GY_OPT_STAGE);
    swarm->stage_levels = (uint32_t)value[GY_OPT_STAGE].number;
    swarm->intervals = (uint32_t)value[GY_OPT_INTERVALS].number;
    swarm->no_feedback = gy_given(a, GY_OPT_NO_FEEDBACK);
    swarm->keep_states = gy_given(a, GY_OPT_KEEP_STATES);
    swarm->launch = (gy_launch_options){
        .kind = (gy_launch_kind)value[GY_OPT_LAUNCHER].number,
        .memory = value[GY_OPT_JOB_MEMORY].number,
        .seconds = value[GY_OPT_JOB_TIME].seconds > 0 ? 2 * value[GY_OPT_JOB_TIME].seconds + 60 : 0,
        .slurm = value[GY_OPT_SBATCH].text,
    };
}

static int swarm_in(const gy_arguments *arguments, const char *folder, bool resume)
{
    gy_swarm swarm = {.folder = folder, .resume = resume};
    table t = {.visible = isatty(STDERR_FILENO) && !gy_given(arguments, GY_OPT_QUIET)};
    preparation p = {&swarm};
    gy_text record = {0};
    char program[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    gy_arena *arena = gy_arena_new();
    gy_words words = words_of(arguments, arena), command = {0};
    gy_vec_push(&command, n > 0 ? program : "gyre");
    for (size_t i = 0; i < words.n; i++)
        gy_vec_push(&command, words.at[i]);
    write_record(arguments, &record);
    set_swarm(arguments, &swarm);
    swarm.first_record = gy_text_str(&record);
    swarm.launch.command = command.at;
    swarm.progress = show;
    swarm.progress_user = &t;
    gy_arguments prepared = *arguments;
    prepared.prepare = prepare;
    prepared.prepare_user = &p;
    int status = gy_given(arguments, GY_OPT_BLIND) ? gy_swarm_blind(arguments, &swarm)
                                                   : gy_command_verify(&prepared);
    if (status == GY_EXIT_INCONCLUSIVE && !gy_given(arguments, GY_OPT_BLIND) &&
        gy_journal_exists(folder))
        gy_say(
            "gyre: note: the swarm is in %s\n  hint: use gyre swarm --resume %s to continue it\n",
            folder, folder);
    else if (!resume && !gy_given(arguments, GY_OPT_FOLDER))
        remove_folder(folder);
    gy_swarm_free(&swarm);
    gy_vec_free(&words);
    gy_arena_free(arena);
    gy_vec_free(&command);
    gy_text_free(&record);
    return status;
}

// ---- a worker -------------------------------------------------------------------------------

static int work(const gy_arguments *arguments)
{
    gy_worker_job_request job = {.folder = arguments->value[GY_OPT_WORKER_FOLDER].text,
                                 .number = arguments->value[GY_OPT_WORKER_JOB].number,
                                 .way = gy_given(arguments, GY_OPT_WORKER_WAY)};
    gy_request *request = gy_request_for(arguments);
    if (!request)
        return GY_EXIT_WRONG;
    request->engine = &gy_engine_swarm_job;
    request->engine_data = &job;
    request->time = job.way ? 0 : arguments->value[GY_OPT_JOB_TIME].seconds;
    if (gy_given(arguments, GY_OPT_JOB_MEMORY) && !job.way)
        request->memory = (gy_optional){true, arguments->value[GY_OPT_JOB_MEMORY].number};
    gy_outcome *outcome = gy_verify(request);
    int status = job.answered ? GY_EXIT_HOLDS : GY_EXIT_INTERNAL;
    if (!job.answered)
        gy_say("gyre: job %llu: %s\n", (unsigned long long)job.number,
               job.problem                 ? job.problem
               : outcome->diagnostic_count ? outcome->diagnostics[0].message
                                           : "it was interrupted");
    gy_outcome_free(outcome);
    gy_request_free(request);
    free(job.problem);
    return status;
}

// ---- the command ----------------------------------------------------------------------------

// Files that are there already are somebody's: another swarm's, whose answers would be taken for
// those of this one, or none of ours.
static bool is_free(const gy_arguments *arguments, const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry = NULL;
    struct stat about;
    if (!dir) {
        gy_complain(arguments, "cannot read %s: %s", folder, strerror(errno));
        return false;
    }
    while ((entry = readdir(dir)) &&
           (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            strcmp(entry->d_name, GY_JOURNAL_DRAFT) == 0))
        continue;
    bool good = !entry;
    if (!good && fstatat(dirfd(dir), "journal", &about, 0) == 0)
        gy_complain(arguments,
                    "%s contains a swarm\n  hint: use gyre swarm --resume %s to continue it",
                    folder, folder);
    else if (!good)
        gy_complain(arguments,
                    "--dir: %s is not empty (it contains `%s`)\n  hint: use a directory of its own",
                    folder, entry->d_name);
    closedir(dir);
    return good;
}

// The directory of a new swarm, made if it is not there; false: it complained.
static bool make_folder(const gy_arguments *arguments, char *folder)
{
    gy_text path = {0};
    const char *given = arguments->value[GY_OPT_FOLDER].text;
    bool good = true;
    if (given) {
        good = (mkdir(given, 0777) == 0 || errno == EEXIST) && realpath(given, folder);
        if (!good)
            gy_complain(arguments, "cannot create %s: %s", given, strerror(errno));
        good = good && is_free(arguments, folder);
    } else {
        gy_text_printf(&path, "%s/gyre-swarm-XXXXXX", gy_temporary_folder());
        good = path.n < PATH_MAX && mkdtemp(path.at) && realpath(path.at, folder);
        if (!good)
            gy_complain(arguments, "cannot create a directory in %s: %s", gy_temporary_folder(),
                        strerror(errno));
    }
    gy_text_free(&path);
    return good;
}

int gy_command_swarm(const gy_arguments *arguments)
{
    char folder[PATH_MAX];
    if (!gy_swarm_is_there())
        return gy_complain(arguments, "gyre swarm needs libgmp, but Gyre was built without it\n  "
                                      "hint: install libgmp-dev and rebuild Gyre");
    if (gy_given(arguments, GY_OPT_SWARM_RESUME))
        return resume(arguments);
    if (arguments->paths.n > 1)
        return gy_complain(arguments, "gyre swarm supports one model only");
    if (strcmp(arguments->files[0], GY_STDIN) == 0)
        return gy_complain(arguments,
                           "gyre swarm: workers cannot read standard input\n  hint: give a file");
    if (gy_given(arguments, GY_OPT_WORKER_FOLDER)) {
        if (!gy_worker_stays((gy_launch_kind)arguments->value[GY_OPT_LAUNCHER].number))
            return GY_EXIT_INCONCLUSIVE;
        return gy_given(arguments, GY_OPT_BLIND) ? gy_swarm_work_blind(arguments) : work(arguments);
    }
    if (gy_given(arguments, GY_OPT_BUDGET) && !gy_given(arguments, GY_OPT_BLIND))
        return gy_complain(arguments,
                           "--budget needs --blind\n  hint: use --time to limit the whole command");
    if (!make_folder(arguments, folder))
        return GY_EXIT_WRONG;
    return swarm_in(arguments, folder, false);
}
