// Inside the code generator: from MODEL and one shape to C. For gen_*.c only.
//
// Everything that the shape fixes is a constant in the text: offsets of blocks, pids, numbers of
// channels. So are variables that nothing assigns: of globals that is certain; of locals
// (parameters above all) it is assumed, from the states of a sample, and the generated code
// checks the assumptions that it uses before it does anything else.
#ifndef GYRE_EXEC_NATIVE_GEN_H
#define GYRE_EXEC_NATIVE_GEN_H

#include "base/text.h"
#include "exec/device/device_layout.h"
#include "exec/native/native_abi.h"
#include "exec/native/native_sample.h"
#include "exec/vm/vm.h"

// A generator at work on one process of one shape.
typedef struct gy_gen {
    const gy_model *model;
    const gy_program_code *program;
    const gy_native_facts *facts;
    gy_native_shape *shape;     // constants and the shape itself
    gy_state_layouts *shapes;   // the table that it is from
    const gy_state_layout *now; // of the state that expressions read: it may have grown
    gy_text *out;
    gy_text *bodies; // by process: what is in the function of the shape; NULL on a device
    const gy_device_layout *device; // the code is for a device; NULL: for this machine
    bool chooses;                   // there are choices on the device
    bool singles;                   // one process may be asked for alone
    bool lossy;
    int32_t pid, tmpl;
    uint32_t base;       // of the process's block
    const char *s;       // name of the state that expressions read
    const char *offer;   // C text: the rendezvous channel on offer, "0" for none
    const char *timeout; // C text
    // The statements executed since the state that o is a copy of, one without a choice after
    // the other. `offered`: the first one is a rendezvous, whose other half is in the path.
    int32_t trail[GY_NATIVE_TAIL];
    uint32_t trail_count;
    bool offered;
    bool asks;       // what is written only asks whether the process is enabled
    uint32_t budget; // edges that may still be written in line
    uint32_t names;  // for temporaries
    uint32_t indent;
    // Numbers that go into fields of one word of o, and are not written yet; none if the mask is 0.
    struct {
        uint32_t word, mask, value;
        char comment[60];
    } numbers;
} gy_gen;

// The number of an edge.
static inline int32_t gy_gen_edge(const gy_gen *g, const gy_edge *edge)
{
    return (int32_t)(edge - g->model->edges);
}

// ---- gen.c ---------------------------------------------------------------------

// All of it: the C for the shapes that the facts name; beyond `enough` bytes, no further shape
// is begun. `singles`: gy_native_run.only is examined.
void gy_native_write(const gy_vm *vm, gy_native_facts *facts, size_t enough, bool singles,
                     gy_text *out);

// The same for a device, without what comes before and after it: the functions gyre_shape_<i> for
// shape i of the layout; with a monitor, letter_<i>, the values of what it watches. With choices,
// choice_<i> is there already.
void gy_device_write(const gy_vm *vm, gy_native_facts *facts, const gy_device_layout *layout,
                     const gy_device_wants *wants, gy_text *out);

// Lines. Numbers that wait are written before.
void gy_gen_line(gy_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gy_gen_open(gy_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gy_gen_close(gy_gen *g);
// A comment with the source line and the text of an edge.
void gy_gen_edge_comment(gy_gen *g, const gy_edge *edge);

// ---- gen_expr.c -----------------------------------------------------------------------

// Can the generated code compute this at all?
bool gy_gen_covers(const gy_gen *g, const gy_expr *expr);
bool gy_gen_covers_variable(const gy_gen *g, int32_t var);
bool gy_gen_covers_field_list(const gy_gen *g, const gy_field *fields, uint32_t count);
// Is the value known while the code is generated?
bool gy_gen_constant(gy_gen *g, const gy_expr *expr, int32_t *value);
// The same for element `at` (see gy_native_shape) of a process, of a local that nothing assigns.
bool gy_gen_constant_local(gy_gen *g, uint32_t pid, uint32_t at, int32_t *value);
// Appends the C expression. Its type is int.
void gy_gen_expr(gy_gen *g, const gy_expr *expr);
// gen_exclusive.c: a channel with its check for claims; known if no other process can claim it.
bool gy_gen_constant_exclusive(gy_gen *g, const gy_expr *expr, int32_t *value);
void gy_gen_exclusive(gy_gen *g, const gy_expr *expr);
// A condition: TRUTH(…) unless no compiler can know its value.
void gy_gen_condition(gy_gen *g, const gy_expr *expr);
// The same as text of their own. Free it.
char *gy_gen_condition_text(gy_gen *g, const gy_expr *expr);
char *gy_gen_text(gy_gen *g, const gy_expr *expr);
// Appends a statement that puts a C expression into a variable of state `o`.
void gy_gen_store(gy_gen *g, int32_t var, const gy_expr *index, const char *value);

// ---- gen_channel.c --------------------------------------------------------------------

// The channels that an expression may name, by identity. `certain`: exactly one.
typedef struct gy_gen_channels {
    uint8_t may[256]; // by identity
    uint32_t count;
    bool certain;
    int32_t id; // if certain; the first otherwise
} gy_gen_channels;
void gy_gen_channels_of(gy_gen *g, const gy_expr *chan, gy_gen_channels *set);

void gy_gen_channel_question(gy_gen *g, const gy_expr *expr); // LEN … CAN_SEND
void gy_gen_poll(gy_gen *g, const gy_expr *expr);

// One send or receive, as an edge or inside a d_step.
typedef struct gy_gen_comm {
    const gy_expr *chan;
    const gy_field *fields;
    uint32_t field_count;
    bool sorted, random, keep;
} gy_gen_comm;

// Everything about one type of channel that the code for it needs.
typedef struct gy_gen_channel {
    const gy_channel_type *type;
    int32_t id;  // or 0: known at run time only
    char at[24]; // C text: offset of its block
} gy_gen_channel;

// Buffered channels only. The guard declares `fits` (and for a random receive `slot`) and the
// values to be matched; the transfer works on state `o`.
void gy_gen_send_test(gy_gen *g, const gy_gen_channel *channel);
void gy_gen_send(gy_gen *g, const gy_gen_channel *channel, const gy_gen_comm *comm);
void gy_gen_receive_test(gy_gen *g, const gy_gen_channel *channel, const gy_gen_comm *comm);
void gy_gen_take(gy_gen *g, const gy_gen_channel *channel, const gy_gen_comm *comm);
// Stores the fields m0, m1 … that were taken.
void gy_gen_store_fields(gy_gen *g, const gy_gen_comm *comm);

// ---- gen_trace.c ----------------------------------------------------------------------

// Can the model's trace assertion be compiled?
bool gy_gen_covers_trace(const gy_model *model);
// The function that follows it, if there is one.
void gy_gen_trace(gy_gen *g);
// Does it watch sends to or receives from this channel? 0: some channel.
bool gy_gen_watches(gy_gen *g, int32_t channel, bool is_receive);
// Reports a message to it (C texts), in state o.
void gy_gen_event(gy_gen *g, const char *channel, bool is_receive, const char *message);

// ---- gen_device.c ------------------------------------------------------------------

// What differs on a device. The end of a process; where the elements of an array are side by
// side; which edges were executed; a value by control location (C text of the location).
void gy_gen_device_end(gy_gen *g);
void gy_gen_device_begin(gy_gen *g, uint32_t pid, uint32_t node, uint32_t priority); // just made
bool gy_gen_side_by_side(const gy_gen *g, uint32_t word, const gy_variable *var, uint32_t *at);
void gy_gen_cover(gy_gen *g, int32_t edge);
// A field whose place is known: its value as a C expression, and a statement that sets it in o.
typedef struct gy_gen_place {
    uint32_t word, shift, bits;
    bool is_signed;
} gy_gen_place;
void gy_gen_get(const gy_gen *g, gy_text *out, const char *state, gy_gen_place place);
void gy_gen_put(gy_gen *g, gy_gen_place place, const char *value, const char *comment);
void gy_gen_number(gy_gen *g, gy_gen_place place, uint32_t value, const char *comment); // gen.c
gy_gen_place gy_gen_pc_of(const gy_gen *g, uint32_t pid); // the control location of a process
bool gy_gen_queue(const gy_gen *g, const gy_gen_channel *channel, uint32_t *at);
void gy_gen_open_table(gy_gen *g, const char *location);
void gy_gen_close_table(gy_gen *g);

// ---- gen_effect.c ---------------------------------------------------------------------

// A value (a name in C) that does not fit into the variable is for the VM, which reports it.
void gy_gen_check(gy_gen *g, int32_t var, const char *value);
bool gy_gen_covers_program(const gy_gen *g, const gy_program *program);
void gy_gen_program(gy_gen *g, const gy_program *program);

// ---- gen_run.c ------------------------------------------------------------------------

// Does it make processes or channels? And if so, can that be done here?
bool gy_gen_grows(const gy_program *program);
bool gy_gen_covers_growth(const gy_gen *g, const gy_program *program);
void gy_gen_run(gy_gen *g, const gy_action *action);
void gy_gen_new_channel(gy_gen *g, const gy_action *action);

// ---- gen_step.c -----------------------------------------------------------------------

bool gy_gen_may_fault(gy_gen *g, const gy_expr *expr);
bool gy_gen_fields_may_fault(gy_gen *g, const gy_field *fields, uint32_t count);
bool gy_gen_covers_test(const gy_gen *g, const gy_edge *edge);
bool gy_gen_covers_effect(const gy_gen *g, const gy_edge *edge);
// A step, in this order: the copy o, what the edge does to it, then these three.
void gy_gen_begin_copy(gy_gen *g);
void gy_gen_move(gy_gen *g, const gy_edge *edge);
void gy_gen_check_alone(gy_gen *g, const gy_edge *edge);
void gy_gen_note_moved(gy_gen *g, const gy_edge *edge, bool escapes);
void gy_gen_finish(gy_gen *g, const gy_edge *edge, bool offered); // see gy_gen.offered

// ---- gen_rendezvous.c -----------------------------------------------------------------

void gy_gen_offer(gy_gen *g, const gy_edge *edge, const gy_channel_type *type, int32_t id,
                  bool escapes);
// The same where both halves are one step (model->joint_rendezvous).
void gy_gen_joint(gy_gen *g, const gy_edge *edge, const gy_channel_type *type, int32_t id);
void gy_gen_take_offer(gy_gen *g, const gy_edge *edge, bool escapes);

// ---- gen_hidden.c ---------------------------------------------------------------------

bool gy_gen_covers_hidden(const gy_gen *g, int32_t var);
// In a function that reads state s; when o is made; o becomes the state of a function that is
// called (`back`: has been).
void gy_gen_hidden_here(gy_gen *g);
void gy_gen_hidden_copy(gy_gen *g);
void gy_gen_hidden_pass(gy_gen *g, bool back);
// An element, or that one plus a C index; with its value (C text).
void gy_gen_load_hidden(gy_gen *g, int32_t var, const char *index, uint32_t element);
void gy_gen_store_hidden(gy_gen *g, int32_t var, const char *index, uint32_t element,
                         const char *value);

// ---- gen_c.c --------------------------------------------------------------------------

bool gy_gen_covers_c(const gy_gen *g, const gy_c_code *code);
void gy_gen_c_value(gy_gen *g, const gy_c_code *code);     // appends the C expression
void gy_gen_c_statement(gy_gen *g, const gy_c_code *code); // on state o

// ---- gen_priority.c -------------------------------------------------------------------

// The function that finds the highest priority of a process that could move in a state, if there
// are priorities.
void gy_gen_top(gy_gen *g, bool declare);
// May the current process take messages of rendezvous channels? (gen_edge.c)
bool gy_gen_takes(const gy_gen *g);
// In the function of a process: nothing is tried while another of higher priority is enabled.
void gy_gen_priority_check(gy_gen *g);
void gy_gen_priority(gy_gen *g, const gy_expr *expr); // GET_PRIORITY, PRIORITY
void gy_gen_enabled(gy_gen *g, const gy_expr *expr);
void gy_gen_set_priority(gy_gen *g, const gy_action *action);
// Of a process that begins, as a number that goes into its first word.
uint32_t gy_gen_first_priority(const gy_gen *g, int32_t tmpl, int32_t given);

// ---- gen_edge.c -----------------------------------------------------------------------

void gy_gen_process(gy_gen *g, bool declare);

#endif
