// The states of a tree table leave it: see "leaving" in store.h. Coders stay as they are, and with
// them the meaning of references; the tables of pairs are emptied.
#include "store/tree_table.h"

enum { SOME = 256 }; // references handed over at a time

typedef struct handing {
    const gy_length_class *class;
    gy_store_take *take;
    void *to;
    uint32_t n;
    gy_ref refs[SOME];
} handing;

uint64_t gy_tree_table_pieces(const gy_store *store)
{
    const gy_tree_table *t = (const gy_tree_table *)store;
    uint64_t pieces = 0;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++)
        pieces += gy_cleary_pieces(&gy_tree_table_class(t, i)->pairs);
    return pieces;
}

static void hand_over(void *user, uint32_t left, uint32_t right)
{
    handing *h = user;
    uint32_t pair[2] = {left, right};
    h->refs[h->n++] = gy_tree_table_ref(h->class, pair);
    if (h->n == SOME) {
        h->take(h->to, h->refs, h->n);
        h->n = 0;
    }
}

void gy_tree_table_each(const gy_store *store, uint64_t piece, gy_store_take *take, void *to)
{
    const gy_tree_table *t = (const gy_tree_table *)store;
    uint32_t number = 0;
    for (uint64_t n; number < gy_tree_classes(t); number++, piece -= n) {
        n = gy_cleary_pieces(&gy_tree_table_class(t, number)->pairs);
        if (piece < n)
            break;
    }
    if (number == gy_tree_classes(t))
        return;
    handing h = {.class = gy_tree_table_class(t, number), .take = take, .to = to};
    gy_cleary_each(&h.class->pairs, piece, hand_over, &h);
    if (h.n)
        take(to, h.refs, h.n);
}

void gy_tree_table_reset(gy_store *store)
{
    gy_tree_table *t = (gy_tree_table *)store;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++)
        gy_cleary_forget(&gy_tree_table_class(t, i)->pairs);
}

bool gy_tree_table_empty(gy_store *store, const gy_ref *stay, uint32_t count, gy_team *team)
{
    gy_tree_table *t = (gy_tree_table *)store;
    for (uint32_t i = 0; i < gy_tree_classes(t); i++)
        gy_cleary_empty(&gy_tree_table_class(t, i)->pairs);
    if (!gy_store_grow(store, team))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pair[2];
        gy_length_class *class = gy_tree_table_class(t, gy_tree_pair_of(t, stay[i], pair));
        gy_cleary_key key = gy_cleary_key_of(&class->pairs, pair[0], pair[1]);
        if (gy_cleary_enter(&class->pairs, &key) == GY_CLEARY_NO_ROOM)
            return false;
        atomic_fetch_add_explicit(&class->pairs.count, 1, memory_order_relaxed);
    }
    return true;
}
