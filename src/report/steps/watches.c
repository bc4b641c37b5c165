#include "report/steps/watches.h"

#include "base/diag.h"
#include "exec/view.h"
#include "load/load.h"

#include <stdlib.h>

bool gy_watches_add(gy_watches *watches, const char *expression, char **problem)
{
    gy_diags *diags;
    gy_atom atom = gy_load_atom(watches->model, watches->system, expression, &diags);
    gy_text text = {0};
    if (atom) {
        gy_text_add(&text, expression);
        gy_watch watch = {gy_text_take(&text), atom};
        gy_vec_push(&watches->list, watch);
        *problem = NULL;
    } else {
        gy_diags_print(diags, &text, false);
        *problem = gy_text_take(&text);
    }
    gy_text_free(&text);
    gy_diags_free(diags);
    return atom != 0;
}

void gy_watches_clear(gy_watches *watches)
{
    for (size_t i = 0; i < watches->list.n; i++)
        free(watches->list.at[i].text);
    watches->list.n = 0;
}

void gy_watches_free(gy_watches *watches)
{
    gy_watches_clear(watches);
    gy_vec_free(&watches->list);
}

bool gy_watch_value(const gy_watch *watch, const gy_path *path, const gy_path_state *moment,
                    int32_t *value)
{
    return gy_state_view_value(path->worker, moment->state, moment->words, -1, watch->atom, value);
}

void gy_watches_text(const gy_watches *watches, const gy_path *path, const gy_path_state *moment,
                     gy_text *out)
{
    for (size_t i = 0; i < watches->list.n; i++) {
        const gy_watch *watch = &watches->list.at[i];
        int32_t value;
        gy_text_printf(out, "%s%s = ", i ? ", " : "", watch->text);
        if (gy_watch_value(watch, path, moment, &value))
            gy_text_printf(out, "%d", value);
        else
            gy_text_char(out, '?');
    }
}
