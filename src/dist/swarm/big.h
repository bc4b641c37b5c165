// Whole numbers without a bound, as far as counting traces needs them: the one place that knows
// libgmp.
//
// A zeroed gy_big is not a number yet: gy_big_init makes it 0. Owner: who declares one frees it.
// Numbers are values: any thread may read one that nobody writes. Without libgmp gy_big_is_there
// says no, and nothing else may be called.
#ifndef GYRE_DIST_SWARM_BIG_H
#define GYRE_DIST_SWARM_BIG_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gy_big {
    int room, size;
    void *limbs;
} gy_big;

bool gy_big_is_there(void);
void gy_big_init(gy_big *x);
void gy_big_free(gy_big *x);
void gy_big_set(gy_big *x, const gy_big *y);
void gy_big_set_u64(gy_big *x, uint64_t value);
void gy_big_add(gy_big *x, const gy_big *y);                  // x += y
void gy_big_sub(gy_big *x, const gy_big *y);                  // x -= y
void gy_big_mul(gy_big *x, const gy_big *y);                  // x *= y
void gy_big_scale(gy_big *x, uint64_t times, uint64_t parts); // x * times / parts, rounded down
int gy_big_compare(const gy_big *x, const gy_big *y);         // < 0, 0, > 0
bool gy_big_is_zero(const gy_big *x);
uint64_t gy_big_u64(const gy_big *x);                  // of one that is below 2^64
double gy_big_ratio(const gy_big *x, const gy_big *y); // x / y; 0 if y is 0
// In decimal. False: these are no digits.
bool gy_big_parse(gy_big *x, const char *digits);
void gy_big_text(const gy_big *x, gy_text *out);
// For people: all digits up to 15, else as 1.31e13.
void gy_big_tell(const gy_big *x, gy_text *out);

#endif
