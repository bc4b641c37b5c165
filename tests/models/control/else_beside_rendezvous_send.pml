// what: else beside a rendezvous send is taken only as long as no receiver waits
chan q = [0] of { byte };
byte r, n;
bit ready, was;
active proctype S()
{
	was = ready;
	if
	:: q!5 -> r = 1
	:: else -> r = 2; assert(!was)
	fi
}
active proctype R() { atomic { ready = 1; end: q?n; assert(n == 5) } }
