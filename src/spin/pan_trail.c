// The trails of errors, under the names that pan gives them. The claim that Gyre verifies a formula
// with is not the one that Spin would make: its transitions are left out, and `spin -t` replays the
// rest.
#include "spin/pan_run.h"

#include "base/new_file.h"
#include "cli/command.h"
#include "verify/trail/trail.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct trail {
    gy_text text;
    unsigned long long lines, before_cycle;
    bool has_cycle;
} trail;

// One line; `without_claim` leaves out what the claim does.
static void take_line(trail *t, const char *line, bool *claim, bool without_claim)
{
    long long depth, process, transition;
    const char *mark = *line == '!' ? "!" : "";
    if (sscanf(line + strlen(mark), "%lld:%lld:%lld", &depth, &process, &transition) != 3)
        return;
    if (depth == -2) {
        *claim = true;
        if (without_claim)
            return;
    }
    if (depth == -1) {
        t->has_cycle = true;
        t->before_cycle = t->lines;
    }
    if (depth < 0) {
        gy_text_printf(&t->text, "%lld:%lld:%lld\n", depth, process, transition);
        return;
    }
    if (*claim && without_claim) {
        if (process == 0)
            return;
        process--;
    }
    t->lines++;
    gy_text_printf(&t->text, "%s%llu:%lld:%lld\n", mark, t->lines, process, transition);
}

static bool read_trail(trail *t, const char *path, bool without_claim)
{
    size_t bytes;
    char *text = gy_read_file(path, GY_IMPLIED, &bytes), *save = NULL;
    bool claim = false;
    if (!text)
        return false;
    char *copy = memcpy(gy_alloc(bytes + 1), text, bytes);
    copy[bytes] = '\0';
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        take_line(t, line, &claim, without_claim);
    free(copy);
    free(text);
    return true;
}

static bool write_trail(const gy_pan *pan, const char *name, const gy_text *text)
{
    bool good = gy_new_file_put(name, GY_IMPLIED, gy_text_str(text), text->n);
    if (good && pan->read_only)
        good = chmod(name, 0444) == 0;
    if (!good)
        printf("pan: cannot write %s: %s\n", name, strerror(errno));
    return good;
}

// The file for error number `number` from 1; NULL: pan writes none for it.
static char *trail_name(const gy_pan *pan, size_t number)
{
    gy_text name = {0};
    const char *slash = strrchr(pan->model, '/');
    if (!pan->every_trail && number != pan->stop_at)
        return NULL;
    gy_text_add(&name, slash ? slash + 1 : pan->model);
    if (pan->every_trail)
        gy_text_printf(&name, "%zu", number);
    gy_text_printf(&name, ".%s", pan->suffix ? pan->suffix : "trail");
    if (pan->keep_trail && access(gy_text_str(&name), F_OK) == 0) {
        printf("pan: trail file %s exists: not overwritten (-x)\n", gy_text_str(&name));
        gy_text_free(&name);
        return NULL;
    }
    return gy_text_take(&name);
}

static bool finish_error(gy_pan_run *run, size_t i)
{
    gy_pan_error *error = &run->errors.at[i];
    const gy_counterexample *found = error->counterexample;
    trail t = {0};
    bool good = true;
    error->depth =
        found->cycle_start >= 0 ? (long long)found->cycle_start : (long long)found->length - 1;
    if (found->trail && read_trail(&t, found->trail, run->claim_is_ltl)) {
        error->depth = (long long)(t.has_cycle ? t.before_cycle : t.lines) - !t.has_cycle;
        error->trail = trail_name(run->pan, i + 1);
        good = !error->trail || write_trail(run->pan, error->trail, &t.text);
        if (!good) {
            free(error->trail);
            error->trail = NULL;
        }
    }
    gy_text_free(&t.text);
    return good;
}

// False: the driver could not write its own.
static bool are_complete(const gy_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->note_count; i++)
        if (outcome->notes[i].code && !strcmp(outcome->notes[i].code, GY_TRAIL_NOT_WRITTEN)) {
            printf("pan: %s\n", outcome->notes[i].message);
            return false;
        }
    return true;
}

bool gy_pan_write_trails(gy_pan_run *run)
{
    bool good = are_complete(run->outcome);
    for (size_t i = 0; i < run->errors.n; i++)
        good = finish_error(run, i) && good;
    // What the driver wrote goes, also for properties that pan would not have examined.
    for (uint32_t p = 0; p < run->outcome->property_count; p++)
        for (uint32_t c = 0; c < run->outcome->properties[p].counterexample_count; c++) {
            const gy_counterexample *found = &run->outcome->properties[p].counterexamples[c];
            if (found->trail)
                remove(found->trail);
            if (found->claim)
                remove(found->claim);
        }
    return good;
}
