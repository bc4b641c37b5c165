#include "cli/completion/completion.h"

#include "cli/manual.h"
#include "cli/options.h"
#include "load/front_ends.h"

#include <string.h>

// The scripts, as they are in the source tree. The assembler finds the files.
#define SCRIPT(name)                                                                               \
    __asm__(".section .rodata\n.global gyre_completion_" #name "\n.hidden gyre_completion_" #name  \
            "\ngyre_completion_" #name ":\n.incbin \"src/cli/completion/gyre." #name               \
            "\"\n.byte 0\n.previous\n");                                                           \
    extern const char gyre_completion_##name[]

SCRIPT(bash);
SCRIPT(zsh);
SCRIPT(fish);

// ---- what all shells need ---------------------------------------------------------------

static bool is_shown(const gy_option_info *info)
{
    return info->group != GY_GROUP_HIDDEN;
}

static bool is_of(const gy_option_info *info, const gy_command_about *about)
{
    return is_shown(info) && (info->commands & about->command);
}

// What an option takes, for the scripts; NULL: nothing that has to follow.
static const char *argument_of(const gy_option_info *info)
{
    if (info == &gy_option_table[GY_OPT_LTL])
        return "property";
    if (info == &gy_option_table[GY_OPT_EXPECT])
        return "expectation";
    switch (info->kind) {
    case GY_KIND_FLAG:
    case GY_KIND_MAYBE:
        return NULL;
    case GY_KIND_CHOICE:
        return "words";
    case GY_KIND_CHOICES:
        return "list";
    case GY_KIND_FILE:
        return "file";
    default:
        return strcmp(info->argument, "DIR") == 0 ? "folder" : "text";
    }
}

static bool has_words(const gy_option_info *info)
{
    return info->kind == GY_KIND_CHOICE || info->kind == GY_KIND_CHOICES;
}

// The words of a choice, with spaces between them.
static void add_words(const gy_option_info *info, gy_text *out)
{
    gy_text words = {0};
    gy_option_argument(info, &words);
    for (const char *at = gy_text_str(&words); *at; at++)
        gy_text_char(out, *at == '|' ? ' ' : *at);
    gy_text_free(&words);
}

// What a command takes besides options.
static const char *operand_of(const gy_command_about *about)
{
    switch (about->command) {
    case GY_ON_REPLAY:
        return "replay"; // a model, then a trail
    case GY_ON_TEST:
    case GY_ON_FORMAT:
    case GY_ON_SPIN:
        return "files";
    case GY_ON_BEEM:
        return "folders";
    case GY_ON_LTL:
    case GY_ON_DAP:
    case GY_ON_LSP:
        return "nothing";
    default:
        return "models";
    }
}

// The first has no name; the scripts call it MODEL.
static void add_command(size_t i, gy_text *out)
{
    const char *name = gy_command_list[i].synopsis + strlen("gyre ");
    gy_text_printf(out, "%.*s", i == 0 ? 5 : (int)strcspn(name, " "), i == 0 ? "MODEL" : name);
}

// With a backslash before each of these characters.
static void add_escaped(const char *text, const char *special, gy_text *out)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            gy_text_char(out, '\\');
        gy_text_char(out, *text);
    }
}

// ---- bash -------------------------------------------------------------------------------

static void bash(gy_text *out)
{
    gy_text_add(out, "_gyre_kinds=(");
    gy_front_end_suffixes(out);
    gy_text_add(out, ")\ndeclare -gA _gyre_arguments=(\n");
    for (int id = 0; id < GY_OPT_COUNT; id++)
        if (is_shown(&gy_option_table[id]) && argument_of(&gy_option_table[id]))
            gy_text_printf(out, "    [%s]=%s\n", gy_option_table[id].name,
                           argument_of(&gy_option_table[id]));
    gy_text_add(out, ")\ndeclare -gA _gyre_words=(\n"
                     "    [--expect]=\"holds violated inconclusive\"\n");
    for (int id = 0; id < GY_OPT_COUNT; id++) {
        if (!is_shown(&gy_option_table[id]) || !has_words(&gy_option_table[id]))
            continue;
        gy_text_printf(out, "    [%s]=\"", gy_option_table[id].name);
        add_words(&gy_option_table[id], out);
        gy_text_add(out, "\"\n");
    }
    gy_text_add(out, ")\ndeclare -gA _gyre_operands=(\n");
    for (size_t i = 0; i < gy_command_count; i++) {
        gy_text_add(out, "    [");
        add_command(i, out);
        gy_text_printf(out, "]=%s\n", operand_of(&gy_command_list[i]));
    }
    gy_text_add(out, ")\ndeclare -gA _gyre_options=(\n");
    for (size_t i = 0; i < gy_command_count; i++) {
        gy_text_add(out, "    [");
        add_command(i, out);
        gy_text_add(out, "]=\"");
        for (int id = 0; id < GY_OPT_COUNT; id++)
            if (is_of(&gy_option_table[id], &gy_command_list[i]))
                gy_text_printf(out, "%s ", gy_option_table[id].name);
        gy_text_add(out, "\"\n");
    }
    gy_text_printf(out, ")\n%s", gyre_completion_bash);
}

// ---- zsh --------------------------------------------------------------------------------

// Inside '…', where a quote is '\''.
static void zsh_quoted(const char *text, gy_text *out)
{
    for (; *text; text++) {
        if (*text == '\'')
            gy_text_add(out, "'\\'");
        else if (strchr("\\[]:", *text))
            gy_text_char(out, '\\');
        gy_text_char(out, *text);
    }
}

// What _arguments does for it.
static void zsh_action(const gy_option_info *info, const char *kind, gy_text *out)
{
    static const char *const actions[][2] = {
        {"property", "_gyre_names"},
        {"expectation", "_gyre_expectations"},
        {"file", "_files"},
        {"folder", "_files -/"},
        {"text", " "},
    };
    if (has_words(info)) {
        gy_text_add(out, info->kind == GY_KIND_CHOICES ? "_values -s , which " : "(");
        add_words(info, out);
        gy_text_add(out, info->kind == GY_KIND_CHOICES ? "" : ")");
        return;
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i][0], kind) == 0)
            gy_text_add(out, actions[i][1]);
}

// A line for _arguments: '--name=[help]:argument:action'.
static void zsh_option(const gy_option_info *info, gy_text *out)
{
    gy_text argument = {0};
    bool is_long = info->name[1] == '-';
    bool glued = !is_long && info->kind == GY_KIND_LIST; // -D NAME and -DNAME
    gy_text_printf(out, "        '%s%s%s[", info->kind == GY_KIND_LIST ? "*" : "", info->name,
                   info->kind == GY_KIND_FLAG    ? ""
                   : info->kind == GY_KIND_MAYBE ? "=-"
                   : glued                       ? "+"
                   : is_long                     ? "="
                                                 : "");
    zsh_quoted(info->help, out);
    gy_text_char(out, ']');
    if (info->kind != GY_KIND_FLAG) {
        gy_option_argument(info, &argument);
        gy_text_add(out, info->kind == GY_KIND_MAYBE ? "::" : ":");
        zsh_quoted(has_words(info) ? "which" : gy_text_str(&argument), out);
        gy_text_char(out, ':');
        zsh_action(info, argument_of(info) ? argument_of(info) : "text", out);
    }
    gy_text_add(out, "'\n");
    gy_text_free(&argument);
}

static const char *zsh_operand(const char *kind)
{
    static const char *const operands[][2] = {
        {"models", "'*:model:_gyre_models'"}, {"replay", "'1:model:_gyre_models' '2:trail:_files'"},
        {"files", "'*:file:_files'"},         {"folders", "'1:folder:_files -/'"},
        {"nothing", "'*:formula: '"},
    };
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        if (strcmp(operands[i][0], kind) == 0)
            return operands[i][1];
    return "";
}

static void zsh(gy_text *out)
{
    gy_text_add(out, "typeset -ga _gyre_kinds _gyre_commands\n_gyre_kinds=(");
    gy_front_end_suffixes(out);
    gy_text_add(out, ")\n_gyre_commands=(\n");
    for (size_t i = 1; i < gy_command_count; i++) {
        gy_text_add(out, "    '");
        add_command(i, out);
        gy_text_char(out, ':');
        zsh_quoted(gy_command_list[i].help, out);
        gy_text_add(out, "'\n");
    }
    gy_text_add(out, ")\n_gyre_options_of()\n{\n    case $1 in\n");
    for (size_t i = 0; i < gy_command_count; i++) {
        gy_text_add(out, "    ");
        add_command(i, out);
        gy_text_printf(out, ") operands=(%s)\n        options=(\n",
                       zsh_operand(operand_of(&gy_command_list[i])));
        for (int id = 0; id < GY_OPT_COUNT; id++)
            if (is_of(&gy_option_table[id], &gy_command_list[i]))
                zsh_option(&gy_option_table[id], out);
        gy_text_add(out, "        ) ;;\n");
    }
    gy_text_printf(out, "    esac\n}\n%s", gyre_completion_zsh);
}

// ---- fish -------------------------------------------------------------------------------

static void fish_option(const gy_option_info *info, gy_text *out)
{
    bool is_long = info->name[1] == '-';
    const char *kind = argument_of(info);
    gy_text_add(out, "complete -c gyre -n '__gyre_on");
    for (size_t i = 0; i < gy_command_count; i++) {
        if (!is_of(info, &gy_command_list[i]))
            continue;
        gy_text_char(out, ' ');
        add_command(i, out);
    }
    gy_text_printf(out, "' -%c %s", is_long ? 'l' : 's', info->name + (is_long ? 2 : 1));
    if (has_words(info)) {
        gy_text_printf(out, " -x -a '%s", info->kind == GY_KIND_CHOICES ? "(__fish_append , " : "");
        add_words(info, out);
        gy_text_add(out, info->kind == GY_KIND_CHOICES ? ")'" : "'");
    } else if (kind) {
        gy_text_add(out, strcmp(kind, "property") == 0      ? " -x -a '(__gyre_names)'"
                         : strcmp(kind, "expectation") == 0 ? " -x -a '(__gyre_expectations)'"
                         : strcmp(kind, "text") == 0        ? " -x"
                                                            : " -r -F");
    }
    gy_text_add(out, " -d '");
    add_escaped(info->help, "\\'", out);
    gy_text_add(out, "'\n");
}

// The commands whose operands are of this kind, but those that begin with a model too.
static void fish_commands(const char *variable, bool models, gy_text *out)
{
    gy_text_printf(out, "set -g %s", variable);
    for (size_t i = 0; i < gy_command_count; i++) {
        const char *kind = operand_of(&gy_command_list[i]);
        bool of_models = strcmp(kind, "models") == 0 || strcmp(kind, "replay") == 0;
        if (models ? of_models : !of_models || strcmp(kind, "replay") == 0) {
            gy_text_char(out, ' ');
            add_command(i, out);
        }
    }
    gy_text_char(out, '\n');
}

static void fish(gy_text *out)
{
    gy_text_add(out, "set -g __gyre_kinds ");
    gy_front_end_suffixes(out);
    gy_text_add(out, "\nset -g __gyre_commands");
    for (size_t i = 1; i < gy_command_count; i++) {
        gy_text_char(out, ' ');
        add_command(i, out);
    }
    gy_text_char(out, '\n');
    fish_commands("__gyre_of_models", true, out);
    fish_commands("__gyre_of_files", false, out);
    gy_text_add(out, gyre_completion_fish);
    for (size_t i = 1; i < gy_command_count; i++) {
        gy_text_add(out, "complete -c gyre -n __fish_use_subcommand -a ");
        add_command(i, out);
        gy_text_add(out, " -d '");
        add_escaped(gy_command_list[i].help, "\\'", out);
        gy_text_add(out, "'\n");
    }
    for (int id = 0; id < GY_OPT_COUNT; id++)
        if (is_shown(&gy_option_table[id]))
            fish_option(&gy_option_table[id], out);
}

void gy_completion(const char *shell, gy_text *out)
{
    static const struct {
        const char *shell;
        void (*print)(gy_text *out);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    gy_text_printf(out, "%s# Made by `gyre --print-completion %s`.\n",
                   strcmp(shell, "zsh") == 0 ? "#compdef gyre\n" : "", shell);
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shell, shells[i].shell) == 0)
            shells[i].print(out);
}
