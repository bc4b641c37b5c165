// Running embedded C on the state of a machine. See embedded.h.
//
// Invariant: the C memory of a state is `words` words long from `at` on, in the global block
// and in the blocks of each template; bytes beyond what the object said are zero.
#include "exec/embedded/embedded.h"

#include "base/fatal.h"
#include "exec/embedded/embedded_table.h"
#include "exec/embedded/trap.h"
#include "exec/vm/inline_fields.h"
#include "exec/vm/vm.h"
#include "model/layout.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct memory {
    uint32_t at, words; // within the block
} memory;

// As in the generated code: see embedded_gen.c.
typedef struct host_calls {
    void *machine;
    int (*length)(void *machine, int channel);
    int (*capacity)(void *machine, int channel);
    void (*leave)(void);
    void (*print)(void *machine, const char *text, size_t n, int trail);
    uintptr_t image, span; // where the object is
} host_calls;

struct gy_embedded {
    void *handle;
    atomic_bool begun;
    host_calls *host; // in the object
    gy_text printed;  // by the fragment at work
    pthread_mutex_t lock;
    memory global, *locals;     // by template
    gy_embedded_table *table;   // of unmatched memory, which is a part of the global one
    gy_word *declared;          // the global C memory as it was declared
    bool starts, *starts_local; // is there an initial value? By template
    const char **places;        // of the fragments, for messages; in the model's arena
    void (*load)(const gy_word *s, const gy_word *p, int tmpl, int pid, int processes,
                 int channels);
    void (*store)(gy_word *s, gy_word *p, int tmpl, int pid, int processes, int channels);
    void (*start)(int tmpl);
    const char *(*run)(int id, int *value);
    char *failed; // in the object: what C code said was wrong
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

// `trail`: what is only said along a path that is shown. All else that a search prints goes where
// messages go, since standard output is the report's. Who examines single steps first sees which
// there are, and has the one that it takes print.
static void print(void *machine, const char *text, size_t n, int trail)
{
    const gy_machine *m = machine;
    if (m->print)
        gy_text_bytes(&m->vm->embedded->printed, text, n);
    while (!m->print && !trail && !m->single && n) {
        ssize_t done = write(STDERR_FILENO, text, n);
        if (done <= 0)
            return;
        text += done;
        n -= (size_t)done;
    }
}

// ---- places
// --------------------------------------------------------------------------------------

// "model.pml:12", for messages.
static void place_of(const gy_model *model, int32_t id, gy_text *out)
{
    gy_location place = model->c_codes[id]->place;
    if (!place || !model->sources)
        return;
    gy_location_info info = gy_location_user(model->sources, place);
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

typedef struct declared_call {
    void (*declared)(void *memory);
    void *memory;
} declared_call;

static void call_declared(void *user)
{
    const declared_call *c = user;
    c->declared(c->memory);
}

// The object that has this symbol, from its first to its last byte.
static int find_image(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    host_calls *host = user;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD)
            continue;
        uintptr_t at = info->dlpi_addr + part->p_vaddr;
        begin = at < begin ? at : begin;
        end = at + part->p_memsz > end ? at + part->p_memsz : end;
    }
    if ((uintptr_t)host < begin || (uintptr_t)host >= end)
        return 0;
    host->image = begin;
    host->span = end - begin;
    return 1;
}

static gy_embedded *embedded_new(void *handle)
{
    gy_embedded *e = gy_alloc_zero(sizeof *e);
    e->handle = handle;
    pthread_mutex_init(&e->lock, NULL);
    FIND(handle, e->load, "gyre_c_load");
    FIND(handle, e->store, "gyre_c_store");
    FIND(handle, e->start, "gyre_c_start");
    FIND(handle, e->run, "gyre_c_run");
    e->failed = find(handle, "gyre_failed");
    e->host = find(handle, "gyre_host");
    *e->host = (host_calls){.length = channel_length,
                            .capacity = channel_capacity,
                            .leave = gy_trap_leave,
                            .print = print};
    dl_iterate_phdr(find_image, e->host);
    gy_trap_install();
    return e;
}

// Compilers quote names with either kind of marks.
static bool is_undeclared(const char *problem, const char *name)
{
    static const char *const quoted[] = {"‘%s’ undeclared", "'%s' undeclared",
                                         "undeclared identifier '%s'"};
    bool found = false;
    for (size_t i = 0; i < sizeof quoted / sizeof *quoted; i++) {
        gy_text text = {0};
        gy_text_printf(&text, quoted[i], name);
        found = found || strstr(problem, gy_text_str(&text));
        gy_text_free(&text);
    }
    return found;
}

// What the compiler or the loader said, with what it means here.
static void explain(const gy_model *model, gy_text *problem)
{
    static const char undefined[] = "undefined symbol: ";
    const char *name = gy_embedded_pan_name(gy_text_str(problem));
    const char *symbol = strstr(gy_text_str(problem), undefined);
    if (symbol) {
        char *copy = strdup(symbol + strlen(undefined));
        gy_text_clear(problem);
        gy_text_printf(problem, "`%s` is defined nowhere", copy);
        free(copy);
    }
    if (name)
        gy_text_printf(problem, " (`%s` is a part of Spin's verifier that C code cannot use here)",
                       name);
    else if (symbol)
        gy_text_add(problem, " (C calls functions of C: neither inlines nor macros of the model)");
    for (uint32_t i = 0; i < model->global_count; i++)
        if (is_undeclared(gy_text_str(problem), model->vars[i].name)) {
            gy_text_printf(problem, " (in C it is `now.%s`)", model->vars[i].name);
            break;
        }
}

static void make_rooms(gy_embedded *e, gy_model *model)
{
    size_t (*bytes)(int tmpl);
    FIND(e->handle, bytes, "gyre_c_bytes");
    e->global = make_room(bytes(-1), &model->global_words);
    memory unmatched = make_room(bytes(-2), &model->global_words);
    e->global.words += unmatched.words;
    if (unmatched.words) {
        e->table = gy_alloc_zero(sizeof *e->table);
        e->table->at = unmatched.at;
        e->table->words = unmatched.words;
    }
    e->declared = gy_alloc_zero((e->global.words + 1) * sizeof *e->declared);
    e->locals = gy_alloc_zero((model->template_count + 1) * sizeof *e->locals);
    e->starts_local = gy_alloc_zero((model->template_count + 1) * sizeof *e->starts_local);
    e->starts = gy_embedded_starts(model, GY_NONE);
    for (uint32_t t = 0; t < model->template_count; t++) {
        e->locals[t] = make_room(bytes((int)t), &model->templates[t].words);
        e->starts_local[t] = gy_embedded_starts(model, (int32_t)t);
    }
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
        explain(model, &build->problem);
        return NULL;
    }
    gy_embedded *e = embedded_new(build->handle);
    know_places(e, model);
    make_rooms(e, model);
    declared_call declared = {.memory = e->declared};
    FIND(e->handle, declared.declared, "gyre_c_declared");
    const char *why = gy_trap_run(call_declared, &declared, "the objects of c_track");
    if (why) {
        gy_text_printf(&build->problem, "%s in the objects of c_track",
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
    if (e->table)
        gy_embedded_table_free(e->table);
    free(e->table);
    free(e->declared);
    free(e->locals);
    free(e->starts_local);
    gy_text_free(&e->printed);
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
    if (*e->failed)
        f->failed = e->failed;
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
    gy_text_clear(&e->printed);
    const char *why = gy_trap_run(call_fragment, &f, e->places[id]);
    if (why)
        raise_crash(m, &f, why);
    else if (f.failed)
        gy_raise(m, GY_FAULT_C, "%s", f.failed);
    if (m->print && is_statement && e->printed.n)
        m->print(m->print_user, m->pid, gy_text_str(&e->printed));
    pthread_mutex_unlock(&e->lock);
    *value = f.value;
    return !why && !f.failed;
}

bool gy_embedded_is_new(gy_embedded *e)
{
    return !atomic_exchange(&e->begun, true);
}

void gy_embedded_begin(gy_machine *m)
{
    const gy_embedded *e = m->vm->embedded;
    memcpy(m->s + e->global.at, e->declared, e->global.words * sizeof *m->s);
}

typedef struct start_call {
    gy_machine *m;
    int32_t pid; // -1: all
} start_call;

static void call_start(void *user)
{
    const start_call *c = user;
    gy_machine *m = c->m;
    const gy_embedded *e = m->vm->embedded;
    const gy_state_layout_process *process = c->pid >= 0 ? &m->shape->process[c->pid] : NULL;
    int32_t tmpl = process ? process->tmpl : GY_NONE;
    gy_word *p = process ? m->s + process->offset : NULL;
    int processes = (int)m->shape->process_count, channels = (int)m->shape->channel_count;
    e->failed[0] = '\0';
    e->load(m->s, p, tmpl, c->pid, processes, channels);
    e->start(tmpl);
    e->store(m->s, p, tmpl, c->pid, processes, channels);
}

static bool start(gy_machine *m, int32_t pid)
{
    gy_embedded *e = m->vm->embedded;
    start_call c = {m, pid};
    pthread_mutex_lock(&e->lock);
    e->host->machine = m;
    gy_text_clear(&e->printed);
    const char *why = gy_trap_run(call_start, &c, "the initial values of c_state");
    if (!why && *e->failed)
        why = e->failed;
    if (why)
        gy_raise(m, GY_FAULT_C, "%s in the initial values of c_state",
                 *why ? why : "exit or abort");
    pthread_mutex_unlock(&e->lock);
    return !why;
}

bool gy_embedded_start(gy_machine *m)
{
    return !m->vm->embedded->starts || start(m, -1);
}

bool gy_embedded_start_process(gy_machine *m, int32_t pid)
{
    return !m->vm->embedded->starts_local[m->shape->process[pid].tmpl] || start(m, pid);
}

void gy_embedded_settle(gy_machine *m, gy_word *state, uint32_t words)
{
    gy_embedded *e = m->vm->embedded;
    if (!e->table)
        return;
    pthread_mutex_lock(&e->lock);
    gy_embedded_table_settle(e->table, state, words);
    pthread_mutex_unlock(&e->lock);
}
