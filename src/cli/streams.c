#include "cli/streams.h"

#include "base/visible.h"
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Both streams belong to the process, and so does what is known of them.
static struct {
    bool exact;                   // for programs
    bool closed;                  // nothing reads standard output any more
    bool in_line, errors_in_line; // what is printed next goes on with a line
} streams;

void gy_output_exact(void)
{
    streams.exact = true;
}

// Its log may obey what is printed into it.
static bool in_pipeline(void)
{
    static const char *const names[] = {"CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return true;
    }
    return false;
}

static void make_visible(gy_text *text, bool *in_line)
{
    bool begins = !*in_line;
    gy_make_visible(text, GY_VISIBLE_COLOURS | (in_pipeline() ? GY_VISIBLE_LOG : 0), &begins);
    *in_line = !begins;
}

// ---- standard output ----------------------------------------------------------------------

static bool put_bytes(gy_text *text)
{
    if (!streams.closed && text->n > 0) {
        size_t written = fwrite(text->at, 1, text->n, stdout);
        if (written < text->n || fflush(stdout) != 0) {
            streams.closed = true;
            if (errno != EPIPE) {
                fprintf(stderr, "gyre: error: cannot write to standard output: %s\n",
                        strerror(errno));
                _exit(GY_EXIT_WRONG);
            }
        }
    }
    gy_text_clear(text);
    return !streams.closed;
}

bool gy_put(gy_text *text)
{
    if (!streams.exact || isatty(STDOUT_FILENO) || in_pipeline())
        make_visible(text, &streams.in_line);
    return put_bytes(text);
}

bool gy_put_screen(gy_text *text)
{
    return put_bytes(text);
}

// ---- standard error -----------------------------------------------------------------------

void gy_say_text(const gy_text *text)
{
    gy_text shown = {0};
    gy_text_bytes(&shown, gy_text_str(text), text->n);
    make_visible(&shown, &streams.errors_in_line);
    fputs(gy_text_str(&shown), stderr);
    gy_text_free(&shown);
}

void gy_say(const char *format, ...)
{
    gy_text text = {0};
    va_list args;
    va_start(args, format);
    gy_text_vprintf(&text, format, args);
    va_end(args);
    gy_say_text(&text);
    gy_text_free(&text);
}

void gy_say_orders(const gy_text *text)
{
    fputs(gy_text_str(text), stderr);
}
