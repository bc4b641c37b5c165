// what: a structure as message type is sent and received as a whole
typedef M { byte kind; short v[2] };
chan q = [2] of { M };
M a, b;
active proctype P()
{
	a.kind = 3; a.v[0] = -1; a.v[1] = 300;
	q!a;
	a.v[1] = 0;
	q?b;
	assert(b.kind == 3 && b.v[0] == -1 && b.v[1] == 300)
}
