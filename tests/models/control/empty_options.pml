// what: options that consist of a guard only
byte n;
active proctype P()
{
	do
	:: n < 3; n++
	:: n == 3 -> break
	od;
	if :: n == 3 :: n == 4 :: else fi;
	assert(n == 3)
}
