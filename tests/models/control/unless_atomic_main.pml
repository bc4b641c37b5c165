// what: an escape also cuts into an atomic sequence, between its steps
byte n, r;
active proctype P()
{
	{ atomic { n = 1; n = 2; n = 3 } } unless { n == 2 -> r = n };
	assert(r == 2 && n == 2)
}
