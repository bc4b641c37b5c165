// what: #define with arguments, #undef, #if, #ifdef, #else
#define MAX(a, b)	((a) > (b) -> (a) : (b))
#define LIMIT 4
#undef LIMIT
#define LIMIT 2
#ifdef LIMIT
byte n = LIMIT;
#else
byte n = 99;
#endif
#if LIMIT > 3
byte m = 1;
#elif LIMIT == 2
byte m = 2;
#endif
active proctype P() { assert(n == 2 && m == 2 && MAX(n, m + 3) == 5) }
