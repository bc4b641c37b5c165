#include "report/outcome/problems.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

typedef struct visiting {
    const gy_outcome *outcome;
    void (*visit)(void *user, const gy_problem *problem);
    void *user;
    GY_VEC(uint64_t) seen; // hashes of the problems so far
} visiting;

const char *gy_tidy_path(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2 + strspn(path + 2, "/");
    return path;
}

// ---- fingerprints ---------------------------------------------------------------------------

// The line of a source without the spaces around it; NULL: its text is not known.
static const char *line_of(const gy_outcome *outcome, const gy_problem *problem, size_t *bytes)
{
    const char *text = NULL;
    for (uint32_t i = 0; problem->line && i < outcome->source_count; i++)
        if (!strcmp(outcome->sources[i].name, problem->file))
            text = outcome->sources[i].text;
    for (uint32_t line = 1; text && line < problem->line; line++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text)
        return NULL;
    text += strspn(text, " \t");
    *bytes = strcspn(text, "\r\n");
    while (*bytes && strchr(" \t", text[*bytes - 1]))
        (*bytes)--;
    return text;
}

// Values are left out: they change with what is far away.
static uint64_t hash_of(const gy_outcome *outcome, const gy_problem *problem)
{
    gy_text text = {0};
    size_t bytes;
    const char *line = line_of(outcome, problem, &bytes);
    gy_text_printf(&text, "%s\n%s\n%s\n", gy_tidy_path(problem->file), problem->code,
                   problem->title);
    if (line)
        gy_text_bytes(&text, line, bytes);
    else if (!problem->walk)
        gy_text_add(&text, problem->message);
    uint64_t hash = gy_hash_bytes(gy_text_str(&text), text.n, 0);
    gy_text_free(&text);
    return hash;
}

static void tell(visiting *v, gy_problem *problem)
{
    char fingerprint[40];
    uint64_t hash = hash_of(v->outcome, problem);
    unsigned before = 0;
    for (size_t i = 0; i < v->seen.n; i++)
        before += v->seen.at[i] == hash;
    gy_vec_push(&v->seen, hash);
    snprintf(fingerprint, sizeof fingerprint, "%016llx:%u", (unsigned long long)hash, before + 1);
    problem->fingerprint = fingerprint;
    v->visit(v->user, problem);
}

// ---- problems -------------------------------------------------------------------------------

static void visit_counterexample(visiting *v, const gy_property_outcome *property,
                                 const gy_counterexample *walk)
{
    const gy_actor *last = walk->step_count ? &walk->steps[walk->step_count - 1].actor : NULL;
    if (walk->final.culprit)
        last = walk->final.culprit;
    gy_problem problem = {
        .severity = "error",
        .code = walk->kind,
        .title = property->name,
        .message = walk->title,
        .file = last && last->file ? last->file : v->outcome->model,
        .line = last ? last->line : 0,
        .column = last ? last->column : 0,
        .property = property,
        .walk = walk,
    };
    tell(v, &problem);
}

static void visit_property(visiting *v, const gy_property_outcome *property)
{
    const char *expected = property->expected, *verdict = gy_verdict_text(property->verdict);
    gy_problem problem = {.severity = "error",
                          .title = property->name,
                          .file = v->outcome->model,
                          .property = property};
    if ((expected && !strcmp(expected, verdict)) ||
        (v->outcome->expected && !*v->outcome->unexpected))
        return;
    for (uint32_t i = 0; i < property->counterexample_count; i++)
        visit_counterexample(v, property, &property->counterexamples[i]);
    if (property->counterexample_count)
        return;
    if (property->verdict == GY_HOLDS && !expected)
        return;
    problem.code = property->verdict == GY_HOLDS ? "unexpected" : verdict;
    problem.message = property->verdict == GY_HOLDS ? "holds, which was not expected"
                      : *property->problem          ? property->problem
                      : property->figures && *property->figures->limit_text
                          ? property->figures->limit_text
                          : "no verdict";
    if (property->verdict == GY_INCONCLUSIVE)
        problem.severity = "warning";
    tell(v, &problem);
}

// Some property should have been violated, and none is.
static void visit_whole(visiting *v)
{
    const gy_outcome *outcome = v->outcome;
    gy_problem problem = {.severity = "error",
                          .code = "unexpected",
                          .title = "model",
                          .message = "everything holds, which was not expected",
                          .file = outcome->model};
    if (outcome->expected && outcome->verdict == GY_HOLDS &&
        strcmp(outcome->expected, "holds") != 0)
        tell(v, &problem);
}

static void visit_coverage(visiting *v)
{
    for (uint32_t i = 0; i < v->outcome->unreached_count; i++) {
        const gy_unreached *statement = &v->outcome->unreached[i];
        gy_problem problem = {
            .severity = "warning",
            .code = "unreached",
            .title = "coverage",
            .message = "this statement is never executed",
            .file = statement->file,
            .line = statement->line,
            .column = statement->column,
        };
        tell(v, &problem);
    }
}

void gy_each_problem(const gy_outcome *outcome,
                     void (*visit)(void *user, const gy_problem *problem), void *user)
{
    visiting v = {.outcome = outcome, .visit = visit, .user = user};
    bool broken = outcome->expected && !strcmp(outcome->expected, "error");
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++) {
        const gy_diagnostic *d = &outcome->diagnostics[i];
        gy_problem problem = {
            .severity = d->severity,
            .code = d->code ? d->code : "model",
            .title = "model",
            .message = d->message,
            .hint = d->hint,
            .file = d->file ? d->file : outcome->model,
            .line = d->file ? d->line : 0,
            .column = d->file ? d->column : 0,
        };
        bool expected = broken && outcome->verdict == GY_BROKEN && !strcmp(d->severity, "error");
        if (strcmp(d->severity, "note") != 0 && !expected) // they belong to what comes before
            tell(&v, &problem);
    }
    for (uint32_t i = 0; i < outcome->property_count; i++)
        visit_property(&v, &outcome->properties[i]);
    visit_whole(&v);
    if (outcome->least_coverage >= 0 && !outcome->covered)
        visit_coverage(&v);
    gy_vec_free(&v.seen);
}
