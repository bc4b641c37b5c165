// what: a do as the first statement of an option
byte n, out;
active proctype P()
{
	if
	:: do
	   :: n < 2 -> n++
	   :: n == 2 -> break
	   od;
	   out = 1
	:: n == 0 -> out = 2
	fi;
	assert(out == 1 && n == 2 || out == 2 && n == 0)
}
