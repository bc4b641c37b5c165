// what: a newline ends the statement, so a minus sign at the start of the next line is a statement of its own
int n
active proctype P()
{
	n = 5
	- 2
	assert(n == 5)
}
