// what: select with a variable bound is a loop that counts up
byte n, lo = 1, hi = 3;
active proctype P()
{
	select(n : lo .. hi);
	assert(n >= 1 && n <= 3)
}
