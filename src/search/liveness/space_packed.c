// Nodes that are kept together: see space.h.
#include "search/liveness/space.h"

// ---- names and notes ------------------------------------------------------------------

// Is there room for a place before a reference?
bool gy_space_is_short(gy_space *s, gy_ref ref)
{
    if (!(ref >> GY_PLACE_SHIFT))
        return true;
    atomic_store_explicit(&s->overflow, true, memory_order_relaxed);
    gy_space_end(s);
    return false;
}

void gy_space_rename(gy_space *s, unsigned leader, gy_ref *node)
{
    gy_ref state = gy_space_state_of(s, *node);
    gy_ref renamed = gy_store_reencode(s->store, leader, state);
    if (s->together && gy_space_is_short(s, renamed))
        renamed = gy_space_node_at(renamed, gy_space_place_of(*node));
    *node = renamed;
}

unsigned gy_space_bytes_together(uint32_t places, uint32_t place_bits, bool waits)
{
    uint64_t bits = waits ? 1 + (places - (uint64_t)1) * place_bits : (uint64_t)places * place_bits;
    if (!place_bits || !places || places > GY_MOST_PLACES || bits > 64)
        return 0;
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

// Fields of the note of a state. The place to wait at needs one bit.
void gy_space_place_fields(gy_space *s, const gy_space_options *options)
{
    uint32_t bits = options->place_bits;
    uint8_t next = 0;
    s->together = true;
    s->waits = options->waits;
    s->field = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    for (uint32_t at = 0; at < options->places; at++) {
        s->shift[at] = next;
        next += at == s->waits ? 1 : (uint8_t)bits;
    }
}

// ---- arcs -----------------------------------------------------------------------------

typedef struct moves {
    const gy_observer_move *at;
    uint32_t n;
} moves;

static void keep_notes(gy_space_view *v, uint32_t count, moves by)
{
    const gy_space *s = v->space;
    gy_vec_reserve(&v->notes, v->notes.n + (size_t)count * by.n);
    uint64_t *note = v->notes.at + v->notes.n;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < by.n; k++)
            *note++ = v->store->notes[i] >> s->shift[by.at[k].to] & s->field;
    v->notes.n += (size_t)count * by.n;
}

static bool enter(gy_space_view *v, gy_store_parent from, const gy_arrivals *steps, moves by,
                  gy_arcs *out)
{
    gy_store_view *store = v->store;
    uint32_t count = from.end;
    if (!gy_space_all_fit(v->space, steps, count))
        return false;
    gy_store_add(store, &from, 1, steps);
    if (!gy_space_take_in(v))
        return false;
    gy_vec_reserve(out, out->n + (size_t)count * by.n);
    gy_arc *arc = out->at + out->n;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < by.n; k++)
            *arc++ = (gy_arc){gy_space_node_at(store->refs[i], by.at[k].to), by.at[k].marks};
    out->n += (size_t)count * by.n;
    if (store->all_notes)
        keep_notes(v, count, by);
    gy_store_clear(store);
    return true;
}

// The observer's transitions, and if there are any, the system's steps. Non-zero: the search ends.
static int expand(gy_space_view *v, gy_ref node, moves *by, gy_arrivals *steps, uint32_t *count)
{
    const gy_space_maker *maker = v->space->maker;
    uint32_t words;
    const uint32_t *state = gy_store_state(v->store, gy_space_state_of(v->space, node), &words);
    int answer = maker->observe(v->worker, state, words, gy_space_place_of(node), &by->at, &by->n);
    *count = !answer && by->n ? maker->steps(v->worker, steps) : 0;
    return answer;
}

int gy_space_edges_together(gy_space_view *v, gy_ref node, gy_arcs *out)
{
    gy_space *s = v->space;
    gy_ref ref = gy_space_state_of(s, node);
    gy_arrivals steps;
    uint32_t count;
    moves by;
    int answer = expand(v, node, &by, &steps, &count);
    if (answer == GY_GRAPH_SEEN)
        gy_space_saw(s, node);
    for (uint32_t from = 0; from < count; from += GY_STORE_BATCH) {
        uint32_t some = count - from < GY_STORE_BATCH ? count - from : GY_STORE_BATCH;
        if (!enter(v, (gy_store_parent){ref, some}, &steps, by, out))
            return GY_GRAPH_STOP;
        steps.first += some * steps.stride;
    }
    return answer;
}

int gy_space_known_together(gy_space_view *v, gy_ref node, gy_arcs *out)
{
    gy_arrivals steps;
    uint32_t count;
    moves by;
    int answer = expand(v, node, &by, &steps, &count);
    if (count)
        gy_space_items_reserve(&v->items, (size_t)count * by.n);
    for (uint32_t i = 0; i < count; i++) {
        gy_incoming in = {gy_arrival_state(&steps, i), 0, gy_arrival_words(&steps, i)};
        gy_ref to;
        if (!gy_store_find(v->store, in.state, in.words, &to))
            continue;
        for (uint32_t k = 0; k < by.n; k++) {
            gy_arc arc = {gy_space_node_at(to, by.at[k].to), by.at[k].marks};
            gy_vec_push(out, arc);
            gy_space_items_add(&v->items, in, arc.marks, i * by.n + k);
        }
    }
    return answer;
}
