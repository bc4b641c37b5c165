// Reading a line of 64 bytes of a table while other threads write to its slots.
//
// A slot that changes meanwhile is seen as it was before or after, since on this processor aligned
// pieces of eight bytes are never torn. The language has no vector loads that say so: this is
// the only place where they are used on shared memory, and the thread sanitizer, which would take
// them for a mistake, gets the same bytes in eight atomic loads. Whatever is found this way is
// loaded again, atomically, before it is used, or is claimed by compare-and-swap.
#ifndef GYRE_STORE_CACHE_LINE_H
#define GYRE_STORE_CACHE_LINE_H

#include <stdatomic.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>

typedef struct gy_line {
    __m128i a, b, c, d;
} gy_line;

#ifdef __SANITIZE_THREAD__
static inline __m128i gy_line_part(const _Atomic uint64_t *at)
{
    return _mm_set_epi64x((int64_t)atomic_load_explicit(at + 1, memory_order_relaxed),
                          (int64_t)atomic_load_explicit(at, memory_order_relaxed));
}
#endif

__attribute__((always_inline)) static inline gy_line gy_line_read(const void *at)
{
#ifdef __SANITIZE_THREAD__
    const _Atomic uint64_t *parts = at;
    return (gy_line){gy_line_part(parts), gy_line_part(parts + 2), gy_line_part(parts + 4),
                     gy_line_part(parts + 6)};
#else
    const __m128i *parts = at;
    __m128i a = _mm_load_si128(parts), b = _mm_load_si128(parts + 1);
    __m128i c = _mm_load_si128(parts + 2), d = _mm_load_si128(parts + 3);
    // What is there and what is free must be told apart from the same reading: no second one.
    __asm__("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d));
    return (gy_line){a, b, c, d};
#endif
}

// The upper or lower halves of four 64-bit slots.
static inline __m128i gy_line_uppers(__m128i a, __m128i b)
{
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0xdd));
}

static inline __m128i gy_line_lowers(__m128i a, __m128i b)
{
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88));
}
#endif

#endif
