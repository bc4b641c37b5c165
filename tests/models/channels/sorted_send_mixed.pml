// what: sorted send into a channel whose contents are not sorted
chan q = [5] of { byte };
byte a, b, c, d;
active proctype P()
{
	q!5; q!1; q!!3; q!!6;
	q?a; q?b; q?c; q?d;
	assert(a == 3 && b == 5 && c == 1 && d == 6)
}
