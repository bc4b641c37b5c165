// what: a declaration behind the first statement costs a step even without initialiser
byte n;
active proctype P()
{
	n = 1;
	byte a;
	byte b, c;
	n = 2;
	assert(a + b + c == 0)
}
