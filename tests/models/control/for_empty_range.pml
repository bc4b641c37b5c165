// what: a range whose lower bound is above the upper one runs no round
byte lo = 5, hi = 3, n, i;
active proctype P()
{
	for (i : lo .. hi) { n++ }
	assert(n == 0 && i == 5)
}
