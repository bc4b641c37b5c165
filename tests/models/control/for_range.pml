// what: for over a range runs with both bounds, and the variable ends one above
byte i, n;
active proctype P()
{
	for (i : 1 .. 3) { n = n + i }
	assert(n == 6 && i == 4);
	for (i : 2 .. 2) { n++ }
	assert(n == 7 && i == 3)
}
