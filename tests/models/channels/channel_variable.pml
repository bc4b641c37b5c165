// what: a channel variable is set to another channel and compared
chan a = [1] of { byte };
chan b = [1] of { byte };
chan c;
byte n;
active proctype P()
{
	c = a;
	assert(c == a && c != b);
	c!5;
	assert(len(a) == 1 && len(b) == 0);
	c = b;
	c!6;
	a?n; assert(n == 5);
	c?n; assert(n == 6)
}
