// what: a second plain mtype list goes on where the first one stopped
mtype = { a, b, c };
mtype = { d, e };
active proctype P()
{
	assert(a == 3 && c == 1);
	assert(d == 5 && e == 4)
}
