// Statistics of trials.
#include "search/hunt/trials.h"

#include <math.h>

const char *gy_metric_name(gy_metric metric)
{
    static const char *const names[] = {"states", "seconds", "memory", "length"};
    return names[metric];
}

double gy_metric_of(const gy_trial *trial, gy_metric metric)
{
    switch (metric) {
    case GY_METRIC_MOVES:
        return (double)trial->moves;
    case GY_METRIC_SECONDS:
        return trial->seconds;
    case GY_METRIC_MEMORY:
        return (double)trial->memory;
    default:
        return (double)trial->length;
    }
}

// From tables up to 30; above, the expansion of Cornish and Fisher, which is exact to four digits.
double gy_student_t(uint64_t freedom)
{
    static const double known[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                   2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
                                   2.120, 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
                                   2.064, 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    static const double z = 1.959964;
    double n = (double)freedom;
    if (freedom < sizeof known / sizeof *known)
        return known[freedom];
    return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
}

gy_summary gy_summarise(const double *values, uint64_t n)
{
    gy_summary s = {.n = n};
    double squares = 0;
    for (uint64_t i = 0; i < n; i++) {
        s.least = i == 0 || values[i] < s.least ? values[i] : s.least;
        s.most = i == 0 || values[i] > s.most ? values[i] : s.most;
        s.mean += values[i] / (double)n;
    }
    for (uint64_t i = 0; i < n; i++)
        squares += (values[i] - s.mean) * (values[i] - s.mean);
    if (n > 1)
        s.half = gy_student_t(n - 1) * sqrt(squares / (double)(n - 1) / (double)n);
    return s;
}

double gy_normalise(double value, double least, double most)
{
    return most > least ? (most - value) / (most - least) : 1;
}

uint64_t gy_trials_found(const gy_trials *trials, const gy_trial_method *method)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < trials->trial_count; i++)
        found += method->trials[i].found;
    return found;
}

double gy_trials_density(const gy_trials *trials, const gy_trial_method *method)
{
    uint64_t n = trials->trial_count;
    return n ? (double)gy_trials_found(trials, method) / (double)n : 0;
}

gy_summary gy_trials_summary(const gy_trials *trials, const gy_trial_method *method,
                             gy_metric metric)
{
    double *values = gy_alloc_zero((trials->trial_count + 1) * sizeof *values);
    uint64_t n = 0;
    for (uint64_t i = 0; i < trials->trial_count; i++)
        if (method->trials[i].found)
            values[n++] = gy_metric_of(&method->trials[i], metric);
    gy_summary summary = gy_summarise(values, n);
    free(values);
    return summary;
}

double gy_trials_normalised(const gy_trials *trials, const gy_trial_method *method,
                            gy_metric metric)
{
    gy_summary own = gy_trials_summary(trials, method, metric), all = own;
    if (own.n == 0)
        return 0;
    for (uint32_t i = 0; i < trials->method_count; i++) {
        gy_summary other = gy_trials_summary(trials, &trials->methods[i], metric);
        if (other.n == 0)
            continue;
        all.least = other.least < all.least ? other.least : all.least;
        all.most = other.most > all.most ? other.most : all.most;
    }
    return gy_normalise(own.mean, all.least, all.most);
}
