#include "cli/manual.h"

#include "cli/options.h"

#include <stdio.h>
#include <string.h>

static const char *const group_names[] = {
    [GY_GROUP_PROPERTIES] = "What is checked", [GY_GROUP_SEARCHING] = "How it is searched",
    [GY_GROUP_SIMULATING] = "Simulation",      [GY_GROUP_INSPECTING] = "Inspection",
    [GY_GROUP_FORMULAS] = "Formulas",          [GY_GROUP_READING] = "Reading the model",
    [GY_GROUP_COMPARING] = "Benchmark sets",   [GY_GROUP_REPORTING] = "Reports",
};

const gy_command_about gy_command_list[] = {
    {GY_ON_VERIFY, "gyre MODEL...", "verify all that MODEL states; several have one summary"},
    {GY_ON_SIM, "gyre sim MODEL", "random, interactive or guided simulation"},
    {GY_ON_REPLAY, "gyre replay MODEL [TRAIL]", "walk through a counterexample"},
    {GY_ON_INFO, "gyre info MODEL", "processes, variables, state layout, automata"},
    {GY_ON_LTL, "gyre ltl FORMULA", "translate a formula, compare two, decide satisfiability"},
    {GY_ON_TEST, "gyre test PATH...", "models that say what is expected of them, as a test suite"},
    {GY_ON_STATS, "gyre stats MODEL", "facts of the state space: levels, degrees, components"},
    {GY_ON_CONVERT, "gyre convert MODEL", "the same model in Promela, from DVE"},
    {GY_ON_BEEM, "gyre beem DIR", "run a benchmark set, compare with what is recorded of it"},
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

// ---- man page -----------------------------------------------------------------------

// Text in a man page: `-` and `\` need a backslash, a dot may not begin a line.
static void roff(const char *text, gy_text *out)
{
    if (*text == '.' || *text == '\'')
        gy_text_add(out, "\\&");
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            gy_text_char(out, '\\');
        gy_text_char(out, *text);
    }
}

static void man_group(gy_option_group group, gy_text *out)
{
    gy_text_printf(out, ".SS %s\n", group_names[group]);
    for (int id = 0; id < GY_OPT_COUNT; id++) {
        const gy_option_info *info = &gy_option_table[id];
        if (!listed(info, group, 0))
            continue;
        gy_text name = {0};
        option_name(info, &name);
        gy_text_add(out, ".TP\n.B ");
        roff(gy_text_str(&name), out);
        gy_text_char(out, '\n');
        roff(info->help, out);
        gy_text_add(out, ".\n");
        gy_text_free(&name);
    }
}

void gy_manual_man(gy_text *out)
{
    gy_text_add(out, ".\\\" Made by `gyre --print-man` from src/cli/options.def: do not edit.\n"
                     ".TH GYRE 1 \"\" \"Gyre " GY_VERSION "\" \"User commands\"\n"
                     ".SH NAME\ngyre \\- model checker for concurrent systems\n.SH SYNOPSIS\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        if (i > 0)
            gy_text_add(out, ".br\n");
        gy_text_add(out, ".B ");
        roff(gy_command_list[i].synopsis, out);
        gy_text_add(out, " [options]\n");
    }
    gy_text_add(out, ".SH DESCRIPTION\n"
                     "Gyre reads a model of a concurrent system in Promela, the language of Spin, "
                     "and explores all its states. It answers that everything stated holds, that "
                     "something is violated, with a counterexample, or that the search is "
                     "inconclusive, with the reason.\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        gy_text_add(out, ".TP\n.B ");
        roff(gy_command_list[i].synopsis, out);
        gy_text_char(out, '\n');
        roff(gy_command_list[i].help, out);
        gy_text_add(out, ".\n");
    }
    gy_text_add(out, ".SH OPTIONS\nAn argument can follow after a blank or after =.\n");
    for (int group = 0; group < GY_GROUP_HIDDEN; group++)
        man_group((gy_option_group)group, out);
    gy_text_add(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < STATUSES; i++)
        gy_text_printf(out, ".TP\n.B %d\n%s.\n", statuses[i].status, statuses[i].meaning);
    gy_text_add(out, ".SH SEE ALSO\n.BR spin (1)\n");
}
