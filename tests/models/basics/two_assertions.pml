// what: both failing assertions are errors, and the search goes on behind a failed one
byte n;
active proctype P()
{
	n = 1;
	assert(n == 0);
	n = 2;
	assert(n == 1);
	n = 3;
	assert(n == 3)
}
