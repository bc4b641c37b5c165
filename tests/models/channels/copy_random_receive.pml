// what: q??<x,c> copies the first message that fits, wherever it is
chan q = [3] of { byte, byte };
byte a;
active proctype P()
{
	q!1, 7; q!2, 8; q!3, 8;
	q??<a, 8>;
	assert(a == 2 && len(q) == 3);
	q??<3, a>;
	assert(a == 8 && len(q) == 3)
}
