// what: the index of a channel array is computed at each use
chan q[2] = [2] of { byte };
byte i, n;
active proctype P()
{
	q[i]!1; i = 1; q[i]!2; q[1 - i]!3;
	assert(len(q[0]) == 2 && len(q[1]) == 1);
	q[i]?n; assert(n == 2);
	q[0]?n; assert(n == 1)
}
