// what: sibling blocks may use the same name for different variables
byte r;
active proctype P()
{
	{ byte x = 1; r = r + x }
	{ byte x = 2; r = r + x }
	{ int x = 300; r = x }
	assert(r == 44)
}
