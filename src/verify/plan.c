#include "verify/plan.h"

#include "dist/mpi/transport.h"
#include "search/engines.h"
#include "store/kinds.h"
#include "verify/crew.h"
#include "verify/enum_names.h"
#include "verify/hunt_run.h"
#include "verify/together.h"

#include "base/memory.h"
#include "base/team.h"

enum { WITNESSES = 10 }; // reported for each kind of error, unless another number is asked for

static void note(gy_plan *plan, const char *what, const char *choice, const char *reason)
{
    gy_plan_choice made = {what, choice, reason};
    gy_vec_push(&plan->choices, made);
}

static const gy_store_traits *traits_of(gy_store_kind kind)
{
    return &gy_store_kind_at(kind)->traits;
}

// ---- what cannot be -------------------------------------------------------------------

// What would make "no shorter one exists" a lie.
static bool check_shortest(const gy_request *request, gy_user_error *complaint)
{
    if (request->store.set && !traits_of((gy_store_kind)request->store.number)->exact)
        return gy_refuse(
            complaint,
            "--shortest needs a store without loss\n  hint: use --store tree or --store plain");
    if (request->search.set && !gy_engine_at((unsigned)request->search.number)->shortest)
        return gy_refuse(complaint,
                         "--shortest needs the breadth-first search\n  hint: use --search bfs");
    return true;
}

// What would be ignored, or contradicts itself.
static bool check_reduce(const gy_request *request, gy_user_error *complaint)
{
    bool cartesian = request->reduce.number == GY_REDUCE_CARTESIAN;
    bool some = request->reduce.number != GY_REDUCE_NONE;
    if (some && (request->exact || request->no_por))
        return gy_refuse(complaint,
                         "--reduce and %s cannot be combined\n  hint: use only one of them",
                         request->exact ? "--exact" : "--no-por");
    if (cartesian && request->search.set)
        return gy_refuse(complaint,
                         "--reduce cartesian and --search cannot be combined: Cartesian reduction "
                         "is a search of its own\n  hint: drop --search, or use --reduce stubborn");
    if (cartesian && request->shortest)
        return gy_refuse(complaint,
                         "--shortest and --reduce cartesian cannot be combined: that search finds "
                         "no shortest counterexamples\n  hint: use only one of them");
    if (cartesian && request->check_reduction)
        return gy_refuse(complaint,
                         "--check-reduction and --reduce cartesian cannot be combined: that search "
                         "ignores no transition\n  hint: use only one of them");
    if (cartesian && request->symmetry)
        return gy_refuse(
            complaint,
            "--symmetry and --reduce cartesian cannot be combined\n  hint: use only one of them");
    return true;
}

// What would keep a search from being symmetric although that is asked for.
static bool check_symmetry(const gy_request *request, gy_user_error *complaint)
{
    const char *against = request->no_symmetry ? "--no-symmetry"
                          : request->exact     ? "--exact"
                          : request->shortest  ? "--shortest"
                                               : NULL;
    return !against ||
           gy_refuse(complaint,
                     "--symmetry and %s cannot be combined\n  hint: use only one of them", against);
}

// A search of its own.
static bool check_cover(const gy_request *request, gy_user_error *complaint)
{
    const char *what = request->search.set                          ? "--search"
                       : request->reduce.set                        ? "--reduce"
                       : request->exact                             ? "--exact"
                       : request->store.set                         ? "--store"
                       : request->depth.set                         ? "--depth"
                       : request->symmetry                          ? "--symmetry"
                       : request->shortest                          ? "--shortest"
                       : request->check_reduction                   ? "--check-reduction"
                       : request->checkpoint                        ? "--checkpoint"
                       : request->resume                            ? "--resume"
                       : request->backend.number == GY_BACKEND_CUDA ? "--backend cuda"
                                                                    : NULL;
    return !what || gy_refuse(complaint,
                              "%s and --cover cannot be combined: a trace cover stores runs, not "
                              "states\n  hint: use only one of them",
                              what);
}

// On the order of events, states are looked for; nothing else.
static bool check_covered(const gy_properties *properties, gy_user_error *complaint)
{
    if (properties->list.n == 0)
        return gy_refuse(
            complaint,
            "--cover has nothing to check: it finds deadlocks, failed assertions, run-time errors "
            "and the states of --ef\n  hint: add safety to --check, or add --ef");
    for (size_t i = 0; i < properties->list.n; i++) {
        const gy_property *property = &properties->list.at[i];
        bool asked = property->question.atom || property->question.term_count;
        if (!gy_property_is_safety(property) && !asked)
            return gy_refuse(
                complaint,
                "--cover cannot check %s property `%s`: it finds deadlocks, failed assertions, "
                "run-time errors and the states of --ef\n  hint: add --check safety",
                property->kind, property->name);
    }
    return true;
}

// Who reads "holds" should not have to ask of what.
static bool check_swarm(const gy_properties *properties, gy_user_error *complaint)
{
    if (properties->list.n == 0)
        return gy_refuse(complaint,
                         "gyre swarm has nothing to check: it finds deadlocks, failed assertions "
                         "and run-time errors\n  hint: add safety to --check");
    for (size_t i = 0; i < properties->list.n; i++) {
        const gy_property *property = &properties->list.at[i];
        if (!gy_property_is_safety(property))
            return gy_refuse(complaint,
                             "gyre swarm cannot check %s property `%s`: it finds deadlocks, failed "
                             "assertions and run-time errors\n  hint: add --check safety",
                             property->kind, property->name);
    }
    return true;
}

// Runs of single processes keep the steps of each process and deadlocks, nothing else.
static bool check_cartesian(const gy_properties *properties, gy_user_error *complaint)
{
    for (size_t i = 0; i < properties->list.n; i++) {
        const gy_property *property = &properties->list.at[i];
        if (!gy_property_is_safety(property))
            return gy_refuse(complaint,
                             "--reduce cartesian cannot check %s property `%s`: it preserves "
                             "deadlocks, assertions and run-time errors only\n  hint: use --reduce "
                             "stubborn, or add --check safety",
                             property->kind, property->name);
    }
    return true;
}

// The search there is breadth first and keeps states in a table of its own. What keeps a search
// from it, or NULL.
static const char *not_for_device(const gy_request *request)
{
    bool other_store =
        request->store.set && !traits_of((gy_store_kind)request->store.number)->hashes;
    return request->hunt                                   ? "gyre hunt"
           : request->mpi                                  ? "--mpi"
           : request->engine                               ? "gyre swarm"
           : request->search.set                           ? "--search"
           : other_store                                   ? "--store"
           : request->depth.set                            ? "--depth"
           : request->shortest                             ? "--shortest"
           : request->check_reduction                      ? "--check-reduction"
           : request->checkpoint                           ? "--checkpoint"
           : request->resume                               ? "--resume"
           : request->disk                                 ? "--disk"
           : request->reduce.number == GY_REDUCE_CARTESIAN ? "--reduce cartesian"
                                                           : NULL;
}

static bool check_device(const gy_request *request, gy_user_error *complaint)
{
    const char *what = not_for_device(request);
    return !what ||
           gy_refuse(complaint,
                     "%s and --backend cuda cannot be combined: the GPU has a breadth-first search "
                     "and a store of its own\n  hint: use only one of them",
                     what);
}

// What keeps several formulas from being checked on one graph, or NULL.
static const char *not_together(const gy_plan *plan, const gy_request *request)
{
    return request->together.number == GY_FORMULAS_APART ? "requested"
           : request->hunt                               ? "gyre hunt"
           : request->mpi                                ? "--mpi"
           : request->shortest                           ? "--shortest"
           : request->depth.set                          ? "--depth"
           : request->cycles.number != GY_CYCLES_AUTO    ? "--cycles"
           : request->backend.number == GY_BACKEND_CUDA  ? "--backend cuda"
           : request->check_reduction                    ? "--check-reduction"
           : request->checkpoint || request->resume      ? "each has a checkpoint of its own"
           : plan->fairness != GY_FAIRNESS_NONE
               ? "fairness depends on which process executes a step"
               : NULL;
}

// What else has states of its own, or asks about those that are gone.
static const char *not_for_disk(const gy_request *request)
{
    bool other_search = request->search.set && request->search.number != GY_SEARCH_BFS;
    bool other_store =
        request->store.set && !traits_of((gy_store_kind)request->store.number)->empties;
    return request->hunt                                ? "gyre hunt"
           : request->mpi                               ? "--mpi"
           : request->engine                            ? "gyre swarm"
           : request->cover                             ? "--cover"
           : other_search                               ? "--search"
           : other_store                                ? "--store"
           : request->depth.set                         ? "--depth"
           : request->reduce.set                        ? "--reduce"
           : request->check_reduction                   ? "--check-reduction"
           : request->checkpoint                        ? "--checkpoint"
           : request->resume                            ? "--resume"
           : request->backend.number == GY_BACKEND_CUDA ? "--backend cuda"
                                                        : NULL;
}

bool gy_plan_could_use_disk(const gy_request *request)
{
    return !request->disk && !not_for_disk(request);
}

static bool check_disk(const gy_request *request, const gy_properties *properties,
                       gy_user_error *complaint)
{
    const char *what = not_for_disk(request);
    if (what)
        return gy_refuse(complaint,
                         "%s and --disk cannot be combined: --disk needs the breadth-first search "
                         "with the tree store\n  hint: use only one of them",
                         what);
    for (size_t i = 0; i < properties->list.n; i++) {
        const gy_property *property = &properties->list.at[i];
        if (!gy_property_is_safety(property))
            return gy_refuse(
                complaint,
                "--disk cannot check %s property `%s`: depth-first cycle detection must look up "
                "each state at once\n  hint: add --check safety, or drop --disk",
                property->kind, property->name);
    }
    return true;
}

static bool is_sensible(const gy_plan *plan, const gy_request *request,
                        const gy_loaded_model *subject, const gy_properties *properties,
                        gy_user_error *complaint)
{
    if (request->reduce.set && !check_reduce(request, complaint))
        return false;
    if (request->symmetry && !check_symmetry(request, complaint))
        return false;
    const char *apart = not_together(plan, request);
    if (request->together.number == GY_FORMULAS_TOGETHER && apart)
        return gy_refuse(complaint,
                         "--formulas together is not possible here (%s)\n  hint: drop --formulas",
                         apart);
    if (request->cover &&
        (!check_cover(request, complaint) || !check_covered(properties, complaint)))
        return false;
    if (request->engine && !check_swarm(properties, complaint))
        return false;
    if (request->disk && !check_disk(request, properties, complaint))
        return false;
    if (request->mpi && !gy_crew_check(request, subject, properties, complaint))
        return false;
    if (request->backend.number == GY_BACKEND_CUDA && !check_device(request, complaint))
        return false;
    if (request->shortest && !check_shortest(request, complaint))
        return false;
    gy_cycle_search cycles = (gy_cycle_search)request->cycles.number;
    if (!gy_cycles_know_fairness(cycles) && plan->fairness != GY_FAIRNESS_NONE)
        return gy_refuse(
            complaint,
            "--cycles %s does not support fairness\n  hint: drop --cycles, or add --fairness none",
            gy_cycles_name(cycles));
    if (plan->safety.search == GY_SEARCH_CARTESIAN && !check_cartesian(properties, complaint))
        return false;
    if (request->least_coverage.set && !properties->safety)
        return gy_refuse(complaint,
                         "--min-coverage needs the search for safety errors, which determines the "
                         "reached statements\n  hint: add safety to --check");
    if (request->trail && !subject->model)
        return gy_refuse(complaint, "--trail cannot be used with a shared object");
    return true;
}

// ---- what is chosen --------------------------------------------------------------------

static void choose_engine(gy_plan *plan, const gy_request *request)
{
    gy_search_options *search = &plan->safety;
    const char *reason =
        "the default: all threads share it; errors of other searches are shortened";
    if (request->engine) {
        note(plan, "engine", request->engine->name,
             "gyre swarm: many jobs, each with a part of the state space");
        return;
    }
    if (request->hunt) {
        search->search = GY_SEARCH_HUNT;
        reason = "gyre hunt: a portfolio of searches, to find an error rather than to prove";
    } else if (request->cover) {
        search->search = GY_SEARCH_COVER;
        reason = "--cover is a search of its own";
    } else if (request->reduce.number == GY_REDUCE_CARTESIAN) {
        search->search = GY_SEARCH_CARTESIAN;
        reason = "--reduce cartesian is a search of its own";
    } else if (request->backend.number == GY_BACKEND_CUDA) {
        search->search = GY_SEARCH_DEVICE;
        reason = "--backend cuda";
    } else if (request->search.set) {
        search->search = (gy_search_kind)request->search.number;
        reason = "requested";
    }
    note(plan, "engine", gy_engine_of(search)->name, reason);
}

// An error that any run finds may come after millions of states that are nearer.
static void choose_probes(gy_plan *plan, const gy_request *request)
{
    const char *against =
        request->search.set || plan->safety.search != GY_SEARCH_BFS ? "not the default search"
        : request->mpi                                              ? "--mpi"
        : request->engine                                           ? "gyre swarm"
        : request->shortest                      ? "--shortest: their counterexamples may be longer"
        : request->all_errors.set                ? "--all-errors needs a complete search"
        : request->depth.set                     ? "--depth: they may exceed it"
        : request->checkpoint || request->resume ? "they cannot be written to checkpoints"
        : request->check_reduction               ? "--check-reduction"
                                                 : NULL;
    plan->safety.probe = !against;
    note(plan, "probes", against ? "no" : "yes",
         against ? against : "short depth-first runs find deep errors early");
}

static void choose_threads(gy_plan *plan, const gy_request *request, gy_arena *arena)
{
    plan->safety.threads =
        request->threads.set ? (unsigned)request->threads.number : gy_processors();
    note(plan, "threads", gy_arena_printf(arena, "%u", plan->safety.threads),
         request->threads.set ? "requested" : "one per CPU core");
}

static void choose_ranks(gy_plan *plan, const gy_request *request, gy_arena *arena)
{
    if (request->mpi && request->transport)
        note(plan, "ranks", gy_arena_printf(arena, "%u", request->transport->size),
             request->transport->name);
}

// Without a limit it would not be known when states have to go.
static void choose_disk(gy_plan *plan, const gy_request *request, gy_arena *arena)
{
    enum { SHARE = 2 };
    gy_text size = {0};
    if (!request->disk)
        return;
    plan->safety.disk_folder = request->disk;
    plan->safety.disk_states = request->disk_states.number;
    if (!request->memory.set)
        plan->safety.memory_limit = gy_memory_physical() / SHARE;
    gy_text_size(&size, plan->safety.memory_limit);
    note(plan, "memory", gy_arena_strdup(arena, gy_text_str(&size)),
         request->memory.set ? "requested" : "half of this computer's: the rest caches files");
    note(plan, "disk", gy_arena_strdup(arena, request->disk),
         "--disk: when memory is full, states are moved there");
    gy_text_free(&size);
}

// Products go into depth and wait for each state: there, states as they are cost half the time.
static void choose_stores(gy_plan *plan, const gy_request *request, const gy_properties *properties)
{
    gy_store_kind safety = gy_store_kind_dense(), products = gy_store_kind_quick();
    const char *why = "twice as fast in depth-first searches; no memory limit is set";
    if (request->store.set)
        safety = products = (gy_store_kind)request->store.number;
    if (request->store.set && !traits_of(products)->gives_back) {
        products = gy_store_kind_dense();
        why = "the requested store cannot return states, which cycle detection needs";
    } else if (request->store.set) {
        why = "requested";
    } else if (request->checkpoint || request->resume) {
        products = gy_store_kind_dense();
        why = "its checkpoints are small";
    } else if (request->memory.set) {
        products = gy_store_kind_dense();
        why = "it holds the most states within the memory limit";
    }
    plan->safety.store = safety;
    plan->safety.any_store = !request->store.set;
    plan->products.store = products;
    plan->products.any_store = false;
    if (properties->safety)
        note(plan, "store", gy_store_text(safety),
             request->store.set ? "requested" : "exact; a few bytes per state");
    if (gy_properties_cycles(properties))
        note(plan, "store of cycles", gy_store_text(products), why);
}

// Each formula alone makes all successors again; a graph that is kept has them for all.
static void choose_formulas(gy_plan *plan, const gy_request *request,
                            const gy_properties *properties)
{
    uint32_t count = 0;
    for (size_t i = 0; i < properties->list.n; i++)
        count += gy_property_can_share(&properties->list.at[i]);
    const char *against = not_together(plan, request);
    plan->formulas =
        against || count < 2 ? GY_FORMULAS_APART : (gy_formulas)request->together.number;
    if (count >= 2)
        note(plan, "formulas",
             against                                  ? "one by one"
             : plan->formulas == GY_FORMULAS_TOGETHER ? "together"
                                                      : "auto",
             against                                  ? against
             : plan->formulas == GY_FORMULAS_TOGETHER ? "requested"
                                                      : "each is searched briefly; then the system "
                                                        "is explored once for the undecided ones");
}

static const char *no_passes(const gy_request *request)
{
    return request->exact ? "--exact" : NULL;
}

static void choose_passes(gy_plan *plan, const gy_request *request, const gy_loaded_model *subject)
{
    const char *against = no_passes(request);
    struct {
        const char *what, *option, *good;
        bool off;
        bool *on;
    } list[] = {
        {"dead variables", "--no-dead", "reset where they are not read again", request->no_dead,
         &plan->passes.dead},
        {"slicing", "--no-slice", "variables that no property depends on are removed",
         request->no_slice, &plan->passes.slice},
        {"merging", "--no-merge", "statements without visible states between them are joined",
         request->no_merge, &plan->passes.merge},
        {"ranges", "--no-ranges", "variables are stored with the bits that their values need",
         request->no_ranges, &plan->passes.ranges},
    };
    plan->exact = against != NULL;
    for (size_t i = 0; i < sizeof list / sizeof *list && subject->model; i++) {
        bool same = list[i].on == &plan->passes.ranges; // the same states, in fewer bits
        bool joins = list[i].on == &plan->passes.merge;
        const char *why = list[i].off ? list[i].option
                          : same      ? NULL
                          : against   ? against
                          : joins && request->shortest
                              ? "--shortest: a step of a reduced model may be several"
                          : joins && request->depth.set ? "--depth counts the states in between"
                                                        : NULL;
        *list[i].on = !why;
        note(plan, list[i].what, why ? "no" : "yes", why ? why : list[i].good);
    }
}

static void choose_reductions(gy_plan *plan, const gy_request *request)
{
    gy_search_options *search = &plan->safety;
    bool cartesian = request->reduce.number == GY_REDUCE_CARTESIAN;
    const char *no_order = request->exact      ? "--exact"
                           : request->engine   ? "jobs must agree on the states"
                           : request->no_por   ? "--no-por"
                           : request->shortest ? "--shortest: it could hide a shortest one"
                           : request->disk  ? "--disk: it must look up states that may be on disk"
                           : cartesian      ? "--reduce cartesian takes its place"
                           : request->cover ? "--cover takes its place"
                           : request->reduce.number == GY_REDUCE_NONE ? "--reduce none"
                                                                      : NULL;
    const char *no_symmetry =
        request->symmetry         ? NULL
        : request->engine         ? "jobs must agree on the states"
        : request->hunt           ? "gyre hunt does not support it"
        : request->exact          ? "--exact"
        : request->no_symmetry    ? "--no-symmetry"
        : request->shortest       ? "--shortest: it could hide a shortest one"
        : request->all_errors.set ? "--all-errors reports symmetric errors, too"
        : request->depth.set      ? "--depth: it could hide a short path to an error"
        : cartesian               ? "--reduce cartesian does not support it"
        : request->cover          ? "--cover does not support it"
                                  : NULL;
    search->reduce = !no_order;
    search->symmetry = !no_symmetry;
    search->check_reduction = request->check_reduction;
    note(plan, "partial order", no_order ? "no" : "yes",
         no_order ? no_order : "where it is sound for the property");
    note(plan, "symmetry", no_symmetry ? "no" : "yes",
         no_symmetry         ? no_symmetry
         : request->symmetry ? "requested"
                             : "of identical processes, where it is sound for the property");
}

// One that goes on from a checkpoint needs its states' meaning restored first, so that the compiler
// cannot come before the search.
static void choose_backend(gy_plan *plan, const gy_request *request, const gy_loaded_model *subject)
{
    static const gy_native_mode modes[] = {GY_NATIVE_AUTO, GY_NATIVE_OFF, GY_NATIVE_WAIT,
                                           GY_NATIVE_AUTO};
    const char *choice = "auto",
               *reason = "start in the VM; switch to compiled code in longer searches";
    plan->native = modes[request->backend.number];
    if (plan->native == GY_NATIVE_WAIT && request->resume) {
        plan->native = GY_NATIVE_AUTO;
        reason = "--resume: start in the VM, switch to compiled code later";
    } else if (!subject->model) {
        choice = "foreign";
        reason = "a shared object is compiled already";
    } else if (request->backend.set) {
        choice = request->backend.number == GY_BACKEND_VM       ? "vm"
                 : request->backend.number == GY_BACKEND_NATIVE ? "native"
                 : request->backend.number == GY_BACKEND_CUDA   ? "cuda"
                                                                : "auto";
        reason = "requested";
    }
    note(plan, "backend", choice, reason);
    const char *against = request->backend.number != GY_BACKEND_AUTO ? NULL
                          : !subject->model        ? "a shared object is compiled already"
                          : request->deterministic ? "--deterministic"
                          : request->store.set     ? "--store"
                                                   : not_for_device(request);
    plan->device_too = request->backend.number == GY_BACKEND_AUTO && !against;
    if (plan->device_too)
        note(plan, "GPU", "if it pays",
             "large searches also start on the GPU; the first to finish wins");
    else if (against)
        note(plan, "GPU", "no", against);
}

static void choose_fairness(gy_plan *plan, const gy_request *request,
                            const gy_loaded_model *subject, const gy_properties *properties)
{
    bool labelled = subject->model && subject->model->fair_action_count > 0;
    plan->fairness = (gy_fairness)request->fairness.number;
    if (plan->fairness == GY_FAIRNESS_ACTIONS && !labelled)
        plan->fairness = GY_FAIRNESS_NONE;
    if (gy_properties_cycles(properties))
        note(plan, "fairness", gy_fairness_text(plan->fairness),
             request->fairness.set                   ? "requested"
             : plan->fairness == GY_FAIRNESS_ACTIONS ? "the model labels statements as fair"
                                                     : "neither requested nor labelled");
}

static void choose_cycles(gy_plan *plan, const gy_request *request, const gy_properties *properties)
{
    if (gy_properties_cycles(properties))
        note(plan, "cycles", gy_cycles_name(plan->safety.cycles),
             request->cycles.set
                 ? "requested"
                 : "depends on the automaton and the number of threads: see each property");
}

static void choose_witnesses(gy_plan *plan, const gy_request *request, gy_arena *arena)
{
    uint64_t most = request->all_errors.set ? request->all_errors.number : 1;
    const char *reason = "--witnesses sets another limit (0: all)";
    plan->safety.max_errors = most;
    plan->witnesses = request->witnesses.set ? request->witnesses.number : WITNESSES;
    if (request->witnesses.set) {
        reason = "requested";
    } else if (most > plan->witnesses) {
        plan->witnesses = most;
        reason = "set by --all-errors";
    }
    plan->safety.witnesses = plan->witnesses;
    if (request->all_errors.set)
        note(plan, "counterexamples",
             plan->witnesses
                 ? gy_arena_printf(arena, "%llu of a kind", (unsigned long long)plan->witnesses)
                 : "all",
             reason);
}

// What a request states for the search without a choice being left.
static void copy_wishes(gy_plan *plan, const gy_request *request, const gy_loaded_model *subject)
{
    bool may_stop = subject->model && subject->model->may_stop;
    bool asked = request->checks.set && (request->checks.number & GY_CHECK_DEADLOCK);
    gy_search_options *search = &plan->safety;
    gy_search_defaults(search);
    if (request->seed.set)
        search->seed = request->seed.number;
    search->depth_limit = request->depth.number;
    search->memory_limit = request->memory.number;
    search->check_end_states = !request->no_deadlock && (asked || !may_stop);
    search->check_faults = true;
    search->check_assertions = !request->no_assert;
    search->empty_channels = request->end_empty;
    search->hash_functions = (unsigned)request->hashes.number;
    search->bitstate_bytes = request->bitstate_bytes.number;
    search->walks = request->walks.number;
    search->walk_length = request->walk_length.number;
    search->checkpoint_file = request->checkpoint;
    search->resume_file = request->resume;
    search->shortest_lasso = request->shortest;
    search->deterministic = request->deterministic;
    search->cycles = (gy_cycle_search)request->cycles.number;
    search->progress = request->progress;
    search->progress_user = request->progress_user;
}

// What hunts and best-first searches alone can make use of would be ignored by others.
static bool choose_hunt(gy_plan *plan, const gy_request *request, const gy_loaded_model *subject,
                        const gy_properties *properties, gy_arena *arena, gy_user_error *complaint)
{
    bool hunts = request->hunt, best = plan->safety.search == GY_SEARCH_BEST;
    bool named = request->heuristics.n > 0 || request->prefer.n > 0;
    const char *without_guide = request->heuristics.n > 0  ? "--heuristic"
                                : request->prefer.n > 0    ? "--prefer"
                                : request->queue_limit.set ? "--queue-limit"
                                : request->ties.set        ? "--random-ties"
                                : request->explore.set     ? "--explore"
                                                           : NULL;
    const char *without_hunt = request->strategies.n > 0 ? "--strategy"
                               : request->effort.set     ? "--effort"
                                                         : NULL;
    if (!hunts && !best && without_guide)
        return gy_refuse(complaint, "%s needs gyre hunt or --search best", without_guide);
    if (!hunts && without_hunt)
        return gy_refuse(complaint, "%s needs gyre hunt", without_hunt);
    if (!hunts && !best)
        return true;
    if (!gy_hunt_options_make(request, arena, &plan->hunt, complaint))
        return false;
    // Those of a formula or a claim are its own.
    if ((hunts || named) && properties->safety &&
        !gy_heuristics_make(request, subject, NULL, arena, &plan->hunt, complaint))
        return false;
    plan->safety.hunt = plan->products.hunt = &plan->hunt;
    if (best)
        note(plan, "heuristic",
             plan->hunt.guide_count ? plan->hunt.guides[0]->name : gy_heuristic_enabled.name,
             named ? "requested" : "states with few enabled transitions may be near a deadlock");
    return true;
}

bool gy_plan_make(gy_plan *plan, const gy_request *request, const gy_loaded_model *subject,
                  const gy_properties *properties, gy_arena *arena, gy_user_error *complaint)
{
    *plan = (gy_plan){0};
    copy_wishes(plan, request, subject);
    choose_engine(plan, request);
    choose_threads(plan, request, arena);
    choose_ranks(plan, request, arena);
    choose_probes(plan, request);
    choose_reductions(plan, request);
    choose_fairness(plan, request, subject, properties);
    choose_cycles(plan, request, properties);
    choose_formulas(plan, request, properties);
    choose_passes(plan, request, subject);
    choose_backend(plan, request, subject);
    choose_witnesses(plan, request, arena);
    plan->products = plan->safety;
    plan->products.checkpoint_file = plan->products.resume_file = NULL; // each search has its own
    choose_disk(plan, request, arena);
    choose_stores(plan, request, properties);
    return is_sensible(plan, request, subject, properties, complaint) &&
           choose_hunt(plan, request, subject, properties, arena, complaint);
}

// Why none of the properties of infinite runs can make use of it (free it); NULL: one can.
static char *no_symmetry_of_cycles(const gy_plan *plan, const gy_loaded_model *subject,
                                   const gy_properties *properties)
{
    char *why = NULL;
    gy_text text = {0};
    for (size_t i = 0; i < properties->list.n; i++) {
        const gy_property *property = &properties->list.at[i];
        if (!gy_property_is_searched(property) || !property->observer)
            continue;
        free(why);
        why = gy_product_no_symmetry(subject->system, property->observer, plan->fairness, NULL);
        if (!why)
            return NULL;
    }
    if (!why)
        gy_text_add(&text, "no property needs a search");
    return why ? why : gy_text_take(&text);
}

// What the first of equal states had in memory that is not matched, only the search itself knows;
// and only its process has the memory that it allocated.
static bool check_c_memory(const gy_request *request, const gy_loaded_model *subject,
                           gy_user_error *complaint)
{
    const char *what = request->checkpoint ? "--checkpoint"
                       : request->resume   ? "--resume"
                       : request->engine   ? "gyre swarm"
                                           : NULL;
    if (!what || !subject->model)
        return true;
    if (!gy_all_matched(subject->model))
        return gy_refuse(
            complaint, "%s cannot be used: the model has C memory that is tracked but not matched",
            what);
    const char *allocator = gy_c_allocator(subject->model);
    return !allocator ||
           gy_refuse(complaint,
                     "%s cannot be used: C of the model calls `%s`, and addresses of such memory "
                     "mean nothing in another process",
                     what, allocator);
}

bool gy_plan_check(const gy_plan *plan, const gy_request *request, const gy_loaded_model *subject,
                   const gy_properties *properties, gy_user_error *complaint)
{
    if (!check_c_memory(request, subject, complaint))
        return false;
    if (!request->symmetry)
        return true;
    char *why = properties->safety ? gy_search_no_symmetry(subject->system, &plan->safety)
                                   : no_symmetry_of_cycles(plan, subject, properties);
    bool good = !why || gy_refuse(complaint,
                                  "--symmetry is not possible: %s\n  hint: drop --symmetry; all "
                                  "other reductions still apply",
                                  why);
    free(why);
    return good;
}

void gy_plan_free(gy_plan *plan)
{
    gy_vec_free(&plan->choices);
}
