// what: buffered sends and receives inside a d_step
chan q = [3] of { byte };
byte a, b;
active proctype P()
{
	d_step { q!1; q!2; q?a; q!3; q?b };
	assert(a == 1 && b == 2 && len(q) == 1 && q?[3])
}
active proctype Q() { assert(len(q) <= 1) }
