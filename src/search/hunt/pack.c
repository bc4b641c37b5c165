#include "search/hunt/pack.h"

#include "search/hunt/strategies.h"

#include "base/hash.h"

#include <math.h>
#include <pthread.h>

enum {
    FIRST_SLICE = 1 << 8, // moves of a turn, at first …
    LAST_SLICE = 1 << 13, // … and in the end
    LENGTH = 1 << 16,     // of the shortest run of a hunter that begins again
    MOST_WEIGHT = 8,      // of one that makes progress
    QUEUE = 100000,       // states that wait, of guided hunters but the first
    MOST_GUIDED = 5,      // guides that get a hunter
    EXPLORES = 20,        // of a hundred: what guided hunters but the first take at random
    FIRST_SHARE = 4,      // of the memory, that much (1/4) is for the first guided hunter
};

typedef struct member {
    const gy_strategy *strategy;
    const gy_heuristic *guide;
    unsigned explore;
    double share; // of the work, in proportion to others
    bool stays;   // it is not made to begin again
    bool reduces; // every second run
    gy_hunter *hunter;
    bool busy, finished;
    uint64_t runs;
    double weight;
    // of the runs before this one
    uint64_t generated, arrivals, states, depth, walks, errors;
    uint64_t seen_findings, seen_advances, seen_generated, seen_peak; // of this run
} member;

struct gy_pack {
    gy_pack_scene set;
    uint64_t seed;
    pthread_mutex_t lock;
    GY_VEC(member) members;
    GY_VEC(gy_finding) known; // without routes
    uint8_t *reached;
    uint32_t edge_count;
    uint64_t memory;
    uint64_t proof_states, proof_moves;
    bool proof;
    int32_t endless_edge; // -1: none was seen
    atomic_bool stop;
};

// ---- who takes part -------------------------------------------------------------------------

static bool is_asked_for(const gy_hunt_options *hunt, const gy_strategy *strategy)
{
    for (uint32_t i = 0; i < hunt->strategy_count; i++)
        if (hunt->strategies[i] == strategy)
            return true;
    return hunt->strategy_count == 0;
}

static void add_guided(gy_pack *p, const gy_strategy *strategy)
{
    const gy_hunt_options *hunt = p->set.scene.hunt;
    for (uint32_t i = 0; i < MOST_GUIDED && (i == 0 || i < hunt->guide_count); i++) {
        member m = {.strategy = strategy, .stays = p->members.n == 0};
        m.share = strategy->share / (m.stays ? 1.0 : 4.0);
        m.guide = hunt->guide_count ? hunt->guides[i] : &gy_heuristic_enabled;
        m.explore = m.stays || hunt->explore ? hunt->explore : EXPLORES;
        gy_vec_push(&p->members, m);
    }
}

static void gather(gy_pack *p)
{
    const gy_strategy *strategy;
    bool first = p->members.n == 0;
    for (unsigned i = 0; (strategy = gy_strategy_at(i)); i++) {
        if (!is_asked_for(p->set.scene.hunt, strategy) || (strategy->in_order && !first))
            continue;
        if (strategy->guided) {
            add_guided(p, strategy);
            continue;
        }
        member m = {.strategy = strategy, .share = strategy->share};
        m.stays = strategy->endless || strategy->in_order;
        m.reduces = p->set.scene.reduction && strategy->bound == GY_BOUND_NONE;
        gy_vec_push(&p->members, m);
    }
}

gy_pack *gy_pack_new(const gy_pack_scene *set, uint64_t seed)
{
    gy_pack *p = gy_alloc_zero(sizeof *p);
    p->set = *set;
    p->seed = seed;
    p->endless_edge = -1;
    pthread_mutex_init(&p->lock, NULL);
    p->edge_count = gy_edge_count(set->scene.system);
    p->reached = gy_alloc_zero((size_t)p->edge_count + 1);
    size_t before;
    do { // for more threads, the same once more, with other seeds
        before = p->members.n;
        gather(p);
    } while (p->members.n > before && p->members.n < set->threads);
    for (size_t i = 0; i < p->members.n; i++)
        p->members.at[i].weight = 1;
    return p;
}

void gy_pack_free(gy_pack *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->members.n; i++)
        gy_hunter_free(p->members.at[i].hunter);
    gy_vec_free(&p->members);
    gy_vec_free(&p->known);
    free(p->reached);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void gy_pack_stop(gy_pack *p)
{
    p->stop = true;
}

// ---- turns ----------------------------------------------------------------------------------

static uint64_t work_of(const member *m)
{
    return m->generated + m->seen_generated;
}

// With the lock.
static member *choose(gy_pack *p)
{
    member *best = NULL;
    double least = 0;
    for (size_t i = 0; i < p->members.n; i++) {
        member *m = &p->members.at[i];
        double spent = (double)work_of(m) / m->weight / m->share;
        if (m->busy || m->finished || (best && spent >= least))
            continue;
        best = m;
        least = spent;
    }
    return best;
}

static uint64_t memory_for(const gy_pack *p, const member *m)
{
    uint64_t all = p->set.memory;
    bool first = m->stays && m->strategy->guided;
    return !all ? 0 : first ? all / FIRST_SHARE : all / (p->members.n + 1);
}

static bool is_late(void *user)
{
    const gy_pack *p = user;
    const gy_hunt_scene *s = &p->set.scene;
    return p->stop || (s->late && s->late(s->late_user));
}

// With the lock: others read all members.
static void begin_run(gy_pack *p, member *m)
{
    gy_hunt_scene scene = p->set.scene;
    const gy_hunt_scene *s = &scene;
    uint64_t number = (uint64_t)(m - p->members.at);
    uint64_t seed = gy_hash_pair(gy_hash_pair(p->seed, number), m->runs);
    bool reduces = m->reduces && m->runs % 2 == 0;
    scene.late = is_late;
    scene.late_user = p;
    m->hunter = gy_hunter_new(m->strategy, s, gy_worker_new(s->system), reduces, seed);
    m->hunter->explore = m->explore;
    m->hunter->memory = memory_for(p, m);
    m->hunter->effort = 0;
    if (!m->stays && !s->hunt->queue_limit)
        m->hunter->queue_limit = QUEUE;
    if (m->guide)
        m->hunter->guide = m->guide;
    if (m->runs) // with a bound, later runs begin with a larger one
        m->hunter->ground.bound_limit = (uint32_t)__builtin_ctzll(m->runs);
    m->runs++;
    m->seen_findings = m->seen_advances = m->seen_generated = m->seen_peak = 0;
}

// Keeps what is to be kept of a run, and ends it.
static void end_run(member *m)
{
    const gy_hunter *h = m->hunter;
    m->generated += h->generated;
    m->states += h->states;
    m->arrivals += h->arrivals;
    m->depth = h->depth > m->depth ? h->depth : m->depth;
    m->walks += h->runs;
    m->seen_generated = m->seen_peak = 0;
    gy_hunter_free(m->hunter);
    m->hunter = NULL;
}

static uint64_t join_reached(gy_pack *p, const gy_hunter *h)
{
    uint64_t new = 0;
    for (uint32_t i = 0; i < p->edge_count; i++)
        if (h->reached[i] && !p->reached[i]) {
            p->reached[i] = 1;
            new ++;
        }
    return new;
}

static void take_findings(gy_pack *p, member *m)
{
    const gy_hunter *h = m->hunter;
    for (; m->seen_findings < h->findings.n; m->seen_findings++) {
        const gy_finding *f = &h->findings.at[m->seen_findings];
        bool old = false;
        m->errors++;
        for (size_t i = 0; i < p->known.n && !old; i++)
            old = p->known.at[i].kind == f->kind && p->known.at[i].where == f->where;
        if (old)
            continue;
        gy_vec_push(&p->known, ((gy_finding){.kind = f->kind, .where = f->where}));
        if (!p->stop && p->set.found(p->set.user, f, h))
            p->stop = true;
    }
}

static uint64_t length_of(uint64_t run)
{
    return (uint64_t)LENGTH << __builtin_ctzll(run);
}

// Would nothing else come of another run?
static bool is_pointless(const gy_hunter *h, const member *m)
{
    if (h->strategy->in_order && m->runs > m->reduces)
        return true;
    if (h->gave_up || h->ground.reducer || h->strategy->variant == GY_DEEP_BITS)
        return false;
    uint64_t limit = h->queue_limit;
    return !h->strategy->guided || !limit || h->longest < limit;
}

// What all of them use together.
static void note_memory(gy_pack *p)
{
    uint64_t all = 0;
    for (size_t i = 0; i < p->members.n; i++)
        all += p->members.at[i].seen_peak;
    p->memory = all > p->memory ? all : p->memory;
}

// What a turn has come to. With the lock.
static void judge(gy_pack *p, member *m)
{
    gy_hunter *h = m->hunter;
    uint64_t new_edges = h->new_edges ? join_reached(p, h) : 0;
    double progress = (double)new_edges + (double)(h->advances - m->seen_advances) / 2;
    h->new_edges = 0;
    m->seen_advances = h->advances;
    m->seen_generated = h->generated;
    m->seen_peak = h->peak;
    m->weight = progress > 0 ? m->weight + progress : 1 + (m->weight - 1) / 2;
    m->weight = m->weight > MOST_WEIGHT ? MOST_WEIGHT : m->weight;
    note_memory(p);
    // Its promise is for runs that end.
    if (h->strategy->variant == GY_WALK_PCT && h->strategy->endless && h->runs >= 8)
        m->share = h->strategy->share / (2 * h->cut_runs > h->runs ? 4.0 : 1.0);
    take_findings(p, m);
    if (p->endless_edge < 0)
        p->endless_edge = h->endless_edge;
    if (gy_hunter_is_proof(h)) {
        p->proof = true;
        p->proof_states = h->states;
        p->proof_moves = h->arrivals;
        p->stop = true;
    }
    bool tired = !m->stays && !h->strategy->endless && h->generated >= length_of(m->runs);
    m->finished = h->over && is_pointless(h, m);
    if (h->over && h->gave_up)
        m->stays = false; // it has had its chance
    if ((h->over || tired) && !m->finished)
        end_run(m);
}

static bool over_effort(const gy_pack *p)
{
    uint64_t all = 0;
    for (size_t i = 0; i < p->members.n; i++)
        all += work_of(&p->members.at[i]);
    return p->set.scene.hunt->effort && all >= p->set.scene.hunt->effort;
}

// What is easy for one of them should not wait until all others have had a long turn.
static uint64_t slice_of(const member *m)
{
    uint64_t slice = work_of(m) / 2;
    return slice < FIRST_SLICE ? FIRST_SLICE : slice > LAST_SLICE ? LAST_SLICE : slice;
}

bool gy_pack_turn(gy_pack *p)
{
    pthread_mutex_lock(&p->lock);
    member *m = p->stop || over_effort(p) ? NULL : choose(p);
    if (m) {
        m->busy = true;
        if (!m->hunter)
            begin_run(p, m);
    }
    pthread_mutex_unlock(&p->lock);
    if (!m)
        return false;
    gy_hunter_go_on(m->hunter, slice_of(m));
    pthread_mutex_lock(&p->lock);
    m->busy = false;
    judge(p, m);
    bool goes_on = !p->stop;
    pthread_mutex_unlock(&p->lock);
    return goes_on;
}

// ---- figures --------------------------------------------------------------------------------

uint32_t gy_pack_shares(const gy_pack *p)
{
    return (uint32_t)p->members.n;
}

gy_pack_share gy_pack_share_at(const gy_pack *p, uint32_t number)
{
    const member *m = &p->members.at[number];
    const gy_hunter *h = m->hunter;
    gy_pack_share share = {.strategy = m->strategy,
                           .guide = m->strategy->guided ? m->guide : NULL,
                           .generated = m->generated,
                           .states = m->states,
                           .depth = m->depth,
                           .runs = m->strategy->endless ? m->walks : m->runs,
                           .errors = m->errors};
    if (h) {
        share.generated += h->generated;
        share.states += h->states;
        share.depth = h->depth > share.depth ? h->depth : share.depth;
        share.runs += m->strategy->endless ? h->runs : 0;
    }
    return share;
}

static void look_at_pct(const gy_hunter *h, gy_pack_figures *f)
{
    gy_walk_pct_look(h, &f->pct_runs, &f->pct_steps, &f->pct_processes);
    double chance = f->pct_processes ? 1.0 / f->pct_processes : 0;
    for (unsigned i = 0; i + 1 < GY_PCT_DEPTH && f->pct_steps; i++)
        chance /= (double)f->pct_steps;
    f->pct_miss = f->pct_runs ? pow(1 - chance, (double)f->pct_runs) : 1;
}

void gy_pack_look(gy_pack *p, gy_pack_figures *figures)
{
    pthread_mutex_lock(&p->lock);
    *figures = (gy_pack_figures){.proof = p->proof, .endless_edge = p->endless_edge, .pct_miss = 1};
    for (size_t i = 0; i < p->members.n; i++) {
        const member *m = &p->members.at[i];
        gy_pack_share share = {0};
        if (m->busy) { // of a turn that is under way nothing is known
            share.generated = work_of(m);
            share.states = m->states;
        } else {
            share = gy_pack_share_at(p, (uint32_t)i);
            if (m->hunter && m->strategy->variant == GY_WALK_PCT && m->strategy->endless)
                look_at_pct(m->hunter, figures);
        }
        figures->generated += share.generated;
        figures->arrivals += m->arrivals + (m->hunter && !m->busy ? m->hunter->arrivals : 0);
        figures->states += share.states;
        figures->depth = share.depth > figures->depth ? share.depth : figures->depth;
    }
    figures->memory = p->memory;
    if (p->proof) {
        figures->states = p->proof_states;
        figures->arrivals = p->proof_moves;
    }
    pthread_mutex_unlock(&p->lock);
}

void gy_pack_mark_reached(const gy_pack *p, uint8_t *reached, uint32_t edge_count)
{
    for (uint32_t i = 0; i < p->edge_count && i < edge_count; i++)
        reached[i] |= p->reached[i];
}
