#include "cli/completion.h"

#include "cli/manual.h"
#include "cli/options.h"

#include <string.h>

// ---- what all shells need ---------------------------------------------------------------

static bool is_shown(const gy_option_info *info)
{
    return info->group != GY_GROUP_HIDDEN;
}

static bool has_words(const gy_option_info *info)
{
    return info->kind == GY_KIND_CHOICE || info->kind == GY_KIND_CHOICES;
}

// The words of a choice, with blanks between them.
static void add_words(const gy_option_info *info, gy_text *out)
{
    gy_text words = {0};
    gy_option_argument(info, &words);
    for (const char *at = gy_text_str(&words); *at; at++)
        gy_text_char(out, *at == '|' ? ' ' : *at);
    gy_text_free(&words);
}

static void add_command(const gy_command_about *about, gy_text *out)
{
    const char *name = about->synopsis + strlen("gyre ");
    gy_text_printf(out, "%.*s", (int)strcspn(name, " "), name);
}

// All but the first, which has no name.
static void add_commands(gy_text *out)
{
    for (size_t i = 1; i < gy_command_count; i++) {
        gy_text_add(out, i > 1 ? " " : "");
        add_command(&gy_command_list[i], out);
    }
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

static void add_origin(const char *shell, gy_text *out)
{
    gy_text_printf(
        out, "# Made by `gyre --print-completion %s` from src/cli/options.def: do not edit.\n",
        shell);
}

// ---- bash -------------------------------------------------------------------------------

static void names_for(unsigned command, gy_text *out)
{
    for (int id = 0; id < GY_OPT_COUNT; id++)
        if (is_shown(&gy_option_table[id]) && (gy_option_table[id].commands & command))
            gy_text_printf(out, " %s", gy_option_table[id].name);
}

static void bash(gy_text *out)
{
    add_origin("bash", out);
    gy_text_add(out, "_gyre()\n{\n"
                     "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "    case $before in\n");
    for (int id = 0; id < GY_OPT_COUNT; id++) {
        const gy_option_info *info = &gy_option_table[id];
        if (!has_words(info) || !is_shown(info))
            continue;
        gy_text_printf(out, "    %s) COMPREPLY=($(compgen -W \"", info->name);
        add_words(info, out);
        gy_text_add(out, "\" -- \"$word\")); return ;;\n");
    }
    gy_text_add(out, "    esac\n    local options=\"");
    names_for(GY_ON_VERIFY, out);
    gy_text_add(out, "\"\n    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 1; i < gy_command_count; i++) {
        gy_text_add(out, "    ");
        add_command(&gy_command_list[i], out);
        gy_text_add(out, ") options=\"");
        names_for(gy_command_list[i].command, out);
        gy_text_add(out, "\" ;;\n");
    }
    gy_text_add(out, "    esac\n    if [[ $word == -* ]]; then\n"
                     "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                     "    else\n        COMPREPLY=($(compgen -f -- \"$word\"))\n"
                     "        [[ $COMP_CWORD == 1 ]] && COMPREPLY+=($(compgen -W \"");
    add_commands(out);
    gy_text_add(out, "\" -- \"$word\"))\n    fi\n}\ncomplete -o filenames -F _gyre gyre\n");
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
        if (has_words(info)) {
            gy_text_add(out, info->kind == GY_KIND_CHOICES ? "_values -s , which " : "(");
            add_words(info, out);
            gy_text_add(out, info->kind == GY_KIND_CHOICES ? "" : ")");
        } else {
            bool is_folder = strcmp(gy_text_str(&argument), "DIR") == 0;
            gy_text_add(out, info->kind == GY_KIND_FILE ? "_files" : is_folder ? "_files -/" : " ");
        }
    }
    gy_text_add(out, "'\n");
    gy_text_free(&argument);
}

static void zsh(gy_text *out)
{
    gy_text_add(out, "#compdef gyre\n");
    add_origin("zsh", out);
    gy_text_add(out, "_gyre()\n{\n    local -a commands options\n    commands=(\n");
    for (size_t i = 1; i < gy_command_count; i++) {
        gy_text_add(out, "        '");
        add_command(&gy_command_list[i], out);
        gy_text_char(out, ':');
        zsh_quoted(gy_command_list[i].help, out);
        gy_text_add(out, "'\n");
    }
    gy_text_add(out, "    )\n    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
                     "        _describe command commands\n        _files\n        return\n    fi\n"
                     "    case $words[2] in\n");
    for (size_t i = gy_command_count; i-- > 0;) { // the one without a name is the last
        gy_text_add(out, "    ");
        if (i == 0)
            gy_text_char(out, '*');
        else
            add_command(&gy_command_list[i], out);
        gy_text_add(out, ") options=(\n");
        for (int id = 0; id < GY_OPT_COUNT; id++)
            if (is_shown(&gy_option_table[id]) &&
                (gy_option_table[id].commands & gy_command_list[i].command))
                zsh_option(&gy_option_table[id], out);
        gy_text_add(out, "        ) ;;\n");
    }
    gy_text_add(out, "    esac\n    _arguments $options '*:file:_files'\n}\n"
                     "# Loaded by name from $fpath, or sourced.\n"
                     "if [[ $funcstack[1] == _gyre ]]; then\n    _gyre \"$@\"\n"
                     "else\n    compdef _gyre gyre\nfi\n");
}

// ---- fish -------------------------------------------------------------------------------

static void fish_option(const gy_option_info *info, gy_text *out)
{
    bool is_long = info->name[1] == '-';
    gy_text_add(out, "complete -c gyre -n '__gyre_on");
    for (size_t i = 0; i < gy_command_count; i++) {
        if (!(info->commands & gy_command_list[i].command))
            continue;
        gy_text_char(out, ' ');
        if (i == 0)
            gy_text_add(out, "MODEL");
        else
            add_command(&gy_command_list[i], out);
    }
    gy_text_printf(out, "' -%c %s", is_long ? 'l' : 's', info->name + (is_long ? 2 : 1));
    if (has_words(info)) {
        gy_text_printf(out, " -x -a '%s", info->kind == GY_KIND_CHOICES ? "(__fish_append , " : "");
        add_words(info, out);
        gy_text_add(out, info->kind == GY_KIND_CHOICES ? ")'" : "'");
    } else if (info->kind == GY_KIND_FILE || strcmp(info->argument, "DIR") == 0) {
        gy_text_add(out, " -r -F");
    } else if (info->kind != GY_KIND_FLAG && info->kind != GY_KIND_MAYBE) {
        gy_text_add(out, " -x");
    }
    gy_text_add(out, " -d '");
    add_escaped(info->help, "\\'", out);
    gy_text_add(out, "'\n");
}

static void fish(gy_text *out)
{
    add_origin("fish", out);
    gy_text_add(out, "function __gyre_on\n    set -l words (commandline -opc)\n"
                     "    set -l command MODEL\n"
                     "    if set -q words[2]; and contains -- $words[2] ");
    add_commands(out);
    gy_text_add(out, "\n        set command $words[2]\n    end\n"
                     "    contains -- $command $argv\nend\n");
    for (size_t i = 1; i < gy_command_count; i++) {
        gy_text_add(out, "complete -c gyre -n __fish_use_subcommand -a ");
        add_command(&gy_command_list[i], out);
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
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shell, shells[i].shell) == 0)
            shells[i].print(out);
}
