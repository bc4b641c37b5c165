#include "report/partial_order.h"

void gy_partial_order_text(const gy_search_result *result, gy_text *out)
{
    if (!result->reduced) {
        gy_text_add(out, "no reductions");
        return;
    }
    gy_text_add(out, "reductions: partial order (");
    gy_text_count(out, result->expanded_reduced);
    gy_text_add(out, " of ");
    gy_text_count(out, result->expanded_reduced + result->expanded_fully);
    gy_text_printf(out, " states reduced%s)", result->reduction_checked ? ", checked" : "");
}

void gy_partial_order_json(const gy_search_result *result, json_t *stats)
{
    json_t *names = json_array(), *reduced = json_object();
    if (result->reduced) {
        json_t *figures = json_object();
        json_object_set_new(figures, "states_reduced",
                            json_integer((json_int_t)result->expanded_reduced));
        json_object_set_new(figures, "states_full",
                            json_integer((json_int_t)result->expanded_fully));
        json_object_set_new(figures, "checked", json_boolean(result->reduction_checked));
        json_array_append_new(names, json_string("partial-order"));
        json_object_set_new(reduced, "partial-order", figures);
    }
    json_object_set_new(stats, "reductions", names);
    json_object_set_new(stats, "reduced", reduced);
}
