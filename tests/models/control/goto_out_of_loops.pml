// what: goto leaves two loops at once, and enters the middle of another one
byte n, m;
active proctype P()
{
	do
	:: do
	   :: n < 3 -> n++
	   :: n == 3 -> goto middle
	   od
	od;
	do
	:: m < 2 -> m++;
middle:	   n++
	:: m == 2 -> break
	od;
	assert(n == 6)
}
