// The reachability search in a checkpoint, when paths are to be found: at a meeting where nothing
// is under way, in the middle of a level or at its beginning. What the store does not have is the
// queue, what waits, the lineage, and the errors so far; with a reduction, the candidates of the
// level and those that failed so far. Where states are given back once, they are written out
// themselves.
//
// Nothing that is read is believed: references must lead to states, states must be in the store and
// states of the system, numbers must lead to the lineage.
#include "search/safety/reach_parts.h"

#include <stdlib.h>

static const uint64_t MOST_COST = 1ull << 62; // no sum of two overflows

static void save_state(const gy_reach *r, gy_writer *writer, gy_ref ref)
{
    uint32_t words;
    if (!r->once) {
        gy_write_u64(writer, ref);
        return;
    }
    const gy_word *state = gy_store_state(r->members[0].view, ref, &words);
    gy_write_u64(writer, words);
    gy_write(writer, state, words * sizeof *state);
}

// Does a reference lead to a state of the store, and is that one of the system's?
static bool is_sound(const gy_reach *r, gy_ref ref)
{
    uint32_t words;
    if (!gy_store_holds(r->store, ref))
        return false;
    const gy_word *state = gy_store_state(r->members[0].view, ref, &words);
    return gy_is_state(r->members[0].worker, state, words);
}

static bool load_state(gy_reach *r, gy_reader *reader, gy_ref *ref)
{
    uint64_t n = gy_read_u64(reader);
    if (!r->once) {
        *ref = n;
        return is_sound(r, n);
    }
    if (n > r->most_words || n > gy_reader_left(reader) / sizeof(gy_word))
        return false;
    gy_word *state = gy_alloc((n + 1) * sizeof *state);
    bool fine = gy_read(reader, state, n * sizeof *state) &&
                gy_is_state(r->members[0].worker, state, (uint32_t)n) &&
                gy_store_put_back(r->members[0].view, state, (uint32_t)n, ref);
    free(state);
    return fine;
}

static void save_blocks(const gy_reach *r, gy_writer *writer, const gy_reach_blocks *list)
{
    gy_write_u64(writer, gy_reach_count_states(list));
    for (size_t i = 0; i < list->n; i++) {
        const gy_reach_block *b = list->at[i];
        gy_spill_blocks_wake(&r->pages, b->at);
        for (uint32_t k = 0; k < b->n; k++) {
            gy_write(writer, &b->tags[k], sizeof b->tags[k]);
            save_state(r, writer, b->at[k]);
        }
        gy_spill_blocks_rest(&r->pages, b->at);
    }
}

static bool load_blocks(gy_reach *r, gy_reader *reader, gy_reach_blocks *list)
{
    const gy_lineage *l = &r->trace->lineage;
    for (uint64_t n = gy_read_u64(reader); n; n--) {
        gy_ref ref;
        gy_lineage_from from;
        if (!gy_read(reader, &from, sizeof from) || !load_state(r, reader, &ref) ||
            (from.parent >= l->n && from.parent != GY_LINEAGE_NONE))
            return false;
        gy_reach_put_aside(&r->members[0], list, ref, from.parent);
        if (gy_reach_is_up(&r->stop))
            return false;
        gy_reach_block *last = list->at[list->n - 1];
        last->tags[last->n - 1] = from;
    }
    return !gy_reader_failed(reader);
}

// States that are known to have failed: they have no tags.
static void save_failed(const gy_reach *r, gy_writer *writer)
{
    gy_write_u64(writer, gy_reach_count_states(&r->failed));
    for (size_t i = 0; i < r->failed.n; i++)
        gy_write(writer, r->failed.at[i]->at, r->failed.at[i]->n * sizeof(gy_ref));
}

static bool load_failed(gy_reach *r, gy_reader *reader)
{
    for (uint64_t n = gy_read_u64(reader); n; n--) {
        gy_ref ref = gy_read_u64(reader);
        if (gy_reader_failed(reader) || !is_sound(r, ref))
            return false;
        gy_reach_put_aside(&r->members[0], &r->failed, ref, GY_LINEAGE_NONE);
        if (gy_reach_is_up(&r->stop))
            return false;
    }
    gy_reach_list_states(r, &r->full, &r->failed);
    return !gy_reader_failed(reader);
}

static void save_lineage(gy_writer *writer, const gy_lineage *l)
{
    gy_write_u64(writer, l->n);
    gy_write_u64(writer, l->thinned);
    gy_write_u64(writer, l->spacing);
    gy_write_region(writer, &l->refs, l->n * sizeof(gy_ref));
    gy_write_region(writer, &l->from, l->n * sizeof(gy_lineage_from));
    gy_write_u64(writer, l->levels.n);
    for (size_t i = 0; i < l->levels.n; i++) {
        gy_write_u64(writer, l->levels.at[i].first);
        gy_write_u64(writer, l->levels.at[i].cost);
    }
}

static bool load_lineage(gy_reach *r, gy_reader *reader)
{
    gy_lineage *l = &r->trace->lineage;
    uint64_t n = gy_read_u64(reader), before = 0;
    l->thinned = gy_read_u64(reader) != 0;
    l->spacing = gy_read_u64(reader);
    if (!gy_read_region(reader, &l->refs) || !gy_read_region(reader, &l->from) ||
        n >= GY_LINEAGE_NONE || n * sizeof(gy_ref) > l->refs.room ||
        n * sizeof(gy_lineage_from) > l->from.room)
        return false;
    l->n = l->swept = (uint32_t)n;
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t parent = gy_lineage_parent(l, i);
        if ((parent >= i && parent != GY_LINEAGE_NONE) ||
            (!r->once && !is_sound(r, gy_lineage_ref(l, i))))
            return false;
    }
    for (uint64_t left = gy_read_u64(reader); left; left--) {
        gy_lineage_level level = {.first = (uint32_t)gy_read_u64(reader)};
        level.cost = gy_read_u64(reader);
        if (gy_reader_failed(reader) || level.first > l->n || level.first < before ||
            (l->levels.n && l->levels.at[l->levels.n - 1].cost >= level.cost))
            return false;
        before = level.first;
        gy_vec_push(&l->levels, level);
    }
    return l->levels.n > 0 || l->n == 0;
}

static void save_sites(gy_writer *writer, const gy_reach_trace *t)
{
    gy_write_u64(writer, t->errors);
    gy_write_u64(writer, t->ends);
    gy_write_u64(writer, t->sites.n);
    for (size_t i = 0; i < t->sites.n; i++) {
        const gy_reach_error *s = &t->sites.at[i];
        uint64_t numbers[] = {s->kind, (uint32_t)s->edge, s->ordinal, s->cost,
                              s->step, s->rank,           s->number,  s->state.words};
        gy_write(writer, numbers, sizeof numbers);
        gy_write(writer, s->state.at, s->state.words * sizeof *s->state.at);
    }
}

static bool load_sites(gy_reach *r, gy_reader *reader)
{
    gy_reach_trace *t = r->trace;
    t->errors = gy_read_u64(reader);
    t->ends = gy_read_u64(reader);
    for (uint64_t left = gy_read_u64(reader); left; left--) {
        uint64_t n[8];
        if (!gy_read(reader, n, sizeof n) || n[7] > gy_reader_left(reader) / sizeof(gy_word) ||
            (n[6] >= t->lineage.n && n[6] != GY_LINEAGE_NONE) || n[4] > n[3])
            return false;
        gy_reach_error s = {.kind = (gy_fault_kind)n[0],
                            .edge = (int32_t)n[1],
                            .ordinal = (uint32_t)n[2],
                            .cost = n[3],
                            .step = n[4],
                            .rank = n[5],
                            .number = (uint32_t)n[6],
                            .state.words = (uint32_t)n[7]};
        s.state.at = gy_alloc((n[7] + 1) * sizeof(gy_word));
        gy_vec_push(&t->sites, s);
        if (!gy_read(reader, s.state.at, n[7] * sizeof(gy_word)) ||
            (n[7] && !gy_is_state(r->members[0].worker, s.state.at, s.state.words)))
            return false;
        if (s.cost < atomic_load_explicit(&t->best, memory_order_relaxed))
            atomic_store_explicit(&t->best, s.cost, memory_order_relaxed);
    }
    return !gy_reader_failed(reader);
}

static void save_due(gy_writer *writer, const gy_reach *r)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < r->size; i++)
        count += r->members[i].due.n;
    gy_write_u64(writer, count);
    for (unsigned i = 0; i < r->size; i++)
        for (size_t k = 0; k < r->members[i].due.n; k++) {
            const gy_reach_bucket *due = &r->members[i].due.at[k];
            gy_write_u64(writer, due->at);
            gy_write_u64(writer, due->cost);
            gy_write_u64(writer, due->last);
            save_blocks(r, writer, &due->states);
        }
}

// A state that waits several times was written as often: each is the last time for what was read.
static bool load_due(gy_reach *r, gy_reader *reader)
{
    for (uint64_t left = gy_read_u64(reader); left; left--) {
        gy_reach_bucket due = {.at = gy_read_u64(reader)};
        due.cost = gy_read_u64(reader);
        due.last = gy_read_u64(reader) != 0 || r->once;
        // What is due at the cost of a level is taken before its states are expanded.
        uint64_t least = r->trace->cost + (r->chore == GY_REACH_EXPAND);
        bool fine = !gy_reader_failed(reader) && due.at >= least && due.at < MOST_COST &&
                    due.cost > 1 && due.cost < MOST_COST && load_blocks(r, reader, &due.states);
        gy_vec_push(&r->members[0].due, due);
        if (!fine)
            return false;
    }
    return !gy_reader_failed(reader);
}

static void save_candidates(gy_writer *writer, const gy_reach *r)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < r->size; i++)
        count += r->members[i].reports.n;
    save_failed(r, writer);
    gy_level_proviso_save(&r->proviso, writer);
    gy_write_u64(writer, count);
    for (unsigned i = 0; i < r->size; i++)
        gy_write(writer, r->members[i].reports.list.at,
                 r->members[i].reports.n * sizeof(gy_proviso_report));
}

static bool holds(void *user, gy_ref state)
{
    return is_sound(user, state);
}

static bool load_candidates(gy_reach *r, gy_reader *reader)
{
    if (!load_failed(r, reader) || !gy_level_proviso_load(&r->proviso, reader, holds, r))
        return false;
    for (uint64_t left = gy_read_u64(reader); left; left--) {
        gy_proviso_report s;
        if (!gy_read(reader, &s, sizeof s) || s.what > GY_PROVISO_ALONE || !is_sound(r, s.state) ||
            !gy_proviso_reports_add(&r->members[0].reports, s.what, s.state))
            return false;
    }
    return !gy_reader_failed(reader);
}

static void save(const void *engine, gy_writer *writer)
{
    const gy_reach *r = engine;
    const gy_reach_trace *t = r->trace;
    uint64_t reduced = 0, full = 0;
    for (unsigned i = 0; i < r->size; i++) {
        reduced += r->members[i].expanded_reduced;
        full += r->members[i].expanded_fully;
    }
    uint64_t numbers[] = {t->by_cost,
                          t->cost,
                          t->depth,
                          t->due_cost,
                          t->due_last,
                          r->chore,
                          r->level,
                          gy_reach_states(r),
                          reduced,
                          full,
                          gy_reach_is_up(&t->cut)};
    gy_store_save(r->store, writer);
    gy_write(writer, numbers, sizeof numbers);
    save_lineage(writer, &t->lineage);
    save_sites(writer, t);
    gy_write_u64(writer, r->size);
    for (unsigned i = 0; i < r->size; i++) {
        save_blocks(r, writer, &r->shares[i].blocks);
        save_blocks(r, writer, &r->members[i].full);
        save_blocks(r, writer, &r->members[i].failed);
    }
    save_due(writer, r);
    save_candidates(writer, r);
}

// Levels begin one after the other, at rising costs: the last one before what is still to come.
static bool costs_fit(const gy_reach *r)
{
    const gy_reach_trace *t = r->trace;
    size_t count = t->lineage.levels.n;
    uint64_t last = count ? t->lineage.levels.at[count - 1].cost : 0;
    bool begins = count && t->by_cost && r->chore == GY_REACH_TAKE_DUE;
    return t->cost < MOST_COST && last + begins <= t->cost;
}

static bool load(void *engine, gy_reader *reader)
{
    gy_reach *r = engine;
    gy_reach_trace *t = r->trace;
    gy_reach_member *first = &r->members[0];
    uint64_t n[11];
    if (!gy_store_load(r->store, reader) || !gy_read(reader, n, sizeof n) || n[0] != t->by_cost ||
        (n[5] != GY_REACH_EXPAND && n[5] != GY_REACH_TAKE_DUE))
        return false;
    t->cost = n[1];
    t->depth = n[2];
    t->due_cost = n[3];
    t->due_last = n[4] != 0 || r->once;
    r->chore = (gy_reach_task)n[5];
    r->level = n[6];
    atomic_store_explicit(&first->states, n[7], memory_order_relaxed);
    atomic_store_explicit(&first->transitions, r->run->result->transitions, memory_order_relaxed);
    first->expanded_reduced = n[8];
    first->expanded_fully = n[9];
    atomic_store_explicit(&t->cut, n[10] != 0, memory_order_relaxed);
    if (!load_lineage(r, reader) || !costs_fit(r) || !load_sites(r, reader))
        return false;
    for (uint64_t left = gy_read_u64(reader); left; left--)
        if (gy_reader_failed(reader) || !load_blocks(r, reader, &r->shares[0].blocks) ||
            !load_blocks(r, reader, &first->full) || !load_blocks(r, reader, &first->failed))
            return false;
    r->level_states = gy_reach_left(r);
    return load_due(r, reader) && load_candidates(r, reader);
}

bool gy_reach_resume(gy_reach *r)
{
    bool fine = gy_checkpoint_read(r->run, load, r);
    if (!fine)
        gy_reach_raise(&r->stop);
    return fine;
}

void gy_reach_write(gy_reach *r)
{
    gy_search_result *result = r->run->result;
    gy_reach_tell_counts(r);
    for (unsigned i = 0; i < r->size; i++) {
        const gy_reach_member *m = &r->members[i];
        gy_reach_close_block(&r->members[i]);
        if (r->run->symmetry)
            gy_symmetry_note_ends(r->run->symmetry, m->worker, result->reached_edges);
        if (result->endless_edge < 0)
            result->endless_edge = m->endless_edge;
        for (uint32_t e = 0; e < result->edge_count; e++)
            result->reached_edges[e] |= m->reached[e];
    }
    r->level_states = 0;
    gy_reach_drop_used(r);
    gy_checkpoint_write(r->run, save, r);
}
