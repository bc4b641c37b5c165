// what: an array of unsigned with a width is a syntax error
unsigned u[3] : 3;
active proctype P()
{
	u[1] = 9;
	assert(u[1] == 1)
}
