// what: character constants are numbers
byte c = 'A';
active proctype P()
{
	assert(c == 65 && 'z' - 'a' == 25);
	assert('\n' == 10 && '\t' == 9);
	c = c + 1;
	assert(c == 'B')
}
