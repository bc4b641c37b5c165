// what: a newline inside brackets or behind an operator does not end the statement
int n;
active proctype P()
{
	n = (5
		- 2
		+ 1);
	assert(n == 4);
	n = 5 -
		3;
	assert(n == 2
		&& n > 1)
}
