// what: break and goto as the whole option
byte n;
active proctype P()
{
	do
	:: n < 2 -> n++
	:: break
	:: goto other
	od;
	n = 10;
	goto done;
other:	n = 20;
done:	assert(n == 10 || n == 20)
}
