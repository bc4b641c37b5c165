// what: only the first statement of the escape has priority, the rest is ordinary
byte n, r;
active proctype P()
{
	{ n = 1; n = 2; n = 3 } unless { n >= 1 -> r = 1; n == 7; r = 2 };
	assert(r == 2)
}
active proctype Q() { r == 1; n = 7 }
