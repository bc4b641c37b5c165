// what: the escape of an unless comes first as soon as it can
byte n;
bit stop;
active proctype P()
{
	{ do :: n = (n + 1) % 4; assert(!stop) od } unless { stop -> n = 10 }
	assert(n == 10)
}
active proctype Q() { stop = 1 }
