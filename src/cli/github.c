#include "cli/github.h"

#include "cli/streams.h"
#include "report/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// GitHub takes a mebibyte from each step, and shows nothing of what is longer: then headings alone
// are added, as long as these fit.
enum { SUMMARY_MOST = 900 * 1024, HEADINGS_MOST = 1000 * 1024 };

// Standard output may be JSON.
static void annotate(const gy_outcome *outcome)
{
    gy_sink sink = {0};
    gy_render_github(outcome, NULL, &sink);
    gy_say_orders(&sink.text);
    gy_text_free(&sink.text);
}

// False: so much does not fit.
static bool append(const char *path, const gy_text *text, size_t most)
{
    struct stat info;
    size_t there = stat(path, &info) == 0 ? (size_t)info.st_size : 0;
    if (there + text->n > most)
        return false;
    FILE *file = fopen(path, "a");
    bool written = file && fwrite(gy_text_str(text), 1, text->n, file) == text->n;
    if (file)
        written = fclose(file) == 0 && written;
    if (!written)
        gy_say("gyre: warning: cannot write the summary of this step to %s\n", path);
    return true;
}

static void summarise(const gy_outcome *outcome, const char *variant)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    gy_render_options options = {.style = gy_style_make(false), .variant = variant};
    gy_sink sink = {0};
    if (!path || !*path)
        return;
    gy_render_summary(outcome, &options, &sink);
    if (!append(path, &sink.text, SUMMARY_MOST)) {
        gy_text_clear(&sink.text);
        options.quiet = true;
        gy_render_summary(outcome, &options, &sink);
        append(path, &sink.text, HEADINGS_MOST);
    }
    gy_text_free(&sink.text);
}

static bool is_job(void)
{
    const char *github = getenv("GITHUB_ACTIONS");
    return github && !strcmp(github, "true");
}

void gy_github_mark(const char *file, uint32_t line, const char *message)
{
    gy_diagnostic problem = {.severity = "error", .file = file, .line = line, .message = message};
    gy_outcome outcome = {.verdict = GY_BROKEN,
                          .model = file,
                          .diagnostics = &problem,
                          .diagnostic_count = 1,
                          .unexpected = "",
                          .least_coverage = -1};
    gy_github_tell(&outcome, NULL);
}

void gy_github_tell(const gy_outcome *outcome, const char *variant)
{
    if (!is_job())
        return;
    annotate(outcome);
    summarise(outcome, variant);
}
