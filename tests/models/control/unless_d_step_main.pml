// what: a d_step in the main sequence is not cut, only left out before it starts
byte n, r;
bit stop;
active proctype P()
{
	{ d_step { n = 1; n = 2; n = 3 }; n = 4 } unless { stop -> r = n };
	assert(n == 0 || n == 3 || n == 4);
	assert(r == 0 || r == n)
}
active proctype Q() { stop = 1 }
