// what: initialisers may be expressions, also over variables declared before
#define N 3
byte a = N * 2 + 1;
byte b = N - 1;
active proctype P()
{
	byte c = a + b;
	byte d = c * 2;
	assert(a == 7 && b == 2 && c == 9 && d == 18)
}
