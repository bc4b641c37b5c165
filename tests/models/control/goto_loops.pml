// what: loops made of goto, forwards and backwards
byte n;
active proctype P()
{
again:	if
	:: n < 3 -> n++; goto again
	:: n >= 3 -> goto out
	fi;
	n = 100;
out:	assert(n == 3)
}
