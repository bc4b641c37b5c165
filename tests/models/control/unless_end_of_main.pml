// what: when the main sequence has ended, the escape is no longer watched
byte n;
bit stop;
active proctype P()
{
	{ n = 1; n = 2 } unless { stop -> n = 9 };
	n = n + 1;
	assert(n == 3 || n == 10)
}
active proctype Q() { stop = 1 }
