// what: a message field is truncated by the channel's type when it is sent
chan q = [2] of { byte, bit, short };
active proctype P()
{
	int a, b, c;
	q!300, 2, 40000;
	q?a, b, c;
	assert(a == 44 && b == 0 && c == -25536)
}
