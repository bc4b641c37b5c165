// what: a negative value as a guard counts as true
int n = -1;
byte seen;
active proctype P()
{
	if
	:: n -> seen = 1
	:: else -> seen = 2
	fi;
	assert(seen == 1)
}
