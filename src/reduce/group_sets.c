// See group_sets.h. After Laarman, Pater, van de Pol, Weber, "Guard-based partial-order reduction"
// (STTT 2016), and with words that are tested for groups whose guards are not reported.
//
// The set is a set of groups, closed under two rules. If group g is in it, then so is
//   1. if g has a step now: every group that does not accord with it, that is, one of the two may
//      write a word that the other tests, reads or may write;
//   2. if it has none: every group that may give it one (a necessary enabling set): if one of its
//      guards does not hold, those that may write a word of that guard; else those that may write
//      a word that g tests.
// So whatever is done outside of the set leaves every step of the set possible and its effect the
// same, and makes no other step of the set possible. Of the closed sets that grow from one group
// with a step, the one with the fewest steps is taken.
//
// For a property that reads predicates, the steps that are taken must be invisible: a set with a
// step of a group that may write a word of theirs is not used.
#include "reduce/group_sets.h"

#include "base/fatal.h"
#include "exec/system.h"
#include "exec/view.h"

#include <stdlib.h>
#include <string.h>

struct gy_group_sets {
    uint32_t groups, size; // size: 64-bit words of a set of groups
    uint64_t *discord;     // [group]: those that do not accord with it
    uint64_t *enablers;    // [group]: those that may write what it tests
    uint64_t *visible;
    const gy_system *system;
    uint32_t predicates;   // that are guards of some group; 0: none
    const uint8_t *guards; // [group][predicate]
    uint64_t *setters;     // [predicate]: groups that may make it true
};

typedef enum { NOT_ASKED, HOLDS, FAILS } truth;

struct gy_group_chooser {
    const gy_group_sets *s;
    gy_worker *worker; // to ask about guards
    const gy_word *state;
    uint32_t words;
    uint64_t *enabled, *set, *best; // sets of groups
    uint32_t *list;                 // of groups
    uint8_t *truths;                // by predicate, of the current state
};

enum { WRITES = GY_GROUP_MAY_WRITE | GY_GROUP_MUST_WRITE, LOOKS = GY_GROUP_TESTS | GY_GROUP_READS };

static bool has(const uint64_t *set, uint32_t group)
{
    return set[group / 64] >> group % 64 & 1;
}

static void include(uint64_t *set, uint32_t group)
{
    set[group / 64] |= 1ull << group % 64;
}

// Does group a write a word in which group b does one of these things?
static bool meets(const gy_dependencies *d, uint32_t a, uint32_t b, uint8_t what)
{
    const uint8_t *x = d->access + (size_t)a * d->words, *y = d->access + (size_t)b * d->words;
    for (uint32_t w = 0; w < d->words; w++)
        if (x[w] & WRITES && y[w] & what)
            return true;
    return false;
}

static bool is_visible(const gy_dependencies *d, uint32_t group, const gy_reduce_needs *needs)
{
    const uint8_t *access = d->access + (size_t)group * d->words;
    for (uint32_t i = 0; needs && i < needs->observed_count; i++) {
        const uint8_t *reads = d->predicate_reads + (size_t)(needs->observed[i] - 1) * d->words;
        for (uint32_t w = 0; w < d->words; w++)
            if (access[w] & WRITES && reads[w])
                return true;
    }
    return false;
}

// What decides whether a group has a step. One that says nothing of tests may test all it reads.
static uint8_t tests_of(const gy_dependencies *d, uint32_t group)
{
    const uint8_t *access = d->access + (size_t)group * d->words;
    for (uint32_t w = 0; w < d->words; w++)
        if (access[w] & GY_GROUP_TESTS)
            return GY_GROUP_TESTS;
    return GY_GROUP_READS;
}

static void find_setters(gy_group_sets *s, const gy_dependencies *d)
{
    s->predicates = d->predicates;
    s->guards = d->guards;
    s->setters = gy_alloc_zero(((size_t)d->predicates * s->size + 1) * sizeof *s->setters);
    for (uint32_t p = 0; p < d->predicates; p++)
        for (uint32_t g = 0; g < d->groups; g++)
            for (uint32_t w = 0; w < d->words; w++)
                if (d->access[(size_t)g * d->words + w] & WRITES &&
                    d->predicate_reads[(size_t)p * d->words + w])
                    include(s->setters + (size_t)p * s->size, g);
}

gy_group_sets *gy_group_sets_new(const gy_system *system, const gy_reduce_needs *needs,
                                 const char **why)
{
    gy_dependencies d;
    *why = NULL;
    if (!gy_system_dependencies(system, &d))
        *why = "the shared object does not declare what its steps read and write";
    else if (needs && needs->observed_count && !d.predicate_reads)
        *why = "the shared object does not declare what its predicates read";
    if (*why)
        return NULL;
    gy_group_sets *s = gy_alloc_zero(sizeof *s);
    s->groups = d.groups;
    s->size = (d.groups + 63) / 64;
    s->discord = gy_alloc_zero((size_t)s->groups * s->size * sizeof *s->discord);
    s->enablers = gy_alloc_zero((size_t)s->groups * s->size * sizeof *s->enablers);
    s->visible = gy_alloc_zero(s->size * sizeof *s->visible);
    for (uint32_t a = 0; a < d.groups; a++) {
        for (uint32_t b = 0; b < d.groups; b++) {
            if (meets(&d, a, b, WRITES | LOOKS) || meets(&d, b, a, WRITES | LOOKS))
                include(s->discord + (size_t)a * s->size, b);
            if (meets(&d, b, a, tests_of(&d, a)))
                include(s->enablers + (size_t)a * s->size, b);
        }
        if (is_visible(&d, a, needs))
            include(s->visible, a);
    }
    s->system = system;
    if (d.guards)
        find_setters(s, &d);
    return s;
}

void gy_group_sets_free(gy_group_sets *s)
{
    if (!s)
        return;
    free(s->discord);
    free(s->enablers);
    free(s->visible);
    free(s->setters);
    free(s);
}

// ---- choosing -----------------------------------------------------------------------------------

gy_group_chooser *gy_group_chooser_new(const gy_group_sets *s)
{
    gy_group_chooser *c = gy_alloc_zero(sizeof *c);
    c->s = s;
    c->worker = s->predicates ? gy_worker_new((gy_system *)s->system) : NULL;
    c->enabled = gy_alloc_zero(3 * (s->size + 1) * sizeof *c->enabled);
    c->set = c->enabled + s->size;
    c->best = c->set + s->size;
    c->list = gy_alloc_zero((s->groups + 1) * sizeof *c->list);
    c->truths = gy_alloc_zero(s->predicates + 1);
    return c;
}

void gy_group_chooser_free(gy_group_chooser *c)
{
    if (!c)
        return;
    gy_worker_free(c->worker);
    free(c->enabled);
    free(c->list);
    free(c->truths);
    free(c);
}

static uint32_t keep_all(uint32_t count, uint8_t *keep)
{
    memset(keep, 1, count);
    return count;
}

static bool fails(gy_group_chooser *c, uint32_t predicate)
{
    if (c->truths[predicate] == NOT_ASKED) {
        const gy_atom atom = predicate + 1;
        uint64_t unknown,
            answer = gy_state_view_truths(c->worker, c->state, c->words, &atom, 1, &unknown);
        c->truths[predicate] = answer || unknown ? HOLDS : FAILS;
    }
    return c->truths[predicate] == FAILS;
}

static uint32_t newcomers(const gy_group_chooser *c, const uint64_t *groups)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->s->size; i++)
        n += (uint32_t)__builtin_popcountll(groups[i] & ~c->set[i]);
    return n;
}

// Who may give a step to a group that has none: of several reasons, that with the fewest new ones.
static const uint64_t *enablers_of(gy_group_chooser *c, uint32_t group)
{
    const gy_group_sets *s = c->s;
    const uint64_t *best = s->enablers + (size_t)group * s->size;
    bool guarded = false;
    for (uint32_t p = 0; p < s->predicates; p++) {
        const uint64_t *setters = s->setters + (size_t)p * s->size;
        if (!s->guards[(size_t)group * s->predicates + p] || !fails(c, p))
            continue;
        if (!guarded || newcomers(c, setters) < newcomers(c, best))
            best = setters;
        guarded = true;
    }
    return best;
}

// The smallest closed set with this group, in c->set.
static void close_set(gy_group_chooser *c, uint32_t group)
{
    const gy_group_sets *s = c->s;
    uint32_t n = 0;
    memset(c->set, 0, s->size * sizeof *c->set);
    include(c->set, group);
    c->list[n++] = group;
    for (uint32_t at = 0; at < n; at++) {
        uint32_t member = c->list[at];
        const uint64_t *pulls = has(c->enabled, member) ? s->discord + (size_t)member * s->size
                                                        : enablers_of(c, member);
        for (uint32_t i = 0; i < s->size; i++)
            for (uint64_t more = pulls[i] & ~c->set[i]; more; more &= more - 1) {
                uint32_t next = i * 64 + (uint32_t)__builtin_ctzll(more);
                include(c->set, next);
                c->list[n++] = next;
            }
    }
}

// How many transitions are of these groups; `count`, that is, all, if one of them can be seen.
static uint32_t cost(const gy_group_sets *s, const uint64_t *set, const gy_transition *all,
                     uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (has(set, (uint32_t)all[i].steps[0].edge)) {
            if (has(s->visible, (uint32_t)all[i].steps[0].edge))
                return count;
            n++;
        }
    return n;
}

uint32_t gy_group_choose(gy_group_chooser *c, const gy_word *state, uint32_t words,
                         const gy_transition *all, uint32_t count, uint8_t *keep)
{
    const gy_group_sets *s = c->s;
    uint32_t least = count;
    c->state = state;
    c->words = words;
    memset(c->truths, NOT_ASKED, s->predicates);
    memset(c->enabled, 0, s->size * sizeof *c->enabled);
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].fault || !all[i].state || all[i].step_count != 1 ||
            (uint32_t)all[i].steps[0].edge >= s->groups)
            return keep_all(count, keep);
        include(c->enabled, (uint32_t)all[i].steps[0].edge);
    }
    for (uint32_t i = 0; i < s->size && least > 1; i++)
        for (uint64_t more = c->enabled[i]; more && least > 1; more &= more - 1) {
            close_set(c, i * 64 + (uint32_t)__builtin_ctzll(more));
            uint32_t n = cost(s, c->set, all, count);
            if (n >= least)
                continue;
            least = n;
            memcpy(c->best, c->set, s->size * sizeof *c->set);
        }
    if (least == count)
        return keep_all(count, keep);
    for (uint32_t i = 0; i < count; i++)
        keep[i] = has(c->best, (uint32_t)all[i].steps[0].edge);
    return least;
}
