// what: q??c takes the first message that fits out of the middle and keeps the order of the rest
chan q = [4] of { byte, byte };
byte a, b;
active proctype P()
{
	q!1, 1; q!2, 2; q!3, 3; q!2, 4;
	q??2, a;
	assert(a == 2 && len(q) == 3);
	q??eval(a), b;
	assert(b == 4);
	q?a, b; assert(a == 1 && b == 1);
	q?a, b; assert(a == 3 && b == 3)
}
