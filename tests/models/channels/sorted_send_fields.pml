// what: sorted send compares field by field, equal messages keep the order of sending
chan q = [4] of { byte, byte };
byte a, b;
active proctype P()
{
	q!!2, 9; q!!2, 1; q!!1, 5; q!!2, 5;
	q?a, b; assert(a == 1 && b == 5);
	q?a, b; assert(a == 2 && b == 1);
	q?a, b; assert(a == 2 && b == 5);
	q?a, b; assert(a == 2 && b == 9)
}
