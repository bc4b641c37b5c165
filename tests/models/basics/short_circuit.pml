// what: && and || stop at the first operand that decides
byte a[2];
byte i = 7;
byte r;
active proctype P()
{
	if
	:: i < 2 && a[i] == 0 -> r = 1
	:: else -> r = 2
	fi;
	assert(r == 2);
	if
	:: i >= 2 || a[i] == 1 -> r = 3
	:: else -> r = 4
	fi;
	assert(r == 3)
}
