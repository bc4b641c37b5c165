// What stands behind the generated code: names of states, the table of them, and the kernels.
//
// A state's name is 63 bits. If all of its bits fit into these, they are the name. Otherwise the
// state is cut into two pieces, each of which is kept once; the numbers of the two are the name.
// Equal states have equal names, and the other way round: nothing is lossy here.
//
// With COMPACT, the name of a state of several numbers is a hash of it, which two states may have in
// common. It does not tell the state: the ring holds states, and where one is called by its name
// elsewhere, it is by its place in the ring.

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define EXPAND_BOUNDS __launch_bounds__(512)
#define JOB const __grid_constant__ struct job
#define THREAD ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define UNROLL_NOT _Pragma("unroll 1")
#define PLACE_IN_BLOCK threadIdx.x
#define THREADS ((u64)gridDim.x * blockDim.x)
DEVICE inline u64 swap_if(u64 *at, u64 old, u64 now)
{
    return atomicCAS(at, old, now);
}
DEVICE inline word swap_word_if(word *at, word old, word now)
{
    return atomicCAS(at, old, now);
}
DEVICE inline void publish(word *at, word v)
{
    __threadfence();
    atomicExch(at, v);
}
DEVICE inline word look(const word *at)
{
    word v;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}
DEVICE inline u64 look64(const u64 *at)
{
    return *(const volatile u64 *)at;
}
DEVICE inline u64 high_product(u64 a, u64 b)
{
    return __umul64hi(a, b);
}
// One addition for all threads of the warp that are here.
DEVICE inline u64 next_number(u64 *at)
{
    word here = __activemask(), lane = threadIdx.x & 31, leader = __ffs(here) - 1;
    u64 first = 0;
    if (lane == leader)
        first = atomicAdd(at, (u64)__popc(here));
    return __shfl_sync(here, first, leader) + __popc(here & ((1u << lane) - 1));
}
DEVICE inline void add_all(u64 *at, u64 v)
{
    for (int d = 16; d; d >>= 1)
        v += __shfl_down_sync(~0u, v, d);
    if (!(threadIdx.x & 31) && v)
        atomicAdd(at, v);
}
DEVICE inline void read_bucket(const u64 *at, u64 *slot)
{
    ulonglong2 a = ((const ulonglong2 *)at)[0], b = ((const ulonglong2 *)at)[1];
    slot[0] = a.x, slot[1] = a.y, slot[2] = b.x, slot[3] = b.y;
}
#else
#define KERNEL void
#define EXPAND_BOUNDS
#define JOB struct job
#define UNROLL_NOT
#define THREAD ((u64)0)
#define PLACE_IN_BLOCK 0
#define THREADS ((u64)1)
static inline u64 swap_if(u64 *at, u64 old, u64 now)
{
    __atomic_compare_exchange_n(at, &old, now, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return old;
}
static inline word swap_word_if(word *at, word old, word now)
{
    __atomic_compare_exchange_n(at, &old, now, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return old;
}
static inline void publish(word *at, word v)
{
    __atomic_store_n(at, v, __ATOMIC_RELEASE);
}
static inline word look(const word *at)
{
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
static inline u64 look64(const u64 *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}
static inline u64 high_product(u64 a, u64 b)
{
    return (u64)((unsigned __int128)a * b >> 64);
}
static inline u64 next_number(u64 *at)
{
    return __atomic_fetch_add(at, 1, __ATOMIC_RELAXED);
}
static inline void add_all(u64 *at, u64 v)
{
    __atomic_fetch_add(at, v, __ATOMIC_RELAXED);
}
static inline void read_bucket(const u64 *at, u64 *slot)
{
    for (int i = 0; i < 4; i++)
        slot[i] = __atomic_load_n(at + i, __ATOMIC_RELAXED);
}
#endif

#define TAKEN (1ull << 63)
#define STUCK (1ull << 63)
#define NO_NAME (~0ull)
#ifdef CHOOSES // names have a bit less
#define NEXT (1ull << 62)      // in the table: it is of the next level
#define CANDIDATE (1ull << 62) // in `left`: what was kept leads to nothing of the next level
#else
#define NEXT 0ull
#endif
enum { PIECE_PROBES = 4096 };
enum { MONITOR_DEAD = 0xfffe, MONITOR_BAD = 0xffff };

DEVICE inline u64 mixed(u64 x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    return x ^ x >> 32;
}

// ---- pieces -----------------------------------------------------------------------------------

#if PARTS > 1 && !defined(COMPACT)
#define READY 0x80000000u
#define BUSY 0x40000000u
// The numbers of the two pieces of a name. A piece has PIECE numbers of 64 bits, the second one
// perhaps fewer.
#if PARTS == 2
#define PIECE 1
#else
#define PIECE ((PARTS + 1) / 2)
#endif
#define FIRST_OF(name) ((name) & 0x7fffffffull)
#define SECOND_OF(name) ((name) >> 31)

DEVICE inline u64 next_piece(const struct job *j, word which, u64 at)
{
    return at + 1 < j->pieces[which] ? at + 1 : 0;
}

DEVICE inline u64 no_piece(const struct job *j)
{
    j->tally[FULL_PIECES] = 1;
    return NO_NAME;
}

#if PIECE == 1
// A piece is one number, which goes into the table as it is, but for 0, which means that there is
// none: it stands for itself in place 0, where nothing else is ever put.
DEVICE u64 piece_number(const struct job *j, word which, const u64 *x, word n)
{
    (void)n;
    if (!*x)
        return 0;
    u64 at = high_product(mixed(*x ^ 0x9e3779b97f4a7c15ull), j->pieces[which] - 1) + 1;
    UNROLL_NOT
    for (word probes = 0; probes < PIECE_PROBES; probes++) {
        u64 *piece = j->piece[which] + at, is = look64(piece);
        if (!is)
            is = swap_if(piece, 0, *x);
        if (!is || is == *x)
            return at;
        at = next_piece(j, which, at);
        at += !at;
    }
    return no_piece(j);
}
#else
DEVICE u64 piece_number(const struct job *j, word which, const u64 *x, word n)
{
    u64 h = 0x9e3779b97f4a7c15ull;
    for (word i = 0; i < n; i++)
        h = mixed(h ^ x[i]);
    word hash = (word)h & 0x3fffffffu;
    u64 at = high_product(h, j->pieces[which]);
    UNROLL_NOT
    for (word probes = 0; probes < PIECE_PROBES; probes++) {
        word *tag = j->tag[which] + at;
        u64 *piece = j->piece[which] + at * PIECE;
        word t = look(tag);
        if (!t) {
            t = swap_word_if(tag, 0, BUSY | hash);
            if (!t) {
                for (word i = 0; i < n; i++)
                    piece[i] = x[i];
                publish(tag, READY | hash);
                return at;
            }
        }
        if ((t & 0x3fffffffu) == hash) {
            while (!(t & READY))
                t = look(tag);
            word same = 1;
            for (word i = 0; i < n; i++)
                same &= piece[i] == x[i];
            if (same)
                return at;
        }
        at = next_piece(j, which, at);
    }
    return no_piece(j);
}
#endif
#endif

// The name of a state; `source` and its name, or NULL: it may share a piece with that.
DEVICE inline u64 name_of(const struct job *j, const st *s, const st *source, u64 name)
{
#ifdef COMPACT
    (void)j, (void)source, (void)name;
    u64 h = 0x9e3779b97f4a7c15ull;
    for (word i = 0; i < PARTS; i++)
        h = mixed(h ^ s->x[i]) + i;
    return mixed(h) & ~TAKEN;
#elif PARTS == 1
    (void)j, (void)source, (void)name;
    return s->x[0];
#else
    word first = source != 0, second = source != 0;
    for (word i = 0; source && i < PIECE; i++)
        first &= s->x[i] == source->x[i];
    for (word i = PIECE; source && i < PARTS; i++)
        second &= s->x[i] == source->x[i];
    u64 a = first ? FIRST_OF(name) : piece_number(j, 0, s->x, PIECE);
    u64 b = second ? SECOND_OF(name) : piece_number(j, 1, s->x + PIECE, PARTS - PIECE);
    return a == NO_NAME || b == NO_NAME ? NO_NAME : b << 31 | a;
#endif
}

DEVICE inline void state_of(const struct job *j, u64 name, st *s)
{
#ifdef COMPACT
    for (word k = 0; k < PARTS; k++)
        s->x[k] = j->ring[name * PARTS + k];
#elif PARTS == 1
    (void)j;
    s->x[0] = name;
#else
    for (word i = 0; i < PIECE; i++)
        s->x[i] = j->piece[0][FIRST_OF(name) * PIECE + i];
    for (word i = PIECE; i < PARTS; i++)
        s->x[i] = j->piece[1][SECOND_OF(name) * PIECE + i - PIECE];
#endif
}

// ---- the table --------------------------------------------------------------------------------

enum { NAME_KNOWN, NAME_NEXT, NAME_NEW, NAME_LOST };

// `marked`: with NEXT or without.
DEVICE inline word place_name(const struct job *j, u64 marked)
{
    u64 name = marked & ~NEXT, wanted = TAKEN | name;
    u64 bucket = high_product(mixed(name), j->buckets), slot[4];
    UNROLL_NOT
    for (word probes = 0; probes < j->probes; probes++) {
        u64 *at = j->table + 4 * bucket;
        read_bucket(at, slot);
        for (word i = 0; i < 4; i++) {
            u64 was = slot[i];
            if (!was) {
                was = swap_if(at + i, 0, TAKEN | marked);
                if (!was)
                    return NAME_NEW;
            }
            if ((was & ~NEXT) == wanted)
                return was & NEXT ? NAME_NEXT : NAME_KNOWN;
        }
        bucket = bucket + 1 < j->buckets ? bucket + 1 : 0;
    }
    j->tally[FULL_TABLE] = 1;
    return NAME_LOST;
}

#ifdef CHOOSES
// Where a name is that was placed before, or 0.
DEVICE inline u64 *find_name(const struct job *j, u64 name)
{
    u64 bucket = high_product(mixed(name), j->buckets);
    UNROLL_NOT
    for (u64 probes = 0; probes < j->buckets; probes++) {
        for (word i = 0; i < 4; i++) {
            u64 *at = j->table + 4 * bucket + i, is = look64(at);
            if ((is & ~NEXT) == (TAKEN | name))
                return at;
            if (!is)
                return 0;
        }
        bucket = bucket + 1 < j->buckets ? bucket + 1 : 0;
    }
    return 0;
}

// States number i, i + by … of a level are not of the next one any more. How many were there.
DEVICE inline u64 settle_names(const struct job *j, u64 from, u64 count, u64 i, u64 by)
{
    u64 done = 0;
    for (; i < count; i += by) {
        u64 name = j->ring[(from + i) % j->ring_size], *at = find_name(j, name);
        if (!at)
            continue;
        *at = TAKEN | name;
        done++;
    }
    return done;
}

// A kept successor of a state, or NO_NAME.
DEVICE void tell_lead(const struct job *j, u64 name, u64 to)
{
    u64 number = 2 * next_number(&j->tally[LEFT]);
    if (to != NO_NAME) {
        u64 *at = find_name(j, to);
        to |= at ? *at & NEXT : 0;
    }
    if (number + 1 < j->left_room) {
        j->left[number] = name;
        j->left[number + 1] = to;
    }
}
#endif

// A new name goes into the ring. Is it of the next level?
DEVICE inline word add_name(const struct job *j, u64 name, const st *s)
{
    word is = place_name(j, name | NEXT);
    if (is != NAME_NEW)
        return is == NAME_NEXT;
    u64 number = next_number(&j->tally[NEW]);
    if (number < j->limit) {
#ifdef COMPACT
        for (word k = 0; k < PARTS; k++)
            j->ring[number % j->ring_size * PARTS + k] = s->x[k];
#else
        (void)s;
        j->ring[number % j->ring_size] = name;
#endif
    } else
        j->tally[FULL_RING] = 1; // the host ends the search: the state is lost
    return 1;
}

APART word arrive(const struct job *j, u64 name, st source, st o)
{
    word is = 0;
#ifdef FOLDS
    is = folded(j, &o) ? WAS_FOLDED : 0;
#endif
    u64 to = name_of(j, &o, &source, name);
    if (to == NO_NAME)
        return is;
#ifdef CHOOSES
    if (j->mode == REPORT) {
        tell_lead(j, name, to);
        return is;
    }
#endif
    if (j->mode != SEEK)
        return is | (add_name(j, to, &o) ? LEADS_ON : 0);
    if (to == j->target)
        j->tally[HIT] = name | TAKEN;
    return is;
}

// ---- kernels ----------------------------------------------------------------------------------

DEVICE void leave(const struct job *j, u64 name)
{
    u64 number = next_number(&j->tally[LEFT]);
    if (number < j->left_room)
        j->left[number] = name;
}

// The successors of states of the ring: of one level, or, by one block, of several, as long as that
// has no need of the host and the levels are small. A level that there was no room for counts as
// not done.
KERNEL EXPAND_BOUNDS expand(JOB job)
{
    const struct job *j = &job;
    u64 from = j->from, count = j->count, first = j->first, transitions, done, reduced, folds;
    for (u64 level = 0;; level++) {
        transitions = done = reduced = folds = 0;
#ifdef CHOOSES
        if (j->levels) {
            settle_names(j, from, count, PLACE_IN_BLOCK, THREADS);
            TOGETHER;
        }
#endif
        // A block goes through the loop as one.
        for (u64 i = THREAD; i - PLACE_IN_BLOCK < count; i += THREADS) {
            u64 at = from + i;
            if (ANY(look64(&j->tally[FULL_TABLE]) != 0))
                break; // all of it is done again
            struct run r;
            st s = {{0}};
            word mine = i < count;
            r.job = j;
            at = at < j->ring_size ? at : at - j->ring_size;
#ifdef COMPACT
            r.name = at;
#else
            r.name = !mine ? 0 : j->list ? j->list[i] : j->ring[at];
#endif
            r.source = &s;
            r.count = 0;
            r.bad = 0;
            r.has = 0;
            r.seen_count = 0;
            r.arrivals = 0;
            r.folds = 0;
            done += mine;
            if (mine)
                state_of(j, r.name, &s);
#ifdef MONITOR_MASK
            r.next = mine ? monitored(&r, &s) : 0;
            if (r.next == MONITOR_BAD)
                r.bad = 1; // the host tells of it
            if (r.next == MONITOR_DEAD && !r.bad)
                mine = 0; // whatever comes is right
            int any = successors(&r, &s, mine && !r.bad);
#else
            int any = successors(&r, &s, mine);
#endif
            folds += r.folds;
#ifdef CHOOSES
            if (j->mode == REPORT) {
                if (mine && (r.bad || !any || !r.reduced))
                    tell_lead(j, r.name, NO_NAME);
                continue;
            }
            if (mine && !r.bad && any) {
                reduced += j->mode == REST ? ~0ull : r.reduced;
                if (r.reduced && !(r.arrivals & LEADS_ON) && j->mode == SEARCH)
                    leave(j, r.name | CANDIDATE);
            }
#endif
            if (mine && r.bad)
                leave(j, r.name);
            else if (mine && !any)
                leave(j, r.name | STUCK);
            else if (mine)
                transitions += r.count;
        }
        if (!j->levels)
            break;
        TOGETHER; // what was found can be seen, and is looked at before anybody goes on
        u64 now = look64(&j->tally[NEW]), left = look64(&j->tally[LEFT]);
        u64 full = look64(&j->tally[FULL_TABLE]) | look64(&j->tally[FULL_RING]) |
                   look64(&j->tally[FULL_PIECES]);
        TOGETHER;
        if (full)
            return;
        if (!PLACE_IN_BLOCK) {
            j->ends[level] = now;
            j->tally[LEVELS] = level + 1;
        }
        first += count;
        if (left || now == first || now - first > j->thin || now > j->enough ||
            level + 1 == j->levels)
            break;
        add_all(&j->tally[TRANSITIONS], transitions);
        add_all(&j->tally[DONE], done);
        add_all(&j->tally[REDUCED], reduced);
        add_all(&j->tally[FOLDED], folds);
        from = (from + count) % j->ring_size;
        count = now - first;
    }
    add_all(&j->tally[TRANSITIONS], transitions);
    add_all(&j->tally[DONE], done);
    add_all(&j->tally[REDUCED], reduced);
    add_all(&j->tally[FOLDED], folds);
}

// The states of a level, before it is begun: they were of the next one.
KERNEL settle(JOB job)
{
    const struct job *j = &job;
    u64 done = 0;
#ifdef CHOOSES
    done = settle_names(j, j->from, j->count, THREAD, THREADS);
#endif
    add_all(&j->tally[DONE], done);
}

// States that the host has made: `left` holds `count` of them, PARTS numbers each.
KERNEL insert(JOB job)
{
    const struct job *j = &job;
    u64 done = 0;
    for (u64 i = THREAD; i < j->count; i += THREADS) {
        done++;
        st s;
        for (word k = 0; k < PARTS; k++)
            s.x[k] = j->left[i * PARTS + k];
        u64 name = name_of(j, &s, 0, 0);
        if (name != NO_NAME)
            add_name(j, name, &s);
    }
    add_all(&j->tally[DONE], done);
}

// The bits of states that have names: list[i] into left[PARTS * i].
KERNEL spell(JOB job)
{
    const struct job *j = &job;
    for (u64 i = THREAD; i < j->count; i += THREADS) {
        st s;
        state_of(j, j->list[i], &s);
        for (word k = 0; k < PARTS; k++)
            j->left[i * PARTS + k] = s.x[k];
    }
}

// The name of the state left[0 …], which has one, into tally[HIT].
KERNEL name_it(JOB job)
{
    const struct job *j = &job;
    st s;
    if (THREAD)
        return;
    for (word k = 0; k < PARTS; k++)
        s.x[k] = j->left[k];
    j->tally[HIT] = name_of(j, &s, 0, 0);
}

// A larger table: `left` is the old one, of `count` slots.
KERNEL rehash(JOB job)
{
    const struct job *j = &job;
    u64 done = 0;
    for (u64 i = THREAD; i < j->count; i += THREADS)
        if (j->left[i])
            done += place_name(j, j->left[i] & ~TAKEN) == NAME_NEW;
    add_all(&j->tally[DONE], done);
}
