#include "cli/hunt_report.h"

static const char *const titles[] = {"states generated", "time", "memory", "counterexample length"};

static void say(gy_metric metric, double value, gy_text *out)
{
    if (metric == GY_METRIC_SECONDS)
        gy_text_seconds(out, value);
    else if (metric == GY_METRIC_MEMORY)
        gy_text_size(out, (unsigned long long)(value + 0.5));
    else
        gy_text_count(out, (unsigned long long)(value + 0.5));
}

static void cell(gy_metric metric, double value, bool known, gy_text *out)
{
    gy_text text = {0};
    if (known)
        say(metric, value, &text);
    else
        gy_text_char(&text, '-');
    gy_text_printf(out, " %11s", gy_text_str(&text));
    gy_text_free(&text);
}

static void tell_metric(const gy_trials *trials, const gy_trial_method *method, gy_metric metric,
                        gy_text *out)
{
    gy_summary s = gy_trials_summary(trials, method, metric);
    gy_text_printf(out, "    %-21s", titles[metric]);
    cell(metric, s.least, s.n > 0, out);
    cell(metric, s.mean, s.n > 0, out);
    cell(metric, s.most, s.n > 0, out);
    cell(metric, s.half, s.n > 1, out);
    gy_text_printf(out, " %11.2f\n", gy_trials_normalised(trials, method, metric));
}

static void tell_method(const gy_trials *trials, const gy_trial_method *method,
                        const gy_style *style, gy_text *out)
{
    uint64_t found = gy_trials_found(trials, method), complete = 0, open = 0;
    for (uint64_t i = 0; i < trials->trial_count; i++) {
        complete += method->trials[i].complete;
        open += !method->trials[i].made;
    }
    gy_text_printf(out, "\n  %s%s%s: ", style->strong, method->name, style->off);
    if (found)
        gy_text_printf(out, "error found in %llu/%llu trials, path error density %.2f",
                       (unsigned long long)found, (unsigned long long)trials->trial_count,
                       gy_trials_density(trials, method));
    else if (complete)
        gy_text_add(out, "no error; state space complete");
    else
        gy_text_add(out,
                    "no error found (search incomplete: not a proof), path error density 0.00");
    open += trials->wanted - trials->trial_count;
    if (open)
        gy_text_printf(out, "; %llu not finished", (unsigned long long)open);
    gy_text_printf(out, "\n    %-21s %11s %11s %11s %12s %11s\n", "", "least", "mean", "most",
                   "± 95 %", "normalised");
    for (gy_metric metric = 0; metric < GY_METRICS; metric++)
        tell_metric(trials, method, metric, out);
}

void gy_trials_text(const gy_trials *trials, const gy_style *style, gy_text *out)
{
    const gy_trial *best = trials->best;
    const char *name = trials->best_method;
    gy_text_count(out, trials->wanted);
    gy_text_printf(out, " trial%s of each strategy, seed %llu, about ",
                   trials->wanted == 1 ? "" : "s", (unsigned long long)trials->seed);
    gy_text_count(out, trials->effort);
    gy_text_add(out, " states generated in each\n");
    for (uint32_t m = 0; m < trials->method_count; m++)
        tell_method(trials, &trials->methods[m], style, out);
    if (best) {
        gy_text_add(out, "\nThe shortest counterexample has ");
        gy_text_count(out, best->length);
        gy_text_printf(out,
                       " statements (%s; --trials 1 --seed %llu --compare %s repeats that trial)\n",
                       name, (unsigned long long)best->seed, name);
    }
}

static json_t *json_of_summary(const gy_trials *trials, const gy_trial_method *method,
                               gy_metric metric)
{
    gy_summary s = gy_trials_summary(trials, method, metric);
    json_t *object = json_object();
    json_object_set_new(object, "min", s.n ? json_real(s.least) : json_null());
    json_object_set_new(object, "mean", s.n ? json_real(s.mean) : json_null());
    json_object_set_new(object, "max", s.n ? json_real(s.most) : json_null());
    json_object_set_new(object, "ci95", s.n > 1 ? json_real(s.half) : json_null());
    json_object_set_new(object, "normalised",
                        json_real(gy_trials_normalised(trials, method, metric)));
    return object;
}

static json_t *json_of_trial(const gy_trial *trial)
{
    return json_pack("{s:I, s:b, s:b, s:b, s:I, s:I, s:I, s:I, s:f}", "seed",
                     (json_int_t)trial->seed, "finished", trial->made, "found", trial->found,
                     "complete", trial->complete, "states", (json_int_t)trial->moves, "stored",
                     (json_int_t)trial->states, "memory", (json_int_t)trial->memory, "length",
                     (json_int_t)trial->length, "seconds", trial->seconds);
}

json_t *gy_trials_json(const gy_trials *trials)
{
    json_t *methods = json_array();
    for (uint32_t m = 0; m < trials->method_count; m++) {
        const gy_trial_method *method = &trials->methods[m];
        uint64_t found = gy_trials_found(trials, method);
        json_t *list = json_array();
        json_t *object = json_pack("{s:s, s:I, s:f}", "strategy", method->name, "errors",
                                   (json_int_t)found, "density", gy_trials_density(trials, method));
        for (gy_metric metric = 0; metric < GY_METRICS; metric++)
            json_object_set_new(object, gy_metric_name(metric),
                                json_of_summary(trials, method, metric));
        for (uint64_t i = 0; i < trials->trial_count; i++)
            json_array_append_new(list, json_of_trial(&method->trials[i]));
        json_object_set_new(object, "trials", list);
        json_array_append_new(methods, object);
    }
    return methods;
}

void gy_trials_csv(const gy_trials *trials, gy_text *out)
{
    gy_text_add(out, "strategy,trial,seed,finished,found,complete,states,stored,memory,length,"
                     "seconds\n");
    for (uint32_t m = 0; m < trials->method_count; m++)
        for (uint64_t i = 0; i < trials->trial_count; i++) {
            const gy_trial *t = &trials->methods[m].trials[i];
            gy_text_printf(
                out, "%s,%llu,%llu,%d,%d,%d,%llu,%llu,%llu,%llu,%.6f\n", trials->methods[m].name,
                (unsigned long long)i + 1, (unsigned long long)t->seed, t->made, t->found,
                t->complete, (unsigned long long)t->moves, (unsigned long long)t->states,
                (unsigned long long)t->memory, (unsigned long long)t->length, t->seconds);
        }
}
