// From a checked system to MODEL. Every instance of a process is a process of the model, with a
// template of its own, so that all instances are known by name; those that are not there yet, or no
// more, are dead. An instance that others can bring to life or kill (it is *mobile*) has its state
// and its variables in global variables, and its template has one node; the states of all others
// are nodes. What lies between two states are locations, too, where an atomic sequence waits for
// room in a queue.
//
// Owner: all of it is in the arena of the model. For the front end and the files of this directory.
#ifndef GYRE_LANG_IF_LOWER_IF_LOWER_H
#define GYRE_LANG_IF_LOWER_IF_LOWER_H

#include "lang/if/read/if_ast.h"
#include "model/build.h"

enum { IF_NIL = 1, IF_FIRST_PID = 2, IF_DEAD = 1, IF_FIRST_STATE = 2 };

// Where a variable lives: a scalar in a variable of the model (an element of it for each valuation
// of the indices of the arrays around it), or its parts. An array has one part.
typedef struct if_store {
    const if_type *type;
    int32_t var;
    uint32_t count; // elements of var
    struct if_store **parts;
} if_store;

typedef struct if_instance {
    const if_process *process; // NULL: a route, or the environment
    const if_route *route;
    int32_t code; // as a value of type pid
    int32_t tmpl, pid;
    const char *name;
    bool mobile;
    if_store **vars;
    int32_t queue;     // variable that holds the channel, or GY_NONE
    int32_t state;     // mobile: variable
    int32_t locations; // mobile: how many there are
    int32_t stopped;   // others that can stop: the node
    // a route that buffers
    int32_t *columns, length; // variables: the signal and its cells; how many there are
} if_instance;

// Edges that end nowhere yet, or, if `fresh`, a location that nothing has left so far, with a
// condition for doing so.
typedef struct if_flow {
    GY_VEC(gy_edge *) ends;
    bool fresh;
    int32_t from;
    gy_expr *guard; // or NULL
} if_flow;

// A jump to the end of an effect.
typedef struct if_exit {
    const gy_action_list *effect;
    uint32_t jump;
} if_exit;

typedef struct if_lowering {
    if_system *system;
    gy_model *model;
    gy_arena *arena;
    gy_diags *diags;
    gy_builder *b;
    gy_location place;
    if_instance *instances; // of processes, then routes that buffer, then the environment
    uint32_t instance_count, process_instances;
    const if_instance *at;  // whose code is being made; NULL: a formula
    gy_action_list *effect; // statements go there
    GY_VEC(if_exit) exits;
    GY_VEC(uint32_t) returns; // jumps to the end of the current procedure
    const char *said;         // what edges from location said_from say first, or NULL
    int32_t said_from;
    int32_t ignored; // a hidden variable for values that nothing wants
    gy_type *fields; // of every message
    uint32_t field_count;
    GY_VEC(gy_mtype_name) names;
    GY_VEC(const if_type *) named; // enumerations, with their names in `names`
    GY_VEC(const char *) subtypes; // dito
    uint64_t made;                 // expressions and statements
    bool failed;
} if_lowering;

// The whole system. False after errors, reported.
bool if_lower(if_system *system, gy_model *model);
gy_formula *if_lower_formula(if_lowering *l, const if_expr *expr);
gy_expr *if_lower_expr(if_lowering *l, const if_expr *expr); // a scalar

// ---- expressions (if_lower_expr.c) ------------------------------------------------------------

gy_expr *if_const(if_lowering *l, int32_t value);
gy_expr *if_binary(if_lowering *l, gy_expr_op op, gy_expr *a, gy_expr *b); // a NULL: b
gy_expr *if_unary(if_lowering *l, gy_expr_op op, gy_expr *a);
gy_expr *if_copy(if_lowering *l, const gy_expr *expr);          // NULL: NULL
gy_expr *if_read(if_lowering *l, int32_t var, gy_expr *index);  // index: in bounds
gy_expr *if_alive(if_lowering *l, const if_instance *instance); // NULL: always
gy_expr *if_is_at(if_lowering *l, const if_instance *instance, int32_t location);
// Cell number k of a value, and of what is assigned to.
gy_expr *if_cell(if_lowering *l, const if_expr *expr, uint32_t k);
const if_type *if_cell_type(const if_type *type, uint32_t k);
gy_field if_target_cell(if_lowering *l, const if_expr *expr, uint32_t k);
gy_field if_store_cell(if_lowering *l, const if_store *store, uint32_t k);
gy_expr *if_read_cell(if_lowering *l, const if_store *store, uint32_t k);
// A fault if it is not a value of type `to`.
gy_expr *if_fit(if_lowering *l, gy_expr *value, const if_type *from, const if_type *to);
void if_too_large(if_lowering *l, gy_location place);
void if_count(if_lowering *l); // one more of what is made, and an error if that is too many

// ---- variables (if_store.c) -------------------------------------------------------------------

typedef enum { IF_GLOBAL, IF_LOCAL, IF_HIDDEN } if_home;
if_store *if_new_store(if_lowering *l, const if_type *type, const char *name, gy_location place,
                       if_home home, int32_t tmpl);
int32_t if_new_variable(if_lowering *l, const char *name, gy_type type, uint32_t count,
                        gy_range range);
gy_type if_scalar_type(if_lowering *l, const if_type *type);
int32_t if_default(const if_type *type); // of a scalar
// Stores what it holds at first; `all`: zeros, too.
void if_reset(if_lowering *l, const if_store *store, const if_symbol *symbol, bool all);

// ---- effects (if_lower_statement.c, if_lower_instance.c) --------------------------------------

gy_action *if_action(if_lowering *l, gy_action_kind kind);
uint32_t if_here(const if_lowering *l);
uint32_t if_test(if_lowering *l, gy_expr *condition); // if it fails: a place that is reported later
void if_otherwise(if_lowering *l, uint32_t test, uint32_t target);
uint32_t if_jump(if_lowering *l, uint32_t target);
void if_set(if_lowering *l, int32_t var, gy_expr *value);
void if_lower_effect(if_lowering *l, const if_statement *s); // one without outputs in it
void if_lower_fork(if_lowering *l, const if_statement *s);
void if_lower_kill(if_lowering *l, const if_statement *s);
void if_bury(if_lowering *l, const if_instance *instance); // resets what a dead instance leaves

// ---- control (if_flow.c) ----------------------------------------------------------------------

if_flow if_flow_at(int32_t location, gy_expr *guard);
int32_t if_new_location(if_lowering *l);
gy_edge *if_new_edge(if_lowering *l, int32_t from, gy_expr *guard);
// Closes all ends there; `atomic`: the process goes on alone.
void if_flow_to(if_lowering *l, if_flow *flow, int32_t location, bool atomic);
// Makes the flow begin at one location, with a condition or without; it has no ends then.
int32_t if_flow_join(if_lowering *l, if_flow *flow, gy_expr **guard);
// Lets `l->effect` be where the next statements go; the edge.
gy_edge *if_flow_effect(if_lowering *l, if_flow *flow);
void if_say(if_lowering *l, gy_edge *edge, const char *text);

// ---- signals (if_deliver.c, if_buffer.c) -------------------------------------------------------

// What is sent: an output, or what is in a buffer, or what the environment has chosen.
typedef struct if_message {
    const if_signal *signal;    // NULL: from a buffer
    const if_statement *output; // or NULL
    const int32_t *values;      // the environment's
    const if_instance *buffer;  // position `at` of it
    uint32_t at;
    const char *text;
} if_message;

// Lets an edge compute what is not sent in the end: that can fail.
void if_compute(if_lowering *l, gy_edge *edge, const if_message *message);
gy_expr *if_message_cell(if_lowering *l, const if_message *message, uint32_t field); // 0: signal
// Sends it on from a location: by route number n (route NULL: directly), or into the route's
// buffer.
void if_send(if_lowering *l, if_flow *flow, const if_message *message, const if_route *route,
             int32_t n);
void if_deliver(if_lowering *l, if_flow *flow, const if_message *message, const if_route *route,
                int32_t n);
void if_put(if_lowering *l, if_flow *flow, const if_message *message, const if_instance *buffer);
void if_lower_buffer(if_lowering *l, const if_instance *buffer);
void if_lower_env(if_lowering *l);
void if_lower_process(if_lowering *l, const if_instance *instance);

#endif
