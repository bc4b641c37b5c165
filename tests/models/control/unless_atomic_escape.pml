// what: an atomic sequence as the escape
byte n, r;
bit stop;
active proctype P()
{
	{ do :: n = 1 - n od } unless { atomic { stop -> r = 1; r = 2 } };
	assert(r == 2)
}
active proctype Q() { stop = 1; r != 1; assert(r != 1) }
