#include "lang/ltl/automaton/numbering.h"

#include "base/hash.h"

// The slot of a key, or the free slot where it belongs.
static size_t slot_of(const struct ltl_numbering *n, uint64_t key)
{
    size_t slot = gy_hash_number(key) & (n->room - 1);
    while (n->table[slot] && n->keys.at[n->table[slot] - 1] != key)
        slot = (slot + 1) & (n->room - 1);
    return slot;
}

uint32_t ltl_number(struct ltl_numbering *n, uint64_t key)
{
    if (n->keys.n * 2 >= n->room) {
        free(n->table);
        n->room = n->room ? n->room * 2 : 64;
        n->table = gy_alloc_zero(n->room * sizeof *n->table);
        for (uint32_t i = 0; i < n->keys.n; i++)
            n->table[slot_of(n, n->keys.at[i])] = i + 1;
    }
    size_t slot = slot_of(n, key);
    if (!n->table[slot]) {
        gy_vec_push(&n->keys, key);
        n->table[slot] = (uint32_t)n->keys.n;
    }
    return n->table[slot] - 1;
}

void ltl_numbering_free(struct ltl_numbering *n)
{
    gy_vec_free(&n->keys);
    free(n->table);
    n->table = NULL;
    n->room = 0;
}
