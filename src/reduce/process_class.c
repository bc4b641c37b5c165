// Finding and making classes. See process_class.h.
//
// All that is made lives in one arena. Should there be too much of it (processes that come with
// ever new values), everything is forgotten and made again: the choice must depend on the state
// alone, not on what was seen before.
#include "reduce/process_class.h"

#include "exec/vm/inline_fields.h"

enum { MOST_BYTES = 32 << 20, BUCKETS = 4096 };

typedef struct probe { // a relevant value: where in a state of this shape
    const gy_variable *var;
    uint32_t offset; // of the block of its process
    uint32_t pid, local;
} probe;

typedef struct shape_entry {
    const gy_state_layout *shape;
    probe *probes;
    gy_word_mask *masks; // of all relevant values
    uint32_t probe_count, mask_count;
    gy_process_class *last;
    bool too_large;
} shape_entry;

typedef struct alone_pair {
    uint64_t nodes;
    bool known;
} alone_pair;

struct gy_process_classes {
    const gy_reduction *r;
    gy_arena *arena;
    GY_VEC(shape_entry) shapes; // by number
    gy_instance *instances[GY_MAX_INSTANCES];
    uint32_t instance_count;
    gy_stubborn_profile_file stances;
    gy_process_class *buckets[BUCKETS]; // by hash
    GY_VEC(gy_word) bits;               // after the masks of the current state
    GY_VEC(alone_pair) alone;           // by two instances: see alone_beside
    uint32_t age;
};

gy_process_classes *gy_process_classes_new(const gy_reduction *r)
{
    gy_process_classes *classes = gy_alloc_zero(sizeof *classes);
    classes->r = r;
    classes->arena = gy_arena_new();
    return classes;
}

void gy_process_classes_free(gy_process_classes *classes)
{
    if (!classes)
        return;
    gy_arena_free(classes->arena);
    gy_vec_free(&classes->shapes);
    gy_vec_free(&classes->bits);
    gy_vec_free(&classes->alone);
    free(classes);
}

const gy_stubborn_profile_file *gy_process_classes_stances(const gy_process_classes *classes)
{
    return &classes->stances;
}

uint32_t gy_process_classes_age(const gy_process_classes *classes)
{
    return classes->age;
}

const gy_reduction *gy_process_classes_reduction(const gy_process_classes *classes)
{
    return classes->r;
}

gy_arena *gy_process_classes_arena(const gy_process_classes *classes)
{
    return classes->arena;
}

const uint64_t *gy_process_classes_row(gy_process_classes *classes, gy_instance *instance,
                                       uint32_t edge, uint32_t which, const gy_instance *other)
{
    return gy_instance_row(classes->r, classes->arena, instance, edge, which, other);
}

static void forget(gy_process_classes *classes)
{
    classes->age++;
    gy_arena_free(classes->arena);
    classes->arena = gy_arena_new();
    classes->shapes.n = 0;
    classes->instance_count = 0;
    classes->alone.n = 0;
    classes->stances = (gy_stubborn_profile_file){0};
    memset(classes->buckets, 0, sizeof classes->buckets);
}

// ---- shapes -------------------------------------------------------------------------

static void find_probes(gy_process_classes *classes, shape_entry *entry)
{
    const gy_model *model = classes->r->model;
    GY_VEC(probe) found = {0};
    for (uint32_t pid = 0; pid < entry->shape->process_count; pid++) {
        const gy_state_layout_process *process = &entry->shape->process[pid];
        const gy_template *tmpl = &model->templates[process->tmpl];
        for (int32_t v = 0; v < tmpl->var_count; v++) {
            probe p = {&model->vars[tmpl->first_var + v], process->offset, pid, (uint32_t)v};
            if (classes->r->relevant[process->tmpl][v])
                gy_vec_push(&found, p);
        }
    }
    entry->probe_count = (uint32_t)found.n;
    entry->probes = GY_NEW_ARRAY(classes->arena, probe, found.n + 1);
    if (found.n)
        memcpy(entry->probes, found.at, found.n * sizeof *found.at);
    gy_vec_free(&found);
}

// Where a scalar lies, as gy_get_var has it.
static gy_word_mask mask_of(const probe *p)
{
    uint32_t word = p->offset + p->var->word + p->var->shift / 32;
    return (gy_word_mask){word, ~(gy_word)0 >> (32 - p->var->bits) << p->var->shift % 32};
}

static void find_masks(gy_process_classes *classes, shape_entry *entry)
{
    entry->masks = GY_NEW_ARRAY(classes->arena, gy_word_mask, entry->probe_count + 1);
    for (uint32_t i = 0; i < entry->probe_count; i++) {
        uint32_t at = 0;
        if (!entry->probes[i].var->bits)
            continue;
        gy_word_mask m = mask_of(&entry->probes[i]);
        while (at < entry->mask_count && entry->masks[at].word != m.word)
            at++;
        entry->masks[at].word = m.word;
        entry->masks[at].bits |= m.bits;
        entry->mask_count += at == entry->mask_count;
    }
}

static shape_entry *entry_of(gy_process_classes *classes, const gy_state_layout *shape)
{
    uint32_t number = shape->number;
    if (number >= classes->shapes.n) {
        gy_vec_reserve(&classes->shapes, (size_t)number + 1);
        memset(classes->shapes.at + classes->shapes.n, 0,
               (number + 1 - classes->shapes.n) * sizeof *classes->shapes.at);
        classes->shapes.n = number + 1;
    }
    shape_entry *entry = &classes->shapes.at[number];
    if (!entry->shape) {
        entry->shape = shape;
        entry->too_large = shape->process_count > GY_CREW_LIMIT;
        if (!entry->too_large) {
            find_probes(classes, entry);
            find_masks(classes, entry);
        }
    }
    return entry;
}

static inline bool is_of(const gy_process_class *class, const shape_entry *entry,
                         const gy_word *state)
{
    gy_word differs = 0;
    for (uint32_t i = 0; i < entry->mask_count; i++)
        differs |= (state[entry->masks[i].word] & entry->masks[i].bits) ^ class->bits[i];
    return !differs;
}

// ---- instances ----------------------------------------------------------------------

static bool same(const gy_reduction *r, const gy_instance *instance, int32_t tmpl, gy_who who)
{
    if (instance->tmpl != tmpl || instance->who.pid != who.pid)
        return false;
    for (int32_t v = 0; v < r->model->templates[tmpl].var_count; v++)
        if (r->relevant[tmpl][v] && instance->who.values[v] != who.values[v])
            return false;
    return true;
}

static void make_room_for_stances(gy_process_classes *classes, const gy_instance *last)
{
    gy_stubborn_profile_file *file = &classes->stances;
    size_t needed = gy_stubborn_profile_slot(last->point + last->node_count, 0),
           room = file->room * 2;
    if (needed <= file->room)
        return;
    room = room > needed ? room : needed;
    file->first =
        gy_arena_grow(classes->arena, file->first, file->room * sizeof(gy_stubborn_profile *),
                      room * sizeof(gy_stubborn_profile *));
    file->room = room;
}

static gy_instance *instance_of(gy_process_classes *classes, int32_t tmpl, gy_who who)
{
    for (uint32_t i = 0; i < classes->instance_count; i++)
        if (same(classes->r, classes->instances[i], tmpl, who))
            return classes->instances[i];
    uint32_t number = classes->instance_count++;
    const gy_instance *before = number ? classes->instances[number - 1] : NULL;
    classes->instances[number] = gy_instance_new(classes->r, classes->arena, before, tmpl, who);
    make_room_for_stances(classes, classes->instances[number]);
    return classes->instances[number];
}

// ---- classes --------------------------------------------------------------------------

// True: it may wait for a timeout.
static bool make_member(gy_process_classes *classes, const shape_entry *entry, const gy_word *state,
                        uint32_t pid, gy_process_class_member *member)
{
    const gy_reduction *r = classes->r;
    const gy_state_layout_process *process = &entry->shape->process[pid];
    const gy_template *tmpl = &r->model->templates[process->tmpl];
    int32_t *values = GY_NEW_ARRAY(classes->arena, int32_t, tmpl->var_count + 1);
    for (uint32_t i = 0; i < entry->probe_count; i++) {
        const probe *p = &entry->probes[i];
        if (p->pid == pid)
            values[p->local] = gy_get_var(state + p->offset, p->var, 0);
    }
    gy_who who = {.pid = r->pid_relevant[process->tmpl] ? (int32_t)pid : -1, .values = values};
    member->instance = instance_of(classes, process->tmpl, who);
    member->offset = process->offset;
    member->pc_mask = tmpl->pc_bits ? ~0u >> (32 - tmpl->pc_bits) : 0;
    member->nodes = tmpl->nodes;
    member->first_edge = tmpl->first_edge;
    member->point = member->instance->point;
    member->escapes = r->model->has_escapes;
    for (int32_t k = 0; k < tmpl->edge_count; k++)
        if (member->instance->edges[k].needs_timeout)
            return true;
    return false;
}

static void tell_apart(gy_process_class *class)
{
    for (uint32_t pid = 0; pid < class->count; pid++) {
        const gy_instance *instance = class->members[pid].instance;
        gy_bits_add(class->instances, instance->number);
        if (instance->number / 64 >= class->instance_words)
            class->instance_words = instance->number / 64 + 1;
        for (uint32_t other = 0; other < class->count; other++)
            if (other != pid && class->members[other].instance == instance)
                class->members[pid].kind |= GY_MEMBER_TWIN;
    }
    class->members[class->count - 1].kind |= GY_MEMBER_YOUNGEST;
}

// ---- alone ----------------------------------------------------------------------------

// Whatever of the edges of a node can fire, does none of them ask for this other one, wherever that
// is? (See stubborn_profile.c: that is what its stances there would say.)
static bool is_alone(gy_process_classes *classes, gy_instance *instance, const gy_node *node,
                     int32_t first_edge, const gy_instance *other)
{
    const gy_reduction *r = classes->r;
    for (int32_t k = 0; k < node->edge_count; k++) {
        uint32_t edge = (uint32_t)(node->first_edge + k - first_edge);
        const gy_edge_view *view = &instance->edges[edge];
        if (view->visible || view->needs_timeout || view->is_end ||
            gy_instance_row(r, classes->arena, instance, edge, GY_ROW_CONFLICTS, other) ||
            (view->always &&
             gy_instance_row(r, classes->arena, instance, edge, GY_ROW_ALWAYS, other)))
            return false;
        for (uint32_t i = 0; i < view->wait_count; i++)
            if (gy_instance_row(r, classes->arena, instance, edge, GY_ROW_WAITS + i, other))
                return false;
    }
    return node->edge_count > 0;
}

// The nodes of an instance, of the first 64, at which it is alone as far as another one goes.
static uint64_t alone_beside(gy_process_classes *classes, gy_instance *instance,
                             const gy_instance *other)
{
    const gy_template *tmpl = &classes->r->model->templates[instance->tmpl];
    size_t at = (size_t)instance->number * GY_MAX_INSTANCES + other->number;
    while (classes->alone.n <= at)
        gy_vec_push(&classes->alone, ((alone_pair){0}));
    alone_pair *pair = &classes->alone.at[at];
    for (uint32_t n = 0; n < tmpl->node_count && n < 64 && !pair->known; n++)
        if (is_alone(classes, instance, &tmpl->nodes[n], tmpl->first_edge, other))
            pair->nodes |= (uint64_t)1 << n;
    pair->known = true;
    return pair->nodes;
}

// With priorities, or next to escapes, there is more to examine.
static void find_alone(gy_process_classes *classes, gy_process_class *class)
{
    const gy_reduction *r = classes->r;
    class->alone = GY_NEW_ARRAY(classes->arena, gy_alone, class->count + 1);
    if (r->triggers || r->model->has_escapes || class->count < 2)
        return;
    for (uint32_t pid = class->count; pid-- > 0;) {
        const gy_process_class_member *member = &class->members[pid];
        gy_alone alone = {pid, member->offset, member->pc_mask, ~(uint64_t)0};
        for (uint32_t other = 0; other < class->count && alone.nodes; other++)
            if (other != pid)
                alone.nodes &=
                    alone_beside(classes, member->instance, class->members[other].instance);
        if (alone.nodes)
            class->alone[class->alone_count++] = alone;
    }
}

bool gy_process_class_is_alone(const gy_process_class *class, uint32_t pid, uint32_t node)
{
    for (uint32_t i = 0; i < class->alone_count; i++)
        if (class->alone[i].pid == pid)
            return node < 64 && class->alone[i].nodes >> node & 1;
    return false;
}

// Where the locations and edges of each member go, if there is room for all.
static void pack(const gy_reduction *r, gy_process_class *class)
{
    uint32_t places = 0, edges = 0;
    for (uint32_t pid = 0; pid < class->count; pid++) {
        const gy_template *tmpl = &r->model->templates[class->shape->process[pid].tmpl];
        uint32_t most = 0;
        for (uint32_t n = 0; n < tmpl->node_count; n++)
            if ((uint32_t)tmpl->nodes[n].edge_count > most)
                most = (uint32_t)tmpl->nodes[n].edge_count;
        class->members[pid].place = (uint8_t)places;
        class->members[pid].edge = (uint8_t)edges;
        places += tmpl->pc_bits;
        edges += most;
        if (places > 63 || edges > 63)
            return;
    }
    class->packs = true;
}

static gy_process_class *new_crew(gy_process_classes *classes, shape_entry *entry,
                                  const gy_word *state, uint64_t hash)
{
    gy_process_class *class = GY_NEW(classes->arena, gy_process_class);
    gy_process_class **bucket = &classes->buckets[hash % BUCKETS];
    class->shape = entry->shape;
    class->count = entry->shape->process_count;
    class->hash = hash;
    class->bits = GY_NEW_ARRAY(classes->arena, gy_word, entry->mask_count + 1);
    if (entry->mask_count)
        memcpy(class->bits, classes->bits.at, entry->mask_count * sizeof *class->bits);
    class->members = GY_NEW_ARRAY(classes->arena, gy_process_class_member, class->count + 1);
    for (uint32_t pid = 0; pid < class->count; pid++)
        class->timeouts |= make_member(classes, entry, state, pid, &class->members[pid]);
    if (class->count)
        tell_apart(class);
    class->masks = entry->masks;
    class->mask_count = entry->mask_count;
    pack(classes->r, class);
    find_alone(classes, class);
    class->next = *bucket;
    *bucket = class;
    return class;
}

// The relevant values of a state, into classes->bits; their hash.
static uint64_t note_bits(gy_process_classes *classes, const shape_entry *entry,
                          const gy_word *state)
{
    uint64_t hash = state[0];
    gy_vec_reserve(&classes->bits, (size_t)entry->mask_count + 1);
    for (uint32_t i = 0; i < entry->mask_count; i++) {
        classes->bits.at[i] = state[entry->masks[i].word] & entry->masks[i].bits;
        hash = (hash ^ classes->bits.at[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static gy_process_class *find_crew(const gy_process_classes *classes, const shape_entry *entry,
                                   uint64_t hash)
{
    gy_process_class *class = classes->buckets[hash % BUCKETS];
    size_t bytes = entry->mask_count * sizeof *class->bits;
    while (class && (class->hash != hash || class->shape != entry->shape ||
                     (bytes && memcmp(class->bits, classes->bits.at, bytes) != 0)))
        class = class->next;
    return class;
}

gy_process_class *gy_process_class_of(gy_process_classes *classes, const gy_word *state,
                                      uint32_t words)
{
    const gy_state_layout *shape = gy_state_layout_find(classes->r->shapes, state, words);
    if (!shape)
        return NULL;
    uint32_t number = shape->number;
    shape_entry *entry = number < classes->shapes.n && classes->shapes.at[number].shape
                             ? &classes->shapes.at[number]
                             : entry_of(classes, shape);
    if (entry->too_large)
        return NULL;
    if (entry->last && is_of(entry->last, entry, state))
        return entry->last;
    uint64_t hash = note_bits(classes, entry, state);
    gy_process_class *class = find_crew(classes, entry, hash);
    if (!class) {
        if (classes->instance_count + GY_CREW_LIMIT > GY_MAX_INSTANCES ||
            gy_arena_bytes(classes->arena) > MOST_BYTES) {
            forget(classes);
            entry = entry_of(classes, shape);
        }
        class = new_crew(classes, entry, state, hash);
    }
    entry->last = class;
    return class;
}
