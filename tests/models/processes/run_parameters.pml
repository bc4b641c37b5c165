// what: arguments of every type, computed before the process starts
typedef R { byte a };
mtype = { x, y };
chan q = [1] of { byte };
byte done;
proctype P(byte b; short s; mtype m; chan c; bit t; int i)
{
	assert(b == 5 && s == -5 && m == y && t && i == 100000);
	b++;
	c!b;
	done = 1
}
init { byte n = 4; run P(n + 1, -n - 1, y, q, 1, 100000); n = 0; q?n; assert(n == 6); done }
