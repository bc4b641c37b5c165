// what: q?<x> copies the first message and leaves it in the channel
chan q = [2] of { byte };
byte a, b;
active proctype P()
{
	q!4; q!5;
	q?<a>;
	assert(a == 4 && len(q) == 2);
	q?<4>;
	q?<eval(a)>;
	q?b; q?b;
	assert(b == 5 && len(q) == 0)
}
