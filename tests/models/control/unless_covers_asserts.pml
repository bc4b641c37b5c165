// what: an escape that becomes true inside an atomic main sequence is taken before the next assertion
chan q = [0] of { byte };
byte got;
bit stop, escaped;
active proctype P()
{
	{ atomic { q?got; assert(!stop) } } unless { stop -> escaped = 1 }
}
active proctype Q() { end: q!1 }
active proctype R() { stop = 1 }
