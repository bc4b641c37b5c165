// what: P:x and P[pid]:x read a local of another process
active [2] proctype P() { byte x = 3; x = x + _pid; x = x * 2 }
active proctype Q()
{
	byte s;
	s = P[1]:x;
	assert(s == 3 || s == 4 || s == 8);
	assert(P[0]:x == 3 || P[0]:x == 6)
}
