// what: an if as the first statement of an option opens all its options at once
byte a, r;
active proctype P()
{
	if
	:: if
	   :: a == 0 -> r = 1
	   :: a == 1 -> r = 2
	   :: if :: a == 0 -> r = 5 :: a == 2 -> r = 6 fi
	   fi
	:: a == 0 -> r = 3
	:: else -> r = 4
	fi;
	assert(r == 1 || r == 3 || r == 5)
}
