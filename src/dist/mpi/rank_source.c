// Of the nodes that are left, one that lies on an accepting cycle.
//
// What is left may hang below such cycles. But a strongly connected part that nothing else that is
// left leads to has one. To find a node of such a part without going backwards: every node is given
// the largest name (a hash) of those from which it can be reached, itself with them. All nodes of
// such a part are given the largest of its own names. And the least of all that were given is the
// name of a node in such a part: above the node with that name there is one, whose largest name has
// been given and is no larger, as it was passed on to that node; so it is the same.
//
//   note:  left | queued | the largest name
#include "dist/mpi/rank_parts.h"

#include <stdlib.h>

static uint64_t name_of(gy_rank_search *s, gy_ref ref)
{
    uint32_t words;
    const gy_word *node = gy_store_state(s->members[0].view, ref, &words);
    return gy_rank_name_of(node, words) >> GY_RANK_VALUE | 1;
}

void gy_rank_begin_labels(gy_rank_search *s)
{
    gy_rank_member *m = &s->members[0];
    gy_ref *all = s->nodes.at;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < s->node_count; i++) {
        if (!(gy_store_note(m->view, all[i]) & GY_RANK_VISITED)) {
            gy_store_set_note(m->view, all[i], 0);
            continue;
        }
        gy_store_set_note(m->view, all[i],
                          name_of(s, all[i]) << GY_RANK_VALUE | GY_RANK_LEFT | GY_RANK_QUEUED);
        gy_rank_push(m, all[i]);
        all[kept++] = all[i];
    }
    s->node_count = kept;
    s->chore = GY_RANK_LABEL;
}

void gy_rank_choose_goal(gy_rank_search *s)
{
    gy_rank_member *m = &s->members[0];
    gy_transport *t = s->transport;
    gy_rank_state *goal = &s->product->goal;
    const gy_ref *all = s->nodes.at;
    uint64_t least = UINT64_MAX, where = s->node_count;
    for (uint64_t i = 0; i < s->node_count; i++) {
        uint64_t label = gy_store_note(m->view, all[i]) >> GY_RANK_VALUE;
        least = label < least ? label : least;
    }
    t->reduce(t, &least, 1, GY_TRANSPORT_LEAST);
    for (uint64_t i = 0; i < s->node_count && where == s->node_count; i++)
        if (name_of(s, all[i]) == least)
            where = i;
    uint64_t owner = where < s->node_count ? t->rank : UINT64_MAX;
    t->reduce(t, &owner, 1, GY_TRANSPORT_LEAST);
    if (owner == UINT64_MAX)
        return; // there is no goal: the path to it will not be found
    bool mine = owner == t->rank;
    uint32_t words = 0;
    const gy_word *node = mine ? gy_store_state(m->view, all[where], &words) : NULL;
    t->broadcast(t, (unsigned)owner, &words, sizeof words);
    free(goal->at);
    goal->at = gy_alloc_zero((words + (size_t)1) * sizeof *goal->at);
    goal->words = words;
    if (mine)
        memcpy(goal->at, node, words * sizeof *node);
    t->broadcast(t, (unsigned)owner, goal->at, (uint32_t)(words * sizeof *goal->at));
}
