#include "verify/crew.h"

#include "dist/mpi/rank_product.h"
#include "dist/mpi/ranks.h"
#include "search/checkpoint.h"

#include <stdlib.h>

enum { SAFETY = 1, CYCLES, END };

typedef struct order {
    uint64_t what;
    double seconds;
    uint64_t property, states;
} order;

bool gy_crew_is_there(const gy_driver *driver)
{
    return driver->request->transport != NULL;
}

bool gy_crew_serves(const gy_driver *driver)
{
    return gy_crew_is_there(driver) && driver->request->transport->rank > 0;
}

// ---- at the beginning ------------------------------------------------------------------

// Words of a state mean the same on all ranks if they have the same system.
static bool is_same_everywhere(const gy_driver *driver)
{
    gy_transport *t = driver->request->transport;
    gy_worker *worker = gy_worker_new(driver->subject->system);
    uint64_t print = gy_checkpoint_model(driver->subject->system, worker);
    uint64_t both[] = {print, ~print};
    gy_worker_free(worker);
    t->reduce(t, both, 2, GY_TRANSPORT_LEAST);
    return both[0] == ~both[1];
}

bool gy_crew_agree(gy_driver *driver, bool good)
{
    gy_transport *t = driver->request->transport;
    gy_complaint *complaint = &driver->complaint;
    char text[1024] = "";
    if (!gy_crew_is_there(driver))
        return good;
    uint64_t first = good ? UINT64_MAX : t->rank;
    t->reduce(t, &first, 1, GY_TRANSPORT_LEAST);
    if (first == UINT64_MAX)
        return is_same_everywhere(driver) ||
               gy_refuse(complaint, "--mpi: the ranks have read different models (or with "
                                    "different options, or by different versions of Gyre)");
    if (first == t->rank && complaint->message.n)
        strncpy(text, gy_text_str(&complaint->message), sizeof text - 1);
    t->broadcast(t, (unsigned)first, text, sizeof text);
    if (good)
        gy_refuse(complaint, "rank %llu: %s", (unsigned long long)first, text);
    return false;
}

// ---- searches --------------------------------------------------------------------------

static void give(gy_driver *driver, order *o)
{
    gy_transport *t = driver->request->transport;
    t->broadcast(t, 0, o, sizeof *o);
}

static void make_ours(const gy_driver *driver, gy_search_options *options)
{
    options->engine = &gy_ranks_engine;
    options->transport = driver->request->transport;
    options->device_too = options->probe = false;
    const char *seconds = getenv("GYRE_CHECKPOINT"); // between two snapshots
    if (seconds && atof(seconds) > 0)
        options->checkpoint_seconds = atof(seconds);
}

void gy_crew_begin_safety(gy_driver *driver, gy_search_options *options)
{
    if (!gy_crew_is_there(driver))
        return;
    make_ours(driver, options);
    if (!gy_crew_serves(driver))
        give(driver, &(order){.what = SAFETY, .seconds = options->time_limit});
}

gy_product_result *gy_crew_cycles(gy_driver *driver, gy_property *property,
                                  gy_search_options *options)
{
    if (!gy_crew_is_there(driver))
        return NULL;
    make_ours(driver, options);
    options->state_limit = 0;
    if (!gy_crew_serves(driver))
        give(driver, &(order){.what = CYCLES,
                              .seconds = options->time_limit,
                              .property = (uint64_t)(property - driver->properties.list.at)});
    return gy_ranks_product_search(driver->subject->system, property->observer,
                                   gy_driver_fairness(driver, property), options);
}

void gy_crew_end(gy_driver *driver)
{
    if (gy_crew_is_there(driver) && !gy_crew_serves(driver))
        give(driver, &(order){.what = END});
}

void gy_crew_serve(gy_driver *driver)
{
    for (;;) {
        order o = {0};
        give(driver, &o);
        if (o.what == SAFETY)
            gy_driver_safety(driver, o.seconds);
        else if (o.what == CYCLES)
            gy_driver_cycles(driver, &driver->properties.list.at[o.property], o.seconds, 0);
        else
            break;
        if (driver->request->interrupt)
            atomic_store(driver->request->interrupt, 0); // rank 0 goes by its own
    }
}

// ---- what can't be ---------------------------------------------------------------------

bool gy_crew_check(const gy_request *request, const gy_subject *subject,
                   const gy_properties *properties, gy_complaint *complaint)
{
    const char *what = request->search.set                             ? "--search"
                       : request->hunt                                 ? "gyre hunt"
                       : request->cover                                ? "--cover"
                       : request->depth.set                            ? "--depth"
                       : request->check_reduction                      ? "--check-reduction"
                       : request->reduce.number == GY_REDUCE_CARTESIAN ? "--reduce cartesian"
                       : request->backend.number == GY_BACKEND_CUDA    ? "--backend cuda"
                                                                       : NULL;
    if (what)
        return gy_refuse(complaint,
                         "%s: --mpi is a breadth-first search of its own, over several "
                         "processes; leave one of the two out",
                         what);
    if (subject->model && gy_has_c(subject->model))
        return gy_refuse(complaint, "--mpi: the model has embedded C, which may keep things that "
                                    "are not in the states that ranks send each other");
    for (size_t i = 0; i < properties->list.n; i++) {
        const gy_property *property = &properties->list.at[i];
        if (gy_property_is_partial(property))
            return gy_refuse(complaint, "--partial-deadlock: --mpi does not look for it; leave one "
                                        "of the two out");
    }
    return true;
}
