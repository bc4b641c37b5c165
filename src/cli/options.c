#include "cli/options.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/number.h"
#include "cli/aliases.h"
#include "dist/mpi/launch.h"

#include <ctype.h>
#include <errno.h>

const gy_option_info gy_option_table[GY_OPT_COUNT] = {
#define OPTION(id, name, kind, argument, least, commands, group, help)                             \
    [GY_OPT_##id] = {name, GY_KIND_##kind, argument, least, commands, GY_GROUP_##group, help},
#include "cli/options.def"
};

bool gy_given(const gy_arguments *arguments, gy_option_id option)
{
    return arguments->value[option].set;
}

const char *gy_command_text(unsigned command)
{
    switch (command) {
    case GY_ON_SIM:
        return "gyre sim";
    case GY_ON_REPLAY:
        return "gyre replay";
    case GY_ON_INFO:
        return "gyre info";
    case GY_ON_LTL:
        return "gyre ltl";
    case GY_ON_TEST:
        return "gyre test";
    case GY_ON_STATS:
        return "gyre stats";
    case GY_ON_BEEM:
        return "gyre beem";
    case GY_ON_CONVERT:
        return "gyre convert";
    case GY_ON_SWARM:
        return "gyre swarm";
    case GY_ON_HUNT:
        return "gyre hunt";
    case GY_ON_FORMAT:
        return "gyre format";
    case GY_ON_DAP:
        return "gyre dap";
    case GY_ON_LSP:
        return "gyre lsp";
    case GY_ON_UI:
        return "gyre ui";
    default:
        return "gyre MODEL";
    }
}

bool gy_takes_nothing(unsigned command)
{
    return command == GY_ON_DAP || command == GY_ON_LSP;
}

// ---- arguments of options -----------------------------------------------------------

void gy_option_argument(const gy_option_info *info, gy_text *out)
{
    if (info->argument)
        gy_text_add(out, info->argument);
    else
        gy_setting_words(info->name + strlen("--"), out);
}

// The position of a word among "a|b|c", or -1; then *nearest receives the one that was
// probably meant, if any.
static int find_word(const char *words, const char *text, size_t length, gy_text *nearest)
{
    int position = 0;
    unsigned distance = 0;
    char *wanted = memcpy(gy_alloc_zero(length + 1), text, length);
    const char *best = NULL;
    char *copy = memcpy(gy_alloc(strlen(words) + 1), words, strlen(words) + 1);
    int found = -1;
    char *save = NULL;
    for (char *word = strtok_r(copy, "|", &save); word; word = strtok_r(NULL, "|", &save)) {
        if (strcmp(word, wanted) == 0)
            found = position;
        gy_nearest_offer(wanted, word, &best, &distance);
        position++;
    }
    if (found < 0 && best)
        gy_text_add(nearest, best);
    free(copy);
    free(wanted);
    return found;
}

static bool refuse_word(const gy_option_info *info, const char *text, size_t length,
                        gy_text *nearest, gy_text *problem)
{
    gy_text_printf(problem, "`%.*s` is not a value of %s (", (int)length, text, info->name);
    gy_option_argument(info, problem);
    gy_text_char(problem, ')');
    if (nearest->n > 0)
        gy_text_printf(problem, "\n  hint: a similar name exists: `%s`", gy_text_str(nearest));
    gy_text_free(nearest);
    return false;
}

static bool set_words(gy_option_value *value, const gy_option_info *info, const char *text,
                      gy_text *problem)
{
    gy_text nearest = {0}, words = {0};
    bool several = info->kind == GY_KIND_CHOICES, good = true;
    gy_option_argument(info, &words);
    for (const char *at = text; good; at++) { // what was given before stays
        size_t n = several ? strcspn(at, ",") : strlen(at);
        int position = find_word(gy_text_str(&words), at, n, &nearest);
        good = position >= 0 || refuse_word(info, at, n, &nearest, problem);
        if (good)
            value->number = several ? value->number | 1ull << position : (uint64_t)position;
        at += n;
        if (*at == '\0')
            break;
    }
    gy_text_free(&words);
    return good;
}

// `1m`, `2h`, `500ms`: how many seconds that is.
static void hint_at_seconds(const gy_option_info *info, const char *text, gy_text *problem)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ms", 0.001}, {"s", 1},    {"sec", 1},  {"secs", 1},
                 {"m", 60},     {"min", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    double count = strtod(text, &end);
    for (size_t i = 0; end != text && count > 0 && i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].unit))
            gy_text_printf(problem, "\n  hint: write `%s %.15g`", info->name,
                           count * units[i].seconds);
}

static bool set_number(gy_option_value *value, const gy_option_info *info, const char *text,
                       gy_text *problem)
{
    bool good;
    const char *wanted;
    switch (info->kind) {
    case GY_KIND_SIZE:
        good = gy_number_size(text, &value->number);
        wanted = "a size such as 800K, 500M or 2G";
        break;
    case GY_KIND_SECONDS:
        good = gy_number_seconds(text, &value->seconds);
        wanted = "a number of seconds above 0, such as 60 or 0.5";
        break;
    default:
        good = gy_number_count(text, &value->number);
        wanted = info->least > 0 ? "a whole number above 0" : "a whole number";
        if (!good && *text && strspn(text, "0123456789") == strlen(text))
            wanted = "a smaller whole number";
        break;
    }
    if (good && (info->kind == GY_KIND_SECONDS || value->number >= info->least))
        return true;
    gy_text_printf(problem, "%s needs %s, not `%s`", info->name, wanted, text);
    if (info->kind == GY_KIND_SECONDS)
        hint_at_seconds(info, text, problem);
    return false;
}

// What is given twice and does not add up would be half ignored.
static bool is_repeated(const gy_option_info *info, const gy_option_value *value, const char *text,
                        gy_text *problem)
{
    if (!value->set || info->kind == GY_KIND_LIST || info->kind == GY_KIND_CHOICES)
        return false;
    gy_text_printf(problem, "%s is given twice", info->name);
    if (value->text && text)
        gy_text_printf(problem, " (`%s`, then `%s`)", value->text, text);
    gy_text_printf(problem, "; it can be given once only");
    return true;
}

static bool set_value(gy_arguments *arguments, gy_option_id id, const char *text, gy_text *problem)
{
    const gy_option_info *info = &gy_option_table[id];
    gy_option_value *value = &arguments->value[id];
    gy_given_option given = {id, text};
    if (is_repeated(info, value, text, problem))
        return false;
    gy_vec_push(&arguments->given, given);
    value->set = true;
    value->text = text;
    switch (info->kind) {
    case GY_KIND_CHOICE:
    case GY_KIND_CHOICES:
        return set_words(value, info, text, problem);
    case GY_KIND_COUNT:
    case GY_KIND_MAYBE:
    case GY_KIND_SIZE:
    case GY_KIND_SECONDS:
        return set_number(value, info, text, problem);
    default:
        break;
    }
    if (*text == '\0') {
        gy_text_printf(problem, "%s needs an argument that is not empty", info->name);
        return false;
    }
    return true;
}

// ---- the command line ---------------------------------------------------------------

// Is there another option of this name, and is that the one of the command?
static bool is_anothers(int id, unsigned command)
{
    bool other = false;
    for (int k = 0; k < GY_OPT_COUNT; k++)
        other |= k != id && strcmp(gy_option_table[k].name, gy_option_table[id].name) == 0 &&
                 (gy_option_table[k].commands & command);
    return other && !(gy_option_table[id].commands & command);
}

// Finds the option that `text` begins with; *inline_value is what follows `=` (or -D, -I).
static int find_option(const char *text, unsigned command, const char **inline_value)
{
    *inline_value = NULL;
    for (int id = 0; id < GY_OPT_COUNT; id++) {
        const gy_option_info *info = &gy_option_table[id];
        size_t n = strlen(info->name);
        if (strncmp(text, info->name, n) != 0 || is_anothers(id, command))
            continue;
        if (text[n] == '\0')
            return id;
        if (n == 2 && text[1] != '-') { // -DNAME
            *inline_value = text + n;
            return id;
        }
        if (text[n] == '=') {
            *inline_value = text + n + 1;
            return id;
        }
    }
    if (strcmp(text, "-h") == 0)
        return GY_OPT_HELP;
    if (strncmp(text, "--color=", 8) == 0)
        *inline_value = text + 8;
    if (*inline_value || strcmp(text, "--color") == 0) // for readers of American English
        return GY_OPT_COLOUR;
    return -1;
}

static bool unknown_option(const char *text, gy_text *problem)
{
    const char *best = NULL, *near = NULL;
    unsigned distance = 0;
    size_t n = strcspn(text, "=");
    char *name = memcpy(gy_alloc_zero(n + 1), text, n);
    for (int id = 0; id < GY_OPT_COUNT; id++) {
        const char *candidate = gy_option_table[id].name, *before = best;
        if (gy_option_table[id].group != GY_GROUP_HIDDEN) // dashes make no name similar
            gy_nearest_offer(name + strspn(name, "-"), candidate + strspn(candidate, "-"), &best,
                             &distance);
        near = best != before ? candidate : near;
    }
    gy_text_printf(problem, "unknown option `%s`", name);
    const char *command = n > 2 ? gy_alias_command(name + 2) : NULL;
    if (command)
        gy_text_printf(problem, "\n  hint: use `gyre %s`", command);
    else if (near)
        gy_text_printf(problem, "\n  hint: a similar name exists: `%s`", near);
    free(name);
    return false;
}

static void set_flag(gy_arguments *arguments, gy_option_id id)
{
    gy_given_option given = {id, NULL};
    if (!arguments->value[id].set)
        gy_vec_push(&arguments->given, given);
    arguments->value[id].set = true;
}

// What follows an option that needs an argument. NULL: it is missing, or is an option itself. The
// options of another program begin as ours do.
static const char *next_argument(const gy_option_info *info, const char *next, gy_text *problem)
{
    bool option = next && strncmp(next, "--", 2) == 0 && info != &gy_option_table[GY_OPT_SBATCH];
    if (next && !option)
        return next;
    gy_text_printf(problem, "%s needs an argument (", info->name);
    gy_option_argument(info, problem);
    gy_text_char(problem, ')');
    if (option && next[2])
        gy_text_printf(problem,
                       ", and `%s` looks like an option\n  hint: if it is the argument, write "
                       "`%s=%s`",
                       next, info->name, next);
    return NULL;
}

static bool parse_option(gy_arguments *arguments, int argc, char **argv, int *at, gy_text *problem)
{
    const char *inline_value;
    int id = find_option(argv[*at], arguments->command ? arguments->command : GY_ON_VERIFY,
                         &inline_value);
    if (id < 0)
        return unknown_option(argv[*at], problem);
    const gy_option_info *info = &gy_option_table[id];
    const char *next = *at + 1 < argc ? argv[*at + 1] : NULL;
    uint64_t number;
    switch (info->kind) {
    case GY_KIND_FLAG:
        if (inline_value) {
            gy_text_printf(problem, "%s takes no argument", info->name);
            return false;
        }
        set_flag(arguments, (gy_option_id)id);
        return true;
    case GY_KIND_MAYBE:
        if (!inline_value && !(next && gy_number_count(next, &number))) {
            if (is_repeated(info, &arguments->value[id], NULL, problem))
                return false;
            set_flag(arguments, (gy_option_id)id);
            return true;
        }
        break;
    default:
        break;
    }
    if (!inline_value) {
        inline_value = next_argument(info, next, problem);
        if (!inline_value)
            return false;
        ++*at;
    }
    return set_value(arguments, (gy_option_id)id, inline_value, problem);
}

static bool take_file(gy_arguments *arguments, const char *text, gy_text *problem)
{
    static const struct {
        const char *name;
        unsigned command;
    } commands[] = {{"sim", GY_ON_SIM},       {"replay", GY_ON_REPLAY},   {"info", GY_ON_INFO},
                    {"ltl", GY_ON_LTL},       {"test", GY_ON_TEST},       {"stats", GY_ON_STATS},
                    {"beem", GY_ON_BEEM},     {"convert", GY_ON_CONVERT}, {"hunt", GY_ON_HUNT},
                    {"format", GY_ON_FORMAT}, {"ui", GY_ON_UI},           {"dap", GY_ON_DAP},
                    {"lsp", GY_ON_LSP},       {"swarm", GY_ON_SWARM}};
    if (arguments->command == 0) {
        arguments->command = GY_ON_VERIFY;
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
            if (strcmp(text, commands[i].name) == 0) {
                arguments->command = commands[i].command;
                return true;
            }
        }
    }
    if (arguments->command == GY_ON_TEST || arguments->command == GY_ON_VERIFY ||
        arguments->command == GY_ON_HUNT || arguments->command == GY_ON_FORMAT ||
        arguments->command == GY_ON_SWARM) {
        gy_vec_push(&arguments->paths, text);
        arguments->files[0] = arguments->paths.at[0];
        arguments->file_count = 1;
        return true;
    }
    bool formulas = arguments->command == GY_ON_LTL;
    unsigned most = arguments->command == GY_ON_REPLAY || formulas ? 2
                    : gy_takes_nothing(arguments->command)         ? 0
                                                                   : 1;
    if (arguments->file_count == most) {
        gy_text_printf(problem, "unexpected argument `%s`: %s takes %s", text,
                       gy_command_text(arguments->command),
                       formulas                           ? "a formula, or two to compare"
                       : arguments->command == GY_ON_BEEM ? "one directory"
                       : arguments->command == GY_ON_UI   ? "one model or directory"
                       : most == 0                        ? "no model: editors send them"
                       : most == 1                        ? "one model"
                                                          : "a model and a trail");
        return false;
    }
    arguments->files[arguments->file_count++] = text;
    return true;
}

static bool check_commands(const gy_arguments *arguments, gy_text *problem)
{
    unsigned command = arguments->command ? arguments->command : GY_ON_VERIFY;
    for (int id = 0; id < GY_OPT_COUNT; id++) {
        const gy_option_info *info = &gy_option_table[id];
        if (!arguments->value[id].set || (info->commands & command))
            continue;
        const char *between = "";
        gy_text_printf(problem, "%s is not an option of %s (it belongs to ", info->name,
                       gy_command_text(command));
        for (unsigned c = GY_ON_VERIFY; c <= GY_ON_LAST; c *= 2) {
            if (!(info->commands & c))
                continue;
            gy_text_printf(problem, "%s%s", between, gy_command_text(c));
            between = ", ";
        }
        gy_text_char(problem, ')');
        return false;
    }
    return true;
}

bool gy_arguments_spare(const gy_arguments *arguments, const char *file, const char *what,
                        gy_text *problem)
{
    for (int id = 0; id < GY_OPT_COUNT; id++) {
        bool reads = id == GY_OPT_EF_FILE || id == GY_OPT_RESUME ||
                     (id == GY_OPT_TRAIL && arguments->command == GY_ON_SIM);
        const char *path = arguments->value[id].text;
        if (gy_option_table[id].kind != GY_KIND_FILE || !path || reads ||
            !gy_is_same_file(file, path))
            continue;
        gy_text_printf(problem, "%s %s would overwrite %s", gy_option_table[id].name, path, what);
        return false;
    }
    return true;
}

static bool check_files(const gy_arguments *arguments, gy_text *problem)
{
    for (size_t i = 0; i < arguments->file_count; i++)
        if (!gy_arguments_spare(arguments, arguments->files[i], "the model itself", problem))
            return false;
    return true;
}

// Reports are written when all is done: hours may have passed by then. Where `%` stands for the
// model in a name of a directory, that is not known before.
static bool check_reports(const gy_arguments *arguments, gy_text *problem)
{
    static const gy_option_id reports[] = {
#define RENDERER(id, name, commands, help)
#define REPORT(id, name, commands, end, help) GY_OPT_##id,
#include "report/renderers.def"
        GY_OPT_CODE_QUALITY, GY_OPT_CSV, GY_OPT_SVG};
    bool first = true, ranks = gy_given(arguments, GY_OPT_MPI) && gy_launched(&first);
    for (size_t i = 0; i < sizeof reports / sizeof *reports && (first || !ranks); i++) {
        const char *path = arguments->value[reports[i]].text;
        const char *mark = path && arguments->command != GY_ON_TEST ? strchr(path, '%') : NULL;
        if (!path || (mark && strchr(mark, '/')) ||
            (mark ? gy_folder_is_writable(path) : gy_file_is_writable(path)))
            continue;
        gy_text_printf(problem, "cannot write %s: %s", path, strerror(errno));
        return false;
    }
    return true;
}

bool gy_arguments_parse(gy_arguments *arguments, int argc, char **argv, gy_text *problem)
{
    *arguments = (gy_arguments){.started = gy_clock()};
    bool options = true;
    for (int at = 1; at < argc; at++) {
        bool good;
        if (options && strcmp(argv[at], "--") == 0) {
            options = false;
            continue;
        }
        if (options && argv[at][0] == '-' && argv[at][1] != '\0')
            good = parse_option(arguments, argc, argv, &at, problem);
        else
            good = take_file(arguments, argv[at], problem);
        if (!good)
            return false;
    }
    return check_commands(arguments, problem) && check_files(arguments, problem) &&
           check_reports(arguments, problem);
}

void gy_arguments_free(gy_arguments *arguments)
{
    gy_vec_free(&arguments->given);
    gy_vec_free(&arguments->paths);
}
