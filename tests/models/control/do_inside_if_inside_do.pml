// what: break in a do that is nested in an if leaves only that do
byte i, n;
active proctype P()
{
	do
	:: i < 3 ->
		if
		:: i == 1 -> do :: n < 5 -> n++ :: n == 5 -> break od
		:: i != 1 -> n++
		fi;
		i++
	:: i == 3 -> break
	od;
	assert(n == 6)
}
