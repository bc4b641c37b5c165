// what: an escape that starts with else is taken at once when its other guard is false
byte n, r;
active proctype P()
{
	{ n = 1; n = 2 } unless { if :: n == 5 -> r = 1 :: else -> r = 2 fi };
	assert(r == 2 && n == 0)
}
