// what: a declaration with an initialiser behind a statement costs a step
byte n;
active proctype P()
{
	n = 4;
	byte a = n;
	byte b = 7;
	assert(a == 4 && b == 7)
}
