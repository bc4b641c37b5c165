#include "dist/swarm/bigint.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

#ifdef GYRE_GMP
#include <gmp.h>

_Static_assert(sizeof(gy_bigint) == sizeof(__mpz_struct), "a gy_bigint is a number of libgmp");

static mpz_ptr to(gy_bigint *x)
{
    return (mpz_ptr)(void *)x;
}

static mpz_srcptr of(const gy_bigint *x)
{
    return (mpz_srcptr)(const void *)x;
}

bool gy_bigint_is_there(void)
{
    return true;
}

void gy_bigint_init(gy_bigint *x)
{
    mpz_init(to(x));
}

void gy_bigint_free(gy_bigint *x)
{
    if (x->limbs)
        mpz_clear(to(x));
    *x = (gy_bigint){0};
}

void gy_bigint_set(gy_bigint *x, const gy_bigint *y)
{
    mpz_set(to(x), of(y));
}

void gy_bigint_set_u64(gy_bigint *x, uint64_t value)
{
    mpz_import(to(x), 1, 1, sizeof value, 0, 0, &value);
}

void gy_bigint_add(gy_bigint *x, const gy_bigint *y)
{
    mpz_add(to(x), of(x), of(y));
}

void gy_bigint_sub(gy_bigint *x, const gy_bigint *y)
{
    mpz_sub(to(x), of(x), of(y));
}

void gy_bigint_mul(gy_bigint *x, const gy_bigint *y)
{
    mpz_mul(to(x), of(x), of(y));
}

void gy_bigint_scale(gy_bigint *x, uint64_t times, uint64_t parts)
{
    gy_bigint factor;
    gy_bigint_init(&factor);
    gy_bigint_set_u64(&factor, times);
    mpz_mul(to(x), of(x), of(&factor));
    gy_bigint_set_u64(&factor, parts);
    mpz_fdiv_q(to(x), of(x), of(&factor));
    gy_bigint_free(&factor);
}

int gy_bigint_compare(const gy_bigint *x, const gy_bigint *y)
{
    return mpz_cmp(of(x), of(y));
}

bool gy_bigint_is_zero(const gy_bigint *x)
{
    return mpz_sgn(of(x)) == 0;
}

uint64_t gy_bigint_u64(const gy_bigint *x)
{
    uint64_t value = 0;
    if (mpz_sizeinbase(of(x), 2) <= 64)
        mpz_export(&value, NULL, 1, sizeof value, 0, 0, of(x));
    return value;
}

double gy_bigint_ratio(const gy_bigint *x, const gy_bigint *y)
{
    long of_x, of_y;
    if (gy_bigint_is_zero(y))
        return 0;
    double a = mpz_get_d_2exp(&of_x, of(x)), b = mpz_get_d_2exp(&of_y, of(y));
    double ratio = a / b;
    for (long n = of_x - of_y; n != 0 && ratio > 1e-300 && ratio < 1e300; n += n < 0 ? 1 : -1)
        ratio = n < 0 ? ratio / 2 : ratio * 2;
    return ratio;
}

bool gy_bigint_parse(gy_bigint *x, const char *digits)
{
    return *digits && digits[strspn(digits, "0123456789")] == 0 &&
           mpz_set_str(to(x), digits, 10) == 0;
}

void gy_bigint_text(const gy_bigint *x, gy_text *out)
{
    char *digits = gy_alloc_zero(mpz_sizeinbase(of(x), 10) + 2);
    gy_text_add(out, mpz_get_str(digits, 10, of(x)));
    free(digits);
}

void gy_bigint_tell(const gy_bigint *x, gy_text *out)
{
    enum { MOST_DIGITS = 15 };
    gy_text digits = {0};
    gy_bigint_text(x, &digits);
    if (digits.n <= MOST_DIGITS)
        gy_text_count(out, strtoull(gy_text_str(&digits), NULL, 10));
    else
        gy_text_printf(out, "%c.%c%ce%zu", digits.at[0], digits.at[1], digits.at[2], digits.n - 1);
    gy_text_free(&digits);
}

#else

bool gy_bigint_is_there(void)
{
    return false;
}

static _Noreturn void missing(void)
{
    gy_fatal("Gyre was built without libgmp: there are no large numbers");
}

void gy_bigint_init(gy_bigint *x)
{
    (void)x;
    missing();
}

void gy_bigint_free(gy_bigint *x)
{
    (void)x;
}

void gy_bigint_set(gy_bigint *x, const gy_bigint *y)
{
    (void)x, (void)y;
    missing();
}

void gy_bigint_set_u64(gy_bigint *x, uint64_t value)
{
    (void)x, (void)value;
    missing();
}

void gy_bigint_add(gy_bigint *x, const gy_bigint *y)
{
    (void)x, (void)y;
    missing();
}

void gy_bigint_sub(gy_bigint *x, const gy_bigint *y)
{
    (void)x, (void)y;
    missing();
}

void gy_bigint_mul(gy_bigint *x, const gy_bigint *y)
{
    (void)x, (void)y;
    missing();
}

void gy_bigint_scale(gy_bigint *x, uint64_t times, uint64_t parts)
{
    (void)x, (void)times, (void)parts;
    missing();
}

int gy_bigint_compare(const gy_bigint *x, const gy_bigint *y)
{
    (void)x, (void)y;
    missing();
}

bool gy_bigint_is_zero(const gy_bigint *x)
{
    (void)x;
    missing();
}

uint64_t gy_bigint_u64(const gy_bigint *x)
{
    (void)x;
    missing();
}

double gy_bigint_ratio(const gy_bigint *x, const gy_bigint *y)
{
    (void)x, (void)y;
    missing();
}

bool gy_bigint_parse(gy_bigint *x, const char *digits)
{
    (void)x, (void)digits;
    missing();
}

void gy_bigint_text(const gy_bigint *x, gy_text *out)
{
    (void)x, (void)out;
    missing();
}

void gy_bigint_tell(const gy_bigint *x, gy_text *out)
{
    (void)x, (void)out;
    missing();
}
#endif
