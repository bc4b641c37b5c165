// Accepting cycles over ranks by maximal accepting predecessors: MAP of L. Brim, I. Cerna,
// P. Moravec, J. Simsa, "Accepting predecessors are better than back edges in distributed LTL
// model-checking" (FMCAD 2004). As search/liveness/map_cycles.c, in phases.
//
// Each node is given the largest accepting node from which it can be reached, by its name (a hash).
// One that is given its own name along an accepting arc lies on an accepting cycle. If there is
// none, it begins again with fewer accepting nodes.
//
// Different here: an accepting node (one that an accepting arc leads to) stays so only if it was
// given a larger name along an accepting arc. Whoever lies on a cycle by such an arc is given its
// own name or a larger one; so nothing else is lost, and no rank has to know whose name was given
// to which. The one with the largest name of all is never given a larger one: it ends.
//
//   note:  left | queued | accepting | stays so | the largest name
#include "dist/mpi/rank_parts.h"

#include <stdlib.h>

enum { ACCEPTS = 4, STAYS = 8, NAME = 4 };

static uint64_t name_of(const gy_word *node, uint32_t words)
{
    return gy_rank_name_of(node, words) >> NAME | 1;
}

uint64_t gy_rank_map_of(uint64_t note, const gy_word *node, uint32_t words)
{
    uint64_t told = note >> NAME, own = note & ACCEPTS ? name_of(node, words) : 0;
    return own > told ? own : told;
}

void gy_rank_take_map(gy_rank_member *m, gy_ref ref, const gy_word *node, uint32_t words,
                      uint64_t tag)
{
    uint64_t note = gy_store_note(m->view, ref), told = tag >> 1;
    if ((tag & 1) && (note & ACCEPTS)) {
        uint64_t own = name_of(node, words);
        if (told == own) {
            gy_rank_suspect(m, node, words);
            return;
        }
        if (told > own)
            gy_store_change_note(m->view, ref, 0, STAYS);
        note = gy_store_note(m->view, ref);
    }
    while (note >> NAME < told) {
        uint64_t flags = note & (((uint64_t)1 << NAME) - 1);
        if (!gy_store_swap_note(m->view, ref, &note, told << NAME | flags | GY_RANK_QUEUED))
            continue;
        if (!(note & GY_RANK_QUEUED))
            gy_rank_push(m, ref);
        return;
    }
}

bool gy_rank_begin_map(gy_rank_search *s, bool first)
{
    gy_rank_member *m = &s->members[0];
    const gy_ref *all = s->nodes.at;
    uint64_t accepting = 0;
    for (uint64_t i = 0; i < s->node_count; i++) {
        uint64_t note = gy_store_note(m->view, all[i]);
        bool accepts = note & (first ? GY_RANK_ACCEPTING : (uint64_t)STAYS);
        gy_store_set_note(m->view, all[i],
                          accepts ? GY_RANK_LEFT | GY_RANK_QUEUED | ACCEPTS : GY_RANK_LEFT);
        if (accepts)
            gy_rank_push(m, all[i]);
        accepting += accepts;
    }
    s->transport->reduce(s->transport, &accepting, 1, GY_TRANSPORT_SUM);
    s->chore = GY_RANK_MAP;
    s->product->rounds++;
    return accepting != 0;
}

bool gy_rank_next_map(gy_rank_search *s)
{
    return gy_rank_begin_map(s, false);
}
