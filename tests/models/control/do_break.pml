// what: break leaves the innermost loop and is a step when it stands alone behind a guard
byte i, j, n;
active proctype P()
{
	do
	:: i == 2 -> break
	:: i < 2 ->
		j = 0;
		do
		:: j == 2 -> break
		:: j < 2 -> j++; n++
		od;
		i++
	od;
	assert(n == 4)
}
