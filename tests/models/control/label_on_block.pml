// what: labels on a block, on an atomic and on an if
byte n;
active proctype P()
{
a:	{ n++; n++ };
	if :: n == 2 -> goto a :: n == 4 -> goto b :: else -> goto c fi;
b:	atomic { n++; n++ };
	goto a;
c:	if :: n == 8 -> n = 0 fi;
	assert(n == 0)
}
