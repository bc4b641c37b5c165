// How many conditions, each of another process, hold at once somewhere on a trace?
//
// An interval of a condition is where it stays true: from one of its events, or the start, to the
// next one after which it is false. One interval precedes another if the event that ends it is not
// after the event that begins the other. That is a partial order, and intervals none of which
// precedes another share an ideal: that of the events that begin them. So the question is for the
// width of the order, which is the number of intervals less a largest matching (Dilworth, König).
#include "search/cover/detect.h"

#include "base/assert.h"

typedef struct interval {
    int32_t begins, ends; // events; -1: at the start, never
} interval;

typedef struct order {
    const gy_trace *trace;
    GY_VEC(interval) list;
    GY_VEC(int32_t) after, before; // matching: of each its successor, its predecessor; -1: none
    GY_VEC(uint8_t) seen;
} order;

static bool precedes(const order *o, const interval *a, const interval *b)
{
    return a->ends >= 0 && b->begins >= 0 &&
           gy_trace_before(o->trace, (size_t)a->ends, &o->trace->events.at[b->begins].clock);
}

static void add_intervals(order *o, const gy_course *course)
{
    for (size_t i = 0; i < course->truth.n; i++) {
        if (!course->truth.at[i])
            continue;
        interval new = {i ? (int32_t)course->events.at[i - 1] : -1, -1};
        while (i + 1 < course->truth.n && course->truth.at[i + 1])
            i++;
        if (i < course->events.n)
            new.ends = (int32_t)course->events.at[i];
        gy_vec_push(&o->list, new);
        gy_vec_push(&o->after, -1);
        gy_vec_push(&o->before, -1);
        gy_vec_push(&o->seen, 0);
    }
}

// A path to one more pair, from an interval that has no successor or may give up the one it has.
static bool improve(order *o, uint32_t a)
{
    for (uint32_t b = 0; b < o->list.n; b++) {
        if (o->seen.at[b] || !precedes(o, &o->list.at[a], &o->list.at[b]))
            continue;
        o->seen.at[b] = 1;
        if (o->before.at[b] < 0 || improve(o, (uint32_t)o->before.at[b])) {
            o->before.at[b] = (int32_t)a;
            o->after.at[a] = (int32_t)b;
            return true;
        }
    }
    return false;
}

static uint32_t match(order *o)
{
    uint32_t pairs = 0;
    for (uint32_t a = 0; a < o->list.n; a++) {
        memset(o->seen.at, 0, o->list.n);
        pairs += improve(o, a);
    }
    return pairs;
}

// From intervals without a successor, back and forth along the matching: `left` is reached as
// somebody who precedes, `seen` as somebody who is preceded.
static void reach(order *o, uint32_t a, uint8_t *left)
{
    if (left[a])
        return;
    left[a] = 1;
    for (uint32_t b = 0; b < o->list.n; b++)
        if (!o->seen.at[b] && precedes(o, &o->list.at[a], &o->list.at[b])) {
            o->seen.at[b] = 1;
            if (o->before.at[b] >= 0)
                reach(o, (uint32_t)o->before.at[b], left);
        }
}

// As many as are asked for, none of which precedes another.
static void join_widest(order *o, uint32_t wanted, gy_clock *ideal)
{
    uint8_t *left = gy_alloc_zero(o->list.n + 1);
    memset(o->seen.at, 0, o->list.n);
    for (uint32_t a = 0; a < o->list.n; a++)
        if (o->after.at[a] < 0)
            reach(o, a, left);
    for (uint32_t a = 0; a < o->list.n && wanted; a++) {
        if (!left[a] || o->seen.at[a])
            continue;
        wanted--;
        if (o->list.at[a].begins >= 0)
            gy_clock_join(ideal, &o->trace->events.at[o->list.at[a].begins].clock,
                          GY_TRACE_PROCESSES);
    }
    gy_assert(!wanted); // the matching is a largest one
    free(left);
}

bool gy_courses_overlap(const gy_trace *trace, const gy_course *courses, uint32_t count,
                        uint32_t over, gy_clock *ideal)
{
    order o = {.trace = trace};
    for (uint32_t i = 0; i < count; i++)
        add_intervals(&o, &courses[i]);
    bool found = o.list.n > over && o.list.n - match(&o) > over;
    *ideal = (gy_clock){{0}};
    if (found)
        join_widest(&o, over + 1, ideal);
    gy_vec_free(&o.list);
    gy_vec_free(&o.after);
    gy_vec_free(&o.before);
    gy_vec_free(&o.seen);
    return found;
}
