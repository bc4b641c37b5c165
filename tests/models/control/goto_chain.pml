// what: gotos that lead to gotos, and several labels on one statement
byte n;
active proctype P()
{
	goto one;
three:	goto four;
one:	goto two;
two:
again:	n++;
	if
	:: n == 1 -> goto again
	:: n == 2 -> goto three
	:: else
	fi;
	n = 50;
four:	assert(n == 2)
}
