#include "cli/manual.h"

#include "cli/options.h"
#include "cli/swarm_parts.h"
#include "report/json.h"

#include <stdio.h>
#include <string.h>

static const char *const group_names[] = {
    [GY_GROUP_PROPERTIES] = "What is checked", [GY_GROUP_SEARCHING] = "How it is searched",
    [GY_GROUP_SWARMING] = "Swarms of jobs",    [GY_GROUP_HUNTING] = "Hunting for errors",
    [GY_GROUP_SIMULATING] = "Simulation",      [GY_GROUP_INSPECTING] = "Inspection",
    [GY_GROUP_FORMULAS] = "Formulas",          [GY_GROUP_READING] = "Reading the model",
    [GY_GROUP_COMPARING] = "Benchmark sets",   [GY_GROUP_SERVING] = "Serving a page",
    [GY_GROUP_REPORTING] = "Reports",
};

const gy_command_about gy_command_list[] = {
    {GY_ON_VERIFY, "gyre MODEL...", "verify all that MODEL states; several have one summary"},
    {GY_ON_HUNT, "gyre hunt MODEL...", "find an error fast: guided and random searches in turns"},
    {GY_ON_SWARM, "gyre swarm MODEL", "many small jobs, exhaustive together (local, MPI, Slurm)"},
    {GY_ON_SIM, "gyre sim MODEL", "random, interactive or guided simulation"},
    {GY_ON_REPLAY, "gyre replay MODEL [TRAIL]", "walk through a counterexample"},
    {GY_ON_INFO, "gyre info MODEL", "processes, variables, state layout, automata"},
    {GY_ON_LTL, "gyre ltl FORMULA", "translate a formula, compare two, decide satisfiability"},
    {GY_ON_TEST, "gyre test PATH...", "models that say what is expected of them, as a test suite"},
    {GY_ON_STATS, "gyre stats MODEL", "facts of the state space: levels, degrees, components"},
    {GY_ON_CONVERT, "gyre convert MODEL", "the same model in Promela, from DVE"},
    {GY_ON_FORMAT, "gyre format PATH...", "lay out Promela files; with --check, only look"},
    {GY_ON_BEEM, "gyre beem DIR", "run a benchmark set, compare with what is recorded of it"},
    {GY_ON_UI, "gyre ui [MODEL|DIR]", "edit, simulate and verify models on a page in the browser"},
    {GY_ON_DAP, "gyre dap", "debug adapter: editors step through counterexamples with it"},
    {GY_ON_LSP, "gyre lsp", "language server: what editors talk to while a model is written"},
    {GY_ON_SPIN, "gyre spin ...", "Spin's own command line (docs/spin.md)"},
};
enum { COMMANDS = sizeof gy_command_list / sizeof *gy_command_list };
const size_t gy_command_count = COMMANDS;

static const struct {
    int status;
    const char *meaning;
} statuses[] = {
    {0, "everything holds"},
    {1, "something is violated"},
    {2, "the model or the command line is wrong"},
    {3, "inconclusive: a limit was reached, or something could not be checked"},
    {4, "an internal error"},
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

void gy_manual_usage(gy_text *out)
{
    for (size_t i = 0; i < COMMANDS; i++)
        gy_text_printf(out, "%s %-38s %s\n", i == 0 ? "usage:" : "      ",
                       i == 0 ? "gyre MODEL [options]" : gy_command_list[i].synopsis,
                       gy_command_list[i].help);
    gy_text_add(out, "       gyre --help lists the options\n");
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
        gy_text name = {0};
        option_name(info, &name);
        if (name.n <= 26)
            gy_text_printf(out, "  %-27s %s\n", gy_text_str(&name), info->help);
        else
            gy_text_printf(out, "  %s\n%30s%s\n", gy_text_str(&name), "", info->help);
        gy_text_free(&name);
    }
}

void gy_manual_help(unsigned command, gy_text *out)
{
    gy_text_add(out, "Gyre, a model checker for concurrent systems\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        if (command == 0 || command == gy_command_list[i].command)
            gy_text_printf(out, "  %-27s %s\n", gy_command_list[i].synopsis,
                           gy_command_list[i].help);
    for (int group = 0; group < GY_GROUP_HIDDEN; group++)
        help_group((gy_option_group)group, command, out);
    gy_text_add(out, "\nAn argument can follow after a blank or after `=`.\n\nExit status:\n");
    for (size_t i = 0; i < STATUSES; i++)
        gy_text_printf(out, "  %d  %s\n", statuses[i].status, statuses[i].meaning);
}

// ---- for share/manual ---------------------------------------------------------------

// The word behind gyre, "" for the first.
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
