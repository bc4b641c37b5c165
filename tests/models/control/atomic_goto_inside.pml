// what: a goto to a label in the same atomic sequence keeps it atomic
byte n;
active proctype P()
{
	atomic {
		n = 1;
again:		n++;
		if
		:: n < 4 -> goto again
		:: else -> n = 10
		fi
	}
}
active proctype Q() { assert(n == 0 || n == 10) }
