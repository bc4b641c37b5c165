// Which rank a state belongs to is decided by a hash at first, and otherwise once there are many
// states (owner.h). What has been found by then is found again, where it belongs: it is little
// compared with what is to come. Few states are as well off with the hash, which makes ranks even.
//
// While beginning again costs little, it is looked repeatedly whether the ranks are even; if
// they are not, the hash decides after all.
#include "dist/mpi/rank_parts.h"

#include "base/fatal.h"

static uint64_t first_look(const gy_rank_search *s)
{
    return s->run->options->hostile ? 1 << 8 : 1 << 20;
}

// May the search begin again? What was written would be written twice.
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

// A state that each takes for another's would be nobody's.
void gy_rank_tell_owner(gy_rank_search *s)
{
    gy_transport *t = s->transport;
    gy_owner *o = s->owner;
    uint32_t told[] = {o->words, o->forms};
    t->broadcast(t, 0, told, sizeof told);
    o->words = told[0];
    o->forms = told[1];
    size_t words = (size_t)o->words * o->forms;
    o->masks = gy_realloc(o->masks, (words + 1) * sizeof *o->masks);
    t->broadcast(t, 0, o->masks, (uint32_t)(words * sizeof *o->masks));
    gy_owner_set(o);
}

static bool should_look(const gy_rank_search *s)
{
    enum { TIMES = 8 };
    uint64_t first = first_look(s), soon = s->looked + s->looked / 4;
    return s->all_states >= first && s->all_states >= soon && s->all_states <= TIMES * first;
}

// Are the ranks uneven, and become more so? Most choices are better for states that are far from
// the initial ones than for those near them, so that they become even in the end.
static bool stays_uneven(gy_rank_search *s, uint64_t fewest, uint64_t most)
{
    enum { MUCH = 40, FAR_TOO_MUCH = 100 }; // in a thousand
    enum { LATE = 4 };                      // times what the first look had
    uint64_t before = s->uneven, now = (most - fewest) * s->transport->size * 1000 / s->all_states;
    s->uneven = now;
    return (before && now > MUCH && now >= before) ||
           (now > FAR_TOO_MUCH && s->all_states >= LATE * first_look(s));
}

bool gy_rank_rebalance(gy_rank_search *s, uint64_t fewest, uint64_t most)
{
    gy_owner *o = s->owner;
    bool first = !o->chosen;
    if (!may_begin_anew(s) || (!first && !o->forms))
        return false;
    if (s->transport->rank == 0 && first)
        note_found(s);
    if (!should_look(s))
        return false;
    s->looked = s->all_states;
    if (first && s->transport->rank == 0)
        gy_owner_choose(o, s->run->worker, &s->known);
    if (first) {
        gy_rank_tell_owner(s);
        o->chosen = true;
    } else if (stays_uneven(s, fewest, most)) {
        gy_owner_hash(o);
    } else {
        return false;
    }
    return !first || o->forms;
}
