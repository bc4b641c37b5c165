// gyre MODEL
#include "report/verify.h"
#include "base/hash.h"
#include "base/team.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/properties.h"
#include "exec/native/native.h"
#include "report/json.h"
#include "verify/trail/trail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

// ---- the trail file -----------------------------------------------------------------

// Can the trail be written? Asked before the search, so that an hour of it is never lost.
// *created tells whether the file did not exist before.
static bool probe_trail(const char *path, bool *created)
{
    *created = access(path, F_OK) != 0;
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0)
        return false;
    close(file);
    return true;
}

static bool write_file(const char *path, const gy_text *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool good = fwrite(gy_text_str(text), 1, text->n, file) == text->n;
    return fclose(file) == 0 && good;
}

// The name of the file is kept in *written.
static int write_text(const gy_arguments *arguments, gy_text *name, gy_text *text, char **written)
{
    bool good = write_file(gy_text_str(name), text);
    gy_text_free(text);
    *written = gy_text_take(name);
    return good ? 0 : gy_complain(arguments, "can't write %s: %s", *written, strerror(errno));
}

static void name_trail(const char *path, uint32_t number, gy_text *name)
{
    gy_text_add(name, path);
    if (number > 0)
        gy_text_printf(name, "-%u", number + 1);
}

static int write_trail(const gy_arguments *arguments, const char *path, uint32_t number,
                       const gy_path *steps, char **written)
{
    gy_text name = {0}, text = {0};
    name_trail(path, number, &name);
    gy_trail_text(steps, &text);
    return write_text(arguments, &name, &text, written);
}

// A formula's trail comes with its automaton as a claim, in a file of its own.
static int write_lasso(const gy_arguments *arguments, const char *path, uint32_t number,
                       gy_property *property)
{
    const gy_lasso_witness *lasso = property->live->lasso;
    bool formula = strcmp(property->kind, "ltl") == 0;
    gy_observer *claim = formula ? gy_ltl_claim(property->observer) : NULL;
    gy_text name = {0}, text = {0}, title = {0};
    name_trail(path, number, &name);
    bool told = claim && gy_trail_formula(property->path, lasso, claim, &text);
    if (!told && formula)
        gy_trail_text(property->path, &text);
    else if (!formula)
        gy_trail_lasso(property->path, lasso, &text);
    int status = write_text(arguments, &name, &text, &property->trail);
    if (!status && told) {
        gy_text_printf(&title, "the negation of ltl `%s`", property->name);
        gy_ltl_print_claim(claim, gy_text_str(&title), &text);
        gy_text_printf(&name, "%s.never", property->trail);
        status = write_text(arguments, &name, &text, &property->claim);
    }
    gy_text_free(&title);
    gy_observer_free(claim);
    return status;
}

// The first counterexample goes to FILE, further ones to FILE-2, FILE-3 …
static int write_trails(const gy_arguments *arguments, gy_verification *verification)
{
    const char *path = arguments->value[GY_OPT_TRAIL].text;
    uint32_t count = verification->result ? verification->result->witness_count : 0, number = 0;
    verification->trails = gy_alloc_zero((count + 1) * sizeof *verification->trails);
    for (uint32_t i = 0; i < count; i++) {
        int status = write_trail(arguments, path, number++, verification->paths[i],
                                 &verification->trails[i]);
        if (status)
            return status;
    }
    for (size_t i = 0; i < verification->properties.n; i++) {
        gy_property *property = &verification->properties.at[i];
        int status = property->path ? write_lasso(arguments, path, number++, property) : 0;
        if (status)
            return status;
    }
    return 0;
}

static void free_trails(gy_verification *verification)
{
    uint32_t count = verification->result ? verification->result->witness_count : 0;
    for (uint32_t i = 0; verification->trails && i < count; i++)
        free(verification->trails[i]);
    free(verification->trails);
}

// ---- the search ---------------------------------------------------------------------

enum { REDUCE_STUBBORN, REDUCE_CARTESIAN, REDUCE_NONE }; // words of --reduce, in order

static void fill_options(const gy_arguments *arguments, gy_search_options *options)
{
    const gy_option_value *value = arguments->value;
    gy_search_defaults(options);
    if (value[GY_OPT_SEARCH].set)
        options->search = (gy_search_kind)value[GY_OPT_SEARCH].number;
    options->any_store = !value[GY_OPT_STORE].set;
    if (value[GY_OPT_STORE].set)
        options->store = (gy_store_kind)value[GY_OPT_STORE].number;
    options->threads =
        value[GY_OPT_THREADS].set ? (unsigned)value[GY_OPT_THREADS].number : gy_processors();
    if (value[GY_OPT_SEED].set)
        options->seed = value[GY_OPT_SEED].number;
    options->depth_limit = value[GY_OPT_DEPTH].number;
    options->memory_limit = value[GY_OPT_MEMORY].number;
    options->time_limit = value[GY_OPT_TIME].seconds;
    options->max_errors = value[GY_OPT_ALL_ERRORS].set ? value[GY_OPT_ALL_ERRORS].number : 1;
    options->check_end_states = !value[GY_OPT_NO_DEADLOCK].set;
    options->check_faults = true;
    options->check_assertions = !value[GY_OPT_NO_ASSERT].set;
    options->empty_channels = value[GY_OPT_END_EMPTY].set;
    options->reduce = !value[GY_OPT_EXACT].set && !value[GY_OPT_NO_POR].set &&
                      !value[GY_OPT_SHORTEST].set && value[GY_OPT_REDUCE].number == REDUCE_STUBBORN;
    options->symmetry = value[GY_OPT_SYMMETRY].set ||
                        (!value[GY_OPT_EXACT].set && !value[GY_OPT_NO_SYMMETRY].set &&
                         !value[GY_OPT_SHORTEST].set && !value[GY_OPT_ALL_ERRORS].set &&
                         !options->depth_limit && value[GY_OPT_REDUCE].number != REDUCE_CARTESIAN);
    if (value[GY_OPT_REDUCE].number == REDUCE_CARTESIAN)
        options->search = GY_SEARCH_CARTESIAN;
    options->check_reduction = value[GY_OPT_CHECK_REDUCTION].set;
    options->hash_functions = (unsigned)value[GY_OPT_HASHES].number;
    options->bitstate_bytes = value[GY_OPT_BITS].number;
    options->walks = value[GY_OPT_WALKS].number;
    options->walk_length = value[GY_OPT_WALK_LENGTH].number;
    options->checkpoint_file = value[GY_OPT_CHECKPOINT].text;
    options->resume_file = value[GY_OPT_RESUME].text;
    options->shortest_lasso = value[GY_OPT_SHORTEST].set;
    options->cycles = (gy_cycle_search)value[GY_OPT_CYCLES].number;
}

// What would make "no shorter one exists" a lie.
static int check_shortest(const gy_arguments *arguments)
{
    const gy_option_value *value = arguments->value;
    gy_fairness fairness = (gy_fairness)value[GY_OPT_FAIRNESS].number;
    if (fairness == GY_FAIRNESS_WEAK || fairness == GY_FAIRNESS_STRONG)
        return gy_complain(arguments,
                           "--shortest: a shortest fair cycle has to take every process into "
                           "account, which no fast method does; leave one of --shortest and "
                           "--fairness out");
    if (value[GY_OPT_STORE].set && (value[GY_OPT_STORE].number == GY_STORE_COMPACT ||
                                    value[GY_OPT_STORE].number == GY_STORE_BITSTATE))
        return gy_complain(arguments,
                           "--shortest: this store may miss states, and with them the shortest "
                           "counterexample; use --store tree or plain");
    if (value[GY_OPT_SEARCH].set && value[GY_OPT_SEARCH].number != GY_SEARCH_BFS)
        return gy_complain(arguments,
                           "--shortest: only --search bfs finds shortest counterexamples");
    return 0;
}

// What would be ignored, or contradicts itself.
static int check_reduce(const gy_arguments *arguments)
{
    bool cartesian = arguments->value[GY_OPT_REDUCE].number == REDUCE_CARTESIAN;
    bool some = arguments->value[GY_OPT_REDUCE].number != REDUCE_NONE;
    if (some && (gy_given(arguments, GY_OPT_EXACT) || gy_given(arguments, GY_OPT_NO_POR)))
        return gy_complain(arguments,
                           "--reduce: %s leaves no such reduction; leave one of the two "
                           "out",
                           gy_given(arguments, GY_OPT_EXACT) ? "--exact" : "--no-por");
    if (cartesian && gy_given(arguments, GY_OPT_SEARCH))
        return gy_complain(arguments, "--reduce cartesian is a search of its own; leave --search "
                                      "out, or use --reduce stubborn");
    if (cartesian && gy_given(arguments, GY_OPT_SHORTEST))
        return gy_complain(arguments, "--shortest: --reduce cartesian finds no shortest "
                                      "counterexamples; leave one of the two out");
    if (cartesian && gy_given(arguments, GY_OPT_CHECK_REDUCTION))
        return gy_complain(arguments, "--check-reduction: --reduce cartesian puts nothing off; "
                                      "leave one of the two out");
    if (cartesian && gy_given(arguments, GY_OPT_SYMMETRY))
        return gy_complain(arguments, "--symmetry: --reduce cartesian can't use it; leave one of "
                                      "the two out");
    return 0;
}

// Runs of single processes keep the steps of each process and deadlocks, nothing else.
static int check_cartesian(const gy_arguments *arguments, const gy_verification *verification)
{
    if (arguments->value[GY_OPT_REDUCE].number != REDUCE_CARTESIAN)
        return 0;
    for (size_t i = 0; i < verification->properties.n; i++) {
        const gy_property *property = &verification->properties.at[i];
        if (!gy_property_is_safety(property))
            return gy_complain(arguments,
                               "--reduce cartesian preserves deadlocks, assertions and run-time "
                               "errors only, not %s property `%s`; use --reduce stubborn, or "
                               "--check safety",
                               property->kind, property->name);
    }
    return 0;
}

// What would keep a search from being symmetric although that is asked for.
static int check_symmetry(const gy_arguments *arguments)
{
    static const int against[] = {GY_OPT_NO_SYMMETRY, GY_OPT_EXACT, GY_OPT_SHORTEST};
    static const char *const names[] = {"--no-symmetry", "--exact", "--shortest"};
    for (int i = 0; i < 3; i++)
        if (gy_given(arguments, against[i]))
            return gy_complain(arguments, "--symmetry and %s contradict each other; leave one out",
                               names[i]);
    return 0;
}

static int check_sense(const gy_arguments *arguments)
{
    if (arguments->value[GY_OPT_THREADS].number > 1024)
        return gy_complain(arguments, "--threads %llu: at most 1024",
                           (unsigned long long)arguments->value[GY_OPT_THREADS].number);
    if (arguments->value[GY_OPT_HASHES].number > 64)
        return gy_complain(arguments, "--hashes %llu: at most 64",
                           (unsigned long long)arguments->value[GY_OPT_HASHES].number);
    int status = gy_given(arguments, GY_OPT_REDUCE) ? check_reduce(arguments) : 0;
    if (status)
        return status;
    if (gy_given(arguments, GY_OPT_SYMMETRY) && check_symmetry(arguments))
        return GY_EXIT_WRONG;
    return gy_given(arguments, GY_OPT_SHORTEST) ? check_shortest(arguments) : 0;
}

static int exit_status(gy_verdict verdict)
{
    switch (verdict) {
    case GY_HOLDS:
        return GY_EXIT_HOLDS;
    case GY_VIOLATED:
        return GY_EXIT_VIOLATED;
    case GY_INCONCLUSIVE:
        return GY_EXIT_INCONCLUSIVE;
    default:
        return GY_EXIT_WRONG;
    }
}

static int report(const gy_arguments *arguments, gy_verification *verification)
{
    gy_text out = {0};
    const char *why = "";
    if (verification->result && verification->result->completeness == GY_FAILED)
        return gy_complain(arguments, "%s",
                           verification->result->failure ? verification->result->failure
                                                         : "the search could not run");
    for (size_t i = 0; i < verification->properties.n; i++) {
        const gy_product_result *live = verification->properties.at[i].live;
        if (live && live->figures->errors && !live->lasso) {
            gy_complain(arguments, "%s", live->figures->failure);
            return GY_EXIT_INTERNAL;
        }
    }
    if (!gy_verification_walk(verification, &why)) {
        gy_complain(arguments,
                    "internal error: a counterexample does not stand up to being run again (%s); "
                    "please report this with the model",
                    why);
        return GY_EXIT_INTERNAL;
    }
    if (gy_given(arguments, GY_OPT_TRAIL)) {
        int status = write_trails(arguments, verification);
        if (status)
            return status;
    }
    if (gy_given(arguments, GY_OPT_JSON)) {
        gy_json_dump(gy_verification_json(verification), &out, false);
    } else {
        gy_style style = gy_command_style(arguments);
        gy_verification_text(verification, &style, &out);
    }
    gy_put(&out);
    gy_text_free(&out);
    return exit_status(gy_verification_verdict(verification));
}

// A property that holds: does it still hold with a conclusion made false? Then its premise is
// never met. Said only if that search was complete as well.
static void find_unmet(gy_loaded *loaded, gy_verification *verification, gy_property *property,
                       const gy_search_options *given, double *spent)
{
    enum { MOST_PREMISES = 8 };
    gy_search_options options = *given;
    options.progress = NULL;
    options.shortest_lasso = false;
    for (uint32_t n = 0; n < MOST_PREMISES; n++) {
        gy_text premise = {0};
        bool idle;
        gy_observer *observer = gy_ltl_without_conclusion(property->observer, n, &premise, &idle);
        if (observer) {
            gy_product_result *live =
                gy_product_search(loaded->system, observer, verification->fairness, &options);
            *spent += live->figures->seconds;
            if (!live->lasso && live->figures->completeness == GY_COMPLETE)
                gy_vec_push(&property->unmet, gy_text_take(&premise));
            gy_product_result_free(live);
            gy_observer_free(observer);
        }
        gy_text_free(&premise);
        if (!observer && !idle)
            break;
    }
}

// Everything but safety, one after the other. A time limit is one for all of them.
static void search_products(const gy_arguments *arguments, gy_loaded *loaded,
                            gy_verification *verification, const gy_search_options *given,
                            double spent)
{
    gy_search_options options = *given;
    for (size_t i = 0; i < verification->properties.n; i++) {
        gy_property *property = &verification->properties.at[i];
        if (!property->observer)
            continue;
        if (given->time_limit > 0)
            options.time_limit = given->time_limit > spent ? given->time_limit - spent : 1e-6;
        gy_progress progress;
        gy_progress_begin(&progress, &options, gy_given(arguments, GY_OPT_QUIET));
        property->live =
            gy_product_search(loaded->system, property->observer, verification->fairness, &options);
        gy_progress_end(&progress);
        spent += property->live->figures->seconds;
        if (strcmp(property->kind, "ltl") == 0 && property->vacuity == GY_NOT_VACUOUS &&
            gy_property_verdict(verification, property) == GY_HOLDS)
            find_unmet(loaded, verification, property, &options, &spent);
    }
}

// With `auto`, compiled code is a matter of speed: say once why there is none.
static void say_why_not_native(gy_system *system)
{
    gy_native_status native;
    if (gy_native_look(system, &native) && native.stage == GY_NATIVE_FAILED && native.message[0])
        fprintf(stderr, "gyre: note: %s\n", native.message);
}

static bool is_stretched(const gy_search_result *result)
{
    for (uint32_t i = 0; result && i < result->witness_count; i++)
        if (result->witnesses[i].stretched)
            return true;
    return false;
}

// Where reductions left paths out, a search of the exact system, with a limit, looks for shortest
// witnesses to take the place of those that were found. True: what the result holds is shortest.
static bool shorten(gy_system *exact, const gy_search_options *options, gy_search_result *result)
{
    enum { LEAST_STATES = 1000000 };
    gy_search_options again = *options;
    again.symmetry = options->symmetry && !is_stretched(result);
    again.state_limit = 4 * result->states > LEAST_STATES ? 4 * result->states : LEAST_STATES;
    again.checkpoint_file = again.resume_file = NULL;
    again.reduce = false;
    again.known_error = true;
    gy_search_result *found = gy_search(exact, &again);
    bool all = found->witness_count > 0 && !is_stretched(found) &&
               (found->completeness == GY_STOPPED_AT_ERROR || found->completeness == GY_COMPLETE);
    if (all) {
        gy_witness *witnesses = result->witnesses;
        uint32_t count = result->witness_count;
        result->witnesses = found->witnesses;
        result->witness_count = found->witness_count;
        found->witnesses = witnesses;
        found->witness_count = count;
    }
    gy_search_result_free(found);
    return all;
}

// Witnesses are walked in the exact system. False: it can't be had.
static bool prepare_witnesses(const gy_arguments *arguments, gy_loaded *loaded,
                              gy_verification *verification, gy_search_result *result)
{
    bool longer = loaded->saved.reorders || is_stretched(result);
    verification->system = gy_exact_system(arguments, loaded);
    verification->shortest = !longer;
    if (verification->system && longer && result && result->witness_count > 0 &&
        verification->options->search == GY_SEARCH_BFS)
        verification->shortest = shorten(verification->system, verification->options, result);
    return verification->system != NULL;
}

static bool found_errors(const gy_verification *verification)
{
    bool found = verification->result && verification->result->witness_count > 0;
    for (size_t i = 0; i < verification->properties.n; i++) {
        const gy_product_result *live = verification->properties.at[i].live;
        found = found || (live && live->lasso);
    }
    return found;
}

// Asked for, symmetry must be of use.
static int insist_on_symmetry(const gy_arguments *arguments, gy_loaded *loaded,
                              const gy_verification *verification, const gy_search_options *options)
{
    if (!gy_properties_searched(verification))
        return gy_complain(arguments, "--symmetry: it is for safety alone, which is not checked "
                                      "here (a cycle may come back with its processes in other "
                                      "places); leave it out, or add safety to --check");
    char *why = gy_search_no_symmetry(loaded->system, options);
    int status = why ? gy_complain(arguments,
                                   "--symmetry: %s; leave it out, the other reductions "
                                   "still apply",
                                   why)
                     : 0;
    free(why);
    return status;
}

static int search_and_report(const gy_arguments *arguments, gy_loaded *loaded,
                             gy_verification *verification)
{
    gy_search_options options;
    gy_search_result *result = NULL;
    fill_options(arguments, &options);
    int refused = gy_given(arguments, GY_OPT_SYMMETRY)
                      ? insist_on_symmetry(arguments, loaded, verification, &options)
                      : 0;
    if (refused) {
        gy_verification_release(verification);
        return refused;
    }
    options.variant = gy_hash_bytes(&loaded->saved, sizeof loaded->saved, options.symmetry);
    verification->options = &options;
    if (gy_properties_searched(verification)) {
        gy_progress progress;
        gy_progress_begin(&progress, &options, gy_given(arguments, GY_OPT_QUIET));
        result = gy_search(loaded->system, &options);
        gy_progress_end(&progress);
    }
    verification->result = result;
    search_products(arguments, loaded, verification, &options, result ? result->seconds : 0);
    verification->backend = gy_native_name(loaded->system); // `auto` may have switched over
    say_why_not_native(loaded->system);
    bool ready =
        !found_errors(verification) || prepare_witnesses(arguments, loaded, verification, result);
    int status = ready ? report(arguments, verification) : GY_EXIT_WRONG;
    gy_verification_release(verification);
    free_trails(verification);
    if (result)
        gy_search_result_free(result);
    return status;
}

int gy_command_verify(const gy_arguments *arguments)
{
    gy_loaded loaded;
    int status = check_sense(arguments);
    if (status || (status = gy_read_for(arguments, &loaded)))
        return status;
    gy_verification verification = {
        .diags = loaded.diags,
        .all_errors = gy_given(arguments, GY_OPT_ALL_ERRORS),
        .unreached = gy_given(arguments, GY_OPT_UNREACHED),
        .quiet = gy_given(arguments, GY_OPT_QUIET),
        .verbose = gy_given(arguments, GY_OPT_VERBOSE),
        .full = gy_given(arguments, GY_OPT_FULL),
        .fairness = (gy_fairness)arguments->value[GY_OPT_FAIRNESS].number,
    };
    if (verification.fairness == GY_FAIRNESS_ACTIONS &&
        (!loaded.model || loaded.model->fair_action_count == 0))
        verification.fairness = GY_FAIRNESS_NONE;
    if (verification.fairness == GY_FAIRNESS_ACTIONS && gy_given(arguments, GY_OPT_SHORTEST)) {
        gy_loaded_free(&loaded);
        return gy_complain(arguments, "--shortest: the model has fairness labels, which a shortest "
                                      "cycle does not look at; add --fairness none");
    }
    const char *trail = arguments->value[GY_OPT_TRAIL].text;
    bool created = false;
    status = gy_properties_choose(arguments, &loaded, &verification);
    if (!status)
        status = check_cartesian(arguments, &verification);
    if (!status && trail && !loaded.model)
        status = gy_complain(arguments, "--trail: a shared object has no trails");
    if (!status && trail && !probe_trail(trail, &created))
        status = gy_complain(arguments, "can't write %s: %s", trail, strerror(errno));
    if (!status) {
        gy_watched watched;
        gy_properties_watched(&verification, &watched);
        status = gy_start_for(arguments, &watched, &loaded);
    }
    if (!status) {
        verification.searched = verification.system = loaded.system;
        verification.saved = loaded.saved;
        status = search_and_report(arguments, &loaded, &verification);
        if (trail && created && status != GY_EXIT_VIOLATED)
            unlink(trail);
    } else {
        gy_verification_release(&verification);
    }
    gy_loaded_free(&loaded);
    return status;
}
