// what: operators bind as in C, with & ^ | below == and shifts above <
int a = 6;
int b = 3;
active proctype P()
{
	assert(2 + 3 * 4 == 14 && 20 - 6 - 4 == 10 && 24 / 4 / 2 == 3);
	assert((a & b == 3) == 0);
	assert((a | b ^ b & a) == (a | (b ^ (b & a))));
	assert(1 << 2 + 1 == 8);
	assert((1 || 0 && 0) == 1);
	assert(-a + b == -3 && !a + 1 == 1);
	assert((~a & 7) == 1 && (~a & 7 == 1) == 0)
}
