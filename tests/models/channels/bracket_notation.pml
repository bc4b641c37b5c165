// what: q!m(a,b) and q?m(a,b) are the same as q!m,a,b and q?m,a,b
mtype = { put, get };
chan q = [2] of { mtype, byte, byte };
byte a, b;
active proctype P()
{
	q!put(1, 2);
	q?put, a, b;
	assert(a == 1 && b == 2);
	q!get, 3, 4;
	q?get(a, b);
	assert(a == 3 && b == 4)
}
