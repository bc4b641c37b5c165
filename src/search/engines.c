#include "search/engines.h"

#include "base/text.h"

#include <string.h>

static const gy_engine engines[] = {
#define ENGINE(kind, function, ...) {.search = function, __VA_ARGS__},
#include "search/engines.def"
#undef ENGINE
};

enum { COUNT = sizeof engines / sizeof *engines };

const gy_engine *gy_engine_at(unsigned number)
{
    return number < COUNT ? &engines[number] : NULL;
}

const gy_engine *gy_engine_of(const gy_search_options *options)
{
    return options->engine ? options->engine : gy_engine_at(options->search);
}

char *gy_engine_titles(gy_engine_trait *has)
{
    gy_text text = {0};
    unsigned left = 0;
    for (unsigned i = 0; i < COUNT; i++)
        left += has(&engines[i]);
    for (unsigned i = 0; i < COUNT; i++) {
        if (!has(&engines[i]))
            continue;
        gy_text_add(&text, engines[i].title);
        left--;
        gy_text_add(&text, left == 0 ? "" : left == 1 ? " and " : ", ");
    }
    return gy_text_take(&text);
}
