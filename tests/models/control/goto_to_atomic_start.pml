// what: a goto to a label on an atomic block starts it again
byte n;
active proctype P()
{
again:	atomic { n < 4 -> n++; n++ };
	if :: n < 4 -> goto again :: else fi;
	assert(n == 4)
}
active proctype Q() { assert(n % 2 == 0) }
