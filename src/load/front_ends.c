#include "load/front_ends.h"

#include "lang/dve/dve_front_end.h"
#include "lang/if/if_front_end.h"
#include "lang/promela/front_end.h"
#include "lang/riscal/rsc_front_end.h"

#include "base/file.h"

#include <string.h>

static const gy_front_end *const front_ends[] = {
    &pml_front_end, // the first one reads what no other claims
    &dve_front_end,
    &rsc_front_end,
    &if_front_end,
};

enum { COUNT = sizeof front_ends / sizeof *front_ends };

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static bool has_suffix(const gy_front_end *front_end, const char *name)
{
    for (const char *const *s = front_end->suffixes; *s; s++)
        if (ends_with(name, *s))
            return true;
    return false;
}

// Pipes are not looked into: they can be read but once.
static bool claims(const gy_front_end *front_end, const char *name, const char *text, size_t bytes)
{
    if (!front_end->shared_suffix || !ends_with(name, front_end->shared_suffix))
        return false;
    if (text)
        return front_end->claims(text, bytes);
    gy_file_rules rules = {.regular_only = true};
    gy_file file;
    bool good = gy_file_read(name, &rules, &file) && front_end->claims(file.text, file.bytes);
    gy_file_free(&file);
    return good;
}

const gy_front_end *gy_front_end_claiming(const char *name, const char *text, size_t bytes)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (has_suffix(front_ends[i], name))
            return front_ends[i];
        if (claims(front_ends[i], name, text, bytes))
            return front_ends[i];
    }
    return NULL;
}

const gy_front_end *gy_front_end_for(const char *name, const char *text, size_t bytes)
{
    const gy_front_end *found = gy_front_end_claiming(name, text, bytes);
    return found ? found : front_ends[0];
}

const gy_front_end *gy_front_end_named(const char *language)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(front_ends[i]->language, language) == 0)
            return front_ends[i];
    return NULL;
}

bool gy_front_end_may_read(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        const char *shared = front_ends[i]->shared_suffix;
        if ((shared && ends_with(name, shared)) || has_suffix(front_ends[i], name))
            return true;
    }
    return false;
}

void gy_front_ends_that(bool (*can)(const gy_front_end *), gy_text *out)
{
    const char *between = "";
    for (size_t i = 0; i < COUNT; i++)
        if (can(front_ends[i])) {
            gy_text_printf(out, "%s%s", between, front_ends[i]->title);
            between = ", ";
        }
}

void gy_front_end_suffixes(gy_text *out)
{
    for (size_t i = 0; i < COUNT; i++)
        for (const char *const *s = front_ends[i]->suffixes; *s; s++)
            gy_text_printf(out, "%s%s", i > 0 || s > front_ends[i]->suffixes ? " " : "", *s + 1);
}
