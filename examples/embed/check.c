// Verifies a model within ten seconds and steps through the counterexample, if there is one.
//   ./check ../broken_mutex.pml
#include <gyre/verify.h>

#include <stdio.h>

static void walk(const gy_counterexample *found)
{
    printf("%s, after %llu steps\n", found->message, (unsigned long long)found->length);
    for (uint64_t i = 0; i < found->step_count; i++) {
        const gy_report_step *step = &found->steps[i];
        printf("%3llu  %s  line %u: %s", (unsigned long long)step->number, step->actor.process,
               step->actor.line, step->actor.text);
        for (uint32_t c = 0; c < step->change_count; c++)
            if (step->changes[c].kind == GY_CHANGE_VALUE)
                printf("  (%s is %s now)", step->changes[c].name, step->changes[c].after.text);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    gy_request *request = gy_request_new();
    gy_request_file(request, argv[1]);
    gy_request_set(request, "time", "10", NULL);
    gy_request_set(request, "no-c", NULL, NULL); // whatever the model contains

    gy_outcome *outcome = gy_verify(request);
    printf("%s: %s\n", outcome->model, gy_verdict_text(outcome->verdict));
    for (uint32_t i = 0; i < outcome->property_count; i++) {
        const gy_property_outcome *property = &outcome->properties[i];
        printf("%s %s\n", property->name, gy_verdict_text(property->verdict));
        if (property->counterexample_count > 0)
            walk(&property->counterexamples[0]);
    }
    for (uint32_t i = 0; i < outcome->diagnostic_count; i++)
        printf("%s: %s\n", outcome->diagnostics[i].severity, outcome->diagnostics[i].message);

    int status = (int)outcome->verdict;
    gy_outcome_free(outcome);
    gy_request_free(request);
    return status;
}
