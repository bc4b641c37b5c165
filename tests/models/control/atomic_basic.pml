// what: an atomic sequence is not interrupted
byte n;
active [2] proctype P()
{
	byte m;
	atomic { m = n; n = m + 1; m = 0 };
	skip
}
active proctype C() { n == 2 -> assert(n == 2) }
