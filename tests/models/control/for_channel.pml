// what: for over a channel of structures visits each message and leaves them in place
typedef M { byte a; byte b };
chan q = [3] of { M };
M m;
byte sum;
active proctype P()
{
	m.a = 1; m.b = 2; q!m;
	m.a = 3; m.b = 4; q!m;
	for (m in q) { sum = sum + 10 * m.a + m.b }
	assert(sum == 46 && len(q) == 2);
	q?m;
	assert(m.a == 1 && m.b == 2)
}
