// what: names of an mtype list count down: the last one declared is 1
mtype = { a, b, c };
mtype x;
active proctype P()
{
	assert(a == 3 && b == 2 && c == 1 && x == 0);
	x = b;
	assert(x != a && x > c && x < a)
}
