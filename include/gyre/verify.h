// Verification for any program: ask, get an answer, step through the counterexample.
//
//     gy_request *request = gy_request_new();
//     gy_request_file(request, "model.pml");
//     gy_request_set(request, "time", "60", NULL);     // as --time 60 on the command line
//     gy_outcome *outcome = gy_verify(request);
//     ... outcome->verdict, outcome->properties[0].counterexamples[0].steps[0].actor.text ...
//     gy_outcome_free(outcome);
//     gy_request_free(request);
//
// An outcome is a value: it refers to no system, no request and no search, can be read by several
// threads at once and outlives everything that it describes. All that is reached through it is
// owned by it and ends with gy_outcome_free. Strings are UTF-8 where the model is; those that may
// be missing are NULL and say so here.
//
// Threads: a request belongs to one thread at a time (gy_request_stop aside). Any number of
// verifications may run at once. A model cannot make these functions end the program: what is wrong
// with it is a diagnostic. (Running out of memory without a limit that was set does.)
#ifndef GYRE_VERIFY_H
#define GYRE_VERIFY_H

#include "gyre/gyre.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- asking -------------------------------------------------------------------------

typedef struct gy_request gy_request;
typedef struct gy_outcome gy_outcome;

GY_API gy_request *gy_request_new(void);
GY_API void gy_request_free(gy_request *request);
// The model: a file, a text (`name` is its name in messages; both are copied), or a system
// that was loaded (borrowed; nothing else may use it meanwhile).
GY_API void gy_request_file(gy_request *request, const char *path);
GY_API void gy_request_text(gy_request *request, const char *name, const char *text, size_t bytes);
GY_API void gy_request_system(gy_request *request, gy_system *system);
// An option as on the command line of `gyre MODEL`, without the dashes: "ltl", "check", "fairness",
// "time", "memory", "depth", "threads", "store", "search", "exact", "no-c" … `value` is NULL for
// those that take none. Options that may be repeated accumulate. False: *problem (if not NULL; free
// it with gy_free) says what is wrong, and the request is as before.
GY_API bool gy_request_set(gy_request *request, const char *option, const char *value,
                           char **problem);
// The verification that runs with this request ends soon. From any thread, and from a signal
// handler.
GY_API void gy_request_stop(gy_request *request);

// Never NULL: what cannot be done is an outcome, too.
GY_API gy_outcome *gy_verify(gy_request *request);
GY_API void gy_outcome_free(gy_outcome *outcome);
// The report in one of the forms that `gyre` knows ("text", "json" …). Free it with gy_free. NULL:
// the form is unknown.
GY_API char *gy_outcome_render(const gy_outcome *outcome, const char *form);

// A state with the names of its variables: the object that is `final` in a counterexample of that
// JSON report (`ending`, `globals`, `channels`, `processes` with their places, locals and what they
// wait for). A foreign system has no names: `text` is all there is. `exclusive` is what the
// transition that led there said, -1 for any state that gy_initial or gy_successors has given. Free
// it with gy_free.
GY_API char *gy_state_names(gy_worker *worker, const gy_word *state, uint32_t words,
                            int32_t exclusive);

// ---- answers ------------------------------------------------------------------------

typedef enum {
    GY_HOLDS,
    GY_VIOLATED,
    GY_INCONCLUSIVE, // a limit was reached, or a search that may miss states has found nothing
    GY_BROKEN,       // the model or the request is wrong: see the diagnostics
} gy_verdict;
GY_API const char *gy_verdict_text(gy_verdict verdict); // "holds", "violated" …

typedef enum { GY_VALUE_NUMBER, GY_VALUE_BOOL, GY_VALUE_NAME, GY_VALUE_CHANNEL } gy_value_kind;

typedef struct gy_value {
    gy_value_kind kind;
    int64_t number;
    const char *text; // as a person would write it
} gy_value;

// A message: the values of its fields.
typedef struct gy_message {
    const gy_value *fields;
    uint32_t count;
} gy_message;

// Of an inline: its name, and where the call is.
typedef struct gy_inline_call {
    const char *name;
    const char *file;
    uint32_t line, column;
} gy_inline_call;

// A process and the statement that it executed.
typedef struct gy_actor {
    const char *process; // user(1)
    const char *type;    // user; NULL of a foreign system
    int32_t pid;
    const char *file;
    uint32_t line;    // 0: none
    const char *text; // the statement, on one line: as it was written, where that is known
    uint32_t column;  // where it begins, from 1, in bytes; 0: not known
    const gy_inline_call
        *calls; // of inlines through which the statement came there, innermost first
    uint32_t call_count;
} gy_actor;

typedef enum {
    GY_CHANGE_VALUE,       // of a variable: before and after
    GY_CHANGE_CONTENTS,    // of a channel: before and after
    GY_CHANGE_STARTS,      // a process
    GY_CHANGE_ENDS,        // a process
    GY_CHANGE_NEW_CHANNEL, // a local channel was made
    GY_CHANGE_NO_CHANNEL,  // a local channel is gone, with the process that made it
    GY_CHANGE_RENAMED,     // a channel is called `after` now: other variables hold it
} gy_change_kind;

typedef struct gy_process_value gy_process_value;
typedef struct gy_channel_value gy_channel_value;

typedef struct gy_change {
    gy_change_kind kind;
    const char *name; // x, user(1):x, q, user(2)
    const char *bare; // the same without the process
    int32_t pid;      // the process that owns the variable, or -1
    gy_value before, after;
    const gy_message *old_messages, *new_messages; // of contents: the same as values
    uint32_t old_count, new_count;
    const gy_process_value *process; // that starts: its place and first values; else NULL
    const gy_channel_value *channel; // that was made; else NULL
} gy_change;

// Where a process is after a step.
typedef struct gy_position {
    int32_t pid;
    int32_t state; // its control state, as gyre info numbers them
    const char *file;
    uint32_t line, column;
} gy_position;

// The message that a send or receive moved.
typedef struct gy_message_event {
    bool is_send;         // else a receive
    bool rendezvous;      // then the step is both
    bool keeps;           // a receive that leaves the message where it is
    const char *channel;  // q
    const char *contents; // 3,req
    gy_message message;   // the same as values; none of a send that cannot be evaluated
} gy_message_event;
GY_RENAMED(gy_moved, gy_message_event);

// One executed statement, or two that are a rendezvous.
typedef struct gy_report_step {
    uint64_t number; // from 1
    gy_actor actor;
    const gy_actor *partner; // the receiver of a rendezvous, or NULL
    // What users see. As many as `quiet_count` follow after these, about names of channels:
    // with them, the changes of all steps lead from the initial state to each other one.
    const gy_change *changes;
    uint32_t change_count;
    uint32_t quiet_count;
    const gy_position *positions; // of the processes that are elsewhere after the step
    uint32_t position_count;
    const gy_message_event *moved; // or NULL
    const char *const *prints;     // what printf and printm wrote
    uint32_t print_count;
    bool atomic;                      // the process must go on alone after it
    bool atomic_before, atomic_after; // tied to the step before (after) by an atomic sequence
    const char *fault;                // NULL, or the kind of what went wrong …
    const char *message;              // … and one line about it
    gy_step step; // the same in numbers: what gy_single_steps would have to take here
    bool called;  // the actor was not in these calls at its step before
} gy_report_step;
GY_RENAMED(gy_told, gy_report_step);

typedef struct gy_binding {
    const char *name;
    bool is_list;
    bool is_own; // of a chan: holds the channel that was made for it
    const gy_value *values;
    uint32_t count;
} gy_binding;

struct gy_channel_value {
    const char *name;
    uint32_t capacity;
    const char *const *messages; // "[3,req]"
    uint32_t message_count;
    const gy_message *contents; // the same as values
};

struct gy_process_value {
    const char *process, *type;
    int32_t pid;
    const char *file;
    uint32_t line, column;
    const gy_binding *locals;
    uint32_t local_count;
    bool can_move, may_rest;
    const char *waits;            // why it is blocked, or NULL
    const char *const *waits_for; // the same as codes: "receive", "send", "condition" …
    uint32_t waits_count;
    const char *prospect; // what it does next, or what keeps it
    int32_t state;        // its control state, as gyre info numbers them
};

typedef enum {
    GY_ENDING_FAULT,    // a failed assertion or another run-time error
    GY_ENDING_DEADLOCK, // no process is enabled and some process may not rest where it is
    GY_ENDING_REST,     // no process is enabled, and that is all right
    GY_ENDING_FINISHED, // every process has ended
    GY_ENDING_OPEN,     // some process is still enabled
} gy_ending;

// The last state of a path, and why it ends there.
typedef struct gy_final {
    gy_ending ending;
    const char *name;            // "fault", "invalid-end-state", "end-state", "finished" …
    const char *fault, *message; // of a fault: its kind, and one line
    const gy_actor *culprit;     // of a fault: whose statement it was; or NULL
    bool stuck;                  // the fault left no successor: this is the state before it
    bool empty_channels;         // an end state was to have empty channels
    bool has_values;             // else the system is a foreign one …
    const char *text;            // … and this is all there is, or NULL
    const gy_binding *globals;
    uint32_t global_count;
    const gy_channel_value *channels;
    uint32_t channel_count;
    const gy_process_value *processes;
    uint32_t process_count;
} gy_final;

// Which part of a formula decides that a run violates it.
typedef struct gy_formula_reason {
    const char *part;
    const char *kind; // "holds", "fails", "never", "always", "unknown"
    uint64_t step;    // after which, or from which on, that is so
} gy_formula_reason;
GY_RENAMED(gy_because, gy_formula_reason);

// A process that is blocked for ever.
typedef struct gy_stuck_process {
    const char *process;
    int32_t pid;
    const char *waits;  // for what
    const char *reason; // the same, with who could let it go and does not: a sentence
} gy_stuck_process;
GY_RENAMED(gy_stuck, gy_stuck_process);

// A cycle that leaves processes out that are enabled.
typedef struct gy_unfair {
    const char *const *processes;
    uint32_t process_count;
    bool always;          // in each state of the cycle; else in some
    const char *fairness; // "weak", "strong": leaves such runs out …
    gy_verdict verdict;   // … and then the property has this one; GY_INCONCLUSIVE: not known
    const char *text;     // all of it in a sentence
} gy_unfair;

typedef struct gy_counterexample {
    const char *kind;        // "assertion", "invalid-end-state", "acceptance-cycle" …
    const char *message;     // one line, with the values
    const char *title;       // the same for a headline
    uint64_t length;         // statements executed
    uint64_t depth;          // transitions of the search: an atomic sequence counts as one
    int64_t cycle_start;     // steps before the cycle of an infinite run begins, or -1
    bool shortest;           // no shorter one exists, in statements: a rendezvous counted twice …
    uint64_t first_length;   // steps of the run that was found first, if it was another; else 0
    bool effort_spent;       // a shorter one was looked for with limited effort, and all was spent
    bool shortest_lasso;     // … or no lasso that violates the property has a smaller cost
    bool shortest_product;   // … or none with a smaller cost in the product with its automaton
    uint64_t cost;           // of a lasso: statements in stem and cycle, a rendezvous counted twice
    bool pairs;              // the model has rendezvous: statements are not the same as steps
    const char *trail;       // the file that was written, or NULL
    const char *claim;       // the file with the claim that belongs to it, or NULL
    const char *explanation; // of a formula: why the run violates it; "" if nothing is known
    const gy_formula_reason *because;
    uint32_t because_count;
    const gy_unfair *unfair;       // of a lasso, or NULL
    const gy_stuck_process *stuck; // of a partial deadlock
    uint32_t stuck_count;
    const gy_report_step *steps;
    uint64_t step_count; // may be below `length`: then …
    const char *cut;     // … this limit kept the others from being reported; else NULL
    gy_final initial; // the state before the first step; has_values is false if it was not reported
    gy_final final;
    const uint32_t *nodes; // of the outcome's graph: before each step, and at the end; or NULL
    // Context switches: steps in which no process takes part that took part in the step before.
    uint64_t switches;
    int64_t switches_found; // of the run that was found, if --simplify was asked for; else -1
    bool fewest_switches;   // no run to this error has fewer
    const char
        *not_simplified; // why it is not known whether there is one; NULL: it is, or not asked
} gy_counterexample;

// One of the searches of a hunt, and what it did.
typedef struct gy_hunt_stats {
    const char *strategy, *title;
    const char *heuristic; // or NULL
    uint64_t moves;        // that it examined
    uint64_t states;       // that it visited
    uint64_t depth, runs, errors;
} gy_hunt_stats;
GY_RENAMED(gy_hunter_told, gy_hunt_stats);

// What a swarm of jobs did (gyre swarm).
typedef struct gy_swarm_stats {
    const char *guide;              // the processes that divide the search …
    const char *why;                // … and why these
    const char *traces;             // of the guide, in decimal or as 1.31e13
    uint32_t parts, levels;         // of the guide
    uint64_t stages, jobs;          // jobs that were done
    uint64_t divided;               // parts that were divided into cells
    uint64_t failed, split, pruned; // handed out again; too large; not needed
    uint64_t visited;               // states, by all jobs together
    bool exact;                     // the number of states is exact, not an estimate
    double redundancy;              // visited, for each state
    double settled;                 // part of the traces that need no more jobs, 0..1
    uint64_t largest;               // states stored by one job
    uint64_t largest_memory;
    double longest;     // seconds of one job
    bool error_met;     // the counterexample is that of the property; this is who has found it …
    uint64_t error_job; // … and how many jobs were asked for the path to it
    uint64_t error_asked;
    const char *folder; // the directory that holds it, or NULL
    const char *note;   // what was found damaged when it went on, or NULL
} gy_swarm_stats;
GY_RENAMED(gy_swarm_told, gy_swarm_stats);

// What a search did.
typedef struct gy_figures {
    const char *search, *store;
    uint64_t states, transitions, matched;
    uint64_t depth;         // 0 if not known
    const char *depth_unit; // "statements" (as --depth counts), "transitions" (an atomic sequence
                            // is one): the levels of a breadth-first search, paths of a product
    double seconds;
    uint64_t memory; // bytes for states and queues at their peak
    double bytes_per_state;
    unsigned threads;
    bool complete;
    bool error_met;          // if nothing else was found: a limit kept the search from a path to it
    const char *limit;       // NULL, "memory", "time", "states", "depth", "interrupt", "lossy" …
    const char *limit_text;  // "the time limit of 2.0 s was reached"; "" if there is nothing to say
    bool reduced;            // by partial order …
    const char *not_reduced; // … or why not, or NULL
    const char *not_symmetric;
    bool reduction_checked;
    bool tells_omission, tells_coverage; // by the store; then the following matter
    double omission_probability;         // of having missed at least one state
    double coverage, fill;               // expected part of the states seen; part of the bits set
    const gy_hunt_stats *hunters;        // of a hunt
    uint32_t hunter_count;
    const char *guarantee;   // of a hunt that has found nothing: what its random runs say; or NULL
    double guarantee_chance; // the probability in it
    const gy_swarm_stats *swarm; // or NULL
    // Over several ranks (--mpi), or 0: states that one of them has stored, and what all have sent.
    unsigned ranks;
    uint64_t rank_fewest, rank_most, sent_states, sent_bytes, sent_batches;
    // With --disk, if memory was full: how often, and what went to files and back.
    uint64_t disk_emptied, disk_states, disk_bytes, disk_written, disk_read;
} gy_figures;

typedef struct gy_property_outcome {
    const char *name;
    const char *kind; // "safety", "partial-deadlock", "ltl", "never", "progress", "acceptance"
    gy_verdict verdict;
    bool checked;             // false: it cannot be checked, see `problem`
    const char *problem;      // one line: what is wrong, or why the verdict is open; "" if it holds
    const char *vacuity;      // "vacuous: …"; "" if it is not
    const char *const *unmet; // antecedents of a formula that never matter
    uint32_t unmet_count;
    bool vacuous;
    const gy_figures *figures; // of its search, or NULL
    const char *cycles;        // "nested", "components" …: how they were looked for, or NULL
    const char *cycles_why;    // and why so
    uint32_t together;         // formulas for which the system was explored once; 0: for it alone
    const char *device_note;   // NULL, or why it was not searched on a device as was asked
    uint64_t errors;           // how often an error was found
    uint64_t distinct;         // distinct ones that the search has kept a path to
    const gy_counterexample *counterexamples;
    uint32_t counterexample_count;
    uint64_t left_out;        // counterexamples that are not reported …
    const char *left_out_why; // … and why
    bool fair;                // the fairness that the outcome reports was assumed
    // Of --cover: how the states that are asked for were looked for; NULL: it was not asked.
    const char
        *predicate_class;     // "local", "conjunctive", "linear", "sum", "disjunctive", "general"
    uint32_t predicate_parts; // conditions, terms of a sum, parts of a disjunction
    const char *predicate_method;  // "least-cut", "intervals", "sat", "cuts"
    const char *predicate_text;    // the same in words
    const char *predicate_warning; // NULL, or that this may take very long
    const char *expected;          // the verdict that was expected, or NULL
    bool asked;                    // by its name or text: users see it before the others
    const char *formula;           // of an ltl property: as it was written; else NULL
} gy_property_outcome;

typedef struct gy_reduction_figure {
    const char *key, *one, *many;
    uint64_t value;
} gy_reduction_figure;

// A reduction that was made use of, and what it did.
typedef struct gy_reduction_use {
    const char *key, *name;
    gy_reduction_figure figures[3];
    uint32_t figure_count;
} gy_reduction_use;

typedef struct gy_unreached {
    const char *type; // of the process
    const char *file;
    uint32_t line, column;
    const char *text;
    int32_t edge; // its number in the model, as in gyre info --json; -1: control cannot come there
    bool asserts; // it holds an assertion (other than `assert(false)`)
} gy_unreached;

typedef struct gy_diagnostic {
    const char *severity; // "error", "warning", "note"
    const char *code;     // a word for programs, or NULL
    const char *file;     // NULL: no place
    uint32_t line, column;
    uint32_t end_line, end_column; // after the last character that is meant; 0: not known
    const char *message;
    const char *hint;    // or NULL
    const char *excerpt; // source lines with carets, or NULL
} gy_diagnostic;

// The text of a file that the model was read from.
typedef struct gy_source_file {
    const char *name; // as in places
    const char *text;
} gy_source_file;

// A choice that was made, and why.
typedef struct gy_plan_choice {
    const char *what, *choice, *reason;
} gy_plan_choice;

// The longest names of a model, in columns.
typedef struct gy_widths {
    size_t process, place, statement;
    size_t short_place; // without directories
} gy_widths;

// The states of a small model, and every step between them, one statement at a time.
typedef struct gy_state_node {
    const char
        *text; // "x = 1" and so on, one variable to a line; of a fault that leads nowhere, it
    bool initial, end, invalid,
        fault; // `end`: no process is enabled; `invalid`: and something should
} gy_state_node;

typedef struct gy_state_edge {
    uint32_t from, to;
    int32_t pid;
    const char *text;
    bool fault;
} gy_state_edge;

typedef struct gy_state_graph {
    const gy_state_node *nodes;
    uint32_t node_count;
    const gy_state_edge *edges;
    uint32_t edge_count;
} gy_state_graph;

struct gy_outcome {
    gy_verdict verdict;
    bool internal; // GY_BROKEN by a mistake of Gyre's own
    const char *model;
    const gy_fault_row *faults; // what can go wrong in the system; NULL: as in any model
    uint32_t fault_count;
    const gy_property_outcome *properties;
    uint32_t property_count;
    // The search of safety or, without one, the first that there was; NULL: none.
    const gy_figures *figures;
    const gy_figures *safety;  // NULL: safety was not searched
    const char *absent;        // "no assertion violation, no …": what a complete search excludes
    const char *fairness;      // "none", "actions", "weak", "strong"
    const char *fairness_text; // "weak fairness assumed"; "" if none
    uint32_t fair_statements;
    bool all_errors, wants_shortest;
    bool all_values; // a lasso returns to the values of all variables, also where they never matter
    const char *backend;      // "vm", "native" …
    const char *backend_note; // why there was no compiled code, or ""
    const gy_reduction_use *reductions;
    uint32_t reduction_count;
    bool has_coverage;
    uint32_t statements, reached; // of the model
    const gy_unreached *unreached;
    uint32_t unreached_count;
    const gy_source_file *sources; // of the model; none of a foreign system
    uint32_t source_count;
    const gy_state_graph *graph; // with the setting "state-graph", of a small model; else NULL
    const gy_plan_choice *plan;
    uint32_t plan_count;
    const gy_diagnostic *diagnostics; // of the model and of the request
    uint32_t diagnostic_count;
    const gy_diagnostic *notes; // about the verification
    uint32_t note_count;
    const char *hint;       // what the user could do about a limit, or ""
    bool has_expectations;  // some verdict was expected …
    const char *expected;   // … of the whole, or NULL
    const char *unexpected; // "" if all is as expected; else what is not, in one line
    double least_coverage;  // percent of the statements that were to be reached; < 0: not asked
    bool covered;           // and were
    const char *endless;    // an atomic sequence that never ends, or ""
    // Of the whole: from the start of the command, or of gy_verify, to the end.
    double seconds;
    uint64_t memory; // peak resident bytes of the process
    gy_widths widths;
    void *owner; // of all that is reached from here
};

#ifdef __cplusplus
}
#endif
#endif
