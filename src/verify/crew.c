#include "verify/crew.h"

#include "dist/mpi/rank_product.h"
#include "dist/mpi/ranks.h"
#include "search/checkpoint.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SAFETY = 1, CYCLES, PREMISE, END };

typedef struct order {
    uint64_t what;
    double seconds;
    uint64_t property, premise;
} order;

bool gy_crew_is_there(const gy_verification *driver)
{
    return driver->request->transport != NULL;
}

bool gy_crew_serves(const gy_verification *driver)
{
    return gy_crew_is_there(driver) && driver->request->transport->rank > 0;
}

// ---- at the beginning ------------------------------------------------------------------

static uint64_t print_text(const char *text, uint64_t print)
{
    return gy_hash_bytes(text ? text : "", text ? strlen(text) : 0, print + 1);
}

static uint64_t print_texts(const gy_strings *texts, uint64_t print)
{
    for (size_t i = 0; i < texts->n; i++)
        print = print_text(texts->at[i], print);
    return gy_hash_number(print + texts->n);
}

// Words of a state mean the same on all ranks if they have the same system. What the files say
// besides (which states are valid ends, formulas) has to be the same, too.
static uint64_t print_model(const gy_loaded_model *subject)
{
    gy_worker *worker = gy_worker_new(subject->system);
    uint64_t print = gy_checkpoint_model(subject->system, worker);
    gy_worker_free(worker);
    const gy_sources *sources = subject->model ? subject->model->sources : NULL;
    for (uint32_t i = 0; sources && i < gy_sources_count(sources); i++) {
        size_t bytes = 0;
        const char *text = gy_source_text(sources, i, &bytes);
        if (text)
            print = gy_hash_bytes(text, bytes, print + 1);
    }
    return print;
}

// What a rank would do otherwise than the others: what it looks for in its states, and which phases
// and files there are.
static uint64_t print_plan(const gy_verification *driver, uint64_t print)
{
    const gy_request *request = driver->request;
    const gy_search_options *safety = &driver->plan.safety, *products = &driver->plan.products;
    uint64_t facts[] = {safety->check_end_states,
                        safety->check_faults,
                        safety->check_assertions,
                        safety->empty_channels,
                        safety->max_errors,
                        safety->witnesses,
                        safety->reduce,
                        safety->symmetry,
                        safety->checkpoint_file != NULL,
                        safety->resume_file != NULL,
                        products->reduce,
                        driver->plan.fairness,
                        request->lossy,
                        request->unchecked_exclusive,
                        driver->properties.list.n};
    print = gy_hash_bytes(facts, sizeof facts, print);
    for (size_t i = 0; i < driver->properties.list.n; i++) {
        const gy_property *property = &driver->properties.list.at[i];
        print = print_text(property->name, print_text(property->kind, print));
    }
    print = print_texts(&request->defines, print_texts(&request->formulas, print));
    return print_texts(&request->states, print_texts(&request->sums, print));
}

// Ranks speak to each other as this program does: another one may pack states in another way.
static uint64_t print_program(void)
{
    gy_file file = {0};
    uint64_t print = 0;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && gy_file_read_open(fd, NULL, &file))
        print = gy_hash_bytes(file.text, file.bytes, 1);
    gy_file_free(&file);
    if (fd >= 0)
        close(fd);
    return print;
}

// A shared object has no source to compare: the file itself is.
static uint64_t print_object(const gy_verification *driver)
{
    gy_file file = {0};
    uint64_t print = 0;
    if (driver->subject->model || !driver->request->path)
        return 0;
    if (gy_file_read(driver->request->path, NULL, &file))
        print = gy_hash_bytes(file.text, file.bytes, 1);
    gy_file_free(&file);
    return print;
}

static bool is_same_everywhere(const gy_verification *driver)
{
    gy_transport *t = driver->request->transport;
    uint64_t print = print_plan(driver, print_model(driver->subject)) + print_object(driver);
    print += print_program();
    uint64_t both[] = {print, ~print};
    t->reduce(t, both, 2, GY_TRANSPORT_LEAST);
    return both[0] == ~both[1];
}

// A network may take a moment to show a file to others.
static bool is_seen(const char *path)
{
    enum { TRIES = 30 };
    for (unsigned i = 0; i < TRIES && access(path, F_OK) != 0; i++)
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    return access(path, F_OK) == 0;
}

// Collective: do all ranks see what rank 0 writes to the directory for checkpoints? One that each
// machine has for itself would end up with a part of each.
static bool is_shared(const gy_verification *driver)
{
    gy_transport *t = driver->request->transport;
    const char *folder = driver->request->checkpoint;
    char name[] = ".gyre-XXXXXX";
    gy_text path = {0};
    uint64_t blind = 0;
    int fd = -1;
    if (!folder || t->size == 1)
        return true;
    gy_text_printf(&path, "%s/%s", folder, name);
    if (t->rank == 0) {
        fd = mkstemp(path.at);
        memcpy(name, path.at + path.n - (sizeof name - 1), sizeof name);
        if (fd < 0)
            name[0] = '\0'; // a disk that is full will be reported
    }
    t->broadcast(t, 0, name, sizeof name);
    if (name[0])
        memcpy(path.at + path.n - (sizeof name - 1), name, sizeof name);
    blind = name[0] && !is_seen(gy_text_str(&path));
    t->reduce(t, &blind, 1, GY_TRANSPORT_SUM);
    if (fd >= 0) {
        unlink(gy_text_str(&path));
        close(fd);
    }
    gy_text_free(&path);
    return blind == 0;
}

bool gy_crew_agree(gy_verification *driver, bool good)
{
    gy_transport *t = driver->request->transport;
    gy_user_error *complaint = &driver->complaint;
    char text[1024] = "";
    if (!gy_crew_is_there(driver))
        return good;
    uint64_t first = good ? UINT64_MAX : t->rank;
    t->reduce(t, &first, 1, GY_TRANSPORT_LEAST);
    if (first == UINT64_MAX && !is_same_everywhere(driver))
        return gy_refuse(
            complaint,
            "--mpi: the ranks read different models, or use different options or versions of Gyre");
    if (first == UINT64_MAX)
        return is_shared(driver) || gy_refuse(complaint,
                                              "--checkpoint: not all ranks can see %s\n  hint: use "
                                              "a directory that all machines share",
                                              driver->request->checkpoint);
    if (first == t->rank && complaint->message.n)
        strncpy(text, gy_text_str(&complaint->message), sizeof text - 1);
    t->broadcast(t, (unsigned)first, text, sizeof text);
    if (good)
        gy_refuse(complaint, "rank %llu: %s", (unsigned long long)first, text);
    return false;
}

// ---- searches --------------------------------------------------------------------------

static void give(gy_verification *driver, order *o)
{
    gy_transport *t = driver->request->transport;
    t->broadcast(t, 0, o, sizeof *o);
}

static void make_ours(const gy_verification *driver, gy_search_options *options)
{
    options->engine = &gy_ranks_engine;
    options->transport = driver->request->transport;
    options->device_too = options->probe = false;
}

void gy_crew_begin_safety(gy_verification *driver, gy_search_options *options)
{
    if (!gy_crew_is_there(driver))
        return;
    make_ours(driver, options);
    if (!gy_crew_serves(driver))
        give(driver, &(order){.what = SAFETY, .seconds = options->time_limit});
}

char *gy_crew_folder(const gy_verification *driver, const gy_property *property, const char *asked)
{
    gy_text path = {0};
    if (!asked)
        return NULL;
    gy_text_add(&path, asked);
    if (!gy_property_is_safety(property))
        gy_text_printf(&path, "/property-%zu", (size_t)(property - driver->properties.list.at));
    return gy_text_take(&path);
}

// Collective: a run that ended before it came to this property has left nothing to go on from.
static bool was_begun(gy_transport *t, const char *folder)
{
    gy_text path = {0};
    gy_text_printf(&path, "%s/" GY_RANKS_MANIFEST, folder);
    uint64_t there = t->rank == 0 && access(gy_text_str(&path), F_OK) == 0;
    gy_text_free(&path);
    t->reduce(t, &there, 1, GY_TRANSPORT_SUM);
    return there != 0;
}

static gy_product_result *search_cycles(gy_verification *driver, const gy_property *property,
                                        gy_search_options *options)
{
    gy_transport *t = driver->request->transport;
    gy_fairness fairness = gy_verification_fairness(driver, property);
    char *checkpoint = gy_crew_folder(driver, property, options->checkpoint_file);
    char *resume = gy_crew_folder(driver, property, options->resume_file);
    if (checkpoint && t->rank == 0) // if it cannot be made, writing there will say why
        mkdir(checkpoint, 0777);
    options->checkpoint_file = checkpoint;
    options->resume_file = resume && was_begun(t, resume) ? resume : NULL;
    options->variant = gy_hash_pair(print_text(property->name, print_model(driver->subject)),
                                    gy_hash_pair(fairness, property->observer->states));
    options->variant = print_texts(&driver->request->formulas, options->variant);
    gy_product_result *result =
        gy_ranks_product_search(driver->subject->system, property->observer, fairness, options);
    free(checkpoint);
    free(resume);
    options->checkpoint_file = options->resume_file = NULL;
    return result;
}

// A single rank has nothing to share cycles with: the engines for that, which are made for several,
// would only take longer. Its checkpoints are for any number of ranks, and are theirs.
static bool searches_alone(const gy_verification *driver, const gy_search_options *options)
{
    return !gy_crew_is_there(driver) || (driver->request->transport->size == 1 &&
                                         !options->checkpoint_file && !options->resume_file);
}

gy_product_result *gy_crew_cycles(gy_verification *driver, gy_property *property,
                                  gy_search_options *options)
{
    if (searches_alone(driver, options))
        return NULL;
    uint64_t number = (uint64_t)(property - driver->properties.list.at);
    make_ours(driver, options);
    options->state_limit = 0;
    if (!gy_crew_serves(driver))
        give(driver, &(order){.what = CYCLES, .seconds = options->time_limit, .property = number});
    return search_cycles(driver, property, options);
}

bool gy_crew_has_met(gy_verification *driver, const gy_property *property, uint32_t premise,
                     bool met, double seconds)
{
    if (!gy_crew_is_there(driver))
        return met;
    gy_transport *t = driver->request->transport;
    uint64_t somewhere = met;
    if (!gy_crew_serves(driver))
        give(driver, &(order){.what = PREMISE,
                              .seconds = seconds,
                              .property = (uint64_t)(property - driver->properties.list.at),
                              .premise = premise});
    t->reduce(t, &somewhere, 1, GY_TRANSPORT_SUM);
    return somewhere != 0;
}

gy_product_result *gy_crew_premise(gy_verification *driver, const gy_property *property,
                                   const gy_observer *observer, gy_search_options *options)
{
    if (searches_alone(driver, options))
        return NULL;
    make_ours(driver, options);
    options->checkpoint_file = options->resume_file = NULL;
    return gy_ranks_product_search(driver->subject->system, observer,
                                   gy_verification_fairness(driver, property), options);
}

void gy_crew_end(gy_verification *driver)
{
    if (gy_crew_is_there(driver) && !gy_crew_serves(driver))
        give(driver, &(order){.what = END});
}

static void serve_premise(gy_verification *driver, const order *o)
{
    gy_search_options options = gy_verification_options(driver, &driver->plan.products);
    const gy_property *property = &driver->properties.list.at[o->property];
    gy_text premise = {0};
    bool idle;
    options.time_limit = o->seconds;
    gy_observer *observer =
        gy_ltl_without_conclusion(property->observer, (uint32_t)o->premise, &premise, &idle);
    if (!gy_crew_has_met(driver, property, (uint32_t)o->premise, !observer, o->seconds))
        gy_product_result_free(gy_crew_premise(driver, property, observer, &options));
    if (observer)
        gy_observer_free(observer);
    gy_text_free(&premise);
}

void gy_crew_serve(gy_verification *driver)
{
    for (;;) {
        order o = {0};
        give(driver, &o);
        if (o.what == SAFETY)
            gy_verification_safety(driver, o.seconds);
        else if (o.what == CYCLES)
            gy_verification_cycles(driver, &driver->properties.list.at[o.property], o.seconds, 0);
        else if (o.what == PREMISE)
            serve_premise(driver, &o);
        else
            break;
        if (driver->request->interrupt)
            atomic_store(driver->request->interrupt, 0); // rank 0 goes by its own
    }
}

// ---- what cannot be ---------------------------------------------------------------------

// Of cycles.
static bool check_cycles(const gy_request *request, const gy_properties *properties,
                         gy_user_error *complaint)
{
    gy_cycle_search cycles = (gy_cycle_search)request->cycles.number;
    if (request->cycles.set && cycles != GY_CYCLES_AUTO && cycles != GY_CYCLES_OWCTY &&
        cycles != GY_CYCLES_MAP)
        return gy_refuse(
            complaint,
            "--cycles %s and --mpi cannot be combined\n  hint: use --cycles owcty or --cycles map",
            gy_cycles_name(cycles));
    if (request->shortest && gy_properties_cycles(properties))
        return gy_refuse(
            complaint,
            "--shortest and --mpi cannot be combined for cycles: --mpi finds shortest paths to "
            "safety errors only\n  hint: add --check safety, or use only one of them");
    for (size_t i = 0; i < properties->list.n; i++) {
        const gy_property *property = &properties->list.at[i];
        const char *why = property->observer && gy_property_is_searched(property)
                              ? gy_ranks_cant(property->observer)
                              : NULL;
        if (why)
            return gy_refuse(complaint, "%s", why);
    }
    return true;
}

bool gy_crew_check(const gy_request *request, const gy_loaded_model *subject,
                   const gy_properties *properties, gy_user_error *complaint)
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
                         "%s and --mpi cannot be combined: --mpi is a breadth-first search of its "
                         "own\n  hint: use only one of them",
                         what);
    if (subject->model && gy_has_c(subject->model))
        return gy_refuse(complaint, "--mpi cannot be used: the model has embedded C, which may "
                                    "keep data outside the states that ranks exchange");
    for (size_t i = 0; i < properties->list.n; i++) {
        const gy_property *property = &properties->list.at[i];
        if (gy_property_is_partial(property))
            return gy_refuse(
                complaint,
                "--partial-deadlock and --mpi cannot be combined\n  hint: use only one of them");
    }
    return check_cycles(request, properties, complaint);
}
