// Running embedded C on the state of a machine. See embedded.h.
//
// Invariant: the C memory of a state is `words` words long from `at` on, in the global block
// and in the blocks of each template; bytes beyond what the object said are zero.
#include "exec/embedded/embedded.h"

#include "base/fatal.h"
#include "exec/embedded/trap.h"
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"
#include "model/layout.h"

#include <dlfcn.h>
#include <pthread.h>

typedef struct memory {
    uint32_t at, words; // within the block
} memory;

enum { PRINTED_ROOM = 8192 }; // what one fragment may print

// As in the generated code: see embedded_gen.c.
typedef struct host_calls {
    void *machine;
    int (*length)(void *machine, int channel);
    int (*capacity)(void *machine, int channel);
    void (*leave)(void);
    char *printed;
    size_t room;
} host_calls;

struct gy_embedded {
    void *handle;
    host_calls *host; // in the object
    char printed[PRINTED_ROOM];
    pthread_mutex_t lock;
    memory global, *locals; // by template
    gy_word *start;         // the global C memory of the first state
    const char **places;    // of the fragments, for messages; in the model's arena
    void (*load)(const gy_word *s, const gy_word *p, int tmpl, int pid, int processes,
                 int channels);
    void (*store)(gy_word *s, gy_word *p, int tmpl, int pid, int processes, int channels);
    void (*start_local)(int tmpl, void *memory);
    const char *(*run)(int id, int *value);
    const char *failed; // in the object: what C code said was wrong
};

static void *find(void *handle, const char *name)
{
    void *symbol = dlsym(handle, name);
    if (!symbol)
        gy_fatal("embedded C without %s", name);
    return symbol;
}

#define FIND(handle, to, name)                                                                     \
    do {                                                                                           \
        void *found_ = find(handle, name);                                                         \
        memcpy(&(to), &found_, sizeof(to));                                                        \
    } while (0)

static memory make_room(size_t bytes, uint32_t *words)
{
    memory room = {*words, (uint32_t)((bytes + 3) / 4)};
    *words += room.words;
    return room;
}

// ---- what C code asks of the host -----------------------------------------------------------

static const gy_state_layout_channel *channel_of(const gy_machine *m, int channel)
{
    return channel > 0 && (uint32_t)channel <= m->shape->channel_count
               ? &m->shape->channel[channel - 1]
               : NULL;
}

static int channel_length(void *machine, int number)
{
    const gy_machine *m = machine;
    const gy_state_layout_channel *channel = channel_of(m, number);
    if (!channel)
        return -1;
    const gy_channel_type *type = &m->model->channel_types[channel->type];
    return type->capacity ? (int)gy_chan_len(m->s + channel->offset, type) : 0;
}

static int channel_capacity(void *machine, int number)
{
    const gy_machine *m = machine;
    const gy_state_layout_channel *channel = channel_of(m, number);
    return channel ? (int)m->model->channel_types[channel->type].capacity : 0;
}

// ---- places
// --------------------------------------------------------------------------------------

// "model.pml:12", for messages.
static void place_of(const gy_model *model, int32_t id, gy_text *out)
{
    gy_place place = model->c_codes[id]->place;
    if (!place || !model->sources)
        return;
    gy_place_info info = gy_place_user(model->sources, place);
    gy_text_printf(out, "%s:%u", gy_source_name(model->sources, info.file), info.line);
}

static void know_places(gy_embedded *e, const gy_model *model)
{
    e->places = GY_NEW_ARRAY(model->arena, const char *, model->c_code_count + 1);
    for (uint32_t i = 0; i < model->c_code_count; i++) {
        gy_text place = {0};
        place_of(model, (int32_t)i, &place);
        e->places[i] =
            place.n ? gy_arena_strdup(model->arena, gy_text_str(&place)) : model->c_codes[i]->code;
        gy_text_free(&place);
    }
}

// ---- making -----------------------------------------------------------------------------------

typedef struct start_call {
    void (*start)(void *memory);
    void *memory;
} start_call;

static void call_start(void *user)
{
    const start_call *c = user;
    c->start(c->memory);
}

static gy_embedded *embedded_new(void *handle)
{
    gy_embedded *e = gy_alloc_zero(sizeof *e);
    e->handle = handle;
    pthread_mutex_init(&e->lock, NULL);
    FIND(handle, e->load, "gyre_c_load");
    FIND(handle, e->store, "gyre_c_store");
    FIND(handle, e->start_local, "gyre_c_start_local");
    FIND(handle, e->run, "gyre_c_run");
    e->failed = find(handle, "gyre_failed");
    e->host = find(handle, "gyre_host");
    *e->host = (host_calls){
        .length = channel_length, .capacity = channel_capacity, .leave = gy_trap_leave};
    gy_trap_install();
    return e;
}

gy_embedded *gy_embedded_new(gy_model *model, gy_native_build *build)
{
    gy_model_layout(model); // without C memory: the generated code counts on that
    gy_text source = {0};
    gy_embedded_source(model, &source);
    build->source = gy_text_str(&source);
    build->own_copy = true;
    bool good = gy_native_compile(build);
    gy_text_free(&source);
    build->source = NULL;
    if (!good) {
        const char *name = gy_embedded_pan_name(gy_text_str(&build->problem));
        if (name)
            gy_text_printf(&build->problem,
                           " (`%s` is a part of Spin's verifier that C code can't use here)", name);
        return NULL;
    }
    gy_embedded *e = embedded_new(build->handle);
    know_places(e, model);
    size_t (*bytes)(int tmpl);
    start_call start;
    FIND(e->handle, bytes, "gyre_c_bytes");
    FIND(e->handle, start.start, "gyre_c_start");
    e->global = make_room(bytes(-1), &model->global_words);
    e->start = gy_alloc_zero((e->global.words + 1) * sizeof *e->start);
    start.memory = e->start;
    e->locals = gy_alloc_zero((model->template_count + 1) * sizeof *e->locals);
    for (uint32_t t = 0; t < model->template_count; t++)
        e->locals[t] = make_room(bytes((int)t), &model->templates[t].words);
    const char *why = gy_trap_run(call_start, &start, "the initial values of c_state and c_track");
    if (why) {
        gy_text_printf(&build->problem, "%s in the initial values of c_state and c_track",
                       *why ? why : "exit or abort");
        gy_embedded_free(e);
        return NULL;
    }
    return e;
}

void gy_embedded_free(gy_embedded *e)
{
    if (!e)
        return;
    gy_trap_remove();
    dlclose(e->handle);
    pthread_mutex_destroy(&e->lock);
    free(e->start);
    free(e->locals);
    free(e);
}

// ---- running ----------------------------------------------------------------------------------

typedef struct fragment {
    gy_machine *m;
    int32_t id;
    bool is_statement;
    int value;
    const char *failed;
} fragment;

static void call_fragment(void *user)
{
    fragment *f = user;
    gy_machine *m = f->m;
    const gy_embedded *e = m->vm->embedded;
    int32_t pid = m->pid, tmpl = pid >= 0 ? m->shape->process[pid].tmpl : GY_NONE;
    int processes = (int)m->shape->process_count, channels = (int)m->shape->channel_count;
    e->load(m->s, m->p, tmpl, pid, processes, channels);
    f->failed = e->run(f->id, &f->value);
    if (f->is_statement)
        e->store(m->s, m->p, tmpl, pid, processes, channels);
}

static void raise_crash(gy_machine *m, const fragment *f, const char *why)
{
    gy_text place = {0};
    place_of(m->model, f->id, &place);
    const char *said = *why ? why : m->vm->embedded->failed;
    gy_raise(m, GY_FAULT_C, "%s in embedded C%s%s", said, place.n ? " at " : "",
             gy_text_str(&place));
    gy_text_free(&place);
}

static bool failed_before(const gy_machine *m, int32_t id)
{
    const gy_c_failure *c = &m->c_failure;
    return c->words == m->shape->words && c->id == id && c->pid == m->pid &&
           !memcmp(c->state.at, m->s, c->words * sizeof *m->s);
}

void gy_embedded_keep_failure(gy_machine *m, int32_t id)
{
    gy_c_failure *c = &m->c_failure;
    c->id = id;
    c->pid = m->pid;
    c->words = m->shape->words;
    gy_buffer_reserve(&c->state, c->words);
    memcpy(c->state.at, m->s, c->words * sizeof *m->s);
    gy_text_clear(&c->text);
    gy_text_add(&c->text, gy_text_str(&m->fault.text));
    gy_fault_clear(&m->fault);
}

bool gy_embedded_run(gy_machine *m, int32_t id, bool is_statement, int32_t *value)
{
    gy_embedded *e = m->vm->embedded;
    *value = 0;
    if (failed_before(m, id)) {
        gy_raise(m, GY_FAULT_C, "%s", gy_text_str(&m->c_failure.text));
        return false;
    }
    fragment f = {.m = m, .id = id, .is_statement = is_statement};
    pthread_mutex_lock(&e->lock);
    e->host->machine = m;
    e->host->printed = e->printed;
    e->host->room = sizeof e->printed;
    e->printed[0] = 0;
    const char *why = gy_trap_run(call_fragment, &f, e->places[id]);
    if (why)
        raise_crash(m, &f, why);
    else if (f.failed)
        gy_raise(m, GY_FAULT_C, "%s", f.failed);
    if (m->print && is_statement && e->printed[0])
        m->print(m->print_user, m->pid, e->printed);
    pthread_mutex_unlock(&e->lock);
    *value = f.value;
    return !why && !f.failed;
}

void gy_embedded_start(gy_machine *m)
{
    const gy_embedded *e = m->vm->embedded;
    memcpy(m->s + e->global.at, e->start, e->global.words * sizeof *m->s);
}

typedef struct local_call {
    const gy_embedded *e;
    int32_t tmpl;
    void *memory;
} local_call;

static void call_start_local(void *user)
{
    const local_call *c = user;
    c->e->start_local(c->tmpl, c->memory);
}

bool gy_embedded_start_process(gy_machine *m, int32_t pid)
{
    gy_embedded *e = m->vm->embedded;
    const gy_state_layout_process *process = &m->shape->process[pid];
    const memory *room = &e->locals[process->tmpl];
    if (!room->words)
        return true;
    local_call c = {e, process->tmpl, m->s + process->offset + room->at};
    pthread_mutex_lock(&e->lock);
    const char *why = gy_trap_run(call_start_local, &c, "the initial values of c_state");
    pthread_mutex_unlock(&e->lock);
    if (why)
        gy_raise(m, GY_FAULT_C, "%s in the initial values of c_state",
                 *why ? why : "exit or abort");
    return !why;
}
