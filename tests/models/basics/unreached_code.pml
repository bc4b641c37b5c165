// what: code behind a goto, and an option whose guard is never true, are not reached
byte n;
active proctype P()
{
	if
	:: n == 0 -> n = 1
	:: n == 9 -> n = 2
	fi;
	goto out;
	n = 3;
out:	n = 4
}
