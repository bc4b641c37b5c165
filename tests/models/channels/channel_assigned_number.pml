// what: a channel is a number: the first one declared is 1
chan q = [1] of { byte };
chan r = [1] of { byte };
byte n;
active proctype P()
{
	assert(q == 1 && r == 2);
	r = n + 1;
	r!7;
	assert(len(q) == 1 && r == q);
	q?n;
	assert(n == 7)
}
