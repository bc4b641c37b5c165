// The report of pan, line by line. A line whose figure Gyre has not (atomic steps, hash conflicts,
// the sizes of pan's tables) is left out.
#include "spin/pan_run.h"

#include "base/source.h"
#include "model/spin_numbers.h"

#include <stdio.h>

void gy_spin_diagnostics(const gy_diags *diags, gy_text *out)
{
    const gy_sources *sources = gy_diags_sources(diags);
    for (size_t i = 0; i < gy_diags_count(diags); i++) {
        const gy_diag *diag = gy_diags_at(diags, i);
        if (diag->severity != GY_ERROR)
            continue;
        if (diag->place && sources) {
            gy_location_info place = gy_location_user(sources, diag->place);
            gy_text_printf(out, "spin: %s:%u, Error: %s\n", gy_source_name(sources, place.file),
                           place.line, diag->message);
        } else {
            gy_text_printf(out, "spin: Error: %s\n", diag->message);
        }
    }
}

// ---- errors -------------------------------------------------------------------------------

// The assertion that failed, as Spin writes it: (inside==1).
static void put_assertion(const gy_model *model, const gy_actor *culprit, gy_text *out)
{
    const char *text = NULL;
    for (uint32_t e = 0; culprit && model->spin && e < model->edge_count && !text; e++) {
        const gy_edge *edge = &model->edges[e];
        if (edge->text && edge->place && strcmp(edge->text, culprit->text) == 0 &&
            gy_location_user(model->sources, edge->place).line == culprit->line)
            text = model->spin->texts[e];
    }
    size_t n = text ? strlen(text) : 0;
    if (n > strlen("assert()") && strncmp(text, "assert(", 7) == 0)
        gy_text_printf(out, " %.*s", (int)(n - strlen("assert()")), text + strlen("assert("));
}

static void put_error(const gy_pan_run *run, size_t i, gy_text *out)
{
    static const struct {
        const char *kind, *text;
    } words[] = {
        {"assertion", "assertion violated"},
        {"invalid-end-state", "invalid end state"},
        {"acceptance-cycle", "acceptance cycle"},
        {"non-progress-cycle", "non-progress cycle"},
        {"claim-end", "end state in claim reached"},
        {"ltl-violation", "assertion violated"},
        {"index-out-of-bounds", "assertion violated - invalid array index"},
    };
    const gy_pan_error *error = &run->errors.at[i];
    const gy_counterexample *found = error->counterexample;
    const char *text = found->message;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (strcmp(found->kind, words[w].kind) == 0)
            text = words[w].text;
    gy_text_printf(out, "pan:%zu: %s", i + 1, text);
    if (strcmp(found->kind, "assertion") == 0)
        put_assertion(run->subject.model, found->final.culprit, out);
    if (strcmp(found->kind, "ltl-violation") == 0)
        gy_text_printf(out, " (ltl %s)", run->claim);
    gy_text_printf(out, " (at depth %lld)\n", error->depth);
    if (error->trail)
        gy_text_printf(out, "pan: wrote %s\n", error->trail);
}

// ---- what was searched for ----------------------------------------------------------------

static void put_cycles(const gy_pan_run *run, gy_text *out)
{
    const gy_pan *pan = run->pan;
    const char *fair = pan->fair ? "(fairness enabled)" : "(fairness disabled)";
    if (pan->non_progress)
        gy_text_printf(out, "\tnon-progress cycles \t+ %s\n", fair);
    else if (run->claim || run->by_acceptance)
        gy_text_printf(out, "\tacceptance   cycles \t+ %s\n", fair);
    else if (pan->safety || !pan->acceptance)
        gy_text_printf(out, "\tcycle checks       \t- (%s)\n",
                       pan->safety ? "disabled by -DSAFETY" : "not selected");
    else
        gy_text_add(out, "\tacceptance   cycles \t- (not selected)\n");
}

static bool is_notrace(const gy_model *model)
{
    return model->templates[model->trace].kind == GY_TMPL_NOTRACE;
}

static void put_search(const gy_pan_run *run, gy_text *out)
{
    const gy_pan *pan = run->pan;
    const gy_figures *figures = run->figures;
    bool bits = figures && figures->tells_coverage;
    gy_text_printf(out, "\n(%s)\n", GY_SPIN_VERSION);
    if (!run->complete)
        gy_text_add(out, "Warning: Search not completed\n");
    if (pan->breadth_first)
        gy_text_add(out, "\t+ Breadth-First Search\n");
    if (figures && figures->reduced)
        gy_text_add(out, "\t+ Partial Order Reduction\n");
    gy_text_printf(out, "\n%s search for:\n",
                   bits                                 ? "Bit statespace"
                   : figures && figures->tells_omission ? "Hash-Compact"
                                                        : "Full statespace");
    if (run->subject.model->trace >= 0)
        gy_text_printf(out, "\t%strace assertion  %s\t+\n",
                       is_notrace(run->subject.model) ? "no" : "",
                       is_notrace(run->subject.model) ? "" : "  ");
    if (run->claim)
        gy_text_printf(out, "\tnever claim         \t+ (%s)\n", run->claim);
    else if (pan->non_progress)
        gy_text_add(out, "\tnever claim         \t+ (:np_:)\n");
    else
        gy_text_printf(out, "\tnever claim         \t- (%s)\n",
                       run->claim_unused ? "not selected" : "none specified");
    gy_text_printf(out, "\tassertion violations\t%s\n",
                   pan->no_assert ? "- (disabled by -A flag)" : "+");
    put_cycles(run, out);
    gy_text_printf(out, "\tinvalid end states\t%s\n\n",
                   run->claim || pan->non_progress ? "- (disabled by never claim)"
                   : pan->no_end_states            ? "- (disabled by -E flag)"
                                                   : "+");
}

static void put_figures(const gy_pan_run *run, gy_text *out)
{
    const gy_figures *figures = run->figures;
    unsigned long long depth = figures ? figures->depth : 0, states = figures ? figures->states : 0;
    for (size_t i = 0; i < run->errors.n; i++)
        if (run->errors.at[i].depth > (long long)depth)
            depth = (unsigned long long)run->errors.at[i].depth;
    gy_text_printf(out, "State-vector %u byte, depth reached %llu, errors: %llu\n",
                   run->vector_bytes, depth, run->error_count);
    if (!figures)
        return;
    gy_text_printf(out, "%9llu states, stored\n", states);
    gy_text_printf(out, "%9llu states, matched\n", (unsigned long long)figures->matched);
    gy_text_printf(out, "%9llu transitions (= stored+matched)\n",
                   (unsigned long long)(figures->states + figures->matched));
    gy_text_add(out, "\nStats on memory usage (in Megabytes):\n");
    gy_text_printf(out, "%9.3f\tactual memory usage for states\n",
                   (double)figures->memory / (1024.0 * 1024.0));
    gy_text_printf(out, "%9.3f\ttotal actual memory usage\n\n\n",
                   (double)run->outcome->memory / (1024.0 * 1024.0));
    if (*figures->limit_text && !run->complete && run->error_count == 0)
        gy_text_printf(out, "pan: %s\n\n", figures->limit_text);
}

// ---- unreached states -----------------------------------------------------------------------

// Which nodes of a template some process was at: where it begins, and where statements lead that
// were executed. (pan notes a state when a statement there is tried, not when it executes.)
static void find_visited(const gy_pan_run *run, const gy_template *tmpl, bool *visited)
{
    const gy_model *model = run->subject.model;
    const gy_outcome *outcome = run->outcome;
    bool *missed = gy_alloc_zero(model->edge_count + 1);
    bool any = tmpl->active > 0;
    for (uint32_t i = 0; i < outcome->unreached_count; i++)
        if (outcome->unreached[i].edge >= 0) // else it is no edge, but one cut off
            missed[outcome->unreached[i].edge] = true;
    for (int32_t e = tmpl->first_edge; e < tmpl->first_edge + tmpl->edge_count; e++) {
        const gy_edge *edge = &model->edges[e];
        if (missed[e] || edge->escape > 0)
            continue;
        any = true;
        visited[edge->from] = true;
        if (edge->to >= 0)
            visited[edge->to] = true;
    }
    if (any)
        visited[tmpl->initial] = true;
    free(missed);
}

static void put_state(const gy_model *model, gy_location at, int32_t state, const char *text,
                      gy_text *out)
{
    gy_location_info place = gy_location_user(model->sources, at);
    gy_text_printf(out, "\t%s:%u, state %d, \"%s\"\n", gy_source_name(model->sources, place.file),
                   place.line, (int)state, text);
}

static int put_node(const gy_model *model, const gy_template *tmpl, int32_t t, int32_t n,
                    gy_text *out)
{
    const gy_node *node = &tmpl->nodes[n];
    for (int32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
        put_state(model, gy_pan_place(model, node), model->spin->states[t][n],
                  model->spin->texts[e], out);
    return node->edge_count > 0;
}

static void put_unreached(const gy_pan_run *run, int32_t t, gy_text *out)
{
    const gy_model *model = run->subject.model;
    const gy_template *tmpl = &model->templates[t];
    const gy_spin_end *end = &model->spin->ends[t];
    int32_t missing = 0;
    bool *visited = gy_alloc_zero(tmpl->node_count + 1), ends = false;
    find_visited(run, tmpl, visited);
    if (tmpl->kind == GY_TMPL_INIT)
        gy_text_add(out, "unreached in init\n");
    else
        gy_text_printf(out, "unreached in proctype %s\n", tmpl->name);
    for (int32_t state = 1; state <= end->states; state++)
        for (uint32_t n = 0; n < tmpl->node_count; n++) {
            if (model->spin->states[t][n] != state)
                continue;
            ends = ends || state == end->state;
            if (!visited[n])
                missing += put_node(model, tmpl, t, (int32_t)n, out);
        }
    if (!ends) { // no path leads there
        put_state(model, end->place, end->state, "-end-", out);
        missing++;
    }
    gy_text_printf(out, "\t(%d of %d states)\n", (int)missing, (int)end->states);
    free(visited);
}

void gy_pan_report(const gy_pan_run *run, gy_text *out)
{
    const gy_model *model = run->subject.model;
    if (run->claim && gy_pan_claims(model) > 1 && !run->pan->breadth_first)
        gy_text_printf(out, "pan: ltl formula %s\n", run->claim);
    for (size_t i = 0; i < run->errors.n; i++)
        if (i == 0 || run->pan->every_trail || run->errors.at[i].trail)
            put_error(run, i, out);
    put_search(run, out);
    put_figures(run, out);
    bool stopped = run->error_count > 0 && run->pan->stop_at > 0;
    if (run->outcome->has_coverage && model->spin && !run->pan->no_unreached && !stopped)
        for (uint32_t t = 0; t < model->template_count; t++)
            if (model->templates[t].kind == GY_TMPL_PROCESS ||
                model->templates[t].kind == GY_TMPL_INIT)
                put_unreached(run, (int32_t)t, out);
    double seconds = run->outcome->seconds;
    gy_text_printf(out, "\npan: elapsed time %.3g seconds\n", seconds);
    if (run->figures && seconds > 0.1)
        gy_text_printf(out, "pan: rate %9.8g states/second\n",
                       (double)run->figures->states / seconds);
}
