// what: fields of a structure are truncated by their own type
typedef R { bit t; byte b; short s; unsigned u : 4; int n };
R r;
active proctype P()
{
	r.t = 6; r.b = 6 * 100; r.s = 70000; r.u = 100; r.n = 70000;
	assert(r.t == 0 && r.b == 88 && r.s == 4464 && r.u == 4 && r.n == 70000)
}
