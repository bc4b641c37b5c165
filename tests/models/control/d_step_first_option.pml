// what: inside d_step the first executable option is taken, without branching
byte n, r;
active proctype P()
{
	d_step {
		n = 1;
		if :: n == 2 -> r = 1 :: n == 1 -> r = 2 :: n == 1 -> r = 3 fi;
		if :: n = 7 :: n = 8 fi
	};
	assert(r == 2 && n == 7)
}
