// Better shapes for the tree store, learnt from the states it has.
//
// When the number of states passes plan_at, a random sample is taken, a shape is planned for every
// length that is common in it, and compared with the one in use by the bytes per state that both
// promise for a store much larger than now. If it is clearly better, all states are named anew:
// every root is unfolded with the old coder and named with the new one. The old nodes and roots are
// freed only when all of that has succeeded; if memory runs out on the way, nothing has changed.
#include "store/numbered/tree.h"

#include "store/numbered/inline_index.h"

#include "base/fatal.h"
#include "base/random.h"

#include <stdlib.h>

enum { DRAWS = GY_SAMPLE_MOST, PLAN_AGAIN = 8 };

bool gy_tree_unsettled(const gy_numbered *store)
{
    const gy_tree *t = (const gy_tree *)store;
    return t->roots.count >= t->plan_at;
}

// Those of the drawn ids that have this length, unfolded one behind the other.
static uint32_t *take_sample(gy_tree *t, gy_tree_view *v, const uint64_t *ids, uint32_t number,
                             uint32_t *n)
{
    uint32_t words = t->coders.at[number]->shape->words, most = gy_tree_layout_sample_size(words);
    uint32_t *sample = gy_alloc((size_t)most * words * sizeof *sample);
    *n = 0;
    for (uint32_t i = 0; i < DRAWS && *n < most; i++) {
        uint32_t length;
        if (gy_roots_get(&t->roots, ids[i]).shape != number)
            continue;
        const uint32_t *state = gy_numbered_state(&v->head, ids[i], &length);
        memcpy(sample + (size_t)*n * words, state, words * sizeof *sample);
        ++*n;
    }
    return sample;
}

static void plan_length(gy_tree *t, gy_tree_view *v, const uint64_t *ids, uint32_t number)
{
    uint32_t n, words = t->coders.at[number]->shape->words;
    if (words < 2 || words > GY_PLAN_WORDS)
        return;
    uint32_t *sample = take_sample(t, v, ids, number, &n);
    t->planned.at[number] = gy_tree_layout_better(t->coders.at[number]->shape, sample, n,
                                                  (double)t->roots.count, 0.93, t->hostile, NULL);
    free(sample);
}

bool gy_tree_plan(gy_numbered_view *head)
{
    gy_tree *t = (gy_tree *)head->store;
    gy_random random;
    uint64_t *ids = gy_alloc(DRAWS * sizeof *ids);
    bool better = false;
    t->plan_at *= t->hostile ? 2 : PLAN_AGAIN;
    gy_random_seed(&random, t->roots.count);
    for (uint32_t i = 0; i < DRAWS; i++)
        ids[i] = gy_random_below(&random, t->roots.count);
    for (uint32_t i = 0; i < t->coders.n; i++) {
        plan_length(t, (gy_tree_view *)head, ids, i);
        better = better || t->planned.at[i];
    }
    free(ids);
    return better;
}

// ---- naming anew ----------------------------------------------------------------------

typedef struct rewrite {
    gy_tree *tree;
    gy_roots roots;
    gy_coder **coders; // by length number; NULL: stays as it is
    gy_coder_base *old, *new;
} rewrite;

static bool rewrite_root(rewrite *r, gy_root *root)
{
    uint32_t number = root->shape, name[2] = {root->left, root->right};
    if (!r->coders[number])
        return true;
    gy_coder_decode(r->tree->coders.at[number], &r->old[number], name);
    if (!gy_coder_encode(r->coders[number], &r->new[number], r->old[number].words, true, name))
        return false;
    root->left = name[0];
    root->right = name[1];
    return true;
}

static bool rewrite_all(rewrite *r)
{
    for (uint64_t id = 0; id < r->tree->roots.count; id++) {
        gy_root root = gy_roots_get(&r->tree->roots, id);
        if (!rewrite_root(r, &root) || !gy_roots_add(&r->roots, &root))
            return false;
    }
    return true;
}

static void adopt(rewrite *r)
{
    gy_tree *t = r->tree;
    for (size_t i = 0; i < t->coders.n; i++)
        if (r->coders[i]) {
            gy_coder_free(t->coders.at[i]);
            t->coders.at[i] = r->coders[i];
            r->coders[i] = NULL;
        }
    gy_roots_free(&t->roots);
    t->roots = r->roots;
    gy_roots_init(&r->roots, t->budget, t->hostile);
    gy_index_owner owner = gy_tree_owner(t);
    gy_index_refill(&t->index, &owner);
    t->generation++;
}

void gy_tree_rename(gy_numbered_view *head)
{
    gy_tree *t = (gy_tree *)head->store;
    size_t n = t->coders.n;
    rewrite r = {.tree = t};
    gy_roots_init(&r.roots, t->budget, t->hostile);
    r.coders = gy_alloc_zero(n * sizeof *r.coders);
    r.old = gy_alloc_zero(n * sizeof *r.old);
    r.new = gy_alloc_zero(n * sizeof *r.new);
    for (size_t i = 0; i < n; i++)
        if (t->planned.at[i]) {
            r.coders[i] = gy_coder_new(t->planned.at[i], t->budget, t->hostile);
            t->planned.at[i] = NULL;
            gy_coder_base_init(&r.old[i], t->coders.at[i]);
            gy_coder_base_init(&r.new[i], r.coders[i]);
        }
    if (rewrite_all(&r))
        adopt(&r);
    for (size_t i = 0; i < n; i++) {
        gy_coder_free(r.coders[i]);
        gy_coder_base_free(&r.old[i]);
        gy_coder_base_free(&r.new[i]);
    }
    gy_roots_free(&r.roots);
    free(r.coders);
    free(r.old);
    free(r.new);
}
