// what: for with bounds that are expressions; the upper one is read again in each round
byte i, n = 2, c;
active proctype P()
{
	for (i : n - 1 .. n * 2) {
		c++;
		if
		:: i == 2 -> n = 1
		:: else
		fi
	}
	assert(c == 2 && i == 3)
}
