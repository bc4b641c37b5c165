// what: an inner else looks at the inner options, an outer else at all of them
byte a = 5, r;
active proctype P()
{
	if
	:: a == 1 -> r = 1
	:: if
	   :: a == 2 -> r = 2
	   :: a == 3 -> r = 3
	   fi
	:: else ->
		if
		:: a == 4 -> r = 4
		:: else -> r = 9
		fi
	fi;
	assert(r == 9)
}
