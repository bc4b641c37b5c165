// what: extreme values of int in comparisons
int lo = -2147483647;
int hi = 2147483647;
active proctype P()
{
	lo--;
	assert(lo < 0 && lo < hi && hi > 0 && lo + hi == -1);
	assert(lo / 2 == -1073741824)
}
