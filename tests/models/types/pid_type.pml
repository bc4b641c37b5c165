// what: pid is a type like byte
pid p = 255;
active proctype P()
{
	pid me = _pid;
	p++;
	assert(p == 0 && me == 0);
	p = p - 1;
	assert(p == 255)
}
