// what: a goto inside a d_step
byte n;
active proctype P()
{
	d_step {
		n = 1;
again:		n++;
		if :: n < 5 -> goto again :: else fi;
		n = n + 10
	};
	assert(n == 15)
}
