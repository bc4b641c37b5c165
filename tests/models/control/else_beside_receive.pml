// what: else beside a buffered receive is taken only when the channel is empty
chan q = [1] of { byte };
byte n, r;
active proctype S() { q!5 }
active proctype R()
{
	if
	:: q?n -> r = 1
	:: else -> r = 2
	fi;
	assert(r == 1 && n == 5 || r == 2 && n == 0)
}
