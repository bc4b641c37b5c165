// Finding and making crews. See crew.h.
//
// All that is made lives in one arena. Should there be too much of it (processes that come with
// ever new values), everything is forgotten and made anew: the choice must depend on the state
// alone, not on what was seen before.
#include "reduce/crew.h"

#include "exec/memory.h"

enum { MOST_BYTES = 32 << 20, BUCKETS = 4096 };

typedef struct probe { // a relevant value: where in a state of this shape
    const gy_variable *var;
    uint32_t offset; // of the block of its process
    uint32_t pid, local;
} probe;

typedef struct mask { // of all relevant values in a word of a state
    uint32_t word;
    gy_word bits;
} mask;

typedef struct shape_entry {
    const gy_shape *shape;
    probe *probes;
    mask *masks;
    uint32_t probe_count, mask_count;
    gy_crew *last;
    bool too_large;
} shape_entry;

struct gy_crews {
    const gy_reduction *r;
    gy_arena *arena;
    GY_VEC(shape_entry) shapes; // by number
    gy_instance *instances[GY_MAX_INSTANCES];
    uint32_t instance_count;
    gy_stance_file stances;
    gy_crew *buckets[BUCKETS]; // by hash
    GY_VEC(gy_word) bits;      // behind the masks of the state at hand
};

gy_crews *gy_crews_new(const gy_reduction *r)
{
    gy_crews *crews = gy_alloc_zero(sizeof *crews);
    crews->r = r;
    crews->arena = gy_arena_new();
    return crews;
}

void gy_crews_free(gy_crews *crews)
{
    if (!crews)
        return;
    gy_arena_free(crews->arena);
    gy_vec_free(&crews->shapes);
    gy_vec_free(&crews->bits);
    free(crews);
}

const gy_stance_file *gy_crews_stances(const gy_crews *crews)
{
    return &crews->stances;
}

gy_arena *gy_crews_arena(const gy_crews *crews)
{
    return crews->arena;
}

const uint64_t *gy_crews_row(gy_crews *crews, gy_instance *instance, uint32_t edge, uint32_t which,
                             const gy_instance *other)
{
    return gy_instance_row(crews->r, crews->arena, instance, edge, which, other);
}

static void forget(gy_crews *crews)
{
    gy_arena_free(crews->arena);
    crews->arena = gy_arena_new();
    crews->shapes.n = 0;
    crews->instance_count = 0;
    crews->stances = (gy_stance_file){0};
    memset(crews->buckets, 0, sizeof crews->buckets);
}

// ---- shapes -------------------------------------------------------------------------

static void find_probes(gy_crews *crews, shape_entry *entry)
{
    const gy_model *model = crews->r->model;
    GY_VEC(probe) found = {0};
    for (uint32_t pid = 0; pid < entry->shape->process_count; pid++) {
        const gy_shape_process *process = &entry->shape->process[pid];
        const gy_template *tmpl = &model->templates[process->tmpl];
        for (int32_t v = 0; v < tmpl->var_count; v++) {
            probe p = {&model->vars[tmpl->first_var + v], process->offset, pid, (uint32_t)v};
            if (crews->r->relevant[process->tmpl][v])
                gy_vec_push(&found, p);
        }
    }
    entry->probe_count = (uint32_t)found.n;
    entry->probes = GY_NEW_ARRAY(crews->arena, probe, found.n + 1);
    if (found.n)
        memcpy(entry->probes, found.at, found.n * sizeof *found.at);
    gy_vec_free(&found);
}

// Where a scalar lies, as gy_get_var has it.
static mask mask_of(const probe *p)
{
    uint32_t word = p->offset + p->var->word + p->var->shift / 32;
    return (mask){word, ~(gy_word)0 >> (32 - p->var->bits) << p->var->shift % 32};
}

static void find_masks(gy_crews *crews, shape_entry *entry)
{
    entry->masks = GY_NEW_ARRAY(crews->arena, mask, entry->probe_count + 1);
    for (uint32_t i = 0; i < entry->probe_count; i++) {
        uint32_t at = 0;
        if (!entry->probes[i].var->bits)
            continue;
        mask m = mask_of(&entry->probes[i]);
        while (at < entry->mask_count && entry->masks[at].word != m.word)
            at++;
        entry->masks[at].word = m.word;
        entry->masks[at].bits |= m.bits;
        entry->mask_count += at == entry->mask_count;
    }
}

static shape_entry *entry_of(gy_crews *crews, uint32_t number)
{
    if (number >= crews->shapes.n) {
        gy_vec_reserve(&crews->shapes, (size_t)number + 1);
        memset(crews->shapes.at + crews->shapes.n, 0,
               (number + 1 - crews->shapes.n) * sizeof *crews->shapes.at);
        crews->shapes.n = number + 1;
    }
    shape_entry *entry = &crews->shapes.at[number];
    if (!entry->shape) {
        entry->shape = gy_shape_at(crews->r->shapes, number);
        entry->too_large = !entry->shape || entry->shape->process_count > GY_CREW_LIMIT;
        if (!entry->too_large) {
            find_probes(crews, entry);
            find_masks(crews, entry);
        }
    }
    return entry;
}

static inline bool is_of(const gy_crew *crew, const shape_entry *entry, const gy_word *state)
{
    gy_word differs = 0;
    for (uint32_t i = 0; i < entry->mask_count; i++)
        differs |= (state[entry->masks[i].word] & entry->masks[i].bits) ^ crew->bits[i];
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

static void make_room_for_stances(gy_crews *crews, const gy_instance *last)
{
    gy_stance_file *file = &crews->stances;
    size_t needed = gy_stance_slot(last->point + last->node_count, 0), room = file->room * 2;
    if (needed <= file->room)
        return;
    room = room > needed ? room : needed;
    file->first = gy_arena_grow(crews->arena, file->first, file->room * sizeof(gy_stance *),
                                room * sizeof(gy_stance *));
    file->room = room;
}

static gy_instance *instance_of(gy_crews *crews, int32_t tmpl, gy_who who)
{
    for (uint32_t i = 0; i < crews->instance_count; i++)
        if (same(crews->r, crews->instances[i], tmpl, who))
            return crews->instances[i];
    uint32_t number = crews->instance_count++;
    const gy_instance *before = number ? crews->instances[number - 1] : NULL;
    crews->instances[number] = gy_instance_new(crews->r, crews->arena, before, tmpl, who);
    make_room_for_stances(crews, crews->instances[number]);
    return crews->instances[number];
}

// ---- crews --------------------------------------------------------------------------

// True: it may wait for a timeout.
static bool make_member(gy_crews *crews, const shape_entry *entry, const gy_word *state,
                        uint32_t pid, gy_crew_member *member)
{
    const gy_reduction *r = crews->r;
    const gy_shape_process *process = &entry->shape->process[pid];
    const gy_template *tmpl = &r->model->templates[process->tmpl];
    int32_t *values = GY_NEW_ARRAY(crews->arena, int32_t, tmpl->var_count + 1);
    for (uint32_t i = 0; i < entry->probe_count; i++) {
        const probe *p = &entry->probes[i];
        if (p->pid == pid)
            values[p->local] = gy_get_var(state + p->offset, p->var, 0);
    }
    gy_who who = {.pid = r->pid_relevant[process->tmpl] ? (int32_t)pid : -1, .values = values};
    member->instance = instance_of(crews, process->tmpl, who);
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

static void tell_apart(gy_crew *crew)
{
    for (uint32_t pid = 0; pid < crew->count; pid++) {
        const gy_instance *instance = crew->members[pid].instance;
        gy_bit_set(crew->instances, instance->number);
        if (instance->number / 64 >= crew->instance_words)
            crew->instance_words = instance->number / 64 + 1;
        for (uint32_t other = 0; other < crew->count; other++)
            if (other != pid && crew->members[other].instance == instance)
                crew->members[pid].kind |= GY_MEMBER_TWIN;
    }
    crew->members[crew->count - 1].kind |= GY_MEMBER_YOUNGEST;
}

static gy_crew *new_crew(gy_crews *crews, shape_entry *entry, const gy_word *state, uint64_t hash)
{
    gy_crew *crew = GY_NEW(crews->arena, gy_crew);
    gy_crew **bucket = &crews->buckets[hash % BUCKETS];
    crew->shape = entry->shape;
    crew->count = entry->shape->process_count;
    crew->hash = hash;
    crew->bits = GY_NEW_ARRAY(crews->arena, gy_word, entry->mask_count + 1);
    if (entry->mask_count)
        memcpy(crew->bits, crews->bits.at, entry->mask_count * sizeof *crew->bits);
    crew->members = GY_NEW_ARRAY(crews->arena, gy_crew_member, crew->count + 1);
    for (uint32_t pid = 0; pid < crew->count; pid++)
        crew->timeouts |= make_member(crews, entry, state, pid, &crew->members[pid]);
    if (crew->count)
        tell_apart(crew);
    crew->next = *bucket;
    *bucket = crew;
    return crew;
}

// The relevant values of a state, into crews->bits; their hash.
static uint64_t note_bits(gy_crews *crews, const shape_entry *entry, const gy_word *state)
{
    uint64_t hash = state[0];
    gy_vec_reserve(&crews->bits, (size_t)entry->mask_count + 1);
    for (uint32_t i = 0; i < entry->mask_count; i++) {
        crews->bits.at[i] = state[entry->masks[i].word] & entry->masks[i].bits;
        hash = (hash ^ crews->bits.at[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static gy_crew *find_crew(const gy_crews *crews, const shape_entry *entry, uint64_t hash)
{
    gy_crew *crew = crews->buckets[hash % BUCKETS];
    size_t bytes = entry->mask_count * sizeof *crew->bits;
    while (crew && (crew->hash != hash || crew->shape != entry->shape ||
                    (bytes && memcmp(crew->bits, crews->bits.at, bytes) != 0)))
        crew = crew->next;
    return crew;
}

gy_crew *gy_crew_of(gy_crews *crews, const gy_word *state)
{
    uint32_t number = state[0];
    shape_entry *entry = number < crews->shapes.n && crews->shapes.at[number].shape
                             ? &crews->shapes.at[number]
                             : entry_of(crews, number);
    if (entry->too_large)
        return NULL;
    if (entry->last && is_of(entry->last, entry, state))
        return entry->last;
    uint64_t hash = note_bits(crews, entry, state);
    gy_crew *crew = find_crew(crews, entry, hash);
    if (!crew) {
        if (crews->instance_count + GY_CREW_LIMIT > GY_MAX_INSTANCES ||
            gy_arena_bytes(crews->arena) > MOST_BYTES) {
            forget(crews);
            entry = entry_of(crews, number);
        }
        crew = new_crew(crews, entry, state, hash);
    }
    entry->last = crew;
    return crew;
}
