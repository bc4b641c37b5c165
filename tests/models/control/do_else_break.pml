// what: else -> break, and an else that is not last
byte n;
active proctype P()
{
	do
	:: else -> break
	:: n < 3 -> n++
	od;
	assert(n == 3)
}
