// what: an if without a true guard waits for another process
byte n, r;
active proctype P()
{
	if
	:: n == 1 -> r = 1
	:: n == 2 -> r = 2
	fi;
	assert(r == 1 || r == 2)
}
active proctype Q() { n = 1; n = 2 }
