// what: an int wraps at 32 bits
int n = 2147483647;
int m;
active proctype P()
{
	m = n; m++;
	assert(m < 0 && m + 1 == -2147483647);
	m = 65536; m = m * m;
	assert(m == 0)
}
