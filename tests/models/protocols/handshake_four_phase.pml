// what: a four-phase handshake of two signals carries each value once
bit rq, ak;
byte line, next;
active proctype Sender()
{
	byte v;
	do
	:: line = v; rq = 1; ak; rq = 0; !ak; v = (v + 1) % 4
	od
}
active proctype Receiver()
{
	do
	:: rq; assert(line == next); next = (next + 1) % 4; ak = 1; !rq; ak = 0
	od
}
