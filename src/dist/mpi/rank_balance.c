// Which rank a state belongs to is decided by a hash at first, and otherwise once there are many
// states (owner.h). What has been found by then is found again, where it belongs: it is little
// beside what is to come. Few states are as well off with the hash, which makes ranks even.
//
// Later on it is looked once whether the ranks are even; if they are far from it, the choice is
// made again.
#include "dist/mpi/rank_parts.h"

#include "base/fatal.h"

static uint64_t first_look(const gy_rank_search *s)
{
    return s->run->options->hostile ? 1 << 8 : 1 << 20;
}

// May the search begin anew? What was written would be written twice.
static bool may_begin_anew(const gy_rank_search *s)
{
    return s->transport->size > 1 && !s->sequence;
}

// Which states are kept depends on nothing but what they are: one of `known->of`.
static bool is_kept(const gy_owner_states *known, const gy_word *state, uint32_t words)
{
    return gy_hash_words(state, words, 1) % known->of == 0;
}

// Half of them have to do.
static void thin_out(gy_owner_states *known)
{
    uint32_t count = known->count, newest = known->newest;
    const gy_word *state = known->content.at;
    known->count = known->newest = 0;
    known->content.n = known->lengths.n = 0;
    known->of *= 2;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t words = known->lengths.at[i];
        if (is_kept(known, state, words)) {
            memmove(known->content.at + known->content.n, state, words * sizeof *state);
            known->content.n += words;
            known->lengths.at[known->lengths.n++] = words;
            known->count++;
            known->newest += i < newest;
        }
        state += words;
    }
}

static void keep(gy_owner_states *known, const gy_word *state, uint32_t words)
{
    enum { MOST_WORDS = 1 << 22 };
    if (!is_kept(known, state, words))
        return;
    gy_vec_reserve(&known->content, known->content.n + words + 1);
    memcpy(known->content.at + known->content.n, state, words * sizeof *state);
    known->content.n += words;
    gy_vec_push(&known->lengths, words);
    known->count++;
    while (known->count == GY_OWNER_STATES || known->content.n > MOST_WORDS)
        thin_out(known);
}

static void note_found(gy_rank_search *s)
{
    gy_owner_states *known = &s->known;
    known->newest = known->count;
    known->of = known->of ? known->of : 1;
    for (unsigned i = 0; i < s->size; i++)
        for (uint64_t k = 0; k < s->members[i].found.n; k++) {
            uint32_t words;
            gy_ref ref = ((const gy_ref *)s->members[i].found.refs.at)[k];
            const gy_word *state = gy_store_state(s->members[0].view, ref, &words);
            keep(known, state, words);
        }
}

// Rank 0 does, and tells the others: a state that each takes for another's would be nobody's.
static void choose_owner(gy_rank_search *s)
{
    gy_transport *t = s->transport;
    gy_owner *o = s->owner;
    if (t->rank == 0)
        gy_owner_choose(o, s->run->worker, &s->known);
    uint32_t told[] = {o->words, o->forms, o->choices};
    t->broadcast(t, 0, told, sizeof told);
    o->words = told[0];
    o->forms = told[1];
    o->choices = told[2];
    size_t words = (size_t)o->words * o->forms;
    o->masks = gy_realloc(o->masks, (words + 1) * sizeof *o->masks);
    t->broadcast(t, 0, o->masks, (uint32_t)(words * sizeof *o->masks));
    gy_owner_set(o);
}

bool gy_rank_rebalance(gy_rank_search *s, uint64_t fewest, uint64_t most)
{
    enum { CHOICES = 2, AGAIN = 4, UNEVEN = 10 };
    gy_owner *o = s->owner;
    if (o->choices >= CHOICES || s->looked || !may_begin_anew(s))
        return false;
    if (s->transport->rank == 0)
        note_found(s);
    if (s->all_states < first_look(s) * (o->choices ? AGAIN : 1))
        return false;
    s->looked = true;
    if (o->choices && (most - fewest) * s->transport->size <= s->all_states / UNEVEN)
        return false;
    uint32_t before = o->forms;
    choose_owner(s);
    return before || o->forms;
}
