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
// the list on that level with the target of that byte replaced. Old nodes that nothing uses any
// more go away when the old root is released. If memory runs out on the way, the root is not
// replaced and the set is what it was.
//
// Threads: every word rebuilds what others have built, so there is one lock for all of it.
#include "store/kinds.h"
#include "store/pending.h"

#include "base/fatal.h"
#include "base/hash.h"
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
    gy_pending_inserts_store base;
    pthread_mutex_t lock;
    gy_region nodes, heads;
    uint64_t node_count; // numbers handed out, free ones included
    uint64_t head_count; // a power of two
    uint64_t live;
    uint32_t free; // list of free nodes
    uint32_t root;
    // scratch for one word
    GY_VEC(unsigned char) word;
    GY_VEC(uint32_t) lists; // on the path: the list on each level, ZERO beyond where it ends
    GY_VEC(uint32_t) doomed;
    bool hostile;
} automaton;

static automaton *automaton_of(gy_store_view *view)
{
    return (automaton *)view->store;
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

// One use less; nodes that nothing uses any more are freed, and so on below them.
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
        (void)double_heads(a); // chains grow longer if it cannot
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

// A number for a state; another one may have the same.
static uint64_t identify(const uint32_t *state, uint32_t words)
{
    return gy_hash_words(state, words, words);
}

static bool automaton_enter(gy_store_view *view)
{
    gy_pending_inserts *w = (gy_pending_inserts *)view;
    automaton *a = automaton_of(view);
    bool room = true;
    pthread_mutex_lock(&a->lock);
    for (; w->entered < view->n; w->entered++) {
        uint32_t i = w->entered;
        room = gy_pending_inserts_ready(w, i);
        if (!room)
            break;
        spell(a, w->states[i], w->words[i]);
        view->refs[i] = identify(w->states[i], w->words[i]);
        if (follow(a))
            continue;
        room = add_word(a);
        if (!room)
            break;
        gy_pending_inserts_is_new(w, i, view->refs[i]);
    }
    pthread_mutex_unlock(&a->lock);
    return room ? true : gy_store_no_room(view->store);
}

static bool automaton_find(gy_store_view *view, const uint32_t *state, uint32_t words, gy_ref *ref)
{
    automaton *a = automaton_of(view);
    pthread_mutex_lock(&a->lock);
    spell(a, state, words);
    bool found = follow(a);
    pthread_mutex_unlock(&a->lock);
    *ref = identify(state, words);
    return found;
}

// It takes what it needs when it needs it: if that is not there, only the frontier can help.
static bool automaton_grow(gy_store *store, gy_team *team)
{
    automaton *a = (automaton *)store;
    uint64_t before = gy_budget_room(store->budget);
    (void)team;
    return a->base.once && gy_frontier_make_room(&a->base.frontier) &&
           gy_budget_room(store->budget) > before;
}

static void automaton_free(gy_store *store)
{
    automaton *a = (automaton *)store;
    gy_pending_inserts_store_free(&a->base);
    gy_region_free(&a->nodes);
    gy_region_free(&a->heads);
    gy_vec_free(&a->word);
    gy_vec_free(&a->lists);
    gy_vec_free(&a->doomed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

static void automaton_look(const gy_store *store, gy_store_figures *figures)
{
    const automaton *a = (const automaton *)store;
    figures->states = atomic_load_explicit(&a->base.count, memory_order_relaxed);
}

static void automaton_save(const gy_store *store, gy_writer *writer)
{
    const automaton *a = (const automaton *)store;
    gy_write_u64(writer, a->node_count);
    gy_write_u64(writer, a->head_count);
    gy_write_u64(writer, a->live);
    gy_write_u64(writer, a->free);
    gy_write_u64(writer, a->root);
    gy_write_u64(writer, atomic_load_explicit(&a->base.count, memory_order_relaxed));
    gy_write_region(writer, &a->nodes, a->node_count * sizeof(node));
    gy_write_region(writer, &a->heads, a->head_count * sizeof(uint32_t));
}

// Do all links lead to nodes, and do chains, lists and paths end? What is below or to the right of
// a node, or after it in a chain, is counted down by `left`, of which there is no more than nodes.
static bool links_make_sense(const automaton *a)
{
    uint64_t left = a->node_count;
    for (uint64_t i = FIRST_NODE; i < a->node_count; i++) {
        const node *n = node_at(a, (uint32_t)i);
        if (n->down >= a->node_count || n->right >= a->node_count || n->next >= a->node_count)
            return false;
    }
    for (uint64_t i = 0; i < a->head_count; i++)
        for (uint32_t at = ((const uint32_t *)a->heads.at)[i]; at; at = node_at(a, at)->next)
            if (at >= a->node_count || at < FIRST_NODE || left-- == 0)
                return false;
    for (uint32_t at = a->free; at; at = node_at(a, at)->next)
        if (at >= a->node_count || at < FIRST_NODE || left-- == 0)
            return false;
    return a->root < a->node_count;
}

// Is every node that can be reached in the chain where it belongs, are lists in order, and is there
// no path back? (`mark` by number: 0 unseen, 1 on the way, 2 done.)
static bool is_chained(const automaton *a, uint32_t number)
{
    const node *n = node_at(a, number);
    uint32_t at = *head_for(a, n->value, n->down, n->right);
    while (at && at != number)
        at = node_at(a, at)->next;
    return at == number && (n->right < FIRST_NODE || node_at(a, n->right)->value > n->value) &&
           n->right != ONE && n->uses;
}

static bool nodes_make_sense(const automaton *a)
{
    GY_VEC(uint32_t) stack = {0};
    unsigned char *mark = gy_alloc_zero(a->node_count);
    bool fine = true;
    if (a->root >= FIRST_NODE)
        gy_vec_push(&stack, a->root);
    while (stack.n && fine) {
        uint32_t number = stack.at[stack.n - 1];
        const node *n = node_at(a, number);
        if (mark[number]) {
            mark[number] = 2;
            stack.n--;
            continue;
        }
        mark[number] = 1;
        fine = is_chained(a, number);
        uint32_t next[] = {n->down, n->right};
        for (unsigned i = 0; i < 2; i++) {
            fine = fine && mark[next[i]] != 1;
            if (fine && next[i] >= FIRST_NODE && !mark[next[i]])
                gy_vec_push(&stack, next[i]);
        }
    }
    gy_vec_free(&stack);
    free(mark);
    return fine;
}

// Is every node in one chain or in the list of free ones, and used as often as it says? (One that
// is freed too early would be part of two lists, which then may never end.) After links_make_sense.
static bool uses_make_sense(const automaton *a)
{
    uint32_t *uses = gy_alloc_zero(a->node_count * sizeof *uses);
    unsigned char *chained = gy_alloc_zero(a->node_count),
                  *free_ones = gy_alloc_zero(a->node_count);
    bool fine = true;
    uses[a->root]++;
    for (uint64_t i = 0; i < a->head_count; i++)
        for (uint32_t at = ((const uint32_t *)a->heads.at)[i]; at; at = node_at(a, at)->next) {
            fine = fine && !chained[at];
            chained[at] = 1;
            uses[node_at(a, at)->down]++;
            uses[node_at(a, at)->right]++;
        }
    for (uint32_t at = a->free; at; at = node_at(a, at)->next) {
        fine = fine && !chained[at] && !free_ones[at];
        free_ones[at] = 1;
    }
    for (uint64_t i = FIRST_NODE; i < a->node_count && fine; i++) {
        uint32_t told = node_at(a, (uint32_t)i)->uses;
        fine = chained[i] ? told == MOST_USES || told == uses[i] : !uses[i];
    }
    free(uses);
    free(chained);
    free(free_ones);
    return fine;
}

static bool automaton_load(gy_store *store, gy_reader *reader)
{
    automaton *a = (automaton *)store;
    uint64_t nodes = gy_read_u64(reader), heads = gy_read_u64(reader), live = gy_read_u64(reader);
    uint64_t first_free = gy_read_u64(reader), root = gy_read_u64(reader);
    uint64_t count = gy_read_u64(reader), left = gy_reader_left(reader);
    if (gy_reader_failed(reader) || nodes < FIRST_NODE || nodes > left / sizeof(node) || !heads ||
        heads > left / sizeof(uint32_t) || (heads & (heads - 1)) || live > nodes ||
        first_free >= nodes || root >= nodes)
        return false;
    if (!gy_read_region(reader, &a->nodes) || !gy_read_region(reader, &a->heads) ||
        a->nodes.room < nodes * sizeof(node) || a->heads.room < heads * sizeof(uint32_t))
        return false;
    a->node_count = nodes;
    a->head_count = heads;
    a->live = live;
    a->free = (uint32_t)first_free;
    a->root = (uint32_t)root;
    atomic_store_explicit(&a->base.count, count, memory_order_relaxed);
    return links_make_sense(a) && uses_make_sense(a) && nodes_make_sense(a);
}

static const gy_store_methods methods = {
    .free = automaton_free,
    .look = automaton_look,
    .new_view = gy_pending_inserts_new_view,
    .free_view = gy_pending_inserts_free_view,
    .add = gy_pending_inserts_add,
    .hold = gy_pending_inserts_hold,
    .enter = automaton_enter,
    .clear = gy_pending_inserts_clear,
    .state = gy_pending_inserts_state,
    .forget = gy_pending_inserts_forget,
    .find = automaton_find,
    .tell = gy_pending_inserts_tell,
    .grow = automaton_grow,
    .save = automaton_save,
    .load = automaton_load,
    .put_back = gy_pending_inserts_put_back,
};

gy_store *gy_automaton_store(const gy_store_options *options)
{
    automaton *a = gy_alloc_zero(sizeof *a);
    gy_pending_inserts_store_init(&a->base, &methods, options);
    pthread_mutex_init(&a->lock, NULL);
    a->hostile = options->hostile;
    a->head_count = options->hostile ? 1 : FIRST_HEADS;
    a->node_count = FIRST_NODE;
    gy_region_init(&a->nodes, options->budget);
    gy_region_init(&a->heads, options->budget);
    if (!gy_region_reserve(&a->nodes, FIRST_NODE * sizeof(node)) ||
        !gy_region_reserve(&a->heads, a->head_count * sizeof(uint32_t))) {
        automaton_free(&a->base.head);
        return NULL;
    }
    return &a->base.head;
}
