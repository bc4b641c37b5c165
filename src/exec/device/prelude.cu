// What stands in front of the generated code of a model on a device: packed states.
//
// The same text is compiled for a graphics processor (CUDA) and, as plain C, for the host. The
// macros are those of exec/native/gen_prelude.c, over another layout: all bits of a state that can
// differ stand in PARTS 64-bit numbers, `pos` says where. A successor is a copy in registers; the
// last one of a process waits until all threads of a block have tried that process (TRIED), so that
// they go to the table together. Nothing is recorded of the way to a state: the host finds that out
// where it matters.
#ifdef __CUDACC_RTC__ // it has no headers
typedef unsigned long long uint64_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
#else
#include <stdint.h>
#endif
#ifdef __CUDACC__
typedef unsigned int word;
typedef unsigned long long u64;
#define DEVICE static __device__
#define APART static __device__ __noinline__
#define FUNCTION static __device__
#define TABLE static __device__ const
#define restrict __restrict__
#else
typedef uint32_t word;
typedef uint64_t u64;
#define DEVICE static
#define APART static __attribute__((noinline))
#define FUNCTION static __attribute__((unused))
#define TABLE static const __attribute__((unused))
#endif

// Made by the host (exec/device/device.h); all addresses are the device's.
struct job {
    u64 *table;           // buckets of four: 0, or TAKEN and the name of a state
    u64 buckets;          //
    u64 *ring;            // names of states, level after level; with COMPACT, the states themselves
    u64 ring_size;        //
    u64 from, count;      // states to be done: from ring[from]
    u64 limit;            // new ones up to this number may go into the ring
    u64 *left;            // names of states for the host, STUCK if they have no successors
    u64 left_room;        //
    u64 *tally;           // see below
    unsigned char *cover; // by edge: was it executed?
    word *tag[2];         // pieces of wide states: 0, or which hash, and whether all is written
    u64 *piece[2];        //
    u64 pieces[2];        // room
    u64 target;           // with SEEK: the name of a state whose predecessor is looked for
    u64 mode;             // see below
    u64 *list;            // not 0: names of states to be done, in place of those in the ring
    u64 probes; // buckets that may be looked at for one name
    // Several levels at a time: the number of the first state; how many at most, of no more than so
    // many states each, and only up to that many states in all; where each has ended.
    u64 first, levels, thin, enough;
    u64 *ends;
};

enum {
    NEW, TRANSITIONS, LEFT, FULL_TABLE, FULL_RING, FULL_PIECES, HIT, LEVELS, DONE, REDUCED, FOLDED,
    TALLIES
};
// What is done with the successors of states: they are entered; one is looked for; those that a
// choice keeps are told (`left`: pairs of names, of the state and of one of these, or NO_NAME: it has
// no choice); those are entered that the choice has left out.
enum { SEARCH, SEEK, REPORT, REST };

typedef struct st {
    u64 x[PARTS];
} st;

struct seen {
    const st *state;
    int32_t pid;
};

enum { VM = -1, DEPTH = 48, SEEN = 8 };

struct run {
    const struct job *job;
    const st *source;
    u64 name; // of the source
    u64 count;
    int32_t timeout;
    int32_t top; // with priorities: the highest of a process that could move
    word on;  // this thread has a state, and goes on with it
    word bad; // something that only the host can do was met
    word has;
    st pending; // if `has`
    word next; // with a monitor: its state in all successors
    word seen_count;
    word arrivals; // what `arrive` said of them, ored
    u64 folds;     // of them, those of which another state was taken
#ifdef CHOOSES
    word noting; // what can be done is only noted
    word whole;  // there is no choice
    word noted;  // transitions
    word reduced;
    u64 first; // step of a path: see BEGINS
    u64 active;        // processes that can begin one
    u64 enabled[CREW]; // edges of its node that can fire, by position
    word moves[CREW];
#endif
#ifdef USES_MARK
    struct seen seen[SEEN];
#endif
};

// Here all threads of a block come together; is it true of any of them? On the host there is always
// another one, which nobody sees, in each shape: a state goes through the code of all of them, as it
// does where the states of a block differ.
#ifdef __CUDACC__
#define TOGETHER __syncthreads()
#define ANY(v) __syncthreads_or(v)
#define ANY_IN_SHAPE(v) ANY(v)
#else
#define TOGETHER ((void)0)
#define ANY(v) (v)
#define ANY_IN_SHAPE(v) ((void)(v), 1)
#endif

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define SHAPE FUNCTION
#define SOURCE const st *restrict
#define TARGET st *
#define TRUTH(e) (e)

// ---- bits ---------------------------------------------------------------------------------

// 64-bit number i. Numbers that are not known while compiling would put a short state into memory;
// a long one is there anyway.
DEVICE inline u64 part_of(const st *s, word i)
{
#if PARTS > 4
    return s->x[i];
#elif PARTS == 1
    (void)i;
    return s->x[0];
#else
    u64 v = s->x[0];
    for (word k = 1; k < PARTS; k++)
        v = i == k ? s->x[k] : v;
    return v;
#endif
}
DEVICE inline word bits_at(const st *s, word p)
{
    return (word)(part_of(s, p >> 6) >> (p & 63));
}
DEVICE inline void put_at(st *s, word p, word mask, word v)
{
    u64 clear = ~((u64)mask << (p & 63)), set = (u64)(v & mask) << (p & 63);
#if PARTS > 4
    s->x[p >> 6] = (s->x[p >> 6] & clear) | set;
#elif PARTS == 1
    s->x[0] = (s->x[0] & clear) | set;
#else
    for (word k = 0; k < PARTS; k++)
        s->x[k] = p >> 6 == k ? (s->x[k] & clear) | set : s->x[k];
#endif
}

#define POS(w, sh) ((word)pos[(w) * 32 + (sh)])
#define GET(S, w, sh, mask) ((int)(bits_at(S, POS(w, sh)) & (mask)))
#define GETS(S, w, sh, bits) ((int)(bits_at(S, POS(w, sh)) << (32 - (bits))) >> (32 - (bits)))
#define PUT(S, w, sh, mask, v) put_at(S, POS(w, sh), mask, (word)(v))
#define PUT_ONLY PUT
#define PUT_SOMEWHERE PUT
DEVICE inline word place_of(word w, word bit)
{
    return pos[(w + (bit >> 5)) * 32 + (bit & 31)];
}
#define GETX(S, w, sh, stride, mask, i) \
    ((int)(bits_at(S, place_of(w, (sh) + (word)(i) * (stride))) & (mask)))
#define GETXS(S, w, sh, stride, bits, i) \
    ((int)(bits_at(S, place_of(w, (sh) + (word)(i) * (stride))) << (32 - (bits))) >> (32 - (bits)))
#define PUTX(S, w, sh, stride, mask, i, v) \
    put_at(S, place_of(w, (sh) + (word)(i) * (stride)), mask, (word)(v))
// Fields of number k, from bit p on.
#define BITS(S, k, p, mask) ((int)((word)((S)->x[k] >> (p)) & (mask)))
#define BITS_SIGNED(S, k, p, bits) \
    ((int)((word)((S)->x[k] >> (p)) << (32 - (bits))) >> (32 - (bits)))
#define SET_BITS(S, k, p, mask, v) \
    ((S)->x[k] = ((S)->x[k] & ~((u64)(mask) << (p))) | (u64)((word)(v) & (mask)) << (p))
// Elements of arrays that nothing assigns.
#define FIXED_BITS(w, sh, stride, i) \
    (fixed[(w) + (((sh) + (word)(i) * (stride)) >> 5)] >> (((sh) + (word)(i) * (stride)) & 31))
#define FIXED(w, sh, stride, bits, i) ((int)(FIXED_BITS(w, sh, stride, i) & low_bits(bits)))
#define FIXED_SIGNED(w, sh, stride, bits, i) \
    ((int)(FIXED_BITS(w, sh, stride, i) << (32 - (bits))) >> (32 - (bits)))
// Arrays whose elements stand side by side from bit p on.
#define GETL(S, p, stride, mask, i) ((int)(bits_at(S, (p) + (word)(i) * (stride)) & (mask)))
#define PUTL(S, p, stride, mask, i, v) \
    put_at(S, (p) + (word)(i) * (stride), mask, (word)(v))

// A word as the virtual machine sees it: runs of bits that stand together (run_of: number, then
// position, shift and length of each).
DEVICE inline word low_bits(word n)
{
    return n < 32 ? (1u << n) - 1 : ~0u;
}
DEVICE inline word word_at(const st *s, word w)
{
    word v = fixed[w];
    for (word k = run_first[w]; k < run_first[w + 1]; k++)
        v |= (bits_at(s, run_pos[k]) & low_bits(run_length[k])) << run_shift[k];
    return v;
}
DEVICE inline void put_word(st *s, word w, word v)
{
    for (word k = run_first[w]; k < run_first[w + 1]; k++)
        put_at(s, run_pos[k], low_bits(run_length[k]), v >> run_shift[k]);
}
#define WORD(S, w) word_at(S, w)
#define OR_WORD(S, w, v) put_word(S, w, word_at(S, w) | (v))

// ---- expressions ----------------------------------------------------------------------------

// Where the machine would raise a fault, there is no way out of an expression: it is noted, nothing
// that follows counts (emit), and the state is the host's.
#define NOTHING (r->bad = 1, 0)
#define GIVE_UP (r->bad = 1)
#define INDEX(x, n) index_of(r, x, n)
#define DIV(x, y) quotient(r, x, y)
#define MOD(x, y) remainder_of(r, x, y)
#ifdef __CUDACC__
#define BLOCK [&]() -> int {
#define YIELD(x) return (x);
#define END_BLOCK }()
#else
#define BLOCK ({
#define YIELD(x) (x);
#define END_BLOCK })
#endif
DEVICE inline int index_of(struct run *r, int x, word n)
{
    word i = (word)x;
    if (unlikely(i >= n))
        r->bad = 1, i = 0;
    return (int)i;
}
DEVICE inline int quotient(struct run *r, int x, int y)
{
    if (unlikely(!y))
        r->bad = 1, y = 1;
    return (int)((int64_t)x / y);
}
DEVICE inline int remainder_of(struct run *r, int x, int y)
{
    if (unlikely(!y))
        r->bad = 1, y = 1;
    return (int)((int64_t)x % y);
}
#define SHL(x, y) ((int)((word)(x) << ((y) & 31)))
#define SHR(x, y) ((x) >> ((y) & 31))

// ---- channels -------------------------------------------------------------------------------

#define LENGTH(S, c) \
    (WORD(S, channel_length[c][0]) >> channel_length[c][1] & channel_length[c][2])
#define AT(S, w) S, w

DEVICE inline word message_mask(word w, word bits, word per, word capacity)
{
    word last = (capacity - 1) / per, n = w < last ? per : capacity - last * per;
    return low_bits(n * bits);
}
// `n` bits from bit p on: the message of `bits` bits at bit `at` of them goes, the others move down.
DEVICE inline void drop_bits(u64 *x, word p, word n, word at, word bits)
{
    u64 mask = n < 64 ? (1ull << n) - 1 : ~0ull, q = *x >> p & mask, low = (1ull << at) - 1;
    q = (q & low) | (q >> bits & ~low);
    *x = (*x & ~(mask << p)) | q << p;
}
DEVICE void make_room(st *s, word at, word place, word length, word bits, word per, word capacity)
{
    for (word w = length / per;; w--) {
        int first = w == place / per;
        word mask = message_mask(w, bits, per, capacity), kept = place % per * bits;
        word in = first ? 0 : word_at(s, at + w - 1) >> (per - 1) * bits & low_bits(bits);
        word all = word_at(s, at + w), m = all & mask;
        kept = first ? low_bits(kept) : 0;
        put_word(s, at + w, (all & ~mask) | (m & kept) | ((m & ~kept) << bits & mask) | in);
        if (first) break;
    }
}
DEVICE void drop_message(st *s, word at, word slot, word bits, word per, word capacity)
{
    word last = (capacity - 1) / per;
    for (word w = slot / per; w <= last; w++) {
        word mask = message_mask(w, bits, per, capacity), kept = slot % per * bits;
        word in = w < last ? (word_at(s, at + w + 1) & low_bits(bits)) << (per - 1) * bits : 0;
        word all = word_at(s, at + w), m = all & mask;
        kept = w == slot / per ? low_bits(kept) : 0;
        put_word(s, at + w, (all & ~mask) | (m & kept) | (m >> bits & mask & ~kept) | in);
    }
}
DEVICE void make_long_room(st *s, word at, word place, word length, word words)
{
    for (word w = (length + 1) * words; w-- > (place + 1) * words;)
        put_word(s, at + w, word_at(s, at + w - words));
    for (word w = 0; w < words; w++)
        put_word(s, at + place * words + w, 0);
}
DEVICE void drop_long_message(st *s, word at, word slot, word last, word words)
{
    for (word w = slot * words; w < last * words; w++)
        put_word(s, at + w, word_at(s, at + w + words));
    for (word w = 0; w < words; w++)
        put_word(s, at + last * words + w, 0);
}

// ---- symmetry -------------------------------------------------------------------------------

// n rows of k words each, in order. Without a way out of the loops, so that they can be unrolled.
#define IN_ORDER(row, n, k, moved) \
    for (word a_ = 1; a_ < (n); a_++) \
        for (word b_ = a_; b_ > 0; b_--) { \
            word less_ = 0, same_ = 1; \
            for (word c_ = 0; c_ < (k); c_++) { \
                less_ |= same_ & (row[b_][c_] < row[b_ - 1][c_]); \
                same_ &= row[b_][c_] == row[b_ - 1][c_]; \
            } \
            moved |= less_; \
            for (word c_ = 0; c_ < (k); c_++) { \
                word x_ = row[b_][c_], y_ = row[b_ - 1][c_]; \
                row[b_][c_] = less_ ? y_ : x_; \
                row[b_ - 1][c_] = less_ ? x_ : y_; \
            } \
        }

// ---- steps ----------------------------------------------------------------------------------

#define WROTE(w) ((void)0)
#define WROTE_RANGE(first, last) ((void)0)
#define WROTE_ALL ((void)0)
#define COPY(o, from) st o##_state_ = *(from); st *const o = &o##_state_; const u64 written = 0; (void)written
#define NEST(o) ((void)0)
#define KEEP(o, length) ((void)0)
#define DROP(o) ((void)0)
#ifdef CHOOSES
// A process and its edge, in 8 and 24 bits; likewise its partner, both one more.
#define BEGINS(pid, edge, partner, partner_edge) \
    (r->first = (u64)(word)(pid) << 56 | (u64)(word)(edge) << 32 | (word)((partner) + 1) << 24 | \
                (word)((partner_edge) + 1))
#define PATH(i, pid, edge) (COVER(edge), (i) ? 0 : BEGINS(pid, edge, -1, -1))
#define PARTNER(i, pid, edge) \
    (COVER(edge), (i) ? 0 : (r->first = r->first >> 32 << 32 | ((word)(pid) + 1) << 24 | (word)((edge) + 1)))
#define EMIT(o, length, ...) \
    do { \
        if (!depth) BEGINS(__VA_ARGS__); \
        emit(r, o); \
    } while (0)
#define EMIT_ALL(o, length, n, ...) \
    do { \
        const int steps_[][4] = {__VA_ARGS__}; \
        if (!depth) BEGINS(steps_[0][0], steps_[0][1], steps_[0][2], steps_[0][3]); \
        emit(r, o); \
    } while (0)
#else
#define PATH(i, pid, edge) COVER(edge)
#define PARTNER(i, pid, edge) COVER(edge)
#define EMIT(o, ...) emit(r, o)
#define EMIT_ALL(o, ...) emit(r, o)
#endif
#define COVER(edge) (r->job->cover[edge] ? (void)0 : (void)(r->job->cover[edge] = 1))
// All threads of a block come here together, those without a state too. What each of a warp has found
// goes to the table in one go (left to itself, each way through a process would go there by
// itself), and the warps of a block are in the same process, whose code then is at hand: without
// that, most of the time goes into fetching instructions.
#define TRIED(any) \
    do { \
        if (got < 0 || r->bad) r->bad = 1, r->on = 0; \
        else any |= got; \
        TOGETHER; \
        if (r->has && !r->bad) arrived(r); \
        r->has = 0; \
    } while (0)

// The state o, which a state called `name` leads to. Not in line: it is long, and there are many
// places to come from.
enum { LEADS_ON = 1, WAS_FOLDED = 2 }; // it is of the next level; another state was taken
APART word arrive(const struct job *j, u64 name, st source, st o);
DEVICE inline void arrived(struct run *r)
{
    word is = arrive(r->job, r->name, *r->source, r->pending);
    r->arrivals |= is;
    r->folds += is / WAS_FOLDED;
}

#ifdef CHOOSES
TABLE unsigned char edge_position[] = EDGE_POSITIONS;

DEVICE inline void can_fire(struct run *r, word pid, word edge)
{
    word at = edge_position[edge];
    if (at < 64 && pid < CREW)
        r->enabled[pid] |= 1ull << at;
    else
        r->whole = 1;
}
DEVICE inline void note(struct run *r)
{
    word pid = (word)(r->first >> 56), partner = (word)r->first >> 24;
    r->noted++;
    can_fire(r, pid, (word)(r->first >> 32) & 0xffffff);
    r->moves[pid]++;
    r->active |= 1ull << (pid & 63);
    if (partner)
        can_fire(r, partner - 1, ((word)r->first & 0xffffff) - 1);
}
DEVICE inline void begin_notes(struct run *r)
{
    r->noting = 1;
    r->whole = r->noted = r->reduced = 0;
    r->active = 0;
    for (word i = 0; i < CREW; i++)
        r->enabled[i] = 0, r->moves[i] = 0;
}
#endif

#ifdef CHOOSES // or the compiler takes too long over it
#define EMITTING APART
#else
#define EMITTING DEVICE inline
#endif
EMITTING void emit(struct run *r, const st *o)
{
    if (unlikely(r->bad))
        return;
#ifdef CHOOSES
    if (r->noting) {
        note(r);
        return;
    }
#endif
    if (unlikely(r->has))
        arrived(r);
    r->pending = *o;
#ifdef MONITOR_MASK
    SET_BITS(&r->pending, 0, MONITOR_SHIFT, MONITOR_MASK, r->next);
#endif
    r->has = 1;
    r->count++;
}
DEVICE inline int emit_path(struct run *r, const st *o, word length, word depth, u64 written)
{
    (void)length, (void)depth, (void)written;
    emit(r, o);
    return 0;
}
#ifdef USES_MARK
DEVICE int mark(struct run *r, const st *o, int32_t pid, word length)
{
    (void)length;
    if (r->seen_count == SEEN) return VM;
    for (word i = 0; i < r->seen_count; i++) {
        word same = r->seen[i].pid == pid;
        for (word k = 0; k < PARTS; k++)
            same &= r->seen[i].state->x[k] == o->x[k];
        if (same) return VM;
    }
    r->seen[r->seen_count].state = o;
    r->seen[r->seen_count++].pid = pid;
    return 0;
}
#endif
