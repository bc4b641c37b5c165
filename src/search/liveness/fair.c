#include "search/liveness/fair.h"

#include "base/fatal.h"

#include <stdlib.h>

void gy_fair_init(gy_fair *fair, const gy_system *system, gy_fairness fairness,
                  const gy_observer *observer)
{
    gy_fair_owners *owners = gy_alloc_zero(sizeof *owners);
    uint32_t most = 0, action;
    *fair = (gy_fair){.system = system, .owners = owners};
    owners->next = observer->sets + observer->strong;
    owners->most = 64;
    pthread_mutex_init(&owners->lock, NULL);
    fair->sets = observer->sets >= 64 ? ~0ull : (1ull << observer->sets) - 1;
    gy_fair_look(fair, 0);
    fair->processes = fairness == GY_FAIRNESS_WEAK || fairness == GY_FAIRNESS_STRONG;
    fair->strong_processes = fairness == GY_FAIRNESS_STRONG;
    fair->asks = fair->strong_processes || observer->strong;
    uint32_t edges = fairness == GY_FAIRNESS_NONE ? 0 : gy_edge_count(system);
    for (uint32_t e = 0; e < edges; e++) {
        bool strong;
        if (!(action = gy_edge_fairness(system, (int32_t)e, &strong)))
            continue;
        most = action > most ? action : most;
        fair->actions = true;
        fair->asks = fair->asks || strong;
    }
    owners->action = gy_alloc_zero((most + 1) * sizeof *owners->action);
    owners->actions = most;
}

void gy_fair_share(gy_fair *fair, const gy_fair *first)
{
    *fair = *first;
    fair->shares = true;
}

void gy_fair_free(gy_fair *fair)
{
    if (fair->shares || !fair->owners)
        return;
    pthread_mutex_destroy(&fair->owners->lock);
    free(fair->owners->action);
    free(fair->owners);
}

bool gy_fair_too_many(const gy_fair *fair)
{
    return atomic_load_explicit(&fair->owners->too_many, memory_order_relaxed);
}

void gy_fair_widen(gy_fair *fair)
{
    fair->wide = fair->asks = true;
    fair->owners->most = GY_FAIR_MOST;
    atomic_store(&fair->owners->too_many, false);
}

uint32_t gy_fair_windows(const gy_fair *fair)
{
    uint32_t next = fair->owners->next;
    return !fair->wide || !next ? 1 : (next + 63) / 64;
}

void gy_fair_look(gy_fair *fair, uint32_t window)
{
    fair->window = window;
    fair->observer = window ? 0 : ~0ull;
    fair->reserved = fair->sets & fair->observer;
}

uint64_t gy_fair_all(const gy_fair *fair)
{
    return gy_fair_any(fair) && !fair->asks ? ~0ull : fair->reserved;
}

void gy_fair_begin(gy_fair *fair)
{
    fair->enabled = fair->weak = 0;
}

// Whose bit is not known yet. The mark of a weak one is known to be weak before anybody has it.
static uint16_t give_bit(gy_fair_owners *owners, _Atomic uint16_t *place, bool strong)
{
    pthread_mutex_lock(&owners->lock);
    uint16_t bit = atomic_load_explicit(place, memory_order_relaxed);
    if (!bit && owners->next >= owners->most) {
        atomic_store_explicit(&owners->too_many, true, memory_order_relaxed);
    } else if (!bit) {
        bit = (uint16_t)++owners->next;
        if (!strong)
            atomic_fetch_or(&owners->weak[(bit - 1) / 64], 1ull << (bit - 1) % 64);
        atomic_store_explicit(place, bit, memory_order_release);
    }
    pthread_mutex_unlock(&owners->lock);
    return bit;
}

static uint64_t mark_of(const gy_fair *fair, gy_fair_bits *bits, int32_t pid, bool strong)
{
    gy_fair_owners *owners = fair->owners;
    if (pid >= GY_FAIR_PIDS) {
        atomic_store_explicit(&owners->too_many, true, memory_order_relaxed);
        return 0;
    }
    uint32_t bit = atomic_load_explicit(&bits->of_pid[pid], memory_order_acquire);
    if (!bit)
        bit = give_bit(owners, &bits->of_pid[pid], strong);
    return bit && (bit - 1) / 64 == fair->window ? 1ull << (bit - 1) % 64 : 0;
}

static uint64_t marks_of(gy_fair *fair, int32_t pid, int32_t edge)
{
    uint64_t marks = 0;
    bool strong = false;
    uint32_t action;
    if (pid < 0)
        return 0;
    if (fair->processes)
        marks = mark_of(fair, &fair->owners->process, pid, fair->strong_processes);
    if (fair->actions && (action = gy_edge_fairness(fair->system, edge, &strong)))
        marks |= mark_of(fair, &fair->owners->action[action - 1], pid, strong);
    return marks;
}

uint64_t gy_fair_note(gy_fair *fair, const gy_transition *transition)
{
    uint64_t moved = 0;
    for (uint32_t i = 0; i < transition->step_count; i++) {
        const gy_step *step = &transition->steps[i];
        moved |= marks_of(fair, step->pid, step->edge);
        moved |= marks_of(fair, step->partner, step->partner_edge);
        if (i == 0)
            fair->enabled |= moved;
    }
    return moved;
}

uint64_t gy_fair_missing(gy_fair *fair)
{
    fair->weak = atomic_load_explicit(&fair->owners->weak[fair->window], memory_order_acquire);
    return fair->asks ? fair->weak & ~fair->enabled : ~(fair->enabled | fair->reserved);
}

uint64_t gy_fair_asked(const gy_fair *fair)
{
    return fair->enabled | fair->weak;
}

// ---- several processes ----------------------------------------------------------------

#define STRONG_ONE ((uint64_t)1 << 32) // in the sums; a weak one is 1

uint32_t gy_fair_places(const gy_fair *fair)
{
    return (fair->owners->actions + 1) * GY_FAIR_PIDS;
}

static _Atomic uint16_t *place_at(gy_fair_owners *owners, uint32_t i)
{
    uint32_t row = i / GY_FAIR_PIDS;
    gy_fair_bits *bits = row ? &owners->action[row - 1] : &owners->process;
    return &bits->of_pid[i % GY_FAIR_PIDS];
}

void gy_fair_tell(const gy_fair *fair, uint64_t *places)
{
    uint64_t weak = atomic_load(&fair->owners->weak[0]);
    for (uint32_t i = 0; i < gy_fair_places(fair); i++) {
        uint16_t bit = atomic_load(place_at(fair->owners, i));
        places[i] = !bit ? 0 : weak >> (bit - 1) & 1 ? 1 : STRONG_ONE;
    }
}

void gy_fair_adopt(gy_fair *fair, const uint64_t *sums)
{
    gy_fair_owners *owners = fair->owners;
    uint32_t next = 0; // what was given away begins after the observer's
    for (uint32_t i = 0; i < gy_fair_places(fair); i++)
        next += atomic_exchange(place_at(owners, i), 0) != 0;
    owners->next -= next;
    atomic_store(&owners->weak[0], 0);
    for (uint32_t i = 0; i < gy_fair_places(fair); i++)
        if (sums[i])
            give_bit(owners, place_at(owners, i), sums[i] >= STRONG_ONE);
}

uint64_t gy_fair_owned(const gy_fair *fair)
{
    uint32_t next = fair->owners->next;
    return next >= 64 ? ~0ull : (1ull << next) - 1;
}

// ---- files ----------------------------------------------------------------------------

#define WIDE_ONE ((uint64_t)1 << 32) // next to the number of the next bit

void gy_fair_save(const gy_fair *fair, gy_writer *writer)
{
    gy_fair_owners *owners = fair->owners;
    gy_write_u64(writer, owners->next | (fair->wide ? WIDE_ONE : 0));
    for (uint32_t w = 0; w < gy_fair_windows(fair); w++)
        gy_write_u64(writer, atomic_load(&owners->weak[w]));
    for (uint32_t i = 0; i < gy_fair_places(fair); i++)
        gy_write_u64(writer, atomic_load(place_at(owners, i)));
}

bool gy_fair_load(gy_fair *fair, gy_reader *reader)
{
    gy_fair_owners *owners = fair->owners;
    uint64_t first = owners->next, next = gy_read_u64(reader), taken[GY_FAIR_WINDOWS] = {0};
    if (next & WIDE_ONE)
        gy_fair_widen(fair);
    next &= ~WIDE_ONE;
    if (next < first || next > owners->most)
        return false;
    owners->next = (uint32_t)next;
    for (uint32_t w = 0; w < gy_fair_windows(fair); w++)
        atomic_store(&owners->weak[w], gy_read_u64(reader));
    for (uint32_t i = 0; i < gy_fair_places(fair); i++) {
        uint64_t bit = gy_read_u64(reader);
        atomic_store(place_at(owners, i), (uint16_t)bit);
        if (!bit)
            continue;
        if (bit <= first || bit > next || (taken[(bit - 1) / 64] >> (bit - 1) % 64 & 1))
            return false;
        taken[(bit - 1) / 64] |= 1ull << (bit - 1) % 64;
    }
    for (uint32_t w = 0; w < gy_fair_windows(fair); w++)
        if (atomic_load(&owners->weak[w]) & ~taken[w])
            return false;
    return !gy_reader_failed(reader);
}
