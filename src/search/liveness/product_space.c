#include "search/liveness/product_space.h"

#include "search/liveness/product_maker.h"

// Nodes are kept together if there are few places, so that notes are not larger than what is saved.
static void keep_together(gy_product_maker *product, const gy_product_request *request,
                          gy_space_options *wanted)
{
    const gy_cycle_engine *engine = request->engine;
    const gy_observer *observer = product->observer;
    bool waits = engine->waits && observer->waits && !request->limit;
    product->together = false;
    wanted->waits = waits ? observer->initial : GY_NO_PLACE;
    if (request->apart || !engine->place_bits || !gy_product_can_be_together(product))
        return;
    uint32_t bits = engine->place_bits(wanted->threads, wanted->uniform);
    if (!gy_space_bytes_together(observer->states, bits, waits))
        return;
    product->together = true;
    wanted->places = observer->states;
    wanted->place_bits = bits;
}

static gy_space *new_space(gy_product_maker *product, const gy_product_request *request)
{
    const gy_cycle_engine *engine = request->engine;
    gy_run *run = product->run;
    const gy_search_options *options = run->options;
    const gy_observer *observer = product->observer;
    bool uniform = observer->weak || observer->sets == 0;
    gy_space_options wanted = {.maker = &product->maker,
                               .kind = gy_store_kind_at(options->store),
                               .budget = &run->budget,
                               .threads = request->threads,
                               .limit = request->limit,
                               .all = gy_fair_all(&product->fair),
                               .uniform = uniform && !gy_fair_any(&product->fair),
                               .hostile = options->hostile};
    if (engine->most_threads && wanted.threads > engine->most_threads(wanted.uniform))
        wanted.threads = engine->most_threads(wanted.uniform);
    if (engine->note_bytes)
        wanted.note_bytes = engine->note_bytes(wanted.threads, wanted.uniform);
    keep_together(product, request, &wanted);
    return gy_space_new(&wanted);
}

static void conclude(gy_space *space, const gy_product_maker *product, gy_product_result *result)
{
    gy_run *run = product->run;
    gy_search_result *figures = run->result;
    figures->states = run->states_so_far = gy_space_states(space);
    figures->transitions = gy_space_transitions(space);
    figures->depth = atomic_load(&space->depth);
    figures->by_transitions = true;
    figures->threads = space->size;
    if (atomic_load(&space->too_long))
        gy_run_too_long(run);
    else if (atomic_load(&space->no_memory))
        gy_run_stop(run, GY_LIMIT_MEMORY);
    if (!space->found && space->seen == GY_NO_REF)
        return;
    gy_space_look_back(space);
    figures->error_met = true;
    result->lasso = gy_product_space_lasso(space);
    if (!result->lasso && !run->stopped)
        gy_run_fail_internally(run, "the path to a cycle cannot be found again");
    figures->errors = result->lasso || figures->failure;
    gy_run_stop(run, GY_STOPPED_AT_ERROR);
}

bool gy_product_search_space(gy_run *run, gy_product_request *request, gy_product_result *result)
{
    gy_product_maker product;
    bool overflow = false;
    gy_product_maker_init(&product, run, request->observer, request->fairness);
    product.reduced = request->reduced;
    gy_space *space = new_space(&product, request);
    if (space) {
        request->engine->space(space);
        request->too_many = gy_fair_too_many(&product.fair);
        if (!atomic_load(&space->overflow) && !request->too_many)
            conclude(space, &product, result);
    } else {
        gy_run_stop(run, GY_LIMIT_MEMORY);
    }
    overflow = space && atomic_load(&space->overflow) && !run->stopped;
    bool broken_off = space && (space->broken_off || request->too_many) && !run->stopped;
    gy_space_free(space);
    gy_product_maker_free(&product);
    if (overflow) { // very rare: what is kept apart needs no room in references
        request->apart = true;
        return gy_product_search_space(run, request, result);
    }
    return !broken_off;
}
