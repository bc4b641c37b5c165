// what: a loop may stop at any time
byte n;
active proctype P()
{
	do
	:: n < 5 -> n++
	:: break
	od;
	assert(n <= 5)
}
