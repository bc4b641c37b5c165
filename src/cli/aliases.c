#include "cli/aliases.h"

#include "base/diag.h"
#include "cli/command.h"
#include "cli/manual.h"

#include <stdio.h>
#include <unistd.h>

// Lines of docs/from-spin.md.
static const struct {
    const char *option, *gyre;
    bool glued; // a number may follow
} phrases[] = {
    {"-a", "gyre MODEL", false},
    {"-run", "gyre MODEL", false},
    {"-search", "gyre MODEL", false},
    {"-t", "gyre replay MODEL", true},
    {"-p", "gyre sim MODEL --changes", false},
    {"-g", "gyre sim MODEL --globals", false},
    {"-l", "gyre sim MODEL --locals", false},
    {"-s", "gyre sim MODEL --messages", false},
    {"-r", "gyre sim MODEL --messages", false},
    {"-c", "gyre sim MODEL --msc", false},
    {"-M", "gyre sim MODEL --msc", false},
    {"-i", "gyre sim MODEL --interactive", false},
    {"-n", "gyre sim MODEL --seed N", true},
    {"-u", "gyre sim MODEL --steps N", true},
    {"-f", "gyre ltl FORMULA", false},
    {"-F", "gyre ltl FORMULA", false},
    {"-d", "gyre info MODEL", false},
    {"-m", "gyre MODEL --lossy", false},
    {"-V", "gyre --version", false},
    {"-k", "gyre replay MODEL FILE", false},
    {"-N", "gyre MODEL --ltl NAME", false},
    {"-o1", "gyre MODEL --exact", false},
    {"-o2", "gyre MODEL --exact", false},
    {"-o3", "gyre MODEL --exact", false},
    {"-v", "gyre sim MODEL --changes", false},
    {"-w", "gyre sim MODEL --globals --locals", false},
    {"-b", "gyre sim MODEL", false},
    {"-B", "gyre sim MODEL", false},
    {"-T", "gyre sim MODEL", false},
    {"-X", "gyre sim MODEL --json", false},
    {"-j", "gyre sim MODEL", true},
    {"-replay", "gyre replay MODEL", false},
    {"-ltl", "gyre MODEL --ltl NAME", false},
    {"-bitstate", "gyre MODEL --store bitstate", false},
    {"-safety", "gyre MODEL --check safety", false},
};

static bool is_phrase(const char *option, size_t i)
{
    size_t n = strlen(phrases[i].option);
    if (strncmp(option, phrases[i].option, n) != 0)
        return false;
    return option[n] == '\0' || (phrases[i].glued && option[n] >= '0' && option[n] <= '9');
}

// As a command line that cannot be understood.
static int complain(const gy_arguments *form, gy_text *problem)
{
    int status = gy_complain(form, "%s", gy_text_str(problem));
    gy_text_free(problem);
    return status;
}

static bool answer_spin(const char *option, const gy_arguments *form, int *status)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        if (!is_phrase(option, i))
            continue;
        gy_text problem = {0};
        gy_text_printf(&problem,
                       "`%s` is an option of Spin; Gyre's command is `%s`\n"
                       "  hint: `gyre spin %s …` accepts Spin's command line; "
                       "docs/from-spin.md translates it",
                       option, phrases[i].gyre, option);
        *status = complain(form, &problem);
        return true;
    }
    return false;
}

// Words for subcommands, and what people type for them.
static const struct {
    const char *guess, *command;
} guesses[] = {{"simulate", "sim"},
               {"simulation", "sim"},
               {"run", "verify"},
               {"trail", "replay"},
               {"formula", "ltl"},
               {"inspect", "info"},
               {"show", "info"},
               {"sim", "sim"},
               {"replay", "replay"},
               {"info", "info"},
               {"ltl", "ltl"},
               {"test", "test"},
               {"tests", "test"},
               {"verify", "verify"},
               {"check", "check"},
               {"spin", "spin"},
               {"help", "help"},
               {"stats", "stats"},
               {"convert", "convert"},
               {"beem", "beem"},
               {"hunt", "hunt"},
               {"statistics", "stats"},
               {"translate", "convert"},
               {"search", "hunt"},
               {"format", "format"},
               {"fmt", "format"},
               {"swarm", "swarm"},
               {"lsp", "lsp"},
               {"dap", "dap"},
               {"debug", "dap"},
               {"ui", "ui"},
               {"browser", "ui"}};

const char *gy_alias_command(const char *word)
{
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++)
        if (strcmp(word, guesses[i].guess) == 0)
            return guesses[i].command;
    return NULL;
}

// The subcommand of this name; 0: there is none.
static unsigned topic_of(const char *topic)
{
    if (strcmp(topic, "verify") == 0 || strcmp(topic, "check") == 0)
        return GY_ON_VERIFY;
    for (unsigned c = GY_ON_VERIFY * 2; c <= GY_ON_LAST; c *= 2)
        if (strcmp(gy_command_text(c) + strlen("gyre "), topic) == 0)
            return c;
    return 0;
}

static int refuse_topic(const char *topic, const gy_arguments *form)
{
    gy_text out = {0};
    const char *meant = gy_alias_command(topic);
    gy_text_printf(&out, "no help on `%s` (all, verify", topic);
    for (unsigned c = GY_ON_VERIFY * 2; c <= GY_ON_LAST; c *= 2)
        gy_text_printf(&out, ", %s",
                       c == GY_ON_SPIN ? "spin" : gy_command_text(c) + strlen("gyre "));
    gy_text_char(&out, ')');
    if (meant)
        gy_text_printf(&out, "\n  hint: see `gyre help %s`", meant);
    return complain(form, &out);
}

static int print_help(const char *topic, const gy_arguments *form)
{
    gy_text out = {0};
    unsigned command = topic ? topic_of(topic) : 0;
    if (topic && strcmp(topic, "spin") == 0)
        gy_text_add(&out,
                    "gyre spin ...: accepts Spin's command line, with Spin's output\n"
                    "A link to gyre that is called `spin` does the same: see docs/spin.md.\n");
    else if (!topic || strcmp(topic, "help") == 0)
        gy_manual_short_help(&out);
    else if (command || strcmp(topic, "all") == 0)
        gy_manual_help(command, &out);
    else
        return refuse_topic(topic, form);
    gy_put(&out);
    gy_text_free(&out);
    return 0;
}

// A word that is no file and nearly a subcommand.
static bool answer_guess(const char *word, const gy_arguments *form, int *status)
{
    const char *best = NULL;
    unsigned distance = 0;
    if (strpbrk(word, "./-") || access(word, F_OK) == 0)
        return false;
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        if (strcmp(word, guesses[i].guess) == 0 && strcmp(word, guesses[i].command) == 0)
            return false; // it is one
        gy_nearest_offer(word, guesses[i].guess, &best, &distance);
    }
    const char *command = best ? gy_alias_command(best) : NULL;
    if (!command)
        return false;
    gy_text problem = {0};
    gy_text_printf(&problem,
                   "`%s` is neither a command nor a model\n"
                   "  hint: use `gyre %s`",
                   word, command);
    *status = complain(form, &problem);
    return true;
}

bool gy_alias(int *argc, char **argv, int *status)
{
    if (*argc < 2)
        return false;
    const char *first = argv[1];
    gy_arguments form = {0}; // of what is said
    gy_note_json(&form, *argc, argv);
    if (first[0] == '-')
        return answer_spin(first, &form, status);
    if (strcmp(first, "help") == 0 && access(first, F_OK) != 0) {
        *status = print_help(*argc > 2 ? argv[2] : NULL, &form);
        return true;
    }
    if (strcmp(first, "verify") == 0 || strcmp(first, "check") == 0) {
        if (*argc == 3 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
            *status = print_help(first, &form);
            return true;
        }
        for (int i = 1; i < *argc; i++) // the last is NULL
            argv[i] = argv[i + 1];
        --*argc;
        return false;
    }
    return answer_guess(first, &form, status);
}
