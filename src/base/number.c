#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gy_number_count(const char *text, uint64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *end == '\0' && errno == 0;
}

bool gy_number_size(const char *text, uint64_t *bytes)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1},          {"B", 1},          {"K", 1e3},          {"KB", 1e3},
                 {"M", 1e6},       {"MB", 1e6},       {"G", 1e9},          {"GB", 1e9},
                 {"T", 1e12},      {"TB", 1e12},      {"KI", 1024},        {"KIB", 1024},
                 {"MI", 1048576.}, {"MIB", 1048576.}, {"GI", 1073741824.}, {"GIB", 1073741824.}};
    char *end, unit[8];
    if (!isdigit((unsigned char)*text))
        return false;
    double value = strtod(text, &end);
    size_t n = strlen(end);
    if (n >= sizeof unit)
        return false;
    for (size_t i = 0; i <= n; i++)
        unit[i] = (char)toupper((unsigned char)end[i]);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].unit) != 0)
            continue;
        value *= units[i].factor;
        if (!(value < 9e18))
            return false;
        *bytes = (uint64_t)value;
        return true;
    }
    return false;
}

bool gy_number_seconds(const char *text, double *seconds)
{
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '.')
        return false;
    *seconds = strtod(text, &end);
    if (strcmp(end, "s") == 0)
        end++;
    return *end == '\0' && isfinite(*seconds) && *seconds > 0;
}
