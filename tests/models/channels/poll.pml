// what: q?[..] tests a receive without taking the message and without setting variables
mtype = { a, b };
chan q = [2] of { mtype, byte };
byte n = 5;
mtype m;
active proctype P()
{
	assert(!(q?[a, 1]));
	q!a, 1;
	assert(q?[a, 1] && q?[a, _] && !(q?[b, 1]) && !(q?[a, 2]));
	assert(q?[m, n] && n == 5 && m == 0);
	assert(len(q) == 1);
	assert(q?[a, eval(n - 4)])
}
