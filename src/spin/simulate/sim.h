// Shared by the files of this directory only: the state of a simulation.
#ifndef GYRE_SPIN_SIMULATE_SIM_H
#define GYRE_SPIN_SIMULATE_SIM_H

#include "base/source.h"
#include "base/vec.h"
#include "lang/promela/lower/flow.h"
#include "spin/simulate/simulate.h"

#include <setjmp.h>

// A variable with all its values: structures and arrays as one list of scalars.
typedef struct sim_var {
    const pml_var *decl;
    int32_t *at;
    uint32_t n;
    bool ready; // Spin gives a global its value when it is first used
    long set_at;
} sim_var;

typedef struct sim_proc {
    struct sim_proc *next; // the older ones
    const pml_proc *type;
    flow_proc *flow;
    int pid, priority;
    flow_el *pc;
    sim_var *vars; // parameters, then locals
    uint32_t var_count;
} sim_proc;

typedef struct sim_queue {
    int id;
    int32_t slots;
    uint32_t fields, length;
    const pml_type **types;
    int32_t *contents;
    long *step_of; // by message: when it was sent
    long set_at;
} sim_queue;

// What a message field of a statement is: a value, or a place for one.
typedef struct sim_field {
    const pml_expr *expr; // NULL: `cell` is part of a structure
    int32_t *cell;
    sim_var *var;
    const pml_type *type;
} sim_field;
typedef GY_VEC(sim_field) sim_fields;

typedef struct sim_mark {
    long column;
    char *text;
    long match; // 0: none; else the mark that an arrow leads to
} sim_mark;

struct pml_sim {
    pml_sim_options options;
    unsigned show; // of the options, while something is tested 0
    pml_model *tree;
    bool has_c;
    gy_arena *arena;
    flow *flow;
    flow_proc **flows; // by process type
    sim_var *globals;
    sim_proc *run, *x; // all that live, the youngest first; the one that moves
    sim_proc *last_x;
    flow_el *last_step;
    GY_VEC(sim_queue *) queues;
    long depth;
    int created, stopped;
    int priority_sum;
    bool rendezvous, test_only, timeout;
    int checking, escaping; // depth of tests whether something is enabled
    int made_choice;
    bool has_claim, skips_claim;
    int claim_line;
    int pno; // the process of a trail's line, the claim being 0
    int64_t seed;
    gy_location place; // where errors happen
    int errors;
    bool first_row, closed;
    bool blocked[256];
    sim_queue *rv_queue; // of a rendezvous: what receives
    const pml_stmt *rv_stmt;
    GY_VEC(sim_mark) marks; // of the chart: odd places, as Spin counts
    GY_VEC(long) mark_of;   // by depth
    GY_VEC(char *) heads;   // of its columns
    gy_text message;        // that is being put together for a column
    gy_text out;
    jmp_buf *end;
    int status;
};

// sim_run.c
_Noreturn void sim_leave(pml_sim *sim, int status);
sim_proc *sim_start(pml_sim *sim, const pml_proc *type, int priority, bool active);
void sim_announce(pml_sim *sim, bool root);
int sim_enable(pml_sim *sim, const pml_expr *run);
bool sim_can_run(pml_sim *sim);
bool sim_is_highest(pml_sim *sim, int pid);
bool sim_rendezvous(pml_sim *sim);
uint32_t sim_random(pml_sim *sim);
flow_el *sim_silent(pml_sim *sim, flow_el *el);
void sim_final(pml_sim *sim, bool failed);
// sim_choose.c
sim_proc *sim_pick(pml_sim *sim, sim_proc *before);

// sim_step.c
flow_el *sim_eval_el(pml_sim *sim, flow_el *el);
bool sim_enabled(pml_sim *sim, const flow_el *el);
flow_el *sim_target(const flow_el *jump);

// sim_value.c
void sim_make_var(pml_sim *sim, sim_var *var, const pml_var *decl);
void sim_init_var(pml_sim *sim, sim_var *var);
sim_var *sim_var_of(pml_sim *sim, const pml_var *decl);
int32_t *sim_cell(pml_sim *sim, const pml_ref *ref, const pml_type **type, sim_var **var);
int32_t sim_cast(pml_sim *sim, const pml_type *type, int32_t value);
int32_t sim_get(pml_sim *sim, const pml_ref *ref);
void sim_set(pml_sim *sim, const pml_ref *ref, int32_t value);
void sim_set_cell(pml_sim *sim, int32_t *cell, sim_var *var, const pml_type *type, int32_t value);
uint32_t sim_leaves(const pml_type *type);
int32_t sim_eval(pml_sim *sim, const pml_expr *expr);
sim_proc *sim_proc_numbered(pml_sim *sim, int pid);

// sim_queue.c
int sim_queue_new(pml_sim *sim, const pml_chan_init *chan);
sim_queue *sim_queue_of(pml_sim *sim, const pml_ref *channel);
bool sim_is_sync(pml_sim *sim, const pml_ref *channel);
bool sim_is_full(pml_sim *sim, const pml_ref *channel);
bool sim_send(pml_sim *sim, const pml_stmt *stmt);
bool sim_receive(pml_sim *sim, const pml_stmt *stmt, bool full);
bool sim_poll(pml_sim *sim, const pml_expr *expr);

// sim_show.c
void sim_error(pml_sim *sim, const char *format, ...);
_Noreturn void sim_fatal(pml_sim *sim, const char *format, ...);
void sim_tag(pml_sim *sim, const char *text, bool in_process);
void sim_who(pml_sim *sim, bool numbered);
void sim_talk(pml_sim *sim, const flow_el *el, bool numbered);
void sim_put_statement(pml_sim *sim, const flow_el *el, gy_text *out);
void sim_put_step(pml_sim *sim, const flow_el *el); // a whole line
void sim_dump_globals(pml_sim *sim);
void sim_dump_locals(pml_sim *sim, sim_proc *proc, bool final);
void sim_dump_queue(pml_sim *sim, const char *name, bool is_array, uint32_t index, int32_t id,
                    const sim_proc *proc);
void sim_message_value(pml_sim *sim, int32_t value, const pml_type *type, gy_text *out);

// sim_message.c
typedef struct sim_event {
    const pml_ref *channel;
    gy_location place;
    const char *word; // "Send ", "Recv ", "[Recv] ", "Sent "
    const sim_queue *queue;
} sim_event;
void sim_talk_field(pml_sim *sim, const sim_event *event, uint32_t field, int32_t value);
uint32_t sim_line_of(pml_sim *sim, const flow_el *el, const char **file);
void sim_print(pml_sim *sim, const pml_stmt *stmt);
bool sim_flush(pml_sim *sim);

// spin_words.c
void sim_tell_unused(pml_sim *sim);
void pml_spin_warn(const pml_model *tree, uint32_t proc, gy_text *out);
void pml_spin_formulas(const pml_model *tree, gy_text *out);

// sim_chart.c
void sim_mark_text(pml_sim *sim, long column, const char *text);
void sim_mark_arrow(pml_sim *sim, long from, long to);

#endif
