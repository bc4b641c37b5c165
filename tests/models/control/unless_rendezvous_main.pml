// what: a rendezvous send in the main sequence is not offered while the escape can be taken
chan q = [0] of { byte };
byte got, escaped;
bit stop;
active proctype P()
{
	{ q!1; q!2 } unless { stop -> escaped = 1 };
	assert(escaped || got == 2)
}
active proctype Q()
{
	end: do
	:: atomic { q?got; assert(!stop) }
	od
}
active proctype R() { stop = 1 }
