#include "spin/pan_run.h"

#include "base/cache_folder.h"
#include "base/file.h"
#include "cli/command.h"
#include "model/spin_numbers.h"
#include "spin/simulate/simulate.h"
#include "verify/execution.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

// ---- what to ask ------------------------------------------------------------------------

static bool has_never(const gy_model *model)
{
    for (uint32_t t = 0; t < model->template_count; t++)
        if (model->templates[t].kind == GY_TMPL_NEVER)
            return true;
    return false;
}

static bool has_accept_label(const gy_model *model)
{
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t n = 0; n < model->templates[t].node_count; n++)
            if (model->templates[t].nodes[n].flags & GY_NODE_ACCEPT)
                return true;
    return false;
}

unsigned gy_pan_claims(const gy_model *model)
{
    unsigned claims = model->ltl_count;
    for (uint32_t t = 0; t < model->template_count; t++)
        claims += model->templates[t].kind == GY_TMPL_NEVER;
    return claims;
}

void gy_pan_tell_claims(const gy_pan *pan, gy_model *model)
{
    gy_text out = {0};
    const char *first = NULL, *comma = " ";
    if (!pan->formula)
        pml_spin_read(model, &out);
    unsigned claims = gy_pan_claims(model);
    if (claims > 1) {
        gy_text_printf(&out, "  the model contains %u never claims:", claims);
        for (uint32_t l = model->ltl_count; l-- > 0; comma = ", ") {
            gy_text_printf(&out, "%s%s", comma, model->ltls[l].name);
            first = model->ltls[l].name;
        }
        for (uint32_t t = model->template_count; t-- > 0;)
            if (model->templates[t].kind == GY_TMPL_NEVER) {
                gy_text_printf(&out, "%s%s", comma, model->templates[t].name);
                first = model->templates[t].name;
                comma = ", ";
            }
        gy_text_printf(&out,
                       "\n  only one claim is used in a verification run\n"
                       "  choose which one with ./pan -a -N name (defaults to -N %s)\n"
                       "  or use e.g.: spin -search -ltl %s %s\n",
                       first, first, pan->model);
    }
    gy_put(&out);
    gy_text_free(&out);
}

// spin -run looks for acceptance cycles where there may be some, unasked.
static void choose_cycles(gy_pan *pan, const gy_model *model)
{
    if (!pan->running || pan->non_progress || pan->acceptance || pan->safety)
        return;
    bool claims = !pan->no_claim && (has_never(model) || model->ltl_count > 0);
    if (has_accept_label(model) || claims)
        pan->acceptance = true;
    else
        pan->safety = true;
}

static bool is_ltl(const gy_model *model, const char *name)
{
    for (uint32_t l = 0; l < model->ltl_count; l++)
        if (strcmp(model->ltls[l].name, name) == 0)
            return true;
    return false;
}

// The claim that pan would take: the one that is named, else the first. False: it complained.
static bool choose_claim(gy_pan_run *run)
{
    const gy_pan *pan = run->pan;
    const gy_model *model = run->subject.model;
    run->claim_unused = pan->no_claim && (has_never(model) || model->ltl_count > 0);
    if (pan->no_claim || pan->non_progress)
        return true;
    if (pan->claim) {
        run->claim_is_ltl = is_ltl(model, pan->claim);
        run->claim = pan->claim;
        if (run->claim_is_ltl || (has_never(model) && strncmp(pan->claim, "never_", 6) == 0))
            return true;
        printf("pan: error: no claim %s in %s\n", pan->claim, pan->model);
        return false;
    }
    if (pan->formula) {
        run->claim = "never_0";
        run->claim_is_ltl = true;
    } else if (has_never(model)) {
        run->claim = "never_0";
    } else if (model->ltl_count > 0) {
        run->claim = model->ltls[0].name;
        run->claim_is_ltl = true;
    }
    return true;
}

static void put(gy_request *request, const char *option, const char *value)
{
    gy_text problem = {0};
    if (!gy_request_put(request, option, value, &problem))
        gy_say("spin: %s\n", gy_text_str(&problem));
    gy_text_free(&problem);
}

static void put_number(gy_request *request, const char *option, unsigned long long number,
                       const char *unit)
{
    char text[40];
    snprintf(text, sizeof text, "%llu%s", number, unit);
    put(request, option, text);
}

// The model with a claim after it. False: the file of the claim cannot be read; that was reported.
static bool add_claim(gy_request *request, const gy_pan *pan)
{
    size_t bytes, more = 0;
    gy_text text = {0};
    char *model = gy_read_file(pan->model, GY_NAMED, &bytes);
    char *claim = pan->never_file ? gy_read_file(pan->never_file, GY_NAMED, &more) : NULL;
    bool good = model && (claim || !pan->never_file);
    if (!good)
        printf("spin: error, cannot open file %s: %s\n", model ? pan->never_file : pan->model,
               strerror(errno));
    if (good)
        gy_text_bytes(&text, model, bytes);
    if (good && claim) {
        gy_text_printf(&text, "\n#line 1 \"%s\"\n", pan->never_file);
        gy_text_bytes(&text, claim, more);
    }
    if (good && pan->formula) // what the formula says must not happen
        gy_text_printf(&text, "\n#line 1 \"formula\"\nltl never_0 { !(%s) }\n", pan->formula);
    if (good)
        gy_request_text(request, pan->model, gy_text_str(&text), text.n);
    gy_text_free(&text);
    free(model);
    free(claim);
    return good;
}

static bool ask_for_model(gy_request *request, const gy_pan *pan)
{
    if (pan->never_file || pan->formula) {
        if (!add_claim(request, pan))
            return false;
    } else {
        gy_request_file(request, pan->model);
    }
    for (size_t i = 0; i < pan->defines.n; i++)
        put(request, "D", pan->defines.at[i]);
    for (size_t i = 0; i < pan->includes.n; i++)
        put(request, "I", pan->includes.at[i]);
    if (pan->lossy)
        put(request, "lossy", NULL);
    if (pan->unchecked_exclusive)
        put(request, "no-exclusive", NULL);
    return true;
}

static void ask_for_properties(gy_pan_run *run)
{
    const gy_pan *pan = run->pan;
    gy_request *request = run->request;
    put(request, "check", "safety");
    if (pan->non_progress)
        put(request, "check", "progress");
    else if (run->claim || pan->acceptance)
        put(request, "check", "liveness");
    if (run->claim_is_ltl)
        put(request, "ltl", run->claim);
    put(request, "fairness", pan->fair ? "weak" : "none");
    if (pan->no_assert)
        put(request, "no-assert", NULL);
    if (pan->no_end_states || run->claim || pan->non_progress)
        put(request, "no-deadlock", NULL);
    if (pan->empty_ends)
        put(request, "end-empty", NULL);
    if (pan->stop_at == 0)
        put(request, "all-errors", NULL);
    else if (pan->stop_at > 1)
        put_number(request, "all-errors", pan->stop_at, "");
    if (pan->stop_at != 1)
        put(request, "witnesses", "0");
    if (pan->shortest)
        put(request, "shortest", NULL);
}

static void ask_for_search(gy_request *request, const gy_pan *pan)
{
    bool exact = pan->no_reduction && pan->keeps_dead && pan->keeps_unused && pan->no_merging;
    if (exact)
        put(request, "exact", NULL);
    else if (pan->no_reduction)
        put(request, "no-por", NULL);
    if (exact && !pan->breadth_first && !pan->store)
        put(request, "search", "dfs"); // as pan does it
    else if (pan->breadth_first)
        put(request, "search", "bfs");
    if (pan->store)
        put(request, "store", pan->store);
    if (pan->hashes && pan->takes_hashes)
        put_number(request, "hashes", pan->hashes, "");
    if (pan->minutes)
        put_number(request, "time", 60 * pan->minutes, "");
    if (pan->megabytes)
        put_number(request, "memory", pan->megabytes, "M");
}

// The driver's trails go to a directory of their own; those of pan are made of them. NULL: it
// complained, and there will be no trails.
static char *ask_for_trails(gy_request *request)
{
    char *folder = gy_path_join(gy_temporary_folder(), "gyre-XXXXXX");
    if (!mkdtemp(folder)) {
        printf("pan: cannot make %s: %s\n", folder, strerror(errno));
        free(folder);
        return NULL;
    }
    char *trail = gy_path_join(folder, "trail");
    put(request, "trail", trail);
    free(trail);
    return folder;
}

// ---- what came of it ----------------------------------------------------------------------

// Does pan examine this property? A model may have others.
static bool is_asked(const gy_pan_run *run, const gy_property_outcome *property)
{
    if (strcmp(property->kind, "safety") == 0)
        return true;
    if (run->claim)
        return strcmp(property->name, run->claim) == 0;
    return strcmp(property->kind, run->pan->non_progress ? "progress" : "acceptance") == 0;
}

static void collect_property(gy_pan_run *run, const gy_property_outcome *property)
{
    bool lossy = property->figures && property->figures->limit &&
                 strcmp(property->figures->limit, "lossy") == 0;
    if (property->verdict == GY_INCONCLUSIVE && !lossy)
        run->complete = false;
    if (strcmp(property->kind, "acceptance") == 0)
        run->by_acceptance = true;
    // Of the claim, unless its search was ended because of this one.
    if (!run->figures || (run->enough && property->verdict == GY_VIOLATED && !run->error_count))
        run->figures = property->figures;
    if (property->verdict == GY_VIOLATED)
        run->error_count += property->errors ? property->errors : 1;
    for (uint32_t c = 0; c < property->counterexample_count; c++) {
        gy_pan_error error = {.counterexample = &property->counterexamples[c]};
        gy_vec_push(&run->errors, error);
    }
}

static void collect(gy_pan_run *run)
{
    const gy_outcome *outcome = run->outcome;
    run->complete = true;
    // The claim first: its search is the one that pan would have made.
    for (int safety = 0; safety < 2; safety++)
        for (uint32_t i = 0; i < outcome->property_count; i++) {
            const gy_property_outcome *property = &outcome->properties[i];
            if (is_asked(run, property) && (strcmp(property->kind, "safety") == 0) == safety)
                collect_property(run, property);
        }
    unsigned long long most = run->pan->stop_at;
    if (most && run->errors.n > most)
        run->errors.n = (size_t)most;
    if (most && run->error_count > most)
        run->error_count = most;
    if (run->error_count && most && run->error_count >= most)
        run->complete = false; // pan stops at an error
}

// A property that cannot be checked has no verdict. True: there is one, and it was reported.
static bool has_problem(const gy_pan_run *run)
{
    for (uint32_t i = 0; i < run->outcome->property_count; i++) {
        const gy_property_outcome *property = &run->outcome->properties[i];
        if (is_asked(run, property) && !property->checked) {
            printf("spin: error: %s: %s\n", property->name, property->problem);
            return true;
        }
    }
    if (run->outcome->verdict != GY_BROKEN)
        return false;
    for (uint32_t i = 0; i < run->outcome->diagnostic_count; i++)
        if (strcmp(run->outcome->diagnostics[i].severity, "error") == 0)
            printf("spin: error: %s\n", run->outcome->diagnostics[i].message);
    return true;
}

static void measure_vector(gy_pan_run *run)
{
    gy_path *path = gy_path_new(run->subject.system);
    if (gy_path_start(path, 0))
        run->vector_bytes = (unsigned)(gy_path_last(path)->words * sizeof(gy_word));
    gy_path_free(path);
}

// What pan says before it begins.
static void warn(const gy_pan_run *run)
{
    const gy_pan *pan = run->pan;
    if (pan->acceptance && !run->claim && !has_accept_label(run->subject.model) && !pan->running)
        fputs("warning: no accept labels are defined, so option -a has no effect (ignored)\n",
              stderr);
}

// Would it matter which of two escapes is tried first?
static bool has_nested_escapes(const gy_model *model)
{
    for (uint32_t e = 0; e < model->edge_count; e++)
        if (model->edges[e].escape > 1)
            return true;
    return false;
}

// ---- pan stops at an error ------------------------------------------------------------------

// One search of pan finds all kinds of errors: when one of ours has found enough, the others end.
// That for the claim gets a short while first, because the report is about it. After the first
// violation of a claim, pan meets another one in each state: so any number of them will do.
static void note_known(void *user, const gy_known_verdict *known)
{
    gy_pan_run *run = user;
    unsigned long long wanted = run->pan->stop_at;
    bool of_claim = strcmp(known->kind, "safety") != 0;
    if (known->verdict != GY_VIOLATED || !wanted)
        return;
    run->errors_so_far += known->errors ? known->errors : 1;
    run->enough = of_claim || run->errors_so_far >= wanted;
    if (of_claim && run->errors_so_far >= wanted)
        gy_request_stop(run->request);
}

// Of a search that takes a second or more.
static void note_progress(void *user, const gy_search_progress *progress)
{
    gy_pan_run *run = user;
    (void)progress;
    if (run->enough)
        gy_request_stop(run->request);
}

static gy_request *under_way; // a signal handler can reach nothing else

static void on_signal(int number)
{
    gy_request_stop(under_way);
    signal(number, SIG_DFL); // a second one ends the program
}

// As pan, it reports what is known when it is interrupted.
static void hear_signals(gy_pan_run *run, bool hear)
{
    struct sigaction action = {.sa_handler = hear ? on_signal : SIG_DFL};
    under_way = run->request;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int verify(gy_pan_run *run)
{
    gy_text out = {0};
    if (run->pan->inside_out && has_nested_escapes(run->subject.model)) {
        puts("pan: option -J is not supported by gyre for a model with nested escapes");
        return 1;
    }
    if (!choose_claim(run))
        return 1;
    warn(run);
    ask_for_properties(run);
    ask_for_search(run->request, run->pan);
    run->request->known = note_known;
    run->request->progress = note_progress;
    run->request->progress_user = run;
    char *folder = ask_for_trails(run->request);
    hear_signals(run, true);
    run->outcome = gy_verify_subject(run->request, &run->subject);
    hear_signals(run, false);
    bool wrong = has_problem(run);
    if (!wrong)
        collect(run);
    bool written = gy_pan_write_trails(run) && folder;
    if (folder)
        rmdir(folder);
    free(folder);
    if (wrong)
        return 1;
    if (run->subject.system)
        measure_vector(run);
    gy_pan_report(run, &out);
    gy_put(&out);
    gy_text_free(&out);
    return written ? 0 : 1;
}

bool gy_pan_read(const gy_pan *pan, gy_request *request, gy_loaded_model *subject)
{
    gy_user_error complaint = {0};
    gy_text out = {0};
    if (!ask_for_model(request, pan))
        return false;
    request->no_object = true; // Spin reads Promela
    bool read = gy_loaded_model_read_safely(subject, request, &complaint);
    if (subject->diags)
        gy_spin_diagnostics(subject->diags, &out);
    if (!read && complaint.message.n > 0)
        gy_text_printf(&out, "spin: %s\n", gy_text_str(&complaint.message));
    if (read && !(subject->model && subject->model->spin)) {
        gy_text_printf(&out, "spin: %s is no Promela\n", pan->model);
        read = false;
    }
    gy_put(&out);
    gy_text_free(&out);
    gy_user_error_free(&complaint);
    return read;
}

int gy_pan_verify(const gy_pan *pan)
{
    gy_pan own = *pan;
    gy_pan_run run = {.pan = &own, .request = gy_request_new()};
    int status = 1;
    if (gy_pan_read(pan, run.request, &run.subject)) {
        if (pan->running)
            gy_pan_tell_claims(pan, run.subject.model);
        choose_cycles(&own, run.subject.model);
        status = verify(&run);
    }
    for (size_t i = 0; i < run.errors.n; i++)
        free(run.errors.at[i].trail);
    gy_vec_free(&run.errors);
    if (run.outcome)
        gy_outcome_free(run.outcome);
    gy_loaded_model_free(&run.subject);
    gy_request_free(run.request);
    return status;
}
