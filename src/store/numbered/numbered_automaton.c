// The automaton store: the set as a minimised deterministic automaton. Exact, very compact for
// regular state spaces, slow.
//
// States are words over bytes: three bytes of length, then the vector. The automaton reads them
// from left to right; words of one length end on the same level, so it has no cycles, and it is
// minimal if no two nodes have the same edges. Cf. G. Holzmann, A. Puri: A minimized automaton
// representation of reachable states (STTT 1999). Different here: the edges of an automaton state
// are a list of nodes (value, target, rest of the list), ordered by value, as in a list decision
// diagram; equal rests of lists are shared too.
//
// Representation: nodes[] with numbers; ZERO is the empty set (the end of a list), ONE accepts.
// A node is unique (hash chains through `next`, heads in `heads`), and counted: `uses` is the
// number of nodes and roots that point to it. Unused nodes are freed at once.
//
// Entering a word rebuilds the lists on its path from the last byte to the first: for each byte,
// the list on that level with the target of that byte replaced. Old nodes that nobody uses any
// more go away when the old root is released. If memory runs out on the way, the root is not
// replaced and the set is what it was.
#include "store/numbered/numbered.h"

#include "store/numbered/kind.h"

#include "base/fatal.h"
#include "base/hash.h"
#include "base/snapshot.h"
#include "base/vec.h"

enum { ZERO, ONE, FIRST_NODE, LENGTH_BYTES = 3, FIRST_HEADS = 1 << 8 };
#define NO_NODE UINT32_MAX // no memory

typedef struct node {
    uint32_t down, right; // target of this edge; rest of the list
    uint32_t next;        // in its hash chain, or in the list of free nodes
    uint32_t uses : 24;   // saturated: never freed
    uint32_t value : 8;
} node;

enum { MOST_USES = (1 << 24) - 1 };

typedef struct automaton {
    gy_numbered head;
    gy_region nodes, heads;
    uint64_t node_count; // numbers handed out, free ones included
    uint64_t head_count; // a power of two
    uint64_t live;
    uint32_t free; // list of free nodes
    uint32_t root;
    uint64_t count;
    // scratch for one word
    GY_VEC(unsigned char) word;
    GY_VEC(uint32_t) lists; // on the path: the list on each level, ZERO beyond where it ends
    GY_VEC(uint32_t) doomed;
    bool hostile;
} automaton;

static automaton *automaton_of(gy_numbered_view *head)
{
    return (automaton *)head->store;
}

static node *node_at(const automaton *a, uint32_t number)
{
    return (node *)a->nodes.at + number;
}

static uint32_t *head_for(const automaton *a, uint32_t value, uint32_t down, uint32_t right)
{
    uint64_t hash = gy_hash_pair((uint64_t)down << 32 | right, value);
    return (uint32_t *)a->heads.at + (hash & (a->head_count - 1));
}

// ---- nodes --------------------------------------------------------------------------

static void use(automaton *a, uint32_t number)
{
    node *n = node_at(a, number);
    if (number >= FIRST_NODE && n->uses < MOST_USES)
        n->uses++;
}

static void unlink_node(automaton *a, uint32_t number)
{
    const node *n = node_at(a, number);
    uint32_t *link = head_for(a, n->value, n->down, n->right);
    while (*link != number)
        link = &node_at(a, *link)->next;
    *link = n->next;
}

// One use less; nodes that nobody uses any more are freed, and so on below them.
static void release(automaton *a, uint32_t number)
{
    gy_vec_push(&a->doomed, number);
    while (a->doomed.n) {
        uint32_t last = a->doomed.at[--a->doomed.n];
        node *n = node_at(a, last);
        if (last < FIRST_NODE || n->uses == MOST_USES || --n->uses)
            continue;
        unlink_node(a, last);
        gy_vec_push(&a->doomed, n->down);
        gy_vec_push(&a->doomed, n->right);
        n->next = a->free;
        a->free = last;
        a->live--;
    }
}

static bool double_heads(automaton *a)
{
    uint64_t old = a->head_count;
    if (!gy_region_resize(&a->heads, old * 2 * sizeof(uint32_t)))
        return false;
    uint32_t *heads = a->heads.at;
    memset(heads + old, 0, old * sizeof *heads);
    a->head_count = old * 2;
    for (uint64_t i = 0; i < old; i++) {
        uint32_t number = heads[i];
        heads[i] = 0;
        while (number) { // each chain splits in two
            node *n = node_at(a, number);
            uint32_t next = n->next, *head = head_for(a, n->value, n->down, n->right);
            n->next = *head;
            *head = number;
            number = next;
        }
    }
    return true;
}

static uint32_t new_number(automaton *a)
{
    uint32_t number = a->free;
    if (number) {
        a->free = node_at(a, number)->next;
        return number;
    }
    if (a->node_count >= NO_NODE ||
        !gy_region_reserve(&a->nodes, (a->node_count + 1) * sizeof(node)))
        return NO_NODE;
    return (uint32_t)a->node_count++;
}

// The node with these parts, with one use more. Takes over the caller's use of `down` and
// `right`, also when there is no memory for it.
static uint32_t make(automaton *a, uint32_t value, uint32_t down, uint32_t right)
{
    uint32_t number = *head_for(a, value, down, right);
    for (; number; number = node_at(a, number)->next) {
        const node *n = node_at(a, number);
        if (n->value == value && n->down == down && n->right == right) {
            use(a, number);
            release(a, down);
            release(a, right);
            return number;
        }
    }
    if (a->live >= (a->hostile ? a->head_count * 4 : a->head_count))
        (void)double_heads(a); // chains grow longer if it can't
    number = new_number(a);
    if (number == NO_NODE) {
        release(a, down);
        release(a, right);
        return NO_NODE;
    }
    uint32_t *head = head_for(a, value, down, right);
    *node_at(a, number) =
        (node){.down = down, .right = right, .next = *head, .uses = 1, .value = value & 255};
    *head = number;
    a->live++;
    return number;
}

// ---- words --------------------------------------------------------------------------

static void spell(automaton *a, const uint32_t *state, uint32_t words)
{
    size_t length = LENGTH_BYTES + (size_t)words * 4;
    gy_vec_reserve(&a->word, length);
    gy_vec_reserve(&a->lists, length);
    a->word.n = length;
    for (unsigned i = 0; i < LENGTH_BYTES; i++)
        a->word.at[i] = (unsigned char)(words >> 8 * i);
    for (size_t i = 0; i < length - LENGTH_BYTES; i++)
        a->word.at[LENGTH_BYTES + i] = (unsigned char)(state[i / 4] >> i % 4 * 8);
}

// Follows the word; notes the list on each level in lists[]. True if it is accepted.
static bool follow(automaton *a)
{
    uint32_t list = a->root;
    for (size_t i = 0; i < a->word.n; i++) {
        uint32_t at = list;
        a->lists.at[i] = list;
        while (at != ZERO && node_at(a, at)->value < a->word.at[i])
            at = node_at(a, at)->right;
        list = at != ZERO && node_at(a, at)->value == a->word.at[i] ? node_at(a, at)->down : ZERO;
    }
    return list == ONE;
}

// The list `from` with the target of `value` set to `down`; takes over the use of `down`.
static uint32_t replace_target(automaton *a, uint32_t from, uint32_t value, uint32_t down)
{
    uint32_t before[256], n = 0;
    while (from != ZERO && node_at(a, from)->value < value) {
        before[n++] = from;
        from = node_at(a, from)->right;
    }
    if (from != ZERO && node_at(a, from)->value == value)
        from = node_at(a, from)->right;
    use(a, from);
    uint32_t list = make(a, value, down, from);
    while (n && list != NO_NODE) {
        const node *old = node_at(a, before[--n]);
        uint32_t old_value = old->value, old_down = old->down;
        use(a, old_down);
        list = make(a, old_value, old_down, list);
    }
    return list;
}

static bool add_word(automaton *a)
{
    uint32_t list = ONE;
    for (size_t i = a->word.n; i-- > 0;) {
        list = replace_target(a, a->lists.at[i], a->word.at[i], list);
        if (list == NO_NODE)
            return false;
    }
    release(a, a->root);
    a->root = list;
    return true;
}

// ---- the store ----------------------------------------------------------------------

static bool automaton_prepare(gy_numbered_view *head, const uint32_t *state, uint32_t words,
                              gy_key *key)
{
    (void)head;
    (void)state;
    *key = (gy_key){.words = words};
    return words < 1u << 8 * LENGTH_BYTES;
}

static void automaton_rekey(gy_numbered_view *head, gy_key *key, const uint32_t *state)
{
    (void)head;
    (void)key;
    (void)state;
}

static bool automaton_has(gy_numbered_view *head, const gy_key *key, const uint32_t *state,
                          uint64_t *id)
{
    automaton *a = automaton_of(head);
    (void)id;
    spell(a, state, key->words);
    return follow(a);
}

static gy_numbered_answer automaton_enter(gy_numbered_view *head, const gy_key *key,
                                          const uint32_t *state, uint64_t *id)
{
    automaton *a = automaton_of(head);
    spell(a, state, key->words);
    if (follow(a))
        return GY_NUMBERED_FOUND;
    if (!add_word(a))
        return GY_NUMBERED_FULL;
    *id = a->count++;
    return GY_NUMBERED_NEW;
}

static void automaton_free(gy_numbered *store)
{
    automaton *a = (automaton *)store;
    gy_region_free(&a->nodes);
    gy_region_free(&a->heads);
    gy_vec_free(&a->word);
    gy_vec_free(&a->lists);
    gy_vec_free(&a->doomed);
    free(a);
}

static void automaton_look(const gy_numbered *store, gy_numbered_figures *figures)
{
    figures->states = ((const automaton *)store)->count;
}

static gy_numbered_view *automaton_new_view(gy_numbered *store)
{
    (void)store;
    return gy_alloc_zero(sizeof(gy_numbered_view));
}

static void automaton_free_view(gy_numbered_view *head)
{
    free(head);
}

static void automaton_save(const gy_numbered *store, gy_writer *writer)
{
    const automaton *a = (const automaton *)store;
    gy_write_u64(writer, a->node_count);
    gy_write_u64(writer, a->head_count);
    gy_write_u64(writer, a->live);
    gy_write_u64(writer, a->free);
    gy_write_u64(writer, a->root);
    gy_write_u64(writer, a->count);
    gy_write_region(writer, &a->nodes, a->node_count * sizeof(node));
    gy_write_region(writer, &a->heads, a->head_count * sizeof(uint32_t));
}

static bool automaton_load(gy_numbered *store, gy_reader *reader)
{
    automaton *a = (automaton *)store;
    a->node_count = gy_read_u64(reader);
    a->head_count = gy_read_u64(reader);
    a->live = gy_read_u64(reader);
    a->free = (uint32_t)gy_read_u64(reader);
    a->root = (uint32_t)gy_read_u64(reader);
    a->count = gy_read_u64(reader);
    return gy_read_region(reader, &a->nodes) && gy_read_region(reader, &a->heads);
}

static const gy_numbered_kind_table automaton_kind = {
    .traits = {.name = "automaton", .exact = true},
    .free = automaton_free,
    .look = automaton_look,
    .new_view = automaton_new_view,
    .free_view = automaton_free_view,
    .prepare = automaton_prepare,
    .rekey = automaton_rekey,
    .enter = automaton_enter,
    .has = automaton_has,
    .save = automaton_save,
    .load = automaton_load,
};

gy_numbered *gy_numbered_automaton(const gy_numbered_options *options)
{
    automaton *a = gy_alloc_zero(sizeof *a);
    a->head.kind = &automaton_kind;
    a->hostile = options->hostile;
    a->head_count = options->hostile ? 1 : FIRST_HEADS;
    a->node_count = FIRST_NODE;
    gy_region_init(&a->nodes, options->budget);
    gy_region_init(&a->heads, options->budget);
    if (!gy_region_reserve(&a->nodes, FIRST_NODE * sizeof(node)) ||
        !gy_region_reserve(&a->heads, a->head_count * sizeof(uint32_t))) {
        automaton_free(&a->head);
        return NULL;
    }
    return &a->head;
}
