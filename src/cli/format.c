// gyre format PATH...: Promela, formatted.
//
// Files are written in place, if that changes anything; `-` is standard input and goes to standard
// output, as everything does with --stdout. With --check nothing is written: what would change is
// listed, and the status is 1. A directory stands for all files below it that are Promela by name.
#include "serve/format/format.h"
#include "base/file.h"
#include "base/new_file.h"
#include "cli/command.h"
#include "load/front_ends.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct formatting {
    const gy_arguments *arguments;
    gy_format_style style;
    GY_VEC(const char *) include_dirs;
    bool check, print, quiet;
    unsigned files, changed;
    bool wrong; // something could not be read, formatted or written
} formatting;

// ---- what is done with the new text ---------------------------------------------------------

// After so many lines.
static const char *skip_lines(const char *at, const char *end, size_t count)
{
    while (count-- > 0) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        at = eol ? eol + 1 : end;
    }
    return at;
}

static void add_lines(gy_text *out, const char *sign, const char *at, size_t bytes)
{
    for (const char *end = at + bytes; at < end;) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        const char *stop = eol ? eol : end;
        gy_text_printf(out, "%s%.*s\n", sign, (int)(stop - at), at);
        at = eol ? eol + 1 : end;
    }
}

// The lines that would change, as `diff` prints them.
static void tell_difference(const formatting *f, const char *name, const gy_format_input *input,
                            const gy_text *text)
{
    gy_format_edit *edits;
    gy_text out = {0};
    size_t count = gy_format_edits(input->text, input->bytes, text, 0, SIZE_MAX, &edits);
    const char *at = input->text, *end = at + input->bytes;
    size_t line = 0;
    if (f->quiet)
        count = 0;
    gy_text_printf(&out, "%s is not formatted%s\n", name, count > 0 ? ":" : "");
    for (size_t i = 0; i < count; i++) {
        gy_text_printf(&out, "@@ line %zu @@\n", edits[i].first_line + 1);
        const char *start = skip_lines(at, end, edits[i].first_line - line);
        line = edits[i].end_line;
        at = skip_lines(start, end, line - edits[i].first_line);
        add_lines(&out, "-", start, (size_t)(at - start));
        add_lines(&out, "+", text->at + edits[i].at, edits[i].bytes);
    }
    gy_put(&out);
    gy_text_free(&out);
    free(edits);
}

static void use(formatting *f, const char *path, const gy_format_input *input, gy_text *text)
{
    bool same = text->n == input->bytes && memcmp(gy_text_str(text), input->text, text->n) == 0;
    f->changed += !same;
    if (f->check) {
        if (!same)
            tell_difference(f, input->name, input, text);
    } else if (f->print || !path) {
        gy_put(text);
    } else if (!same) {
        if (!gy_new_file_put(path, GY_SOURCE, gy_text_str(text), text->n)) {
            gy_complain(f->arguments, "cannot write %s: %s", path, strerror(errno));
            f->wrong = true;
        } else if (!f->quiet) {
            gy_text line = {0};
            gy_text_printf(&line, "%s\n", path);
            gy_put(&line);
            gy_text_free(&line);
        }
    }
}

// ---- files ----------------------------------------------------------------------------------

// `path` is NULL for standard input.
static void format_text(formatting *f, const char *path, const char *text, size_t bytes)
{
    gy_format_input input = {.name = path ? path : GY_STDIN,
                             .text = text,
                             .bytes = bytes,
                             .style = f->style,
                             .include_dirs = f->include_dirs.at};
    gy_sources *sources = gy_sources_new();
    gy_diags *diags = gy_diags_new(sources);
    gy_text out = {0}, errors = {0};
    f->files++;
    if (gy_format(sources, diags, &input, &out)) {
        use(f, path, &input, &out);
    } else {
        f->wrong = true;
        fflush(stdout);
        gy_diags_print_by("gyre", diags, &errors, gy_command_style(f->arguments).off[0] != 0);
        gy_say_text(&errors);
    }
    gy_text_free(&errors);
    gy_text_free(&out);
    gy_diags_free(diags);
    gy_sources_free(sources);
}

static bool formats(const gy_front_end *language)
{
    return language->formats;
}

static void refuse_language(formatting *f, const char *path, const gy_front_end *language)
{
    gy_text names = {0};
    gy_front_ends_that(formats, &names);
    gy_complain(f->arguments, "%s is in %s; only %s can be formatted", path, language->title,
                gy_text_str(&names));
    gy_text_free(&names);
    f->wrong = true;
}

static void format_file(formatting *f, const char *path)
{
    gy_file_rules rules = {.most_bytes = 128u << 20};
    gy_file file;
    const gy_front_end *language = gy_front_end_for(path, NULL, 0);
    if (!language->formats) {
        refuse_language(f, path, language);
    } else if (!gy_file_read(path, &rules, &file)) {
        gy_complain(f->arguments, "cannot read %s: %s", path, file.problem);
        f->wrong = true;
    } else {
        format_text(f, path, file.text, file.bytes);
        gy_file_free(&file);
    }
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_formatted(const char *path)
{
    const gy_front_end *language = gy_front_end_claiming(path, NULL, 0);
    return language && language->formats;
}

static void format_path(formatting *f, const char *path)
{
    char *roots[] = {(char *)path, NULL};
    // Links in a directory are left alone: they lead to what is elsewhere, or here a second time.
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    if (!tree) {
        gy_complain(f->arguments, "cannot read `%s`: %s", path, strerror(errno));
        f->wrong = true;
        return;
    }
    for (FTSENT *at; (at = fts_read(tree));) {
        if (at->fts_info == FTS_NS || at->fts_info == FTS_DNR || at->fts_info == FTS_ERR) {
            gy_complain(f->arguments, "cannot read %s: %s", at->fts_path, strerror(at->fts_errno));
            f->wrong = true;
        } else if (at->fts_level == 0 ? at->fts_info != FTS_D && at->fts_info != FTS_DP
                                      : at->fts_info == FTS_F && is_formatted(at->fts_path)) {
            format_file(f, at->fts_path);
        }
    }
    fts_close(tree);
}

int gy_command_format(const gy_arguments *arguments)
{
    static const unsigned widths[] = {0, 2, 3, 4, 8}; // the words of --indent; the first is tab
    const gy_option_value *indent = &arguments->value[GY_OPT_INDENT];
    formatting f = {.arguments = arguments,
                    .check = gy_given(arguments, GY_OPT_FORMATTED),
                    .print = gy_given(arguments, GY_OPT_STDOUT),
                    .quiet = gy_given(arguments, GY_OPT_QUIET)};
    if (f.check && f.print)
        return gy_complain(arguments, "--check and --stdout cannot be combined");
    if (indent->set)
        f.style = (gy_format_style){widths[indent->number], indent->number == 0};
    for (size_t i = 0; i < arguments->given.n; i++)
        if (arguments->given.at[i].id == GY_OPT_INCLUDE)
            gy_vec_push(&f.include_dirs, arguments->given.at[i].text);
    gy_vec_push(&f.include_dirs, (const char *)NULL);
    for (size_t i = 0; i < arguments->paths.n; i++)
        if (strcmp(arguments->paths.at[i], GY_STDIN) == 0)
            format_text(&f, NULL, arguments->input, arguments->input_bytes);
        else
            format_path(&f, arguments->paths.at[i]);
    gy_vec_free(&f.include_dirs);
    if (f.wrong)
        return GY_EXIT_WRONG;
    return f.check && f.changed > 0 ? GY_EXIT_VIOLATED : GY_EXIT_HOLDS;
}
