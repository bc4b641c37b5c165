// what: else beside a rendezvous receive can be taken even while a sender waits: only the sender starts a rendezvous
chan q = [0] of { byte };
byte n, r, ready;
active proctype S() { ready = 1; end: q!5 }
active proctype R()
{
	ready == 1;
	if
	:: q?n -> r = 1
	:: else -> r = 2
	fi;
	assert(r == 1 && n == 5 || r == 2 && n == 0);
	assert(r == 1)
}
