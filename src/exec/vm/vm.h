// Inside the virtual machine: the shared part (gy_vm) and one thread's machine (gy_machine).
// For the files of src/exec only; all others go through include/gyre/gyre.h.
//
// A gy_vm is read-only once made, but for its table of shapes, which takes care of itself.
// A gy_machine belongs to one thread. It works on one state at a time: `s` points to it, `p`
// to the block of the process that executes, `shape` describes it. While guards run, `s` may be
// the caller's own state: guards write nothing.
//
// Rendezvous: between the two halves of a joint step, `offer` is the identity of the channel
// on which a message is offered and `message` holds that message; otherwise `offer` is 0.
#ifndef GYRE_EXEC_VM_VM_H
#define GYRE_EXEC_VM_VM_H

#include "base/assert.h"
#include "base/map.h"
#include "base/text.h"
#include "exec/system.h"
#include "exec/view.h"
#include "exec/vm/compile.h"
#include "exec/vm/letter.h"
#include "exec/vm/state_layout.h"

typedef struct gy_vm {
    const gy_model *model;
    gy_program_code *program;
    gy_state_layouts *shapes;
    bool lossy;
    bool restricted; // some process has a `provided` clause, or priorities are used
    uint32_t max_stack;
    struct gy_embedded *embedded; // the model's C, compiled; NULL: it has none, or cannot run it
} gy_vm;

// A state buffer that grows.
typedef struct gy_buffer {
    gy_word *at;
    uint32_t room;
} gy_buffer;

// The values that an effect has chosen so far, and how far each may still go.
typedef struct gy_choice {
    int32_t value, last;
} gy_choice;
typedef GY_VEC(gy_choice) gy_choice_list;

// A state in which the search for successors stands: the source itself, a state inside an
// atomic sequence, or one between the halves of a rendezvous. See successors.c.
typedef struct gy_frame {
    gy_word *state;
    const gy_state_layout *shape;
    gy_buffer buffer;  // owns the state, except in frame 0
    int32_t pid, last; // processes still to be tried: from pid down to last
    int32_t edge;      // next edge of pid
    uint32_t escape;   // rank of the escape that pid has taken, 0: none
    int32_t offer;     // rendezvous: the channel, or 0
    int32_t sender;    // who must not receive
    int32_t half;      // joint rendezvous: the sender's edge, of which nothing is done yet; or -1
    bool half_fails;   // its message cannot be computed: see sender_fault
    bool started;      // pid may move; its edges are being tried
    bool moved;        // pid had an executable edge
    int32_t mover;     // the first one
    bool any;          // some process had
    bool timeout;      // no other process would be enabled
    bool recorded;     // in the table of atomic states
    uint32_t steps;    // executed on the way here
    uint64_t hash;     // if recorded
    int32_t *hidden;   // hidden variables as they were here; NULL if the model has none
    int32_t *offered;  // rendezvous: the message
    gy_choice_list
        choices;    // of the edge that was tried last, if it is to be tried again with others
    uint32_t tries; // of that edge before this one
} gy_frame;

// What has gone wrong so far in a step, or in one half of a rendezvous.
typedef struct gy_pending_fault {
    gy_fault fault; // the last; kind NONE if there is none, then `before` means nothing
    gy_text text;
    GY_VEC(struct gy_earlier_fault {
        gy_fault fault;
        gy_text text;
    })
    before; // each of another kind
} gy_pending_fault;

// Compiled code ran C that failed here. The VM, which is to say so, may find C memory that
// nothing tracks as it was left: the same C on the same state fails again, without being run.
typedef struct gy_c_failure {
    int32_t id, pid;
    gy_buffer state;
    uint32_t words; // 0: nothing has failed
    gy_text text;
} gy_c_failure;

typedef struct gy_machine {
    const gy_vm *vm;
    const gy_model *model;
    const gy_program_code *program;

    gy_word *s, *p;
    const gy_state_layout *shape;
    int32_t pid;
    bool timeout, moved;
    bool stopped; // no process is enabled, for np_
    int32_t offer;
    int32_t channel;  // identity, found by SENDTEST or RECVTEST
    uint32_t slot;    // message found by RECVTEST
    int32_t *message; // taken or offered
    int32_t *taken;   // the message that TAKE took out
    int32_t *padded;  // a message with too few or too many fields, put right
    int32_t *hidden, *hidden_start;
    int32_t *stack;
    uint32_t stack_at; // in use
    uint32_t fuel;

    gy_buffer *growing;  // the buffer that `s` lives in while effects run
    const gy_code *code; // that runs now

    gy_pending_fault fault;        // of the current step; kind NONE if there is none
    gy_pending_fault sender_fault; // of the first half of a rendezvous
    gy_c_failure c_failure;        // the last one

    // trace assertions: the current event
    int32_t event_channel;
    bool event_is_receive;
    const int32_t *event_message;

    // the search for successors
    GY_VEC(gy_frame) frames;
    GY_VEC(gy_step) steps;
    gy_visit *visit;
    void *user;
    bool single; // one statement at a time
    uint64_t emitted, cut;
    gy_map seen; // states of the current atomic sequence: numbers of frames, by hash

    // compiled on demand: predicates and watch expressions
    gy_code extra;
    GY_VEC(struct gy_cached_expr {
        const gy_expr *expr;
        uint32_t at;
        bool asks_timeout; // what timeout is makes a difference to it
        bool asks_np;      // np_ occurs in it
        bool has_test;     // this is all that there is to it, if its truth is all that matters
        gy_quick_test test;
    })
    cached;
    gy_letter letter; // of those that were asked for together
    const void *letter_of;
    uint32_t letter_count;

    gy_choice_list *choices; // that code follows, NULL: none can be made
    size_t choice_at;

    gy_print_hook *print;
    void *print_user;
} gy_machine;

// interp.c: runs code from an entry point; the result is that of PASS (1), FAIL (0) or RET,
// or GY_RUN_FAULT with machine->fault filled in. (An expression may have that value too:
// then there is no fault.)
enum { GY_RUN_FAULT = INT32_MIN };
int32_t gy_vm_run(gy_machine *m, const gy_code *code, uint32_t at);

// machine.c
void gy_machine_init(gy_machine *m, const gy_vm *vm);
void gy_machine_done(gy_machine *m);
void gy_buffer_reserve(gy_buffer *buffer, uint32_t words);
// Lets the VM examine a state. The state is not copied.
void gy_machine_look(gy_machine *m, const gy_word *state, const gy_state_layout *shape);
static inline void gy_machine_become(gy_machine *m, int32_t pid)
{
    m->pid = pid;
    m->p = m->s + m->shape->process[pid].offset;
}
static inline int32_t gy_machine_node(const gy_machine *m, int32_t pid)
{
    const gy_state_layout_process *process = &m->shape->process[pid];
    return (int32_t)(m->s[process->offset] & m->program->templates[process->tmpl].pc_mask);
}
// An expression compiled on demand, valid until the next one is. `guess`: perhaps it is the one
// that was compiled as this number.
const struct gy_cached_expr *gy_machine_cached(gy_machine *m, const gy_expr *expr, size_t guess);
// The value of an expression compiled on demand. False on a fault.
bool gy_machine_eval(gy_machine *m, const gy_expr *expr, int32_t *value);
// The same as no process in particular sees it in a state of the system, from where timeout is true
// if no process is enabled without it.
bool gy_machine_judge(gy_machine *m, const gy_word *state, uint32_t words, const gy_expr *expr,
                      int32_t *value);
// successors.c: is no process enabled unless timeout is true? Is none at all?
bool gy_vm_is_stuck(gy_machine *m, const gy_word *state, uint32_t words);
bool gy_vm_has_stopped(gy_machine *m, const gy_word *state, uint32_t words);
const gy_state_layout *gy_state_layout_of(const gy_vm *vm, const gy_word *state, uint32_t words);

// process.c: on the current state
int32_t gy_vm_start(gy_machine *m, int32_t tmpl, int32_t priority, const int32_t *args,
                    uint32_t arg_count);                  // the new pid, or -1: too many
int32_t gy_vm_new_channel(gy_machine *m, int32_t type);   // identity, or -1: too many
void gy_vm_end(gy_machine *m);                            // the youngest process dies
int32_t gy_vm_priority(const gy_machine *m, int32_t pid); // 0 if it is dead
void gy_vm_set_priority(gy_machine *m, int32_t pid, int32_t priority);
bool gy_vm_enabled(gy_machine *m, int32_t pid);
bool gy_vm_may_move(gy_machine *m, int32_t pid); // provided and priorities
bool gy_vm_np(const gy_machine *m);
int32_t gy_vm_pc_value(const gy_machine *m, int32_t pid);
bool gy_vm_at_label(const gy_machine *m, int32_t pid, int32_t tmpl, int32_t node);
// False: process `pid` is of another type.
bool gy_vm_remote(const gy_machine *m, int32_t pid, int32_t var, int32_t element, int32_t *value);
int32_t gy_vm_last(const gy_machine *m);
void gy_vm_set_last(gy_machine *m, int32_t pid);
// If model->last_fades: resets _last in a new state where nothing reads it next.
void gy_vm_fade_last(const gy_model *model, const gy_state_layout *layout, gy_word *state);
// Reports to the trace assertion a send or receive. False: a fault was raised.
bool gy_vm_event(gy_machine *m, int32_t channel, bool is_receive, const int32_t *message);

// choice.c: the list that the next run of code follows; a value of its next choice; the next list,
// or false if there is none (and it is empty again).
void gy_vm_follow(gy_machine *m, gy_choice_list *list);
int32_t gy_vm_choose(gy_machine *m, int32_t first, int32_t last);
bool gy_next_choices(gy_choice_list *list);

// fault.c. All faults of a step are kept, but of several of a kind only the first. Whether the step
// goes on is up to the caller.
void gy_raise(gy_machine *m, gy_fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gy_raise_at(gy_machine *m, gy_fault_kind kind, const gy_fault_note *note, int32_t value,
                 int32_t limit);
// Runs code whose faults are none of the step at hand. False: it had one.
bool gy_vm_run_quietly(gy_machine *m, const gy_code *code, uint32_t at, int32_t *result);
// All faults that are pending, as a list in the order in which they were raised, the first of each
// kind. `second`: the other half of a rendezvous, or NULL.
const gy_fault *gy_pending_faults(gy_pending_fault *first, gy_pending_fault *second);
void gy_pending_fault_free(gy_pending_fault *pending);
static inline void gy_fault_clear(gy_pending_fault *pending)
{
    pending->fault.kind = GY_FAULT_NONE;
}

// state_text.c
void gy_vm_print(gy_machine *m, const gy_action *action, const int32_t *values, uint32_t count);
char *gy_vm_state_text(void *worker, const gy_word *state, uint32_t words);
char *gy_vm_step_text(void *worker, const gy_step *step);

// successors.c
int gy_vm_successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                     void *user);
// is_state.c
bool gy_vm_is_state(void *worker, const gy_word *state, uint32_t words);
int gy_vm_single_steps(void *worker, const gy_word *state, uint32_t words, int32_t exclusive,
                       gy_visit *visit, void *user);
int gy_vm_initial(void *worker, gy_visit *visit, void *user);
// Executes an edge of process pid, whose guard has just held, on a copy of the frame's state in
// `to`. The VM is left at the new state. False: a fault left none.
bool gy_vm_execute(gy_machine *m, const gy_frame *frame, const gy_vm_edge *edge, int32_t pid,
                   gy_buffer *to);

// Executes the sender's half of a joint rendezvous on the current state.
bool gy_vm_do_half(gy_machine *m, const gy_vm_edge *edge, int32_t pid);

// exclusive_check.c: false if another process claims the channel, by one of these claims of the
// model: a fault was raised.
bool gy_vm_may_use(gy_machine *m, int32_t channel, const uint16_t *claims, uint32_t count);

// path.c: false if this very state, with pid to move, is already on the path of frames; else
// frame `number` is put there.
bool gy_path_record(gy_machine *m, uint32_t number, int32_t pid);
void gy_path_forget(gy_machine *m, uint32_t number);

// redo.c
// Runs one step again; the result is in `out`. False if it cannot be executed.
bool gy_vm_redo(gy_machine *m, const gy_word *state, const gy_state_layout *shape,
                const gy_step *step, gy_buffer *out, const gy_state_layout **out_shape);

// vm_view.c and claim.c: members of the backend's table, see system.h
void gy_vm_view(void *worker, const gy_word *state, uint32_t words, gy_state_view *view);
bool gy_vm_eval(void *worker, const gy_word *state, uint32_t words, int32_t pid,
                const gy_expr *expr, int32_t *value);
uint64_t gy_vm_truths(void *worker, const gy_word *state, uint32_t words, const gy_atom *atoms,
                      uint32_t count, uint64_t *unknown);
bool gy_vm_letters(void *worker, const gy_many *states, const gy_atom *atoms, uint32_t count,
                   uint64_t *letters);
uint32_t gy_vm_flags(void *worker, const gy_word *state, uint32_t words);
void gy_vm_step_output(void *worker, const gy_word *state, uint32_t words,
                       const gy_transition *transition, gy_print_hook *hook, void *user);
void gy_vm_claim_start(void *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                       gy_word *block);
int gy_vm_claim_moves(void *worker, const gy_word *state, uint32_t words, int32_t tmpl,
                      const gy_word *block, bool timeout, gy_claim_visit *visit, void *user);

extern const gy_backend gy_vm_backend;

#endif
