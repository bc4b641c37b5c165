// what: messages with several fields of different types, and a receive with constants in the middle
mtype = { data, ack };
chan q = [2] of { mtype, byte, short };
active proctype S() { q!data, 7, -5; q!ack, 8, -6 }
active proctype R()
{
	byte b; short s;
	q?data, b, s;
	assert(b == 7 && s == -5);
	q?ack, 8, s;
	assert(s == -6)
}
