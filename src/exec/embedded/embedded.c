// Running embedded C on the state of a machine. See embedded.h.
//
// Invariant: the C memory of a state is `words` words long from `at` on, in the global block
// and in the blocks of each template; bytes beyond what the object said are zero.
#include "exec/embedded/embedded.h"

#include "base/fatal.h"
#include "exec/vm/vm.h"
#include "model/layout.h"

#include <dlfcn.h>
#include <pthread.h>

typedef struct memory {
    uint32_t at, words; // within the block
} memory;

struct gy_embedded {
    void *handle;
    pthread_mutex_t lock;
    memory global, *locals; // by template
    gy_word *start;         // the global C memory of the first state
    void (*load)(const gy_word *s, const gy_word *p, int tmpl, int pid, int processes,
                 int channels);
    void (*store)(gy_word *s, gy_word *p, int tmpl, int pid, int processes, int channels);
    void (*start_local)(int tmpl, void *memory);
    const char *(*run)(int id, int *value);
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
    if (!good)
        return NULL;
    gy_embedded *e = gy_alloc_zero(sizeof *e);
    size_t (*bytes)(int tmpl);
    void (*start)(void *memory);
    e->handle = build->handle;
    pthread_mutex_init(&e->lock, NULL);
    FIND(e->handle, e->load, "gyre_c_load");
    FIND(e->handle, e->store, "gyre_c_store");
    FIND(e->handle, e->start_local, "gyre_c_start_local");
    FIND(e->handle, e->run, "gyre_c_run");
    FIND(e->handle, bytes, "gyre_c_bytes");
    FIND(e->handle, start, "gyre_c_start");
    e->global = make_room(bytes(-1), &model->global_words);
    e->start = gy_alloc_zero((e->global.words + 1) * sizeof *e->start);
    start(e->start);
    e->locals = gy_alloc_zero((model->template_count + 1) * sizeof *e->locals);
    for (uint32_t t = 0; t < model->template_count; t++)
        e->locals[t] = make_room(bytes((int)t), &model->templates[t].words);
    return e;
}

void gy_embedded_free(gy_embedded *e)
{
    if (!e)
        return;
    dlclose(e->handle);
    pthread_mutex_destroy(&e->lock);
    free(e->start);
    free(e->locals);
    free(e);
}

bool gy_embedded_run(gy_machine *m, int32_t id, bool is_statement, int32_t *value)
{
    gy_embedded *e = m->vm->embedded;
    int32_t pid = m->pid, tmpl = pid >= 0 ? m->shape->process[pid].tmpl : GY_NONE;
    int processes = (int)m->shape->process_count, channels = (int)m->shape->channel_count;
    int result = 0;
    pthread_mutex_lock(&e->lock);
    e->load(m->s, m->p, tmpl, pid, processes, channels);
    const char *failed = e->run(id, &result);
    if (is_statement)
        e->store(m->s, m->p, tmpl, pid, processes, channels);
    if (failed)
        gy_raise(m, GY_FAULT_C, "%s", failed);
    pthread_mutex_unlock(&e->lock);
    *value = result;
    return !failed;
}

void gy_embedded_start(gy_machine *m)
{
    const gy_embedded *e = m->vm->embedded;
    memcpy(m->s + e->global.at, e->start, e->global.words * sizeof *m->s);
}

void gy_embedded_start_process(gy_machine *m, int32_t pid)
{
    gy_embedded *e = m->vm->embedded;
    const gy_state_layout_process *process = &m->shape->process[pid];
    const memory *room = &e->locals[process->tmpl];
    if (!room->words)
        return;
    pthread_mutex_lock(&e->lock);
    e->start_local(process->tmpl, m->s + process->offset + room->at);
    pthread_mutex_unlock(&e->lock);
}
