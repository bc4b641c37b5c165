// m4 reads the macros that templates rely on, then the template, from one file. Commands of m4 that
// reach outside (running programs, writing files) are taken away: reading a model must do nothing
// else.
#include "lang/dve/dve_template.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// default(NAME, VALUE) defines NAME unless -D has; forloop(I, FROM, TO, TEXT) repeats a text for
// all numbers, myloop(I, FROM, TO, TEXT, SEPARATOR) puts something in between; `bool` is a byte.
// One line, for the sake of line numbers.
static const char macros[] =
    "changecom(`//')undefine(`syscmd', `esyscmd', `maketemp', `mkstemp', `debugfile', `builtin', "
    "`indir')"
    "define(`bool', `byte')"
    "define(`default', `ifdef(`$1', `', `define(`$1', `$2')')')"
    "define(`gyre_loop', `$4`'ifelse(eval($1 >= $3), 1, `', `$5`'define(`$1', incr($1))gyre_loop("
    "`$1', `$2', `$3', `$4', `$5')')')"
    "define(`myloop', `ifelse(eval(($2) > ($3)), 1, `', `pushdef(`$1', eval($2))gyre_loop(`$1', "
    "`$2', eval($3), `$4', `$5')popdef(`$1')')')"
    "define(`forloop', `myloop(`$1', `$2', `$3', `$4', `')')dnl\n";
enum { MACRO_LINES = 1 };

// ---- running m4 -----------------------------------------------------------------------------

static bool report(gy_diags *diags, const char *what, int error)
{
    gy_diag *diag = gy_error(diags, 0, "a template (.mdve) is expanded by m4, but %s: %s", what,
                             strerror(error));
    if (error == ENOENT)
        gy_hint(diag, "install m4 (Debian: apt-get install m4)");
    return false;
}

static FILE *input_file(const char *text, size_t bytes)
{
    FILE *file = tmpfile();
    if (!file)
        return NULL;
    bool written = fwrite(macros, 1, sizeof macros - 1, file) == sizeof macros - 1 &&
                   fwrite(text, 1, bytes, file) == bytes && fflush(file) == 0;
    if (written && lseek(fileno(file), 0, SEEK_SET) == 0)
        return file;
    fclose(file);
    return NULL;
}

static int start(FILE *input, FILE *complaints, int output, const char *const *defines, pid_t *pid)
{
    GY_VEC(char *) arguments = {0};
    gy_vec_push(&arguments, (char *)"m4");
    gy_vec_push(&arguments, (char *)"-s");
    for (; defines && *defines; defines++) {
        gy_vec_push(&arguments, (char *)"-D");
        gy_vec_push(&arguments, (char *)*defines);
    }
    gy_vec_push(&arguments, (char *)"-");
    gy_vec_push(&arguments, NULL);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(input), 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints), 2);
    int error = posix_spawnp(pid, "m4", &actions, NULL, arguments.at, environ);
    posix_spawn_file_actions_destroy(&actions);
    gy_vec_free(&arguments);
    return error;
}

// False: more than anybody writes; m4 may go on for ever.
static bool read_all(int from, gy_text *out)
{
    enum { MOST = 256 << 20 };
    char buffer[1 << 16];
    ssize_t n;
    while ((n = read(from, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR)) {
        if (n > 0)
            gy_text_bytes(out, buffer, (size_t)n);
        if (out->n > MOST)
            return false;
    }
    return true;
}

// The first line that m4 complained with, or what became of it.
static void report_failure(gy_diags *diags, FILE *complaints, int status)
{
    char line[300] = "";
    rewind(complaints);
    if (!fgets(line, sizeof line, complaints))
        snprintf(line, sizeof line, "exit status %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    line[strcspn(line, "\n")] = 0;
    gy_error(diags, 0, "m4 can't expand this template: %s", line);
}

bool dve_expand(const char *text, size_t bytes, const char *const *defines, gy_text *out,
                gy_diags *diags)
{
    FILE *input = input_file(text, bytes), *complaints = tmpfile();
    int ends[2] = {-1, -1}, error = 0, status = 0;
    pid_t pid = 0;
    if (!input || !complaints || pipe2(ends, O_CLOEXEC) != 0)
        error = errno;
    else
        error = start(input, complaints, ends[1], defines, &pid);
    if (ends[1] >= 0)
        close(ends[1]);
    if (error) {
        report(diags, "it can't be run", error);
    } else {
        bool whole = read_all(ends[0], out);
        if (!whole)
            kill(pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        if (!whole)
            gy_error(diags, 0, "this template expands to too much text");
        else if (status != 0)
            report_failure(diags, complaints, status);
    }
    if (ends[0] >= 0)
        close(ends[0]);
    if (input)
        fclose(input);
    if (complaints)
        fclose(complaints);
    return gy_diags_errors(diags) == 0;
}

// ---- places ---------------------------------------------------------------------------------

// m4 writes `#line N "stdin"` (the name only at first) in front of text that comes from line N.
static bool line_mark(const char *line, unsigned *number)
{
    return sscanf(line, "#line %u", number) == 1;
}

uint32_t dve_add_expanded(gy_sources *sources, const char *name, const gy_text *expanded)
{
    gy_text plain = {0};
    GY_VEC(struct mark {
        size_t offset;
        unsigned line;
    })
    marks = {0};
    const char *at = gy_text_str(expanded), *end = at + expanded->n;
    while (at < end) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        unsigned number;
        if (line_mark(at, &number)) {
            struct mark mark = {plain.n, number > MACRO_LINES ? number - MACRO_LINES : 1};
            gy_vec_push(&marks, mark);
        } else {
            gy_text_bytes(&plain, at, (size_t)(next - at));
        }
        at = next;
    }
    uint32_t file = gy_sources_add(sources, name, gy_text_str(&plain), plain.n, 0);
    for (size_t i = 0; i < marks.n; i++)
        gy_source_mark_line(sources, file, marks.at[i].offset, marks.at[i].line, name);
    gy_text_free(&plain);
    gy_vec_free(&marks);
    return file;
}
