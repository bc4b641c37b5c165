#include "cli/manual.h"

#include "cli/options.h"
#include "cli/swarm_parts.h"
#include "report/json.h"

#include <stdio.h>
#include <string.h>

static const char *const group_names[] = {
    [GY_GROUP_PROPERTIES] = "What is checked", [GY_GROUP_SEARCHING] = "How it is searched",
    [GY_GROUP_SWARMING] = "Swarms of jobs",    [GY_GROUP_HUNTING] = "Hunting for errors",
    [GY_GROUP_SIMULATING] = "Simulation",      [GY_GROUP_INSPECTING] = "Inspection and format",
    [GY_GROUP_FORMULAS] = "Formulas",          [GY_GROUP_READING] = "Reading the model",
    [GY_GROUP_COMPARING] = "Benchmark sets",   [GY_GROUP_SERVING] = "Serving a page",
    [GY_GROUP_REPORTING] = "Reports",
};

const gy_command_about gy_command_list[] = {
    {GY_ON_VERIFY, "gyre MODEL...", "verify all properties that MODEL states"},
    {GY_ON_HUNT, "gyre hunt MODEL...", "find bugs quickly by guided and random searches"},
    {GY_ON_SWARM, "gyre swarm MODEL", "verify by many small jobs (local, MPI, Slurm)"},
    {GY_ON_SIM, "gyre sim MODEL", "simulate at random, by hand or along a trail"},
    {GY_ON_REPLAY, "gyre replay MODEL [TRAIL]", "step through a counterexample"},
    {GY_ON_INFO, "gyre info MODEL", "show processes, variables, state layout, automata"},
    {GY_ON_LTL, "gyre ltl FORMULA", "translate, compare or decide LTL formulas"},
    {GY_ON_TEST, "gyre test PATH...", "test models against their expected verdicts"},
    {GY_ON_STATS, "gyre stats MODEL", "measure the state space: depth, components, cycles"},
    {GY_ON_CONVERT, "gyre convert MODEL", "translate a DVE model to Promela"},
    {GY_ON_FORMAT, "gyre format PATH...", "format Promela files, or check their format"},
    {GY_ON_BEEM, "gyre beem DIR", "run a benchmark set and compare with its records"},
    {GY_ON_UI, "gyre ui [MODEL|DIR]", "edit, simulate and verify models in the browser"},
    {GY_ON_DAP, "gyre dap", "serve editors as a debug adapter"},
    {GY_ON_LSP, "gyre lsp", "serve editors as a language server"},
    {GY_ON_SPIN, "gyre spin ...", "accept Spin's command line (docs/spin.md)"},
};
enum { COMMANDS = sizeof gy_command_list / sizeof *gy_command_list };
const size_t gy_command_count = COMMANDS;

// What the short help shows.
static const gy_option_id everyday[] = {
    GY_OPT_CHECK,  GY_OPT_LTL,   GY_OPT_FAIRNESS, GY_OPT_SHORTEST, GY_OPT_ALL_ERRORS,
    GY_OPT_EXACT,  GY_OPT_STORE, GY_OPT_MEMORY,   GY_OPT_TIME,     GY_OPT_THREADS,
    GY_OPT_DEFINE, GY_OPT_TRAIL, GY_OPT_HTML,     GY_OPT_JSON,     GY_OPT_VERBOSE,
};

// The group of options that a command's help begins with.
static gy_option_group own_group(unsigned command)
{
    switch (command) {
    case GY_ON_HUNT:
        return GY_GROUP_HUNTING;
    case GY_ON_SWARM:
        return GY_GROUP_SWARMING;
    case GY_ON_SIM:
    case GY_ON_REPLAY:
        return GY_GROUP_SIMULATING;
    case GY_ON_LTL:
        return GY_GROUP_FORMULAS;
    case GY_ON_BEEM:
        return GY_GROUP_COMPARING;
    case GY_ON_INFO:
    case GY_ON_STATS:
    case GY_ON_CONVERT:
    case GY_ON_FORMAT:
        return GY_GROUP_INSPECTING;
    case GY_ON_UI:
    case GY_ON_DAP:
    case GY_ON_LSP:
        return GY_GROUP_SERVING;
    default:
        return GY_GROUP_PROPERTIES;
    }
}

static const struct {
    int status;
    const char *meaning;
} statuses[] = {
    {0, "everything holds"},
    {1, "something is violated"},
    {2, "the model or the command line is wrong"},
    {3, "inconclusive: a limit was reached, or something cannot be checked"},
    {4, "internal error"},
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

void gy_manual_usage(gy_text *out)
{
    for (size_t i = 0; i < COMMANDS; i++)
        gy_text_printf(out, "%s %-38s %s\n", i == 0 ? "usage:" : "      ",
                       i == 0 ? "gyre MODEL [options]" : gy_command_list[i].synopsis,
                       gy_command_list[i].help);
    gy_text_add(out, "       gyre help COMMAND lists the options of a command\n");
}

static void option_name(const gy_option_info *info, gy_text *out)
{
    bool maybe = info->kind == GY_KIND_MAYBE;
    gy_text_add(out, info->name);
    if (info->kind == GY_KIND_FLAG)
        return;
    gy_text_add(out, maybe ? " [" : " ");
    gy_option_argument(info, out);
    gy_text_add(out, maybe ? "]" : "");
}

static bool listed(const gy_option_info *info, gy_option_group group, unsigned command)
{
    return info->group == group && (command == 0 || (info->commands & command));
}

// One option: its name, then, in a column, what it does.
static void help_option(const gy_option_info *info, size_t column, gy_text *out)
{
    gy_text name = {0};
    option_name(info, &name);
    gy_text_printf(out, "  %s", gy_text_str(&name));
    bool fits = name.n + 3 <= column;
    gy_text_printf(out, "%s%*s%s\n", fits ? "" : "\n", (int)(fits ? column - 2 - name.n : column),
                   "", info->help);
    gy_text_free(&name);
}

static void help_group(gy_option_group group, unsigned command, gy_text *out)
{
    bool first = true;
    for (int id = 0; id < GY_OPT_COUNT; id++) {
        const gy_option_info *info = &gy_option_table[id];
        if (!listed(info, group, command))
            continue;
        if (first)
            gy_text_printf(out, "\n%s:\n", group_names[group]);
        first = false;
        help_option(info, 30, out);
    }
}

static void help_commands(unsigned command, gy_text *out)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (command == 0 || command == gy_command_list[i].command)
            gy_text_printf(out, "  %-27s %s\n",
                           i == 0 ? "gyre [verify] MODEL..." : gy_command_list[i].synopsis,
                           gy_command_list[i].help);
    if (command == 0)
        gy_text_printf(out, "  %-27s %s\n", "gyre help [COMMAND|all]",
                       "show the options of a command, or all options");
}

static void help_statuses(gy_text *out)
{
    gy_text_add(out, "\nExit status:\n");
    for (size_t i = 0; i < STATUSES; i++)
        gy_text_printf(out, "  %d  %s\n", statuses[i].status, statuses[i].meaning);
}

void gy_manual_short_help(gy_text *out)
{
    gy_text_add(out, "Gyre, a model checker for concurrent systems\n\n");
    help_commands(0, out);
    gy_text_add(out, "\nEveryday options (gyre help all lists the others):\n");
    for (size_t i = 0; i < sizeof everyday / sizeof *everyday; i++)
        help_option(&gy_option_table[everyday[i]], 22, out);
    help_statuses(out);
}

void gy_manual_help(unsigned command, gy_text *out)
{
    gy_option_group own = own_group(command);
    gy_text_add(out, "Gyre, a model checker for concurrent systems\n\n");
    help_commands(command, out);
    help_group(own, command, out);
    for (int group = 0; group < GY_GROUP_HIDDEN; group++)
        if ((gy_option_group)group != own)
            help_group((gy_option_group)group, command, out);
    gy_text_add(out, "\nAn argument follows its option after a space or `=`.\n");
    help_statuses(out);
}

// ---- for share/manual ---------------------------------------------------------------

// The word after gyre, "" for the first.
static json_t *command_name(size_t i)
{
    const char *name = gy_command_list[i].synopsis + strlen("gyre ");
    return i == 0 ? json_string("") : json_stringn(name, strcspn(name, " "));
}

// Who may set it besides the user.
static json_t *setters(const gy_option_info *info)
{
    static const struct {
        gy_set_by by;
        const char *name;
    } all[] = {{GY_BY_COMMENT, "comment"}, {GY_BY_PAGE, "page"}, {GY_BY_EDITOR, "editor"}};
    // Not --check of gyre format.
    bool asks = info->commands & (GY_ON_VERIFY | GY_ON_HUNT | GY_ON_SWARM);
    json_t *list = json_array();
    const char *name = info->name + strspn(info->name, "-");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (asks && gy_setting_may(name, all[i].by))
            json_array_append_new(list, json_string(all[i].name));
    if ((info->commands & GY_ON_SWARM) &&
        gy_swarm_from_journal((gy_option_id)(info - gy_option_table)))
        json_array_append_new(list, json_string("journal"));
    return list;
}

static json_t *option_object(const gy_option_info *info)
{
    json_t *commands = json_array();
    gy_text argument = {0};
    for (size_t i = 0; i < COMMANDS; i++)
        if (info->commands & gy_command_list[i].command)
            json_array_append_new(commands, command_name(i));
    if (info->kind != GY_KIND_FLAG)
        gy_option_argument(info, &argument);
    json_t *object =
        json_pack("{ss ss sb ss ss so so}", "name", info->name, "argument", gy_text_str(&argument),
                  "optional", info->kind == GY_KIND_MAYBE, "group", group_names[info->group],
                  "help", info->help, "commands", commands, "set_by", setters(info));
    gy_text_free(&argument);
    return object;
}

void gy_manual_json(gy_text *out)
{
    json_t *commands = json_array(), *options = json_array(), *exits = json_array();
    for (size_t i = 0; i < COMMANDS; i++)
        json_array_append_new(commands, json_pack("{so ss ss}", "name", command_name(i), "synopsis",
                                                  gy_command_list[i].synopsis, "help",
                                                  gy_command_list[i].help));
    for (int id = 0; id < GY_OPT_COUNT; id++)
        if (gy_option_table[id].group != GY_GROUP_HIDDEN)
            json_array_append_new(options, option_object(&gy_option_table[id]));
    for (size_t i = 0; i < STATUSES; i++)
        json_array_append_new(exits, json_pack("{si ss}", "status", statuses[i].status, "meaning",
                                               statuses[i].meaning));
    gy_json_dump(json_pack("{ss so so so}", "version", GY_VERSION, "commands", commands, "options",
                           options, "statuses", exits),
                 out, false);
}
