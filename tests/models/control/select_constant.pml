// what: select with constant bounds offers each value in one step
byte n;
active proctype P()
{
	select(n : 2 .. 5);
	assert(n >= 2 && n <= 5)
}
