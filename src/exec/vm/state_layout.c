// Representation: shapes live in chunks of pointers, chunk c holding numbers c * CHUNK to
// (c + 1) * CHUNK - 1. A chunk pointer and the pointers in it are published with release and
// read with acquire. Since a shape is reached only by pushing components one by one from the
// empty shape, the tree of `next` pointers itself is the intern table: the same sequence of
// components always ends in the same shape.
// Invariant: child->parent->next[component] == child, and ids are dense.
#include "exec/vm/state_layout.h"

#include "base/fatal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, MAX_CHUNKS = 4096 };

struct gy_state_layouts {
    const gy_model *model;
    pthread_mutex_t lock; // for making shapes
    _Atomic uint32_t count;
    _Atomic(_Atomic(const gy_state_layout *) *) chunks[MAX_CHUNKS];
};

static gy_state_layout *shape_new(gy_state_layouts *shapes, uint32_t processes, uint32_t channels)
{
    uint32_t moves = shapes->model->template_count + shapes->model->channel_type_count;
    size_t bytes = sizeof(gy_state_layout) + processes * sizeof(gy_state_layout_process) +
                   channels * sizeof(gy_state_layout_channel) +
                   moves * sizeof(_Atomic(gy_state_layout *)) + 16;
    gy_state_layout *shape = gy_alloc_zero(bytes);
    char *at = (char *)(shape + 1);
    shape->next = (void *)at;
    at += moves * sizeof(_Atomic(gy_state_layout *));
    shape->process = (void *)at;
    at += processes * sizeof(gy_state_layout_process);
    shape->channel = (void *)at;
    shape->process_count = processes;
    shape->channel_count = channels;
    return shape;
}

// Gives the shape its number and makes it known. With the lock held.
static void publish(gy_state_layouts *shapes, gy_state_layout *shape)
{
    uint32_t id = atomic_load_explicit(&shapes->count, memory_order_relaxed);
    if (id >= CHUNK * MAX_CHUNKS)
        gy_fatal("more than %d different sets of processes and channels", CHUNK * MAX_CHUNKS);
    shape->id = id;
    _Atomic(const gy_state_layout *) *chunk =
        atomic_load_explicit(&shapes->chunks[id / CHUNK], memory_order_relaxed);
    if (!chunk) {
        chunk = gy_alloc_zero(CHUNK * sizeof *chunk);
        atomic_store_explicit(&shapes->chunks[id / CHUNK], chunk, memory_order_release);
    }
    atomic_store_explicit(&chunk[id % CHUNK], shape, memory_order_release);
    atomic_store_explicit(&shapes->count, id + 1, memory_order_release);
}

gy_state_layouts *gy_state_layouts_new(const gy_model *model)
{
    gy_state_layouts *shapes = gy_alloc_zero(sizeof *shapes);
    shapes->model = model;
    pthread_mutex_init(&shapes->lock, NULL);
    gy_state_layout *empty = shape_new(shapes, 0, 0);
    empty->words = model->global_words;
    publish(shapes, empty);
    return shapes;
}

void gy_state_layouts_free(gy_state_layouts *shapes)
{
    if (!shapes)
        return;
    uint32_t count = atomic_load(&shapes->count);
    for (uint32_t id = 0; id < count; id++)
        free((void *)gy_state_layout_at(shapes, id));
    for (uint32_t c = 0; c < MAX_CHUNKS; c++)
        free((void *)atomic_load(&shapes->chunks[c]));
    pthread_mutex_destroy(&shapes->lock);
    free(shapes);
}

const gy_state_layout *gy_state_layout_empty(const gy_state_layouts *shapes)
{
    return gy_state_layout_at(shapes, 0);
}

const gy_state_layout *gy_state_layout_at(const gy_state_layouts *shapes, uint32_t id)
{
    if (id >= CHUNK * MAX_CHUNKS)
        return NULL;
    _Atomic(const gy_state_layout *) *chunk =
        atomic_load_explicit(&shapes->chunks[id / CHUNK], memory_order_acquire);
    return chunk ? atomic_load_explicit(&chunk[id % CHUNK], memory_order_acquire) : NULL;
}

uint32_t gy_state_layout_count(const gy_state_layouts *shapes)
{
    return atomic_load_explicit(&shapes->count, memory_order_acquire);
}

// With the lock held: the child that has one process (tmpl >= 0) or one channel more.
static const gy_state_layout *make_child(gy_state_layouts *shapes, const gy_state_layout *parent,
                                         int32_t tmpl, int32_t type)
{
    bool is_process = tmpl >= 0;
    gy_state_layout *child =
        shape_new(shapes, parent->process_count + is_process, parent->channel_count + !is_process);
    gy_state_layout_process *process = (gy_state_layout_process *)child->process;
    gy_state_layout_channel *channel = (gy_state_layout_channel *)child->channel;
    if (parent->process_count)
        memcpy(process, parent->process, parent->process_count * sizeof *process);
    if (parent->channel_count)
        memcpy(channel, parent->channel, parent->channel_count * sizeof *channel);
    if (is_process) {
        process[parent->process_count] = (gy_state_layout_process){parent->words, tmpl};
        child->words = parent->words + shapes->model->templates[tmpl].words;
        child->before_process = parent;
    } else {
        int32_t creator = (int32_t)parent->process_count - 1;
        channel[parent->channel_count] = (gy_state_layout_channel){parent->words, type, creator};
        child->words = parent->words + shapes->model->channel_types[type].words;
        child->before_process = parent->before_process;
    }
    child->parent = parent;
    publish(shapes, child);
    return child;
}

static const gy_state_layout *push(gy_state_layouts *shapes, const gy_state_layout *shape,
                                   int32_t tmpl, int32_t type)
{
    uint32_t move = tmpl >= 0 ? (uint32_t)tmpl : shapes->model->template_count + (uint32_t)type;
    const gy_state_layout *child = atomic_load_explicit(&shape->next[move], memory_order_acquire);
    if (child)
        return child;
    pthread_mutex_lock(&shapes->lock);
    child = atomic_load_explicit(&shape->next[move], memory_order_acquire);
    if (!child) {
        child = make_child(shapes, shape, tmpl, type);
        atomic_store_explicit(&shape->next[move], child, memory_order_release);
    }
    pthread_mutex_unlock(&shapes->lock);
    return child;
}

const gy_state_layout *gy_state_layout_push_process(gy_state_layouts *shapes,
                                                    const gy_state_layout *shape, int32_t tmpl)
{
    return push(shapes, shape, tmpl, GY_NONE);
}

const gy_state_layout *gy_state_layout_push_channel(gy_state_layouts *shapes,
                                                    const gy_state_layout *shape, int32_t type)
{
    return push(shapes, shape, GY_NONE, type);
}

// ---- handing a table over ---------------------------------------------------------------

// The components that were pushed, as in `next`: templates first, then channel types.
static uint32_t component_of(const gy_state_layouts *shapes, const gy_state_layout *shape)
{
    if (shape->process_count > shape->parent->process_count)
        return (uint32_t)shape->process[shape->process_count - 1].tmpl;
    return shapes->model->template_count + (uint32_t)shape->channel[shape->channel_count - 1].type;
}

uint32_t *gy_state_layouts_export(const gy_state_layouts *shapes, size_t *words)
{
    uint32_t count = gy_state_layout_count(shapes);
    uint32_t *exported = gy_alloc(2 * (size_t)count * sizeof *exported);
    *words = 0;
    for (uint32_t id = 1; id < count; id++) {
        const gy_state_layout *shape = gy_state_layout_at(shapes, id);
        exported[(*words)++] = shape->parent->id;
        exported[(*words)++] = component_of(shapes, shape);
    }
    return exported;
}

bool gy_state_layouts_import(gy_state_layouts *shapes, const uint32_t *exported, size_t words)
{
    uint32_t templates = shapes->model->template_count;
    for (size_t i = 0; i + 1 < words; i += 2) {
        uint32_t id = (uint32_t)(i / 2) + 1, component = exported[i + 1];
        if (exported[i] >= id || component >= templates + shapes->model->channel_type_count)
            return false;
        const gy_state_layout *parent = gy_state_layout_at(shapes, exported[i]);
        bool full = component < templates ? parent->process_count >= GY_MAX_PROCESSES
                                          : parent->channel_count >= GY_MAX_CHANNELS;
        if (full)
            return false;
        const gy_state_layout *shape =
            component < templates
                ? gy_state_layout_push_process(shapes, parent, (int32_t)component)
                : gy_state_layout_push_channel(shapes, parent, (int32_t)(component - templates));
        if (shape->id != id)
            return false;
    }
    return true;
}
