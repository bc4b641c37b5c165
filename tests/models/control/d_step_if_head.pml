// what: a d_step that begins with an if: a choice at its head is resolved to the first option
byte n, r;
active proctype P()
{
	d_step { if :: n == 0 -> r = 1 :: n == 0 -> r = 2 :: n == 1 -> r = 3 fi; n = 5 };
	assert(r == 1)
}
