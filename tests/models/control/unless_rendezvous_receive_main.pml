// what: a rendezvous receive in the main sequence accepts an offer even while the escape could be taken, so the assertion can fail
chan q = [0] of { bit };
bit got, stop, escaped;
active proctype P()
{
	{ q?got } unless { stop -> escaped = 1 };
	assert(!got)
}
active proctype Q() { end: q!stop }
active proctype R() { stop = 1 }
