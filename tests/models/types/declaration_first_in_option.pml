// what: a declaration that opens an option makes a guard that is always executable
byte n = 3;
byte taken;
active proctype P()
{
	if
	:: byte a = n; a == 3; taken = 1
	:: n == 4 -> taken = 2
	:: byte b; taken = 3
	fi;
	assert(taken == 1 || taken == 3)
}
