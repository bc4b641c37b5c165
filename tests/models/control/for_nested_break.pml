// what: break inside for, and a for inside a for
byte i, j, n;
active proctype P()
{
	for (i : 0 .. 3) {
		for (j : 0 .. 3) {
			if
			:: j == i -> break
			:: else -> n++
			fi
		}
	}
	assert(n == 6)
}
