// what: else is taken only when no other guard is true
byte n, r;
active proctype P()
{
	if
	:: n > 0 -> r = 1
	:: n > 1 -> r = 2
	:: else -> r = 3
	fi;
	assert(r != 0)
}
active proctype Q() { n = 1; n = 2 }
