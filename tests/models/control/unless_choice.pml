// what: an escape that is a selection with several options
byte n, r;
active proctype P()
{
	{ n = 1; n = 2; n = 3 }
	unless {
		if
		:: n == 2 -> r = 1
		:: n == 2 -> r = 2
		:: n == 1 && r == 9 -> r = 3
		fi
	};
	assert(r == 1 || r == 2)
}
