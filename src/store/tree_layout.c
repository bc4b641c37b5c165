#include "store/tree_layout.h"

#include "base/fatal.h"
#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- numbering the different values in a sample ---------------------------------------

typedef struct counter {
    uint32_t *slots; // number + 1 of a key, by hash
    uint64_t *keys;  // by number
    uint32_t mask;
} counter;

static counter new_counter(uint32_t n)
{
    counter c = {.mask = 15};
    while (c.mask + 1 < 2 * n)
        c.mask = 2 * c.mask + 1;
    c.slots = gy_alloc(((size_t)c.mask + 1) * sizeof *c.slots);
    c.keys = gy_alloc(n * sizeof *c.keys);
    return c;
}

static void free_counter(counter *c)
{
    free(c->slots);
    free(c->keys);
}

// Numbers the pairs (a[i], b[i]) in order of appearance, into out[] (may be NULL, may be a);
// returns how many there are. *half: how many of them in the first half.
static uint32_t number_pairs(counter *c, const uint32_t *a, const uint32_t *b, uint32_t n,
                             uint32_t *out, uint32_t *half)
{
    uint32_t count = 0;
    memset(c->slots, 0, ((size_t)c->mask + 1) * sizeof *c->slots);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = (uint64_t)a[i] << 32 | (b ? b[i] : 0);
        uint32_t slot =
            (uint32_t)(gy_hash_fold(key ^ 0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull)) & c->mask;
        if (i == n / 2 && half)
            *half = count;
        while (c->slots[slot] && c->keys[c->slots[slot] - 1] != key)
            slot = (slot + 1) & c->mask;
        if (!c->slots[slot]) {
            c->keys[count] = key;
            c->slots[slot] = ++count;
        }
        if (out)
            out[i] = c->slots[slot] - 1;
    }
    return count;
}

// How many different pairs of numbers there are, a[i] < a_count, b[i] < b_count. Most groups have
// few values: then each pair has a byte of its own.
static uint32_t count_pairs(counter *c, const uint32_t *a, uint32_t a_count, const uint32_t *b,
                            uint32_t b_count, uint32_t n)
{
    uint64_t pairs = (uint64_t)a_count * b_count;
    if (pairs > ((uint64_t)c->mask + 1) * sizeof *c->slots)
        return number_pairs(c, a, b, n, NULL, NULL);
    uint8_t *met = (uint8_t *)c->slots;
    uint32_t count = 0;
    memset(met, 0, pairs);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t *here = &met[(size_t)a[i] * b_count + b[i]];
        count += !*here;
        *here = 1;
    }
    return count;
}

static void take_column(const uint32_t *sample, uint32_t words, uint32_t word, uint32_t n,
                        uint32_t *column)
{
    for (uint32_t i = 0; i < n; i++)
        column[i] = sample[(size_t)i * words + word];
}

// ---- building -------------------------------------------------------------------------

static gy_tree_layout *new_shape(uint32_t words)
{
    gy_tree_layout *s = gy_alloc_zero(sizeof *s);
    size_t n = (size_t)words + 2;
    s->words = words;
    s->first = gy_alloc_zero(n * sizeof *s->first);
    s->word_at = gy_alloc_zero(n * sizeof *s->word_at);
    s->leaf_of = gy_alloc_zero(n * sizeof *s->leaf_of);
    s->kids = gy_alloc(2 * n * sizeof *s->kids);
    memset(s->kids, 0xff, 2 * n * sizeof *s->kids); // GY_NO_NODE
    s->parent = gy_alloc_zero(2 * n * sizeof *s->parent);
    s->top[0] = s->top[1] = GY_NO_NODE;
    return s;
}

void gy_tree_layout_free(gy_tree_layout *shape)
{
    if (!shape)
        return;
    free(shape->first);
    free(shape->word_at);
    free(shape->leaf_of);
    free(shape->kids);
    free(shape->parent);
    free(shape);
}

// A leaf of the words word_at[first[leaves] .. end); returns its number.
static uint32_t close_leaf(gy_tree_layout *s, uint32_t end)
{
    uint32_t leaf = s->leaves++;
    for (uint32_t i = s->first[leaf]; i < end; i++)
        s->leaf_of[s->word_at[i]] = leaf;
    s->first[leaf + 1] = end;
    s->parent[leaf] = GY_NO_NODE;
    return leaf;
}

static uint32_t join(gy_tree_layout *s, const uint32_t *kids, uint32_t count)
{
    uint32_t node = s->nodes++;
    s->parent[node] = GY_NO_NODE;
    for (uint32_t i = 0; i < count; i++) {
        s->kids[node][i] = kids[i];
        s->parent[kids[i]] = node;
    }
    return node;
}

// A tree over leaves [from, to), cut into quarters all the way down.
static uint32_t join_range(gy_tree_layout *s, uint32_t from, uint32_t to)
{
    uint32_t kids[GY_MOST_KIDS], n = to - from, parts = n < GY_MOST_KIDS ? n : GY_MOST_KIDS;
    if (n == 1)
        return from;
    for (uint32_t i = 0; i < parts; i++)
        kids[i] = join_range(s, from + (uint32_t)((uint64_t)n * i / parts),
                             from + (uint32_t)((uint64_t)n * (i + 1) / parts));
    return join(s, kids, parts);
}

gy_tree_layout *gy_tree_layout_balanced(uint32_t words)
{
    gy_tree_layout *s = new_shape(words);
    enum { FLAT = 64, LONG = GY_MASKED_LEAVES * GY_STILL_LEAF };
    uint32_t leaves = words < 2 ? words : 2, most = words <= LONG ? GY_MASKED_LEAVES : words;
    while (words > FLAT && (uint64_t)leaves * GY_LEAF_WORDS < words && leaves < most)
        leaves *= 2;
    for (uint32_t i = 0; i < words; i++)
        s->word_at[i] = i;
    for (uint32_t i = 0; i < leaves; i++)
        close_leaf(s, (uint32_t)((uint64_t)(i + 1) * words / leaves));
    s->nodes = s->leaves;
    if (leaves) {
        s->top[0] = join_range(s, 0, (leaves + 1) / 2);
        if (leaves > 1)
            s->top[1] = join_range(s, (leaves + 1) / 2, leaves);
    }
    return s;
}

// ---- planning -------------------------------------------------------------------------

typedef struct group {
    uint32_t *numbers;   // of its value in each state of the sample
    uint32_t distinct;   // values
    uint32_t size;       // words
    uint32_t word;       // if it is a single one
    struct group *a, *b; // what it was merged from
} group;

typedef struct plan {
    uint32_t n, words; // states of the sample, words of each
    uint32_t
        moving; // of them, those that are grouped: all, or those that are not still (see set_aside)
    uint32_t groups; // alive: group_at[0 .. groups)
    group **group_at;
    uint32_t *together; // groups x groups: different values of two groups together; 0: not known
    const uint32_t *sample;
    counter *counts; // by member
    uint32_t merged; // the group that changed last
} plan;

enum { WINDOW = 8, ALL_PAIRS = 64, FEW = 16, LONG_STATE = 32 };

static bool near(const plan *p, uint32_t i, uint32_t j)
{
    return p->moving <= ALL_PAIRS || (i < j ? j - i : i - j) <= WINDOW;
}

static uint32_t *together(const plan *p, uint32_t i, uint32_t j)
{
    return &p->together[(size_t)(i < j ? i : j) * p->words + (i < j ? j : i)];
}

// States of up to two leaves are best cut into just those, with nothing above them: one lookup
// for each half that has changed. After merging groups i and j, can that still be done?
static bool still_two_leaves(const plan *p, uint32_t i, uint32_t j)
{
    for (uint32_t subset = 0; subset < 1u << p->groups; subset++) {
        uint32_t size = 0;
        if ((subset >> i & 1) != (subset >> j & 1))
            continue;
        for (uint32_t k = 0; k < p->groups; k++)
            size += subset >> k & 1 ? p->group_at[k]->size : 0;
        if (size <= GY_LEAF_WORDS && p->words - size <= GY_LEAF_WORDS)
            return true;
    }
    return false;
}

// Is merging these two to be thought of?
static bool may_merge(const plan *p, uint32_t i, uint32_t j)
{
    return near(p, i, j) && (p->words > 2 * GY_LEAF_WORDS || still_two_leaves(p, i, j));
}

static uint32_t count_together(plan *p, counter *count, uint32_t i, uint32_t j)
{
    uint32_t *known = together(p, i, j);
    const group *a = p->group_at[i], *b = p->group_at[j];
    if (!*known) {
        if (a->distinct == 1 || b->distinct == 1)
            *known = a->distinct > b->distinct ? a->distinct : b->distinct;
        else
            *known = count_pairs(count, a->numbers, a->distinct, b->numbers, b->distinct, p->n);
    }
    return *known;
}

static void count_row(void *user, unsigned member, uint64_t i)
{
    plan *p = user;
    for (uint32_t j = (uint32_t)i + 1; j < p->groups; j++)
        if (may_merge(p, (uint32_t)i, j))
            count_together(p, &p->counts[member], (uint32_t)i, j);
}

static void count_with_merged(void *user, unsigned member, uint64_t i)
{
    plan *p = user;
    if (i != p->merged && may_merge(p, (uint32_t)i, p->merged))
        count_together(p, &p->counts[member], (uint32_t)i, p->merged);
}

// The two groups with the fewest values together; of equal ones, those that have few each. Of long
// states, words that are still and were not set aside would become a chain, one at a time: of
// these, short ones first.
static void find_pair(plan *p, uint32_t *x, uint32_t *y)
{
    uint64_t best = UINT64_MAX, best_product = UINT64_MAX, best_size = UINT64_MAX;
    for (uint32_t i = 0; i < p->groups; i++)
        for (uint32_t j = i + 1; j < p->groups; j++) {
            if (!near(p, i, j))
                break;
            if (!may_merge(p, i, j))
                continue;
            uint64_t product = (uint64_t)p->group_at[i]->distinct * p->group_at[j]->distinct;
            uint64_t value = count_together(p, &p->counts[0], i, j); // mostly it is known
            bool still = product == 1 && p->words > LONG_STATE;
            uint64_t size = still ? (uint64_t)p->group_at[i]->size + p->group_at[j]->size : 0;
            if (value != best             ? value < best
                : product != best_product ? product < best_product
                                          : size < best_size) {
                best = value;
                best_product = product;
                best_size = size;
                *x = i;
                *y = j;
            }
        }
}

// Group j goes into group i; those after j move up.
static void merge(plan *p, uint32_t i, uint32_t j)
{
    group *a = p->group_at[i], *b = p->group_at[j], *both = gy_alloc(sizeof *both);
    *both = (group){.numbers = a->numbers, .size = a->size + b->size, .a = a, .b = b};
    both->distinct = number_pairs(&p->counts[0], a->numbers, b->numbers, p->n, both->numbers, NULL);
    a->numbers = NULL;
    free(b->numbers);
    b->numbers = NULL;
    for (uint32_t k = 0; k < p->groups; k++)
        if (k != i)
            *together(p, i, k) = 0;
    for (uint32_t x = 0; x + 1 < p->groups; x++)
        for (uint32_t y = x + 1; y + 1 < p->groups; y++)
            *together(p, x, y) = *together(p, x + (x >= j), y + (y >= j));
    for (uint32_t k = j; k + 1 < p->groups; k++)
        p->group_at[k] = p->group_at[k + 1];
    p->groups--;
    p->group_at[i] = both;
    p->merged = i;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void list_words(gy_tree_layout *s, const group *g, uint32_t *end)
{
    if (!g->a) {
        s->word_at[(*end)++] = g->word;
        return;
    }
    list_words(s, g->a, end);
    list_words(s, g->b, end);
}

static uint32_t close_sorted(gy_tree_layout *s, uint32_t begin, uint32_t end)
{
    qsort(s->word_at + begin, end - begin, sizeof *s->word_at, ascending);
    return close_leaf(s, end);
}

// Leaves first, in order; inner nodes are joined in a second pass over the same tree.
static void close_leaves(gy_tree_layout *s, const group *g, uint32_t *end)
{
    if (g->size > GY_LEAF_WORDS) {
        close_leaves(s, g->a, end);
        close_leaves(s, g->b, end);
        return;
    }
    uint32_t begin = *end;
    list_words(s, g, end);
    close_sorted(s, begin, *end);
}

// The groups that become the children of g's node: a and b, or what they consist of if g has so
// few values that wide rows cost little.
static uint32_t pick_kids(const group *g, uint32_t few, const group **kids)
{
    uint32_t count = 2;
    kids[0] = g->a;
    kids[1] = g->b;
    while (g->distinct <= few && count < GY_MOST_KIDS) {
        uint32_t widest = 0;
        for (uint32_t i = 1; i < count; i++)
            if (kids[i]->size > kids[widest]->size)
                widest = i;
        if (kids[widest]->size <= GY_LEAF_WORDS)
            break;
        const group *split = kids[widest];
        memmove(kids + widest + 2, kids + widest + 1, (count - widest - 1) * sizeof *kids);
        kids[widest] = split->a;
        kids[widest + 1] = split->b;
        count++;
    }
    return count;
}

static uint32_t join_groups(gy_tree_layout *s, const group *g, uint32_t few, uint32_t *leaf)
{
    const group *groups[GY_MOST_KIDS + 1];
    uint32_t kids[GY_MOST_KIDS];
    if (g->size <= GY_LEAF_WORDS)
        return (*leaf)++;
    uint32_t count = pick_kids(g, few, groups);
    for (uint32_t i = 0; i < count; i++)
        kids[i] = join_groups(s, groups[i], few, leaf);
    return join(s, kids, count);
}

static void free_group(group *g)
{
    if (!g)
        return;
    free_group(g->a);
    free_group(g->b);
    free(g->numbers);
    free(g);
}

static void list_below(const gy_tree_layout *s, uint32_t node, uint32_t *words, uint32_t *end)
{
    if (node < s->leaves) {
        for (uint32_t i = s->first[node]; i < s->first[node + 1]; i++)
            words[(*end)++] = s->word_at[i];
        return;
    }
    for (uint32_t i = 0; i < GY_MOST_KIDS && s->kids[node][i] != GY_NO_NODE; i++)
        list_below(s, s->kids[node][i], words, end);
}

// Leaves of the words word_at[first[leaves] ..), which are still, and nodes above them.
static uint32_t close_still(gy_tree_layout *s)
{
    uint32_t from = s->leaves;
    for (uint32_t end = s->first[from]; end < s->words;) {
        end = end + GY_STILL_LEAF < s->words ? end + GY_STILL_LEAF : s->words;
        close_leaf(s, end);
    }
    return from;
}

// The same two groups below the root, as leaves; words that are still stay next to the second.
// NULL: they are too long.
static gy_tree_layout *flatten(const gy_tree_layout *s, uint32_t still)
{
    gy_tree_layout *flat = new_shape(s->words);
    uint32_t end = 0;
    memcpy(flat->word_at + s->words - still, s->word_at + s->words - still,
           still * sizeof *s->word_at);
    for (unsigned i = 0; i < 2 && s->top[i] != GY_NO_NODE; i++) {
        uint32_t begin = end, node = s->top[i];
        if (i && still)
            node = s->kids[node][0];
        list_below(s, node, flat->word_at, &end);
        flat->top[i] = close_sorted(flat, begin, end);
        if (end - begin > GY_ENCODE_BATCH_LEAF) {
            gy_tree_layout_free(flat);
            return NULL;
        }
    }
    uint32_t from = still ? close_still(flat) : 0;
    flat->nodes = flat->leaves;
    if (still)
        flat->top[1] =
            join(flat, (uint32_t[]){flat->top[1], join_range(flat, from, flat->leaves)}, 2);
    return flat;
}

static void make_group(void *user, unsigned member, uint64_t i)
{
    plan *p = user;
    group *g = gy_alloc_zero(sizeof *g);
    g->numbers = gy_alloc(p->n * sizeof *g->numbers);
    g->size = 1;
    g->word = (uint32_t)i;
    take_column(p->sample, p->words, g->word, p->n, g->numbers);
    g->distinct = number_pairs(&p->counts[member], g->numbers, NULL, p->n, g->numbers, NULL);
    p->group_at[i] = g;
}

// Words that are the same in all states of the sample need not be grouped. Where they are most of
// long states, they go to the end, so that what moves has few nodes; else they are grouped as
// others are. Returns how many are set aside.
static uint32_t set_aside(plan *p, gy_tree_layout *s)
{
    uint32_t still = 0, moving = 0;
    for (uint32_t i = 0; i < p->words; i++)
        still += p->group_at[i]->distinct == 1;
    if (p->words <= LONG_STATE || still < p->words / 2 || p->words - still < 2)
        return 0;
    uint32_t to = p->words - still;
    for (uint32_t i = 0; i < p->words; i++) {
        group *g = p->group_at[i];
        if (g->distinct == 1) {
            s->word_at[to++] = g->word;
            free_group(g);
        } else {
            p->group_at[moving++] = g;
        }
    }
    p->groups = p->moving = moving;
    return still;
}

static void group_words(plan *p, gy_team *team)
{
    p->together = gy_alloc_zero((size_t)p->words * p->words * sizeof *p->together);
    gy_team_share(team, p->groups, count_row, p);
    while (p->groups > 2) {
        uint32_t i = 0, j = 1;
        find_pair(p, &i, &j);
        merge(p, i, j);
        if (p->groups > 2)
            gy_team_share(team, p->groups, count_with_merged, p);
    }
    free(p->together);
}

// For a sample of n states, each of that length, in random order. NULL if states are too long.
// *still: so many words are apart from the others, the last ones of word_at, below the second child
// of top[1].
static gy_tree_layout *plan_layout(uint32_t words, const uint32_t *sample, uint32_t n,
                                   gy_team *team, uint32_t *still)
{
    if (words < 2 || words > GY_PLAN_WORDS || !n)
        return NULL;
    plan p = {.n = n, .words = words, .moving = words, .groups = words, .sample = sample};
    unsigned members = gy_team_size(team);
    p.counts = gy_alloc(members * sizeof *p.counts);
    for (unsigned i = 0; i < members; i++)
        p.counts[i] = new_counter(n);
    p.group_at = gy_alloc(words * sizeof *p.group_at);
    gy_tree_layout *s = new_shape(words);
    gy_team_share(team, words, make_group, &p);
    *still = set_aside(&p, s);
    group_words(&p, team);
    uint32_t end = 0, leaf = 0;
    close_leaves(s, p.group_at[0], &end);
    close_leaves(s, p.group_at[1], &end);
    uint32_t from = *still ? close_still(s) : 0;
    s->nodes = s->leaves;
    s->top[0] = join_groups(s, p.group_at[0], n / FEW, &leaf);
    s->top[1] = join_groups(s, p.group_at[1], n / FEW, &leaf);
    if (*still)
        s->top[1] = join(s, (uint32_t[]){s->top[1], join_range(s, from, s->leaves)}, 2);
    free_group(p.group_at[0]);
    free_group(p.group_at[1]);
    free(p.group_at);
    for (unsigned i = 0; i < members; i++)
        free_counter(&p.counts[i]);
    free(p.counts);
    return s;
}

// ---- estimates ------------------------------------------------------------------------

// Different values among `states` states, if there are `half` in n/2 and `all` in n.
static double extrapolate(uint32_t half, uint32_t all, uint32_t n, double states)
{
    double growth = half ? log2((double)all / (double)half) : 0;
    return (double)all * pow(states / n, growth < 1 ? growth : 1);
}

// Bytes per state (roots and nodes) to be expected with this shape when there are `states` states;
// extrapolated from the growth of the tables within the sample.
static double estimate(const gy_tree_layout *s, const uint32_t *sample, uint32_t n, double states)
{
    double bytes = 0;
    counter c = new_counter(n);
    uint32_t **numbers = gy_alloc_zero((s->nodes + 1) * sizeof *numbers);
    uint32_t *column = gy_alloc(n * sizeof *column);
    for (uint32_t node = 0; node < s->nodes && n; node++) {
        uint32_t *mine = numbers[node] = gy_alloc_zero(n * sizeof *mine), half = 0, all = 0;
        double each = 12; // its slot, in a table that is filled well, and a little air
        if (node < s->leaves) {
            for (uint32_t i = s->first[node]; i < s->first[node + 1]; i++) {
                take_column(sample, s->words, s->word_at[i], n, column);
                all = number_pairs(&c, mine, column, n, mine, &half);
                each += 4;
            }
        } else {
            for (uint32_t i = 0; i < GY_MOST_KIDS && s->kids[node][i] != GY_NO_NODE; i++) {
                uint32_t kid = s->kids[node][i];
                all = number_pairs(&c, mine, numbers[kid], n, mine, &half);
                free(numbers[kid]);
                numbers[kid] = NULL;
                each += 4;
            }
        }
        double values = extrapolate(half, all, n, states);
        bytes += values * each / states;
        if (node == s->top[0] || node == s->top[1])
            bytes += log2(values) / 8;
    }
    for (uint32_t node = 0; node < s->nodes; node++)
        free(numbers[node]);
    free(numbers);
    free(column);
    free_counter(&c);
    return bytes;
}

// ---- choosing -------------------------------------------------------------------------

uint32_t gy_tree_layout_sample_size(uint32_t words)
{
    // Long states mostly differ in few of their words: it takes many to see which.
    return GY_SAMPLE_MOST / (words > 128 ? 4 : words > 32 || words <= 16 ? 1 : 2);
}

typedef struct estimates {
    const gy_tree_layout *shapes[3]; // NULL: none
    double bytes[3];
    const uint32_t *sample;
    uint32_t n;
    double states;
} estimates;

static void estimate_one(void *user, unsigned member, uint64_t i)
{
    estimates *e = user;
    (void)member;
    e->bytes[i] = e->shapes[i] ? estimate(e->shapes[i], e->sample, e->n, e->states) : HUGE_VAL;
}

gy_tree_layout *gy_tree_layout_better(const gy_tree_layout *now, const uint32_t *sample, uint32_t n,
                                      const gy_tree_layout_wish *wish, gy_team *team)
{
    enum { LOOK_AHEAD = 16 };
    enum { FEW_STATES = 1 << 16, FEW_WORDS = 32 };
    // A flat shape of few short states may take what it likes: they say little about how it will
    // be, and there is time to think better of it.
    bool few = wish->states < FEW_STATES && now->words <= FEW_WORDS;
    double flat_bytes = few ? HUGE_VAL : wish->flat_bytes;
    if (n < (wish->always ? 1 : GY_SAMPLE_FEWEST))
        return NULL;
    uint32_t still;
    gy_tree_layout *shape = plan_layout(now->words, sample, n, team, &still);
    if (!shape || wish->always)
        return shape;
    gy_tree_layout *flat = shape->nodes > shape->leaves ? flatten(shape, still) : NULL;
    bool sure = flat && flat_bytes == HUGE_VAL; // the other one need not be examined
    estimates e = {.shapes = {sure ? NULL : shape, flat, now}, .sample = sample, .n = n};
    e.states = wish->states * LOOK_AHEAD;
    gy_team_share(team, 3, estimate_one, &e);
    bool as_flat = flat && e.bytes[1] < e.bytes[0] + flat_bytes;
    gy_tree_layout *best = as_flat ? flat : shape;
    gy_tree_layout_free(as_flat ? shape : flat);
    // A flat one that is there is worth as much as one that could be.
    bool dearer = best->nodes > best->leaves && now->nodes == now->leaves &&
                  e.bytes[2] < e.bytes[0] + flat_bytes;
    if (!dearer && e.bytes[as_flat] < e.bytes[2] * wish->share)
        return best;
    gy_tree_layout_free(best);
    return NULL;
}
