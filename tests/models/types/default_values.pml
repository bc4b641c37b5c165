// what: variables without an initialiser are zero, in arrays and structures too
typedef R { byte a[2]; int n };
bit b; byte c; short s; int n; unsigned u : 6; mtype m; chan q; pid p; R r[2];
active proctype P()
{
	byte l; int k[3];
	assert(b + c + s + n + u + m + p == 0 && l + k[0] + k[2] == 0);
	assert(r[1].a[1] == 0 && r[0].n == 0);
	q = q
}
