// Representation: a layout is reached only by pushing components one by one from the empty one, so
// the tree of `next` pointers is the intern table: the same sequence of components always ends in
// the same layout. Invariant: child->parent->next[component] == child, and numbers are dense.
//
// ---- codes ----
// A component is a number: a template, or (after those) a channel type. What the model makes at
// the start, the `start` components, is always the same; so are the channels that a process makes
// when it starts, if there is no choice about it: these need no code. What may come after the
// start is known too: the templates that some statement runs and the channels that it makes. These
// are the `letters`, numbered from 0. So a layout is
//
//     the first `kept` of the start components (all, unless some have died), then letters
//
// where `kept` is as large as possible. With `rest` the letters as a number in bijective base
// (number of letters), rest = ((l1 + 1) * base + (l2 + 1)) * base + …, its code is
//
//     rest * (start + 1) + (start - kept)           if that is below 2^31
//
// So the layout of the initial state is 0, and a model that runs nothing has codes up to `start`.
// If it is not below, the letter that is too much begins a new number: a link (a word that holds
// the code so far) precedes its block, and the code is
//
//     2^31 + rest of the letters since the link     if that is below 2^31 + 2^30
//
// and otherwise the same again. A component that is no letter, which no statement of the model can
// make, gets a link and the code 2^31 + 2^30 + component. The link's place in a state follows from
// the lengths of the blocks after it, so a state can be decoded from its end.
//
// While a process still owes the channels of its start, its layout has no code: no state is left
// so. `awaited` counts what is to come, `final_code` is what the code will be.
//
// ---- finding ----
// Codes below DIRECT are found in chunks of pointers, others in a hash table with open addressing
// that is replaced by a larger one when it is half full. Both are read without a lock: pointers are
// published with release and read with acquire; old tables are kept until the end.
#include "exec/vm/state_layout.h"

#include "base/assert.h"
#include "base/fatal.h"
#include "base/vec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, CHUNKS = 1024, DIRECT = CHUNK * CHUNKS, FIRST_SLOTS = 64 };

#define LINKED 0x80000000u // a code with a link
#define OTHER 0xc0000000u  // a code for a component that is no letter

typedef struct layout_table {
    struct layout_table *older;
    uint32_t room, used; // room is a power of two
    _Atomic(const gy_state_layout *) slots[];
} layout_table;

struct gy_state_layouts {
    const gy_model *model;
    pthread_mutex_t lock; // for making layouts
    _Atomic uint32_t count;
    const gy_state_layout *empty, *last_made;
    _Atomic(_Atomic(const gy_state_layout *) *) chunks[CHUNKS];
    _Atomic(layout_table *) table;

    GY_VEC(uint32_t) start;   // components
    GY_VEC(uint32_t) letters; // components, by letter
    uint32_t *letter_of;      // by component; GY_NO_LETTER
    struct owed {
        const uint32_t *channels; // components
        uint32_t count;
    } * owed; // by template: what a process makes when it starts
};

enum { NO_LETTER = -1 };

static uint32_t component_count(const gy_model *model)
{
    return model->template_count + model->channel_type_count;
}

static uint32_t words_of(const gy_model *model, uint32_t component)
{
    return component < model->template_count
               ? model->templates[component].words
               : model->channel_types[component - model->template_count].words;
}

// ---- what a model can make --------------------------------------------------------------------

// Does this program always make the same, all of it channels?
static bool makes_channels_only(const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        gy_action_kind kind = program->actions[i].kind;
        if (kind == GY_A_JUMP || kind == GY_A_SELECT || kind == GY_A_RUN)
            return false;
    }
    return true;
}

static void add_letter(gy_state_layouts *l, uint32_t component)
{
    if (l->letter_of[component] != (uint32_t)NO_LETTER)
        return;
    l->letter_of[component] = (uint32_t)l->letters.n;
    gy_vec_push(&l->letters, component);
}

static void add_letters(gy_state_layouts *l, const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++) {
        const gy_action *action = &program->actions[i];
        if (action->kind == GY_A_RUN)
            add_letter(l, (uint32_t)action->tmpl);
        else if (action->kind == GY_A_NEW_CHANNEL)
            add_letter(l, l->model->template_count + (uint32_t)action->channel_type);
    }
}

static uint32_t *channels_made(const gy_model *model, const gy_program *program, uint32_t *count)
{
    uint32_t *made = gy_alloc_zero(((program ? program->count : 0) + 1) * sizeof *made);
    *count = 0;
    for (uint32_t i = 0; program && i < program->count; i++)
        if (program->actions[i].kind == GY_A_NEW_CHANNEL)
            made[(*count)++] = model->template_count + (uint32_t)program->actions[i].channel_type;
    return made;
}

static void find_letters(gy_state_layouts *l)
{
    const gy_model *model = l->model;
    l->letter_of = gy_alloc((component_count(model) + 1) * sizeof *l->letter_of);
    memset(l->letter_of, 0xff, (component_count(model) + 1) * sizeof *l->letter_of);
    l->owed = gy_alloc_zero((model->template_count + 1) * sizeof *l->owed);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const gy_program *init = model->templates[t].init;
        if (makes_channels_only(init))
            l->owed[t].channels = channels_made(model, init, &l->owed[t].count);
        else
            add_letters(l, init);
    }
    for (uint32_t e = 0; e < model->edge_count; e++)
        add_letters(l, model->edges[e].effect);
    if (!makes_channels_only(model->init)) { // then nothing is certain
        add_letters(l, model->init);
        for (uint32_t i = 0; i < model->started_count; i++)
            add_letter(l, (uint32_t)model->started[i]);
        return;
    }
    uint32_t count, *made = channels_made(model, model->init, &count);
    for (uint32_t i = 0; i < count; i++)
        gy_vec_push(&l->start, made[i]);
    free(made);
    for (uint32_t i = 0; i < model->started_count; i++) {
        uint32_t tmpl = (uint32_t)model->started[i];
        gy_vec_push(&l->start, tmpl);
        for (uint32_t k = 0; k < l->owed[tmpl].count; k++)
            gy_vec_push(&l->start, l->owed[tmpl].channels[k]);
        if (!makes_channels_only(model->templates[tmpl].init)) { // what follows is uncertain
            for (uint32_t k = i; k < model->started_count; k++)
                add_letter(l, (uint32_t)model->started[k]);
            break;
        }
    }
}

// ---- finding ----------------------------------------------------------------------------------

bool gy_state_layout_fits(const gy_state_layout *layout, const gy_word *state, uint32_t words)
{
    if (layout->code != state[0] || layout->words != words)
        return false;
    for (const gy_state_layout *l = layout->linked; l; l = l->parent->linked)
        if (state[l->link] != l->parent->code)
            return false;
    return true;
}

static inline uint32_t slot_of(const layout_table *table, uint32_t code, uint32_t words)
{
    uint64_t hash = ((uint64_t)words << 32 | code) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 32) & (table->room - 1);
}

static const gy_state_layout *look_up(const gy_state_layouts *l, const gy_word *state,
                                      uint32_t words)
{
    const layout_table *table = atomic_load_explicit(&l->table, memory_order_acquire);
    const gy_state_layout *layout;
    for (uint32_t at = slot_of(table, state[0], words);
         (layout = atomic_load_explicit(&table->slots[at], memory_order_acquire));
         at = (at + 1) & (table->room - 1))
        if (gy_state_layout_fits(layout, state, words))
            return layout;
    return NULL;
}

static layout_table *table_new(uint32_t room, layout_table *older)
{
    layout_table *table = gy_alloc_zero(sizeof *table + room * sizeof table->slots[0]);
    table->room = room;
    table->older = older;
    return table;
}

static void put(layout_table *table, const gy_state_layout *layout)
{
    uint32_t at = slot_of(table, layout->code, layout->words);
    while (atomic_load_explicit(&table->slots[at], memory_order_relaxed))
        at = (at + 1) & (table->room - 1);
    atomic_store_explicit(&table->slots[at], layout, memory_order_release);
    table->used++;
}

static void enter_table(gy_state_layouts *l, const gy_state_layout *layout)
{
    layout_table *table = atomic_load_explicit(&l->table, memory_order_relaxed);
    if (table->used * 2 >= table->room) {
        layout_table *larger = table_new(table->room * 2, table);
        for (uint32_t i = 0; i < table->room; i++) {
            const gy_state_layout *old =
                atomic_load_explicit(&table->slots[i], memory_order_relaxed);
            if (old)
                put(larger, old);
        }
        table = larger;
    }
    put(table, layout);
    atomic_store_explicit(&l->table, table, memory_order_release);
}

static void enter_chunk(gy_state_layouts *l, const gy_state_layout *layout)
{
    uint32_t code = layout->code;
    _Atomic(const gy_state_layout *) *chunk =
        atomic_load_explicit(&l->chunks[code / CHUNK], memory_order_relaxed);
    if (!chunk) {
        chunk = gy_alloc_zero(CHUNK * sizeof *chunk);
        atomic_store_explicit(&l->chunks[code / CHUNK], chunk, memory_order_release);
    }
    gy_assert(!atomic_load(&chunk[code % CHUNK]));
    atomic_store_explicit(&chunk[code % CHUNK], layout, memory_order_release);
}

// Gives the layout its number and makes it known. With the lock held.
static void publish(gy_state_layouts *l, gy_state_layout *layout)
{
    layout->number = atomic_load_explicit(&l->count, memory_order_relaxed);
    layout->made_before = l->last_made;
    l->last_made = layout;
    if (layout->code < DIRECT)
        enter_chunk(l, layout);
    else if (layout->code != GY_LAYOUT_UNFINISHED)
        enter_table(l, layout);
    atomic_store_explicit(&l->count, layout->number + 1, memory_order_release);
}

// ---- tables -----------------------------------------------------------------------------------

static gy_state_layout *layout_new(gy_state_layouts *l, uint32_t processes, uint32_t channels)
{
    uint32_t moves = component_count(l->model);
    size_t bytes = sizeof(gy_state_layout) + processes * sizeof(gy_state_layout_process) +
                   channels * sizeof(gy_state_layout_channel) +
                   moves * sizeof(_Atomic(gy_state_layout *)) + 16;
    gy_state_layout *layout = gy_alloc_zero(bytes);
    char *at = (char *)(layout + 1);
    layout->next = (void *)at;
    at += moves * sizeof(_Atomic(gy_state_layout *));
    layout->process = (void *)at;
    at += processes * sizeof(gy_state_layout_process);
    layout->channel = (void *)at;
    layout->process_count = processes;
    layout->channel_count = channels;
    return layout;
}

static uint32_t unlinked_code(const gy_state_layouts *l, uint64_t rest, uint32_t kept)
{
    uint64_t start = l->start.n;
    uint64_t code = rest <= LINKED ? rest * (start + 1) + (start - kept) : LINKED;
    return code < LINKED ? (uint32_t)code : LINKED;
}

gy_state_layouts *gy_state_layouts_new(const gy_model *model)
{
    gy_state_layouts *l = gy_alloc_zero(sizeof *l);
    l->model = model;
    pthread_mutex_init(&l->lock, NULL);
    atomic_store(&l->table, table_new(FIRST_SLOTS, NULL));
    find_letters(l);
    gy_state_layout *empty = layout_new(l, 0, 0);
    empty->words = model->global_words;
    empty->code = empty->final_code = unlinked_code(l, 0, 0);
    l->empty = empty;
    publish(l, empty);
    return l;
}

void gy_state_layouts_free(gy_state_layouts *l)
{
    if (!l)
        return;
    for (const gy_state_layout *at = l->last_made, *before; at; at = before) {
        before = at->made_before;
        free((void *)at);
    }
    for (uint32_t c = 0; c < CHUNKS; c++)
        free((void *)atomic_load(&l->chunks[c]));
    for (layout_table *table = atomic_load(&l->table), *older; table; table = older) {
        older = table->older;
        free(table);
    }
    for (uint32_t t = 0; t < l->model->template_count; t++)
        free((void *)l->owed[t].channels);
    free(l->owed);
    free(l->letter_of);
    gy_vec_free(&l->start);
    gy_vec_free(&l->letters);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

const gy_state_layout *gy_state_layout_empty(const gy_state_layouts *l)
{
    return l->empty;
}

uint32_t gy_state_layout_count(const gy_state_layouts *l)
{
    return atomic_load_explicit(&l->count, memory_order_acquire);
}

// ---- pushing ----------------------------------------------------------------------------------

// The component begins a new number, after a link.
static void begin_link(gy_state_layout *child, uint32_t code, uint32_t rest)
{
    child->link = child->parent->words;
    child->words++;
    child->linked = child;
    child->rest = rest;
    child->final_code = code;
}

// How the child is coded, one component longer than its parent. Its length is the parent's.
static void encode(const gy_state_layouts *l, gy_state_layout *child, uint32_t component)
{
    const gy_state_layout *parent = child->parent;
    uint32_t letter = l->letter_of[component];
    child->kept = parent->kept;
    child->rest = parent->rest;
    child->linked = parent->linked;
    child->final_code = parent->final_code;
    child->code = GY_LAYOUT_UNFINISHED;
    if (parent->awaited) {
        int32_t tmpl = parent->process[parent->process_count - 1].tmpl;
        const struct owed *owed = &l->owed[tmpl];
        if (owed->channels[owed->count - parent->awaited] != component)
            gy_fatal("a process makes other channels at its start than its type says");
        child->awaited = parent->awaited - 1;
    } else if (!parent->linked && !parent->rest && parent->kept < l->start.n &&
               l->start.at[parent->kept] == component) {
        child->kept++;
        child->final_code = unlinked_code(l, 0, child->kept);
    } else {
        uint64_t rest = (uint64_t)parent->rest * l->letters.n + letter + 1;
        if (letter == (uint32_t)NO_LETTER)
            begin_link(child, OTHER | component, 0);
        else if (!parent->linked && unlinked_code(l, rest, parent->kept) < LINKED) {
            child->rest = (uint32_t)rest;
            child->final_code = unlinked_code(l, rest, parent->kept);
        } else if (parent->linked && parent->final_code < OTHER && rest < OTHER - LINKED) {
            child->rest = (uint32_t)rest;
            child->final_code = LINKED | (uint32_t)rest;
        } else
            begin_link(child, LINKED | (letter + 1), letter + 1);
        if (component < l->model->template_count)
            child->awaited = l->owed[component].count;
    }
    if (!child->awaited)
        child->code = child->final_code;
}

// With the lock held: the child that has this component more.
static const gy_state_layout *make_child(gy_state_layouts *l, const gy_state_layout *parent,
                                         uint32_t component)
{
    uint32_t templates = l->model->template_count;
    bool is_process = component < templates;
    gy_state_layout *child =
        layout_new(l, parent->process_count + is_process, parent->channel_count + !is_process);
    gy_state_layout_process *process = (gy_state_layout_process *)child->process;
    gy_state_layout_channel *channel = (gy_state_layout_channel *)child->channel;
    if (parent->process_count)
        memcpy(process, parent->process, parent->process_count * sizeof *process);
    if (parent->channel_count)
        memcpy(channel, parent->channel, parent->channel_count * sizeof *channel);
    child->parent = parent;
    child->words = parent->words;
    encode(l, child, component);
    if (is_process) {
        process[parent->process_count] =
            (gy_state_layout_process){child->words, (int32_t)component};
        child->before_process = parent;
    } else {
        int32_t creator = (int32_t)parent->process_count - 1;
        channel[parent->channel_count] =
            (gy_state_layout_channel){child->words, (int32_t)(component - templates), creator};
        child->before_process = parent->before_process;
    }
    child->words += words_of(l->model, component);
    publish(l, child);
    return child;
}

static const gy_state_layout *push(gy_state_layouts *l, const gy_state_layout *layout,
                                   uint32_t component)
{
    const gy_state_layout *child =
        atomic_load_explicit(&layout->next[component], memory_order_acquire);
    if (child)
        return child;
    pthread_mutex_lock(&l->lock);
    child = atomic_load_explicit(&layout->next[component], memory_order_acquire);
    if (!child) {
        child = make_child(l, layout, component);
        atomic_store_explicit(&layout->next[component], child, memory_order_release);
    }
    pthread_mutex_unlock(&l->lock);
    return child;
}

const gy_state_layout *gy_state_layout_push_process(gy_state_layouts *l,
                                                    const gy_state_layout *layout, int32_t tmpl)
{
    return push(l, layout, (uint32_t)tmpl);
}

const gy_state_layout *gy_state_layout_push_channel(gy_state_layouts *l,
                                                    const gy_state_layout *layout, int32_t type)
{
    return push(l, layout, l->model->template_count + (uint32_t)type);
}

// ---- decoding ---------------------------------------------------------------------------------

typedef GY_VEC(uint32_t) component_list;

// The letters of a number, the last one first. False: there are none such.
static bool spell(const gy_state_layouts *l, uint32_t rest, component_list *out)
{
    enum { MOST = GY_MAX_PROCESSES + GY_MAX_CHANNELS };
    uint32_t base = (uint32_t)l->letters.n;
    if (rest && !base)
        return false;
    for (; rest; rest = (rest - 1) / base) {
        if (out->n > MOST)
            return false;
        gy_vec_push(out, l->letters.at[(rest - 1) % base]);
    }
    return true;
}

// The components of a state, the last one first, but for those that are certain. *kept: how many
// of the start come before them.
static bool spell_state(const gy_state_layouts *l, const gy_word *state, uint32_t words,
                        component_list *out, uint32_t *kept)
{
    uint32_t code = state[0], end = words;
    while (code >= LINKED) {
        size_t first = out->n;
        uint64_t length = 1;
        if (code >= OTHER && code - OTHER < component_count(l->model))
            gy_vec_push(out, code - OTHER);
        else if (code >= OTHER || !spell(l, code - LINKED, out) || out->n == first)
            return false;
        for (size_t i = first; i < out->n; i++) {
            uint32_t component = out->at[i];
            length += words_of(l->model, component);
            for (uint32_t k = 0;
                 component < l->model->template_count && k < l->owed[component].count; k++)
                length += words_of(l->model, l->owed[component].channels[k]);
        }
        if (length >= end)
            return false;
        end -= (uint32_t)length;
        code = state[end];
    }
    uint32_t start = (uint32_t)l->start.n;
    *kept = start - code % (start + 1);
    return spell(l, code / (start + 1), out);
}

static const gy_state_layout *push_checked(gy_state_layouts *l, const gy_state_layout *layout,
                                           uint32_t component)
{
    if (!layout ||
        (component < l->model->template_count ? layout->process_count >= GY_MAX_PROCESSES
                                              : layout->channel_count >= GY_MAX_CHANNELS))
        return NULL;
    return push(l, layout, component);
}

static const gy_state_layout *decode(gy_state_layouts *l, const gy_word *state, uint32_t words)
{
    component_list spelt = {0};
    uint32_t kept = 0;
    const gy_state_layout *layout = NULL;
    if (spell_state(l, state, words, &spelt, &kept)) {
        layout = l->empty;
        for (uint32_t i = 0; i < kept; i++)
            layout = push_checked(l, layout, l->start.at[i]);
        for (size_t i = spelt.n; i-- > 0;) {
            layout = push_checked(l, layout, spelt.at[i]);
            while (layout && layout->awaited) {
                const struct owed *owed = &l->owed[layout->process[layout->process_count - 1].tmpl];
                layout = push_checked(l, layout, owed->channels[owed->count - layout->awaited]);
            }
        }
    }
    gy_vec_free(&spelt);
    return layout && gy_state_layout_fits(layout, state, words) ? layout : NULL;
}

const gy_state_layout *gy_state_layout_find(const gy_state_layouts *l, const gy_word *state,
                                            uint32_t words)
{
    const gy_state_layout *layout = NULL;
    if (words < l->empty->words || !words || state[0] == GY_LAYOUT_UNFINISHED)
        return NULL;
    if (state[0] < DIRECT) {
        _Atomic(const gy_state_layout *) *chunk =
            atomic_load_explicit(&l->chunks[state[0] / CHUNK], memory_order_acquire);
        layout =
            chunk ? atomic_load_explicit(&chunk[state[0] % CHUNK], memory_order_acquire) : NULL;
        if (layout)
            return layout->words == words ? layout : NULL;
    } else if ((layout = look_up(l, state, words)))
        return layout;
    return decode((gy_state_layouts *)l, state, words); // known from here on
}
