#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define STEP x = x + 1; \
	y--
#ifdef FOO
garbage here
#elif defined(MAX) && !0
int x = 'a', y = MAX(1, 2)
#else
#error no
#endif
init { STEP; x = MAX(x, y) /* comment */ // and another
}
