// what: the last value of a local that is dead still tells states apart
active proctype P()
{
	byte n;
	if
	:: n = 1
	:: n = 2
	:: n = 3
	fi;
	skip;
	skip
}
