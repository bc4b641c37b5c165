// gyre lsp: the language server.
#include "serve/lsp/lsp.h"

#include "cli/command.h"

#include <stdio.h>
#include <unistd.h>

int gy_command_lsp(const gy_arguments *arguments)
{
    if (isatty(STDIN_FILENO))
        fputs("gyre lsp talks to editors over standard input: see docs/lsp.md\n", stderr);
    GY_VEC(const char *) defines = {0};
    GY_VEC(const char *) include_dirs = {0};
    for (size_t i = 0; i < arguments->given.n; i++) {
        if (arguments->given.at[i].id == GY_OPT_DEFINE)
            gy_vec_push(&defines, arguments->given.at[i].text);
        if (arguments->given.at[i].id == GY_OPT_INCLUDE)
            gy_vec_push(&include_dirs, arguments->given.at[i].text);
    }
    gy_vec_push(&defines, (const char *)NULL);
    gy_vec_push(&include_dirs, (const char *)NULL);
    lsp_settings settings = {.defines = defines.at,
                             .include_dirs = include_dirs.at,
                             .allow_c = gy_given(arguments, GY_OPT_ALLOW_C)};
    int status = gy_lsp_serve(STDIN_FILENO, STDOUT_FILENO, &settings);
    gy_vec_free(&defines);
    gy_vec_free(&include_dirs);
    return status;
}
