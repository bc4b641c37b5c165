#include "report/outcome/problems.h"

#include <string.h>

typedef struct visiting {
    const gy_outcome *outcome;
    void (*visit)(void *user, const gy_problem *problem);
    void *user;
} visiting;

static void visit_counterexample(const visiting *v, const gy_property_outcome *property,
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
    };
    v->visit(v->user, &problem);
}

static void visit_property(const visiting *v, const gy_property_outcome *property)
{
    const char *expected = property->expected, *verdict = gy_verdict_text(property->verdict);
    gy_problem problem = {.severity = "error", .title = property->name, .file = v->outcome->model};
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
    v->visit(v->user, &problem);
}

static void visit_coverage(const visiting *v)
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
        v->visit(v->user, &problem);
    }
}

void gy_each_problem(const gy_outcome *outcome,
                     void (*visit)(void *user, const gy_problem *problem), void *user)
{
    visiting v = {outcome, visit, user};
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++) {
        const gy_diagnostic *d = &outcome->diagnostics[i];
        gy_problem problem = {
            .severity = d->severity,
            .code = d->code ? d->code : "model",
            .title = "model",
            .message = d->message,
            .file = d->file ? d->file : outcome->model,
            .line = d->file ? d->line : 0,
            .column = d->file ? d->column : 0,
        };
        if (strcmp(d->severity, "note") != 0) // they belong to what comes before
            visit(user, &problem);
    }
    for (uint32_t i = 0; i < outcome->property_count; i++)
        visit_property(&v, &outcome->properties[i]);
    if (outcome->least_coverage >= 0 && !outcome->covered)
        visit_coverage(&v);
}
