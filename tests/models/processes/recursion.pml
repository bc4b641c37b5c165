// what: a process runs a copy of itself and waits for its result over a local channel
chan top = [1] of { int };
proctype Fact(byte n; chan up)
{
	chan down = [1] of { int };
	int r;
	if
	:: n <= 1 -> up!1
	:: n > 1 -> run Fact(n - 1, down); down?r; up!r * n
	fi
}
init { int r; run Fact(5, top); top?r; assert(r == 120) }
