// Successors of a state, exactly as Spin's depth-first search would find them.
//
// The search is over frames. Frame 0 is the source. A frame above it is a state that is not a
// state of the system: one inside an atomic sequence, where only one process may go on, or one
// between the two halves of a rendezvous, where only a receive on the offered channel may
// happen (in a joint rendezvous it is the source once more: the sender's half waits until the
// receiver has done its own). Frame k + 1 came about by a step from frame k. Every path from frame
// 0 to a visible state is one transition: several paths to the same state are several transitions,
// as in Spin.
//
// In a frame, processes are tried from the youngest to the oldest, and the edges of each in the
// order of the model:
//   - once an escape of rank r has fired, only edges of rank r are examined;
//   - `else` fires if no edge of the process fired before it;
//   - a rendezvous offer fires if some other process takes it. If nothing does, the escapes of
//     this process count as not taken (Spin forgets even one that did fire before);
//   - the end of a process fires only for the youngest one.
//   - an edge whose effect chooses values is tried once for each sequence of choices (choice.c).
// If no process is enabled in frame 0, all are tried again with `timeout` true. If the process of
// an atomic frame is blocked, that state becomes visible.
//
// An atomic sequence that comes back to a state it has been in is not followed further. If this
// leaves a step without any way on, the step is reported as a fault.
//
// Invariant: m->s, m->shape, m->offer and the hidden variables are those of the top frame
// whenever its next edge is tried. Buffers of frames are kept for the next call.
#include "exec/embedded/embedded.h"
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"

// ---- frames -----------------------------------------------------------------------------

static void ensure_frames(gy_machine *m, size_t wanted)
{
    size_t room = m->frames.room;
    if (wanted <= room)
        return;
    gy_vec_reserve(&m->frames, wanted);
    memset(m->frames.at + room, 0, (m->frames.room - room) * sizeof *m->frames.at);
}

static void save_hidden(gy_machine *m, gy_frame *frame)
{
    uint32_t count = m->program->hidden_count;
    if (!count)
        return;
    if (!frame->hidden)
        frame->hidden = gy_alloc(count * sizeof *frame->hidden);
    memcpy(frame->hidden, m->hidden, count * sizeof *frame->hidden);
}

// Makes the VM examine a frame's state again.
static void enter(gy_machine *m, const gy_frame *frame)
{
    m->s = frame->state;
    m->shape = frame->shape;
    m->offer = frame->offer;
    m->timeout = frame->timeout;
    if (frame->offer)
        memcpy(m->message, frame->offered, m->program->max_fields * sizeof *m->message);
    if (m->program->hidden_count)
        memcpy(m->hidden, frame->hidden, m->program->hidden_count * sizeof *m->hidden);
}

// All processes, or one.
static void set_range(gy_frame *frame, int32_t only)
{
    frame->pid = only >= 0 ? only : (int32_t)frame->shape->process_count - 1;
    frame->last = only >= 0 ? only : 0;
    frame->started = frame->moved = frame->any = false;
    frame->choices.n = frame->tries = 0;
}

// ---- reporting the caller -----------------------------------------------------------------

// The message gets the statement at its end, unless it has it already.
static void finish_fault(const gy_machine *m, gy_fault *fault, gy_text *text, int32_t pid,
                         int32_t edge)
{
    const char *statement = m->model->edges[edge].text;
    fault->pid = pid;
    fault->edge = edge;
    if (fault->kind != GY_FAULT_ASSERTION && statement)
        gy_text_printf(text, ": %s", statement);
}

static void finish_faults(const gy_machine *m, gy_pending_fault *pending, int32_t pid, int32_t edge)
{
    if (pending->fault.kind == GY_FAULT_NONE)
        return;
    for (size_t i = 0; i < pending->before.n; i++)
        finish_fault(m, &pending->before.at[i].fault, &pending->before.at[i].text, pid, edge);
    finish_fault(m, &pending->fault, &pending->text, pid, edge);
}

// Of a rendezvous, those of both halves.
static const gy_fault *faults_of(gy_machine *m, const gy_step *step)
{
    if (step->partner < 0) {
        finish_faults(m, &m->fault, step->pid, step->edge);
        return gy_pending_faults(&m->fault, NULL);
    }
    finish_faults(m, &m->sender_fault, step->pid, step->edge);
    finish_faults(m, &m->fault, step->partner, step->partner_edge);
    return gy_pending_faults(&m->sender_fault, &m->fault);
}

static int tell(gy_machine *m, gy_word *state, const gy_state_layout *shape, uint32_t steps,
                bool failed, int32_t exclusive)
{
    if (state && m->model->last_fades)
        gy_vm_fade_last(m->model, shape, state);
    if (state && exclusive < 0 && m->vm->embedded)
        gy_embedded_settle(m, state, shape->words);
    gy_transition transition = {
        .state = state,
        .words = state ? shape->words : 0,
        .steps = m->steps.at,
        .step_count = steps,
        .exclusive = exclusive,
        .written = GY_WRITTEN_ALL,
    };
    if (failed)
        transition.fault = faults_of(m, &m->steps.at[steps - 1]);
    m->emitted++;
    int stop = m->visit(m->user, &transition);
    if (failed)
        gy_fault_clear(&m->fault);
    if (failed && m->steps.at[steps - 1].partner >= 0)
        gy_fault_clear(&m->sender_fault);
    return stop;
}

static bool has_failed(const gy_machine *m, const gy_frame *frame)
{
    return m->fault.fault.kind != GY_FAULT_NONE ||
           (frame->offer && m->sender_fault.fault.kind != GY_FAULT_NONE);
}

// ---- one step ---------------------------------------------------------------------------

static void move_control(gy_machine *m, const gy_vm_edge *edge, int32_t pid)
{
    const gy_state_layout_process *process = &m->shape->process[pid];
    gy_word *word = m->s + process->offset;
    uint32_t mask = m->program->templates[process->tmpl].pc_mask;
    *word = (*word & ~mask) | (gy_word)edge->to;
}

bool gy_vm_do_half(gy_machine *m, const gy_vm_edge *edge, int32_t pid)
{
    gy_machine_become(m, pid);
    if (edge->effect && gy_vm_run(m, &m->program->code, edge->effect) == GY_RUN_FAULT)
        return false;
    move_control(m, edge, pid);
    if (m->model->uses_last)
        gy_vm_set_last(m, pid);
    return true;
}

bool gy_vm_execute(gy_machine *m, const gy_frame *frame, const gy_vm_edge *edge, int32_t pid,
                   gy_buffer *to)
{
    const gy_state_layout *shape = frame->shape;
    gy_buffer_reserve(to, shape->words);
    memcpy(to->at, frame->state, shape->words * sizeof *to->at);
    m->growing = to;
    m->s = to->at;
    m->p = m->s + shape->process[pid].offset;
    if (edge->effect && gy_vm_run(m, &m->program->code, edge->effect) == GY_RUN_FAULT)
        return false;
    if (edge->kind == GY_EDGE_END)
        gy_vm_end(m);
    else
        move_control(m, edge, pid);
    if (m->model->uses_last)
        gy_vm_set_last(m, pid);
    return true;
}

static void note_step(gy_machine *m, const gy_frame *frame, int32_t pid, int32_t edge)
{
    if (m->steps.room <= frame->steps)
        gy_vec_reserve(&m->steps, (size_t)frame->steps + 1);
    gy_step *step = &m->steps.at[frame->steps];
    if (frame->offer) {
        step->partner = pid;
        step->partner_edge = edge;
        step->partner_choice = frame->tries;
    } else
        *step = (gy_step){pid, edge, -1, -1, frame->tries, 0};
}

// What fails from now on, or has failed, is the other half's.
static void swap_halves(gy_machine *m)
{
    gy_pending_fault swap = m->sender_fault;
    m->sender_fault = m->fault;
    m->fault = swap;
}

// The step just executed led to a state between the halves of a rendezvous. `half`: a joint one,
// by this edge, nothing is executed yet.
static void push_offer(gy_machine *m, uint32_t top, int32_t sender, int32_t half)
{
    ensure_frames(m, top + 3);
    gy_frame *frame = &m->frames.at[top], *next = frame + 1;
    next->state = half >= 0 ? frame->state : next->buffer.at;
    next->shape = m->shape;
    next->offer = m->offer;
    next->sender = sender;
    next->half = half;
    next->half_fails = false;
    next->timeout = false;
    next->steps = frame->steps;
    next->recorded = false;
    if (!next->offered)
        next->offered = gy_alloc((m->program->max_fields + 1) * sizeof *next->offered);
    memcpy(next->offered, m->message, m->program->max_fields * sizeof *next->offered);
    save_hidden(m, next);
    set_range(next, -1);
    gy_fault_clear(&m->sender_fault);
    if (m->fault.fault.kind != GY_FAULT_NONE)
        swap_halves(m);
    m->frames.n = top + 2;
}

// The step just executed keeps an atomic sequence of `pid` going. False: it closed a cycle.
static bool push_atomic(gy_machine *m, uint32_t top, int32_t pid, bool loop_head)
{
    ensure_frames(m, top + 3);
    gy_frame *frame = &m->frames.at[top], *next = frame + 1;
    next->state = next->buffer.at;
    next->shape = m->shape;
    next->offer = 0;
    next->sender = -1;
    next->timeout = false;
    next->steps = frame->steps + 1;
    next->recorded = false;
    save_hidden(m, next);
    set_range(next, pid);
    if ((uint32_t)pid >= m->shape->process_count)
        next->pid = -2, next->last = 0; // it is dead
    m->frames.n = top + 2;
    if (loop_head && !gy_path_record(m, top + 1, pid)) {
        m->frames.n = top + 1;
        m->cut++;
        return false;
    }
    return true;
}

static inline bool passes(const gy_machine *m, const gy_vm_edge *edge)
{
    return gy_quick_test_holds(&edge->test, edge->test.is_local ? m->p : m->s);
}

// The message of a joint rendezvous, as the sender (at hand) computes it. False: that fails.
static bool make_message(gy_machine *m, const gy_vm_edge *edge)
{
    m->channel = edge->channel;
    bool good = gy_vm_run(m, &m->program->code, edge->message) != GY_RUN_FAULT;
    m->offer = edge->channel;
    return good;
}

// A guard or message that cannot be computed is a fault only where a process would take it.
static void offer_jointly(gy_machine *m, uint32_t top, int32_t pid, int32_t number, bool good)
{
    good = make_message(m, &m->program->edges[number]) && good;
    gy_fault_clear(&m->fault);
    push_offer(m, top, pid, number);
    m->frames.at[top + 1].half_fails = !good;
}

// A receiver of a joint rendezvous is ready: its half, then the sender's, in the same state. False:
// a fault left none.
static bool execute_jointly(gy_machine *m, const gy_frame *frame, const gy_vm_edge *edge,
                            gy_buffer *to)
{
    const gy_vm_edge *half = &m->program->edges[frame->half];
    int32_t receiver = m->pid;
    if (!frame->half_fails && !gy_vm_execute(m, frame, edge, receiver, to))
        return false;
    swap_halves(m);
    bool done = !frame->half_fails && gy_vm_do_half(m, half, frame->sender);
    if (frame->half_fails) { // so that the fault is there again
        gy_machine_become(m, frame->sender);
        if (!half->guard || gy_vm_run(m, &m->program->code, half->guard) != GY_RUN_FAULT)
            make_message(m, half);
    }
    swap_halves(m);
    gy_machine_become(m, receiver);
    return done;
}

// A receiver whose guard fails, but not over the channel that is offered, has no part in the
// rendezvous: its attempt is a step of its own, and the offer may still find somebody.
static int tell_attempt(gy_machine *m, const gy_frame *frame, int32_t number)
{
    gy_step *step = &m->steps.at[frame->steps], offer = *step;
    *step = (gy_step){frame->pid, number, -1, -1, frame->tries, 0};
    int stop = tell(m, NULL, NULL, frame->steps + 1, true, -1);
    m->steps.at[frame->steps] = offer;
    return stop;
}

static void note_moved(gy_frame *frame, int32_t number)
{
    if (!frame->moved)
        frame->mover = number;
    frame->moved = frame->any = true;
}

// The edge, which was executed, is to be the only one of its process that can be.
static void check_alone(gy_machine *m, const gy_frame *frame, int32_t number)
{
    const gy_edge *edge = &m->model->edges[number];
    if (edge->alone && frame->moved && !frame->tries)
        gy_raise(m, GY_FAULT_NONDETERMINISM,
                 "non-determinism in D_proctype %s, where `%s` can be executed too",
                 m->model->templates[edge->tmpl].name, m->model->edges[frame->mover].text);
}

// While a message is offered, only what may receive it can be executed; and a rendezvous is
// received only then.
static inline bool is_out(const gy_frame *frame, int32_t receives)
{
    if (!frame->offer)
        return receives >= GY_BY_RENDEZVOUS;
    int32_t channel = receives & (GY_BY_RENDEZVOUS - 1);
    return receives == GY_NO_RECEIVE || (channel && channel != (int32_t)frame->offer);
}

// Goes past edges that are out: with many alternatives of which few are in, that is most of the
// work.
static inline void skip_edges(const gy_machine *m, gy_frame *frame, const gy_node *node)
{
    const int32_t *receives = m->program->receives + node->first_edge;
    while (frame->edge < node->edge_count && is_out(frame, receives[frame->edge]))
        frame->edge++;
}

enum { GO_ON, PUSHED, STOPPED };

// Tries one edge of the top frame. STOPPED: *stop is what the caller said.
static int try_edge(gy_machine *m, uint32_t top, int32_t number, int *stop)
{
    gy_frame *frame = &m->frames.at[top];
    const gy_vm_edge *edge = &m->program->edges[number];
    int32_t pid = frame->pid;
    if (is_out(frame, m->program->receives[number]))
        return GO_ON;
    if (edge->has_test && !passes(m, edge))
        return GO_ON;
    if (edge->kind != GY_EDGE_NORMAL) {
        if (edge->kind == GY_EDGE_ELSE && frame->moved && !frame->choices.n)
            return GO_ON;
        if (edge->kind == GY_EDGE_END && (uint32_t)pid + 1 != frame->shape->process_count)
            return GO_ON;
    }
    int32_t can = 1;
    if (frame->offer)
        m->channel = 0;
    if (edge->has_test && edge->test.decides) {
        m->channel = edge->channel;
        m->slot = 0;
    } else if (edge->guard)
        can = gy_vm_run(m, &m->program->code, edge->guard);
    if (can == 0)
        return GO_ON;
    if (can == GY_RUN_FAULT && frame->offer && !edge->channel && m->channel != frame->offer) {
        *stop = tell_attempt(m, frame, number);
        return *stop ? STOPPED : GO_ON;
    }
    note_step(m, frame, pid, number);
    if (edge->message) {
        frame->escape = edge->escape;
        offer_jointly(m, top, pid, number, can != GY_RUN_FAULT);
        return PUSHED;
    }
    bool joint = frame->offer && frame->half >= 0;
    gy_buffer *to = &m->frames.at[top + 1].buffer;
    bool done = can != GY_RUN_FAULT && (joint ? execute_jointly(m, frame, edge, to)
                                              : gy_vm_execute(m, frame, edge, pid, to));
    frame->escape = edge->escape;
    if (done)
        check_alone(m, frame, number);
    if (done && m->offer) {
        push_offer(m, top, pid, -1);
        return PUSHED;
    }
    note_moved(frame, number);
    if (!done)
        *stop = tell(m, NULL, NULL, frame->steps + 1, true, -1);
    else if (!edge->keeps_atomic || m->single)
        *stop = tell(m, m->s, m->shape, frame->steps + 1, has_failed(m, frame),
                     edge->keeps_atomic && (uint32_t)pid < m->shape->process_count ? pid : -1);
    else {
        if (has_failed(m, frame) && (*stop = tell(m, NULL, NULL, frame->steps + 1, true, -1)))
            return STOPPED;
        if (push_atomic(m, top, pid, edge->loop_head))
            return PUSHED;
        frame = &m->frames.at[top];
    }
    if (*stop)
        return STOPPED;
    enter(m, frame);
    return GO_ON;
}

// ---- the search -------------------------------------------------------------------------

// Goes on with the processes of the top frame. GO_ON: all were tried.
static int run_frame(gy_machine *m, uint32_t top, int *stop)
{
    gy_frame *frame = &m->frames.at[top];
    enter(m, frame);
    for (; frame->pid >= frame->last; frame->pid--, frame->started = false) {
        if (!frame->started) {
            if (frame->offer && frame->pid == frame->sender)
                continue;
            frame->started = true;
            frame->moved = m->moved = false;
            frame->edge = 0;
            frame->escape = 0;
            if (m->vm->restricted && !gy_vm_may_move(m, frame->pid))
                continue;
        }
        const gy_state_layout_process *process = &frame->shape->process[frame->pid];
        const gy_vm_template *tmpl = &m->program->templates[process->tmpl];
        uint32_t at = frame->state[process->offset] & tmpl->pc_mask;
        if (frame->offer && !frame->edge && !(tmpl->receives[at] >> frame->offer % 64 & 1))
            continue;
        const gy_node *node = &tmpl->nodes[at];
        for (;;) {
            bool again = frame->choices.n && gy_next_choices(&frame->choices);
            frame->tries = again ? frame->tries + 1 : 0;
            frame->edge -= again;
            if (!again && !frame->escape)
                skip_edges(m, frame, node);
            if (frame->edge >= node->edge_count)
                break;
            int32_t number = node->first_edge + frame->edge;
            if (frame->escape && frame->escape != m->program->edges[number].escape)
                break;
            frame->edge++;
            m->pid = frame->pid;
            m->p = frame->state + process->offset;
            m->moved = frame->moved;
            gy_vm_follow(m, &frame->choices);
            int result = try_edge(m, top, number, stop);
            if (result != GO_ON)
                return result;
            frame = &m->frames.at[top]; // they may have moved
        }
    }
    return GO_ON;
}

// Frame `top` is finished: hand its result to the one below. False: nothing is below.
static bool pop(gy_machine *m, uint32_t top, uint64_t emitted, uint64_t cut, int *stop)
{
    gy_frame *frame = &m->frames.at[top];
    gy_path_forget(m, top);
    m->frames.n = top;
    gy_frame *below = frame - 1;
    if (frame->offer) {
        gy_fault_clear(&m->sender_fault);
        if (frame->any)
            note_moved(below, m->steps.at[below->steps].edge);
        else
            below->escape = 0;
    } else if (!frame->any) // the atomic sequence blocks: its state becomes visible
        *stop = tell(m, frame->state, frame->shape, frame->steps, false, -1);
    if (top == 1 && !*stop && m->emitted == emitted && m->cut != cut) {
        gy_raise(m, GY_FAULT_ATOMIC_LOOP, "the atomic sequence goes round for ever");
        *stop = tell(m, NULL, NULL, 1, true, -1);
    }
    return !*stop;
}

static int search(gy_machine *m, int32_t exclusive)
{
    int stop = 0;
    uint64_t emitted = 0, cut = 0;
    uint32_t top = 0;
    for (;;) {
        int result = run_frame(m, top, &stop);
        if (result == STOPPED)
            break;
        if (result == PUSHED) {
            if (top == 0) {
                emitted = m->emitted;
                cut = m->cut;
            }
            top++;
            continue;
        }
        if (top > 0) {
            if (!pop(m, top, emitted, cut, &stop))
                break;
            top--;
            continue;
        }
        gy_frame *source = &m->frames.at[0];
        if (source->any)
            break;
        if (exclusive >= 0) {
            exclusive = -1;
            set_range(source, -1);
        } else if (m->model->uses_timeout && !source->timeout) {
            source->timeout = true;
            set_range(source, -1);
        } else
            break;
    }
    while (m->frames.n > 1)
        gy_path_forget(m, (uint32_t)--m->frames.n);
    return stop;
}

static int explore(gy_machine *m, const gy_word *state, uint32_t words, int32_t exclusive,
                   gy_visit *visit, void *user)
{
    ensure_frames(m, 4);
    gy_frame *source = &m->frames.at[0];
    source->state = (gy_word *)state; // only read
    source->shape = gy_state_layout_of(m->vm, state, words);
    source->offer = 0;
    source->sender = -1;
    source->timeout = false;
    source->steps = 0;
    source->recorded = false;
    if (m->program->hidden_count) {
        memcpy(m->hidden, m->hidden_start, m->program->hidden_count * sizeof *m->hidden);
        save_hidden(m, source);
    }
    if (exclusive >= (int32_t)source->shape->process_count)
        exclusive = -1;
    set_range(source, exclusive);
    m->frames.n = 1;
    m->visit = visit;
    m->user = user;
    m->emitted = m->cut = 0;
    m->stack_at = 0;
    gy_fault_clear(&m->fault);
    gy_fault_clear(&m->sender_fault);
    return search(m, exclusive);
}

int gy_vm_successors(void *worker, const gy_word *state, uint32_t words, gy_visit *visit,
                     void *user)
{
    gy_machine *m = worker;
    m->single = false;
    return explore(m, state, words, -1, visit, user);
}

int gy_vm_single_steps(void *worker, const gy_word *state, uint32_t words, int32_t exclusive,
                       gy_visit *visit, void *user)
{
    gy_machine *m = worker;
    m->single = true;
    return explore(m, state, words, exclusive, visit, user);
}

static int stop_at_step(void *user, const gy_transition *transition)
{
    (void)user;
    return transition->step_count > 0;
}

bool gy_vm_is_stuck(gy_machine *m, const gy_word *state, uint32_t words)
{
    m->single = false;
    bool moves = explore(m, state, words, -1, stop_at_step, NULL);
    return !moves || m->frames.at[0].timeout;
}

bool gy_vm_has_stopped(gy_machine *m, const gy_word *state, uint32_t words)
{
    m->single = false;
    return !explore(m, state, words, -1, stop_at_step, NULL);
}
