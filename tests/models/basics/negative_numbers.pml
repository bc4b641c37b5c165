// what: minus signs in front of numbers, names and brackets
int n = -1;
short a[2];
active proctype P()
{
	a[0] = -7;
	a[1] = -a[0];
	assert(a[1] == 7 && - -n == n && -(n + a[0]) == 8);
	n = n - -1;
	assert(n == 0);
	n = 3 -1;
	assert(n == 2)
}
