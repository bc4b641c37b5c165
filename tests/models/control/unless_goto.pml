// what: a goto out of the main sequence and a goto out of the escape
byte n;
bit stop;
active proctype P()
{
	{ n = 1; goto away; n = 2 } unless { stop -> goto other };
	n = 3;
away:	n = 4;
	goto done;
other:	n = 5;
done:	assert(n == 4 || n == 5)
}
active proctype Q() { stop = 1 }
