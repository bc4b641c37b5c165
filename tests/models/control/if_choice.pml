// what: an if with three true guards has three successors
byte n;
active proctype P()
{
	if
	:: n = 1
	:: n = 2
	:: true -> n = 3
	fi;
	assert(n > 0)
}
