#include "dist/swarm/plan_cells.h"

enum {
    SMALL_JOB = 20000, // states: starting a worker costs more than that
    JOBS_A_WORKER = 2, // in a round
};

static void clear(gy_pending *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        gy_vec_free(&list[i].parts);
}

static void forget(gy_cell_plan *plan)
{
    clear(plan->waiting.at, plan->waiting.n);
    clear(plan->known.at, plan->known.n);
    clear(plan->next.at, plan->next.n);
    plan->waiting.n = plan->known.n = plan->next.n = plan->round.n = 0;
}

void gy_cells_free(gy_cell_plan *plan)
{
    forget(plan);
    gy_vec_free(&plan->waiting);
    gy_vec_free(&plan->known);
    gy_vec_free(&plan->next);
    gy_vec_free(&plan->round);
}

void gy_cells_begin(gy_cell_plan *plan, uint32_t part)
{
    forget(plan);
    plan->part = part;
    plan->by_part = true;
    plan->visited = plan->read = 0;
    plan->growth = 1000;
}

// ---- a round -----------------------------------------------------------------------------------

static void weigh(const gy_cell_plan *plan, const gy_pending *list, size_t count, uint64_t *cells)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < list[i].parts.n; k++)
            cells[list[i].parts.at[k].part - plan->parts] += list[i].parts.at[k].count;
}

// How many states the cells of one job may have before it begins.
static double share_of(const gy_cell_plan *plan, uint64_t all, uint64_t waiting)
{
    double share = 1e300;
    if (plan->limit)
        share = (double)plan->limit * 0.5;
    if (plan->workers > 1 && (double)waiting * plan->growth > SMALL_JOB) {
        double even = (double)all / (plan->workers * JOBS_A_WORKER);
        even = even < SMALL_JOB ? SMALL_JOB : even;
        share = even < share ? even : share;
    }
    if (plan->intervals && (double)all / plan->intervals < share)
        share = (double)all / plan->intervals;
    return share;
}

static int most_waiting(const void *a, const void *b)
{
    const gy_cell_range *x = a, *y = b;
    return x->waiting != y->waiting ? (x->waiting > y->waiting ? -1 : 1)
           : x->from < y->from      ? -1
                                    : x->from > y->from;
}

// Cells in a row up to a share of the states are one range; those where something waits are wanted.
static void find_ranges(gy_cell_plan *plan)
{
    uint64_t *known = gy_alloc_zero(GY_CELLS * sizeof *known), all = 0, sum = 0;
    uint64_t *waiting = gy_alloc_zero(GY_CELLS * sizeof *waiting), waits = 0;
    gy_cell_range range = {0};
    weigh(plan, plan->known.at, plan->known.n, known);
    weigh(plan, plan->waiting.at, plan->waiting.n, waiting);
    for (uint32_t c = 0; c < GY_CELLS; c++) {
        all += known[c] + waiting[c];
        waits += waiting[c];
    }
    double share = share_of(plan, all, waits);
    for (uint32_t c = 0; c <= GY_CELLS; c++) {
        uint64_t here = c < GY_CELLS ? known[c] + waiting[c] : 0;
        if (c == GY_CELLS || (sum && (double)(sum + here) > share)) {
            range.to = c;
            if (range.waiting)
                gy_vec_push(&plan->round, range);
            range = (gy_cell_range){.from = c};
            sum = 0;
        }
        sum += here;
        range.waiting += c < GY_CELLS ? waiting[c] : 0;
    }
    free(known);
    free(waiting);
}

static void tell_ranges(const gy_cell_plan *plan,
                        void (*see)(void *user, const gy_interval *interval), void *user)
{
    gy_interval interval;
    gy_interval_init(&interval);
    for (size_t i = 0; i < plan->round.n; i++) {
        gy_bigint_set_u64(&interval.from, plan->round.at[i].from);
        gy_bigint_set_u64(&interval.to, plan->round.at[i].to);
        see(user, &interval);
    }
    gy_interval_free(&interval);
}

bool gy_cells_next(gy_cell_plan *plan, void (*see)(void *user, const gy_interval *interval),
                   void *user)
{
    size_t most = plan->workers > 1 ? (size_t)plan->workers * JOBS_A_WORKER : 1;
    uint32_t first = plan->intervals && plan->intervals < GY_CELLS ? plan->intervals : 1;
    plan->round.n = 0;
    for (uint32_t i = 0; plan->by_part && i < first; i++)
        gy_vec_push(&plan->round,
                    ((gy_cell_range){GY_CELLS * i / first, GY_CELLS * (i + 1) / first, 0}));
    if (!plan->by_part)
        find_ranges(plan);
    if (!plan->by_part && plan->round.n) {
        qsort(plan->round.at, plan->round.n, sizeof *plan->round.at, most_waiting);
        plan->round.n = plan->round.n < most ? plan->round.n : most;
    }
    plan->visited = plan->read = 0;
    for (size_t i = 0; i < plan->round.n; i++)
        plan->read += plan->round.at[i].waiting;
    tell_ranges(plan, see, user);
    return plan->round.n > 0;
}

// Is there something in a range of numbers? Those of `counts` rise.
static bool has_some(const gy_part_counts *counts, uint32_t from, uint32_t to)
{
    size_t low = 0, high = counts->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (counts->at[middle].part < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < counts->n && counts->at[low].part < to;
}

void gy_cells_inputs(const gy_cell_plan *plan, gy_swarm_task *task)
{
    uint32_t from = plan->parts + (uint32_t)gy_bigint_u64(&task->interval.from);
    uint32_t to = plan->parts + (uint32_t)gy_bigint_u64(&task->interval.to);
    for (size_t i = 0; i < plan->waiting.n; i++)
        if (has_some(&plan->waiting.at[i].parts, from, to)) {
            gy_vec_push(&task->inputs, plan->waiting.at[i].job);
            gy_vec_push(&task->prints, plan->waiting.at[i].print);
        }
    for (size_t i = 0; i < plan->known.n; i++)
        if (has_some(&plan->known.at[i].parts, from, to)) {
            gy_vec_push(&task->known, plan->known.at[i].job);
            gy_vec_push(&task->known_prints, plan->known.at[i].print);
        }
}

// ---- what became of it -------------------------------------------------------------------------

void gy_cells_take(gy_cell_plan *plan, const gy_answer *a, bool is_scout)
{
    gy_pending next = {.job = a->number, .print = a->seeds_print};
    gy_pending known = {.job = a->number, .print = a->known_print};
    plan->visited += a->visited;
    if (a->kind != GY_ANSWER_DONE && !is_scout && (!plan->limit || a->stored < plan->limit))
        plan->limit = a->stored;
    for (size_t i = 0; i < a->seeds.n; i++)
        if (a->seeds.at[i].part >= plan->parts)
            gy_vec_push(&next.parts, a->seeds.at[i]);
    for (size_t i = 0; i < a->known.n; i++)
        gy_vec_push(&known.parts, a->known.at[i]);
    if (next.parts.n)
        gy_vec_push(&plan->next, next);
    if (known.parts.n)
        gy_vec_push(&plan->known, known);
}

static bool was_read(const gy_cell_plan *plan, uint32_t part)
{
    for (size_t i = 0; i < plan->round.n; i++)
        if (part - plan->parts >= plan->round.at[i].from &&
            part - plan->parts < plan->round.at[i].to)
            return true;
    return false;
}

void gy_cells_end_round(gy_cell_plan *plan)
{
    size_t left = 0;
    for (size_t i = 0; i < plan->waiting.n; i++) {
        gy_pending *pending = &plan->waiting.at[i];
        size_t n = 0;
        for (size_t k = 0; k < pending->parts.n; k++)
            if (!was_read(plan, pending->parts.at[k].part))
                pending->parts.at[n++] = pending->parts.at[k];
        pending->parts.n = n;
        if (n)
            plan->waiting.at[left++] = *pending;
        else
            gy_vec_free(&pending->parts);
    }
    plan->waiting.n = left;
    for (size_t i = 0; i < plan->next.n; i++)
        gy_vec_push(&plan->waiting, plan->next.at[i]);
    plan->next.n = 0;
    plan->by_part = false;
    if (plan->read)
        plan->growth = (double)plan->visited / (double)plan->read;
}

bool gy_cells_halve(const gy_cell_plan *plan, const gy_interval *interval, gy_bigint *middle)
{
    uint32_t from = (uint32_t)gy_bigint_u64(&interval->from),
             to = (uint32_t)gy_bigint_u64(&interval->to);
    uint64_t *cells = gy_alloc_zero(GY_CELLS * sizeof *cells), all = 0, sum = 0;
    uint32_t at = from;
    weigh(plan, plan->known.at, plan->known.n, cells);
    weigh(plan, plan->waiting.at, plan->waiting.n, cells);
    for (uint32_t c = from; c < to; c++)
        all += cells[c];
    while (at < to && sum * 2 < all)
        sum += cells[at++];
    free(cells);
    if (!all) // in the first round nothing is known
        at = from + (to - from) / 2;
    at = at <= from ? from + 1 : at >= to ? to - 1 : at;
    gy_bigint_set_u64(middle, at);
    return to - from > 1;
}
