// what: an atomic sequence with choices has one successor per outcome
byte n, r;
active proctype P()
{
	atomic {
		if :: n = 1 :: n = 2 :: n = 3 fi;
		if :: n < 3 -> r = 1 :: n > 1 -> r = 2 fi
	}
	assert(r == 1 && n < 3 || r == 2 && n > 1)
}
