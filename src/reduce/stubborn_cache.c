// See stubborn_cache.h. Trees lie in an arena, and all is forgotten when that becomes large. Where
// less than half of the keys were met before, keys are not looked for until many states later.
#include "reduce/stubborn_cache.h"

enum {
    MOST_BYTES = 1 << 20, // of trees
    REST = 1 << 17,       // keys that are not looked for
};

void gy_stubborn_cache_init(gy_stubborn_cache *d)
{
    _Static_assert(sizeof *d->slots == 64, "a slot is a line");
    d->arena = gy_arena_new();
    d->slots = gy_alloc_apart(sizeof *d->slots << GY_DECISION_BITS);
}

void gy_stubborn_cache_free(gy_stubborn_cache *d)
{
    if (d->arena)
        gy_arena_free(d->arena);
    free(d->slots);
}

void gy_stubborn_cache_forget(gy_stubborn_cache *d)
{
    gy_arena_free(d->arena);
    d->arena = gy_arena_new();
    memset(d->slots, 0, sizeof *d->slots << GY_DECISION_BITS);
}

void gy_stubborn_cache_end_window(gy_stubborn_cache *d)
{
    if (d->found < d->asked / 2)
        d->rest = REST;
    d->asked = d->found = 0;
    if (gy_arena_bytes(d->arena) > MOST_BYTES)
        gy_stubborn_cache_forget(d);
}

static bool same(gy_wait_condition a, gy_wait_condition b)
{
    return a.wait == b.wait && a.type == b.type && a.at == b.at;
}

void gy_stubborn_cache_note(gy_stubborn_cache *d, gy_decision_slot *slot,
                            const gy_decision_trail *trail, gy_decision decision)
{
    gy_decision_node **at = &slot->tree;
    if (!trail->asked.n) {
        slot->decision = decision;
        return;
    }
    for (size_t i = 0; i < trail->asked.n; i++) {
        if (!*at) {
            *at = GY_NEW(d->arena, gy_decision_node);
            (*at)->ask = trail->asked.at[i];
        } else if (!same((*at)->ask, trail->asked.at[i])) {
            return; // in another order than before
        }
        at = &(*at)->next[trail->answers.at[i]];
    }
    if (!*at) {
        *at = GY_NEW(d->arena, gy_decision_node);
        (*at)->decision = decision;
    }
}
