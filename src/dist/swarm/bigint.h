// Whole numbers without a bound, as far as counting traces needs them: the one place that knows
// libgmp.
//
// A zeroed gy_bigint is not a number yet: gy_bigint_init makes it 0. Owner: who declares one frees
// it. Numbers are values: any thread may read one that nothing writes. Without libgmp
// gy_bigint_is_there says no, and nothing else may be called.
#ifndef GYRE_DIST_SWARM_BIGINT_H
#define GYRE_DIST_SWARM_BIGINT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gy_bigint {
    int room, size;
    void *limbs;
} gy_bigint;

bool gy_bigint_is_there(void);
void gy_bigint_init(gy_bigint *x);
void gy_bigint_free(gy_bigint *x);
void gy_bigint_set(gy_bigint *x, const gy_bigint *y);
void gy_bigint_set_u64(gy_bigint *x, uint64_t value);
void gy_bigint_add(gy_bigint *x, const gy_bigint *y); // x += y
void gy_bigint_sub(gy_bigint *x, const gy_bigint *y); // x -= y
void gy_bigint_mul(gy_bigint *x, const gy_bigint *y); // x *= y
void gy_bigint_scale(gy_bigint *x, uint64_t times,
                     uint64_t parts);                          // x * times / parts, rounded down
int gy_bigint_compare(const gy_bigint *x, const gy_bigint *y); // < 0, 0, > 0
bool gy_bigint_is_zero(const gy_bigint *x);
uint64_t gy_bigint_u64(const gy_bigint *x);                     // of one that is below 2^64
double gy_bigint_ratio(const gy_bigint *x, const gy_bigint *y); // x / y; 0 if y is 0
// In decimal. False: these are no digits.
bool gy_bigint_parse(gy_bigint *x, const char *digits);
void gy_bigint_text(const gy_bigint *x, gy_text *out);
// For people: all digits up to 15, else as 1.31e13.
void gy_bigint_tell(const gy_bigint *x, gy_text *out);

#endif
