// what: else inside d_step, also not in the last place
byte n = 5, r;
active proctype P()
{
	d_step { skip; if :: else -> r = 1 :: n == 5 -> r = 2 fi };
	assert(r == 2);
	d_step { n = 1; if :: else -> r = 3 :: n == 5 -> r = 4 fi };
	assert(r == 3)
}
