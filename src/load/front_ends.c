#include "load/front_ends.h"

#include "lang/dve/dve_front_end.h"
#include "lang/promela/front_end.h"
#include "lang/riscal/rsc_front_end.h"

#include <string.h>

static const gy_front_end *const front_ends[] = {
    &pml_front_end, // the first one reads what no other claims
    &dve_front_end,
    &rsc_front_end,
};

enum { COUNT = sizeof front_ends / sizeof *front_ends };

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

const gy_front_end *gy_front_end_for(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        for (const char *const *s = front_ends[i]->suffixes; *s; s++)
            if (ends_with(name, *s))
                return front_ends[i];
    return front_ends[0];
}

const gy_front_end *gy_front_end_named(const char *language)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(front_ends[i]->language, language) == 0)
            return front_ends[i];
    return NULL;
}
